"""Functions of generated source written where they are called.

Small functions and functions called from one place stand in place of their calls. The lines of a function written elsewhere
get numbers of their own, so that an error still tells the way to where it happened.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Any

from talewright.runtime.trees import OWN_NAMES, InsteadOf, walk

# Functions of actions and tracks: whoever calls them as a statement does not ask for what they give.
CALLED = re.compile(r"(A|Y|D|track_|field_track_)\d+Y?")
# Functions that ask and change nothing, and what they give is asked for.
ASKED = re.compile(r"(V|B|G|MO)\d+|E\d+_can")
# Functions that look for something in a loop, and change nothing.
SEARCH = re.compile(r"q\d+")
# Where programs that count write down what they meet.
NOTES = re.compile(r"HITS|CAME|ACTED|POINTS|KEYS|(OFFERED|ROUNDS)\d+")
SMALL = 40
# How much may be written again for a function that is called from several places.
AGAIN = 900
LARGE = 4500


def copied(node: Any) -> Any:
    """A copy of a tree, quicker than any that must look for shared parts."""
    if isinstance(node, list):
        return [copied(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)()
    for name in node._fields:
        setattr(made, name, copied(getattr(node, name, None)))
    if hasattr(node, "lineno"):
        ast.copy_location(made, node)
    return made


# ------------------------------------------------------------------ names
def bound_in(function: ast.AST) -> set[str]:
    """The locals of a function, those of its lambdas and inner functions with them."""
    found: set[str] = set()
    for node in walk(function):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ExceptHandler)) and node is not function and node.name:
            found.add(node.name)
    return found


def assigned_in(nodes: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for stmt in nodes
        for node in walk(stmt)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


class Renamed(ast.NodeTransformer):
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
    returns = sum(isinstance(node, ast.Return) for node in walk(function))
    guards = sum(_is_guard(stmt) for stmt in function.body)
    inner = sum(
        isinstance(node, ast.Return)
        for stmt in function.body
        for inner in walk(stmt)
        if isinstance(inner, (ast.FunctionDef, ast.Lambda))
        for node in walk(inner)
    )
    awkward = any(
        isinstance(node, (ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)) for node in walk(function)
    )
    return returns - inner == guards and not awkward and not function.args.defaults


def _notes(node: ast.AST) -> bool:
    """Whether a statement only counts or writes down that the source came by."""
    match node:
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name))):
            return bool(NOTES.fullmatch(name))
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return bool(NOTES.fullmatch(name))
    return False


class Inliner:
    """Writes functions where they are called, those first that call no others."""

    def __init__(self, functions: dict[str, ast.FunctionDef], last: int, roots: set[str]) -> None:
        self.functions = functions
        self.roots = roots
        self.last = last
        self.lines: dict[int, tuple[int, int]] = {}
        self.copies = 0
        self.sizes: dict[str, int] = {}
        self.uses: Counter[str] = Counter()
        self.calls: dict[str, set[str]] = {}
        found: dict[str, list[str]] = {}
        for name, function in functions.items():
            size = 0
            named: set[str] = set()
            called: list[str] = []
            for node in walk(function):
                size += 1
                if isinstance(node, ast.Name) and node.id in functions:
                    named.add(node.id)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    called.append(node.func.id)
                elif _notes(node):
                    # Whoever counts is to run the same functions in the same places as whoever does not.
                    size -= sum(1 for _ in walk(node))
            self.sizes[name] = size
            self.calls[name] = named
            found[name] = called
        # Functions that nothing in play leads to stay as they are.
        self.live = roots.union(*(reached(name, self.calls) for name in roots))
        for name in self.live:
            self.uses.update(found[name])
        self.fit = {name for name in functions if CALLED.fullmatch(name) and self._fits(name)}
        self.searches = {name for name in functions if SEARCH.fullmatch(name) and self._is_search(name)}
        self.asked = {name for name in functions if ASKED.fullmatch(name) and self._is_asked(name)}

    def _fits(self, name: str) -> bool:
        return name not in reached(name, self.calls) and _can_stand_in_place(self.functions[name])

    def _is_search(self, name: str) -> bool:
        return name not in reached(name, self.calls) and _is_one_loop(self.functions[name].body)

    def _is_asked(self, name: str) -> bool:
        return name not in reached(name, self.calls) and not self.functions[name].args.defaults

    def run(self) -> None:
        """Rewrites all functions."""
        done: set[str] = set()
        for name in self.functions:
            if name in self.live:
                self._visit(name, done)
        # What has been written elsewhere everywhere is not needed for itself.
        self.live &= self._still_called()

    def _still_called(self) -> set[str]:
        calls = {
            name: {
                node.id
                for node in walk(self.functions[name])
                if isinstance(node, ast.Name) and node.id in self.functions
            }
            for name in self.live
        }
        return self.roots.union(*(reached(name, calls) for name in self.roots))

    def _visit(self, name: str, done: set[str]) -> None:
        if name in done:
            return
        done.add(name)
        apt = self.calls[name] & (self.fit | self.asked | self.searches)
        for called in sorted(apt):
            self._visit(called, done)
        if apt:
            function = self.functions[name]
            self.names = bound_in(function)
            self.size = self.sizes[name]
            # What can be said in one expression stays that way.
            self.asking = name in self.asked and gives(function.body) is not None
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
        call = stmt.value if isinstance(stmt, (ast.Expr, ast.Assign)) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.keywords:
            name = call.func.id
            asked = (
                isinstance(stmt, ast.Assign) and name in self.asked and _gives_at_end(self.functions[name])
            )
            if (asked or (isinstance(stmt, ast.Expr) and name in self.fit)) and self._has_room(name):
                return self._written(stmt, call, name)
        if not isinstance(stmt, (ast.FunctionDef, ast.Try, ast.With)):
            _Expressions(self).in_statement(stmt)
        if self.asking:
            return [stmt]
        ahead = self._searched(stmt)
        return ahead if ahead and _says_nothing(stmt) else [*ahead, stmt]

    def _searched(self, stmt: ast.stmt) -> list[ast.stmt]:
        """The loop of a search that a statement begins with, ahead of it."""
        part = {ast.If: "test", ast.For: "iter"}.get(type(stmt), "value")
        whole = getattr(stmt, part, None)
        if not isinstance(stmt, (ast.Expr, ast.Assign, ast.Return, ast.If, ast.For)) or whole is None:
            return []
        call = first_call(whole)
        name = call.func.id if call is not None and isinstance(call.func, ast.Name) else ""
        if call is None or name not in self.searches or call.keywords or not self._has_room(name):
            return []
        self.size += self.sizes[name]
        called = copied(self.functions[name])
        names = self._fresh_names(called)
        before: list[ast.stmt] = []
        for param, arg in zip(called.args.args, call.args, strict=True):
            if isinstance(arg, ast.Name) and arg.id in self.names:
                names[param.arg] = arg.id
                continue
            target = ast.copy_location(ast.Name(names[param.arg], ast.Store()), stmt)
            before.append(ast.copy_location(ast.Assign([target], arg), stmt))
        found = f"r_{self.copies}"
        match stmt:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if value is call:
                # What is looked for has a name already; the statement itself says nothing more.
                found = own
        self.names |= {found, *names.values()}
        body = [Renamed(names).visit(part) for part in called.body]
        self.renumber(body, stmt.lineno)
        InsteadOf(call, found).visit(stmt)
        return [*before, *_as_loop(body, found)]

    def _has_room(self, name: str) -> bool:
        """Whether a function is small, or called from nowhere else, and there is room for it."""
        size = self.sizes[name]
        again = size * max(0, self.uses[name] - 1)
        return self.size + size <= LARGE and (size <= SMALL or again <= AGAIN)

    def _written(self, stmt: ast.stmt, call: ast.Call, name: str) -> list[ast.stmt]:
        self.size += self.sizes[name]
        called = copied(self.functions[name])
        names = self._fresh_names(called)
        changed = assigned_in(called.body)
        before: list[ast.stmt] = []
        for param, arg in zip(called.args.args, call.args, strict=True):
            if isinstance(arg, ast.Name) and param.arg not in changed and arg.id in self.names:
                names[param.arg] = arg.id
                continue
            target = ast.copy_location(ast.Name(names[param.arg], ast.Store()), stmt)
            before.append(ast.copy_location(ast.Assign([target], arg), stmt))
        last = called.body[-1]
        if isinstance(stmt, ast.Assign) and isinstance(last, ast.Return) and isinstance(last.value, ast.Name):
            own = stmt.targets[0]
            made_here = changed - {param.arg for param in called.args.args}
            if isinstance(own, ast.Name) and last.value.id in made_here and own.id not in _loads(call):
                names[last.value.id] = own.id
        self.names |= set(names.values())
        before = [line for given in before for line in self._in_place(given)]
        body = [Renamed(names).visit(part) for part in called.body]
        self.renumber(body, stmt.lineno)
        if isinstance(stmt, ast.Assign):
            last = body.pop()
            assert isinstance(last, ast.Return)
            assert last.value is not None
            stmt.value = last.value
            return [*before, *body] if _says_nothing(stmt) else [*before, *body, stmt]
        return [*before, *_nested(body)] or [ast.copy_location(ast.Pass(), stmt)]

    def _fresh_names(self, called: ast.AST) -> dict[str, str]:
        self.copies += 1
        return {old: f"{old}_{self.copies}" for old in bound_in(called)}

    def expression(self, call: ast.Call, inner: bool) -> ast.expr | None:
        """A call as what it gives, if that can be said in one expression."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name not in self.asked or call.keywords or not self._has_room(name):
            return None
        function = self.functions[name]
        found = gives(function.body)
        if found is None or (inner and _binds(found)):
            return None
        found = copied(found)
        names = self._fresh_names(found)
        found = Renamed(names).visit(found)
        self.names |= set(names.values())
        uses = Counter(node.id for node in walk(found) if isinstance(node, ast.Name))
        given: dict[str, ast.expr] = {}
        for param, arg in zip(function.args.args, call.args, strict=True):
            if isinstance(arg, (ast.Name, ast.Constant)) or uses[param.arg] < 2:
                given[param.arg] = arg
            elif not (is_path(arg) and not _has_calls(found)):
                first = None if inner else first_evaluated(found, param.arg)
                if first is None:
                    return None
                bound = f"{param.arg}_{self.copies}"
                self.names.add(bound)
                given[param.arg] = ast.Name(bound, ast.Load())
                first.id = f"={param.arg}"
                given[first.id] = ast.NamedExpr(ast.Name(bound, ast.Store()), arg)
            else:
                given[param.arg] = arg
        self.size += self.sizes[name]
        self.renumber([found], call.lineno)
        return Given(given).visit(found)  # type: ignore[no-any-return]

    def renumber(self, body: list[Any], call: int) -> None:
        """Gives the lines of a copy numbers of their own."""
        mine: dict[int, int] = {}
        for stmt in body:
            for node in walk(stmt):
                if isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.ExceptHandler)):
                    line = mine.get(node.lineno)
                    if line is None:
                        self.last += 1
                        line = mine[node.lineno] = self.last
                        self.lines[line] = (node.lineno, call)
                    node.lineno = node.end_lineno = line


