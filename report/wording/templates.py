"""Fills the holes of a wording with phrases. A wording is data: it names parameters and can reach nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable

from talewright.report.wording.phrases import Clause, Phrase, begins_with_vowel
from talewright.schemas.wording import Hole, OptionalPart, Piece, WordingError, read_wording

# Of several things some are meant: `the closest of the rats`.
_PART_OF = re.compile(r"(?:est|first|last|one|any|\d) of $")
_DEFINITE = re.compile(r"(?:the|your|its|their|those|these|them)\b|.*'s ", re.IGNORECASE)
# The phrase for a parameter; none when the call leaves it out.
Fill = Callable[[str], Phrase | None]


def pieces_of(reads: str) -> tuple[Piece, ...]:
    """The pieces of a wording; one that cannot be read stands for itself."""
    try:
        return read_wording(reads)
    except WordingError:
        return (reads[:200],)


def needed(reads: str) -> set[str]:
    """The parameters that a wording always shows: those outside its optional parts."""
    return {piece.name for piece in pieces_of(reads) if isinstance(piece, Hole)}


def two_forms(reads: str) -> tuple[str, str] | None:
    """A noun that is written for one and for several; none where there is no bar outside its holes."""
    depth = 0
    for index, sign in enumerate(reads):
        depth += (sign in "{[") - (sign in "}]")
        if sign == "|" and depth == 0:
            return reads[:index].strip(), reads[index + 1 :].strip()
    return None


def filled(pieces: tuple[Piece, ...], fill: Fill) -> str:
    """The wording with its holes filled; an optional part with an empty hole is left out."""
    text = ""
    before: Phrase | None = None
    for piece in pieces:
        if isinstance(piece, str):
            if piece.startswith("'s") and before is not None and text.endswith(before.text):
                text = text.removesuffix(before.text) + before.possessive
                piece = piece[2:]
            text += piece
            if piece.strip():
                before = None
        elif isinstance(piece, OptionalPart):
            part = _part(piece, fill)
            text += part
        else:
            phrase = fill(piece.name) or Phrase("")
            shown = _shown(piece, phrase, before)
            if phrase.person == "many" and _PART_OF.search(text):
                some = shown.removeprefix("all ")
                shown = f"the {some}" if some[:1].islower() and not _DEFINITE.match(some) else shown
            if text.endswith((" a ", "A ")) or text == "a ":
                text = f"{text[:-1]}n " if begins_with_vowel(shown) else text
            text += shown
            before = phrase
    return text


def _part(part: OptionalPart, fill: Fill) -> str:
    known: dict[str, Phrase] = {}
    for piece in part.pieces:
        if isinstance(piece, Hole):
            phrase = fill(piece.name)
            if phrase is None or not phrase.text or phrase.open:
                return ""
            known[piece.name] = phrase
    return filled(part.pieces, known.get)


def _shown(hole: Hole, phrase: Phrase, before: Phrase | None) -> str:
    if not hole.one:
        if phrase.noun is not None and before is not None and before.person == "number":
            return phrase.noun[0 if before.number == 1 else 1]
        return phrase.text
    word = hole.one if phrase.singular else hole.many
    if phrase.person == "number" and phrase.number is None:
        if phrase.text == "":
            return hole.many
        return f"{hole.many} equal to {phrase.text}"
    return f"{phrase.text} {word}".strip()


def clause(reads: str, fill: Fill) -> Clause:
    """A wording as a clause; a hole with a verb at its beginning is the subject."""
    pieces = pieces_of(reads)
    if pieces and isinstance(pieces[0], Hole) and pieces[0].one:
        first = pieces[0]
        subject = fill(first.name)
        rest = filled(pieces[1:], fill)
        if subject is None:
            return Clause(None, first.many, first.many, rest)
        if subject.person != "number":
            return Clause(subject, first.one, first.many, rest)
    text = filled(pieces, fill)
    return Clause(None, text, text)
