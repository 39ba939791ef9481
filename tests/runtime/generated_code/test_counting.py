"""Counted games are the same games."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from orjson import loads

from talewright.compiler import compile_package
from talewright.runtime.bots import RandomBot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram, NotedGame, NotedProgram
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program
from tests.report.playtest.tiny import document, playtest


class LongWay(CountedProgram):
    """A counted program that takes no short way."""

    plain = False


ROOT = Path(__file__).resolve().parents[3]
# Packages with their chapter, players, options, and how many games are enough.
CASES: list[tuple[str, str | None, int, dict[str, Any], int]] = [
    ("scenarios/salem/night", None, 2, {}, 12),
    ("scenarios/salem/night", None, 4, {"strict_artefact": True, "dagger_slays_all": True}, 4),
    ("scenarios/blackmere", None, 2, {}, 1),
    ("scenarios/dark_rituals/encounters", "yard", 1, {}, 4),
    ("scenarios/brimstone/fistful", None, 2, {}, 1),
    ("tests/fixtures/play/island", None, 2, {}, 20),
]


def document_of(package: str) -> dict[str, Any]:
    document = compile_package(ROOT / package).document
    assert document is not None
    return document


def counts(game: CountedGame) -> dict[str, Any]:
    """What one game met, by names. How often a condition was looked at depends on the way; whether it ever held does not."""
    sites: Counter[tuple[Any, ...]] = Counter()
    for site, times in zip(game.program.sites, game.met_sites(), strict=True):
        looked = site["name"].startswith(("modify", "forbid")) and site["kind"] == "rule"
        sites[tuple(site.values())] += bool(times) if looked else times
    names = [point["id"] for point in game.program.points]

    def named(point: int) -> Any:
        return (names[point], game.program.points[point]["at"]) if point >= 0 else point

    taken = [(named(point), game.option_name(point, key)) for point, key in game.taken]
    offered = Counter({(named(point), name): n for (point, name), n in game.take_offered().items()})
    return {
        "log": [index for _, index in game.log],
        "sites": {key: times for key, times in sites.items() if times},
        "came": {sort: came for sort, (came, _) in game.met_things().items() if came},
        "acted": {sort: acted for sort, (_, acted) in game.met_things().items() if acted},
        "taken": taken,
        "offered": offered,
        "rounds": [list(kept) for kept in game.rounds],
        "uses": game.uses,
        "pages": list(game.pages),
    }


def play(game: Any, seed: int, chapter: str | None, asked: bool = False) -> str:
    game.reset(seed)
    if asked:
        game.quick, game.agent = None, RandomBot(seed)
    else:
        quick_random(game, seed)
    try:
        return str(game.run(chapter))
    except Fault as fault:
        return fault.code


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].replace('/', '_')}-{case[2]}")
@pytest.mark.unwatched
def test_short_ways_count_the_same(case: tuple[str, str | None, int, dict[str, Any], int]) -> None:
    package, chapter, players, options, games = case
    document = document_of(package)
    # What tuning does to plain games is looked at by `test_lean`.
    plain = Game(Program(document, options, players), hurried=False)
    light = NotedGame(NotedProgram(document, options, players))
    short = CountedGame(CountedProgram(document, options, players))
    long = CountedGame(LongWay(document, options, players), hurried=False)
    for seed in range(games):
        ends = [play(game, seed, chapter) for game in (plain, light, short, long)]
        assert len(set(ends)) == 1
        found, wanted = counts(short), counts(long)
        assert found["log"] == [index for _, index in plain.log]
        if not ends[0].startswith("R"):
            assert light.space["TOLD"]() == short.space["TOLD"]() == long.space["TOLD"]()
            assert found["acted"].keys() == wanted["acted"].keys()
            del found["acted"], wanted["acted"]
            for key in found:
                assert found[key] == wanted[key], key
        assert light.pages == short.pages
        anytime = [n for n, site in enumerate(short.program.sites) if site["kind"] == "anytime"]
        assert len(short.taken) + sum(short.met_sites()[n] for n in anytime) == len(short.log)


@pytest.mark.parametrize("name", ["salem/night", "dark_rituals/encounters"])
def test_what_is_counted_does_not_depend_on_how_options_are_read(name: str) -> None:
    game = CountedGame(CountedProgram(document_of(f"scenarios/{name}")))
    for seed in range(4):
        found = []
        for asked in (False, True):
            end = play(game, seed, "yard" if "dark" in name else None, asked)
            found.append(counts(game))
            assert not end.startswith("R")
        assert found[0] == found[1]


TOLD = """
kind Charm:
    in force while self in worn
