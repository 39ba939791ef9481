"""Calls: which action a verb and its prepositions mean, and what goes into its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.branches import Branches
from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_numbers,
    as_set,
    convert,
    one_die,
)
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler, Expressions
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.expressions.queries import Queries
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.message_phrases import PARTS, listed, takes
from talewright.compiler.symbols import core
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    DieSymbol,
    KindSymbol,
    ParamSymbol,
    ThingSymbol,
    TraitSymbol,
)
from talewright.compiler.types.model import (
    ANY,
    EFFECT,
    INT,
    MARK,
    NOTHING,
    POOL,
    TEXT,
    TRUTH,
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

# Statements that are not actions, and words of other languages for them.
SAID = ("give", "stop", "say")
ELSEWHERE = {
    "return": "give ...", "goto": "go to ...", "jump": "go to ...", "break": "stop", "exit": "stop",
    "print": "say ...", "echo": "say ...", "write": "say ...", "tell": "say ...", "log": "say ...", "var": "let ... = ...",
    "increase": "NAME + 1", "increment": "NAME + 1", "decrease": "NAME - 1", "decrement": "NAME - 1",
    "foreach": "for each ... in ...:", "loop": "repeat:", "goes": "go to ...",
}  # fmt: skip


class ActionCalls:
    """Resolves calls, of declared actions first and then of the core's verbs."""

    def __init__(
        self,
        work: FactRecorder,
        types: DefinitionTypes,
        expressions: Expressions,
        names: Names,
        queries: Queries,
        blocks: Blocks,
        branches: Branches,
    ) -> None:
        self.work = work
        self.types = types
        self.expressions = expressions
        self.names = names
        self.queries = queries
        self.blocks = blocks
        self.branches = branches

    # -------------------------------------------------------------- signatures
    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.Ask: self.ask,
        }

    def admits(
        self, symbol: ActionSymbol, given: set[str], partial: bool = False, block: bool = False
    ) -> bool:
        """Whether a call with these parts can mean the action."""
        params = {p.preposition: p for p in self.types.action_params(symbol)}
        if not given <= params.keys():
            return False
        if partial:
            return True
        missing = [p for k, p in params.items() if k not in given and p.default is None]
        if block:
            missing = [p for p in missing if p.type.tag != "effect"]
        return not missing

    # -------------------------------------------------------------- a call
    def call(
        self, node: t.Call, scope: Scope, block: list[t.Stmt] | None = None, partial: bool = False
    ) -> Typed:
        """A call as code, and the type of its result."""
        verb = node.verb.text
        given = {preposition for preposition, _ in node.parts}
        if node.first is not None:
            given.add("")
        actions = self.work.actions(verb, scope.chapter)
        if not actions and scope.lenient:
            actions = self.work.table.verbs.get(verb, [])
        if node.token is None:
            for symbol in actions:
                if self.admits(symbol, given, partial, block is not None):
                    return self._declared(symbol, node, scope, block, partial)
        core_verb = self._core_verb(verb, given, node.token is not None, partial)
        if core_verb is not None:
            ir, result = self._core_call(core_verb, node, scope)
            return (
                (ir, result)
                if block is None
                else (self.branches.branch(ir, result, block, scope, node), NOTHING)
            )
        self._no_such_call(node, actions, given, scope)
        for expr in (node.first, *(value for _, value in node.parts)):
            if expr is not None and not isinstance(expr, t.Name):
                self.expressions.expr(expr, scope)
        return {"op": "nothing"}, ANY

    def _no_such_call(
        self, node: t.Call, actions: Sequence[ActionSymbol], given: set[str], scope: Scope
    ) -> None:
        verb = node.verb.text
        if verb in self.work.table.broken:
            return
        known = [self.usage(symbol) for symbol in actions]
        known += [_core_usage(v) for v in core.VERBS_BY_NAME.get(verb, ())]
        if known:
            forms = [({p.preposition for p in self.types.action_params(a)}, {p.preposition for p in self.types.action_params(a)
                      if p.default is None}) for a in actions]  # fmt: skip
            forms += [_core_parts(v) for v in core.VERBS_BY_NAME.get(verb, ())]
            self.work.report(
                "N210", scope.origin, node.verb, _wrong_parts(verb, given, forms),
                "write " + " or ".join(f"`{usage}`" for usage in known[:3]),
            )  # fmt: skip
            return
        here = ELSEWHERE.get(verb)
        hint = (
            f"write `{here}`"
            if here
            else self.work.suggest(verb, [*self.work.table.verbs, *core.VERBS_BY_NAME, *SAID])
        )
        self.work.report(
            "N202",
            scope.origin,
            node.verb,
            f"there is no action `{verb}`",
            hint or f"declare it: `action {verb} ...:`",
        )

    def usage(self, symbol: ActionSymbol) -> str:
        parts = [symbol.name]
        for param in self.types.action_params(symbol):
            words = f"{param.preposition} {param.name}".strip()
            parts.append(f"[{words}]" if param.default is not None else words)
        return " ".join(parts)

    def _declared(
        self, symbol: ActionSymbol, node: t.Call, scope: Scope, block: list[t.Stmt] | None, partial: bool
    ) -> Typed:
        self.work.used.add(symbol.id)
        if scope.pure is not None:
            self.work.impure(node, scope, f"`{symbol.name}` is an action")
        given: dict[str, t.Expr] = {}
        if node.first is not None:
            given[""] = node.first
        for preposition, value in node.parts:
            if preposition in given:
                self.work.report("N210", scope.origin, value, f"`{preposition}` stands twice in this call")
            given[preposition] = value
        args: list[IR | None] = []
        each: list[tuple[int, IR]] = []
        block_used = False
        for param in self.types.action_params(symbol):
            value_node = given.get(param.preposition)
            if value_node is None:
                if block is not None and param.type.tag == "effect" and not block_used:
                    args.append(self.block_argument(block, scope, param.type))
                    block_used = True
                else:
                    args.append(None)
                continue
            args.append(self.argument(value_node, param, scope, each, partial))
        self.check_no_until(node, scope)
        ir: IR = {"op": "call", "action": symbol.id, "args": args, "at": self.work.at(node, scope)}
        for number, source in reversed(each):
            ir = {"op": "for_each", "of": source, "n": number, "body": [ir], "at": self.work.at(node, scope)}
        result = self.types.action_type(symbol)
        if block is not None and not block_used:
            return self.branches.branch(ir, result, block, scope, node), NOTHING
        return ir, result

    def check_no_until(self, node: t.Call, scope: Scope) -> None:
        """`until` belongs to `draw` and `roll` only."""
        if node.until is not None:
            self.work.report("N210", scope.origin, node.until, "`until` can follow only `draw` and `roll`")

    def argument(
        self, node: t.Expr, param: ParamSymbol, scope: Scope, each: list[tuple[int, IR]], partial: bool
    ) -> IR:
        """One argument; `each` turns the call into a loop."""
        what = f"`{param.name}`"
        if isinstance(node, t.Name) and node.name == "_" and "_" not in scope.names:
            return {"op": "anything"}
        if isinstance(node, t.Query) and node.quantifier == "each":
            ir, kind = self.queries.query(node, scope, None)
            item = item_of(strip(kind))
            number = scope.unit.new("each", item)
            each.append((number, ir))
            return self.expressions.coerce({"op": "local", "n": number}, item, param.type, node, scope, what)
        if partial and isinstance(node, t.Capital) and strip(param.type).tag == "thing":
            symbol = self.work.table.kinds.get(node.name)
            if isinstance(symbol, (KindSymbol, TraitSymbol)):
                self.work.used.add(node.name)
                return {"op": "any_of", "kind": node.name}
        if strip(param.type).tag == "effect" and isinstance(node, t.Name) and node.name not in scope.names:
            return {"op": "block", "body": self.blocks.statements([node], scope.inner())}
        if strip(param.type).tag in ("set", "list", "pile"):
            ir, kind = self.expressions.expr(node, scope, param.type)
            return self.expressions.coerce(ir, kind, param.type, node, scope, what)
        if scope.unbound is not None and isinstance(node, t.Name):
            return self.expressions.typed(node, scope, param.type, what)
        inner = scope
        if scope.unbound is not None:
            inner = scope.inner()
            inner.unbound = None
        return self.expressions.typed(node, inner, param.type, what)

    def block_argument(self, block: list[t.Stmt], scope: Scope, kind: Type) -> IR:
        """A block handed to an action as its effect."""
        inner = scope.inner()
        inner.pure = None
        params = [inner.bind(name, param) for name, param in kind.of]
        made: IR = {"op": "block", "body": self.blocks.statements(block, inner, head=True)}
        if params:
            made["params"] = params
        return made

    # -------------------------------------------------------------- the core's verbs
    def _core_verb(self, verb: str, given: set[str], token: bool, partial: bool) -> core.CoreVerb | None:
        """The verb that takes these parts; if only some need to be said, one of which all needed parts are said comes first."""
        if partial:
            whole = self._core_verb(verb, given, token, partial=False)
            if whole is not None:
                return whole
        candidates = core.VERBS_BY_NAME.get(verb, ())
        for candidate in (
            sorted(candidates, key=lambda c: c.first.startswith("int")) if partial else candidates
        ):
            if candidate.token != token:
                continue
            parts = dict(candidate.parts)
            names = given - {""}
            if not names <= parts.keys():
                continue
            if partial:
                return candidate
            required = {p for p, what in parts.items() if not what.endswith("?")}
            if not required <= names:
                continue
            if candidate.first == "" and "" in given:
                continue
            # `draw` alone has a meaning without an argument. Other verbs may omit theirs only in patterns of rules.
            if candidate.first and candidate.first != "int?" and "" not in given:
                continue
            return candidate
        return None

    def _core_call(self, verb: core.CoreVerb, node: t.Call, scope: Scope) -> Typed:
        if scope.pure is not None and verb.id not in ("match",):
            self.work.impure(node, scope, f"`{verb.verb}` changes something")
        if verb.id == "draw" and node.first is not None and not any(p == "from" for p, _ in node.parts):
            self.work.report("N210", scope.origin, node, "say where from: `draw n from pile`")
        self.work.used.add(f"core:{verb.id}")
        args: IR = {}
        each: list[tuple[int, IR]] = []
        kinds: dict[str, Type] = {}
        parts = dict(verb.parts)
        if node.first is not None:
            if verb.id == "move" and self._is_count(node.first, scope):
                return self._core_call_again(node, scope)
            from_list = verb.id == "remove" and any(preposition == "from" for preposition, _ in node.parts)
            what = "members" if from_list else verb.first
            args["first"], kinds["first"] = self._core_part(verb, "", node.first, what, scope, each)
        if node.token is not None:
            args["token"] = self.names.token_ir(node.token, scope)
        for preposition, value in node.parts:
            what = parts[preposition]
            args[preposition], kinds[preposition] = self._core_part(
                verb, preposition, value, what, scope, each
            )
        if (
            verb.id == "roll"
            and "from" not in kinds
            and "first" in kinds
            and not is_dice_number(strip(kinds["first"]))
        ):
            args["first"] = convert(args["first"], strip(kinds["first"]), POOL)
        if verb.id == "remove" and strip(kinds.get("from", ANY)).tag == "pile" and node.first is not None:
            self._must_be_thing(node.first, strip(kinds["first"]), scope, "what `remove` is told")
        if verb.id in ("add", "remove") and len(kinds) == 2:
            self._as_member(args, kinds, "to" if verb.id == "add" else "from")
        result = self._core_result_type(verb, node, kinds, scope)
        ir: IR = {"op": "core_call", "verb": verb.id, "args": args, "at": self.work.at(node, scope)}
        if node.until is not None:
            ir["until"], ir["n"] = self._until(verb, node.until, result, kinds, scope)
        if any(is_many(strip(k)) and not _single_slot(k) for name, k in kinds.items() if name == "first"):
            ir["many"] = True
        for number, source in reversed(each):
            ir = {"op": "for_each", "of": source, "n": number, "body": [ir], "at": self.work.at(node, scope)}
        return ir, result

    def _as_member(self, args: IR, kinds: dict[str, Type], preposition: str) -> None:
        """Converts dice or a roll that are added to a list of numbers, or removed from it, to numbers."""
        given, into = strip(kinds["first"]), strip(kinds[preposition])
        if given.tag == "any" or into.tag not in ("list", "set"):
            return
        item = strip(item_of(into))
        if given.tag in ("list", "set"):
            if is_number(item) and not is_dice_number(item):
                args["first"] = as_numbers(args["first"], given)
            return
        if (given.tag == "pool" or (is_number(item) and item.tag != "any")) and not is_dice_number(item):
            args["first"], kinds["first"] = as_number(args["first"], given), INT

    def _is_count(self, node: t.Expr, scope: Scope) -> bool:
        return isinstance(node, t.Number)

    def _core_call_again(self, node: t.Call, scope: Scope) -> Typed:
        self.work.report("N210", scope.origin, node, "say where from: `move 3 from deck to hand`")
        return {"op": "nothing"}, NOTHING

    def _core_part(
        self,
        verb: core.CoreVerb,
        preposition: str,
        node: t.Expr,
        what: str,
        scope: Scope,
        each: list[tuple[int, IR]],
    ) -> Typed:
        label = f"what stands behind `{preposition}`" if preposition else f"what `{verb.verb}` is told"
        what = what.rstrip("?")
        if isinstance(node, t.Name) and node.name == "_" and "_" not in scope.names:
            return {"op": "anything"}, ANY
        if (
            isinstance(node, t.Query)
            and node.quantifier == "each"
            and what in ("things", "members", "thing", "into", "any")
        ):
            if preposition == "" and what in ("things", "members"):
                return self.queries.query(node, scope, None)
            ir, kind = self.queries.query(node, scope, None)
            item = item_of(strip(kind))
            number = scope.unit.new("each", item)
            each.append((number, ir))
            return {"op": "local", "n": number}, item
        match what:
            case "int":
                if verb.id in ("draw", "take") and self._purely_things(node, scope):
                    return self._one_or_many(node, scope, label)
                return self.expressions.number(node, scope, label), INT
            case "things" | "symbols":
                return self._one_or_many(node, scope, label)
            case "members":
                return self._one_or_many(node, scope, None)
            case "thing" | "joint":
                want = thing("Joint") if what == "joint" else thing("Thing")
                return self.expressions.typed(node, scope, want, label), want
            case "into" | "place":
                return self._destination(node, scope, label)
            case "pile" | "list":
                return self._pile(node, scope, label, what)
            case "source":
                ir, kind = self.expressions.expr(node, scope)
                if strip(kind).tag == "pile":
                    return ir, kind
                return self._one_or_many(node, scope, label)
            case "role":
                return self.expressions.decider(node, scope), Type("role")
            case "text":
                return self.expressions.typed(node, scope, TEXT, label), TEXT
            case "dice":
                return self._rolled(node, scope, label, verb.id)
            case "mark":
                return self.expressions.expr(node, scope, MARK)
            case "word":
                return self._purpose(node, scope)
            case "lines" | "edges" | "payment" | "cells" | "spot" | "any":
                return self.expressions.expr(node, scope)
        return self.expressions.expr(node, scope)

    def _purely_things(self, node: t.Expr, scope: Scope) -> bool:
        return isinstance(node, t.Query)

    def _one_or_many(self, node: t.Expr, scope: Scope, label: str | None) -> Typed:
        """Things for a verb; without a label, a number or roll may stand there, too."""
        ir, kind = self.expressions.as_written(node, scope)
        bare = strip(kind)
        if label is None and bare.tag == "pool":
            return ir, kind
        if bare.tag == "pile" and bare.of[1]:
            return {"op": "content", "of": ir}, optional(thing(bare.name))
        if bare.tag == "sort":
            if scope.lenient:
                return {"op": "one_of", "of": ir}, thing(bare.of[0])
            return as_set(ir, bare), many(thing(bare.of[0]))
        if is_many(bare):
            return as_set(ir, bare), many(item_of(bare), "list")
        if label is not None:
            self._must_be_thing(node, bare, scope, label)
        return ir, kind

    def _must_be_thing(self, node: t.Expr, bare: Type, scope: Scope, label: str) -> None:
        if bare.tag not in ("thing", "any", "none", "die", "list", "set"):
            self.expressions.mismatch(node, scope, label, bare, thing("Thing"))

    def _destination(self, node: t.Expr, scope: Scope, label: str) -> Typed:
        ir, kind = self.expressions.expr(node, scope)
        bare = strip(kind)
        if bare.tag == "sort" and scope.lenient:
            return {"op": "one_of", "of": ir}, thing(bare.of[0])
        if bare.tag not in ("pile", "thing", "cell", "spot", "any"):
            self.work.report(
                "T301",
                scope.origin,
                node,
                f"{label} must be a place or a container, but this is {describe(bare)}",
            )
        return ir, kind

    def _pile(self, node: t.Expr, scope: Scope, label: str, what: str) -> Typed:
        ir, kind = self.expressions.expr(node, scope)
        bare = strip(kind)
        if (
            bare.tag != "pile"
            and not (what == "list" and bare.tag in ("list", "set", "pool", "any"))
            and bare.tag != "any"
        ):
            self.work.report(
                "T301", scope.origin, node, f"{label} must be a container, but this is {describe(bare)}"
            )
        return ir, kind

    def _rolled(self, node: t.Expr, scope: Scope, label: str, verb: str) -> Typed:
        ir, kind = self.expressions.expr(node, scope, POOL)
        bare = strip(kind)
        if bare.tag == "die" and verb == "roll":
            return one_die(ir), POOL
        if is_number(bare) or is_many(bare) or bare.tag in ("thing", "any", "dice"):
            return ir, kind
        self.expressions.mismatch(node, scope, label, kind, POOL)
        return ir, POOL

    def _purpose(self, node: t.Expr, scope: Scope) -> Typed:
        if isinstance(node, t.Name) and node.name not in scope.names and node.name not in scope.traits:
            types = self.work.table.words.get(node.name)
            if types:
                self.work.used.update(types)
                return {"op": "word", "v": node.name}, Type("words", types[0], (node.name,))
            if node.name not in self.work.table.names:
                hint = self.work.suggest(node.name, self.work.table.words)
                self.work.report(
                    "N208", scope.origin, node, f"`{node.name}` is no word of any type",
                    hint or "declare the purposes of rolls as a type: `type Purpose = movement | damage`",
                )  # fmt: skip
                return {"op": "word", "v": node.name}, ANY
        return self.expressions.expr(node, scope)

    def _core_result_type(
        self, verb: core.CoreVerb, node: t.Call, kinds: dict[str, Type], scope: Scope
    ) -> Type:
        match verb.result:
            case "int":
                return INT
            case "truth":
                return TRUTH
            case "pool":
                return self._roll_type(node, kinds)
            case "drawn" | "taken":
                source = strip(kinds.get("from", ANY))
                item = item_of(source) if is_many(source) else ANY
                return many(item, "list") if node.first is not None else optional(item)
            case "arranged":
                return many(item_of(strip(kinds.get("first", ANY))), "list")
            case "same":
                return kinds.get("first", ANY)
        return NOTHING

    def _roll_type(self, node: t.Call, kinds: dict[str, Type]) -> Type:
        kind = strip(kinds.get("first", POOL))
        if kind.tag == "dice" and kind.name:
            symbol = self.work.table.names.get(kind.name)
            if isinstance(symbol, DieSymbol):
                return self.die_type(symbol)
        if "from" in kinds:
            return kinds["from"] if kinds["from"].tag == "pile" else many(thing("Thing"))
        return POOL

    def die_type(self, symbol: DieSymbol) -> Type:
        """What a named die shows: numbers, words, or sorts of things."""
        faces = [
            f for item in symbol.decl.faces for f in (item.items if isinstance(item, t.Elements) else [item])
        ]
        if all(isinstance(f, t.Number) for f in faces):
            return POOL
        kinds = []
        for face in faces:
            known = self.work.table.names.get(face.name) if isinstance(face, t.Name) else None
            if isinstance(known, ThingSymbol):
                kinds.append(known.kind)
        if kinds:
            above = kinds[0]
            for other in kinds[1:]:
                above = next((k for k in self.work.lineage(above) if self.work.is_a(other, k)), "Thing")
            return Type("sort", f"die:{symbol.name}", (above,))
        words = tuple(face.name for face in faces if isinstance(face, t.Name))
        return Type("words", "", words)

    def _until(
        self, verb: core.CoreVerb, node: t.Expr, result: Type, kinds: dict[str, Type], scope: Scope
    ) -> tuple[IR, int]:
        if verb.id not in ("draw", "roll"):
            self.work.report("N210", scope.origin, node, "`until` can follow only `draw` and `roll`")
        item = strip(result)
        if is_many(item) and item.tag != "pool":
            item = item_of(item)
        if item.tag == "pool":
            item = INT
        inner, number = scope.element(item)
        return self.expressions.condition(node, inner), number

    # -------------------------------------------------------------- questions about calls
    def ask(self, node: t.Ask, scope: Scope, want: Type | None) -> Typed:
        """`possible`, `offered`, `affordable`: yes or no. `done`, `refused`, `replaced`: how often."""
        partial = node.question in ("done", "refused", "replaced", "offered")
        inner = scope.inner()
        inner.pure = None
        kind = INT if partial and node.question != "offered" else TRUTH
        if kind is INT and not scope.lenient:
            self.work.report(
                "T324", scope.origin, node, f"`{node.question}( )` can be asked only in a test",
                "keep what happened in a state, which an `after` or `instead of` rule sets",
            )  # fmt: skip
        subject: Any = node.subject
        if isinstance(subject, t.Name):
            local = scope.names.get(subject.name)
            if local is not None and local[1].tag == "effect":
                return {
                    "op": "ask",
                    "question": node.question,
                    "effect": {"op": "local", "n": local[0]},
                    "args": [],
                }, kind
            word = t.Word(subject.start, subject.end, subject.name)
            subject = t.Call(subject.start, subject.end, word, None, None, [])
        if isinstance(subject, t.Call):
            ir, _ = self.call(subject, inner, partial=partial)
            if want is TRUTH and kind is INT:
                return {"op": "gt", "a": {"op": "ask", "question": node.question, "call": ir},
                        "b": {"op": "int", "v": 0}}, TRUTH  # fmt: skip
            return {"op": "ask", "question": node.question, "call": ir}, kind
        assert isinstance(subject, t.Do)
        if isinstance(subject.what, t.Call):
            ir, _ = self.call(subject.what, inner)
            return {"op": "ask", "question": node.question, "call": ir}, kind
        ir, _ = self.do_effect(subject.what, inner)
        return {"op": "ask", "question": node.question, "call": ir}, kind

    def do_effect(self, node: t.DoEffect, scope: Scope) -> Typed:
        """`do x.effect(a)`: runs what a field, a table or a parameter holds."""
        if node.args is None and isinstance(node.target, t.Name):
            local = scope.names.get(node.target.name)
            if local is None and node.target.name not in scope.traits:
                word = t.Word(node.target.start, node.target.end, node.target.name)
                return self.call(t.Call(node.start, node.end, word, None, None, []), scope)
        if isinstance(node.target, t.CallValue):
            ir, kind = self.expressions.expr(node.target, scope)
            if strip(kind).tag not in ("effect", "any"):
                self.expressions.mismatch(node.target, scope, "what `do` runs", kind, EFFECT)
            return {"op": "run_table", "of": ir, "at": self.work.at(node, scope)}, ANY
        ir, kind = self.expressions.expr(node.target, scope)
        bare = strip(kind)
        if bare.tag == "any":
            return {"op": "run_effect", "of": ir, "args": [], "at": self.work.at(node, scope)}, ANY
        if bare.tag not in ("effect", "lines"):
            self.expressions.mismatch(node.target, scope, "what `do` runs", kind, EFFECT)
            return {"op": "nothing"}, ANY
        given = node.args or []
        if len(given) != len(bare.of):
            help = listed("it takes", [name for name, _ in bare.of])
            self.work.report("T302", scope.origin, node, takes("this effect", len(bare.of), len(given)), help)
            return {"op": "nothing"}, ANY
        args = [
            self.expressions.typed(a, scope, k, f"`{n}`") for a, (n, k) in zip(given, bare.of, strict=True)
        ]
        return {"op": "run_effect", "of": ir, "args": args, "at": self.work.at(node, scope)}, ANY


