"""From what lowering wrote to what an engine can run, in the one order in which the passes are right."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.runtime.ir.asking import settle
from talewright.runtime.ir.cutting import Regions, cut, declared
from talewright.runtime.ir.metering import meter
from talewright.runtime.ir.nodes import Module
from talewright.runtime.ir.validate import InvalidModule, validate


def finished(module: Module, regions: Regions, entries: Iterable[str], deepest: int) -> Module:
    """Settles who asks, bounds steps and depth, cuts at decisions; the result is valid."""
    entries = tuple(entries)
    for name in entries:
        if all(function.name != name for function in module.functions):
            raise InvalidModule(f"the entry {name!r} does not exist")
    module = declared(module, entries)
    validate(module)
    settled = settle(module, entries)
    validate(settled)
    metered = meter(settled, deepest)
    validate(metered)
    result = cut(metered, regions, entries)
    validate(result, asking=False)
    return result
