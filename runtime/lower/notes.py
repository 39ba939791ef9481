"""What tests ask for afterwards: which calls were done, refused, replaced."""

from __future__ import annotations

from talewright.runtime.ir.build import const
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.lower.code import OUTCOMES, Code
from talewright.schemas.nodes.statements import CoreCall


def note_core(code: Code, outcome: str, node: CoreCall, values: dict[str, Expression]) -> None:
    """Notes what became of a call of a verb of the core, where that is wanted."""
    if code.program.build.traced:
        number = code.program.action_number(f"core:{node.verb}")
        code.do("note_call", const(OUTCOMES.index(outcome)), const(number), const(0))
