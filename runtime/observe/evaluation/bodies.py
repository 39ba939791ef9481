"""Blocks of statements that work a value out: they change nothing but their own locals."""

from __future__ import annotations

from collections.abc import Sequence

from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.model.types import is_list, is_plain_list
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import (
    NO_ROW,
    Evaluator,
    Scope,
    Unanswerable,
    as_items,
    calculated,
    evaluates,
    minus,
    of_kind,
    union,
)
from talewright.runtime.observe.evaluation.expressions import same_members, total_of
from talewright.runtime.observe.evaluation.modifiers import BODIES
from talewright.runtime.observe.evaluation.traits import has_trait
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes import tables as t
from talewright.schemas.nodes.declared import TableDeclaration
from talewright.schemas.nodes.types import Type

MOST_TURNS = 100_000


class _Given(Exception):
    """A value was given: the rest does not run."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class _Stopped(Exception):
    """A loop, or the block, is left."""


class Body:
    """A block while it is worked out."""

    def __init__(self, ev: Evaluator, scope: Scope, gives: Type) -> None:
        self.ev, self.scope, self.gives = ev, scope, gives

    def result(self, body: Sequence[s.Statement]) -> Value:
        """What the block gives; none if it gives nothing."""
        try:
            self.run(body)
        except _Given as given:
            return given.value
        except _Stopped:
            pass
        return () if is_list(self.gives) and self.gives.tag != "optional" else None

    def run(self, body: Sequence[s.Statement]) -> None:
        """Runs statements one after the other."""
        for node in body:
            self._statement(node)

    def _statement(self, node: s.Statement) -> None:
        ev = self.ev
        match node:
            case s.DoNothing():
                pass
            case s.Let():
                type_ = self.scope.types.get(node.local, Type("any"))
                self.scope = self.scope.bind(node.local, ev.value_as(node.value, type_, self.scope))
            case s.Give():
                raise _Given(ev.value_as(node.value, self.gives, self.scope))
            case s.Requires():
                if not ev.condition(node.condition, self.scope):
                    raise _Stopped
            case s.If():
                for test, body in node.branches:
                    if ev.condition(test, self.scope):
                        self.run(body)
                        return
                self.run(node.otherwise)
            case s.Branch():
                self._branch(node)
            case s.ForEach(chosen_by=None):
                self._for_each(node)
            case s.Repeat():
                self._repeat(node)
            case s.Stop(moment=None):
                raise _Stopped
            case s.Assign(target=n.LocalRef()) | s.Change() | s.Extend() | s.Shrink():
                self._write(node)
            case _:
                raise Unanswerable(f"`{type(node).__name__}` is known only when it happens")

    def _branch(self, node: s.Branch) -> None:
        held = self.ev.value(node.of, self.scope)
        for arm in sorted(node.arms, key=lambda arm: isinstance(arm.pattern, t.OtherwisePattern)):
            if pattern_fits(self.ev, arm.pattern, arm.when, held, self.scope):
                self.run(arm.body)
                return
        raise EngineFault(NO_ROW, node.at)

    def _for_each(self, node: s.ForEach) -> None:
        held = self.ev.value(node.of, self.scope)
        members = tuple(held.items()) if isinstance(held, dict) else as_items(held)
        try:
            for member in members:
                if node.pairs and isinstance(member, tuple):
                    self.scope = self.scope.bind(node.local, member[0])
                    if node.second is not None:
                        self.scope = self.scope.bind(node.second, member[1])
                else:
                    self.scope = self.scope.bind(node.local, member)
                if isinstance(node.of, q.Filter):
                    inner = self.scope.bind(node.of.local, member)
                    if not self.ev.condition(node.of.test, inner):
                        continue
                self.run(node.body)
        except _Stopped:
            pass

    def _repeat(self, node: s.Repeat) -> None:
        times = MOST_TURNS if node.times is None else self.ev.number(node.times, self.scope)
        try:
            for _ in range(times):
                if node.guard is not None and not self.ev.condition(node.guard, self.scope):
                    return
                self.run(node.body)
        except _Stopped:
            return

    def _write(self, node: s.Assign | s.Change | s.Extend | s.Shrink) -> None:
        ev, target = self.ev, node.target
        if not isinstance(target, n.LocalRef):
            raise Unanswerable("something is written here")
        type_ = self.scope.types.get(target.number, Type("any"))
        made: Value
        match node:
            case s.Assign():
                made = ev.value_as(node.value, type_, self.scope)
            case s.Change():
                now, by = ev.number(target, self.scope), ev.number(node.by, self.scope)
                made = calculated(int.__add__ if node.sign > 0 else int.__sub__, now, by)
            case s.Extend():
                made = union(
                    ev.items(target, self.scope), ev.items(node.items, self.scope), is_plain_list(type_)
                )
            case s.Shrink():
                made = minus(
                    ev.items(target, self.scope), ev.items(node.items, self.scope), is_plain_list(type_)
                )
        self.scope = self.scope.bind(target.number, made)


def _result(ev: Evaluator, body: Sequence[s.Statement], scope: Scope, gives: Type) -> Value:
    return Body(ev, scope, gives).result(body)


BODIES.append(_result)


# ------------------------------------------------------------------ patterns and tables
def pattern_fits(ev: Evaluator, pattern: object, when: object | None, held: Value, scope: Scope) -> bool:
    """Whether a value fits the pattern of an arm or row."""
    match pattern:
        case t.RangePattern():
            number = total_of(ev, held)
            if not isinstance(number, int):
                return False
            if pattern.low is not None and number < ev.number(pattern.low, scope):
                return False
            if pattern.high is not None and number > ev.number(pattern.high, scope):
                return False
        case t.KindPattern():
            known = pattern.kind in ev.program.world.kinds
            thing = held if isinstance(held, int) else 0
            if not (of_kind(ev, held, pattern.kind) if known else has_trait(ev, thing, pattern.kind)):
                return False
        case t.ConditionPattern():
            if not ev.condition(pattern.condition, scope):
                return False
        case t.ValuePattern():
            if not _same_value(ev, held, pattern, scope):
                return False
    return when is None or ev.condition(when, scope)


def _same_value(ev: Evaluator, held: Value, pattern: t.ValuePattern, scope: Scope) -> bool:
    node = pattern.value
    wanted = ev.value(node, scope)
    if isinstance(node, n.SortRef) and isinstance(held, int) and 0 < held <= len(ev.program.world.things):
        return ev.column("SORT", held) == wanted
    if isinstance(held, tuple) and isinstance(wanted, int):
        return total_of(ev, held) == wanted
    if pattern.unordered:
        return same_members(held, wanted)
    return held == wanted


@evaluates(n.TableLookUp)
def table_look_up(ev: Evaluator, node: n.TableLookUp, scope: Scope) -> Value:
    table = ev.program.tables[node.id]
    key = ev.value(node.args[0], scope)
    rest = [ev.value(argument, scope) for argument in node.args[1:]]
    return table_result(ev, table, key, rest)


def table_result(ev: Evaluator, table: TableDeclaration, key: Value, arguments: Sequence[Value]) -> Value:
    """What the row of a table brings."""
    if plain(table.key).tag in ("pool", "dice"):
        key = total_of(ev, key)
    types = {number: local.type for number, local in enumerate(table.locals)}
    scope = Scope(dict(zip(table.params, arguments, strict=False)), types)
    for row in sorted(table.rows, key=lambda row: isinstance(row.pattern, t.OtherwisePattern)):
        if pattern_fits(ev, row.pattern, row.when, key, scope):
            if row.result is not None:
                return ev.value_as(row.result, table.type, scope)
            if table.effects:
                raise Unanswerable("the row does something")
            return Body(ev, scope, table.type).result(row.body)
    raise EngineFault(NO_ROW, table.at)
