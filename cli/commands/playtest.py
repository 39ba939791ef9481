"""`tale playtest`: many games by bots, with statistics."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click
import orjson

from talewright.cli.chosen_package import document_of
from talewright.cli.commands.playtest_plan import BOTS, Plan, must_be_a_bot, plan_of
from talewright.cli.commands.playtest_transcript import must_be_told, write_transcript
from talewright.cli.exit_codes import FINDINGS, OK
from talewright.cli.help_page import Command
from talewright.cli.imagining_bots import must_know_what_is_good, warn_of_peeking
from talewright.cli.output import called, write_bytes, write_file, write_text
from talewright.cli.package_options import search_option
from talewright.dsl.packages.files import regular_bytes
from talewright.schemas.records import record, replace

if TYPE_CHECKING:
    from talewright.report.playtest.run.chunks import Played
    from talewright.report.playtest.run.job import Job
    from talewright.report.playtest.run.journal import Journal
    from talewright.report.playtest.run.tally import Tally
    from talewright.report.playtest.statistics.content import Content

# When so many games break off one after another from the first, no more are played.
HOPELESS = 20
FAILURES = Path("playtest-failures")
_FILE = click.Path(dir_okay=False, path_type=Path)


EXAMPLES = {
    "tale playtest moonlight": "A thousand games at random, or what `[playtest]` in tale.toml says.",
    "tale playtest night_ferry --games 200 --bot guided --report plots.html": "Games by hints, with a page of plots.",
    "tale playtest night_ferry --bot guided --versus random": "How much good play is worth.",
    "tale playtest night_ferry --vary players=2..4": "The figures for two, three and four players side by side.",
    "tale playtest night_ferry --games 500 --expect 'win_rate >= 0.3'": "Fails when the bots win too seldom.",
}
GROUPS = {
    "What is played": ("games", "seed", "players", "chosen", "chapter", "vary", "checked"),
    "Who plays": ("bot", "iterations", "apart", "versus"),
    "What is written": ("json_file", "report_file", "db_file", "transcript"),
    "What is asked of the result": ("expected", "old_file", "luck"),
    "How it runs": ("jobs", "cluster", "resume", "search"),
}


@click.command("playtest", cls=Command, examples=EXAMPLES, groups=GROUPS)
@click.argument("path", metavar="PATH")
@click.option("--games", metavar="N", type=click.IntRange(1), help="How many games; 1000 by default.")
@click.option(
    "--seed", metavar="S", type=int, help="The seed of the first game, 1 by default; each next one counts up."
)
@click.option(
    "--bot",
    metavar="|".join((*BOTS, "FILE.py:CLASS")),
    help="Who plays; random by default. A class of one's own has `choose(decision)`.",
)
@click.option(
    "--iterations", metavar="N", type=click.IntRange(1), help="How many games mcts imagines for a decision."
)
@click.option(
    "--apart", is_flag=True, help="The seats of a team decide each for itself, by what it knows alone."
)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(1), help="How many processes; by default one for each core."
)
@click.option("--cluster", metavar="ADDRESS", help="Play on a dask.distributed cluster.")
@click.option(
    "--players", metavar="N", type=int, help="How many seats; the least the game allows by default."
)
@click.option(
    "--set", "chosen", metavar="OPTION=VALUE", multiple=True, help="An option of the game; may be repeated."
)
@click.option("--chapter", metavar="ID", help="Begin with another chapter.")
@click.option(
    "--vary",
    metavar="NAME=A..B",
    help="Play the games at each value of an option, `players`, a track, a state or a number.",
)
@click.option(
    "--luck",
    metavar="N",
    type=click.IntRange(1),
    help="Play so many games again with one stream of chance drawn anew.",
)
@click.option(
    "--json", "json_file", metavar="FILE", type=_FILE, help="Write the result as JSON; - for standard output."
)
@click.option(
    "--report", "report_file", metavar="FILE.html", type=_FILE, help="Write a page with plots and tables."
)
@click.option("--db", "db_file", metavar="FILE", type=_FILE, help="Write every game to a DuckDB file.")
@click.option("--transcript", metavar="FILE", type=_FILE, help="Write every game in words.")
@click.option(
    "--expect",
    "expected",
    metavar="TEXT",
    multiple=True,
    help="Something the result must fulfil, such as 'win_rate >= 0.3'.",
)
@click.option(
    "--compare",
    "old_file",
    metavar="OLD.json",
    type=_FILE,
    help="Say what has changed since an earlier result.",
)
@click.option(
    "--versus",
    metavar="BOT",
    help="Let another bot play the same games, and say how far apart the two are.",
)
@click.option(
    "--resume", is_flag=True, help="Go on where a run with the same --json or --db file was stopped."
)
@click.option("--checked", is_flag=True, help="Look at every `check` of the package after each action.")
@search_option
def command(
    path: str,
    search: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    luck: int | None,
    resume: bool,
    versus: str | None,
    vary: str | None,
    transcript: Path | None,
    **given: Any,
) -> int:
    """Let bots play many games of a scenario and say what happened."""
    plan = plan_of(path, search, given)
    must_be_a_bot(versus)
    must_be_told(transcript, plan.bot)
    if luck is not None and plan.bot not in BOTS:
        raise click.UsageError(
            "`--luck` plays games again that one of our bots decides: leave one of the two away"
        )
    jobs = jobs or _cores()
    files = Files(given["json_file"], given["report_file"], given["db_file"], given["old_file"], resume)
    old = _old_result(files.old)
    document = document_of(path, search)
    if isinstance(document, int):
        return document
    from talewright.report.playtest.run.games import counted_program
    from talewright.report.playtest.run.job import Job
    from talewright.report.playtest.run.seat_counts import at_the_table
    from talewright.report.playtest.run.tally import Tally as NoGames
    from talewright.report.playtest.statistics.content import Content
    from talewright.report.playtest.statistics.summary import summarise
    from talewright.runtime.faults import LoadError

    job = Job(
        orjson.dumps(document), tuple(sorted(plan.options.items())), plan.players, plan.bot, plan.chapter,
        iterations=plan.iterations, apart=plan.apart, checked=plan.checked,
        details=files.db is not None,
        first=plan.seed, games=plan.games,
    )  # fmt: skip
    if vary is not None:
        from talewright.cli.commands.playtest_sweep import run_sweep

        beside: dict[str, object] = {
            "--luck": luck,
            "--versus": versus,
            "--resume": resume,
            "--cluster": cluster,
            "--transcript": transcript,
        }
        beside |= {"--db": files.db, "--compare": files.old, "--expect": given["expected"]}
        unfit = [name for name, value in beside.items() if value]
        if unfit:
            raise click.UsageError(f"`--vary` makes many results: leave {' and '.join(unfit)} away")
        return run_sweep(vary, job, plan, document, files, jobs)
    try:
        job = _seated(job, given["players"] is not None)
        program = counted_program(job)
    except LoadError as error:
        raise click.UsageError(str(error)) from None
    must_know_what_is_good((plan.bot, versus), program.lowered.values)
    warn_of_peeking((plan.bot, versus), document)
    if plan.chapter is not None and plan.chapter not in program.lowered.world.number:
        raise click.UsageError(f"there is no chapter `{plan.chapter}`")
    about = {
        "scenario": document["package"]["name"],
        "version": document["package"]["version"],
        "seed": plan.seed,
        "bot": plan.bot,
        "players": at_the_table(job),
        "options": dict(sorted(plan.options.items())),
    }
    content = Content(program, plan.chapter)
    _readable(
        plan.expected,
        {*summarise(NoGames(), about, content), *(["luck"] if luck else []), *(["skill"] if versus else [])},
        content.names(),
    )
    begin = perf_counter()
    tally, played_now = _play(job, plan, files, about, content, jobs, cluster)
    seconds = perf_counter() - begin
    result = summarise(tally, about, content)
    if versus is not None:
        result["skill"] = _skill(job, plan, tally, versus, jobs)
    if luck is not None:
        from talewright.report.playtest.statistics.luck import luck as luck_of

        result["luck"] = luck_of(job, list(tally.streams), plan.seed, luck, jobs)
    judged, slips = _judged(plan.expected, result)
    failed = any(entry["state"] == "unmet" for entry in judged)
    result["expectations"] = judged
    notes = [*_verdicts(judged), *_changes(old, result, document), *_kept(job, tally, path, search)]
    result["games_per_second"] = played_now / seconds if seconds else 0.0
    result["jobs"] = jobs
    _write(result, document, files, path, search, notes)
    _keep(path, plan, result)
    write_transcript(transcript, job)
    if slips:
        # Only now: the games are played, and their result is kept.
        raise click.UsageError("; ".join(slips))
    return FINDINGS if failed or result["errors"] else OK


def _keep(path: str, plan: Plan, result: dict[str, Any]) -> None:
    """Keeps the figures of a whole game for the editor; those of one chapter would say little about the rest."""
    from talewright.cli.chosen_package import package_of
    from talewright.report.playtest.last_result import keep_last

    main = package_of(path, ()).main
    if main is not None and plan.chapter is None:
        keep_last(main.folder, result)


def _cores() -> int:
    """How many processes this one may run at a time."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def _seated(job: Job, fixed: bool) -> Job:
    """The job with as many players as it can begin with, unless somebody asked for another number."""
    from talewright.report.playtest.run.seat_counts import others, refusal

    reason = refusal(job)
    if not reason:
        return job
    possible = others(job)
    if not possible:
        raise click.UsageError(f"no game can begin: {reason}")
    if fixed:
        counts = " or ".join(str(n) for n in possible)
        raise click.UsageError(
            f"with {job.players} players the game cannot begin: {reason} Write --players {counts}."
        )
    seats = "1 player" if possible[0] == 1 else f"{possible[0]} players"
    write_text(f"{seats} instead of {job.players or 'as usual'}: {reason}\n", error=True)
    return replace(job, players=possible[0])


