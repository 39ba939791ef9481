"""Breaking a document on purpose, in one place at a time: what no test notices is not tested.

A break takes a rule or a statement away, drops a condition, or moves a number by one. The document itself is left as
it is; `broken` gives another that shares with it all that is not on the way to the broken place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, cast

from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.proving.advice import Advice
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes.components import Container
from talewright.schemas.nodes.declaration import Construct, Node
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.document import Content, Document, spot_of
from talewright.schemas.nodes.literals import IntLiteral, Text
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.statements import Choose, CoreCall, DoNothing, Let, Requires
from talewright.schemas.records import record, replace
from talewright.schemas.records import replace as changed

# Where behaviour lives. Tests, checks and measures look at a game; they are no part of it. Hints for bots stand among the
# values, and are left out with all that only they ask for.
PARTS: Final = (
    "actions", "anytime", "kinds", "menus", "payments", "periods", "rules", "states", "tables", "things", "tracks",
    "traits", "values",
)  # fmt: skip
# Without them a name means nothing.
NEEDED: Final = (Choose, Let, DoNothing)
HEAD: Final = (Choose, Let, Requires)
NEIGHBOURS: Final[dict[type[Node], type[Node]]] = {o.Ge: o.Gt, o.Gt: o.Ge, o.Le: o.Lt, o.Lt: o.Le}
SIGNS: Final[dict[type[Node], str]] = {o.Ge: ">=", o.Gt: ">", o.Le: "<=", o.Lt: "<"}

WITHOUT_LINE: Final = "without this line"
WITHOUT_RULE: Final = "without this rule"
WITHOUT_FIRST: Final = "without the first of these conditions"
WITHOUT_LAST: Final = "without the last of these conditions"
UNASKED: Final = "without its `when`"
CONDITIONS: Final = frozenset({WITHOUT_FIRST, WITHOUT_LAST})

# From the content down: names of parts, positions in tuples, keys of tables.
Path = tuple[str | int, ...]


@record(frozen=True)
class Break:
    """One place of a document, and what is done to it there."""

    path: Path
    what: str
    at: int
    action: str = ""
    """The action the place belongs to, if it is part of one: only tests that call it can notice."""


def breaks(content: Content) -> Iterator[Break]:
    """Every way to break a document in one place that matters to somebody who plays."""
    advice = Advice(content)
    for found in _everywhere(content):
        if not advice.holds(content, found.path):
            yield found


def _everywhere(content: Content) -> Iterator[Break]:
    for part in PARTS:
        for index, item in enumerate(cast(tuple[Construct, ...], getattr(content, part))):
            at = spot_of(item, NOWHERE)
            if part == "rules":
                yield Break((part, index), WITHOUT_RULE, at)
            for found in _inside(item, (part, index), at):
                yield replace(found, action=item.id) if _only_called(item, found.path) else found  # type: ignore[attr-defined]


def inside(held: object) -> Iterator[tuple[str | int, object]]:
    """What is right inside a node, a tuple or a table, each with the step that leads there."""
    if isinstance(held, Node):
        for each in type(held).declared.parts:
            yield each.name, getattr(held, each.name)
    elif isinstance(held, tuple):
        yield from enumerate(held)
    elif isinstance(held, Mapping):
        yield from held.items()


def with_inside(held: object, step: str | int, made: object) -> object:
    """The same node, tuple or table with something else inside."""
    if isinstance(held, Node):
        return changed(held, **{str(step): made})
    if isinstance(held, tuple):
        assert isinstance(step, int)
        return (*held[:step], made, *held[step + 1 :])
    assert isinstance(held, Mapping)
    return MappingProxyType({**held, step: made})


def is_rule(node: object) -> bool:
    """Whether a node is a rule."""
    return isinstance(node, Node) and type(node).declared.tag == "rule"


def _only_called(item: Node, path: Path) -> bool:
    """Whether a place is in the body of an action; its head is asked by `possible` and by menus too."""
    if not isinstance(item, ActionDeclaration) or len(path) < 4 or path[2] != "body":
        return False
    position = path[3]
    assert isinstance(position, int)
    return not isinstance(item.body[position], HEAD)


def _inside(node: object, path: Path, at: int, offered: bool = False) -> Iterator[Break]:
    # What people read is not what happens: texts are left alone, whatever the field is called.
    if isinstance(node, Text):
        return
    if isinstance(node, Node):
        at = spot_of(node, at)
        yield from _changes(node, path, at)
    for step, held in inside(node):
        # That one thing fits into a slot is what a slot means; nobody wrote the number.
        if step == "most" and isinstance(node, Container) and node.form == "slot":
            continue
        here = (*path, step)
        if isinstance(node, tuple) and is_statement(held) and not offered:
            yield Break(here, WITHOUT_LINE, spot_of(held, at))
        if step == "rules" and isinstance(held, tuple):
            for index, rule in enumerate(held):
                yield Break((*here, index), WITHOUT_RULE, spot_of(rule, at))
        # An offer without what it does is no offer: it goes as a whole.
        yield from _inside(held, here, at, offered=isinstance(node, OfferRule) and step == "body")


def is_statement(node: object) -> bool:
    """Whether a node is a line that can be left out."""
    if not isinstance(node, Node) or not isinstance(getattr(node, "at", None), int):
        return False
    declared = type(node).declared
    if declared.tag != "op" or not declared.word or isinstance(node, NEEDED):
        return False
    return not (isinstance(node, CoreCall) and node.verb == "say")


def _changes(node: Node, path: Path, at: int) -> Iterator[Break]:
    """What can be done to a node itself."""
    if isinstance(node, IntLiteral):
        yield Break(path, f"{node.value + 1} instead of {node.value}", at)
    elif type(node) in NEIGHBOURS:
        yield Break(path, f"`{SIGNS[NEIGHBOURS[type(node)]]}` instead of `{SIGNS[type(node)]}`", at)
    elif isinstance(node, o.And):
        yield Break(path, WITHOUT_FIRST, at)
        yield Break(path, WITHOUT_LAST, at)
    if is_rule(node) and getattr(node, "when", None) is not None:
        yield Break((*path, "when"), UNASKED, at)


def broken(document: Document, found: Break) -> Document:
    """The document with one place broken."""
    return changed(document, content=_rebuilt(document.content, found.path, found.what))


def _rebuilt(held: object, path: Path, what: str) -> object:
    step, rest = path[0], path[1:]
    inner = held[step] if isinstance(held, tuple | Mapping) else getattr(held, str(step))  # type: ignore[index]
    if rest:
        return with_inside(held, step, _rebuilt(inner, rest, what))
    if what == WITHOUT_RULE:
        assert isinstance(held, tuple)
        assert isinstance(step, int)
        return (*held[:step], *held[step + 1 :])
    if what == UNASKED:
        return with_inside(held, step, None)
    if what == WITHOUT_LINE:
        return with_inside(held, step, DoNothing())
    return with_inside(held, step, altered(inner, what))


def altered(node: object, what: str) -> Node:
    """A number, comparison or pair of conditions as a break leaves it."""
    match node:
        case IntLiteral():
            return IntLiteral(node.value + 1)
        case o.And():
            return cast(Node, node.right if what == WITHOUT_FIRST else node.left)
        case o.Ge() | o.Gt() | o.Le() | o.Lt():
            return NEIGHBOURS[type(node)](node.left, node.right)  # type: ignore[call-arg]
    raise AssertionError(f"{type(node).__name__} cannot be altered")
