"""Wordings of a hostile document: text, never code or a format, and never without end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from talewright.cli.terminal.answers import Answers
from talewright.cli.terminal.news import News
from talewright.report.table.tabletop import table_lines
from talewright.runtime.session import Decision, Game, load
from tests.runtime.observed_games import compiled

GAME = '''
role Keeper 1..1 named p reads "keeper|keepers":
    breath: track 0..5 start 5 reads "breath"
    satchel: pile of Book
kind Book is Card reads "book|books":
    weight: 1..3 = 2 reads "weight"
    teaches: effect(reader: Keeper)
trait Weary(n: int) reads "Weary {n}"
token lamp * 4 reads "lamp|lamps"
track water 0..10 reads "the water":
    at 10: chill p by 1
pile lost of Book reads "the lost books"
value soaked(k: Keeper) reads "{k is|are} wet" = k.breath < 3
action chill k: Keeper by n: int reads "{k loses|lose} {n breath|breaths}": k.breath - n
action sigh reads "sigh": p.breath - 1
anytime by p when p.breath > 3: sigh
menu deeds(k: Keeper): pass "Rest"
offer "Shiver" in deeds(k): chill k by 1
offer "Sing" in deeds(k) when soaked(k): chill k by 2
Book almanac "The Almanac":
    reads "Read it"
    teaches reads "Learn": chill reader by 1
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    place almanac at lost
    chill p by 1
    open deeds(p) by p
    open deeds(p) by p
    go to night
'''
HOSTILE = {
    "format": "{k.__class__.__mro__} {0} {k!r} %s %(x)s {n:>99999999} {{}} $x `id`",
    "long": "water " * 30_000,
    "deep": "[" * 4000 + "{k}" + "]" * 4000,
    "bars": "|" * 3000,
    "holes": "{k}" * 400,
    "control": "\x1b[2J\x1b]0;owned\x07\r\nTaken.",
}
MOST = 4000


def _given(node: Any, wording: str) -> Iterator[None]:
    """Puts a wording wherever a document has one."""
    if isinstance(node, list):
        for item in node:
            yield from _given(item, wording)
    elif isinstance(node, dict):
        for key in node:
            if key == "reads":
                node[key] = wording
                yield None
            else:
                yield from _given(node[key], wording)


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_a_hostile_wording_is_bounded_text(kind: str) -> None:
    document = compiled(GAME)
    assert sum(1 for _ in _given(document["content"], HOSTILE[kind][:100_000])) > 10
    told: list[str] = []
    news: list[News] = []

    def choose(decision: Decision) -> int:
        answers = Answers(decision.game, news[0].narrator.cards)
        lines = [*answers.options(decision, range(len(decision.options)))]
        for name in ("almanac", "water", "lost", "p", "1", "chapter"):
            lines += answers.look(name, decision, 80)
            lines += answers.why(name, decision, 80)
        lines += answers.why("", decision, 80)
        lines += table_lines(decision.game.view(), decision.seat, 80)
        lines += news[0].tell(decision.seat, "", 80)
        told.extend(line.plain for line in lines)
        return 0

    game = Game(load(document, traced=True), 1, choose)
    news.append(News(game))
    game.listener = news[0]
    game.run()
    assert "object" not in " ".join(told)
    assert "Keeper" not in " ".join(told).replace("(Keeper)", "")
    assert max(map(len, told)) < MOST
    assert sum(map(len, told)) < 20 * MOST
