"""Conversions between types, each as the operation that the document writes for it."""

from __future__ import annotations

from talewright.compiler.symbols.scope import IR
from talewright.compiler.types.model import (
    Type,
    is_dice_number,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    strip,
    thing,
)


def convert(ir: IR, source: Type, target: Type) -> IR:
    """The explicit form of a change of type that is allowed."""
    if target.tag in ("set", "list"):
        members = as_members(ir, source, strip(item_of(target)))
        return each_once(members, source) if target.tag == "set" else members
    if target.tag in ("int", "range", "target", "ints"):
        return as_number(ir, source)
    if target.tag == "cell" and source.tag == "any":
        return square_of(ir)
    if target.tag == "pool" and source.tag in ("int", "range", "target", "ints"):
        return {"op": "fixed_dice", "of": ir}
    if target.tag == "pool" and source.tag == "die":
        return one_die(ir)
    return ir


def square_of(ir: IR) -> IR:
    """The square of what may be a figure or a square, such as `a` in `modify sees(a, b)`."""
    return {"op": "prop", "name": "cell", "of": ir}


def each_once(ir: IR, source: Type) -> IR:
    """Members for a set: what may be there more than once, such as a list, goes in once."""
    repeats = source.tag in ("list", "pool") or (ir["op"] == "set" and _may_repeat(ir["items"]))
    return {"op": "core", "fn": "distinct", "args": [ir]} if repeats else ir


def _may_repeat(items: list[IR]) -> bool:
    named = [(item["op"], item.get("id", item.get("v"))) for item in items]
    return len(items) > 1 and (len(set(named)) < len(items) or any(op not in _NAMED for op, _ in named))


_NAMED = frozenset(("thing", "int", "word"))
"""Members that are told apart by their text."""


def one_die(ir: IR) -> IR:
    """A die where dice are wanted."""
    return {"op": "as_pool", "of": {"op": "set", "items": [ir], "drop": True}}


def as_members(ir: IR, source: Type, item: Type) -> IR:
    """Something as members of a set or list; dice go in as numbers where numbers are kept."""
    whole = as_set(ir, source)
    return as_numbers(whole, source) if is_number(item) and not is_dice_number(item) else whole


def as_numbers(ir: IR, kind: Type) -> IR:
    """A set or list with a number for each rolled die, or each roll, that is in it."""
    holds_dice = (is_many(kind) and is_dice_number(strip(item_of(kind)))) or is_dice_number(kind)
    return {"op": "each_die", "of": ir} if holds_dice else ir


def as_added(ir: IR, source: Type, item: Type) -> IR:
    """What is put into a set or list: a roll goes in as one number, unless dice are kept there."""
    if source.tag == "pool" and not is_dice_number(item):
        return {"op": "set", "items": [as_number(ir, source)]}
    return as_members(ir, source, item)


def roll_hint(kind: Type) -> str:
    """The help for dice that stand where a number is needed."""
    return "roll them first: `let n = do roll ...`, and use `n`" if strip(kind).tag == "dice" else ""


def as_number(ir: IR, kind: Type) -> IR:
    """A number out of dice, or the number it"""
    if kind.tag == "pool":
        return {"op": "pool_total", "of": ir}
    if kind.tag == "die":
        return {"op": "die_value", "of": ir}
    return ir


def content(ir: IR, kind: Type) -> tuple[IR, Type]:
    """What a container reads as where something is remembered or picked: a list, or the one thing of a slot."""
    bare = strip(kind)
    if bare.tag != "pile":
        return ir, kind
    if bare.of[1]:
        return {"op": "content", "of": ir}, optional(thing(bare.name))
    return as_set(ir, bare), many(thing(bare.name), "list")


def as_set(ir: IR, kind: Type) -> IR:
    """The members of a container, sort or single thing as a set."""
    if kind.tag == "pile":
        return {"op": "items", "of": ir}
    if kind.tag == "sort":
        return {"op": "copies", "of": ir}
    if kind.tag == "pool":
        return {"op": "pool_dice", "of": ir}
    if kind.tag in ("set", "list", "bands", "any", "none"):
        return ir
    return {"op": "set", "items": [ir], "drop": True}
