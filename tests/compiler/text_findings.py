"""What the tests ask of a text: its errors, and where they stand."""

from __future__ import annotations

from talewright.compiler.in_memory import FILE, compile_text, plain
from talewright.compiler.passes import CompileResult
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source


def compiled(text: str) -> CompileResult:
    """What compiling a system of one file gives."""
    return compile_text(plain(text))


def errors(text: str) -> list[Diagnostic]:
    """The errors that a system of one file has."""
    return [found for found in compiled(text).diagnostics if found.severity == "error"]


def codes(text: str) -> list[str]:
    """The codes of those errors."""
    return [found.code for found in errors(text)]


def only_error(text: str) -> Diagnostic:
    """The one error of a system of one file."""
    found = errors(text)
    assert len(found) == 1, "\n".join(f"{d.code} {d.span.line}:{d.span.column} {d.message}" for d in found)
    return found[0]


def marked(text: str) -> str:
    """The code of the one error of a text, and what stands at its place."""
    found = only_error(text)
    line = Source(FILE, plain(text)).line_text(found.span.line)
    end = found.span.end_column - 1 if found.span.end_line == found.span.line else len(line)
    return f"{found.code} {line[found.span.column - 1 : end]}"
