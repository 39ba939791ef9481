"""What is drawn and never put anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._content_walks import IR, is_own
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index, is_whole, nodes_in
from talewright.dsl.diagnostics import Diagnostic

# What only looks at a thing: its fields, what it is, what it is called.
_LOOKS = frozenset(
    (
        "field",
        "prop",
        "late",
        "is_none",
        "is_kind",
        "is_sort",
        "is_trait",
        "is_face",
        "same",
        "show",
        "tokens",
    )
)


def find(context: Context) -> Iterator[Diagnostic]:
    """Every draw from a pile whose cards nothing moves on afterwards."""
    if not is_whole(context):
        return
    returning = {pile["id"] for pile in context.content["piles"] if pile.get("returning")}
    drawing = {unit.number: unit for call, unit in index(context).of("core_call") if _goes_nowhere(call)}
    for unit in drawing.values():
        if unit.form == "test":
            continue
        for holder, call, local in _draws(unit.ir):
            source = call["args"].get("from", {})
            if source.get("op") != "pile" or source["id"] in returning or not is_own(context, holder["at"]):
                continue
            if local is None or _only_looked_at(unit.ir, local):
                yield CHECK.finding(
                    context.span(holder["at"]),
                    f"nothing moves what is drawn from `{source['id']}` here: it lies nowhere from then on",
                    "say where it goes: `draw ... into`, or `move` or `discard` it afterwards",
                )


def _draws(code: Any) -> Iterator[tuple[IR, IR, int | None]]:
    """Each draw that does not say where to: the statement, the call, and the local that holds what was drawn."""
    for node in nodes_in(code):
        for body in (part for part in node.values() if isinstance(part, list)):
            for statement in body:
                if not isinstance(statement, dict):
                    continue
                if _goes_nowhere(statement):
                    yield statement, statement, None
                value = statement.get("value")
                if statement.get("op") == "let" and isinstance(value, dict) and _goes_nowhere(value):
                    yield statement, value, statement["n"]


def _goes_nowhere(node: IR) -> bool:
    return (
        node.get("op") == "core_call"
        and node.get("verb") == "draw"
        and "at" in node
        and not node["args"].keys() & {"into", "under"}
    )


def _only_looked_at(code: Any, local: int) -> bool:
    """Whether a local is read nowhere but where it is looked at."""
    return not any(
        _names(part, local)
        for node in nodes_in(code)
        if node.get("op") not in _LOOKS
        for value in node.values()
        for part in (value if isinstance(value, list) else (value,))
    )


def _names(part: Any, local: int) -> bool:
    return isinstance(part, dict) and part.get("op") == "local" and part.get("n") == local


CHECK = Check(
    code="F447",
    name="drawn-and-left",
    severity="warning",
    why="""What is drawn without `into` is turned up and lies nowhere until something moves it. Here nothing does, so
    that the card is out of the game after it was looked at, and the pile grows smaller with every draw. To look at
    a card without taking it, read the `top` of the pile.""",
    bad="""
    kind Omen is Card:
        force: int = 1
    Omen gale "A Gale" * 5
    deck weather of Omen = all Omen
    track danger 0..9 start 0
    action storm:
        shuffle weather
        let omen = do draw from weather  # <-
        danger + omen.force
    """,
    good="""
    kind Omen is Card:
        force: int = 1
    Omen gale "A Gale" * 5
    deck weather of Omen = all Omen
    pile old_weather of Omen
    track danger 0..9 start 0
    action storm:
        shuffle weather
        let omen = do draw from weather
        danger + omen.force
        move omen to old_weather
    """,
    find=find,
)
