"""How much each stream of chance decides, where it can be worked out."""

from __future__ import annotations

import pytest

from talewright.report.playtest.statistics.luck import CHOICES, luck
from tests.report.playtest.tiny import job

STREAMS = ("die:red", "die:blue")

ONE_DIE = """
die red: 0, 1
die blue: 0, 1
action game:
    let r = do roll red
    let b = do roll blue
    if r == 1: go to good_end
    if b == 5: go to good_end
    go to bad_end
"""

# Only both together tell who wins: each alone turns half the games, as a new game would.
EITHER = """
die red: 0, 1
die blue: 0, 1
action game:
    let r = do roll red
    let b = do roll blue
    if r == b: go to good_end
    go to bad_end
"""

CHOICE = """
die red: 0, 1
action game:
    choose k from (1..4) by player "Which?"
    let r = do roll red
    if k == 1: go to good_end
    go to bad_end
"""


def test_a_die_that_decides_alone() -> None:
    found = luck(job(ONE_DIE), STREAMS, 1, 400)["streams"]
    # Red turns the result half the time, as two games apart differ half the time: share one.
    assert found["die:red"]["share"] == pytest.approx(1, abs=0.12)
    assert found["die:red"]["other_result"]["low"] < 0.5 < found["die:red"]["other_result"]["high"]
    assert found["die:blue"]["share"] == found[CHOICES]["share"] == 0


def test_dice_that_decide_only_together() -> None:
    found = luck(job(EITHER), STREAMS, 1, 400)["streams"]
    assert found["die:red"]["share"] == pytest.approx(1, abs=0.12)
    assert found["die:blue"]["share"] == pytest.approx(1, abs=0.12)


def test_choices_count_like_a_stream_and_jobs_do_not_matter() -> None:
    alone = luck(job(CHOICE), STREAMS[:1], 1, 400)
    # A new choice turns 2 * 1/4 * 3/4 of the games, which is all there is to turn.
    assert alone["streams"][CHOICES]["share"] == pytest.approx(1, abs=0.15)
    assert alone["streams"]["die:red"]["share"] == 0
    assert luck(job(CHOICE), STREAMS[:1], 1, 400, jobs=2) == alone
