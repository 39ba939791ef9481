"""What things do, in words: the lines of a card, its keywords, what an option brings, what waits on a track."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from talewright.report.explain.certainty import NONSENSE, elsewhere
from talewright.report.table.visibility import Seat, name_of, seats_of, value_text, visible
from talewright.report.wording.cards import YOU, Cards, plain_label
from talewright.report.wording.phrases import (
    NUMBERS,
    Phrase,
    inside_sentence,
    listed,
    says,
    without_article,
    words,
)
from talewright.report.wording.questions import Question
from talewright.report.wording.surroundings import Surroundings
from talewright.report.wording.templates import filled, pieces_of
from talewright.runtime.host.decisions import Option
from talewright.runtime.model.cells import DECISION
from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.behaviour import does_anything, text_of
from talewright.runtime.observe.evaluator import Scope
from talewright.runtime.observe.offers import offers_nothing, open_menu
from talewright.runtime.observe.possibility import Refusal, call_refusals
from talewright.runtime.observe.question import scope_of_question
from talewright.runtime.observe.values import Value
from talewright.runtime.observe.view import View
from talewright.runtime.session.game import Decision
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.components import TrackHook
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.literals import IntLiteral
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.statements import (
    Call,
    Choose,
    ChooseOne,
    CoreCall,
    If,
    Let,
    May,
    OpenMenu,
)
from talewright.schemas.nodes.types import ANY
from talewright.schemas.wording import noun_text

MOST = 24
# A label such as `Wait: gain 1 Calm` says itself what it does.
SAYS_ITSELF = ": "
LONGEST_BRIEF = 160
# Options are shown at every decision, so that fewer worlds are looked at than for an answer.
FEW_WORLDS = 12


def wording(view: View, thing: int, cards: Cards) -> list[str]:
    """The lines in which a thing says what it does, without its keywords, which may have changed; empty if it does nothing."""
    known = view.thing(thing)
    if view.is_part(thing):
        part = f"{known.id.rpartition('.')[2]}."
        lines = cards.lines(view.sort(known.owner))
        return [f"{_label(line.label)}: {line.text}" for line in lines if line.field.startswith(part)]
    return [str(line) for line in cards.lines(view.sort(thing)) if not line.keyword][:MOST]


def _label(whole: str) -> str:
    """What a field of a part is called, without the part before it."""
    return whole.rpartition(" ")[2].capitalize()


def part_wording(view: View, option: Option, seat: Seat, cards: Cards) -> str:
    """What an option that is part of something brings with it, as the price of a stall; empty if nothing."""
    thing = _offered(view, option, seat)
    if not thing or not view.is_part(thing):
        return ""
    lines = wording(view, thing, cards)
    return f" ({'; '.join(line[:1].lower() + line[1:].rstrip('.') for line in lines)})" if lines else ""


def option_wording(view: View, option: Option, decision: Decision, cards: Cards) -> str:
    """What an option does, in brief: a card, an entry of a menu, a label, a yes. Empty for what does nothing, lies face down,
    or says in its label what it does."""
    offer = offer_taken(view, option, decision)
    done = cards.offer_does(*offer) if offer is not None else _answer_does(view, option, decision, cards)
    if done:
        return f": {done}" if len(done) <= LONGEST_BRIEF and not _says_it(option.text(), done) else ""
    if offer is not None:
        named = things_of_offer(view, option) if offer[0].reads is None else []
        thing = named[0] if len(named) == 1 and view.is_kind(named[0], "Card") else 0
    else:
        thing = _offered(view, option, decision.seats)
    if not thing or view.is_part(thing) or not visible(view, thing, decision.seats):
        return ""
    # What a part of it does, such as a stall of a place, is not what the thing itself does.
    lines = cards.lines(view.sort(thing)) or cards.lines(_lender(view, thing, decision.seats))
    effects = [line for line in lines if line.field and "." not in line.field] or [
        line for line in lines if line.override and len(lines) == 1
    ]
    told = effects[0].text if len(effects) == 1 else " ".join(map(str, effects))
    return f": {told}" if 0 < len(told) <= LONGEST_BRIEF else ""


def _says_it(label: str, done: str) -> bool:
    """Whether a label says already what is done, be it with another verb: `Defeat the Ghoul` for `Overcome the Ghoul.`"""
    rests = ((sentence, sentence.partition(" ")[2]) for sentence in done.split(". "))
    return all(says(label, rest or sentence) for sentence, rest in rests)


def _lender(view: View, thing: int, seat: Seat) -> str:
    """The sort of the one thing that is printed on a card, as the spell on a page; empty if there is none."""
    if not view.is_kind(thing, "Card"):
        return ""
    named = [view.stored(thing, field) for field in view.fields(thing).values() if field.tag == "thing"]
    shown = [one for one in named if isinstance(one, int) and one and visible(view, one, seat)]
    return view.sort(shown[0]) if len(shown) == 1 else ""


def lent_wording(view: View, thing: int, seat: Seat, cards: Cards) -> list[str]:
    """What the one thing says that is printed on a card which says nothing itself."""
    return [str(line) for line in cards.lines(_lender(view, thing, seat)) if not line.keyword][:MOST]


def offer_lines(view: View, option: Option, decision: Decision, cards: Cards) -> list[str]:
    """What an entry of a menu, or a label, does, in full."""
    offer = offer_taken(view, option, decision)
    if offer is not None:
        told = cards.offer_does(*offer) or cards.offer(offer[0])
        return [told] if told else []
    told = _answer_does(view, option, decision, cards)
    return [told] if told else []


def _answer_does(view: View, option: Option, decision: Decision, cards: Cards) -> str:
    """What a label of `choose one`, or the yes of a `may`, does; empty where that is nothing."""
    question = cards.questions.get(view.program.points[view.memory[DECISION]].spot)
    if question is None or not option.value or option.value < 0:  # what may be done at any time is no answer
        return ""
    asks = question.asks
    if decision.form == "yes" and isinstance(asks, May):
        body = asks.body
    elif isinstance(asks, ChooseOne) and option.value <= len(asks.options):
        chosen = asks.options[option.value - 1]
        if SAYS_ITSELF in plain_label(chosen.label):
            return ""
        body = chosen.body
    else:
        return ""
    asked = scope_of_question(view.evaluator)
    bearer = _called(view, asked.me, decision) if asked.me else None
    return cards.answer_does(question, body, _given(view, asked, question, decision, cards), bearer)


def _given(
    view: View, asked: Scope, question: Question, decision: Decision, cards: Cards
) -> dict[int, Phrase]:
    """What the locals that a question reads stand for, as far as words can tell it to whoever is asked."""
    given: dict[int, Phrase] = {}
    secret = _doubtful(view, asked, question, decision)
    vocabulary = cards.speaker.vocabulary
    for local, cell in asked.locals.items():
        kind = plain(asked.types[local])
        match value := view.evaluator.read(cell, asked.types[local]):
            case int() if kind.tag in NUMBERS and local not in secret:
                given[local] = Phrase(str(value), "number", value)
            case int() if kind.tag == "thing":
                given[local] = _called(view, value, decision)
            case int() if kind.tag == "sort":
                given[local] = vocabulary.sort(view.words.sort(value))
            case tuple() if kind.tag in ("set", "list") and item_of(kind).tag == "thing" and value:
                titles = [_called(view, one, decision).text for one in value if isinstance(one, int)]
                given[local] = Phrase(listed(titles), "one" if len(titles) == 1 else "many")
            case _ if kind.tag in ("pool", "dice") and value is not None:
                given[local] = Phrase("the dice", "many")
            case _ if kind.tag == "die" and value is not None:
                given[local] = Phrase("the die")
    return given


def _doubtful(view: View, asked: Scope, question: Question, decision: Decision) -> set[int]:
    """The numbers with names of their own that may be others where the seat knows no better; what was rolled is no secret."""
    made = {
        node.local: node.value
        for node in walk(question.code)
        if isinstance(node, Let) and node.local in asked.locals and asked.types[node.local].tag in NUMBERS
    }
    counted = {local: value for local, value in made.items() if not any(map(_is_roll, walk(value)))}

    def shown() -> list[str]:
        return [f"{local} {view.evaluator.value(value, asked)}" for local, value in counted.items()]

    if not counted:
        return set()
    try:
        certain = set(shown()).intersection(
            *(set(lines or ()) for lines in elsewhere(view, decision.seat, shown, FEW_WORLDS))
        )
    except NONSENSE:
        certain = set()
    return set(counted) - {int(line.partition(" ")[0]) for line in certain}


def _is_roll(node: Node) -> bool:
    return isinstance(node, CoreCall) and node.verb in ("roll", "reroll")


def things_of_offer(view: View, option: Option) -> list[int]:
    """The things that the label of a menu's entry names: whom it attacks, which page it casts."""
    if view.memory[DECISION] not in view.program.menu_points or not option.value or option.value < 0:
        return []
    number, _, *shown = view.words.items(option.value)
    rule = view.program.world.rules[number].rule
    if not isinstance(rule, OfferRule):
        return []
    parts = zip(rule.unbound, shown, strict=False)
    return [cell for part, cell in parts if plain(part.type).tag == "thing" and cell]


