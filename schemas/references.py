"""The load check: what a schema cannot say. Every id exists, every local is bound, every call fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, get_args

from talewright.schemas.index import Index
from talewright.schemas.kinds import lineage
from talewright.schemas.node_checks import CHECKS
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import TraitDeclaration
from talewright.schemas.nodes.document import Content, Document
from talewright.schemas.nodes.forms import (
    Either,
    Form,
    Listed,
    Nodes,
    Nullable,
    OwnLocals,
    Row,
    Table,
    Typed,
    all_classes,
    parts,
)
from talewright.schemas.nodes.leaves import BindsLocal, Place, ReadsLocal, Reference
from talewright.schemas.nodes.rules import Rule
from talewright.schemas.nodes.types import NAME_SPACES, Type
from talewright.schemas.problems import Path, Problem
from talewright.schemas.records import field, record

MAX_PROBLEMS = 100
MAX_LOCALS = 10_000
MAX_THINGS = 100_000
Trail = Any  # the path to a value: empty, or the path of its parent and its key there
_RULES = frozenset(get_args(Rule))
_SECTIONS_WITHOUT_IDS = ("start_after", "rules", "anytime", "orders", "checks", "tests")
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

_PLACEHOLDER = re.compile(r"\\.|\{(\d{1,4})\}", re.DOTALL)


@record
class Unit:
    """The locals of one piece of code: how many it says there are, which are bound, which are read."""

    count: int | None
    bound: set[int] = field(default_factory=set)
    read: list[tuple[int, Any]] = field(default_factory=list)
    loose: bool = False


@record(frozen=True)
class Around:
    """What stands around a node: its locals, the trait whose parameters it sees, the rules it is in."""

    unit: Unit
    trait: frozenset[str] = frozenset()
    rules: frozenset[type[Node]] = frozenset()


def check_references(document: Document) -> list[Problem]:
    """Everything wrong in a document that has the right shape."""
    return Walk(document).run()


class Walk:
    """One pass over the document, with a stack of its own so that nesting costs no recursion."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.index = Index(document)
        self.spots = len(document.sources.spots)
        self.problems: list[Problem] = []
        self.units: list[Unit] = []
        self.stack: list[tuple[Node, Trail, Around]] = []
        self.visited = _visited()

    def run(self) -> list[Problem]:
        """All problems, at most a hundred."""
        self.declarations()
        self.sources()
        self.stack.append((self.document, (), Around(self.unit(None))))
        while self.stack and len(self.problems) < MAX_PROBLEMS:
            self.node(*self.stack.pop())
        for unit in self.units:
            self.locals(unit)
        return self.problems[:MAX_PROBLEMS]

    def problem(self, code: str, trail: Trail, message: str, help: str = "") -> None:
        """Notes a problem at a trail or a path."""
        self.problems.append(Problem(code, _path(trail), message, help))

    def unit(self, count: int | None) -> Unit:
        """A new piece of code."""
        made = Unit(count)
        self.units.append(made)
        return made

    # -------------------------------------------------------------- the walk
    def node(self, node: Node, trail: Trail, around: Around) -> None:
        """Looks at a node: its own checks, then its parts."""
        cls = type(node)
        named = getattr(node, "locals", None)
        if named is not None:
            around = Around(self.unit(len(named)), around.trait, around.rules)
        if cls in _RULES:
            around = Around(around.unit, around.trait, around.rules | {cls})
        elif isinstance(node, TraitDeclaration):
            around = Around(around.unit, frozenset(param.name for param in node.params), around.rules)
        check = CHECKS.get(cls)
        if check is not None:
            check(self, node, trail, around)
        for get, key, visit in self.visited[cls]:
            value = get(node)
            if value is not None:
                visit(self, value, (trail, key) if key else trail, around)

    def refer(self, space: str, name: str, trail: Trail) -> None:
        """Something is referred to by its id."""
        if not self.index.knows[space](name):
            what = _WHAT.get(space, space)
            self.problem("D806", trail, f"there is no {what} `{name}` in this document")

    def place(self, number: int, trail: Trail) -> None:
        """A spot of the sources is referred to."""
        if number >= self.spots:
            said = f"there is no place {number}: `sources.spots` has {self.spots}"
            self.problem("D808", trail, said)

    def type(self, made: Type, trail: Trail) -> None:
        """Looks at a type: what it is named after and what it is made of."""
        space = NAME_SPACES.get(made.tag)
        if space is not None and made.name:
            self.refer(space, made.name, (trail, 1))
        for at, argument in enumerate(made.args):
            place = ((trail, 2), at)
            if isinstance(argument, Type):
                self.type(argument, place)
            elif isinstance(argument, tuple):
                self.type(argument[1], (place, 1))
            elif made.tag == "sort":
                self.refer("owner", str(argument), place)

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
        """Every local that is read must be bound in the same piece of code."""
        for number, trail in unit.read:
            if unit.count is not None and number >= unit.count:
                self.problem("D807", trail, f"there is no local {number}: `locals` names {unit.count}")
            elif number not in unit.bound and not unit.loose:
                self.problem("D807", trail, f"local {number} is read, but nothing gives it a value")

    # -------------------------------------------------------------- whole sections
    def declarations(self) -> None:
        """Ids are unique, nothing descends from itself, and there are not too many things."""
        content = self.document.content
        for part in Content.declared.parts:
            if part.name not in _SECTIONS_WITHOUT_IDS:
                self.unique(part.key, [item.id for item in getattr(content, part.name)])
        parents = {kind.id: kind.parents for kind in content.kinds}
        for at, kind in enumerate(content.kinds):
            if any(kind.id in lineage(parent, parents) for parent in kind.parents):
                path: Path = ("content", "kinds", at, "parents")
                self.problem("D812", path, f"the kind `{kind.id}` descends from itself")
        for at, movement in enumerate(content.movements):
            if self.loops(movement.id):
                path = ("content", "movements", at, "parent")
                self.problem("D812", path, f"the movement `{movement.id}` builds on itself")
        total = sum(1 if thing.copies is None else thing.copies for thing in content.things)
        if total > MAX_THINGS:
            said = f"the box holds {total:,} things; at most {MAX_THINGS:,} can be played with"
            self.problem("D804", ("content", "things"), said)

    def unique(self, section: str, ids: list[str]) -> None:
        """No two declarations of a section share an id."""
        seen: set[str] = set()
        for at, name in enumerate(ids):
            if name in seen:
                said = f"`{name}` is declared twice among the {section}"
                self.problem("D810", ("content", section, at, "id"), said)
            seen.add(name)

    def loops(self, name: str) -> bool:
        """Whether a movement is its own ancestor."""
        seen: set[str] = set()
        current: str | None = name
        while current is not None and current in self.index.movements:
            if current in seen:
                return True
            seen.add(current)
            current = self.index.movements[current].parent
        return False

    def sources(self) -> None:
        """Spots name files that exist, from a place to a later one."""
        sources = self.document.sources
        files = len(sources.files)
        for at, (file, line, column, end_line, end_column) in enumerate(sources.spots):
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


