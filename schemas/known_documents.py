"""The documents that this process made or checked last: whoever needs their nodes again need neither read nor check them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from talewright.schemas.nodes.document import Document

_MOST: Final = 2
_known: Final[dict[bytes, Document]] = {}


def document_digest(document: Mapping[str, Any]) -> bytes:
    """Names a document by all that it holds; empty for what is no document."""
    try:
        return sha256(orjson.dumps(document)).digest()
    except orjson.JSONEncodeError:
        return b""


def remember(digest: bytes, nodes: Document) -> None:
    """Keeps the nodes of a document in which nothing is wrong."""
    if digest:
        _known[digest] = nodes
        while len(_known) > _MOST:
            del _known[next(iter(_known))]


def recall(digest: bytes) -> Document | None:
    """The nodes of a document in which nothing is wrong, if it was among the last ones."""
    return _known.get(digest)
