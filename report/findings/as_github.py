"""Findings as workflow commands, which GitHub shows beside the changed lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(findings: Sequence[Diagnostic], sources: Mapping[str, Source]) -> str:
    """One command a line, one line a finding."""
    return "".join(_command(found) for found in findings)


def _command(found: Diagnostic) -> str:
    span = found.span
    properties = {"file": span.file, "line": span.line}
    if span.line == span.end_line:
        # Columns are only understood within one line, and the last one is inclusive there.
        properties |= {"col": span.column, "endColumn": max(span.column, span.end_column - 1)}
    else:
        properties["endLine"] = span.end_line
    properties["title"] = f"{found.code} {found.name}"
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = found.message + (f"\nhelp: {found.help}" if found.help else "")
    return f"::{_COMMANDS[found.severity]} {listed}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
