"""Many breaks in one document, each behind a switch: what is assembled once is played with any one of them.

A switch is written as an option whose name no document can have (`lower/switches.py`). The program notes which switches
it asked for, so that only those tests are run again that came to the place at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from talewright.runtime.lower.builds.switches import switch
from talewright.runtime.proving.breaking import (
    CONDITIONS,
    UNASKED,
    WITHOUT_FIRST,
    WITHOUT_LINE,
    WITHOUT_RULE,
    Break,
    Path,
    altered,
    inside,
    is_rule,
    with_inside,
)
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes.declaration import Construct, Node
from talewright.schemas.nodes.declared import TraitDeclaration
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.names import OptionRef
from talewright.schemas.nodes.rules import GrantRule, OfferRule, StateRule
from talewright.schemas.nodes.statements import DoNothing, If, Requires
from talewright.schemas.nodes.tables import Arm, TableRow, ValuePattern
from talewright.schemas.records import replace as changed

# What is worked out when a program is assembled cannot wait for a switch.
FIXED: Final = frozenset({"anytime", "menus", "payments"})
FIXED_PARTS: Final = frozenset({"guards", "holds", "most", "start", "track"})


class Switched:
    """A document with breaks built in; `numbers` holds those that could be, counted from 1."""

    def __init__(self, document: Document, places: Iterable[Break]) -> None:
        self.numbers: dict[Break, int] = {}
        self._at: dict[Path, list[Break]] = {}
        self._ways: set[Path] = set()
        for found in places:
            self._at.setdefault(found.path, []).append(found)
            self._ways.update(found.path[:end] for end in range(len(found.path) + 1))
        self.document = changed(document, content=self._built(document.content, (), True))

    def _built(self, held: object, path: Path, may_wait: bool) -> object:
        if path not in self._ways:
            return held
        made = held
        for step, inner in inside(held):
            below = self._built(inner, (*path, step), may_wait and _may_wait(held, path, step))
            if below is not inner:
                made = with_inside(made, step, below)
        # Conditions are dropped inside what other breaks pass over.
        here = sorted(self._at.get(path, ()), key=lambda found: found.what not in CONDITIONS)
        for found in here if may_wait else ():
            made = self._with(found, held, made)
        return made

    def _with(self, found: Break, plain: object, made: object) -> object:
        """A node with one break built in, over those that are built in already."""
        if found.what == WITHOUT_LINE:
            return self._line(found, made)
        if found.what == WITHOUT_RULE:
            return self._rule(found, made)
        if found.what == UNASKED:
            return o.Or(self._switch(found), made)  # type: ignore[arg-type]
        if found.what in CONDITIONS and isinstance(made, o.And):
            side = "left" if found.what == WITHOUT_FIRST else "right"
            return changed(made, **{side: o.Or(self._switch(found), getattr(made, side))})
        return o.Pick(self._switch(found), altered(plain, found.what), made)  # type: ignore[arg-type]

    def _line(self, found: Break, made: object) -> object:
        if isinstance(made, Requires):
            return changed(made, condition=o.Or(self._switch(found), made.condition))
        return If(((self._switch(found), (DoNothing(),)),), (made,), found.at)  # type: ignore[arg-type]

    def _rule(self, found: Break, made: object) -> object:
        if isinstance(made, GrantRule) or not is_rule(made):
            return made
        still = o.Not(self._switch(found))
        if isinstance(made, StateRule):
            return changed(made, condition=o.And(still, made.condition))
        assert isinstance(made, Construct)
        if not hasattr(made, "when"):
            return made
        return changed(made, when=still if made.when is None else o.And(still, made.when))

    def _switch(self, found: Break) -> OptionRef:
        return switch(self.numbers.setdefault(found, len(self.numbers) + 1))


def _may_wait(held: object, path: Path, step: str | int) -> bool:
    """Whether what stands in a part of a node is worked out in play, or at least each time a game is set up."""
    if not path:
        return step not in FIXED
    if step in FIXED_PARTS and isinstance(held, Node):
        return False
    # What a row of a table or an arm stands for is known when they are laid out.
    if isinstance(held, Arm | TableRow) and isinstance(getattr(held, str(step)), ValuePattern):
        return False
    if isinstance(held, TraitDeclaration) and step == "fields":
        return False
    return not (isinstance(held, OfferRule) and step == "body")
