"""Second pass: every declaration resolved, typed and turned into the document's code."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.tale_tests import Trials
from talewright.compiler.lower.things import LAYERS
from talewright.compiler.lower.value_ties import report_ties
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    ContainerSymbol,
    DieSymbol,
    KindSymbol,
    MeasureSymbol,
    MovementSymbol,
    OptionSymbol,
    Origin,
    PaymentSymbol,
    PlanSymbol,
    StateSymbol,
    TableSymbol,
    TeamSymbol,
    ThingSymbol,
    TokenSymbol,
    TrackSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.dsl.tree import nodes as t


class Elaborator(Trials):
    """Walks the table once; `document()` gives the content of the packages."""

    def document(self) -> IR:
        """Everything the packages say, as data."""
        table = self.table
        named = [*table.names.values(), *table.scoped.values()]
        report_ties(self)
        content: IR = {
            "types": [self._type(s) for s in table.kinds.values() if isinstance(s, TypeSymbol)],
            "options": [self._option(s) for s in named if isinstance(s, OptionSymbol)],
            "kinds": [self._kind(s) for s in table.kinds.values() if isinstance(s, KindSymbol)],
            "traits": [self._trait(s) for s in table.kinds.values() if isinstance(s, TraitSymbol)],
            "teams": [self._team(s) for s in named if isinstance(s, TeamSymbol)],
            "tokens": [self._token(s) for s in named if isinstance(s, TokenSymbol)],
            "tracks": [self._track(s) for s in named if isinstance(s, TrackSymbol)],
            "dice": [self._die(s) for s in named if isinstance(s, DieSymbol)],
            "states": [self._state(s) for s in named if isinstance(s, StateSymbol)],
            "piles": [self._container(s) for s in named if isinstance(s, ContainerSymbol)],
            "plans": [self._plan(s) for s in named if isinstance(s, PlanSymbol)],
            "movements": [self._movement(s) for s in named if isinstance(s, MovementSymbol)],
            "payments": [self._payment(s) for s in named if isinstance(s, PaymentSymbol)],
            "periods": [self._period(s.name) for s in table.periods.values()],
            "menus": [self._menu(name) for name in table.menus],
            "values": [
                self.value(s)
                for s in [*named, *(f for group in table.functions.values() for f in group)]
                if isinstance(s, ValueSymbol)
            ],
            "tables": [
                self.table_code(f) for g in table.functions.values() for f in g if isinstance(f, TableSymbol)
            ],
            "actions": [self.action(a) for group in table.verbs.values() for a in group],
            "things": [self._thing_unit(s) for s in named if isinstance(s, ThingSymbol) and s.sort is None],
            "rules": [],
            "anytime": [],
            "orders": [],
            "checks": [],
            "measures": [self._measure(s) for s in named if isinstance(s, MeasureSymbol)],
        }
        self._loose(content)
        self._tests(content)
        content["start_after"] = []
        if table.start_after is not None:
            action = table.start_after.node.action
            content["start_after"] = [symbol.id for symbol in table.verbs.get(action.text, ())]
            self.moment(action, Scope(table.start_after.origin))
        for around in table.conditions:
            self.condition(around.node, Scope(around.origin, pure="a condition of options"))
        self._signatures()
        self._gather()
        return content

    def _gather(self) -> None:
        """Brings together what the files were found to use and change."""
        shares = list(self.shelf.all())
        self.used = set().union(*(facts.used for facts in shares))
        self.modified = set().union(*(facts.modified for facts in shares))
        self.idle_where = [found for facts in shares for found in facts.idle_where]
        self.findings = [found for facts in shares for found in facts.findings]

    def _thing_unit(self, symbol: ThingSymbol) -> IR:
        key = f"thing:{symbol.name}"
        known = self.done.get(key)
        if known is not None:
            return known
        before = self._enter_unit(symbol.origin, "")
        return self._leave_unit(key, self._thing(symbol), before)

    def _tests(self, content: IR) -> None:
        content["tests"] = []
        taken: dict[int, int] = {}
        for test in self.table.tests:
            before = self._enter_file(test.origin)
            if not self._facts.kept:
                self._facts.tests.append(self._test(test.node, test.origin))
            content["tests"].append(self._facts.tests[taken.setdefault(self._facts.number, 0)])
            taken[self._facts.number] += 1
            self._enter(before)

    def _signatures(self) -> None:
        """Two actions of one verb must differ in the parts they admit."""
        for symbols in self.table.verbs.values():
            for index, symbol in enumerate(symbols):
                for other in symbols[:index]:
                    if symbol.origin.chapter != other.origin.chapter and None not in (
                        symbol.origin.chapter,
                        other.origin.chapter,
                    ):
                        continue
                    if self._overlap(symbol, other):
                        self.report(
                            "N213", symbol.origin, symbol.decl.verb, f"a call of `{symbol.name}` could mean two actions",
                            "give them different prepositions, or different verbs",
                            [self.label(other, "the other one")],
                        )  # fmt: skip

    def _overlap(self, a: ActionSymbol, b: ActionSymbol) -> bool:
        def needs(symbol: ActionSymbol) -> tuple[set[str], set[str]]:
            params = self.action_params(symbol)
            return {p.preposition for p in params if p.default is None}, {p.preposition for p in params}

        must_a, may_a = needs(a)
        must_b, may_b = needs(b)
        return must_a <= may_b and must_b <= may_a

    def _loose(self, content: IR) -> None:
        taken: dict[int, int] = {}
        for loose in self.table.loose:
            before = self._enter_file(loose.origin)
            if not self._facts.kept:
                self._facts.loose.append(self._loose_one(loose.node, loose.origin))
            for section, ir in self._facts.loose[taken.setdefault(self._facts.number, 0)]:
                content[section].append(ir)
            taken[self._facts.number] += 1
            self._enter(before)

    def _loose_one(self, node: Any, origin: Origin) -> list[tuple[str, IR]]:
        scope = Scope(origin)
        match node:
            case t.AnytimeDecl():
                ir: IR = {"by": self.decider(node.by, scope)}
                if node.when is not None:
                    ir["when"] = self.condition(node.when, scope)
                ir["body"] = self.statements(node.body, scope, head=True)
                ir["locals"] = scope.unit.locals
                return [("anytime", self._stamp(ir, node, scope))]
            case t.OrderDecl():
                ir = {"moment": self.moment(node.action, scope), "by": self.decider(node.by, scope)}
                return [("orders", self._stamp(ir, node, scope))]
            case t.CheckDecl():
                scope.pure = "a check"
                ir = {"if": self.condition(node.condition, scope), "locals": scope.unit.locals}
                if node.why is not None:
                    ir["why"] = node.why.raw
                return [("checks", self._stamp(ir, node, scope))]
        rules: list[IR] = []
        made = self.rule(node, scope)
        if made is not None:
            self._add_rule(made, origin, None, rules)
        return [("rules", rule) for rule in rules]

    def _stamp(self, ir: IR, node: t.Node, scope: Scope) -> IR:
        ir["at"] = self.at(node, scope)
        conditions = self.conditions(scope.origin)
        if conditions:
            ir["while"] = conditions
        return ir


__all__ = ["LAYERS", "Elaborator"]
