"""Calls of values, tables and functions of the core."""

from __future__ import annotations

from collections.abc import Sequence

from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_numbers,
    as_set,
)
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler, Expressions
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.name_resolution import fix_of
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.message_phrases import takes
from talewright.compiler.symbols import core
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import KindSymbol, TableSymbol, TraitSymbol, ValueSymbol
from talewright.compiler.types.model import (
    ANY,
    CELL,
    INT,
    MARK,
    TOKEN,
    TRAIT,
    TRUTH,
    WAY,
    Type,
    describe,
    is_dice_number,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    strip,
    thing,
)
from talewright.dsl.tree import nodes as t


class FunctionCalls:
    """Lowers calls of values, tables and functions, traits as values, `new` and `agreed`."""

    def __init__(
        self, work: FactRecorder, types: DefinitionTypes, expressions: Expressions, literals: Literals
    ) -> None:
        self.work = work
        self.types = types
        self.expressions = expressions
        self.literals = literals

    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.CallValue: self._call_value,
            t.TraitValue: self._trait_value,
            t.New: self._new,
            t.Agreed: self._agreed,
        }

    def _call_value(self, node: t.CallValue, scope: Scope, want: Type | None) -> Typed:
        name = node.name
        if name in scope.names and scope.names[name][1].tag == "effect":
            return self.expressions.other_expr(node, scope, want)
        known = self.work.table.functions.get(name)
        if known:
            visible = [s for s in known if s.origin.chapter in (None, scope.chapter)]
            fitting = [s for s in visible if self._arity(s) == len(node.args)]
            if fitting:
                self.work.used.add(name)
                return self._call_declared(fitting, node, scope)
            if name not in core.FUNCTIONS:
                return self._wrong_count(node, visible or known, scope)
        function = core.FUNCTIONS.get(name)
        if function is not None:
            return self.core_function(function, node, scope, want)
        if name in self.work.table.broken:
            return {"op": "none"}, ANY
        hint = self.work.suggest(name, [*self.work.table.functions, *core.FUNCTIONS])
        if name in self.work.table.names:
            hint = f"`{name}` takes no arguments: write it without parentheses"
        elif not hint and name in self.work.table.verbs:
            hint = f"`{name}` is an action: it is written as a verb, `{name} ...`, where something is done"
        word = t.Word(node.start, node.start + len(name), name)
        self.work.report(
            "N205", scope.origin, word, f"there is no value called `{name}`", hint, fix=fix_of(hint)
        )
        for arg in node.args:
            self.expressions.expr(arg, scope)
        return {"op": "none"}, ANY

    def _arity(self, symbol: ValueSymbol | TableSymbol) -> int:
        return len(symbol.decl.params) + (1 if isinstance(symbol, TableSymbol) else 0)

    def _wrong_count(
        self, node: t.CallValue, known: Sequence[ValueSymbol | TableSymbol], scope: Scope
    ) -> Typed:
        count = self._arity(known[0])
        self.work.report(
            "T302",
            scope.origin,
            node,
            takes(f"`{node.name}`", count, len(node.args)),
            labels=[self.work.label(known[0], "declared here")],
        )
        return {"op": "none"}, self.types.value_type(known[0]) if isinstance(known[0], ValueSymbol) else ANY

    def _call_declared(
        self, known: list[ValueSymbol | TableSymbol], node: t.CallValue, scope: Scope
    ) -> Typed:
        if isinstance(known[0], TableSymbol):
            return self._look_up_table(known[0], node, scope)
        values = [s for s in known if isinstance(s, ValueSymbol)]
        if len(values) == 1:
            return self._value_call(values[0], node, scope)
        given = [self.expressions.expr(arg, scope) for arg in node.args]
        return self._told_apart(values, given, node, scope)

    def _value_call(self, symbol: ValueSymbol, node: t.CallValue, scope: Scope) -> Typed:
        args = [
            self.expressions.typed(arg, scope, kind, f"`{name}`")
            for arg, (name, kind) in zip(node.args, self.types.value_params(symbol), strict=True)
        ]
        return {"op": "value", "id": symbol.id, "args": args}, self.types.value_type(symbol)

    def _told_apart(
        self, values: list[ValueSymbol], given: list[Typed], node: t.CallValue, scope: Scope
    ) -> Typed:
        """Resolves an overload by the narrowest kinds; where the kinds are known only in play, a test is added."""
        fitting = [
            v
            for v in values
            if all(
                self.work.fits(g, k) for (_, g), (_, k) in zip(given, self.types.value_params(v), strict=True)
            )
        ]
        ordered = sorted(fitting, key=lambda v: sum(self._narrower(other, v) for other in fitting))
        arms: list[tuple[IR | None, Typed]] = []
        for value in ordered or values[:1]:
            test: IR | None = None
            for (ir, have), (_, want) in zip(given, self.types.value_params(value), strict=True):
                have, want = strip(have), strip(want)
                if want.tag == "thing" and have.tag == "thing" and not self.work.is_a(have.name, want.name):
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
        pairs = list(zip(self.types.value_params(one), self.types.value_params(other), strict=True))
        return one is not other and all(
            self.work.is_a(strip(a).name, strip(b).name)
            if strip(a).tag == strip(b).tag == "thing"
            else self.work.fits(a, b)
            for (_, a), (_, b) in pairs
        )

    def _look_up_table(self, symbol: TableSymbol, node: t.CallValue, scope: Scope) -> Typed:
        result = self.types.table_type(symbol)
        key_type = self.types.table_key(symbol)
        args = [self.expressions.typed(node.args[0], scope, key_type, "what is looked up")]
        for arg, param in zip(node.args[1:], symbol.decl.params, strict=True):
            args.append(
                self.expressions.typed(
                    arg, scope, self.work.read_type(param.type, symbol.origin), f"`{param.name.text}`"
                )
            )
        return {"op": "table", "id": symbol.name, "args": args}, result

    def core_function(
        self, function: core.CoreFunction, node: t.CallValue, scope: Scope, want: Type | None
    ) -> Typed:
        """A call of a function that the core gives."""
        name = function.name
        if not function.least <= len(node.args) <= function.most:
            span = (
                str(function.least)
                if function.least == function.most
                else f"{function.least} to {function.most}"
            )
            wanted = function.least if function.least == function.most else span
            self.work.report("T302", scope.origin, node, takes(f"`{name}`", wanted, len(node.args)))
            return {"op": "none"}, ANY
        if name in ("count", "total", "highest", "lowest"):
            return self._aggregate(name, node, scope)
        if name == "base":
            ir, kind = self.expressions.expr(node.args[0], scope, want)
            return {"op": "base", "of": ir}, kind
        if name in ("shuffled", "copy") and scope.pure is not None:
            self.work.impure(node, scope, f"`{name}` is {'chance' if name == 'shuffled' else 'a change'}")
        if name == "tokens":
            token, token_type = self.expressions.expr(node.args[0], scope, TOKEN)
            if strip(token_type).tag not in ("token", "any"):
                self.expressions.mismatch(node.args[0], scope, "the first argument", token_type, TOKEN)
            where, _ = self.expressions.expr(node.args[1], scope)
            return {"op": "tokens_at", "token": token, "where": where}, INT
        if name in ("least", "greatest", "min", "max"):
            return {"op": "least" if name in ("least", "min") else "greatest",
                    "items": [self.expressions.number(a, scope) for a in node.args]}, INT  # fmt: skip
        wants: list[Type | None] = [None] * len(node.args)
        if name in ("joint", "marked", "fits"):
            wants[-1] = MARK
        if name in ("steps", "along", "roads", "reach", "distance") and len(node.args) >= 3:
            wants[-1] = WAY
        args: list[IR] = []
        kinds: list[Type] = []
        for arg, goal in zip(node.args, wants, strict=True):
            if goal is MARK and isinstance(arg, t.Name) and arg.name not in scope.names:
                ir, kind = {"op": "mark", "v": arg.name}, MARK
            else:
                ir, kind = self.expressions.as_written(arg, scope, goal)
            bare = strip(kind)
            if name == "distinct" and is_many(bare) and is_dice_number(strip(item_of(bare))):
                ir, bare = as_numbers(as_set(ir, bare), bare), many(INT, "list")
            elif is_dice_number(bare) and name not in ("pairs", "shuffled"):
                ir, bare = as_number(ir, bare), INT
            args.append(ir)
            kinds.append(bare)
        if name == "rolled" and is_number(kinds[0]) and kinds[0].tag != "any":
            return args[0], INT
        return {"op": "core", "fn": name, "args": args}, self._core_result(function, kinds, args)

    def _core_result(self, function: core.CoreFunction, kinds: list[Type], args: list[IR]) -> Type:
        first = kinds[0]
        item = item_of(first) if is_many(first) else first
        place = thing(self.work.place_kind())
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
            case "roads":
                return many(place)
            case "page":
                return optional(thing("Thing"))
            case "all pages":
                return many(thing("Thing"), "list")
            case "border":
                return Type("border")
        return ANY

    def _aggregate(self, name: str, node: t.CallValue, scope: Scope) -> Typed:
        ir, kind = self.expressions.collection(
            node.args[0], scope, f"what `{name}` looks at", name == "total"
        )
        item = strip(item_of(kind))
        if len(node.args) == 2:
            inner, number = scope.element(item)
            body = self.expressions.number(node.args[1], inner, f"what `{name}` looks at")
            ir = {"op": "each", "of": ir, "n": number, "body": body}
        elif name != "count":
            ir = as_numbers(ir, kind)
            if not is_number(item):
                self.work.report(
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
        symbol = self.work.table.kinds.get(name)
        if not isinstance(symbol, TraitSymbol):
            if name not in self.work.table.broken:
                traits = [n for n, s in self.work.table.kinds.items() if isinstance(s, TraitSymbol)]
                self.work.report(
                    "N206", scope.origin, node, f"there is no trait `{name}`", self.work.suggest(name, traits)
                )
            return {"op": "trait", "id": name, "args": []}
        self.work.used.add(name)
        types = [self.work.read_type(p.type, symbol.origin) for p in symbol.params]
        if types and types[-1].tag in ("list", "set") and len(args) > len(types):
            packed = t.Braces(args[len(types) - 1].start, args[-1].end, list(args[len(types) - 1 :]))
            args = [*args[: len(types) - 1], packed]
        elif (
            types
            and types[-1].tag in ("list", "set")
            and len(args) == len(types)
            and isinstance(args[-1], t.Name)
        ):
            args = [*args[:-1], args[-1]]
        if len(args) != len(types):
            self.work.report(
                "T302", scope.origin, node, takes(f"`{name}`", len(types), len(args)),
                labels=[self.work.label(symbol, "declared here")],
            )  # fmt: skip
            return {"op": "trait", "id": name, "args": []}
        made = [
            self.expressions.typed(arg, scope, kind, f"`{param.name.text}`")
            for arg, kind, param in zip(args, types, symbol.params, strict=True)
        ]
        return {"op": "trait", "id": name, "args": made}

    def _new(self, node: t.New, scope: Scope, want: Type | None) -> Typed:
        self.work.need_form(t.Word(node.start, node.end, node.kind), scope.origin, KindSymbol)
        if scope.pure is not None:
            self.work.impure(node, scope, "`new` makes a thing")
        return {"op": "new", "kind": node.kind}, thing(node.kind)

    def _agreed(self, node: t.Agreed, scope: Scope, want: Type | None) -> Typed:
        if scope.pure is not None:
            self.work.impure(node, scope, "`agreed` asks somebody")
        return {
            "op": "agreed",
            "text": self.literals.text(node.text, scope),
            "by": self.expressions.decider(node.by, scope),
        }, TRUTH
