"""How a declaration reads: a text with holes for its parameters, read as data and never run.

`{who}` is a hole. `{n card|cards}` is a hole with the word that goes with it: the first form for one, the
second for several, and for "you". `[ from {deck}]` is a part that is left out when a hole in it has nothing to show.
A backslash takes the next sign as it is. A noun may be written as `card|cards`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from talewright.schemas.records import record

MOST_SIGNS = 2_000
MOST_NOUN = 120
_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")


@record(frozen=True)
class Hole:
    """A parameter by name, and perhaps the word that agrees with it: for one, and for several or for "you"."""

    name: str
    one: str = ""
    many: str = ""


@record(frozen=True)
class OptionalPart:
    """Pieces that are left out together."""

    pieces: tuple[str | Hole, ...]


Piece = str | Hole | OptionalPart


class WordingError(ValueError):
    """What is wrong with a wording, and at which sign."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def spaced(name: str) -> str:
    """The name of a kind as words: `great hall` of `GreatHall`."""
    return "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


@lru_cache(maxsize=4096)
def read_wording(text: str) -> tuple[Piece, ...]:
    """The pieces of a wording; raises `WordingError` where it cannot be read."""
    if len(text) > MOST_SIGNS:
        raise WordingError(f"a wording has at most {MOST_SIGNS} signs", 0)
    outer: list[Piece] = []
    inner: list[str | Hole] | None = None
    opened = at = 0
    while at < len(text):
        sign = text[at]
        into: list[Piece] | list[str | Hole] = outer if inner is None else inner
        if sign == "\\" and at + 1 < len(text):
            into.append(text[at + 1])
            at += 2
        elif sign == "{":
            end = text.find("}", at)
            if end < 0:
                raise WordingError("the hole is not closed", at)
            into.append(_hole(text[at + 1 : end], at))
            at = end + 1
        elif sign == "}":
            raise WordingError("there is no hole to close", at)
        elif sign == "[":
            if inner is not None:
                raise WordingError("an optional part cannot hold another", at)
            inner, opened = [], at
            at += 1
        elif sign == "]":
            if inner is None:
                raise WordingError("there is no optional part to close", at)
            outer.append(OptionalPart(tuple(inner)))
            inner = None
            at += 1
        else:
            end = next((i for i in range(at, len(text)) if text[i] in "\\{}[]"), len(text))
            into.append(text[at:end])
            at = end
    if inner is not None:
        raise WordingError("the optional part is not closed", opened)
    return tuple(outer)


def _hole(text: str, at: int) -> Hole:
    name, _, forms = text.strip().partition(" ")
    one, bar, many = forms.strip().partition("|")
    if not _NAME.match(name):
        raise WordingError("a hole begins with the name of a parameter", at)
    if forms and (not bar or "|" in many):
        raise WordingError("the word of a hole has two forms, as in `{n card|cards}`", at)
    return Hole(name, one.strip(), many.strip())


def holes(pieces: tuple[Piece, ...]) -> Iterator[Hole]:
    """All holes, in order."""
    for piece in pieces:
        if isinstance(piece, Hole):
            yield piece
        elif isinstance(piece, OptionalPart):
            yield from holes(piece.pieces)


def noun_forms(text: str) -> tuple[str, str]:
    """A noun for one and for several: `die|dice`; without a second form, an `s` is added."""
    one, bar, many = text.partition("|")
    return one.strip(), many.strip() if bar else plural(one.strip())


def noun_text(reads: str) -> str:
    """What a package calls something, without line breaks and not without end: it stands in the middle of lines."""
    plain = " ".join(reads[: 4 * MOST_NOUN].split())
    return plain if len(plain) <= MOST_NOUN else f"{plain[:MOST_NOUN]}..."


def plural(noun: str) -> str:
    """The regular plural of an English noun; of `elixir of Nus`, of its first part."""
    head, of, tail = noun.partition(" of ")
    if of and head.lower() == "one":
        return tail  # `one of the Drowned`, `the Drowned`
    if of:
        return f"{plural(head)} of {tail}"
    if noun.endswith("ses"):
        return noun
    if noun.lower().split()[-1:] == ["die"]:
        return f"{noun[:-3]}dice"
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"
