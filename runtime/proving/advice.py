"""What only bots read: hints (`appeal_VERB...`, `score...`), and the values, tables and fields that nothing but hints asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from talewright.runtime.lower.builds.hints import PREFIX, SCORE
from talewright.schemas.node_walk import children
from talewright.schemas.nodes.components import FieldDeclaration
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import MeasureDeclaration, TableDeclaration, ValueDeclaration
from talewright.schemas.nodes.document import Content
from talewright.schemas.nodes.names import TableLookUp, ValueAsWay, ValueCall
from talewright.schemas.nodes.reads import FieldOf, LateField
from talewright.schemas.nodes.rules import ModifyRule

# What sort of thing is named ("value", "table", "field"), and its id; of a field its name alone, whoever it belongs to.
Named = tuple[str, str]


class Advice:
    """What hints ask for and the game does not: no test of a game can notice whether it is right."""

    def __init__(self, content: Content) -> None:
        self._sources: dict[Named, list[Node]] = {}
        for value in content.values:
            self._sources[_declared(value)] = [value]
        for table in content.tables:
            self._sources[_declared(table)] = [table]
        hints = {_declared(each) for each in content.values if _is_hint(each.id)}
        game: set[Named] = set()
        for each in children(content):
            # Measures look at a game, as hints do; a value counts for whoever asks for it.
            if not isinstance(each, MeasureDeclaration | ValueDeclaration | TableDeclaration):
                game |= set(self._named(each, collect=True))
        self._only = self._reached(hints) - self._reached(game)

    def holds(self, content: Content, path: tuple[str | int, ...]) -> bool:
        """Whether a place lies in what only hints ask for."""
        held: object = content
        for index, step in enumerate(path):
            above = held
            held = held[step] if isinstance(held, tuple | Mapping) else getattr(held, str(step))  # type: ignore[index]
            named = ("", "")
            if isinstance(held, ValueDeclaration | TableDeclaration):
                named = _declared(held)
            elif isinstance(held, ModifyRule):
                named = "value", str(held.value)
            elif isinstance(held, FieldDeclaration):
                named = "field", held.name
            elif isinstance(above, Mapping) and path[index - 1] in ("fields", "defaults"):
                named = "field", str(step)
            if named in self._only:
                return True
        return False

    def _reached(self, first: set[Named]) -> set[Named]:
        """All that is asked for from there on."""
        found, waiting = set(first), list(first)
        while waiting:
            for source in self._sources.get(waiting.pop(), ()):
                new = set(self._named(source, collect=False)) - found
                found |= new
                waiting += new
        return found

    def _named(self, node: Node, collect: bool) -> Iterator[Named]:
        """What is asked for inside a node; what modifies a value waits until somebody asks for that value."""
        if collect and isinstance(node, ModifyRule) and node.value is not None:
            self._sources.setdefault(("value", node.value), []).append(node)
            return
        match node:
            case ValueCall():
                yield "value", node.id
            case ValueAsWay():
                yield "value", node.value
            case TableLookUp():
                yield "table", node.id
            case FieldOf() | LateField():
                yield "field", node.name
        for child in children(node):
            yield from self._named(child, collect)


def _declared(each: ValueDeclaration | TableDeclaration) -> Named:
    return ("value" if isinstance(each, ValueDeclaration) else "table"), each.id


def _is_hint(name: str) -> bool:
    """Whether bots ask for a value by its name, which may belong to a chapter."""
    return name.rpartition(":")[2].startswith((PREFIX, SCORE))
