"""What may be done at any time: offered behind the options of whatever its decider is asked."""

from __future__ import annotations

from talewright.runtime.ir.build import ONE, cell, equal, load, negate, truth
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.builds.counters import count
from talewright.runtime.lower.code import Code, Scope, local_names, local_types
from talewright.runtime.lower.decisions.possible import possible_block
from talewright.runtime.lower.dispatch import block, condition
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.program import Program
from talewright.schemas.nodes.declared import AnytimeDeclaration
from talewright.schemas.nodes.statements import Call

# As an option, what may be done at any time is a number below this, one less for each.
FIRST_OPTION = -1000


def declared_options(program: Program) -> list[tuple[int, AnytimeDeclaration]]:
    """What may be done at any time under these options, with its number as an option."""
    return [
        (FIRST_OPTION - number, declared)
        for number, declared in enumerate(program.world.anytime)
        if program.world.allows(declared.guards)
    ]


def _scope(declared: AnytimeDeclaration) -> Scope:
    return Scope({}, types=local_types(declared.locals), names=local_names(declared.locals), verb="anytime")


def _running(program: Program, number: int) -> int:
    """The cell that says whether something is being done: it is not offered inside of itself."""
    return program.cell(f"anytime {number}")


def list_anytime(program: Program) -> str:
    """The function that lists what may be done at any time."""
    return program.function("list anytime", 2, _list)


def _list(code: Code) -> None:
    """list anytime(options, who decides): adds what they may do first; gives how many that are."""
    options, mask = Local(0), Local(1)
    count = code.hold(0)
    kept = code.hold(load(options))
    for number, declared in declared_options(code.program):
        with code.in_scope(_scope(declared)):
            code.spot = declared.at
            with code.if_(_may(code, declared, number, mask)):
                code.do("push_option", options, number)
                code.assign(count, count + 1)
    code.do("shorten", options, kept)
    code.give(count)
    # What was added stands behind the options: the stack ends behind that, also where conditions have used it.
    code.mark = None


def _may(code: Code, declared: AnytimeDeclaration, number: int, mask: Expression) -> Expression:
    return code.all_of(
        [
            lambda: negate(cell(_running(code.program, number))),
            lambda: truth(deciders(code, declared.by) & mask),
            lambda: ONE if declared.when is None else condition(code, declared.when),
            lambda: possible_block(code, declared.body),
        ]
    )


def do_anytime(program: Program) -> str:
    """The function that does it."""
    return program.function("do anytime", 1, _do, gives=False)


def _do(code: Code) -> None:
    """do anytime(option)."""
    for number, declared in declared_options(code.program):
        with code.if_(equal(Local(0), number)):
            running = _running(code.program, number)
            code.set(running, 1)
            first = declared.body[0] if declared.body else None
            name = (
                first.action.partition("/")[0] if isinstance(first, Call) else str(FIRST_OPTION - number + 1)
            )
            count(code, "anytime", name, declared.at)
            with code.in_scope(_scope(declared)), code.block("done") as done, code.leaving_to(done, done):
                block(code, declared.body)
            code.set(running, 0)
