"""Distances to several things are worked out once for each of them, whatever the order in which they are asked."""

from __future__ import annotations

from talewright.runtime.ir.header import STEP_LIMIT, STEPS

from .small_games import game

YARD = """
role Player 1..1 named player
kind Yard is Piece
kind Thief is Figure
Grid town:
    cells: square
    steps: straight, diagonal
    pieces: Yard
Yard yard "The Yard":
    plan: \"\"\"
{rows}
        \"\"\"
Thief first_one "A"
Thief second_one "B"
Thief third_one "C"
Ending done "Done"
state far: int = 0
action game:
    lay yard on town
    stand first_one at square(1, 1)
    stand second_one at square(5, 9)
    stand third_one at square(10, 2)
    far = total(cells(town), {asked})
    choose n from (1..2) by player "Well?"
    go to done
"""
ALL = "distance(it, first_one) + distance(it, second_one) + distance(it, third_one)"


def played(asked: str) -> tuple[int, int]:
    """What comes out, and how many steps that takes."""
    playing = game(YARD.format(rows="\n".join(["        .........."] * 10), asked=asked))
    assert playing.next() is not None
    far = playing.words.cell(playing.program.lowered.layout.state_cells["far"])
    return far, STEP_LIMIT - playing.machine.read(STEPS, 1)[0]


def test_distances_to_three_cost_hardly_more_than_three_times_one() -> None:
    each = [played(f"distance(it, {name}_one)") for name in ("first", "second", "third")]
    far, steps = played(ALL)
    assert far == sum(apart for apart, _ in each)
    assert steps < 2 * sum(taken for _, taken in each)
