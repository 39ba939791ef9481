"""`tale playtest`: many games by bots, with statistics."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import orjson

from talewright.cli.compiling import search_option
from talewright.cli.exits import FINDINGS, OK
from talewright.cli.output import write_file, write_text
from talewright.cli.scenario import document_of, settings


@click.command("playtest")
@click.argument("path", metavar="PATH")
@click.option(
    "--games", metavar="N", type=click.IntRange(1), default=1000, show_default=True, help="How many games."
)
@click.option(
    "--seed",
    metavar="S",
    type=int,
    default=1,
    show_default=True,
    help="The seed of the first game; each next one counts up.",
)
@click.option(
    "--bot", type=click.Choice(("random", "explore")), default="random", show_default=True, help="Who plays."
)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(1), default=1, show_default=True, help="How many processes."
)
@click.option(
    "--players", metavar="N", type=int, help="How many seats; the least the game allows by default."
)
@click.option(
    "--set", "chosen", metavar="OPTION=VALUE", multiple=True, help="An option of the game; may be repeated."
)
@click.option("--chapter", metavar="ID", help="Begin with another chapter.")
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the result as JSON; - for standard output.",
)
@click.option(
    "--expect",
    "expected",
    metavar="TEXT",
    multiple=True,
    help="Something the result must fulfil, such as 'win_rate >= 0.3'.",
)
@click.option("--checked", is_flag=True, help="Look at every `check` of the package after each action.")
@search_option
def command(
    path: str, games: int, seed: int, bot: str, jobs: int, players: int | None, chosen: tuple[str, ...], chapter: str | None,
    json_file: Path | None, expected: tuple[str, ...], checked: bool, search: tuple[str, ...],
) -> int:  # fmt: skip
    """Let bots play many games of a scenario and say what happened."""
    document = document_of(path, search)
    if isinstance(document, int):
        return document
    from talewright.report.playtest.content import Content
    from talewright.report.playtest.play import batches, play_all
    from talewright.report.playtest.records import Job
    from talewright.report.playtest.summary import summarise
    from talewright.report.playtest.tally import Tally
    from talewright.runtime.counting import CountedProgram
    from talewright.runtime.faults import LoadError

    options = settings(chosen)
    try:
        program = CountedProgram(document, options, players)
    except LoadError as error:
        raise click.UsageError(str(error)) from None
    job = Job(orjson.dumps(document), tuple(sorted(options.items())), players, bot, chapter, checked=checked)
    begin = perf_counter()
    tally = Tally()
    for played in _watched(play_all(job, batches(job, seed, games, jobs), jobs), games):
        tally.merge(played.tally)
    seconds = perf_counter() - begin
    about = {
        "scenario": document["package"]["name"],
        "version": document["package"]["version"],
        "seed": seed,
        "bot": bot,
        "players": sum(program.layout.seats.values()),
    }
    result = summarise(tally, about, Content(program))
    verdicts, failed = _verdicts(expected, result)
    verdicts += _kept(job, tally.failures, document["package"]["name"])
    result["games_per_second"] = games / seconds if seconds else 0.0
    result["jobs"] = jobs
    if json_file is not None:
        data = orjson.dumps(result, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        if str(json_file) == "-":
            write_text(data.decode())
        else:
            write_file(json_file, data)
    if json_file is None or str(json_file) != "-":
        write_text(_page(result, document) + "".join(verdicts))
    return FINDINGS if failed or result["errors"] else OK


def _watched(batches: Any, games: int) -> Any:
    """The batches as they come, with progress on standard error when somebody looks."""
    if not sys.stderr.isatty():
        yield from batches
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    wins = done = 0
    with Progress(
        TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("won {task.fields[won]}"), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task("games", total=games, won="-")
        for played in batches:
            done += played.tally.games
            wins += played.tally.wins
            progress.update(task, advance=played.count, won=f"{wins / done:.1%}")
            yield played


def _kept(job: Any, failures: list[dict[str, Any]], package: str) -> list[str]:
    """Writes a save of the first game that broke off, and says where it is."""
    from talewright.report.playtest.failed import save_of
    from talewright.runtime.saves import write_save

    first = next((failure for failure in failures if "choices" in failure), None)
    if first is None:
        return []
    path = Path(f"{package}-{first['seed']}.save.json")
    write_file(path, write_save(save_of(job, first["seed"], first["choices"])))
    return [f"kept: {path}; tale replay {path} plays it again\n"]


def _verdicts(expected: tuple[str, ...], result: dict[str, Any]) -> tuple[list[str], bool]:
    from talewright.report.playtest.expect import ExpectationError, judge

    lines: list[str] = []
    failed = False
    for text in expected:
        try:
            verdict = judge(text, result)
        except ExpectationError as error:
            raise click.UsageError(str(error)) from None
        word = {"met": "met", "unmet": "NOT MET", "open": "undecided"}[verdict.state]
        lines.append(f"expect {text}: {word} ({verdict.explanation})\n")
        failed = failed or verdict.state == "unmet"
    return lines, failed


def _page(result: dict[str, Any], document: dict[str, Any]) -> str:
    """The result in plain words."""
    titles = {n["id"]: n["title"] for n in document["story"]["nodes"]}
    results = {n["id"]: n.get("result", "") for n in document["story"]["nodes"]}
    rate = result["win_rate"]
    lines = [
        f"{document['package']['title']}: {result['games']} games, {result['players']} seats, {result['bot']} play, seed {result['seed']}",
        "",
        f"  won       {rate['value']:7.1%}   (between {rate['low']:.1%} and {rate['high']:.1%}, 95 % confidence)",
        f"  decisions {result['decisions']['mean']:7.1f}   (from {result['decisions']['p5']:.0f} to {result['decisions']['p95']:.0f} in nine games of ten)",
        f"  rounds    {result['rounds']['mean']:7.1f}   (from {result['rounds']['p5']:.0f} to {result['rounds']['p95']:.0f})",
        "",
    ]
    width = max((len(titles.get(o, o)) for o in result["outcomes"]), default=0)
    for outcome, count in result["outcomes"].items():
        title = titles.get(outcome, outcome)
        lines.append(
            f"  {title:<{width}}  {count:6d}  {count / result['games']:6.1%}  {results.get(outcome, '').replace('_', ' ')}".rstrip()
        )
    for name, spread in result["tracks"].items():
        lines.append(
            f"  track {name}: {spread['median']:.0f} at the end (from {spread['p5']:.0f} to {spread['p95']:.0f})"
        )
    for name, spread in result["measures"].items():
        if "mean" in spread:
            lines.append(f"  {name}: {spread['mean']:.2f} (from {spread['p5']:g} to {spread['p95']:g})")
    lines += [f"  error with seed {f['seed']}: {f['error']}" for f in result["failures"][:5]]
    lines.append("")
    lines.append(f"{result['games_per_second']:.0f} games a second")
    return "\n".join(lines) + "\n"
