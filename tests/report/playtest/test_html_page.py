"""The report of a playtest: complete in itself, and looked at in a real browser where there is one."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import orjson
import pytest

from talewright.compiler.in_memory import plain
from talewright.dsl.text_sanitizer import CONTROL
from talewright.report.playtest.output.charts import bars, histogram, over_rounds, reached
from talewright.report.playtest.output.html_page import render
from tests.report.playtest.browser import PROBE, chromium, run
from tests.report.playtest.test_statistics import CARDS, CHOICE, ROUNDS, STORY
from tests.report.playtest.tiny import HEAD, document, playtest

LONG = STORY.replace('"The Hall"', f'"The Hall of {"very " * 40}long names, {"x" * 90}"')

DRAW = """
extend Ending:
    parting: yes | no = no
Ending even "Nobody Wins"
action game:
    let n = do roll d2
    if n == 1: go to good_end
    go to even
"""


def page(text: str, games: int = 60, **more: Any) -> str:
    result = {**playtest(text, games), "scenario": "sample", "version": "0.1.0", "players": 1, **more}
    return render(result, orjson.loads(document(text)), lambda file, line: f"{file}#L{line}")


@pytest.mark.parametrize("text", [CARDS, CHOICE, ROUNDS, STORY], ids=["cards", "choice", "rounds", "story"])
def test_the_page_needs_nothing_but_itself(text: str) -> None:
    html = page(text)
    assert not re.search(r"""(src|href)\s*=\s*["'](https?:)?//""", html)
    assert not re.search(r"@import|url\((?!#)", html)
    assert html.count("<h2>") >= 4


def test_dead_content_is_linked_to_its_line() -> None:
    html = page(CARDS)
    lines = (plain(HEAD) + plain(CARDS)).splitlines()
    place = (
        f"sample/sample.tale:{1 + next(n for n, line in enumerate(lines) if line.startswith('Card joker'))}"
    )
    assert f'<li>Joker <a class="place" href="{place.replace(":", "#L")}">{place}</a></li>' in html


def test_names_cannot_break_out() -> None:
    html = page(STORY.replace("The Hall", "<script>alert(1)</script>"))
    assert "<script>alert(1)" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_no_character_turns_a_text_round_or_commands_a_terminal() -> None:
    html = page(STORY.replace("The Hall", "The \u202eHa\x1b[31mll"))
    assert "The \ufffdHa\ufffd[31mll" in html
    assert not CONTROL.search(html)


def test_what_the_page_says_first() -> None:
    html = unescape(page(STORY, 300))
    rate = playtest(STORY, 300)["win_rate"]
    assert f"300 games played at random: {rate['value']:.1%} were won" in html
    assert "Never met: 1 page" in html


def test_ways_that_only_play_shows_are_drawn() -> None:
    """A rule may end the game on any page, and no page says so."""
    edges = playtest(STORY, 60)["edges"]

    def drawn(times: int) -> int:
        more = {"from": "attic", "to": "bad_end", "by": [], "times": times}
        return page(STORY, edges=[*edges, more]).count('marker-end="url(#arrow)"')

    assert drawn(0) == drawn(3) - 1 > 4


def test_an_ending_that_is_neither_won_nor_lost_is_not_red() -> None:
    assert 'class="lost"' in page(CHOICE, 40)
    html = page(DRAW, 40)
    assert "Nobody Wins" in html
    assert 'class="won"' in html
    assert 'class="lost"' not in html


def test_charts_show_what_they_are_given() -> None:
    drawn = bars([("Won & done", 0.25, 0.2, 0.3, "won")])
    assert "25.0%" in drawn
    assert "Won &amp; done" in drawn
    assert 'class="won" x="0" y="23.0" width="92.5"' in drawn
    bins = histogram({"1": 5, "2": 10, "100": 1}, "turns")
    assert "<title>1 to 4: 15</title>" in bins
    assert histogram({}, "turns") == ""
    rows = [{"round": n, "p5": 0, "p25": n, "median": 2 * n, "p75": 3 * n, "p95": 4 * n} for n in (1, 2)]
    assert over_rounds(rows, "doom").count("<polygon") == 2


@pytest.mark.parametrize(
    ("games", "shown"), [([900, 9, 8], 2), ([40, 5, 4, 1], 2), ([3, 3, 2], 2), ([1], 1), ([], 0)]
)
def test_rounds_that_hardly_any_game_reaches_are_not_drawn(games: list[int], shown: int) -> None:
    rows = [{"round": n, "games": count} for n, count in enumerate(games, 1)]
    assert reached(rows) == rows[:shown]


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_overflows_and_the_tables_sort(tmp_path: Path, width: int) -> None:
    for number, text in enumerate((CARDS, LONG, ROUNDS)):
        place = tmp_path / f"page{number}.html"
        place.write_text(page(text).replace("</head>", f"{PROBE}</head>"), "utf-8")
        shot = tmp_path / f"shot{number}.png"
        printed = run(place, width, "--virtual-time-budget=3000", "--dump-dom", f"--screenshot={shot}")
        assert shot.stat().st_size > 10_000
        found = _found(printed)
        assert found["width"] == width
        assert found["problems"] == []
        assert found["overflow"] <= 0, found
        assert found["wide"] == []
        assert found["sorted"]


def _found(printed: str) -> dict[str, Any]:
    match = re.search(r'data-found="([^"]*)"', printed)
    assert match is not None, printed[-500:]
    made: dict[str, Any] = json.loads(unescape(match[1]))
    return made
