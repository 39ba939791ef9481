"""What the builders of the syntax tree share: words, texts and numbers out of tokens, and where they stand."""

from __future__ import annotations

from typing import Any

from talewright.dsl.tree import nodes as t

# A token of Lark: a string with a type and a place.
Token = Any

Children = list[Any]


def start_of(child: Any) -> int:
    """Where a child of a reduction begins."""
    return int((child.start_pos or 0) if isinstance(child, str) else child.start)  # type: ignore[attr-defined]


def end_of(children: Children) -> int:
    """Where the last child of a reduction ends."""
    for child in reversed(children):
        if child is None:
            continue
        if isinstance(child, str):
            if type(child) is str:
                continue  # a word that another method has already taken out of its token
            return int(child.end_pos or 0)  # type: ignore[attr-defined]
        if isinstance(child, list):
            if child:
                return end_of(child)
            continue
        if isinstance(child, tuple):
            return end_of(list(child))
        if isinstance(child, t.Node):
            return child.end
    return 0


def word_at(token: Token) -> t.Word:
    """A token as a word."""
    return t.Word(token.start_pos or 0, token.end_pos or 0, str(token))


def string_at(token: Token | None) -> t.Text | None:
    """A token in quotes as a text."""
    if token is None:
        return None
    return t.Text(token.start_pos or 0, token.end_pos or 0, token[1:-1])


def prose_at(token: Token) -> t.Text:
    """A token in threefold quotes as a text."""
    return t.Text(token.start_pos or 0, token.end_pos or 0, token[3:-3], True)


def body_of(block: Any) -> list[t.Stmt]:
    """A block, or the one statement that stands for it."""
    return block if isinstance(block, list) else [block]


def number_of(item: Any) -> int:
    """A number, read already or still digits."""
    return item.value if isinstance(item, t.Number) else int(item)


def folded(op: str) -> str:
    """An operator of several words with single spaces."""
    return op if " " not in op and "\t" not in op else " ".join(op.split())


def whole_number(digits: str) -> int:
    """A number. From 19 digits on it is 10**18, which the compiler reports as too large; Python refuses very long ones."""
    return int(digits) if len(digits) < 19 else 10**18
