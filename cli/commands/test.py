"""`tale test`: the tests written in the language."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from talewright.cli.commands.selected_tests import Target, targets
from talewright.cli.exit_codes import FINDINGS, OK
from talewright.cli.help_page import Command
from talewright.cli.output import show_findings, write_data, write_file, write_text
from talewright.cli.package_options import cache_option, exit_code, search_option
from talewright.dsl.diagnostics import in_order, worst
from talewright.dsl.packages.files import shown_path
from talewright.dsl.packages.loader import packages_below
from talewright.schemas.records import field, record

if TYPE_CHECKING:
    from talewright.compiler import CompileResult
    from talewright.dsl.diagnostics import Diagnostic
    from talewright.dsl.source import Source
    from talewright.report.testing.mutation_testing import Trial, Tried
    from talewright.report.testing.outcomes import Tested


@record(frozen=True)
class Breaking:
    """What is to be broken: files by texts in their paths, how many places, on how many processes, from where on."""

    texts: tuple[str, ...]
    most: int
    jobs: int
    resume: bool


EXAMPLES = {
    "tale test moonlight": "Runs all tests of the package.",
    "tale test moonlight -k purse": "Only those with `purse` in their title.",
    "tale test moonlight --break rules.tale": "Which lines of `rules.tale` could be wrong without any test noticing.",
    "tale test moonlight --break .tale": "The same for all files, also of the packages it uses, in one go.",
}


@click.command("test", cls=Command, examples=EXAMPLES)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("-k", "wanted", metavar="TEXT", default="", help="Only tests with a text in title or rule id.")
@click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the outcomes as a JUnit report too.",
)
@click.option(
    "--covers",
    "catalogue",
    metavar="CATALOGUE.yaml",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Show which rule ids of a catalogue the tests cover; the exit code is 1 when one is missing.",
)
@click.option(
    "--break",
    "breaking",
    metavar="TEXT",
    multiple=True,
    help="Then break the lines of every file with TEXT in its path, one at a time, and show what no test notices. "
    "Can be given several times; `.tale` is in the path of every file.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="With --break: go on where a run was stopped, or with tests that have changed.",
)
@click.option("--sample", metavar="N", type=click.IntRange(min=1), help="With --break: only N places.")
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help="Processes; as many as there are cores by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Show the outcomes as JSON.")
@cache_option
@search_option
def command(
    paths: tuple[str, ...],
    wanted: str,
    junit: Path | None,
    catalogue: Path | None,
    breaking: tuple[str, ...],
    resume: bool,
    sample: int | None,
    jobs: int | None,
    as_json: bool,
    cache: bool,
    search: tuple[str, ...],
) -> int:
    """Run the tests written in the language. PATH is `.` by default.

    PATH is a package, a file of one (only its tests), a folder of packages, or a `.tale` file
    outside every package, which is then a system of its own.

    A rule that can be broken without any test failing is not tested. `--break` finds such rules: it
    takes lines and conditions away and moves numbers by one, each alone, and runs the tests again. All
    breaks are built into one program, which takes longest: name all files in one call. What was tried is
    kept: after an interruption the same command with `--resume` goes on. It goes on after tests have changed,
    too, and then tries only what no unchanged test noticed.
    """
    from talewright.report.findings.failing_checks import failing_checks
    from talewright.report.testing.mutation_testing import together
    from talewright.report.testing.rule_coverage import CatalogueError, coverage, read_catalogue

    try:
        rules = read_catalogue(catalogue) if catalogue is not None else None
    except CatalogueError as problem:
        raise click.ClickException(str(problem)) from None
    if resume and not breaking:
        raise click.UsageError("`--resume` goes on with `--break`: name the files that were broken")
    run = _Run(whole=not wanted)
    screen = None if as_json else _Screen()
    tests: list[Tested] = []
    runs: list[list[Tried]] = []
    broken: list[Diagnostic] = []
    worst_code = OK
    for target in targets(paths):
        result = target.compile(search, cache, trees=bool(breaking))
        notable = [found for found in in_order(result.diagnostics) if found.severity == "error"]
        if result.document is None or worst(notable) == "error":
            show_findings(notable, result.sources, error=True)
            worst_code = max(worst_code, exit_code(notable))
            broken += notable
            continue
        run.add(result, target)
        failing = failing_checks(result, cache)
        if failing:
            broken += failing
            show_findings(failing, result.sources, error=True)
            worst_code = max(worst_code, FINDINGS)
        files = dict(wanted_tests(result, target, wanted))
        for file, outcomes in _by_file(outcomes_of(result, files, jobs or 0)):
            tests += outcomes
            if screen is not None:
                screen.file(file, outcomes)
        if breaking and all(test.passed for test in tests):
            runs.append(_broken(result, target, wanted, Breaking(breaking, sample or 0, jobs or 0, resume)))
    tried = together(runs)
    unbroken = bool(breaking) and any(not test.passed for test in tests)
    if unbroken:
        write_text("nothing was broken on purpose: a test fails as it is\n", error=True)
    covered = coverage(str(catalogue), rules, tests) if rules is not None else None
    if covered is None and (named := run.catalogue()) is not None:
        try:
            covered = coverage(shown_path(named), read_catalogue(named), tests)
        except CatalogueError as problem:
            raise click.ClickException(str(problem)) from None
    if junit is not None:
        from talewright.report.testing.outcomes_as_junit import render as render_junit

        write_file(junit, render_junit(tests, broken).encode("utf-8"))
    if screen is not None:
        if tests or worst_code == OK:
            screen.end(tests, covered, tried if breaking and not unbroken else None)
    else:
        from talewright.report.testing.outcomes_as_json import render as render_json

        write_data(render_json(tests, covered, tried if breaking else None))
    if wanted and not tests and worst_code == OK:
        write_text(f"no test has `{wanted}` in its title or among its rule ids\n", error=True)
        worst_code = FINDINGS
    if any(not test.passed for test in tests) or (covered is not None and covered.missing):
        worst_code = max(worst_code, FINDINGS)
    if any(not one.noticed for one in tried):
        worst_code = max(worst_code, FINDINGS)
    return worst_code


@record
class _Run:
    """The packages of one run, and the catalogue that they are asked to cover together."""

    whole: bool
    tested: set[Path] = field(default_factory=set)
    catalogues: set[Path] = field(default_factory=set)

    def add(self, result: CompileResult, target: Target) -> None:
        """A package is tested; those it uses may name a catalogue too."""
        self.whole = self.whole and not target.only and not target.loose
        if result.packages.main is not None:
            self.tested.add(result.packages.main.folder.resolve())
        for package in result.packages.packages:
            if package.manifest.covers:
                self.catalogues.add((package.folder / package.manifest.covers).resolve())

    def catalogue(self) -> Path | None:
        """The one catalogue, when every package around it is tested: a part of the tests says little about it."""
        if len(self.catalogues) != 1 or not self.whole:
            return None
        (found,) = self.catalogues
        around = {folder.resolve() for folder in packages_below(found.parent)}
        return found if around <= self.tested else None


class _Screen:
    """Standard output for people: in colour and within its width on a terminal, else plain."""

    def __init__(self) -> None:
        from rich.console import Console

        self.terminal = sys.stdout.isatty()
        self.console = Console() if self.terminal else Console(color_system=None, width=110)

    def file(self, name: str, tests: list[Tested]) -> None:
        """One file is done."""
        from talewright.report.testing.outcomes_as_human import show_file

        self._show(lambda: show_file(name, tests, self.console))

    def end(self, tests: list[Tested], covered: Any, tried: list[Tried] | None) -> None:
        """Everything is done."""
        from talewright.report.testing.outcomes_as_human import (
            show_coverage,
            show_failures,
            show_summary,
            show_unnoticed,
        )

        self._show(lambda: show_failures(tests, self.console))
        if covered is not None:
            self._show(lambda: show_coverage(covered, self.console))
        self._show(lambda: show_summary(tests, self.console))
        if tried is not None:
            self._show(lambda: show_unnoticed(tried, self.console))

    def _show(self, printing: Callable[[], None]) -> None:
        if self.terminal:
            printing()
            return
        with self.console.capture() as kept:
            printing()
        write_text(kept.get())


@record(frozen=True)
class _Names:
    """Maps file names of a document to the paths that the user knows, and reads their lines."""

    shown: dict[str, str]
    result: CompileResult

    def line(self, file: str, number: int) -> str:
        """The text of a line of a file."""
        source = self.result.sources.get(file)
        return source.line_text(number) if source is not None and number > 0 else ""


def outcomes_of(result: CompileResult, files: dict[int, str], jobs: int) -> Iterator[Tested]:
    """The outcome of each test with a number among these, as it is run; with each number comes its file."""
    from talewright.report.findings.failing_checks import shown_names
    from talewright.report.testing.outcomes import Tested
    from talewright.runtime.proving.workers import outcomes
    from talewright.schemas.nodes.codec import read_document

    assert result.document is not None
    names = _Names(shown_names(result), result)
    if not files:
        return
    for index, outcome in outcomes(read_document(result.document), list(files), jobs):
        failed_file = names.shown.get(outcome.failed_file, outcome.failed_file) or files[index]
        yield Tested(
            outcome.title,
            files[index],
            outcome.line,
            outcome.covers,
            outcome.message,
            outcome.failed_line,
            names.line(failed_file, outcome.failed_line),
            tuple(outcome.trace),
            outcome.seconds,
        )


def wanted_tests(result: CompileResult, target: Target, wanted: str) -> Iterator[tuple[int, str]]:
    """The tests somebody asks for, each by its number and its file."""
    from talewright.report.findings.failing_checks import shown_names

    document, main = result.document, result.packages.main
    assert document is not None
    assert main is not None
    shown = shown_names(result)
    own = {source.name for source in main.sources}
    files, spots = document["sources"]["files"], document["sources"]["spots"]
    wanted = wanted.lower()
    for index, test in enumerate(document["content"]["tests"]):
        file = files[spots[test["at"]][0]]
        file = shown.get(file, file)
        if file not in own or not target.wants(file):
            continue
        if not wanted or any(wanted in text.lower() for text in (test["title"], *test["covers"])):
            yield index, file


def _broken(result: CompileResult, target: Target, wanted: str, breaking: Breaking) -> list[Tried]:
    """What the wanted tests notice of a package that is broken on purpose."""
    from rich.console import Console
    from rich.progress import track

    from talewright.report.findings.failing_checks import shown_names
    from talewright.report.testing.break_journal import BreakJournal, journal_path
    from talewright.report.testing.mutation_testing import Breaker, CannotBreak, places_of_fields, trial
    from talewright.schemas.nodes.codec import read_document
    from talewright.schemas.records import replace

    document, main = result.document, result.packages.main
    assert document is not None
    assert main is not None
    shown = shown_names(result)
    numbers = [index for index, _ in wanted_tests(result, target, wanted)]
    if not numbers:
        return []
    breaker = Breaker(
        read_document(document),
        numbers,
        lambda file: any(text in shown.get(file, file) for text in breaking.texts),
        places_of_fields(result),
    )
    breaker.choose(breaking.most)
    journal = BreakJournal(journal_path(main.folder), document, numbers)
    trying = trial(breaker, journal, resume=breaking.resume)
    if breaking.resume:
        _say_what_is_left(trying)
    done = list(trying.kept())
    console = Console(stderr=True)
    tries = trying.run(breaking.jobs)
    try:
        done += track(tries, "breaking", total=trying.left, console=console, disable=not console.is_terminal)
    except CannotBreak as problem:
        raise click.ClickException(
            f"nothing was broken on purpose: the game with the breaks built in does not play as it should ({problem})"
        ) from None
    except KeyboardInterrupt:
        if journal.path is not None:
            tried = f"{len(done)} of {len(trying.places)} breaks"
            write_text(f"{tried} are kept: the same command with --resume goes on\n", error=True)
        raise
    made = []
    for _, one in sorted(done, key=lambda each: each[0]):
        file = shown.get(one.file, one.file)
        source = result.sources.get(file)
        line = _line_of(source, one.line, one.field) if source is not None and one.field else one.line
        made.append(replace(one, file=file, line=line))
    return made


def _say_what_is_left(trying: Trial) -> None:
    """What a run goes on from, and whether anything has changed since."""
    before, kept, every = trying.journal.count(trying.places), len(trying.known), len(trying.places)
    if trying.journal.changed:
        said = "the package or the toolkit has changed since the last run: every break is tried anew"
    elif not before:
        said = "no run was stopped here: every break is tried"
    elif kept < before:
        said = f"tests have changed since the last run: {kept} of {every} breaks hold, the others are tried"
    else:
        said = f"{kept} of {every} breaks were tried before"
    write_text(f"{said}\n", error=True)


def _line_of(source: Source, head: int, field: str) -> int:
    """The line of a field in the text of a thing that begins at a line."""
    lines = source.text.splitlines()
    begins = re.compile(rf"\s+{re.escape(field)}\b")
    for number in range(head, len(lines)):
        if lines[number].strip() and not lines[number][0].isspace():
            break
        if begins.match(lines[number]):
            return number + 1
    return head


def _by_file(tests: Iterator[Tested]) -> Iterator[tuple[str, list[Tested]]]:
    """The tests of one file after the other, each file as soon as it is done."""
    kept: list[Tested] = []
    for test in tests:
        if kept and kept[0].file != test.file:
            yield kept[0].file, kept
            kept = []
        kept.append(test)
    if kept:
        yield kept[0].file, kept
