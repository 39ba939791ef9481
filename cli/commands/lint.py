"""`tale lint`: every finding of every file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from talewright.cli.exit_codes import FINDINGS, OK, WRONG_USAGE
from talewright.cli.help_page import Command
from talewright.cli.output import show_findings, write_file, write_text
from talewright.cli.package_options import cache_option, search_option
from talewright.cli.path_arguments import package_paths
from talewright.dsl.diagnostics import RANK, Diagnostic, in_order, worst
from talewright.dsl.packages.package_codes import UNREADABLE
from talewright.dsl.source import Source

if TYPE_CHECKING:
    from talewright.compiler import CompileResult

FORMATS = ("human", "json", "sarif", "github", "junit")
# A fix may allow another one. More rounds than this mean that two fixes undo each other.
MAX_ROUNDS = 5
# Keeps the last result alive: a command that is about to end need not spend time on freeing it.
_MADE: list[object] = []

EXAMPLES = {
    "tale lint moonlight": "Shows what is wrong with the package in the folder `moonlight`.",
    "tale lint moonlight --fix": "Mends what is safe to mend, and shows the rest.",
    "tale lint moonlight --own-words": "Lists the cards whose text was written by hand.",
    "tale lint moonlight --format sarif --fail-on warning": "For a build that must not have warnings.",
}


@click.command("lint", cls=Command, examples=EXAMPLES)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    default="human",
    show_default=True,
    help="How to show the findings.",
)
@click.option(
    "--fail-on",
    type=click.Choice(tuple(RANK)),
    default="error",
    show_default=True,
    help="The lightest finding that makes the exit code 1.",
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes first.")
@click.option(
    "--own-words", is_flag=True, help="List every text of a card that stands in place of a made one, instead."
)
@cache_option
@search_option
def command(
    paths: tuple[str, ...],
    format: str,
    fail_on: str,
    fix: bool,
    own_words: bool,
    cache: bool,
    search: tuple[str, ...],
) -> int:
    """Show every finding of every file, with code, place and help. PATH is `.` by default."""
    if own_words:
        return _list_own_words(package_paths(paths), search, cache)
    findings: dict[Diagnostic, None] = {}
    sources: dict[str, Source] = {}
    for path in package_paths(paths):
        result = _fixed(path, search, cache) if fix else _compiled(path, search, cache)
        findings.update(dict.fromkeys(result.diagnostics))
        findings.update(dict.fromkeys(_failing(result, path, search, cache)))
        sources.update(result.sources)
    ordered = in_order(list(findings))
    show_findings(ordered, sources, format)
    if any(found.code in UNREADABLE for found in ordered):
        return WRONG_USAGE
    return FINDINGS if any(RANK[found.severity] <= RANK[fail_on] for found in ordered) else OK


def _list_own_words(paths: Iterable[str], search: tuple[str, ...], cache: bool) -> int:
    """Lists the texts of cards that their authors wrote by hand."""
    from talewright.compiler import compile_package
    from talewright.report.wording.pages import own_words
    from talewright.schemas.nodes.codec import read_document

    for path in paths:
        result = compile_package(path, search=search, cache=cache)
        if result.document is None:
            show_findings(in_order(list(result.diagnostics)), result.sources, "human")
            return FINDINGS
        document = read_document(result.document)
        write_text("".join(f"{line}\n" for line in own_words(document, document.package.name)))
    return OK


def _compiled(path: str, search: tuple[str, ...], cache: bool) -> CompileResult:
    from talewright.compiler import compile_package

    result = compile_package(path, search=search, cache=cache, document=False)
    _MADE[:] = (result,)
    return result


def _failing(result: CompileResult, path: str, search: tuple[str, ...], cache: bool) -> list[Diagnostic]:
    """The checks of a package without errors that do not hold before the first move."""
    from talewright.report.findings.failing_checks import failing_checks, has_checks, known_findings

    if worst(result.diagnostics) == "error" or not has_checks(result.sources.values()):
        return []
    known = known_findings(result) if cache else None
    if known is not None:
        return known
    from talewright.compiler import compile_package

    whole = compile_package(path, search=search, cache=cache, trees=False)
    return failing_checks(whole, cache) if whole.document is not None else []


def _fixed(path: str, search: tuple[str, ...], cache: bool) -> CompileResult:
    """The result after the safe fixes of the package's own files are applied."""
    from talewright.report.findings import apply_fixes

    for _ in range(MAX_ROUNDS):
        result = _compiled(path, search, cache)
        if result.packages.main is None:
            return result
        # Only the named package is changed, never a package that it uses.
        own = {source.name: source for source in result.packages.main.sources}
        changed = apply_fixes(own, result.diagnostics)
        if not changed:
            return result
        for name, text in changed.items():
            write_file(Path(name), text.encode("utf-8"))
    return _compiled(path, search, cache)