Charm star "Star":
    modify power: + 2
pile worn of Charm = star
value power = 1
option asked: 0..1 = 0
state steps: int = 0
menu deeds(p: Player): pass "Wait"
offer "Leap by {power}" in deeds(p): leap
offer "Rest" in deeds(p): rest
action game:
    say "The power is {power}."
    choose k from (1..2) by player "Which, with {power}?"
    choose one by player "How?":
        "Up to {power}" -> leap
        "Down" -> rest
    player may "Spend {power}?": rest
    open deeds(player) by player
    if asked == 1 and power == 3: go to good_end
    go to bad_end
action leap: steps + 2
action rest: steps + 1
"""


@pytest.mark.parametrize("asked", [False, True])
def test_what_is_only_told_is_not_met(asked: bool) -> None:
    made = orjson.loads(document(TOLD))
    game = CountedGame(CountedProgram(made, {"asked": int(asked)}))
    site = next(n for n, site in enumerate(game.program.sites) if site["name"] == "modify power")
    said = set()

    def reading(decision: Decision) -> int:
        said.update([decision.prompt, *(option.text() for option in decision.options)])
        return 0

    game.reset(1)
    game.quick, game.agent = None, reading
    assert game.run() == ("good_end" if asked else "bad_end")
    assert {"Which, with 3?", "Up to 3", "Spend 3?", "Leap by 3"} <= said
    assert game.said == ["The power is 3."]
    assert game.met_sites()[site] == asked
    assert game.met_things().get("star", (0, 0))[1] == asked


BANDS = """
kind Coin
Coin copper "Copper"
Coin gold "Gold"
kind Chest:
    holds: bands of Coin
Chest old "Old" * 2:
    holds:
        ..4 -> copper
        5..6 -> gold
        7.. -> copper
state found: int = 0
action game:
    let n = do roll d6
    let got = first old_1.holds[n]
    if got is gold: go to good_end
    go to bad_end
"""


def test_rows_of_bands_in_fields_are_counted() -> None:
    result = playtest(BANDS, 300)
    rows = {r["name"]: r["times"] for r in result["rules"] if r["kind"] == "row"}
    assert rows == {
        "old: ..4": result["outcomes"]["bad_end"],
        "old: 5..6": result["outcomes"]["good_end"],
        "old: 7..": 0,
    }
    assert "old: 7.." in [r["name"] for r in result["never"]["rules"]]


NAMED_ROWS = """
kind Coin
Coin copper "Copper"
Coin gold "Gold"
kind Mood
Mood glad "Glad"
Mood sad "Sad"
kind Chest:
    holds: bands of Coin
    turns_to: bands of Coin
Chest old "Old" * 2:
    holds:
        1 -> copper
        2 -> gold
        3..6 -> copper
    turns_to: glad -> gold; sad -> copper
action game:
    let n = do roll d6
    let got = first old_2.holds[n]
    if n == 6: go to bad_end
    let more = first old_1.turns_to[glad]
    if got is gold and more is gold: go to good_end
    go to bad_end
