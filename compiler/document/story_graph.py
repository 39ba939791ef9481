"""The story graph: chapters, endings, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.lower.elaborator import Elaborator


def story(work: Elaborator, content: dict[str, Any]) -> dict[str, Any]:
    """Nodes and edges of the story; edges that a card adds say so by `via`."""
    pages = {
        thing["id"]: thing
        for thing in content["things"]
        if work.is_a(thing["kind"], "Chapter") or work.is_a(thing["kind"], "Ending")
    }
    nodes = []
    for page in pages.values():
        node: dict[str, Any] = {
            "id": page["id"],
            "title": page.get("title", page["id"]),
            "kind": page["kind"],
            "ending": work.is_a(page["kind"], "Ending"),
        }
        result = page.get("fields", {}).get("result")
        if isinstance(result, dict) and result.get("op") == "word":
            node["result"] = result["v"]
        nodes.append(node)
    edges: list[dict[str, Any]] = []
    seen: set[tuple[str, str, str, str]] = set()

    def add(start: str, end: str, label: str, via: str = "") -> None:
        key = (start, end, label, via)
        if end in pages and key not in seen:
            seen.add(key)
            edge = {"from": start, "to": end, "label": label}
            edges.append({**edge, "via": via} if via else edge)

    for thing in content["things"]:
        owner = thing["id"]
        for end, label in _leads(thing):
            add(owner if owner in pages else "", end, label, "" if owner in pages else owner)
    for name, part in (
        ("action", content["actions"]),
        ("rule", content["rules"]),
        ("track", content["tracks"]),
    ):
        del name
        for item in part:
            start = item.get("chapter", "")
            for end in _targets(item):
                add(start if start in pages else "", end, str(item.get("verb", item.get("id", ""))))
    for kind in content["kinds"]:
        for end in _targets(kind):
            add("", end, kind["id"])
    return {"nodes": nodes, "edges": edges}


def _leads(thing: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where a thing's edges and code lead."""
    fields = thing.get("fields", {})
    for name, value in fields.items():
        if isinstance(value, dict) and value.get("op") == "edges":
            for row in value["rows"]:
                target = row.get("to")
                if isinstance(target, dict) and target.get("op") == "thing":
                    label = "otherwise" if row.get("otherwise") else row.get("id", name)
                    yield target["id"], label
        elif name in ("fates", "next", "success", "opening") or isinstance(value, dict):
            for end in _things_in(value):
                yield end, name
    for end in _targets({k: v for k, v in thing.items() if k != "fields"}):
        yield end, "rule"


def _things_in(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "thing":
                yield item["id"]
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _targets(item: Any) -> Iterator[str]:
    """The pages that `go to` names in a piece of code."""
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("op") == "go_to":
                yield from _things_in(node["target"])
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
