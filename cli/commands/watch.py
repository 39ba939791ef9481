"""`tale watch`: after each save the findings, the tests it can touch, and the game at hand again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from talewright.cli.commands.selected_tests import Target
from talewright.cli.exit_codes import OK, WRONG_USAGE
from talewright.cli.help_page import Command
from talewright.cli.output import show_findings, write_text
from talewright.cli.package_options import search_option
from talewright.dsl.diagnostics import in_order
from talewright.dsl.packages.files import shown_path
from talewright.dsl.packages.loader import find_package_folder
from talewright.schemas.records import field, record

if TYPE_CHECKING:
    from talewright.compiler import CompileResult
    from talewright.report.testing.outcomes import Tested

# So often the files are looked at, in seconds. A look costs less than a thousandth of that.
PAUSE = 0.3
_MOST_FINDINGS = 10
_MOST_OPTIONS = 12
_SUFFIXES = (".tale", "tale.toml")


EXAMPLES = {
    "tale watch moonlight": "Checks and tests the package anew after each change of its files.",
}


@click.command("watch", cls=Command, examples=EXAMPLES)
@click.argument("path", metavar="[PATH]", default=".")
@click.option(
    "--load",
    "save_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A saved game, played again after each change up to the same decision.",
)
@click.option("--tests/--no-tests", default=True, show_default=True, help="Whether to run tests.")
@click.option("--once", is_flag=True, help="Show the screen once and end.")
@search_option
def command(path: str, save_file: Path | None, tests: bool, once: bool, search: tuple[str, ...]) -> int:
    """Look at a package whenever a file of it is saved. PATH is `.` by default; Ctrl-C ends."""
    folder, findings = find_package_folder(path)
    if folder is None:
        show_findings(findings, {}, error=True)
        return WRONG_USAGE
    watch = Watch(folder, search, save_file, tests)
    before = watch.stamps()
    watch.look()
    if once:
        return OK
    # What was saved during the first look is looked at in the next round.
    seen = {**watch.stamps(), **before}
    try:
        while True:
            time.sleep(PAUSE)
            now = watch.stamps()
            if now != seen:
                watch.look(changed_files(seen, now))
                # A file that was saved meanwhile is looked at in the next round.
                seen = now
    except KeyboardInterrupt:
        write_text("\n")
    return OK


Stamps = dict[str, tuple[int, int]]


def changed_files(before: Stamps, after: Stamps) -> list[str]:
    """The files that are new, gone or not as they were."""
    return sorted(file for file in {*before, *after} if before.get(file) != after.get(file))


@record
class Watch:
    """One package that is looked at again and again."""

    folder: Path
    search: tuple[str, ...]
    save_file: Path | None = None
    tests: bool = True
    before: dict[str, Any] | None = None
    failed: set[tuple[str, str]] = field(default_factory=set)
    """The tests that failed when they last ran, by file and title: they run again until they pass."""
    _folders: list[Path] = field(default_factory=list)

    def stamps(self) -> Stamps:
        """When each file of the package, of those it uses, and the saved game was last written, and how long it is."""
        found = {
            file: stamp
            for folder in dict.fromkeys([self.folder, *self._folders])
            for file, stamp in _stamps(str(folder))
        }
        if self.save_file is not None:
            found.update(_stamp(str(self.save_file)))
        return found

    def look(self, changed: list[str] | None = None) -> None:
        """Compiles, tests and replays, and shows one screen."""
        result = Target(str(self.folder)).compile(self.search, cache=True)
        self._folders = [package.folder for package in result.packages.packages]
        _clear()
        write_text(f"{self._title(result)}  {datetime.now():%H:%M:%S}{_files(changed)}\n\n")
        notable = [found for found in in_order(result.diagnostics) if found.severity != "info"]
        show_findings(notable[:_MOST_FINDINGS], result.sources)
        if len(notable) > _MOST_FINDINGS:
            write_text(f"... and {len(notable) - _MOST_FINDINGS} more: `tale lint` shows them all\n")
        if result.document is None:
            write_text("\nno tests and no game while there are errors\n")
            return
        if self.tests:
            self._test(result)
        if self.save_file is not None:
            self._replay(result.document, self.save_file)
        self.before = result.document

    def _title(self, result: CompileResult) -> str:
        main = result.packages.main
        return main.title if main is not None else shown_path(self.folder)

    # -------------------------------------------------------------- tests
    def _test(self, result: CompileResult) -> None:
        from rich.console import Console

        from talewright.cli.commands.test import outcomes_of, wanted_tests
        from talewright.report.testing.outcomes_as_human import show_failures
        from talewright.report.testing.touched_tests import touched_tests

        assert result.document is not None
        whole = dict(wanted_tests(result, Target(str(self.folder)), ""))
        touched = set(touched_tests(self.before, result.document))
        titles = [test["title"] for test in result.document["content"]["tests"]]
        chosen = {
            number: file
            for number, file in whole.items()
            if number in touched or (file, titles[number]) in self.failed
        }
        if not chosen:
            write_text(f"\nno test is touched by this ({len(whole)} in all)\n")
            return
        ran: list[Tested] = list(outcomes_of(result, chosen, 0))
        self.failed -= {(test.file, test.title) for test in ran}
        self.failed |= {(test.file, test.title) for test in ran if not test.passed}
        console = Console(color_system="auto" if os.isatty(1) else None, width=None if os.isatty(1) else 110)
        with console.capture() as kept:
            show_failures(ran, console)
        text = kept.get()
        if text:
            write_text(text) if console.color_system is None else click.echo(text, nl=False)
        bad = sum(not test.passed for test in ran)
        of = f" of {len(whole)}" if len(ran) < len(whole) else ""
        write_text(f"\n{len(ran)}{of} tests: {f'{bad} failed' if bad else 'all passed'}\n")

    # -------------------------------------------------------------- the game at hand
    def _replay(self, document: dict[str, Any], file: Path) -> None:
        from talewright.runtime.faults import Fault, LoadError
        from talewright.runtime.session import Leave
        from talewright.runtime.session.chronicle import CampaignError
        from talewright.runtime.session.program import load
        from talewright.runtime.session.saves import SaveError, load_file
        from talewright.runtime.session.session import Session

        try:
            save = load_file(file)
            if save.package != document["package"]["name"]:
                raise SaveError(f"the save is of `{save.package}`")
            program = load(document, save.options, save.players)
            session = Session(program, save.seed, save.chapter, save.brought or None)  # type: ignore[arg-type]
        except (SaveError, LoadError, CampaignError) as problem:
            write_text(f"\n{file}: {problem}\n")
            return
        follower = _Follower([(taken.id, taken.answer) for taken in save.decisions])
        session.default = follower
        try:
            outcome = session.run()
        except Leave:
            write_text(f"\n{follower.report()}\n")
        except Fault as fault:
            write_text(f"\nthe game at hand breaks off after {follower.done} decisions: {fault}\n")
        else:
            of = f" of {len(save.decisions)}" if follower.done < len(save.decisions) else ""
            write_text(f"\nthe game at hand ends after {follower.done}{of} decisions: {outcome}\n")


class _Follower:
    """Sits on every seat and decides as in a save, until there is no more of it or it no longer fits."""

    person = False

    def __init__(self, script: list[tuple[str, str]]) -> None:
        self.script = script
        self.done = 0
        self.asked: Any = None

    def __call__(self, decision: Any) -> int:
        from talewright.runtime.session import Leave
        from talewright.runtime.session.session import option_names

        self.asked = decision
        names = option_names(decision.options)
        if self.done < len(self.script):
            wanted, answer = self.script[self.done]
            if wanted == decision.id and answer in names:
                self.done += 1
                return names.index(answer)
        raise Leave

    def report(self) -> str:
        """Where the game stands now."""
        from talewright.report.table.choices import question_of

        decision = self.asked
        lines = [f"the game at hand, after {self.done} {'decision' if self.done == 1 else 'decisions'}:"]
        if self.done < len(self.script):
            wanted, answer = self.script[self.done]
            lines = [
                f"the game at hand takes another way at decision {self.done + 1} of {len(self.script)}: "
                f"`{answer}` of {wanted} is not offered"
            ]
        lines.append(f"  {decision.who}: {question_of(decision.game.view(), decision)}")
        options = [option.text() for option in decision.options]
        lines += [f"    {number}  {text}" for number, text in enumerate(options[:_MOST_OPTIONS], 1)]
        if len(options) > _MOST_OPTIONS:
            lines.append(f"    ... and {len(options) - _MOST_OPTIONS} more")
        return "\n".join(lines)


def _stamps(folder: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if name.endswith(_SUFFIXES):
                yield from _stamp(os.path.join(root, name))


def _stamp(path: str) -> Iterator[tuple[str, tuple[int, int]]]:
    try:
        status = os.stat(path)
    except OSError:
        return
    yield path, (status.st_mtime_ns, status.st_size)


def _files(changed: list[str] | None) -> str:
    if not changed:
        return ""
    names = ", ".join(os.path.basename(file) for file in changed[:3])
    return f"  {names}{' ...' if len(changed) > 3 else ''}"


def _clear() -> None:
    """An empty screen on a terminal; elsewhere the screens stand one below the other."""
    if os.isatty(1):
        click.clear()
