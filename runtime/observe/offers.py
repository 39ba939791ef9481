"""Menus: what they offer now, and what they do not offer, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from talewright.runtime.ir.header import OPTIONS
from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.decisions.menus import (
    asked_parts,
    conjuncts,
    offer_of,
    shown_parts,
    source_of,
)
from talewright.runtime.lower.statements.actions import head_of
from talewright.runtime.model.cells import DECISION, MENU_ARGUMENTS, OPTION_LIST
from talewright.runtime.model.world import RuleEntry, plain
from talewright.runtime.observe.evaluation.bearers import Bearer, bearers
from talewright.runtime.observe.evaluation.collections import OFFERS
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Items, Scope, Unanswerable, of_kind
from talewright.runtime.observe.evaluation.payments import list_on_stack
from talewright.runtime.observe.evaluation.values import Value
from talewright.runtime.observe.kernel import Chance
from talewright.runtime.observe.possibility import (
    Refusal,
    action_scope,
    arguments_of,
    possible_block,
    refusals,
    values_of_type,
)
from talewright.schemas.node_walk import free_locals
from talewright.schemas.nodes.arguments import AnyOf, Anything
from talewright.schemas.nodes.declared import ActionDeclaration, MenuDeclaration
from talewright.schemas.nodes.names import LocalRef
from talewright.schemas.nodes.rules import OfferRule, Parameter
from talewright.schemas.nodes.statements import Call, Choice, Requires
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

# So many ways to fill in what an offer leaves open are tried.
MOST = 40
NOTHING_TO_DO_IT_WITH = "there is nothing to do it with"
TAKEN_ALREADY = "it was taken already"


@record(frozen=True)
class Withheld:
    """An offer that is not made now, with the values it was tried with, their types, and what stands in the way."""

    rule: OfferRule
    values: tuple[Value, ...]
    refusals: tuple[Refusal, ...]
    types: tuple[Type, ...] = ()
    unmet: bool = False
    """Whether it is its own condition that does not hold."""
    called: tuple[ActionDeclaration, tuple[Value, ...]] | None = None
    """The action it calls, and with what, where that call is refused."""

    @property
    def label(self) -> str:
        """What the option would say, as it is written."""
        return self.rule.id


@record(frozen=True)
class OpenMenu:
    """A menu that somebody is asked to take something from, and what it was opened with."""

    menu: MenuDeclaration
    arguments: tuple[Value, ...]


def open_menu(ev: Evaluator) -> OpenMenu | None:
    """The menu that a game stands at; none if something else is asked."""
    menu = ev.program.menu_points.get(ev.memory[DECISION])
    if menu is None:
        return None
    cells = ev.words.items(ev.memory[MENU_ARGUMENTS]) if menu.params else []
    types = [parameter.type for parameter in menu.params]
    return OpenMenu(menu, tuple(ev.read(cell, type_) for cell, type_ in zip(cells, types, strict=True)))


def withheld(ev: Evaluator) -> list[Withheld]:
    """The offers of the menu that is open which cannot be taken now."""
    opened = open_menu(ev)
    if opened is None:
        return []
    blocks = ev.memory.read(ev.memory[OPTION_LIST] + 1, ev.memory[OPTIONS])
    made = {tuple(ev.words.items(block)[:2]) for block in blocks if block > 0}
    found: list[Withheld] = []
    for entry in ev.program.offers.get(opened.menu.id, []):
        for bearer in bearers(ev, entry):
            if (entry.number, bearer.thing) not in made:
                found += _why_not(ev, opened, entry, bearer)
    return found


def unmet_choices(ev: Evaluator) -> list[Choice]:
    """The labels of the `choose one` that a game stands at whose condition does not hold now."""
    node = ev.program.choice_points.get(ev.memory[DECISION])
    if node is None:
        return []
    made = ev.memory.read(ev.memory[OPTION_LIST] + 1, ev.memory[OPTIONS])
    return [
        option
        for number, option in enumerate(node.options, 1)
        if number not in made and option.when is not None
    ]


def _why_not(ev: Evaluator, opened: OpenMenu, entry: RuleEntry, bearer: Bearer) -> list[Withheld]:
    rule = offer_of(entry)
    scope = _scope(entry, bearer, opened)

    def refused(reason: str) -> list[Withheld]:
        return [Withheld(rule, (), (Refusal(reason, rule.at, bearer.thing),))]

    if _was_taken(ev, opened.menu, entry, bearer):
        return refused(TAKEN_ALREADY)
    if rule.when is not None and not ev.condition(rule.when, scope):
        return [Withheld(rule, (), (Refusal("", rule.at, bearer.thing),), unmet=True)]
    call = rule.body[0] if rule.body else None
    action = ev.program.actions.get(call.action) if isinstance(call, Call) else None
    if action is None or not isinstance(call, Call):
        return []
    found: list[Withheld] = []
    try:
        for filled in _fill(ev, rule, list(rule.unbound), scope):
            values = tuple(filled.locals[part.local] for part in rule.unbound)
            arguments = arguments_of(ev, call, action, filled)
            why = tuple(refusals(ev, action, arguments))
            if why:
                types = tuple(part.type for part in rule.unbound)
                found.append(Withheld(rule, values, why, types, called=(action, arguments)))
            if len(found) >= MOST:
                break
    except Unanswerable:
        return []
    return found or refused(NOTHING_TO_DO_IT_WITH)


def _scope(entry: RuleEntry, bearer: Bearer, opened: OpenMenu) -> Scope:
    """What the names of an offer mean before anything is filled in."""
    rule = offer_of(entry)
    types = {**local_types(rule.locals or ()), **{part.local: part.type for part in rule.unbound}}
    locals_: dict[int, Value] = {}
    for number, argument, parameter in zip(rule.params, opened.arguments, opened.menu.params, strict=True):
        if number is not None:
            locals_[number], types[number] = argument, parameter.type
    return Scope(locals_, types, bearer.thing or None, entry.owner)


def _was_taken(ev: Evaluator, menu: MenuDeclaration, entry: RuleEntry, bearer: Bearer) -> bool:
    if menu.once_per is None:
        return False
    single = entry.bearer in ("", "chapter")
    cells = ev.program.cell(f"once {entry.number}", 1 if single else ev.program.layout.width)
    return bool(ev.memory[cells + (0 if single else bearer.thing)])


# ------------------------------------------------------------------ what an offer leaves open
def _fill(ev: Evaluator, rule: OfferRule, parts: Sequence[Parameter], scope: Scope) -> Iterator[Scope]:
    """Every way to fill in some open parts, one inside the other."""
    if not parts:
        yield scope
        return
    for member in _domain(ev, rule, parts[0], scope):
        yield from _fill(ev, rule, parts[1:], scope.bind(parts[0].local, member))


def _domain(ev: Evaluator, rule: OfferRule, part: Parameter, scope: Scope) -> Items:
    """What the head of the action says an open part must lie in, else every value of its type; copies alike as one."""
    found = _narrowed(ev, rule, part, scope)
    if found is None:
        found = values_of_type(ev, part.type)
    inner = plain(part.type)
    if inner.tag != "thing" or not ev.program.has_copies(inner.name):
        return found
    # Which of several that lie hidden it would be is left to chance: then all of them are tried.
    with ev.memory.supposing(), suppress(Chance):
        options = list_on_stack(ev, found)
        ev.kernel.run("merge_things", options, ev.program.all_seats())
        return tuple(ev.words.items(options))
    return found


def _narrowed(ev: Evaluator, rule: OfferRule, part: Parameter, scope: Scope) -> Items | None:
    """The members of the container or set in which the action that an offer calls requires an open part to lie."""
    call = rule.body[0] if rule.body else None
    action = ev.program.actions.get(call.action) if isinstance(call, Call) else None
    if action is None or not isinstance(call, Call):
        return None
    index = next((i for i, argument in enumerate(call.args) if argument == LocalRef(part.local)), None)
    if index is None:
        return None
    known: dict[int, Value] = {}
    for argument, parameter in zip(call.args, action.params, strict=True):
        settled = argument is not None and not isinstance(argument, Anything | AnyOf)
        if settled and set(free_locals(argument)) <= set(scope.locals):
            known[parameter.local] = ev.value_as(argument, parameter.type, scope)
    nothing: list[Value] = [None] * len(action.params)
    inner = action_scope(ev, action, nothing).bind_all(known)
    for required in head_of(action):
        if not isinstance(required, Requires):
            continue
        for test in conjuncts(required.condition):
            source = source_of(test, action.params[index].local)
            if source is not None and set(free_locals(source)) <= set(known):
                kind = plain(part.type).name
                members = ev.items(source, inner)
                is_kind = kind in ev.program.world.kinds
                return tuple(m for m in members if not is_kind or of_kind(ev, m, kind))
    return None


# ------------------------------------------------------------------ what is offered
def offered(ev: Evaluator, name: str, arguments: tuple[Value, ...] = ()) -> Items:
    """What a menu would offer now: each offer with its bearer and what its label shows."""
    menu = ev.program.menus[name]
    opened = OpenMenu(menu, arguments)
    found: list[Value] = []
    for entry in ev.program.offers.get(name, []):
        rule = offer_of(entry)
        for bearer in bearers(ev, entry):
            scope = _scope(entry, bearer, opened)
            if _was_taken(ev, menu, entry, bearer):
                continue
            if rule.when is not None and not ev.condition(rule.when, scope):
                continue
            for filled in _fill(ev, rule, shown_parts(rule), scope):
                if any(possible_block(ev, rule.body, s) for s in _fill(ev, rule, asked_parts(rule), filled)):
                    shown = tuple(filled.locals[part.local] for part in shown_parts(rule))
                    found.append((entry.number, bearer.thing, *shown))
    return tuple(found)


OFFERS.append(offered)
