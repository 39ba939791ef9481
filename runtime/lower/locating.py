"""Errors while a document is lowered, said with the file and line that was being lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from talewright.runtime.faults import LoadError
from talewright.schemas.nodes.document import Sources

# What goes wrong where the engine is not finished, or has a defect.
INTERNAL = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)


class LocatedError(LoadError):
    """A document that cannot be played, with the place."""


@contextmanager
def located(sources: Sources, spot: Callable[[], int]) -> Iterator[None]:
    """Whatever goes wrong inside is said to be at a spot, which is asked for then."""
    try:
        yield
    except LocatedError:
        raise
    except LoadError as error:
        raise LocatedError(f"{_place(sources, spot())}{error}") from error
    except INTERNAL as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise LocatedError(f"{_place(sources, spot())}the engine cannot play this ({what})") from error


def _place(sources: Sources, spot: int) -> str:
    """The file and line of a spot; nothing if it is not known."""
    if not 0 < spot < len(sources.spots):
        return ""
    file, line, *_ = sources.spots[spot]
    return f"{sources.files[file]}:{line}: "
