"""Games of a playtest in words: what was said, what was asked, and what was chosen."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from talewright.report.playtest.run.engine_counts import told
from talewright.report.playtest.run.job import Job
from talewright.runtime.faults import Fault
from talewright.runtime.lower.program import Build
from talewright.runtime.session.program import build_program
from talewright.runtime.session.transcripts import Asked, Transcripts


def transcript_of(job: Job) -> Iterator[str]:
    """The games of a job, played again one after another: a part of each for everything that happens."""
    build = Build(events=True, bots=job.bot != "random", checked=job.checked)
    program = build_program(orjson.loads(job.document), dict(job.options), job.players, build)
    transcripts = Transcripts(program, job.bot, iterations=job.iterations, apart=job.apart)
    game = transcripts.game
    for seed in range(job.first, job.first + job.games):
        yield f"# Seed {seed}\n\n"
        end = ""
        try:
            transcripts.play(seed, job.chapter)
        except Fault as fault:
            end = f"The game breaks off: {told(fault)}"
        for part in transcripts.told:
            yield _asked(transcripts, part) if isinstance(part, Asked) else _said(part)
        yield f"{end or f'The end: {game.title(game.ending or 0)}'}\n\n"


def _said(text: str) -> str:
    """A text, without the spaces before the lines of prose."""
    return "\n".join(line.strip() for line in text.strip().splitlines()) + "\n\n"


def _asked(transcripts: Transcripts, asked: Asked) -> str:
    """A decision: who is asked what, and every option, with a mark at the one taken."""
    who = ", ".join(transcripts.game.title(seat) for seat in asked.seats)
    options = "".join(
        f"  {'>' if number == asked.chosen else '-'} {option}\n"
        for number, option in enumerate(asked.options)
    )
    return f"{f'{who}: {asked.prompt}'.rstrip()}\n{options}\n"
