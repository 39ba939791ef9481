"""What can go wrong while a document is loaded or played."""

from __future__ import annotations

from talewright.schemas.records import record

# What Python says where the memory of a game holds a value that has no place there.
MISPLACED = (TypeError, IndexError, KeyError, ValueError, AttributeError, RuntimeError)


class LoadError(Exception):
    """The document, its options or its seats cannot be played, and why."""


def misfit(what: str) -> LoadError:
    """What is said of a document whose parts do not fit together, although each has the right shape."""
    return LoadError(
        f"{what}, so the document does not fit together: compile the package again; "
        "if the same is said then, it is a defect of the toolkit"
    )


@record
class Frame:
    """One step of the way to a fault: what was running, and where it stands in the text."""

    what: str
    file: str
    line: int


class Fault(Exception):
    """An error of play, by its number in the language reference (R1 to R18)."""

    def __init__(self, code: str, message: str, frames: list[Frame] | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.frames = frames or []
