"""Lines of sight, beside exact geometry with fractions."""

from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.space import (
    Board,
    Rules,
    cell_set,
    place,
    plan_to_squares,
    read_plan,
    ring_to_zones,
    sees,
    set_border,
)

from .plain import drawings, plain_sees


@settings(max_examples=250, deadline=None)
@given(drawings(8), st.integers(0, 63), st.integers(0, 63))
def test_sight_agrees_with_exact_geometry(text, here, there):
    board = plan_to_squares(text)
    cells = len(board.chart.names)
    here, there = here % cells, there % cells
    floor = set(board.chart.at)
    expected = plain_sees(floor, board.chart.squares[here][0], board.chart.squares[there][0])
    assert sees(board, 1 << here, 1 << there) == expected
    assert sees(board, 1 << there, 1 << here) == expected


@given(drawings(5), st.integers(1, 2**25 - 1), st.integers(1, 2**25 - 1))
@settings(max_examples=60, deadline=None)
def test_big_figures_see_with_each_of_their_squares(text, here, there):
    board = plan_to_squares(text)
    here, there = here & board.chart.everywhere, there & board.chart.everywhere
    pairs = [
        (start, end)
        for start in range(here.bit_length())
        if here >> start & 1
        for end in range(there.bit_length())
        if there >> end & 1
    ]
    floor = set(board.chart.at)
    squares = board.chart.squares
    expected = any(plain_sees(floor, squares[start][0], squares[end][0]) for start, end in pairs)
    assert sees(board, here, there) == expected


def test_a_line_may_graze_a_corner_where_corners_are_open():
    drawing = ".#\n#."
    assert sees(plan_to_squares(drawing), 1, 2)
    assert not sees(plan_to_squares(drawing, Rules(squares=True, corners_open=False)), 1, 2)


def test_a_wall_stops_a_line_that_crosses_it():
    board = plan_to_squares("...")
    assert sees(board, 1, 4)
    set_border(board, 0, 1, "wall")
    assert not sees(board, 1, 4)
    assert sees(board, 2, 4)


def test_pieces_that_lie_side_by_side_do_not_see_each_other():
    board = Board(Rules(squares=True))
    place(board, "left", read_plan("..\n.."))
    place(board, "right", read_plan("..\n.."), (2, 0))
    assert not sees(board, cell_set([1]), cell_set([4]))
    assert board.chart.steps[1] >> 4 & 1 == 0


def test_a_zone_sees_itself_and_its_neighbours():
    board = ring_to_zones(["a", "b", "c", "d"])
    assert sees(board, 1, 1)
    assert sees(board, 1, 2)
    assert not sees(board, 1, 4)
