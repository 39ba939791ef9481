"""Games that note the pages they come to, and which things are out of play."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from talewright.runtime.countcode import NotedProgram, is_counted, is_stock
from talewright.runtime.game import Game


class _Open(dict[int, bool]):
    """Containers where things are out of play; those of things made in play are none."""

    def __missing__(self, pile: int) -> bool:
        return False


class NotedGame(Game):
    """A game that knows its pages, and can say how it ended."""

    program: NotedProgram
    pages: list[int]

    def _after_kernel(self, space: dict[str, Any]) -> None:
        super()._after_kernel(space)
        self.pages = []
        space["CLOSED"] = self._closed(space)

    def _closed(self, space: dict[str, Any]) -> Any:
        """Whether things are out of play, by container."""
        shut = {space["BOX"], space["LIMBO"], space["NOWHERE"]}
        shut |= {p.number for p in self.layout.piles if is_stock(p)}
        if self.program.makes:
            return _Open(dict.fromkeys(shut, True))
        return [n in shut for n in range(len(self.layout.piles) + 2)]

    @cached_property
    def begin_out_of_play(self) -> list[int]:
        """The things that somebody asks about and that are not in play when a game begins. No game may be running."""
        self.reset(0)
        lies, out = self.space["LOC"], self.space["CLOSED"]
        things = self.layout.things[: self.first_made]
        return [t.number for t in things if is_counted(self.layout, t) and out[lies[t.number]]]

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.pages.clear()

    def _turns_pages(self) -> bool:
        # The loop that turns pages notes them by itself.
        return bool(self.program.page_rules) and not self.resumable

    def enter_chapter(self, page: int | None) -> None:
        if page is not None:
            self.pages.append(page)
        super().enter_chapter(page)

    def drop(self) -> None:
        """What this game met is not counted."""
