"""A look at the game itself as somebody may hold it to be: what they do not know is dealt anew, and put back afterwards.

For questions that only read: nothing is played, so that nothing but the deal has to be undone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from talewright.runtime.dealing import Deal, gained_in_play, holds_things
from talewright.runtime.resuming import FLAT, Contents

if TYPE_CHECKING:
    from talewright.runtime.game import Game


def can_glimpse(game: Game, deal: Deal) -> bool:
    """Whether nothing but the table knows of hidden things: no call that runs, and no rule that comes and goes with them."""
    space = game.space
    # A flag in the state says that state rules are to be looked at; the state is put back as a whole.
    harmless = (space["flag_check"], space["no_cycle"])
    for things in deal.groups:
        for thing in things:
            if any(look not in harmless for look in space["WATCH"][thing] or ()):
                return False
    return not any(pile in space["PILE_WATCH"] for pile in deal.piles) and not _remembers(game, deal)


def _remembers(game: Game, deal: Deal) -> bool:
    """Whether anything that a deal leaves alone may mean something hidden; a number is taken for a thing too."""
    if gained_in_play(game, deal.hidden):
        return True
    space, contents = game.space, Contents(frozenset())
    gained = (gained[1] for traits in space["TRAITS"] for gained in traits)
    contents.look_into((space["FRAMES"], space["PENDING"], *gained, *_loose(game)))
    return any(_means(held, deal.hidden) for _, held in contents.found)


def _loose(game: Game) -> Iterator[Any]:
    """Tables and the like that states and fields hold: things in them are not dealt."""
    space, scalars = game.space, game.layout.scalars
    for state in game.program.content["states"]:
        if isinstance(state["type"], list) and not holds_things(state["type"]):
            yield space["S"][scalars[f"state:{state['id']}"]]
    for field in game._mutable():
        # What stands in bands is what the rules name.
        if field.tag not in FLAT and field.tag != "bands" and not holds_things(field.type):
            yield space[f"F{field.number}"]


def _means(value: Any, things: Collection[int]) -> bool:
    """Whether something that can be changed, or what never can be inside it, means one of some things."""
    parts = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
    for part in parts if isinstance(parts, (list, tuple, set, frozenset)) else (parts,):
        if isinstance(part, int):
            if part in things:
                return True
        # Whatever can be changed is found for itself.
        elif isinstance(part, (tuple, frozenset)) and _means(part, things):
            return True
    return False


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
