"""Pages for findings of other passes: packages, syntax, layout and documents."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._document_pages import DOCUMENT_PAGES
from talewright.compiler.checks.check import Check
from talewright.dsl.format.formatter import LAYOUT_CODES
from talewright.dsl.packages.package_codes import PACKAGE_CODES, CodeInfo
from talewright.dsl.recovery.mistake import Mistake
from talewright.dsl.recovery.mistake_table import MISTAKES


def other_pages() -> Iterator[Check]:
    """A page for each code that is reported before names are looked up, or about documents."""
    known: list[CodeInfo | Mistake] = [*PACKAGE_CODES.values(), *MISTAKES, *LAYOUT_CODES.values()]
    for info in known:
        yield Check(info.code, info.name, info.severity, info.why, info.bad, info.good)
    yield from DOCUMENT_PAGES
