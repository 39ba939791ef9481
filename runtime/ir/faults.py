"""How a machine says that play cannot go on."""

from __future__ import annotations


class EngineFault(Exception):
    """A fault: its code (`header`), and the number of the spot in the document where it happened (0: unknown)."""

    def __init__(self, code: int, spot: int = 0, detail: str = "") -> None:
        super().__init__(f"fault {code} at spot {spot}" + (f": {detail}" if detail else ""))
        self.code = code
        self.spot = spot
        self.detail = detail
