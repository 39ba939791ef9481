"""Versions, snapshots and copies of a growing map; the time they take."""

from time import perf_counter

from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.space import (
    ONE,
    Board,
    Rules,
    connect,
    distance,
    join,
    lay,
    link,
    open_joints,
    picture,
    plan_to_squares,
    reach,
    read_plan,
    sees,
    set_border,
    spot_at,
    spots,
)

PASSAGE = read_plan("#AA#\n#..#\n#..#\n#BB#")


def grown(pieces):
    board = Board(Rules(squares=True))
    lay(board, 0, PASSAGE)
    for number in range(1, pieces):
        join(board, number, PASSAGE, open_joints(board)[-1], "A")
    return board


def everything(board):
    chart = board.chart
    return (
        chart.names,
        chart.squares,
        chart.belongs,
        chart.steps,
        dict(chart.borders),
        chart.links,
        list(chart.pieces),
        dict(chart.at),
        chart.rock,
    )


def test_every_change_gives_a_version_never_used_before():
    board = plan_to_squares("...")
    seen = {board.version}
    for change in (
        lambda: set_border(board, 0, 1, "red"),
        lambda: link(board, 1, 4),
        lambda: connect(board, 2, 1, both=False),
        lambda: lay(board, "more", PASSAGE),
    ):
        first = board.snapshot()
        change()
        assert board.version not in seen
        seen.add(board.version)
        board.restore(first)
        assert board.version in seen
        change()
        assert board.version not in seen
        seen.add(board.version)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 4))
def test_a_snapshot_brings_everything_back(before, more):
    board = grown(before)
    kept, was = board.snapshot(), everything(board)
    twin = board.copy()
    last = 1 << len(board.chart.names) - 1
    far = distance(board, 1, last)
    for number in range(more):
        join(board, f"more{number}", PASSAGE, open_joints(board)[-1], "A")
        set_border(board, 0, 1, "wall")
        link(board, 1, last)
    assert everything(board) != was
    assert everything(twin) == was
    assert distance(board, 1, last) == 1
    board.restore(kept)
    assert everything(board) == was
    assert distance(board, 1, last) == far


def test_answers_are_those_of_the_map_that_holds_now():
    board = plan_to_squares("..#..")
    ends = 1, 1 << 3
    assert distance(board, *ends) is None
    assert not sees(board, 1, 1 << 1 | 1 << 3) or sees(board, 1, 1 << 1)
    assert len(reach(board, spot_at(board, ONE, 0), 9)) == 2
    link(board, 1 << 1, 1 << 2)
    assert distance(board, *ends) == 3
    assert len(reach(board, spot_at(board, ONE, 0), 9)) == 4
    set_border(board, 0, 1, "wall")
    assert distance(board, *ends) is None
    assert not sees(board, 1, 2)


def test_an_empty_map_answers_too():
    board = Board(Rules(squares=True))
    assert spots(board) == ()
    assert picture(board, {}) == ""
    assert open_joints(board) == ()


def best_time(work, repeats=5):
    times = []
    for _ in range(repeats):
        begin = perf_counter()
        work()
        times.append(perf_counter() - begin)
    return min(times)


def test_a_map_of_three_hundred_cells_is_kept_and_brought_back_in_less_than_a_millisecond():
    board = grown(50)
    assert len(board.chart.names) > 300

    def there_and_back():
        kept = board.snapshot()
        link(board, 1, 1 << 200)
        board.restore(kept)

    assert best_time(lambda: board.restore(board.snapshot())) < 0.001
    assert best_time(there_and_back, repeats=20) < 0.002
    assert board.chart.links == ()
