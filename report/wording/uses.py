"""Whether what somebody chooses is used: an effect of it is carried out, at once or when what is marked is gone through. It may
as well be laid out, kept or thrown away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from talewright.report.wording.questions import Question
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.names import LocalRef
from talewright.schemas.nodes.reads import FieldOf
from talewright.schemas.nodes.statements import Assign, Call, Choose, ForEach, Let, RunEffect


class Uses:
    """Follows what is chosen through a document: into other names, loops, the actions it is given to, and a loop over all that
    are marked as it is."""

    def __init__(self, document: Document, questions: Mapping[int, Question]) -> None:
        self._actions: dict[str, ActionDeclaration] = {one.id: one for one in document.content.actions}
        self._questions = questions

    def used(self, spot: int) -> bool:
        """Whether choosing at a place of the text carries out an effect of what is chosen, be it only its price."""
        question = self._questions.get(spot)
        if question is None or not isinstance(question.asks, Choose | ForEach):
            return False
        return self._runs(question.code, question.asks.local, set())

    def _runs(self, code: Node, local: int, seen: set[tuple[int, int]]) -> bool:
        if (id(code), local) in seen:
            return False
        seen.add((id(code), local))
        for node in walk(code):
            if isinstance(node, RunEffect) and isinstance(node.of, FieldOf):
                if _speaks_of(node.of.of, local):
                    return True
            elif isinstance(node, Call) and node.action in self._actions:
                # The parameters of an action are its first locals.
                given = [n for n, one in enumerate(node.args) if one is not None and _speaks_of(one, local)]
                if any(self._runs(self._actions[node.action], number, seen) for number in given):
                    return True
            elif isinstance(node, Assign):
                target = node.target
                if isinstance(target, FieldOf) and _speaks_of(target.of, local):
                    marked = self._loops.get((target.owner, target.name), ())
                    if any(self._runs(body, number, seen) for body, number in marked):
                        return True
            elif isinstance(node, ForEach | Let):
                source: Node = node.of if isinstance(node, ForEach) else node.value
                if _speaks_of(source, local) and self._runs(code, node.local, seen):
                    return True
        return False

    @cached_property
    def _loops(self) -> Mapping[tuple[str, str], Sequence[tuple[Node, int]]]:
        """The loops over those of which a field says something, by that field: their code and their local."""
        found: dict[tuple[str, str], list[tuple[Node, int]]] = {}
        for action in self._actions.values():
            for loop in walk(action):
                if isinstance(loop, ForEach):
                    for node in walk(loop.of):
                        if isinstance(node, FieldOf):
                            found.setdefault((node.owner, node.name), []).append((action, loop.local))
        return found


def _speaks_of(node: Node, local: int) -> bool:
    return any(isinstance(one, LocalRef) and one.number == local for one in walk(node))
