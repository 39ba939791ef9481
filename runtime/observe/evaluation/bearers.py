"""Rules: who bears them, whether they are in force, whether they apply to a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from talewright.runtime.kernel.components.traits import STAMP
from talewright.runtime.kernel.components.until import BEARER, KEY
from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.rules.rules import captures, slots_of
from talewright.runtime.model.cells import CHAPTER, UNTIL_TOP
from talewright.runtime.model.world import RuleEntry
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope, Unanswerable, as_thing, of_kind
from talewright.runtime.observe.evaluation.traits import bearers_of, copies_of, has_trait, made_of_kind
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes.names import PileRef, SelfRef
from talewright.schemas.nodes.operators import LiesIn
from talewright.schemas.nodes.rules import InsteadOfRule, ModifyRule, SeveralRules, Slot
from talewright.schemas.nodes.types import ANY
from talewright.schemas.records import record

Parts = Mapping[int | str, Value]
"""The parts of a call by their position or, for verbs of the core, by name."""


@record(frozen=True)
class Bearer:
    """Who bears a rule that is in force: a thing, or 0 for nobody; for a while only, with a record of what it captured."""

    thing: int = 0
    record: int = 0


def in_force(ev: Evaluator, thing: int) -> bool:
    """Whether the rules of a thing are in force."""
    world = ev.program.world
    for owner in world.lineage[world.thing(thing).kind]:
        force = world.kinds[owner].in_force
        if force is not None:
            scope = Scope({}, local_types(force.locals), thing, owner)
            if not ev.condition(force.condition, scope):
                return False
    return True


def bearers(ev: Evaluator, entry: RuleEntry) -> Iterator[Bearer]:
    """Everybody who bears a rule that is in force; a rule of nobody has one bearer, nobody."""
    return (bearer for bearer in _bearers(ev, entry) if bearer.thing not in ev.asleep)


def _bearers(ev: Evaluator, entry: RuleEntry) -> Iterator[Bearer]:
    world = ev.program.world
    match entry.bearer:
        case "":
            yield Bearer()
        case "chapter":
            number = world.number[entry.owner]
            if ev.memory[CHAPTER] == number:
                yield Bearer(number)
        case "thing":
            yield from (Bearer(number) for number in copies_of(ev, entry.owner) if in_force(ev, number))
        case "kind":
            yield from (Bearer(thing) for thing in _of_kind(ev, entry.owner) if in_force(ev, thing))
        case "trait":
            yield from (Bearer(thing) for thing in bearers_of(ev, entry.owner))
        case "cast":
            yield from _cast(ev, entry)
        case "until":
            yield from _for_a_while(ev, entry)
        case _:
            raise Unanswerable(f"nobody knows who bears a rule of `{entry.bearer}`")


def _of_kind(ev: Evaluator, kind: str) -> list[int]:
    """The things of a kind; where only what lies in one container is in force, in the order in which it lies."""
    world = ev.program.world
    force = next((world.kinds[k].in_force for k in world.lineage[kind] if world.kinds[k].in_force), None)
    test = None if force is None else force.condition
    if isinstance(test, LiesIn) and isinstance(test.pile, PileRef) and test.thing == SelfRef():
        inside = ev.words.inside(world.pile_numbers[test.pile.id])
        return [thing for thing in inside if of_kind(ev, thing, kind)] + made_of_kind(ev, kind)
    return world.of_kind(kind) + made_of_kind(ev, kind)


def _cast(ev: Evaluator, entry: RuleEntry) -> Iterator[Bearer]:
    program = ev.program
    line = program.number(
        "cast line", next(str(key) for key, own in program.world.cast_rules.items() if entry in own)
    )
    for thing in range(1, len(program.world.things) + 1):
        if ev.column("CAST_LINE", thing) == line:
            yield Bearer(thing)


def _for_a_while(ev: Evaluator, entry: RuleEntry) -> Iterator[Bearer]:
    """The records of a rule in order of arrival; where only one counts, the newest first."""
    names, memory = ev.program.layout.names, ev.memory
    newest = isinstance(entry.rule, InsteadOfRule) or (
        isinstance(entry.rule, ModifyRule) and entry.rule.change == "="
    )
    found = range(names["UNTIL"], memory[UNTIL_TOP], max(1, names["UNTIL_CELLS"]))
    for row in reversed(found) if newest else found:
        if memory[row] == entry.number:
            yield Bearer(memory[row + BEARER], row)


# ------------------------------------------------------------------ patterns
def rule_scope(ev: Evaluator, entry: RuleEntry, bearer: Bearer, parts: Parts) -> Scope:
    """What the names of a rule mean: its locals are the parts that its pattern names, and what it has captured."""
    rule = entry.rule
    assert not isinstance(rule, SeveralRules)
    types = dict(local_types(rule.locals or ()))
    locals_: dict[int, Value] = {}
    owner = entry.owner
    world = ev.program.world
    if entry.bearer in ("thing", "chapter"):
        owner = world.kind_of_sort(entry.owner)
    if bearer.record:
        around, owner = ev.program.until_around[entry.number]
        types = {**around, **types}
        for number, at in captures(ev.program, entry).items():
            locals_[number] = ev.read(ev.memory[bearer.record + at], around.get(number, ANY))
    for slot in slots_of(rule):
        if slot.local is not None:
            locals_[slot.local] = parts.get(slot.parameter)
    return Scope(locals_, types, bearer.thing or None, owner)


def fits(ev: Evaluator, entry: RuleEntry, scope: Scope, parts: Parts) -> bool:
    """Whether the pattern of a rule fits a call."""
    return all(_fits(ev, slot, scope, parts) for slot in slots_of(entry.rule))


def _fits(ev: Evaluator, slot: Slot, scope: Scope, parts: Parts) -> bool:
    if slot.parameter not in parts:
        return slot.equals is None and slot.kind is None and slot.sort is None and slot.trait is None
    part = parts[slot.parameter]
    if slot.equals is not None and part != ev.value(slot.equals, scope):
        return False
    if slot.sort is not None and ev.column("SORT", as_thing(part)) != ev.value(slot.sort, scope):
        return False
    if slot.kind is not None and not of_kind(ev, part, slot.kind):
        return False
    return slot.trait is None or has_trait(ev, as_thing(part), slot.trait)


def holds(ev: Evaluator, entry: RuleEntry, scope: Scope) -> bool:
    """Whether the condition of a rule holds."""
    when = getattr(entry.rule, "when", None)
    return when is None or ev.condition(when, scope)


def applying(ev: Evaluator, entry: RuleEntry, parts: Parts) -> Iterator[tuple[Bearer, Scope]]:
    """Everybody for whom a rule is in force and applies to a call, with what its names then mean."""
    for bearer in bearers(ev, entry):
        scope = rule_scope(ev, entry, bearer, parts)
        if fits(ev, entry, scope, parts) and holds(ev, entry, scope):
            yield bearer, scope


def rank(ev: Evaluator, entry: RuleEntry, place: int, bearer: Bearer) -> tuple[int, int, int, int]:
    """How high a replacement stands: by its layer, by when it came into force, by its place in the text."""
    time = 0
    if bearer.record:
        time = ev.memory[bearer.record + KEY]
    elif entry.bearer == "trait":
        record = ev.kernel.call("trait_of", bearer.thing, ev.program.number("trait", entry.owner))
        time = ev.memory[record + STAMP] if record else 0
    elif entry.bearer in ("thing", "kind", "cast"):
        time = ev.column("FORCED", bearer.thing)
    return entry.layer, time, place, bearer.thing
