"""Test outcomes as JSON, for other tools."""

from __future__ import annotations

import json
from typing import Any

from talewright.report.testing.mutation_testing import Tried
from talewright.report.testing.mutation_testing import as_json as unnoticed
from talewright.report.testing.outcomes import Tested
from talewright.report.testing.rule_coverage import Coverage


def render(tests: list[Tested], covered: Coverage | None, tried: list[Tried] | None = None) -> str:
    """How many ran, how many passed, which failed and where, what a catalogue lacks and what no test notices."""
    failed = [
        {
            "name": test.title,
            "file": test.file,
            "line": test.failed_line or test.line,
            "message": test.message,
            "trace": list(test.trace),
        }
        for test in tests
        if not test.passed
    ]
    whole: dict[str, Any] = {"tests": len(tests), "passed": len(tests) - len(failed), "failed": failed}
    if covered is not None:
        whole["covers"] = covered.as_json()
    if tried is not None:
        whole["broken"] = unnoticed(tried)
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
