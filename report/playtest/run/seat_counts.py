"""Finds the numbers of players with which a game can begin."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import orjson

from talewright.report.playtest.run.games import counted_program
from talewright.report.playtest.run.job import Job
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.session.game import Game
from talewright.runtime.session.program import Program, load
from talewright.schemas.records import replace

REFUSED = "the game cannot begin"
# A seat that was not asked within this many decisions counts as absent.
LONG = 2000


def refusal(job: Job) -> str:
    """Why no game of a job begins; nothing if they do."""
    return _refusal(counted_program(job), job)


def _program(job: Job) -> Program:
    """A program that the host can answer; it takes less than the counted one."""
    return load(orjson.loads(job.document), dict(job.options), job.players)


def others(job: Job) -> list[int]:
    """The other numbers of players with which games begin."""
    roles = [kind.role for kind in counted_program(job).nodes.content.kinds if kind.role is not None]
    main = next((role for role in roles if role.high > 1), None)
    if main is None:
        return []
    made = []
    for count in range(max(1, main.low), main.high + 1):
        other = replace(job, players=count)
        with suppress(LoadError):
            if not _refusal(_program(other), other):
                made.append(count)
    return made


def at_the_table(job: Job) -> int:
    """How many play: every seat that is surely taken, and those that may stay empty if a game asks them anything."""
    world = counted_program(job).lowered.world
    roles = {seat: world.kinds[world.thing(seat).kind].role for seat in world.seats.values()}
    free = {seat for seat, role in roles.items() if role is not None and role.low == 0}
    return len(world.seats) - len(free - _asked(_program(job), job, free) if free else ())


def _asked(program: Program, job: Job, wanted: set[int]) -> set[int]:
    """Which of some seats one game asks, played at random."""
    game = Game(program)
    game.reset(job.first, job.chapter)
    seen: set[int] = set()
    draw = Random(job.first)
    with suppress(Fault):
        for _ in range(LONG):
            decision = game.next()
            if decision is None or wanted <= seen:
                break
            seen.update(decision.seats)
            game.answer(decision, draw.randrange(len(decision.options)))
    return seen


def _refusal(program: Program, job: Job) -> str:
    game = Game(program)
    game.reset(job.first, job.chapter)
    try:
        game.next()
    except Fault as fault:
        text = str(fault)
        return text.partition(f"{REFUSED}: ")[2] if REFUSED in text else ""
    return ""
