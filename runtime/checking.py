"""Documents from elsewhere: refused with reasons, or safe to play."""

from __future__ import annotations

from typing import Any

from talewright.runtime.faults import LoadError
from talewright.schemas.loading import load
from talewright.schemas.problems import Problem

_SHOWN = 5


class RefusedDocumentError(LoadError):
    """A document that must not be played, with everything wrong with it."""

    def __init__(self, name: str, problems: tuple[Problem, ...]) -> None:
        shown = [str(problem) for problem in problems[:_SHOWN]]
        if len(problems) > _SHOWN:
            shown.append(f"and {len(problems) - _SHOWN} more")
        super().__init__("\n  ".join([f"{name} cannot be played:", *shown]))
        self.problems = problems


def checked_document(data: bytes, name: str = "the document") -> dict[str, Any]:
    """The document in some bytes, brought up to the present version; raises RefusedDocumentError."""
    loaded = load(data)
    if loaded.document is None:
        raise RefusedDocumentError(name, tuple(p for p in loaded.problems if not p.harmless))
    return loaded.document
