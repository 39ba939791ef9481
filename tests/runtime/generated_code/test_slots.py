"""Locals that share a name never see each other's values."""

from __future__ import annotations

import ast
import random
import textwrap
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.slots import MANY, share_locals

# Locals that take up room, so that a function has enough of them to be looked at.
ROOM = "".join(f"    r{n} = x + {n}\n    out.append(r{n})\n" for n in range(MANY))


def both(body: str, *given_: Any) -> tuple[Any, Any, ast.FunctionDef]:
    """What a function gives before and after, and what became of it."""
    source = f"def f(x, out):\n{ROOM}{textwrap.indent(textwrap.dedent(body), '    ')}"
    tree = ast.parse(source)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    found = []
    for _ in range(2):
        space: dict[str, Any] = {}
        exec(compile(ast.fix_missing_locations(tree), "<f>", "exec"), space)
        out: list[Any] = []
        found.append((space["f"](*given_, out), out))
        share_locals(function)
    return found[0], found[1], function


def locals_of(function: ast.FunctionDef) -> int:
    return len({n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)})


@pytest.mark.parametrize(
    "body",
    [
        "a = 1\nb = a + 1\nc = b + 1\nreturn a + c\n",
        # Kept from one turn to the next.
        "t = 0\nfor i in range(4):\n    s = i * 2\n    t += s\nreturn t\n",
        # Set in a loop and read after it; a local of the loop may not stand in its place.
        "for i in range(4):\n    b = i\n    out.append(b)\n    if i == 1:\n        a = 7\nreturn a\n",
        # Read in a turn before it is set in it.
        "for i in range(4):\n    if i:\n        out.append(k)\n    k = i\n    h = i + 1\n    out.append(h)\nreturn x\n",
        # Set before a loop and read only at its beginning.
        "a = 5\nfor i in range(3):\n    out.append(a)\n    b = i\n    out.append(b)\nreturn x\n",
        "a = 0\nwhile a < 3:\n    b = a + 1\n    a = b\nelse:\n    c = 9\n    out.append(c)\nreturn a\n",
        # Loops in loops.
        (
            "for i in range(3):\n    a = i\n    for j in range(2):\n        b = j\n        if j and i == 1:\n"
            "            c = i\n        out.append((a, b))\n    d = a\n    out.append(d)\nreturn c\n"
        ),
        # What somebody else looks at keeps its name.
        "a = 1\nf = lambda: a\nb = 2\nout.append(b)\nreturn f()\n",
        "a = 1\nf = lambda a=a: a\nb = 2\nout.append(b)\nreturn f()\n",
        "a = 1\nf = [a + i for i in range(3)]\nb = 2\nout.append(b)\nreturn f, a\n",
        "return [w for i in range(3) if (w := i * 2) is not None], w\n",
        "l_0 = 1\nf = lambda: l_0\nl_1 = 2\nout.append(l_1)\na = 3\nout.append(a)\nreturn f()\n",
        # Errors on the way.
        (
            "a = 1\ntry:\n    b = a + 1\n    c = b // x\n    d = 3\n    out.append(d)\nexcept ZeroDivisionError:\n"
            "    out.append(b)\nfinally:\n    e = 4\n    out.append(e)\nreturn a\n"
        ),
        "a = (b := x + 1) + (c := b + 1)\nd = 3\nout.append(d)\nreturn a + c\n",
        "for i in range(3):\n    a = i\n    if a == 1:\n        continue\n    b = a\n    if b == 2:\n        break\nreturn x\n",
    ],
)
@pytest.mark.parametrize("x", [0, 3])
def test_sharing_changes_nothing(body: str, x: int) -> None:
    before, after, function = both(body, x)
    assert after == before
    assert locals_of(function) < MANY


def test_few_locals_keep_their_names() -> None:
    tree = ast.parse("def f(x):\n    a = x\n    b = a\n    return b\n")
    before = ast.unparse(tree)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    share_locals(function)
    assert ast.unparse(tree) == before


def made_at_random(draw: random.Random) -> str:
    """A function body in which every local is set before it is read, wherever the ways lead."""
    lines: list[str] = []

    def block(depth: int, known: list[str], indent: str) -> list[str]:
        known = list(known)
        for _ in range(draw.randint(1, 4)):
            what = draw.randrange(6)
            if what < 2 or depth > 3 or not known:
                name = draw.choice([f"v{len(lines)}", *known])
                lines.append(f"{indent}{name} = {draw.choice([*known, 'x'])} + {draw.randrange(9)}")
                known = [*known, name] if name not in known else known
            elif what == 2:
                lines.append(f"{indent}out.append({draw.choice(known)})")
            elif what == 3:
                lines.append(f"{indent}if {draw.choice(known)} % 2:")
                block(depth + 1, known, indent + "    ")
                lines.append(f"{indent}else:")
                block(depth + 1, known, indent + "    ")
            elif what == 4:
                name = f"i{len(lines)}"
                lines.append(f"{indent}for {name} in range({draw.choice(known)} % 4):")
                block(depth + 1, [*known, name], indent + "    ")
            else:
                lines.append(f"{indent}{draw.choice(known)} += 1")
        return known

    known = block(0, [], "")
    lines.append(f"return {' + '.join(known)}" if known else "return x")
    return "\n".join(lines) + "\n"


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 9))
def test_sharing_changes_nothing_in_functions_made_at_random(seed: int, x: int) -> None:
    before, after, _ = both(made_at_random(random.Random(seed)), x)
    assert after == before
