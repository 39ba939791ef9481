"""Findings as people and tools read them.

- `formats`: the formats by name; `as_human`, `as_json`, `as_sarif`, `as_github`, `as_junit`: one module each
- `excerpt`: lines of a source with marks under them
- `fixes`: puts the fixes of findings into the texts
- `failing_checks`: findings about the checks of a package that do not hold before the first move
"""

from __future__ import annotations

from talewright.report.findings.fixes import apply_fixes
from talewright.report.findings.formats import FORMATS, NOTHING_FOUND, counted, render

__all__ = ["FORMATS", "NOTHING_FOUND", "apply_fixes", "counted", "render"]
