"""Reading files that anybody may have written: never more than a limit, and no error without a reason."""

from __future__ import annotations

from collections.abc import Callable
from errno import EINVAL
from pathlib import Path
from typing import Any, TypeVar

import orjson

from talewright.schemas.refusals import refusal

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


def read_json(data: bytes, what: str, version: int, error: type[Exception], *others: str) -> dict[str, Any]:
    """The object that a file of the toolkit holds, if it fits the schema of its name, which may refer to others."""
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError as problem:
        if data.lstrip()[:1] == b"{" and format_name(what).encode() in data[:200]:
            raise error(f"the {what} is cut short or damaged: it is not whole JSON") from None
        raise error(f"the file is not a {what}: it is not whole JSON ({problem})") from None
    if not isinstance(whole, dict) or whole.get("format") != format_name(what):
        raise error(f"the file is not a {what} of this toolkit")
    if whole.get("version") != version:
        found = whole.get("version")
        raise error(f"the {what} has format version {found}; this toolkit reads version {version}")
    reason = refusal(whole, what, *others)
    if reason:
        raise error(f"the {what} is damaged: {reason}")
    return whole


def format_name(what: str) -> str:
    """What a file of the toolkit calls its format."""
    return f"talewright {what}"
