"""Fields that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, in_main, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.compiler.symbols.symbol_table import FieldSymbol, KindSymbol, TraitSymbol
from talewright.compiler.types.model import strip
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.tree import nodes as t

# Fields that people, the story graph or the board read, not rules.
_READ_BY_OTHERS = frozenset(("text", "edges", "plan", "pair", "face", "size", "trait"))
# What the board asks of a figure that says how many squares it covers.
_BESIDE_A_SIZE = frozenset(("overhang",))


def find(context: Context) -> Iterator[Diagnostic]:
    """Every field that is only given or written."""
    for kind in context.work.table.kinds.values():
        if not isinstance(kind, (KindSymbol, TraitSymbol)):
            continue
        for symbol in kind.fields.values():
            if symbol.decl is not None and in_main(context, symbol.origin) and not _is_read(context, symbol):
                yield report(
                    CHECK, context, symbol, f"nothing reads the field `{symbol.name}` of `{kind.name}`",
                    "read it somewhere, or take it away",
                )  # fmt: skip


def _is_read(context: Context, symbol: FieldSymbol) -> bool:
    name = f"{symbol.owner}.{symbol.name}"
    if is_used(context, "field", name) or is_used(context, "late", symbol.name):
        return True
    if _redeclared_and_read(context, symbol):
        return True
    if isinstance(symbol.decl, t.TrackDecl) and symbol.decl.hooks:
        return ("field", name) in index(context).writers
    if context.work.is_a(symbol.owner, "Ending"):
        # The report and the story graph show what the last page says.
        return True
    return "lasting" in symbol.flags or "lends all" in symbol.flags or _for_others(context, symbol)


def _redeclared_and_read(context: Context, symbol: FieldSymbol) -> bool:
    """A kind below may narrow a field of a kind above: reading the one reads the other."""
    work = context.work
    for kind in (*work.lineage(symbol.owner), *work.descendants(symbol.owner)):
        if kind != symbol.owner and is_used(context, "field", f"{kind}.{symbol.name}"):
            return True
    return False


def _for_others(context: Context, symbol: FieldSymbol) -> bool:
    bare = strip(symbol.type)
    while bare.tag in ("list", "set"):
        bare = strip(bare.of[0])
    if bare.tag in _READ_BY_OTHERS:
        return True
    if symbol.name in _BESIDE_A_SIZE:
        return any(
            strip(other.type).tag == "size" for other in context.work.all_fields(symbol.owner).values()
        )
    # A thing decides through its field of a role, and the board knows the directions.
    return bare.tag == "thing" and (bare.name == "Direction" or context.work.is_role(bare.name))


CHECK = Check(
    code="F421",
    name="unused-field",
    severity="warning",
    why="""Every thing of a kind carries its fields. A field that no rule, value, text or label reads
    makes no difference, whatever is written into it. Texts, plans and arrows are read by people and by
    the board and are not counted."""
    + WHY_SYSTEMS,
    bad="""
    kind Boat:
        seats: int = 4
        colour: red | blue = red  # <-
    Boat punt
    track hope 0..9 start 4
    action game: hope + punt.seats
    """,
    good="""
    kind Boat:
        seats: int = 4
    Boat punt
    track hope 0..9 start 4
    action game: hope + punt.seats
    """,
    find=find,
)
