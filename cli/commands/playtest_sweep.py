"""`tale playtest --vary`: the same games at each value of one setting, side by side."""

from __future__ import annotations

from typing import Any

import click
import orjson

from talewright.cli.commands.playtest import Files, watched
from talewright.cli.commands.playtest_plan import Plan
from talewright.cli.exit_codes import FINDINGS, OK
from talewright.cli.imagining_bots import must_know_what_is_good, warn_of_peeking
from talewright.cli.output import write_bytes, write_file, write_text
from talewright.report.playtest.output.sweep_page import page, table
from talewright.report.playtest.run.chunks import work_of
from talewright.report.playtest.run.games import counted_program, play_all
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.own_bots import BotError
from talewright.report.playtest.run.seat_counts import at_the_table, refusal
from talewright.report.playtest.run.sweep import PLAYERS, Sweep, SweepError, sweep_of
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.run.workers import CrewError
from talewright.report.playtest.statistics.content import Content
from talewright.report.playtest.statistics.summary import summarise
from talewright.runtime.faults import LoadError
from talewright.schemas.records import replace


def run_sweep(text: str, job: Job, plan: Plan, document: dict[str, Any], files: Files, jobs: int) -> int:
    """Plays, and shows the figures of all values together."""
    try:
        sweep = sweep_of(text, document)
        runs: list[dict[str, Any]] = []
        for value in sweep.values:
            runs.append({"value": value, "result": _run(sweep, value, job, plan, document, jobs)})
    except KeyboardInterrupt:
        if runs:
            shown = table({"vary": sweep.name, "runs": runs}).rstrip()
            write_text(f"{shown}\n\nstopped after {len(runs)} of {len(sweep.values)} values\n", error=True)
        raise
    except (SweepError, LoadError, CrewError, BotError) as error:
        raise click.UsageError(str(error)) from None
    package = document["package"]
    swept = {
        "vary": sweep.name, "scenario": package["name"], "version": package["version"], "seed": plan.seed,
        "bot": plan.bot, "runs": runs,
    }  # fmt: skip
    if files.json is not None:
        data = orjson.dumps(swept, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        if files.to_stdout:
            write_bytes(data)
        else:
            write_file(files.json, data)
    if files.report is not None:
        write_file(files.report, page(swept, package["title"]).encode())
    write_text(table(swept), error=files.to_stdout)
    return FINDINGS if any(run["result"]["errors"] for run in runs) else OK


def _run(
    sweep: Sweep, value: str, job: Job, plan: Plan, document: dict[str, Any], jobs: int
) -> dict[str, Any]:
    """The result at one value."""
    here = sweep.document(document, value)
    own = replace(
        job,
        document=job.document if here is document else orjson.dumps(here),
        options=tuple(sorted({**dict(job.options), **sweep.options(value)}.items())),
        players=int(value) if sweep.sort == PLAYERS else job.players,
    )
    reason = refusal(own)
    if reason:
        raise SweepError(f"with `{sweep.name}` {value} the game cannot begin: {reason}")
    program = counted_program(own)
    must_know_what_is_good((own.bot,), program.lowered.values)
    warn_of_peeking((own.bot,), document)
    content, tally = Content(program, own.chapter), Tally()
    for played in watched(
        play_all(own, work_of(own, [(plan.seed, plan.games)], jobs), jobs), plan.games, Tally()
    ):
        tally.merge(played.tally)
    about = {
        "scenario": here["package"]["name"],
        "version": here["package"]["version"],
        "seed": plan.seed,
        "bot": plan.bot,
        "players": at_the_table(own),
        "options": dict(own.options),
    }
    return summarise(tally, about, content)
