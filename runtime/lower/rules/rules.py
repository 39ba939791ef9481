"""Rules: who bears them, whether they are in force, whether they apply, and the functions that run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, call, cell, const, equal, load, negate, unlike
from talewright.runtime.ir.nodes import Assign, Expression, Function, Local, LowestBit
from talewright.runtime.kernel.components.traits import CAPTURED, STAMP
from talewright.runtime.kernel.components.until import BEARER, KEY
from talewright.runtime.lower.builds.notes import note_rule
from talewright.runtime.lower.code import RULE_PARTS, Code, Scope, local_names, local_types
from talewright.runtime.lower.dispatch import Member, block, condition, each_of_list, gather, value
from talewright.runtime.lower.expressions.collections import (
    each_at,
    each_made,
    each_made_of_sort,
    each_of_fixed,
)
from talewright.runtime.lower.expressions.values import bears_trait, has_trait, of_kind
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.endings import finish_call
from talewright.runtime.model.cells import CHAPTER, FORCE_CLOCK, UNTIL_TOP
from talewright.runtime.model.layout import DISREGARDED
from talewright.runtime.model.types import NOTHING, THING, is_block, may_be_none, none_of
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.node_walk import free_locals, walk
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.names import LocalRef, PileRef, SelfRef
from talewright.schemas.nodes.operators import LiesIn
from talewright.schemas.nodes.rules import (
    AfterRule,
    BeforeRule,
    ForbidRule,
    InsteadOfRule,
    ModifyRule,
    PeriodRule,
    SeveralRules,
    Slot,
    StateRule,
)
from talewright.schemas.nodes.statements import Assign as AssignStatement
from talewright.schemas.nodes.statements import AsUsual, Change
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import record, replace

# Later than any rule for a while.
NEWEST = 1 << 30
Run = Callable[[Expression], None]
Take = Callable[[RuleEntry, Expression], None]


@record(frozen=True)
class Parts:
    """The parts of a call: what a pattern can ask for, by position or, for verbs of the core, by name."""

    values: Mapping[int | str, Expression]
    types: Mapping[int | str, Type]
    result: Expression = ZERO
    result_type: Type = THING

    def order(self) -> list[int | str]:
        """The parts in the order in which they are handed to the functions of rules."""
        return list(self.values)


NO_PARTS = Parts({}, {})


@record(frozen=True)
class Rank:
    """How high a replacement stands: those that say `as usual` go on below it."""

    first: Expression
    second: Expression

    def cells(self) -> tuple[Expression, Expression]:
        """As arguments of a function."""
        return self.first, self.second


Use = Callable[[RuleEntry, Expression, Rank], None]


def parts_of(action: ActionDeclaration, values: Sequence[Expression]) -> Parts:
    """The parts of a call of a declared action."""
    return Parts(
        dict(enumerate(values)),
        {i: parameter.type for i, parameter in enumerate(action.params)},
        result_type=action.gives,
    )


# ------------------------------------------------------------------ in force
def in_force(code: Code, thing: Expression, kind: str) -> list[Callable[[], Expression]]:
    """The questions whether the rules of a thing of a kind are in force."""
    world = code.program.world
    questions: list[Callable[[], Expression]] = []
    for owner in world.lineage.get(kind, ()):
        force = world.kinds[owner].in_force
        if force is not None:

            def ask(force: object = force, owner: str = owner) -> Expression:
                scope = Scope({}, types=local_types(force.locals), me=thing, owner=owner, verb="force")  # type: ignore[attr-defined]
                with code.in_scope(scope):
                    return condition(code, force.condition)  # type: ignore[attr-defined]

            questions.append(ask)
    return questions


def comes_and_goes(program: Program, kind: str) -> bool:
    """Whether the rules of things of a kind are in force at times only."""
    return any(
        program.world.kinds[owner].in_force is not None for owner in program.world.lineage.get(kind, ())
    )


def entered(code: Code, entry: RuleEntry, me: Expression) -> Expression:
    """When a rule of a bearer came into force; 0 if it always was, or nobody knows."""
    program = code.program
    match entry.bearer:
        case "until":
            return load(code.instances[entry.number], KEY)
        case "trait":
            number = const(program.number("trait", entry.owner))
            return load(call("trait_of", me, number), STAMP)
        case "kind" | "thing":
            kind = entry.owner if entry.bearer == "kind" else program.world.kind_of_sort(entry.owner)
            if comes_and_goes(program, kind):
                return load(me, program.layout.names["FORCED"])
    return ZERO


def taking_part(code: Code, entries: list[RuleEntry], run: Take) -> Take:
    """A body for the rules that are in force as a pass begins, which is now: what comes into force later waits."""
    if len(entries) < 2 and all(entry.bearer in ("", "chapter") for entry in entries):
        return run
    began = code.hold(cell(FORCE_CLOCK))

    def only_then(entry: RuleEntry, me: Expression) -> None:
        since = entered(code, entry, me)
        code.when(ONE if since == ZERO else since <= began, lambda: run(entry, me))

    return only_then


def each_bearer(code: Code, entry: RuleEntry, run: Run, steady: bool = True) -> None:
    """Runs a body for every thing that bears a rule which is in force; a rule of nobody has none as bearer.

    Where the body may change who bears the rule, the bearers are fixed first and asked again.
    """
    assert not isinstance(entry.rule, SeveralRules)
    guards = entry.rule.guards if code.program.world.settings.open else ()
    questions: list[Callable[[], Expression]] = [partial(condition, code, guard) for guard in guards]
    taken = _regarded(code, run) if code.program.build.looked_at else run
    code.when(code.all_of(questions), partial(_each_bearer, code, entry, taken, steady))


def _regarded(code: Code, run: Run) -> Run:
    """A body that passes over the things whose rules are left out of account."""
    return lambda me: code.when(negate(load(me, DISREGARDED)), lambda: run(me))


def _each_bearer(code: Code, entry: RuleEntry, run: Run, steady: bool) -> None:
    world = code.program.world
    match entry.bearer:
        case "":
            run(ZERO)
        case "chapter":
            number = world.number[entry.owner]
            code.when(equal(cell(CHAPTER), number), lambda: run(const(number)))
        case "thing":
            kind = world.kind_of_sort(entry.owner)

            def one(thing: Expression) -> None:
                code.when(code.all_of(in_force(code, thing, kind)), lambda: run(thing))

            for number in world.sorts[entry.owner]:
                one(const(number))
            if world.can_be_made(entry.owner):
                each_made_of_sort(code, entry.owner, one)
        case "kind":
            _each_of_kind(code, entry.owner, run, steady)
        case "cast":
            _each_in_cast(code, entry, run)
        case "trait":
            _each_trait_bearer(code, entry, run, steady)
        case "until":
            _each_instance(code, entry, run)


def _each_of_kind(code: Code, kind: str, run: Run, steady: bool) -> None:
    world = code.program.world
    force = next((world.kinds[k].in_force for k in world.lineage[kind] if world.kinds[k].in_force), None)
    lies = force.condition if force is not None and isinstance(force.condition, LiesIn) else None

    def one(thing: Expression) -> None:
        questions: list[Callable[[], Expression]] = []
        if lies is not None:
            questions.append(lambda: of_kind(code, thing, kind))
        questions += in_force(code, thing, kind)
        code.when(code.all_of(questions), lambda: run(thing))

    if lies is not None and isinstance(lies.pile, PileRef) and lies.thing == SelfRef():
        where = const(world.pile_numbers[lies.pile.id])
        if steady:
            each_at(code, where, one)
        else:
            things = gather(code, lambda push: each_at(code, where, push), THING)
            each_of_list(code, things, one)
        return
    each_of_fixed(code, world.of_kind(kind), one)
    each_made(code, kind, one)


def _each_in_cast(code: Code, entry: RuleEntry, run: Run) -> None:
    line = code.program.number(
        "cast line", next(str(key) for key, own in code.program.world.cast_rules.items() if entry in own)
    )
    column = code.names["CAST_LINE"]
    with (
        code.count_up(1, len(code.program.world.things) + 1) as thing,
        code.if_(equal(load(thing, column), line)),
    ):
        run(thing)


def each_with_trait(code: Code, trait_id: str, body: Member) -> None:
    """Runs a body for every thing that has a trait: word by word, bit by bit."""
    program = code.program
    at = program.trait_bits(trait_id)
    words = program.layout.things // 32 + 1
    with code.count_up(0, words) as index:
        bits = code.hold(load(index, at))
        with code.loop() as (_, out):
            code.leave_if(negate(bits), out)
            thing = code.hold((index << 5) + LowestBit(bits))
            code.assign(bits, bits & bits - 1)
            body(thing)


def _each_trait_bearer(code: Code, entry: RuleEntry, run: Run, steady: bool) -> None:
    if steady:
        each_with_trait(code, entry.owner, run)
        return
    things = gather(code, lambda push: each_with_trait(code, entry.owner, push), THING)
    each_of_list(
        code, things, lambda thing: code.when(bears_trait(code, thing, entry.owner), lambda: run(thing))
    )


def captures(program: Program, entry: RuleEntry) -> dict[int, int]:
    """The locals that a rule for a while reads from the text around it, with their cells in its record."""
    if entry.bearer != "until":
        return {}
    bound = {slot.local for slot in getattr(entry.rule, "slots", ())}
    return {n: CAPTURED + i for i, n in enumerate(n for n in free_locals(entry.rule) if n not in bound)}


def until_scope(code: Code, entry: RuleEntry) -> Scope:
    """The scope around a rule for a while: what it has captured stands in its record."""
    types, owner = code.program.until_around[entry.number]
    record = code.instances.get(entry.number)
    locals_: dict[int, Expression] = {}
    if record is not None:
        locals_ = {number: load(record, at) for number, at in captures(code.program, entry).items()}
    return Scope(locals_, types=types, owner=owner, instance=record)


def _each_instance(code: Code, entry: RuleEntry, run: Run) -> None:
    """Every record of a rule in order of arrival; where only one counts, the newest first."""
    newest = isinstance(entry.rule, InsteadOfRule) or (
        isinstance(entry.rule, ModifyRule) and entry.rule.change == "="
    )
    with code.if_(unlike(cell(UNTIL_TOP), code.names["UNTIL"])):
        key = code.hold(NEWEST if newest else 0)
        with code.loop() as (_, out), code.of_record(entry.number, code.fresh()) as record:
            code.assign(record, call("previous_until" if newest else "next_until", entry.number, key))
            code.leave_if(negate(record), out)
            code.assign(key, load(record, KEY))
            run(record if isinstance(entry.rule, StateRule) else code.hold(load(record, BEARER)))


# ------------------------------------------------------------------ patterns
def rule_scope(code: Code, entry: RuleEntry, me: Expression, parts: Parts, verb: str) -> Scope:
    """What the names of a rule mean: its locals are the parts that its pattern names."""
    rule = entry.rule
    assert not isinstance(rule, SeveralRules)
    locals_: dict[int, Expression] = {}
    types = dict(local_types(rule.locals or ()))
    sure: set[int] = set()
    for slot in slots_of(rule):
        if slot.local is not None and slot.parameter not in parts.values:
            # A call of a verb of the core without that part.
            locals_[slot.local] = const(none_of(types.get(slot.local, ANY)))
        elif slot.local is not None:
            locals_[slot.local] = parts.values[slot.parameter]
            types[slot.local] = parts.types.get(slot.parameter, types.get(slot.local, Type("any")))
            if not may_be_none(types[slot.local]):
                sure.add(slot.local)
    owner = entry.owner
    if entry.bearer in ("thing", "chapter"):
        owner = code.program.world.kind_of_sort(entry.owner) if code.program.world.sorts[entry.owner] else ""
    base = until_scope(code, entry) if entry.bearer == "until" else None
    if base is not None:
        locals_ = {**base.locals, **locals_}
        types = {**base.types, **types}
        owner = base.owner
    return Scope(
        locals_,
        types=types,
        names=local_names(rule.locals or ()),
        me=me,
        owner=owner,
        result=parts.result,
        result_type=parts.result_type,
        sure=frozenset(sure),
        verb=verb,
        chapter=entry.owner if entry.bearer == "chapter" else "",
        rule=entry,
        instance=None if base is None else base.instance,
    )


def slots_of(rule: object) -> tuple[Slot, ...]:
    """What a rule asks of the parts of a call."""
    if isinstance(rule, BeforeRule | AfterRule | InsteadOfRule | ForbidRule):
        return rule.slots
    if isinstance(rule, ModifyRule) and rule.of is not None:
        return (rule.of,)
    return ()


def applies(code: Code, entry: RuleEntry, parts: Parts) -> list[Callable[[], Expression]]:
    """The questions whether the pattern of a rule fits and its condition holds, in the scope of the rule."""
    rule = entry.rule
    questions: list[Callable[[], Expression]] = []
    for slot in slots_of(rule):
        if slot.parameter not in parts.values:
            if (
                slot.equals is not None
                or slot.kind is not None
                or slot.sort is not None
                or slot.trait is not None
            ):
                questions.append(lambda: ZERO)
            continue
        questions += _slot_questions(code, slot, parts.values[slot.parameter])
    when = getattr(rule, "when", None)
    if when is not None:
        questions.append(lambda: condition(code, when))
    return questions


def _slot_questions(code: Code, slot: Slot, part: Expression) -> list[Callable[[], Expression]]:
    found: list[Callable[[], Expression]] = []
    if slot.equals is not None:
        found.append(lambda: equal(part, value(code, slot.equals)))
    if slot.sort is not None:
        sort = slot.sort
        found.append(lambda: equal(load(part, code.names["SORT"]), value(code, sort)))
    if slot.kind is not None:
        found.append(lambda: of_kind(code, part, slot.kind or ""))
    if slot.trait is not None:
        found.append(lambda: has_trait(code, part, slot.trait or ""))
    return found


def each_applying(
    code: Code, entry: RuleEntry, parts: Parts, verb: str, run: Run, steady: bool = True
) -> None:
    """Runs a body, in the scope of the rule, for every bearer for which a rule is in force and applies."""

    def one(me: Expression) -> None:
        with code.in_scope(rule_scope(code, entry, me, parts, verb)):
            code.when(code.all_of(applies(code, entry, parts)), lambda: run(me))

    each_bearer(code, entry, one, steady)


# ------------------------------------------------------------------ running
def changed_parts(entry: RuleEntry) -> list[int | str]:
    """The parts of the call that the body of a `before` rule changes."""
    rule = entry.rule
    if not isinstance(rule, BeforeRule):
        return []
    by_local = {slot.local: slot.parameter for slot in rule.slots if slot.local is not None}
    found: list[int | str] = []
    for statement in rule.body:
        for node in walk(statement):
            if isinstance(node, AssignStatement | Change) and isinstance(node.target, LocalRef):
                part = by_local.get(node.target.number)
                if part is not None and part not in found:
                    found.append(part)
    return found


def run_rule(
    code: Code,
    entry: RuleEntry,
    me: Expression,
    parts: Parts,
    verb: str,
    usual: Callable[[], str] | None = None,
    rank: Rank | None = None,
) -> None:
    """Calls the function of a rule, and takes over what it changes.

    `usual` sees to the function that runs what the rule replaces, below its rank; it is written if the rule says `as usual`.
    """
    program = code.program
    replaced = usual() if usual is not None and _says_as_usual(entry) else ""
    order = parts.order()
    current = [load(code.scope.instance or ZERO, at) for at in captures(program, entry).values()]
    name = f"rule:{entry.number}"
    if replaced or any(isinstance(key, str) for key in order):
        # Calls of verbs of the core have different parts and results.
        result = parts.result_type if isinstance(entry.rule, InsteadOfRule) else None
        form = (replaced, result, *((key, parts.types.get(key)) for key in order))
        name = f"{name}:{program.number('form of rule', str(form))}"
    taken = RULE_PARTS + len(order) + len(current) + 2 * bool(replaced)
    program.function(name, taken, partial(_run, entry, parts, verb, replaced), gives=False)
    below = rank.cells() if replaced and rank is not None else ()
    arguments = (me, parts.result, *(parts.values[key] for key in order), *current, *below)
    code.ask_call(name, arguments)
    for key in changed_parts(entry):
        part = parts.values[key]
        assert isinstance(part, Local)
        code.emit(Assign(part.index, cell(program.parameter_cell(order.index(key)))))


def _says_as_usual(entry: RuleEntry) -> bool:
    """Whether a rule that replaces something may run it all the same."""
    rule = entry.rule
    assert isinstance(rule, InsteadOfRule)
    return any(isinstance(node, AsUsual) for statement in rule.body for node in walk(statement))


def _run(entry: RuleEntry, parts: Parts, verb: str, usual: str, code: Code) -> Function | None:
    program, order = code.program, parts.order()
    kept = captures(program, entry)
    taken = RULE_PARTS + len(order) + len(kept)
    values: dict[int | str, Expression] = {key: Local(RULE_PARTS + i) for i, key in enumerate(order)}
    own = Parts(values, parts.types, Local(1), parts.result_type)
    scope = rule_scope(code, entry, Local(0), own, verb)
    captured = {number: Local(RULE_PARTS + len(order) + i) for i, number in enumerate(kept)}
    rule = entry.rule
    assert isinstance(rule, BeforeRule | AfterRule | InsteadOfRule | StateRule | PeriodRule)
    gives = parts.result_type if isinstance(rule, InsteadOfRule) else NOTHING
    code.scope = replace(
        scope,
        locals={**scope.locals, **captured},
        gives=gives,
        usual=usual,
        below=(Local(taken), Local(taken + 1)),
        parts=tuple(order),
    )
    code.spot = rule.at
    note_rule(code, entry)
    with code.block("ran") as ran, code.leaving_to(code.leave, ran):
        block(code, rule.body)
    for key in changed_parts(entry):
        code.set(program.parameter_cell(order.index(key)), values[key])
        if is_block(parts.types.get(key, ANY)):
            # What it hands back lies on the stack, and stays there until its caller ends.
            code.mark = None
    return finish_call(code, gives) if isinstance(rule, InsteadOfRule) else None
