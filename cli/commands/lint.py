"""`tale lint`: every finding of every file."""

from __future__ import annotations

import click

from talewright.cli.commands.lint_run import lint
from talewright.cli.package_options import cache_option, search_option
from talewright.dsl.diagnostics import RANK

FORMATS = ("human", "json", "sarif", "github", "junit")


@click.command("lint")
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
@cache_option
@search_option
def command(
    paths: tuple[str, ...], format: str, fail_on: str, fix: bool, cache: bool, search: tuple[str, ...]
) -> int:
    """Show every finding of every file, with code, place and help. PATH is `.` by default."""
    return lint(paths, format, fail_on, fix, cache, search)
