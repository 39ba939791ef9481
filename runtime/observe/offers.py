"""Menus: what they offer now, and what they do not offer, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, call, const, load, negate
from talewright.runtime.ir.header import OPTIONS
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.menus import each_in_domain, need_menu, offer_of, offer_scope
from talewright.runtime.lower.dispatch import Member, condition, each_of_list, gather, value_as
from talewright.runtime.lower.rules.rules import each_bearer
from talewright.runtime.lower.statements.actions import arguments_of
from talewright.runtime.model.cells import DECISION, MENU_ARGUMENTS, OPTION_LIST
from talewright.runtime.model.types import TEXT, many
from talewright.runtime.model.world import RuleEntry, plain
from talewright.runtime.observe.evaluator import Cells, Evaluator, Scope
from talewright.runtime.observe.functions import Chance, Unanswerable
from talewright.runtime.observe.possibility import Refusal, closed, refused
from talewright.runtime.observe.rules import entry_of
from talewright.runtime.observe.values import Value
from talewright.schemas.nodes.declared import ActionDeclaration, MenuDeclaration
from talewright.schemas.nodes.rules import OfferRule, Parameter
from talewright.schemas.nodes.statements import Call, Choice
from talewright.schemas.nodes.statements import OpenMenu as OpenStatement
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

# So many ways to fill in what an offer leaves open are told.
MOST = 40
NOTHING_TO_DO_IT_WITH = "there is nothing to do it with"
TAKEN_ALREADY = "it was taken already"
# What is said of an offer and a bearer of it: it was taken, its condition does not hold, it could be filled in so.
TAKEN, UNMET, FILLED = 1, 2, 3


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
    cells: tuple[int, ...]
    arguments: tuple[Value, ...]


def open_menu(ev: Evaluator) -> OpenMenu | None:
    """The menu that a game stands at; none if something else is asked."""
    menu = ev.program.menu_points.get(ev.memory[DECISION])
    if menu is None:
        return None
    cells = ev.words.items(ev.memory[MENU_ARGUMENTS]) if menu.params else []
    types = [parameter.type for parameter in menu.params]
    return OpenMenu(
        menu, tuple(cells), tuple(ev.read(c, type_) for c, type_ in zip(cells, types, strict=True))
    )


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


def offers_nothing(ev: Evaluator, node: OpenStatement, scope: Scope) -> bool:
    """Whether a menu that is opened so would offer nothing now."""

    def write(code: Code) -> Expression:
        menu = code.program.menus[node.menu.id]
        given = [value_as(code, a, p.type) for a, p in zip(node.menu.args, menu.params, strict=True)]
        listing = need_menu(code.program, menu.id)
        return negate(load(call(listing, const(code.program.all_seats()), *given)))

    with ev.memory.supposing():
        return ev.holds("offers nothing", node, scope, write)


# ------------------------------------------------------------------ what is not offered
def withheld(ev: Evaluator) -> list[Withheld]:
    """The offers of the menu that is open which cannot be taken now."""
    opened = open_menu(ev)
    if opened is None:
        return []
    blocks = ev.memory.read(ev.memory[OPTION_LIST] + 1, ev.memory[OPTIONS])
    made = {tuple(ev.words.items(block)[:2]) for block in blocks if block > 0}
    found: list[Withheld] = []
    for entry in ev.program.offers.get(opened.menu.id, []):
        with suppress(Unanswerable), ev.memory.supposing():
            for bearer, tried in _tried(ev, opened, entry).items():
                if (entry.number, bearer) not in made:
                    found += _why_not(ev, entry, bearer, tried)
    return found


def _tried(ev: Evaluator, opened: OpenMenu, entry: RuleEntry) -> dict[int, list[Cells]]:
    """For each bearer of an offer: that it was taken, or that its condition does not hold, or every way to fill it in."""
    block, _ = ev.ask_of("tried", entry, list(opened.cells), partial(_try, entry, opened.menu))
    found: dict[int, list[Cells]] = {}
    for row in ev.words.items(block):
        bearer, *told = ev.words.items(row)
        found.setdefault(bearer, [])
        if told:
            found[bearer].append(told)
    return found


def _try(entry: RuleEntry, menu: MenuDeclaration, code: Code) -> Type:
    own = entry_of(code.program, entry)
    arguments: list[Expression] = [Local(index) for index in range(len(menu.params))]

    def fill(push: Member) -> None:
        def one(me: Expression) -> None:
            push(code.new_list(me))
            with code.in_scope(offer_scope(own, me, arguments, menu)):
                _ways(code, own, menu, me, lambda *cells: push(code.new_list(me, *cells)))

        each_bearer(code, own, one)

    code.give(gather(code, fill, TEXT))
    return many(TEXT)


def _ways(
    code: Code, entry: RuleEntry, menu: MenuDeclaration, me: Expression, tell: Callable[..., None]
) -> None:
    rule = offer_of(entry)
    asked = _called(code.program.actions, rule)

    def filled() -> None:
        if asked is not None:
            action, node = asked
            parts = (code.scope.locals[part.local] for part in rule.unbound)
            tell(const(FILLED), *parts, *arguments_of(code, closed(node), action))

    def meant() -> None:
        when = ONE if rule.when is None else condition(code, rule.when)
        code.when(when, lambda: _fill(code, rule, rule.unbound, filled), lambda: tell(const(UNMET)))

    taken = ZERO if menu.once_per is None else load(code.program.once_cell(entry, me))
    code.when(taken, lambda: tell(const(TAKEN)), meant)


def _called(actions: dict[str, ActionDeclaration], rule: OfferRule) -> tuple[ActionDeclaration, Call] | None:
    """The call that an offer is; none where it is something else."""
    node = rule.body[0] if rule.body else None
    action = actions.get(node.action) if isinstance(node, Call) else None
    return (action, node) if action is not None and isinstance(node, Call) else None


def _fill(code: Code, rule: OfferRule, parts: Sequence[Parameter], found: Callable[[], None]) -> None:
    """Runs a body for every way to fill in some open parts: of things alike with all of them, which leaves nothing to chance."""
    if not parts:
        found()
        return

    def one(member: Expression) -> None:
        with code.within():
            code.bind(parts[0].local, member, parts[0].type, sure=True)
            _fill(code, rule, parts[1:], found)

    options = gather(code, lambda push: each_in_domain(code, rule, parts[0], push), parts[0].type)
    each_of_list(code, options, one)


def _why_not(ev: Evaluator, entry: RuleEntry, bearer: int, tried: list[Cells]) -> list[Withheld]:
    rule = offer_of(entry)
    asked = _called(ev.program.actions, rule)
    if tried == [[TAKEN]]:
        return [Withheld(rule, (), (Refusal(TAKEN_ALREADY, rule.at, bearer),))]
    if tried == [[UNMET]]:
        return [Withheld(rule, (), (Refusal("", rule.at, bearer),), unmet=True)]
    if asked is None:
        return []
    action, _ = asked
    types = tuple(part.type for part in rule.unbound)
    ways = [row[1:] for row in tried]
    for index, part in enumerate(rule.unbound):
        kept = _told_apart(ev, part.type, [way[index] for way in ways])
        ways = [way for way in ways if way[index] in kept]
    found: list[Withheld] = []
    for way in ways:
        cells = way[len(types) :]
        why = refused(ev, action, cells)
        if why:
            values = tuple(map(ev.read, way, types))
            given = tuple(ev.read(cell, p.type) for cell, p in zip(cells, action.params, strict=True))
            found.append(Withheld(rule, values, why, types, called=(action, given)))
        if len(found) >= MOST:
            break
    return found or [Withheld(rule, (), (Refusal(NOTHING_TO_DO_IT_WITH, rule.at, bearer),))]


def _told_apart(ev: Evaluator, type_: Type, cells: Cells) -> Cells:
    """Values of a type, of copies that are alike one."""
    inner = plain(type_)
    if inner.tag != "thing" or not ev.program.has_copies(inner.name):
        return cells
    # Which of several that lie hidden it would be is left to chance: then all of them are told.
    with suppress(Chance), ev.memory.supposing():
        options = ev.put(dict.fromkeys(cells))
        ev.running.call("merge_things", options, ev.program.all_seats())
        return ev.words.items(options)
    return cells
