"""`tale test --break` and the offers of menus: they are broken behind a switch, as in a program of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.compiler import compile_package
from talewright.runtime.proving.breaker import Breaker
from talewright.runtime.proving.breaking import UNASKED, WITHOUT_RULE
from talewright.runtime.proving.runner import Runner
from talewright.schemas.nodes.codec import read_document

RULES = """\
role Player 1..2 named p
state gold: int = 3
state seen: yes | no = no
menu counter(p: Player): pass "Enough"
offer "Buy a rope" in counter(p) when gold >= 2: buy by p
offer "Look around" in counter(p) when not seen: look by p
offer "Steal a rope" in counter(p): steal by p
offer "Buy for {n}" in counter(p): buy_for n by p
action buy by p: Player: gold - 2
action look by p: Player: seen = yes
action steal by p: Player: gold + 1
action buy_for n: 1..2 by p: Player: gold - n
action enter by p: Player: open counter(p) by p "At the counter" until passed
test "buying":
    answer menu.counter: "Buy a rope", none
    when enter by p1
    expect gold == 1 and not offered(buy by p1)
test "for how much":
    answer menu.counter: "Buy for 1", none
    when enter by p1
    expect gold == 2
"""


def test_an_offer_is_taken_away_as_a_whole_and_behind_a_switch(tmp_path: Path) -> None:
    (tmp_path / "tale.toml").write_text(
        'name = "shop"\nversion = "0.1.0"\ntitle = "A Shop"\ntype = "system"\n'
    )
    (tmp_path / "rules.tale").write_text(RULES)
    compiled = compile_package(tmp_path).document
    assert compiled is not None
    document = read_document(compiled)
    tests = list(range(len(document.content.tests)))
    breaker = Breaker(document, tests, lambda file: True)
    breaker.prepare()
    lines = RULES.splitlines()
    noticed: dict[str, dict[str, bool]] = {}
    for found in breaker.places:
        line = lines[breaker.place(found)[1] - 1]
        if line.startswith("offer"):
            assert found in breaker.numbers
            outcome = breaker.attempt(found).noticed
            assert outcome == (breaker.apart(found, tests) is not None), found
            noticed.setdefault(found.what, {})[line.split('"')[1]] = outcome
    assert noticed[WITHOUT_RULE] == {
        "Buy a rope": True, "Look around": False, "Steal a rope": False, "Buy for {n}": True,
    }  # fmt: skip
    assert noticed[UNASKED] == {"Buy a rope": True, "Look around": False}
    assert noticed.keys() <= {WITHOUT_RULE, UNASKED, "3 instead of 2", "`>` instead of `>=`"}


def test_what_cannot_be_put_into_words_any_more_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tale.toml").write_text(
        'name = "shop"\nversion = "0.1.0"\ntitle = "A Shop"\ntype = "system"\n'
    )
    (tmp_path / "rules.tale").write_text(RULES)
    compiled = compile_package(tmp_path).document
    assert compiled is not None
    document = read_document(compiled)
    breaker = Breaker(document, [0, 1], lambda file: True)
    breaker.prepare()

    def nonsense(*_: object) -> None:
        raise ValueError("zip() argument 2 is shorter than argument 1")

    monkeypatch.setattr(Runner, "one", nonsense)
    reached = next(found for found in breaker.places if breaker.numbers[found] in breaker._came[0])
    assert breaker.attempt(reached).test in {0, 1}
    assert breaker.apart(reached, [0, 1]) == 0
