"""Tiny games whose answers are known by calculation, and how to playtest them."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson

from talewright.compiler.in_memory import compile_text, plain
from talewright.report.playtest.run.chunks import work_of
from talewright.report.playtest.run.games import counted_program, play_all
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.statistics.content import Content
from talewright.report.playtest.statistics.summary import summarise

HEAD = """
extend Ending:
    result: victory | defeat
role Player is Thing named player
Ending good_end "Good": result: victory
Ending bad_end "Bad": result: defeat
"""


@cache
def document(text: str) -> bytes:
    """The document of a tiny game."""
    result = compile_text(plain(HEAD) + plain(text))
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert not errors, [f"{d.span.line}: {d.message}" for d in errors]
    return orjson.dumps(result.document)


def job(text: str, bot: str = "random", **settings: Any) -> Job:
    """What to play."""
    return Job(document(text), (), None, bot, **settings)


def playtest(
    text: str, games: int = 400, bot: str = "random", jobs: int = 1, first: int = 1, **settings: Any
) -> dict[str, Any]:
    """The result of many games of a tiny game."""
    made = job(text, bot, first=first, games=games, **settings)
    tally = Tally()
    for played in play_all(made, work_of(made, [(first, games)], jobs), jobs):
        tally.merge(played.tally)
    return summarise(tally, {"seed": 1, "bot": bot}, Content(counted_program(made), made.chapter))
