"""What a test shows of what happened, from the rows that a traced program writes."""

from __future__ import annotations

from talewright.runtime.host.play import Play
from talewright.runtime.kernel.play.notes import CALLED
from talewright.runtime.lower.builds.notes import OUTCOMES
from talewright.runtime.model.world import plain
from talewright.runtime.observe.trace import CallEvent, Tracer
from talewright.runtime.observe.view import View

MOST_ROWS = 400
SHOWN_CHARACTERS = 60


def called_actions(play: Play) -> set[str]:
    """The actions that were called since the last `when`."""
    names = play.program.names_of("action")
    begun = OUTCOMES.index("called")
    return {names[row[2]] for row in play.events() if row[0] == CALLED and row[1] == begun}


def trace_lines(play: Play) -> list[str]:
    """What was called and said since the last `when`, a line each."""
    view = View.of(play.program, play.machine)
    lines: list[str] = []
    for kind, detail in Tracer(play.words).events(play.events()[:MOST_ROWS]):
        if isinstance(detail, str):
            lines.append(f"say {detail[:SHOWN_CHARACTERS]}")
        elif isinstance(detail, CallEvent):
            reason = f": {detail.reason[:SHOWN_CHARACTERS]}" if detail.reason else ""
            lines.append(f"{'  ' * detail.depth}{kind} {_call(view, detail)}{reason}")
    return lines


def _call(view: View, call: CallEvent) -> str:
    action = view.program.actions.get(call.action)
    shown = [
        view.evaluator.shown(value, part.type, lambda thing: view.thing(thing).id)
        for part, value in zip(() if action is None else action.params, call.arguments, strict=False)
        if plain(part.type).tag != "effect"
    ]
    return " ".join([call.action.partition("/")[0], *shown])
