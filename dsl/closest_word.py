"""Finds the known word that is closest to a misspelt one. The library is imported only when it is needed."""

from __future__ import annotations

from collections.abc import Iterable


def alike(wrong: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known word closest to a wrong one; empty if none is close."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(wrong, list(known), 1, cutoff)), "")