def _skill(job: Job, plan: Plan, tally: Tally, versus: str, jobs: int) -> dict[str, Any]:
    """The results of another bot in the same games, for comparison."""
    from talewright.report.playtest.run.chunks import work_of
    from talewright.report.playtest.run.games import play_all
    from talewright.report.playtest.run.tally import Tally as Other
    from talewright.report.playtest.statistics.estimates import difference, rate

    rival = replace(job, bot=versus, details=False)
    theirs = Other()
    work = work_of(rival, [(plan.seed, plan.games)], jobs)
    for played in watched(play_all(rival, work, jobs), plan.games, Other()):
        theirs.merge(played.tally)
    finished, their_finished = tally.games - tally.errors, theirs.games - theirs.errors
    made: dict[str, Any] = {"bot": versus, "win_rate": rate(theirs.wins, their_finished)}
    if finished and their_finished:
        value, low, high = difference(tally.wins, finished, theirs.wins, their_finished)
        made["gap"] = {"value": value, "low": low, "high": high}
    return made


@record(frozen=True)
class Files:
    """The files that a run reads and writes."""

    json: Path | None
    report: Path | None
    db: Path | None
    old: Path | None
    resume: bool

    @property
    def to_stdout(self) -> bool:
        """Whether the result goes to standard output, so that nothing else may."""
        return self.json is not None and str(self.json) == "-"

    @property
    def journal(self) -> Path | None:
        """The journal lies beside the result that it leads to."""
        beside = self.json if self.json is not None and not self.to_stdout else self.db
        if beside is None:
            if self.resume:
                raise click.UsageError("`--resume` needs the --json or --db file of the run that was stopped")
            return None
        return beside.with_name(f"{beside.name}.journal")