def _core_usage(verb: core.CoreVerb) -> str:
    words = [verb.verb]
    if verb.first:
        first = PARTS[verb.first.rstrip("?")]
        words.append(f"[{first}]" if verb.first == "int?" else first)
    if verb.token:
        words.append("token")
    for preposition, what in verb.parts:
        part = f"{preposition} {PARTS[what.rstrip('?')]}"
        words.append(f"[{part}]" if what.endswith("?") else part)
    return " ".join(words)


def _core_parts(verb: core.CoreVerb) -> tuple[set[str], set[str]]:
    """The parts that a verb of the core may have, and those it must have."""
    rows = [("", verb.first), *verb.parts] if verb.first else list(verb.parts)
    return {p for p, _ in rows}, {
        p for p, what in rows if not what.endswith("?") or (not p and what != "int?")
    }


def _wrong_parts(verb: str, given: set[str], forms: Sequence[tuple[set[str], set[str]]]) -> str:
    """The message about wrong prepositions of a call, as exact as possible."""
    unknown = sorted(given - set().union(*(may for may, _ in forms)))
    if unknown:
        if unknown[0] == "":
            return f"nothing can stand directly after `{verb}`"
        return f"`{verb}` has no part `{unknown[0]}`"
    if "" not in given and all("" in must for _, must in forms):
        return f"`{verb}` does not say what"
    if len(forms) == 1:
        missing = sorted(forms[0][1] - given)
        if missing:
            return f"`{verb}` needs a part `{missing[0]}`" if missing[0] else f"`{verb}` does not say what"
    return f"no `{verb}` has just these parts"


def _single_slot(kind: Type) -> bool:
    bare = strip(kind)
    return bare.tag == "pile" and bool(bare.of[1])
