"""Whole things in words: what each of their effects does, and the rules they bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from talewright.report.wording.phrases import Phrase, inside_sentence, is_plural, sentence, words
from talewright.report.wording.questions import Question, questions_of
from talewright.report.wording.speaker import Speaker
from talewright.report.wording.surroundings import Referent, Surroundings, always
from talewright.report.wording.templates import filled, pieces_of
from talewright.report.wording.uses import Uses
from talewright.schemas.node_walk import free_locals, walk
from talewright.schemas.nodes import names
from talewright.schemas.nodes.declaration import Expression, Node
from talewright.schemas.nodes.declared import ActionDeclaration, ThingDeclaration
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.queries import First, Last, RandomOne
from talewright.schemas.nodes.reads import Decider
from talewright.schemas.nodes.rules import OfferRule, Rule
from talewright.schemas.nodes.statements import Assign, Call, Change, Choice, RunEffect
from talewright.schemas.nodes.things import CastLine, Code, Face, FieldMap
from talewright.schemas.records import record

YOU = Phrase("you", "you")
SHORT_NAME = 2
NOTHING = "Nothing happens."
STOP = "Stop."


@record(frozen=True)
class Line:
    """One line of a card: the field it belongs to, empty for rules, and what it says."""

    field: str
    text: str
    label: str = ""
    override: bool = False
    keyword: bool = False
    """Whether it names a trait, with what that means."""

    def __str__(self) -> str:
        return f"{self.label}: {self.text}" if self.label else self.text


class Cards:
    """Words the things of a document, each when it is first asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.speaker = Speaker(document)
        self._done: dict[str, tuple[Line, ...]] = {}

    @cached_property
    def questions(self) -> dict[int, Question]:
        """What the document asks, by its place in the text."""
        return questions_of(self.document)

    @cached_property
    def uses(self) -> Uses:
        """Which choices use what is chosen."""
        return Uses(self.document, self.questions)

    def lines(self, id_: str) -> tuple[Line, ...]:
        """What a thing, or sort, says on its face; empty for what does nothing."""
        known = self._done.get(id_)
        if known is None:
            thing = self.speaker.vocabulary.things.get(id_)
            known = self._done[id_] = tuple(self._thing(thing)) if thing is not None else ()
        return known

    def effect(self, id_: str, field: str) -> str:
        """What one effect of a thing does."""
        return " ".join(line.text for line in self.lines(id_) if line.field == field)

    # -------------------------------------------------------------- things
    def _thing(self, thing: ThingDeclaration) -> Iterator[Line]:
        around = Surroundings(own=self._own(thing.kind, thing.title or words(thing.id)))
        if thing.reads is not None:
            yield Line("", sentence(self._said(thing.reads, around.own)), override=True)
            return
        for trait in thing.traits:
            if isinstance(trait, names.TraitRef):
                yield from self._trait(trait, around)
        yield from self._parts(thing.kind, thing.fields, thing.rules, around)
        for face in thing.faces:
            yield from self._face(thing.kind, face, around)
        for line in thing.cast:
            yield from self._cast(line)

    def _face(self, kind: str, face: Face, around: Surroundings) -> Iterator[Line]:
        name = f"{face.title or face.id}"
        if face.reads is not None:
            yield Line("", sentence(self._said(face.reads, around.own)), name, True)
            return
        for line in self._parts(kind, face.fields, face.rules, around):
            label = f"{name}, {line.label}" if line.label else name
            yield Line(line.field, line.text, label, line.override)

    def _cast(self, line: CastLine) -> Iterator[Line]:
        things = [group.thing or group.token or "" for group in line.groups]
        vocabulary = self.speaker.vocabulary
        around = Surroundings(line.locals, own=Phrase(" and ".join(map(vocabulary.title, things))))
        title = " and ".join(map(vocabulary.whole_title, things))
        if line.reads is not None:
            yield Line("", sentence(self._said(line.reads, around.own)), title, True)
            return
        traits = [self.speaker.expressions.phrase(one, around).text for one in line.traits]
        if traits:
            yield Line("", sentence(", ".join(traits)), title)
        first = self.speaker.vocabulary.things.get(things[0]) if things else None
        for said in self._parts(first.kind if first else "Thing", line.fields, line.rules, around):
            label = f"{title}, {said.label}" if said.label else title
            yield Line(said.field, said.text, label, said.override)

    def _own(self, kind: str, title: str) -> Phrase:
        vocabulary = self.speaker.vocabulary
        if vocabulary.is_a(kind, "Card"):
            return Phrase(f"this {vocabulary.group(kind).one}")
        return Phrase(inside_sentence(title))

    def _said(self, reads: str, own: Phrase) -> str:
        return filled(pieces_of(reads), {"self": own}.get)

    def _trait(self, trait: names.TraitRef, around: Surroundings) -> Iterator[Line]:
        name = self.speaker.expressions.trait(trait, around)
        found = self.speaker.vocabulary.traits.get(trait.id)
        meaning = " ".join((found.text or "").split()) if found is not None else ""
        yield Line("", f"{name}. {meaning}".strip(), keyword=True)

    def _parts(
        self, kind: str, fields: Mapping[str, Node], rules: tuple[Rule, ...], around: Surroundings
    ) -> Iterator[Line]:
        made = [line for name, value in fields.items() for line in self._field(kind, name, value, around)]
        telling = [line for line in made if line.text != NOTHING]
        yield from telling if telling or rules else made[:1]
        for rule in rules:
            text = self.speaker.rules.sentence(rule, _fresh(around))
            if text:
                yield Line("", text, override=_overrides(rule))

    def _field(self, kind: str, name: str, value: Node, around: Surroundings) -> Iterator[Line]:
        if any(self.speaker.vocabulary.is_silent(one, name) for one in self.speaker.vocabulary.lineage(kind)):
            return
        if isinstance(value, Code):
            text = self.code(value, around)
            if text:
                yield Line(name, text, self.speaker.vocabulary.label(kind, name), value.reads is not None)
        elif isinstance(value, FieldMap):
            for key, inner in value.rows:
                if isinstance(inner, Code):
                    shown = self.speaker.expressions.phrase(key, _fresh(around)).text
                    label = f"{self.speaker.vocabulary.label(kind, name)}, {shown}"
                    yield Line(name, self.code(inner, around) or NOTHING, label, inner.reads is not None)

    # -------------------------------------------------------------- pieces of code
    def code(self, code: Code, around: Surroundings) -> str:
        """An effect as sentences, or a condition as a clause."""
        inner = Surroundings(code.locals, self._parameters(code), around.own, around.traits)
        if code.reads is not None:
            filling = {
                code.locals[number].name: referent.first
                for number, referent in inner.known.items()
                if number < len(code.locals)
            }
            filling["self"] = around.own
            return sentence(filled(pieces_of(code.reads), filling.get))
        if code.condition is not None:
            return sentence(self.speaker.conditions.clause(code.condition, inner))
        return self.speaker.statements.sentences(code.body, inner)

    def _parameters(self, code: Code) -> dict[int, Referent]:
        """Who the parameters of an effect are: the one seat among them is the reader."""
        vocabulary = self.speaker.vocabulary
        kinds = {number: vocabulary.typed(code.locals[number].type) for number in code.params}
        seats = [number for number, kind in kinds.items() if kind and vocabulary.is_role(kind)]
        seats = seats or [number for number in _asked(code) if number in kinds]
        known: dict[int, Referent] = {}
        for number, kind in kinds.items():
            if seats == [number]:
                known[number] = always(YOU)
            elif kind:
                name = words(code.locals[number].name)
                noun = name if len(name) > SHORT_NAME and name != "who" else vocabulary.group(kind).one
                known[number] = always(Phrase(f"the {noun}"))
        return known

    def offer(self, rule: OfferRule) -> str:
        """What an entry of a menu does."""
        return self.speaker.rules.sentence(rule, Surroundings())

    def label(self, rule: OfferRule, given: Mapping[int, Phrase]) -> str:
        """What an entry of a menu says, its open parts filled in, or told by what they are; what must be worked out is left out."""
        around = self._offered(rule, given)
        shown = [
            part if isinstance(part, str)
            else self.speaker.expressions.phrase(part.of, around).text if isinstance(part.of, names.LocalRef)
            else "..."
            for part in rule.label.parts
        ]  # fmt: skip
        told = "".join(shown)
        return f"{told[:1].upper()}{told[1:]}"

    def offer_does(self, rule: OfferRule, given: Mapping[int, Phrase]) -> str:
        """What an entry of a menu does, its open parts filled in; empty where the package has no words for it."""
        if rule.reads is not None:
            return self.offer(rule) if rule.reads else ""
        card = self.offered_card(rule)
        if card is not None:
            # What the card does says more than that it is used.
            return card[1].text
        call = rule.body[0] if rule.body else None
        action = self.speaker.vocabulary.actions.get(call.action) if isinstance(call, Call) else None
        if action is None or not action.reads:
            return ""
        return self.speaker.statements.sentences(rule.body, self._offered(rule, given))

    def offered_card(self, rule: OfferRule) -> tuple[str, Line] | None:
        """The sort of the one card that an entry of a menu is about, with its one effect; none where it is about others."""
        sorts = {node.id for part in rule.body for node in walk(part) if isinstance(node, names.SortRef)}
        effects = [(sort, line) for sort in sorts for line in self.lines(sort) if line.field]
        return effects[0] if len(sorts) == len(effects) == 1 else None

    def _offered(self, rule: OfferRule, given: Mapping[int, Phrase]) -> Surroundings:
        """What the names of an offer stand for: whoever is asked, and what was picked already."""
        you = {number: always(YOU) for number in rule.params if number is not None}
        known = {**you, **{number: always(phrase) for number, phrase in given.items()}}
        own = next((one for one in self._bearers if rule in self._bearers[one]), "")
        return Surroundings(rule.locals or (), known, self._own_of(own))

    @cached_property
    def _bearers(self) -> dict[str, tuple[Rule, ...]]:
        return {thing.id: thing.rules for thing in self.document.content.things if thing.rules}

    def _own_of(self, id_: str) -> Phrase:
        thing = self.speaker.vocabulary.things.get(id_)
        return Phrase("it") if thing is None else self._own(thing.kind, thing.title or words(thing.id))

    def offered_if(self, rule: OfferRule) -> str:
        """When an entry of a menu is offered; empty where it always is."""
        if rule.when is None:
            return ""
        return f"only if {self.speaker.conditions.clause(rule.when, self._offered(rule, {}))}"

    def called(self, action: ActionDeclaration, given: Mapping[int, Phrase]) -> str:
        """A call of an action that has no words of its own: its verb and parts, and who does it."""
        parts = {p.name: given[p.local] for p in action.params if p.local in given}
        return self.speaker.statements.worded(action, parts).told()

    def required(self, condition: Node, action: ActionDeclaration, given: Mapping[int, Phrase]) -> str:
        """What an action requires, with what its parameters stand for."""
        known = {number: always(phrase) for number, phrase in given.items()}
        return f"only if {self.speaker.conditions.clause(condition, Surroundings(action.locals, known))}"

    def missing(self, rule: OfferRule, part: int) -> str:
        """What there is nothing of for an entry of a menu, where a part of its call looks for it; empty where it does not."""
        call = rule.body[0] if rule.body else None
        node = call.args[part] if isinstance(call, Call) and part < len(call.args) else None
        if not isinstance(node, First | Last | RandomOne):
            return ""
        group = self.speaker.expressions.group(node.of, self._offered(rule, {}))
        if group is None:
            return ""
        return f"there {'are' if is_plural(group.one) else 'is'} no {group.one}{group.tail}"

    def rule(self, rule: Rule, bearer: str | int = "") -> str:
        """A rule in words, as the thing that bears it would say it; empty for one that has none."""
        return self.speaker.rules.sentence(rule, Surroundings(own=self._own_of(str(bearer))))

    def chosen_if(self, choice: Choice, spot: int) -> str:
        """When a label of the `choose one` at a place of the text can be taken; empty where it always can."""
        question = self.questions.get(spot)
        if choice.when is None or question is None:
            return ""
        return f"only if {self.speaker.conditions.clause(choice.when, self._around(question))}"

    def answer_does(
        self,
        question: Question,
        body: Sequence[Node],
        given: Mapping[int, Phrase],
        bearer: Phrase | None = None,
    ) -> str:
        """What an answer to a question does, told to whoever is asked; `given` says what locals stand for now, `bearer` who
        bears the rule that asks.

        Empty for nothing, for what the package has no words for, and for what depends on more than can be told.
        """
        known = {question.decider, *given}
        nodes = [node for part in body for node in walk(part)]
        if not self._is_worded(nodes) or not known.issuperset(free_locals(*body)):
            return ""
        around = self._around(question)
        if question.bearer is None:
            if bearer is None and any(isinstance(node, names.SelfRef) for node in nodes):
                return ""
            around.own = bearer or around.own
        named = {number: always(phrase) for number, phrase in given.items()}
        told = self.speaker.statements.sentences(body, around.with_names({**named, **around.known}))
        return "" if told in (NOTHING, STOP) else told

    def _is_worded(self, nodes: Sequence[Node]) -> bool:
        """Whether every action that is done by name has words of its own, no effect is only pointed at, and no name of the code
        is given another value."""
        actions = self.speaker.vocabulary.actions
        for node in nodes:
            if isinstance(node, RunEffect):
                return False
            if isinstance(node, Assign | Change) and isinstance(node.target, names.LocalRef):
                return False
            known = actions.get(node.action) if isinstance(node, Call) else None
            if known is not None and known.reads is None:
                return False
        return True

    def _around(self, question: Question) -> Surroundings:
        """What the names at a question stand for: whoever is asked is the reader."""
        you = {} if question.decider is None else {question.decider: always(YOU)}
        bearer = question.bearer
        own = Phrase("it") if bearer is None else self._own_of(bearer.id)
        return Surroundings(question.locals, you, own)


def plain_label(label: Text) -> str:
    """A label without what is shown in it."""
    return "".join(part if isinstance(part, str) else "..." for part in label.parts)


def _asked(code: Code) -> list[int]:
    """The locals who are asked to decide something in a piece of code."""
    found: dict[int, None] = {}
    for node in walk(code):
        if isinstance(node, Decider) and isinstance(node.of, names.LocalRef):
            found[node.of.number] = None
    return list(found)


def _fresh(around: Surroundings) -> Surroundings:
    return Surroundings(own=around.own, traits=around.traits)


def _overrides(rule: Rule) -> bool:
    return getattr(rule, "reads", None) is not None


__all__ = ["Cards", "Expression", "Line"]
