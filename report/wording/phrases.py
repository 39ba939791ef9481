"""Pieces of sentences that know how they agree: noun phrases, groups of things, clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

# Who a phrase speaks of: the reader, one, several, or a number.
Person = Literal["you", "one", "many", "number"]

NUMBERS = ("int", "range", "ints", "target")
MOST_SIGNS = 600
MOST_OWNER_WORDS = 4
_INFINITIVES = {"are": "be", "can": "be able to"}
PREPOSITIONS = ("on ", "in ", "at ", "among ", "under ", "beside ")
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_VOWEL = re.compile(r"(?:[aeio]|u(?!n[ai]|se|s[ae]))", re.IGNORECASE)
_WORD = re.compile(r"\w+")
SHORT_WORD = 3
# A label that says that something is rolled need not say that it is dice.
_LITTLE = ("dice", "from", "into", "that", "this", "with", "your")
_SEAT = re.compile(r"[a-z]+\d")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@record(frozen=True)
class Phrase:
    """A noun phrase; `noun` holds both forms where it is a bare noun, `number` the number where it is one.

    An `open` one stands for anything: a rule leaves that part of its action open.
    """

    text: str
    person: Person = "one"
    number: int | None = None
    noun: tuple[str, str] | None = None
    open: bool = False

    @property
    def singular(self) -> bool:
        """Whether a word that agrees with it takes its first form."""
        return self.person == "one" or self.number == 1

    @property
    def possessive(self) -> str:
        """`your`, `its`, `the smith's`."""
        known = {"you": "your", "it": "its", "they": "their", "them": "their"}.get(self.text)
        if self.text.startswith("this "):
            return "its"
        return known or f"{self.text}'s"

    def owned(self, noun: str) -> str:
        """Something of it: `your shelf`, but `the shelf of each keeper in the Vault`."""
        if self.person == "many" or len(self.text.split()) > MOST_OWNER_WORDS:
            return f"the {noun.removeprefix('the ')} of {self.text}"
        return f"{self.possessive} {noun.removeprefix('the ')}"


@record(frozen=True)
class Group:
    """A set of things: what one and several are called, and what holds of them."""

    one: str
    many: str
    holds: tuple[str, ...] = ()

    def with_test(self, test: str) -> Group:
        """The same, narrowed."""
        return Group(self.one, self.many, (*self.holds, test))

    @property
    def tail(self) -> str:
        """What holds of one of them, one test after the other."""
        return _tests(self.holds)

    @property
    def tails(self) -> str:
        """What holds of several of them."""
        return _tests(tuple(re.sub(r"^that is ", "that are ", test) for test in self.holds))

    def each(self) -> Phrase:
        """`each book in the Vault`."""
        return Phrase(f"each {self.one}{self.tail}")

    def some(self) -> Phrase:
        """`a book in the Vault`."""
        return Phrase(f"{with_article(self.one)}{self.tail}")

    def whole(self) -> Phrase:
        """`all books in the Vault`."""
        return Phrase(f"all {self.many}{self.tails}", "many")

    def plain(self) -> Phrase:
        """`books in the Vault`."""
        return Phrase(f"{self.many}{self.tails}", "many")


@record(frozen=True)
class Clause:
    """Something that happens: perhaps who does it, the verb for one and for several, and the rest."""

    subject: Phrase | None
    one: str
    many: str
    rest: str = ""

    def finite(self) -> str:
        """`the smith moves 1 zone`; for the reader `move 1 zone`."""
        if self.subject is None or self.subject.person == "you":
            return self.base()
        verb = self.one if self.subject.singular else self.many
        return f"{self.subject.text} {verb}{self.rest}".rstrip()

    def told(self) -> str:
        """As `finite`, with the reader named: `you move 1 zone`."""
        if self.subject is None:
            return self.base()
        verb = self.one if self.subject.singular else self.many
        return f"{self.subject.text} {verb}{self.rest}".rstrip()

    def base(self) -> str:
        """`move 1 zone`."""
        verb = _INFINITIVES.get(self.many, self.many)
        return f"{verb}{self.rest}".strip()


def _tests(tests: tuple[str, ...]) -> str:
    made = ""
    for index, test in enumerate(tests):
        before = tests[index - 1] if index else ""
        clause = before.startswith(("that ", "whose ", "where "))
        if before.startswith("that "):
            test = re.sub(r"^that (?:is|are) ", "", test)
        made += f" and {test}" if clause else f" {test}"
    return made


def person_of(type_: Type) -> Person:
    """How a value of a type agrees."""
    if type_.tag in NUMBERS:
        return "number"
    return "many" if type_.tag in ("set", "list") else "one"


_TAIL = re.compile(r" (?:of|that|in|on|who|which|where|to|from|with|for) ")


def head_noun(noun: str) -> str:
    """A noun without what narrows it: `captain` of `captain of the guard`."""
    return _TAIL.split(noun, maxsplit=1)[0]


def is_plural(noun: str) -> bool:
    """Whether a noun speaks of several, as far as its ending tells: `the hurdles of the pen`."""
    head = head_noun(noun)
    return head.endswith(("s", "dice")) and not head.endswith(("ss", "us", "is", "'s"))


def owned_several(owned: str) -> tuple[str, str] | None:
    """Who has several things, with the verb, and what: `its holder has` and `shots`, `you have` and `dice`; none for one thing."""
    whose, apostrophe, noun = owned.rpartition("'s ")
    if not apostrophe:
        whose, _, noun = owned.partition(" ")
        return (_HAVE[whose], noun) if whose in _HAVE and is_plural(noun) else None
    return (f"{whose} has", noun) if head_noun(whose) == whose and is_plural(noun) else None


def singular(noun: str) -> str:
    """One of what a regular plural names: `die for scavenging`, `shot`."""
    head = head_noun(noun)
    for end, one in (("dice", "die"), ("ies", "y"), ("ses", "s"), ("s", "")):
        if head.endswith(end):
            return f"{head.removesuffix(end)}{one}{noun[len(head) :]}"
    return noun


_HAVE = {"your": "you have", "its": "it has", "their": "they have"}
_SUBJECTS = ("the ", "a ", "an ", "each ", "all ", "one ", "every ", "that ", "it ", "they ")


def is_order(reads: str) -> bool:
    """Whether a wording says what to do rather than who does it: it begins with a verb."""
    return reads[:1].islower() and not reads.startswith(_SUBJECTS)


def imperative(text: str) -> Clause:
    """A clause that says what to do."""
    return Clause(None, text, text)


def words(name: str) -> str:
    """A name as words: `lost_items`, `LocationCard`."""
    bare = name.rpartition(":")[2].partition("#")[0].partition("/")[0]
    return _CAMEL.sub(" ", bare).replace("_", " ").strip()


def begins_with_vowel(text: str) -> bool:
    """Whether `an` stands before it."""
    return bool(_VOWEL.match(text))


def with_article(noun: str) -> str:
    """A noun with `a` or `an`; as it is where it has one, or is a name."""
    if _ARTICLE.match(noun):
        return noun
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def keyword(trait: str) -> str:
    """What something with a trait is: `a Hunter`; one that is written small is no noun, as `possessed`."""
    return with_article(trait) if trait[:1].isupper() else trait


def without_article(title: str) -> str:
    """A title without the article before it."""
    return _ARTICLE.sub("", title, count=1) if _ARTICLE.match(title) else title


def inside_sentence(title: str) -> str:
    """A title as it stands in the middle of a sentence."""
    begins = ("The ", "A ", "An ", "One of ")
    return f"{title[0].lower()}{title[1:]}" if title.startswith(begins) else title


def located(place: str) -> str:
    """Where something is: `in the Vault`, `on the board`; a place that says so itself is left as it is."""
    if place.startswith(PREPOSITIONS):
        return place
    return f"{'on' if place.endswith(('board', 'shelf', 'table')) else 'in'} {place}"


def bare_place(place: str) -> str:
    """A place without the preposition it brings along."""
    return place.partition(" ")[2] if place.startswith(PREPOSITIONS) else place


def listed(items: Sequence[str], last: str = "and") -> str:
    """`a, b and c`; what has a comma itself stands in quotation marks."""
    if len(items) < 2:
        return "".join(items)
    if any("," in item or item.startswith("“") for item in items):
        items = [item if item.startswith("“") else f"“{item}”" for item in items]
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def sentence(text: str) -> str:
    """With a capital and a full stop, and not without end."""
    plain = " ".join(text.split())
    if len(plain) > MOST_SIGNS:
        plain = plain[:MOST_SIGNS].rsplit(" ", 1)[0].rstrip(",;:") + " ..."
    if not plain:
        return ""
    # A seat such as `p2` keeps its name.
    capital = plain if _SEAT.match(plain) else plain[0].upper() + plain[1:]
    return capital if capital.endswith((".", "!", "?", ":", '."', ".)")) else f"{capital}."


def is_so(of: Phrase, said: str, since: str = "") -> str:
    """A yes or no of something: `the door is open`, `the smith has keys`; `since` is `now` or `no longer`."""
    verb, _, rest = said.partition(" ")
    since += " " if since else ""
    if verb == "has" and rest:
        return f"{of.text} {since}{'has' if of.singular else 'have'} {rest}"
    return f"{of.text} {'is' if of.singular else 'are'} {since}{rest if verb == 'is' and rest else said}"


def says(text: str, other: str) -> bool:
    """Whether a text says another already: it has every number and every longer word of it."""
    said = {*_WORD.findall(text.lower()), *_LITTLE}
    wanted = [word for word in _WORD.findall(other.lower()) if len(word) > SHORT_WORD or word.isdigit()]
    return all(word in said for word in wanted)


def band_text(low: int | None, high: int | None) -> str:
    """A band in words: `4 or less`, `5 to 8`, `9 or more`."""
    if low is None:
        return "any number" if high is None else f"{high} or less"
    if high is None:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}"


def third_person(verb: str) -> str:
    """A verb as one other does it: `places`, `carries`."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"
