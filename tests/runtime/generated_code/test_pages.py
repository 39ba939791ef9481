"""Pages that are turned in one loop lead where pages lead that are unwound one by one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from talewright.compiler.in_memory import compile_together, memory_package
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.imagining import ImaginedGame
from talewright.runtime.program import Program
from talewright.runtime.searching import Greedy

HEAD = """
role Reader is Thing named reader
state turned: int = 0
state luck: int = 0
kind Page is Chapter:
    does: effect
kind Crossing is Chapter
action game: go to door
action away n: int:
    if n > 2: go to the_end
instead of play Page page:
    turned + 1
    if turned > 40: go to the_end
    say page.text
    do page.does
    follow page.choice by reader
Ending the_end "The End":
    \"\"\"Shut.\"\"\"
"""
STORY = """
Page door "Door":
    \"\"\"A door.\"\"\"
    does: luck + 1
    choice:
        "In" -> hall
        "Round" when luck >= 3 -> garden
        "Up" when luck < 2 -> hall
        "Down" when turned > 5 -> garden
Page hall "Hall":
    does: away (luck - 9)
    choice:
        "Out" -> door
        otherwise -> garden
Page garden "Garden":
    \"\"\"A garden.\"\"\"
    choice:
        "On" when luck > 1 -> crossing
        "Back" -> door
Crossing crossing "Crossing":
    choice:
        "To the door" -> door
        "To the hall" -> hall
"""


def program(story: str, head: str = HEAD) -> Program:
    result = compile_together(memory_package({"story.tale": head + story}))
    assert result.document is not None, result.diagnostics
    return Program(result.document, {}, 1)


def played(made: Program, seed: int, one_by_one: bool, reads: bool) -> tuple[Any, ...]:
    """How a game went: its end, every answer, every text, and what each decision offered."""
    random = Random(seed).random
    offered: list[Any] = []

    def reader(decision: Decision) -> int:
        offered.append((decision.id, decision.seat, [(o.id, o.text(), o.value) for o in decision.options]))
        decision.options.reverse()  # what a reader does to its own list is its own affair
        return int(random() * len(decision.options))

    game = Game(made, seed, resumable=one_by_one)
    game.reset(seed)
    if reads:
        game.agent = reader
    else:
        game.quick = lambda count: int(random() * count)
    try:
        end = game.run()
    except Fault as fault:
        end = str(fault)
    space = game.space
    return end, list(game.log), list(game.said), offered, list(space["S"])[:3]


@pytest.mark.parametrize("reads", [False, True])
def test_both_ways_lead_to_the_same_end(reads: bool) -> None:
    made = program(STORY)
    assert made.page_rules, "this story is turned in one loop"
    ends = set()
    for seed in range(40):
        one = played(made, seed, True, reads)
        assert played(made, seed, False, reads) == one
        ends.add(len(one[1]))
    assert len(ends) > 3


def test_a_bot_that_thinks_looks_at_every_fork_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(program(STORY), 5)
    bot = Greedy(1)
    stood: list[int] = []
    monkeypatch.setattr(ImaginedGame, "stand_at", lambda self, at: stood.append(len(at.log)))

    def agent(decision: Decision) -> int:
        assert bot.begin(decision) is bot.begin(decision)
        return 0

    game.agent = agent
    game.run()
    assert len(stood) > 3
    assert stood == list(range(len(game.log)))


def test_pages_that_do_the_same_share_what_does_it_unless_it_can_fail() -> None:
    pages = "".join(
        f"""
Page twin_{n} "Twin {n}":
    does: luck + 2
    choice:
        "On" when luck > 7 -> garden
        "Back" -> hall
Page risky_{n} "Risky {n}":
    does: luck + 9 / (luck - luck)
    choice:
        "On" -> garden
        "Back" -> twin_{n}
"""
        for n in range(3)
    )
    made = program(STORY + pages)
    assert made.source.count(" += 2\n") == 1
    lines = (HEAD + STORY + pages).split("\n")
    for n in range(3):
        with pytest.raises(Fault) as fault:
            Game(made, 1).run(f"risky_{n}")
        line = fault.value.frames[-1].line
        assert lines[line - 2 : line] == [
            f'Page risky_{n} "Risky {n}":',
            "    does: luck + 9 / (luck - luck)",
        ]


def test_the_loop_is_what_turns_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    made = program(STORY)
    monkeypatch.setattr(Game, "play", None)
    assert played(made, 1, False, False)[0] == "the_end"


@pytest.mark.parametrize(
    "more",
    [
        "before play Page page: luck + 1\n",
        "after play Crossing c: luck + 1\n",
        "forbid play Page page when luck > 50\n",
        "at start of chapter: luck + 1\n",
        "instead of play Crossing c:\n    as usual\n",
        "instead of play Crossing c:\n    give 3\n",
    ],
)
def test_what_hangs_on_the_call_is_left_to_the_call(more: str) -> None:
    made = program(STORY + more)
    assert not made.page_rules
    assert played(made, 3, False, True) == played(made, 3, True, True)


CELLAR = """
Page cellar "Cellar":
    state dust: int = 1
    does: dust + 1
    choice:
        "Up" when dust > 1 -> door
        "Down" -> hall
"""


def test_chapters_with_rules_and_states_are_entered_and_left() -> None:
    ruled = STORY.replace(
        "    does: away (luck - 9)\n", "    does: away (luck - 9)\n    after away n: luck + 1\n"
    )
    made = program(ruled.replace('"Round" when luck >= 3 -> garden', '"Round" -> cellar') + CELLAR)
    assert made.page_rules
    for seed in range(20):
        assert played(made, seed, False, True) == played(made, seed, True, True)


def test_a_page_without_a_way_on_is_told() -> None:
    made = program(
        STORY.replace(
            '        "Out" -> door\n        otherwise -> garden', '        "Out" when luck > 99 -> door'
        )
    )
    assert "R13" in played(made, 1, False, True)[0] or "nowhere" in played(made, 1, False, True)[0]
    assert played(made, 1, False, False)[0] == played(made, 1, True, False)[0]


def test_a_story_without_end_is_told() -> None:
    made = program(
        STORY, HEAD.replace("if turned > 40: go to the_end", "nothing").replace("if n > 2", "if n > 200000")
    )
    game = Game(made, 1)
    game.quick = lambda count: 0
    with pytest.raises(Fault):
        game.run()
