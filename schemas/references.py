"""The load check: what a schema cannot say. Every id exists, every local is bound, every call fits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import orjson

from talewright.schemas.index import Index
from talewright.schemas.kinds import lineage
from talewright.schemas.node_checks import CHECKS
from talewright.schemas.problems import Path, Problem

MAX_PROBLEMS = 100
MAX_LOCALS = 10_000
MAX_THINGS = 100_000
_LEAVES = frozenset(("name", "string", "truth", "null", "whole", "one of", "any"))
_WHAT = {
    "owner": "kind or trait",
    "rule action": "action",
    "modified value": "value",
    "value name": "value",
    "core verb": "verb of the core",
    "function": "function of the core",
    "thing or sort": "thing",
    "thing or nothing": "thing",
    "kind or nothing": "kind",
    "place kind": "kind",
    "type or nothing": "type",
    "moment": "action or period",
    "die or nothing": "die",
}

_STRINGS = ("string", "name", "ref")
_PLACEHOLDER = re.compile(r"\\.|\{(\d{1,4})\}", re.DOTALL)


@dataclass(slots=True)
class Unit:
    """The locals of one piece of code: how many it says there are, which are bound, which are read."""

    count: int | None
    bound: set[int] = field(default_factory=set)
    read: list[tuple[int, Any]] = field(default_factory=list)
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a node: its locals, the trait whose parameters it sees, the rules it is in."""

    unit: Unit
    trait: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()


@cache
def tables() -> Any:
    """The shapes as the compiler wrote them down, with everything left out that refers to nothing."""
    text = resources.files("talewright.schemas").joinpath("shapes.json").read_bytes()
    table = orjson.loads(text)
    for made in table["shapes"].values():
        made["walk"] = [(key.rstrip("?"), kind) for key, kind in made["fields"].items() if not _idle(kind)]
        made["unit"] = any(kind == ["locals"] for kind in made["fields"].values())
    return table


def _idle(kind: list[Any]) -> bool:
    if kind[0] in ("list", "map", "apart"):
        return _idle(kind[1])
    if kind[0] in ("row", "or"):
        return all(_idle(inner) for inner in kind[1:])
    return kind[0] in _LEAVES


def check_references(document: dict[str, Any]) -> list[Problem]:
    """Everything wrong in a document that has the right shape."""
    return Walk(document).run()