# -------------------------------------------------------------- what is looked at, by the form of a part
Visit = Callable[[Walk, Any, Trail, Around], None]


@cache
def _visited() -> dict[type[Node], list[tuple[Callable[[Node], Any], str, Visit]]]:
    """For each class, its parts that hold references: the part, its key, and the visitor."""
    return {
        cls: [
            (attrgetter(held.part.name), "" if held.part.flat else held.part.key, visit)
            for held in parts(cls)
            if (visit := _visit(held.form)) is not None
        ]
        for cls in all_classes()
    }


def _visit(form: Form) -> Visit | None:
    """The visitor of a part; none where the part holds no reference."""
    match form:
        case Nodes():
            return lambda walk, value, trail, around: walk.stack.append((value, trail, around))
        case Listed(item):
            return _visit_list(_visit(item))
        case Row(items):
            return _visit_row([_visit(item) for item in items])
        case Table(item):
            return _visit_table(_visit(item))
        case Nullable(item):
            return _visit(item)
        case OwnLocals(item):
            return _visit_apart(_visit(item))
        case Either(first, second):
            return _visit_either(_visit(first), _visit(second))
        case Reference(space):
            return lambda walk, value, trail, around: walk.refer(space, value, trail)
        case ReadsLocal():
            return lambda walk, value, trail, around: around.unit.read.append((value, trail))
        case BindsLocal():
            return lambda walk, value, trail, around: walk.bind(value, trail, around.unit)
        case Place():
            return lambda walk, value, trail, around: walk.place(value, trail)
        case Typed():
            return lambda walk, value, trail, around: walk.type(value, trail)
    return None


def _visit_list(inner: Visit | None) -> Visit | None:
    if inner is None:
        return None

    def visit(walk: Walk, value: Any, trail: Trail, around: Around) -> None:
        for at, one in enumerate(value):
            if one is not None:
                inner(walk, one, (trail, at), around)

    return visit


def _visit_row(inner: list[Visit | None]) -> Visit | None:
    def visit(walk: Walk, value: Any, trail: Trail, around: Around) -> None:
        for at, (one, each) in enumerate(zip(value, inner, strict=True)):
            if each is not None and one is not None:
                each(walk, one, (trail, at), around)

    return visit if any(inner) else None


def _visit_table(inner: Visit | None) -> Visit | None:
    if inner is None:
        return None

    def visit(walk: Walk, value: Any, trail: Trail, around: Around) -> None:
        for key, one in value.items():
            inner(walk, one, (trail, key), around)

    return visit


def _visit_apart(inner: Visit | None) -> Visit | None:
    if inner is None:
        return None

    def visit(walk: Walk, value: Any, trail: Trail, around: Around) -> None:
        inner(walk, value, trail, Around(walk.unit(None), around.trait, around.rules))

    return visit


def _visit_either(first: Visit | None, second: Visit | None) -> Visit | None:
    def visit(walk: Walk, value: Any, trail: Trail, around: Around) -> None:
        # The second is a node or a row, the first a text or a number.
        chosen = second if isinstance(value, (Node, tuple)) else first
        if chosen is not None:
            chosen(walk, value, trail, around)

    return visit if first or second else None
