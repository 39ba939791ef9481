"""The verbs of the core, with the rules that forbid, replace, precede and follow them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, cell, const, equal, load
from talewright.runtime.ir.header import RESULT, TOO_MUCH
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.play.notes import DRAWN, EFFECT, SHUFFLED
from talewright.runtime.lower.builds.counters import count_rule
from talewright.runtime.lower.builds.notes import asks_about, note, note_core, note_row
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.decisions.possible import GOES, PART_NAMES, destination
from talewright.runtime.lower.dispatch import (
    condition,
    each_of_list,
    listed,
    lowers_statement,
    lowers_value,
    unknown,
    value,
    value_as,
)
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import Parts, Rank, each_applying, run_rule
from talewright.runtime.lower.statements.actions import rules_of, run_pass
from talewright.runtime.lower.statements.effects import borne
from talewright.runtime.lower.statements.endings import finish_call
from talewright.runtime.lower.statements.statements import write
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.cells import ASLEEP
from talewright.runtime.model.types import is_block, is_list, none_of
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.node_walk import free_locals
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything, EffectBlock
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import record, replace

# So many texts may be said without a decision.
MOST_TEXTS = 1000

Do = Callable[[Code, "Verb"], Expression | None]
VERBS: dict[str, Do] = {}
"""What each verb does, by its id; other modules add theirs. A verb that gives nothing gives None."""


@record(frozen=True)
class Verb:
    """A call of a verb with its parts worked out."""

    node: s.CoreCall
    values: dict[int | str, Expression]
    types: dict[int | str, Type]

    def part(self, name: str) -> Expression:
        """The value of a part; none if the call does not have it."""
        return self.values.get(name, ZERO)

    def has(self, name: str) -> bool:
        """Whether the call has a part."""
        return name in self.values

    @property
    def where(self) -> Expression:
        """The location that something goes to; the box if nothing is said."""
        for name in GOES:
            if name in self.values:
                return self.values[name]
        return ZERO


def verb(*names: str) -> Callable[[Do], Do]:
    """Enters what some verbs do."""

    def entered(do: Do) -> Do:
        for name in names:
            VERBS[name] = do
        return do

    return entered


# ------------------------------------------------------------------ calls
@lowers_statement(s.CoreCall)
def core_statement(code: Code, node: s.CoreCall) -> None:
    if node.verb == "add":
        _add_to(code, node)
        return
    if node.verb == "remove" and node.args.source is not None and not _is_pile(code, node.args.source):
        _remove_from(code, node)
        return
    made = core_call(code, node)
    if made is not None:
        code.keep(made)


@lowers_value(s.CoreCall)
def core_result(code: Code, node: s.CoreCall) -> Expression:
    made = core_call(code, node)
    return const(none_of(type_of(code, node))) if made is None else made


def core_call(code: Code, node: s.CoreCall) -> Expression | None:
    """Calls a verb of the core, through its rules if there are any."""
    program = code.program
    do = VERBS.get(node.verb)
    if do is None:
        raise unknown(node)
    made = parts_of_call(code, node)
    if not any(
        rules_of(program, timing, f"core:{node.verb}")
        for timing in ("forbid", "instead_of", "before", "after")
    ):
        given = do(code, made)
        if asks_about(code, node.verb):
            given = None if given is None else code.keep(given)
            note_core(code, "done", node.verb, made.values, made.types)
        return given
    return _hooked(code, made)


def parts_of_call(code: Code, node: s.CoreCall) -> Verb:
    """A call with its parts worked out, from left to right."""
    values: dict[int | str, Expression] = {}
    types: dict[int | str, Type] = {}
    for name, attribute in PART_NAMES.items():
        argument = getattr(node.args, attribute)
        if argument is None or isinstance(argument, Anything | AnyOf | EffectBlock | n.PaymentRef):
            continue
        if node.verb == "pay" and name in ("first", "from"):
            continue
        types[name] = type_of(code, argument)
        values[name] = code.keep(_part(code, node, name, argument))
    return Verb(node, values, types)


def _part(code: Code, node: s.CoreCall, name: str, argument: object) -> Expression:
    if name in GOES and node.verb not in SPATIAL:
        return destination(code, argument)
    if name == "first" and node.many and not _is_pile(code, argument):
        return listed(code, argument)
    return value_as(code, argument, type_of(code, argument))


SPATIAL = frozenset(("stand", "walk", "join", "lay", "link", "show", "put_token"))
"""Verbs whose parts are no containers."""


def _is_pile(code: Code, node: object) -> bool:
    return plain(type_of(code, node)).tag == "pile"


# ------------------------------------------------------------------ rules about verbs
def _hooked(code: Code, made: Verb) -> Expression | None:
    """Calls the function of a verb that runs its rules."""
    hook = Hook(code.program, made, code.scope)
    name = hook.function(hook.name, partial(_run_rules, hook))
    if is_block(type_of(code, made.node)):
        code.uses_stack()
    around = [code.scope.locals[number] for number in hook.free]
    return code.ask_for(name, (*made.values.values(), code.scope.me, code.scope.result, *around))


class Hook:
    """A call of a verb for which there are rules: its functions take its parts, `self`, `result` and what it reads around it."""

    def __init__(self, program: Program, made: Verb, scope: Scope) -> None:
        self.program, self.node, self.types = program, made.node, made.types
        self.name = f"verb:{program.node_number('hooked', made.node)}:{made.node.verb}"
        self.values: dict[int | str, Expression] = {part: Local(i) for i, part in enumerate(made.values)}
        free = [number for number in free_locals(made.node) if number in scope.locals]
        self.free, count = free, len(made.values)
        self.parameters: list[Expression] = [Local(i) for i in range(count + 2 + len(free))]
        around: dict[int, Expression] = {number: Local(count + 2 + i) for i, number in enumerate(free)}
        self.scope = replace(scope, locals=around, me=Local(count), result=Local(count + 1))

    @property
    def verb(self) -> str:
        """The verb as rules know it."""
        return f"core:{self.node.verb}"

    def function(self, name: str, write: Callable[[Code], None], ranked: bool = False) -> str:
        """A function of the call, perhaps with the two cells of a rank behind its other parameters."""

        def begun(code: Code) -> Function:
            code.spot = self.node.at
            code.giving()
            write(code)
            return finish_call(code, type_of(code, self.node))

        return self.program.function(name, len(self.parameters) + 2 * ranked, begun, False, self.scope)

    def run(self, code: Code) -> Expression | None:
        """Does what the verb does."""
        return VERBS[self.node.verb](code, Verb(self.node, self.values, self.types))

    def note(self, code: Code, outcome: str) -> None:
        """Notes what became of the call."""
        note_core(code, outcome, self.node.verb, self.values, self.types)


def _run_rules(hook: Hook, code: Code) -> None:
    parts = Parts(hook.values, hook.types)
    if hook.program.build.tested:
        with code.if_(cell(ASLEEP)):
            code.give(hook.run(code))

    def refuse(entry: RuleEntry, me: Expression) -> None:
        count_rule(code, entry, me)
        hook.note(code, "refused")
        code.go(code.exit)

    for entry in rules_of(hook.program, "forbid", hook.verb):
        each_applying(code, entry, parts, hook.node.verb, partial(refuse, entry))
    _replace_or_run(code, hook, None)


def _replace_or_run(code: Code, hook: Hook, below: Rank | None) -> None:
    """The highest replacement that applies, below those that said `as usual`; else what the verb does."""
    from talewright.runtime.lower.rules.rivals import replace as replace_with

    verb = hook.node.verb
    # The parts of a rule that replaces the call go on with what its functions take besides.
    taken = dict(zip([*hook.values, "self", "result", *map(str, hook.free)], hook.parameters, strict=True))
    parts = Parts(taken, hook.types, result_type=type_of(code, hook.node))

    def take(entry: RuleEntry, me: Expression, rank: Rank) -> None:
        hook.note(code, "replaced")
        run_rule(code, entry, me, parts, verb, partial(_usual, hook), rank)
        code.give(cell(RESULT))

    entries = rules_of(hook.program, "instead_of", hook.verb)
    replace_with(code, entries, parts, verb, below, take, True)
    _run_passes(code, hook)


def _usual(hook: Hook) -> str:
    """The function that runs a verb below a replacement, whose rank it takes."""
    count = len(hook.parameters)
    rank = Rank(Local(count), Local(count + 1))
    return hook.function(f"usual:{hook.name}", lambda code: _replace_or_run(code, hook, rank), ranked=True)


def _run_passes(code: Code, hook: Hook) -> None:
    """Before, what the verb does, after."""
    verb, values, types = hook.node.verb, hook.values, hook.types
    run_pass(code, rules_of(hook.program, "before", hook.verb), Parts(values, types), verb)
    made = hook.run(code)
    result_type = type_of(code, hook.node)
    if made is not None:
        code.assign(code.giving(), made)
    hook.note(code, "done")
    if verb in ("roll", "reroll"):
        values, types = {**values, "first": code.giving()}, {**types, "first": result_type}
    after = Parts(values, types, code.giving(), result_type)
    run_pass(code, rules_of(hook.program, "after", hook.verb), after, verb)


def _with_each(code: Code, call_: Verb, do: Callable[[Expression], None]) -> None:
    """Does something with what a verb is about, or with each of several things."""
    if call_.node.many:
        each_of_list(code, call_.part("first"), do)
    else:
        do(call_.part("first"))


# ------------------------------------------------------------------ moving
def _box(code: Code) -> Expression:
    return const(code.program.world.pile_numbers["box"])


@verb("move", "place", "put", "put_at", "put_on", "station", "move_under")
def move(code: Code, call_: Verb) -> Expression | None:
    under = ONE if call_.node.verb == "move_under" else ZERO
    if call_.node.many or is_list(call_.types["first"]):
        code.do("put_list", call_.part("first"), call_.where, under)
        return None
    return code.call("put_in", call_.part("first"), call_.where, under)


@verb("move_count")
def move_count(code: Code, call_: Verb) -> None:
    code.do("move_count", call_.part("first"), call_.part("from"), call_.part("to"))


@verb("discard")
def discard(code: Code, call_: Verb) -> Expression | None:
    if call_.has("to"):
        return move(code, call_)
    _with_each(code, call_, partial(code.do, "discard"))
    return None


@verb("remove")
def remove(code: Code, call_: Verb) -> None:
    if call_.node.many:
        code.do("put_list", call_.part("first"), _box(code), 0)
    else:
        code.do("put_in", call_.part("first"), _box(code), 0)


def _add_to(code: Code, node: s.CoreCall) -> None:
    """Adds to a list or set, or puts into a container."""
    target, first = node.args.to, node.args.first
    if _is_pile(code, target):
        code.do("put_in", value(code, first), value(code, target), 0)
        return
    code.uses_stack()

    def grown(type_: Type) -> Expression:
        if plain(type_).tag == "set":
            return code.call("union", value(code, target), value_as(code, first, Type("list", "", (ANY,))))
        more = code.keep(listed(code, first) if node.many else value(code, first))
        made = code.call("copy_list", value(code, target))
        if node.many:
            each_of_list(code, more, lambda item: code.do("push", made, item))
        else:
            code.do("push", made, more)
        return made

    write(code, target, grown)


def _remove_from(code: Code, node: s.CoreCall) -> None:
    """Takes members out of a list or pool."""
    target = node.args.source
    code.uses_stack()

    def left(type_: Type) -> Expression:
        gone = value_as(code, node.args.first, Type("list", "", (ANY,)))
        return code.call("without", value(code, target), gone)

    write(code, target, left)


@verb("put_token", "take_token")
def put_token(code: Code, call_: Verb) -> Expression | None:
    thing = call_.part("on" if call_.node.verb == "put_token" else "from")
    return code.call(call_.node.verb, call_.part("first"), call_.part("token") - 1, thing)


@verb("take")
def take(code: Code, call_: Verb) -> Expression | None:
    code.uses_stack()
    if plain(call_.types["from"]).tag == "pile":
        return code.call("draw_many", call_.part("from"), call_.part("first"))
    return code.call("take_some", call_.part("from"), call_.part("first"))


@verb("run")
def run(code: Code, call_: Verb) -> None:
    """Runs lines that were handed over."""
    held = call_.part("first")
    own = borne(code, call_.node.args.first) if code.program.build.traced else None
    with code.if_(held):
        if own is not None:
            note_row(code, EFFECT, own.cell, own.thing, 1)
        code.ask_indirect(load(held, 1), (held,))
        if own is not None:
            note_row(code, EFFECT, own.cell, own.thing, 0)


@verb("exchange")
def exchange(code: Code, call_: Verb) -> Expression | None:
    function = "exchange" if code.program.grid is None else "exchange_figures"
    return code.call(function, call_.part("first"), call_.part("with"))


# ------------------------------------------------------------------ decks
@verb("draw")
def draw(code: Code, call_: Verb) -> Expression | None:
    made = _draw(code, call_)
    if not code.program.build.traced or plain(call_.types["from"]).tag != "pile":
        return made
    drawn = code.hold(made)
    noted = partial(note_row, code, DRAWN, call_.part("from"))
    if is_list(type_of(code, call_.node)):
        each_of_list(code, drawn, noted)
    else:
        noted(drawn)
    return drawn


def _draw(code: Code, call_: Verb) -> Expression:
    source = call_.part("from")
    if call_.node.until is not None:
        return _draw_until(code, call_)
    if call_.has("into") or call_.has("under"):
        under = ONE if call_.has("under") else ZERO
        into = call_.part("into") if call_.has("into") else call_.part("under")
        if not call_.has("first"):
            return code.call("draw_one_into", source, into, under)
        return code.pushed("draw_into", source, call_.part("first"), into, under)
    if call_.has("first"):
        return code.pushed("draw_many", source, call_.part("first"))
    return code.call("draw", source)


def _draw_until(code: Code, call_: Verb) -> Expression:
    """Draws until a card fits; those passed over go to the pile that the deck takes in."""
    node = call_.node
    source = code.keep(call_.part("from"))
    passed = code.new_list()
    refills, found = code.hold(0), code.hold(0)
    item = type_of(code, node)
    with code.loop() as (_, out):
        with code.if_(equal(load(source, code.names["COUNT"]), 0)):
            code.leave_if(refills, out)
            code.assign(refills, 1)
            code.leave_if(equal(code.call("refill", source), 0), out)
        thing = code.hold(load(source, code.names["FIRST"]))
        code.do("take_out", thing)
        assert node.local is not None
        with code.bound(node.local, thing, plain(item)):
            fits = condition(code, node.until)
        with code.if_(fits):
            code.assign(found, thing)
            code.go(out)
        code.do("push", passed, thing)
    code.do("put_back", passed, source)
    return found


@verb("shuffle")
def shuffle(code: Code, call_: Verb) -> None:
    where = code.keep(call_.part("first"))
    code.do("shuffle", where)
    note_row(code, SHUFFLED, where, load(where, code.names["COUNT"]))


@verb("reveal")
def reveal(code: Code, call_: Verb) -> None:
    def turn_up(thing: Expression) -> None:
        held = code.keep(thing)
        note(code, "note_turned", held)
        code.do("reveal", held)

    _with_each(code, call_, turn_up)


@verb("show")
def show(code: Code, call_: Verb) -> None:
    def show_to(thing: Expression, seat: Expression) -> None:
        note(code, "note_shown", thing, seat)
        code.do("show", thing, seat)

    def to_each(thing: Expression) -> None:
        if is_list(call_.types["to"]):
            each_of_list(code, call_.part("to"), lambda seat: show_to(thing, seat))
        else:
            show_to(code.keep(thing), code.keep(call_.part("to")))

    _with_each(code, call_, to_each)


@verb("flip")
def flip(code: Code, call_: Verb) -> None:
    if plain(call_.types["first"]).tag == "die":
        code.do("flip_die", call_.part("first"))
        return
    turned = code.keep(call_.part("first"))
    code.do("flip", turned)
    note(code, "note_flipped", turned)


@verb("say")
def say(code: Code, call_: Verb) -> None:
    """Says a text to everybody, if anybody listens."""
    if code.program.build.events:
        count = code.call("say_text", call_.part("first"))
        code.fault_if(count > MOST_TEXTS, TOO_MUCH)


# ------------------------------------------------------------------ what is said only for rules to hook
@verb("end_chapter", "chapter", "game", "next_line")
def nothing(code: Code, call_: Verb) -> None:
    pass


@verb("match")
def match(code: Code, call_: Verb) -> Expression | None:
    return call_.part("first")