# ------------------------------------------------------------------ searches
def _is_one_loop(body: list[ast.stmt]) -> bool:
    """Whether a function is a loop that is left as soon as something is found, and gives something else at its end."""
    match body:
        case [*before, ast.For(orelse=[]) as loop, ast.Return()]:
            plain = all(isinstance(stmt, ast.Assign) for stmt in before)
            inner = any(isinstance(node, (ast.For, ast.While)) for part in loop.body for node in walk(part))
            return plain and not inner
    return False


def _as_loop(body: list[ast.stmt], found: str) -> list[ast.stmt]:
    *before, loop, last = body
    assert isinstance(loop, ast.For)
    assert isinstance(last, ast.Return)

    def kept(stmt: ast.Return) -> ast.stmt:
        value = stmt.value or ast.copy_location(ast.Constant(None), stmt)
        return ast.copy_location(
            ast.Assign([ast.copy_location(ast.Name(found, ast.Store()), stmt)], value), stmt
        )

    class Found(ast.NodeTransformer):
        def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
            return [kept(node), ast.copy_location(ast.Break(), node)]

    loop.body = [line for stmt in loop.body for line in _several(Found().visit(stmt))]
    # Whatever was counted on the way is told after the loop; otherwise only where nothing was found.
    if any(isinstance(node, ast.Break) for part in loop.body for node in walk(part)):
        loop.orelse = [kept(last)]
        made: list[ast.stmt] = [*before, loop]
    else:
        made = [*before, loop, kept(last)]
    loop.searching = True  # type: ignore[attr-defined]
    return made


