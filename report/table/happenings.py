"""What happened, in the words the package gives its actions, to whoever may know it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from talewright.report.table.visibility import ALL, Seat, seats_of, title_of_many
from talewright.report.wording.cards import Cards
from talewright.report.wording.phrases import (
    NUMBERS,
    Phrase,
    inside_sentence,
    is_order,
    listed,
    sentence,
    third_person,
    with_article,
    without_article,
    words,
)
from talewright.report.wording.templates import clause, needed
from talewright.runtime.host.decisions import hidden_name
from talewright.runtime.lower.program import Program
from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.trace import CallEvent
from talewright.runtime.observe.values import Value
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.literals import IntLiteral
from talewright.schemas.nodes.statements import DoNothing
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record, replace
from talewright.schemas.wording import noun_forms

EVERYBODY = -1
# Of more than so many different things the first is named, and the others are counted.
MOST_NAMED = 4
# The name of a moment, such as `the round`, says nothing of what happened.
_MOMENT = re.compile(r"the [\w-]+")
# A wording that goes on after a stop, or begins a condition, tells what may happen, not what did.
_CONDITIONAL = (";", " if ", "if ", "until ", "up to ", " of your choice")


@record(frozen=True)
class Named:
    """A thing as it was known when something happened to it: by name to some, by its back to the others."""

    thing: int
    title: str
    back: str
    public: bool
    known: frozenset[int]
    """The seats that knew it."""
    one_of_several: bool = False
    """Whether it was named among others, and there are more of its sort."""

    def phrase(self, seat: Seat) -> Phrase:
        """The thing as a seat may hear of it."""
        if seat == self.thing:
            return Phrase("you", "you")
        seats = seats_of(seat)
        known = self.public or seat == ALL or (bool(seats) and all(one in self.known for one in seats))
        return Phrase(self.title if known else self.back)


def _numbered(title: str, count: int) -> str:
    """So many copies: `a lamp`, `2 lamps`."""
    noun = without_article(title)
    return with_article(noun) if count == 1 else f"{count} {noun_forms(noun)[1]}"


@record(frozen=True)
class Happening:
    """One action that was done."""

    reads: str
    parts: dict[str, Phrase | tuple[Named, ...]]
    by: str = ""
    """The parameter of whoever does it, where the wording is an order and has no subject."""

    def covers(self, other: Happening) -> bool:
        """Whether whoever does it is named, and with them everything that another happening names."""
        own = {one.thing for part in self.parts.values() if isinstance(part, tuple) for one in part}
        theirs = [one.thing for part in other.parts.values() if isinstance(part, tuple) for one in part]
        plain_parts = any(isinstance(part, Phrase) for part in other.parts.values())
        return bool(theirs) and not plain_parts and own >= set(theirs)

    def text(self, seat: Seat) -> str:
        """What happened, as a sentence for a seat."""

        def fill(name: str) -> Phrase | None:
            part = self.parts.get(name)
            if part is None or isinstance(part, Phrase):
                return part
            told = [one.phrase(seat) for one in part]
            article = f"the {{{name}" not in self.reads
            if len(told) == 1:
                listed_copy = part[0].one_of_several and told[0].person != "you" and article
                return Phrase(with_article(told[0].text)) if listed_copy else told[0]
            counted: dict[str, int] = {}
            for phrase in told:
                counted[phrase.text] = counted.get(phrase.text, 0) + 1
            copies = {one.phrase(seat).text for one in part if one.one_of_several and article}
            shown = [
                _numbered(text, count) if text in copies else text if count == 1 else f"{text} x{count}"
                for text, count in counted.items()
            ]
            if len(shown) > MOST_NAMED:
                rest = len(told) - counted[told[0].text]
                return Phrase(f"{shown[0]} and {rest} others", "many")
            return Phrase(listed(shown) or "nothing", "many")

        done = clause(self.reads, fill)
        doer = fill(self.by) if self.by else None
        if done.subject is None and doer is not None:
            verb, _, rest = done.told().partition(" ")
            verb = third_person(verb) if doer.singular else verb
            return sentence(f"{doer.text} {verb} {rest}")
        return sentence(done.told())


class Narrator:
    """Words what a traced game says of itself."""

    def __init__(self, program: Program, cards: Cards | None = None) -> None:
        self.program = program
        self.cards = cards or Cards(program.document)
        self._sorts: dict[str, int] = {}

    def tells(self, action: str) -> bool:
        """Whether an action says of itself how it reads, and does something: an empty one is a moment for rules."""
        known = self.program.actions.get(action)
        if known is None or not known.reads:
            return False
        return any(not isinstance(statement, DoNothing) for statement in known.body)

    def is_plain(self, action: str) -> bool:
        """Whether the words of an action say what happened, and not what may happen."""
        declared = self.program.actions[action]
        reads = declared.reads or ""
        if not declared.params and _MOMENT.fullmatch(reads):
            return False
        if any(sign in reads if sign != "if " else reads.startswith(sign) for sign in _CONDITIONAL):
            return False
        return not is_order(reads) or bool(self._doer(action))

    def _doer(self, action: str) -> str:
        params = self.program.actions[action].params
        by = [p.name for p in params if p.preposition == "by" and self._decides(p.type)]
        return by[0] if by else ""

    def _decides(self, type_: Type) -> bool:
        """Whether somebody at the table acts through things of this type."""
        world = self.program.world
        if type_.tag != "thing":
            return False
        return type_.name in world.settings.seats or world.deciding_field(type_.name) is not None

    def happening(self, view: View, event: CallEvent) -> Happening:
        """An action that was done, its things as they were known then."""
        declared = self.program.actions[event.action]
        always_shown = needed(declared.reads or "")
        parts: dict[str, Phrase | tuple[Named, ...]] = {}
        for parameter, value, known in zip(declared.params, event.arguments, event.knowers, strict=True):
            default = parameter.default
            usual = isinstance(default, IntLiteral) and default.value == value
            if usual and parameter.name not in always_shown:
                continue
            part = self._part(view, value, plain(parameter.type), known)
            if part is not None:
                parts[parameter.name] = part
        reads = declared.reads or ""
        return Happening(reads, parts, self._doer(event.action) if is_order(reads) else "")

    def _part(
        self, view: View, value: Value, type_: Type, known: Sequence[int]
    ) -> Phrase | tuple[Named, ...] | None:
        vocabulary = self.cards.speaker.vocabulary
        if isinstance(value, tuple):
            if type_.tag == "role":
                return tuple(self._named(view, seat, EVERYBODY) for seat in value if isinstance(seat, int))
            if type_.tag not in ("set", "list") or item_of(type_).tag != "thing":
                return None
            # Without a word on who knew a thing, nobody did.
            masks = [*known, *[0] * (len(value) - len(known))]
            named = [
                self._named(view, one, mask)
                for one, mask in zip(value, masks, strict=False)
                if isinstance(one, int)
            ]
            return tuple(self._among_others(view, one) for one in named)
        if isinstance(value, str):
            return Phrase(value)
        if not isinstance(value, int):
            return None
        match type_.tag:
            case "thing":
                return (self._among_others(view, self._named(view, value, known[0])),)
            case "sort":
                return vocabulary.sort(view.words.sort(value))
            case "token":
                forms = vocabulary.token(view.words.value(value, type_))
                return Phrase(forms[0], noun=forms)
            case "words":
                return Phrase(words(view.words.word(value)))
            case tag if tag in NUMBERS:
                return Phrase(str(value), "number", value)
        return None

    def one(self, view: View, thing: int) -> str:
        """A thing that everybody knows, in the middle of a sentence: one of several alike is `a wolf`."""
        named = self._among_others(view, self._named(view, thing, EVERYBODY))
        return with_article(named.title) if named.one_of_several else named.title

    def _among_others(self, view: View, one: Named) -> Named:
        """A thing among others: one of several alike is not called by a number, and cards are called by their titles."""
        if view.is_kind(one.thing, "Card"):
            return one
        sort, title = view.sort(one.thing), title_of_many(view, one.thing)
        alike = self._sorts.setdefault(sort, sum(t.sort == sort for t in view.things))
        made = title != view.title(one.thing)
        return replace(one, title=title if made else one.title, one_of_several=made or alike > 1)

    def _named(self, view: View, thing: int, mask: int) -> Named:
        seats = view.seats
        public = mask == EVERYBODY or thing in seats
        known = frozenset(seat for seat in seats if mask & self.program.seat_bit(seat))
        title = view.title(thing)
        if not view.is_kind(thing, "Card"):
            title = inside_sentence(title)
        return Named(thing, title, hidden_name(view.words, thing), public, known)
