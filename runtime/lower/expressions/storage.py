"""Blocks that stay: how lists, texts, maps and traits are kept in cells of the state."""

from __future__ import annotations

from talewright.runtime.ir.build import call
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.kernel.storage.heap import (
    SHAPE_BITS,
    SHAPE_FLAT,
    SHAPE_LIST,
    SHAPE_MAP,
    SHAPE_TEXT,
    SHAPE_TRAIT,
)
from talewright.runtime.lower.code import Code
from talewright.runtime.model.types import is_block, item_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.types import Type


def shape_of(type_: Type) -> int:
    """Which items of a block of a type are themselves addresses of blocks."""
    inner = plain(type_)
    match inner.tag:
        case "text":
            return SHAPE_TEXT
        case "trait":
            return SHAPE_TRAIT
        case "list" | "set":
            item = item_of(inner)
            return SHAPE_LIST | shape_of(item) << SHAPE_BITS if _is_kept_block(item) else SHAPE_FLAT
        case "map":
            held = inner.args[1]
            if isinstance(held, Type) and _is_kept_block(held):
                return SHAPE_MAP | shape_of(held) << SHAPE_BITS
    return SHAPE_FLAT


def _is_kept_block(type_: Type) -> bool:
    """Whether a value of a type is a block; behaviour may be a number of the table instead."""
    return is_block(type_) and plain(type_).tag != "effect"


def keep_block(code: Code, at: Expression, made: Expression, type_: Type) -> None:
    """Puts a copy of a block, with all that it holds, into a cell of the state."""
    code.do("store_blocks", at, made, shape_of(type_))


def drop_blocks(code: Code, first: Expression, count: Expression, type_: Type) -> None:
    """Gives back the blocks that some cells held."""
    code.do("drop_blocks", first, count, shape_of(type_))


def same_block(left: Expression, right: Expression, type_: Type) -> Expression:
    """Whether two blocks of a type hold the same."""
    return call("same_blocks", left, right, shape_of(type_))
