"""`tale explain`: why a finding exists, or how the cards of a package read."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Protocol

import click

from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.output import write_text
from talewright.cli.package_options import search_option


class Explained(Protocol):
    """What is known about a code."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def good(self) -> str: ...
    @property
    def bad(self) -> str: ...


EXAMPLES = {
    "tale explain N201": "Why there is the finding N201, with a bad and a good sample.",
    "tale explain --wording moonlight": "Every card of a package as players read it.",
}


@click.command("explain", cls=Command, examples=EXAMPLES)
@click.argument("code", metavar="CODE", required=False)
@click.option(
    "--wording", metavar="PATH", help="Print every card of a package as players read it, beside its source."
)
@click.option("--plain", is_flag=True, help="With --wording: the words alone, without the source.")
@search_option
def command(code: str | None, wording: str | None, plain: bool, search: tuple[str, ...]) -> int:
    """Say why a finding exists, with a bad and a good sample. CODE may also be its name."""
    if wording is not None:
        return _cards(wording, plain, search)
    if code is None:
        raise click.UsageError("Say which finding, such as `tale explain T303`, or `--wording PATH`.")
    known = _known()
    by_name = {info.name: info for info in known.values()}
    info = known.get(code.upper()) or by_name.get(code.lower())
    if info is None:
        close = get_close_matches(code.upper(), known, 1) or get_close_matches(code.lower(), by_name, 1)
        offer = f" Did you mean `{close[0]}`?" if close else ""
        raise click.UsageError(f"There is no finding `{code}`.{offer}")
    write_text(explanation(info))
    return OK


def _cards(path: str, plain: bool, search: tuple[str, ...]) -> int:
    from talewright.cli.chosen_package import document_of, line_reader
    from talewright.report.wording.pages import wording_lines
    from talewright.schemas.nodes.codec import read_document

    document = document_of(path, search)
    if isinstance(document, int):
        return document
    read = None if plain else line_reader(path, search)
    write_text("".join(f"{line}\n" for line in wording_lines(read_document(document), read)))
    return OK


def explanation(info: Explained) -> str:
    """The page about a finding."""
    why = "\n\n".join(textwrap.fill(" ".join(part.split()), 80) for part in info.why.split("\n\n"))
    parts = [f"{info.code} {info.name} ({info.severity})", why]
    if info.bad:
        parts.append("Not so:\n\n" + _indented(info.bad))
    if info.good:
        parts.append("But so:\n\n" + _indented(info.good))
    return "\n\n".join(parts) + "\n"


def _known() -> Mapping[str, Explained]:
    from talewright.compiler.checks import catalogue

    return catalogue()


def _indented(sample: str) -> str:
    return textwrap.indent(textwrap.dedent(sample).strip("\n"), "    ")
