"""Rules: who bears them, and what modifiers do to a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from talewright.runtime.ir.build import ONE
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import Member, gather, given
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import Parts, applies, each_bearer, rule_scope
from talewright.runtime.model.types import TEXT, THING, many, may_be_none
from talewright.runtime.model.world import RuleEntry
from talewright.runtime.observe.evaluator import Evaluator
from talewright.runtime.observe.values import Value
from talewright.schemas.nodes.rules import ModifyRule
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

BOUNDS = ("at least", "at most")


@record(frozen=True)
class Change:
    """What one modifier does now: its sign, its amount, whether its condition holds, and whose it is (0: nobody's)."""

    entry: RuleEntry
    amount: Value
    counts: bool
    bearer: int

    @property
    def sign(self) -> str:
        """`=`, `+`, `-`, `at least`, `at most`, `with` or `without`."""
        assert isinstance(self.entry.rule, ModifyRule)
        return self.entry.rule.change

    @property
    def at(self) -> int:
        """Where it stands."""
        assert isinstance(self.entry.rule, ModifyRule)
        return self.entry.rule.at


def entry_of(program: Program, entry: RuleEntry) -> RuleEntry:
    """The same rule in a program that was lowered once more."""
    return program.world.rules[entry.number]


def bearers(ev: Evaluator, entry: RuleEntry) -> list[int]:
    """Everybody who bears a rule that is in force; a rule of nobody has one bearer, nobody."""

    def write(code: Code) -> Type:
        own = entry_of(code.program, entry)
        code.give(gather(code, lambda push: each_bearer(code, own, push), THING))
        return many(THING)

    with ev.memory.supposing():
        return ev.words.items(ev.ask_of("bearers", entry, [], write)[0])


def changes(
    ev: Evaluator, entry: RuleEntry, type_: Type, arguments: Sequence[Value], types: Sequence[Type]
) -> Iterator[Change]:
    """What a modifier does for everybody for whom it is in force and whose pattern fits."""

    def write(code: Code) -> Type:
        own = entry_of(code.program, entry)
        code.give(
            gather(
                code,
                lambda push: each_bearer(code, own, partial(_change, code, own, type_, types, push)),
                TEXT,
            )
        )
        return many(TEXT)

    with ev.memory.supposing():
        cells = [ev.cell(argument, type_) for argument, type_ in zip(arguments, types, strict=True)]
        found = [
            ev.words.items(block) for block in ev.words.items(ev.ask_of("changes", entry, cells, write)[0])
        ]
        for bearer, *amount in found:
            yield Change(entry, ev.read(amount[0], type_) if amount else None, bool(amount), bearer)


def _change(
    code: Code, entry: RuleEntry, type_: Type, types: Sequence[Type], push: Member, me: Expression
) -> None:
    """For one bearer: who that is and, if the condition holds, by how much the value changes."""
    rule = entry.rule
    assert isinstance(rule, ModifyRule)
    parts = (
        Parts({}, {})
        if rule.of is None
        else Parts({rule.of.parameter: Local(0)}, {rule.of.parameter: types[0]})
    )
    named = {number: index for index, number in enumerate(rule.params) if number is not None}
    scope = rule_scope(code, entry, me, parts, "value")
    scope = scope.with_locals({number: Local(index) for number, index in named.items()})
    sure = {number for number, index in named.items() if not may_be_none(types[index])}
    with code.in_scope(scope.with_types({number: types[index] for number, index in named.items()}, sure)):
        fits = applies(code, entry, parts)
        holds = fits.pop() if rule.when is not None else lambda: ONE

        def tell() -> None:
            code.when(
                holds(),
                lambda: push(code.new_list(me, given(code, rule.amount, type_))),
                lambda: push(code.new_list(me)),
            )

        code.when(code.all_of(fits), tell)


def bounded(made: Value, change: Change) -> Value:
    """A number that is at least or at most something; none is less than every number."""
    lowest = -(2**31)
    have = made if isinstance(made, int) else lowest
    bound = change.amount if isinstance(change.amount, int) else lowest
    if change.sign == "at least":
        return change.amount if have < bound else made
    return change.amount if bound < have else made