def offer_taken(view: View, option: Option, decision: Decision) -> tuple[OfferRule, dict[int, Phrase]] | None:
    """The offer that an entry of a menu is, with what its label shows; none for other options."""
    if view.memory[DECISION] not in view.program.menu_points or not option.value or option.value < 0:
        return None
    number, _, *shown = view.words.items(option.value)
    rule = view.program.world.rules[number].rule
    if not isinstance(rule, OfferRule):
        return None
    given = {
        part.local: _called(view, cell, decision)
        for part, cell in zip(rule.unbound, shown, strict=False)
        if plain(part.type).tag == "thing" and cell
    }
    opened = open_menu(view.evaluator)
    for local, value in zip(rule.params, opened.arguments if opened is not None else (), strict=False):
        if local is not None and isinstance(value, int) and 0 < value <= len(view.program.world.things):
            given[local] = _called(view, value, decision)
    return rule, given


def _called(view: View, thing: int, decision: Decision) -> Phrase:
    """A thing as whoever decides hears of it: themselves, and those they decide for, as "you"."""
    if thing in decision.seats or view.decider(thing) in decision.seats:
        return YOU
    return Phrase(inside_sentence(name_of(view, thing, decision.seat)))


def idle_options(view: View, decision: Decision, which: Sequence[int], cards: Cards) -> set[int]:
    """Those options that would certainly do nothing: a card that were carried out now, or whoever a menu would be opened for
    that offers nothing."""
    asked = {
        index: effect for index in which if (effect := _effect(view, decision, index, cards)) is not None
    }
    opened = _opened(view, cards)

    def idle(indices: Iterable[int]) -> set[int]:
        return {
            index
            for index in indices
            if (index in asked and not _does_anything(view, *asked[index]))
            or (opened is not None and _offers_nothing(view, *opened, decision.options[index]))
        }

    now = idle(which if opened is not None else asked)
    # Whether a card is idle must not tell what the seat does not know.
    others = (
        elsewhere(view, decision.seat, lambda: [str(index) for index in idle(now)], FEW_WORLDS) if now else ()
    )
    return now.intersection(*({int(line) for line in lines or ()} for lines in others))


