"""`tale graph`: the story graph."""

from __future__ import annotations

from pathlib import Path

import click

from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.output import write_file, write_text
from talewright.cli.package_options import compiled, search_option
from talewright.dsl.text_sanitizer import harmless

FORMATS = ("svg", "dot", "mermaid")
_BY_SUFFIX = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".mermaid": "mermaid"}


EXAMPLES = {
    "tale graph moonlight -o moonlight.svg": "A picture for a browser.",
    "tale graph moonlight --format mermaid": "A drawing in text, for a page on GitHub.",
}


@click.command("graph", cls=Command, examples=EXAMPLES)
@click.argument("path", metavar="PATH")
@click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    help="By default the one that FILE's name says, else svg.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write; standard output by default.",
)
@search_option
def command(path: str, format: str | None, output: Path | None, search: tuple[str, ...]) -> int:
    """Draw chapters, endings and the ways between them."""
    if format is None:
        format = _BY_SUFFIX.get(output.suffix.lower(), "") if output else "svg"
    if not format:
        raise click.UsageError(
            f"cannot draw {output}: the name of the file must end in {', '.join(_BY_SUFFIX)}, or --format must say which "
            "of these it is."
        )
    document = compiled(path, search)
    if isinstance(document, int):
        return document
    from talewright.report.graph import render

    text = harmless(render(document, format))
    if output is None:
        write_text(text)
    else:
        write_file(output, text.encode("utf-8"))
    return OK
