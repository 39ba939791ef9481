"""Rules as sentences: when something happens, what cannot be done, what a number is changed by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from talewright.report.wording.conditions import negated
from talewright.report.wording.phrases import (
    NUMBERS,
    Clause,
    Phrase,
    imperative,
    is_order,
    listed,
    owned_several,
    person_of,
    sentence,
    singular,
    words,
)
from talewright.report.wording.surroundings import Referent, Surroundings, always
from talewright.report.wording.templates import clause, filled, pieces_of, two_forms
from talewright.schemas.core import VERBS
from talewright.schemas.nodes import names, operators
from talewright.schemas.nodes import rules as rule
from talewright.schemas.nodes import statements as st
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import replace

if TYPE_CHECKING:
    from talewright.report.wording.speaker import Speaker

_EVENT_RULES = (rule.BeforeRule, rule.AfterRule, rule.InsteadOfRule, rule.ForbidRule)
NOTHING = "nothing happens"


class Rules:
    """Words for rules."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def sentence(self, node: Node, around: Surroundings) -> str:
        """A rule as a sentence."""
        return sentence(self.clause(node, around))

    def clause(self, node: Node, around: Surroundings) -> str:
        """A rule as a clause, without capital and full stop."""
        own = getattr(node, "locals", None)
        inner = around
        if own is not None:
            inner = Surroundings(own, {}, around.own, around.traits, around.depth + 1, around.inlined)
        else:
            inner = around.with_names({})
        said: str | None = getattr(node, "reads", None)
        if said is not None:
            return self._own_words(said, inner)
        match node:
            case rule.SeveralRules():
                return self.clause(node.rules[0], around) if node.rules else ""
            case rule.ForbidRule():
                return self._forbid(node, inner)
            case rule.BeforeRule() | rule.AfterRule() | rule.InsteadOfRule():
                return self._event_rule(node, inner)
            case rule.StateRule():
                when = self.speaker.conditions.clause(node.condition, inner)
                return f"when {when}, {self.speaker.statements.joined(node.body, inner)}"
            case rule.PeriodRule():
                when = f"at the {node.edge} of {self.speaker.vocabulary.moment(node.period)}"
                return f"{when}, {self._guarded(node.when, node.body, inner)}"
            case rule.GrantRule():
                return self._grant(node, inner)
            case rule.ModifyRule():
                return self._modify(node, inner)
            case rule.OfferRule():
                return self._offer(node, inner)
        return ""

    def _own_words(self, reads: str, around: Surroundings) -> str:
        found = {local.name: number for number, local in enumerate(around.locals)}

        def fill(name: str) -> Phrase | None:
            if name == "self":
                return around.own
            if name in around.traits:
                return around.traits[name]
            if name in found:
                return self.speaker.expressions.phrase(names.LocalRef(found[name]), around)
            return None

        return filled(pieces_of(reads), fill)

    # -------------------------------------------------------------- events
    def _event_rule(
        self, node: rule.BeforeRule | rule.AfterRule | rule.InsteadOfRule, around: Surroundings
    ) -> str:
        when = self._settled(node.when, node.slots, around)
        event = self._event(node, around)
        told = event.told()
        if event.subject is None and is_order(event.many):
            told = f"you {event.base()}"
        if event.subject is None and _is_noun(node.action, self.speaker):
            told = ""
        word = {"before": "before", "after": "after"}.get(node.declared.word, "when")
        if not told:
            edge = "start" if word == "before" else "end"
            head = f"at the {edge} of {self.speaker.vocabulary.moment(node.action)}"
            if isinstance(node, rule.InsteadOfRule):
                head = f"instead of {self.speaker.vocabulary.moment(node.action)}"
        else:
            head = f"{word} {told}"
        tail = self._guarded(when, node.body, around)
        if not tail:
            return ""
        if isinstance(node, rule.InsteadOfRule):
            usual = any(isinstance(one, st.AsUsual) for one in node.body)
            return f"{head}, {'' if usual else 'instead '}{tail}"
        return f"{head}, {tail}"

    def _guarded(self, when: Node | None, body: Sequence[Node], around: Surroundings) -> str:
        condition = f"if {self.speaker.conditions.clause(when, around)}, " if when is not None else ""
        done = self.speaker.statements.joined(body, around)
        if done == NOTHING and not any(isinstance(one, st.DoNothing) for one in body):
            return ""  # it is all about what players are not told
        return f"{condition}{done}"

    def _settled(self, when: Node | None, slots: Sequence[rule.Slot], around: Surroundings) -> Node | None:
        """The condition without the parts that only say what a parameter is; those name it instead."""
        bound = {slot.local for slot in slots if slot.local is not None}
        return self._without_identities(when, bound, around)

    def _without_identities(self, when: Node | None, bound: set[int], around: Surroundings) -> Node | None:
        if when is None:
            return None
        if isinstance(when, operators.And):
            left = self._without_identities(when.left, bound, around)
            right = self._without_identities(when.right, bound, around)
            if left is None or right is None:
                return left or right
            return when if (left, right) == (when.left, when.right) else replace(when, left=left, right=right)
        local, phrase = self._identity(when, bound, around)
        if local is None or phrase is None or local in around.known:
            return when
        around.known[local] = always(phrase)
        return None

    def _identity(
        self, node: Node, bound: set[int], around: Surroundings
    ) -> tuple[int | None, Phrase | None]:
        """The local that a condition says to be one certain thing, and that thing."""
        match node:
            case operators.Same(left=names.LocalRef() as local) if local.number in bound:
                right: Node = node.right
                if isinstance(right, names.LocalRef) and right.number not in around.known:
                    return None, None
                return local.number, self.speaker.expressions.phrase(right, around)
            case operators.IsSort(of=names.LocalRef() as local) if local.number in bound:
                sort = self.speaker.expressions.phrase(node.sort, around)
                return local.number, Phrase(
                    self.speaker.vocabulary_article(sort.text) if sort.noun else sort.text
                )
            case operators.IsKind(of=names.LocalRef() as local) if local.number in bound:
                return local.number, self.speaker.vocabulary.group(node.kind).some()
            case operators.IsTrait(of=names.LocalRef() as local) if local.number in bound:
                return local.number, self.speaker.vocabulary.group(node.trait).some()
        return None, None

    def _event(self, node: Node, around: Surroundings) -> Clause:
        """The action a rule is about, its parameters as the rule names them."""
        action_id: str = getattr(node, "action")  # noqa: B009 - one of four classes with these parts
        slots: tuple[rule.Slot, ...] = getattr(node, "slots")  # noqa: B009
        action = self.speaker.vocabulary.actions.get(action_id)
        if action is None:
            return self._core_event(action_id, slots, around)
        given: dict[str, Phrase] = {}
        for index, parameter in enumerate(action.params):
            slot = next((slot for slot in slots if slot.parameter == index), None)
            given[parameter.name] = self._slot(slot, parameter.type, around, parameter.name)
        if not action.reads:
            # Parts that the rule leaves open would only be noise without a wording to hold them.
            given = {name: phrase for name, phrase in given.items() if phrase.text not in ("", "some")}
        return self.speaker.statements.worded(action, given)

    def _slot(
        self, slot: rule.Slot | None, type_: Type, around: Surroundings, name: str = "number"
    ) -> Phrase:
        phrase = self._slot_phrase(slot, type_, around)
        if slot is not None and slot.local is not None and slot.local not in around.known:
            kind = self.speaker.vocabulary.typed(type_)
            short = Phrase(f"that {self.speaker.vocabulary.group(kind).one}") if kind else phrase
            if type_.tag in NUMBERS:
                # A number that the event leaves open is spoken of by its name.
                short = Phrase(f"the {words(name) if len(name) > 1 else 'number'}", "number")
            around.known[slot.local] = Referent(phrase, short, told=True)
            if slot.equals is not None:
                around.known[slot.local] = always(phrase)
        return phrase

    def _slot_phrase(self, slot: rule.Slot | None, type_: Type, around: Surroundings) -> Phrase:
        if slot is not None:
            if slot.local is not None and slot.local in around.known:
                return around.known[slot.local].mention()
            if slot.equals is not None:
                return self.speaker.expressions.phrase(slot.equals, around)
            if slot.sort is not None:
                sort = self.speaker.expressions.phrase(slot.sort, around)
                return Phrase(self.speaker.vocabulary_article(sort.text))
            if slot.kind is not None or slot.trait is not None:
                return self.speaker.vocabulary.group(slot.kind or slot.trait or "").some()
        kind = self.speaker.vocabulary.typed(type_)
        if kind:
            return Phrase(self.speaker.vocabulary.group(kind).some().text, open=True)
        if type_.tag in NUMBERS:
            return Phrase("", "number", open=True)
        return Phrase("" if type_.tag in ("effect", "condition") else "some", open=True)

    def _core_event(self, action: str, slots: Sequence[rule.Slot], around: Surroundings) -> Clause:
        verb = next((v for v in VERBS if v.id == action.removeprefix("core:")), None)
        if verb is None:
            return imperative(words(action))
        text = verb.verb.replace("_", " ")
        for slot in slots:
            wanted = slot.equals is not None or slot.kind is not None or slot.trait is not None or slot.sort
            phrase = self._slot(slot, Type("thing", "Thing"), around)
            if not wanted and slot.parameter != "first":
                continue
            joined = "" if slot.parameter in ("first", "token") else f"{slot.parameter} "
            text += f" {joined}{phrase.text}"
        return imperative(text)

    def _forbid(self, node: rule.ForbidRule, around: Surroundings) -> str:
        when = self._settled(node.when, node.slots, around)
        event = self._event(node, around)
        condition = f" if {self.speaker.conditions.clause(when, around)}" if when is not None else ""
        subject = event.subject
        if subject is None:
            return f"nobody can {event.base()}{condition}"
        text = subject.text
        for article in ("a ", "an "):
            if text.startswith(article):
                text = f"no {text.removeprefix(article)}"
                return f"{text} can {event.base()}{condition}"
        return f"{text} cannot {event.base()}{condition}"

    # -------------------------------------------------------------- numbers, traits, menus
    def _modify(self, node: rule.ModifyRule, around: Surroundings) -> str:
        vocabulary = self.speaker.vocabulary
        if node.value is not None and not vocabulary.is_told(node.value):
            return ""
        if node.field is not None and vocabulary.is_silent(node.owner or "", node.field):
            return ""
        bound = {number for number in node.params if number is not None}
        if node.of is not None and node.of.local is not None:
            bound.add(node.of.local)
        when = self._without_identities(node.when, bound, around)
        what = self._modified(node, around)
        amount = self.speaker.expressions.phrase(node.amount, around)
        condition = f" if {self.speaker.conditions.clause(when, around)}" if when is not None else ""
        if what.person not in ("number", "many") and node.change == "=" and amount.text in ("yes", "no"):
            return f"{what.text if amount.text == 'yes' else negated(what.text)}{condition}"
        several = owned_several(what.text)
        if several is not None and node.change in ("+", "-"):
            owner, noun = several
            more = "more" if node.change == "+" else "fewer"
            noun = singular(noun) if amount.number == 1 else noun
            return f"{owner} {amount.text} {more} {noun}{condition}"
        verb = "are" if several is not None else "is"
        match node.change:
            case "+":
                said = f"{verb} {amount.text} higher"
            case "-":
                said = f"{verb} {amount.text} lower"
            case "=":
                said = f"{verb} {amount.text}"
            case "with":
                said = f"also {'include' if what.person == 'many' else 'includes'} {amount.text}"
            case "without":
                said = f"{'do' if what.person == 'many' else 'does'} not include {amount.text}"
            case _:
                said = f"{verb} {node.change} {amount.text}"
        return f"{what.text} {said}{condition}"

    def _modified(self, node: rule.ModifyRule, around: Surroundings) -> Phrase:
        if node.field is not None:
            # A kind that is named is meant, not the one that lends it the field.
            kind = node.of.kind if node.of is not None and node.of.kind is not None else node.owner
            of = self._slot(node.of, Type("thing", kind or "Thing"), around)
            return Phrase(
                of.owned(self.speaker.vocabulary.field_noun(node.owner or "", node.field)), "number"
            )
        found = self.speaker.vocabulary.values.get(node.value or "")
        if found is None:
            return Phrase(f"the {words(node.value or '')}", "number")
        given: dict[str, Phrase] = {}
        for index, number in enumerate(found.params):
            if number >= len(found.locals):
                continue
            parameter = found.locals[number]
            own = node.params[index] if index < len(node.params) else None
            slot = rule.Slot(index, local=own)
            given[parameter.name] = self._slot(slot, parameter.type, around)
        person = person_of(found.type)
        if found.reads:
            forms = two_forms(found.reads)
            return Phrase(clause(forms[1] if forms else found.reads, given.get).told(), person)
        named = [phrase for phrase in given.values() if phrase.text not in ("", "some")]
        if len(named) == 1:
            return Phrase(named[0].owned(words(found.id)), person)
        whose = f" of {listed([p.text for p in named[:2]])}" if named else ""
        return Phrase(f"the {words(found.id)}{whose}", person)

    def _grant(self, node: rule.GrantRule, around: Surroundings) -> str:
        group = self.speaker.expressions.group(node.to, around)
        who = group.each() if group is not None else self.speaker.expressions.phrase(node.to, around)
        traits = listed([self.speaker.expressions.phrase(one, around).text for one in node.traits])
        condition = (
            f"if {self.speaker.conditions.clause(node.when, around)}, " if node.when is not None else ""
        )
        return f"{condition}{who.text} {'has' if who.singular else 'have'} {traits}"

    def _offer(self, node: rule.OfferRule, around: Surroundings) -> str:
        for number in node.params:
            if number is not None:
                around.known[number] = always(Phrase("you", "you"))
        for parameter in node.unbound:
            kind = self.speaker.vocabulary.typed(parameter.type)
            phrase = self.speaker.vocabulary.group(kind).some() if kind else Phrase(words(parameter.name))
            around.known[parameter.local] = Referent(phrase, Phrase("it"))
        label = self.speaker.expressions.text(node.label, around)
        for referent in around.known.values():
            referent.told = False
        done = self.speaker.statements.joined(node.body, around)
        condition = (
            f" (if {self.speaker.conditions.clause(node.when, around)})" if node.when is not None else ""
        )
        return f"“{label}”{condition}: {done}"


def _is_noun(action_id: str, speaker: Speaker) -> bool:
    """Whether an action is a stretch of the game rather than something somebody does."""
    action = speaker.vocabulary.actions.get(action_id)
    return action is not None and not action.params