class Walk:
    """One pass over the document, with a stack of its own so that nesting costs no recursion."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.content = document["content"]
        self.table = tables()
        self.index = Index(self.content, document["texts"], self.table["core"])
        self.spots = len(document["sources"]["spots"])
        self.problems: list[Problem] = []
        self.units: list[Unit] = []
        self.stack: list[tuple[Any, Any, Any, Around]] = []

    def run(self) -> list[Problem]:
        """All problems, at most a hundred."""
        self.declarations()
        self.sources()
        self.stack.append((self.document, ["shape", "document"], (), Around(self.unit(None))))
        while self.stack and len(self.problems) < MAX_PROBLEMS:
            self.step(*self.stack.pop())
        for unit in self.units:
            self.locals(unit)
        return self.problems[:MAX_PROBLEMS]

    def problem(self, code: str, trail: Any, message: str, help: str = "") -> None:
        """Notes a problem at a trail or a path."""
        self.problems.append(Problem(code, _path(trail), message, help))

    def unit(self, count: int | None) -> Unit:
        """A new piece of code."""
        made = Unit(count)
        self.units.append(made)
        return made

    # -------------------------------------------------------------- the walk
    def step(self, value: Any, kind: Any, trail: Any, around: Around) -> None:
        """Looks at one value and puts what is inside it on the stack."""
        form = kind[0]
        push = self.stack.append
        if form == "union":
            union = self.table["unions"][kind[1]]
            self.node(value, union["members"][value[union["field"]]], trail, around)
        elif form == "shape":
            self.node(value, kind[1], trail, around)
        elif form == "list":
            for at, item in enumerate(value):
                push((item, kind[1], (trail, at), around))
        elif form == "row":
            for at, inner in enumerate(kind[1:]):
                push((value[at], inner, (trail, at), around))
        elif form == "map":
            fresh = kind[1] == ["union", "field value"]
            for key, item in value.items():
                push((item, kind[1], (trail, key), self.fresh(around) if fresh else around))
        elif form == "locals":
            push((value, ["list", ["shape", "local"]], trail, around))
        elif form == "or":
            first = kind[1][0]
            plain = value is None if first == "null" else isinstance(value, str if first in _STRINGS else int)
            push((value, kind[1] if plain else kind[2], trail, around))
        elif form == "apart":
            push((value, kind[1], trail, self.fresh(around)))
        elif form == "default":
            self.node(value, "given code" if "op" in value else "measured", trail, around)
        else:
            self.leaf(value, form, kind, trail, around)

    def fresh(self, around: Around) -> Around:
        """The same place, but with locals of its own."""
        return Around(self.unit(None), around.trait, around.rules)

    def leaf(self, value: Any, form: str, kind: Any, trail: Any, around: Around) -> None:
        """Looks at a value with nothing inside."""
        if form == "ref":
            if not self.index.knows[kind[1]](value):
                what = _WHAT.get(kind[1], kind[1])
                self.problem("D806", trail, f"there is no {what} `{value}` in this document")
        elif form == "local":
            around.unit.read.append((value, trail))
        elif form == "binds":
            self.bind(value, trail, around.unit)
        elif form == "spot":
            if value >= self.spots:
                self.problem("D808", trail, f"there is no place {value}: `sources.spots` has {self.spots}")
        elif form == "type":
            self.type(value, trail, around)

    def node(self, value: dict[str, Any], name: str, trail: Any, around: Around) -> None:
        """Looks at a node: its own checks, then its fields."""
        shape = self.table["shapes"][name]
        if shape["unit"] and "locals" in value:
            around = Around(self.unit(len(value["locals"])), around.trait, around.rules)
        if name.startswith("rule "):
            around = Around(around.unit, around.trait, around.rules | {name[5:]})
        elif name == "in traits":
            around = Around(around.unit, frozenset(param["name"] for param in value["params"]), around.rules)
        check = CHECKS.get(name)
        if check is not None:
            check(self, value, trail, around)
        for key, kind in shape["walk"]:
            if key in value:
                if kind[0] == "by":
                    kind = ["shape", f"{kind[2]} {value[kind[1]]}"]
                    if kind[1] not in self.table["shapes"]:
                        continue
                self.stack.append((value[key], kind, (trail, key), around))

    def type(self, value: Any, trail: Any, around: Around) -> None:
        """Looks at a type: what it is named after and what it is made of."""
        if isinstance(value, str):
            return
        tag, name, _ = value
        space = self.table["types"]["names"].get(tag)
        if space is not None and not self.index.knows[space](name):
            self.problem(
                "D806", (trail, 1), f"there is no {_WHAT.get(space, space)} `{name}` in this document"
            )
        parts = self.table["types"]["parts"].get(tag)
        if parts is not None and not _idle(parts):
            self.stack.append((value[2], parts, (trail, 2), around))

    def highest_placeholder(self, text: str) -> int:
        """The highest number in braces that a text of the catalogue has."""
        return max((int(found[1]) for found in _PLACEHOLDER.finditer(text) if found[1]), default=0)

    # -------------------------------------------------------------- locals
    def bind(self, number: int, trail: Any, unit: Unit) -> None:
        """A local gets its value here."""
        most = MAX_LOCALS if unit.count is None else unit.count
        if number >= most:
            said = f"there is no local {number}: `locals` names {most}"
            self.problem("D807", trail, said if unit.count is not None else f"local {number} is out of range")
        unit.bound.add(number)

    def locals(self, unit: Unit) -> None:
        """Whatever is read must be bound somewhere in the same piece of code."""
        for number, trail in unit.read:
            if unit.count is not None and number >= unit.count:
                self.problem("D807", trail, f"there is no local {number}: `locals` names {unit.count}")
            elif number not in unit.bound and not unit.loose:
                self.problem("D807", trail, f"local {number} is read, but nothing gives it a value")

    # -------------------------------------------------------------- whole sections
    def declarations(self) -> None:
        """Ids are unique, nothing descends from itself, and there are not too many things."""
        for section, rows in self.content.items():
            self.unique(section, rows)
        for at, kind in enumerate(self.content["kinds"]):
            path: Path = ("content", "kinds", at, "parents")
            for parent in kind["parents"]:
                if kind["id"] in lineage(parent, self.index.kinds):
                    self.problem("D812", path, f"the kind `{kind['id']}` descends from itself")
        for at, movement in enumerate(self.content["movements"]):
            if self.loops(movement["id"]):
                path = ("content", "movements", at, "parent")
                self.problem("D812", path, f"the movement `{movement['id']}` builds on itself")
        total = sum(thing.get("copies", 1) for thing in self.content["things"])
        if total > MAX_THINGS:
            said = f"the box holds {total:,} things; at most {MAX_THINGS:,} can be played with"
            self.problem("D804", ("content", "things"), said)

    def unique(self, section: str, rows: list[dict[str, Any]]) -> None:
        """No two declarations of a section share an id."""
        if section in ("start_after", "rules", "anytime", "orders", "checks", "tests"):
            return
        seen: set[str] = set()
        for at, item in enumerate(rows):
            if item["id"] in seen:
                said = f"`{item['id']}` is declared twice among the {section}"
                self.problem("D810", ("content", section, at, "id"), said)
            seen.add(item["id"])

    def loops(self, name: str) -> bool:
        """Whether a movement is its own ancestor."""
        seen: set[str] = set()
        current: str | None = name
        while current is not None and current in self.index.movements:
            if current in seen:
                return True
            seen.add(current)
            current = self.index.movements[current].get("parent")
        return False

    def sources(self) -> None:
        """Spots name files that exist, from a place to a later one."""
        sources = self.document["sources"]
        files = len(sources["files"])
        for at, (file, line, column, end_line, end_column) in enumerate(sources["spots"]):
            if file >= files or line < 1 or column < 1 or (end_line, end_column) < (line, column):
                self.problem("D808", ("sources", "spots", at), "this is no place in one of the files")
                if len(self.problems) >= MAX_PROBLEMS:
                    return


def _path(trail: Any) -> Path:
    if not trail or not isinstance(trail[0], tuple):
        return tuple(trail)
    steps: list[Any] = []
    while trail:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))
