"""Conditions of generated source that are known where they are asked, because they were asked before.

A condition holds until a cell it reads may have been written. What a function may write is found out for all functions
first; whatever cannot be looked into counts as writing everything.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from talewright.runtime.looping import LEFT
from talewright.runtime.trees import OWN_NAMES, key, walk

ALL = "*"
# Functions of the kernel and of Python that change no cell. Choosers look at the table, they never move anything.
HARMLESS = frozenset(
    (
        "DRAW", "QUICK", "abs", "all", "any", "be", "between", "bool", "bounded", "by_sort", "can_move",
        "content_of", "copies_of", "core_distinct", "dict", "distinct_dice", "enumerate", "first_copy",
        "fold", "forbidden", "forbidden_one", "forbidden_two", "grouped", "includes", "includes_sorts",
        "inside", "is_face", "int", "isinstance", "knows", "len", "list", "lowest_copies", "may", "max",
        "min", "no_nones", "part_of", "pick", "prop_place", "prop_sort", "range", "reversed", "room_left", "same_part",
        "say", "set", "show_value", "sort_of", "sorted", "span", "str", "sum", "times", "tuple", "type", "union", "zip",
    )
)  # fmt: skip
CHANGING = frozenset(("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort", "update"))
# Lists that a function makes for itself.
OWN_LIST = re.compile(r"l_\d+|out(_\d+)*|LOG|ask\d+(_\d+)*")
# Attributes of the runtime whose functions change no cell.
QUIET = ("CHANCE",)
QUIETLY = ("copy", "count", "get", "index", "join", "look_for_progress", "more")
ITEMS = "ITEMS"


class Effects:
    """Which columns every function may write."""

    def __init__(self, functions: dict[str, ast.FunctionDef]) -> None:
        self.functions = functions
        self.writes: dict[str, set[str]] = {}
        calls: dict[str, set[str]] = {}
        for name, function in functions.items():
            self.writes[name], calls[name] = self._direct(function.body)
        grown = True
        while grown:
            grown = False
            for name, called in calls.items():
                mine = self.writes[name]
                before = len(mine)
                for other in called:
                    mine |= self.writes[other]
                grown = grown or len(mine) > before

    def of(self, nodes: list[Any]) -> set[str]:
        """The columns that a piece of code may write."""
        writes, calls = self._direct(nodes)
        for name in calls:
            writes |= self.writes[name]
        return writes

    def _direct(self, nodes: list[Any]) -> tuple[set[str], set[str]]:
        writes: set[str] = set()
        calls: set[str] = set()
        for top in nodes:
            for node in walk(top):
                if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                    writes.add(_base(node))
                elif isinstance(node, ast.Call):
                    self._called(node.func, writes, calls)
        return writes, calls

    def _called(self, func: ast.expr, writes: set[str], calls: set[str]) -> None:
        match func:
            case ast.Name(id=name):
                if name in self.functions:
                    calls.add(name)
                elif name not in HARMLESS:
                    writes.add(ALL)
            case ast.Attribute(value=value, attr=attr):
                base = value.id if isinstance(value, ast.Name) else ""
                if attr in CHANGING:
                    drawn = any(
                        isinstance(part, ast.Name) and part.id.startswith(LEFT) for part in walk(value)
                    )
                    if not drawn and not OWN_LIST.fullmatch(base):
                        writes.add(ITEMS)
                elif base not in QUIET and attr not in QUIETLY:
                    writes.add(ALL)
            case _:
                writes.add(ALL)


def _base(node: ast.expr) -> str:
    """The column that is written; the containers are all one."""
    depth = 0
    while isinstance(node, ast.Subscript):
        node = node.value
        depth += 1
    name = node.id if isinstance(node, ast.Name) else ALL
    return ITEMS if depth > 1 or name == ITEMS else name


def negated(test: ast.expr) -> ast.expr:
    """The opposite of a condition."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Constant):
        return ast.copy_location(ast.Constant(not test.value), test)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        other = _OPPOSITE.get(type(test.ops[0]))
        if other is not None:
            return ast.copy_location(ast.Compare(test.left, [other()], test.comparators), test)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return ast.copy_location(ast.BoolOp(ast.And(), [negated(v) for v in test.values]), test)
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ASKED_AS = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}

Known = dict[str, tuple[bool, frozenset[str]]]


