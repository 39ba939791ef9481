"""Prose between triple quotes: what it says, and where it stands on the page."""

from __future__ import annotations

TAB = "    "


def prose_text(raw: str) -> str:
    """What prose says, whatever the depth of the block that holds it."""
    first, *rest = _lines(raw)
    margin = _margin(rest)
    said = [first.lstrip(" \t"), *(line[margin:] for line in rest)]
    while said and not said[0]:
        del said[0]
    while said and not said[-1]:
        del said[-1]
    return "\n".join(said)


def rebased(raw: str, margin: int) -> str:
    """The same prose with its leftmost line, and a closing line of its own, at a margin."""
    first, *rest = _lines(raw)
    if not rest:
        return raw
    old = _margin(rest)
    moved = [" " * margin + line[old:] if line else "" for line in rest]
    if not rest[-1]:
        moved[-1] = " " * margin
    return "\n".join([first, *moved])


def _lines(raw: str) -> list[str]:
    """The lines of prose: blank ones empty, leading tabs as wide as in a block."""
    whole = raw.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(whole) == 1:
        return whole
    return [_spaced_out(line) for line in whole]


def _spaced_out(line: str) -> str:
    words = line.lstrip(" \t")
    if not words:
        return ""
    return line[: len(line) - len(words)].replace("\t", TAB) + words


def _margin(lines: list[str]) -> int:
    return min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
