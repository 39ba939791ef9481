"""Fields that are read through another thing: `calling: HeroClass lends all`."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR
from talewright.runtime.traitcode import TraitCode


class LendCode(TraitCode):
    """A lent field is folded with the modifiers of the borrower and of the lender."""

    def lent_fields(self) -> set[str]:
        """The fields that something reads through a lender."""
        found: set[str] = set()
        stack: list[Any] = [self.content]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if item.get("op") == "field" and self._lends(item["of"]):
                    field = self.layout.fields.get((item["owner"], item["name"]))
                    if field is not None:
                        found.add(field.first)
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        return found

    def _lends(self, ir: IR) -> bool:
        if ir.get("op") != "field":
            return False
        field = self.layout.fields.get((ir["owner"], ir["name"]))
        return field is not None and "lends all" in field.source.get("flags", ())

    def x_field(self, ir: IR, code: Code) -> str:
        if self._lends(ir["of"]):
            found = self.layout.fields.get((ir["owner"], ir["name"]))
            if found is not None and found.first in self.modifiers and found.first in self.dynamic_values:
                lender = self.layout.fields[ir["of"]["owner"], ir["of"]["name"]]
                borrower = self.x(ir["of"]["of"], code)
                return f"lent_field(F{found.number}, MF{found.number}, {borrower}, F{lender.number})"
        return super().x_field(ir, code)
