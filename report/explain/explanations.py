"""Why a number is what it is, why something is offered, and why something is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from talewright.report.explain.certainty import certain, whole
from talewright.report.source_places import place_text
from talewright.report.table.effect_text import offer_taken
from talewright.report.table.happenings import EVERYBODY, Narrator
from talewright.report.table.tabletop import field_label
from talewright.report.table.visibility import Seat, open_field, seats_of, secret, value_text, visible, words
from talewright.report.wording.cards import YOU, Cards, plain_label
from talewright.report.wording.phrases import NUMBERS, Phrase, inside_sentence
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.lower.expressions.modifiers import parameter_types
from talewright.runtime.model.cells import DECISION
from talewright.runtime.model.types import THING
from talewright.runtime.model.world import Field, plain
from talewright.runtime.observe.functions import Unanswerable
from talewright.runtime.observe.left_out import left_out
from talewright.runtime.observe.offers import Withheld, unmet_choices, withheld
from talewright.runtime.observe.possibility import Refusal
from talewright.runtime.observe.possibility import refusals as call_refusals
from talewright.runtime.observe.rules import BOUNDS, Change, bearers, bounded, changes
from talewright.runtime.observe.trace import CallEvent
from talewright.runtime.observe.values import Value
from talewright.runtime.observe.view import View
from talewright.runtime.session.game import Decision
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.rules import ForbidRule, OfferRule
from talewright.schemas.nodes.statements import Call, Choose, Requires
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import replace

FEW = 12
# A number that nothing changes takes so many lines.
SIMPLE = 2
# Of an offer so many ways to fill it in are told.
FEW_OF_EACH = 3
MOST_NAMES = 24


# ------------------------------------------------------------------ refusals
def refusals(
    view: View,
    refused: Sequence[CallEvent],
    seat: Seat,
    cards: Cards | None = None,
    about: str = "",
) -> list[str]:
    """What is not offered now, and the calls that were refused since the last decision, with the rules' own reasons; all of
    it, or what is about something.

    With the words of the document, a condition that does not hold is told too, and what is left out of a choice.
    """
    lines = certain(view, seat, lambda: _refusals(view, refused, seat, cards, about.lower()))
    return [line for line in lines if not secret(view, line, seat)]


def _refusals(
    view: View, refused: Sequence[CallEvent], seat: Seat, cards: Cards | None, about: str
) -> list[str]:
    lines = list(_withheld(view, seat, cards, about))
    for choice in unmet_choices(view.evaluator):
        only = (
            "" if cards is None else cards.chosen_if(choice, view.program.points[view.memory[DECISION]].spot)
        )
        lines.append(f"  {plain_label(choice.label)}: {only or 'its condition does not hold'}")
    lines += _left_out(view, seat, cards)
    for call in refused[-FEW:]:
        action = view.program.actions.get(call.action)
        if action is None or None in call.arguments:
            continue  # a call with nothing to do: no rule stands in the way
        if cards is not None and action.reads == "":
            continue  # players are told nothing of it
        try:
            found = call_refusals(view.evaluator, action, call.arguments)
        except (EngineFault, Unanswerable):
            found = ()
        given = _given(view, action, call.arguments, seat)
        told = _called_in_words(view, call, seat, cards)
        if not told and cards is not None:
            told = cards.called(action, given)
        told = told or call_text(view, call.action, call.arguments, seat)
        line = f"  {told}: {_because(view, found, seat, cards, action, given)}"
        if line not in lines:
            lines.append(line)
    if about:
        lines = [line for line in lines if about in line.partition(":")[0].lower()]
    return lines[: 2 * FEW]


def _withheld_called(view: View, offer: Withheld, seat: Seat, cards: Cards | None) -> str:
    """What an entry of a menu would say with what it was tried with, and the rest of that."""
    tried = [
        value_text(view, value, type_, seat) for value, type_ in zip(offer.values, offer.types, strict=True)
    ]
    given = {part.local: Phrase(text) for part, text in zip(offer.rule.unbound, tried, strict=False)}
    label = offer.label if cards is None else cards.label(offer.rule, given)
    rest = ", ".join(text for text in tried if text not in label)
    return f"{label} [{rest}]" if rest else label


def _withheld(view: View, seat: Seat, cards: Cards | None, about: str) -> Iterator[str]:
    """The offers that are not made now; of the ways to fill one in the first few, unless one is asked about."""
    told = [(offer, _withheld_called(view, offer, seat, cards)) for offer in withheld(view.evaluator)]
    count = Counter(offer.rule.id for offer, _ in told)
    number: dict[str, int] = {}
    for offer, label in told:
        at = number[offer.rule.id] = number.get(offer.rule.id, 0) + 1
        if at <= FEW_OF_EACH or (about and about in label.lower()):
            only = cards.offered_if(offer.rule) if cards is not None and offer.unmet else ""
            yield f"  {label}: {only or _withheld_because(view, offer, seat, cards)}"
        if at == FEW_OF_EACH < count[offer.rule.id]:
            yield f"    (and {count[offer.rule.id] - at} more such offers)"


def _withheld_because(view: View, offer: Withheld, seat: Seat, cards: Cards | None) -> str:
    if offer.called is None or cards is None:
        return _because(view, offer.refusals, seat, cards)
    action, arguments = offer.called
    for refusal in offer.refusals:
        missing = "" if refusal.missing is None else cards.missing(offer.rule, refusal.missing)
        if missing:
            return f"{missing}{_rule_place(view, refusal.at, refusal.bearer, seat)}"
    return _because(view, offer.refusals, seat, cards, action, _given(view, action, arguments, seat))


def _left_out(view: View, seat: Seat, cards: Cards | None) -> Iterator[str]:
    """What is not among the options because what would be done with it is not possible."""
    spot = view.program.points[view.memory[DECISION]].spot
    question = None if cards is None else cards.questions.get(spot)
    if question is None or not isinstance(question.asks, Choose):
        return
    try:
        for one in left_out(view.evaluator, question.asks, question.locals):
            called = value_text(view, one.value, plain(question.asks.type), seat)
            given = _given(view, one.action, one.arguments, seat)
            yield f"  {called}: {_because(view, one.refusals, seat, cards, one.action, given)}"
    except (EngineFault, Unanswerable):
        return


def _called_in_words(view: View, call: CallEvent, seat: Seat, cards: Cards | None) -> str:
    """A call in the words that the package gives its action; empty where it gives none."""
    narrator = None if cards is None else Narrator(view.program, cards)
    if narrator is None or not narrator.tells(call.action):
        return ""
    knowers = tuple(_knowers(view, argument, seat) for argument in call.arguments)
    return narrator.happening(view, replace(call, knowers=knowers)).text(seat).removesuffix(".")


def _knowers(view: View, value: Value, seat: Seat) -> tuple[int, ...]:
    """For each thing that an argument is, whether whoever asks knows it, as a call that is done says it of everybody."""
    things = value if isinstance(value, tuple) else (value,)
    known = range(1, len(view.program.world.things) + 1)
    return tuple(
        EVERYBODY if isinstance(one, int) and one in known and visible(view, one, seat) else 0
        for one in things
    )


def _given(
    view: View, action: ActionDeclaration, arguments: Sequence[Value], seat: Seat
) -> dict[int, Phrase]:
    """What the parameters of an action stand for in a call."""
    return {
        parameter.local: YOU
        if argument in seats_of(seat) and plain(parameter.type).tag == "thing"
        else Phrase(inside_sentence(value_text(view, argument, parameter.type, seat)))
        for parameter, argument in zip(action.params, arguments, strict=True)
    }


def _because(
    view: View,
    found: Sequence[Refusal],
    seat: Seat,
    cards: Cards | None = None,
    action: ActionDeclaration | None = None,
    given: Mapping[int, Phrase] | None = None,
) -> str:
    if not found:
        return "its conditions did not hold"
    told = []
    for refusal in found:
        by = f", by {_thing_name(view, refusal.bearer, seat)}" if refusal.bearer else ""
        where = _rule_place(view, refusal.at, refusal.bearer, seat)
        reason = refusal.reason
        if not reason and cards is not None and action is not None and isinstance(refusal.by, Requires):
            reason = cards.required(refusal.by.condition, action, given or {})
        if not reason and cards is not None and isinstance(refusal.by, ForbidRule):
            bearer = refusal.bearer and visible(view, refusal.bearer, seat) and view.sort(refusal.bearer)
            reason = cards.rule(refusal.by, bearer or "").removesuffix(".")
        if not reason:
            forbids = isinstance(refusal.by, ForbidRule)
            reason = "a rule forbids it" if forbids else "its condition does not hold"
        told.append(f"{reason.removesuffix('.') if by else reason}{by}{where}")
    return "; ".join(told)


def _rule_place(view: View, at: int, bearer: int, seat: Seat) -> str:
    """Where a rule stands in the text, unless that would name a thing the seat does not know."""
    if bearer and not visible(view, bearer, seat):
        return ""
    return place_text(view.program, at)


def call_text(view: View, action: str, arguments: Sequence[Value], seat: Seat) -> str:
    """A call in words."""
    declared = view.program.actions.get(action)
    types = [parameter.type for parameter in declared.params] if declared is not None else []
    types += [ANY] * (len(arguments) - len(types))
    shown = [
        value_text(view, argument, type_, seat) for argument, type_ in zip(arguments, types, strict=False)
    ]
    return " ".join([words(action.partition("/")[0].removeprefix("core:")), *shown])


# ------------------------------------------------------------------ options
def option_reasons(
    view: View, decision: Decision, index: int, seat: Seat, cards: Cards | None = None
) -> list[str]:
    """Why an option is there: who asks, which rule offers it, and which rules would have a say in it."""
    return certain(view, seat, lambda: _option_reasons(view, decision, index, seat, cards))


def _option_reasons(view: View, decision: Decision, index: int, seat: Seat, cards: Cards | None) -> list[str]:
    option, program = decision.options[index], view.program
    lines = [f"  {option.text()}"]
    number = view.memory[DECISION]
    point = program.points[number]
    menu = program.menu_points.get(number)
    asked = " ".join(decision.prompt.split())
    if menu is not None:
        asks = f"in the menu “{words(menu.id)}”"
    else:
        asks = f"“{asked}”" if asked else f"in {words(decision.id.partition('.')[0])}"
    lines.append(f"    asked {asks}{place_text(program, point.spot)}")
    if number not in program.menu_points or not option.value or option.value < 0:
        return lines  # nothing is taken, or what may be done at any time
    offer, bearer = view.words.items(option.value)[:2]
    rule = program.world.rules[offer].rule
    assert isinstance(rule, OfferRule)
    by = f" by {_thing_name(view, bearer, seat)}" if bearer else ""
    lines.append(f"    offered{by}{_rule_place(view, rule.at, bearer, seat)}")
    call = rule.body[0] if rule.body else None
    if isinstance(call, Call):
        action = program.actions.get(call.action)
        where = "" if action is None else place_text(program, action.at)
        taken = offer_taken(view, option, decision)
        said = "" if cards is None or taken is None else cards.offer_does(*taken).removesuffix(".")
        lines.append(f"    it does{f': {said}' if said else ' what its label says'}{where}")
        lines += _attached(view, call.action, seat, cards)
    return lines


def _attached(view: View, action: str, seat: Seat, cards: Cards | None) -> list[str]:
    """The rules in force that look at an action."""
    entries = [
        (timing, entry)
        for (timing, about), rules in view.program.action_rules.items()
        if about == action
        for entry in rules
    ]
    lines = []
    for timing, entry in sorted(entries, key=lambda pair: pair[1].number):
        for bearer in bearers(view.evaluator, entry):
            by = f" by {_thing_name(view, bearer, seat)}" if bearer else ""
            where = _rule_place(view, getattr(entry.rule, "at", -1), bearer, seat)
            said = "" if cards is None else cards.rule(entry.rule, bearer and view.sort(bearer))
            lines.append(f"    in force{by}: {said or words(timing)}{where}")
    return lines


# ------------------------------------------------------------------ numbers
def reasons(view: View, name: str, decision: Decision, seat: Seat, cards: Cards | None = None) -> list[str]:
    """What makes up a value or a field of a thing."""
    wanted, _, of = name.partition(" of ")
    if not of and "." in wanted:
        of, _, wanted = wanted.rpartition(".")
    key = wanted.strip().replace(" ", "_")
    thing = find_thing(view, of.strip(), seat) if of.strip() else 0
    if of.strip() and not thing:
        return [f"  Nothing you know of is called {of.strip()}."]
    if key in view.program.values:
        return whole(view, seat, lambda: _value(view, key, thing, decision, seat, cards))
    if not thing and len(decision.seats) == 1:
        thing = decision.seats[0]
    fields = view.fields(thing) if thing else {}
    key = next((n for n, one in fields.items() if field_label(one, n).lower() == wanted.strip().lower()), key)
    field = fields.get(key)
    if field is not None and visible(view, thing, seat):
        if not open_field(view, thing, field, seat):
            return [f"  The {words(key)} of {view.title(thing)} is hidden from you."]
        return whole(view, seat, lambda: _field(view, field, key, thing, seat, cards))
    found = find_thing(view, name.strip(), seat)
    if found and wanted == name:
        return _numbers_of(view, found, seat, cards)
    return _unknown(view, decision)


def _numbers_of(view: View, thing: int, seat: Seat, cards: Cards | None) -> list[str]:
    """What counts otherwise for a thing than is printed on it, and what else it can be asked for."""
    open_ = {
        name: field
        for name, field in view.fields(thing).items()
        if field.tag in NUMBERS and field.declaration.reads != "" and open_field(view, thing, field, seat)
    }
    lines: list[str] = []
    for name, field in open_.items():
        told = whole(view, seat, partial(_field, view, field, name, thing, seat, cards))
        lines += told if len(told) > SIMPLE else []
    title = view.title(thing)
    return lines or [f"  Nothing changes what is printed on {title}; `look {title}` shows it."]


def find_thing(view: View, name: str, seat: Seat) -> int:
    """A thing the seat knows of, by its title or id or a part of the title; 0 if there is none."""
    things = things_called(view, name, seat)
    return things[0] if things else 0


def things_called(view: View, name: str, seat: Seat) -> list[int]:
    """The things the seat knows of that fit a name, those in play and those that fit exactly first."""
    wanted = name.strip().lower()
    if not wanted:
        return []
    found = [
        t.number for t in view.things
        if wanted in _called(view, t.number) and visible(view, t.number, seat) and not _is_ahead(view, t.number)
    ]  # fmt: skip

    def order(thing: int) -> tuple[bool, bool, int]:
        exact = wanted in (view.title(thing).lower(), view.thing(thing).id.lower())
        return not exact, view.where(thing) == view.box, thing

    return sorted(found, key=order)


def _is_ahead(view: View, thing: int) -> bool:
    """Whether it is a page of the story that is not open: how it may end is nobody's to read."""
    return thing != view.chapter and any(view.is_kind(thing, kind) for kind in ("Chapter", "Ending"))


