"""What never changes in a game, looked up at one go.

A chain of columns that nobody writes (the container of a field, the place that a container belongs to, the sort of a thing)
comes to the same for the same number for the whole game. Such expressions of generated code become tables with one entry for
each number, or a single name where the number is written there. The tables are filled when a game is made.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from talewright.runtime.trees import OWN_NAMES, key, walk

# Operations that an expression takes beside those of its parts, for what is compared here.
_LEAST_GAIN = 1
_LISTS = "ITEMS"


@dataclass(frozen=True, slots=True)
class Fixed:
    """The names of generated code that stand for the same all the time."""

    # Columns that are filled before anything is worked out, those that are filled by and by, and dictionaries.
    early: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    lookups: frozenset[str] = frozenset()
    # Lists of things by kind, and names of constants.
    kinds: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()
    # Constants that tell something by the number of a thing.
    by_thing: frozenset[str] = frozenset()
    # Columns of yes and no in which no never becomes yes.
    cleared: frozenset[str] = frozenset()

    @property
    def columns(self) -> frozenset[str]:
        """Everything that is looked up by number."""
        return self.early | self.late | self.lookups


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its name, the expression, the column whose numbers it has, if it has any, and when it can be filled."""

    name: str
    text: str
    over: str | None
    late: bool


class Missing:
    """Stands in a table where the expression would have failed; it fails as soon as somebody looks at it."""

    def _fail(self, *_: Any) -> Any:
        raise TypeError("None stands where a number or a thing is needed")

    __bool__ = __len__ = __iter__ = __getitem__ = __eq__ = __call__ = __index__ = _fail
    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        return self._fail()


MISSING = Missing()


def prepare(tables: list[Table], space: dict[str, Any]) -> None:
    """Makes the tables of a game, still empty."""
    for table in tables:
        if table.over is not None:
            space[table.name] = {} if isinstance(space[table.over], dict) else []


def fill(tables: list[Table], space: dict[str, Any], late: bool) -> None:
    """Fills the tables of a game, those of early columns first, the others when all columns have their values."""
    for table in tables:
        if table.late != late:
            continue
        worked = eval(f"lambda i_: {table.text}", space)
        if table.over is None:
            space[table.name] = _entry(worked, None)
            continue
        column = space[table.over]
        if isinstance(column, dict):
            space[table.name].update((number, _entry(worked, number)) for number in column)
        else:
            space[table.name].extend(_entry(worked, number) for number in range(len(column)))


def _entry(worked: Any, number: int | None) -> Any:
    try:
        return worked(number)
    except (TypeError, KeyError, IndexError):
        return MISSING


# ------------------------------------------------------------------ what is fixed
@dataclass(slots=True)
class _Look:
    """What was found about an expression: the numbers it depends on, and whether only the list itself is fixed."""

    atoms: dict[str, ast.expr] = field(default_factory=dict)
    over: str | None = None
    opaque: bool = False
    late: bool = False
    cost: int = 0
    used: int = 0