def _says_nothing(stmt: ast.stmt) -> bool:
    """`x = x`."""
    match stmt:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)):
            return name == same
    return False


def _several(made: Any) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]


def first_call(node: ast.expr) -> ast.Call | None:
    """The call that an expression begins with, before anything else happens."""
    match node:
        case ast.Call(func=ast.Name(), args=args, keywords=[]):
            for arg in args:
                found = first_call(arg)
                if found is not None:
                    return found
                if _has_calls(arg):
                    return None
            return node
        case ast.Compare(left=left):
            parts = [left]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.BoolOp(values=[first, *_]):
            parts = [first]
        case ast.IfExp(test=test):
            parts = [test]
        case ast.UnaryOp(operand=operand):
            parts = [operand]
        case ast.NamedExpr(value=value):
            parts = [value]
        case _:
            return None
    for part in parts:
        found = first_call(part)
        if found is not None or _has_calls(part):
            return found
    return None


# ------------------------------------------------------------------ functions as expressions
def _gives_at_end(function: ast.FunctionDef) -> bool:
    """Whether a function is left by its last line alone."""
    returns = [node for node in walk(function) if isinstance(node, ast.Return)]
    last = function.body[-1]
    return returns == [last] and isinstance(last, ast.Return) and last.value is not None


def gives(body: list[ast.stmt]) -> ast.expr | None:
    """What a function gives, as one expression."""
    match body:
        case [ast.Return(value=value), *_]:
            return value
        case [ast.Assign(targets=[ast.Name(id=name)], value=value), ast.Return(value=ast.Name(id=same))]:
            return value if name == same else None
        case [ast.If(test=test, body=inner, orelse=orelse) as stmt, *rest]:
            one, other = gives(inner), gives([*orelse, *rest])
            if one is not None and other is not None:
                return ast.copy_location(ast.IfExp(test, one, other), stmt)
    return None


