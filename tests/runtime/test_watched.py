"""Rules that run when something becomes true notice every sort of change, and nobody looks where they read nothing."""

from __future__ import annotations

import pytest

from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.runtime.model.cells import DIRTY
from talewright.schemas.nodes.codec import read_document

from .small_games import document, game

FRAME = """
role Player 1..1 is Figure named player
kind Lamp is Card:
    holds soot
    oil: int = 0
    level: track 0..9 start 0
    lit: yes | no = no per act
Lamp brass "brass"
Lamp tin "tin"
Place hall "Hall"
Place cellar "Cellar"
track dread 0..9 start 0
state heat: int = 0
state owner: Lamp or none = none
token soot * 9
pile shelf of Lamp face_down = all Lamp
pile table of Lamp
value heat_twice = heat + heat
value full(l: Lamp) = l.oil >= 3
value warmth: int = 1
modify warmth when brass in table: + 5
Ending found "Found"
Ending missed "Missed"
action game:
    rest
    act
    rest
    go to missed
action act: {does}
action rest: owner = tin
when {becomes} becomes true: go to found
"""
CHANGES = {
    "state": ("heat >= 3", "heat + 3"),
    "state that is set": ("owner is brass", "owner = brass"),
    "track": ("dread >= 3", "dread + 3"),
    "value of a state": ("heat_twice >= 3", "heat + 3"),
    "field": ("brass.oil >= 3", "brass.oil = 4"),
    "value of a thing": ("any Lamp where full(it)", "brass.oil = 4"),
    "track of a thing": ("brass.level >= 3", "brass.level + 3"),
    "field of a moment": ("count(Lamp where it.lit) > 0", "brass.lit = yes; nudge"),
    "container": ("table is not empty", "move brass to table"),
    "top": ("table.top is brass", "move brass to table"),
    "place": ("player in hall", "place player at hall"),
    "face": ("brass is face_up", "reveal brass"),
    "modified value": ("warmth > 3", "move brass to table"),
    "token": ("brass.soot > 0", "put 1 soot on brass"),
    "running action": ("during act", "nudge"),
}
NUDGE = "\naction nudge: heat = heat\n"


@pytest.mark.parametrize("change", CHANGES)
def test_every_sort_of_change_is_noticed(change: str) -> None:
    becomes, does = CHANGES[change]
    assert game(FRAME.format(becomes=becomes, does=does) + NUDGE).run() == "found"


def writes_of(becomes: str, name: str) -> bool:
    """Whether an action makes rules look again."""
    text = FRAME.format(becomes=becomes, does="brass.oil = 1") + NUDGE
    # Where events are written, every function stays one.
    _, module = assemble(read_document(document(text)), {}, None, Build(events=True))
    (function,) = (function for function in module.functions if function.name == name)
    return f"offset={DIRTY}, value=Const(value=1)" in str(function.body)


def test_nobody_looks_when_something_else_was_written() -> None:
    assert writes_of("brass.oil >= 3", "action:act/")
    assert not writes_of("heat >= 3", "action:act/")
    assert writes_of("warmth > 3", "action:act/")
