"""Values of one name, told apart by kinds: for every thing, one of them must be the narrowest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.symbol_table import KindSymbol, ValueSymbol
from talewright.compiler.types.model import Type, strip

# Beyond this many shared kinds, only the first ones are compared.
_MOST_KINDS = 12


def report_ties(work: FactRecorder, types: DefinitionTypes) -> None:
    """A finding for each value that ties with an earlier one of its name."""
    for symbols in work.table.functions.values():
        values = [s for s in symbols if isinstance(s, ValueSymbol)]
        if len(values) < 2:
            continue
        candidates = [_types(types, value) for value in values]
        for one, other in combinations(values, 2):
            if not _meet(one, other):
                continue
            for kinds in _in_both(work, types, one, other):
                if not _settled(work, kinds, candidates):
                    _report(work, one, other, kinds)
                    break


def _meet(one: ValueSymbol, other: ValueSymbol) -> bool:
    """Whether a call could mean either, as far as number of arguments and chapters go."""
    chapters = (one.origin.chapter, other.origin.chapter)
    return len(one.decl.params) == len(other.decl.params) and (chapters[0] == chapters[1] or None in chapters)


def _types(types: DefinitionTypes, value: ValueSymbol) -> list[Type]:
    return [strip(type_) for _, type_ in types.value_params(value)]


def _in_both(
    work: FactRecorder, types: DefinitionTypes, one: ValueSymbol, other: ValueSymbol
) -> Iterator[tuple[str, ...]]:
    """The kinds of arguments that fit both values; for a part that is no thing, an empty name."""
    each: list[Sequence[str]] = []
    for a, b in zip(_types(types, one), _types(types, other), strict=True):
        if a.tag == b.tag == "thing":
            each.append(
                [name for name in _kinds(work) if work.is_a(name, a.name) and work.is_a(name, b.name)]
            )
        else:
            each.append([""] if work.fits(a, b) or work.fits(b, a) else [])
    yield from product(*(names[:_MOST_KINDS] for names in each))


def _kinds(work: FactRecorder) -> list[str]:
    return [name for name, symbol in work.table.kinds.items() if isinstance(symbol, KindSymbol)]


def _settled(work: FactRecorder, kinds: tuple[str, ...], candidates: Sequence[list[Type]]) -> bool:
    """Whether one value is narrower than every other that fits these kinds."""
    fitting = [
        types
        for types in candidates
        if len(types) == len(kinds)
        and all(
            not name or (type_.tag == "thing" and work.is_a(name, type_.name))
            for name, type_ in zip(kinds, types, strict=True)
        )
    ]
    narrowest = [types for types in fitting if all(_narrower(work, types, others) for others in fitting)]
    return len(narrowest) == 1


def _narrower(work: FactRecorder, one: list[Type], other: list[Type]) -> bool:
    return all(
        work.is_a(a.name, b.name) if a.tag == b.tag == "thing" else work.fits(a, b)
        for a, b in zip(one, other, strict=True)
    )


def _report(work: FactRecorder, one: ValueSymbol, other: ValueSymbol, kinds: tuple[str, ...]) -> None:
    names = [f"`{name}`" for name in kinds if name]
    if not names:
        why = "both take the same"
    elif len(names) == 1:
        why = f"{names[0]} fits both, and neither is narrower"
    else:
        why = f"{', '.join(names[:-1])} and {names[-1]} fit both, and neither is narrower"
    work.report(
        "N222",
        other.origin,
        other.decl.name,
        f"nobody can say which `{other.name}` is meant: {why}",
        "declare one for the kind that fits both, or give one of them another name",
        labels=[work.label(one, "the other one")],
    )
