"""A look at the game itself as somebody may hold it to be: what they do not know is dealt anew, and put back afterwards.

For questions that only read: nothing is played, so that nothing but the deal has to be undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from talewright.runtime.dealing import Deal

if TYPE_CHECKING:
    from talewright.runtime.game import Game


def can_glimpse(game: Game, deal: Deal) -> bool:
    """Whether no rule comes into force or goes out of it with where something hidden lies: it may remember more."""
    space = game.space
    # A flag in the state says that state rules are to be looked at; the state is put back as a whole.
    harmless = (space["flag_check"], space["no_cycle"])
    for things in deal.groups:
        for thing in things:
            if any(look not in harmless for look in space["WATCH"][thing] or ()):
                return False
    return not any(pile in space["PILE_WATCH"] for pile in deal.piles)


@contextmanager
def glimpse(game: Game, deal: Deal, draw: Random) -> Iterator[dict[int, int]]:
    """Deals, gives what lies now where each thing lay, and puts everything back as it was."""
    space = game.space
    state, items = space["S"], space["ITEMS"]
    running = space["STEPS"] + 1
    kept_state, busy, chance = list(state), set(state[running]), space["CHANCE"]
    columns = [*deal.columns, *(column for column, _ in deal.references)]
    kept_columns = [list(column) for column in columns]
    kept_piles = [list(items[pile]) for pile in deal.piles]
    frames, pending = list(space["FRAMES"]), list(space["PENDING"])
    put_counts_back = game.counts()
    try:
        yield deal.world(draw)
    finally:
        game.use_chance(chance)
        state[:] = kept_state
        state[running].clear()
        state[running] |= busy
        for column, kept in zip(columns, kept_columns, strict=True):
            column[:] = kept
        for pile, things in zip(deal.piles, kept_piles, strict=True):
            items[pile][:] = things
        space["FRAMES"][:], space["PENDING"][:] = frames, pending
        put_counts_back()
