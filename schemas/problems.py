"""Problems of a document, as plain values; the caller shows them."""

from __future__ import annotations

from talewright.schemas.records import record

Path = tuple[str | int, ...]

# Code to readable name. Codes never change their meaning.
NAMES: dict[str, str] = {
    "D801": "document-not-json",
    "D802": "not-a-document",
    "D803": "unknown-document-version",
    "D804": "document-too-large",
    "D805": "document-wrong-shape",
    "D806": "document-unknown-id",
    "D807": "document-wrong-local",
    "D808": "document-wrong-place",
    "D809": "document-wrong-arguments",
    "D810": "document-declared-twice",
    "D811": "document-value-does-not-fit",
    "D812": "document-out-of-place",
    "D813": "older-document",
}


@record(frozen=True)
class Problem:
    """One thing wrong with a document; `offset` is a place in the bytes when there is no path to it."""

    code: str
    path: Path
    message: str
    help: str = ""
    offset: int | None = None

    @property
    def harmless(self) -> bool:
        """Whether the document can be used all the same."""
        return self.code == "D813"

    def __str__(self) -> str:
        place = shown(self.path)
        return f"{self.code} {place}: {self.message}" if place else f"{self.code} {self.message}"


def shown(path: Path) -> str:
    """A path as people write it: `content.things[3].title`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
