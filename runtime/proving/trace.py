"""What a test shows of what happened, from the rows that a traced program writes."""

from __future__ import annotations

from talewright.runtime.host.play import Play
from talewright.runtime.kernel.notes import CALLED, SAID
from talewright.runtime.lower.notes import OUTCOMES
from talewright.runtime.model.types import is_list
from talewright.runtime.model.world import plain

MOST_LINES = 400
SHOWN_CHARACTERS = 60


def called_actions(play: Play) -> set[str]:
    """The actions that were called since the last `when`."""
    names = play.program.names_of("action")
    begun = OUTCOMES.index("called")
    return {names[row[2]] for row in play.events() if row[0] == CALLED and row[1] == begun}


def trace_lines(play: Play) -> list[str]:
    """What happened since the last `when`, a line each."""
    names = play.program.names_of("action")
    lines: list[str] = []
    for kind, first, second, *parts in play.events()[:MOST_LINES]:
        if kind == SAID:
            lines.append(f"say {play.words.text(first)[:SHOWN_CHARACTERS]}")
        elif kind == CALLED:
            lines.append(f"{OUTCOMES[first]} {_call(play, names[second], parts)}".rstrip())
    return lines


def _call(play: Play, action: str, parts: list[int]) -> str:
    declared = play.program.actions.get(action)
    shown: list[str] = []
    for parameter, cell in zip(() if declared is None else declared.params, parts, strict=False):
        inner = plain(parameter.type)
        if inner.tag == "thing" and cell:
            shown.append(play.words.thing(cell).id)
        elif inner.tag in ("pool", "dice"):
            shown.append(str(cell))
        elif is_list(inner) or inner.tag != "effect":
            shown.append(play.words.value(cell, inner))
    return " ".join([action.partition("/")[0], *shown])
