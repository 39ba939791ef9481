"""The questions of a document: where somebody is asked something, and the code whose names the answer can use."""

from __future__ import annotations

from talewright.schemas.node_walk import children
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ThingDeclaration
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.names import LocalRef
from talewright.schemas.nodes.reads import Decider
from talewright.schemas.nodes.statements import Choose, ChooseOne, ForEach, May
from talewright.schemas.nodes.types import Local
from talewright.schemas.records import record


@record(frozen=True)
class Question:
    """A question, the piece of code whose locals it shares, and the thing that it is written on, if any."""

    asks: Choose | ChooseOne | ForEach | May
    code: Node
    bearer: ThingDeclaration | None

    @property
    def locals(self) -> tuple[Local, ...]:
        """The local names that can be used here."""
        return getattr(self.code, "locals", None) or ()

    @property
    def decider(self) -> int | None:
        """The local that is asked; none where it is no local."""
        by = self.asks.chosen_by if isinstance(self.asks, ForEach) else self.asks.by
        by = by.of if isinstance(by, Decider) else by
        return by.number if isinstance(by, LocalRef) else None


def questions_of(document: Document) -> dict[int, Question]:
    """Every question by its place in the text."""
    found: dict[int, Question] = {}
    stack: list[tuple[Node, Node, ThingDeclaration | None]] = [(document.content, document.content, None)]
    while stack:
        node, code, bearer = stack.pop()
        if isinstance(node, ThingDeclaration):
            bearer = node
        if getattr(node, "locals", None):
            code = node
        if isinstance(node, Choose | ChooseOne | May) or (
            isinstance(node, ForEach) and node.chosen_by is not None
        ):
            found[node.at] = Question(node, code, bearer)
        stack.extend((child, code, bearer) for child in children(node))
    return found