"""


def test_rows_of_one_number_and_rows_by_name_are_counted() -> None:
    result = playtest(NAMED_ROWS, 600)
    rows = {r["name"]: r["times"] for r in result["rules"] if r["kind"] == "row"}
    assert result["errors"] == 0
    assert rows["old: 2"] == result["outcomes"]["good_end"]
    assert sum(rows[f"old: {key}"] for key in ("1", "2", "3..6")) == 600
    # One in six stops before it reads on, half of the rest of the third row is 4 or 5.
    assert rows["old: glad"] == pytest.approx(500, abs=40)
    assert rows["old: sad"] == 0


COPIES = """
kind Stone
Stone pebble "Pebble" * 3
Stone rock "Rock"
pile heap of Stone = (pebble + rock)
action game:
    repeat 2 times: pick_one
    go to bad_end
action pick_one:
    choose s from Stone by player "Which stone?"
"""


def test_copies_of_a_thing_are_one_option() -> None:
    options = playtest(COPIES, 500)["points"]["pick_one.s"]["options"]
    assert options.keys() == {"pebble", "rock"}
    assert options["pebble"]["offered"] == options["rock"]["offered"] == 1000
    assert options["pebble"]["taken"] + options["rock"]["taken"] == 1000
    # Three games in four take a pebble at least once.
    assert options["pebble"]["games"] == pytest.approx(375, abs=40)
    assert options["rock"]["games"] <= 500


BONES = """
kind Symbol
Symbol sword "Sword"
Symbol shield "Shield"
die Bone * {count}:
    faces: sword, shield
bag bones of Bone = all Bone
pile tray of Bone
action game:
    roll 2 from bones into tray
    choose up to 1 b from tray by player "Which?"
    if b is none: go to bad_end
    if b.face is sword: go to good_end
    go to bad_end
"""


@pytest.mark.parametrize("count", [1, 3])
def test_whoever_chooses_a_die_chooses_what_it_shows(count: int) -> None:
    result = playtest(BONES.replace("{count}", str(count)), 600)
    options = result["points"]["game.b"]["options"]
    assert options.keys() == {"Bone (Sword)", "Bone (Shield)", "none"}
    assert options["Bone (Sword)"]["taken"] == result["outcomes"]["good_end"]
    # Of two dice, one at least shows it in three games of four; two that show the same are one option.
    share = 1 / 2 if count == 1 else 3 / 4
    for name in ("Bone (Sword)", "Bone (Shield)"):
        assert options[name]["offered"] == pytest.approx(600 * share, abs=40)
    assert options["none"]["offered"] == 600
    asked = CountedGame(CountedProgram(orjson.loads(document(BONES.replace("{count}", str(count))))))
    for seed in range(12):
        found = []
        for slowly in (False, True):
            play(asked, seed, None, slowly)
            found.append(counts(asked))
        assert found[0] == found[1]


TWO_TEXTS = """
kind Mark
Mark cross "Cross"
kind Stone:
    brings: bands of Mark
Stone pebble "Pebble" * 2
Stone rock "Rock":
    brings: ..3 -> cross; 4.. -> cross
Stone slate "Slate":
    brings: ..3 -> cross; 4.. -> cross
pile heap of Stone = (pebble + rock)
action game:
    pebble_1.brings = rock.brings
    pebble_2.brings = slate.brings
    repeat 2 times: pick_one
    go to good_end
action pick_one:
    choose s from heap by player "Which stone?"
value score = 1
value appeal_pick_one_s(s: Stone) = 1
"""


def test_bands_that_read_alike_are_alike_wherever_they_are_written() -> None:
    seen = []
    for program, game in ((Program, Game), (CountedProgram, CountedGame)):
        one = game(program(loads(document(TWO_TEXTS)), {}))
        one.reset(1)
        one.agent = lambda decision: seen.append([option.id for option in decision.options]) or 0  # type: ignore[func-returns-value]
        one.run(None)
    assert seen == [["pebble_1", "rock"]] * 4
    assert playtest(TWO_TEXTS, 5, "guided")["errors"] == 0
