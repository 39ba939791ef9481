"""The rest of a Python function after one of its calls, as a function of its own.

`Text` holds one source. In it every loop keeps its iterator in a local, because the place of a loop is otherwise hidden
in the frame; and a thing is laid into a container as the game writes its number (`marking`). `suffix` writes what is
left to do of a function when one of its calls is under way: that call becomes a call of `resume_k`, what was done before
it is left out, and a loop around it finishes its turn before it goes on. The lines keep their numbers, so that errors
still name the right one, and so that a function that goes on can itself be left and gone on with.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from copy import deepcopy
from types import CodeType
from typing import TypeVar

Position = tuple[int, int, int, int]
Scope = ast.FunctionDef | ast.Lambda
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Node = TypeVar("Node", bound=ast.AST)
LOOP = "loop_"
OWN = "resume_"


class CannotResume(Exception):
    """There is no way to go on from this place."""


# A loop that stands in one line, as they all do in what is generated.
_FOR = re.compile(r"^( *)for (.+?) in (.+):( *#.*)?$", re.MULTILINE)

# A thing that is laid into a container.
_LAID = re.compile(r"(ITEMS\[.+\]\.(?:append\(|insert\(0, ))(\w+)\)$", re.MULTILINE)


def _seen_loop(found: re.Match[str]) -> str:
    name = f"{LOOP}{found.start()}"
    return f"{found[1]}for {found[2]} in ({name} := iter({found[3]})):{found[4] or ''}"


class Text:
    """The calls of a source by their place, each with the function it stands in; read as far as they are asked for."""

    def __init__(self, text: str, name: str, visible: bool = True) -> None:
        self.name = name
        self.text = _LAID.sub(r"\1NUMBERS[\2])", _FOR.sub(_seen_loop, text)) if visible else text
        self._lines = self.text.split("\n")
        # Whatever stands at the margin begins a new piece.
        self._starts = [n for n, line in enumerate(self._lines) if line and line[0] not in " \t)]}#"]
        self._read: set[int] = set()
        self._calls: dict[Position, tuple[ast.Call, Scope | None]] = {}
        self._made: dict[tuple[Position, tuple[str, ...]], CodeType | str] = {}

    def compiled(self) -> CodeType:
        """The source as Python runs it."""
        return compile(self.text, self.name, "exec", dont_inherit=True)

    def call_at(self, place: Position) -> tuple[ast.Call, Scope | None] | None:
        """The call that stands at a place, and the function around it."""
        piece = bisect_right(self._starts, place[0] - 1) - 1
        if piece not in self._read:
            self._read.add(piece)
            start = self._starts[piece] if piece >= 0 else 0
            end = self._starts[piece + 1] if piece + 1 < len(self._starts) else len(self._lines)
            tree = ast.parse("\n".join(self._lines[start:end]))
            self._index(ast.increment_lineno(tree, start), None)
        return self._calls.get(place)

    def _index(self, node: ast.AST, scope: Scope | None) -> None:
        if isinstance(node, ast.Call):
            self._calls.setdefault(place_of(node), (node, scope))
        inside: Scope | None = scope
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            inside = node
        elif isinstance(node, COMPREHENSIONS):
            # What a comprehension goes through is worked out outside of it.
            inside = None
            self._index(node.generators[0].iter, scope)
        for child in ast.iter_child_nodes(node):
            self._index(child, inside)

    def suffix(self, place: Position, names: tuple[str, ...]) -> CodeType:
        """What is left of the function around a call, as a module that defines it under the name `resumed`."""
        found = self._made.get((place, names))
        if found is None:
            try:
                found = self._write(place, names)
            except CannotResume as why:
                found = str(why)
            self._made[place, names] = found
        if isinstance(found, str):
            raise CannotResume(found)
        return found

    def _write(self, place: Position, names: tuple[str, ...]) -> CodeType:
        call, scope = self.call_at(place) or (None, None)
        if call is None or scope is None:
            raise CannotResume("not in a function")
        writer = _Suffix(call, scope)
        if isinstance(scope, ast.Lambda):
            given = ast.Return(writer.expression(scope.body))
            ast.copy_location(given, scope.body)
            body: list[ast.stmt] = [given]
        else:
            body = writer.block(scope.body)
        params = [ast.arg(name) for name in (f"{OWN}k", f"{OWN}chain", *names)]
        arguments = ast.arguments(
            posonlyargs=[], args=params, vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
        )
        made = ast.FunctionDef("resumed", arguments, body, [], None)
        ast.copy_location(made, scope)
        module = ast.Module([made], [])
        ast.fix_missing_locations(module)
        code = compile(module, self.name, "exec", dont_inherit=True)
        inner = next(c for c in code.co_consts if isinstance(c, CodeType))
        name = "<lambda>" if isinstance(scope, ast.Lambda) else scope.name
        return inner.replace(co_name=name)


def place_of(node: ast.expr) -> Position:
    """Where an expression stands."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


