"""Words of other programming languages. They parse as names here, so the grammar cannot report them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from talewright.dsl.recovery.text_shape import Line, lines_of, masked

if TYPE_CHECKING:
    from talewright.dsl.recovery.verdict import Verdict

_SUSPECT = re.compile(
    r"^[ \t]+(?:elif|elseif|elsif|pass|return)\b|:[ \t]*pass[ \t\r]*(?:#[^\n]*)?$", re.MULTILINE
)
_BLOCK = re.compile(
    r"(?:if|otherwise|for[ ]+each|repeat|action|before|after|instead[ ]+of|at[ ]+(?:start|end)[ ]+of|when"
    r"|anytime|given)\b"
)
_ELSE_IF = re.compile(r"(elif|elseif|elsif)[ ]+[^ :=].*:")
_PASS = re.compile(r"(?:.*:[ ]*)?(pass)[ ]*$")


def habits_in(text: str) -> list[Verdict]:
    """All of them in a text, in order."""
    if _SUSPECT.search(text) is None:
        return []
    found: list[Verdict] = []
    open_lines: list[tuple[Line, str]] = []
    for line in lines_of(text):
        while open_lines and open_lines[-1][0].indent >= line.indent:
            open_lines.pop()
        code = masked(text, line.start, line.end)
        verdict = _judge(code, line.start, [above for _, above in open_lines])
        if verdict is not None:
            found.append(verdict)
        open_lines.append((line, code))
    return found


def _judge(code: str, at: int, above: list[str]) -> Verdict | None:
    parent = above[-1] if above else ""
    else_if = _ELSE_IF.match(code)
    if else_if and parent and not parent[:1].isupper():
        end = at + len(else_if.group(1))
        said = f"`{else_if.group(1)}` is called `otherwise if` here"
        return _swap("S160", said, "otherwise if", at, end)
    passes = _PASS.match(code)
    if passes:
        header = parent if passes.start(1) == 0 else code
        if _BLOCK.match(header):
            start = at + passes.start(1)
            return _swap("S166", "doing nothing is written `nothing`", "nothing", start, start + 4)
    if re.match(r"return\b[ ]*[^ :=]", code) and any(line.startswith("value ") for line in above):
        return _swap("S165", "a result is handed back with `give`", "give", at, at + 6)
    return None


def _swap(code: str, said: str, written: str, start: int, end: int) -> Verdict:
    from talewright.dsl.recovery.verdict import Change, Verdict

    help = f"write `{written}`"
    return Verdict(code, said, help, start, end, (Change(start, end, written),), help, safe=True)
