"""Values that need themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index, plain_id
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]

# Parts that are read only sometimes: a set may be empty, a condition settled by its first half.
_SOMETIMES: dict[str, tuple[str, ...]] = {
    "pick": ("yes", "no"), "and": ("b",), "or": ("b",), "filter": ("test",), "each": ("body",),
    "best": ("keys",), "sorted": ("keys",), "base": ("of",), "ask": ("call",),
}  # fmt: skip


def find(context: Context) -> Iterator[Diagnostic]:
    """Every ring of values each of which always reads the next."""
    needs, places = _needs(context)
    done: set[str] = set()
    for start in needs:
        if start in done:
            continue
        path: list[str] = []
        stack: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(needs[start])))]
        path.append(start)
        while stack:
            name, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                path.pop()
                done.add(name)
            elif following in path:
                yield _finding(context, path[path.index(following) :], places)
            elif following in needs and following not in done:
                path.append(following)
                stack.append((following, iter(sorted(needs[following]))))


def _finding(context: Context, ring: list[str], places: dict[str, int]) -> Diagnostic:
    chain = " needs ".join(f"`{name.rpartition(':')[2]}`" for name in (*ring, ring[0]))
    first = min(ring, key=lambda name: context.work.spots[places[name]])
    return CHECK.finding(
        context.span(places[first]),
        f"this value can never be worked out: {chain}",
        "give one of them an answer that does not need the others, or read `base(...)` in a `modify`",
    )


def _needs(context: Context) -> tuple[dict[str, set[str]], dict[str, int]]:
    needs: dict[str, set[str]] = {}
    places: dict[str, int] = {}
    overloaded = {plain_id(v["id"]) for v in context.content.get("values", ()) if "#" in v["id"]}
    for value in context.content.get("values", ()):
        name = value["id"]
        if name in places or plain_id(name) in overloaded or "value" not in value:
            continue
        places[name] = value["at"]
        needs[name] = _always_read(value["value"])
    for rule in index(context).rules:
        changed = rule.ir.get("value")
        plain = (
            not rule.nested and not rule.unit.owner_form and "when" not in rule.ir and "while" not in rule.ir
        )
        if rule.ir["rule"] == "modify" and plain and changed in needs:
            needs[changed] |= _always_read(rule.ir["amount"])
    return needs, places


def _always_read(code: IR) -> set[str]:
    found: set[str] = set()
    stack: list[Any] = [code]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            op = item.get("op", "")
            if op == "value":
                found.add(item["id"])
            skipped = _SOMETIMES.get(op, ())
            stack.extend(value for key, value in item.items() if key not in skipped)
    return found


CHECK = Check(
    code="F434",
    name="value-needs-itself",
    severity="error",
    why="""A value is worked out from other values. If working it out always needs the value itself, there
    is no answer. A value may ask for itself only where something ends the chain: in one branch of an
    `if`, or behind a `where`. In a `modify`, `base(...)` reads a value without what changes it.""",
    bad="""
    value might = reach + 1  # <-
    value reach = might - 1
    """,
    good="""
    track courage 0..9 start 2
    value might = reach + 1
    value reach = courage
    """,
    find=find,
)
