"""One walk over the elaborated content, shared by all checks: its pieces of code and who uses what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from talewright.compiler.checks.check import Context
from talewright.dsl.diagnostics import Severity

IR = dict[str, Any]

# Nodes that some check looks at one by one.
_KEPT = frozenset((
    "branch", "call", "choose_one", "core_call", "during", "edges", "go_to", "if", "possible", "repeat",
    "requires", "stop", "table", "until", "assign", "change", "bands", "fill",
))  # fmt: skip
# Nodes that mean something declared by an `id`.
_BY_ID = frozenset(
    ("table", "state", "track", "option", "token", "kind", "thing", "sort", "pile", "trait", "die")
)
_WRITES = frozenset(("assign", "change", "extend", "shrink", "fill"))
# Nodes that say something about others; most do not, so they are told apart first.
_NOTED = _KEPT | _BY_ID | _WRITES | frozenset(
    ("field", "value", "way", "late", "ask", "tokens", "trait_param", "bearers", "is_trait", "open", "offers",
     "new", "lies_in", "filter", "inline")
)  # fmt: skip
_DESTINATIONS = ("to", "into", "under", "at", "on")
# The parts of the content that are lists of pieces of code, and what one piece is called.
_PARTS = (
    ("actions", "action"), ("values", "value"), ("tables", "table"), ("rules", "rule"),
    ("anytime", "anytime"), ("orders", "order"), ("tracks", "track"), ("states", "state"),
    ("options", "option"), ("piles", "pile"), ("movements", "movement"), ("payments", "payment"),
    ("periods", "period"), ("menus", "menu"), ("dice", "die"), ("teams", "team"), ("checks", "check"),
    ("measures", "measure"), ("tests", "test"), ("kinds", "kind"), ("traits", "trait"),
    ("things", "thing"),
)  # fmt: skip


@dataclass(slots=True)
class Unit:
    """A piece of code that belongs to one declaration; `owner` is the kind, trait or thing of a rule."""

    number: int
    form: str
    id: str
    ir: IR
    owner: str = ""
    owner_form: str = ""
    locals_read: set[int] = field(default_factory=set)
    things: set[str] = field(default_factory=set)
    goes_to: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Rule:
    """A rule and the piece of code it stands in; a nested one shares that piece's locals."""

    ir: IR
    unit: Unit
    nested: bool


@dataclass(slots=True)
class Index:
    """What the walk has seen."""

    units: list[Unit] = field(default_factory=list)
    nodes: dict[str, list[tuple[IR, Unit]]] = field(default_factory=lambda: {op: [] for op in _KEPT})
    rules: list[Rule] = field(default_factory=list)
    blocks: list[tuple[list[IR], Unit]] = field(default_factory=list)
    users: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    writers: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)

    def of(self, op: str) -> list[tuple[IR, Unit]]:
        """Every node of one sort that is kept, with its piece of code."""
        return self.nodes[op]

    def by_form(self, form: str) -> Iterator[Unit]:
        """The pieces of code of one sort of declaration."""
        return (unit for unit in self.units if unit.form == form)

    def used(self, sort: str, name: str, apart_from: Iterable[tuple[str, str]] = ()) -> bool:
        """Whether any piece of code uses a declaration, apart from the named pieces."""
        users = self.users.get((sort, name))
        if not users:
            return False
        skipped = set(apart_from)
        return any((self.units[n].form, self.units[n].id) not in skipped for n in users)


def index(context: Context) -> Index:
    """The walk over all content, made once."""
    made = context.notes.get("walking")
    if not isinstance(made, Index):
        made = context.notes["walking"] = _Walk().whole(context.content)
    return made


