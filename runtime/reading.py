"""Reading files that anybody may have written: never more than a limit, and no error without a reason."""

from __future__ import annotations

from collections.abc import Callable
from errno import EINVAL
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")


def read_file(
    path: Path, most: int, what: str, read: Callable[[bytes], Made], error: type[Exception]
) -> Made:
    """What a file holds, read by `read`; every refusal is an `error` that names the file."""
    try:
        if path.stat().st_size > most:
            raise error(f"{path}: the file is too large for a {what}")
        if path.exists() and not path.is_file():
            raise OSError(EINVAL, "it is no ordinary file")
        data = path.read_bytes()
    except OSError as problem:
        raise error(f"cannot read {path}: {(problem.strerror or 'it fails').lower()}") from None
    try:
        return read(data)
    except error as refused:
        raise error(f"{path}: {refused}") from None
