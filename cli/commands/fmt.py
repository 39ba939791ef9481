"""`tale fmt`: the one layout."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import click

from talewright.cli.exit_codes import FINDINGS, OK, WRONG_USAGE
from talewright.cli.help_page import Command
from talewright.cli.output import show_findings, write_file, write_text
from talewright.cli.path_arguments import package_paths
from talewright.dsl.diagnostics import Diagnostic, in_order, worst
from talewright.dsl.packages.files import find_tale_files, read_file, shown_path
from talewright.dsl.packages.loader import find_package_folder
from talewright.dsl.packages.package_codes import UNREADABLE
from talewright.dsl.source import Source
from talewright.schemas.records import record


@record(frozen=True)
class _Change:
    """A file whose layout is not the one layout."""

    path: Path
    old: Source
    new: str


EXAMPLES = {
    "tale fmt moonlight": "Puts every file of the package into the one layout.",
    "tale fmt moonlight --check": "For a build: changes nothing, and fails when a file would change.",
}


@click.command("fmt", cls=Command, examples=EXAMPLES)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 when a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
def command(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Put files into the one layout. PATH is `.` by default; a file means only that file."""
    findings: list[Diagnostic] = []
    sources: dict[str, Source] = {}
    changes: list[_Change] = []
    seen: set[str] = set()
    for path in _files(paths, findings):
        name = shown_path(path)
        if name not in seen:
            seen.add(name)
            changes += _laid_out(path, sources, findings)
    for change in changes:
        if diff:
            _show_difference(change)
        elif check:
            write_text(f"would change {change.old.name}\n")
        else:
            write_file(change.path, change.new.encode("utf-8"))
            write_text(f"changed {change.old.name}\n")
    ordered = in_order(findings)
    if worst(ordered) in ("error", "warning"):
        show_findings(ordered, sources, error=True)
    if any(found.code in UNREADABLE for found in ordered):
        return WRONG_USAGE
    return FINDINGS if worst(ordered) == "error" or (changes and (check or diff)) else OK


def _files(paths: tuple[str, ...], findings: list[Diagnostic]) -> Iterator[Path]:
    """The files that the paths mean: one file, or all of a folder, with its findings."""
    for given in package_paths(paths):
        path = Path(given)
        try:
            exists = path.exists()
        except (OSError, ValueError):
            exists = False
        if not exists:
            folder, problems = find_package_folder(given)
            findings += problems
            if folder is None:
                continue
            path = folder
        if path.is_dir():
            found, problems = find_tale_files(path)
            findings += problems
            yield from found
        elif path.suffix == ".tale":
            yield path
        else:
            raise click.UsageError(f"{path} is no .tale file")


def _laid_out(path: Path, sources: dict[str, Source], findings: list[Diagnostic]) -> Iterator[_Change]:
    """The change that a file needs, if any; a file with errors is left as it is."""
    from talewright.dsl.format.formatter import format_text

    reading = read_file(path)
    findings += reading.findings
    if reading.source is None:
        return
    source = reading.source
    sources[source.name] = source
    new, problems = format_text(source.text, source.name)
    findings += problems
    marked = any(found.code == "P022" for found in reading.findings)
    if worst(problems) != "error" and (new != source.text or marked):
        yield _Change(path, source, new)


def _show_difference(change: _Change) -> None:
    lines = difflib.unified_diff(
        change.old.text.splitlines(keepends=True),
        change.new.splitlines(keepends=True),
        change.old.name,
        change.old.name,
    )
    write_text(
        "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
    )
