"""Two offers of one menu, or two options of one choice, that read the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import Fact, contradict, facts_of, thing_key
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic, Label

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every label that stands before another of the same text while both can be offered."""
    offers: dict[tuple[str, str], list[tuple[IR, list[Fact]]]] = {}
    for rule in index(context).rules:
        ir = rule.ir
        if ir["rule"] != "offer" or "{" in ir["id"]:
            continue
        names: dict[Any, str] = {n: f"${i}" for i, n in enumerate(ir["params"]) if n is not None}
        if rule.unit.owner_form == "thing":
            names["self"] = thing_key(rule.unit.owner)
        facts = [*_chapter(context, rule.unit.owner), *_facts(ir, names)]
        yield from _compare(
            context, offers.setdefault((ir["menu"], ir["id"]), []), ir, facts, "offer of this menu"
        )
    for node, _ in index(context).of("choose_one"):
        options: dict[str, list[tuple[IR, list[Fact]]]] = {}
        for option in node["options"]:
            if "{" not in option["id"]:
                facts = facts_of(option["when"]) if "when" in option else []
                yield from _compare(
                    context, options.setdefault(option["id"], []), option, facts, "option of this choice"
                )


def _facts(ir: IR, names: dict[Any, str]) -> list[Fact]:
    facts = facts_of(ir["when"], names) if "when" in ir else []
    for condition in ir.get("while", ()):
        facts.extend(facts_of(condition, names))
    return facts


def _chapter(context: Context, owner: str) -> list[Fact]:
    symbol = context.work.thing(owner) if owner else None
    if symbol is None or not context.work.is_a(symbol.kind, "Chapter"):
        return []
    return [Fact("is", "chapter", owner)]


def _compare(
    context: Context, earlier: list[tuple[IR, list[Fact]]], ir: IR, facts: list[Fact], what: str
) -> Iterator[Diagnostic]:
    for other, known in earlier:
        if not contradict([*known, *facts], context.work):
            yield CHECK.finding(
                context.span(ir["at"]),
                f'another {what} is labelled "{ir["id"]}" too',
                "give them different labels, so that people and scripts can tell them apart",
                [Label(context.span(other["at"]), "the other one")],
            )
            break
    earlier.append((ir, facts))


CHECK = Check(
    code="F436",
    name="same-label",
    severity="warning",
    why="""People choose by the label, and so do scripts, saved games and tests: the label is what an
    option is known by. Two options with one label that can be offered at the same time cannot be told
    apart.""",
    bad="""
    track hope 0..9 start 4
    role Player 1..4 named p
    action game:
        choose one by p1 "Now":
            "Rest" -> hope + 1
            "Rest" -> hope + 2  # <-
    """,
    good="""
    track hope 0..9 start 4
    role Player 1..4 named p
    action game:
        choose one by p1 "Now":
            "Rest" -> hope + 1
            "Rest long" -> hope + 2
    """,
    find=find,
)
