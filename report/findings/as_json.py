"""Findings as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from talewright.dsl.diagnostics import Diagnostic, Fix
from talewright.dsl.source import Source, Span
from talewright.report.findings.formats import counted

VERSION = 1


def render(findings: Sequence[Diagnostic], sources: Mapping[str, Source]) -> str:
    """The findings and their numbers; lines and columns count from 1, ends are exclusive."""
    content = {
        "version": VERSION,
        "summary": counted(findings),
        "diagnostics": [_diagnostic(found) for found in findings],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "name": found.name,
        "severity": found.severity,
        "message": found.message,
        **_place(found.span),
        "help": found.help,
        "labels": [{**_place(label.span), "text": label.text} for label in found.labels],
        "fixes": [_fix(fix) for fix in found.fixes],
    }


def _place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{**_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}
