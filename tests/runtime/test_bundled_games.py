"""The bundled games with random choices: each reaches an ending, twice the same, and back from copies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.compiler.passes import compile_package
from talewright.runtime.session import Decision, Game, Session, load

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
GAMES: list[tuple[str, str | None, int, dict[str, Any]]] = [
    ("blackmere", None, 2, {}),
    ("blackmere", None, 1, {"mode": "duel", "extra_blessings": 5}),
    ("blackmere", None, 3, {"mode": "confrontation", "extra_luck": 3}),
    ("dark_rituals/proving", "yard", 1, {}),
    ("dark_rituals/encounters", "e5", 1, {"less_energy": 4}),
    ("brimstone/fistful", None, 1, {}),
    ("brimstone/fistful", None, 3, {"basic_game": False, "themed_rooms": True, "dangerous_dynamite": True}),
]


def _named(case: tuple[str, str | None, int, dict[str, Any]]) -> str:
    package, chapter, players, options = case
    return "-".join([package.replace("/", "_"), chapter or "first", str(players), *options])


@cache
def _document(package: str) -> dict[str, Any]:
    result = compile_package(SCENARIOS / package, trees=False)
    assert result.document is not None
    return result.document


def _chooser(seed: int) -> Callable[[Decision], int]:
    draw = Random(seed).random

    def choose(decision: Decision) -> int:
        # Whoever can run away at any time would see little of a game.
        if "flee" in decision.prompt:
            return 1
        return int(draw() * len(decision.options))

    return choose


@pytest.mark.parametrize("case", GAMES, ids=_named)
def test_a_game_reaches_an_ending_twice_the_same(case: tuple[str, str | None, int, dict[str, Any]]) -> None:
    package, chapter, players, options = case
    game = Game(load(_document(package), options, players))
    for seed in range(2):
        found = []
        for _ in range(2):
            game.reset(seed)
            game.agent = _chooser(seed)
            found.append((game.run(chapter), list(game.log), list(game.said), game.standing()))
        assert found[0][0] in game.program.lowered.world.number
        assert found[0] == found[1]


@pytest.mark.parametrize("case", GAMES, ids=_named)
def test_a_copy_taken_in_the_middle_comes_back_whole(
    case: tuple[str, str | None, int, dict[str, Any]],
) -> None:
    package, chapter, players, options = case
    game = Game(load(_document(package), options, players))
    choose = _chooser(5)
    copies: dict[int, Any] = {}

    def agent(decision: Decision) -> int:
        if len(game.log) in (4, 30):
            copies[len(game.log)] = game.save()
        return choose(decision)

    game.reset(5)
    game.agent = agent
    ending, log, said = game.run(chapter), list(game.log), list(game.said)
    assert copies
    for decided, copy in [*copies.items(), *reversed(copies.items())]:
        # Back to the copy, and on from there: the same answers lead to the same end.
        game.log[:], game.said[:] = log, said
        game.load(copy)
        assert game.save() == copy
        answers = iter(log[decided:])
        while (decision := game.next()) is not None:
            asked, index = next(answers)
            assert asked == decision.id
            game.answer(decision, index)
        assert (game.ending, game.log, game.said) == (ending, log, said)


def test_a_saved_game_of_made_things_is_replayed() -> None:
    program = load(_document("brimstone/fistful"), {}, 2)
    first = Session(program, 3)
    first.default = _chooser(3)
    ending = first.run()
    second = Session(program, 3)
    second.script = list(first.decisions)
    assert second.run() == ending
    assert second.game.campaign.recorded == first.game.campaign.recorded
    assert second.game.standing() == first.game.standing()
