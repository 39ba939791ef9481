"""Text to syntax tree, whatever the text is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.dsl.diagnostics import Diagnostic, in_order
from talewright.dsl.grammar.lark_parser import FAILURES, declarations_of
from talewright.dsl.recovery.foreign_words import habits_in
from talewright.dsl.recovery.guards import prepare
from talewright.dsl.recovery.text_shape import names_in
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree

if TYPE_CHECKING:
    from talewright.dsl.remembered import Remembered


def parse(source: Source, remembered: Remembered | None = None) -> tuple[tree.File, list[Diagnostic]]:
    """The declarations of a text, and every syntax error in it; what is remembered is not parsed again."""
    ready = prepare(source)
    text = ready.text
    if text is None:
        return tree.File(source.name, []), ready.findings
    broken = set[str]().union(*(names_in(source.text, start, end) for start, end in ready.wiped))
    habits = habits_in(text)
    if not habits:
        try:
            made = declarations_of(text) if remembered is None else remembered.declarations_of(text)
            return tree.File(source.name, made, broken), ready.findings
        except FAILURES:
            pass
    # Only a text with mistakes needs all this.
    from talewright.dsl.recovery.repair import recover

    found = recover(source, text, habits, ready.wiped, remembered)
    file = tree.File(source.name, found.declarations, found.broken_names | broken)
    return file, in_order([*ready.findings, *found.findings])
