"""The formats by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source

Renderer = Callable[[Sequence[Diagnostic], Mapping[str, Source]], str]

NOTHING_FOUND = "no findings"
FORMATS = ("human", "json", "sarif", "github", "junit")


def render(findings: Sequence[Diagnostic], sources: Mapping[str, Source], format: str) -> str:
    """The findings in a format, plain text that ends with a line break when it is not empty."""
    if format not in FORMATS:
        raise ValueError(f"no format is called {format}")
    # Imported late: only one of them is wanted, and some are heavy.
    renderer: Renderer = import_module(f"talewright.report.findings.as_{format}").render
    return renderer(findings, sources)


def counted(findings: Sequence[Diagnostic]) -> dict[str, int]:
    """How many errors, warnings and infos there are."""
    severities = [found.severity for found in findings]
    return {
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "infos": severities.count("info"),
    }
