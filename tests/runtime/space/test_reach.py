"""Spots within reach of small and big bases, beside plain slow versions."""

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from talewright.runtime.space import (
    ONE,
    Base,
    Movement,
    Rules,
    SpaceError,
    Spot,
    can_stand,
    cell_set,
    link,
    plan_to_squares,
    reach,
    rows_to_zones,
    spot_at,
    spots,
    spots_over,
    trade_spots,
)

from .plain import EIGHT, bits, boards, drawings, graph_of, is_walk, listed, plain_costs, rules

quick = settings(max_examples=300, deadline=None)
sets = st.integers(0, 2**36 - 1)
sparse = st.tuples(sets, sets).map(lambda pair: pair[0] & pair[1])


def as_test(cells, asked):
    """A set of cells, or the question whether a cell is in it."""
    return (lambda cell: bool(cells >> cell & 1)) if asked else cells


@quick
@given(
    board=boards(),
    start=st.integers(0, 35),
    limit=st.integers(0, 8),
    occupied=sparse,
    blocked=sparse | st.none(),
    halts=sparse,
    trades=sparse,
    odd=st.integers(1, 3) | st.none(),
    shut=st.sets(st.tuples(st.integers(0, 35), st.integers(0, 35)), max_size=40) | st.none(),
    asked=st.booleans(),
)
def test_reach_of_a_single_square(board, start, limit, occupied, blocked, halts, trades, odd, shut, asked):
    start %= len(board.chart.names)
    movement = Movement(
        blocked=None if blocked is None else as_test(blocked, asked),
        halts=as_test(halts, asked),
        trades=as_test(trades, asked),
        costs=None if odd is None else lambda cell: 1 + cell % odd,
        step_open=None if shut is None else lambda here, there: (here, there) not in shut,
    )
    # A trade is made with what stands there: with an occupied cell, or a blocked one known as a set.
    standing = occupied | (0 if blocked is None or asked else blocked)
    free = (standing & trades) | 1 << start
    closed = (occupied if blocked is None else blocked) & ~free

    def enter(here, there):
        if closed >> there & 1 or (shut is not None and (here, there) in shut):
            return None
        return 1 if odd is None else 1 + there % odd

    graph = graph_of(board)
    costs = plain_costs(graph, [start], enter, lambda cell: bool(halts >> cell & 1))
    expected = {
        cell: cost for cell, cost in costs.items() if cost <= limit and not (occupied & ~free) >> cell & 1
    }
    spot = Spot(ONE, 1 << start, board.chart.square(start))
    found = reach(board, spot, limit, movement, occupied)
    assert {end.cells.bit_length() - 1: end.cost for end in found} == expected
    assert len(found) == len(expected) == len(found.spots)
    assert found.cells == bits(expected)
    for end in found:
        walk = [start, *(step.cells.bit_length() - 1 for step in end.route)]
        assert 1 << walk[-1] == end.cells
        assert is_walk(graph, walk)
        prices = [enter(here, there) for here, there in pairwise(walk)]
        assert sum(prices) == end.cost
        assert not any(halts >> cell & 1 for cell in walk[1:-1])


def footprint(base, corner):
    return {(corner[0] + x, corner[1] + y) for x in range(base.width) for y in range(base.height)}


def plain_stands(board, base):
    """Every corner where a base can stand, with the cells under it."""
    at = board.chart.at
    stands = {}
    for x in range(-4, 12):
        for y in range(-4, 12):
            floor = {at[square] for square in footprint(base, (x, y)) if square in at}
            rock = footprint(base, (x, y)) & board.chart.rock
            if floor and len(floor) + len(rock) == base.width * base.height and len(rock) <= base.overhang:
                stands[x, y] = floor
    return stands


