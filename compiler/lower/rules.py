"""Rules: before, after, instead of, forbid, modify, grant, offer, and state rules."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.action_calls import ActionCalls
from talewright.compiler.lower.blocks import Blocks, StatementHandler
from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.conversions import (
    as_set,
)
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.function_calls import FunctionCalls
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.statements import Statements
from talewright.compiler.lower.wordings import add_rule_wording
from talewright.compiler.symbols import core
from talewright.compiler.symbols.scope import IR, Scope, Unit
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    ContainerSymbol,
    KindSymbol,
    ThingSymbol,
    TokenSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.model import (
    ANY,
    INT,
    MARK,
    NOTHING,
    POOL,
    TEXT,
    TOKEN,
    TRUTH,
    Type,
    describe,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    strip,
    thing,
    type_json,
)
from talewright.dsl.tree import nodes as t

_CORE_TYPES = {
    "int": INT,
    "things": optional(thing("Thing")),
    "thing": optional(thing("Thing")),
    "dice": POOL,
    "text": TEXT,
    "mark": MARK,
    "role": optional(thing("Seat")),
    "into": ANY,
    "place": ANY,
    "pile": ANY,
    "list": ANY,
}


class Rules:
    """Lowers rules: they change an action, a value or a menu from outside."""

    def __init__(
        self,
        work: FactRecorder,
        types: DefinitionTypes,
        expressions: Expressions,
        literals: Literals,
        names: Names,
        functions: FunctionCalls,
        blocks: Blocks,
        calls: ActionCalls,
        statements: Statements,
    ) -> None:
        self.work = work
        self.types = types
        self.expressions = expressions
        self.literals = literals
        self.names = names
        self.functions = functions
        self.blocks = blocks
        self.calls = calls
        self.statements = statements

    def handlers(self) -> dict[type[t.Node], StatementHandler]:
        """The nodes that this part lowers."""
        return {
            t.Until: self._until_block,
        }

    def rule(self, node: Any, scope: Scope, nested: bool = False) -> IR | None:
        """A rule in the text around it; nested ones share the locals of their block."""
        made = self._rule(node, scope, nested)
        if made is not None:
            add_rule_wording(self.work, made, node, [*scope.names, *scope.traits, "self"], scope.origin)
        return made

    def _rule(self, node: Any, scope: Scope, nested: bool) -> IR | None:
        match node:
            case t.ActionRule():
                return self._action_rule(node, scope, nested)
            case t.Forbid():
                return self._forbid(node, scope, nested)
            case t.Modify():
                return self._modify(node, scope, nested)
            case t.StateRule():
                return self._state_rule(node, scope, nested)
            case t.Grant():
                return self._grant(node, scope, nested)
            case t.Offer():
                return self._offer(node, scope, nested)
        return None

    def _fresh(self, scope: Scope, nested: bool) -> Scope:
        inner = scope.inner()
        if not nested:
            inner.unit = Unit()
            inner.names = {}
        inner.pure = None
        inner.gives = None
        inner.loop = False
        return inner

    def _close(self, ir: IR, scope: Scope, node: t.Node, nested: bool) -> IR:
        if not nested:
            ir["locals"] = scope.unit.locals
        ir["at"] = self.work.at(node, scope)
        return ir

    # -------------------------------------------------------------- patterns
    def _targets(self, pattern: t.Pattern, scope: Scope) -> list[ActionSymbol | core.CoreVerb]:
        """Every action that a pattern can mean."""
        verb = pattern.verb.text
        given = {p for p, _ in pattern.parts}
        if pattern.first is not None:
            given.add("")
        found: list[ActionSymbol | core.CoreVerb] = []
        actions = self.work.actions(verb, scope.chapter)
        if pattern.token is None:
            for symbol in actions:
                if given <= {p.preposition for p in self.types.action_params(symbol)}:
                    found.append(symbol)
                    self.work.used.add(symbol.id)
        if not found:
            for candidate in core.VERBS_BY_NAME.get(verb, ()):
                names = {p for p, _ in candidate.parts}
                if given - {""} <= names and not ("" in given and not candidate.first):
                    if pattern.token is not None and not candidate.token:
                        continue
                    if pattern.token is None and candidate.token and given:
                        continue
                    found.append(candidate)
        if not found and verb in self.work.table.periods:
            return found
        if not found and verb not in self.work.table.broken:
            known = [self.calls.usage(a) for a in actions]
            if known:
                self.work.report(
                    "N216",
                    scope.origin,
                    pattern,
                    f"no `{verb}` has all these parts",
                    "it is " + " or ".join(f"`{k}`" for k in known[:3]),
                )
            else:
                hint = self.work.suggest(
                    verb, [*self.work.table.verbs, *core.VERBS_BY_NAME, *self.work.table.periods]
                )
                self.work.report("N202", scope.origin, pattern.verb, f"there is no action or period `{verb}`",
                            hint or f"declare it: `action {verb} ...:`")  # fmt: skip
        return found

    def _bind_pattern(
        self, pattern: t.Pattern, target: ActionSymbol | core.CoreVerb, scope: Scope
    ) -> tuple[str, list[IR]]:
        """Binds the places of a pattern; gives the action's id and a test for each place."""
        slots: list[IR] = []
        given = dict(pattern.parts)
        names: set[str] = set()
        if isinstance(target, ActionSymbol):
            action = target.id
            for index, param in enumerate(self.types.action_params(target)):
                slot = pattern.first if param.preposition == "" else given.get(param.preposition)
                slots.append(self._slot(slot, param.name, param.type, index, scope, names))
        else:
            action = f"core:{target.id}"
            rows = [("first", "", target.first), *((p, p, what) for p, what in target.parts)]
            for key, preposition, what in rows:
                if not what:
                    continue
                slot = pattern.first if preposition == "" else given.get(preposition)
                made = self._slot(slot, "", self._core_type(what), key, scope, names)
                slots.append(made)
            if target.token and pattern.token is not None:
                slots.append(self._token_slot(pattern.token, scope))
        scope.parameters = frozenset(names)
        return action, slots

    def _core_type(self, what: str) -> Type:
        bare = what.rstrip("?")
        if bare == "word":
            words = tuple(
                dict.fromkeys(
                    w for s in self.work.table.kinds.values() if isinstance(s, TypeSymbol) for w in s.words
                )
            )
            return optional(Type("words", "", words))
        return _CORE_TYPES.get(bare, ANY)

    def _token_slot(self, word: t.Word, scope: Scope) -> IR:
        symbol = self.work.table.names.get(word.text)
        if isinstance(symbol, TokenSymbol):
            self.work.used.add(word.text)
            return {"param": "token", "is": {"op": "token", "id": word.text}}
        number = scope.bind(word.text, TOKEN)
        return {"param": "token", "n": number}

    def _slot(
        self, slot: t.Slot | None, own: str, kind: Type, param: int | str, scope: Scope, names: set[str]
    ) -> IR:
        ir: IR = {"param": param}
        if slot is None:
            if own and own not in scope.names:
                # A parameter that the pattern does not mention can be read by its own name.
                ir["n"] = scope.bind(own, kind)
                names.add(own)
            return ir
        if slot.number is not None:
            ir["is"] = {"op": "int", "v": slot.number}
            return ir
        if slot.kind is not None:
            self._kind_slot(slot, own, kind, ir, scope, names)
            return ir
        assert slot.name is not None
        name = slot.name.text
        if name == "_":
            return ir
        known = self.work.table.names.get(name)
        if own == "" and param != "first" and isinstance(known, ContainerSymbol):
            ir["is"] = self.names.symbol_value(known, slot.name, scope)[0]
            self.work.used.add(name)
            return ir
        if name == own or (
            own == "" and name not in ("self", "holder") and not isinstance(known, ThingSymbol)
        ):
            ir["n"] = scope.bind(name, kind)
            names.add(name)
            return ir
        node = t.Name(slot.start, slot.end, name)
        if (
            name in ("self", "holder")
            or name in scope.names
            or self.work.lookup(name, scope.chapter) is not None
        ):
            value, have = self.expressions.expr(node, scope, kind)
            bare = strip(have)
            if bare.tag == "sort":
                ir["sort"] = value
            elif bare.tag == "pile" and bare.of[1]:
                ir["is"] = {"op": "content", "of": value}
            else:
                if not self.work.fits(have, kind):
                    self.expressions.mismatch(slot, scope, "what stands here", have, kind)
                ir["is"] = value
            if own:
                ir["n"] = scope.bind(own, kind)
                names.add(own)
            return ir
        if strip(kind).tag == "words" and name in strip(kind).of:
            ir["is"] = {"op": "word", "v": name}
            return ir
        ir["n"] = scope.bind(name, kind)
        names.add(name)
        return ir

    def _kind_slot(self, slot: t.Slot, own: str, kind: Type, ir: IR, scope: Scope, names: set[str]) -> None:
        assert slot.kind is not None
        word = slot.kind
        numbered = self.work.table.names.get(word.text)
        if isinstance(numbered, ThingSymbol):
            ir["is"] = self.names.symbol_value(numbered, word, scope)[0]
            self.work.used.add(word.text)
            return
        symbol = self.work.need_kind(word, scope.origin)
        name = slot.name.text if slot.name is not None else own
        if isinstance(symbol, TraitSymbol):
            ir["trait"] = word.text
        elif isinstance(symbol, KindSymbol):
            ir["kind"] = word.text
            bare = strip(kind)
            if bare.tag == "thing" and not self.work.related(bare.name, word.text):
                self.expressions.mismatch(word, scope, "what stands here", thing(word.text), kind)
        if name and name != "_":
            ir["n"] = scope.bind(name, thing(word.text) if symbol is not None else ANY)
            names.add(name)

    # -------------------------------------------------------------- rules of actions
    def _action_rule(self, node: t.ActionRule, scope: Scope, nested: bool) -> IR | None:
        timing = {"at start of": "before", "at end of": "after"}.get(node.timing, node.timing)
        verb = node.pattern.verb
        if verb.text in self.work.table.periods and node.timing.startswith("at"):
            self.work.used.add(f"period:{verb.text}")
            inner = self._fresh(scope, nested)
            ir: IR = {"rule": "period", "edge": "start" if timing == "before" else "end", "period": verb.text}
            if node.when is not None:
                ir["when"] = self.expressions.condition(node.when, inner)
            ir["body"] = self.blocks.statements(node.body, inner, head=True)
            return self._close(ir, inner, node, nested)
        made: list[IR] = []
        before = len(self.work.findings)
        for target in self._targets(node.pattern, scope):
            if made and len(self.work.findings) > before:
                break
            inner = self._fresh(scope, nested)
            action, slots = self._bind_pattern(node.pattern, target, inner)
            if timing == "after":
                inner.result = (
                    self.types.action_type(target)
                    if isinstance(target, ActionSymbol)
                    else self._core_gives(target)
                )
                if inner.result is NOTHING:
                    inner.result = ANY
            inner.usual = timing == "instead of"
            if inner.usual:
                inner.gives = (
                    [self.types.action_type(target)]
                    if isinstance(target, ActionSymbol) and target.decl.gives
                    else [Type("infer")]
                )
            ir = {"rule": timing.replace(" ", "_"), "action": action, "slots": slots}
            if node.when is not None:
                ir["when"] = self.expressions.condition(node.when, inner)
            ir["body"] = self.blocks.statements(node.body, inner, head=True)
            made.append(self._close(ir, inner, node, nested))
        return _one_or_all(made)

    def _core_gives(self, verb: core.CoreVerb) -> Type:
        return {"int": INT, "truth": TRUTH, "pool": POOL}.get(verb.result, ANY)

    def _forbid(self, node: t.Forbid, scope: Scope, nested: bool) -> IR | None:
        made: list[IR] = []
        before = len(self.work.findings)
        for target in self._targets(node.pattern, scope):
            if made and len(self.work.findings) > before:
                break
            inner = self._fresh(scope, nested)
            action, slots = self._bind_pattern(node.pattern, target, inner)
            inner.pure = "a `forbid`"
            ir: IR = {"rule": "forbid", "action": action, "slots": slots}
            if node.when is not None:
                ir["when"] = self.expressions.condition(node.when, inner)
            if node.reason is not None:
                ir["reason"] = self.literals.text(node.reason, inner)
            made.append(self._close(ir, inner, node, nested))
        return _one_or_all(made)

    def _state_rule(self, node: t.StateRule, scope: Scope, nested: bool) -> IR:
        inner = self._fresh(scope, nested)
        inner.pure = "the condition of a rule"
        condition = self.expressions.condition(node.condition, inner)
        inner.pure = None
        body = self.blocks.statements(node.body, inner, head=True)
        return self._close({"rule": "state", "if": condition, "body": body}, inner, node, nested)

    def _grant(self, node: t.Grant, scope: Scope, nested: bool) -> IR:
        inner = self._fresh(scope, nested)
        traits = []
        for item in node.traits:
            if isinstance(item, (t.TraitValue, t.Capital)):
                args = item.args if isinstance(item, t.TraitValue) else []
                traits.append(self.functions.trait_use(item.name, args, item, inner))
            else:
                ir, kind = self.expressions.expr(item, inner)
                one = item_of(strip(kind)) if is_many(strip(kind)) else strip(kind)
                if one.tag not in ("trait", "any"):
                    self.expressions.mismatch(item, inner, "what is granted", kind, Type("trait"))
                traits.append(ir)
        to, kind = self.expressions.expr(node.to, inner)
        bare = strip(kind)
        if not is_many(bare) and bare.tag not in ("thing", "any"):
            self.expressions.mismatch(node.to, inner, "who gets a trait", kind, thing("Thing"))
        ir = {"rule": "grant", "traits": traits, "to": as_set(to, bare)}
        if node.when is not None:
            ir["when"] = self.expressions.condition(node.when, inner)
        return self._close(ir, inner, node, nested)

    # -------------------------------------------------------------- modify
    def _modify(self, node: t.Modify, scope: Scope, nested: bool) -> IR | None:
        inner = self._fresh(scope, nested)
        inner.pure = "a `modify`"
        if node.params is not None:
            return self._modify_value(node, node.params, inner, nested)
        return self._modify_field(node, inner, nested)

    def _modify_value(self, node: t.Modify, params: list[t.Word], scope: Scope, nested: bool) -> IR | None:
        name = node.name.text
        known: list[ValueSymbol] = [
            s for s in self.work.table.functions.get(name, ()) if isinstance(s, ValueSymbol)
        ]
        plain = self.work.lookup(name, scope.chapter)
        if isinstance(plain, ValueSymbol):
            known = [*known, plain]
        fitting = [s for s in known if len(s.decl.params) == len(params)]
        if not fitting and name in core.FUNCTIONS and not known:
            return self._modify_core(node, params, scope, nested)
        if not fitting:
            if known:
                self.work.report(
                    "N216", scope.origin, node.name, f"`{name}` has {len(known[0].decl.params)} parameters, not {len(params)}",
                    labels=[self.work.label(known[0], "declared here")],
                )  # fmt: skip
            elif name not in self.work.table.broken:
                hint = self.work.suggest(
                    name,
                    [
                        *self.work.table.functions,
                        *(n for n, s in self.work.table.names.items() if isinstance(s, ValueSymbol)),
                    ],
                )
                if plain is not None:
                    hint = f"`{name}` is a {plain.form}; only values and fields can be modified"
                self.work.report(
                    "N205", scope.origin, node.name, f"there is no value `{name}` to modify", hint
                )
            return None
        made: list[IR] = []
        for symbol in fitting:
            inner = scope if nested else self._fresh(scope, False)
            inner.pure = "a `modify`"
            self.work.used.add(name)
            self.work.modified.add(symbol.id)
            for word, (_, kind) in zip(params, self.types.value_params(symbol), strict=True):
                if word.text != "_":
                    inner.bind(word.text, kind)
                else:
                    inner.unit.new("_", kind)
            ir: IR = {"rule": "modify", "value": symbol.id, "params": self._numbers(params, inner)}
            made.append(self._modified(node, self.types.value_type(symbol), ir, inner, nested))
        return _one_or_all(made)

    def _numbers(self, params: list[t.Word], scope: Scope) -> list[int | None]:
        return [scope.names[w.text][0] if w.text in scope.names else None for w in params]

    def _modify_core(self, node: t.Modify, params: list[t.Word], scope: Scope, nested: bool) -> IR:
        self.work.modified.add(f"core:{node.name.text}")
        for word in params:
            scope.bind(word.text, ANY)
        function = core.FUNCTIONS[node.name.text]
        kind = {"truth": TRUTH, "int": INT}.get(function.result, ANY)
        ir: IR = {"rule": "modify", "value": f"core:{node.name.text}", "params": self._numbers(params, scope)}
        return self._modified(node, kind, ir, scope, nested)

    def _modify_field(self, node: t.Modify, scope: Scope, nested: bool) -> IR | None:
        slot = node.slot
        assert slot is not None
        names: set[str] = set()
        kind = thing("Thing")
        ir: IR = {"rule": "modify", "field": node.name.text}
        if slot.kind is not None:
            symbol = self.work.need_kind(slot.kind, scope.origin)
            if symbol is not None:
                kind = thing(slot.kind.text)
        elif slot.name is not None:
            node_name = t.Name(slot.start, slot.end, slot.name.text)
            _, have = self.expressions.expr(node_name, scope)
            kind = strip(have) if strip(have).tag == "thing" else kind
        made = self._slot(slot, "", kind, "of", scope, names)
        ir["of"] = made
        found = self._modifiable(kind.name, node.name, scope)
        if found is None:
            return None
        ir["owner"], type_ = found
        self.work.modified.add(f"{ir['owner']}.{node.name.text}")
        return self._modified(node, type_, ir, scope, nested)

    def _modifiable(self, kind: str, name: t.Word, scope: Scope) -> tuple[str, Type] | None:
        found = self.work.field_of(kind, name.text)
        if found is not None:
            self.work.used.add(f"{found[0].owner}.{name.text}")
            return found[0].owner, found[0].type
        for symbol in self.work.all_fields(kind).values():
            lender = strip(symbol.type)
            if "lends all" in symbol.flags and lender.tag == "thing":
                lent = self.work.field_of(lender.name, name.text)
                if lent is not None:
                    self.work.used.add(f"{lent[0].owner}.{name.text}")
                    return lent[0].owner, lent[0].type
        if kind not in self.work.table.broken:
            self.work.report(
                "N204",
                scope.origin,
                name,
                f"`{kind}` has no field `{name.text}` to modify",
                self.work.suggest(name.text, self.work.all_fields(kind)),
            )
        return None

    def _modified(self, node: t.Modify, type_: Type, ir: IR, scope: Scope, nested: bool) -> IR:
        bare = strip(type_)
        if node.when is not None:
            ir["when"] = self.expressions.condition(node.when, scope)
        ir["change"] = node.change
        if node.change == "=":
            ir["amount"] = self.expressions.typed(node.amount, scope, type_, "the new value")
        elif node.change in ("with", "without"):
            if not is_many(bare) and bare.tag != "any":
                self.work.report("T319", scope.origin, node.name, f"`{node.change}` changes a set, but this is {describe(bare)}",
                            "write `+`, `-`, `at least` or `at most`" if is_number(bare) else "write `=`")  # fmt: skip
            want = bare if is_many(bare) else many(ANY)
            value, have = self.expressions.expr(node.amount, scope, want)
            if not self.work.fits(have, want):
                self.expressions.mismatch(node.amount, scope, "what is added or taken", have, want)
            ir["amount"] = as_set(value, strip(have))
        else:
            if not is_number(bare) and is_many(bare) and node.change in ("+", "-"):
                word = "with" if node.change == "+" else "without"
                value, have = self.expressions.expr(node.amount, scope, bare)
                ir["amount"] = as_set(value, strip(have))
                ir["change"] = word
            elif not is_number(bare):
                self.work.report("T319", scope.origin, node.name, f"`{node.change}` changes a number, but this is {describe(bare)}",
                            "write `=` with the new value")  # fmt: skip
                ir["amount"] = {"op": "int", "v": 0}
            else:
                ir["amount"] = self.expressions.number(node.amount, scope, "the amount")
        return self._close(ir, scope, node, nested)

    # -------------------------------------------------------------- offers
    def _offer(self, node: t.Offer, scope: Scope, nested: bool) -> IR | None:
        inner = self._fresh(scope, nested)
        menu = self.work.table.menus.get(node.menu.name.text)
        if menu is None:
            self.statements.menu_use(node.menu, inner)
            return None
        self.work.used.add(f"menu:{menu.name}")
        if len(node.menu.args) != len(menu.decl.params):
            self.statements.menu_use(node.menu, inner)
            return None
        params: list[int | None] = []
        for arg, param in zip(node.menu.args, menu.decl.params, strict=True):
            kind = self.work.read_type(param.type, menu.origin)
            if isinstance(arg, t.Name) and arg.name not in inner.names:
                params.append(inner.bind(arg.name, kind))
            else:
                self.work.report(
                    "N216",
                    scope.origin,
                    arg,
                    "a menu's place in an offer is a fresh name",
                    f"write `{param.name.text}`",
                )
                params.append(None)
        ir: IR = {"rule": "offer", "menu": menu.name, "params": params, "id": node.label.raw}
        if node.when is not None:
            ir["when"] = self.expressions.condition(node.when, inner)
        single = len(node.body) == 1 and isinstance(node.body[0], t.Call)
        inner.unbound = {} if single else None
        body_scope = inner.inner()
        body_scope.names = inner.names
        ir["body"] = self.blocks.statements(node.body, body_scope, head=True)
        if inner.unbound:
            ir["unbound"] = [
                {"n": number, "name": name, "type": type_json(kind)}
                for name, (number, kind) in inner.unbound.items()
            ]
        inner.unbound = None
        ir["label"] = self.literals.text(node.label, inner)
        return self._close(ir, inner, node, nested)

    def _until_block(self, node: t.Until, scope: Scope) -> IR:
        if scope.pure is not None:
            self.work.impure(node, scope, "`until` puts rules in force")
        moment = self.names.moment(node.name, scope)
        inner = scope.inner()
        rules = [rule for r in node.rules if (rule := self.rule(r, inner, nested=True)) is not None]
        return {
            "op": "until",
            "edge": node.edge,
            "moment": moment,
            "rules": rules,
            "at": self.work.at(node, scope),
        }


def _one_or_all(made: list[IR]) -> IR | None:
    if not made:
        return None
    return made[0] if len(made) == 1 else {"rule": "several", "rules": made}