class Facts:
    """Leaves out of functions what is known where it is asked."""

    def __init__(
        self, functions: dict[str, ast.FunctionDef], fixed: frozenset[str], containers: set[str]
    ) -> None:
        self.effects = Effects(functions)
        self.fixed = fixed - containers
        self.containers = containers

    def run(self, function: ast.FunctionDef) -> None:
        """Rewrites one function."""
        known: Known = {}
        function.body = self._block(function.body, known) or [ast.Pass()]

    # -------------------------------------------------------------- statements
    def _block(self, body: list[ast.stmt], known: Known) -> list[ast.stmt]:
        """The statements of a block; `known` is what holds before it, and then what holds after it."""
        made: list[ast.stmt] = []
        for stmt in body:
            match stmt:
                case ast.If():
                    made.extend(self._if(stmt, known))
                case ast.For() | ast.While():
                    self._loop(stmt, known)
                    made.append(stmt)
                case ast.Try() | ast.FunctionDef() | ast.With():
                    known.clear()
                    made.append(stmt)
                case _:
                    writes = self.effects.of([stmt])
                    if not writes & {ALL}:
                        _Inside(self, known).visit(stmt)
                    self._forget(known, writes, _assigned(stmt))
                    made.append(stmt)
            if made and _leaves(made[-1]):
                break
        return made

    def _if(self, stmt: ast.If, known: Known) -> list[ast.stmt]:
        if self.effects.of([stmt.test]):
            self._forget(known, {ALL}, _assigned(stmt.test))
        else:
            self._forget(known, set(), _assigned(stmt.test))
            stmt.test = self.truth(stmt.test, known)
        if isinstance(stmt.test, ast.Constant):
            return self._block(stmt.body if stmt.test.value else stmt.orelse, known)
        one = {**known, **self.told(stmt.test, True)}
        other = {**known, **self.told(stmt.test, False)}
        stmt.body = self._block(stmt.body, one) or [ast.copy_location(ast.Pass(), stmt)]
        stmt.orelse = self._block(stmt.orelse, other)
        known.clear()
        if _leaves(stmt.body[-1]):
            known.update(other)
        elif stmt.orelse and _leaves(stmt.orelse[-1]):
            known.update(one)
        else:
            known.update({key: fact for key, fact in one.items() if other.get(key) == fact})
        return [stmt]

    def _loop(self, stmt: ast.For | ast.While, known: Known) -> None:
        first: list[Any] = [stmt.iter if isinstance(stmt, ast.For) else stmt.test]
        writes = self.effects.of(first)
        if isinstance(stmt, ast.For) and not writes:
            stmt.iter = _Inside(self, known).visit(stmt.iter)
        self._forget(known, writes, _assigned(stmt))
        self._forget(known, self.effects.of([*first, *stmt.body, *stmt.orelse]), set())
        inner = dict(known)
        if isinstance(stmt, ast.While) and not writes:
            inner |= self.told(stmt.test, True)
        stmt.body = self._block(stmt.body, inner) or [ast.copy_location(ast.Pass(), stmt)]
        stmt.orelse = self._block(stmt.orelse, dict(known)) if stmt.orelse else []

    def _forget(self, known: Known, writes: set[str], assigned: set[str]) -> None:
        if ALL in writes:
            known_still = {k: f for k, f in known.items() if not f[1] - self.fixed - _locals(f[1])}
            known.clear()
            known.update(known_still)
            writes = set()
        gone = writes | assigned
        if gone:
            for key in [key for key, fact in known.items() if fact[1] & gone]:
                del known[key]

    # -------------------------------------------------------------- conditions
    def truth(self, node: ast.expr, known: Known) -> ast.expr:
        """A condition of which only its truth is asked."""
        match node:
            case ast.BoolOp(op=op, values=values):
                return self._joined(node, isinstance(op, ast.And), values, known)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negated(self.truth(operand, known))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(node, test, body, orelse, known)
            case ast.Call(func=ast.Name(id="bool"), args=[inner]):
                return self.truth(inner, known)
            case ast.Compare(
                left=ast.IfExp(
                    test=ast.NamedExpr(target=ast.Name(id=name), value=held),
                    body=ast.Subscript(value=ast.Name(id=same), slice=ast.Constant(value=0)),
                    orelse=ast.Constant(value=None),
                ),
                ops=[(ast.Is() | ast.IsNot()) as op],
                comparators=[ast.Constant(value=None)],
            ) if name == same and self._is_container(held):
                # What lies in a container is never none.
                return self.truth(negated(held) if isinstance(op, ast.Is) else held, known)
        fact = self._fact(node, known)
        if fact is not None:
            return ast.copy_location(ast.Constant(fact), node)
        made: ast.expr = _Inside(self, known).visit(node)
        return made

    def _is_container(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in self.containers
            and not _walrus(node.slice)
        )

    def _joined(self, node: ast.BoolOp, all_: bool, values: list[ast.expr], known: Known) -> ast.expr:
        known = dict(known)
        kept: list[ast.expr] = []
        for value in values:
            made = self.truth(value, known)
            if isinstance(made, ast.Constant):
                if bool(made.value) is all_:
                    continue
                kept.append(made)
                break
            if isinstance(made, ast.BoolOp) and isinstance(made.op, ast.And) is all_:
                kept.extend(made.values)
            else:
                kept.append(made)
            self._forget(known, set(), _assigned(made))
            known.update(self.told(made, all_))
        if not kept:
            return ast.copy_location(ast.Constant(all_), node)
        if isinstance(kept[-1], ast.Constant) and all(_quiet(value) for value in kept[:-1]):
            return kept[-1]
        if len(kept) == 1:
            return kept[0]
        return ast.copy_location(ast.BoolOp(ast.And() if all_ else ast.Or(), kept), node)

    def _choice(
        self, node: ast.IfExp, test: ast.expr, body: ast.expr, orelse: ast.expr, known: Known
    ) -> ast.expr:
        test = self.truth(test, known)
        if isinstance(test, ast.Constant):
            return self.truth(body if test.value else orelse, known)
        body = self.truth(body, {**known, **self.told(test, True)})
        orelse = self.truth(orelse, {**known, **self.told(test, False)})
        if isinstance(orelse, ast.Constant) and not orelse.value:
            return self._joined(node, True, [test, body], known)  # type: ignore[arg-type]
        if isinstance(body, ast.Constant):
            if body.value:
                return self._joined(node, False, [test, orelse], known)  # type: ignore[arg-type]
            return self._joined(node, True, [negated(test), orelse], known)  # type: ignore[arg-type]
        return ast.copy_location(ast.IfExp(test, body, orelse), node)

    def _fact(self, node: ast.expr, known: Known) -> bool | None:
        if isinstance(node, ast.Constant):
            return bool(node.value)
        asked, straight = _asked(node)
        match asked:
            case ast.Compare(
                left=ast.Constant(value=one), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
            ):
                return (one is None) is straight
        found = known.get(key(asked))
        if found is not None:
            return found[0] is straight
        match asked:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=value)]):
                other = known.get(f"value of {key(left)} {value!r}")
                if other is None and any(fact.startswith(f"value of {key(left)} ") for fact in known):
                    return not straight
        return None

    def told(self, node: ast.expr, holds: bool) -> Known:
        """What is known where a condition holds, or where it does not."""
        match node:
            case ast.BoolOp(op=op, values=values):
                if isinstance(op, ast.And) is holds:
                    found: Known = {}
                    for value in values:
                        found |= self.told(value, holds)
                    return found
                return {}
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.told(operand, not holds)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return self.told(value, holds) | self.told(ast.Name(name, ast.Load()), holds)
        asked, straight = _asked(node)
        match asked:
            case ast.Compare(left=ast.NamedExpr(target=ast.Name(id=name), value=value)):
                by_name = ast.Compare(ast.Name(name, ast.Load()), asked.ops, asked.comparators)
                itself = ast.Compare(value, asked.ops, asked.comparators)
                return self.told(by_name, holds is straight) | self.told(itself, holds is straight)
        if not _plain(asked):
            return {}
        names = frozenset(part.id for part in walk(asked) if isinstance(part, ast.Name))
        if names & self.containers:
            names |= {ITEMS}
        found = {key(asked): (holds is straight, names)}
        match asked:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant() as number]):
                if holds is straight:
                    found[f"value of {key(left)} {number.value!r}"] = (True, names)
        return found


