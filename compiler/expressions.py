"""Expressions: names resolved, types found, coercions made explicit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from talewright.compiler import core
from talewright.compiler.codes import CODES
from talewright.compiler.scope import IR, Scope
from talewright.compiler.symbols import (
    ContainerSymbol,
    DieSymbol,
    KindSymbol,
    MeasureSymbol,
    MovementSymbol,
    OptionSymbol,
    PaymentSymbol,
    PlanSymbol,
    SeatSymbol,
    StateSymbol,
    Symbol,
    TableSymbol,
    TeamSymbol,
    ThingSymbol,
    TokenSymbol,
    TrackSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types import (
    ANY,
    CELL,
    DIE,
    INT,
    MARK,
    NONE,
    PAIR,
    POOL,
    SIZE,
    TARGET,
    TEXT,
    TOKEN,
    TRAIT,
    TRUTH,
    WAY,
    Type,
    describe,
    is_many,
    is_number,
    is_optional,
    item_of,
    many,
    optional,
    strip,
    thing,
)
from talewright.compiler.wording import listed, takes
from talewright.compiler.work import Work
from talewright.dsl import tree as t
from talewright.dsl.source import Span

Typed = tuple[IR, Type]
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
AREAS = ("board", "play", "supply", "box")
_UNKNOWN_NAMES = frozenset(("N201", "N203", "N204", "N205"))
_SIMPLE_PATH = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*\Z")


class Expressions(Work):
    """Everything about expressions; statements and calls build on it."""

    # -------------------------------------------------------------- entry points
    def expr(self, node: t.Expr, scope: Scope, want: Type | None = None) -> Typed:
        """The meaning and the type of an expression; `want` guides names that mean several things."""
        handler = self._handlers.get(type(node))
        if handler is None:
            return self.other_expr(node, scope, want)
        return handler(self, node, scope, want)

    def other_expr(self, node: Any, scope: Scope, want: Type | None) -> Typed:
        """A statement where a value belongs."""
        self.report("T301", scope.origin, node, "this is something to do, not a value", "write a value here")
        return {"op": "none"}, ANY

    def typed(self, node: t.Expr, scope: Scope, want: Type, what: str) -> IR:
        """An expression that must fit a type."""
        ir, have = self.expr(node, scope, want)
        return self.coerce(ir, have, want, node, scope, what)

    def coerce(self, ir: IR, have: Type, want: Type, node: t.Node, scope: Scope, what: str) -> IR:
        """Makes a value fit a type, or reports that it does not."""
        target = strip(want)
        source = strip(have)
        if target.tag == "sort" and source.tag == "thing" and self.fits(have, want):
            return {"op": "prop", "name": "sort", "of": ir}
        if source.tag == "sort" and target.tag in ("thing", "role"):
            if scope.lenient:
                return {"op": "one_of", "of": ir}
            self.report(
                "T304", scope.origin, node, f"`{source.name}` has several copies, and {what} needs one thing",
                f"write `first {source.name}` with a condition, or name a copy: `{source.name}_1`",
            )  # fmt: skip
            return ir
        if source.tag == "pile" and target.tag == "thing" and source.of[1]:
            ir, source = {"op": "content", "of": ir}, thing(source.name)
        if source.tag in ("set", "list") and target.tag == "thing" and target.name not in ("Thing",):
            self.report(
                "T304", scope.origin, node, f"{what} needs one thing, but this is {describe(source)}",
                "write `first`, `random` or `each` before it, or let somebody choose",
            )  # fmt: skip
            return ir
        if not self.fits(have, want):
            self.mismatch(node, scope, what, have, want)
            return ir
        return self.convert(ir, source, target)

    def convert(self, ir: IR, source: Type, target: Type) -> IR:
        """The explicit form of a change of type that is allowed."""
        if target.tag in ("set", "list"):
            return self.as_set(ir, source)
        if target.tag in ("int", "range", "target", "ints"):
            return self.number_ir(ir, source)
        if target.tag == "pool" and source.tag in ("int", "range", "target", "ints"):
            return {"op": "fixed_dice", "of": ir}
        return ir

    def mismatch(self, node: t.Node, scope: Scope, what: str, have: Type, want: Type) -> None:
        """Reports a wrong type."""
        self.report("T301", scope.origin, node, f"{what} must be {describe(want)}, but this is {describe(have)}")

    def never_same(self, node: t.Node, scope: Scope, one: Type, other: Type) -> None:
        """Reports a comparison that can only have one answer."""
        self.report(
            "T301", scope.origin, node, f"{describe(one)} can never be {describe(other)}",
            "compare two of one sort",
        )  # fmt: skip

    def condition(self, node: t.Expr, scope: Scope) -> IR:
        """An expression that must be yes or no."""
        ir, have = self.expr(node, scope, TRUTH)
        kind = strip(have)
        if kind.tag in ("truth", "condition", "any"):
            return ir if kind.tag != "condition" else {"op": "holds", "of": ir}
        if is_many(kind) or kind.tag == "pile":
            text = scope.origin.source.text[node.start : node.end]
            self.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}",
                "write `any` or `no` before it", fix=f"any {text}",
            )  # fmt: skip
        elif kind.tag == "thing":
            self.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}",
                "write `is not none` after it",
            )  # fmt: skip
        else:
            self.report("T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}")
        return {"op": "truth", "v": True}

    def number(self, node: t.Expr, scope: Scope, what: str = "this") -> IR:
        """An expression that must be a number."""
        ir, have = self.expr(node, scope, INT)
        kind = strip(have)
        if not is_number(kind):
            self.report("T305", scope.origin, node, f"{what} must be a number, but this is {describe(kind)}")
            return {"op": "int", "v": 0}
        return self.number_ir(ir, kind)

    def number_ir(self, ir: IR, kind: Type) -> IR:
        """A number out of dice, or the number itself."""
        if kind.tag == "pool":
            return {"op": "pool_total", "of": ir}
        if kind.tag == "die":
            return {"op": "die_value", "of": ir}
        return ir

    def collection(self, node: t.Expr, scope: Scope, what: str = "this") -> Typed:
        """An expression that must be a set, list or container; its type is then a set or list."""
        ir, have = self.expr(node, scope)
        kind = strip(have)
        if kind.tag == "any":
            return ir, many(ANY)
        if not is_many(kind) and kind.tag != "map":
            if kind.tag == "thing":
                return {"op": "set", "items": [ir], "drop": True}, many(kind)
            self.report("T309", scope.origin, node, f"{what} must be a set, but this is {describe(kind)}")
            return {"op": "set", "items": []}, many(ANY)
        return self.as_set(ir, kind), many(item_of(kind), "list" if kind.tag == "list" else "set")

    def as_set(self, ir: IR, kind: Type) -> IR:
        """The members of a container, sort or single thing as a set."""
        if kind.tag == "pile":
            return {"op": "items", "of": ir}
        if kind.tag == "sort":
            return {"op": "copies", "of": ir}
        if kind.tag == "pool":
            return {"op": "pool_dice", "of": ir}
        if kind.tag in ("set", "list", "bands", "any", "none"):
            return ir
        return {"op": "set", "items": [ir], "drop": True}

    def decider(self, node: t.Expr, scope: Scope) -> IR:
        """Somebody who can be asked."""
        ir, have = self.expr(node, scope, Type("role"))
        kind = strip(have)
        if kind.tag != "any" and not self._decides(kind):
            self.report(
                "T321", scope.origin, node, f"nobody can be asked here: this is {describe(kind)}",
                "name a seat, a team, or a thing with a field of a role",
            )  # fmt: skip
        if kind.tag == "thing" and not self.is_role(kind.name):
            return {"op": "decider", "of": ir, "kind": kind.name}
        return ir

    # -------------------------------------------------------------- literals
    def _number_lit(self, node: t.Number, scope: Scope, want: Type | None) -> Typed:
        if abs(node.value) > 10**9:
            self.report("T322", scope.origin, node, "this number is too large", "stay within a thousand million")
            return {"op": "int", "v": 0}, INT
        return {"op": "int", "v": node.value}, INT

    def _target(self, node: t.Target, scope: Scope, want: Type | None) -> Typed:
        return {"op": "int", "v": min(node.value, 10**9)}, TARGET

    def _dice(self, node: t.Dice, scope: Scope, want: Type | None) -> Typed:
        if not 1 <= node.sides <= 10**6 or not 0 < node.count <= 1000:
            self.report("T322", scope.origin, node, "too many dice, or too many sides", "up to 1000 dice of up to a million sides")
            return {"op": "dice", "n": 1, "sides": 6}, POOL
        return {"op": "dice", "n": node.count, "sides": node.sides}, POOL

    def _size(self, node: t.Size, scope: Scope, want: Type | None) -> Typed:
        return {"op": "size", "w": min(node.width, 99), "h": min(node.height, 99)}, SIZE

    def _text(self, node: t.Text, scope: Scope, want: Type | None) -> Typed:
        return self.text(node, scope), TEXT

    def _truth(self, node: t.Truth, scope: Scope, want: Type | None) -> Typed:
        return {"op": "truth", "v": node.value}, TRUTH

    def _none(self, node: t.Nothing, scope: Scope, want: Type | None) -> Typed:
        return {"op": "none"}, NONE

    def _group(self, node: t.Group, scope: Scope, want: Type | None) -> Typed:
        return self.expr(node.inner, scope, want)

    def text(self, node: t.Text, scope: Scope) -> IR:
        """A text with the expressions inside its braces."""
        if "{" not in node.raw and "\\" not in node.raw:
            return {"op": "text", "parts": [node.raw]}
        from talewright.compiler.texts import parts_of

        parts: list[Any] = []
        for part in parts_of(node):
            if isinstance(part, str):
                parts.append(part)
                continue
            start, end, inner = part
            if inner is None:
                self.report(
                    "X601", scope.origin, t.Node(start, end),
                    "nothing that can be read stands between these braces", "write `{name}` or `{thing.field}`",
                )  # fmt: skip
                continue
            before = len(self.findings)
            ir, kind = self.expr(inner, scope)
            if len(self.findings) > before:
                self._unknown_in_text(before, scope.origin.source.span(start, end))
            parts.append({"op": "show", "of": ir, "type": self.type_ir(kind)})
        return {"op": "text", "parts": parts}

    def _unknown_in_text(self, before: int, braces: Span) -> None:
        """Findings about names inside the braces of a text get the code that says so."""
        for index in range(before, len(self.findings)):
            found = self.findings[index]
            at = found.span
            inside = at.file == braces.file and at.line == braces.line and at.column >= braces.column
            if found.code in _UNKNOWN_NAMES and inside and at.end_column <= braces.end_column:
                self.findings[index] = replace(found, code="X601", name=CODES["X601"][0])

    def _braces(self, node: t.Braces, scope: Scope, want: Type | None) -> Typed:
        goal = strip(want) if want else None
        if node.entries and all(isinstance(e, t.EntryPair) for e in node.entries):
            pairs = [cast(t.EntryPair, e) for e in node.entries]
            return self._map_literal([(t.Name(p.key.start, p.key.end, p.key.text), p.amount) for p in pairs], scope, goal)
        inner = item_of(goal) if goal and goal.tag in ("set", "list", "pile") else None
        items: list[IR] = []
        kinds: list[Type] = []
        for entry in node.entries:
            ir, kind = self.expr(entry, scope, inner)
            kind = strip(kind)
            if kind.tag == "sort" and inner is not None and inner.tag == "sort":
                pass
            elif kind.tag == "sort":
                ir = {"op": "one_of", "of": ir} if scope.lenient else {"op": "spread", "of": self.as_set(ir, kind)}
                kind = thing(kind.of[0])
            elif kind.tag == "pile" and kind.of[1]:
                ir, kind = {"op": "content", "of": ir}, thing(kind.name)
            elif is_many(kind) and not (inner and inner.tag in ("set", "list")):
                ir, kind = {"op": "spread", "of": self.as_set(ir, kind)}, item_of(kind)
            items.append(ir)
            kinds.append(kind)
        common = inner if inner is not None and inner.tag != "any" else self.join(kinds)
        return {"op": "set", "items": items, "drop": True}, many(common, "list" if goal and goal.tag == "list" else "set")

    def _map_literal(self, pairs: Sequence[tuple[t.Expr, t.Expr]], scope: Scope, goal: Type | None) -> Typed:
        key = goal.of[0] if goal and goal.tag == "map" else None
        value = goal.of[1] if goal and goal.tag == "map" else None
        rows: list[list[IR]] = []
        key_types: list[Type] = []
        value_types: list[Type] = []
        for name, amount in pairs:
            k, kt = self.expr(name, scope, key)
            v, vt = self.expr(amount, scope, value)
            if key is not None:
                k = self.coerce(k, kt, key, name, scope, "this key")
            if value is not None:
                v = self.coerce(v, vt, value, amount, scope, "this entry")
            rows.append([k, v])
            key_types.append(kt)
            value_types.append(vt)
        type_ = Type("map", "", (key or self.join(key_types), value or self.join(value_types)))
        return {"op": "map", "rows": rows}, type_

    def join(self, kinds: Sequence[Type]) -> Type:
        """The narrowest type that all of them fit."""
        if not kinds:
            return ANY
        result = kinds[0]
        for kind in kinds[1:]:
            result = self.join_two(result, kind)
        return result

    def join_two(self, a: Type, b: Type) -> Type:
        """The narrowest type that both fit."""
        if a == b:
            return a
        if a.tag == "none" or b.tag == "none":
            return optional(b if a.tag == "none" else a)
        if a.tag == "optional" or b.tag == "optional":
            return optional(self.join_two(strip(a), strip(b)))
        if a.tag == "thing" and b.tag == "thing":
            above = set(self.lineage(b.name))
            return thing(next((k for k in self.lineage(a.name) if k in above), "Thing"))
        if is_number(a) and is_number(b):
            return INT
        if a.tag == "words" and b.tag == "words":
            return a if set(b.of) <= set(a.of) else Type("words", "", tuple(dict.fromkeys((*a.of, *b.of))))
        if is_many(a) and is_many(b):
            return many(self.join_two(item_of(a), item_of(b)))
        if is_many(a) and b.tag == "thing":
            return many(self.join_two(item_of(a), b))
        if is_many(b) and a.tag == "thing":
            return many(self.join_two(a, item_of(b)))
        return ANY

    def type_ir(self, kind: Type) -> Any:
        """A type as the document writes it."""
        if not kind.name and not kind.of:
            return kind.tag
        return [kind.tag, kind.name, [self.type_ir(x) if isinstance(x, Type) else _plain(x, self) for x in kind.of]]

    # -------------------------------------------------------------- names
    def _name(self, node: t.Name, scope: Scope, want: Type | None) -> Typed:
        name = node.name
        local = scope.names.get(name)
        if local is not None:
            return {"op": "local", "n": local[0]}, local[1]
        if name in scope.traits:
            return {"op": "trait_param", "name": name}, scope.traits[name]
        if want is not None:
            goal = strip(want)
            if goal.tag in ("set", "list"):
                goal = strip(goal.of[0])
            if goal.tag == "words" and name in goal.of:
                return {"op": "word", "v": name}, goal
            if goal.tag == "way" and name in self.table.functions:
                return self._way(name, node, scope)
        special = self._special(node, scope)
        if special is not None:
            return special
        symbol = self.lookup(name, scope.chapter)
        if symbol is not None:
            return self.symbol_value(symbol, node, scope)
        if scope.unbound is not None and want is not None:
            number = scope.unit.new(name)
            scope.unbound[name] = (number, want)
            scope.names[name] = (number, want)
            return {"op": "local", "n": number}, want
        types = self.table.words.get(name)
        if types:
            symbol_type = self.table.kinds[types[0]]
            assert isinstance(symbol_type, TypeSymbol)
            return {"op": "word", "v": name}, Type("words", types[0], tuple(symbol_type.words))
        menu = self.table.menus.get(name)
        if menu is not None and not menu.decl.params:
            self.used.add(f"menu:{name}")
            return {"op": "offers", "menu": name}, many(ANY)
        if name in ("empty", "face_up", "face_down"):
            return {"op": "word", "v": name}, Type("words", "", (name,))
        if name in self.table.functions:
            if self.table.functions[name] and isinstance(self.table.functions[name][0], ValueSymbol):
                params = len(self.table.functions[name][0].decl.params)
                if params == 3:
                    return self._way(name, node, scope)
            self.report(
                "T302", scope.origin, node, f"`{name}` needs its arguments", f"write `{name}(...)`"
            )  # fmt: skip
            return {"op": "none"}, ANY
        self.unknown(node, scope, want)
        return {"op": "none"}, ANY

    def unknown(self, node: t.Name | t.Capital, scope: Scope, want: Type | None) -> None:
        """Reports a name nobody declared."""
        name = node.name
        if name in self.table.broken:
            return
        goal = strip(want) if want else None
        if goal is not None and goal.tag == "words" and goal.of:
            self.report(
                "N208", scope.origin, node, f"`{name}` is not one of {', '.join(f'`{w}`' for w in goal.of[:12])}",
                self.suggest(name, goal.of),
            )  # fmt: skip
            return
        known = [*scope.names, *self.table.names, *scope.traits]
        hint = self._hint(name, scope) or self.suggest(name, known)
        self.report("N201", scope.origin, node, f"there is nothing called `{name}`", hint, fix=_fix(hint))

    def _hint(self, name: str, scope: Scope) -> str:
        """Why a name is unknown here although it is known elsewhere."""
        if name in ("self", "holder"):
            return f"`{name}` can be read only in the rules and fields of a kind, trait or thing"
        if name in scope.unit.names:
            return "it was made in another block: make it in this one, or above"
        if name in self.table.verbs:
            return f"`{name}` is an action: write `do {name}` to have its result"
        chapter = next((chapter for chapter, own in self.table.scoped if own == name), None)
        return f"it belongs to the chapter `{chapter}`: declare it at the left edge to read it elsewhere" if chapter else ""

    def _way(self, name: str, node: t.Node, scope: Scope) -> Typed:
        self.used.add(name)
        return {"op": "way", "value": name}, WAY

    def _special(self, node: t.Name, scope: Scope) -> Typed | None:
        match node.name:
            case "it":
                if scope.it is None:
                    self.report(
                        "N219", scope.origin, node, "`it` means the element of a query, and there is none here",
                        "a `where` takes one test: put a longer one in parentheses",
                    )  # fmt: skip
                    return {"op": "none"}, ANY
                return {"op": "local", "n": scope.it[0]}, scope.it[1]
            case "self" if scope.self_type is not None:
                return {"op": "self"}, scope.self_type
            case "holder" if scope.self_type is not None:
                return {"op": "prop", "name": "holder", "of": {"op": "self"}}, thing("Thing")
            case "result":
                if scope.result is None:
                    if self.lookup("result", scope.chapter):
                        return None
                    self.report("T320", scope.origin, node, "`result` can be read only in an `after` rule",
                                "it is what the action gave, so the action must be over")
                    return {"op": "none"}, ANY
                return {"op": "result"}, scope.result
            case "chapter":
                return {"op": "chapter"}, thing(self.chapter_kind(scope))
            case "ended" if scope.lenient:
                return {"op": "ended"}, optional(thing("Ending"))
            case "board" | "play" | "supply" | "box":
                if node.name in self.table.names:
                    return None
                return {"op": "area", "name": node.name}, thing("Place")
        return None

    def chapter_kind(self, scope: Scope) -> str:
        """The kind of the chapter at hand: as narrow as can be known."""
        if scope.chapter is not None and not scope.lenient:
            symbol = self.thing(scope.chapter)
            if symbol is not None and self.is_a(symbol.kind, "Chapter"):
                return symbol.kind
        below = [k for k in self.table.children.get("Chapter", ())]
        return below[0] if len(below) == 1 else "Chapter"

    def symbol_value(self, symbol: Symbol, node: t.Node, scope: Scope) -> Typed:
        """What a declared name means as a value."""
        match symbol:
            case ThingSymbol():
                if symbol.copies != 1 or symbol.per is not None:
                    return {"op": "sort", "id": symbol.name}, Type("sort", symbol.name, (symbol.kind,))
                return {"op": "thing", "id": symbol.name}, thing(symbol.kind)
            case ContainerSymbol():
                decl = symbol.decl
                return {"op": "pile", "id": symbol.name}, self.pile_type(decl.form, decl.kind.text, decl.options)
            case StateSymbol():
                return {"op": "state", "id": self.scoped_id(symbol)}, symbol.type
            case TrackSymbol():
                return (
                    {"op": "track", "id": self.scoped_id(symbol)},
                    Type("range", "track", (symbol.decl.low, symbol.decl.high)),
                )
            case ValueSymbol():
                kind = self.value_type(symbol)
                return {"op": "value", "id": symbol.id, "args": []}, kind
            case OptionSymbol():
                return {"op": "option", "id": symbol.name}, symbol.type
            case TokenSymbol():
                return {"op": "token", "id": symbol.name}, TOKEN
            case DieSymbol():
                return {"op": "die", "id": symbol.name}, Type("pool", symbol.name)
            case TeamSymbol():
                return {"op": "team", "id": symbol.name}, Type("set", "team", (thing(symbol.decl.role.text),))
            case SeatSymbol():
                return {"op": "seat", "role": symbol.role, "n": symbol.number}, thing(symbol.role)
            case PlanSymbol():
                return {"op": "plan", "id": symbol.name}, thing("Place")
            case MovementSymbol():
                return {"op": "movement", "id": symbol.name}, WAY
            case PaymentSymbol():
                return {"op": "payment", "id": symbol.name}, Type("payment", symbol.name)
            case MeasureSymbol():
                self.report("T301", scope.origin, node, f"`{symbol.name}` is a measure: it is read when a game has ended")
                return {"op": "int", "v": 0}, INT
        return {"op": "none"}, ANY

    def scoped_id(self, symbol: Symbol) -> str:
        """The name of a state or track in the document; a chapter's own carries the chapter's id."""
        return f"{symbol.origin.chapter}:{symbol.name}" if symbol.origin.chapter else symbol.name

    def value_type(self, symbol: ValueSymbol) -> Type:
        """The type of a value: declared, or found by elaborating it."""
        raise NotImplementedError

    def value_params(self, symbol: ValueSymbol) -> list[tuple[str, Type]]:
        """Names and types of a value's parameters."""
        if symbol.params is None:
            symbol.params = [(p.name.text, self.read_type(p.type, symbol.origin)) for p in symbol.decl.params]
        return symbol.params

    def _capital(self, node: t.Capital, scope: Scope, want: Type | None) -> Typed:
        name = node.name
        if want is not None and strip(want).tag == "mark":
            return {"op": "mark", "v": name}, MARK
        thing_symbol = self.lookup(name, scope.chapter)
        if thing_symbol is not None:
            return self.symbol_value(thing_symbol, node, scope)
        symbol = self.table.kinds.get(name)
        match symbol:
            case KindSymbol():
                self.used.add(name)
                if want is not None and strip(want).tag == "kind":
                    return {"op": "kind_name", "id": name}, Type("kind", name)
                return {"op": "kind", "id": name}, many(thing(name))
            case TraitSymbol():
                self.used.add(name)
                if want is not None and strip(want).tag == "trait":
                    return {"op": "trait", "id": name, "args": []}, TRAIT
                return {"op": "bearers", "trait": name}, many(thing(name))
            case TypeSymbol():
                self.report("T301", scope.origin, node, f"`{name}` is a type, not a value", "write one of its words")
                return {"op": "none"}, ANY
        if name not in self.table.broken:
            known = [*self.table.kinds, *(n for n in self.table.names if n[0].isupper() or n[0].isdigit())]
            hint = self.suggest(name, known)
            self.report("N203", scope.origin, node, f"there is no kind, trait or card called `{name}`", hint, fix=_fix(hint))
        return {"op": "none"}, ANY

    # -------------------------------------------------------------- fields
    def _dot(self, node: t.Dot, scope: Scope, want: Type | None) -> Typed:
        name_node = t.Word(node.name_start, node.name_start + len(node.name), node.name)
        if isinstance(node.base, t.Capital) and node.base.name in self.table.kinds:
            base, kind = self.expr(node.base, scope)
        else:
            base, kind = self.expr(node.base, scope)
        return self.member(base, kind, name_node, scope)

    def _of(self, node: t.Of, scope: Scope, want: Type | None) -> Typed:
        base, kind = self.expr(node.base, scope)
        return self.member(base, kind, node.name, scope)

    def member(self, base: IR, kind: Type, name: t.Word, scope: Scope) -> Typed:
        """A field, property, token count or one-argument value of something, or of each of a set."""
        bare = strip(kind)
        if bare.tag == "any":
            return {"op": "late", "of": base, "name": name.text}, ANY
        if bare.tag == "pile":
            if name.text in core.PILE_PROPERTIES:
                return {"op": f"pile_{name.text}", "of": base}, optional(thing(bare.name))
            if bare.of[1]:
                base, bare = {"op": "content", "of": base}, thing(bare.name)
                kind = optional(bare)
        if bare.tag == "sort" and name.text == "title":
            return {"op": "prop", "name": "title", "of": base}, TEXT
        if bare.tag in ("set", "list", "pile", "sort"):
            return self._member_of_each(self.as_set(base, bare), item_of(bare), name, scope)
        if bare.tag == "pool" and name.text in core.POOL_PROPERTIES:
            return {"op": "pool_prop", "name": name.text, "of": base}, core.POOL_PROPERTIES[name.text]
        if bare.tag == "die" and name.text in core.DIE_PROPERTIES:
            return {"op": "die_prop", "name": name.text, "of": base}, core.DIE_PROPERTIES[name.text]
        if bare.tag in ("spot", "cell") and name.text in core.SPOT_PROPERTIES:
            return {"op": "spot_prop", "name": name.text, "of": base}, core.SPOT_PROPERTIES[name.text]
        if bare.tag != "thing":
            self.report("N204", scope.origin, name, f"{describe(bare)} has no field `{name.text}`")
            return {"op": "none"}, ANY
        return self._member_of_one(base, kind, bare, name, scope)

    def _member_of_one(self, base: IR, kind: Type, bare: Type, name: t.Word, scope: Scope) -> Typed:
        maybe = is_optional(kind)
        found = self.field_of(bare.name, name.text)
        if found is not None:
            symbol, some = found
            self.used.add(f"{symbol.owner}.{name.text}")
            kind_of = symbol.type
            ir: IR = {"op": "field", "of": base, "owner": symbol.owner, "name": name.text}
            if maybe or some:
                ir["maybe"] = True
            if kind_of.tag == "face":
                return ir, self.face_type(kind_of.name)
            if "lends all" in symbol.flags and kind_of.tag == "thing":
                return ir, kind_of
            return ir, optional(kind_of) if (maybe or some) and kind_of.tag not in ("pile", "set", "list") else kind_of
        prop = self._property(base, bare, name.text, maybe)
        if prop is not None:
            return prop
        token = self.table.names.get(name.text)
        if isinstance(token, TokenSymbol):
            self.used.add(name.text)
            return {"op": "tokens", "of": base, "token": name.text}, INT
        lent = self._lent(base, bare, name, scope)
        if lent is not None:
            return lent
        if name.text in self.table.functions:
            return self._value_of_one(base, kind, name, scope)
        hint = self.suggest(name.text, [*self.all_fields(bare.name), *core.PROPERTIES])
        if name.text not in self.table.broken and bare.name in self.table.kinds:
            self.report("N204", scope.origin, name, f"`{bare.name}` has no field `{name.text}`", hint, fix=_fix(hint))
        return {"op": "none"}, ANY

    def face_type(self, kind: str) -> Type:
        """The type of a die's face: things or words."""
        symbol = self.table.kinds.get(kind)
        if isinstance(symbol, KindSymbol) and symbol.die is not None:
            first = _first_face(symbol.die)
            if isinstance(first, t.Name):
                known = self.table.names.get(first.name)
                if isinstance(known, ThingSymbol):
                    return thing(known.kind)
            if isinstance(first, t.Number):
                return INT
        return ANY

    def _property(self, base: IR, bare: Type, name: str, maybe: bool) -> Typed | None:
        ir: IR = {"op": "prop", "name": name, "of": base}
        if self.is_a(bare.name, "Joint") and name in core.JOINT_PROPERTIES:
            return ir, core.JOINT_PROPERTIES[name]
        if self.is_a(bare.name, "Piece") and name in core.PIECE_PROPERTIES:
            return ir, core.PIECE_PROPERTIES[name]
        if name not in core.PROPERTIES:
            return None
        kind = core.PROPERTIES[name]
        if name == "place":
            return ir, optional(thing(self.place_kind()))
        if name == "owner":
            return ir, optional(thing("Thing"))
        if name == "sort":
            return ir, Type("sort", "", (bare.name,))
        if name == "face":
            return ir, Type("words", "", ("a", "b", "c", "d"))
        return ir, kind

    def _lent(self, base: IR, bare: Type, name: t.Word, scope: Scope) -> Typed | None:
        for symbol in self.all_fields(bare.name).values():
            if "lends all" in symbol.flags:
                lender = strip(symbol.type)
                if lender.tag == "thing" and self.field_of(lender.name, name.text) is not None:
                    self.used.add(f"{symbol.owner}.{symbol.name}")
                    through: IR = {"op": "field", "of": base, "owner": symbol.owner, "name": symbol.name}
                    return self._member_of_one(through, symbol.type, lender, name, scope)
        return None

    def _value_of_one(self, base: IR, kind: Type, name: t.Word, scope: Scope) -> Typed:
        for symbol in self.table.functions[name.text]:
            if isinstance(symbol, ValueSymbol):
                params = self.value_params(symbol)
                if len(params) == 1 and self.fits(kind, params[0][1]):
                    self.used.add(name.text)
                    return {"op": "value", "id": symbol.id, "args": [base]}, self.value_type(symbol)
        self.report("N204", scope.origin, name, f"{describe(strip(kind))} has no field or value `{name.text}`")
        return {"op": "none"}, ANY

    def _member_of_each(self, base: IR, item: Type, name: t.Word, scope: Scope) -> Typed:
        inner, number = scope.element(item)
        body, kind = self.member({"op": "local", "n": number}, item, name, inner)
        bare = strip(kind)
        flat = bare.tag in ("set", "list", "pile") and not (bare.tag == "pile" and bare.of[1])
        if bare.tag == "pile" and bare.of[1]:
            body, bare = {"op": "content", "of": body}, thing(bare.name)
        elif flat:
            body, bare = self.as_set(body, bare), item_of(bare)
        ir: IR = {"op": "each", "of": base, "n": number, "body": body}
        if flat:
            ir["flat"] = True
        return ir, many(bare, "list")

    def _index(self, node: t.Index, scope: Scope, want: Type | None) -> Typed:
        base, kind = self.expr(node.base, scope)
        bare = strip(kind)
        if bare.tag == "map":
            key = self.typed(node.index, scope, bare.of[0], "the key")
            return {"op": "look_up", "of": base, "key": key}, bare.of[1]
        if bare.tag == "bands":
            item = bare.of[0]
            if isinstance(node.index, (t.Name, t.Capital, t.Dot)):
                key, key_type = self.expr(node.index, scope)
                if strip(key_type).tag in ("thing", "words"):
                    return {"op": "look_up", "of": base, "key": key}, item
            number = self.number(node.index, scope, "the number looked up")
            return {"op": "band", "of": base, "at": number}, many(item, "list")
        if isinstance(node.index, t.Binary) and node.index.op == "..":
            low = self.number(node.index.left, scope)
            high = self.number(node.index.right, scope)
            if is_many(bare):
                return {"op": "slice", "of": self.as_set(base, bare), "low": low, "high": high}, many(item_of(bare), "list")
        if is_many(bare):
            at = self.number(node.index, scope, "the position")
            return {"op": "nth", "of": self.as_set(base, bare), "n": at}, item_of(bare)
        if bare.tag == "any":
            return {"op": "nth", "of": base, "n": self.expr(node.index, scope)[0]}, ANY
        self.report("T309", scope.origin, node, f"{describe(bare)} has no entries to look up")
        return {"op": "none"}, ANY

    # -------------------------------------------------------------- operators
    def _binary(self, node: t.Binary, scope: Scope, want: Type | None) -> Typed:
        op = node.op
        if op in ("and", "or"):
            return {"op": op, "a": self.condition(node.left, scope), "b": self.condition(node.right, scope)}, TRUTH
        if op in COMPARE:
            return self._compare(node, scope)
        if op in ARITHMETIC:
            return self._arithmetic(node, scope, want)
        if op in ("is", "is not"):
            ir = self._is(node, scope)
            return ({"op": "not", "of": ir} if op == "is not" else ir), TRUTH
        if op in ("in", "not in"):
            ir, kind = self._in(node, scope)
            if op == "not in":
                return {"op": "not", "of": ir}, TRUTH
            return ir, kind
        if op in ("near", "adjacent to"):
            return self._beside(node, scope)
        if op in ("following", "starting with"):
            return self._rotate(node, scope)
        if op == "includes":
            return self._includes(node, scope)
        if op == "knows":
            seat = self.decider(node.left, scope)
            what, kind = self.expr(node.right, scope)
            bare = strip(kind)
            if bare.tag == "pile" and bare.of[1]:
                what = {"op": "content", "of": what}
            return {"op": "knows", "who": seat, "what": what}, TRUTH
        if op == "..":
            return {"op": "span", "low": self.number(node.left, scope), "high": self.number(node.right, scope)}, many(INT, "list")
        left, _ = self.expr(node.left, scope)
        right, _ = self.expr(node.right, scope)
        return {"op": "pair", "a": left, "b": right}, PAIR

    def _compare(self, node: t.Binary, scope: Scope) -> Typed:
        left, have = self.expr(node.left, scope)
        right, other = self.expr(node.right, scope, have)
        a, b = strip(have), strip(other)
        if is_number(a) and is_number(b):
            return {"op": COMPARE[node.op], "a": self.number_ir(left, a), "b": self.number_ir(right, b)}, TRUTH
        if node.op in ("==", "!="):
            if not (self.fits(have, other) or self.fits(other, have)):
                self.never_same(node.right, scope, a, b)
            ir: IR = {"op": "same", "a": self._plain_thing(left, a), "b": self._plain_thing(right, b)}
            return (ir if node.op == "==" else {"op": "not", "of": ir}), TRUTH
        if a.tag == "words" and b.tag == "words":
            ordered = self.table.kinds.get(a.name or b.name)
            if isinstance(ordered, TypeSymbol) and ordered.ordered:
                return {"op": COMPARE[node.op], "a": {"op": "rank", "of": left, "words": list(ordered.words)},
                        "b": {"op": "rank", "of": right, "words": list(ordered.words)}}, TRUTH  # fmt: skip
            self.report(
                "T305", scope.origin, node, f"the words of {describe(a)} have no order",
                "declare them with `<` between them, from the least to the greatest",
            )  # fmt: skip
            return {"op": "truth", "v": True}, TRUTH
        wrong, kind = (node.left, a) if not is_number(a) else (node.right, b)
        self.report("T305", scope.origin, wrong, f"`{node.op}` compares numbers, but this is {describe(kind)}")
        return {"op": "truth", "v": True}, TRUTH

    def _plain_thing(self, ir: IR, kind: Type) -> IR:
        return {"op": "content", "of": ir} if kind.tag == "pile" and kind.of[1] else ir

    def _arithmetic(self, node: t.Binary, scope: Scope, want: Type | None) -> Typed:
        left, have = self.expr(node.left, scope, want)
        a = strip(have)
        if a.tag == "sort" and node.op == "*":
            amount = self.number(node.right, scope, "the number of copies")
            return {"op": "some_copies", "of": left, "count": amount}, many(thing(a.of[0]))
        if a.tag == "pool" and node.op in ("+", "-") and not (want and strip(want).tag == "pool"):
            pass
        right, other = self.expr(node.right, scope, have if is_many(a) else want)
        b = strip(other)
        if node.op == "*" and (b.tag == "pool" or a.tag == "pool"):
            dice, count = (right, left) if b.tag == "pool" else (left, right)
            if (a.tag if b.tag == "pool" else b.tag) != "pool":
                return {"op": "many_dice", "dice": dice, "count": count}, POOL
        if node.op in ("+", "-") and (is_many(a) or a.tag == "none") and not is_number(a):
            return self._set_arithmetic(node, left, a, right, b, scope)
        if a.tag == "thing" and node.op in ("+", "-") and (is_many(b) or b.tag == "thing"):
            return self._set_arithmetic(node, left, a, right, b, scope)
        for side, kind in ((node.left, a), (node.right, b)):
            if not is_number(kind):
                self.report("T305", scope.origin, side, f"`{node.op}` needs numbers, but this is {describe(kind)}")
                return {"op": "int", "v": 0}, INT
        result = TARGET if TARGET in (a, b) and node.op in ("+", "-") else INT
        return {"op": ARITHMETIC[node.op], "a": self.number_ir(left, a), "b": self.number_ir(right, b)}, result

    def _set_arithmetic(self, node: t.Binary, left: IR, a: Type, right: IR, b: Type, scope: Scope) -> Typed:
        if node.op not in ("+", "-"):
            self.report("T305", scope.origin, node, f"`{node.op}` needs numbers, but this is {describe(a)}")
            return left, a
        if b.tag == "pile" and b.of[1]:
            right, b = {"op": "content", "of": right}, thing(b.name)
        op = "union" if node.op == "+" else "minus"
        first, second = (item_of(a) if is_many(a) else a), (item_of(b) if is_many(b) else b)
        kind = self.join_two(first, second) if op == "union" else first
        return {"op": op, "a": self.as_set(left, a), "b": self.as_set(right, b)}, many(kind)

    def _is(self, node: t.Binary, scope: Scope) -> IR:
        left, have = self.expr(node.left, scope)
        a = strip(have)
        right = node.right
        if isinstance(right, t.Nothing):
            return {"op": "is_none", "of": self._plain_thing(left, a)}
        if a.tag == "border" and isinstance(right, t.Name):
            return {"op": "same", "a": left, "b": {"op": "word", "v": right.name}}
        if isinstance(right, t.Name) and right.name not in scope.names:
            if right.name in ("face_up", "face_down"):
                return {"op": "is_face", "of": self._plain_thing(left, a), "face": right.name}
            if right.name == "empty":
                if not is_many(a):
                    self.report("T309", scope.origin, node.left, f"only a set can be empty, and this is {describe(a)}")
                return {"op": "is_empty", "of": self.as_set(left, a)}
        if isinstance(right, (t.Capital, t.TraitValue)) and not (
            isinstance(right, t.Capital) and (right.name in self.table.names or a.tag == "mark")
        ):
            symbol = self.table.kinds.get(right.name)
            if isinstance(symbol, KindSymbol):
                self.used.add(right.name)
                if a.tag == "thing" and not self.related(a.name, right.name):
                    self.report(
                        "T301", scope.origin, node, f"{describe(a)} can never be of the kind `{right.name}`",
                        listed("it can be", [k for k in self.descendants(a.name) if k != a.name][:6]),
                    )  # fmt: skip
                return {"op": "is_kind", "of": self._plain_thing(left, a), "kind": right.name}
            if isinstance(symbol, TraitSymbol):
                self.used.add(right.name)
                return {"op": "is_trait", "of": self._plain_thing(left, a), "trait": right.name}
        other, kind = self.expr(right, scope, have)
        b = strip(kind)
        if b.tag == "sort":
            if a.tag == "sort":
                return {"op": "same", "a": left, "b": other}
            if a.tag == "thing" and not self.related(a.name, b.of[0]):
                self.never_same(right, scope, a, b)
            return {"op": "is_sort", "of": self._plain_thing(left, a), "sort": other}
        if a.tag == "pile" and b.tag == "pile" and not (a.of[1] and b.of[1]):
            return {"op": "same_pile", "a": left, "b": other}
        if a.tag == "truth" and b.tag == "truth":
            return {"op": "same", "a": left, "b": other}
        if b.tag == "thing" and is_many(a) and not (a.tag == "pile" and a.of[1]):
            self.report(
                "T304", scope.origin, node.left, f"`is` compares one thing, but this is {describe(a)}",
                "write `includes` to ask whether it is among them",
            )  # fmt: skip
        elif not (self.fits(have, kind) or self.fits(kind, have)):
            self.never_same(right, scope, a, b)
        if is_number(a) and is_number(b):
            return {"op": "eq", "a": self.number_ir(left, a), "b": self.number_ir(other, b)}
        return {"op": "same", "a": self._plain_thing(left, a), "b": self._plain_thing(other, b)}

    def _in(self, node: t.Binary, scope: Scope) -> Typed:
        right, other = self.expr(node.right, scope)
        b = strip(other)
        left, have = self.expr(node.left, scope, item_of(b) if is_many(b) else None)
        a = strip(have)
        if a.tag == "pile" and a.of[1]:
            left, a = {"op": "content", "of": left}, thing(a.name)
        if a.tag in ("set", "list", "sort", "pile"):
            return self._part_of(self.as_set(left, a), item_of(a), right, b, node, scope)
        return self._lies_in(left, a, right, b, node, scope), TRUTH

    def _part_of(self, left: IR, item: Type, right: IR, b: Type, node: t.Binary, scope: Scope) -> Typed:
        number = scope.unit.new("it")
        test = self._lies_in({"op": "local", "n": number}, item, right, b, node, scope)
        return {"op": "filter", "of": left, "n": number, "test": test}, many(item)

    def _lies_in(self, left: IR, a: Type, right: IR, b: Type, node: t.Binary, scope: Scope) -> IR:
        if b.tag == "any" or a.tag == "any":
            return {"op": "member", "item": left, "of": right}
        if b.tag == "pile":
            if is_number(a) or a.tag in ("text", "truth", "words"):
                self.mismatch(node.left, scope, f"what may be in {describe(b)}", a, thing(b.name))
            return {"op": "lies_in", "thing": left, "pile": right}
        if b.tag in ("set", "list", "sort", "pool"):
            inner = strip(item_of(b))
            if a.tag == "thing" and inner.tag in ("cell", "spot"):
                return {"op": "inside", "thing": left, "where": right}
            if a.tag in ("cell", "spot") and inner.tag == "thing":
                return {"op": "inside_any", "thing": left, "where": self.as_set(right, b)}
            if (a.tag == "thing" and inner.tag == "thing" and not self.related(a.name, inner.name)
                    and self.is_a(inner.name, "Place")):  # fmt: skip
                return {"op": "inside_any", "thing": left, "where": self.as_set(right, b)}
            if not (self.fits(a, inner) or self.fits(inner, a)):
                self.mismatch(node.left, scope, f"what may be in {describe(b)}", a, inner)
            return {"op": "member", "item": left, "of": self.as_set(right, b)}
        if b.tag in ("thing", "cell", "spot"):
            if a.tag not in ("thing", "cell", "spot"):
                self.mismatch(node.left, scope, "what stands somewhere", a, thing("Thing"))
            return {"op": "inside", "thing": left, "where": right}
        self.report("T309", scope.origin, node.right, f"nothing can be in {describe(b)}")
        return {"op": "truth", "v": True}

    def _beside(self, node: t.Binary, scope: Scope) -> Typed:
        right, other = self.expr(node.right, scope)
        left, have = self.expr(node.left, scope)
        a, b = strip(have), strip(other)
        op = "near" if node.op == "near" else "adjacent"
        if b.tag == "pile" and b.of[1]:
            right = {"op": "content", "of": right}
        if a.tag in ("set", "list", "sort", "pile"):
            number = scope.unit.new("it")
            test: IR = {"op": op, "a": {"op": "local", "n": number}, "b": right}
            return {"op": "filter", "of": self.as_set(left, a), "n": number, "test": test}, many(item_of(a))
        return {"op": op, "a": left, "b": right}, TRUTH

    def _within(self, node: t.Within, scope: Scope, want: Type | None) -> Typed:
        right, _ = self.expr(node.right, scope)
        far = self.number(node.distance, scope, "the distance")
        left, have = self.expr(node.left, scope)
        a = strip(have)
        if a.tag in ("set", "list", "sort", "pile"):
            number = scope.unit.new("it")
            test: IR = {"op": "within", "a": {"op": "local", "n": number}, "far": far, "b": right}
            return {"op": "filter", "of": self.as_set(left, a), "n": number, "test": test}, many(item_of(a))
        return {"op": "within", "a": left, "far": far, "b": right}, TRUTH

    def _rotate(self, node: t.Binary, scope: Scope) -> Typed:
        left, kind = self.collection(node.left, scope, f"what stands before `{node.op}`")
        right, _ = self.expr(node.right, scope)
        return {"op": "rotate", "of": left, "from": right, "first": node.op == "starting with"}, many(item_of(kind), "list")

    def _includes(self, node: t.Binary, scope: Scope) -> Typed:
        left, kind = self.collection(node.left, scope, "what stands before `includes`")
        right, other = self.expr(node.right, scope, kind)
        b = strip(other)
        if b.tag == "sort":
            return {"op": "includes", "of": left, "items": {"op": "set", "items": [right]}}, TRUTH
        return {"op": "includes", "of": left, "items": self.as_set(right, b)}, TRUTH

    def _in_span(self, node: t.InSpan, scope: Scope, want: Type | None) -> Typed:
        return {"op": "between", "of": self.number(node.value, scope), "low": self.number(node.low, scope),
                "high": self.number(node.high, scope)}, TRUTH  # fmt: skip

    def _not(self, node: t.Not, scope: Scope, want: Type | None) -> Typed:
        return {"op": "not", "of": self.condition(node.inner, scope)}, TRUTH

    def _pick(self, node: t.Pick, scope: Scope, want: Type | None) -> Typed:
        condition = self.condition(node.condition, scope)
        yes, a = self.expr(node.yes, scope, want)
        no, b = self.expr(node.no, scope, want or a)
        if is_number(strip(a)) and is_number(strip(b)):
            yes, no = self.number_ir(yes, strip(a)), self.number_ir(no, strip(b))
        return {"op": "pick", "if": condition, "yes": yes, "no": no}, self.join_two(a, b)

    def _during(self, node: t.During, scope: Scope, want: Type | None) -> Typed:
        moment = self.moment(node.name, scope)
        ir: IR = {"op": "during", "moment": moment}
        if node.of is not None:
            ir["of"] = self.expr(node.of, scope)[0]
        return ir, TRUTH

    def moment(self, word: t.Word, scope: Scope) -> str:
        """An action or period by name, as the document writes it."""
        if word.text in self.table.periods:
            self.used.add(f"period:{word.text}")
            return f"period:{word.text}"
        actions = self.actions(word.text, scope.chapter) or self.table.verbs.get(word.text, [])
        if actions or word.text in core.VERBS_BY_NAME:
            self.used.add(f"verb:{word.text}")
            return f"verb:{word.text}"
        if word.text not in self.table.broken:
            known = [*self.table.periods, *self.table.verbs, *core.VERBS_BY_NAME]
            self.report(
                "N218", scope.origin, word, f"there is no action or period called `{word.text}`",
                self.suggest(word.text, known),
            )  # fmt: skip
        return f"verb:{word.text}"

    # -------------------------------------------------------------- queries
    def _query(self, node: t.Query, scope: Scope, want: Type | None) -> Typed:
        ir, kind = self._query_set(node, scope, want)
        item = item_of(kind)
        match node.quantifier:
            case None | "all" | "each":
                return ir, kind
            case "any":
                return {"op": "any", "of": ir}, TRUTH
            case "no":
                return {"op": "is_empty", "of": ir}, TRUTH
            case "first":
                return {"op": "first", "of": ir}, optional(item)
            case "last":
                return {"op": "last", "of": ir}, optional(item)
        if scope.pure is not None:
            self.impure(node, scope, "`random` is chance")
        return {"op": "random", "of": ir, "stream": scope.pure or ""}, optional(item)

    def impure(self, node: t.Node, scope: Scope, why: str) -> None:
        """Reports chance, choice or change inside a value."""
        self.report(
            "T307", scope.origin, node, f"{scope.pure} only looks, but {why}",
            "make it an action that gives its result, and read it by `let x = do ...`",
        )  # fmt: skip

    def _query_set(self, node: t.Query, scope: Scope, want: Type | None) -> Typed:
        goal = want if want is not None and is_many(strip(want)) else None
        base, have = self.expr(node.base, scope, goal)
        bare = strip(have)
        if bare.tag == "thing" and node.quantifier in ("any", "no", "first", "all", None):
            ir, kind = {"op": "set", "items": [base], "drop": True}, many(bare)
        elif bare.tag == "truth" and node.quantifier in ("any", "no"):
            self.report(
                "T309", scope.origin, node, f"`{node.quantifier}` needs a set, but this is yes or no",
                "leave the word out, or name a kind",
            )  # fmt: skip
            return {"op": "set", "items": []}, many(ANY)
        elif bare.tag == "any":
            ir, kind = base, many(ANY)
        elif not is_many(bare):
            self.report("T309", scope.origin, node.base, f"a set is needed here, but this is {describe(bare)}")
            return {"op": "set", "items": []}, many(ANY)
        else:
            ir, kind = self.as_set(base, bare), many(item_of(bare), "list" if bare.tag in ("list", "pool") else "set")
            if bare.tag == "pool":
                kind = POOL
        if node.suffixes is None:
            return ir, kind
        return self._suffixes(ir, kind, node.suffixes, scope)

    def _suffixes(self, ir: IR, kind: Type, suffixes: t.Suffixes, scope: Scope) -> Typed:
        item = item_of(kind)
        name = suffixes.named.text if suffixes.named else None
        if suffixes.where is not None:
            inner, number = scope.element(item, name)
            ir = {"op": "filter", "of": ir, "n": number, "test": self.condition(suffixes.where, inner)}
            self.note_where(suffixes.where, number, ir, scope)
        for form, op, keys in (("having", "best", suffixes.having), ("ordered", "sorted", suffixes.ordered)):
            if not keys:
                continue
            inner, number = scope.element(item, name)
            rows: list[Any] = []
            for key in keys:
                if key.value is None:
                    rows.append(["random", None])
                    if scope.pure is not None:
                        self.impure(key, scope, "`random` is chance")
                    continue
                value, key_type = self.expr(key.value, inner)
                bare = strip(key_type)
                if bare.tag == "truth":
                    value = {"op": "as_int", "of": value}
                elif not is_number(bare):
                    self.report("T305", scope.origin, key.value, f"`{key.direction}` needs numbers, but this is {describe(bare)}")
                rows.append([key.direction, self.number_ir(value, bare)])
            ir = {"op": op, "of": ir, "n": number, "keys": rows}
            del form
        if kind.tag == "pool" and not suffixes.ordered:
            return {"op": "as_pool", "of": ir}, POOL
        return ir, many(item, "list" if suffixes.ordered or kind.tag == "list" else "set")

    def note_where(self, node: t.Expr, number: int, ir: IR, scope: Scope) -> None:
        """A hook for the check that a `where` mentions its element."""
        if not mentions(ir["test"], number):
            self.idle_where.append((node, scope.origin))

    idle_where: list[tuple[t.Node, Any]]

    # -------------------------------------------------------------- calls of values
    def _call_value(self, node: t.CallValue, scope: Scope, want: Type | None) -> Typed:
        name = node.name
        if name in scope.names and scope.names[name][1].tag == "effect":
            return self.other_expr(node, scope, want)
        known = self.table.functions.get(name)
        if known:
            visible = [s for s in known if s.origin.chapter in (None, scope.chapter)]
            fitting = [s for s in visible if self._arity(s) == len(node.args)]
            if fitting:
                self.used.add(name)
                return self._call_declared(fitting, node, scope)
            if name not in core.FUNCTIONS:
                return self._wrong_count(node, visible or known, scope)
        function = core.FUNCTIONS.get(name)
        if function is not None:
            return self.core_function(function, node, scope, want)
        if name in self.table.broken:
            return {"op": "none"}, ANY
        hint = self.suggest(name, [*self.table.functions, *core.FUNCTIONS])
        if name in self.table.names:
            hint = f"`{name}` takes no arguments: write it without parentheses"
        elif not hint and name in self.table.verbs:
            hint = f"`{name}` is an action: it is written as a verb, `{name} ...`, where something is done"
        word = t.Word(node.start, node.start + len(name), name)
        self.report("N205", scope.origin, word, f"there is no value called `{name}`", hint, fix=_fix(hint))
        for arg in node.args:
            self.expr(arg, scope)
        return {"op": "none"}, ANY

    def _arity(self, symbol: ValueSymbol | TableSymbol) -> int:
        return len(symbol.decl.params) + (1 if isinstance(symbol, TableSymbol) else 0)

    def _wrong_count(self, node: t.CallValue, known: Sequence[ValueSymbol | TableSymbol], scope: Scope) -> Typed:
        count = self._arity(known[0])
        self.report(
            "T302", scope.origin, node, takes(f"`{node.name}`", count, len(node.args)), labels=[self.label(known[0], "declared here")],
        )  # fmt: skip
        return {"op": "none"}, self.value_type(known[0]) if isinstance(known[0], ValueSymbol) else ANY

    def _call_declared(self, known: list[ValueSymbol | TableSymbol], node: t.CallValue, scope: Scope) -> Typed:
        if isinstance(known[0], TableSymbol):
            return self._look_up_table(known[0], node, scope)
        values = [s for s in known if isinstance(s, ValueSymbol)]
        if len(values) == 1:
            return self._value_call(values[0], node, scope)
        given = [self.expr(arg, scope) for arg in node.args]
        return self._told_apart(values, given, node, scope)

    def _value_call(self, symbol: ValueSymbol, node: t.CallValue, scope: Scope) -> Typed:
        args = [
            self.typed(arg, scope, kind, f"`{name}`")
            for arg, (name, kind) in zip(node.args, self.value_params(symbol), strict=True)
        ]
        return {"op": "value", "id": symbol.id, "args": args}, self.value_type(symbol)

    def _told_apart(
        self, values: list[ValueSymbol], given: list[Typed], node: t.CallValue, scope: Scope
    ) -> Typed:
        """The value for the narrowest kinds; what only play can tell is asked in play."""
        fitting = [
            v for v in values if all(self.fits(g, k) for (_, g), (_, k) in zip(given, self.value_params(v), strict=True))
        ]
        ordered = sorted(fitting, key=lambda v: sum(self._narrower(other, v) for other in fitting))
        arms: list[tuple[IR | None, Typed]] = []
        for value in ordered or values[:1]:
            test: IR | None = None
            for (ir, have), (_, want) in zip(given, self.value_params(value), strict=True):
                have, want = strip(have), strip(want)
                if want.tag == "thing" and have.tag == "thing" and not self.is_a(have.name, want.name):
                    asked: IR = {"op": "is_kind", "of": ir, "kind": want.name}
                    test = asked if test is None else {"op": "and", "a": test, "b": asked}
            arms.append((test, self._value_call(value, node, scope)))
            if test is None:
                break
        made, kind = arms[-1][1]
        for test, (value_ir, _) in reversed(arms[:-1]):
            assert test is not None
            made = {"op": "pick", "if": test, "yes": value_ir, "no": made}
        return made, kind

    def _narrower(self, one: ValueSymbol, other: ValueSymbol) -> bool:
        """Whether one value takes narrower kinds than another."""
        pairs = list(zip(self.value_params(one), self.value_params(other), strict=True))
        return one is not other and all(
            self.is_a(strip(a).name, strip(b).name) if strip(a).tag == strip(b).tag == "thing" else self.fits(a, b)
            for (_, a), (_, b) in pairs
        )

    def _look_up_table(self, symbol: TableSymbol, node: t.CallValue, scope: Scope) -> Typed:
        result = self.table_type(symbol)
        key_type = self.table_key(symbol)
        args = [self.typed(node.args[0], scope, key_type, "what is looked up")]
        for arg, param in zip(node.args[1:], symbol.decl.params, strict=True):
            args.append(self.typed(arg, scope, self.read_type(param.type, symbol.origin), f"`{param.name.text}`"))
        return {"op": "table", "id": symbol.name, "args": args}, result

    def table_type(self, symbol: TableSymbol) -> Type:
        """What a table gives."""
        raise NotImplementedError

    def table_key(self, symbol: TableSymbol) -> Type:
        """What a table is asked with."""
        raise NotImplementedError

    def core_function(self, function: core.CoreFunction, node: t.CallValue, scope: Scope, want: Type | None) -> Typed:
        """A call of a function that the core gives."""
        name = function.name
        if not function.least <= len(node.args) <= function.most:
            span = str(function.least) if function.least == function.most else f"{function.least} to {function.most}"
            wanted = function.least if function.least == function.most else span
            self.report("T302", scope.origin, node, takes(f"`{name}`", wanted, len(node.args)))
            return {"op": "none"}, ANY
        if name in ("count", "total", "highest", "lowest"):
            return self._aggregate(name, node, scope)
        if name == "base":
            ir, kind = self.expr(node.args[0], scope, want)
            return {"op": "base", "of": ir}, kind
        if name in ("shuffled", "copy") and scope.pure is not None:
            self.impure(node, scope, f"`{name}` is {'chance' if name == 'shuffled' else 'a change'}")
        if name == "tokens":
            token, token_type = self.expr(node.args[0], scope, TOKEN)
            if strip(token_type).tag not in ("token", "any"):
                self.mismatch(node.args[0], scope, "the first argument", token_type, TOKEN)
            where, _ = self.expr(node.args[1], scope)
            return {"op": "tokens_at", "token": token, "where": where}, INT
        if name in ("least", "greatest", "min", "max"):
            return {"op": "least" if name in ("least", "min") else "greatest",
                    "items": [self.number(a, scope) for a in node.args]}, INT  # fmt: skip
        wants: list[Type | None] = [None] * len(node.args)
        if name in ("joint", "marked", "fits"):
            wants[-1] = MARK
        if name in ("steps", "along", "reach", "distance") and len(node.args) >= 3:
            wants[-1] = WAY
        args: list[IR] = []
        kinds: list[Type] = []
        for arg, goal in zip(node.args, wants, strict=True):
            if goal is MARK and isinstance(arg, t.Name) and arg.name not in scope.names:
                ir, kind = {"op": "mark", "v": arg.name}, MARK
            else:
                ir, kind = self.expr(arg, scope, goal)
            bare = strip(kind)
            args.append(ir)
            kinds.append(bare)
        return {"op": "core", "fn": name, "args": args}, self._core_result(function, kinds, args)

    def _core_result(self, function: core.CoreFunction, kinds: list[Type], args: list[IR]) -> Type:
        first = kinds[0]
        item = item_of(first) if is_many(first) else first
        place = thing(self.place_kind())
        match function.result:
            case "int":
                return INT
            case "int or none":
                return optional(INT)
            case "truth":
                return TRUTH
            case "same":
                return many(item, "list")
            case "self":
                return optional(first) if first.tag == "thing" else first
            case "item":
                return optional(item)
            case "item set":
                return many(item)
            case "pairs":
                return many(Type("two", "", (item, item_of(kinds[1]))), "list")
            case "cells":
                return many(CELL)
            case "cell":
                return CELL
            case "cell or none":
                return optional(CELL)
            case "pieces":
                return many(thing("Piece"))
            case "joint":
                return optional(thing("Joint"))
            case "spots":
                return many(place) if first.tag == "token" else many(Type("spot"))
            case "direction":
                return optional(thing("Direction"))
            case "steps":
                return optional(INT) if len(kinds) == 3 else many(place)
            case "along":
                return optional(place)
            case "page":
                return optional(thing("Thing"))
            case "border":
                return Type("border")
        return ANY

    def _aggregate(self, name: str, node: t.CallValue, scope: Scope) -> Typed:
        ir, kind = self.collection(node.args[0], scope, f"what `{name}` looks at")
        item = strip(item_of(kind))
        if len(node.args) == 2:
            inner, number = scope.element(item)
            body = self.number(node.args[1], inner, f"what `{name}` looks at")
            ir = {"op": "each", "of": ir, "n": number, "body": body}
        elif name != "count":
            if item.tag == "die":
                ir = {"op": "each_die", "of": ir}
            elif not is_number(item):
                self.report(
                    "T305", scope.origin, node.args[0], f"`{name}` needs numbers, but this is {describe(strip(kind))}",
                    f"write `{name}(set, it.field)` or `{name}(set.field)`",
                )  # fmt: skip
        if name == "count":
            return {"op": "count", "of": ir}, INT
        return {"op": name, "of": ir}, INT if name == "total" else optional(INT)

    def _trait_value(self, node: t.TraitValue, scope: Scope, want: Type | None) -> Typed:
        ir = self.trait_use(node.name, node.args, node, scope)
        return ir, TRAIT

    def trait_use(self, name: str, args: Sequence[t.Expr], node: t.Node, scope: Scope) -> IR:
        """A trait with its arguments, which stay code."""
        symbol = self.table.kinds.get(name)
        if not isinstance(symbol, TraitSymbol):
            if name not in self.table.broken:
                traits = [n for n, s in self.table.kinds.items() if isinstance(s, TraitSymbol)]
                self.report("N206", scope.origin, node, f"there is no trait `{name}`", self.suggest(name, traits))
            return {"op": "trait", "id": name, "args": []}
        self.used.add(name)
        types = [self.read_type(p.type, symbol.origin) for p in symbol.params]
        if types and types[-1].tag in ("list", "set") and len(args) > len(types):
            packed = t.Braces(args[len(types) - 1].start, args[-1].end, list(args[len(types) - 1 :]))
            args = [*args[: len(types) - 1], packed]
        elif types and types[-1].tag in ("list", "set") and len(args) == len(types) and isinstance(args[-1], t.Name):
            args = [*args[:-1], args[-1]]
        if len(args) != len(types):
            self.report(
                "T302", scope.origin, node, takes(f"`{name}`", len(types), len(args)),
                labels=[self.label(symbol, "declared here")],
            )  # fmt: skip
            return {"op": "trait", "id": name, "args": []}
        made = [
            self.typed(arg, scope, kind, f"`{param.name.text}`")
            for arg, kind, param in zip(args, types, symbol.params, strict=True)
        ]
        return {"op": "trait", "id": name, "args": made}

    def _new(self, node: t.New, scope: Scope, want: Type | None) -> Typed:
        self.need_form(t.Word(node.start, node.end, node.kind), scope.origin, KindSymbol)
        if scope.pure is not None:
            self.impure(node, scope, "`new` makes a thing")
        return {"op": "new", "kind": node.kind}, thing(node.kind)

    def _agreed(self, node: t.Agreed, scope: Scope, want: Type | None) -> Typed:
        if scope.pure is not None:
            self.impure(node, scope, "`agreed` asks somebody")
        return {"op": "agreed", "text": self.text(node.text, scope), "by": self.decider(node.by, scope)}, TRUTH

    def _entry_pair(self, node: t.EntryPair, scope: Scope, want: Type | None) -> Typed:
        key = t.Name(node.key.start, node.key.end, node.key.text)
        return self._map_literal([(key, node.amount)], scope, strip(want) if want else None)

    def ask(self, node: t.Ask, scope: Scope, want: Type | None) -> Typed:
        """`possible(...)` and its sisters."""
        raise NotImplementedError

    def _ask(self, node: t.Ask, scope: Scope, want: Type | None) -> Typed:
        return self.ask(node, scope, want)

    _handlers: dict[type[Any], Callable[[Any, Any, Scope, Type | None], Typed]] = {}


