"""Keeps programs in the user's cache folder.

What is kept is machine code and pickled objects, so that it is only read where nobody else could have written it: the
file and every folder above it must belong to the user (or the system) and be writable by nobody else. Where that cannot be
told, as on Windows, nothing is kept. A file ends with the digest of what stands before it: so the system can map machine
code as it lies there. Whatever is wrong with it, the program is made anew; the cache is never needed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

import platformdirs

from talewright.schemas.records import record

_DIGEST: Final = 32
_MOST_BYTES: Final = 1 << 29


def key(*parts: bytes) -> str:
    """The name under which something made from these parts is kept."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "little"))
        whole.update(part)
    return whole.hexdigest()


@record(frozen=True)
class Cache:
    """A folder of compiled programs."""

    folder: Path
    most: int = _MOST_BYTES
    """How many bytes are kept; what was used longest ago goes first."""

    def path(self, name: str) -> Path:
        """The file of what is kept under a name."""
        return self.folder / name

    def read(self, name: str) -> memoryview | None:
        """What was kept under a name, if it can be trusted."""
        path = self.path(name)
        if not _trusted_folder(self.folder):
            return None
        try:
            found = path.lstat()
            if not stat.S_ISREG(found.st_mode) or not _only_ours(found, [os.geteuid()]):
                return None
            with path.open("rb") as file:
                whole = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        except (OSError, ValueError):
            # An empty file cannot be mapped.
            return None
        content, digest = whole[:-_DIGEST], whole[-_DIGEST:]
        if hashlib.sha256(content).digest() != digest:
            return None
        with suppress(OSError):
            os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Keeps something, if the folder is private; that it cannot be kept is no error."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _trusted_folder(self.folder):
                return
            # A file of `mkstemp` is the user's alone; the name is given to it when it is whole.
            descriptor, temporary = tempfile.mkstemp(dir=self.folder, prefix=".")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                    file.write(hashlib.sha256(content).digest())
                os.replace(temporary, self.path(name))
            except OSError:
                os.unlink(temporary)
                raise
            self._prune()

    def _prune(self) -> None:
        """Drops what was used longest ago."""
        files = [path for path in self.folder.iterdir() if path.is_file()]
        room = self.most
        for found, path in sorted(
            ((path.stat(), path) for path in files), key=lambda pair: -pair[0].st_mtime
        ):
            room -= found.st_size
            if room < 0:
                path.unlink()


def default_cache() -> Cache:
    """The cache of this user."""
    return Cache(platformdirs.user_cache_path("talewright", appauthor=False) / "programs")


def _only_ours(found: os.stat_result, owners: list[int]) -> bool:
    """Whether nobody but these owners can have written it."""
    return found.st_uid in owners and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _trusted_folder(folder: Path) -> bool:
    """Whether nobody else can put files into a folder, or another folder in its place."""
    if os.name != "posix":
        return False
    try:
        folder = folder.resolve(strict=True)
        if not _only_ours(folder.stat(), [os.geteuid()]):
            return False
        for above in folder.parents:
            found = above.stat()
            # In a folder with the sticky bit, as /tmp, nobody can replace what belongs to another.
            if not _only_ours(found, [0, os.geteuid()]) and not (
                found.st_uid == 0 and found.st_mode & stat.S_ISVTX
            ):
                return False
    except OSError:
        return False
    return True
