"""Where something stands in the text of a package."""

from __future__ import annotations

from talewright.runtime.lower.program import Program


def place_in_text(program: Program, at: int) -> tuple[str, int]:
    """The file and line of a spot; an empty name when it is not known."""
    sources = program.document.sources
    if not 0 <= at < len(sources.spots):
        return "", 0
    file, line = sources.spots[at][:2]
    return sources.files[file], line


def place_text(program: Program, at: int) -> str:
    """A spot as ` (file:line)`, or nothing."""
    file, line = place_in_text(program, at)
    return f" ({file}:{line})" if file else ""
