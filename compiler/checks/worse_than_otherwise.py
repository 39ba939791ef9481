"""Ways on that lead to a worse end than `otherwise` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic, Label

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every arrow to a page that an ordered field ranks below the page behind `otherwise`."""
    graded = _graded(context.content)
    pages = {thing["id"]: thing.get("fields", {}) for thing in context.content["things"]} if graded else {}
    for node, _ in index(context).of("edges") if graded else ():
        last = next((row for row in node["rows"] if row.get("otherwise")), None)
        if last is None:
            continue
        for row in node["rows"]:
            for name, words in graded.items():
                here, there = (_word(pages, each, name, words) for each in (row, last))
                if here is not None and there is not None and here < there:
                    yield CHECK.finding(
                        context.span(row["at"]),
                        f"this way ends worse than `otherwise`: `{name}` is {words[here]}, not {words[there]}",
                        "let `otherwise` lead to the worst page, or allow the finding and say why",
                        [Label(context.span(last["at"]), f"`{name}` is {words[there]}")],
                    )


def _graded(content: IR) -> dict[str, list[str]]:
    """The fields whose words have an order, each with its words from the least up."""
    ordered = {entry["id"]: entry["words"] for entry in content["types"] if entry["ordered"]}
    found: dict[str, list[str]] = {}
    for kind in content["kinds"]:
        for entry in kind.get("fields", ()):
            type_ = entry["type"]
            if isinstance(type_, list) and type_[0] == "optional":
                type_ = type_[2][0]
            if isinstance(type_, list) and type_[0] == "words" and type_[1] in ordered:
                found[entry["name"]] = ordered[type_[1]]
    return found


def _word(pages: dict[str, IR], row: IR, name: str, words: list[str]) -> int | None:
    """How high the page of an arrow ranks."""
    target = row.get("to")
    field = pages.get(target["id"], {}).get(name) if target and target.get("op") == "thing" else None
    if not isinstance(field, dict) or field.get("op") != "word" or field["v"] not in words:
        return None
    return words.index(field["v"])


CHECK = Check(
    code="F437",
    name="worse-than-otherwise",
    severity="warning",
    why="""`otherwise` is where a chapter leads when nothing was achieved. Where pages are graded, by a field
    whose words have an order, an arrow with a condition should not lead to a worse page than that: whoever
    meets the condition would have done better to fail. Where it is meant, allow it and say why.""",
    bad="""
    type Result = defeat < victory
    extend Ending:
        result: Result
    track hope 0..9 start 4
    Chapter moor "The Moor":
        outcome:
            hope >= 5 -> lost  # <-
            otherwise -> home
    Ending home "Home": result: victory
    Ending lost "Lost": result: defeat
    """,
    good="""
    type Result = defeat < victory
    extend Ending:
        result: Result
    track hope 0..9 start 4
    Chapter moor "The Moor":
        outcome:
            hope >= 5 -> home
            otherwise -> lost
    Ending home "Home": result: victory
    Ending lost "Lost": result: defeat
    """,
    find=find,
)
