"""Generated source made quicker before Python compiles it, without a look at what it is about.

Small functions and functions called from one place are written where they are called; lists that are made only to be
looped over are made by loops; conditions that are settled are left out. Every line keeps its number; those of a function
written elsewhere get numbers of their own, so that an error still tells the way to where it happened.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

# Functions of actions and tracks: whoever calls them as a statement does not ask for what they give.
CALLED = re.compile(r"(A|Y|D|track_|field_track_)\d+Y?")
# Functions that are called once, or only when somebody reads what they give.
ASIDE = re.compile(r"CK|ME|L\d|init|born|O\d")
# Functions that ask and change nothing.
SEARCH = re.compile(r"q\d+")
# Columns that hold a number for everything there is.
COLUMN = re.compile(r"LOC|SORT|F\d+")
# Lists of all things of a kind.
KIND_LIST = re.compile(r"K\d+")
SMALL = 40
LARGE = 800


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tree ready to be compiled, and the lines of functions written where they are called."""

    tree: ast.Module
    lines: dict[int, tuple[int, int]]

    def way(self, line: int) -> list[int]:
        """The lines of the source that led to a line, the innermost first."""
        if line not in self.lines:
            return [line]
        inner, call = self.lines[line]
        return [*self.way(inner), *self.way(call)]


def tuned(source: str) -> Tuned:
    """The tree of a generated source, with the same meaning."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    inliner = _Inliner(functions, source.count("\n") + 1)
    inliner.run()
    for function in functions.values():
        if not ASIDE.match(function.name):
            _settle(function)
            _Loops(function).run()
    ast.fix_missing_locations(tree)
    return Tuned(tree, inliner.lines)


def _copy(node: Any) -> Any:
    """A copy of a tree, quicker than any that must look for shared parts."""
    if isinstance(node, list):
        return [_copy(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)()
    for name in node._fields:
        setattr(made, name, _copy(getattr(node, name, None)))
    if hasattr(node, "lineno"):
        ast.copy_location(made, node)
    return made


# ------------------------------------------------------------------ names
def _bound(function: ast.FunctionDef) -> set[str]:
    """The locals of a function, those of its lambdas and inner functions with them."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ExceptHandler)) and node is not function and node.name:
            found.add(node.name)
    return found


def _assigned(nodes: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for stmt in nodes
        for node in ast.walk(stmt)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.names.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if node.name:
            node.name = self.names.get(node.name, node.name)
        self.generic_visit(node)
        return node


# ------------------------------------------------------------------ functions in place
def _is_guard(stmt: ast.stmt) -> bool:
    """`if ...: return None`."""
    return isinstance(stmt, ast.If) and not stmt.orelse and len(stmt.body) == 1 and _gives_none(stmt.body[0])


def _gives_none(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Return) and (
        stmt.value is None or (isinstance(stmt.value, ast.Constant) and stmt.value.value is None)
    )


def _can_stand_in_place(function: ast.FunctionDef) -> bool:
    """Whether a function leaves early only by guards that follow each other on its own level."""
    returns = sum(isinstance(node, ast.Return) for node in ast.walk(function))
    guards = sum(_is_guard(stmt) for stmt in function.body)
    inner = sum(
        isinstance(node, ast.Return)
        for stmt in function.body
        for inner in ast.walk(stmt)
        if isinstance(inner, (ast.FunctionDef, ast.Lambda))
        for node in ast.walk(inner)
    )
    awkward = any(
        isinstance(node, (ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)) for node in ast.walk(function)
    )
    return returns - inner == guards and not awkward and not function.args.defaults


class _Inliner:
    """Writes functions where they are called, those first that call no others."""

    def __init__(self, functions: dict[str, ast.FunctionDef], last: int) -> None:
        self.functions = functions
        self.last = last
        self.lines: dict[int, tuple[int, int]] = {}
        self.copies = 0
        self.sizes: dict[str, int] = {}
        self.uses: Counter[str] = Counter()
        self.calls: dict[str, set[str]] = {}
        for name, function in functions.items():
            size = 0
            called = []
            for node in ast.walk(function):
                size += 1
                if isinstance(node, ast.Name) and node.id in functions:
                    called.append(node.id)
            self.sizes[name] = size
            self.uses.update(called)
            self.calls[name] = set(called)
        self.fit = {name for name in functions if CALLED.fullmatch(name) and self._fits(name)}
        self.bound: dict[str, set[str]] = {}

    def _fits(self, name: str) -> bool:
        return name not in _reached(name, self.calls) and _can_stand_in_place(self.functions[name])

    def run(self) -> None:
        done: set[str] = set()
        for name in self.functions:
            self._visit(name, done)

    def _visit(self, name: str, done: set[str]) -> None:
        if name in done:
            return
        done.add(name)
        for called in sorted(self.calls[name] & self.fit):
            self._visit(called, done)
        if self.calls[name] & self.fit:
            function = self.functions[name]
            self.names = _bound(function)
            self.size = self.sizes[name]
            function.body = self._block(function.body)
            self.sizes[name] = self.size

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for stmt in body:
            for part in ("body", "orelse", "finalbody"):
                if isinstance(getattr(stmt, part, None), list) and not isinstance(stmt, ast.FunctionDef):
                    setattr(stmt, part, self._block(getattr(stmt, part)))
            made.extend(self._in_place(stmt))
        return made

    def _in_place(self, stmt: ast.stmt) -> list[ast.stmt]:
        call = stmt.value if isinstance(stmt, ast.Expr) else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            return [stmt]
        name = call.func.id
        if name not in self.fit or call.keywords or self.size + self.sizes[name] > LARGE:
            return [stmt]
        if self.sizes[name] > SMALL and self.uses[name] > 1:
            return [stmt]
        self.size += self.sizes[name]
        called = _copy(self.functions[name])
        self.copies += 1
        suffix = f"_{self.copies}"
        names = {old: f"{old}{suffix}" for old in _bound(called)}
        changed = _assigned(called.body)
        before: list[ast.stmt] = []
        for param, arg in zip(called.args.args, call.args, strict=True):
            if isinstance(arg, ast.Name) and param.arg not in changed and arg.id in self.names:
                names[param.arg] = arg.id
                continue
            target = ast.copy_location(ast.Name(names[param.arg], ast.Store()), stmt)
            before.append(ast.copy_location(ast.Assign([target], arg), stmt))
        self.names |= set(names.values())
        body = [_Renamed(names).visit(part) for part in called.body]
        self._renumber(body, stmt.lineno)
        return [*before, *_nested(body)] or [ast.copy_location(ast.Pass(), stmt)]

    def _renumber(self, body: list[ast.stmt], call: int) -> None:
        mine: dict[int, int] = {}
        for stmt in body:
            for node in ast.walk(stmt):
                if isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.ExceptHandler)):
                    line = mine.get(node.lineno)
                    if line is None:
                        self.last += 1
                        line = mine[node.lineno] = self.last
                        self.lines[line] = (node.lineno, call)
                    node.lineno = node.end_lineno = line


