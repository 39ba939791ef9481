"""How a machine says that play cannot go on."""

from __future__ import annotations

from talewright.runtime.ir.header import NOWHERE


class EngineFault(Exception):
    """A fault: its code (`header`), the spot in the document where it happened, and the names of the functions that were
    running, the innermost first."""

    def __init__(
        self, code: int, spot: int = NOWHERE, detail: str = "", functions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"fault {code} at spot {spot}" + (f": {detail}" if detail else ""))
        self.code = code
        self.spot = spot
        self.detail = detail
        self.functions = functions
