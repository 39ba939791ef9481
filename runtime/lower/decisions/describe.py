"""What a decision says, where somebody reads it: the text of the question, and the texts of its options.

Both are worked out just before somebody is asked, since they may show what is known there only. Programs that nobody reads
do without.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import ZERO, cell, equal, load
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import each_of_list, gather, value
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.endings import finish_value
from talewright.runtime.model.cells import ASKED_WITH, LABELS, PROMPT, SETTLER, TEXTS
from talewright.runtime.model.types import TEXT, many
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.nodes.literals import Text
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

        def settle(ties: object = team.ties) -> None:
            with code.in_scope(Scope({}, verb="ties")):
                seat = load(value(code, ties), program.layout.names["SEAT_BIT"])
            code.set(SETTLER, mask & seat)

        code.when(equal(mask, program.team_mask(team.id)), settle)


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
                push(_chosen(code, option, [(i, o.label) for i, o in enumerate(node.options, 1)]))

            each_of_list(code, options, one)

        with code.in_scope(scope):
            return gather(code, fill, TEXT)

    return labels


def _chosen(code: Code, key: Expression, texts: list[tuple[int, Text]]) -> Local:
    """The text that belongs to a number."""
    made = code.hold(0)
    for number, text in texts:
        code.when(equal(key, number), partial(_assign_text, code, made, text))
    return made


def _assign_text(code: Code, made: Local, text: Text) -> None:
    code.assign(made, value(code, text))


def offer_labels(
    code: Code, menu: str, arguments: list[Expression], entries: list[RuleEntry], scope: Callable[..., Scope]
) -> Labels:
    """The texts of the offers of a menu: blocks `[n, offer, bearer, what its label shows ...]`; 0 has none."""
    program = code.program
    name = f"labels:{menu}"

    def labels(options: Expression) -> Expression:
        program.need(name, lambda: _labels_function(program, name, len(arguments), entries, scope))
        return code.call(name, options, *arguments)

    return labels


def _labels_function(
    program: Program, name: str, parameters: int, entries: list[RuleEntry], scope: Callable[..., Scope]
) -> Function:
    code = program.code(name, 1 + parameters)
    arguments: list[Expression] = [Local(1 + i) for i in range(parameters)]
    code.giving()

    def one(option: Expression, push: Callable[[Expression], None]) -> None:
        made = code.hold(0)

        def label(entry: RuleEntry) -> None:
            with code.in_scope(scope(code, entry, option, arguments)):
                code.assign(made, value(code, entry.rule.label))  # type: ignore[union-attr]

        with code.if_(option):
            offer = code.hold(load(option, 1))
            for entry in entries:
                code.when(equal(offer, entry.number), partial(label, entry))
        push(made)

    def fill(push: Callable[[Expression], None]) -> None:
        each_of_list(code, Local(0), lambda option: one(option, push))

    code.give(gather(code, fill, TEXT))
    return finish_value(code, many(TEXT))
