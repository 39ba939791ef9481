"""Findings as people and tools read them: one module a format, all from the same values."""

from __future__ import annotations

from talewright.report.findings.fixes import apply_fixes
from talewright.report.findings.formats import FORMATS, NOTHING_FOUND, counted, render

__all__ = ["FORMATS", "NOTHING_FOUND", "apply_fixes", "counted", "render"]
