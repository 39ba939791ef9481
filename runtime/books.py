"""The fixed parts of every program, as text and as Python runs them in the name space of a game."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import CodeType

# In this order: each uses the names of those before it.
ALWAYS = (
    "bookspace", "setbook", "thingbook", "deckbook", "trackbook", "callbook", "rulebook", "dicebook", "effectbook",
    "askbook", "menubook", "storybook",
)  # fmt: skip
# What only some documents need.
SOMETIMES = ("boardbook", "gridbook", "paybook", "orderbook", "makebook")

EVERY = frozenset((*ALWAYS, *SOMETIMES))


@cache
def text_of(name: str) -> str:
    """A fixed part as it is written."""
    return Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")


@cache
def book(name: str) -> CodeType:
    """That part as Python runs it."""
    return compile(text_of(name), f"<{name}>", "exec", dont_inherit=True)
