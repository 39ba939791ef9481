"""Text to syntax tree, whatever the text is."""

from __future__ import annotations

from talewright.dsl.diagnostics import Diagnostic, in_order
from talewright.dsl.grammar.lark_parser import FAILURES, declarations_of
from talewright.dsl.recovery.foreign_words import habits_in
from talewright.dsl.recovery.guards import prepare
from talewright.dsl.recovery.text_shape import names_in
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree


def parse(source: Source) -> tuple[tree.File, list[Diagnostic]]:
    """The declarations of a text, and every syntax error in it."""
    ready = prepare(source)
    text = ready.text
    if text is None:
        return tree.File(source.name, []), ready.findings
    broken = set[str]().union(*(names_in(source.text, start, end) for start, end in ready.wiped))
    habits = habits_in(text)
    if not habits:
        try:
            return tree.File(source.name, declarations_of(text), broken), ready.findings
        except FAILURES:
            pass
    # Only a text with mistakes needs all this.
    from talewright.dsl.recovery.repair import recover

    found = recover(source, text, habits, ready.wiped)
    file = tree.File(source.name, found.declarations, found.broken_names | broken)
    return file, in_order([*ready.findings, *found.findings])
