"""Errors while a document is lowered, said with the file and line that was being lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.ir.nodes import Function
from talewright.runtime.model.world import Thing
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.document import Sources, place, spot_of

# What goes wrong where a part of the document is not what others take it for, or the engine has a defect.
INTERNAL = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
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
        raise LocatedError(f"{_place(sources, _somewhere(spot(), error))}{error}") from error
    except RecursionError as error:
        raise LocatedError("the package nests its expressions too deeply to be played") from error
    except INTERNAL as error:
        where = _place(sources, _somewhere(spot(), error))
        raise LocatedError(f"{where}{misfit('something here cannot be played')}") from error


def _somewhere(spot: int, error: Exception) -> int:
    """A spot; if it is not known, that of the innermost node or function that somebody was looking at."""
    if spot != NOWHERE:
        return spot
    trace = error.__traceback__
    while trace is not None:
        for held in trace.tb_frame.f_locals.values():
            node = held.declaration if isinstance(held, Thing) else held
            if isinstance(node, Node):
                spot = spot_of(node, spot)
            elif isinstance(node, Function) and node.spot != NOWHERE:
                spot = node.spot
        trace = trace.tb_next
    return spot


def _place(sources: Sources, spot: int) -> str:
    """The file and line of a spot; nothing if it is not known."""
    file, line = place(sources, spot)
    return f"{file}:{line}: " if file else ""
