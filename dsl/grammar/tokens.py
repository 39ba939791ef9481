"""The words and signs of a text, as light as they can be."""

from __future__ import annotations


class Token(str):
    """A stretch of text with its sort and place; read like the tokens of Lark."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int

    @classmethod
    def new_borrow_pos(cls, type_: str, value: str, borrowed: Token) -> Token:
        """A token at the place of another."""
        made = cls(value)
        made.type = type_
        made.start_pos = borrowed.start_pos
        made.end_pos = borrowed.end_pos
        return made
