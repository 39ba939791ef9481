"""The scope of a piece of code: what names mean there, and what may be written."""

from __future__ import annotations

from typing import Any

from talewright.compiler.symbols.symbol_table import Origin
from talewright.compiler.types.model import Type, type_json
from talewright.schemas.records import field, record

IR = dict[str, Any]


@record
class Unit:
    """The locals of one piece of code, numbered in order of appearance, as the document lists them."""

    locals: list[IR] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)

    def new(self, name: str, type_: Type) -> int:
        """A fresh local."""
        self.locals.append({"name": name, "type": type_json(type_)})
        self.types.append(type_)
        return len(self.types) - 1

    def retype(self, number: int, type_: Type) -> None:
        """A local turns out to hold values of another type."""
        self.locals[number]["type"] = type_json(type_)
        self.types[number] = type_

    def knows(self, name: str) -> bool:
        """Whether there is a local of that name."""
        return any(local["name"] == name for local in self.locals)


@record
class Scope:
    """Locals, `it`, `self`, and what may be written here."""

    origin: Origin
    chapter: str | None = None
    unit: Unit = field(default_factory=Unit)
    names: dict[str, tuple[int, Type]] = field(default_factory=dict)
    it: tuple[int, Type] | None = None
    self_type: Type | None = None
    pure: str | None = None
    gives: list[Type] | None = None
    result: Type | None = None
    usual: bool = False
    loop: bool = False
    head: bool = False
    lenient: bool = False
    traits: dict[str, Type] = field(default_factory=dict)
    unbound: dict[str, tuple[int, Type]] | None = None
    parameters: frozenset[str] = frozenset()

    def inner(self) -> Scope:
        """The same scope for a block: new names stay inside."""
        return Scope(
            self.origin, self.chapter, self.unit, dict(self.names), self.it, self.self_type, self.pure, self.gives,
            self.result, self.usual, self.loop, False, self.lenient, self.traits, self.unbound, self.parameters,
        )  # fmt: skip

    def bind(self, name: str, type_: Type) -> int:
        """Declares a local and gives its number."""
        number = self.unit.new(name, type_)
        self.names[name] = (number, type_)
        return number

    def element(self, type_: Type, name: str | None = None) -> tuple[Scope, int]:
        """A scope for the test of a query, with its element bound to `it` or a name."""
        inner = self.inner()
        number = self.unit.new(name or "it", type_)
        if name is None:
            inner.it = (number, type_)
        else:
            inner.names[name] = (number, type_)
            inner.it = inner.it or (number, type_)
        return inner, number
