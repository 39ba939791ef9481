"""One walk over the elaborated content, shared by all checks: its pieces of code and who uses what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from talewright.compiler.checks.check import Context
from talewright.dsl.diagnostics import Severity
from talewright.schemas.records import field, record

IR = dict[str, Any]
# What is kept of a piece of code: locals read, things, ways on, uses, writes, nodes and rules inside.
Seen = tuple[tuple[Any, ...], ...]

# Nodes that checks of the whole content look at one by one, and those that only `local` checks do.
_FOR_ALL = frozenset((
    "branch", "choose_one", "during", "edges", "possible", "stop", "table", "until", "assign", "change", "bands",
    "core_call", "new", "choose", "may", "open", "for_each", "agreed",
))  # fmt: skip
# Of these nodes, checks of the whole content look only at some.
_SOME = {
    "core_call": lambda node: node["verb"] in ("draw", "shuffle", "pay"),
    "for_each": lambda node: "chosen_by" in node,
}
_KEPT = _FOR_ALL | frozenset(("if", "repeat", "requires"))
# Nodes that mean something declared by an `id`.
_BY_ID = frozenset(
    ("table", "state", "track", "option", "token", "kind", "thing", "sort", "pile", "trait", "die")
)
_WRITES = frozenset(("assign", "change", "extend", "shrink", "fill"))
# Nodes that read a part of a thing by its name, and the names by which its prose is read.
_READS = frozenset(("prop", "late", "field"))
_PROSE = frozenset(("prose", "text"))
# Nodes that use or change a declaration. Most nodes do neither and are skipped first.
_NOTED = _KEPT | _BY_ID | _WRITES | _READS | frozenset(
    ("call", "core_call", "go_to", "field", "value", "way", "late", "ask", "tokens", "trait_param",
     "bearers", "is_trait", "open", "offers", "new", "lies_in", "filter", "inline")
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


@record
class Unit:
    """A piece of code that belongs to one declaration; `owner` is the kind, trait or thing of a rule."""

    number: int
    form: str
    id: str
    ir: IR
    owner: str = ""
    owner_form: str = ""
    locals_read: Collection[int] = ()
    things: Collection[str] = ()
    goes_to: Collection[str] = ()


@record
class Rule:
    """A rule and the piece of code it stands in; a nested one shares that piece's locals."""

    ir: IR
    unit: Unit
    nested: bool


@record
class Index:
    """What the walk has seen."""

    units: list[Unit] = field(default_factory=list)
    nodes: dict[str, list[tuple[IR, Unit]]] = field(default_factory=lambda: {op: [] for op in _KEPT})
    rules: list[Rule] = field(default_factory=list)
    blocks: list[tuple[list[IR], Unit]] = field(default_factory=list)
    users: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    writers: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    # What was noted of each piece of code that was visited, by the identity of its node.
    notes: dict[int, Notes] = field(default_factory=dict)

    def rules_of(self, form: str) -> Iterator[IR]:
        """Every rule of one form: `modify`, `forbid`, `offer` and so on."""
        return (rule.ir for rule in self.rules if rule.ir["rule"] == form)

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


class Notes(NamedTuple):
    """What a piece of code means for others, as plain data that can be kept with its file."""

    locals_read: set[int]
    things: set[str]
    goes_to: set[str]
    # Sort and name of what it uses, and of what it changes, each once and in order.
    uses: dict[tuple[str, str], None]
    writes: dict[tuple[str, str], None]
    nodes: list[tuple[str, IR]]
    rules: list[IR]
    blocks: list[list[IR]]

    def for_all(self) -> Seen:
        """The part that checks of the whole content look at; what is the same is the same object."""
        nodes = [(op, node) for op, node in self.nodes if op in _FOR_ALL]
        parts = (self.locals_read, self.things, self.goes_to, self.uses, self.writes, nodes, self.rules)
        return tuple(tuple(part) for part in parts)


def index(context: Context) -> Index:
    """The walk over all content, made once."""
    made = context.notes.get("walking")
    if not isinstance(made, Index):
        made = context.notes["walking"] = _Walk(context.work.shelf.notes).whole(context.content)
    return made


class _Walk:
    """The walk itself: one visit to every node that no earlier run has visited."""

    def __init__(self, known: Mapping[int, Seen]) -> None:
        self.index = Index()
        self.known = known

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
        self._unit(item, form, item["id"], item)
        for rule in item.get("rules", ()):
            self._rule(rule, item["id"], form)

    def _rule(self, ir: IR, owner: str, owner_form: str) -> None:
        name = str(ir.get("action") or ir.get("value") or "")
        unit = Unit(len(self.index.units), "rule", name, ir, owner, owner_form)
        self.index.rules.append(Rule(ir, unit, False))
        self._note(unit, ir)

    def _unit(self, ir: IR, form: str, name: str, code: IR) -> None:
        self._note(Unit(len(self.index.units), form, name, ir), code)

    def _note(self, unit: Unit, code: IR) -> None:
        seen = self.index
        seen.units.append(unit)
        known: Any = self.known.get(id(unit.ir))
        if known is None:
            known = self._visited(unit, code)
        unit.locals_read, unit.things, unit.goes_to, uses, writes, found, rules = known
        number, users, nodes = unit.number, seen.users, seen.nodes
        for use in uses:
            if use in users:
                users[use].add(number)
            else:
                users[use] = {number}
        for write in writes:
            seen.writers.setdefault(write, set()).add(number)
        for op, node in found:
            nodes[op].append((node, unit))
        for rule in rules:
            seen.rules.append(Rule(rule, unit, True))

    def _visited(self, unit: Unit, code: IR) -> tuple[Any, ...]:
        if unit.form in ("kind", "trait", "thing"):
            code = {key: value for key, value in code.items() if key != "rules"}
        notes = _Visit(unit).whole(code)
        self.index.notes[id(unit.ir)] = notes
        self.index.blocks += [(block, unit) for block in notes.blocks]
        return notes[:7]


