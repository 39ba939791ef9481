"""Transcripts: games that bots play inside the engine say word for word what the same games say when the host answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from talewright.compiler.passes import compile_package
from talewright.report.playtest.run.engine_counts import CountedGames
from talewright.report.playtest.run.games import counted_program
from talewright.report.playtest.run.job import Job
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.kernel.bots.bots import GUIDED, RANDOM
from talewright.runtime.observe.trace import Trace
from talewright.runtime.session import Decision, Game, Program, load
from talewright.runtime.session.transcripts import Asked, Told, Transcripts
from tests.runtime.small_games import document

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
import stories

SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios"
NUMBERS = {"random": RANDOM, "guided": GUIDED}

# Words that never change, words that show what changes at once, and options of every kind.
WALK = '''
role Walker 1..2 named w
kind Page is Chapter
state gold: int = 0
state name: text = "nobody"
kind Coin
Coin penny "a penny" * 3
Coin crown "a crown"
pile purse of Coin face_up = all Coin
deck dark of Coin face_down

Page fork "The Fork":
    """A road, and another."""
Page hill "The Hill"
Ending home "Home":
    """You are home."""
Ending lost "Lost"

action game: go to fork
action play p: Page:
    say "A page."
    repeat 3 times:
        choose one by w1 "Which way?":
            "North" -> gold + 1
            "South" -> say "South it is."
            "North" -> say "Another north: {gold} gold."
        choose up to one by w1 "And then?":
            "Rest" -> name = "somebody"
            "Sing" -> say "{purse}"
        w1 may "Take a coin":
            choose c from purse by w1 "Which of {gold} and more?"
            move c to dark
            say "It was {c}; {purse} are left. {name} laughs."
        for each q in Walker:
            choose n from (1..3) by q "How many, {name}?"
            gold + n
    if p is fork: go to hill
    if gold > 24: go to home
    go to lost
'''


def listened(program: Program, seed: int, number: int) -> tuple[list[Told], str, int]:
    """A game that the host answers, for the same bot: what is told, how it ends, and how much is decided."""

    def answer(decision: Decision) -> int:
        return decision.game.machine.call("choose_for_table")

    game = Game(program, agent=answer)
    if program.thinks:
        game.machine[program.lowered.layout.names["BOT"]] = number
    game.listener = trace = Trace()
    game.reset(seed)
    ending = game.run()
    told: list[Told] = []
    for kind, detail in trace.events:
        if kind == "say":
            told.append(str(detail))
        elif kind == "decide":
            _, _, _, asked, chosen = detail  # type: ignore[misc]
            assert isinstance(asked, Decision)
            options = tuple(option.text() for option in asked.options)
            told.append(Asked(asked.name, asked.seats, asked.prompt, options, chosen))
    return told, ending, len(game.log)


@cache
def walk(engine: type[Engine] = WasmEngine, bots: bool = True) -> Program:
    return load(document(WALK), players=2, bots=bots, engine=engine())


def compiled(folder: Path) -> dict[str, Any]:
    made = compile_package(folder).document
    assert made is not None
    return made


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A story of few pages and many choices, more than are told at once."""
    folder = tmp_path_factory.mktemp("story") / "long_story"
    stories.write_tale(folder, stories.pages(40), 4000)
    return load(compiled(folder), players=1, bots=True)


@pytest.mark.parametrize(
    "program",
    [walk, lambda: walk(bots=False), lambda: walk(PythonEngine)],
    ids=["wasm", "without bots", "python"],
)
def test_a_game_of_all_kinds_of_options_is_told_word_for_word(program: Callable[[], Program]) -> None:
    transcripts = Transcripts(program())
    for seed in range(12):
        told, ending, decided = listened(program(), seed, RANDOM)
        assert transcripts.play(seed) == told
        assert transcripts.game.ending == ending
        # The host has answered only where words show something.
        assert 0 < len(transcripts.game.log) < decided


