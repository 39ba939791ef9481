"""Saved games: what was decided, so that the same game can be played again and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import orjson

from talewright.runtime.reading import read_file
from talewright.schemas.records import field, record
from talewright.schemas.refusals import refusal

FORMAT = "talewright save"
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
    content = {
        "document": save.document,
        "package": save.package,
        "release": save.release,
        "seed": save.seed,
        "options": save.options,
        "players": save.players,
        "chapter": save.chapter,
        "decisions": [[d.id, d.answer, d.offered] for d in save.decisions],
        "people": save.people,
        "marks": [[number, mark] for number, mark in sorted(save.marks.items())],
        "outcome": save.outcome,
        "error": save.error,
    }
    if save.brought:
        content["brought"] = save.brought
    whole = {"format": FORMAT, "version": VERSION, **content, "checksum": _checksum(content)}
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _checksum(content: dict[str, Any]) -> str:
    return sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def read_save(data: bytes) -> Save:
    """A save from bytes; cut short, altered or foreign ones are refused with the reason."""
    if len(data) > MAX_BYTES:
        raise SaveError("the file is too large for a save")
    if not data.strip():
        raise SaveError("the file is empty")
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if data.lstrip()[:1] == b"{" and FORMAT.encode() in data[:200]:
            raise SaveError("the save is cut short or damaged: it is not whole JSON") from None
        raise SaveError(f"the file is not a save: it is not JSON ({error})") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise SaveError("the file is not a save of this toolkit")
    if whole.get("version") != VERSION:
        raise SaveError(
            f"the save has format version {whole.get('version')}; this toolkit reads version {VERSION}"
        )
    reason = refusal(whole, "save", "campaign")
    if reason:
        raise SaveError(f"the save is damaged: {reason}")
    content = {k: v for k, v in whole.items() if k not in ("format", "version", "checksum")}
    if whole["checksum"] != _checksum(content):
        raise SaveError("the save was altered: its checksum does not fit its content")
    return Save(
        document=content["document"],
        package=content["package"],
        release=content["release"],
        seed=content["seed"],
        options=content["options"],
        players=content["players"],
        chapter=content["chapter"],
        decisions=[Taken(*d) for d in content["decisions"]],
        people=content["people"],
        marks=dict(content["marks"]),
        outcome=content["outcome"],
        error=content["error"],
        brought=content.get("brought", {}),
    )


def load_file(path: Path) -> Save:
    """A save from a file."""
    return read_file(path, MAX_BYTES, "save", read_save, SaveError)
