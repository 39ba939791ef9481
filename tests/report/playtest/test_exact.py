"""Statistics against numbers that can be worked out on paper, and results side by side."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from talewright.cli.main import main
from talewright.report.playtest.output.plain_words import always_taken
from talewright.report.playtest.run.chunks import Chunk
from talewright.report.playtest.run.games import play_chunk
from talewright.report.playtest.statistics.comparison import compare
from talewright.report.playtest.statistics.estimates import bands
from talewright.report.playtest.statistics.luck import luck
from talewright.report.playtest.statistics.summary import agency
from tests.report.playtest.test_statistics import CARDS, STORY
from tests.report.playtest.tiny import HEAD, job, playtest
from tests.runtime.bots.test_bots import LADDER


def test_bands_of_the_numbers_up_to_a_hundred() -> None:
    every = dict.fromkeys(range(101), 3)
    every[0] = every[100] = 2
    assert bands(every) == {"games": 301, "p5": 5, "p25": 25, "median": 50, "p75": 75, "p95": 95}
    assert "things" in bands(every, "things")


BELLS = """
state bells: int = 0
measure rung = bells
action game:
    let n = do roll d2
    if n == 1:
        ring
        ring
        ring
    go to bad_end
action ring: bells + 1
after ring: bells + 1
after ring when bells > 5: bells + 4
"""


def test_times_and_games_of_a_rule_are_two_things() -> None:
    result = playtest(BELLS, 150)
    rung = result["measures"]["rung"]["histogram"]
    assert rung.keys() == {"0", "10"}
    games = rung["10"]
    ring = next(site for site in result["rules"] if site["name"] == "ring")
    always, last = [site for site in result["rules"] if site["name"] == "after ring"]
    for site, times in ((ring, 3 * games), (always, 3 * games), (last, games)):
        assert (site["times"], site["games"], site["share"]) == (times, games, games / 150)
    die = result["chance"]["die:d2"]
    assert (die["uses"], die["games"], die["per_game"]) == (150, 150, 1)


BREAKING = """
kind Coin is Card
Coin penny "a penny" * 3
deck purse of Coin = all Coin
track toll 0..9 start 1
action game:
    toll + 1
    let coin = do draw from purse
    choose k from (0..3) by player "How many?"
    choose one by player:
        "Left" -> toll + 1
        "Right" -> toll + 2
    let share = 12 / k
    go to bad_end
after draw: toll + 1
"""


def test_a_game_that_breaks_off_is_counted_as_an_error_alone() -> None:
    asked = job(BREAKING, games=60)
    whole = play_chunk(asked, Chunk(((1, 60),))).tally
    broken = {failure["seed"] for failure in whole.failures}
    assert whole.errors == whole.outcomes.pop("error") == len(broken) > 5
    rest = play_chunk(asked, Chunk(tuple((seed, 1) for seed in range(1, 61) if seed not in broken))).tally
    assert rest.offered
    whole.games -= whole.errors
    whole.errors, whole.failures = 0, []
    assert whole == rest


def test_agency_is_what_is_left_after_chance() -> None:
    # Two options: 20 wins of 40 and 42 of 60.
    rates = {"a": (Fraction(1, 2), 40), "b": (Fraction(7, 10), 60)}
    share = Fraction(62, 100)
    whole = 100 * share * (1 - share)
    between = sum(n * (rate - share) ** 2 for rate, n in rates.values())
    within = (whole - between) / 98
    found = agency({name: (float(rate), n) for name, (rate, n) in rates.items()})
    assert found["explained"] == pytest.approx(float((between - within) / (whole + within)))
    assert found["spread"] == pytest.approx(0.2)
    # A difference as small as chance makes on average explains nothing.
    assert agency({"a": (0.5, 40), "b": (0.52, 60)})["explained"] == 0


def test_what_is_never_and_what_is_always_taken() -> None:
    point = playtest(LADDER, 30, "greedy")["points"]["climb.choice"]
    assert {name: (row["offered"], row["taken"]) for name, row in point["options"].items()} == {
        "Up": (150, 150),
        "Stay": (150, 0),
        "Down": (150, 0),
    }
    assert point["always_taken"] == ["Up"]
    assert sorted(point["never_taken"]) == ["Down", "Stay"]
    point = playtest(LADDER, 30)["points"]["climb.choice"]
    assert point["always_taken"] == point["never_taken"] == []


def test_where_there_is_nothing_else_nothing_is_always_taken() -> None:
    climbing = playtest(LADDER, 30, "greedy")
    assert [(name, option) for name, option, _ in always_taken(climbing)] == [("climb.choice", "Up")]
    # Cards that lie face down have one name, however many there are.
    alone = {"options": {"face down": {"offered": 50}}, "always_taken": ["face down"]}
    assert always_taken({"points": {"game.c": alone}}) == []


TWINS = """
kind Coin is Card
Coin penny "Penny" * 2
Coin crown "Crown"
pile purse of Coin = all Coin
pile hat of Coin
menu deeds(q: Player): pass "Wait"
offer "Rest" in deeds(q): nothing
offer "Toss {c}" in deeds(q): toss c
action toss c: Coin:
    requires c in purse
    move c to hat
action game:
    move first purse to hat
    choose c from Coin by player
    move c to purse
    open deeds(player) by player
    go to good_end
"""


def test_options_that_count_as_one_are_offered_once() -> None:
    # One penny lies in the hat, and several coins can be tossed.
    points = playtest(TWINS, 60)["points"]
    assert {name: row["offered"] for name, row in points["game.c"]["options"].items()} == {
        "crown": 60,
        "penny": 60,
    }
    deeds = points["menu.deeds"]["options"]
    assert {name: row["offered"] for name, row in deeds.items()} == {"Rest": 60, "Toss …": 60, "pass": 60}
    assert sum(row["taken"] for row in deeds.values()) == 60


DRAWN = """
kind Omen is Card:
    force: int = 1
