"""Conditions as clauses that can follow `if`, and as what narrows a noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.report.wording.phrases import (
    PREPOSITIONS,
    Phrase,
    is_plural,
    is_so,
    keyword,
    listed,
    located,
    with_article,
    words,
)
from talewright.report.wording.surroundings import Surroundings
from talewright.report.wording.templates import clause
from talewright.schemas.nodes import literals, names, operators, queries, reads
from talewright.schemas.nodes.declaration import Expression, Node

if TYPE_CHECKING:
    from talewright.report.wording.speaker import Speaker

_COMPARE = {
    operators.Eq: "is",
    operators.Ne: "is not",
    operators.Lt: "is less than",
    operators.Le: "is at most",
    operators.Gt: "is more than",
    operators.Ge: "is at least",
}
_COUNTED = {
    operators.Eq: "exactly ",
    operators.Lt: "fewer than ",
    operators.Le: "at most ",
    operators.Gt: "more than ",
    operators.Ge: "at least ",
}
_SOME_OR_NONE = {operators.Gt: "any", operators.Ne: "any", operators.Eq: "no", operators.Le: "no"}
_NEGATED = {
    operators.Eq: operators.Ne,
    operators.Ne: operators.Eq,
    operators.Lt: operators.Ge,
    operators.Ge: operators.Lt,
    operators.Gt: operators.Le,
    operators.Le: operators.Gt,
}
EITHER = "either "
# Verbs after which `not` can stand.
_AUXILIARIES = ("is", "are", "has", "have", "can", "may", "was", "were")
# Numbers that are called as their author wishes: `tolls`.
_NAMED_NUMBERS = (names.StateRef, names.TrackRef, reads.FieldOf)
_COMPARISONS = (operators.Eq, operators.Ne, operators.Lt, operators.Le, operators.Gt, operators.Ge)


class Conditions:
    """Words for conditions."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def clause(self, node: Node, around: Surroundings) -> str:
        """A condition as it can follow `if`."""
        if around.too_deep:
            return "..."
        return self._said(node, around.deeper())

    def opposite(self, node: Node, around: Surroundings) -> str:
        """The opposite of a condition, as it can follow `if`."""
        match node:
            case operators.Not():
                return self.clause(node.of, around)
            case operators.And():
                return f"{self.opposite(node.left, around)} or {self.opposite(node.right, around)}"
            case operators.Or():
                return " and ".join(
                    f"{self._either(part, operators.And, around)}{self.opposite(part, around)}"
                    for part in (node.left, node.right)
                )
            case operators.IsNone():
                return self._there_is(node.of, around)
            case operators.IsEmpty() if (
                group := self.speaker.expressions.group(node.of, around)
            ) is not None:
                return f"there is {group.some().text}"
            case queries.Exists():
                group = self.speaker.expressions.group(node.of, around)
                if group is not None:
                    return f"there is no {group.one}{group.tail}"
                return f"{self._text(node.of, around)} is empty"
            case names.ValueCall() if self._is_told_inside(node, around):
                inner = self.speaker.vocabulary.values[node.id].value
                assert inner is not None
                return self.opposite(inner, self.speaker.expressions.inside(node, around))
        if isinstance(node, _COMPARISONS):
            return self._compared(_NEGATED[type(node)], node, around)
        return negated(self.clause(node, around))

    def _either(self, node: Node, joined: type[Node], around: Surroundings) -> str:
        """What stands before a part of what must all hold, if one of two things is enough for it."""
        inner: Node | None = node
        while True:
            if isinstance(inner, operators.Not):
                inner, joined = inner.of, operators.Or if joined is operators.And else operators.And
            elif isinstance(inner, names.ValueCall) and self._is_told_inside(inner, around):
                inner = self.speaker.vocabulary.values[inner.id].value
            else:
                return EITHER if isinstance(inner, joined) else ""

    def _is_told_inside(self, node: names.ValueCall, around: Surroundings) -> bool:
        """Whether a value without words is told by what it is made of."""
        found = self.speaker.vocabulary.values.get(node.id)
        if found is None or found.reads or found.value is None or around.too_deep:
            return False
        return found.type.tag == "truth" and node.id not in around.inlined

    def _text(self, node: Node, around: Surroundings) -> str:
        return self.speaker.expressions.phrase(node, around).text

    def _is(self, node: Node, what: str, around: Surroundings) -> str:
        phrase = self.speaker.expressions.phrase(node, around)
        several = phrase.person not in ("one", "number") or (
            phrase.text.startswith("the ") and is_plural(phrase.text)
        )
        return f"{phrase.text} {'are' if several else 'is'} {what}"

    def _said(self, node: Node, around: Surroundings) -> str:
        match node:
            case operators.And():
                left, right = (
                    f"{self._either(part, operators.Or, around)}{self.clause(part, around)}"
                    for part in (node.left, node.right)
                )
                return _joined(left, "and", right)
            case operators.Or():
                return _joined(self.clause(node.left, around), "or", self.clause(node.right, around))
            case operators.Not():
                return self.opposite(node.of, around)
            case operators.Same(left=reads.Property(name="place") as place, right=names.ThingRef()):
                return self._is(place.of, located(self._text(node.right, around)), around)
            case operators.Member(
                item=reads.Property(name="place") as place, of=literals.SetLiteral() as places
            ):
                spots = [self._text(spot, around) for spot in places.items]
                return self._is(place.of, located(listed(spots, "or")), around)
            case operators.Same() | operators.SamePile():
                return self._same(node, around)
            case operators.Near():
                return self._is(node.left, f"near {self._text(node.right, around)}", around)
            case operators.Adjacent():
                return self._is(node.left, f"adjacent to {self._text(node.right, around)}", around)
            case operators.Knows():
                who = self.speaker.expressions.phrase(node.who, around)
                verb = "knows" if who.singular else "know"
                return f"{who.text} {verb} {self._text(node.what, around)}"
            case operators.Between():
                low, high = self._text(node.low, around), self._text(node.high, around)
                return self._is(node.of, f"from {low} to {high}", around)
            case operators.IsFace():
                return self._is(node.of, words(node.face), around)
            case operators.IsKind():
                noun = self.speaker.vocabulary.group(node.kind).one
                return self._is(node.of, with_article(noun), around)
            case operators.IsTrait():
                return self._is(node.of, keyword(self.speaker.vocabulary.group(node.trait).one), around)
            case operators.IsSort():
                sort = self.speaker.expressions.phrase(node.sort, around)
                return self._is(node.of, with_article(sort.text) if sort.noun else sort.text, around)
            case operators.Member(of=reads.PileItems() as items):
                return self._is(node.item, located(self._text(items.of, around)), around)
            case operators.Member():
                group = self.speaker.expressions.group(node.of, around)
                among = self._text(node.of, around)
                within = located(among) if "'s " in among else f"among {among}"
                return self._is(node.item, within if group is None else group.some().text, around)
            case operators.LiesIn():
                return self._is(node.thing, located(self._pile(node.pile, around)), around)
            case operators.Inside():
                return self._is(node.thing, self._place(node.place, around), around)
            case operators.InsideAny():
                return self._is(node.thing, located(self._text(node.places, around)), around)
            case operators.Within():
                far = self._text(node.distance, around)
                return self._is(node.left, f"within {far} of {self._text(node.right, around)}", around)
            case operators.Includes():
                return f"{self._text(node.of, around)} includes {self._text(node.items, around)}"
            case operators.During():
                of = f" of {self._text(node.of, around)}" if node.of is not None else ""
                return f"it is {self.speaker.vocabulary.moment(node.moment)}{of}"
            case operators.IsNone(of=reads.SlotContent()):
                return self._is(node.of, "empty", around)
            case operators.IsNone(of=reads.FieldOf() as field):
                owner = self.speaker.expressions.phrase(field.of, around)
                noun = self.speaker.vocabulary.field_noun(field.owner, field.name)
                return f"{owner.text} {'has' if owner.singular else 'have'} no {noun}"
            case operators.IsNone(of=names.LocalRef() as local) if self._left_open(local, around):
                return f"it is done without {around.known[local.number].first.text}"
            case operators.IsNone():
                noun = self._kind_of(node.of, around)
                return f"there is no {noun}" if noun else self._is(node.of, "missing", around)
            case operators.IsEmpty():
                return self._empty(node.of, around)
            case queries.Exists():
                group = self.speaker.expressions.group(node.of, around)
                if group is not None:
                    return f"there is {group.some().text}"
                return f"{self._text(node.of, around)} is not empty"
            case queries.Agreed():
                who = self.speaker.expressions.phrase(node.by, around)
                return f"{who.text} agree"
            case queries.Question():
                return self._question(node, around)
            case literals.TruthLiteral():
                return "always" if node.value else "never"
            case names.ValueCall():
                return self._value(node, around)
            case reads.FieldOf():
                owner = self.speaker.expressions.phrase(node.of, around)
                noun = self.speaker.vocabulary.field_noun(node.owner, node.name)
                return is_so(owner, noun)
            case names.OptionRef():
                return f"the option “{words(node.id)}” is on"
            case reads.Holds():
                return f"{self._text(node.of, around)} holds"
            case names.StateRef():
                # What is only its name in the code has a grammar of its own: `has_ledger`.
                said = self.speaker.vocabulary.noun("state", node.id)
                return said or f"“{words(node.id)}” is true"
            case names.LocalRef():
                said = self._text(node, around)
                return said if node.number in around.known else f"{said} is so"
        if isinstance(node, _COMPARISONS):
            return self._compared(type(node), node, around)
        if isinstance(node, operators.Pick):
            return self.speaker.expressions.phrase(node, around).text
        return "this holds"

    def _same(self, node: operators.Same | operators.SamePile, around: Surroundings) -> str:
        left, right = node.left, node.right
        if _is_property(left, "sort") and _is_property(right, "sort"):
            assert isinstance(left, reads.Property)
            assert isinstance(right, reads.Property)
            if isinstance(right.of, names.SelfRef):
                return self._is(left.of, "another of its kind", around)
            return self._is(left.of, f"the same as {self._text(right.of, around)}", around)
        if isinstance(right, literals.TruthLiteral):
            return self.clause(left, around) if right.value else self.opposite(left, around)
        if _is_property(left, "holder") and _is_property(right, "holder"):
            assert isinstance(left, reads.Property)
            return f"{self._text(right, around)} carries {self._text(left.of, around)}"
        return self._is(left, self._text(right, around), around)

    def _pile(self, node: Node, around: Surroundings) -> str:
        if isinstance(node, names.PileRef):
            return self.speaker.vocabulary.named("pile", node.id)
        return self._text(node, around)

    def _place(self, node: Node, around: Surroundings) -> str:
        if isinstance(node, reads.Property) and node.name == "place":
            return f"in the same place as {self._text(node.of, around)}"
        return located(self._text(node, around))

    def _there_is(self, node: Node, around: Surroundings) -> str:
        if isinstance(node, reads.SlotContent):
            return self._is(node, "not empty", around)
        if isinstance(node, reads.FieldOf):
            of = self.speaker.expressions.phrase(node.of, around)
            noun = self.speaker.vocabulary.field_noun(node.owner, node.name)
            return f"{of.text} {'has' if of.singular else 'have'} {with_article(noun)}"
        if isinstance(node, names.LocalRef) and self._left_open(node, around):
            return f"it is done with {around.known[node.number].first.text}"
        noun = self._kind_of(node, around)
        return f"there is {with_article(noun)}" if noun else f"there is {self._text(node, around)}"

    def _left_open(self, node: names.LocalRef, around: Surroundings) -> bool:
        """Whether it is a part of what a rule is about that may be missing there, as the gun of a shot."""
        known = around.known.get(node.number)
        return known is not None and known.first.open and known.first.text not in ("", "some")

    def _kind_of(self, node: Node, around: Surroundings) -> str:
        """What a local is one of, where it is a thing that may be there or not."""
        if not isinstance(node, names.LocalRef) or node.number >= len(around.locals):
            return ""
        kind = self.speaker.vocabulary.typed(around.locals[node.number].type)
        return self.speaker.vocabulary.group(kind).one if kind else ""

    def _empty(self, node: Node, around: Surroundings) -> str:
        if isinstance(node, reads.PileItems):
            return self._is(node.of, "empty", around)
        group = self.speaker.expressions.group(node, around)
        return f"there is no {group.one}{group.tail}" if group else self._is(node, "empty", around)

    def _compared(self, how: type[Expression], node: Node, around: Surroundings) -> str:
        left: Node = getattr(node, "left")  # noqa: B009 - one of six classes with the same two parts
        right: Node = getattr(node, "right")  # noqa: B009
        number = self.speaker.expressions.phrase(right, around)
        if isinstance(left, queries.CoreFunctionCall) and left.function == "room" and number.number == 0:
            none = how in (operators.Eq, operators.Le)
            if none or how in (operators.Gt, operators.Ne):
                return f"there is {'no ' if none else ''}room {located(self._text(left.args[0], around))}"
        had = self._had(how, left, number, around)
        if had:
            return had
        counted = self._counted(left, number, around)
        if counted is not None and how in _COUNTED:
            none = number.number == 0
            if none and how in (operators.Eq, operators.Le):
                return f"there is no {counted[0]}"
            if number.number == 1 and how is operators.Lt:
                return f"there is no {counted[0]}"
            if (none and how is operators.Gt) or (number.number == 1 and how is operators.Ge):
                return f"there is {with_article(counted[0])}"
            verb = "is" if number.number == 1 else "are"
            noun = counted[0 if number.number == 1 else 1]
            return f"there {verb} {_COUNTED[how]}{number.text} {noun}"
        left_text = self._text(left, around)
        said = _COMPARE[how]
        if isinstance(left, _NAMED_NUMBERS) and is_plural(left_text):
            said = said.replace("is", "are", 1)
        return f"{left_text} {said} {number.text}"

    def _had(self, how: type[Node], left: Node, number: Phrase, around: Surroundings) -> str:
        """What somebody has any or none of: `the smith has any Grit`; empty for other comparisons."""
        if number.number != 0 or not isinstance(left, reads.FieldOf) or how not in _SOME_OR_NONE:
            return ""
        of = self.speaker.expressions.phrase(left.of, around)
        noun = self.speaker.vocabulary.field_noun(left.owner, left.name).rpartition("|")[2]
        return f"{of.text} {'has' if of.singular else 'have'} {_SOME_OR_NONE[how]} {noun}"

    def _counted(self, node: Node, number: Phrase, around: Surroundings) -> tuple[str, str] | None:
        """What is counted, for one and for several."""
        if number.number is None:
            return None
        if isinstance(node, queries.Count):
            group = self.speaker.expressions.group(node.of, around)
            return (f"{group.one}{group.tail}", group.plain().text) if group else None
        if isinstance(node, reads.TokensOn):
            one, many = self.speaker.vocabulary.token(node.token)
            of = self._text(node.of, around)
            return f"{one} on {of}", f"{many} on {of}"
        if isinstance(node, reads.TokensAt):
            token = self.speaker.expressions.phrase(node.token, around)
            one, many = token.noun or (token.text, token.text)
            place = self._text(node.place, around)
            return f"{one} at {place}", f"{many} at {place}"
        return None

    def _value(self, node: names.ValueCall, around: Surroundings) -> str:
        found = self.speaker.vocabulary.values.get(node.id)
        if found is None:
            return words(node.id)
        phrase = self.speaker.expressions.value(node, around).text
        if found.reads:
            return phrase
        if self._is_told_inside(node, around):
            return phrase
        args = [self.speaker.expressions.phrase(arg, around) for arg in node.args]
        name = words(node.id)
        if not args:
            return f"it is {name}"
        rest = f" for {listed([a.text for a in args[1:]])}" if args[1:] else ""
        return f"{args[0].text} {'is' if args[0].singular else 'are'} {name}{rest}"

    def _question(self, node: queries.Question, around: Surroundings) -> str:
        if node.call is None:
            return f"{node.question} with {self._text(node.effect, around)}" if node.effect else "possible"
        said = self.speaker.statements.doing(node.call, around).base()
        match node.question:
            case "possible" | "offered":
                return f"it is possible to {said}"
            case "affordable":
                return f"you can afford to {said}"
        return f"{said} was {node.question}"

    # -------------------------------------------------------------- what narrows a noun
    def qualifier(self, node: Node, local: int, around: Surroundings) -> str:
        """A test of the element of a set, as it follows the noun: `in the Vault`, `that is wet`."""
        match node:
            case operators.Inside() if _is_local(node.thing, local):
                return self._place(node.place, around)
            case operators.LiesIn() if _is_local(node.thing, local):
                return located(self._pile(node.pile, around))
            case operators.InsideAny() if _is_local(node.thing, local):
                return located(self._text(node.places, around))
            case operators.Near() if _is_local(node.left, local):
                return f"near {self._text(node.right, around)}"
            case operators.Adjacent() if _is_local(node.left, local):
                return f"adjacent to {self._text(node.right, around)}"
            case operators.Within() if _is_local(node.left, local):
                far = self._text(node.distance, around)
                return f"within {far} of {self._text(node.right, around)}"
            case operators.Not(of=operators.Same() as same) if _is_local(same.left, local):
                return f"other than {self._text(same.right, around)}"
            case operators.Not(of=operators.Inside() as inside) if _is_local(inside.thing, local):
                return f"not {self._place(inside.place, around)}"
            case operators.Not(of=operators.LiesIn() as lies) if _is_local(lies.thing, local):
                return f"not {located(self._pile(lies.pile, around))}"
        said = self.clause(node, around)
        if said.startswith("it "):
            return f"that {said.removeprefix('it ')}"
        if said.startswith("its "):
            return f"whose {said.removeprefix('its ')}"
        return f"where {said}"


