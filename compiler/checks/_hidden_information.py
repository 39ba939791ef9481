"""Hidden information: which things are hidden, and which expressions read their faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from talewright.compiler.checks._content_walks import IR
from talewright.compiler.checks._value_numbering import (
    Bound,
    Hidden,
    Key,
    Locals,
    in_place,
    key_of,
    known_by,
    leaves,
)
from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import index
from talewright.schemas.records import field, record, replace

# Calls of values are followed to this depth.
_DEPTH = 6
_FACE = frozenset(("title", "name", "prose", "sort", "face"))
_PASSES_ON = frozenset((
    "content", "items", "pile_top", "pile_bottom", "first", "last", "random", "nth", "slice", "copies",
    "spread", "one_of", "some_copies", "rotate",
))  # fmt: skip
_FIRST_ARGUMENT = frozenset(("top", "shuffled", "distinct", "copy"))
_FIXED = frozenset(("thing", "sort", "set", "copies"))
_HIDING = frozenset(("deck", "bag", "hand"))


@record(frozen=True)
class Read:
    """One look at a hidden face."""

    key: Key
    owner: Key | None
    what: str


@record
class Summary:
    """What evaluating a value, or asking whether an action is possible, reads; parameters are numbered."""

    reads: list[Read] = field(default_factory=list)
    gives: Hidden | None = None


class Secrets:
    """Everything of a package that lies face down, is held in a hand, or is marked `hidden`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        content = context.content
        self.piles = {p["id"]: p["kind"] for p in content["piles"] if _lies_hidden(p)}
        self.fields: dict[tuple[str, str], str] = {}
        self.hands: dict[tuple[str, str], str] = {}
        self.secret: set[tuple[str, str]] = set()
        self.on_back: set[tuple[str, str]] = set()
        self.states = {state["id"] for state in content["states"] if "hidden" in state.get("flags", ())}
        lying: set[str] = set()
        for kind in [*content["kinds"], *content["traits"]]:
            if kind.get("lies") == "face_down":
                lying.update(context.work.descendants(kind["id"]))
            for entry in kind.get("fields", ()):
                self._field((kind["id"], entry["name"]), entry)
        self.lying = lying
        self.values = {value["id"]: value for value in content["values"]}
        self.actions = {action["id"]: action for action in content["actions"]}
        self._summaries: dict[Key, Summary] = {}

    def _field(self, key: tuple[str, str], entry: IR) -> None:
        pile, flags = entry.get("pile"), entry.get("flags", ())
        if pile is not None and pile["form"] == "hand" and pile.get("face") is None:
            self.hands[key] = entry["type"][1]
        elif pile is not None and _lies_hidden(pile):
            self.fields[key] = entry["type"][1]
        if "hidden" in flags:
            self.secret.add(key)
        if "on_back" in flags:
            self.on_back.add(key)

    @cached_property
    def modifiers(self) -> dict[str, list[IR]]:
        """The `modify` rules by the value they change."""
        return _grouped(self.context, "modify", "value")

    @cached_property
    def forbids(self) -> dict[str, list[IR]]:
        """The `forbid` rules by their action."""
        return _grouped(self.context, "forbid", "action")

    def any(self) -> bool:
        """Whether there is anything to hide."""
        return bool(self.piles or self.fields or self.hands or self.secret or self.states or self.lying)

    def value(self, name: str, given: tuple[Hidden | None, ...], depth: int) -> Summary:
        """What a value and its modifiers read when some arguments are hidden."""
        value = self.values.get(name)
        if value is None:
            return Summary()

        def looked(look: Look) -> None:
            bound = _bound(value["params"], given)
            body = value.get("body")
            given_back = look.body(body, bound) if body is not None else look.see(value.get("value"), bound)
            look.summary.gives = given_back
            for rule in self.modifiers.get(name, ()):
                inner = _bound(rule["params"], given)
                with_guards = look.under(rule.get("when"), inner)
                with_guards.see(rule.get("when"), inner)
                with_guards.see(rule["amount"], inner)

        return self._summary(("value", name, *given), depth, looked)

    def head(self, action: str, given: tuple[Hidden | None, ...], depth: int) -> Summary:
        """What must be looked at to know whether an action is possible: its head, and who forbids it."""
        found = self.actions.get(action)
        if found is None:
            return Summary()

        def looked(look: Look) -> None:
            look.requirements(found["body"], _bound([row["n"] for row in found["params"]], given))
            for rule in self.forbids.get(action, ()):
                numbers = [slot.get("n") for slot in rule["slots"]]
                inner = _bound(numbers, given)
                with_guards = look.under(rule.get("when"), inner)
                with_guards.see(rule.get("when"), inner)
                with_guards.see(rule.get("reason"), inner)

        return self._summary(("action", action, *given), depth, looked)

    def _summary(self, key: Key, depth: int, looked: Callable[[Look], None]) -> Summary:
        known = self._summaries.get(key)
        if known is None:
            known = self._summaries[key] = (
                Summary()
            )  # a placeholder while it is being computed, for recursive values
            if depth < _DEPTH:
                looked(Look(self, known, depth=depth + 1))
        return known


