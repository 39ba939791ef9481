"""Parameters that make no difference."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, in_main, is_used
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import Index, index, plain_id, weight
from talewright.compiler.symbols.symbol_table import ActionSymbol, Origin, TraitSymbol, ValueSymbol
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.tree import nodes as t

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every parameter that neither the body nor any rule reads, beside others that are read."""
    seen = index(context)
    hooked = _read_by_rules(seen)
    units = {(unit.form, unit.id): unit for unit in seen.units if unit.form in ("action", "value")}
    table = context.work.table
    for actions in table.verbs.values():
        for symbol in actions:
            unit = units.get(("action", symbol.id))
            if unit is not None and in_main(context, symbol.origin):
                params = [param["n"] for param in unit.ir["params"]]
                yield from _idle(context, symbol, params, unit.locals_read, hooked.get(symbol.id, set()))
    for group in table.functions.values():
        for function in group:
            value = units.get(("value", function.id)) if isinstance(function, ValueSymbol) else None
            if value is not None and isinstance(function, ValueSymbol) and in_main(context, function.origin):
                read = hooked.get(function.id, set())
                # A system's values are there to be modified, and a way of moving has three parameters.
                if weight(context) != "info" and not is_used(context, "way", plain_id(function.id)):
                    yield from _idle(context, function, value.ir["params"], value.locals_read, read)
    for trait in table.kinds.values():
        if isinstance(trait, TraitSymbol) and in_main(context, trait.origin):
            yield from _traits(context, trait)


def _idle(
    context: Context,
    symbol: ActionSymbol | ValueSymbol,
    locals_: list[int],
    read: Collection[int],
    hooked: set[int],
) -> Iterator[Diagnostic]:
    decl = symbol.decl
    nodes = [*([decl.first] if isinstance(decl, t.ActionDecl) and decl.first is not None else [])]
    nodes.extend(p for _, p in decl.parts) if isinstance(decl, t.ActionDecl) else nodes.extend(decl.params)
    # A body that reads none of them is a place for rules to step in.
    if not any(number in read for number in locals_):
        return
    for index_, (node, number) in enumerate(zip(nodes, locals_, strict=True)):
        if number not in read and index_ not in hooked:
            yield _finding(context, symbol.origin, node, symbol.name)


def _traits(context: Context, trait: TraitSymbol) -> Iterator[Diagnostic]:
    for param in trait.params:
        name = param.name.text
        known = is_used(context, "trait_param", f"{trait.name}.{name}") or is_used(context, "late", name)
        if not known and not is_used(context, "field", f"{trait.name}.{name}"):
            yield _finding(context, trait.origin, param, trait.name)


def _finding(context: Context, origin: Origin, node: t.Param, owner: str) -> Diagnostic:
    return CHECK.finding(
        origin.source.span(node.name.start, node.name.end),
        f"nothing reads the parameter `{node.name.text}` of `{owner}`",
        "use it, or take it away here and in the calls",
        severity=weight(context),
    )


def _read_by_rules(seen: Index) -> dict[str, set[int]]:
    """For each action and value, the positions of the parameters that some rule reads or tests."""
    found: dict[str, set[int]] = {}
    for rule in seen.rules:
        ir, read = rule.ir, rule.unit.locals_read
        if "action" in ir:
            into = found.setdefault(ir["action"], set())
            for slot in ir["slots"]:
                if isinstance(slot["param"], int) and (slot.keys() - {"param", "n"} or slot.get("n") in read):
                    into.add(slot["param"])
        elif ir["rule"] == "modify" and "value" in ir:
            into = found.setdefault(ir["value"], set())
            into.update(place for place, local in enumerate(ir["params"]) if local in read)
    return found


CHECK = Check(
    code="F425",
    name="unused-parameter",
    severity="warning",
    why="""Whoever calls an action or reads a value must say what each parameter is. One that neither the
    body nor any rule looks at makes no difference: either something was forgotten, or the callers are
    asked for too much. Actions and values that look at none of their parameters are left alone; they are
    there for rules to replace."""
    + WHY_SYSTEMS,
    bad="""
    kind Boat:
        seats: int = 4
    Boat punt
    track hope 0..9 start 4
    action game: board punt with 2
    action board b: Boat with guests: int:  # <-
        hope + b.seats
    """,
    good="""
    kind Boat:
        seats: int = 4
    Boat punt
    track hope 0..9 start 4
    action game: board punt with 2
    action board b: Boat with guests: int:
        hope + (b.seats - guests)
    """,
    find=find,
)
