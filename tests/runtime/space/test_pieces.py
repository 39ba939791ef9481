"""Pieces with joints: reading plans, fitting, joining, laying apart, capping."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.space import (
    Board,
    PlanError,
    Rules,
    SpaceError,
    adjacent,
    beyond,
    cap,
    cell_set,
    column,
    distance,
    fits,
    join,
    joined,
    joint_of,
    lay,
    link,
    marked,
    open_joints,
    picture,
    piece_cells,
    pieces_at,
    place,
    read_plan,
    row,
    rows_to_zones,
    same_colour,
    sees,
    set_border,
    spots,
)

from .plain import listed

GALLERY = """
    #AA#
    #..#
    #..#
    #BB#
    """
BEND = """
    #AA###
    #....B
    #....B
    ######
    """
HALL = """
    ###AA###
    #......#
    #......#
    B......C
    B......C
    #......#
    #......#
    ###DD###
    """
ENTRANCE = """
    #AA#
    ....
    .ss.
    ssss
    """
PLANS = {name: read_plan(text) for name, text in {"gallery": GALLERY, "bend": BEND, "hall": HALL}.items()}


def new_board():
    return Board(Rules(squares=True))


def test_a_plan_is_read_sign_by_sign():
    plan = read_plan(ENTRANCE)
    assert (plan.width, plan.height, len(plan.floor), len(plan.rock)) == (4, 4, 14, 2)
    assert plan.joints["A"].squares == ((1, 0), (2, 0))
    assert plan.joints["A"].way == "north"
    assert plan.marks["s"] == ((1, 2), (2, 2), (0, 3), (1, 3), (2, 3), (3, 3))


def test_joints_look_out_of_the_side_they_lie_on():
    ways = {mark: joint.way for mark, joint in PLANS["hall"].joints.items()}
    assert ways == {"A": "north", "B": "west", "C": "east", "D": "south"}
    assert read_plan("AA").joints["A"].way == "north"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one square"),
        ("###", "at least one square"),
        ("A.A", "straight line"),
        ("AA\n.A", "straight line"),
        ("...\n.A.\n...", "outer side"),
    ],
)
def test_plans_that_make_no_piece_are_refused(text, reason):
    with pytest.raises(PlanError, match=reason):
        read_plan(text)


def test_half_squares_merge_and_belong_to_both_pieces():
    board = new_board()
    hall = lay(board, "hall", PLANS["hall"])
    door = hall.joints["D"]
    before = len(board.chart.names)
    assert beyond(board, door) is None
    gallery = join(board, "gallery", PLANS["gallery"], door, "A")
    assert len(board.chart.names) == before + 6
    assert gallery.joints["A"].cells == tuple(reversed(door.cells))
    assert hall.cells & gallery.cells == cell_set(door.cells)
    assert pieces_at(board, 1 << door.cells[0]) == ("hall", "gallery")
    assert beyond(board, door) == "gallery"
    assert beyond(board, gallery.joints["A"]) == "hall"
    assert joined(board, "hall") == ("gallery",)
    assert piece_cells(board, ["hall", "gallery"]) == board.chart.everywhere
    assert picture(board, {}) == "\n".join(
        [
            "###..###",
            "#......#",
            "#......#",
            "........",
            "........",
            "#......#",
            "#......#",
            "###..###",
            "  #..#",
            "  #..#",
            "  #..#",
        ]
    )


def test_a_piece_turns_so_that_the_joints_face_each_other():
    board = new_board()
    bend = lay(board, "bend", PLANS["bend"])
    other = join(board, "gallery", PLANS["gallery"], bend.joints["B"], "A")
    assert other.turn == 3
    assert other.joints["B"].way == "east"
    assert picture(board, {}) == "#..######\n#........\n#........\n#########"
    # Through the doorway and on; two pieces away in a straight line, one sees the other end.
    start, end = board.chart.at[1, 1], board.chart.at[8, 1]
    assert distance(board, 1 << start, 1 << end) == 7
    assert sees(board, 1 << start, 1 << end)


def test_what_would_lie_on_something_does_not_fit():
    board = new_board()
    first = lay(board, "first", PLANS["bend"])
    second = join(board, "second", PLANS["gallery"], first.joints["B"], "A")
    third = join(board, "third", PLANS["bend"], second.joints["B"], "A")
    # Three bends in a row come back to where the first one lies, sooner or later.
    assert fits(board, PLANS["bend"], third.joints["B"], "A")
    fourth = join(board, "fourth", PLANS["bend"], third.joints["B"], "A")
    assert not fits(board, PLANS["hall"], fourth.joints["B"], "A")
    version = board.version
    with pytest.raises(SpaceError, match="does not fit"):
        join(board, "hall", PLANS["hall"], fourth.joints["B"], "A")
    assert board.version == version


def test_a_joint_takes_one_piece_of_its_own_width():
    board = new_board()
    hall = lay(board, "hall", PLANS["hall"])
    assert not fits(board, read_plan("#A#\n#.#"), hall.joints["D"], "A")
    assert not fits(board, PLANS["gallery"], hall.joints["D"], "Z")
    join(board, "gallery", PLANS["gallery"], hall.joints["D"], "A")
    assert not fits(board, PLANS["gallery"], hall.joints["D"], "A")
    assert {joint.mark for joint in open_joints(board) if joint.piece == "hall"} == {"A", "B", "C"}


def test_a_cap_closes_a_joint_and_adds_no_cell():
    board = new_board()
    hall = lay(board, "hall", PLANS["hall"])
    cells = len(board.chart.names)
    cap(board, "cap", hall.joints["B"])
    assert len(board.chart.names) == cells
    assert beyond(board, hall.joints["B"]) == "cap"
    assert joined(board, "cap") == ("hall",)
    with pytest.raises(SpaceError):
        cap(board, "another", hall.joints["B"])
    join(board, "gate", read_plan("AA"), hall.joints["C"], "A")
    assert len(board.chart.names) == cells
    assert board.piece("gate").cells == cell_set(hall.joints["C"].cells)


def test_what_is_laid_apart_is_reached_by_a_gate_only():
    board = new_board()
    hall = lay(board, "hall", PLANS["hall"])
    far = lay(board, "far", PLANS["gallery"])
    near_side, far_side = cell_set(hall.joints["D"].cells), cell_set(far.joints["A"].cells)
    assert distance(board, hall.cells, far.cells) is None
    link(board, near_side, far_side)
    assert distance(board, near_side, far_side) == 1
    assert adjacent(board, near_side) & far.cells == far_side
    assert not sees(board, near_side, far_side)
    with pytest.raises(SpaceError):
        link(board, near_side, near_side)


def test_marked_squares_turn_with_their_piece():
    board = new_board()
    lay(board, "hall", PLANS["hall"])
    entrance = join(board, "entrance", read_plan(ENTRANCE), joint_of(board, "hall", "C"), "A")
    assert entrance.turn == 3
    squares = {board.chart.squares[cell][0] for cell in listed(marked(board, "entrance", "s"))}
    assert squares == {(9, 3), (9, 4), (10, 2), (10, 3), (10, 4), (10, 5)}
    assert marked(board, "entrance", "z") == 0


def test_a_piece_is_laid_once_and_on_squares_only():
    board = new_board()
    lay(board, "hall", PLANS["hall"])
    with pytest.raises(SpaceError, match="already"):
        lay(board, "hall", PLANS["hall"])
    with pytest.raises(SpaceError, match="lie on something"):
        place(board, "other", PLANS["hall"], (1, 1))
    with pytest.raises(SpaceError, match="squares only"):
        lay(rows_to_zones([["a"]]), "hall", PLANS["hall"])


def test_rows_and_columns_are_counted_from_a_joint_whichever_way_the_piece_lies():
    counted = []
    for turn in range(4):
        board = new_board()
        hall = place(board, "hall", PLANS["hall"], turn=turn)
        door = hall.joints["A"]
        counted.append(
            sorted((row(board, cell, door), column(board, cell, door)) for cell in listed(hall.cells))
        )
        assert {row(board, cell, door) for cell in door.cells} == {0}
        assert [column(board, cell, door) for cell in door.cells] == [0, 1]
    assert counted[0] == counted[1] == counted[2] == counted[3]
    assert counted[0][0] == (0, 0)
    assert counted[0][-1] == (7, 1)


def test_lining_up_from_the_far_row_takes_every_other_square():
    board = new_board()
    hall = place(board, "hall", PLANS["hall"], turn=1)
    door = hall.joints["A"]
    order = sorted(listed(hall.cells), key=lambda cell: (-row(board, cell, door), column(board, cell, door)))
    even = [cell for cell in order if same_colour(board, cell, order[0])]
    figures = {board.chart.squares[cell][0]: sign for cell, sign in zip(even, "NNSSSS", strict=False)}
    assert picture(board, figures, "hall") == "\n".join(
        [
            "###AA###",
            "#......#",
            "#......#",
            "B......C",
            "B......C",
            "#S.S...#",
            "#.N.S.S#",
            "###ND###",
        ]
    )


def test_a_wall_inside_a_doorway_stays_when_a_piece_is_joined():
    board = new_board()
    hall = lay(board, "hall", PLANS["hall"])
    here, there = hall.joints["D"].cells
    set_border(board, here, there, "wall")
    join(board, "gallery", PLANS["gallery"], hall.joints["D"], "A")
    assert not board.chart.steps[here] >> there & 1


def drawn(board):
    """The signs of the map, square by square."""
    return {**dict.fromkeys(board.chart.rock, "#"), **dict.fromkeys(board.chart.at, ".")}


def plain_fits(signs, plan, joint, mark):
    """Try every turn and every shift, and look at each square; the joint must face the other."""
    offsets = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
    squares = {(x, y): sign for y, line in enumerate(plan.rows) for x, sign in enumerate(line) if sign != " "}
    outward = offsets[plan.joints[mark].way]
    for _ in range(4):
        facing = outward == tuple(-part for part in offsets[joint.way])
        for across in range(-60, 61):
            for down in range(-60, 61) if facing else ():
                own = {(x + across, y + down) for (x, y), sign in squares.items() if sign == mark}
                if own != set(joint.squares):
                    continue
                return all(
                    (signs.get((x + across, y + down)) in (None, "#") if sign == "#" else False)
                    or (x + across, y + down) in own
                    or (x + across, y + down) not in signs
                    for (x, y), sign in squares.items()
                )
        squares = {(-y, x): sign for (x, y), sign in squares.items()}
        outward = -outward[1], outward[0]
    return False


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(PLANS)), st.integers(0, 9), st.integers(0, 9)), max_size=5))
def test_a_map_grown_at_random_keeps_its_promises(moves):
    board = new_board()
    lay(board, 0, PLANS["hall"])
    for number, (name, at_joint, by_joint) in enumerate(moves, start=1):
        plan = PLANS[name]
        doors = open_joints(board)
        if not doors:
            break
        door = doors[at_joint % len(doors)]
        mark = sorted(plan.joints)[by_joint % len(plan.joints)]
        fitting = fits(board, plan, door, mark)
        assert fitting == plain_fits(drawn(board), plan, door, mark)
        if not fitting:
            continue
        old = board.chart
        piece = join(board, number, plan, door, mark)
        assert board.version != old.version
        assert board.chart.names[: len(old.names)] == old.names
        assert piece.cells.bit_count() == len(plan.floor)
        assert board.chart.belongs[door.cells[0]] == (door.piece, number)
        for here, steps in enumerate(old.steps):
            assert board.chart.steps[here] & old.everywhere == steps
    # Steps lead between squares that touch, and only inside one piece.
    chart = board.chart
    for here, steps in enumerate(chart.steps):
        x, y = chart.squares[here][0]
        around = {
            chart.at[x + i, y + j]
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0) and (x + i, y + j) in chart.at
        }
        assert listed(steps) == {
            there for there in around if set(chart.belongs[here]) & set(chart.belongs[there])
        }
    assert len(spots(board)) == len(chart.names)