def _called(view: View, thing: int) -> str:
    """What a thing can be called: its title, and its id if that is its own and not that of what it is a part of."""
    name = "" if view.is_part(thing) else view.thing(thing).id
    return f"{view.title(thing)}\n{name}".lower()


def _unknown(view: View, decision: Decision) -> list[str]:
    # What has no words of its own is there for the rules; where nothing has any, all of it may be asked for.
    declared = {n: v for n, v in view.program.values.items() if len(v.params) <= 1 and ":" not in n}
    worded = [name for name, value in declared.items() if value.reads]
    values = [words(name) for name in worded or declared]
    present = view.thing(view.chapter).id if view.chapter else ""
    tracks = [
        words(id_)
        for track in view.program.world.content.tracks
        for owner, _, id_ in [track.id.rpartition(":")]
        if owner in ("", present) and track.reads != ""
    ]
    fields: dict[str, None] = {}
    for seat in decision.seats:
        shown = [name for name, field in view.fields(seat).items() if field.declaration.reads != ""]
        fields.update(dict.fromkeys(field_label(view.fields(seat)[name], name) for name in shown))
    known = [*tracks, *fields, *values]
    lines = ["  No number is called so. Ask for a track, a value, or `FIELD of THING`."]
    return lines + ([f"  There are: {', '.join(known[:MOST_NAMES])}"] if known else [])


