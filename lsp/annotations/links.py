"""Words that lead elsewhere: chapters behind an arrow or `go to`, files and packages in `tale.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from talewright.compiler.symbols.symbol_table import ThingSymbol
from talewright.compiler.types.lookups import Work, name_span
from talewright.dsl.packages.files import MANIFEST
from talewright.dsl.packages.loader import PackageSet
from talewright.lsp.words import lexemes
from talewright.schemas.records import record

_TEXT = re.compile(r'"([^"\\\n]+)"')


@record(frozen=True)
class Link:
    """A stretch of a text, the file it leads to, and the line there, from 1."""

    start: int
    end: int
    target: Path
    line: int = 1


def links(text: str, work: Work) -> Iterator[Link]:
    """The chapters and endings that ways of a text lead to."""
    words = [each for each in lexemes(text) if each.form != "comment"]
    for number, word in enumerate(words):
        if word.form != "word" or word.inside or number == 0:
            continue
        before = words[number - 1]
        leads = before.text == "->" or (before.text == "to" and number > 1 and words[number - 2].text == "go")
        symbol = work.table.names.get(word.text) if leads else None
        if isinstance(symbol, ThingSymbol) and any(work.is_a(symbol.kind, k) for k in ("Chapter", "Ending")):
            source = symbol.origin.source
            line = source.line_column(name_span(symbol)[0])[0]
            yield Link(word.start, word.end, Path(source.name), line)


def manifest_links(text: str, folder: Path, packages: PackageSet) -> Iterator[Link]:
    """The files and packages that a manifest names."""
    known = {package.name: package.folder / MANIFEST for package in packages.packages}
    for found in _TEXT.finditer(text):
        named = found.group(1)
        target = known.get(named.split(" ")[0].rstrip("<>=~!0123456789."))
        if "." in named and not Path(named).is_absolute() and (folder / named).is_file():
            target = folder / named
        if target is not None and target != folder / MANIFEST:
            yield Link(found.start(1), found.end(1), target)
