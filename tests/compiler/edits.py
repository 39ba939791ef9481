"""Random edits of texts: what fingers, merges and half-typed lines do to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_TOKEN = re.compile(r'"""|"[^"\n]*"|\w+|->|\.\.|[^\w\s]')


def edited(text: str, random: Random, times: int) -> str:
    """The text after so many edits."""
    for _ in range(times):
        text = random.choice(EDITS)(text, random)
    return text


def _delete_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[random.randrange(len(lines))]
    return "".join(lines)


def _duplicate_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
    return "".join(lines)


def _swap_lines(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        first = random.randrange(len(lines))
        second = random.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
    return "".join(lines)


def _shift_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = random.randrange(len(lines))
        lines[at] = "    " + lines[at] if random.random() < 0.5 else lines[at].removeprefix("    ")
    return "".join(lines)


def _truncate_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = random.randrange(len(lines))
        lines[at] = lines[at][: random.randrange(len(lines[at]))] + "\n"
    return "".join(lines)


def _truncate_text(text: str, random: Random) -> str:
    return text[: random.randrange(len(text) + 1)]


def _with_tokens(change: Callable[[str, list[tuple[int, int]], Random], str]) -> Callable[[str, Random], str]:
    def edit(text: str, random: Random) -> str:
        tokens = [found.span() for found in _TOKEN.finditer(text)]
        return change(text, tokens, random) if tokens else text

    return edit


def _delete_token(text: str, tokens: list[tuple[int, int]], random: Random) -> str:
    start, end = random.choice(tokens)
    return text[:start] + text[end:]


def _duplicate_token(text: str, tokens: list[tuple[int, int]], random: Random) -> str:
    start, end = random.choice(tokens)
    return f"{text[:end]} {text[start:end]}{text[end:]}"


def _swap_tokens(text: str, tokens: list[tuple[int, int]], random: Random) -> str:
    if len(tokens) < 2:
        return text
    at = random.randrange(len(tokens) - 1)
    (a, b), (c, d) = tokens[at], tokens[at + 1]
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _replace_token(text: str, tokens: list[tuple[int, int]], random: Random) -> str:
    start, end = random.choice(tokens)
    other_start, other_end = random.choice(tokens)
    return text[:start] + text[other_start:other_end] + text[end:]


def _truncate_token(text: str, tokens: list[tuple[int, int]], random: Random) -> str:
    start, end = random.choice(tokens)
    return text[: random.randrange(start, end)] + text[end:]


EDITS: tuple[Callable[[str, Random], str], ...] = (
    _delete_line,
    _duplicate_line,
    _swap_lines,
    _shift_line,
    _truncate_line,
    _truncate_text,
    _with_tokens(_delete_token),
    _with_tokens(_duplicate_token),
    _with_tokens(_swap_tokens),
    _with_tokens(_truncate_token),
    # A name in the place of another mostly parses, and so tries what comes after the parser.
    _with_tokens(_replace_token),
    _with_tokens(_replace_token),
    _with_tokens(_replace_token),
)
