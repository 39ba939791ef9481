"""Adjacency, distances, next steps and walks along them, beside plain slow versions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.space import (
    Movement,
    adjacent,
    along,
    cell_set,
    cells_in,
    connect,
    distance,
    first_cell,
    is_adjacent,
    plan_to_squares,
    rows_to_zones,
    set_border,
    steps,
    within,
)
from talewright.runtime.space.network import network_of, reversed_steps, spread

from .plain import bits, boards, graph_of, is_walk, listed, plain_costs

sets = st.integers(1, 2**36 - 1)
quick = settings(max_examples=300, deadline=None)


def one_each(here, there):
    return 1


@given(st.sets(st.integers(0, 400)))
def test_a_set_of_cells_lists_its_cells(cells):
    assert cells_in(cell_set(cells)) == sorted(cells)
    if cells:
        assert first_cell(cell_set(cells)) == min(cells)


@quick
@given(
    st.lists(st.integers(0, 2**40 - 1), min_size=40, max_size=40),
    st.integers(0, 2**40 - 1),
    st.integers(0, 5),
)
def test_a_network_spreads_like_its_steps(steps, start, limit):
    network = network_of(steps)
    graph = {node: listed(targets) for node, targets in enumerate(steps)}
    assert listed(network.onward(start)) == {there for here in listed(start) for there in graph[here]}
    assert reversed_steps(reversed_steps(steps)) == tuple(steps)
    costs = plain_costs(graph, listed(start), one_each)
    layers = spread(network, start, 2**40 - 1, limit)
    assert {node: cost for cost, layer in enumerate(layers) for node in listed(layer)} == {
        node: cost for node, cost in costs.items() if cost <= limit
    }


@quick
@given(boards(), sets, sets, st.integers(0, 6))
def test_distance_and_within_agree_with_the_plain_version(board, here, goal, limit):
    here, goal = here & board.chart.everywhere, goal & board.chart.everywhere
    graph = graph_of(board)
    costs = plain_costs(graph, listed(here), one_each)
    expected = min((costs[cell] for cell in listed(goal) if cell in costs), default=None)
    assert distance(board, here, goal) == expected
    assert distance(board, here, goal) == expected, "the remembered answer is the same"
    assert within(board, here, limit) == bits(cell for cell, cost in costs.items() if cost <= limit)
    assert adjacent(board, here) == bits(there for cell in listed(here) for there in graph[cell]) & ~here
    assert is_adjacent(board, here, goal) == (not here & goal and bool(adjacent(board, here) & goal))


movements = st.builds(
    lambda blocked, trades, odd, shut, asked: (blocked, trades, odd, shut, asked),
    blocked=st.integers(0, 2**36 - 1).map(lambda cells: cells & 0x111248924),
    trades=sets,
    odd=st.integers(1, 4) | st.none(),
    shut=st.sets(st.tuples(st.integers(0, 35), st.integers(0, 35)), max_size=40) | st.none(),
    asked=st.booleans(),
)


def build(parts):
    """A movement from its parts, and the plain function that prices a step (none: closed)."""
    blocked, trades, odd, shut, asked = parts
    movement = Movement(
        blocked=(lambda cell: bool(blocked >> cell & 1)) if asked else blocked,
        trades=(lambda cell: bool(trades >> cell & 1)) if asked else trades,
        costs=None if odd is None else lambda cell: 1 + cell % odd,
        step_open=None if shut is None else lambda here, there: (here, there) not in shut,
    )

    def enter(here, there):
        if blocked >> there & 1 and not trades >> there & 1:
            return None
        if shut is not None and (here, there) in shut:
            return None
        return 1 if odd is None else 1 + there % odd

    return movement, enter


@quick
@given(boards(), st.integers(0, 35), sets, movements, st.integers(0, 9))
def test_ways_of_a_movement_agree_with_the_plain_version(board, here, goal, parts, limit):
    here %= len(board.chart.names)
    goal &= board.chart.everywhere
    movement, enter = build(parts)
    graph = graph_of(board)

    def to_goal(cell):
        costs = plain_costs(graph, [cell], enter)
        return min((costs[end] for end in listed(goal) if end in costs), default=None)

    expected = to_goal(here)
    assert distance(board, 1 << here, goal, movement) == expected
    onward = set()
    if expected:
        for there in graph[here]:
            price, rest = enter(here, there), to_goal(there)
            if price is not None and rest is not None and price + rest == expected:
                onward.add(there)
    assert listed(steps(board, 1 << here, goal, movement)) == onward
    end = along(board, here, goal, limit, movement)
    if expected is None:
        assert end is None
    elif expected <= limit:
        assert goal >> end & 1
    else:
        spent = plain_costs(graph, [here], enter)[end]
        assert spent <= limit
        assert spent + to_goal(end) == expected
        onward_from_there = [enter(end, there) for there in listed(steps(board, 1 << end, goal, movement))]
        assert spent + min(onward_from_there) <= expected
        assert any(spent + price > limit for price in onward_from_there)


def test_steps_of_several_cells_start_from_the_nearest():
    board = plan_to_squares("......")
    assert steps(board, 0b11, 1 << 5) == 1 << 2
    assert steps(board, 1 << 5, 1 << 5) == 0
    assert is_walk(graph_of(board), [0, 1, 2])


def test_the_goal_of_a_movement_must_be_enterable():
    board = plan_to_squares("...")
    assert distance(board, 1, 1 << 2, Movement(blocked=1 << 2)) is None
    assert distance(board, 1, 1 << 2, Movement(blocked=1)) == 2
    assert distance(board, 1, 1, Movement(blocked=1)) == 0


def test_costs_below_one_count_as_one():
    board = plan_to_squares("....")
    free = Movement(costs=lambda cell: 0)
    assert distance(board, 1, 1 << 3, free) == 3
    assert along(board, 0, 1 << 3, 2, free) == 2


def test_a_one_way_step_is_no_way_back():
    board = rows_to_zones([["a", "b"]])
    set_border(board, 0, 1, "wall")
    assert distance(board, 1, 2) is None
    connect(board, 0, 1, both=False)
    assert distance(board, 1, 2) == 1
    assert distance(board, 2, 1) is None
    assert along(board, 1, 1, 3) is None


def test_a_game_that_asks_for_ever_new_goals_does_not_fill_the_memory():
    board = plan_to_squares("\n".join(["." * 14] * 2))
    for goal in range(1, 5000):
        distance(board, 1, goal)
    assert len(board.chart.ways) <= 4096


@pytest.mark.parametrize("limit", [0, -3])
def test_no_steps_lead_nowhere(limit):
    board = plan_to_squares("...")
    assert within(board, 2, limit) == 2
    assert along(board, 0, 4, limit) == 0


def test_a_step_never_leads_onto_a_blocked_part_of_the_goal():
    board = plan_to_squares("...")
    assert steps(board, 1 << 1, 0b101, Movement(blocked=0b100)) == 0b001
    assert distance(board, 1 << 1, 0b101, Movement(blocked=0b101)) is None
