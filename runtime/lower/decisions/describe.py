"""What a decision says, where somebody reads it: the text of the question, and the texts of its options.

Both are worked out just before somebody is asked, since they may show what is known there only. Programs that nobody reads
do without.
"""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.ir.build import ZERO, cell, equal, load
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import each_of_list, gather, value
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.endings import finish_value
from talewright.runtime.model.cells import ASKED_WITH, LABELS, PROMPT, SETTLER, TEXTS
from talewright.runtime.model.types import TEXT, many
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.nodes.statements import ChooseOne

Labels = Callable[[Expression], Expression]
"""Gives the list of the texts of a list of options."""


def count_point(code: Code, point: int) -> None:
    """Somebody comes to a decision, whether or not there is anything to decide."""
    counter = code.program.points[point].counter
    if counter:
        code.set(counter, cell(counter) + 1)


def describe(code: Code, point: int, mask: Expression, options: Expression, labels: Labels | None) -> None:
    """Works out the texts of a decision and who settles it, where somebody reads that."""
    program = code.program
    if not program.build.events:
        return
    code.uses_stack()
    code.set(TEXTS, 0)
    _settle_ties(code, mask)
    prompt = program.points[point].prompt
    code.set(PROMPT, value(code, program.texts[prompt - 1]) if prompt else ZERO)
    code.set(LABELS, ZERO if labels is None else labels(options))
    reads = program.points[point].reads
    code.set(ASKED_WITH, code.new_list(code.scope.me, *(code.scope.locals[n] for n in reads)))


def _settle_ties(code: Code, mask: Expression) -> None:
    """Who has the last word when the whole of a team decides."""
    program = code.program
    teams = [team for team in program.world.content.teams if team.ties is not None]
    if not teams:
        return
    code.set(SETTLER, 0)
    for team in teams:
        with code.if_(equal(mask, program.team_mask(team.id))):
            with code.in_scope(Scope({}, verb="ties")):
                seat = load(value(code, team.ties), program.layout.names["SEAT_BIT"])
            code.set(SETTLER, mask & seat)


def asked_in_texts(program: Program, point: int) -> bool:
    """Whether a question and its options are nothing but texts, however the table stands."""
    options = point in program.way_points or point in program.choice_points
    return (options or program.points[point].form == "yes") and not program.interrupts()


def choice_labels(code: Code, node: ChooseOne) -> Labels:
    """The texts of options that are numbered from 1 in order of the text; 0 has none."""
    scope = code.scope

    def labels(options: Expression) -> Expression:
        def fill(push: Callable[[Expression], None]) -> None:
            def one(option: Expression) -> None:
                made = code.hold(0)
                for number, choice in enumerate(node.options, 1):
                    with code.if_(equal(option, number)):
                        code.assign(made, value(code, choice.label))
                push(made)

            each_of_list(code, options, one)

        with code.in_scope(scope):
            return gather(code, fill, TEXT)

    return labels


def offer_labels(
    code: Code, menu: str, arguments: list[Expression], entries: list[RuleEntry], scope: Callable[..., Scope]
) -> Labels:
    """The texts of the offers of a menu: blocks `[n, offer, bearer, what its label shows ...]`; 0 has none."""
    name = f"labels:{menu}"
    parameters: list[Expression] = [Local(1 + i) for i in range(len(arguments))]

    def label(inner: Code, option: Expression, push: Callable[[Expression], None]) -> None:
        made = inner.hold(0)
        with inner.if_(option):
            offer = inner.hold(load(option, 1))
            for entry in entries:
                with (
                    inner.if_(equal(offer, entry.number)),
                    inner.in_scope(scope(inner, entry, option, parameters)),
                ):
                    inner.assign(made, value(inner, entry.rule.label))  # type: ignore[union-attr]
        push(made)

    def write(inner: Code) -> Function:
        inner.giving()
        made = gather(
            inner, lambda push: each_of_list(inner, Local(0), lambda one: label(inner, one, push)), TEXT
        )
        inner.give(made)
        return finish_value(inner, many(TEXT))

    def labels(options: Expression) -> Expression:
        return code.call(code.program.function(name, 1 + len(arguments), write), options, *arguments)

    return labels
