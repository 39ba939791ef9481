"""Small games for the tests of the runtime: from a text to a game played to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talewright.compiler.in_memory import compile_text, plain
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program
from talewright.runtime.testing import Outcome, Runner


def document(text: str) -> dict[str, Any]:
    """The document of a text without errors."""
    result = compile_text(plain(text))
    wrong = [
        f"{found.span.line}: {found.message}" for found in result.diagnostics if found.severity == "error"
    ]
    assert result.document is not None, wrong
    return result.document


def first(decision: Decision) -> int:
    """Always the first option."""
    return 0


def game(text: str, seed: int = 1, agent: Callable[[Decision], int] = first, **how: Any) -> Game:
    """A game of a text, ready to run."""
    return Game(Program(document(text), **how), seed, agent)


def outcomes(text: str) -> list[Outcome]:
    """What becomes of the tests in a text."""
    return list(Runner(document(text)).run())
