"""Things that go several steps, from one container to the next: nobody sees them on the way, so they are moved once.

`repeat n times: move thing to next` takes a thing out of a container and puts it into another at every step. Where the next
container is read from a table, the way is found first. If a step would leave the thing where it is, or touch a container that
somebody watches, the steps are taken one by one, as they were written.
"""

from __future__ import annotations

import ast

from talewright.runtime.tables import Tables
from talewright.runtime.trees import key, walk


def walk_at_once(function: ast.FunctionDef, tables: Tables) -> None:
    """Rewrites such walks in one function."""
    count = 0
    for node in walk(function):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if not isinstance(body, list):
                continue
            for at in reversed(range(len(body))):
                made = _walk(body[at], f"w_{count}", tables) if isinstance(body[at], ast.For) else None
                if made is not None:
                    count += 1
                    body[at : at + 1] = made


def _walk(loop: ast.For, name: str, tables: Tables) -> list[ast.stmt] | None:
    match loop:
        case ast.For(
            iter=ast.Name(id=turns),
            target=ast.Name(id=turn),
            orelse=[],
            body=[
                ast.Assign(
                    targets=[ast.Name(id=to)],
                    value=ast.Subscript(value=ast.Name(id=table), slice=ast.Subscript() as stands),
                ),
                ast.If(
                    test=ast.Compare(
                        left=ast.NamedExpr(target=ast.Name(id=start), value=ast.Subscript() as same),
                        ops=[ast.NotEq()],
                        comparators=[ast.Name(id=end)],
                    ),
                    orelse=[],
                    body=[ast.Expr() as leave, ast.Expr() as come, ast.Assign() as stay, *rest],
                ),
            ],
        ) if table.startswith("TAB") and end == to and key(stands) == key(same):
            thing = _thing(stands)
            watched = _watched(rest, start, to)
            if thing is None or watched is None or thing in (turn, to, start):
                return None
            moves = f"ITEMS[{start}].remove({thing})", f"ITEMS[{to}].append({thing})"
            if (ast.unparse(leave), ast.unparse(come)) != moves:
                return None
            if ast.unparse(stay) != f"LOC[{thing}] = {to}":
                return None
        case _:
            return None
    steps = tables.plain_steps(table, watched)
    if steps is None:
        return None
    text = (
        f"{name} = LOC[{thing}]\nif type({turns}) is tuple:\n"
        f"    for {turn} in {turns}:\n        {name} = {steps}[{name}]\n        if {name} is None: break\n"
        f"    else:\n        if {turns}:\n            {to} = ITEMS[{name}]\n"
        f"            ITEMS[LOC[{thing}]].remove({thing})\n            {to}.append({thing})\n"
        f"            LOC[{thing}] = {name}\n"
        f"else:\n    {name} = None\nif {name} is None: pass\n"
    )
    made = ast.parse(text).body
    for line in made:
        for node in walk(line):
            ast.copy_location(node, loop)
    last = made[-1]
    assert isinstance(last, ast.If)
    last.body = [loop]
    return made


def _thing(stands: ast.Subscript) -> str | None:
    """Who goes: one number or one name."""
    match stands:
        case ast.Subscript(value=ast.Name(id="LOC"), slice=ast.Constant(value=int(number))):
            return str(number)
        case ast.Subscript(value=ast.Name(id="LOC"), slice=ast.Name(id=name)):
            return name
    return None


def _watched(rest: list[ast.stmt], start: str, to: str) -> list[int] | None:
    """The containers that somebody watches, told whenever something leaves or comes; none at all if more happens at a step."""
    if not rest:
        return []
    match rest:
        case [
            ast.If(test=test, body=[ast.Expr(value=ast.Call(func=ast.Name(id="pile_changed")))], orelse=[])
        ]:
            parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
        case _:
            return None
    found: list[int] = []
    for part in parts:
        match part:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=int(number))]
            ) if name in (start, to):
                found.append(number)
            case _:
                return None
    return list(dict.fromkeys(found))
