"""Finds code that is nested too deeply for a document."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source
from talewright.schemas.limits import MAX_DEPTH

_DEPTH_ABOVE = 3  # the document, its content, and the section a declaration stands in


def nested_too_deep(
    work: FactRecorder, document: dict[str, Any], sources: dict[str, Source]
) -> list[Diagnostic]:
    """One finding for each declaration whose code is nested too deeply."""
    if _depth(document) <= MAX_DEPTH:
        return []
    found = []
    for items in document["content"].values():
        for item in items if isinstance(items, list) else ():
            if "at" in item and _depth(item) > MAX_DEPTH - _DEPTH_ABOVE:
                name, start, end = work.spots[item["at"]]
                from talewright.schemas.problems import NAMES

                message = "this is nested too deeply for a document"
                help = "move the inner blocks into actions of their own, and long expressions into values"
                span = sources[name].span(start, end)
                found.append(Diagnostic("D804", NAMES["D804"], "error", message, span, help))
    return found


def _depth(value: Any) -> int:
    """How many levels of lists and objects there are, found level by level."""
    depth = 0
    level = [value]
    while level:
        depth += 1
        inner: list[Any] = []
        for item in level:
            inner.extend(item.values() if isinstance(item, dict) else item)
        level = [item for item in inner if isinstance(item, (dict, list))]
    return depth
