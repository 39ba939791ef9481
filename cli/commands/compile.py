"""`tale compile`: the intermediate document."""

from __future__ import annotations

from pathlib import Path

import click

from talewright.cli.document_files import read_document
from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.output import write_bytes, write_file
from talewright.cli.package_options import cache_option, compiled, exit_code, search_option
from talewright.dsl.diagnostics import worst

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
        _, findings = read_document(Path(path), error=False)
        return exit_code(findings) if worst(findings) == "error" else OK
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
