"""How a machine says that play cannot go on."""

from __future__ import annotations


class EngineFault(Exception):
    """A fault: its code (`header`), the number of the spot in the document where it happened (0: unknown), and the names
    of the functions that were running, the innermost first."""

    def __init__(self, code: int, spot: int = 0, detail: str = "", functions: tuple[str, ...] = ()) -> None:
        super().__init__(f"fault {code} at spot {spot}" + (f": {detail}" if detail else ""))
        self.code = code
        self.spot = spot
        self.detail = detail
        self.functions = functions
