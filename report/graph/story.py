"""The story of a document as nodes and ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talewright.schemas.records import record


@record(frozen=True)
class Node:
    """A chapter or an ending."""

    id: str
    title: str
    kind: str
    ending: bool
    result: str


@record(frozen=True)
class Way:
    """All edges from one node to another that come from the same card, or from none."""

    source: str
    target: str
    labels: tuple[str, ...]
    via: str


@record(frozen=True)
class Story:
    """The nodes in the order of the document, and the ways between them."""

    nodes: tuple[Node, ...]
    ways: tuple[Way, ...]


def read_story(document: Mapping[str, Any]) -> Story:
    """The story of a document; edges between the same two nodes become one way with several labels."""
    story = document["story"]
    nodes = {
        node["id"]: Node(
            node["id"],
            node.get("title") or node["id"],
            node.get("kind", ""),
            bool(node.get("ending")),
            node.get("result") or "",
        )
        for node in story["nodes"]
    }
    labels: dict[tuple[str, str, str], list[str]] = {}
    for edge in story["edges"]:
        for end in (edge["from"], edge["to"]):
            nodes.setdefault(end, Node(end, end or "anywhere", "", False, ""))
        there = labels.setdefault((edge["from"], edge["to"], edge.get("via") or ""), [])
        label = edge.get("label") or ""
        if label and label not in there:
            there.append(label)
    ways = tuple(Way(source, target, tuple(texts), via) for (source, target, via), texts in labels.items())
    return Story(tuple(nodes.values()), ways)
