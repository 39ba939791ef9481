"""The nodes of a document that somebody looks for, found in one walk over it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from talewright.schemas.node_walk import children
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import KindDeclaration, ThingDeclaration, TraitDeclaration
from talewright.schemas.nodes.names import ChapterRef, TraitRef
from talewright.schemas.nodes.operators import During
from talewright.schemas.nodes.queries import CoreFunctionCall, NewThing
from talewright.schemas.nodes.reads import FieldOf, Property
from talewright.schemas.nodes.statements import (
    Assign,
    Change,
    CoreCall,
    Extend,
    Fill,
    GoTo,
    Shrink,
    Stop,
    Until,
)
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import field, record

WANTED: Final = frozenset(
    (
        Assign,
        Change,
        CoreCall,
        CoreFunctionCall,
        During,
        Extend,
        Fill,
        GoTo,
        NewThing,
        Shrink,
        Stop,
        TraitRef,
        Until,
    )
)


@record(frozen=True)
class Surroundings:
    """Where a node stands."""

    locals: tuple[object, ...] | None = None
    """The local names of the piece of code around it."""
    owner: str = ""
    """The kind or trait whose text it is part of."""

    @property
    def types(self) -> dict[int, Type]:
        """The types of the local names by their number."""
        return {number: getattr(local, "type", ANY) for number, local in enumerate(self.locals or ())}


NOWHERE: Final = Surroundings()


@record(frozen=True)
class Index:
    """Nodes in the order of the document, each before what is in it."""

    nodes: list[Node] = field(default_factory=list)
    around: dict[int, Surroundings] = field(default_factory=dict)
    """Where each `until` and each call of a function of the core stands, by its identity."""


def index_of(content: Node) -> Index:
    """Walks over the whole content."""
    index = Index()
    _visit((content,), NOWHERE, index)
    return index


def _visit(nodes: Iterable[Node], here: Surroundings, index: Index) -> None:
    for node in nodes:
        inside = here
        locals_ = getattr(node, "locals", None)
        if locals_ is not None:
            inside = Surroundings(locals_, inside.owner)
        if isinstance(node, KindDeclaration | TraitDeclaration):
            inside = Surroundings(inside.locals, node.id)
        elif isinstance(node, ThingDeclaration):
            inside = Surroundings(inside.locals, node.kind)
        if type(node) in WANTED:
            index.nodes.append(node)
            if isinstance(node, Until | CoreFunctionCall):
                index.around[id(node)] = inside
        elif isinstance(node, FieldOf | Property) and isinstance(node.of, ChapterRef):
            # What is wanted only where it is read off the present chapter.
            index.nodes.append(node)
        below = children(node)
        if below:
            _visit(below, inside, index)
