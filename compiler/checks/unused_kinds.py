"""Kinds and traits that nothing is of."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, in_main, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import KindSymbol, TraitSymbol
from talewright.dsl.diagnostics import Diagnostic


def find_kinds(context: Context) -> Iterator[Diagnostic]:
    """Every kind without things, kinds below it, or a word anywhere that names it."""
    table = context.work.table
    for symbol in table.kinds.values():
        if (
            not isinstance(symbol, KindSymbol)
            or symbol.core
            or symbol.role is not None
            or symbol.die is not None
        ):
            continue
        known = (
            symbol.name in context.work.used
            or symbol.name in table.things_of
            or symbol.name in table.children
        )
        if in_main(context, symbol.origin) and not known:
            yield report(
                KINDS, context, symbol, f"nothing is a `{symbol.name}`, and nothing names the kind",
                "declare a thing of the kind, or take it away",
            )  # fmt: skip


def find_traits(context: Context) -> Iterator[Diagnostic]:
    """Every trait that nothing has, gains or asks for."""
    for symbol in context.work.table.kinds.values():
        if not isinstance(symbol, TraitSymbol) or symbol.name in context.work.used:
            continue
        if in_main(context, symbol.origin):
            message = f"nothing has or gains the trait `{symbol.name}`"
            yield report(TRAITS, context, symbol, message, "give it to a thing, or take it away")


KINDS = Check(
    code="F420",
    name="unused-kind",
    severity="warning",
    why="""A kind says what its things have in common. One without things, without kinds below it, and
    named by no type and no rule describes nothing."""
    + WHY_SYSTEMS,
    bad="""
    kind Boat
    kind Raft  # <-
    Boat punt
    """,
    good="""
    kind Boat
    kind Raft is Boat
    Raft punt
    """,
    find=find_kinds,
)
TRAITS = Check(
    code="F428",
    name="unused-trait",
    severity="warning",
    why="""A trait gives its fields and rules to the things that have it. One that no thing has from the
    start, gains in play or is granted never does anything."""
    + WHY_SYSTEMS,
    bad="""
    track hope 0..9 start 4
    action game: rest
    action rest: hope + 1
    trait Gloomy:  # <-
        after rest: hope - 1
    """,
    good="""
    track hope 0..9 start 4
    action game: rest
    action rest: hope + 1
    trait Gloomy:
        after rest: hope - 1
    Figure guest is Gloomy
    """,
    find=find_traits,
)
CHECKS = (KINDS, TRAITS)