class Tables:
    """Finds such expressions in the functions of a program, and gives them their tables."""

    def __init__(self, fixed: Fixed) -> None:
        self.fixed = fixed
        self.made: list[Table] = []
        self._names: dict[str, str] = {}
        # Tables of containers: what lies in them changes.
        self.containers: set[str] = {_LISTS}

    def shorten(self, function: ast.FunctionDef, late: bool) -> None:
        """Rewrites chains that stop at none; `late` says whether a function runs only when all columns are filled."""
        _Chains(function, self, late).run()

    def run(self, function: ast.FunctionDef, late: bool) -> None:
        """Rewrites all expressions of one function."""
        _Rewriter(self, late, function).rewrite()

    def look(self, node: ast.expr, late: bool) -> _Look | None:
        """What an expression depends on, or nothing if it is not fixed but for one number."""
        found = self._look(node)
        if found is None or len(found.atoms) > 1 or (found.late and not late):
            return None
        if any(node is not None and found.used > 1 and not _plain(node) for node in found.atoms.values()):
            return None
        return found

    def _look(self, node: ast.expr) -> _Look | None:
        fixed = self.fixed
        match node:
            case ast.Constant():
                return _Look(cost=1)
            case ast.Name(id=name) if name in fixed.constants or name in fixed.kinds:
                return _Look(cost=1)
            case ast.Subscript(value=ast.Name(id=name), slice=index, ctx=ast.Load()) if name in fixed.columns:
                inner = self._look(index)
                if inner is None:
                    inner = _Look({key(index): index}, name, used=1, cost=_cost(index))
                if inner.opaque:
                    return None
                inner.opaque = name == _LISTS
                inner.late |= name in fixed.late
                inner.cost += 2
                return inner
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[first, second], keywords=[]
            ) if name in fixed.constants:
                return self._joined([first, second], 5)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name in fixed.kinds:
                return _Look(cost=4)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                none = isinstance(op, (ast.Is, ast.IsNot)) and isinstance(right, ast.Constant)
                if isinstance(left, ast.Constant):
                    return None
                return self._joined([left, right], 0 if none else 1)
            case ast.BoolOp(values=values):
                return self._joined(values, len(values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._joined([operand], 0)
            case ast.IfExp(
                test=ast.NamedExpr(target=ast.Name(id=name), value=value),
                body=ast.Subscript(value=ast.Name(id=same), slice=ast.Constant() | ast.UnaryOp()),
                orelse=ast.Constant(),
            ) if name == same:
                return self._joined([value], 7)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._joined([test, body, orelse], 1)
        return None

    def _joined(self, nodes: list[ast.expr], cost: int) -> _Look | None:
        made = _Look(cost=cost)
        for node in nodes:
            found = self._look(node)
            if found is None or found.opaque:
                return None
            made.atoms |= found.atoms
            made.over = made.over or found.over
            made.late |= found.late
            made.cost += found.cost
            made.used += found.used
        return made

    def listed(self, node: ast.expr, late: bool) -> _Look | None:
        """The same for a list that is only looped over."""
        if not isinstance(node, ast.List) or not node.elts:
            return None
        found = self._joined(node.elts, 1)
        if found is None or len(found.atoms) != 1 or (found.late and not late):
            return None
        return found if all(_plain(atom) for atom in found.atoms.values()) else None

    def table(self, node: ast.expr, found: _Look) -> ast.expr:
        """The same expression by its table."""
        atom = next(iter(found.atoms.values()), None)
        text = ast.unparse(node if atom is None else _replaced(node, key(atom)))
        made = self.name(text, found.over, found.late)
        name = ast.copy_location(ast.Name(made, ast.Load()), node)
        if atom is None:
            return name
        return ast.copy_location(ast.Subscript(name, atom, ast.Load()), node)

    def name(self, text: str, over: str | None, late: bool) -> str:
        """The name of the table of an expression."""
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = f"TAB{len(self.made)}"
            self.made.append(Table(name, text, over, late))
        return name

    def orders(self, function: ast.FunctionDef) -> None:
        """Lists of a kind in another order, by whoever comes first, are looked up like any column."""
        if any(isinstance(node, ast.Attribute) and node.attr == "get" for node in walk(function)):
            _Orders(self).visit(function)

    def plain_steps(self, name: str, watched: list[int]) -> str | None:
        """A table of the steps that a table of containers tells, without those that lead nowhere else or touch one of these."""
        table = next((table for table in self.made if table.name == name and table.over is not None), None)
        if table is None:
            return None
        touched = "".join(f" and {number} not in (i_, x_)" for number in watched)
        return self.name(f"x_ if (x_ := {table.text}) != i_{touched} else None", table.over, table.late)


def _plain(node: ast.expr) -> bool:
    """Whether an expression may be worked out once instead of twice."""
    return all(isinstance(part, (ast.Name, ast.Constant, ast.Subscript)) for part in walk(node))


def _cost(node: ast.expr) -> int:
    return sum(1 for part in walk(node) if isinstance(part, ast.expr))


def _replaced(node: ast.expr, atom: str) -> ast.expr:
    class Replaced(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if isinstance(node, ast.expr) and key(node) == atom:
                return ast.Name("i_", ast.Load())
            return self.generic_visit(node)

    made: ast.expr = Replaced().visit(ast.parse(ast.unparse(node), mode="eval").body)
    return made


# ------------------------------------------------------------------ rewriting
class _Rewriter(ast.NodeTransformer):
    """One function."""

    def __init__(self, tables: Tables, late: bool, function: ast.FunctionDef) -> None:
        self.tables = tables
        self.late = late
        self.function = function

    def rewrite(self) -> None:
        self.function.body = [self.visit(stmt) for stmt in self.function.body]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        node.iter = self._iterated(node.iter)
        self.generic_visit(node)
        self._by_container(node)
        return node

    def _by_container(self, node: ast.For) -> None:
        """A loop over all things of a kind that only looks into one container of each: over the containers."""
        kind, item = node.iter, node.target
        if not (
            isinstance(kind, ast.Name) and kind.id in self.tables.fixed.kinds and isinstance(item, ast.Name)
        ):
            return
        uses = [
            part
            for stmt in node.body
            for part in walk(stmt)
            if isinstance(part, ast.Name) and part.id == item.id
        ]
        elsewhere = sum(isinstance(part, ast.Name) and part.id == item.id for part in walk(self.function))
        if len(uses) != 1 or elsewhere != 2 or not isinstance(node.body[0], ast.If):
            return
        match node.body[0].test:
            case ast.NamedExpr(
                target=ast.Name(id=name) as target, value=ast.Subscript(value=ast.Name(id=table)) as held
            ):
                pass
            case _:
                return
        text = next((made.text for made in self.tables.made if made.name == table), None)
        if held.slice is not uses[0] or text is None:
            return
        found = self.tables.name(f"[{text} for i_ in {kind.id}]", None, self._is_late(table))
        node.iter = ast.copy_location(ast.Name(found, ast.Load()), kind)
        node.target = ast.copy_location(ast.Name(name, ast.Store()), target)
        node.body[0].test = ast.copy_location(ast.Name(name, ast.Load()), held)

    def _is_late(self, table: str) -> bool:
        return any(made.late for made in self.tables.made if made.name == table)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self._iterated(node.iter)
        self.generic_visit(node)
        return node

    def _iterated(self, node: ast.expr) -> ast.expr:
        found = self.tables.listed(node, self.late)
        return node if found is None else self.tables.table(node, found)

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.Subscript, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.Call)):
            found = self.tables.look(node, self.late)
            if found is not None and self._gains(node, found):
                atom = next(iter(found.atoms.values()), None)
                made = self.tables.table(node, found)
                if atom is not None:
                    assert isinstance(made, ast.Subscript)
                    made.slice = self.visit(atom)
                return made
        return super().visit(node)

    def _gains(self, node: ast.expr, found: _Look) -> bool:
        if found.over is None:
            return isinstance(node, (ast.Subscript, ast.Compare, ast.Call)) and found.cost > 1
        by_table = 2 + _cost(next(iter(found.atoms.values())))
        return found.cost - by_table >= _LEAST_GAIN


# ------------------------------------------------------------------ chains that stop at none
class _Chains:
    """`w[0] if (a := ..) is not None and (b := ..) is not None and (w := ..) else None`, with tables for the steps."""

    def __init__(self, function: ast.FunctionDef, tables: Tables, late: bool) -> None:
        self.function = function
        self.tables = tables
        self.late = late
        self.loads: dict[str, int] = {}
        self.stores: dict[str, int] = {}

    def run(self) -> None:
        for node in walk(self.function):
            if isinstance(node, ast.Name):
                count = self.stores if isinstance(node.ctx, ast.Store) else self.loads
                count[node.id] = count.get(node.id, 0) + 1
        for node in walk(self.function):
            if isinstance(node, (ast.IfExp, ast.If)) and isinstance(node.test, ast.BoolOp):
                node.test = self._test(node.test)

    def _test(self, test: ast.BoolOp) -> ast.expr:
        if not isinstance(test.op, ast.And):
            return test
        for start in range(len(test.values)):
            made = self._chain(test.values, start)
            if made is not None:
                end, node = made
                values = [*test.values[:start], node, *test.values[end:]]
                if len(values) == 1:
                    return values[0]
                return ast.copy_location(ast.BoolOp(ast.And(), values), test)
        return test

    def _chain(self, values: list[ast.expr], start: int) -> tuple[int, ast.expr] | None:
        """The steps from one on, as one name for the container that is found at their end."""
        known: dict[str, ast.expr] = {}
        tests: list[ast.expr] = []
        for index in range(start, len(values)):
            match values[index]:
                case ast.Compare(
                    left=ast.NamedExpr(target=ast.Name(id=name), value=value),
                    ops=[ast.IsNot()],
                    comparators=[ast.Constant(value=None)],
                ) if self.loads.get(name) == 1 and self.stores.get(name) == 1:
                    whole = _put_in(value, known)
                    known[name] = whole
                    tests.append(ast.Compare(whole, [ast.IsNot()], [ast.Constant(None)]))
                case ast.NamedExpr(target=ast.Name() as target, value=value) if tests:
                    whole = _put_in(value, known)
                    found = self.tables.look(whole, self.late)
                    if found is None or not found.opaque or found.over is None:
                        return None
                    ifs = [_put_in(test, {}) for test in tests]
                    text = ast.IfExp(ast.BoolOp(ast.And(), ifs), whole, ast.Tuple([], ast.Load()))
                    atom = next(iter(found.atoms.values()))
                    name = self.tables.name(ast.unparse(_replaced(text, key(atom))), found.over, found.late)
                    self.tables.containers.add(name)
                    looked = ast.Subscript(ast.Name(name, ast.Load()), atom, ast.Load())
                    made = ast.NamedExpr(target, looked)
                    for part in walk(made):
                        if isinstance(part, ast.expr) and not hasattr(part, "lineno"):
                            ast.copy_location(part, values[start])
                    return index + 1, made
                case _:
                    return None
        return None


def _put_in(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    class PutIn(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return known.get(node.id, node)

    made: ast.expr = PutIn().visit(ast.parse(ast.unparse(node), mode="eval").body)
    return made


class _Orders(ast.NodeTransformer):
    """Who comes first may be nobody: then the order is the usual one."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.count = 0

    def visit(self, node: ast.AST) -> Any:
        own = isinstance(node, OWN_NAMES) and not isinstance(node, ast.FunctionDef)
        return node if own else super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        fixed = self.tables.fixed
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=table), attr="get"),
                args=[first, ast.Name(id=usual) as otherwise],
            ) if table in fixed.by_thing and usual in fixed.kinds:
                self.count += 1
                made = self.tables.name(f"{table}.get(i_, {usual})", "LOC", False)
                form = ast.parse(
                    f"{made}[r_{self.count}] if (r_{self.count} := 0) is not None else 0", mode="eval"
                )
                for part in walk(form.body):
                    ast.copy_location(part, node)
                match form.body:
                    case ast.IfExp(test=ast.Compare(left=ast.NamedExpr() as named)) as choice:
                        named.value = first
                        choice.orelse = otherwise
                        return choice
        return node
