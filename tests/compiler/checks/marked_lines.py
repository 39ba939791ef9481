"""Texts whose lines are marked where a finding is expected."""

from __future__ import annotations

from talewright.compiler.in_memory import compile_text, plain
from talewright.dsl.diagnostics import Diagnostic

MARK = "# <-"


def found(code: str, text: str) -> list[Diagnostic]:
    """The findings of one code in a system of one file, which has no other errors."""
    result = compile_text(plain(text))
    others = [d for d in result.diagnostics if d.severity == "error" and d.code != code]
    assert not others, "\n".join(f"{d.code} line {d.span.line}: {d.message}" for d in others)
    return [d for d in result.diagnostics if d.code == code]


def lines(code: str, text: str) -> list[int]:
    """The lines of those findings."""
    return [d.span.line for d in found(code, text)]


def marked(text: str) -> list[int]:
    """The lines that a sample marks."""
    return [number for number, line in enumerate(plain(text).splitlines(), 1) if MARK in line]


def check(code: str, text: str) -> None:
    """The marked lines of a text, and no others, have a finding of the code."""
    assert lines(code, text) == marked(text)
