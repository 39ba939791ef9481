"""One game on the engine: from decision to decision, to its end, and back to where it stood."""

from __future__ import annotations

from functools import cache

import pytest

from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.session.game import Decision, Game
from talewright.runtime.session.program import Program, load
from tests.runtime.small_games import document

from . import island

TEXT = """
role Player 1..2 named p
state gold: int = 0
kind Page is Chapter
Page one "First":
    \"\"\"It begins.\"\"\"
Page two "Second"
Ending rich "Rich"
Ending poor "Poor"
measure gained = gold
action game: go to one
action play p: Page:
    say "A page: {p}."
    repeat 3 times:
        for each q in Player:
            choose n from (1..3) by q "How many?"
            gold + n
    if p is one: go to two
    if gold > 20: go to rich
    go to poor
"""


@cache
def program(engine: type[Engine] = WasmEngine) -> Program:
    return load(document(TEXT), players=2, engine=engine())


def middle(decision: Decision) -> int:
    return 1


@pytest.mark.parametrize("engine", [WasmEngine, PythonEngine])
def test_a_game_is_played_to_its_end(engine: type[Engine]) -> None:
    game = Game(program(engine), 3, middle)
    assert game.run() == "rich"
    assert game.title(game.ending or "") == "Rich"
    assert len(game.log) == 12
    assert game.log[0][1] == 1
    assert game.said == ["A page: First.", "A page: Second."]
    assert game.measures()["gained"] == 24


def test_a_decision_says_who_is_asked_what() -> None:
    game = Game(program(), 3)
    decision = game.next()
    assert decision is not None
    assert decision.who == "p1"
    assert decision.seat == game.program.seats["p1"]
    assert [option.id for option in decision.options] == ["1", "2", "3"]
    assert [option.text() for option in decision.options] == ["1", "2", "3"]
    assert (decision.prompt, decision.form) == ("How many?", "choose")
    assert decision.game is game
    assert decision.id.endswith("#1")


def test_a_game_can_begin_with_another_chapter() -> None:
    game = Game(program(), 3, middle)
    assert game.run("two") == "poor"
    assert len(game.log) == 6
    with pytest.raises(LoadError, match="there is no chapter `three`"):
        game.run("three")


def test_a_game_goes_back_to_where_it_stood_and_on_again() -> None:
    game = Game(load(island.document(), traced=True), 4)
    kept = []
    while (decision := game.next()) is not None:
        kept.append((game.save(), decision, game.digest()))
        game.answer(decision, len(game.log) % len(decision.options))
    end = (game.ending, list(game.log), list(game.said), game.digest())
    assert len(kept) > 5
    for standing, asked, digest in reversed(kept):
        game.load(standing)
        again = game.next()
        assert again == asked
        assert game.digest() == digest
        while again is not None:
            game.answer(again, len(game.log) % len(again.options))
            again = game.next()
        assert (game.ending, game.log, game.said, game.digest()) == end


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(LoadError, match="1 to 2 players, not 5"):
        load(document(TEXT), players=5)
    with pytest.raises(LoadError, match="there is no option `fog`"):
        load(document(TEXT), {"fog": True})
    with pytest.raises(LoadError, match="the document cannot be played"):
        load({"format": "something else"})


def test_nobody_answers_and_nobody_answers_wrongly() -> None:
    with pytest.raises(Fault, match="R11: nobody answers"):
        Game(program(), 1).run()
    with pytest.raises(Fault, match=r"R10: the answer to .* is none of its options"):
        Game(program(), 1, lambda decision: 7).run()
