"""Things made in play: `new K` and `copy(x)`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, Field, Layout
from talewright.runtime.spacecode import SpaceCode
from talewright.runtime.traitcode import Bearer


class MakeCode(SpaceCode):
    """Writes what a thing made in play begins with."""

    makes: bool

    def write_makers(self) -> None:
        """MK fills the fields of a new thing, MP bounds its containers."""
        if not self.makes:
            return
        new = {str(node["kind"]) for node in _nodes(self.content) if node.get("op") == "new"}
        if any(self.layout.is_a(kind, "Piece") for kind in new):
            new.add("Joint")
        for kind in self.layout.kinds:
            if kind in new:
                self._maker(kind)
            self._limits(kind)

    def _maker(self, kind: str) -> None:
        rows = []
        model = Model(kind)
        for name, field in self.layout.fields_of(kind).items():
            if field.tag == "pile":
                continue
            value = self.field_value(model, name, field)
            rows.append((field, "None" if value is None else self.initial(value, field, Bearer())))
        with self.writer.block(f"def MK{self.kind_number(kind)}(self_):"):
            for field, text in rows:
                self.line(f"F{field.number}[self_] = {text}")

    def _limits(self, kind: str) -> None:
        code = Code([], self_name="self_", verb="init")
        lines = []
        for field in self.layout.fields_of(kind).values():
            if field.tag != "pile":
                continue
            pile = field.source["pile"]
            limit, source = pile.get("max"), pile.get("reshuffles")
            if limit is not None:
                lines.append(
                    f"PILE_MAX[F{field.number}[self_]] = lambda self_: {self.x(limit['value'], code)}"
                )
            if source is not None and source["op"] != "none":
                lines.append(f"PILE_SOURCE[F{field.number}[self_]] = {self.x(source, code)}")
        if lines:
            with self.writer.block(f"def MP{self.kind_number(kind)}(self_):"):
                for text in lines:
                    self.line(text)


@dataclass(slots=True)
class Model:
    """A thing that does not exist yet: only its kind says what it begins with."""

    kind: str
    id: str = "#"
    number: str = "self_"
    source: IR = dataclass_field(default_factory=dict)


def _nodes(content: Any) -> Iterator[IR]:
    stack: list[Any] = [content]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def asks_for(content: IR, function: str) -> bool:
    """Whether anything in the document asks a function of the core, say how many dice were rolled."""
    return any(n.get("op") == "core" and n.get("fn") == function for n in _nodes(content))


def lasting_fields(layout: Layout) -> dict[str, dict[str, Field]]:
    """The fields that survive a game, of the kinds that have some."""
    found: dict[str, dict[str, Field]] = {}
    if not any("lasting" in field.source.get("flags", ()) for field in layout.fields.values()):
        return found
    for kind in layout.kinds:
        fields = layout.fields_of(kind)
        kept = {name: field for name, field in fields.items() if "lasting" in field.source.get("flags", ())}
        if kept:
            found[kind] = kept
    return found


def makes_things(content: IR) -> bool:
    """Whether anything in the document makes a thing while the game runs."""
    return any(
        n.get("op") == "new" or (n.get("op") == "core" and n.get("fn") == "copy") for n in _nodes(content)
    )