def _value(
    view: View, key: str, thing: int, decision: Decision, seat: Seat, cards: Cards | None
) -> list[str]:
    declared = view.program.values[key]
    arguments: list[Value] = []
    if len(declared.params) > 1:
        return ["  That value depends on several things at once; no single number can be shown."]
    if declared.params:
        subject = thing or (decision.seats[0] if len(decision.seats) == 1 else 0)
        if not subject:
            return [f"  Of what? Ask `why {words(key)} of NAME`."]
        arguments = [subject]
    try:
        now = view.evaluator.declared(declared, arguments)
        bare = view.evaluator.declared(declared, arguments, base=True)
    except (EngineFault, KeyError, IndexError, TypeError):
        return [f"  {words(key)} makes no sense for that."]
    except Unanswerable as why:
        return [f"  {words(key)}: {why}."]
    of = f" of {view.title(thing or decision.seats[0])}" if arguments else ""
    lines = [
        f"  {words(key)}{of}: {value_text(view, now, declared.type, seat)}",
        f"    {value_text(view, bare, declared.type, seat)} by itself{place_text(view.program, declared.at)}",
    ]
    return lines + _changes(view, key, arguments, parameter_types(declared), bare, declared.type, seat, cards)


def _field(view: View, field: Field, key: str, thing: int, seat: Seat, cards: Cards | None) -> list[str]:
    bare, now = view.stored(thing, field), view.field(thing, field)
    lines = [f"  {field_label(field, key)} of {view.title(thing)}: {value_text(view, now, field.type, seat)}"]
    if field.tag != "pile":
        lines.append(f"    {value_text(view, bare, field.type, seat)} by itself")
    types = [Type("thing", field.owner)]
    return lines + _changes(view, field.first, [thing], types, bare, field.type, seat, cards)


