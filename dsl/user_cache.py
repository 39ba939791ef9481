"""The user's own cache folder: where it is, and which files in it can be trusted."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import platformdirs


def folder() -> Path | None:
    """The user's cache folder for this program; none when the user has no home."""
    found = platformdirs.user_cache_path("talewright", appauthor=False)
    return found if found.is_absolute() else None


def is_ours(status: os.stat_result) -> bool:
    """Whether only this user can have written it."""
    # Where the system knows no owners, the folder in the user's home has to do.
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def own_file(name: str) -> Path | None:
    """The path of a file in the cache folder; none where somebody else could have written it."""
    place = folder()
    if place is None:
        return None
    path = place / name
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(place.stat()):
            return None
        status = path.lstat()
    except FileNotFoundError:
        return path
    except OSError:
        return None
    return path if stat.S_ISREG(status.st_mode) and is_ours(status) else None


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
