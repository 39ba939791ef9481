"""Saves of the games of a playtest that broke off, so that they can be played again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

import orjson

from talewright.report.playtest.run.job import Job
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision
from talewright.runtime.measuring import measured
from talewright.runtime.program import Program
from talewright.runtime.saves import Save
from talewright.runtime.session import Leave, Session


@lru_cache(maxsize=1)
def _program(job: Job) -> Program:
    return Program(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)


def save_of(job: Job, seed: int, choices: Sequence[int]) -> Save:
    """The save of a game that took these choices, up to where it broke off."""
    session = Session(_program(job), seed, job.chapter)
    left = iter(choices)

    def answer(decision: Decision) -> int:
        index = next(left, None)
        if index is None:
            raise Leave
        return index

    session.default = answer
    # The session itself remembers the fault that the save is about.
    with suppress(Fault, Leave):
        session.run()
        try:
            measured(session.game)
        except Fault as fault:
            session.error = str(fault)
    return session.save()
