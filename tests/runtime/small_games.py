"""Small games for the tests of the runtime: from a text to a game played to its end."""

from __future__ import annotations

from typing import Any

from talewright.compiler.in_memory import compile_text, plain
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.faults import LoadError
from talewright.runtime.proving.runner import Outcome, Runner
from talewright.runtime.session import Agent, Decision, Game
from talewright.runtime.session import load as load_program
from talewright.schemas.loading import load as load_document
from talewright.schemas.nodes.codec import read_document


def document(text: str) -> dict[str, Any]:
    """The document of a text without errors."""
    result = compile_text(plain(text))
    wrong = [
        f"{found.span.line}: {found.message}" for found in result.diagnostics if found.severity == "error"
    ]
    assert result.document is not None, wrong
    return result.document


def checked_document(data: bytes) -> dict[str, Any]:
    """The document in some bytes as a loader takes it: brought up to the present version, or refused."""
    loaded = load_document(data)
    if loaded.document is None:
        raise LoadError("\n".join(str(problem) for problem in loaded.problems if not problem.harmless))
    return loaded.document


def first(decision: Decision) -> int:
    """Always the first option."""
    return 0


def game(text: str, seed: int = 1, agent: Agent = first, **how: Any) -> Game:
    """A game of a text, ready to run."""
    return Game(load_program(document(text), **how), seed, agent)


def outcomes(made: dict[str, Any]) -> list[Outcome]:
    """What becomes of the tests in a document."""
    return list(Runner(read_document(made), best_engine(), thorough=True).run())
