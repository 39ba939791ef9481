"""All syntax errors, by code."""

from __future__ import annotations

from talewright.dsl.diagnostics import Diagnostic, Fix, Label
from talewright.dsl.recovery.declaration_mistakes import IN_LINES
from talewright.dsl.recovery.mistake import Mistake
from talewright.dsl.recovery.statement_mistakes import IN_STATEMENTS
from talewright.dsl.recovery.text_mistakes import IN_TEXT
from talewright.dsl.source import Span

MISTAKES: tuple[Mistake, ...] = tuple(sorted((*IN_TEXT, *IN_LINES, *IN_STATEMENTS), key=lambda m: m.code))
BY_CODE: dict[str, Mistake] = {mistake.code: mistake for mistake in MISTAKES}


def finding(
    code: str,
    message: str,
    span: Span,
    help: str = "",
    fixes: tuple[Fix, ...] = (),
    labels: tuple[Label, ...] = (),
) -> Diagnostic:
    """A finding of a known code."""
    mistake = BY_CODE[code]
    return Diagnostic(code, mistake.name, mistake.severity, message, span, help, labels, fixes)