def _opened(view: View, cards: Cards) -> tuple[int, OpenMenu] | None:
    """The local that the answer is bound to, and the menu that is opened for it, where nothing else is done with the answer."""
    question = cards.questions.get(view.program.points[view.memory[DECISION]].spot)
    if question is None or not isinstance(question.asks, Choose) or question.asks.mode == "at least":
        return None
    body = question.code.body if isinstance(question.code, ActionDeclaration) else ()
    amount = question.asks.amount
    if question.asks not in body or not (amount is None or amount == IntLiteral(1)):
        return None
    rest = body[body.index(question.asks) + 1 :]
    if len(rest) == 1 and isinstance(rest[0], If) and len(rest[0].branches) == 1 and not rest[0].otherwise:
        rest = rest[0].branches[0][1]
    return (question.asks.local, rest[0]) if len(rest) == 1 and isinstance(rest[0], OpenMenu) else None


def _offers_nothing(view: View, local: int, node: OpenMenu, option: Option) -> bool:
    """Whether a menu that is opened for an answer would offer nothing now."""
    if not option.value:
        return False
    try:
        scope = scope_of_question(view.evaluator).bind(local, option.value)
        return offers_nothing(view.evaluator, node, scope)
    except NONSENSE:
        return False


def _effect(view: View, decision: Decision, index: int, cards: Cards) -> tuple[Value, tuple[int, ...]] | None:
    """The one effect of the card that an option is, and what it would be given; none where that is not clear, or where the
    card is not used by choosing it."""
    option = decision.options[index]
    offer = offer_taken(view, option, decision)
    card = cards.offered_card(offer[0]) if offer is not None else None
    if card is not None:
        thing = next((t.number for t in view.things if t.sort == card[0]), 0)
        named = [card[1].field]
    else:
        thing = _offered(view, option, decision.seat)
        if not thing or view.is_part(thing):
            return None
        named = [*{line.field for line in cards.lines(view.sort(thing)) if line.field}]
        if not cards.uses.used(view.program.points[view.memory[DECISION]].spot):
            return None
    field = view.fields(thing).get(named[0]) if thing and len(named) == 1 else None
    if field is None or field.tag != "effect":
        return None
    held = view.stored(thing, field)
    text = text_of(view.evaluator, held)
    if text is None:
        return None
    given = []
    for number in text.params:
        kind = plain(text.scope.types.get(number, ANY))
        fitting = [
            one for one in _own_things(view, decision) if kind.tag == "thing" and view.is_kind(one, kind.name)
        ]
        if len(fitting) != 1:
            return None
        given.append(fitting[0])
    return held, tuple(given)


