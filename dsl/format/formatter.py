"""The one layout of a text: what `tale fmt` writes."""

from __future__ import annotations

import re
from itertools import takewhile

from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, worst
from talewright.dsl.format.drawings import drawn_rows
from talewright.dsl.format.lexemes import read_rows
from talewright.dsl.format.printer import set_page
from talewright.dsl.packages.package_codes import CodeInfo
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree.equivalence import same_tree

LAYOUT = CodeInfo(
    "L701",
    "layout",
    "info",
    "All texts share one layout, so that a change shows what changed and nothing else. `tale fmt` writes it.",
    "kind Boat:\n    seats: int = 2",
    "kind Boat :\n  seats:int=2",
)
DEFECT = CodeInfo(
    "L702",
    "layout-defect",
    "error",
    "The layout would have changed what the text means, so the file was left as it is. "
    "This is a defect of the toolkit, not of the text.",
    "",
    "",
)
LAYOUT_CODES = {info.code: info for info in (LAYOUT, DEFECT)}

_BYTE_ORDER_MARK = "\ufeff"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def format_text(text: str, name: str) -> tuple[str, list[Diagnostic]]:
    """The text in the one layout; a text with errors comes back unchanged, with its errors."""
    source = Source(name, _plain(text))
    before, findings = parse(source)
    if worst(findings) == "error":
        return text, findings
    new = set_page(read_rows(source.text), drawn_rows(before))
    if new == source.text:
        return new, []
    after, problems = parse(Source(name, new))
    if worst(problems) == "error" or not same_tree(before, after):
        message = "the layout would change the meaning of this file"
        help = "the file is left as it is: please report it to the makers of the toolkit"
        return text, [Diagnostic(DEFECT.code, DEFECT.name, DEFECT.severity, message, source.span(0, 0), help)]
    return new, []


def layout_findings(source: Source) -> list[Diagnostic]:
    """At most one finding: the first line that would change, with the whole file as its fix."""
    new, findings = format_text(source.text, source.name)
    if findings or new == source.text:
        return []
    start, end = _first_change(source.text, new)
    whole = Edit(source.span(0, len(source.text)), new)
    return [
        Diagnostic(
            LAYOUT.code,
            LAYOUT.name,
            LAYOUT.severity,
            "this file is not in the one layout",
            source.span(start, end),
            "run `tale fmt`",
            fixes=(Fix("lay out the file", (whole,)),),
        )
    ]


def _plain(text: str) -> str:
    """The text without a byte order mark, with plain line breaks, one of them at its end."""
    text = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def _first_change(old: str, new: str) -> tuple[int, int]:
    """Where the first line that differs starts and ends in the old text."""
    same = takewhile(
        lambda pair: pair[0] == pair[1], zip(_LINE.findall(old), _LINE.findall(new), strict=False)
    )
    start = sum(len(line) for line, _ in same)
    line = _LINE.match(old, start)
    return start, start + len(line.group().rstrip("\r\n") if line else "")
