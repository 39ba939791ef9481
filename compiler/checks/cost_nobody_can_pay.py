"""A cost that no payment can ever cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._content_walks import IR, own_things
from talewright.compiler.checks._payments import Sign, Way, sign_of, uncovered, ways
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic

# A modifier of these forms may make a cost smaller or another one.
_LESSENS = frozenset(("-", "=", "without", "at most"))
# Nobody prints a longer cost; matching one would take its time.
_LONGEST = 60


def find(context: Context) -> Iterator[Diagnostic]:
    """Things whose cost asks for symbols that nothing pays, or for more than there is to pay with."""
    paid = _paid_fields(context)
    if not paid:
        return
    made = {node["kind"] for node, _ in index(context).of("new")}
    payments = {entry["id"]: ways(context, entry, made) for entry in context.content["payments"]}
    for thing in own_things(context):
        for name, value in thing.get("fields", {}).items():
            field = context.work.field_of(thing["kind"], name)
            using = paid.get((field[0].owner, name)) if field is not None else None
            symbols = _symbols(value)
            if not using or not symbols:
                continue
            leftovers = [uncovered(symbols, payments.get(payment, [])) for payment in sorted(using)]
            if all(leftovers):
                yield _finding(context, thing, name, symbols, leftovers[0], payments.get(min(using), []))


def _finding(
    context: Context, thing: IR, name: str, symbols: list[Sign], left: list[Sign], lines: list[Way]
) -> Diagnostic:
    shown = f"the `{name}` of `{thing['id']}`"
    alone = next((sign for sign in left if not any(way.covers(sign) for way in lines)), None)
    if alone is not None:
        return CHECK.finding(
            context.span(thing["at"]),
            f"nobody can pay {shown}: nothing covers `{alone[1]}`",
            "put the symbol on a die, or add a line for it to the payment",
        )
    most = len(symbols) - len(left)
    return CHECK.finding(
        context.span(thing["at"]),
        f"nobody can pay {shown}: of its {len(symbols)} symbols at most {most} can be covered",
        "lower the cost, or let the payment use more",
    )


def _symbols(value: Any) -> list[Sign]:
    """The fixed symbols of a cost; nothing when some of them are worked out in play."""
    if not isinstance(value, dict) or value.get("op") != "set" or len(value["items"]) > _LONGEST:
        return []
    signs = [sign_of(item) for item in value["items"]]
    return [sign for sign in signs if sign is not None] if None not in signs else []


def _paid_fields(context: Context) -> dict[tuple[str, str], set[str]]:
    """The fields that hold costs, by owner and name, with the payments that are used for them."""
    found: dict[tuple[str, str], set[str]] = {}
    if not context.content["payments"]:
        return found
    lessened = {
        node.get("value") or (node.get("owner"), node.get("field"))
        for node in index(context).rules_of("modify")
        if node["change"] in _LESSENS
    }
    values = {value["id"]: value for value in context.content["values"]}
    for node, _ in index(context).of("core_call"):
        if node["verb"] != "pay":
            continue
        using = node["args"].get("using", {})
        if using.get("op") != "payment":
            continue
        for field in _fields(node["args"].get("first"), values, lessened):
            found.setdefault(field, set()).add(using["id"])
    return found


def _fields(cost: Any, values: dict[str, IR], lessened: set[Any]) -> Iterator[tuple[str, str]]:
    """The field a cost is read from, directly or through values that nothing lessens."""
    for _ in range(8):
        if not isinstance(cost, dict):
            return
        match cost.get("op"):
            case "field":
                key = (cost["owner"], cost["name"])
                if key not in lessened:
                    yield key
                return
            case "value" if cost["id"] not in lessened:
                cost = values.get(cost["id"], {}).get("value")
            case _:
                return


CHECK = Check(
    code="C505",
    name="cost-nobody-can-pay",
    severity="warning",
    why="""A `payment` says which dice, things and tokens cover a symbol. A cost with a symbol that
    none of them can show, or with more symbols than all of them together can cover, is never paid: what
    it buys is never bought.""",
    bad="""
    kind Symbol
    Symbol sun, moon, star
    die Fate * 3:
        faces: sun, sun, moon, moon
    bag dice of Fate = all Fate
    kind Deed is Card:
        cost: list of Symbol
    Deed wish "Wish": cost: sun, star  # <-
    payment fates:
        Fate d for s when d.face is s
    action game:
        for each d in Deed: pay d.cost from dice using fates
    """,
    good="""
    kind Symbol
    Symbol sun, moon, star
    die Fate * 3:
        faces: sun, sun, moon, star
    bag dice of Fate = all Fate
    kind Deed is Card:
        cost: list of Symbol
    Deed wish "Wish": cost: sun, star
    payment fates:
        Fate d for s when d.face is s
    action game:
        for each d in Deed: pay d.cost from dice using fates
    """,
    find=find,
)
