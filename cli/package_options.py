"""Options and helpers of commands that compile a package."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from talewright.cli.document_files import is_document, read_document
from talewright.cli.exit_codes import FINDINGS, WRONG_USAGE
from talewright.cli.output import called, show_findings, write_text
from talewright.dsl.diagnostics import in_order, worst
from talewright.dsl.packages.files import shown_path
from talewright.dsl.packages.package_codes import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from talewright.dsl.diagnostics import Diagnostic

MOST_WARNINGS = 5

search_option = click.option(
    "--path",
    "search",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(file_okay=False),
    help="A folder to look for used packages in; may be repeated. TALE_PATH adds more.",
)

cache_option = click.option(
    "--cache/--no-cache",
    default=True,
    show_default=True,
    help="Whether to use what earlier runs worked out.",
)


def compiled(path: str, search: tuple[str, ...], cache: bool = True) -> dict[str, Any] | int:
    """The document of a package, or a compiled one, its errors and warnings shown on standard error; or the exit code."""
    if is_document(path):
        document, findings = read_document(Path(path), error=True)
        return document if document is not None else exit_code(findings)
    from talewright.compiler import compile_package

    result = compile_package(path, search=search, cache=cache, trees=False)
    notable = [found for found in in_order(result.diagnostics) if found.severity != "info"]
    failed = worst(notable) == "error"
    # Whoever plays wants the game: a page of warnings is for `lint`.
    shown = notable if failed else notable[:MOST_WARNINGS]
    if shown:
        show_findings(shown, result.sources, error=True)
    if len(shown) < len(notable):
        more = len(notable) - len(shown)
        write_text(
            f"{more} more: `{called()} lint {shlex.quote(shown_path(Path(path)))}` shows all\n", error=True
        )
    if result.document is None or failed:
        return exit_code(notable)
    return result.document


def exit_code(findings: Sequence[Diagnostic]) -> int:
    """The exit code of a command whose input has errors."""
    return WRONG_USAGE if any(found.code in UNREADABLE for found in findings) else FINDINGS
