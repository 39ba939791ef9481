"""What options bring with them, in the words of the package."""

from __future__ import annotations

from typing import Any

from talewright.compiler.in_memory import compile_text
from talewright.report.table.effect_text import part_wording
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program

TEXT = '''
kind Ware
Ware rope "a rope" * 2
kind Stall is Place:
    ware: slot of Ware
    price: effect
kind Shop is Place:
    left, right: Stall
Shop booth "the booth":
    left.price: nothing
    right.price: purse - 2  # dear
role Player is Thing named player
state purse: int = 5
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    move rope_1 to booth.left.ware
    move rope_2 to booth.right.ware
    choose stall from Stall by player "Take?"
    do stall.price
    go to night
'''


def test_an_option_shows_what_it_costs() -> None:
    result = compile_text(TEXT)
    assert result.document is not None, result.diagnostics
    shown: list[str] = []

    def read(file: str, line: int) -> str:
        return TEXT.splitlines()[line - 1]

    def look(decision: Decision) -> int:
        seat: Any = decision.seat
        shown.extend(part_wording(decision.game, option, seat, read) for option in decision.options)
        return 0

    Game(Program(result.document), 1, look).run()
    assert shown == ["", " (price: purse - 2)"]
