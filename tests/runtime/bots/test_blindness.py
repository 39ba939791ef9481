"""Two games that differ only in what nobody can see: whoever looks ahead decides the same in both."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from orjson import loads

from talewright.runtime.bots import bot
from talewright.runtime.chance import Chance
from talewright.runtime.dealing import holds_things
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program
from talewright.runtime.searching import LookingAhead
from tests.report.playtest.tiny import document as tiny
from tests.runtime.bots.test_peeking import BOTS, CASES, COINS, HINTS
from tests.runtime.test_bundled_games import _document

from .test_determinization import known

EVERY = {**{name: COINS + text for name, text in CASES.items()}, **{f"hint {n}": t for n, t in HINTS.items()}}


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("case", EVERY)
def test_what_lies_hidden_makes_no_difference(case: str, name: str) -> None:
    """Of the little games of coins nothing is ever seen before the end."""
    program = Program(loads(tiny(EVERY[case])))
    taken, endings = set(), set()
    for seed in range(12):
        game = Game(program, seed, bot(name, 5, iterations=4))
        endings.add(game.run())
        taken.add(tuple(index for _, index in game.log))
    assert len(taken) == 1
    assert endings == {"good_end", "bad_end"}


# Games with seeds from here on shuffle as those with the seed below, but for what lies deepest.
BENT = 1 << 32


class Bent(Chance):
    """Chance that turns over the last few things of every pile it mixes."""

    def mix(self, name: str, items: list[Any]) -> None:
        super().mix(name, items)
        if name.startswith("pile:"):
            items[-4:] = items[-4:][::-1]


def view(decision: Decision, looking: LookingAhead) -> Any:
    """What those who decide can see."""
    game, seats = decision.game, looking.seats(decision)
    states = game.program.content["states"]
    hidden = {game.layout.scalars[f"state:{s['id']}"] for s in states if holds_things(s["type"])}
    cells = [repr(v) for n, v in enumerate(game.space["S"]) if n not in hidden]
    heights = [len(items) for items in game.space["ITEMS"]]
    return decision.id, decision.seat, [o.id for o in decision.options], known(game, seats), cells, heights


def recorded(program: Program, seed: int, name: str) -> tuple[list[Any], list[int], list[Any]]:
    """What was seen and chosen at the first decisions of a game that is played at random, and where everything lay."""
    views: list[Any] = []
    chosen: list[int] = []
    lying: list[Any] = []
    draw = Random(1)

    class Enough(BaseException):
        """So far and no further."""

    def agent(decision: Decision) -> int:
        if len(chosen) == 40:
            raise Enough
        looking = bot(name, len(chosen), iterations=3)
        assert isinstance(looking, LookingAhead)
        views.append(view(decision, looking))
        lying.append([list(items) for items in decision.game.space["ITEMS"]])
        chosen.append(looking(decision))
        return int(draw.random() * len(decision.options))

    game = Game(program, seed, agent, hurried=False)
    with suppress(Enough):
        game.run()
    return views, chosen, lying


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(("package", "players", "least"), [("salem/night", 3, 20), ("blackmere", 2, 12)])
@pytest.mark.unwatched
def test_what_lies_deep_in_a_deck_makes_no_difference(
    package: str, players: int, least: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Game, "new_chance", lambda self, seed: Bent(seed - BENT) if seed >= BENT else Chance(seed)
    )
    program = Program(_document(package), {}, players)
    compared = 0
    for seed in (1, 2):
        one, other = recorded(program, seed, name), recorded(program, seed + BENT, name)
        for n, (seen, also) in enumerate(zip(one[0], other[0], strict=False)):
            if seen != also:
                break
            assert one[1][n] == other[1][n], (seed, n, seen[:3])
            compared += one[2][n] != other[2][n]
    assert compared >= least
