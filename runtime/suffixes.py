"""The rest of a Python function after one of its calls, as a function of its own.

`visible_loops` gives every loop of a source a local that holds its iterator: the place of a loop is otherwise hidden
in the frame, as is the reason why a `finally` is run. `Text` holds the functions of one source; its `suffix` writes
what is left to do of a function when one of its calls is under way: that call becomes a call of `resume_k`, what was
done before it is left out, and a loop around it finishes its turn before it goes on. The lines keep their numbers, so
that errors still name the right one, and so that a function that goes on can itself be left and gone on with.
"""

from __future__ import annotations

import ast
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


class _VisibleLoops(ast.NodeTransformer):
    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.generic_visit(node)
        name = f"{LOOP}{node.lineno}_{node.col_offset}"
        begin = ast.Call(ast.Name("iter", ast.Load()), [node.iter], [])
        kept = ast.Assign([ast.Name(name, ast.Store())], begin)
        again = ast.For(node.target, ast.Name(name, ast.Load()), node.body, node.orelse)
        for made, like in ((kept, node.iter), (begin, node.iter), (again, node)):
            ast.copy_location(made, like)
        # A statement of no width: no frame is ever looked for in it.
        ast.copy_location(begin.func, node.iter)
        ast.copy_location(kept.targets[0], node.iter)
        ast.copy_location(again.iter, node.iter)
        begin.end_col_offset = begin.col_offset
        return [kept, again]

    def visit_Try(self, node: ast.Try) -> ast.stmt | list[ast.stmt]:
        """What is done in any case is written twice, so that a frame shows in which case it stands."""
        self.generic_visit(node)
        inside = [*node.body, *(s for h in node.handlers for s in h.body), *node.orelse]
        if not node.finalbody or any(_leaves(statement) for statement in inside):
            return node
        body: list[ast.stmt] = node.body
        if node.handlers:
            body = [ast.copy_location(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        anyway = deepcopy(node.finalbody)
        for call in (c for s in anyway for c in ast.walk(s) if isinstance(c, ast.Call)):
            call.end_lineno, call.end_col_offset = call.lineno, call.col_offset
        failed = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), None, [*anyway, ast.Raise()])
        made = ast.Try(body, [failed], [], [])
        for new in (failed, made, failed.body[-1]):
            ast.copy_location(new, node)
        return [ast.fix_missing_locations(made), *node.finalbody]


def _leaves(node: ast.AST, looping: bool = False) -> bool:
    """Whether a statement may leave the block around it other than by an error."""
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return False
    if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not looping):
        return True
    looping = looping or isinstance(node, (ast.For, ast.While))
    return any(_leaves(child, looping) for child in ast.iter_child_nodes(node))


def visible_loops(text: str) -> ast.Module:
    """A source in which every loop keeps its iterator in a local."""
    made = _VisibleLoops().visit(ast.parse(text))
    assert isinstance(made, ast.Module)
    return made


class Text:
    """The calls of a source by their place, each with the function it stands in."""

    def __init__(self, tree: ast.Module, name: str) -> None:
        self.tree = tree
        self.name = name
        self.calls: dict[Position, tuple[ast.Call, Scope | None]] = {}
        self._index(tree, None)
        self._made: dict[tuple[Position, tuple[str, ...]], CodeType | str] = {}

    def compiled(self) -> CodeType:
        """The source as Python runs it."""
        return compile(self.tree, self.name, "exec", dont_inherit=True)

    def _index(self, node: ast.AST, scope: Scope | None) -> None:
        if isinstance(node, ast.Call) and (node.lineno, node.col_offset) != (
            node.end_lineno,
            node.end_col_offset,
        ):
            self.calls.setdefault(place_of(node), (node, scope))
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
        call, scope = self.calls[place]
        if scope is None:
            raise CannotResume("not in a function")
        writer = _Suffix(call)
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

    def __init__(self, call: ast.Call) -> None:
        self.call = call

    def _holds(self, node: ast.AST) -> bool:
        return any(child is self.call for child in ast.walk(node))

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
        seen = isinstance(node.iter, ast.Name) and node.iter.id.startswith(LOOP)
        if node.orelse or not seen:
            raise CannotResume("a loop that cannot be seen")
        first = f"{OWN}f{node.lineno}_{node.col_offset}"
        item = f"{OWN}c{node.lineno}_{node.col_offset}"
        end: ast.stmt = self._assign(first, ast.Constant(False), node)
        bind = ast.Assign([deepcopy(node.target)], ast.Name(item, ast.Load()))
        once = ast.Tuple([ast.Constant(None)], ast.Load())
        made = ast.For(
            ast.Name(item, ast.Store()),
            ast.Call(ast.Name(f"{OWN}chain", ast.Load()), [once, deepcopy(node.iter)], []),
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
