"""What a package tells its bots: how much options appeal, and what a position is worth.

`appeal_VERB...` and `score...` are values like any other; `docs/language.md` says which decision each speaks of. Here they
become functions `weigh(option, who decides)`, one for each decision that a hint speaks of.
"""

from __future__ import annotations

import re
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ONE, call, cell, const, equal, load
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.components import payments
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.decisions.anytime import declared_options
from talewright.runtime.lower.decisions.menus import offer_of, shown_parts, taken_scope
from talewright.runtime.lower.dispatch import value_as
from talewright.runtime.lower.expressions.modifiers import need_value, parameter_types
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.lower.program import Point, Program
from talewright.runtime.model.cells import MENU_ARGUMENTS
from talewright.runtime.model.types import none_of
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import EffectBlock
from talewright.schemas.nodes.declared import AnytimeDeclaration, MenuDeclaration, ValueDeclaration
from talewright.schemas.nodes.names import LocalRef
from talewright.schemas.nodes.types import Type

PREFIX = "appeal_"
SCORE = "score"


def has_hints(program: Program) -> bool:
    """Whether a package tells its bots anything."""
    return any(name.startswith((PREFIX, SCORE)) for name in program.values)


# ------------------------------------------------------------------ how much options appeal
def weighers(program: Program) -> list[int]:
    """For each decision the slot of the function that weighs its options, or 0."""
    return [_weigher(program, number, point) for number, point in enumerate(program.points)]


def _weigher(program: Program, number: int, point: Point) -> int:
    verb, _, name = point.id.partition(".")
    hint = program.values.get(f"{PREFIX}{verb}_{name}")
    menu = program.menu_points.get(number)
    if hint is not None and menu is None:
        key = f"weigh:{hint.id}:{point.form}:{_is_thing(point.type)}"
        write = partial(_weigh_choice, hint, point)
    elif menu is not None and any(_offer_hint(program, entry) for entry in program.offers.get(menu.id, [])):
        key = f"weigh:menu:{menu.id}"
        write = partial(_weigh_menu, menu)
    elif any(_extra_hint(program, declared) for _, declared in declared_options(program)):
        # Where no hint speaks of the decision itself, every other option weighs 1.
        key = "weigh:anytime"
        write = partial(Code.give, value=1)
    else:
        return 0

    def begun(code: Code) -> None:
        _weigh_extras(code, Local(0))
        write(code)

    return program.slot(program.function(key, 2, begun))


def _is_thing(type_: Type | None) -> bool:
    return type_ is not None and plain(type_).tag == "thing"


def renamed(code: Code, thing: Expression) -> Expression:
    """What lies now where a thing lay, in a world that was dealt anew: ways to pay do not belong to the world."""
    return load(thing, code.names["NOW"])


def _ask(code: Code, hint: ValueDeclaration, arguments: list[Expression]) -> Expression:
    """What a hint says, given as many of the arguments as it has parameters."""
    if len(arguments) != len(hint.params):
        raise LoadError(f"`{hint.id}` has {len(hint.params)} parameters where there are {len(arguments)}")
    need_value(code.program, hint)
    return call(f"value:{hint.id}", *arguments)


def _last(hint: ValueDeclaration, arguments: list[Expression]) -> list[Expression]:
    """With fewer parameters than arguments, the first arguments are left out."""
    return arguments[max(0, len(arguments) - len(hint.params)) :]


def _weigh_choice(hint: ValueDeclaration, point: Point, code: Code) -> None:
    option, decider = Local(0), Local(1)
    match point.form:
        case "yes":
            code.give_if(equal(option, 0), 1)
            code.give(_ask(code, hint, _last(hint, [decider])))
        case "pay":
            code.give(_payment(code, hint, option, decider))
        case _:
            code.give_if(equal(option, 0 if point.type is None else none_of(point.type)), 1)
            code.give(_ask(code, hint, _last(hint, [decider, option])))