class _Walk:
    """The walk itself: one visit to every node."""

    def __init__(self) -> None:
        self.index = Index()
        # Nodes whose meaning the node around them has already settled.
        self.written: set[int] = set()
        self.silent: set[int] = set()

    def whole(self, content: IR) -> Index:
        for part, form in _PARTS:
            for item in content.get(part, ()):
                if form == "rule":
                    self._rule(item, "", "")
                elif form in ("kind", "trait", "thing"):
                    self._owner(item, form)
                else:
                    self._unit(item, form, str(item.get("id", "")), item)
        return self.index

    def _owner(self, item: IR, form: str) -> None:
        own = {key: value for key, value in item.items() if key != "rules"}
        self._unit(item, form, item["id"], own)
        for rule in item.get("rules", ()):
            self._rule(rule, item["id"], form)

    def _rule(self, ir: IR, owner: str, owner_form: str) -> None:
        unit = Unit(
            len(self.index.units),
            "rule",
            str(ir.get("action") or ir.get("value") or ""),
            ir,
            owner,
            owner_form,
        )
        self.index.units.append(unit)
        self.index.rules.append(Rule(ir, unit, nested=False))
        self._visit(unit, ir, root=True)

    def _unit(self, ir: IR, form: str, name: str, code: IR) -> None:
        unit = Unit(len(self.index.units), form, name, ir)
        self.index.units.append(unit)
        self._visit(unit, code, root=True)

    def _visit(self, unit: Unit, code: IR, root: bool) -> None:
        stack: list[Any] = [code]
        pop, push = stack.pop, stack.append
        read_local = unit.locals_read.add
        blocks = self.index.blocks
        while stack:
            item = pop()
            if type(item) is list:
                for entry in item:
                    if type(entry) is dict or type(entry) is list:
                        push(entry)
                continue
            op = item.get("op")
            if op == "local":
                read_local(item["n"])
                continue
            if op in _NOTED:
                self._note(op, item, unit)
            elif op is None and "rule" in item and item is not code:
                self.index.rules.append(Rule(item, unit, nested=True))
            for key, value in item.items():
                if type(value) is dict:
                    # A third of all nodes: not worth the way over the stack.
                    inner = value.get("op")
                    if inner == "local":
                        read_local(value["n"])
                    elif inner != "int":
                        push(value)
                elif type(value) is list and value:
                    push(value)
                    if (key == "body" or key == "otherwise") and len(value) > 1:
                        blocks.append((value, unit))
                    elif key == "branches":
                        blocks.extend((body, unit) for _, body in value if len(body) > 1)
        if root and "cast" in unit.ir:
            self._cast(unit)

    def _cast(self, unit: Unit) -> None:
        for line in unit.ir["cast"]:
            for group in line["groups"]:
                if "token" in group:
                    self._use("token", group["token"], unit)
                else:
                    self._use("thing", group["thing"], unit)

    def _use(self, sort: str, name: str, unit: Unit) -> None:
        self.index.users.setdefault((sort, name), set()).add(unit.number)

    def _note(self, op: str, item: IR, unit: Unit) -> None:
        """Writes down what one node means for others."""
        if op in _KEPT:
            self.index.nodes[op].append((item, unit))
        if op in _WRITES:
            self._write(item, unit)
        if op == "field":
            if id(item) not in self.written:
                self._use("field", f"{item['owner']}.{item['name']}", unit)
            return
        if op in _BY_ID:
            self._by_id(op, item, unit)
            return
        if op == "value":
            self._use("value", plain_id(item["id"]), unit)
        elif op == "way":
            self._use("value", item["value"], unit)
            self._use("way", item["value"], unit)
        elif op == "late":
            self._use("late", item["name"], unit)
        elif op == "call":
            self._use("asked" if id(item) in self.silent else "action", item["action"], unit)
        elif op == "core_call":
            self._core_call(item, unit)
        elif op == "ask":
            # A question about a call runs nothing.
            asked = item.get("call")
            if asked is not None:
                self.silent.add(id(asked))
                self.index.asked.add(id(asked))
        elif op == "tokens":
            self._use("token", item["token"], unit)
        elif op == "trait_param":
            self._use(
                "trait_param", f"{unit.id if unit.form == 'trait' else unit.owner}.{item['name']}", unit
            )
        elif op == "bearers" or op == "is_trait":
            self._use("trait", item["trait"], unit)
        elif op == "open":
            self._use("menu", item["menu"]["id"], unit)
        elif op == "offers":
            self._use("menu", item["menu"], unit)
        elif op == "new":
            self._use("new", item["kind"], unit)
        elif op == "lies_in":
            self._silence(item["pile"])
        elif op == "filter":
            self._filter(item)
        elif op == "inline":
            for name in item["items"]:
                self._use("thing", name, unit)
        elif op == "go_to":
            unit.goes_to.update(things_in(item["target"]))

    def _by_id(self, op: str, item: IR, unit: Unit) -> None:
        name = item["id"]
        if id(item) in self.written:
            return
        if id(item) in self.silent:
            self._use("silent", name, unit)
            return
        self._use("thing" if op == "sort" else op, name, unit)
        if op == "thing" or op == "sort":
            unit.things.add(name)

    def _core_call(self, item: IR, unit: Unit) -> None:
        if id(item) not in self.silent:
            self._use("core", item["verb"], unit)
        for part in _DESTINATIONS:
            where = item["args"].get(part)
            if where is not None:
                self._silence(where)

    def _silence(self, where: Any) -> None:
        """A pile that things only go to, or that is only asked about, brings no thing out."""
        if isinstance(where, dict) and where.get("op") == "pile":
            self.silent.add(id(where))

    def _filter(self, item: IR) -> None:
        """`Kind in pile` reaches only what the pile holds."""
        test = item["test"]
        if test.get("op") == "lies_in" and item["of"].get("op") == "kind":
            self.silent.add(id(item["of"]))

    def _write(self, item: IR, unit: Unit) -> None:
        target = item["target"]
        op = target.get("op")
        if op in ("field", "state", "track"):
            self.written.add(id(target))
            name = f"{target['owner']}.{target['name']}" if op == "field" else target["id"]
            self.index.writers.setdefault((op, name), set()).add(unit.number)


def plain_id(name: str) -> str:
    """The id of a value without the number of its overload."""
    return name.partition("#")[0]


def things_in(code: Any) -> Iterator[str]:
    """The things a piece of code names."""
    for node in nodes_in(code):
        if node.get("op") in ("thing", "sort"):
            yield node["id"]


def nodes_in(code: Any) -> Iterator[IR]:
    """Every node of a piece of code; meant for small ones."""
    stack = [code]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


# ------------------------------------------------------------------ whose code it is
def package_of(context: Context, file: str) -> str:
    """The package a file belongs to."""
    known = context.notes.get("packages by file")
    if known is None:
        known = context.notes["packages by file"] = {p.source.name: p.origin.package for p in context.files}
    return str(known.get(file, ""))


def is_main(context: Context, package: str) -> bool:
    """Whether a package is the one that was asked for, not one it uses."""
    main = context.packages.main
    return main is not None and main.name == package


def at_in_main(context: Context, at: int) -> bool:
    """Whether a place lies in the package that was asked for."""
    return is_main(context, package_of(context, context.work.spots[at][0]))


def weight(context: Context) -> Severity:
    """How much it matters that the package itself does not use something: a system serves others."""
    main = context.packages.main
    return "info" if main is not None and main.type == "system" else "warning"


def is_whole(context: Context) -> bool:
    """Whether every line could be read and every name found: else what is missing may be the use."""
    whole = context.notes.get("whole")
    if whole is None:
        whole = not context.work.table.broken and not any(
            f.severity == "error" for f in context.work.findings
        )
        context.notes["whole"] = whole
    return bool(whole)
