"""The question that a game stands at: what the names mean that it and its answers read."""

from __future__ import annotations

from talewright.runtime.model.cells import ASKED_WITH, DECISION
from talewright.runtime.observe.evaluator import Evaluator, Scope


def scope_of_question(ev: Evaluator) -> Scope:
    """`self` and the locals around the question that is asked, as they were written down when it was."""
    point = ev.program.points[ev.memory[DECISION]]
    noted = ev.words.items(ev.memory[ASKED_WITH])
    if len(noted) != 1 + len(point.reads):
        return Scope()  # nobody reads this program
    me, *cells = noted
    return Scope(dict(zip(point.reads, cells, strict=True)), point.reads, me, point.owner)
