"""The nouns and verbs of a document: what its kinds, fields, tracks, tokens and actions are called."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from talewright.report.wording.phrases import (
    Group,
    Phrase,
    inside_sentence,
    without_article,
    words,
)
from talewright.schemas.node_walk import children
from talewright.schemas.nodes.components import FieldDeclaration
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import (
    ActionDeclaration,
    KindDeclaration,
    ThingDeclaration,
    TraitDeclaration,
    ValueDeclaration,
)
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.names import ValueAsWay, ValueCall
from talewright.schemas.nodes.rules import ModifyRule
from talewright.schemas.nodes.types import Type
from talewright.schemas.wording import noun_forms, noun_text

# What the values are called that speak to bots alone; the language says so.
HINTS = ("appeal_", "score")


class Vocabulary:
    """Looks up what a document calls things."""

    def __init__(self, document: Document) -> None:
        content = document.content
        self.document = document
        self.kinds: dict[str, KindDeclaration] = {kind.id: kind for kind in content.kinds}
        self.traits: dict[str, TraitDeclaration] = {trait.id: trait for trait in content.traits}
        self.things: dict[str, ThingDeclaration] = {thing.id: thing for thing in content.things}
        self.actions: dict[str, ActionDeclaration] = {action.id: action for action in content.actions}
        self.values: dict[str, ValueDeclaration] = {value.id: value for value in content.values}
        self._nouns = {
            **{("token", token.id): token.reads for token in content.tokens},
            **{("track", track.id): track.reads for track in content.tracks},
            **{("state", state.id): state.reads for state in content.states},
            **{("pile", pile.id): pile.reads for pile in content.piles},
            **{("period", period.id): period.reads for period in content.periods},
        }
        self._nouns = {key: said and noun_text(said) for key, said in self._nouns.items()}
        self._pile_kinds = {pile.id: pile.kind for pile in content.piles}
        self._ancestry: dict[str, tuple[str, ...]] = {}

    # -------------------------------------------------------------- kinds and fields
    def lineage(self, kind: str) -> tuple[str, ...]:
        """A kind and all it descends from, nearest first."""
        known = self._ancestry.get(kind)
        if known is None:
            order = [kind]
            for name in order:
                found = self.kinds.get(name)
                order.extend(parent for parent in (found.parents if found else ()) if parent not in order)
            known = self._ancestry[kind] = tuple(order)
        return known

    def is_a(self, kind: str, other: str) -> bool:
        """Whether a kind is another or descends from it."""
        return other in self.lineage(kind)

    def is_role(self, kind: str) -> bool:
        """Whether the things of a kind are seats."""
        return any(name in self.kinds and self.kinds[name].role is not None for name in self.lineage(kind))

    def group(self, kind: str) -> Group:
        """The things of a kind, or with a trait."""
        found = self.kinds.get(kind)
        if found is not None and found.reads:
            return Group(*noun_forms(noun_text(found.reads)))
        if found is None and kind in self.traits:
            trait = self.traits[kind]
            return Group(*noun_forms(without_holes(trait.reads) if trait.reads else words(kind)))
        return Group(*noun_forms(words(kind).lower()))

    def field(self, owner: str, name: str) -> FieldDeclaration | None:
        """A field of a kind or trait."""
        return self._fields.get((owner, name))

    @cached_property
    def _fields(self) -> dict[tuple[str, str], FieldDeclaration]:
        content = self.document.content
        owners: tuple[KindDeclaration | TraitDeclaration, ...] = (*content.kinds, *content.traits)
        return {(owner.id, field.name): field for owner in owners for field in owner.fields}

    def field_noun(self, owner: str, name: str) -> str:
        """What a field is called."""
        found = self.field(owner, name)
        return noun_text(found.reads) if found is not None and found.reads else words(name)

    def is_worded(self, owner: str, name: str) -> bool:
        """Whether a package says how a field reads."""
        found = self.field(owner, name)
        return found is not None and found.reads is not None

    def is_silent(self, owner: str, name: str) -> bool:
        """Whether a field reads as nothing: players are never told of it."""
        found = self.field(owner, name)
        return found is not None and found.reads == ""

    def label(self, kind: str, name: str) -> str:
        """What a field of a thing is called at the head of a line; a part of a part by all its names."""
        owner, made = kind, []
        for step in name.split("."):
            found = next((f for k in self.lineage(owner) if (f := self.field(k, step)) is not None), None)
            made.append(noun_text(found.reads) if found is not None and found.reads else words(step))
            owner = self.typed(found.type) if found is not None else ""
        text = " ".join(made)
        return f"{text[:1].upper()}{text[1:]}"

    def kind_of_pile(self, id_: str) -> str:
        """The kind of what lies in a container."""
        return self._pile_kinds.get(id_, "Thing")

    # -------------------------------------------------------------- values
    def is_told(self, value: str) -> bool:
        """Whether players are told of a value: not of one that reads as nothing, nor of what only hints to bots ask for."""
        found = self.values.get(value)
        return found is None or (found.reads != "" and value not in self._for_bots)

    @cached_property
    def _for_bots(self) -> set[str]:
        """The values that hints to bots ask for, and play itself does not."""
        content = self.document.content
        apart = (content.values, content.measures, content.checks, content.tests)
        outside = {id(node) for group in apart for node in group}
        changes: dict[str, list[Node]] = {}
        asked: list[str] = []
        self._asks([node for node in children(content) if id(node) not in outside], asked, changes)
        played = self._asked_for(asked, changes)
        hints = [value for value in self.values if value.rpartition(":")[2].startswith(HINTS)]
        return self._asked_for(hints, changes) - played

    def _asked_for(self, values: list[str], changes: dict[str, list[Node]]) -> set[str]:
        """Some values and all that is asked for with them: what makes them up, and what changes them."""
        found: set[str] = set()
        while values:
            value = values.pop()
            if value in found:
                continue
            found.add(value)
            declared = self.values.get(value)
            within = [] if declared is None else children(declared)
            for node in changes.get(value, ()):
                within += children(node)
            self._asks(within, values, changes)
        return found

    def _asks(self, nodes: list[Node], asked: list[str], changes: dict[str, list[Node]]) -> None:
        """The values that some nodes ask for, and apart from them the rules inside that change a value."""
        while nodes:
            node = nodes.pop()
            if isinstance(node, ModifyRule) and node.value is not None:
                changes.setdefault(node.value, []).append(node)
                continue
            if isinstance(node, ValueCall):
                asked.append(node.id)
            elif isinstance(node, ValueAsWay):
                asked.append(node.value)
            nodes.extend(children(node))

    # -------------------------------------------------------------- nouns
    def noun(self, space: str, id_: str) -> str | None:
        """How a token, track, state, pile or period reads, where it says so."""
        return self._nouns.get((space, id_))

    def token(self, id_: str) -> tuple[str, str]:
        """A token for one and for several."""
        said = self.noun("token", id_)
        return noun_forms(said) if said else (words(id_), words(id_))

    def named(self, space: str, id_: str) -> str:
        """A noun with its article: `the stacks`."""
        said = self.noun(space, id_)
        return said.partition("|")[0] if said else f"the {words(id_)}"

    def is_titled(self, id_: str) -> bool:
        """Whether a thing has a title of its own."""
        found = self.things.get(id_)
        return found is not None and bool(found.title)

    def whole_title(self, id_: str) -> str:
        """The title of a thing with all that explains it, as it stands in the middle of a line."""
        found = self.things.get(id_)
        return inside_sentence(found.title) if found is not None and found.title else words(id_)

    def title(self, id_: str) -> str:
        """What a thing is called in the middle of a sentence; a card of several words is quoted."""
        found = self.things.get(id_)
        if found is None or not found.title:
            return words(id_)
        if not self.is_a(found.kind, "Card"):
            return self.brief(inside_sentence(found.title))
        # The article of a card belongs to its title.
        quoted = found.title[0].isupper() and (" " in found.title or found.kind in self._kinds_of_phrases)
        return f"“{found.title}”" if quoted else found.title

    @cached_property
    def _kinds_of_phrases(self) -> set[str]:
        """The kinds whose things mostly have titles of several words, so that one of a single word would not be told from the
        text around it: `Reveal “Out”`."""
        words_of: dict[str, list[bool]] = {}
        for thing in self.things.values():
            if thing.title:
                words_of.setdefault(thing.kind, []).append(" " in thing.title)
        return {kind for kind, several in words_of.items() if 2 * sum(several) > len(several)}

    def brief(self, title: str) -> str:
        """A title without what explains it, `Ada` for `Ada, the Smith`, where nobody else is called so."""
        name, comma, _ = title.partition(", ")
        return name if comma and self._names.get(name) == 1 else title

    @cached_property
    def _names(self) -> dict[str, int]:
        """How many titles begin with each name, up to a comma."""
        figures = [thing for thing in self.things.values() if not self.is_a(thing.kind, "Card")]
        titles = {inside_sentence(thing.title) for thing in figures if thing.title}
        return Counter(title.partition(", ")[0] for title in titles)

    def sort(self, id_: str) -> Phrase:
        """A thing of which there are copies, as a noun."""
        title = without_article(self.title(id_)).strip("“”")
        return Phrase(title, noun=noun_forms(title))

    def moment(self, id_: str) -> str:
        """An action or period as a time: `the round`."""
        space, _, name = id_.rpartition(":")
        said = self.noun("period", name if space else id_)
        if said:
            return said
        named = (one for one in self.actions.values() if one.verb == name)
        action = next(named, None) if space == "verb" else self.actions.get(id_)
        if action is not None and action.reads and not action.params:
            return action.reads
        whose, _, rest = name.partition("_")
        owner = whose.capitalize()
        if action is not None and rest and owner in self.kinds:
            # `ferry_turn` is the turn of a Ferry.
            return f"the {self.group(owner).one}'s {words(rest)}"
        return f"the {words(name)}"

    def typed(self, type_: Type) -> str:
        """The kind of thing a type speaks of, or nothing."""
        if type_.tag in ("optional", "set", "list"):
            inner = type_.args[0]
            return self.typed(inner) if isinstance(inner, Type) else ""
        return type_.name if type_.tag in ("thing", "sort", "pile") else ""


def without_holes(reads: str) -> str:
    """The plain words of a wording."""
    plain = []
    depth = 0
    for sign in reads:
        depth += (sign in "{[") - (sign in "}]")
        if depth == 0 and sign not in "}]":
            plain.append(sign)
    return " ".join("".join(plain).split()).strip(" :")
