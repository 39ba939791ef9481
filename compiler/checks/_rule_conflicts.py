"""Conflicts of rules: two rules of one layer that replace the same action or set the same value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import (
    Fact,
    contradict,
    facts_of,
    is_constant,
    key,
    thing_key,
)
from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import Rule, index
from talewright.schemas.records import record

IR = dict[str, Any]


@record
class Claim:
    """One replacing rule: what must be so for it to apply, and whether anything must."""

    rule: Rule
    facts: list[Fact]
    conditional: bool


@record(frozen=True)
class Pair:
    """Two claims that can both apply; the first stands above the second."""

    what: str
    name: str
    first: Claim
    second: Claim

    @property
    def certain(self) -> bool:
        """Whether both always apply."""
        return not self.first.conditional and not self.second.conditional


def rivals(context: Context) -> list[Pair]:
    """Every pair of rivals, at most one for each rule, worked out once."""
    made = context.notes.get("rivals")
    if made is None:
        made = context.notes["rivals"] = list(_find(context))
    return list(made)


def _find(context: Context) -> Iterator[Pair]:
    ordered = {order["moment"] for order in context.content.get("orders", ())}
    groups: dict[tuple[str, str, int, str], list[Claim]] = {}
    for rule in index(context).rules:
        subject = _subject(rule.ir)
        if subject is None or rule.nested:
            # Rules of `until` blocks are skipped: the latest one is meant to win.
            continue
        what, name = subject
        if what == "action" and f"verb:{name.removeprefix('core:').partition('/')[0]}" in ordered:
            continue
        claim = _claim(context, rule)
        if (
            rule.unit.owner_form in ("thing", "kind", "trait")
            and claim.conditional
            and not _in_chapter(context, rule)
        ):
            # Conditional rules of things are skipped: hundreds of cards cannot be proved to exclude each other.
            continue
        scope = rule.unit.owner if _in_chapter(context, rule) else ""
        groups.setdefault((what, name, rule.ir["layer"], scope), []).append(claim)
    for (what, name, _, _), claims in groups.items():
        if len(claims) > 1:
            yield from _pairs(context, what, name, claims)


def _subject(ir: IR) -> tuple[str, str] | None:
    if ir["rule"] == "instead_of":
        return "action", ir["action"]
    if ir["rule"] == "modify" and ir["change"] == "=":
        return ("value", ir["value"]) if "value" in ir else ("field", f"{ir['owner']}.{ir['field']}")
    return None


def _in_chapter(context: Context, rule: Rule) -> bool:
    symbol = context.work.thing(rule.unit.owner) if rule.unit.owner_form == "thing" else None
    return symbol is not None and context.work.is_a(symbol.kind, "Chapter")


def _claim(context: Context, rule: Rule) -> Claim:
    ir = rule.ir
    names: dict[Any, str] = {}
    slots = [*ir.get("slots", ()), *([ir["of"]] if "of" in ir else [])]
    for slot in slots:
        if "n" in slot:
            names[slot["n"]] = f"${slot['param']}"
    for number, local in enumerate(ir.get("params", ())):
        if local is not None:
            names[local] = f"${number}"
    if rule.unit.owner_form == "thing":
        names["self"] = thing_key(rule.unit.owner)
    elif rule.unit.owner_form:
        names["self"] = f"self of {rule.unit.owner}"
    facts: list[Fact] = []
    for slot in slots:
        facts.extend(_slot_facts(slot, names))
    conditional = "when" in ir or "while" in ir or not _always_there(context, rule)
    for condition in (*([ir["when"]] if "when" in ir else []), *ir.get("while", ())):
        facts.extend(facts_of(condition, names))
    return Claim(rule, facts, conditional)


def _slot_facts(slot: IR, names: dict[Any, str]) -> Iterator[Fact]:
    subject = f"${slot['param']}"
    if "kind" in slot:
        yield Fact("kind", subject, slot["kind"])
    if "sort" in slot:
        yield Fact("sort", subject, key(slot["sort"], names))
    if "trait" in slot:
        yield Fact("true", f"{subject} is {slot['trait']}", True)
    if "is" in slot:
        if is_constant(slot["is"], names):
            yield Fact("is", subject, key(slot["is"], names))
        else:
            yield Fact("true", f"{subject} is {key(slot['is'], names)}", True)


def _always_there(context: Context, rule: Rule) -> bool:
    if not rule.unit.owner_form or _in_chapter(context, rule):
        return True
    if rule.unit.owner_form != "thing":
        return False
    symbol = context.work.thing(rule.unit.owner)
    forced = context.notes.get("forced kinds")
    if forced is None:
        forced = {kind["id"] for kind in context.content.get("kinds", ()) if "in_force" in kind}
        context.notes["forced kinds"] = forced
    return symbol is not None and not any(above in forced for above in context.work.lineage(symbol.kind))


def _pairs(context: Context, what: str, name: str, claims: list[Claim]) -> Iterator[Pair]:
    for bucket in _buckets(claims):
        for place, claim in enumerate(bucket):
            for other in bucket[:place]:
                if _clash(context, what, other, claim):
                    yield Pair(what, name, other, claim)
                    break


def _buckets(claims: list[Claim]) -> list[list[Claim]]:
    """Groups claims by the constants they test: claims of different groups can never apply together."""
    counts: dict[str, int] = {}
    for claim in claims:
        for subject in {f.subject for f in claim.facts if f.sort == "is" and f.holds}:
            counts[subject] = counts.get(subject, 0) + 1
    if not counts:
        return [claims]
    subject = max(counts, key=lambda s: counts[s])
    buckets: dict[str, list[Claim]] = {}
    free: list[Claim] = []
    for claim in claims:
        value = next(
            (f.value for f in claim.facts if f.sort == "is" and f.holds and f.subject == subject), None
        )
        (free if value is None else buckets.setdefault(value, [])).append(claim)
    if not free:
        return list(buckets.values())
    return [free, *(_merged(claims, bucket, free) for bucket in buckets.values())]


def _merged(claims: list[Claim], bucket: list[Claim], free: list[Claim]) -> list[Claim]:
    # Few rules ask for nothing at all; they are compared with every bucket in their place.
    wanted = {id(claim) for claim in (*bucket, *free[:20])}
    return [claim for claim in claims if id(claim) in wanted]


def _clash(context: Context, what: str, first: Claim, second: Claim) -> bool:
    if first.rule.unit is second.rule.unit or contradict([*first.facts, *second.facts], context.work):
        return False
    if what == "action" or not (first.conditional or second.conditional):
        return True
    # The last `=` wins: a special case below the general one is meant so, the other way round is not.
    return set(second.facts) <= set(first.facts)
