"""One program of tests serves all options that it can read from cells, and plays the game that each would be by itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from talewright.compiler.passes import compile_package
from talewright.runtime.engines.interface import Program
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.host.play import Play
from talewright.runtime.ir.nodes import Module
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.runtime.proving.runner import Loaded, OptionValue, Runner, Settings, meaning
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.document import Document

from .small_games import document

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
OPTIONS = """
kind Scene is Chapter
Scene here "Here"

option depth: 1 | 2 = 2 "How deep"
option lake: pond | sea = pond "Where"
state log: int = 0
action dive: log + depth
while lake is sea:
    after dive: log + 10

test "left out":
    when dive
    expect log == 2

test "the default":
    start here with depth 2
    when dive
    expect log == 2

test "another":
    start here with depth 1
    when dive
    expect log == 1

test "with another rule":
    start here with lake sea
    when dive
    expect log == 12
"""
KNOWN = """
option depth: 1 | 2 = 2 "How deep"
kind Scene is Chapter:
    water: track 0..9 start depth
Scene here "Here"

test "as declared":
    expect here.water == 2

test "another":
    start here with depth 1
    expect here.water == 1
"""
# The rule, which would stay, calls what is not there.
MISSING = """
kind Scene is Chapter
Scene here "Here"

option deep: yes | no = no "Deep"
state log: int = 0
action step: log + 1
while deep:
    action dive: log + 10
    after step: dive

test "as declared":
    when step
    expect log == 1

test "another":
    start here with deep yes
    when step
    expect log == 11
"""
GAMES: list[tuple[str, int, dict[str, OptionValue]]] = [
    ("blackmere", 1, {"mode": "duel", "darkness_marshals": True, "extra_blessings": 5}),
    ("blackmere", 1, {"mode": "confrontation", "darker": True, "keep_cloud": False, "open_table": True}),
    ("dark_rituals/encounters", 1, {"less_energy": 4, "suited_creatures": False, "all_twos": True}),
    ("brimstone/fistful", 1, {"basic_game": False, "fixed_movement": True, "hard_core": "used"}),
    ("salem/night", 3, {"dagger_slays_all": True, "strict_artefact": True, "own_nest_first": True}),
]
DECISIONS = 200


class CountingEngine(PythonEngine):
    """Counts the programs that it loads."""

    loaded = 0

    def load(self, module: Module) -> Program:
        self.loaded += 1
        return super().load(module)


@pytest.mark.parametrize(
    ("text", "programs"), [(OPTIONS, 1), (KNOWN, 2), (MISSING, 2)], ids=["read", "known", "missing"]
)
def test_only_options_that_had_to_be_known_need_another_program(text: str, programs: int) -> None:
    engine = CountingEngine()
    outcomes = list(Runner(read_document(document(text)), engine, thorough=True).run())
    assert [outcome.message for outcome in outcomes] == [""] * len(outcomes)
    assert engine.loaded == programs


@cache
def _bundled(package: str) -> Document:
    result = compile_package(SCENARIOS / package)
    assert result.document is not None
    return read_document(result.document)


@cache
def _shared(package: str, players: int) -> Loaded:
    return _loaded(package, Settings(players, ()), open_options=True)


def _loaded(package: str, settings: Settings, *, open_options: bool) -> Loaded:
    found = _bundled(package)
    build = Build(events=True, open_options=open_options)
    lowered, module = assemble(found, dict(settings.options), settings.players, build)
    running = best_engine(baseline=True).load(module)
    return Loaded(lowered, running, meaning(found.content, settings))


def _played(play: Play, seed: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """What is asked, what can be answered, and what is said before it."""
    chance = Random(seed)
    play.begin(seed)
    for _ in range(DECISIONS):
        decision = play.run()
        said = play.said()
        play.forget_events()
        if decision is None:
            yield "", [], said
            return
        yield decision.id, [option.id for option in decision.options], said
        play.answer(chance.randrange(len(decision.options)))


@pytest.mark.parametrize("case", GAMES, ids=lambda case: "-".join([case[0].replace("/", "_"), *case[2]]))
def test_a_game_goes_the_same_way_with_options_known_and_read(
    case: tuple[str, int, dict[str, OptionValue]],
) -> None:
    package, players, options = case
    settings = Settings(players, tuple(options.items()))
    meant = meaning(_bundled(package).content, settings)
    shared = _shared(package, players)
    assert shared.made_with.agrees(meant, shared.lowered.known_options)
    read, known = shared.play(meant), _loaded(package, settings, open_options=False).play(meant)
    usual = shared.play(shared.made_with)
    ways = [[list(_played(play, seed)) for seed in range(2)] for play in (read, known, usual)]
    assert ways[0] == ways[1]
    # The options matter: otherwise the games would be the same whatever the cells hold.
    assert ways[0] != ways[2]
