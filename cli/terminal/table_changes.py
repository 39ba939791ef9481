"""What of the table somebody has not seen yet."""

from __future__ import annotations

from rich.text import Text

from talewright.report.table.board_map import FINE, Lines
from talewright.report.table.tabletop import lines_of, table_blocks, table_lines
from talewright.report.table.visibility import Seat
from talewright.runtime.observe.view import View

# A change of at least this part of a short table shows all of it: more than one line in so many.
FEWER = 2


class TableChanges:
    """Remembers what each seat was shown of the table."""

    def __init__(self) -> None:
        self.shown: dict[Seat, dict[str, str]] = {}

    def forget(self, *seats: Seat) -> None:
        """Everything is new again to some seats, or to all."""
        for seat in seats or tuple(self.shown):
            self.shown.pop(seat, None)

    def lines(self, view: View, seat: Seat, width: int, height: int, signs: Lines = FINE) -> list[Text]:
        """The table: all of it when it is new or short, else what has changed."""
        blocks = table_blocks(view, seat, width)
        now = {block.key: block.plain for block in blocks}
        before = self.shown.get(seat, {})
        self.shown[seat] = now
        changed = [block for block in blocks if before.get(block.key) != block.plain]
        if not changed:
            return []
        whole = table_lines(view, seat, width, signs)
        some = lines_of(changed, width)
        new = now.get("chapter") != before.get("chapter") or any(
            key.startswith("place ") and key not in before for key in now
        )
        moved = any(block.key.startswith("place ") for block in changed)
        if new or (len(whole) <= height // 2 and (moved or len(some) * FEWER > len(whole))):
            return whole
        return [*some, Text("  (what has changed; `table` shows everything)", style="dim")]


def without_heading(news: list[Text], table: list[Text]) -> list[Text]:
    """What happened, without a title at its head that the table above it bears already."""
    title = next((number for number, line in enumerate(news) if line.plain), None)
    if title is None or not table or not table[0].plain.startswith(f"== {news[title].plain} ="):
        return news
    return news[title + 1 :]