class _Visit:
    """One visit to every node of a piece of code."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.notes = Notes(set(), set(), set(), {}, {}, [], [], [])
        # Nodes whose meaning the node around them has already settled.
        self.written: set[int] = set()
        self.silent: set[int] = set()

    def whole(self, code: IR) -> Notes:
        notes = self.notes
        stack: list[Any] = [code]
        pop, push = stack.pop, stack.append
        read_local = notes.locals_read.add
        blocks = notes.blocks
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
                self._note(op, item)
            elif op is None and "rule" in item and item is not code:
                notes.rules.append(item)
            for key, value in item.items():
                if type(value) is dict:
                    # A third of all nodes: skipped before they reach the stack.
                    inner = value.get("op")
                    if inner == "local":
                        read_local(value["n"])
                    elif inner != "int":
                        push(value)
                elif type(value) is list and value:
                    push(value)
                    if (key == "body" or key == "otherwise") and len(value) > 1:
                        blocks.append(value)
                    elif key == "branches":
                        blocks.extend(body for _, body in value if len(body) > 1)
        for line in self.unit.ir.get("cast", ()):
            for group in line["groups"]:
                sort = "token" if "token" in group else "thing"
                self._use(sort, group[sort])
        return notes

    def _use(self, sort: str, name: str) -> None:
        self.notes.uses[sort, name] = None

    def _note(self, op: str, item: IR) -> None:
        """Writes down what one node means for others."""
        if op in _KEPT and (op not in _SOME or _SOME[op](item)):
            self.notes.nodes.append((op, item))
        if op in _READS and item["name"] in _PROSE:
            self._use("prose", "")
        if op in _WRITES:
            self._write(item)
        if op == "field":
            if id(item) not in self.written:
                self._use("field", f"{item['owner']}.{item['name']}")
            return
        if op in _BY_ID:
            self._by_id(op, item)
            return
        if op == "value":
            self._use("value", plain_id(item["id"]))
        elif op == "way":
            self._use("value", item["value"])
            self._use("way", item["value"])
        elif op == "late":
            self._use("late", item["name"])
        elif op == "call":
            self._use("asked" if id(item) in self.silent else "action", item["action"])
        elif op == "core_call":
            self._core_call(item)
        elif op == "ask":
            # A question about a call runs nothing.
            asked = item.get("call")
            if asked is not None:
                self.silent.add(id(asked))
        elif op == "tokens":
            self._use("token", item["token"])
        elif op == "trait_param":
            unit = self.unit
            self._use("trait_param", f"{unit.id if unit.form == 'trait' else unit.owner}.{item['name']}")
        elif op == "bearers" or op == "is_trait":
            self._use("trait", item["trait"])
        elif op == "open":
            self._use("menu", item["menu"]["id"])
        elif op == "offers":
            self._use("menu", item["menu"])
        elif op == "new":
            self._use("new", item["kind"])
        elif op == "lies_in":
            self._silence(item["pile"])
        elif op == "filter":
            self._filter(item)
        elif op == "inline":
            for name in item["items"]:
                self._use("thing", name)
        elif op == "go_to":
            self._use("go_to", "")
            self.notes.goes_to.update(things_in(item["target"]))
            self.notes.goes_to.update(
                node["id"] for node in nodes_in(item["target"]) if node.get("op") == "kind"
            )

    def _by_id(self, op: str, item: IR) -> None:
        name = item["id"]
        if id(item) in self.written:
            return
        if id(item) in self.silent:
            self._use("silent", name)
            return
        self._use("thing" if op == "sort" else op, name)
        if op == "thing" or op == "sort":
            self.notes.things.add(name)

    def _core_call(self, item: IR) -> None:
        if id(item) not in self.silent:
            self._use("core", item["verb"])
        for part in _DESTINATIONS:
            where = item["args"].get(part)
            if where is not None:
                self._silence(where)

    def _silence(self, where: Any) -> None:
        """Notes a pile that things only go to, or that is only asked about: no thing comes out of it here."""
        if isinstance(where, dict) and where.get("op") == "pile":
            self.silent.add(id(where))

    def _filter(self, item: IR) -> None:
        """`Kind in pile` reaches only what the pile holds."""
        test = item["test"]
        if test.get("op") == "lies_in" and item["of"].get("op") == "kind":
            self.silent.add(id(item["of"]))

    def _write(self, item: IR) -> None:
        target = item["target"]
        op = target.get("op")
        if op in ("field", "state", "track"):
            self.written.add(id(target))
            name = f"{target['owner']}.{target['name']}" if op == "field" else target["id"]
            self.notes.writes[op, name] = None


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
    """The severity of an unused declaration: lighter in a system, since adventures may use it."""
    main = context.packages.main
    return "info" if main is not None and main.type == "system" else "warning"


def is_whole(context: Context) -> bool:
    """Whether all files parsed and all names were resolved; otherwise a use may be in the part that is missing."""
    whole = context.notes.get("whole")
    if whole is None:
        whole = not context.work.table.broken and not any(
            f.severity == "error" for f in context.work.findings
        )
        context.notes["whole"] = whole
    return bool(whole)
