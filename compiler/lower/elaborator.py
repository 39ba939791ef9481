"""Second pass: every declaration resolved, typed and turned into the document's code."""

from __future__ import annotations

from talewright.compiler.lower.action_calls import ActionCalls
from talewright.compiler.lower.action_overlaps import report_overlaps
from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.branches import Branches
from talewright.compiler.lower.components import Components
from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.definitions import Definitions
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.function_calls import FunctionCalls
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.membership import Members
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.expressions.operators import Operators
from talewright.compiler.lower.expressions.queries import Queries
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.field_values import FieldValues
from talewright.compiler.lower.provenance import Provenance
from talewright.compiler.lower.rules import Rules
from talewright.compiler.lower.statements import Statements
from talewright.compiler.lower.tale_tests import TaleTests
from talewright.compiler.lower.things import Things
from talewright.compiler.lower.unnamed_declarations import UnnamedDeclarations
from talewright.compiler.lower.value_ties import report_ties
from talewright.compiler.symbols.generated_names import thing_unit
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ContainerSymbol,
    DieSymbol,
    KindSymbol,
    MeasureSymbol,
    MovementSymbol,
    OptionSymbol,
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


class Elaborator:
    """The parts of the pass, and the order in which declarations are lowered."""

    def __init__(self, work: FactRecorder) -> None:
        self.work = work
        self.types = types = DefinitionTypes(work)
        self.expressions = expressions = Expressions(work)
        self.blocks = blocks = Blocks(work)
        self.provenance = provenance = Provenance(work, expressions)
        # What an expression can be.
        self.names = names = Names(work, types)
        literals = Literals(work, expressions)
        members = Members(work, types, expressions)
        operators = Operators(work, expressions, names)
        queries = Queries(work, expressions)
        functions = FunctionCalls(work, types, expressions, literals)
        branches = Branches(work, expressions, names, blocks)
        calls = ActionCalls(work, types, expressions, names, queries, blocks, branches)
        for lowers in (names, literals, members, operators, queries, functions, calls):
            expressions.handlers |= lowers.handlers()
        # What a block can do.
        statements = Statements(work, expressions, literals, names, functions, blocks, branches, calls)
        rules = Rules(work, types, expressions, literals, names, functions, blocks, calls, statements)
        blocks.handlers = statements.handlers() | rules.handlers()
        # What can be declared.
        self.definitions = types.bodies = Definitions(work, types, expressions, blocks, branches, provenance)
        fields = FieldValues(work, expressions, literals, names, functions, blocks, branches)
        self.components = components = Components(
            work, expressions, names, members, blocks, fields, provenance
        )
        self.things = Things(
            work, expressions, literals, names, members, functions, rules, fields, provenance, components
        )
        self.unnamed = UnnamedDeclarations(expressions, names, blocks, rules, self.things, provenance)
        self.tests = TaleTests(work, expressions, names, members, blocks, calls)

    def document(self) -> IR:
        """Everything the packages say, as data."""
        table = self.work.table
        named = [*table.names.values(), *table.scoped.values()]
        report_ties(self.work, self.types)
        content: IR = {
            "types": [self.things.type_code(s) for s in table.kinds.values() if isinstance(s, TypeSymbol)],
            "options": [self.components.option(s) for s in named if isinstance(s, OptionSymbol)],
            "kinds": [self.things.kind_code(s) for s in table.kinds.values() if isinstance(s, KindSymbol)],
            "traits": [self.things.trait_code(s) for s in table.kinds.values() if isinstance(s, TraitSymbol)],
            "teams": [self.components.team(s) for s in named if isinstance(s, TeamSymbol)],
            "tokens": [self.components.token(s) for s in named if isinstance(s, TokenSymbol)],
            "tracks": [self.components.track(s) for s in named if isinstance(s, TrackSymbol)],
            "dice": [self.components.die(s) for s in named if isinstance(s, DieSymbol)],
            "states": [self.components.state(s) for s in named if isinstance(s, StateSymbol)],
            "piles": [self.components.container(s) for s in named if isinstance(s, ContainerSymbol)],
            "plans": [self.components.plan(s) for s in named if isinstance(s, PlanSymbol)],
            "movements": [self.components.movement(s) for s in named if isinstance(s, MovementSymbol)],
            "payments": [self.components.payment(s) for s in named if isinstance(s, PaymentSymbol)],
            "periods": [self.components.period(s.name) for s in table.periods.values()],
            "menus": [self.components.menu(name) for name in table.menus],
            "values": [
                self.definitions.value(s)
                for s in [*named, *(f for group in table.functions.values() for f in group)]
                if isinstance(s, ValueSymbol)
            ],
            "tables": [
                self.definitions.table_code(f)
                for g in table.functions.values()
                for f in g
                if isinstance(f, TableSymbol)
            ],
            "actions": [self.definitions.action(a) for group in table.verbs.values() for a in group],
            "things": [self._thing_unit(s) for s in named if isinstance(s, ThingSymbol) and s.sort is None],
            "rules": [],
            "anytime": [],
            "orders": [],
            "checks": [],
            "measures": [self.components.measure(s) for s in named if isinstance(s, MeasureSymbol)],
        }
        self._unnamed(content)
        self._tests(content)
        content["start_after"] = []
        if table.start_after is not None:
            action = table.start_after.node.action
            content["start_after"] = [symbol.id for symbol in table.verbs.get(action.text, ())]
            self.names.moment(action, Scope(table.start_after.origin))
        for around in table.conditions:
            self.expressions.condition(around.node, Scope(around.origin, pure="a condition of options"))
        report_overlaps(self.work, self.types)
        self.work.gather()
        return content

    def _unnamed(self, content: IR) -> None:
        taken: dict[int, int] = {}
        for loose in self.work.table.loose:
            before = self.work.enter_file(loose.origin)
            if not self.work.facts.kept:
                self.work.facts.loose.append(self.unnamed.lower(loose.node, loose.origin))
            for section, ir in self.work.facts.loose[taken.setdefault(self.work.facts.number, 0)]:
                content[section].append(ir)
            taken[self.work.facts.number] += 1
            self.work.enter(before)

    def _thing_unit(self, symbol: ThingSymbol) -> IR:
        key = thing_unit(symbol)
        known = self.work.done.get(key)
        if known is not None:
            return known
        before = self.work.enter_unit(symbol.origin, "")
        return self.work.leave_unit(key, self.things.thing_code(symbol), before)

    def _tests(self, content: IR) -> None:
        content["tests"] = []
        taken: dict[int, int] = {}
        for test in self.work.table.tests:
            before = self.work.enter_file(test.origin)
            if not self.work.facts.kept:
                self.work.facts.tests.append(self.tests.test(test.node, test.origin))
            content["tests"].append(self.work.facts.tests[taken.setdefault(self.work.facts.number, 0)])
            taken[self.work.facts.number] += 1
            self.work.enter(before)
