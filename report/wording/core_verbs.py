"""The verbs of the core as clauses: move, draw, put, roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.report.wording.phrases import Clause, Phrase, imperative, words
from talewright.report.wording.surroundings import Surroundings, always
from talewright.schemas.nodes import literals, names, reads
from talewright.schemas.nodes import statements as st
from talewright.schemas.nodes.declaration import Node

if TYPE_CHECKING:
    from talewright.report.wording.speaker import Speaker

_PREPOSITIONS = (
    ("source", "from"),
    ("to", "to"),
    ("under", "under"),
    ("place", "to"),
    ("on", "on"),
    ("into", "into"),
    ("partner", "with"),
)


class CoreVerbs:
    """Words for calls of core verbs."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def call(self, node: st.CoreCall, around: Surroundings) -> Clause:
        """A verb of the core with its parts."""
        args = node.args
        first = self._things(args.first, around) if args.first is not None else None
        given: dict[str, Phrase] = {}
        for name, _ in _PREPOSITIONS:
            arg: Node | None = getattr(args, name)
            if arg is not None:
                given[name] = self.speaker.expressions.phrase(arg, around)
        token = self.speaker.expressions.phrase(args.token, around) if args.token is not None else None
        return self.worded(node, first, token, given, around)

    def worded(
        self,
        node: st.CoreCall,
        first: Phrase | None,
        token: Phrase | None,
        given: dict[str, Phrase],
        around: Surroundings,
    ) -> Clause:
        """A verb of the core with phrases for its parts."""
        what = first.text if first is not None else ""
        match node.verb:
            case "move_count":
                what = f"{what} {self._drawn(node.args.source, first, around)}"
                return imperative(f"move {what}{self._rest(given, 'source', 'to')}")
            case "take_token" if self._takes_all(node):
                many = token.noun[1] if token is not None and token.noun else "tokens"
                return imperative(f"take all {many}{self._rest(given, 'source')}")
            case "put_token" | "take_token":
                return imperative(f"{words(node.verb).split()[0]} {self._tokens(first, token, given)}")
            case "draw":
                return imperative(self._draw(node, first, given, around))
            case "take":
                return imperative(f"take {what}{self._rest(given, 'source')}")
            case "discard":
                return imperative(f"discard {what}{self._rest(given, 'to')}")
            case "remove":
                return imperative(
                    f"remove {what} from {given['source'].text if 'source' in given else 'the game'}"
                )
            case "roll" | "reroll":
                counted = first is not None and first.number is not None
                dice = f"{what} {'die' if first and first.number == 1 else 'dice'}" if counted else what
                return imperative(f"{node.verb} {dice}{self._rest(given, 'into')}")
            case "place" | "put_at" | "stand" | "station":
                return imperative(
                    f"place {what}{self._rest(given, 'place', 'to')}".replace(" to ", " at ", 1)
                )
            case "put" | "put_on":
                return imperative(f"put {what}{self._rest(given, 'into', 'on')}")
            case "show":
                return imperative(f"show {what} to {given['to'].text if 'to' in given else 'them'}")
            case "exchange":
                return imperative(f"exchange {what}{self._rest(given, 'partner')}")
            case "pay":
                return imperative(f"pay {what}")
            case "arrange":
                return imperative(f"put {what} in any order")
            case "clear":
                return imperative(f"clear {what}")
            case "run":
                return imperative(f"carry out {what}")
            case "play" | "stage":
                return imperative(f"set up {what}")
            case "match":
                return imperative(f"look at {what}")
            case "follow":
                return imperative("choose where to go on")
            case "end_chapter":
                return imperative("end the chapter")
        return imperative(f"{words(node.verb).split()[0]} {what}{self._rest(given)}".strip())

    def _takes_all(self, node: st.CoreCall) -> bool:
        first, token = node.args.first, node.args.token
        source: object = node.args.source
        return (
            isinstance(first, reads.TokensOn)
            and isinstance(token, names.TokenRef)
            and first.token == token.id
            and first.of == source
        )

    def _things(self, node: Node, around: Surroundings) -> Phrase:
        group = self.speaker.expressions.group(node, around)
        if group is not None and not isinstance(node, literals.SetLiteral | names.SortRef):
            return group.whole()
        if isinstance(node, reads.PileItems):
            return Phrase(f"everything in {self.speaker.expressions.phrase(node.of, around).text}")
        return self.speaker.expressions.phrase(node, around)

    def _rest(self, given: dict[str, Phrase], *which: str) -> str:
        wanted = which or tuple(name for name, _ in _PREPOSITIONS)
        return "".join(
            f" {preposition} {given[name].text}"
            for name, preposition in _PREPOSITIONS
            if name in wanted and name in given
        )

    def _tokens(self, first: Phrase | None, token: Phrase | None, given: dict[str, Phrase]) -> str:
        noun = (
            token.noun
            if token is not None and token.noun
            else (("token", "tokens") if token is None else None)
        )
        name = (
            (noun[0 if first is not None and first.number == 1 else 1])
            if noun
            else (token.text if token else "")
        )
        amount = first.text if first is not None else "some"
        if first is not None and first.person == "number" and first.number is None:
            return f"{name} equal to {amount}{self._rest(given, 'on', 'source')}"
        return f"{amount} {name}{self._rest(given, 'on', 'source')}"

    def _drawn(self, source: Node | None, first: Phrase | None, around: Surroundings) -> str:
        """What a container holds, for as many as are taken."""
        kind = "Card"
        inner = source
        while isinstance(inner, reads.PileItems | reads.SlotContent):
            inner = inner.of
        if isinstance(inner, names.PileRef):
            kind = self.speaker.vocabulary.kind_of_pile(inner.id)
        elif isinstance(inner, reads.FieldOf):
            field = self.speaker.vocabulary.field(inner.owner, inner.name)
            kind = (self.speaker.vocabulary.typed(field.type) if field is not None else "") or "Card"
        group = self.speaker.vocabulary.group(kind)
        return group.one if first is not None and first.number == 1 else group.many

    def _draw(
        self, node: st.CoreCall, first: Phrase | None, given: dict[str, Phrase], around: Surroundings
    ) -> str:
        source = self._source(node.args.source)
        where = f" from {self.speaker.expressions.phrase(source, around).text}" if source is not None else ""
        if first is None:
            one = Phrase("1", "number", 1)
            what = self.speaker.vocabulary_article(self._drawn(node.args.source, one, around))
        elif first.number is None and first.person == "number":
            what = f"{self._drawn(node.args.source, first, around)} equal to {first.text}"
        else:
            what = f"{first.text} {self._drawn(node.args.source, first, around)}"
        until = ""
        if node.until is not None and not isinstance(node.until, str) and node.local is not None:
            known = around.with_names({node.local: always(Phrase("it"))})
            until = f" until {self.speaker.conditions.clause(node.until, known)}"
        return f"draw {what}{where}{self._rest(given, 'into', 'under')}{until}"

    def _source(self, node: Node | None) -> Node | None:
        while isinstance(node, reads.PileItems):
            node = node.of
        return node