def _reached(start: str, calls: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    stack = list(calls[start])
    while stack:
        name = stack.pop()
        if name not in seen:
            seen.add(name)
            stack.extend(calls[name])
    return seen


def _nested(body: list[ast.stmt]) -> list[ast.stmt]:
    """Guards turned round: what they let through stands below them."""
    for index, stmt in enumerate(body):
        if isinstance(stmt, ast.If) and _is_guard(stmt):
            rest = _nested(body[index + 1 :])
            if not rest:
                return body[:index]
            test = ast.copy_location(_negated(stmt.test), stmt.test)
            return [*body[:index], ast.copy_location(ast.If(test, rest, []), stmt)]
    return body


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Is):
        return ast.Compare(test.left, [ast.IsNot()], test.comparators)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return ast.BoolOp(ast.And(), [ast.copy_location(_negated(v), v) for v in test.values])
    return ast.UnaryOp(ast.Not(), test)


# ------------------------------------------------------------------ conditions that are settled
def _is_something(node: ast.expr, known: set[str]) -> bool:
    return (isinstance(node, ast.Name) and node.id in known) or (
        isinstance(node, ast.Constant) and node.value is not None
    )


def _settle(function: ast.FunctionDef) -> None:
    """Leaves out questions whose answer is known: whether a name is none that was found to be something."""
    stores = Counter(
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    params = {a.arg for a in function.args.args}
    fixed = {name for name in params if not stores[name]} | {n for n, k in stores.items() if k == 1}
    function.body = _Settled(fixed).block(function.body, set()) or [ast.Pass()]


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
        if isinstance(only, ast.Pass) and _harmless(stmt.test):
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


def _harmless(test: ast.expr) -> bool:
    return not any(isinstance(node, (ast.Call, ast.NamedExpr)) for node in ast.walk(test))


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


def _is_truth(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


# ------------------------------------------------------------------ lists made by loops
class _Loops:
    """Lists of one function that a statement makes: a loop costs less than the function that Python makes of them."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        self.count = 0

    def run(self) -> None:
        self.function.body = self._block(self.function.body)

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for stmt in body:
            if not isinstance(stmt, ast.FunctionDef):
                for part in ("body", "orelse", "finalbody"):
                    if isinstance(getattr(stmt, part, None), list):
                        setattr(stmt, part, self._block(getattr(stmt, part)))
                for handler in getattr(stmt, "handlers", ()):
                    handler.body = self._block(handler.body)
            made.extend(self._looped(stmt))
        return made

    def _looped(self, stmt: ast.stmt) -> list[ast.stmt]:
        if isinstance(stmt, ast.For) and isinstance(stmt.iter, ast.ListComp):
            if SEARCH.fullmatch(self.function.name):
                return self._fused(stmt, stmt.iter) or self._made(stmt, stmt.iter, "iter")
            return self._made(stmt, stmt.iter, "iter")
        if isinstance(stmt, (ast.Assign, ast.Return)):
            value = stmt.value
            if isinstance(value, ast.ListComp):
                return self._made(stmt, value, "value")
            if (
                isinstance(value, ast.IfExp)
                and isinstance(value.body, ast.ListComp)
                and _harmless(value.test)
            ):
                return self._made(stmt, value.body, "value", value)
        return [stmt]

    def _fused(self, stmt: ast.For, made: ast.ListComp) -> list[ast.stmt]:
        """A search through a list that is made on the way: nothing has to be kept."""
        flat = _flattened(made)
        if len(flat.generators) != 1 or stmt.orelse or not isinstance(flat.generators[0].target, ast.Name):
            return []
        one = flat.generators[0]
        found = ast.copy_location(ast.Assign([stmt.target], flat.elt), made)
        inner: list[ast.stmt] = [found, *stmt.body]
        if one.ifs:
            test = one.ifs[0] if len(one.ifs) == 1 else ast.BoolOp(ast.And(), list(one.ifs))
            inner = [ast.copy_location(ast.If(ast.copy_location(test, made), inner, []), made)]
        return [ast.copy_location(ast.For(one.target, one.iter, inner, []), stmt)]

    def _made(
        self, stmt: ast.stmt, made: ast.ListComp, part: str, choice: ast.IfExp | None = None
    ) -> list[ast.stmt]:
        flat = _flattened(made)
        if len(flat.generators) > 2 or not all(isinstance(g.target, ast.Name) for g in flat.generators):
            return [stmt]
        self.count += 1
        name = f"l_{self.count}"
        # In a comprehension its names are its own; here they must not meet those of the function.
        own = {node.id for g in flat.generators for node in ast.walk(g.target) if isinstance(node, ast.Name)}
        if any(isinstance(n, ast.Name) and n.id in own for n in ast.walk(flat.generators[0].iter)):
            return [stmt]
        flat = _Renamed({old: f"{old}_{name}" for old in own}).visit(flat)
        add = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()), [flat.elt], [])
        inner: list[ast.stmt] = [ast.Expr(add)]
        for one in reversed(flat.generators):
            if one.ifs:
                test = one.ifs[0] if len(one.ifs) == 1 else ast.BoolOp(ast.And(), list(one.ifs))
                inner = [ast.If(test, inner, [])]
            inner = [ast.For(one.target, one.iter, inner, [])]
        begin = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
        once = _Once(frozenset(getattr(stmt, "known", ())) - own)
        inner = [once.visit(line) for line in inner]
        for common, asked in once.found.items():
            inner.insert(0, ast.Assign([ast.Name(common, ast.Store())], asked))
        if choice is not None:
            if isinstance(choice.orelse, ast.List) and not choice.orelse.elts:
                inner = [ast.If(choice.test, inner, [])]
            else:
                return [stmt]
        setattr(stmt, part, ast.Name(name, ast.Load()))
        lines = [begin, *inner]
        for line in lines:
            for node in ast.walk(line):
                if not hasattr(node, "lineno") and isinstance(node, (ast.expr, ast.stmt)):
                    ast.copy_location(node, made)
        return [*lines, stmt]


class _Once(ast.NodeTransformer):
    """Takes out of a loop what its turns have in common: columns of names that are something."""

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.found: dict[str, ast.expr] = {}

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match node:
            case ast.Subscript(value=ast.Name(id=column), slice=ast.Name(id=index), ctx=ast.Load()):
                if COLUMN.fullmatch(column) and index in self.known:
                    name = f"o_{column}_{index}"
                    self.found.setdefault(name, node)
                    return ast.copy_location(ast.Name(name, ast.Load()), node)
        self.generic_visit(node)
        return node


def _flattened(made: ast.ListComp) -> ast.ListComp:
    """A list out of a list that is made on the way, as one loop."""
    first = made.generators[0]
    inner = first.iter
    if (
        len(made.generators) >= 1
        and isinstance(inner, ast.ListComp)
        and len(inner.generators) == 1
        and isinstance(inner.elt, ast.Name)
        and isinstance(inner.generators[0].target, ast.Name)
        and inner.elt.id == inner.generators[0].target.id
        and isinstance(first.target, ast.Name)
    ):
        inside = _flattened(inner).generators[0]
        assert isinstance(inside.target, ast.Name)
        renamed = _Renamed({inside.target.id: first.target.id}).visit(_copy(inside))
        joined = ast.comprehension(first.target, renamed.iter, [*renamed.ifs, *first.ifs], 0)
        return ast.copy_location(ast.ListComp(made.elt, [joined, *made.generators[1:]]), made)
    return made