class _Suffix:
    """Writes what is left to do after one call."""

    def __init__(self, call: ast.Call, scope: Scope) -> None:
        self.call = call
        self._around = {id(node) for node in _way_to(call, scope)}

    def _holds(self, node: ast.AST) -> bool:
        return id(node) in self._around

    # -------------------------------------------------------------- statements
    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The rest of a block in which the call stands."""
        for index, statement in enumerate(body):
            if self._holds(statement):
                return [*self._statement(statement), *(deepcopy(s) for s in body[index + 1 :])]
        raise CannotResume("the call is not in this block")

    def _in(self, body: list[ast.stmt]) -> bool:
        return any(self._holds(statement) for statement in body)

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Expr() | ast.Assign() | ast.Return() | ast.AnnAssign() | ast.AugAssign() if _is_plain(
                node
            ):
                assert node.value is not None
                plain = copy_of(node)
                plain.value = self.expression(node.value)
                return [plain]
            case ast.If():
                if self._holds(node.test):
                    branch = copy_of(node)
                    branch.test = self.expression(node.test)
                    branch.body, branch.orelse = deepcopy(node.body), deepcopy(node.orelse)
                    return [branch]
                return self.block(node.body if self._in(node.body) else node.orelse)
            case ast.While():
                return self._while(node)
            case ast.For():
                return self._for(node)
            case ast.Try():
                return [self._try(node)]
            case ast.Match():
                if self._holds(node.subject):
                    matched = copy_of(node)
                    matched.subject = self.expression(node.subject)
                    matched.cases = deepcopy(node.cases)
                    return [matched]
                return self.block(next((c.body for c in node.cases if self._in(c.body)), []))
        raise CannotResume(type(node).__name__)

    def _while(self, node: ast.While) -> list[ast.stmt]:
        if node.orelse:
            raise CannotResume("a loop with another ending")
        first = f"{OWN}f{node.lineno}_{node.col_offset}"
        made = copy_of(node)
        before: list[ast.stmt] = [self._assign(first, ast.Constant(True), node)]
        end: ast.stmt = self._assign(first, ast.Constant(False), node)
        if self._holds(node.test):
            value = f"{OWN}v{node.lineno}_{node.col_offset}"
            before.append(self._assign(value, self.expression(node.test), node))
            made.test = ast.IfExp(
                ast.Name(first, ast.Load()), ast.Name(value, ast.Load()), deepcopy(node.test)
            )
            made.body = [end, *deepcopy(node.body)]
        else:
            made.test = ast.BoolOp(ast.Or(), [ast.Name(first, ast.Load()), deepcopy(node.test)])
            made.body = [self._either(first, [end, *self.block(node.body)], deepcopy(node.body), node)]
        return [*before, self._placed(made, node)]

    def _for(self, node: ast.For) -> list[ast.stmt]:
        if not isinstance(node.iter, ast.NamedExpr) or not node.iter.target.id.startswith(LOOP):
            raise CannotResume("a loop that cannot be seen")
        if node.orelse:
            raise CannotResume("a loop with another ending")
        if self._holds(node.iter):
            again = copy_of(node)
            again.iter, again.body = self.expression(node.iter), deepcopy(node.body)
            return [again]
        first = f"{OWN}f{node.lineno}_{node.col_offset}"
        item = f"{OWN}c{node.lineno}_{node.col_offset}"
        end: ast.stmt = self._assign(first, ast.Constant(False), node)
        bind = ast.Assign([deepcopy(node.target)], ast.Name(item, ast.Load()))
        once = ast.Tuple([ast.Constant(None)], ast.Load())
        made = ast.For(
            ast.Name(item, ast.Store()),
            ast.Call(
                ast.Name(f"{OWN}chain", ast.Load()), [once, ast.Name(node.iter.target.id, ast.Load())], []
            ),
            [
                self._either(
                    first,
                    [end, *self.block(node.body)],
                    [self._placed(bind, node), *deepcopy(node.body)],
                    node,
                )
            ],
            [],
        )
        return [self._assign(first, ast.Constant(True), node), self._placed(made, node)]

    def _either(self, first: str, now: list[ast.stmt], later: list[ast.stmt], node: ast.stmt) -> ast.stmt:
        return self._placed(ast.If(ast.Name(first, ast.Load()), now, later), node)

    def _assign(self, name: str, value: ast.expr, node: ast.stmt) -> ast.stmt:
        return self._placed(ast.Assign([ast.Name(name, ast.Store())], value), node)

    def _placed(self, made: ast.stmt, node: ast.stmt) -> ast.stmt:
        ast.copy_location(made, node)
        return made

    def _try(self, node: ast.Try) -> ast.stmt:
        made = copy_of(node)
        if self._in(node.body):
            made.body = self.block(node.body)
            made.handlers, made.orelse = deepcopy(node.handlers), deepcopy(node.orelse)
            made.finalbody = deepcopy(node.finalbody)
            return made
        if self._in(node.orelse):
            rest = self.block(node.orelse)
            if not node.finalbody:
                return self._placed(ast.If(ast.Constant(True), rest, []), node)
            made.body, made.handlers, made.orelse = rest, [], []
            made.finalbody = deepcopy(node.finalbody)
            return made
        raise CannotResume("what follows an error")

    # -------------------------------------------------------------- expressions
    def expression(self, node: ast.expr) -> ast.expr:
        """What is left of an expression: parts that came before the call must read the same again."""
        if node is self.call:
            made: ast.expr = ast.Call(ast.Name(f"{OWN}k", ast.Load()), [], [])
            return ast.copy_location(made, node)
        match node:
            case ast.BoolOp():
                at = next(i for i, value in enumerate(node.values) if self._holds(value))
                left = [self.expression(node.values[at]), *deepcopy(node.values[at + 1 :])]
                if len(left) == 1:
                    return left[0]
                return ast.copy_location(ast.BoolOp(node.op, left), node)
            case ast.IfExp():
                if self._holds(node.test):
                    made = ast.IfExp(self.expression(node.test), deepcopy(node.body), deepcopy(node.orelse))
                    return ast.copy_location(made, node)
                return self.expression(node.body if self._holds(node.body) else node.orelse)
            case ast.Lambda():
                raise CannotResume("a function inside")
            case ast.Compare() if not self._holds(node.left) and not self._holds(node.comparators[0]):
                raise CannotResume("a chain of comparisons")
        if isinstance(node, COMPREHENSIONS):
            if not self._holds(node.generators[0].iter):
                raise CannotResume("a comprehension")
            again = copy_of(node)
            again.generators = deepcopy(node.generators)
            again.generators[0].iter = self.expression(node.generators[0].iter)
            return again
        for part in _in_order(node):
            if self._holds(part):
                return self._with(node, part)
            if not _reads_the_same(part):
                raise CannotResume(f"a part before it: {ast.unparse(part)}")
        raise CannotResume(type(node).__name__)

    def _with(self, node: ast.expr, part: ast.expr) -> ast.expr:
        made = copy_of(node)
        for field, value in ast.iter_fields(node):
            if value is part:
                setattr(made, field, self.expression(part))
            elif isinstance(value, list):
                setattr(
                    made, field,
                    [
                        self._keyword(v, part) if isinstance(v, ast.keyword)
                        else self.expression(v) if v is part else deepcopy(v)
                        for v in value
                    ],
                )  # fmt: skip
            elif isinstance(value, ast.AST):
                setattr(made, field, deepcopy(value))
        return made

    def _keyword(self, given: ast.keyword, part: ast.expr) -> ast.keyword:
        made = copy_of(given)
        made.value = self.expression(part) if given.value is part else deepcopy(given.value)
        return made


def _way_to(call: ast.Call, node: ast.AST) -> list[ast.AST]:
    """The nodes from one down to the call inside it; none if it is not there."""
    if node is call:
        return [node]
    for child in ast.iter_child_nodes(node):
        way = _way_to(call, child)
        if way:
            return [node, *way]
    return []


def copy_of(node: Node) -> Node:
    """A node with the same parts."""
    made = type(node)(**dict(ast.iter_fields(node)))
    return ast.copy_location(made, node)


def _is_plain(node: ast.stmt) -> bool:
    """Whether nothing but the value of a statement is worked out before the call is made."""
    return not isinstance(node, ast.AugAssign) or isinstance(node.target, ast.Name)


def _in_order(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression in the order Python works them out."""
    match node:
        case ast.Call():
            return [node.func, *node.args, *(k.value for k in node.keywords)]
        case ast.Dict():
            return [p for pair in zip(node.keys, node.values, strict=True) for p in pair if p is not None]
        case ast.NamedExpr():
            return [node.value]
    found: list[ast.expr] = []
    for _, value in ast.iter_fields(node):
        found += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.expr)]
    return found


def _reads_the_same(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.Name() | ast.Lambda():
            return True
        case ast.Attribute():
            return _reads_the_same(node.value)
        case ast.Tuple() | ast.List():
            return all(_reads_the_same(e) for e in node.elts)
        case ast.BinOp():
            return _reads_the_same(node.left) and _reads_the_same(node.right)
    return False
