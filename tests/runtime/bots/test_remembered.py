"""Values that are remembered while options are weighed change no game."""

from __future__ import annotations

import pytest

from talewright.runtime.engines.interface import Engine, Machine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.kernel.bots.bots import GUIDED
from talewright.runtime.lower.expressions import modifiers
from talewright.runtime.lower.program import Build
from talewright.runtime.model.cells import DECISIONS
from talewright.runtime.session.program import Program, build_program
from tests.runtime.small_games import document

GAMES = 40
TEXT = """
role Player 1..2 named p
kind Stone:
    worth: int = 1
kind Page is Chapter
pile heap of Stone face_up = all Stone
pile taken of Stone face_up
Stone pebble "A Pebble" * 3
Stone flint "A Flint" * 2:
    worth: 2
Stone jade "A Jade":
    worth: 5
Page one "First"
Ending rich "Rich"
Ending poor "Poor"
action game: go to one
action play p: Page:
    repeat 3 times:
        for each q in Player:
            choose s from heap by q "Which stone?"
            move s to taken
            let die = do roll d6
            if die > 4 and any taken: move first taken to heap
    if total(taken, it.worth) > 7: go to rich
    go to poor

value riches = total(taken, it.worth) + count(taken where it.worth > 4)
value likes(s: Stone) = riches + count(heap where it.worth <= s.worth) * 2
value gap(s: Stone, other: Stone) = likes(s) - likes(other) + count(heap) + count(taken)
value appeal_play_s(s: Stone) = likes(s) + total(heap, gap(s, it)) + 20
modify likes(s) when s.worth > 2: + 3
"""


def program(engine: Engine) -> Program:
    return build_program(document(TEXT), {}, 2, Build(bots=True), engine)


def games(made: Program) -> list[tuple[int, ...]]:
    """The endings, and the state of the last game."""
    machine: Machine = made.machine()
    names = made.lowered.layout.names
    machine.call("prepare")
    machine.write(names["BOT"], [GUIDED])
    out = machine.cells - GAMES - 1
    machine.call("play_many", 1, GAMES, out)
    return [
        tuple(machine.read(out, GAMES)),
        tuple(machine.read(DECISIONS, 1)),
        tuple(machine.read(names["WHERE"], 10)),
    ]


@pytest.mark.parametrize("engine", [WasmEngine(), PythonEngine()])
def test_games_are_the_same_as_without(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = program(engine)
    assert "value:likes" in remembered.lowered.function_spots
    assert {"computed:likes", "computed:gap", "computed:riches"} <= set(remembered.lowered.function_spots)
    monkeypatch.setattr(modifiers, "is_remembered", lambda program, declared: False)
    plain = program(engine)
    assert "computed:likes" not in plain.lowered.function_spots
    assert games(remembered) == games(plain)
    assert len(set(games(plain)[0])) == 2
