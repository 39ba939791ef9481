"""A container that lies face down and is never turned over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._content_walks import IR, own_files
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import is_whole
from talewright.compiler.symbols.symbol_table import ContainerSymbol, FieldSymbol, KindSymbol
from talewright.compiler.types.lookups import name_span
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span
from talewright.dsl.tree import nodes as tree

Key = tuple[str, str]

# Where things go: naming a container there shows nothing of what lies in it.
_DESTINATIONS = frozenset(("to", "into", "under", "at", "on"))
# These ask how many or whether, never what; what they look at is looked at no closer.
_PUBLIC = frozenset(("count", "is_empty", "any", "is_none"))
# These hand on what they are given.
_THROUGH = frozenset(("items", "content"))


def find(context: Context) -> Iterator[Diagnostic]:
    """Containers marked `face_down` that are only filled and counted."""
    hidden = dict(_face_down(context))
    if not hidden or not is_whole(context):
        return
    seen: set[Key] = set()
    _look(context.content, seen)
    for key, (span, name) in hidden.items():
        if key not in seen:
            yield CHECK.finding(
                span,
                f"nobody ever sees what lies in `{name}`",
                "`reveal`, `show` or `draw` from it somewhere, or leave out `face_down`",
            )


def _face_down(context: Context) -> Iterator[tuple[Key, tuple[Span, str]]]:
    own = own_files(context)
    for symbol in context.work.table.names.values():
        if not isinstance(symbol, ContainerSymbol) or symbol.origin.source.name not in own:
            continue
        if symbol.decl.options.face == "face_down":
            yield ("", symbol.name), (symbol.origin.source.span(*name_span(symbol)), symbol.name)
    for kind in context.work.table.kinds.values():
        if isinstance(kind, KindSymbol):
            for field in kind.fields.values():
                if _is_face_down(field) and field.origin.source.name in own:
                    yield (field.owner, field.name), (_place(field), field.name)


def _is_face_down(field: FieldSymbol) -> bool:
    decl = field.decl
    return (
        isinstance(decl, tree.FieldDecl)
        and isinstance(decl.type, tree.ContainerType)
        and decl.type.options.face == "face_down"
    )


def _place(field: FieldSymbol) -> Span:
    assert field.decl is not None
    word = next((w for w in field.decl.names if w.text == field.name), field.decl.names[0])
    return field.origin.source.span(word.start, word.end)


def _look(content: IR, seen: set[Key]) -> None:
    """Notes every container that some code takes from or looks into."""
    stack: list[tuple[Any, bool]] = [(content, False)]
    while stack:
        item, public = stack.pop()
        if isinstance(item, list):
            stack.extend((value, public) for value in item if isinstance(value, (dict, list)))
            continue
        op = item.get("op")
        if op == "pile":
            if not public:
                seen.add(("", item["id"]))
            continue
        if op == "field":
            if not public:
                seen.add((item["owner"], item["name"]))
            stack.append((item["of"], False))
            continue
        if op == "core_call":
            for name, value in item["args"].items():
                if isinstance(value, (dict, list)):
                    stack.append((value, name in _DESTINATIONS))
            stack.extend((v, False) for k, v in item.items() if k != "args" and isinstance(v, (dict, list)))
            continue
        inner = op in _PUBLIC or (public and op in _THROUGH)
        for name, value in item.items():
            if isinstance(value, (dict, list)):
                stack.append((value, inner or (op == "lies_in" and name == "pile")))


CHECK = Check(
    code="C508",
    name="never-revealed",
    severity="info",
    why="""A container with `face_down` hides what lies in it. When cards only go in and are
    counted, and nothing is ever drawn, shown or revealed from it, they are out of the game: maybe on
    purpose, maybe a step was forgotten.""",
    bad="""
    kind Omen is Card
    Omen crow "Crow"
    Omen raven "Raven"
    deck omens of Omen = all Omen
    pile buried of Omen face_down  # <-
    action game: move 1 from omens to buried
    """,
    good="""
    kind Omen is Card
    Omen crow "Crow"
    Omen raven "Raven"
    deck omens of Omen = all Omen
    pile buried of Omen face_down
    action game:
        move 1 from omens to buried
        reveal first buried
    """,
    find=find,
)
