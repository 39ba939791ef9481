"""Worked examples on small drawings, as a rulebook would show them."""

import pytest

from talewright.runtime.space import (
    ONE,
    WAYS,
    Base,
    Movement,
    adjacent,
    area,
    cell_set,
    cells_in,
    distance,
    is_adjacent,
    marked,
    neighbour,
    picture,
    plan_to_squares,
    reach,
    sees,
    spot_at,
    spots,
    square_cell,
    trade_spots,
    way,
)


def standing(board, mark):
    """The cells under the figure of this mark."""
    return marked(board, "plan", mark)


def test_a_giant_overhangs_the_corridor_and_trades_places_with_a_smaller_figure():
    board = plan_to_squares("CC..S.R\nCC#####")
    giant = Base(2, 2, overhang=2)
    start = next(spot for spot in spots(board, giant) if spot.cells == standing(board, "C"))
    small, target = standing(board, "S"), standing(board, "R")
    occupied = start.cells | small | target
    charge = Movement(trades=small)
    ends = [
        spot for spot in reach(board, start, 6, charge, occupied) if is_adjacent(board, spot.cells, target)
    ]
    assert len(ends) == 1
    (end,) = ends
    assert end.cost == 4
    here = start
    for step in end.route:
        if step.cells & small:
            (spot,) = trade_spots(board, here, step, ONE, occupied)
            small = spot.cells
        here = step
    figures = dict.fromkeys(end.squares, "C")
    figures |= {board.chart.squares[cell][0]: "S" for cell in cells_in(small)}
    figures |= {board.chart.squares[cell][0]: "R" for cell in cells_in(target)}
    assert picture(board, figures) == "..S.CCR\n..##CC#"


def test_without_trading_the_smaller_figure_shuts_the_corridor():
    board = plan_to_squares("CC..S.R\nCC#####")
    start = next(spot for spot in spots(board, Base(2, 2, 2)) if spot.cells == standing(board, "C"))
    found = reach(board, start, 6, occupied=standing(board, "S") | standing(board, "R"))
    assert max(spot.corner[0] for spot in found) == 2


def test_a_giant_that_may_not_overhang_stays_where_it_is():
    board = plan_to_squares("CC..S.R\nCC#####")
    start = spot_at(board, Base(2, 2), 0)
    assert [spot.cost for spot in reach(board, start, 6)] == [0]


def test_rock_hides_what_stands_behind_its_corner():
    board = plan_to_squares("R..S\n.##.\n...T")
    watcher = standing(board, "R")
    assert sees(board, watcher, standing(board, "S"))
    assert not sees(board, watcher, standing(board, "T"))


def test_five_free_squares_beside_three_figures():
    board = plan_to_squares("..RJ....\n..E.....")
    party = standing(board, "R") | standing(board, "J") | standing(board, "E")
    free = [spot for spot in spots(board, ONE, party) if is_adjacent(board, spot.cells, party)]
    assert len(free) == 5
    assert cell_set(spot.cells.bit_length() - 1 for spot in free) == adjacent(board, party)


def test_a_walk_halts_beside_a_figure_that_grips():
    board = plan_to_squares("S....\nR..N.\n.....")
    walker, foes = standing(board, "R"), standing(board, "N")
    gripped = adjacent(board, foes)
    movement = Movement(halts=lambda cell: bool(gripped >> cell & 1))
    start = spot_at(board, ONE, walker.bit_length() - 1)
    found = {spot.cells: spot for spot in reach(board, start, 6, movement, foes | standing(board, "S"))}
    stop = 1 << square_cell(board, 3, 2)
    assert found[stop].cost == 2
    # Nothing east of the gripped column can be reached, however long the walk.
    assert {board.chart.squares[cells_in(cells)[0]][0][0] for cells in found} == {0, 1, 2}


def test_a_walk_that_starts_in_a_grip_is_not_held_by_it():
    board = plan_to_squares("R.N..")
    found = reach(board, spot_at(board, ONE, 1), 3, Movement(halts=0b01010), 0b00100)
    assert [spot.cells for spot in found] == [0b00010, 0b00001]


def test_figures_in_the_way_shut_the_road_to_those_behind():
    board = plan_to_squares("1......\n2...E..\n....MR.\n3....J.")
    party = cell_set(cell for mark in "EMRJ" for cell in cells_in(standing(board, mark)))
    enemies = {mark: standing(board, mark) for mark in "123"}
    occupied = party | enemies["1"] | enemies["2"] | enemies["3"]

    def prey(mark, limit):
        start = spot_at(board, ONE, enemies[mark].bit_length() - 1)
        ends = reach(board, start, limit, occupied=occupied).cells
        return {name for name in "EMRJ" if adjacent(board, standing(board, name)) & ends}

    assert prey("1", 3) == {"E", "M"}
    assert prey("1", 6) == {"E", "M", "R", "J"}


def test_ways_and_areas_on_squares():
    board = plan_to_squares("...\n.#.\n...")
    corner = square_cell(board, 1, 1)
    assert neighbour(board, corner, "east") == square_cell(board, 2, 1)
    assert neighbour(board, corner, "south_east") is None, "rock cancels the way"
    assert neighbour(board, corner, "north") is None
    assert area(board, 1 << corner, 1).bit_count() == 3
    assert area(board, 1 << corner, 2) == board.chart.everywhere
    assert square_cell(board, 2, 2) is None
    assert way(board, corner, square_cell(board, 3, 3)) == "south_east"
    assert way(board, corner, corner) is None
    assert distance(board, 1 << corner, 1 << square_cell(board, 3, 3)) == 3


@pytest.mark.parametrize("name", list(WAYS))
def test_every_way_leads_to_the_next_square_and_back_again(name):
    board = plan_to_squares("...\n...\n...")
    middle = square_cell(board, 2, 2)
    other = neighbour(board, middle, name)
    assert way(board, middle, other) == name
    across, down = WAYS[name]
    assert other == square_cell(board, 2 + across, 2 + down)
