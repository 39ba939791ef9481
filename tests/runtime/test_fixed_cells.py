"""Cells that never change, which programs take for constants, never change."""

from __future__ import annotations

import pytest

from talewright.compiler.passes import compile_package
from talewright.runtime.kernel.bots.bots import GUIDED
from talewright.runtime.lower.program import Build
from talewright.runtime.model.layout import STATIC
from talewright.runtime.session.program import build_program


@pytest.mark.parametrize(
    ("name", "players"),
    [("salem-night", 2), ("blackmere", 2), ("fistful", 2), ("witches_war", None), ("salt_ledger", 2)],
)
def test_playing_writes_no_cell_that_never_changes(name: str, players: int | None) -> None:
    document = compile_package(name, trees=False).document
    assert document is not None
    program = build_program(document, {}, players, Build(bots=True, counted=True))
    layout, machine = program.lowered.layout, program.machine()
    count = len(layout.static)
    before = machine.read(STATIC, count)
    assert before == layout.static
    machine.call("prepare")
    machine.write(layout.names["BOT"], [GUIDED])
    assert machine.call("play_counted", 1, 0, 3) == 3
    assert machine.read(STATIC, count) == before
