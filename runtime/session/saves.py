"""Saved games: what was decided, so that the same game can be played again and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import orjson

from talewright.runtime.reading import format_name, read_file, read_json
from talewright.schemas.records import field, record

VERSION = 1
MAX_BYTES = 64 * 1024 * 1024
SPOT = re.compile(rb'"at":\d+,?')


class SaveError(Exception):
    """A save cannot be used, and why."""


@record(frozen=True)
class Taken:
    """One decision: its id, the id of the option taken, and a mark of all that was offered."""

    id: str
    answer: str
    offered: str


@record
class Save:
    """A game so far: the document it belongs to, its start, and every decision by option id."""

    document: str
    package: str
    release: str
    seed: int
    options: dict[str, Any]
    players: int | None
    chapter: str | None = None
    decisions: list[Taken] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    marks: dict[int, str] = field(default_factory=dict)
    outcome: str | None = None
    error: str | None = None
    brought: dict[str, Any] = field(default_factory=dict)


def document_hash(document: dict[str, Any]) -> str:
    """What tells documents apart that may play differently: no tests, no positions in files, nothing that follows
    from the rest."""
    content = {name: part for name, part in document["content"].items() if name != "tests"}
    # Within a text the quotes around `at` would be escaped; so only the number of a spot can match.
    rules = SPOT.sub(b"", orjson.dumps(content, option=orjson.OPT_SORT_KEYS))
    return sha256(rules).hexdigest()


def offered_mark(names: Sequence[str]) -> str:
    """A short mark of the options of a decision, in their order."""
    return blake2b("\n".join(names).encode("utf-8", "replace"), digest_size=4).hexdigest()


def write_save(save: Save) -> bytes:
    """A save as bytes, with a checksum over its content."""
    content: dict[str, Any] = {name: getattr(save, name) for name in Save.__match_args__}
    content["decisions"] = [[taken.id, taken.answer, taken.offered] for taken in save.decisions]
    content["marks"] = sorted(save.marks.items())
    if not save.brought:
        del content["brought"]
    whole = {"format": format_name("save"), "version": VERSION, **content, "checksum": _checksum(content)}
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _checksum(content: dict[str, Any]) -> str:
    return sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def read_save(data: bytes) -> Save:
    """A save from bytes; cut short, altered or foreign ones are refused with the reason."""
    if len(data) > MAX_BYTES:
        raise SaveError("the file is too large for a save")
    whole = read_json(data, "save", VERSION, SaveError, "campaign")
    content = {k: v for k, v in whole.items() if k not in ("format", "version", "checksum")}
    if whole["checksum"] != _checksum(content):
        raise SaveError("the save was altered: its checksum does not fit its content")
    decisions = [Taken(*decision) for decision in content["decisions"]]
    return Save(**{**content, "decisions": decisions, "marks": dict(content["marks"])})


def load_file(path: Path) -> Save:
    """A save from a file."""
    return read_file(path, MAX_BYTES, "save", read_save, SaveError)
