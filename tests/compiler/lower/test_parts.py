"""Each part of the second pass works alone, with only the parts it names."""

from __future__ import annotations

import pytest

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.conversions import as_number, as_set, convert
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.expressions.operators import Operators
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.declarations import Declare
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import Origin
from talewright.compiler.types.model import INT, POOL, TRUTH, Type, thing
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as t


class Bench:
    """The recorder of one text, and what its check says."""

    def __init__(self, text: str) -> None:
        source = Source("x.tale", text)
        file, findings = parse(source)
        assert findings == []
        self.origin = Origin(source, "x", "adventure")
        declare = Declare()
        declare.file(file.declarations, self.origin)
        self.work = FactRecorder(declare.settle())
        self.conditions = [d.condition for d in file.declarations if isinstance(d, t.CheckDecl)]

    def codes(self) -> list[str]:
        return [found.code for found in self.work.findings]


def test_an_expression_needs_only_the_parts_of_its_nodes() -> None:
    bench = Bench("check 1 + 2 > 2\n")
    expressions = Expressions(bench.work)
    names = Names(bench.work, DefinitionTypes(bench.work))
    expressions.handlers = {
        **Literals(bench.work, expressions).handlers(),
        **Operators(bench.work, expressions, names).handlers(),
    }
    ir, kind = expressions.expr(bench.conditions[0], Scope(bench.origin))
    assert kind == TRUTH
    assert ir == {
        "op": "gt",
        "a": {"op": "add", "a": {"op": "int", "v": 1}, "b": {"op": "int", "v": 2}},
        "b": {"op": "int", "v": 2},
    }
    assert bench.codes() == []


def test_a_name_that_nobody_declared_is_reported_by_the_part_of_names() -> None:
    bench = Bench("track dread 0..5\ncheck dred\n")
    expressions = Expressions(bench.work)
    expressions.handlers = Names(bench.work, DefinitionTypes(bench.work)).handlers()
    expressions.expr(bench.conditions[0], Scope(bench.origin))
    assert bench.codes() == ["N201"]
    assert bench.work.findings[0].help == "did you mean `dread`?"


def test_a_node_that_no_part_knows_is_no_value() -> None:
    bench = Bench("check yes\n")
    Expressions(bench.work).expr(bench.conditions[0], Scope(bench.origin))
    assert bench.codes() == ["T301"]


def test_a_block_gives_each_statement_to_the_part_that_knows_it() -> None:
    bench = Bench("check yes\n")
    blocks = Blocks(bench.work)
    heads: list[bool] = []

    def lowered(node: t.Node, scope: Scope) -> IR | None:
        heads.append(scope.head)
        return {"op": type(node).__name__}

    blocks.handlers = {t.DoNothing: lowered, t.Node: lowered}
    made = blocks.statements([t.DoNothing(0, 1), t.Name(2, 3, "x")], Scope(bench.origin), head=True)
    assert made == [{"op": "DoNothing"}, {"op": "Name"}]
    assert heads == [True, False], "only the first statement is still the head of the block"


@pytest.mark.parametrize(
    ("kind", "op"),
    [(Type("pile", "Card", ("pile", False)), "items"), (Type("sort", "coin", ("Coin",)), "copies"), (POOL, "pool_dice")],
)  # fmt: skip
def test_containers_sorts_and_dice_become_sets(kind: Type, op: str) -> None:
    assert as_set({"op": "x"}, kind) == {"op": op, "of": {"op": "x"}}


def test_one_thing_becomes_a_set_of_one() -> None:
    assert as_set({"op": "x"}, thing("Card")) == {"op": "set", "items": [{"op": "x"}], "drop": True}


def test_dice_become_numbers_and_numbers_dice() -> None:
    assert as_number({"op": "x"}, POOL) == {"op": "pool_total", "of": {"op": "x"}}
    assert as_number({"op": "x"}, INT) == {"op": "x"}
    assert convert({"op": "x"}, INT, POOL) == {"op": "fixed_dice", "of": {"op": "x"}}