def _lies_hidden(pile: IR) -> bool:
    """Whether what lies in a container is hidden, as in decks, bags and hands that do not say otherwise."""
    face = pile.get("face")
    return bool(face == "face_down" or (face is None and pile["form"] in _HIDING))


def _grouped(context: Context, form: str, key: str) -> dict[str, list[IR]]:
    found: dict[str, list[IR]] = {}
    for rule in index(context).rules_of(form):
        if key in rule:
            found.setdefault(rule[key], []).append(rule)
    return found


def _bound(numbers: Iterable[int | None], given: tuple[Hidden | None, ...]) -> Locals:
    """Locals that stand for the parameters of a summary."""
    made: Locals = {}
    for place, number in enumerate(numbers):
        if number is not None:
            key = ("parameter", place)
            hidden = given[place] if place < len(given) else None
            made[number] = Bound(key, replace(hidden, key=key) if hidden is not None else None)
    return made


class Look:
    """One walk over code. It adds reads of hidden faces to a summary, unless the face is known at that point."""

    def __init__(
        self, secrets: Secrets, summary: Summary, known: frozenset[Key] = frozenset(), depth: int = 0
    ) -> None:
        self.secrets = secrets
        self.summary = summary
        self.known = known
        self.depth = depth

    def under(self, condition: Any, bound: Locals, holds: bool = True) -> Look:
        """The same walk under a condition, with the things that the condition makes known."""
        found = known_by(condition, bound, holds)
        return Look(self.secrets, self.summary, self.known | found, self.depth) if found else self

    def requirements(self, body: list[IR], bound: Locals) -> None:
        """Looks at the head of an action."""
        look = self
        for statement in body:
            match statement.get("op"):
                case "requires":
                    look = look.under(statement["if"], bound)
                    look.see(statement["if"], bound)
                    look.see(statement.get("reason"), bound)
                case "let":
                    hidden = look.see(statement["value"], bound)
                    bound[statement["n"]] = Bound(key_of(statement["value"], bound), hidden)
                case "choose":
                    look.see(statement["from"], bound)
                    return
                case _:
                    return

    def body(self, statements: list[IR], bound: Locals) -> Hidden | None:
        """Looks at the block of a value in order; what it gives, if some of that is hidden."""
        look, gives = self, None
        for statement in statements:
            match statement.get("op"):
                case "let":
                    hidden = look.see(statement["value"], bound)
                    bound[statement["n"]] = Bound(key_of(statement["value"], bound), hidden)
                case "give":
                    gives = look.see(statement["value"], bound) or gives
                case "if":
                    for condition, inner in statement["branches"]:
                        look.see(condition, bound)
                        gives = look.under(condition, bound).body(inner, dict(bound)) or gives
                    without = look
                    for condition, _ in statement["branches"]:
                        without = without.under(condition, bound, False)
                    gives = without.body(statement["otherwise"], dict(bound)) or gives
                    if all(leaves(inner) for _, inner in statement["branches"]):
                        look = without
                case _:
                    look.see(statement, bound)
        return gives

    def _read(self, hidden: Hidden | None, what: str) -> None:
        if hidden is not None and hidden.key not in self.known:
            self.summary.reads.append(
                Read(hidden.key, hidden.owner, f"{what} of what lies in {hidden.where}")
            )

    # -------------------------------------------------------------- expressions
    def see(self, ir: Any, bound: Locals) -> Hidden | None:
        """What an expression gives, if that is hidden; notes the faces it reads on the way."""
        if isinstance(ir, list):
            for item in ir:
                self.see(item, bound)
            return None
        if not isinstance(ir, dict):
            return None
        op = ir.get("op")
        if op in _PASSES_ON:
            return self._passed_on(ir, bound)
        handler = _HANDLERS.get(op or "")
        if handler is not None:
            return handler(self, ir, bound)
        for value in ir.values():
            if isinstance(value, (dict, list)):
                self.see(value, bound)
        return None

    def _passed_on(self, ir: IR, bound: Locals) -> Hidden | None:
        for name, value in ir.items():
            if name != "of" and isinstance(value, dict):
                self.see(value, bound)
        return self.see(ir["of"], bound)

    def _local(self, ir: IR, bound: Locals) -> Hidden | None:
        found = bound.get(ir["n"])
        return found.hidden if found is not None else None

    def _pile(self, ir: IR, bound: Locals) -> Hidden | None:
        kind = self.secrets.piles.get(ir["id"])
        return Hidden(("pile", ir["id"]), kind, f"`{ir['id']}`") if kind is not None else None

    def _thing(self, ir: IR, bound: Locals) -> Hidden | None:
        if not self.secrets.lying:
            return None
        symbol = self.secrets.context.work.thing(ir["id"])
        if symbol is None or symbol.kind not in self.secrets.lying:
            return None
        return Hidden((ir["op"], ir["id"]), symbol.kind, "front of everybody, face down")

    def _kind(self, ir: IR, bound: Locals) -> Hidden | None:
        if ir["id"] not in self.secrets.lying:
            return None
        return Hidden(("kind", ir["id"]), ir["id"], "front of everybody, face down")

    def _field(self, ir: IR, bound: Locals) -> Hidden | None:
        base = self.see(ir["of"], bound)
        key = (ir["owner"], ir["name"])
        if key not in self.secrets.on_back:
            self._read(base, f"the `{ir['name']}`")
        own = key_of(ir, bound)
        if key in self.secrets.secret and own not in self.known:
            self.summary.reads.append(Read(own, None, f"`{ir['name']}`, which is hidden"))
        if key in self.secrets.fields:
            return Hidden(own, self.secrets.fields[key], f"`{ir['name']}`")
        if key in self.secrets.hands:
            return Hidden(own, self.secrets.hands[key], f"`{ir['name']}`", key_of(ir["of"], bound))
        return None

    def _state(self, ir: IR, bound: Locals) -> Hidden | None:
        own = key_of(ir, bound)
        if ir["id"] in self.secrets.states and own not in self.known:
            self.summary.reads.append(Read(own, None, f"`{ir['id']}`, which is hidden"))
        return None

    def _is_none(self, ir: IR, bound: Locals) -> Hidden | None:
        inner = ir["of"]
        # Whether a container is empty is public.
        if inner.get("op") == "field" and (inner["owner"], inner["name"]) in self.secrets.secret:
            inner = inner["of"]
        if inner.get("op") != "state":
            self.see(inner, bound)
        return None

    def _property(self, ir: IR, bound: Locals) -> Hidden | None:
        base = self.see(ir["of"], bound)
        if ir["name"] in _FACE:
            self._read(base, f"the {ir['name']}")
        return None

    def _shown(self, ir: IR, bound: Locals) -> Hidden | None:
        self._read(self.see(ir["of"], bound), "the title")
        return None

    def _is_kind(self, ir: IR, bound: Locals) -> Hidden | None:
        base = self.see(ir["of"], bound)
        if base is not None and not self.secrets.context.work.is_a(base.kind, ir["kind"]):
            self._read(base, "the kind")
        return None

    def _is_sort(self, ir: IR, bound: Locals) -> Hidden | None:
        self._read(self.see(ir["of"], bound), "the face")
        return None

    def _same(self, ir: IR, bound: Locals) -> Hidden | None:
        left, right = self.see(ir["a"], bound), self.see(ir["b"], bound)
        if ir["b"].get("op") in _FIXED:
            self._read(left, "the face")
        if ir["a"].get("op") in _FIXED:
            self._read(right, "the face")
        return None

    def _lies_in(self, ir: IR, bound: Locals) -> Hidden | None:
        where = self.see(ir.get("pile") or ir.get("of"), bound)
        item = ir.get("thing") or ir.get("item") or ir.get("items")
        self.see(item, bound)
        if isinstance(item, dict) and item.get("op") == "thing":
            self._read(where, "the face")
        return None

    def _asked_face(self, ir: IR, bound: Locals) -> Hidden | None:
        self.see(ir["of"], bound)
        return None

    def _knows(self, ir: IR, bound: Locals) -> Hidden | None:
        self.see(ir["who"], bound)
        return None

    def _both(self, ir: IR, bound: Locals) -> Hidden | None:
        look = self.under(ir, bound)
        look.see(ir["a"], bound)
        look.see(ir["b"], bound)
        return None

    def _either(self, ir: IR, bound: Locals) -> Hidden | None:
        return self.see(ir["a"], bound) or self.see(ir["b"], bound)

    def _picked(self, ir: IR, bound: Locals) -> Hidden | None:
        self.see(ir["if"], bound)
        chosen = self.under(ir["if"], bound).see(ir["yes"], bound)
        return self.under(ir["if"], bound, False).see(ir["no"], bound) or chosen

    def _set(self, ir: IR, bound: Locals) -> Hidden | None:
        found = [self.see(item, bound) for item in ir["items"]]
        return next((hidden for hidden in found if hidden is not None), None)

    def _element(self, ir: IR, bound: Locals) -> tuple[Hidden | None, Locals]:
        base = self.see(ir["of"], bound)
        key = ("element", key_of(ir["of"], bound), ir["n"])
        hidden = replace(base, key=key) if base is not None and base.key not in self.known else None
        return base, {**bound, ir["n"]: Bound(key, hidden)}

    def _filter(self, ir: IR, bound: Locals) -> Hidden | None:
        base, inner = self._element(ir, bound)
        self.under(ir["test"], inner).see(ir["test"], inner)
        return None if inner[ir["n"]].key in known_by(ir["test"], inner) else base

    def _ranked(self, ir: IR, bound: Locals) -> Hidden | None:
        base, inner = self._element(ir, bound)
        for _, value in ir["keys"]:
            self.see(value, inner)
        return base

    def _each(self, ir: IR, bound: Locals) -> Hidden | None:
        _, inner = self._element(ir, bound)
        return self.see(ir["body"], inner)

    def _core(self, ir: IR, bound: Locals) -> Hidden | None:
        found = [self.see(arg, bound) for arg in ir["args"]]
        return found[0] if found and ir["fn"] in _FIRST_ARGUMENT else None

    # -------------------------------------------------------------- what is called
    def _value(self, ir: IR, bound: Locals) -> Hidden | None:
        given = tuple(self.see(arg, bound) for arg in ir["args"])
        keys = [key_of(arg, bound) for arg in ir["args"]]
        return self._take(self.secrets.value(ir["id"], given, self.depth), keys)

    def _call(self, ir: IR, bound: Locals) -> Hidden | None:
        given = tuple(self.see(arg, bound) for arg in ir["args"])
        keys = [key_of(arg, bound) for arg in ir["args"]]
        self._take(self.secrets.head(ir["action"], given, self.depth), keys)
        return None

    def _take(self, summary: Summary, keys: list[Key]) -> Hidden | None:
        """Adds what a summary reads, seen from here."""
        for read in list(summary.reads):
            key = in_place(read.key, keys)
            owner = in_place(read.owner, keys) if read.owner is not None else None
            if key not in self.known:
                self.summary.reads.append(Read(key, owner, read.what))
        gives = summary.gives
        if gives is None:
            return None
        owner = in_place(gives.owner, keys) if gives.owner is not None else None
        return replace(gives, key=in_place(gives.key, keys), owner=owner)


_HANDLERS: dict[str, Callable[[Look, IR, Locals], Hidden | None]] = {
    "local": Look._local,
    "pile": Look._pile,
    "thing": Look._thing,
    "sort": Look._thing,
    "kind": Look._kind,
    "field": Look._field,
    "state": Look._state,
    "is_none": Look._is_none,
    "prop": Look._property,
    "show": Look._shown,
    "is_kind": Look._is_kind,
    "is_sort": Look._is_sort,
    "is_trait": Look._is_sort,
    "same": Look._same,
    "lies_in": Look._lies_in,
    "member": Look._lies_in,
    "includes": Look._lies_in,
    "is_face": Look._asked_face,
    "knows": Look._knows,
    "and": Look._both,
    "union": Look._either,
    "minus": Look._either,
    "pick": Look._picked,
    "set": Look._set,
    "filter": Look._filter,
    "best": Look._ranked,
    "sorted": Look._ranked,
    "each": Look._each,
    "core": Look._core,
    "value": Look._value,
    "call": Look._call,
}
