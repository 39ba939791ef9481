"""Wordings that leave a parameter out, and actions on cards that have none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._content_walks import is_own, own_parsed, own_things
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span
from talewright.schemas.wording import WordingError, holes, read_wording

IR = dict[str, Any]
_TRAIT = re.compile(r"^trait[ \t]+(\w+)", re.MULTILINE)

# An action of at most so many statements of these sorts reads well as what it does.
_SHORT = 3
_SIMPLE = frozenset(
    ("call", "core_call", "change", "assign", "retrait", "go_to", "if", "choose_one", "until")
)


def find_unmentioned(context: Context) -> Iterator[Diagnostic]:
    """Parameters that the wording of their action, value or trait never shows."""
    for action in context.content["actions"]:
        # Who acts often goes without saying, and so does what a call may leave out; a number never does.
        wanted = [
            param["name"]
            for param in action["params"]
            if (param.get("preposition") != "by" or param["type"] == "int") and "default" not in param
        ]
        known = [param["name"] for param in action["params"]]
        if is_own(context, action["at"]):
            yield from _unmentioned(context.span(action["at"]), action, wanted, known, action["verb"])
    for value in context.content["values"]:
        names = [value["locals"][number]["name"] for number in value["params"]]
        if is_own(context, value["at"]):
            called = value["id"].partition("#")[0]
            yield from _unmentioned(context.span(value["at"]), value, names, names, called)
    traits = {trait["id"]: trait for trait in context.content["traits"]}
    for parsed in own_parsed(context):
        for found in _TRAIT.finditer(parsed.source.text):
            trait = traits.get(found[1])
            if trait is not None:
                names = [param["name"] for param in trait["params"]]
                yield from _unmentioned(parsed.source.span(*found.span(1)), trait, names, names, found[1])


def _unmentioned(
    span: Span, item: IR, wanted: list[str], known: list[str], called: str
) -> Iterator[Diagnostic]:
    """What a wording leaves out of what it should mention; of one that names what is not known, X612 tells."""
    try:
        shown = {hole.name for hole in holes(read_wording(item.get("reads") or ""))}
    except WordingError:
        return
    missing = [name for name in wanted if name not in shown]
    if missing and shown and shown <= {*known, "self"}:
        listed = ", ".join(f"`{name}`" for name in missing)
        yield UNMENTIONED.finding(
            span, f"the wording of `{called}` never mentions {listed}", f"show it: `{{{missing[0]}}}`"
        )


def find_unworded(context: Context) -> Iterator[Diagnostic]:
    """Actions that things of the package use in their effects, too long to be told by what they do."""
    actions = {action["id"]: action for action in context.content["actions"]}
    wanted: dict[str, str] = {}
    for thing in own_things(context):
        for called in _called(thing.get("fields", {})):
            wanted.setdefault(called, thing.get("title") or thing["id"])
    for id_, title in wanted.items():
        action = actions.get(id_)
        if (
            action is not None
            and "reads" not in action
            and is_own(context, action["at"])
            and not _short(action)
        ):
            yield UNWORDED.finding(
                context.span(action["at"]),
                f"`{action['verb']}` stands on “{title}”, and players read only its name there",
                'say how it reads, before the `:`: `reads "..."`',
            )


def _short(action: IR) -> bool:
    body = [one for one in action["body"] if one["op"] not in ("requires", "give")]
    return 0 < len(body) <= _SHORT and all(one["op"] in _SIMPLE for one in body)


def _called(fields: IR) -> Iterator[str]:
    stack: list[Any] = [value for value in fields.values() if isinstance(value, dict)]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("op") == "code" and "reads" in node:
                continue
            if node.get("op") == "call":
                yield node["action"]
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


UNMENTIONED = Check(
    code="X614",
    name="parameter-unmentioned",
    severity="info",
    why="""A wording stands for the whole call. When it leaves out a parameter, two calls that do different
    things read alike. Who acts, and what a call may leave out, often go without saying and are not
    asked for; neither are wordings without any hole.""",
    bad="""
    role Sailor 1..2 named s:
        gold: int = 9
    action pay n: int to s: Sailor reads "{s is|are} paid":  # <-
        s.gold + n
    """,
    good="""
    role Sailor 1..2 named s:
        gold: int = 9
    action pay n: int to s: Sailor reads "{s is|are} paid {n} gold":
        s.gold + n
    """,
    find=find_unmentioned,
)

UNWORDED = Check(
    code="X615",
    name="action-without-wording",
    severity="info",
    why="""Players read cards in plain words. A short action is told by what it does, a long one needs words
    of its own: without them players see its name and its parts, as a programmer would write them.
    `tale explain --wording PATH` prints every card as players read it.""",
    bad="""
    role Sailor 1..2 named s:
        gold: int = 9
    kind Chest is Card:
        opens: effect(s: Sailor)
    Chest black "A Black Chest": opens: search_hold for s
    action search_hold for s: Sailor:  # <-
        repeat 3 times: s.gold + 1
    """,
    good="""
    role Sailor 1..2 named s:
        gold: int = 9
    kind Chest is Card:
        opens: effect(s: Sailor)
    Chest black "A Black Chest": opens: search_hold for s
    action search_hold for s: Sailor reads "{s searches|search} the hold and finds 3 gold":
        repeat 3 times: s.gold + 1
    """,
    find=find_unworded,
)

CHECKS = (UNMENTIONED, UNWORDED)
