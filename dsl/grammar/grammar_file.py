"""The grammar as a file, and a name for it together with the Lark that reads it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

GRAMMAR = Path(__file__).with_name("tale.lark")


@cache
def grammar_key() -> str:
    """Names the grammar and the very Lark that reads it, without loading Lark."""
    found = find_spec("lark")
    assert found is not None
    assert found.origin is not None
    # That file holds the version.
    return f"{Path(found.origin).read_text(encoding='utf-8')}\n{GRAMMAR.read_text(encoding='utf-8')}"
