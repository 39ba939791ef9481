"""Actions of one verb: every call must mean one of them."""

from __future__ import annotations

from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.symbol_table import ActionSymbol


def report_overlaps(work: FactRecorder, types: DefinitionTypes) -> None:
    """A finding for each action whose calls could mean an earlier one too."""
    for symbols in work.table.verbs.values():
        for index, symbol in enumerate(symbols):
            for other in symbols[:index]:
                chapters = (symbol.origin.chapter, other.origin.chapter)
                if chapters[0] != chapters[1] and None not in chapters:
                    continue
                if _overlap(types, symbol, other):
                    work.report(
                        "N213", symbol.origin, symbol.decl.verb, f"a call of `{symbol.name}` could mean two actions",
                        "give them different prepositions, or different verbs",
                        [work.label(other, "the other one")],
                    )  # fmt: skip


def _overlap(types: DefinitionTypes, a: ActionSymbol, b: ActionSymbol) -> bool:
    def needs(symbol: ActionSymbol) -> tuple[set[str], set[str]]:
        params = types.action_params(symbol)
        return {p.preposition for p in params if p.default is None}, {p.preposition for p in params}

    must_a, may_a = needs(a)
    must_b, may_b = needs(b)
    return must_a <= may_b and must_b <= may_a
