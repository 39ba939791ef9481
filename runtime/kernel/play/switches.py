"""Places where a program is broken on purpose."""

from __future__ import annotations

from talewright.runtime.kernel.memory import SWITCHES, M


def switched(number: int) -> int:
    """Whether a switch is on; that it was asked for is noted."""
    M[SWITCHES + number] = 1
    return 1 if M[SWITCHES] == number else 0
