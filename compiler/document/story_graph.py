"""The story graph: chapters, endings, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ThingDeclaration
from talewright.schemas.nodes.document import Content, Story, StoryEdge, StoryNode
from talewright.schemas.nodes.literals import WordLiteral
from talewright.schemas.nodes.names import ThingRef
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.statements import GoTo
from talewright.schemas.nodes.things import Edges


def story(work: FactRecorder, content: Content) -> Story:
    """Nodes and edges of the story; edges that a card adds say so by `via`."""
    pages = {
        thing.id: thing
        for thing in content.things
        if work.is_a(thing.kind, "Chapter") or work.is_a(thing.kind, "Ending")
    }
    edges: dict[StoryEdge, None] = {}

    def add(start: str, end: str, label: str, via: str | None = None) -> None:
        if end in pages:
            edges[StoryEdge(start if start in pages else "", end, label, via)] = None

    for thing in content.things:
        for end, label in _leads(thing):
            add(thing.id, end, label, None if thing.id in pages else thing.id)
    for action in content.actions:
        for end in _targets(action):
            add(action.chapter or "", end, action.verb)
    for rule in content.rules:
        for end in _targets(rule):
            add("", end, rule.id if isinstance(rule, OfferRule) else "")
    for track in content.tracks:
        for end in _targets(track):
            add(track.chapter or "", end, track.id)
    for kind in content.kinds:
        for end in _targets(kind):
            add("", end, kind.id)
    return Story(tuple(_page(work, page) for page in pages.values()), tuple(edges))


def _page(work: FactRecorder, page: ThingDeclaration) -> StoryNode:
    result = page.fields.get("result")
    return StoryNode(
        page.id,
        page.id if page.title is None else page.title,
        page.kind,
        work.is_a(page.kind, "Ending"),
        result.value if isinstance(result, WordLiteral) else None,
    )


def _leads(thing: ThingDeclaration) -> Iterator[tuple[str, str]]:
    """Where a thing's edges and code lead."""
    for name, value in thing.fields.items():
        if isinstance(value, Edges):
            for row in value.rows:
                if isinstance(row.to, ThingRef):
                    yield row.to.id, "otherwise" if row.otherwise else name if row.id is None else row.id
        else:
            for end in _things_in(value):
                yield end, name
    for part in (*thing.traits, *thing.faces, *thing.cast, *thing.ends, *thing.rules):
        for end in _targets(part):
            yield end, "rule"


def _things_in(node: Node) -> Iterator[str]:
    return (inner.id for inner in walk(node) if isinstance(inner, ThingRef))


def _targets(node: Node) -> Iterator[str]:
    """The pages that `go to` names in a piece of code."""
    for inner in walk(node):
        if isinstance(inner, GoTo):
            yield from _things_in(inner.target)
