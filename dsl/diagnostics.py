"""Findings about a package: plain values, rendered elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from talewright.dsl.source import Span
from talewright.schemas.records import record

Severity = Literal["error", "warning", "info"]
RANK: dict[str, int] = {"error": 0, "warning": 1, "info": 2}


@record(frozen=True)
class Label:
    """A second place that explains the finding."""

    span: Span
    text: str


@record(frozen=True)
class Edit:
    """Replace what stands at a span by a text."""

    span: Span
    text: str


@record(frozen=True)
class Fix:
    """A change that mends the finding; only safe ones are applied by `--fix`."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


@record(frozen=True)
class Diagnostic:
    """One finding. `code` never changes its meaning; `name` is its readable twin."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    labels: tuple[Label, ...] = ()
    fixes: tuple[Fix, ...] = ()


def in_order(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings by file, place, weight and code: the order people read them in."""
    return sorted(
        findings,
        key=lambda d: (d.span.file, d.span.line, d.span.column, RANK[d.severity], d.code, d.message),
    )


def worst(findings: Sequence[Diagnostic]) -> Severity | None:
    """The weightiest severity among the findings, or none."""
    return min((d.severity for d in findings), key=RANK.__getitem__, default=None)