def test_a_story_in_fixed_words_is_told_without_the_host(story: Program) -> None:
    transcripts = Transcripts(story)
    for seed in range(3):
        told, ending, decided = listened(story, seed, RANDOM)
        assert transcripts.play(seed) == told
        assert (transcripts.game.ending, decided) == (ending, 4000)
        # The host comes by only to take away what was told.
        assert len(transcripts.game.log) == 2


@pytest.mark.parametrize("bot", ["random", "guided"])
@pytest.mark.parametrize("name", ["salem/night", "blackmere"])
def test_a_bundled_game_is_told_word_for_word(name: str, bot: str) -> None:
    program = load(compiled(SCENARIOS / name), players=2, bots=True)
    transcripts = Transcripts(program, bot)
    for seed in range(2):
        told, ending, _ = listened(program, seed, NUMBERS[bot])
        assert transcripts.play(seed) == told
        assert transcripts.game.ending == ending


@pytest.mark.parametrize("bot", ["random", "guided"])
def test_the_games_are_those_of_a_playtest(bot: str) -> None:
    written = compiled(SCENARIOS / "salem" / "night")
    transcripts = Transcripts(load(written, players=2, bots=True), bot)
    job = Job(orjson.dumps(written), (), 2, bot, details=True)
    counted = CountedGames(counted_program(job), job)
    for seed in (3, 4, 2**40 + 5):
        counted.play(seed, 1)
        found = counted.details(seed)
        told = transcripts.play(seed)
        assert transcripts.game.ending == found["outcome"]
        points = [counted.program.lowered.points[point].id for point, _ in found["taken"]]
        assert [part.name for part in told if isinstance(part, Asked)] == points


def test_titles_that_change_are_told_as_they_were() -> None:
    text = """
role Reader is Thing named reader
kind Page is Chapter:
    title: text = "no title"
Page one:
    \"\"\"It begins.\"\"\"
Ending ended "Ended"
state turns: int = 0
action game: go to one
instead of play Page p:
    turns + 1
    p.title = "time {turns}"
    as usual
    choose one by reader:
        "Again" -> p.title = "unread"
        "On" -> p.title = "unread"
    if turns > 3: go to ended
    go to one
"""
    program = load(document(text), players=1)
    told = Transcripts(program).play(1)
    assert told == listened(program, 1, RANDOM)[0]
    assert [part for part in told if isinstance(part, str)] == [
        f"time {n}\n\nIt begins." for n in (1, 2, 3, 4)
    ]


def test_what_was_told_before_a_fault_is_kept() -> None:
    text = """
role Reader is Thing named reader
kind Page is Chapter
Page one "One"
Ending ended "Ended"
state zero: int = 0
action game: go to one
action play p: Page:
    say "All is well."
    choose one by reader "And now?":
        "On" -> say "It goes on."
        "Further" -> say "It goes on."
    let broken = 1 / zero
    go to ended
"""
    transcripts = Transcripts(load(document(text), players=1))
    for _ in range(2):
        with pytest.raises(Fault, match="R2: something is divided by zero"):
            transcripts.play(1)
        well, asked, on = transcripts.told
        assert (well, on) == ("All is well.", "It goes on.")
        assert isinstance(asked, Asked)
        assert asked.answer in ("On", "Further")


def test_a_game_that_gets_nowhere_is_ended() -> None:
    text = """
role Reader is Thing named reader
kind Page is Chapter
Page one "One"
Page two "Two"
Ending ended "Ended"
action game: go to one
instead of play Page p:
    choose one by reader:
        "Wait" -> say "Nothing comes."
        "Look" -> say "Nothing is there."
    go to one
"""
    with pytest.raises(Fault, match="R8: no progress"):
        Transcripts(load(document(text), players=1)).play(1)


def test_only_bots_inside_the_engine_are_told_of() -> None:
    with pytest.raises(ValueError, match="by `explore`"):
        Transcripts(walk(), "explore")
    with pytest.raises(LoadError, match="bots=True"):
        Transcripts(walk(bots=False), "guided")
    with pytest.raises(LoadError, match="there is no chapter `nowhere`"):
        Transcripts(walk()).play(1, "nowhere")
    told = Transcripts(walk()).play(1, "hill")
    assert told.count("A page.") == 1
