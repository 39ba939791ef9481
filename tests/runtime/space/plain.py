"""Plain slow versions of the queries of a map, and random maps to try both on."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from talewright.runtime.space import Board, Rules, Square, connect, link, plan_to_squares, set_border

Graph = dict[int, set[int]]
EIGHT = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def bits(cells: Iterable[int]) -> int:
    """A set of cells as the library writes it."""
    return sum(1 << cell for cell in set(cells))


def listed(cells: int) -> set[int]:
    """A set of cells as Python writes it."""
    return {cell for cell in range(cells.bit_length()) if cells >> cell & 1}


def graph_of(board: Board) -> Graph:
    """The steps of a board, cell by cell."""
    return {cell: listed(targets) for cell, targets in enumerate(board.chart.steps)}


def plain_costs(
    graph: Graph,
    starts: Iterable[int],
    enter: Callable[[int, int], int | None],
    stops: Callable[[int], bool] = lambda cell: False,
) -> dict[int, int]:
    """The lowest cost to each cell, by trying every step again and again until nothing changes."""
    first = set(starts)
    costs = dict.fromkeys(first, 0)
    changed = True
    while changed:
        changed = False
        for here in list(costs):
            if here not in first and stops(here):
                continue
            for there in graph[here]:
                price = enter(here, there)
                if price is not None and costs[here] + price < costs.get(there, 10**9):
                    costs[there] = costs[here] + price
                    changed = True
    return costs


def plain_sees(floor: set[Square], here: Square, there: Square) -> bool:
    """Whether the line between two centres stays out of the inside of every square that is no floor."""
    xs, ys = sorted((here[0], there[0])), sorted((here[1], there[1]))
    for x in range(xs[0], xs[1] + 1):
        for y in range(ys[0], ys[1] + 1):
            if (x, y) not in floor and _crosses(here, there, (x, y)):
                return False
    return True


def _crosses(here: Square, there: Square, square: Square) -> bool:
    """Whether part of a line lies strictly inside a square: the times it spends between its sides overlap."""
    enter, leave = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start = Fraction(2 * here[axis] + 1, 2)
        change = there[axis] - here[axis]
        low, high = square[axis], square[axis] + 1
        if change == 0:
            if not low < start < high:
                return False
            continue
        times = sorted(((low - start) / change, (high - start) / change))
        enter, leave = max(enter, times[0]), min(leave, times[1])
    return enter < leave


def drawings(most: int = 7) -> st.SearchStrategy[str]:
    """Random drawings of floor and rock with some floor."""
    row = st.integers(1, most)
    return row.flatmap(
        lambda width: st.lists(
            st.text(alphabet="...#", min_size=width, max_size=width), min_size=1, max_size=most
        ).map("\n".join)
    ).filter(lambda text: "." in text)


rules = st.builds(
    Rules, squares=st.just(True), diagonal=st.booleans(), corners_open=st.booleans(), ring=st.just(False)
)


@st.composite
def boards(draw: st.DrawFn, most: int = 6) -> Board:
    """Random maps of squares with some walls, gates and one-way steps."""
    board = plan_to_squares(draw(drawings(most)), draw(rules))
    cell = st.integers(0, len(board.chart.names) - 1)
    for here, there, change in draw(
        st.lists(st.tuples(cell, cell, st.sampled_from(["wall", "gate", "one way", "red"])), max_size=5)
    ):
        if here == there:
            continue
        if change == "gate":
            link(board, 1 << here, 1 << there)
        elif change == "one way":
            connect(board, here, there, both=False)
        elif board.chart.steps[here] >> there & 1:
            set_border(board, here, there, change)
    return board


def is_walk(graph: Graph, cells: list[int]) -> bool:
    """Whether each cell is one step from the one before."""
    return all(there in graph[here] for here, there in pairwise(cells))