def _loads(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _binds(node: ast.expr) -> bool:
    return any(isinstance(part, (ast.NamedExpr, ast.Lambda)) for part in walk(node))


def _has_calls(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in walk(node))


def is_path(node: ast.expr) -> bool:
    """Whether an expression only looks into columns."""
    return all(isinstance(part, (ast.Name, ast.Constant, ast.Subscript)) for part in walk(node))


def first_evaluated(node: ast.expr, name: str) -> ast.Name | None:
    """The use of a name that is sure to come before all others."""
    match node:
        case ast.Name():
            return node if node.id == name else None
        case ast.IfExp():
            parts = [node.test]
        case ast.BoolOp():
            parts = node.values[:1]
        case ast.Compare():
            parts = [node.left, node.comparators[0]]
        case ast.Subscript():
            parts = [node.value, node.slice]
        case ast.UnaryOp():
            parts = [node.operand]
        case ast.NamedExpr():
            parts = [node.value]
        case ast.Call():
            parts = node.args
        case _:
            return None
    for part in parts:
        if any(isinstance(inner, ast.Name) and inner.id == name for inner in walk(part)):
            return first_evaluated(part, name)
    return None


class Given(ast.NodeTransformer):
    """Puts arguments in place of parameters."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self.given.get(node.id)
        if found is None:
            return node
        made: ast.expr = copied(found)
        for part in walk(made):
            if isinstance(part, ast.expr):
                ast.copy_location(part, node)
        return made

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(
                left=ast.Constant(value=value), ops=[op], comparators=[ast.Constant(value=None)]
            ):
                if isinstance(op, (ast.Is, ast.IsNot)):
                    return ast.copy_location(ast.Constant((value is None) is isinstance(op, ast.Is)), node)
        return node


class _Expressions(ast.NodeTransformer):
    """Calls inside the expressions of one statement; its blocks are not looked into."""

    def __init__(self, inliner: Inliner) -> None:
        self.inliner = inliner
        self.inner = False

    def in_statement(self, stmt: ast.stmt) -> None:
        """Rewrites the expressions that belong to the statement itself."""
        for name, value in ast.iter_fields(stmt):
            if isinstance(value, ast.expr):
                setattr(stmt, name, self.visit(value))

    def visit(self, node: ast.AST) -> Any:
        """What lies inside a list that is made has names of its own."""
        if isinstance(node, (ast.Lambda, ast.FunctionDef)):
            return node
        if not isinstance(node, OWN_NAMES):
            return super().visit(node)
        before, self.inner = self.inner, True
        self.generic_visit(node)
        self.inner = before
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return self.inliner.expression(node, self.inner) or node


def reached(start: str, calls: dict[str, set[str]]) -> set[str]:
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