Omen gale "Gale"
Omen hail "Hail"
Omen rain "Rain" * 2
Omen dew "Dew"
Omen fog "Fog"
deck weather of Omen = gale
deck returned of Omen returning = hail
bag drops of Omen returning = rain * 2
deck spoken of Omen returning = fog
pile open_air of Omen
deck never of Omen = dew
state now: Omen or none = none
state danger: int = 0
action game:
    now = do draw from weather
    if now != none: move now to box
    let back = do draw from returned
    let some = do draw 2 from drops
    danger = back.force + count(some)
    let told = do draw from spoken
    move told to open_air
    let again = do draw from open_air
    move again to open_air
    go to good_end
"""


def test_what_was_drawn_was_met_wherever_it_goes() -> None:
    result = playtest(DRAWN, 10)
    things = result["things"]
    assert {name: things[name] for name in ("gale", "hail", "rain", "fog", "dew")} == {
        "gale": 10,
        "hail": 10,
        "rain": 20,
        "fog": 20,
        "dew": 0,
    }


# Red tells who wins; blue tells only which of two defeats it is.
TWO_DEFEATS = """
Ending worse_end "Worse": result: defeat
die red: 0, 1
die blue: 0, 1
action game:
    let r = do roll red
    let b = do roll blue
    if r == 1: go to good_end
    if b == 1: go to worse_end
    go to bad_end
"""


def test_a_die_that_turns_the_ending_but_not_the_result() -> None:
    found = luck(job(TWO_DEFEATS), ("die:red", "die:blue"), 1, 400)["streams"]
    blue = found["die:blue"]
    assert blue["other_result"]["value"] == blue["share"] == 0
    # In the half that is lost, every second time.
    assert blue["other_outcome"]["low"] < 1 / 4 < blue["other_outcome"]["high"]


def plain_result(won: float, mean: float = 10.0, error: float = 0.1) -> dict[str, Any]:
    length = {"mean": mean, "standard_error": error}
    return {
        "games": 1000,
        "finished": 1000,
        "win_rate": {"value": won},
        "outcomes": {},
        "rounds": length,
        "decisions": {"mean": 5.0, "standard_error": 0.1},
    }


def test_the_more_is_looked_at_the_surer_a_change_must_be() -> None:
    # Three numbers are compared. Five points more are z = 2.24, once in 40 times by chance: not enough of one in 60.
    assert compare(plain_result(0.5), plain_result(0.55)) == []
    # Six points are z = 2.69, once in 140 times.
    (change,) = compare(plain_result(0.5), plain_result(0.56))
    assert change.text() == "win rate: 50.0% -> 56.0% (+6.0 points)"
    assert change.chance == pytest.approx(0.0071, abs=0.0002)


def test_a_mean_is_as_sure_as_both_its_runs() -> None:
    for errors in ((0.1, 1.0), (1.0, 0.1)):
        before, after = plain_result(0.5, 10, errors[0]), plain_result(0.5, 12, errors[1])
        # Two apart with an error of 1.005 together: z = 1.99.
        assert compare(before, after) == []
    (change,) = compare(plain_result(0.5, 10, 0.6), plain_result(0.5, 13, 0.8))
    assert (change.what, change.text()) == ("rounds", "rounds: 10.00 -> 13.00 (+3.00)")
    assert change.chance == pytest.approx(0.0027, abs=0.0001)


def test_every_table_of_the_database_tells_what_the_result_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    monkeypatch.chdir(tmp_path)
    Path("game").mkdir()
    Path("game/tale.toml").write_text('name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n')
    for text in (STORY, CARDS):
        Path("game/game.tale").write_text(HEAD + text)
        made = playtest(text, 90)
        assert main(["playtest", "game", "--games", "90", "--jobs", "2", "--db", "games.duckdb"]) == 0
        with duckdb.connect("games.duckdb") as base:

            def asked(question: str) -> list[Any]:
                return base.sql(question).fetchall()

            visits = {page: entry["visits"] for page, entry in made["chapters"].items() if entry["visits"]}
            assert dict(asked("SELECT chapter, count(*) FROM chapters GROUP BY chapter")) == visits
            ways = asked(
                "SELECT a.chapter, b.chapter, count(*) FROM chapters a JOIN chapters b ON a.seed = b.seed "
                "AND b.place = a.place + 1 GROUP BY ALL"
            )
            assert {(a, b): n for a, b, n in ways} == {
                (edge["from"], edge["to"]): edge["times"] for edge in made["edges"] if edge["times"]
            }
            if visits:
                assert asked("SELECT DISTINCT min(place) FROM chapters GROUP BY seed") == [(1,)]
            uses = asked(
                "SELECT thing, sum(came), sum(acted), count(DISTINCT seed) FROM things GROUP BY thing"
            )
            assert {thing: tuple(map(int, rest)) for thing, *rest in uses} == {
                thing: (use["came"], use["acted"], use["games"])
                for thing, use in made["thing_uses"].items()
                if use["games"]
            }
            lengths = asked("SELECT decisions, count(*) FROM games GROUP BY decisions")
            assert {str(n): games for n, games in lengths} == made["lengths"]["decisions"]
            first = asked(
                "SELECT min(place), max(place), max(decisions) FROM decisions JOIN games USING (seed)"
            )
            assert first[0] in ((1, first[0][2], first[0][2]), (None, None, None))
