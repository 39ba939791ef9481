"""Saved games: what was decided, so that the same game can be played again and checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

FORMAT = "talewright save"
VERSION = 1
MAX_BYTES = 64 * 1024 * 1024


class SaveError(Exception):
    """A save cannot be used, and why."""


@dataclass(slots=True)
class Save:
    """A game so far: the document it belongs to, its start, and every decision by option id."""

    document: str
    package: str
    seed: int
    options: dict[str, Any]
    players: int | None
    chapter: str | None = None
    decisions: list[tuple[str, str]] = field(default_factory=list)
    outcome: str | None = None
    note: str = ""


def document_hash(document: dict[str, Any]) -> str:
    """What tells one document from another, whatever wrote it."""
    return sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).hexdigest()


def write_save(save: Save) -> bytes:
    """A save as bytes, with a checksum over its content."""
    content = {
        "document": save.document,
        "package": save.package,
        "seed": save.seed,
        "options": save.options,
        "players": save.players,
        "chapter": save.chapter,
        "decisions": [list(d) for d in save.decisions],
        "outcome": save.outcome,
        "note": save.note,
    }
    whole = {"format": FORMAT, "version": VERSION, **content, "checksum": _checksum(content)}
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _checksum(content: dict[str, Any]) -> str:
    return sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def read_save(data: bytes) -> Save:
    """A save from bytes; cut short, altered or foreign ones are refused with the reason."""
    if len(data) > MAX_BYTES:
        raise SaveError("the file is too large for a save")
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise SaveError(f"the file is cut short or no JSON: {error}") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise SaveError("the file is not a save of this toolkit")
    if whole.get("version") != VERSION:
        raise SaveError(f"the save has version {whole.get('version')}; this toolkit reads version {VERSION}")
    content = {k: v for k, v in whole.items() if k not in ("format", "version", "checksum")}
    if whole.get("checksum") != _checksum(content):
        raise SaveError("the save was altered: its checksum does not fit its content")
    try:
        return Save(
            str(content["document"]),
            str(content["package"]),
            int(content["seed"]),
            dict(content["options"]),
            content["players"] if content["players"] is None else int(content["players"]),
            content["chapter"],
            [(str(a), str(b)) for a, b in content["decisions"]],
            content.get("outcome"),
            str(content.get("note", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SaveError(f"the save lacks something: {error}") from None


def load_file(path: Path) -> Save:
    """A save from a file."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise SaveError(f"cannot read {path}: {(problem.strerror or 'it fails').lower()}") from None
    return read_save(data)
