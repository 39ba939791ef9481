"""Pages about what resolving and typing find: the looking is done elsewhere, the explaining here."""

from __future__ import annotations

from talewright.compiler.checks.check import Check
from talewright.compiler.types.codes import CODES


def page(code: str, why: str, bad: str, good: str) -> Check:
    """The page of a code, with the name and the severity it is reported with."""
    name, severity = CODES[code]
    return Check(code, name, severity, why, bad, good)
