"""A line that runs off the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.checks._content_walks import own_parsed
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic

WIDEST = 120
_LONG = re.compile(rf"^.{{{WIDEST + 1},}}$", re.MULTILINE)


def find(context: Context) -> Iterator[Diagnostic]:
    """Lines of more columns than fit."""
    for parsed in own_parsed(context):
        for line in _LONG.finditer(parsed.source.text):
            yield CHECK.finding(
                parsed.source.span(line.start() + WIDEST, line.end()),
                f"this line has {line.end() - line.start()} columns; {WIDEST} can be read at a glance",
                "break it inside brackets, write the block below it, or name a part of it with `value`",
            )


_LONG_NAME = "rich_enough_to_leave_the_town_" + "before_the_snow_comes_" * 3 + "again"

CHECK = Check(
    code="L704",
    name="long-line",
    severity="info",
    why=f"""Lines of up to {WIDEST} columns can be read side by side with a change or on a page. A
    longer one usually says several things at once, and one of them deserves a name.""",
    bad=f"""
    track gold 0..9 start 3
    value {_LONG_NAME} = gold >= 3 or gold == 2  # <-
    """,
    good="""
    track gold 0..9 start 3
    value rich_enough_to_leave = gold >= 3 or gold == 2
    """,
    find=find,
    local=True,
)
