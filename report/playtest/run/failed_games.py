"""Saves of the games of a playtest that broke off, so that they can be played again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

import orjson

from talewright.report.playtest.run.job import Job
from talewright.runtime.faults import Fault
from talewright.runtime.lower.program import Build
from talewright.runtime.session import Decision, Leave, Program, Session
from talewright.runtime.session.program import build_program
from talewright.runtime.session.saves import Save


@lru_cache(maxsize=1)
def _program(job: Job) -> Program:
    build = Build(events=True, checked=job.checked)
    return build_program(orjson.loads(job.document), dict(job.options), job.players, build)


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
            session.game.measures()
        except Fault as fault:
            session.error = str(fault)
    return session.save()