def plain_shifts(board, base, stands):
    """From each corner, the corners one step away with no wall between and firm ground all along."""
    at, graph = board.chart.at, graph_of(board)
    shifts = {corner: set() for corner in stands}
    for corner, old in stands.items():
        for across, down in EIGHT:
            other = corner[0] + across, corner[1] + down
            if other not in stands or (across and down and not board.chart.rules.diagonal):
                continue
            moved = [(square, (square[0] + across, square[1] + down)) for square in footprint(base, corner)]
            walls = [
                pair
                for pair in moved
                if pair[0] in at and pair[1] in at and at[pair[1]] not in graph[at[pair[0]]]
            ]
            firm = old & stands[other] or any(graph[cell] & stands[other] for cell in old)
            if not walls and firm:
                shifts[corner].add(other)
        for here, there in board.chart.links:
            for near_side, far_side in ((here, there), (there, here)):
                if near_side in old:
                    shifts[corner] |= {far for far, cells in stands.items() if far_side in cells} - {corner}
    return shifts


bases = st.builds(Base, width=st.integers(1, 3), height=st.integers(1, 3), overhang=st.integers(0, 3))


@quick
@given(board=boards(), base=bases, occupied=sparse)
def test_spots_are_where_the_plain_version_finds_them(board, base, occupied):
    occupied &= board.chart.everywhere
    stands = plain_stands(board, base)
    taken = listed(occupied)
    free = {corner: cells for corner, cells in stands.items() if not cells & taken}
    assert {spot.corner: listed(spot.cells) for spot in spots(board, base, occupied)} == free
    for cell in range(len(board.chart.names)):
        over = {corner for corner, cells in free.items() if cell in cells}
        assert {spot.corner for spot in spots_over(board, base, cell, occupied)} == over
        assert can_stand(board, base, cell, occupied) == bool(over)
        spot = spot_at(board, base, cell, occupied)
        square = board.chart.squares[cell][0]
        assert (spot is None) == (not over)
        if spot is not None:
            assert spot.corner in over
            assert spot.corner == square or square not in over
            assert set(spot.squares) == footprint(base, spot.corner)


@settings(max_examples=250, deadline=None)
@given(
    board=boards(),
    base=bases,
    pick=st.integers(0, 99),
    limit=st.integers(0, 6),
    occupied=sparse,
    halts=sparse,
    trades=sparse,
    odd=st.integers(1, 3) | st.none(),
    asked=st.booleans(),
)
def test_reach_of_a_big_base(board, base, pick, limit, occupied, halts, trades, odd, asked):
    assume(base.width * base.height > 1)
    occupied, halts = occupied & board.chart.everywhere, halts & board.chart.everywhere
    all_spots = spots(board, base)
    assume(all_spots)
    start = all_spots[pick % len(all_spots)]
    stands = plain_stands(board, base)
    shifts = plain_shifts(board, base, stands)
    own = listed(start.cells)
    taken = listed(occupied) - own
    swaps = taken & listed(trades)
    closed = taken - swaps
    halting = listed(halts)

    def enter(here, there):
        entered, left = stands[there] - stands[here], stands[here] - stands[there]
        if stands[there] & closed or len(entered & swaps) > len(left):
            return None
        return 1 if odd is None or not entered else max(1 + cell % odd for cell in entered)

    costs = plain_costs(shifts, [start.corner], enter, lambda corner: bool(stands[corner] & halting))
    movement = Movement(
        blocked=as_test(occupied, True) if asked else None,
        halts=as_test(halts, asked),
        trades=as_test(trades, asked),
        costs=None if odd is None else lambda cell: 1 + cell % odd,
    )
    found = reach(board, start, limit, movement, occupied)
    assert {spot.corner: spot.cost for spot in found} == {
        corner: cost for corner, cost in costs.items() if cost <= limit
    }
    assert found.cells == bits(
        cell for corner, cost in costs.items() if cost <= limit for cell in stands[corner]
    )
    for spot in found:
        walk = [start.corner, *(step.corner for step in spot.route)]
        assert walk[-1] == spot.corner
        assert all(there in shifts[here] for here, there in pairwise(walk))
        assert sum(enter(here, there) for here, there in pairwise(walk)) == spot.cost