def _is_local(node: Node, local: int) -> bool:
    return isinstance(node, names.LocalRef) and node.number == local


def _is_property(node: Node, name: str) -> bool:
    return isinstance(node, reads.Property) and node.name == name


def _joined(left: str, word: str, right: str) -> str:
    """Two clauses joined by a word; what both begin with is said once: `the test is Combat or Discussion`.

    A denial ends before the second clause, so that there the verb must be said again.
    """
    begin, verb, _ = left.rpartition(" is ")
    same = f"{begin}{verb}"
    if not verb or " is " in begin or right.startswith(EITHER) or not right.startswith(same):
        return f"{left} {word} {right}"
    left_is, right_is = left.removeprefix(same), right.removeprefix(same)
    alike = left_is.startswith(PREPOSITIONS) == right_is.startswith(PREPOSITIONS)
    alike = alike and not left_is.startswith("no")
    return f"{left} {word} {right_is if alike else f'is {right_is}'}"


def negated(said: str) -> str:
    """A clause denied, by the first verb that can be."""
    found = said.split(" ")
    for index, word in enumerate(found):
        if word in _AUXILIARIES:
            if found[index + 1 : index + 2] == ["not"]:
                return " ".join([*found[: index + 1], *found[index + 2 :]])
            return " ".join([*found[: index + 1], "not", *found[index + 1 :]])
    return f"it is not so that {said}"


__all__ = ["Conditions", "clause", "negated"]
