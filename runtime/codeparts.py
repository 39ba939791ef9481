"""What the writers of code ask of each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from talewright.runtime.layout import IR, Field

# The parts of core verbs that say where something is or goes: a place or a container.
PLACED = frozenset(("from", "to", "into", "on", "under", "at"))


def pile_key(part: str) -> str:
    """What the parts of a core verb hold besides where one of them is a container, not a thing."""
    return f"{part} pile"


@dataclass(slots=True)
class Code:
    """The piece of code being written: how its locals are called, and which of them may be none."""

    names: list[str]
    maybe: set[int] = field(default_factory=set)
    effects: set[int] = field(default_factory=set)
    self_name: str = "None"
    result: str = "None"
    traits: dict[str, str] = field(default_factory=dict)
    verb: str = ""
    action: str = ""
    usual: str = ""
    loops: int = 0
    # The kinds of its locals, where they are known.
    kinds: dict[int, str | None] = field(default_factory=dict)
    # The sorts of locals that hold a copy of a certain one.
    sorts: dict[int, str] = field(default_factory=dict)
    # Locals that hold a bare face of a die, never a die or a pool.
    faces: set[int] = field(default_factory=set)
    # Locals that may hold one thing where a set is meant: what the pattern of a core verb names.
    loose: set[int] = field(default_factory=set)
    # Whether this is the page that is being played: then `go to` hands the next page to the loop that turns pages.
    page: bool = False

    def inner(self) -> Code:
        """The same names for a function of its own: what it binds stays inside."""
        return Code(
            list(self.names),
            set(self.maybe),
            set(self.effects),
            self.self_name,
            self.result,
            self.traits,
            self.verb,
            kinds=self.kinds,
            sorts=self.sorts,
            faces=set(self.faces),
            loose=self.loose,
        )


class CodeParts(ABC):
    """Expressions, statements, rules, traits and makers are files of their own; here they meet."""

    @abstractmethod
    def whole_domain(self, name: str, kind: Any) -> str:
        """Every value of a type that has an end."""

    @abstractmethod
    def call_text(self, ir: IR, code: Code) -> str:
        """A call as a Python expression."""

    @abstractmethod
    def can_block(self, body: list[IR], code: Code) -> None:
        """The body of a function that tells whether a block can be done."""

    @abstractmethod
    def s_until(self, ir: IR, code: Code) -> None:
        """Rules that last until an edge."""

    @abstractmethod
    def initial(self, value: Any, field: Field, thing: Any) -> str:
        """The first value of a field as a Python expression."""

    @abstractmethod
    def field_value(self, thing: Any, name: str, field: Any) -> Any:
        """What a field of a thing holds at first."""


DOING = frozenset(("call", "core_call", "random", "run_effect"))


def does_something(node: Any) -> bool:
    """Whether working a value out takes a draw of chance or changes something: then it is done once, in the body."""
    if isinstance(node, dict):
        if node.get("op") in DOING or (node.get("op") == "core" and node.get("fn") in ("copy", "shuffled")):
            return True
        return any(does_something(value) for value in node.values())
    return isinstance(node, list) and any(does_something(value) for value in node)
