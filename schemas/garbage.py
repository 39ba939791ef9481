"""Switches the garbage collector off while something large is built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Switches the garbage collector off for a block: nearly everything that is built there is kept."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def built_to_stay() -> Iterator[None]:
    """The same for what lives long: it counts as old at once, so that the next collections do not look it through."""
    with no_collection():
        try:
            yield
        finally:
            # What somebody froze would thaw.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
