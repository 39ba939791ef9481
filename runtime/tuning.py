"""Generated source made quicker before Python compiles it, without a look at what it is about.

Small functions and functions called from one place are written where they are called; lists that are made only to be
looped over are made by loops; conditions that are settled are left out. Every line keeps its number; those of a function
written elsewhere get numbers of their own, so that an error still tells the way to where it happened.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from talewright.runtime.facts import Facts
from talewright.runtime.holding import list_sorts
from talewright.runtime.looping import Loops, harmless, rewrite_calls
from talewright.runtime.placing import ASKED, CALLED, SEARCH, Inliner, reached
from talewright.runtime.slots import share_locals
from talewright.runtime.tables import Fixed, Table, Tables
from talewright.runtime.trees import walk
from talewright.runtime.walking import walk_at_once

# Functions that are called once, or only when somebody reads what they give.
ASIDE = re.compile(r"CK|ME|L\d|init|born|O\d")
# Functions that run while a game is made.
EARLY = re.compile(r"init|born")
# Effects of fields, and what tells whether they can be done.
EFFECT = re.compile(r"E\d+(_can)?")
# Lists of all things of a kind.
KIND_LIST = re.compile(r"K\d+")


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tree ready to be compiled, and the lines of functions written where they are called."""

    tree: ast.Module
    lines: dict[int, tuple[int, int]]
    tables: list[Table]
    streams: dict[str, str]
    """Lists of what is left of streams of chance, and the constants that name the streams."""

    def way(self, line: int) -> list[int]:
        """The lines of the source that led to a line, the innermost first."""
        if line not in self.lines:
            return [line]
        inner, call = self.lines[line]
        return [*self.way(inner), *self.way(call)]


