"""Tables: a row is looked up by a number, word or thing; it brings a value or does something."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import call
from talewright.runtime.ir.header import NOTHING_FITS
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.builds.counters import count_row
from talewright.runtime.lower.code import Code, Scope, local_names, local_types
from talewright.runtime.lower.dispatch import block, lowers_statement, lowers_value, value_as
from talewright.runtime.lower.statements.endings import finish_call, finish_value
from talewright.runtime.lower.statements.statements import fits
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.declared import TableDeclaration
from talewright.schemas.nodes.names import TableLookUp
from talewright.schemas.nodes.statements import RunTable
from talewright.schemas.nodes.tables import OtherwisePattern, TableRow
from talewright.schemas.nodes.types import ANY, Type


@lowers_value(TableLookUp)
def table_look_up(code: Code, node: TableLookUp) -> Expression:
    table = code.program.tables[node.id]
    program = code.program
    write = partial(_table, table)
    name = program.function(f"table:{table.id}", 1 + len(table.params), write, gives=not table.effects)
    arguments = table_arguments(code, node, table)
    if table.effects:
        return code.ask_for(name, arguments)
    return code.result(table.type, name, *arguments)


@lowers_statement(RunTable)
@lowers_value(RunTable)
def run_table(code: Code, node: RunTable) -> Expression:
    assert isinstance(node.of, TableLookUp)
    return table_look_up(code, node.of)


def table_arguments(code: Code, node: TableLookUp, table: TableDeclaration) -> tuple[Expression, ...]:
    """What is looked up, as a number if it is a roll, then the arguments."""
    types = local_types(table.locals)
    wanted = (table.key, *(types[number] for number in table.params))
    return tuple(code.keep(value_as(code, a, t)) for a, t in zip(node.args, wanted, strict=False))


def _table(table: TableDeclaration, code: Code) -> Function:
    locals_: dict[int, Expression] = {number: Local(1 + i) for i, number in enumerate(table.params)}
    types, names = local_types(table.locals), local_names(table.locals)
    code.scope = Scope(locals_, types=types, names=names, gives=table.type, verb="table")
    code.spot = table.at
    code.giving()
    key: Expression = Local(0)
    type_ = table.key
    if plain(type_).tag in ("pool", "dice"):
        key, type_ = code.hold(call("pool_total", key)), Type("int")
    for row in sorted(table.rows, key=lambda row: isinstance(row.pattern, OtherwisePattern)):
        code.spot = row.at
        code.when(fits(code, row.pattern, row.when, key, type_), partial(_row, code, row, table))
    code.fault(NOTHING_FITS, table.at)
    return finish_call(code, ANY) if table.effects else finish_value(code, table.type)


def _row(code: Code, row: TableRow, table: TableDeclaration) -> None:
    count_row(code, table.id, row.pattern, row.at)
    if row.result is not None:
        code.give(value_as(code, row.result, table.type))
    else:
        block(code, row.body)
        code.go(code.exit)
