"""Fixes that the editor offers beside those of the findings themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from talewright.compiler.symbols.symbol_table import KindSymbol
from talewright.compiler.types.lookups import Work
from talewright.dsl.diagnostics import Diagnostic, Edit, Fix
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as t
from talewright.lsp.project import tree_of
from talewright.lsp.surroundings import surroundings, thing_in

_MEANT = re.compile(r"did you mean `([A-Za-z0-9_]+)`\?")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_THING = re.compile(r"[a-z_][a-z0-9_]*|[0-9]+[A-Z]|[A-Z][0-9]+")
# Findings about a name that nobody declared, and about numbers that no row takes.
_UNKNOWN = frozenset(("N201", "N203", "N212"))
_UNKNOWN_VERBS = frozenset(("N202",))
_GAPS = frozenset(("F401",))


def offered(found: Diagnostic, place: tuple[int, int], source: Source, work: Work | None) -> Iterator[Fix]:
    """The fixes for one finding at a place of a text."""
    yield from _meant(found, place, source)
    if found.code in _UNKNOWN and work is not None:
        yield from _declared(place, source, work)
    if found.code in _UNKNOWN_VERBS and re.fullmatch(r"[a-z_][a-z0-9_]*", source.text[slice(*place)]):
        word = source.text[slice(*place)]
        yield _added(place[0], source, f"action {word}:\n    nothing", f"declare the action `{word}`")
    if found.code in _GAPS:
        yield from _otherwise(place[0], source)


def _meant(found: Diagnostic, place: tuple[int, int], source: Source) -> Iterator[Fix]:
    """The fix of a finding that asks `did you mean`, where it points at just that word."""
    match = _MEANT.search(found.help)
    if match is not None and not found.fixes and _NAME.fullmatch(source.text[slice(*place)]):
        yield Fix(f"write `{match.group(1)}`", (Edit(found.span, match.group(1)),), safe=False)


# ------------------------------------------------------------------ a name nobody declared
def _declared(place: tuple[int, int], source: Source, work: Work) -> Iterator[Fix]:
    """Declares what the word here would name, behind the declaration it stands in."""
    text = source.text
    word = text[slice(*place)]
    if not _THING.fullmatch(word):
        return
    kind = _kind_wanted(text, place[0], work)
    if kind == "Card" and _is_condition(text, place):
        yield _added(place[0], source, f"state {word}: yes | no = no", f"declare the state `{word}`")
    elif isinstance(work.table.kinds.get(kind), KindSymbol):
        title = word.replace("_", " ").strip()
        title = title[:1].upper() + title[1:]
        yield _added(place[0], source, f'{kind} {word} "{title}"', f"declare the {kind} `{word}`")


def _added(offset: int, source: Source, declaration: str, title: str) -> Fix:
    """Puts a declaration behind the one around an offset."""
    around = [node for node in tree_of(source.text).declarations if node.start <= offset]
    end = around[-1].end if around else len(source.text)
    end = len(source.text[:end].rstrip()) if around else end
    return Fix(title, (Edit(source.span(end, end), f"\n\n{declaration}"),), safe=False)


def _is_condition(text: str, place: tuple[int, int]) -> bool:
    """Whether a name stands where yes or no is asked for: behind `if` and the like, or before an arrow."""
    before = text[text.rfind("\n", 0, place[0]) + 1 : place[0]]
    after = text[place[1] :].partition("\n")[0]
    asked = re.search(r"\b(?:if|when|while|requires|expect|and|or|not)[ \t]+$", before) is not None
    return (
        asked
        or ("->" in after and not re.search(r"->|[,(]", before) and _NAME.match(after.strip()) is not None)
        or (not before.strip() and after.lstrip().startswith("->"))
    )


def _kind_wanted(text: str, offset: int, work: Work) -> str:
    """The kind of thing that belongs here, by what stands around."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    around = surroundings(text, offset, work)
    if around is not None and around.is_cast and re.search(r"\bat[ \t]+$", line):
        return "Place"
    wanted = thing_in(around.field.type) if around is not None and around.field is not None else ""
    if not wanted and re.search(r"(?:->|\bgo[ \t]+to)[ \t]*$", line):
        return "Chapter"
    return wanted or "Card"


# ------------------------------------------------------------------ numbers that no row takes
def _otherwise(offset: int, source: Source) -> Iterator[Fix]:
    """Adds a row for all that the rows here leave out."""
    rows = _rows_at(tree_of(source.text).declarations, offset)
    if not rows:
        return
    last = rows[-1]
    text = source.text
    end = last.start + len(text[last.start : last.end].rstrip())
    body = text[last.body[0].start : last.body[-1].end].strip() if last.body else ""
    # A row of a table gives a value, which nobody can guess; one of a band does something.
    plain = body if "\n" not in body and isinstance(_only(last.body), t.Call) is False and body else "nothing"
    added = f"otherwise -> {plain}"
    if source.line_column(rows[0].start)[0] == source.line_column(last.start)[0]:
        new = f"; {added}"
    else:
        start = text.rfind("\n", 0, last.start) + 1
        indent = text[start : last.start]
        new = f"\n{indent if not indent.strip() else ''}{added}"
    yield Fix("add `otherwise`", (Edit(source.span(end, end), new),), safe=False)


def _only(body: list[Any]) -> Any:
    return body[0] if len(body) == 1 else None


def _rows_at(node: Any, offset: int) -> list[t.Arrow]:
    """The rows among which an offset stands, innermost first."""
    if isinstance(node, (list, tuple)):
        for each in node:
            found = _rows_at(each, offset)
            if found:
                return found
        rows = [each for each in node if isinstance(each, t.Arrow)]
        return rows if any(row.start <= offset <= row.end for row in rows) else []
    if isinstance(node, t.Node) and node.start <= offset <= max(node.end, node.start):
        for name in node.__match_args__:
            found = _rows_at(getattr(node, name), offset)
            if found:
                return found
    return []
