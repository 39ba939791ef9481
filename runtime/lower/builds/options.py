"""Options as cells: one program for all settings that differ in nothing which had to be known when it was made."""

from __future__ import annotations

from collections.abc import Mapping

from talewright.runtime.ir.header import NONE
from talewright.runtime.model.layout import Layout
from talewright.runtime.model.settings import OptionValue
from talewright.schemas.nodes.document import Content


def lay_out_options(layout: Layout, content: Content, chosen: Mapping[str, OptionValue]) -> dict[str, int]:
    """Gives every option a cell; whoever plays with other options writes them there before the table is set."""
    for option in content.options:
        if option.type.tag == "words":
            for word in option.type.args:
                layout.word(str(word))
    return {name: layout.fixed([option_cell(layout, value)]) for name, value in chosen.items()}


def option_cell(layout: Layout, value: OptionValue) -> int:
    """What stands for the value of an option in a cell."""
    if isinstance(value, str):
        return layout.word(value)
    return NONE if value is None else int(value)
