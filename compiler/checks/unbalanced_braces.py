"""A text with a brace that has no partner."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.checks._content_walks import LITERALS, own_parsed
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic

_BRACES = re.compile(r"\\.|\{[^{}\n]*\}|[{}]", re.DOTALL)

_READS = re.compile(r"\breads[ \t]*\Z")


def find(context: Context) -> Iterator[Diagnostic]:
    """Braces in texts and prose that neither open nor close an expression."""
    for parsed in own_parsed(context):
        source = parsed.source
        if "{" not in source.text and "}" not in source.text:
            continue
        for literal in LITERALS.finditer(source.text):
            text = literal.group()
            if text[0] == "#" or ("{" not in text and "}" not in text):
                continue
            if _READS.search(source.text, 0, literal.start()) is not None:
                continue  # a wording has holes of its own: X612 and X613 tell of them
            for found in _BRACES.finditer(text):
                if found.group() in ("{", "}"):
                    at = literal.start() + found.start()
                    other = "}" if found.group() == "{" else "{"
                    yield CHECK.finding(
                        source.span(at, at + 1),
                        f"this `{found.group()}` has no `{other}` on its line",
                        f"close the expression, or write `\\{found.group()}` for the sign itself",
                    )


CHECK = Check(
    code="X604",
    name="unbalanced-braces",
    severity="warning",
    why="""In a text, `{expression}` shows a value. A brace without its partner on the same line is
    printed as it stands, together with what was meant to be read.""",
    bad="""
    track gold 0..9 start 3
    action game: say "You own {gold coins."  # <-
    """,
    good="""
    track gold 0..9 start 3
    action game: say "You own {gold} coins."
    """,
    find=find,
    local=True,
)
