"""Traits."""

from __future__ import annotations

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.rules import BEARERS, Run
from talewright.runtime.model.world import RuleEntry


def _each_bearer(code: Code, entry: RuleEntry, run: Run, steady: bool) -> None:
    raise LoadError("the engine cannot play rules of traits yet")


BEARERS["trait"] = _each_bearer


def trait_parameter(code: Code, thing: Expression, trait: str, name: str) -> Expression:
    """What a trait was given when it was gained."""
    raise LoadError("the engine cannot read parameters of traits yet")