def _play(
    job: Job,
    plan: Plan,
    files: Files,
    about: dict[str, Any],
    content: Content,
    jobs: int,
    cluster: str | None,
) -> tuple[Tally, int]:
    """Plays what is not played yet; gives the sum of all games and the number of those played now."""
    from talewright.report.playtest.output.database import Database, DatabaseError
    from talewright.report.playtest.run.chunks import Chunk, work_of
    from talewright.report.playtest.run.cluster import ClusterError, play_on_cluster
    from talewright.report.playtest.run.games import play_all, play_chunk
    from talewright.report.playtest.run.journal import Journal, JournalError
    from talewright.report.playtest.run.own_bots import BotError
    from talewright.report.playtest.run.tally import Tally
    from talewright.report.playtest.run.workers import CrewError

    tally = Tally()
    journal = Journal(files.journal, job) if files.journal is not None else None
    played_now = 0
    try:
        with ExitStack() as stack:
            if journal is not None and files.resume:
                if not journal.path.exists():
                    write_text(
                        f"there is no {journal.path} to go on from: all games are played\n", error=True
                    )
                tally = journal.resume()
            elif journal is not None:
                _begun(journal)
            whole = [(plan.seed, plan.games)]
            left = journal.missing(*whole[0]) if journal is not None else whole
            work = work_of(job, left, jobs, journal.tried if journal is not None else ())
            database = None
            if files.db is not None:
                database = stack.enter_context(Database(files.db, about, content.point_name, files.resume))
            coming = play_on_cluster(job, work, cluster) if cluster else play_all(job, work, jobs)
            for played in watched(coming, plan.games, tally):
                if database is not None:
                    database.add(played)
                tally.merge(played.tally)
                if journal is not None:
                    journal.add(played, tally)
                played_now += played.count
                if _hopeless(tally, plan):
                    # These games and no others, however they were handed out.
                    tally = play_chunk(job, Chunk(((plan.seed, HOPELESS),))).tally
                    played_now = tally.games
                    write_text(
                        f"stopped after {HOPELESS} games of {plan.games}: every one of them broke off\n",
                        error=True,
                    )
                    break
    except (JournalError, DatabaseError, ClusterError, CrewError, BotError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        # A file that fills up while it is written has no name in the error; games are written down in the journal alone.
        place = error.filename or files.journal
        raise click.UsageError(f"cannot write {place}: {(error.strerror or 'it fails').lower()}") from None
    except KeyboardInterrupt:
        _so_far(job, tally, about, content)
        if journal is not None:
            write_text(f"{tally.games} games are kept: the same command with --resume goes on\n", error=True)
        raise
    if journal is not None:
        journal.remove()
    return tally, played_now


def _so_far(job: Job, tally: Tally, about: dict[str, Any], content: Content) -> None:
    """What the games say that were played before somebody stopped the run."""
    from talewright.report.playtest.output.as_text import page
    from talewright.report.playtest.statistics.summary import summarise

    if tally.games:
        result = {**summarise(tally, about, content), "games_per_second": 0.0}
        shown = page(result, orjson.loads(job.document)).rstrip().rpartition("\n")[0].rstrip()
        write_text(f"{shown}\n\nstopped after {tally.games} of {job.games} games\n", error=True)


def _hopeless(tally: Tally, plan: Plan) -> bool:
    """Whether the first games all broke off, so that playing more is pointless."""
    seeds = [failure["seed"] for failure in tally.failures]
    return plan.games > HOPELESS and seeds == list(range(plan.seed, plan.seed + HOPELESS))


def _begun(journal: Journal) -> None:
    """A journal for a run from its first game on; what another run left there is not lost."""
    left = journal.leftover()
    if left is None:
        journal.begin()
        return
    if left.same:
        raise click.UsageError(
            f"{journal.path} holds {left.games} games of this very run, which was stopped: add --resume to go on from "
            "there, or remove that file to begin anew"
        )
    aside = journal.put_aside()
    journal.begin()
    write_text(f"{journal.path} held {left.games} games of another run: it is {aside} now\n", error=True)


def watched(coming: Iterator[Played], games: int, before: Tally) -> Iterator[Played]:
    """The batches as they come, with progress on standard error when somebody looks."""
    if not sys.stderr.isatty():
        yield from coming
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    # Numbers, not the tally itself: that grows with every batch.
    done, wins, earlier, begin = before.games, before.wins, before.games, perf_counter()
    with Progress(
        TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TextColumn("won {task.fields[won]}"), TimeRemainingColumn(), console=Console(stderr=True), transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task("games", total=games, completed=done, won="-", rate="")
        for played in coming:
            done += played.tally.games
            wins += played.tally.wins
            rate = (done - earlier) / max(perf_counter() - begin, 1e-9)
            pace = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
            progress.update(task, advance=played.count, won=f"{wins / done:.1%}", rate=pace)
            yield played


def _kept(job: Job, tally: Tally, path: str, search: tuple[str, ...]) -> list[str]:
    """Writes a save of each game that broke off, of many the first, and says how to play them again."""
    from talewright.report.playtest.run.failed_games import save_of
    from talewright.runtime.session.saves import write_save

    from_ = shlex.join(["--package", path, *(part for folder in search for part in ("--path", folder))])
    places = []
    for failure in tally.failures:
        if "choices" in failure:
            place = FAILURES / f"{failure['seed']}.save.json"
            place.parent.mkdir(exist_ok=True)
            write_file(place, write_save(save_of(job, failure["seed"], failure["choices"])))
            places.append(place)
    if not places:
        return []
    which = f"{len(places)} of {tally.errors} games that broke off, "
    return [f"kept in {FAILURES}: {which}`{called()} replay {places[0]} {from_}` plays the first again\n"]


def _readable(expected: tuple[str, ...], known: set[str], within: dict[str, list[str]]) -> None:
    """Reports unreadable expectations before any game is played."""
    from talewright.report.playtest.statistics.expectations import ExpectationError, read

    for text in expected:
        try:
            read(text, known, within)
        except ExpectationError as error:
            raise click.UsageError(str(error)) from None


def _judged(expected: tuple[str, ...], result: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """What became of each expectation, as plain data, and what is wrong with those that cannot be judged."""
    from talewright.report.playtest.statistics.expectations import ExpectationError, judge

    made: list[dict[str, Any]] = []
    slips: list[str] = []
    for text in expected:
        try:
            verdict = judge(text, result)
        except ExpectationError as error:
            slips.append(str(error))
            made.append({"expect": text, "state": "error", "explanation": str(error)})
            continue
        made.append(
            {
                "expect": text,
                "state": verdict.state,
                "value": verdict.value,
                "explanation": verdict.explanation,
            }
        )
    return made, slips


def _verdicts(judged: list[dict[str, Any]]) -> list[str]:
    words = {
        "met": "met",
        "met so far": "met so far",
        "unmet": "NOT MET",
        "open": "undecided",
        "error": "cannot be judged",
    }
    return [f"expect {e['expect']}: {words[e['state']]} ({e['explanation']})\n" for e in judged]


def _old_result(path: Path | None) -> dict[str, Any] | None:
    if path is None:
        return None
    try:
        old = orjson.loads(regular_bytes(path))
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {(error.strerror or 'it fails').lower()}") from None
    except orjson.JSONDecodeError:
        raise click.UsageError(f"{path} is not JSON") from None
    if not isinstance(old, dict):
        raise click.UsageError(f"{path} is not what `tale playtest --json` writes")
    from talewright.report.playtest.statistics.comparison import CompareError, comparable

    try:
        comparable(old)
    except CompareError as error:
        raise click.UsageError(f"{path}: {error}") from None
    return old


def _changes(old: dict[str, Any] | None, result: dict[str, Any], document: dict[str, Any]) -> list[str]:
    if old is None:
        return []
    from talewright.report.playtest.statistics.comparison import CompareError, compare, other_games

    apart = [f"compared with games of {difference}\n" for difference in other_games(old, result)]
    try:
        titles = {page["id"]: page["title"] for page in document["story"]["nodes"]}
        changes = compare(old, result, titles)
    except CompareError as error:
        return [*apart, f"not compared: {error}\n"]
    if not changes:
        return [*apart, "compared: nothing changed more than chance explains\n"]
    head = "compared: changed more than chance explains\n"
    return [*apart, head, *(f"  {change.text()}\n" for change in changes)]


def _write(
    result: dict[str, Any],
    document: dict[str, Any],
    files: Files,
    path: str,
    search: tuple[str, ...],
    notes: list[str],
) -> None:
    if files.json is not None:
        data = orjson.dumps(result, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        if files.to_stdout:
            write_bytes(data)
        else:
            write_file(files.json, data)
    if files.report is not None:
        from talewright.report.playtest.output.html_page import render

        page_text = render(result, document, _links(files.report, path, search), notes)
        write_file(files.report, page_text.encode())
    from talewright.report.playtest.output.as_text import page

    text = "".join(notes) if files.to_stdout else page(result, document) + "".join(notes)
    write_text(text, error=files.to_stdout)


def _links(report: Path, path: str, search: tuple[str, ...]) -> Any:
    """Addresses of source lines, from where the report lies."""
    from talewright.cli.chosen_package import package_of

    folders = {package.name: package.folder for package in package_of(path, search).packages}

    def link(file: str, line: int) -> str:
        package, _, rest = file.partition("/")
        if package not in folders:
            return ""
        return f"{_address(folders[package] / rest, report)}#L{line}"

    return link


def _address(source: Path, report: Path) -> str:
    """The way from a report to a source as an address: no sign of a folder's name means anything in it."""
    try:
        way = Path(os.path.relpath(source, report.parent))
    except ValueError:
        # Another drive.
        return source.resolve().as_uri()
    return quote(way.as_posix())
