"""Statements and blocks."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.action_calls import ActionCalls
from talewright.compiler.lower.blocks import Blocks, StatementHandler
from talewright.compiler.lower.branches import Branches
from talewright.compiler.lower.expressions.conversions import (
    as_added,
    as_number,
    as_set,
    content,
)
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.function_calls import FunctionCalls
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.message_phrases import listed, takes
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.types.model import (
    ANY,
    NOTHING,
    Type,
    describe,
    is_dice_number,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    settled,
    strip,
    thing,
    type_json,
)
from talewright.dsl.tree import nodes as t


class Statements:
    """What a block does, line by line."""

    def __init__(
        self,
        work: FactRecorder,
        expressions: Expressions,
        literals: Literals,
        names: Names,
        functions: FunctionCalls,
        blocks: Blocks,
        branches: Branches,
        calls: ActionCalls,
    ) -> None:
        self.work = work
        self.expressions = expressions
        self.literals = literals
        self.names = names
        self.functions = functions
        self.blocks = blocks
        self.branches = branches
        self.calls = calls

    # -------------------------------------------------------------- bare expressions
    def handlers(self) -> dict[type[t.Node], StatementHandler]:
        """The nodes that this part lowers."""
        return {
            t.Call: self._call,
            t.CallBlock: self._call_block,
            t.Do: self._do,
            t.Let: self._let,
            t.Assign: self._assign,
            t.Choose: self._choose,
            t.Open: self._open,
            t.Give: self._give,
            t.Stop: self._stop,
            t.GoTo: self._go_to,
            t.AsUsual: self._as_usual,
            t.DoNothing: self._nothing,
            t.May: self._may,
            t.Retrait: self._retrait,
            t.Elements: self._elements,
            t.Prose: self._say_prose,
            t.Requires: self._requires,
            t.If: self._if,
            t.ForEach: self._for_each,
            t.Repeat: self._repeat,
            t.ChooseOne: self._choose_one,
            t.Together: self._together,
            t.Possible: self._possible,
            t.Node: self._bare,
        }

    def _bare(self, node: Any, scope: Scope) -> IR | None:
        if isinstance(node, t.Name):
            local = scope.names.get(node.name)
            if local is not None and local[1].tag == "effect":
                return {
                    "op": "run_effect",
                    "of": {"op": "local", "n": local[0]},
                    "args": [],
                    "at": self.work.at(node, scope),
                }
            word = t.Word(node.start, node.end, node.name)
            return self._call(t.Call(node.start, node.end, word, None, None, []), scope)
        if isinstance(node, t.Binary) and node.op in ("+", "-"):
            return self._change(node, scope)
        if isinstance(node, t.CallValue):
            name = node.name
            if name in self.work.table.verbs:
                self.work.report(
                    "T308", scope.origin, node, f"`{name}(` reads a value; an action is a verb with a blank after it",
                    f"write `{name} ...` without parentheses",
                )  # fmt: skip
                return None
        _, kind = self.expressions.expr(node, scope)
        if strip(kind).tag == "effect":
            shown = scope.origin.source.text[node.start : node.end]
            self.work.report(
                "T308", scope.origin, node, "an effect is only named here, not run",
                f"write `do {shown}`",
            )  # fmt: skip
            return None
        if isinstance(node, t.Binary) and node.op == "==":
            self.work.report(
                "T308", scope.origin, node, "this asks a question and forgets the answer",
                "write a single `=` to give a new value, or `if` to ask",
            )  # fmt: skip
            return None
        self.work.report(
            "T308",
            scope.origin,
            node,
            "this does nothing",
            "write an action, a change such as `danger + 1`, or `=`",
        )
        return None

    def _change(self, node: t.Binary, scope: Scope) -> IR | None:
        if isinstance(node.left, t.Binary) and node.left.op in ("+", "-", "*", "/"):
            self.work.report(
                "T308", scope.origin, node, "a change takes one amount",
                "put the sum in parentheses: `steps - (cost + 1)`",
            )  # fmt: skip
            return None
        target, kind = self.target(node.left, scope)
        if target is None:
            return None
        bare = strip(kind)
        sign = 1 if node.op == "+" else -1
        if is_many(bare) and not is_number(bare):
            value, have = self.expressions.expr(node.right, scope, bare)
            if not self.work.fits(have, bare):
                self.expressions.mismatch(node.right, scope, "what is added", have, bare)
            items = as_added(value, strip(have), strip(item_of(bare)))
            op = "extend" if sign > 0 else "shrink"
            return {"op": op, "target": target, "items": items, "at": self.work.at(node, scope)}
        if not is_number(bare):
            self.work.report(
                "T305",
                scope.origin,
                node.left,
                f"only a number can go up or down, and this is {describe(bare)}",
            )
            return None
        amount = self.expressions.number(node.right, scope, "the amount")
        if is_dice_number(bare):
            return self._changed_dice(node, target, bare, amount, scope)
        return {"op": "change", "target": target, "by": amount, "sign": sign, "at": self.work.at(node, scope)}

    def _changed_dice(self, node: t.Binary, target: IR, kind: Type, amount: IR, scope: Scope) -> IR | None:
        """A roll that goes up or down: its number is kept from then on. A die is what it shows."""
        if kind.tag == "die":
            self.work.report(
                "T305", scope.origin, node.left, "a die shows what was rolled; its number cannot go up or down",
                "keep its number under a name of its own: `let number = ... + 0`",
            )  # fmt: skip
            return None
        op = "add" if node.op == "+" else "sub"
        total: IR = {"op": op, "a": as_number(target, kind), "b": amount}
        value = {"op": "fixed_dice", "of": total}
        return {"op": "assign", "target": target, "value": value, "at": self.work.at(node, scope)}

    def target(self, node: t.Expr, scope: Scope) -> tuple[IR | None, Type]:
        """Something that can be written to."""
        if scope.pure is not None:
            self.work.impure(node, scope, "this changes something")
        ir, kind = self.expressions.expr(node, scope)
        op = ir["op"]
        if op in ("state", "track", "local", "field", "late"):
            return ir, kind
        if op in ("look_up", "pile"):
            return ir, kind
        if op == "prop" and ir["name"] == "title":
            self.work.report(
                "T311", scope.origin, node, "a title that a thing is declared with cannot be changed",
                "declare a field `title: text` in its kind: once it holds something, it is shown instead",
            )  # fmt: skip
            return None, kind
        if op == "tokens":
            self.work.report(
                "T311", scope.origin, node, "tokens are moved, not counted up",
                "write `put 1 token on ...` or `take 1 token from ...`",
            )  # fmt: skip
            return None, kind
        if op == "value":
            self.work.report(
                "T311", scope.origin, node, "a value is worked out each time it is read; it cannot be set",
                "declare it as a `state`, or change what is read with `modify`",
            )  # fmt: skip
        elif op != "none":
            self.work.report(
                "T311",
                scope.origin,
                node,
                "this cannot be changed",
                "only fields, states, tracks and `let` names can",
            )
        return None, kind

    # -------------------------------------------------------------- simple statements
    def _call(self, node: t.Call, scope: Scope) -> IR | None:
        ir, _ = self.calls.call(node, scope)
        return ir

    def _call_block(self, node: t.CallBlock, scope: Scope) -> IR | None:
        ir, _ = self._call_with_block(node, scope)
        return ir

    def _call_with_block(self, node: t.CallBlock, scope: Scope) -> Typed:
        if node.call.verb.text == "match" and node.call.first is not None and not node.call.parts:
            subject, kind = self.expressions.expr(node.call.first, scope)
            return self.branches.branch(subject, kind, node.body, scope, node), NOTHING
        return self.calls.call(node.call, scope, node.body)

    def _do(self, node: t.Do, scope: Scope) -> IR | None:
        return self.do(node, scope)[0]

    def do(self, node: t.Do, scope: Scope) -> Typed:
        """`do` before a call or an effect."""
        if isinstance(node.what, t.Call):
            return self.calls.call(node.what, scope)
        return self.calls.do_effect(node.what, scope)

    def _let(self, node: t.Let, scope: Scope) -> IR:
        if isinstance(node.value, t.Do):
            value, kind = self.do(node.value, scope)
            if kind.tag == "nothing":
                self.work.report(
                    "T301",
                    scope.origin,
                    node.value,
                    "this gives nothing to remember",
                    "leave out `let` and `do`",
                )
                kind = ANY
        else:
            value, kind = content(*self.expressions.expr(node.value, scope))
        number = scope.bind(
            self.work.no_dice(node.name, scope.origin), ANY if kind.tag == "none" else settled(kind)
        )
        if kind.tag == "none":
            scope.unit.retype(number, kind)
        return {"op": "let", "n": number, "value": value, "at": self.work.at(node, scope)}

    def _widen(self, number: int, kind: Type, have: Type, scope: Scope) -> None:
        """Widens the type of a local that is assigned to; a local that was only `none` takes any type."""
        known = scope.unit.types[number]
        if kind.tag == "any":
            if known.tag != "any":
                scope.unit.retype(number, self.work.join_two(known, settled(have)))
        elif have.tag in ("none", "optional"):
            scope.unit.retype(number, optional(known))

    def _assign(self, node: t.Assign, scope: Scope) -> IR | None:
        target, kind = self.target(node.target, scope)
        if target is None:
            return None
        if isinstance(node.value, t.Do):
            value, have = self.do(node.value, scope)
        else:
            value, have = self.expressions.expr(node.value, scope, kind)
        bare = strip(kind)
        if bare.tag == "pile" and not scope.lenient:
            self.work.report(
                "T311", scope.origin, node.target, f"{describe(bare)} is filled by moving things there",
                "write `move x to ...`",
            )  # fmt: skip
            return None
        if bare.tag == "pile":
            value = self._given_content(value, have, node, scope)
            return {"op": "fill", "target": target, "items": value, "at": self.work.at(node, scope)}
        if target["op"] == "local":
            self._widen(target["n"], kind, have, scope)
        if target["op"] == "local" and kind.tag == "any":
            number = target["n"]
            for name, (n, _) in scope.names.items():
                if n == number:
                    scope.names[name] = (n, have if have.tag != "none" else ANY)
            return {"op": "assign", "target": target, "value": value, "at": self.work.at(node, scope)}
        if target["op"] == "local" and have.tag == "none":
            return {"op": "assign", "target": target, "value": value, "at": self.work.at(node, scope)}
        value = self.expressions.coerce(value, have, kind, node.value, scope, "the new value")
        return {"op": "assign", "target": target, "value": value, "at": self.work.at(node, scope)}

    def _given_content(self, value: IR, have: Type, node: t.Assign, scope: Scope) -> IR:
        bare = strip(have)
        if bare.tag == "sort":
            return {"op": "set", "items": [{"op": "one_of", "of": value}]}
        if have.tag == "none":
            return {"op": "set", "items": []}
        return as_set(value, bare)

    def _choose(self, node: t.Choose, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, "`choose` asks somebody")
        source, kind = self._choice_source(node.source, scope)
        item = item_of(kind)
        by = self.expressions.decider(node.by, scope)
        ir: IR = {
            "op": "choose",
            "from": source,
            "by": by,
            "name": node.name.text,
            "type": type_json(item),
        }
        single = node.amount is None
        if node.amount is not None:
            ir["amount"] = self.expressions.number(node.amount.value, scope, "how many")
            ir["mode"] = node.amount.mode
            single = (
                node.amount.mode == "up to"
                and isinstance(node.amount.value, t.Number)
                and node.amount.value.value == 1
            )
            if single:
                ir["mode"] = "optional"
                del ir["amount"]
        if scope.head:
            ir["head"] = True
        inner = scope.inner()
        ir["n"] = scope.bind(
            self.work.no_dice(node.name, scope.origin), optional(item) if single else many(item, "list")
        )
        if node.prompt is not None:
            ir["prompt"] = self.literals.text(node.prompt, inner)
        ir["at"] = self.work.at(node, scope)
        return ir

    def _choice_source(self, node: t.Expr, scope: Scope) -> Typed:
        ir, kind = self.expressions.collection(node, scope, "what to choose from")
        return ir, kind

    def _open(self, node: t.Open, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, "a menu asks somebody")
        menu = self.menu_use(node.menu, scope)
        ir: IR = {
            "op": "open",
            "menu": menu,
            "by": self.expressions.decider(node.by, scope),
            "at": self.work.at(node, scope),
        }
        if node.up_to is not None:
            ir["up_to"] = self.expressions.number(node.up_to, scope, "how many")
        if node.until_passed:
            ir["until_passed"] = True
        if node.prompt is not None:
            ir["prompt"] = self.literals.text(node.prompt, scope)
        return ir

    def menu_use(self, node: t.MenuUse, scope: Scope) -> IR:
        """A menu with its arguments."""
        symbol = self.work.table.menus.get(node.name.text)
        if symbol is None:
            if node.name.text not in self.work.table.broken:
                self.work.report(
                    "N207", scope.origin, node.name, f"there is no menu `{node.name.text}`",
                    self.work.suggest(node.name.text, self.work.table.menus) or f"declare it: `menu {node.name.text}`",
                )  # fmt: skip
            return {"id": node.name.text, "args": []}
        self.work.used.add(f"menu:{node.name.text}")
        params = symbol.decl.params
        if len(params) != len(node.args):
            self.work.report(
                "T302", scope.origin, node, takes(f"the menu `{symbol.name}`", len(params), len(node.args)),
                labels=[self.work.label(symbol, "declared here")],
            )  # fmt: skip
            return {"id": symbol.name, "args": []}
        args = [
            self.expressions.typed(
                arg, scope, self.work.read_type(param.type, symbol.origin), f"`{param.name.text}`"
            )
            for arg, param in zip(node.args, params, strict=True)
        ]
        return {"id": symbol.name, "args": args}

    def _give(self, node: t.Give, scope: Scope) -> IR | None:
        if scope.gives is None:
            self.work.report(
                "T312", scope.origin, node, "`give` belongs in an action or a value", "leave it out"
            )
            return None
        want = scope.gives[0] if scope.gives and scope.gives[0].tag != "infer" else None
        value, kind = self.expressions.expr(node.value, scope, want)
        if want is not None:
            value = self.expressions.coerce(value, kind, want, node.value, scope, "what is given")
        else:
            value, kind = content(value, kind)
            scope.gives.append(kind)
        return {"op": "give", "value": value, "at": self.work.at(node, scope)}

    def _stop(self, node: t.Stop, scope: Scope) -> IR | None:
        if node.name is None:
            return {"op": "stop", "at": self.work.at(node, scope), **({"loop": True} if scope.loop else {})}
        if scope.pure is not None:
            self.work.impure(node, scope, "`stop` ends an action")
        return {"op": "stop", "moment": self.names.moment(node.name, scope), "at": self.work.at(node, scope)}

    def _go_to(self, node: t.GoTo, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, "`go to` ends the chapter")
        target, kind = self.expressions.expr(node.target, scope)
        bare = strip(kind)
        if bare.tag == "list" and bare.of[0].tag == "thing":
            target, bare = {"op": "first", "of": target}, bare.of[0]
        if bare.tag not in ("thing", "any") or (
            bare.tag == "thing"
            and not (self.work.related(bare.name, "Chapter") or self.work.related(bare.name, "Ending"))
        ):
            self.work.report(
                "N212",
                scope.origin,
                node.target,
                f"`go to` needs a chapter or an ending, but this is {describe(bare)}",
                "write the name of a chapter or an ending",
            )
        return {"op": "go_to", "target": target, "at": self.work.at(node, scope)}

    def _as_usual(self, node: t.AsUsual, scope: Scope) -> IR | None:
        if not scope.usual:
            self.work.report(
                "T315",
                scope.origin,
                node,
                "`as usual` belongs in an `instead of` rule",
                "it means the rule that this one replaces; elsewhere call the action by its name",
            )
            return None
        ir: IR = {"op": "as_usual", "at": self.work.at(node, scope)}
        if node.name is not None and node.value is not None:
            local = scope.names.get(node.name.text)
            if local is None or node.name.text not in scope.parameters:
                self.work.report(
                    "N220", scope.origin, node.name, f"the action has no parameter `{node.name.text}` here",
                    self.work.suggest(node.name.text, scope.parameters) or listed("it has", sorted(scope.parameters)),
                )  # fmt: skip
                return ir
            ir["with"] = [
                local[0],
                self.expressions.typed(node.value, scope, local[1], f"`{node.name.text}`"),
            ]
        return ir

    def _nothing(self, node: t.DoNothing, scope: Scope) -> IR:
        return {"op": "nothing"}

    def _may(self, node: t.May, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, "`may` asks somebody")
        by = self.expressions.decider(node.who, scope)
        ir: IR = {"op": "may", "by": by, "at": self.work.at(node, scope)}
        if node.label is not None:
            ir["label"] = self.literals.text(node.label, scope)
        elif isinstance(node.body[0], t.Call):
            ir["verb"] = node.body[0].verb.text
        ir["body"] = self.blocks.statements(node.body, scope.inner(), head=True)
        return ir

    def _retrait(self, node: t.Retrait, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, f"`{node.change}` changes something")
        target, kind = self.expressions.expr(node.target, scope)
        bare = strip(kind)
        if bare.tag == "sort" or bare.tag in ("set", "list"):
            target = as_set(target, bare)
        elif bare.tag not in ("thing", "any"):
            self.expressions.mismatch(node.target, scope, f"what {node.change} a trait", kind, thing("Thing"))
        traits: list[IR] = []
        for use in node.traits:
            if node.change == "loses":
                self.trait_name(use, scope)
                traits.append({"op": "trait", "id": use.name, "args": []})
            else:
                traits.append(self.functions.trait_use(use.name, use.args, use, scope))
        return {"op": "retrait", "change": node.change, "target": target, "many": bare.tag in ("set", "list", "sort"),
                "traits": traits, "at": self.work.at(node, scope)}  # fmt: skip

    def trait_name(self, use: t.TraitUse, scope: Scope) -> None:
        """A trait by name alone must exist."""
        if use.name not in self.work.table.kinds and use.name not in self.work.table.broken:
            self.work.report(
                "N206",
                scope.origin,
                use,
                f"there is no trait `{use.name}`",
                self.work.suggest(use.name, self.work.table.kinds),
            )
        self.work.used.add(use.name)

    def _elements(self, node: t.Elements, scope: Scope) -> None:
        self.work.report(
            "T318",
            scope.origin,
            node,
            "statements are separated by `;`, not by `,`",
            "write `;` between them",
        )

    def _say_prose(self, node: t.Prose, scope: Scope) -> IR:
        return {
            "op": "core_call",
            "verb": "say",
            "args": {"first": self.literals.text(node.text, scope)},
            "at": self.work.at(node, scope),
        }

    # -------------------------------------------------------------- blocks
    def _requires(self, node: t.Requires, scope: Scope) -> IR | None:
        if not scope.head:
            self.work.report(
                "T313", scope.origin, node, "`requires` stands at the head of an action, before anything is done",
                "move it up, or write `if`",
            )  # fmt: skip
            return None
        ir: IR = {
            "op": "requires",
            "if": self.expressions.condition(node.condition, scope),
            "at": self.work.at(node, scope),
        }
        if node.reason is not None:
            ir["reason"] = self.literals.text(node.reason, scope)
        return ir

    def _if(self, node: t.If, scope: Scope) -> IR:
        branches: list[list[Any]] = []
        for condition, body in node.branches:
            test = self.expressions.condition(condition, scope)
            branches.append([test, self.blocks.statements(body, scope.inner())])
        otherwise = (
            self.blocks.statements(node.otherwise, scope.inner()) if node.otherwise is not None else []
        )
        return {"op": "if", "branches": branches, "otherwise": otherwise, "at": self.work.at(node, scope)}

    def _for_each(self, node: t.ForEach, scope: Scope) -> IR:
        source, have = self.expressions.expr(node.source, scope)
        kind = strip(have)
        inner = scope.inner()
        inner.loop = True
        ir: IR = {"op": "for_each", "at": self.work.at(node, scope)}
        collected = kind
        if kind.tag == "map":
            ir["of"], ir["pairs"] = source, True
            ir["n"] = inner.bind(self.work.no_dice(node.name, scope.origin), kind.of[0])
            if node.second is not None:
                ir["second"] = inner.bind(self.work.no_dice(node.second, scope.origin), kind.of[1])
        else:
            ir["of"], collected = self._loop_set(node.source, source, kind, scope)
            item = item_of(collected)
            if node.second is not None and item.tag == "two":
                ir["pairs"] = True
                ir["n"] = inner.bind(self.work.no_dice(node.name, scope.origin), item.of[0])
                ir["second"] = inner.bind(self.work.no_dice(node.second, scope.origin), item.of[1])
            else:
                if node.second is not None:
                    self.work.report(
                        "T309", scope.origin, node.second, "two names need a map or `pairs(...)`"
                    )
                ir["n"] = inner.bind(self.work.no_dice(node.name, scope.origin), item)
        if node.chosen_by is not None:
            ir["chosen_by"] = self.expressions.decider(node.chosen_by, scope)
            if "pairs" not in ir:
                ir["type"] = type_json(item_of(collected))
        ir["body"] = self.blocks.statements(node.body, inner)
        return ir

    def _loop_set(self, node: t.Expr, ir: IR, kind: Type, scope: Scope) -> Typed:
        if kind.tag == "any":
            return ir, many(ANY)
        if not is_many(kind):
            if kind.tag == "thing":
                return {"op": "set", "items": [ir], "drop": True}, many(kind)
            self.work.report(
                "T309",
                scope.origin,
                node,
                f"`for each` needs a set, but this is {describe(kind)}",
                "name a kind, a container or a set; `repeat n times` counts",
            )
            return {"op": "set", "items": []}, many(ANY)
        return as_set(ir, kind), many(item_of(kind))

    def _repeat(self, node: t.Repeat, scope: Scope) -> IR:
        inner = scope.inner()
        inner.loop = True
        ir: IR = {"op": "repeat", "at": self.work.at(node, scope)}
        if node.condition is not None:
            ir["while"] = self.expressions.condition(node.condition, scope)
        if node.count is not None:
            ir["times"] = self.expressions.number(node.count, scope, "how often")
        ir["body"] = self.blocks.statements(node.body, inner)
        return ir

    def _choose_one(self, node: t.ChooseOne, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, "`choose one` asks somebody")
        ir: IR = {
            "op": "choose_one",
            "by": self.expressions.decider(node.by, scope),
            "at": self.work.at(node, scope),
        }
        if node.optional:
            ir["optional"] = True
        if node.prompt is not None:
            ir["prompt"] = self.literals.text(node.prompt, scope)
        options: list[IR] = []
        for statement in node.body:
            if not isinstance(statement, t.Arrow) or not isinstance(statement.key.value, t.Text):
                self.work.report("T316", scope.origin, statement, "an option is a label, an arrow and what it does",
                            'write `"Label" -> action`')  # fmt: skip
                continue
            key = statement.key
            assert isinstance(key.value, t.Text)
            option: IR = {
                "id": key.value.raw,
                "label": self.literals.text(key.value, scope),
                "at": self.work.at(statement, scope),
            }
            if key.when is not None:
                option["when"] = self.expressions.condition(key.when, scope)
            option["body"] = self.blocks.statements(statement.body, scope.inner(), head=True)
            options.append(option)
        ir["options"] = options
        return ir

    def _together(self, node: t.Together, scope: Scope) -> IR:
        return {
            "op": "together",
            "body": self.blocks.statements(node.body, scope),
            "at": self.work.at(node, scope),
        }

    def _possible(self, node: t.Possible, scope: Scope) -> IR:
        members = [m for s in node.body if (m := self.blocks.statement(s, scope.inner())) is not None]
        return {"op": "possible", "mode": node.mode, "members": members, "at": self.work.at(node, scope)}

    # -------------------------------------------------------------- branching by arrows
