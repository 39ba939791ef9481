"""Walks over nodes: the children of a node, all its descendants, and the locals it binds or reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any

from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.forms import (
    Either,
    Form,
    Listed,
    Nodes,
    Nullable,
    OwnLocals,
    Row,
    Table,
    all_classes,
    parts,
)
from talewright.schemas.nodes.leaves import BindsLocal
from talewright.schemas.nodes.names import LocalRef

Wanted = type[Nodes | BindsLocal]
Gather = Callable[[Any, list[Any]], None]
Rows = list[tuple[Callable[[Node], Any], Gather]]


def children(node: Node) -> list[Node]:
    """The nodes right below a node, in the order of its parts."""
    found: list[Node] = []
    for held, gather in _gatherers(Nodes)[type(node)]:
        gather(held(node), found)
    return found


def binders(node: Node) -> list[int]:
    """The numbers of the locals that a node itself binds."""
    found: list[int] = []
    for held, gather in _gatherers(BindsLocal)[type(node)]:
        gather(held(node), found)
    return found


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, each before what is in it."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(children(one)))


def free_locals(*nodes: object) -> list[int]:
    """The locals that some nodes read but do not bind themselves; what is no node reads none."""
    bound: set[int] = set()
    read: set[int] = set()
    for node in nodes:
        for inner in walk(node) if isinstance(node, Node) else ():
            bound.update(binders(inner))
            if isinstance(inner, LocalRef):
                read.add(inner.number)
    return sorted(read - bound)


@cache
def _gatherers(wanted: Wanted) -> dict[type[Node], Rows]:
    """For each class, the parts in which the wanted nodes can occur."""
    return {cls: _rows(cls, wanted) for cls in all_classes()}


def _rows(cls: type[Node], wanted: Wanted) -> Rows:
    found: Rows = []
    for each in parts(cls):
        gather = _gather(each.form, wanted)
        if gather is not None:
            found.append((attrgetter(each.part.name), gather))
    return found


def _gather(form: Form, wanted: Wanted) -> Gather | None:
    if isinstance(form, wanted):
        return _one
    match form:
        case Listed(item):
            inner = _gather(item, wanted)
            return None if inner is None else _many if inner is _one else _each(inner)
        case Table(item):
            inner = _gather(item, wanted)
            return None if inner is None else _values(inner)
        case Row(items):
            return _row([_gather(item, wanted) for item in items])
        case Nullable(item) | OwnLocals(item):
            return _gather(item, wanted)
        case Either(first, second):
            return _alternative if _gather(first, wanted) or _gather(second, wanted) else None
        case _:
            return None


def _one(held: Any, found: list[Any]) -> None:
    if held is not None:
        found.append(held)


def _many(held: Any, found: list[Any]) -> None:
    found.extend(one for one in held or () if one is not None)


def _each(inner: Gather) -> Gather:
    def gather(held: Any, found: list[Any]) -> None:
        for one in held:
            inner(one, found)

    return gather


def _values(inner: Gather) -> Gather:
    def gather(held: Any, found: list[Any]) -> None:
        for one in held.values():
            inner(one, found)

    return gather


def _row(inner: list[Gather | None]) -> Gather | None:
    if not any(inner):
        return None

    def gather(held: Any, found: list[Any]) -> None:
        for one, each in zip(held or (), inner, strict=False):
            if each is not None:
                each(one, found)

    return gather


def _alternative(held: Any, found: list[Any]) -> None:
    # Only one of the two is a node; the other is a text or a number.
    if isinstance(held, Node):
        found.append(held)
