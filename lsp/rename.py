"""Renaming: every use of a name gets the new one, if the package then still says the same."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from talewright.compiler.types.lookups import name_span
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.grammar.reserved_words import CORE_NAMES, RESERVED
from talewright.lsp.meaning import Meaning, uses_of
from talewright.lsp.project import Project

Places = dict[str, list[tuple[int, int]]]


class RefusedError(Exception):
    """The name cannot be changed so; the text says why."""


def places_of(meaning: Meaning, path: str, projects: Iterable[Project], texts: Mapping[str, str]) -> Places:
    """Every place of a name, its declarations included, by real path."""
    found: dict[str, set[tuple[int, int]]] = {}
    for project in projects:
        work = project.work
        if work is None:
            continue
        for file, source in project.sources().items():
            if not file.endswith(".tale") or (meaning.local is not None and file != path):
                continue
            text = texts.get(file, source.text)
            if meaning.word.text in text:
                for word in uses_of(meaning, text, source.name, work):
                    found.setdefault(file, set()).add((word.start, word.end))
    for symbol in meaning.symbols:
        if symbol.origin.package != "core":
            start, end = name_span(symbol)
            if symbol.origin.source.text[start:end] == meaning.word.text:
                found.setdefault(os.path.realpath(symbol.origin.source.name), set()).add((start, end))
    return {file: sorted(places) for file, places in found.items()}


def check_new_name(old: str, new: str) -> None:
    """Refuses what can be no name, or a name of another sort."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Z]", new):
        raise RefusedError(f"`{new}` is no name: letters, digits and `_` make one")
    if new in RESERVED or new in CORE_NAMES:
        raise RefusedError(f"`{new}` is a word of the language")
    if new[0].isupper() != old[0].isupper() and not (old[0].isdigit() or new[0].isdigit()):
        first = "a capital" if old[0].isupper() else "a small letter"
        raise RefusedError(f"`{old}` begins with {first}, and so must its new name")


def renamed(texts: Mapping[str, str], places: Places, new: str) -> dict[str, str]:
    """The texts with the new name."""
    made: dict[str, str] = {}
    for file, spots in places.items():
        text = texts[file]
        for start, end in reversed(spots):
            text = text[:start] + new + text[end:]
        made[file] = text
    return made


def check_result(project: Project, unsaved: Mapping[str, str], changed: Mapping[str, str]) -> None:
    """Compiles what would come out, and refuses it when something new is wrong with it."""
    before = Counter(_sort(found) for found in project.compiled(unsaved).diagnostics)
    after = project.compiled({**unsaved, **changed}).diagnostics
    for found in after:
        before[_sort(found)] -= 1
        if before[_sort(found)] < 0:
            where = f"{os.path.basename(found.span.file)}:{found.span.line}"
            raise RefusedError(f"with that name, {where} says: {found.message} ({found.code})")


def _sort(found: Diagnostic) -> tuple[str, str, int]:
    return found.code, found.span.file, found.span.line
