"""Turns of phrase that several messages share."""

from __future__ import annotations

from collections.abc import Sequence


def takes(what: str, wanted: int | str, given: int) -> str:
    """How many arguments something takes, and how many it was given."""
    arguments = "argument" if wanted == 1 else "arguments"
    are = "are" if given > 1 else "is"
    return f"{what} takes {wanted or 'no'} {arguments}, but {given or 'none'} {are} given"


def listed(head: str, names: Sequence[str]) -> str:
    """A heading and names in back-ticks, or nothing when there are no names."""
    return f"{head} {', '.join(f'`{name}`' for name in names)}" if names else ""


# What a part of a core verb is called when its use is shown.
PARTS = {
    "any": "something",
    "cells": "cells",
    "dice": "dice",
    "edges": "ways_on",
    "int": "n",
    "into": "place",
    "joint": "joint",
    "lines": "lines",
    "list": "list",
    "mark": "mark",
    "payment": "payment",
    "pile": "pile",
    "place": "place",
    "role": "player",
    "source": "pile",
    "spot": "spot",
    "symbols": "cost",
    "text": "text",
    "thing": "thing",
    "things": "things",
    "word": "purpose",
}
