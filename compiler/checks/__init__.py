"""Every finding there is: one file a check, found by itself.

- `check`: what a check is: code, reason, samples, and the function that looks
- `usage_index`: one walk over the content that all checks share: its code and who uses what
- `*_pages`, `suppressions`: pages of what earlier passes find
- modules with `_` in front: what several checks share
"""

from __future__ import annotations

import importlib
import os
from functools import cache

from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic

__all__ = ["Check", "Context", "all_checks", "catalogue", "run_checks"]

_FRAME = frozenset(("check", "usage_index", "samples"))


@cache
def all_checks() -> tuple[Check, ...]:
    """The checks by code; each module of this folder holds one as `CHECK`, or several as `CHECKS`."""
    found: list[Check] = []
    for file in sorted(os.listdir(os.path.dirname(__file__))):
        module, _, ending = file.partition(".")
        if ending != "py" or module in _FRAME or module.startswith("_"):
            continue
        loaded = importlib.import_module(f"{__name__}.{module}")
        found.extend(getattr(loaded, "CHECKS", ()) or (loaded.CHECK,))
    return tuple(sorted(found, key=lambda check: check.code))


@cache
def catalogue() -> dict[str, Check]:
    """A page for every code there is, by code: what checks look for, and what earlier passes report."""
    from talewright.compiler.checks._other_pages import other_pages

    pages = {page.code: page for page in other_pages()}
    pages.update((check.code, check) for check in all_checks())
    return dict(sorted(pages.items()))


def run_checks(context: Context, local: bool | None = None) -> list[Diagnostic]:
    """What all checks find, or only those that look at one file at a time, or only the others."""
    findings: list[Diagnostic] = []
    for check in all_checks():
        if check.find is not None and local in (None, check.local):
            findings.extend(check.find(context))
    return findings
