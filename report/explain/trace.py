"""What happened in a game, event by event: a line for people, an object for programs."""

from __future__ import annotations

from talewright.report.explain.explanations import call_text
from talewright.report.table.choices import Told
from talewright.report.table.visibility import ALL, Seat, open_field, secret, visible, words
from talewright.report.wording.phrases import band_text
from talewright.runtime.host.decisions import Decision, hidden_name
from talewright.runtime.observe.trace import (
    BandEvent,
    CallEvent,
    Detail,
    EffectEvent,
    Happening,
    PickEvent,
    PileEvent,
    RollEvent,
    RuleEvent,
    TurnEvent,
    WriteEvent,
)
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.document import place
from talewright.schemas.records import record

Choice = tuple[str, str, str, Decision, int]
"""What is told of a decision: its id, who decided, the option in words, the decision, and the number of the option."""
Data = dict[str, str | int | list[str] | None]


@record(frozen=True)
class Event:
    """One event of play."""

    data: Data
    text: str


class Teller:
    """Turns what a game's listener hears into events: all of them, or as much as a seat may know.

    The view is of the game as it stands when the event is told; whoever plays on gives a new one.
    """

    def __init__(self, view: View, seat: Seat = ALL) -> None:
        self.view = view
        self.seat = seat
        self.decisions = 0

    def tells(self, detail: Detail | Choice) -> bool:
        """Whether the seat may hear of an event at all."""
        if self.seat == ALL:
            return True
        match detail:
            case WriteEvent(owner=owner) if owner:
                field = self.view.fields(owner).get(detail.track.rpartition(".")[2])
                closed = field is not None and not open_field(self.view, owner, field, self.seat)
                return not closed and visible(self.view, owner, self.seat)
            case RuleEvent(bearer=bearer) if bearer and bearer <= len(self.view.program.world.things):
                return visible(self.view, bearer, self.seat)
        return True

    def event(self, kind: str, detail: Detail | Choice) -> Event:
        """One event."""
        if isinstance(detail, tuple):
            return self._decided(detail)
        if isinstance(detail, str):
            return Event({"event": "say", "text": detail}, f'      "{" ".join(detail.split())}"')
        data, text = self._inner(kind, detail)
        return Event({"event": kind, "depth": detail.depth, **data}, f"      {'  ' * detail.depth}{text}")

    def _decided(self, choice: Choice) -> Event:
        name, who, option, decision, index = choice
        if self.seat != ALL:
            option = Told(self.view, decision, index).told(self.seat)
        self.decisions += 1
        data: Data = {
            "event": "decision", "number": self.decisions, "id": name, "by": who, "option": option,
        }  # fmt: skip
        return Event(data, f"{self.decisions:>4}  {name}  {who}: {option}")

    def _inner(self, kind: str, detail: Happening) -> tuple[Data, str]:
        view = self.view
        match detail:
            case WriteEvent():
                name = detail.track.rpartition(":")[2].rpartition(".")[2]
                of = view.title(detail.owner) if detail.owner else None
                moved = f"{detail.before} -> {detail.after}"
                data: Data = {"cell": name, "of": of, "before": detail.before, "after": detail.after}
                return data, f"{words(name)}{f' of {of}' if of else ''} {moved}"
            case RuleEvent():
                file, line = place(view.program.document.sources, detail.at)
                known = 0 < detail.bearer <= len(view.program.world.things)
                bearer = view.title(detail.bearer) if known else None
                told = f"rule {file}:{line}{f' of {bearer}' if bearer else ''}"
                return {"file": file, "line": line, "of": bearer}, told
            case RollEvent():
                by = view.title(detail.roller) if detail.roller else None
                purpose = detail.purpose or None
                data = {"dice": detail.dice, "faces": list(detail.faces), "for": purpose, "by": by}
                shown = ", ".join(map(words, detail.faces))
                return data, f"{kind} {detail.dice}{f' for {words(purpose)}' if purpose else ''}: {shown}"
            case PileEvent():
                if kind == "shuffle":
                    data = {"pile": detail.pile, "count": detail.count}
                    return data, f"shuffle {words(detail.pile)} ({detail.count})"
                drawn = self._thing(detail.thing) if detail.thing else None
                data = {"pile": detail.pile, "thing": drawn}
                return data, f"draw from {words(detail.pile)}: {drawn or 'nothing'}"
            case TurnEvent():
                turned = self._thing(detail.thing)
                to = view.title(detail.seat) if detail.seat else None
                return {"thing": turned, "to": to}, f"show {turned} to {to}" if to else f"turn up {turned}"
            case EffectEvent():
                bearer = self._thing(detail.thing)
                data = {"of": bearer, "field": detail.field, "begins": detail.begins}
                return data, f"{'do' if detail.begins else 'done'} {words(detail.field)} of {bearer}"
            case BandEvent():
                data = {"number": detail.number, "low": detail.low, "high": detail.high}
                return data, f"{detail.number} is {band_text(detail.low, detail.high)}"
            case PickEvent():
                picked = self._thing(detail.thing) if detail.thing else detail.picked
                return {"picked": picked, "among": detail.among}, f"random: {picked} of {detail.among}"
        assert isinstance(detail, CallEvent)
        shown = call_text(view, detail.action, detail.arguments, self.seat)
        data = {"action": detail.action, "text": shown}
        reason = detail.reason
        if reason and (self.seat == ALL or not secret(view, reason, self.seat)):
            data["reason"] = reason
        return data, f"{kind} {shown}{f': {reason}' if 'reason' in data else ''}"

    def _thing(self, thing: int) -> str:
        if not visible(self.view, thing, self.seat):
            return hidden_name(self.view.words, thing)
        return self.view.thing(thing).id
