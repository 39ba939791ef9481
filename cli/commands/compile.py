"""`tale compile`: the intermediate document."""

from __future__ import annotations

from pathlib import Path

import click

from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.output import show_findings, write_bytes, write_file
from talewright.cli.package_options import cache_option, compiled, exit_code, search_option
from talewright.dsl.diagnostics import in_order, worst
from talewright.dsl.packages.files import regular_bytes, shown_path
from talewright.dsl.source import Source

MAX_DOCUMENT_BYTES = 512 * 1024 * 1024


EXAMPLES = {
    "tale compile moonlight -o moonlight.json": "Writes the game as one JSON document.",
    "tale compile --check moonlight.json": "Says whether a document fits together.",
}


@click.command("compile", cls=Command, examples=EXAMPLES)
@click.argument("path", metavar="PATH")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write; standard output by default.",
)
@click.option("--check", is_flag=True, help="Validate the existing document PATH instead.")
@cache_option
@search_option
def command(path: str, output: Path | None, check: bool, cache: bool, search: tuple[str, ...]) -> int:
    """Write the intermediate document of a package, or check one from elsewhere."""
    if check:
        if output is not None:
            raise click.UsageError("--check writes nothing, so it takes no --output")
        return _check(Path(path))
    document = compiled(path, search, cache)
    if isinstance(document, int):
        return document
    from talewright.compiler.document.document_builder import write

    data = write(document)
    if output is None:
        write_bytes(data)
    else:
        write_file(output, data)
    return OK


def _check(path: Path) -> int:
    from talewright.compiler.document.document_builder import validate

    try:
        if path.stat().st_size > MAX_DOCUMENT_BYTES:
            raise click.ClickException(f"{path} is too large for a document")
        data = regular_bytes(path)
    except OSError as problem:
        raise click.ClickException(
            f"cannot read {path}: {(problem.strerror or 'it fails').lower()}"
        ) from problem
    name = shown_path(path)
    findings = in_order(validate(data, name))
    show_findings(findings, {name: Source(name, data.decode("utf-8", "replace"))})
    return exit_code(findings) if worst(findings) == "error" else OK