@quick
@given(text=drawings(5), how=rules, limit=st.integers(0, 5), odd=st.booleans())
def test_a_closed_step_holds_a_big_base_back(text, how, limit, odd):
    board = plan_to_squares(text, how)
    base = Base(2, 1)
    starts = spots(board, base)
    assume(starts)
    # No cell can be stepped on at all, so every step that enters one is closed.
    closed = Movement(step_open=lambda here, there: False)
    assert [spot.corner for spot in reach(board, starts[0], limit, closed)] == [starts[0].corner]
    opened = Movement(step_open=lambda here, there: True, costs=(lambda cell: 1) if odd else None)
    free = {spot.corner: spot.cost for spot in reach(board, starts[0], limit)}
    assert {spot.corner: spot.cost for spot in reach(board, starts[0], limit, opened)} == free


def test_passing_through_is_not_ending_there():
    board = plan_to_squares("...")
    start = spot_at(board, ONE, 0)
    ends = {spot.cells: spot.cost for spot in reach(board, start, 5, Movement(blocked=0), occupied=0b010)}
    assert ends == {0b001: 0, 0b100: 2}
    assert {spot.cells for spot in reach(board, start, 5, occupied=0b010)} == {0b001}


def test_the_mover_does_not_stand_in_its_own_way():
    board = plan_to_squares("....\n....")
    base = Base(2, 2)
    start = spot_at(board, base, 0)
    assert [spot.corner for spot in reach(board, start, 9, occupied=start.cells)] == [(0, 0), (1, 0), (2, 0)]


def test_a_big_base_passes_a_gate():
    board = plan_to_squares("..#..\n..#..")
    base = Base(2, 2)
    start = spot_at(board, base, 0)
    assert len(reach(board, start, 9)) == 1
    link(board, 1 << board.chart.at[1, 0], 1 << board.chart.at[3, 0])
    assert [(spot.corner, spot.cost) for spot in reach(board, start, 9)] == [((0, 0), 0), ((3, 0), 1)]


def test_a_big_base_does_not_leap_over_rock_from_one_passage_to_the_next():
    board = plan_to_squares(".##.")
    start = spot_at(board, Base(2, 1, 1), 0)
    assert {spot.cells for spot in reach(board, start, 9)} == {1}
    start = spot_at(board, Base(3, 1, 2), 0)
    assert {spot.cells for spot in reach(board, start, 9)} == {1}


def test_a_base_sticks_out_over_rock_but_not_over_the_edge_of_the_map():
    board = plan_to_squares("#..\n###")
    assert [spot.corner for spot in spots(board, Base(2, 2, 3))] == [(0, 0), (1, 0)]
    assert [spot.corner for spot in spots(board, Base(2, 2, 2))] == [(1, 0)]
    assert spots(board, Base(2, 2, 1)) == ()


def test_on_a_map_of_zones_every_base_takes_one_zone():
    board = rows_to_zones([["a", "b", "c"]])
    start = spot_at(board, Base(2, 2), 0)
    assert start.cells == 1
    assert start.squares == ()
    assert [spot.cells for spot in reach(board, start, 1)] == [1, 2]


def test_a_spot_of_another_map_is_refused():
    board = plan_to_squares("....\n....")
    with pytest.raises(SpaceError):
        reach(board, Spot(Base(2, 2), 1, (7, 7)), 1)


def test_trade_spots_lie_in_what_the_bigger_one_left():
    board = plan_to_squares("....\n....")
    big = Base(2, 2)
    before, after = spots(board, big)[:2]
    assert cell_set([0, 4]) == before.cells & ~after.cells
    assert [spot.cells for spot in trade_spots(board, before, after, ONE)] == [1 << 0, 1 << 4]
    assert [spot.cells for spot in trade_spots(board, before, after, Base(1, 2))] == [cell_set([0, 4])]
    assert trade_spots(board, before, after, Base(2, 1)) == ()


def test_a_big_base_pays_for_the_cells_it_enters_on_the_cheapest_way():
    # Down and then west: the second step enters one cheap square, not the dear one beside it again.
    board = plan_to_squares("...\n...", Rules(squares=True, diagonal=False))
    prices = [2, 1, 1, 1, 2, 1]
    start = next(spot for spot in spots(board, Base(2, 1)) if spot.corner == (1, 0))
    found = {spot.corner: spot.cost for spot in reach(board, start, 9, Movement(costs=prices.__getitem__))}
    assert found == {(1, 0): 0, (0, 0): 2, (1, 1): 2, (0, 1): 3}
