"""All passes, one after another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from talewright.runtime.ir.nodes import Data, Module
from talewright.runtime.ir.passes.asking import DECIDE, may_ask, settle
from talewright.runtime.ir.passes.cutting import STEP, Regions, cut, declared, entering
from talewright.runtime.ir.passes.inlining import inlined
from talewright.runtime.ir.passes.metering import meter
from talewright.runtime.ir.passes.survey import Surveys, surveys
from talewright.runtime.ir.validate import InvalidModule, validate

NO_CELLS: Final = Data(0, ())


def finished(
    module: Module,
    regions: Regions,
    entries: Iterable[str],
    deepest: int,
    known: Surveys | None = None,
    *,
    inline: bool = False,
    fixed: Data = NO_CELLS,
    thorough: bool = False,
) -> Module:
    """Settles who asks, bounds steps and depth, cuts at decisions. `known` is what its functions call, if somebody has looked.

    With `inline` the program is faster, takes longer to make, and short functions are no longer named in faults. `fixed` are
    cells that never change.

    Whether a module is well formed is looked at after every pass, if somebody doubts lowering or the passes: it takes as
    long as they do.
    """
    entries = tuple(entries)
    for name in entries:
        if all(function.name != name for function in module.functions):
            raise InvalidModule(f"the entry {name!r} does not exist")
    module = declared(module, entries)
    if thorough:
        validate(module)
    # Settling and metering change how functions are called, not which.
    known = surveys(module, known)
    settled = settle(module, entries, known)
    if thorough:
        validate(settled)
    asking = may_ask(module, known)
    if inline:
        made = {STEP, *map(entering, entries)}
        settled = inlined(settled, asking | made, {DECIDE, *made, *entries}, known, fixed)
        known = surveys(settled)
        if thorough:
            validate(settled)
    metered = meter(settled, deepest, known)
    if thorough:
        validate(metered)
    result = cut(metered, regions, entries, asking)
    if thorough:
        validate(result, asking=False)
    return result
