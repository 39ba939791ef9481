"""Lines above declarations: what can be run there, and what the last playtest knew about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from talewright.compiler.types.lookups import Work
from talewright.dsl.tree import nodes as t
from talewright.lsp.project import tree_of
from talewright.report.playtest.last_result import Known
from talewright.schemas.records import record


@record(frozen=True)
class Lens:
    """A line above an offset: its text, and the command behind it with its arguments; none for mere news."""

    offset: int
    text: str
    command: str = ""
    arguments: tuple[str, ...] = ()


def lenses(text: str, folder: Path, work: Work | None, known: Known | None) -> Iterator[Lens]:
    """The lenses of a text in order."""
    yield from _of(tree_of(text).declarations, str(folder), work, known)


def _of(declarations: Any, folder: str, work: Work | None, known: Known | None) -> Iterator[Lens]:
    for node in declarations:
        match node:
            case t.WhileDecl():
                yield from _of(node.declarations, folder, work, known)
            case t.TestDecl():
                title = node.title.raw
                yield Lens(node.start, "run this test", "tale.runTest", (folder, title))
                yield Lens(node.start, "debug by trace", "tale.traceTest", (folder, title))
            case t.ThingDecl():
                yield from _of_thing(node, folder, work, known)


def _of_thing(node: t.ThingDecl, folder: str, work: Work | None, known: Known | None) -> Iterator[Lens]:
    kind = node.kind.text
    if work is not None and kind in work.table.kinds and work.is_a(kind, "Chapter") and len(node.ids) == 1:
        name = node.ids[0].text
        yield Lens(node.start, "play from this chapter", "tale.playChapter", (folder, name))
        yield Lens(node.start, "playtest from here", "tale.playtestChapter", (folder, name))
    if known is not None:
        for word in node.ids:
            said = known.about(word.text)
            if said:
                yield Lens(node.start, said if len(node.ids) == 1 else f"{word.text}: {said}")
