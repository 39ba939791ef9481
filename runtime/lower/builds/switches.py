"""Switches of a program that is broken on purpose: at most one is on, and memory notes which were asked for.

The cells lie behind everything else, so that a new game does not touch them: first the number of the switch that is on (0:
none), then a cell for each switch.
"""

from __future__ import annotations

from typing import Final

from talewright.runtime.ir.build import call
from talewright.runtime.ir.nodes import Expression
from talewright.schemas.nodes.names import OptionRef

# No option of a document has such a name.
_NAME: Final = "switch:"


def switch(number: int) -> OptionRef:
    """The condition that a switch is on."""
    return OptionRef(f"{_NAME}{number}")


def is_switch(node: OptionRef) -> bool:
    """Whether a condition is that of a switch."""
    return node.id.startswith(_NAME)


def switched(node: OptionRef) -> Expression:
    """Whether a switch is on."""
    return call("switched", int(node.id.removeprefix(_NAME)))
