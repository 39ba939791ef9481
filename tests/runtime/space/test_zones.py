"""Maps of zones: rows of names, rings, tiles side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.runtime.space.board import Board, cells_in
from talewright.runtime.space.errors import PlanError
from talewright.runtime.space.zones import ZoneTile, draw_ring, draw_rows, draw_tiles


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def rows_to_zones(names, borders=None) -> Board:
    board = Board()
    draw_rows(board, names, borders or {}, 0)
    return board


def tiles_to_zones(layout, tiles) -> Board:
    board = Board()
    draw_tiles(board, layout, tiles, {}, 0)
    return board


def ring_to_zones(names) -> Board:
    board = Board()
    draw_ring(board, names)
    return board


def neighbours(board: Board, name: str) -> set[str]:
    return {board.names[cell] for cell in cells_in(board.steps[board.named[name]])}


def test_equal_neighbours_are_one_zone_and_others_are_adjacent():
    board = rows_to_zones(rows("porch nave nave\nporch nave nave\nyard yard vestry"))
    assert sorted(board.named) == ["nave", "porch", "vestry", "yard"]
    assert neighbours(board, "nave") == {"porch", "yard", "vestry"}
    assert neighbours(board, "porch") == {"nave", "yard"}
    assert board.squares[board.named["nave"]] == ((1, 0), (2, 0), (1, 1), (2, 1))


def test_a_point_in_a_plan_is_nothing():
    board = rows_to_zones(rows("a . b\nc c c"))
    assert neighbours(board, "a") == {"c"}
    assert board.on_edge(board.named["c"])


def test_a_name_drawn_in_two_places_is_refused():
    with pytest.raises(PlanError, match="`a` is drawn in two places"):
        rows_to_zones(rows("a b a"))


def test_a_wall_takes_the_step_away_and_a_mark_does_not():
    board = rows_to_zones(rows("a b\nc d"), {"wall": [("a", "b")], "red": [("a", "c")]})
    a, b, c, d = (board.named[name] for name in "abcd")
    assert board.border(a, b) == board.border(b, a) == "wall"
    assert board.border(a, c) == "red"
    assert board.border(c, d) == "open"
    assert board.border(a, d) is None
    assert not board.steps[a] >> b & 1
    assert list(cells_in(board.steps[a])) == [c]


@pytest.mark.parametrize("pair", [("a", "d"), ("a", "x")])
def test_a_border_between_zones_that_do_not_touch_is_refused(pair):
    with pytest.raises(PlanError):
        rows_to_zones(rows("a b\nc d"), {"red": [pair]})


def test_a_ring_joins_its_ends():
    board = ring_to_zones(["dawn", "noon", "dusk", "night", "small_hours"])
    assert neighbours(board, "dawn") == {"noon", "small_hours"}


def test_drawings_on_one_map_do_not_touch():
    board = rows_to_zones(rows("a b"))
    draw_rows(board, rows("c d"), {}, 10_000)
    draw_ring(board, ["e", "f"])
    assert [neighbours(board, name) for name in "acef"] == [{"b"}, {"d"}, {"f"}, {"e"}]
    with pytest.raises(PlanError, match="`a` is drawn in two places"):
        draw_rows(board, rows("a"), {}, 20_000)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_small_rings_have_no_step_to_themselves(count):
    board = ring_to_zones([f"place{n}" for n in range(count)])
    assert [set(cells_in(board.steps[cell])) for cell in range(count)] == [
        {other for other in range(count) if other != cell} for cell in range(count)
    ]


def test_a_ring_names_a_place_once():
    with pytest.raises(PlanError):
        ring_to_zones(["a", "b", "a"])


TILES = {
    "dyke": ZoneTile((("sedge",) * 3, ("road",) * 3, ("bank",) * 3), frozenset({"north", "west"})),
    "chapel": ZoneTile(
        (("porch", "nave", "nave"), ("porch", "nave", "nave"), ("yard", "yard", "vestry")),
        frozenset({"north", "east"}),
        {"red": (("nave", "yard"),), "door": (("nave", "vestry"),)},
    ),
    "pens": ZoneTile(
        (("track", "track", "track"), ("pen", "pen", "track"), ("pen", "pen", "ditch")),
        frozenset({"east", "south"}),
        {"red": (("pen", "ditch"),)},
    ),
    "shore": ZoneTile(
        (
            ("reeds", "reeds", "shallows"),
            ("reeds", "shallows", "shallows"),
            ("reeds", "shallows", "shallows"),
        ),
        frozenset({"south", "west"}),
    ),
}


def test_tiles_are_adjacent_where_both_touching_sides_are_open():
    board = tiles_to_zones(rows("dyke chapel\nshore pens"), TILES)
    assert neighbours(board, "road") == {"sedge", "bank", "porch"}
    assert neighbours(board, "bank") == {"road", "yard", "reeds", "shallows"}
    assert neighbours(board, "vestry") == {"nave", "yard", "track"}
    assert board.border(board.named["nave"], board.named["yard"]) == "red"
    assert board.border(board.named["nave"], board.named["vestry"]) == "door"
    assert [tile for tile, cells in board.tiles.items() if cells >> board.named["pen"] & 1] == ["pens"]


def test_a_tile_turned_clockwise_takes_its_closed_sides_along():
    board = tiles_to_zones(rows("dyke chapel\nshore> pens"), TILES)
    # Reeds on top, then east; the shore's south and west now look west and north.
    assert board.names[board.at[0, 3]] == "reeds"
    assert board.names[board.at[0, 4]] == "shallows"
    assert board.names[board.at[2, 4]] == "reeds"
    assert neighbours(board, "bank") == {"road", "yard"}
    assert board.border(board.named["bank"], board.named["reeds"]) == "wall"
    assert neighbours(board, "reeds") == {"shallows", "track", "pen"}


def test_equal_names_on_open_touching_sides_flow_together():
    tiles = {"left": ZoneTile((("a", "road"),)), "right": ZoneTile((("road", "b"),))}
    board = tiles_to_zones([["left", "right"]], tiles)
    assert sorted(board.named) == ["a", "b", "road"]
    assert [tile for tile, cells in board.tiles.items() if cells >> board.named["road"] & 1] == [
        "left",
        "right",
    ]


@pytest.mark.parametrize(
    ("layout", "tiles", "reason"),
    [
        ([["a", "a"]], {"a": ZoneTile((("x",),))}, "laid twice"),
        ([["b"]], {"a": ZoneTile((("x",),))}, "no tile named `b`"),
        ([["a", "b"]], {"a": ZoneTile((("x",),)), "b": ZoneTile((("y",), ("y",)))}, "wide and high"),
        ([["a"]], {"a": ZoneTile((("x",), ("y", "z")))}, "equally long"),
        ([["a"]], {"a": ZoneTile((("x",),), frozenset({"up"}))}, "closed side"),
    ],
)
def test_layouts_that_make_no_map_are_refused(layout, tiles, reason):
    with pytest.raises(PlanError, match=reason):
        tiles_to_zones(layout, tiles)


def plain_zones(grid):
    """Zones as sets of squares, grown square by square, or none if a name has two of them."""
    squares = {(x, y): name for y, line in enumerate(grid) for x, name in enumerate(line) if name != "."}
    zones = {square: {square} for square in squares}
    for x, y in squares:
        for other in ((x + 1, y), (x, y + 1)):
            if squares.get(other) == squares[x, y] and zones[other] is not zones[x, y]:
                zones[x, y] |= zones[other]
                for square in zones[other]:
                    zones[square] = zones[x, y]
    distinct = {frozenset(zone) for zone in zones.values()}
    names = [squares[min(zone)] for zone in distinct]
    if len(set(names)) < len(names):
        return None
    pairs = {
        frozenset((squares[x, y], squares[other]))
        for x, y in squares
        for other in ((x + 1, y), (x, y + 1))
        if other in squares and squares[other] != squares[x, y]
    }
    return dict(zip(names, distinct, strict=True)), pairs


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from("abcdef."), min_size=width, max_size=width), min_size=1, max_size=4
        )
    )
)
def test_zones_agree_with_the_plain_version(grid):
    expected = plain_zones(grid)
    if expected is None:
        with pytest.raises(PlanError):
            rows_to_zones(grid)
        return
    board = rows_to_zones(grid)
    zones, pairs = expected
    assert {name: set(board.squares[cell]) for name, cell in board.named.items()} == zones
    assert {frozenset((name, other)) for name in board.named for other in neighbours(board, name)} == pairs


def test_the_neighbour_of_a_zone_is_given_only_when_there_is_one():
    board = rows_to_zones(rows("a a b\nc d d"))
    cell = board.named
    assert board.neighbour(cell["a"], "east") == cell["b"]
    assert board.neighbour(cell["a"], "south") is None
    assert board.neighbour(cell["a"], "north") is None
    assert board.neighbour(cell["c"], "north") == cell["a"]
