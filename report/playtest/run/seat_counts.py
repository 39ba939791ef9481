"""Whether a game begins at all with so many players, and with how many it does."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

import orjson

from talewright.report.playtest.run.games import counted_program
from talewright.report.playtest.run.job import Job
from talewright.runtime.counting import CountedGame
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program

REFUSED = "the game cannot begin"
# After so many decisions somebody who was never asked will not be.
LONG = 2000


class _Begun(BaseException):
    """Somebody was asked something: the game has begun."""


def refusal(job: Job) -> str:
    """Why no game of a job begins; nothing if they do."""
    return _refusal(CountedGame(counted_program(job), hurried=False), job)


def others(job: Job) -> list[int]:
    """The other numbers of players with which games begin."""
    layout = counted_program(job).layout
    roles = [kind["role"] for kind in layout.content["kinds"] if "role" in kind]
    main = next((role for role in roles if role["high"] > 1), None)
    if main is None:
        return []
    made = []
    for count in range(max(1, main["low"]), main["high"] + 1):
        other = replace(job, players=count)
        try:
            program = Program(orjson.loads(job.document), dict(job.options), count)
        except LoadError:
            continue
        # Nobody plays it far enough to make it worth while to make it quick.
        if not _refusal(Game(program, resumable=True), other):
            made.append(count)
    return made


def at_the_table(job: Job) -> int:
    """How many play: every seat that is surely taken, and those that may stay empty if a game asks them anything."""
    layout = counted_program(job).layout
    free = {t.number for t in layout.things if t.kind in layout.seats and not layout.surely_taken(t.number)}
    return sum(layout.seats.values()) - len(free - _asked(job, free) if free else ())


def _asked(job: Job, wanted: set[int]) -> set[int]:
    """Which of some seats one game asks, played at random."""
    game = CountedGame(counted_program(job), hurried=False)
    seen: set[int] = set()
    left, draw = iter(range(LONG)), Random(job.first)

    def answer(decision: Decision) -> int:
        seen.update((decision.seat,) if isinstance(decision.seat, int) else decision.seat)
        if wanted <= seen or next(left, None) is None:
            raise _Begun
        return draw.randrange(len(decision.options))

    game.reset(job.first)
    game.quick, game.agent = None, answer
    with suppress(_Begun, Fault):
        game.run(job.chapter)
    return seen


def _refusal(game: Game, job: Job) -> str:
    def begun(_: object) -> int:
        raise _Begun

    game.reset(job.first)
    game.quick, game.agent = None, begun
    try:
        game.run(job.chapter)
    except _Begun:
        return ""
    except Fault as fault:
        text = str(fault)
        return text.partition(f"{REFUSED}: ")[2] if REFUSED in text else ""
    return ""