def _changes(
    view: View,
    key: str,
    arguments: Sequence[Value],
    types: Sequence[Type],
    bare: Value,
    type_: Type,
    seat: Seat,
    cards: Cards | None,
) -> list[str]:
    """Every modifier in the order they count, also those that are overruled or wait for their condition."""
    found = [
        change
        for entry in view.program.modifiers.get(key, ())
        for change in changes(view.evaluator, entry, type_, arguments, types)
    ]
    setting = [change for change in found if change.sign == "=" and change.counts]
    # Of several the last in the text counts, and of that the first for whom it is in force.
    ruling = next((change for change in setting if change.entry is setting[-1].entry), None)
    steps = [change for signs in SIGNS for change in found if change.sign in signs]
    running = bare if ruling is None else ruling.amount
    lines = []
    for change in steps:
        by = f" by {_thing_name(view, change.bearer, seat)}" if change.bearer else ""
        where = _rule_place(view, change.at, change.bearer, seat)
        if not change.counts:
            said = (
                ""
                if cards is None
                else cards.rule(change.entry.rule, change.bearer and view.sort(change.bearer))
            )
            told = said.removesuffix(".") or f"{change.sign} waits: its condition does not hold"
            lines.append(f"    ({'not now: ' if said else ''}{told}{by}{where})")
            continue
        note = ""
        if change.sign == "=" and change is not ruling:
            note = ", overruled by another one"
        elif isinstance(running, int):
            after = _step(running, change)
            note = ", no effect now" if change.sign in BOUNDS and after == running else ""
            running = after
        lines.append(f"    {change.sign} {value_text(view, change.amount, type_, seat)}{by}{note}{where}")
    return lines


# Modifiers in the order in which they count.
SIGNS = (("=",), ("with",), ("without",), ("+", "-"), BOUNDS)


def _step(running: int, change: Change) -> Value:
    """A number after one more modifier."""
    if change.sign in BOUNDS:
        return bounded(running, change)
    amount = change.amount if isinstance(change.amount, int) else 0
    return running + amount if change.sign == "+" else running - amount if change.sign == "-" else running


def _thing_name(view: View, thing: int, seat: Seat) -> str:
    return value_text(view, thing, THING, seat)
