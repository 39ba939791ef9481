"""Lists of generated source made by loops, and loops with fewer turns or less to do in each.

A loop costs less than the function that Python makes of a list in brackets; a search through a list that is made on the
way needs no list at all.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from talewright.runtime.placing import SEARCH, Given, Renamed, copied, is_path
from talewright.runtime.setbook import FEW_TURNS
from talewright.runtime.tables import Fixed
from talewright.runtime.trees import OWN_NAMES, InsteadOf, walk

# Columns that hold a number for everything there is.
COLUMN = re.compile(r"LOC|SORT|F\d+")
# Words and other constants of the document; none is not among them.
CONSTANT = re.compile(r"C\d+")
# Begins the name of a list of draws.
LEFT = "LEFT_"
# Lists to choose from: nobody changes them.
CHOICE = re.compile(r"ask\d+(_\d+)*")


def harmless(test: ast.expr) -> bool:
    return not any(isinstance(node, (ast.Call, ast.NamedExpr)) for node in walk(test))


class Loops:
    """Lists of one function that a statement makes: a loop costs less than the function that Python makes of them."""

    def __init__(self, function: ast.FunctionDef, fixed: Fixed) -> None:
        self.function = function
        self.fixed = fixed
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
        if isinstance(stmt, ast.For):
            counted = self._counted(stmt)
            if counted:
                return counted
            match stmt.iter:
                case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name) as every]):
                    # Nothing comes or goes there: no copy is needed.
                    stmt.iter = every if name in self.fixed.kinds else stmt.iter
        if isinstance(stmt, ast.For) and self._is_search(stmt):
            match stmt.iter:
                case ast.Call(func=ast.Name(id="union"), args=[one, other]):
                    second = ast.copy_location(
                        ast.For(stmt.target, other, copied(stmt.body), stmt.orelse), stmt
                    )
                    first = ast.copy_location(ast.For(stmt.target, one, stmt.body, []), stmt)
                    first.searching = second.searching = True  # type: ignore[attr-defined]
                    first.orelse = self._looped(second)
                    return self._looped(first)
        if isinstance(stmt, ast.For) and isinstance(stmt.iter, ast.ListComp):
            if self._asked_in_turn(stmt, stmt.iter):
                return [stmt]
            if SEARCH.fullmatch(self.function.name) or getattr(stmt, "searching", False):
                return self._fused(stmt, stmt.iter) or self._made(stmt, stmt.iter, "iter")
            return self._made(stmt, stmt.iter, "iter")
        if isinstance(stmt, ast.Assign):
            copies = self._copies(stmt)
            if copies:
                return copies
        if isinstance(stmt, (ast.Assign, ast.Return)):
            value = stmt.value
            if isinstance(value, ast.ListComp):
                return self._made(stmt, value, "value")
            if isinstance(value, ast.IfExp) and isinstance(value.body, ast.ListComp) and harmless(value.test):
                return self._made(stmt, value.body, "value", value)
        return self._hoisted(stmt)

    def _asked_in_turn(self, stmt: ast.For, made: ast.ListComp) -> bool:
        """A loop over those of whom something is true that never becomes true again, and that asks each when it comes: over all."""
        match made, stmt.body[0]:
            case (
                ast.ListComp(
                    elt=ast.Name(id=item),
                    generators=[
                        ast.comprehension(
                            target=ast.Name(id=same),
                            iter=every,
                            ifs=[ast.Subscript(value=ast.Name(id=column), slice=ast.Name(id=asked))],
                        )
                    ],
                ),
                ast.If(
                    test=ast.UnaryOp(
                        op=ast.Not(),
                        operand=ast.Subscript(value=ast.Name(id=again), slice=ast.Name(id=turn)),
                    ),
                    body=[ast.Continue()],
                ),
            ):
                pass
            case _:
                return False
        if not (item == same == asked and column == again and column in self.fixed.cleared):
            return False
        if not isinstance(stmt.target, ast.Name) or stmt.target.id != turn or not self._stays(every):
            return False
        stmt.iter = every
        return True

    def _stays(self, every: ast.expr) -> bool:
        """Whether a list is the same all the time."""
        match every:
            case ast.Name(id=name):
                return name in self.fixed.kinds
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=table), attr="get"), args=[_, ast.Name(id=usual)]
            ):
                return table in self.fixed.by_thing and usual in self.fixed.kinds
        return False

    def _is_search(self, stmt: ast.For) -> bool:
        """Whether a loop stops at the first that fits: whoever comes twice is not looked at twice."""
        if not (SEARCH.fullmatch(self.function.name) or getattr(stmt, "searching", False)):
            return False
        return not any(isinstance(node, ast.AugAssign) for part in stmt.body for node in walk(part))

    def _hoisted(self, stmt: ast.stmt) -> list[ast.stmt]:
        """A list inside an expression that is made before anything else happens there: it is made before the statement."""
        part = {ast.If: "test", ast.For: "iter"}.get(type(stmt), "value")
        whole = getattr(stmt, part, None)
        if not isinstance(stmt, (ast.Expr, ast.Assign, ast.Return, ast.If, ast.For)) or whole is None:
            return [stmt]
        found = _first_list(whole)
        if found is None:
            return [stmt]
        lines = self._made(stmt, found, found)
        if lines == [stmt]:
            return lines
        return [*lines[:-1], *self._hoisted(stmt)]

    def _counted(self, stmt: ast.For) -> list[ast.stmt]:
        """A loop whose turns are counted towards the budget: all at once, before the first, unless they are many."""
        match stmt:
            case ast.For(
                iter=ast.Call(func=ast.Name(id="range"), args=[turns]),
                body=[
                    ast.AugAssign(op=ast.Add(), value=ast.Constant(value=1)) as count,
                    ast.If(body=[ast.Expr(value=ast.Call(func=ast.Name(id="step")))]) as look,
                    *rest,
                ],
            ):
                self.count += 1
                name = f"n_{self.count}"
                every = f"t_{self.count}"
                # A list that is there costs less than a range that is made.
                again = f"{every} = many_turns({name}) if {name} > {FEW_TURNS} else TURNS[{name}]"
                lines = f"{name} = 0\nif {name} > 0:\n    {again}\nelse: {every} = ()"
                begin, several = ast.parse(lines).body
                assert isinstance(begin, ast.Assign)
                assert isinstance(several, ast.If)
                many = several.body[0].value  # type: ignore[attr-defined]
                for line in (begin, several):
                    for node in walk(line):
                        if isinstance(node, (ast.expr, ast.stmt)):
                            ast.copy_location(node, stmt)
                begin.value = turns
                count.value = ast.copy_location(ast.Name(name, ast.Load()), count)
                many.test = ast.copy_location(ast.BoolOp(ast.Or(), [look.test, many.test]), many)
                several.body.insert(0, count)
                stmt.iter = ast.copy_location(ast.Name(every, ast.Load()), stmt)
                stmt.body = rest or [ast.copy_location(ast.Pass(), stmt)]
                return [begin, several, stmt]
        return []

    def _copies(self, stmt: ast.Assign) -> list[ast.stmt]:
        """A search for the lowest copies in a container, without a call."""
        match stmt:
            case ast.Assign(
                targets=[ast.Name(id=found)],
                value=ast.Call(func=ast.Name(id="first_copy"), args=[pile, ast.Name(id=sort)]),
            ) if found not in (sort, *_names(pile)):
                text = (
                    f"{found} = None\nfor q_ in pile:\n"
                    f"    if SORT[q_] == {sort} and ({found} is None or q_ < {found}): {found} = q_"
                )
            case ast.Assign(
                targets=[ast.Name(id=found)],
                value=ast.Call(func=ast.Name(id="lowest_copies"), args=[pile]),
            ) if found not in _names(pile):
                text = (
                    f"{found} = {{}}\nfor q_ in pile:\n    s_ = SORT[q_]\n"
                    f"    if s_ not in {found} or q_ < {found}[s_]: {found}[s_] = q_"
                )
            case _:
                return []
        self.count += 1
        lines = ast.parse(text.replace("q_", f"q_{self.count}").replace("s_", f"s_{self.count}")).body
        assert isinstance(lines[1], ast.For)
        lines[1].iter = pile
        for line in lines:
            for node in walk(line):
                if isinstance(node, (ast.expr, ast.stmt)) and node not in walk(pile):
                    ast.copy_location(node, stmt)
        return lines

    def _fused(self, stmt: ast.For, made: ast.ListComp) -> list[ast.stmt]:
        """A search through a list that is made on the way: nothing has to be kept."""
        flat = _flattened(made)
        if len(flat.generators) != 1 or not isinstance(flat.generators[0].target, ast.Name):
            return []
        one = flat.generators[0]
        inner: list[ast.stmt] = [ast.copy_location(ast.Assign([stmt.target], flat.elt), made), *stmt.body]
        if _asked_at_once(stmt):
            # It needs no name where it is asked about once.
            assert isinstance(stmt.target, ast.Name)
            inner = [Given({stmt.target.id: flat.elt}).visit(line) for line in stmt.body]
        if one.ifs:
            test = one.ifs[0] if len(one.ifs) == 1 else ast.BoolOp(ast.And(), list(one.ifs))
            inner = [ast.copy_location(ast.If(ast.copy_location(test, made), inner, []), made)]
        once = _Once(frozenset(getattr(stmt, "known", ())))
        inner = [once.visit(line) for line in inner]
        before = [
            ast.copy_location(ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), stmt)], asked), stmt)
            for name, asked in once.found.items()
        ]
        return [*before, ast.copy_location(ast.For(one.target, one.iter, inner, stmt.orelse), stmt)]

    def _made(
        self, stmt: ast.stmt, made: ast.ListComp, part: str | ast.ListComp, choice: ast.IfExp | None = None
    ) -> list[ast.stmt]:
        flat = _flattened(made)
        if len(flat.generators) > 2 or not all(isinstance(g.target, ast.Name) for g in flat.generators):
            return [stmt]
        self.count += 1
        name = f"l_{self.count}"
        choice_of = _choice_list(stmt)
        if choice_of and part == "value" and not _names(made) & {choice_of}:
            name = choice_of
        # In a comprehension its names are its own; here they must not meet those of the function.
        own = {node.id for g in flat.generators for node in walk(g.target) if isinstance(node, ast.Name)}
        if any(isinstance(n, ast.Name) and n.id in own for n in walk(flat.generators[0].iter)):
            return [stmt]
        flat = Renamed({old: f"{old}_{name}" for old in own}).visit(flat)
        add = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()), [flat.elt], [])
        inner: list[ast.stmt] = [ast.Expr(add)]
        for one in reversed(flat.generators):
            if one.ifs:
                test = one.ifs[0] if len(one.ifs) == 1 else ast.BoolOp(ast.And(), list(one.ifs))
                inner = [ast.If(test, inner, [])]
            inner = [ast.For(one.target, one.iter, inner, [])]
        begin = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
        if len(flat.generators) == 1 and not flat.generators[0].ifs and _is_itself(flat) and choice is None:
            # Nothing is left out: a copy.
            copy = ast.Call(ast.Name("list", ast.Load()), [flat.generators[0].iter], [])
            begin, inner = ast.Assign([ast.Name(name, ast.Store())], copy), []
        once = _Once(frozenset(getattr(stmt, "known", ())) - own)
        for line in inner:
            if isinstance(line, ast.For):
                line.body = [once.visit(part) for part in line.body]
        needless = False
        if choice_of and len(flat.generators) == 1:
            loop, inner = inner, _unless_all(name, flat, begin, inner)
            needless = inner is not loop
        for common, asked in once.found.items():
            inner.insert(0, ast.Assign([ast.Name(common, ast.Store())], asked))
        if choice is not None:
            if isinstance(choice.orelse, ast.List) and not choice.orelse.elts:
                inner = [ast.If(choice.test, inner, [begin] if needless else [])]
            else:
                return [stmt]
        done = name == choice_of
        if isinstance(part, str):
            setattr(stmt, part, ast.Name(name, ast.Load()))
        else:
            InsteadOf(part, name).visit(stmt)
        lines = inner if needless else [begin, *inner]
        for line in lines:
            for node in walk(line):
                if not hasattr(node, "lineno") and isinstance(node, (ast.expr, ast.stmt)):
                    ast.copy_location(node, made)
        return lines if done else [*lines, stmt]


def _asked_at_once(stmt: ast.For) -> bool:
    """Whether what a loop finds is only asked about, in its first condition and once."""
    first = stmt.body[0]
    if not isinstance(stmt.target, ast.Name) or not isinstance(first, ast.If):
        return False
    name = stmt.target.id

    def uses(node: ast.AST) -> int:
        return sum(isinstance(part, ast.Name) and part.id == name for part in walk(node))

    return uses(first.test) == 1 == sum(uses(part) for part in stmt.body)


# Functions that only look at what they are given.
LOOKING = frozenset(
    ("len", "list", "union", "no_nones", "bool", "sum", "core_distinct", "sorted", "min", "max")
)


def _first_list(node: ast.expr) -> ast.ListComp | None:
    """The list that is made first in an expression, if nothing else happens before it."""
    match node:
        case ast.ListComp():
            return node
        case ast.Call(func=ast.Name(), args=args, keywords=[]):
            parts = args
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.Compare(left=left, comparators=[first, *_]):
            parts = [left, first]
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
        found = _first_list(part)
        if found is not None:
            return found
        if any(
            isinstance(inner, ast.Call)
            and not (isinstance(inner.func, ast.Name) and inner.func.id in LOOKING)
            for inner in walk(part)
        ):
            return None
    return None


def _choice_list(stmt: ast.stmt) -> str:
    """The name of a list to choose from, if a statement makes one."""
    match stmt:
        case ast.Assign(targets=[ast.Name(id=name)]) if CHOICE.fullmatch(name):
            return name
    return ""


def _is_itself(made: ast.ListComp) -> bool:
    match made:
        case ast.ListComp(elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=same))]):
            return name == same
    return False


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _unless_all(name: str, flat: ast.ListComp, begin: ast.stmt, loop: list[ast.stmt]) -> list[ast.stmt]:
    """A loop that picks some of a list, unless all of its tests are idle: then the list itself is as good."""
    one = flat.generators[0]
    match loop:
        case [ast.For(iter=source, target=ast.Name(id=item), body=[ast.If(test=test)])]:
            pass
        case _:
            return loop
    if not isinstance(flat.elt, ast.Name) or not isinstance(source, ast.Subscript) or one.is_async:
        return loop
    gates: list[ast.expr] = []
    for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
        match part:
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.And(), values=[gate, *_])):
                free = not any(isinstance(n, ast.Name) and n.id == item for n in walk(gate))
                if not free or not harmless(gate):
                    return loop
                gates.append(copied(gate))
            case _:
                return loop
    rest: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], copied(source))]
    # One loop for each test: in it the tests before are idle.
    for gate in reversed(gates):
        rest = [ast.If(gate, copied([begin, *loop]), rest)]
    return rest


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

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="prop_place"), args=[ast.Name(id=index)], keywords=[]):
                if index in self.known:
                    self.found.setdefault(f"o_place_{index}", node)
                    return ast.copy_location(ast.Name(f"o_place_{index}", ast.Load()), node)
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
        renamed = Renamed({inside.target.id: first.target.id}).visit(copied(inside))
        joined = ast.comprehension(first.target, renamed.iter, [*renamed.ifs, *first.ifs], 0)
        return ast.copy_location(ast.ListComp(made.elt, [joined, *made.generators[1:]]), made)
    return made


# ------------------------------------------------------------------ calls that can be spared
def rewrite_calls(function: ast.FunctionDef) -> dict[str, str]:
    """Draws without a call, and searches that do not begin where there is nothing to find.

    Gives the lists of draws that are used now, and of which streams they are.
    """
    names = _names(function)
    draws = _Draws()
    if "CHANCE" in names:
        draws.visit(function)
    if not names.isdisjoint(("first_copy", "includes_sorts")):
        _Glances().visit(function)
    if not names.isdisjoint(("forbidden", "sort_of", "prop_sort")):
        _Said().visit(function)
    return draws.streams


class _Draws(ast.NodeTransformer):
    """Draws of chance without a call, as long as there are some left of those that were worked out."""

    def __init__(self) -> None:
        self.count = 0
        self.streams: dict[str, str] = {}

    def visit(self, node: ast.AST) -> Any:
        return (
            node
            if isinstance(node, OWN_NAMES) and not isinstance(node, ast.FunctionDef)
            else super().visit(node)
        )

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="CHANCE"), attr="below"),
                args=[ast.Name(id=stream), count],
            ) if CONSTANT.fullmatch(stream):
                self.count += 1
                drawn = f"({LEFT}{stream} or CHANCE.more({stream})).pop()"
                several = f"n_d{self.count}"
                text = f"{drawn} * {several} >> 32 if ({several} := 0) > 1 else 0"
                if isinstance(count, ast.Constant):
                    if not isinstance(count.value, int) or count.value < 2:
                        return node
                    text = f"{drawn} * {count.value} >> 32"
                made = ast.parse(text, mode="eval").body
                if isinstance(made, ast.IfExp):
                    assert isinstance(made.test, ast.Compare)
                    assert isinstance(made.test.left, ast.NamedExpr)
                    made.test.left.value = count
                self.streams[f"{LEFT}{stream}"] = stream
                for part in walk(made):
                    if isinstance(part, ast.expr):
                        ast.copy_location(part, node)
                return made
        return node


class _Glances(ast.NodeTransformer):
    """What is looked for in a container is not looked for where too little lies."""

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, (ast.Lambda, ast.ListComp)) else super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="first_copy"), args=[pile, _]) if is_path(pile):
                made: ast.expr = ast.IfExp(copied(pile), node, ast.Constant(None))
            case ast.Call(func=ast.Name(id="includes_sorts"), args=[have, want]) if is_path(have) and is_path(
                want
            ):
                enough = ast.parse("len(a) >= len(b)", mode="eval").body
                enough = Given({"a": have, "b": want}).visit(enough)
                made = ast.BoolOp(ast.And(), [enough, node])
            case _:
                return node
        for part in walk(made):
            if isinstance(part, ast.expr) and part is not node:
                ast.copy_location(part, node)
        return ast.copy_location(made, node)


class _Said(ast.NodeTransformer):
    """Calls of the kernel that say in so many words what they are about."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Name(id="forbidden") as func,
                args=[rules, ast.Tuple(elts=[ast.Name() | ast.Constant(), *more] as given)],
            ) if len(more) < 2 and all(isinstance(one, (ast.Name, ast.Constant)) for one in more):
                func.id = "forbidden_two" if more else "forbidden_one"
                node.args = [rules, *given]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """The sort of what may be none, beside one that is none's."""
        self.generic_visit(node)
        match node:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="sort_of" | "prop_sort"), args=[thing]),
                ops=[ast.Eq() | ast.NotEq() as op],
                comparators=[sort],
            ) if _is_sort(sort):
                differs = ast.Constant(isinstance(op, ast.NotEq))
                match thing:
                    case ast.Name():
                        there: ast.expr = ast.Compare(copied(thing), [ast.IsNot()], [ast.Constant(None)])
                    case ast.IfExp(
                        test=there, body=ast.Subscript() as thing, orelse=ast.Constant(value=None)
                    ):
                        pass
                    case _:
                        return node
                looked = ast.Subscript(ast.Name("SORT", ast.Load()), thing, ast.Load())
                made = ast.IfExp(there, ast.Compare(looked, [op], [sort]), differs)
                for part in walk(made):
                    if isinstance(part, ast.expr) and not hasattr(part, "lineno"):
                        ast.copy_location(part, node)
                return ast.copy_location(made, node)
        return node


def _is_sort(node: ast.expr) -> bool:
    """A sort that is sure to be one: a constant, or what the column of all sorts says."""
    match node:
        case ast.Name(id=name):
            return bool(CONSTANT.fullmatch(name))
        case ast.Subscript(value=ast.Name(id="SORT"), slice=ast.Name() | ast.Constant()):
            return True
    return False
