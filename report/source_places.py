"""Where something stands in the text of a package."""

from __future__ import annotations

from talewright.runtime.lower.program import Program
from talewright.schemas.nodes.document import place


def place_text(program: Program, at: int) -> str:
    """A spot as ` (file:line)`, or nothing."""
    file, line = place(program.document.sources, at)
    return f" ({file}:{line})" if file else ""