Expressions._handlers = {
    t.Name: Expressions._name,
    t.Capital: Expressions._capital,
    t.Number: Expressions._number_lit,
    t.Target: Expressions._target,
    t.Dice: Expressions._dice,
    t.Size: Expressions._size,
    t.Text: Expressions._text,
    t.Truth: Expressions._truth,
    t.Nothing: Expressions._none,
    t.Group: Expressions._group,
    t.Braces: Expressions._braces,
    t.EntryPair: Expressions._entry_pair,
    t.Dot: Expressions._dot,
    t.Of: Expressions._of,
    t.Index: Expressions._index,
    t.Binary: Expressions._binary,
    t.Within: Expressions._within,
    t.InSpan: Expressions._in_span,
    t.Not: Expressions._not,
    t.Pick: Expressions._pick,
    t.During: Expressions._during,
    t.Query: Expressions._query,
    t.CallValue: Expressions._call_value,
    t.TraitValue: Expressions._trait_value,
    t.New: Expressions._new,
    t.Agreed: Expressions._agreed,
    t.Ask: Expressions._ask,
}


def mentions(ir: Any, number: int) -> bool:
    """Whether a piece of code reads a local."""
    stack = [ir]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "local" and item.get("n") == number:
                return True
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return False


def _fix(hint: str) -> str | None:
    found = re.fullmatch(r"did you mean `(.+)`\?", hint)
    return found[1] if found else None


def _plain(value: Any, work: Expressions) -> Any:
    if isinstance(value, tuple):
        return [_plain(x, work) for x in value]
    return work.type_ir(value) if isinstance(value, Type) else value


def _first_face(decl: t.DieDecl) -> Any:
    for item in decl.items:
        if isinstance(item, t.FieldValue) and item.path[0].text == "faces":
            body = item.body[0]
            return body.items[0] if isinstance(body, t.Elements) else body
    return None


__all__ = ["DIE", "IR", "Expressions", "Scope", "Typed", "mentions"]