def idle_reasons(view: View, decision: Decision, index: int, cards: Cards) -> list[Refusal]:
    """What stands in the way of the calls in the effect of an option that would do nothing now."""
    asked = _effect(view, decision, index, cards)
    found: list[Refusal] = []
    text = text_of(view.evaluator, asked[0]) if asked is not None else None
    if asked is not None and text is not None:
        with suppress(*NONSENSE):
            for node in text.body:
                if isinstance(node, Call) and node.action in view.program.actions:
                    found += call_refusals(view.evaluator, node, text.given(asked[1]))[1]
    return found


def _own_things(view: View, decision: Decision) -> list[int]:
    """Whoever decides, and those they decide for."""
    return [
        t.number
        for t in view.things
        if t.number in decision.seats or view.decider(t.number) in decision.seats
    ]


def _does_anything(view: View, held: Value, given: tuple[int, ...]) -> bool:
    try:
        return does_anything(view.evaluator, held, given)
    except NONSENSE:
        return True


def _offered(view: View, option: Option, seat: Seat) -> int:
    """The thing that an option is, if the seat knows it; else 0."""
    thing = view.number(option.id)
    return thing if thing and thing == option.value and visible(view, thing, seat) else 0


def trait_lines(view: View, thing: int, seat: Seat, cards: Cards) -> list[str]:
    """The keywords a thing has now, each with its arguments and what it means."""
    made = []
    for name, trait in cards.speaker.vocabulary.traits.items():
        if name not in view.program.world.traits or not view.evaluator.bears_trait(thing, name):
            continue
        given = {}
        for parameter in trait.params:
            value = view.evaluator.trait_parameter(thing, name, parameter.name)
            given[parameter.name] = Phrase(value_text(view, value, parameter.type, seat))
        said = filled(pieces_of(trait.reads), given.get) if trait.reads else ""
        shown = ", ".join(phrase.text for phrase in given.values())
        meaning = " ".join((trait.text or "").split())
        made.append(f"{said or f'{words(name)} {shown}'.strip()}{f'. {meaning}' if meaning else ''}")
    return made


def track_lines(view: View, name: str, seat: Seat, cards: Cards) -> list[str]:
    """A track looked at: where it stands, and what waits on its spaces; empty where none is called so."""
    wanted = name.strip().lower().removeprefix("the ")
    present = view.thing(view.chapter).id if view.chapter else ""
    for track in cards.document.content.tracks:
        owner, _, id_ = track.id.rpartition(":")
        called = track_name(cards, track.id)
        at = view.program.layout.track_cells.get(track.id)
        if wanted not in (words(id_).lower(), called.lower()) or owner not in ("", present) or at is None:
            continue
        own = Phrase("it")
        return _track(called, view.memory[at], track.low, track.high, track.hooks, own, cards)
    for person in seats_of(seat):
        for field, declared in view.fields(person).items():
            body, said = declared.declaration.track, declared.declaration.reads
            value = view.stored(person, declared)
            if body is None or wanted not in (words(field).lower(), (said or "").lower()):
                continue
            called = f"{noun_text(said or words(field))} of {view.title(person)}"
            held = value if isinstance(value, int) else body.low
            return _track(called, held, body.low, body.high, body.hooks, YOU, cards)
    return []


def _track(
    called: str, value: int, low: int, high: int, hooks: tuple[TrackHook, ...], own: Phrase, cards: Cards
) -> list[str]:
    lines = [f"{called[:1].upper()}{called[1:]} (track): {value}, from {low} to {high}"]
    for hook in hooks:
        spaces = ", ".join(map(str, hook.spaces))
        done = cards.speaker.statements.sentences(hook.body, Surroundings(hook.locals, own=own))
        lines.append(f"  {hook.when.capitalize()} {spaces}: {done or 'Nothing happens.'}")
    return lines


def track_name(cards: Cards, id_: str) -> str:
    """What a track is called on the table."""
    said = cards.speaker.vocabulary.noun("track", id_)
    return without_article(said.rpartition("|")[2]) if said else words(id_)
