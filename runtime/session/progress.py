"""Whether a game goes on: one decision that comes again and again while nothing changes is an error of play."""

from __future__ import annotations

from talewright.runtime.faults import Fault
from talewright.runtime.session.game import Decision
from talewright.schemas.records import field, record, replace

PATIENCE = 3


@record
class Progress:
    """What was asked last, how often in a row, and which answers were tried."""

    last: tuple[object, ...] = ()
    times: int = 0
    tried: set[int] = field(default_factory=set)

    def asked(self, decision: Decision, names: list[str], person: bool) -> None:
        """A decision is put; the third time in a row with nothing changed is an error of play.

        A person may read the same page as often as they like, until every option has led nowhere.
        """
        now = (decision.name, decision.seats, tuple(names), decision.game.standing())
        if now != self.last:
            self.last, self.times, self.tried = now, 1, set()
            return
        self.times += 1
        stuck = len(self.tried) == len(decision.options) if person else True
        if self.times >= PATIENCE and stuck:
            raise Fault(
                "R8",
                f"no progress: `{decision.name}` was asked {self.times} times and nothing has changed",
                decision.game.here(),
            )

    def answered(self, index: int) -> None:
        """What was answered."""
        self.tried.add(index)

    def copy(self) -> Progress:
        """The same, on its own."""
        return replace(self, tried=set(self.tried))