def tuned(source: str, fixed: Fixed | None = None, first: Container[str] = ()) -> Tuned:
    """The tree of a generated source, with the same meaning; `first` are functions that are called from outside."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    _by_one_name(tree, functions)
    roots = {
        name
        for name in functions
        if name in first or not (CALLED.fullmatch(name) or ASKED.fullmatch(name) or SEARCH.fullmatch(name))
        if not ASIDE.match(name)
    }
    inliner = Inliner(functions, source.count("\n") + 1, roots)
    inliner.run()
    early = _run_early(functions)
    played = [function for name, function in functions.items() if name in inliner.live]
    fixed = fixed or Fixed()
    streams: dict[str, str] = {}
    for function in played:
        _settle(function)
        list_sorts(function)
        Loops(function, fixed).run()
        streams |= rewrite_calls(function)
    tables = Tables(fixed)
    for function in played:
        tables.shorten(function, function.name not in early)
    facts = Facts(functions, fixed.columns, tables.containers)
    for function in played:
        facts.run(function)
    for function in played:
        tables.run(function, function.name not in early)
        walk_at_once(function, tables)
        if function.name not in early:
            tables.orders(function)
        share_locals(function)
    ast.fix_missing_locations(tree)
    return Tuned(tree, inliner.lines, tables.made, streams)


def _by_one_name(tree: ast.Module, functions: dict[str, ast.FunctionDef]) -> None:
    """Functions that have another name as well are called by their own."""
    names: dict[str, str] = {}
    seen: set[str] = set()
    for stmt in tree.body:
        match stmt:
            case ast.FunctionDef(name=name):
                seen.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=own)) if own in seen:
                names[name] = own
    if names:
        for function in functions.values():
            for node in walk(function):
                if isinstance(node, ast.Name):
                    node.id = names.get(node.id, node.id)


def _run_early(functions: dict[str, ast.FunctionDef]) -> set[str]:
    """The functions that run while the fields of things get their first values."""
    calls = {
        name: {
            node.func.id
            for node in walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
        }
        for name, function in functions.items()
    }
    return {found for name in calls if EARLY.match(name) for found in reached(name, calls)}


# ------------------------------------------------------------------ conditions that are settled
def _is_something(node: ast.expr, known: set[str]) -> bool:
    return (isinstance(node, ast.Name) and node.id in known) or (
        isinstance(node, ast.Constant) and node.value is not None
    )


def _settle(function: ast.FunctionDef) -> None:
    """Leaves out questions whose answer is known: whether a name is none that was found to be something."""
    stores = Counter(
        node.id for node in walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    params = {a.arg for a in function.args.args}
    fixed = {name for name in params if not stores[name]} | {n for n, k in stores.items() if k == 1}
    # Whoever bears an effect is there.
    there = {"self_"} & fixed & params if EFFECT.fullmatch(function.name) else set()
    function.body = _Settled(fixed).block(function.body, there) or [ast.Pass()]


class _Settled:
    """One function; `fixed` are the names that are given a value once."""

    def __init__(self, fixed: set[str]) -> None:
        self.fixed = fixed

    def simplified(self, node: ast.AST, known: set[str]) -> Any:
        return _Simplified(known).visit(node)

    def block(self, body: list[ast.stmt], known: set[str]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        known = set(known)
        for stmt in body:
            if isinstance(stmt, ast.If):
                made.extend(self._if(stmt, known))
                continue
            if isinstance(stmt, (ast.For, ast.While)):
                self._loop(stmt, known)
            elif isinstance(stmt, ast.Try):
                for part in (stmt.body, *(h.body for h in stmt.handlers), stmt.finalbody):
                    part[:] = self.block(part, known)
            else:
                stmt = self.simplified(stmt, known)
                stmt.known = frozenset(known)
                if isinstance(stmt, ast.Assign) and _is_something(stmt.value, known):
                    known |= {t.id for t in stmt.targets if isinstance(t, ast.Name)} & self.fixed
            made.append(stmt)
        return made

    def _if(self, stmt: ast.If, known: set[str]) -> list[ast.stmt]:
        stmt.test = self.simplified(stmt.test, known)
        if isinstance(stmt.test, ast.Constant):
            return self.block(stmt.body if stmt.test.value else stmt.orelse, known)
        found = _found(stmt.test) & self.fixed
        stmt.body = self.block(stmt.body, known | found) or [ast.copy_location(ast.Pass(), stmt)]
        stmt.orelse = self.block(stmt.orelse, known | (_found(stmt.test, False) & self.fixed))
        only = stmt.body[0] if len(stmt.body) == 1 and not stmt.orelse else None
        if isinstance(only, ast.Pass) and harmless(stmt.test):
            return []
        if isinstance(only, (ast.Return, ast.Continue)):
            known |= _found(stmt.test, False) & self.fixed
        return [stmt]

    def _loop(self, stmt: ast.For | ast.While, known: set[str]) -> None:
        inner = set(known)
        if isinstance(stmt, ast.For):
            stmt.known = frozenset(known)  # type: ignore[attr-defined]
            stmt.iter = self.simplified(stmt.iter, known)
            if isinstance(stmt.target, ast.Name) and _of_things(stmt.iter):
                inner |= {stmt.target.id} & self.fixed
        else:
            stmt.test = self.simplified(stmt.test, known)
        stmt.body = self.block(stmt.body, inner) or [ast.copy_location(ast.Pass(), stmt)]


def _found(test: ast.expr, holds: bool = True) -> set[str]:
    """Names that are something where a condition holds, or where it does not."""
    match test:
        case ast.BoolOp(op=ast.And() | ast.Or() as op, values=values):
            if isinstance(op, ast.And) is holds:
                return set().union(*(_found(v, holds) for v in values))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _found(inner, not holds)
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]):
            if isinstance(op, ast.IsNot if holds else ast.Is):
                return {name}
    return set()


def _of_things(node: ast.expr) -> bool:
    """Whether a loop goes over things that are all there: those of a kind, some of them, or all in another order."""
    match node:
        case ast.Name(id=name):
            return bool(KIND_LIST.fullmatch(name))
        case ast.Call(func=ast.Name(id="list"), args=[inner]):
            return _of_things(inner)
        case ast.Call(func=ast.Name(id="rotated"), args=[_, inner, _, _]):
            return _of_things(inner)
        case ast.BoolOp(op=ast.Or(), values=[_, last]):
            return _of_things(last)
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="get"), args=[_, last]):
            # All of them in another order, by whoever comes first.
            return _of_things(last)
        case ast.ListComp(
            elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=same)) as one]
        ):
            return name == same and _of_things(one.iter)
    return False


class _Simplified(ast.NodeTransformer):
    """Conditions with what is known put in."""

    def __init__(self, known: set[str]) -> None:
        self.known = known

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        _by_count(node)
        if (
            isinstance(node.left, ast.Name)
            and node.left.id in self.known
            and isinstance(node.ops[0], (ast.Is, ast.IsNot))
            and isinstance(node.comparators[0], ast.Constant)
            and node.comparators[0].value is None
        ):
            return ast.copy_location(ast.Constant(isinstance(node.ops[0], ast.IsNot)), node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, bool):
                return ast.copy_location(ast.Constant(not node.operand.value), node)
            inner = node.operand
            if isinstance(inner, ast.Compare) and len(inner.ops) == 1:
                other = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is}.get(
                    type(inner.ops[0])
                )
                if other is not None:
                    inner.ops = [other()]
                    return inner
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op):
                values.extend(value.values)
            else:
                values.append(value)
        kept: list[ast.expr] = []
        for number, value in enumerate(values):
            if isinstance(value, ast.Constant) and isinstance(value.value, bool):
                if value.value is decides:
                    kept.append(value)
                    break
                # As the last one it may be the value that is asked for.
                if number < len(values) - 1 or (kept and _is_truth(kept[-1])):
                    continue
            kept.append(value)
        if len(kept) == 1:
            return kept[0]
        node.values = kept
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node


_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE,
}  # fmt: skip


def _by_count(node: ast.Compare) -> None:
    """How much room is left, asked by how much there is: `3 - len(a) > 0` is `len(a) < 3`."""
    match node:
        case ast.Compare(
            left=ast.BinOp(
                left=ast.Constant(value=int(most)),
                op=ast.Sub(),
                right=ast.Call(func=ast.Name(id="len")) as count,
            ),
            ops=[op],
            comparators=[ast.Constant(value=int(left)) as number],
        ) if type(op) in _TURNED:
            node.left = count
            node.ops = [_TURNED[type(op)]()]
            node.comparators = [ast.copy_location(ast.Constant(most - left), number)]


def _is_truth(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