def _asked(node: ast.expr) -> tuple[ast.expr, bool]:
    """A condition in the form in which it is noted, and whether it stands for it or for its opposite."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = _ASKED_AS.get(type(node.ops[0]))
        if other is not None:
            return ast.Compare(node.left, [other()], node.comparators), False
    return node, True


def _plain(node: ast.expr) -> bool:
    """Whether a condition only looks into cells."""
    return not any(
        isinstance(part, (ast.Call, ast.NamedExpr, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.Await))
        for part in walk(node)
    )


def _quiet(node: ast.expr) -> bool:
    return _plain(node)


def _walrus(node: ast.expr) -> bool:
    return any(isinstance(part, ast.NamedExpr) for part in walk(node))


def _assigned(node: ast.AST) -> set[str]:
    return {
        part.id for part in walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }


def _locals(names: frozenset[str]) -> set[str]:
    return {name for name in names if not name[0].isupper()}


def _leaves(stmt: ast.stmt) -> bool:
    return isinstance(stmt, (ast.Return, ast.Continue, ast.Break, ast.Raise))


class _Inside(ast.NodeTransformer):
    """Conditions inside an expression that changes nothing."""

    def __init__(self, facts: Facts, known: Known) -> None:
        self.facts = facts
        self.known = known

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.facts.truth(node.test, self.known)
        if isinstance(test, ast.Constant):
            made: ast.expr = self.visit(node.body if test.value else node.orelse)
            return made
        node.test = test
        body = _Inside(self.facts, {**self.known, **self.facts.told(test, True)})
        orelse = _Inside(self.facts, {**self.known, **self.facts.told(test, False)})
        node.body, node.orelse = body.visit(node.body), orelse.visit(node.orelse)
        return node

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, OWN_NAMES) else super().visit(node)
