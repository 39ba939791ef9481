"""What a test shows of what happened, from the rows that a traced program writes."""

from __future__ import annotations

from talewright.runtime.host.play import Play
from talewright.runtime.kernel.play.notes import CALLED, REASON, SAID
from talewright.runtime.lower.builds.notes import OUTCOMES
from talewright.runtime.model.types import is_list
from talewright.runtime.model.world import plain

MOST_LINES = 400
SHOWN_CHARACTERS = 60
WORDS = {"called": "call"}


def called_actions(play: Play) -> set[str]:
    """The actions that were called since the last `when`."""
    names = play.program.names_of("action")
    begun = OUTCOMES.index("called")
    return {names[row[2]] for row in play.events() if row[0] == CALLED and row[1] == begun}


def trace_lines(play: Play) -> list[str]:
    """What happened since the last `when`, a line each."""
    names = play.program.names_of("action")
    lines: list[str] = []
    running: list[int] = []
    reason = ""
    for kind, first, *others in play.events()[:MOST_LINES]:
        if kind == SAID:
            lines.append(f"say {play.words.text(first)[:SHOWN_CHARACTERS]}")
        elif kind == REASON:
            reason = f": {play.words.text(first)[:SHOWN_CHARACTERS]}"
        elif kind == CALLED:
            outcome = OUTCOMES[first]
            second, *parts = others
            if outcome == "called":
                running.append(second)
            elif second in running:
                # What was left by a `go to` or a `stop` has not said so.
                del running[len(running) - running[::-1].index(second) :]
            indent = "  " * len(running)
            told = reason if outcome == "refused" else ""
            reason = ""
            lines.append(
                f"{indent}{WORDS.get(outcome, outcome)} {_call(play, names[second], parts)}".rstrip() + told
            )
            if outcome != "called" and running and running[-1] == second:
                running.pop()
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
