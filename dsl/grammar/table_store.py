"""Parser tables and the like on disk: plain data in the user's own cache folder, ignored when anything is odd."""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from talewright.dsl.hashing import blake2b

GRAMMAR = Path(__file__).with_name("tale.lark")
_MAGIC = b"talewright tables 2\n"
_DIGEST = 32
_MAX_BYTES = 16 * 1024 * 1024


def folder() -> Path | None:
    """The user's cache folder for this program; none when the user has no home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if named and os.path.isabs(named):
        return Path(named) / "talewright"
    try:
        return Path.home() / ".cache" / "talewright"
    except RuntimeError:
        return None


@cache
def grammar_key() -> str:
    """Names the grammar and the very Lark that reads it, without loading Lark."""
    found = find_spec("lark")
    assert found is not None
    assert found.origin is not None
    # That file holds the version.
    return f"{Path(found.origin).read_text(encoding='utf-8')}\n{GRAMMAR.read_text(encoding='utf-8')}"


def _path(key: str) -> Path | None:
    place = folder()
    if place is None:
        return None
    version = ".".join(map(str, sys.version_info[:3]))
    digest = blake2b(f"{sys.implementation.name} {version}\n{key}".encode(), digest_size=16).hexdigest()
    return place / f"grammar-{digest}.tables"


def is_ours(status: os.stat_result) -> bool:
    """Whether only this user can have written it."""
    # Where the system knows no owners, the folder in the user's home has to do.
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def load(key: str) -> Any:
    """What was saved under a key, or none: missing, broken, too large, or not written by this user."""
    path = _path(key)
    if path is None:
        return None
    try:
        if not is_ours(path.parent.stat()):
            return None
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or not is_ours(status) or status.st_size > _MAX_BYTES:
                return None
            content = stream.read(_MAX_BYTES)
    except OSError:
        return None
    head = len(_MAGIC) + _DIGEST
    if (
        not content.startswith(_MAGIC)
        or blake2b(content[head:], digest_size=_DIGEST).digest() != content[len(_MAGIC) : head]
    ):
        return None
    try:
        return marshal.loads(content[head:])
    except Exception:  # noqa: BLE001 - damaged data may raise anything
        return None


def save(key: str, value: Any) -> None:
    """Keeps plain data under a key for the next start; a folder that cannot be written is left alone."""
    path = _path(key)
    if path is None:
        return
    # The tables are a convenience: a full or read-only disk must not stop anybody's work.
    with suppress(OSError, ValueError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(path.parent.stat()):
            return
        payload = marshal.dumps(value)
        write_whole(path, _MAGIC + blake2b(payload, digest_size=_DIGEST).digest() + payload)


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file of this user alone, so that others see it whole or not at all."""
    # The standard module for temporary files takes longer to load than all that is written.
    partial = path.with_name(f".{path.name}-{os.getpid()}-{time.monotonic_ns()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(partial, flags, 0o600), "wb") as stream:
        try:
            stream.write(content)
            stream.flush()
            os.replace(partial, path)
        except OSError:
            os.unlink(partial)
            raise
