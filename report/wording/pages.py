"""Every card of a document as players read it, beside its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import dedent, wrap

from talewright.report.wording.cards import Cards
from talewright.report.wording.phrases import words
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.declared import ThingDeclaration
from talewright.schemas.nodes.document import Document

# The text of a line of a file, both as the document names them.
ReadLine = Callable[[str, int], str]
OWN_WORDS = " *"


def wording_lines(document: Document, read: ReadLine | None = None, width: int = 100) -> Iterator[str]:
    """Each thing that does something: its title and place, its words, and the lines they come from.

    Words that the package itself gives in place of made ones are marked with a star.
    """
    cards = Cards(document)
    for thing in document.content.things:
        lines = cards.lines(thing.id)
        if not lines:
            continue
        yield f"{thing.title or words(thing.id)} ({words(thing.kind)}{_place(document, thing)})"
        for line in lines:
            mark = OWN_WORDS if line.override else ""
            yield from wrap(f"{line}{mark}", width, initial_indent="    ", subsequent_indent="      ")
        if read is not None:
            yield from (f"  | {line}" for line in _source(document, thing, read))
        yield ""


def own_words(document: Document, package: str) -> Iterator[str]:
    """The words that a package gives its own things in place of made ones, a line each: place, title, words."""
    cards = Cards(document)
    for thing in document.content.things:
        place = _place(document, thing).removeprefix(", ")
        if place.startswith(f"{package}/"):
            title = thing.title or words(thing.id)
            yield from (f"{place}: {title}: {line}" for line in cards.lines(thing.id) if line.override)


def _place(document: Document, thing: ThingDeclaration) -> str:
    if thing.at is None:
        return ""
    file, line = document.sources.spots[thing.at][:2]
    return f", {document.sources.files[file]}:{line}"


def _source(document: Document, thing: ThingDeclaration, read: ReadLine) -> list[str]:
    spots = {at for node in walk(thing) if isinstance(at := getattr(node, "at", None), int)}
    spots.discard(thing.at if thing.at is not None else -1)
    places = sorted({tuple(document.sources.spots[at][:2]) for at in spots})
    text = "\n".join(read(document.sources.files[file], line) for file, line in places)
    return [line.rstrip() for line in dedent(text).splitlines() if line.strip()]