def _payment(code: Code, hint: ValueDeclaration, way: Expression, decider: Expression) -> Expression:
    """A way to pay weighs as much as all that it spends."""
    total = code.hold(0)
    row = code.hold(payments.WAY - payments.MOST + way * payments.MOST)
    with code.count_up(0, cell(payments.SOURCES)) as index:
        source = code.hold(load(index, payments.SOURCE))
        on = code.choose(source > 0, lambda: renamed(code, source), lambda: load(index, payments.TOKEN_ON))
        used = code.hold(load(row + index))
        with code.if_(used):
            weight = code.hold(_ask(code, hint, _last(hint, [decider, on])))
            code.assign(total, total + used * weight)
    return total


def _weigh_extras(code: Code, option: Expression) -> None:
    """What may be done at any time weighs what `appeal_VERB` says, or 1."""
    for number, declared in declared_options(code.program):
        hint = _extra_hint(code.program, declared)
        with code.if_(equal(option, number)):
            code.give(ONE if hint is None else _ask(code, hint, []))


def _extra_hint(program: Program, declared: AnytimeDeclaration) -> ValueDeclaration | None:
    """The hint without parameters that speaks of something that may be done at any time."""
    first = declared.body[0] if declared.body else None
    verb = first.action.partition("/")[0] if isinstance(first, s.Call) else ""
    hint = program.values.get(f"{PREFIX}{verb}")
    return None if hint is None or hint.params else hint


def _offer_hint(program: Program, entry: RuleEntry) -> ValueDeclaration | None:
    body = offer_of(entry).body
    first = body[0] if body else None
    action = program.actions.get(first.action) if isinstance(first, s.Call) else None
    return None if action is None else program.values.get(f"{PREFIX}{action.verb}")


def _weigh_menu(menu: MenuDeclaration, code: Code) -> None:
    option = Local(0)
    code.give_if(equal(option, 0), 1)
    opened = code.hold(cell(MENU_ARGUMENTS))
    arguments: list[Expression] = [code.hold(load(opened, 1 + i)) for i in range(len(menu.params))]
    offer = code.hold(load(option, 1))
    for entry in code.program.offers.get(menu.id, []):
        hint = _offer_hint(code.program, entry)
        if hint is not None:
            with code.if_(equal(offer, entry.number)):
                _weigh_offer(code, hint, entry, taken_scope(menu, code, entry, option, arguments), arguments)
    code.give(1)


def _weigh_offer(
    code: Code, hint: ValueDeclaration, entry: RuleEntry, scope: Scope, arguments: list[Expression]
) -> None:
    rule = offer_of(entry)
    given = [*arguments, *(scope.locals[part.local] for part in shown_parts(rule))]
    if len(given) < len(hint.params):
        types = parameter_types(hint)
        with code.in_scope(scope):
            for argument in _fixed_by_offer(rule.body[0]):
                if len(given) < len(types):
                    given.append(code.hold(value_as(code, argument, types[len(given)])))
    code.give(_ask(code, hint, given[: len(hint.params)]))


def _fixed_by_offer(first: object) -> list[object]:
    """What an offer itself puts into its call, beside its menu's parameters and what is left open."""
    assert isinstance(first, s.Call)
    return [arg for arg in first.args if arg is not None and not isinstance(arg, LocalRef | EffectBlock)]


# ------------------------------------------------------------------ what a position is worth
def score_functions(program: Program) -> list[Function]:
    """score_for(who decides), is_scored(who decides) and plays_against(who decides)."""
    plain_values = {name: value for name, value in program.values.items() if not value.params}
    roles = {role: plain_values.get(f"{SCORE}_{snake(role)}") for role in program.world.settings.seats}
    own = {role: value for role, value in roles.items() if value is not None}
    made: list[Function] = []
    for name in ("score_for", "is_scored", "plays_against"):
        code = program.code(name, 1)
        for role, value in own.items():
            with code.if_(of_kind(code, Local(0), role)):
                code.give(_score(program, name, value, True))
        code.give(_score(program, name, plain_values.get(SCORE), False))
        made.append(code.function())
    return made


def _score(program: Program, name: str, value: ValueDeclaration | None, against: bool) -> Expression:
    if name == "plays_against":
        return const(int(against))
    if name == "is_scored":
        return const(int(value is not None))
    if value is None:
        return const(NONE)
    need_value(program, value)
    return call(f"value:{value.id}")


def snake(name: str) -> str:
    """The name of a kind as a value may have it: `GameMaster` as game_master."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
