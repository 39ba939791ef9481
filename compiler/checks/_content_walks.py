"""Walks over the content that several checks share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks.check import Context, Parsed
from talewright.dsl.source import Span
from talewright.schemas.records import field, record

IR = dict[str, Any]

# Texts and comments of a source: whatever is no code.
LITERALS = re.compile(r'"""(?:.|\n)*?"""|"(?!"")(?:\\.|[^"\\\n])*"|\#[^\n]*')

# These are a third of all nodes, and no check needs them one by one.
_LEAVES = frozenset(("local", "int"))


@record
class Index:
    """Every piece of code by its `op` (or `rule:` and its form), each with the nearest place around it."""

    by_op: dict[str, list[tuple[IR, int]]] = field(default_factory=dict)
    bodies: list[list[IR]] = field(default_factory=list)

    def all(self, op: str) -> list[tuple[IR, int]]:
        """The pieces of one form."""
        return self.by_op.get(op, [])


def index(context: Context) -> Index:
    """The content in one walk, made once for all checks of single files."""
    found = context.notes.get(__name__)
    if not isinstance(found, Index):
        found = context.notes[__name__] = walk(context.content)
    return found


def walk(content: Any) -> Index:
    """One walk over code."""
    made = Index()
    by_op, bodies = made.by_op, made.bodies
    # Pushed in reverse, so that they are popped in the order of the text.
    stack: list[tuple[Any, int]] = [(content, -1)]
    pop, push = stack.pop, stack.append
    while stack:
        item, at = pop()
        if type(item) is dict:
            here = item.get("at")
            if type(here) is int:
                at = here
            op = item.get("op")
            if op is None and "rule" in item:
                op = f"rule:{item['rule']}"
            if op is not None:
                known = by_op.get(op)
                if known is None:
                    by_op[op] = [(item, at)]
                else:
                    known.append((item, at))
            values: Any = reversed(item.values())
        else:
            if _is_body(item):
                bodies.append(item)
            values = reversed(item)
        for value in values:
            if type(value) is dict:
                if value.get("op") not in _LEAVES:
                    push((value, at))
            elif type(value) is list and value:
                push((value, at))
    return made


def _is_body(items: list[Any]) -> bool:
    return all(type(entry) is dict and "op" in entry for entry in items)


def own_files(context: Context) -> frozenset[str]:
    """The files of the package that was asked for, not those of the packages it uses."""
    known = context.notes.get("own files")
    if known is None:
        main = context.packages.main
        known = frozenset(source.name for source in main.sources) if main is not None else frozenset()
        context.notes["own files"] = known
    found: frozenset[str] = known
    return found


def own_parsed(context: Context) -> Iterator[Parsed]:
    """The same files with their trees."""
    names = own_files(context)
    return (parsed for parsed in context.files if parsed.source.name in names)


def own_things(context: Context) -> Iterator[IR]:
    """The things that the package itself declares."""
    names, spots = own_files(context), context.work.spots
    for thing in context.content["things"]:
        at = thing.get("at")
        if at is not None and spots[at][0] in names:
            yield thing


def is_own(context: Context, at: int) -> bool:
    """Whether a place lies in the package itself."""
    return at >= 0 and context.work.spots[at][0] in own_files(context)


def first_line(context: Context, at: int) -> Span:
    """The place with a number, no further than the end of its first line."""
    name, start, end = context.work.spots[at]
    source = context.source(name)
    line_end = source.text.find("\n", start)
    return source.span(start, end if line_end < 0 else min(end, line_end))
