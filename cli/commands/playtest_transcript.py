"""`tale playtest --transcript`: every game in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from talewright.cli.commands.playtest_plan import BOTS
from talewright.dsl.text_sanitizer import harmless

if TYPE_CHECKING:
    from talewright.report.playtest.run.job import Job

# Bots inside the engine whose games do not depend on one another.
TOLD = tuple(bot for bot in BOTS if bot != "explore")


def must_be_told(path: Path | None, bot: str) -> None:
    """Refuses a transcript of games that can be told only while they are played."""
    if path is not None and bot not in TOLD:
        raise click.UsageError(
            f"`--transcript` tells of games by {', '.join(TOLD[:-1])} or {TOLD[-1]}, not by `{bot}`"
        )


def write_transcript(path: Path | None, job: Job) -> None:
    """Writes the games of a job in words, if anybody wants them."""
    if path is None:
        return
    from talewright.report.playtest.output.transcript import transcript_of

    try:
        with path.open("w", encoding="utf-8") as file:
            for part in transcript_of(job):
                file.write(harmless(part))
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {(error.strerror or 'it fails').lower()}") from None
