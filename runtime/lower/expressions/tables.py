"""Tables: a row is looked up by a number, word or thing; it brings a value or does something."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import call
from talewright.runtime.ir.header import NOTHING_FITS
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.builds.counters import count_row
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import block, lowers_statement, lowers_value, value_as
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.scopes import local_names, local_types
from talewright.runtime.lower.statements.endings import finish_call, finish_value
from talewright.runtime.lower.statements.statements import fits
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.declared import TableDeclaration
from talewright.schemas.nodes.names import TableLookUp
from talewright.schemas.nodes.statements import RunTable
from talewright.schemas.nodes.tables import OtherwisePattern, TableRow
from talewright.schemas.nodes.types import Type


@lowers_value(TableLookUp)
def table_look_up(code: Code, node: TableLookUp) -> Expression:
    table = code.program.tables[node.id]
    program = code.program
    name = program.need(f"table:{table.id}", lambda: _table_function(program, table))
    arguments = table_arguments(code, node, table)
    if table.effects:
        made = code.ask_call(name, arguments, True)
        assert made is not None
        return made
    return code.result(table.type, name, *arguments)


@lowers_statement(RunTable)
def run_table(code: Code, node: RunTable) -> None:
    assert isinstance(node.of, TableLookUp)
    table_look_up(code, node.of)


@lowers_value(RunTable)
def table_result(code: Code, node: RunTable) -> Expression:
    assert isinstance(node.of, TableLookUp)
    return table_look_up(code, node.of)


def table_arguments(code: Code, node: TableLookUp, table: TableDeclaration) -> tuple[Expression, ...]:
    """What is looked up, as a number if it is a roll, then the arguments."""
    types = local_types(table.locals)
    key = code.keep(value_as(code, node.args[0], table.key))
    made = [key]
    for argument, number in zip(node.args[1:], table.params, strict=False):
        made.append(code.keep(value_as(code, argument, types[number])))
    return tuple(made)


def _table_function(program: Program, table: TableDeclaration) -> Function:
    locals_: dict[int, Expression] = {number: Local(1 + i) for i, number in enumerate(table.params)}
    names = local_names(table.locals)
    scope = Scope(locals_, types=local_types(table.locals), names=names, gives=table.type, verb="table")
    code = program.code(f"table:{table.id}", 1 + len(table.params), gives=not table.effects, scope=scope)
    code.spot = table.at
    code.giving()
    key: Expression = Local(0)
    type_ = table.key
    if plain(type_).tag in ("pool", "dice"):
        key, type_ = code.hold(call("pool_total", key)), Type("int")
    rows = sorted(table.rows, key=lambda row: isinstance(row.pattern, OtherwisePattern))
    for row in rows:
        code.spot = row.at
        code.when(fits(code, row.pattern, row.when, key, type_), partial(_row, code, row, table))
    code.fault(NOTHING_FITS, table.at)
    if table.effects:
        return finish_call(code, Type("any"))
    return finish_value(code, table.type)


def _row(code: Code, row: TableRow, table: TableDeclaration) -> None:
    count_row(code, table.id, row.pattern, row.at)
    if row.result is not None:
        code.give(value_as(code, row.result, table.type))
        return
    block(code, row.body)
    code.go(code.exit)
