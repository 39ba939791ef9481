"""Why a test does not pass."""

from __future__ import annotations

from typing import Final

from talewright.runtime.engines.interface import EngineFault
from talewright.runtime.session.faults import MESSAGES

# What errors of play say in a test, where nobody needs a score and chance can be rigged.
IN_TESTS: Final = {**MESSAGES, 11: "what is rigged is not among what could come"}


class Failure(Exception):
    """An expectation did not hold, or the test itself is wrong."""


def fault_message(fault: EngineFault) -> str:
    """An error of play in words."""
    if fault.code in IN_TESTS:
        return f"R{fault.code}: {IN_TESTS[fault.code]}"
    return f"the engine came to what it cannot run ({fault})"
