"""What is clear before a program runs is worked out, and nothing else."""

from __future__ import annotations

import pytest

from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import ONE, ZERO, add, const, load, negate
from talewright.runtime.ir.passes.folding import MOST_LOCALS, folded

CELLS = 1000
# Two cells that never change: 7 and 9.
FIXED = n.Data(100, (7, 9))
X, Y = n.Local(0), n.Local(1)


def body_of(*body: n.Statement, parameters: int = 1, things: frozenset[int] = frozenset()) -> n.Body:
    """What becomes of a body with two locals."""
    function = n.Function("f", parameters, 4, True, body, things=things)
    return folded(function, FIXED, CELLS).body


def test_cells_that_never_change_are_read_now() -> None:
    assert body_of(n.Return(load(const(101)))) == (n.Return(const(9)),)
    assert body_of(n.Return(load(const(102)))) == (n.Return(load(const(102))),)


def test_constants_and_copies_are_followed() -> None:
    assert body_of(n.Assign(1, const(99)), n.Return(load(Y, 1))) == (n.Return(const(7)),)
    assert body_of(n.Assign(1, X), n.Return(add(Y, ONE))) == (n.Return(add(X, ONE)),)


def test_a_copy_ends_when_what_was_copied_changes() -> None:
    body = (n.Assign(1, X), n.Assign(0, add(X, ONE)), n.Return(Y))
    assert body_of(*body) == body


def test_a_loop_knows_nothing_of_what_it_changes() -> None:
    body = (
        n.Assign(1, ONE),
        n.Loop(
            "again", (n.If(n.Binary("gt", Y, X), (n.Return(Y),)), n.Assign(1, add(Y, Y)), n.Branch("again"))
        ),
    )
    assert body_of(*body) == body


def test_where_a_test_has_passed_it_is_not_made_again() -> None:
    inner = n.If(X, (n.Return(ONE),), (n.Return(ZERO),))
    assert body_of(n.If(X, (inner,)), n.Return(const(2))) == (
        n.If(X, (n.Return(ONE),)),
        n.Return(const(2)),
    )
    assert body_of(n.If(negate(X), (inner,)), n.Return(const(2))) == (
        n.If(negate(X), (n.Return(ZERO),)),
        n.Return(const(2)),
    )


def test_behind_ways_that_meet_holds_what_all_of_them_know() -> None:
    same = n.If(X, (n.Assign(1, const(3)),), (n.Assign(1, const(3)),))
    assert body_of(same, n.Return(Y))[-1] == n.Return(const(3))
    unlike = n.If(X, (n.Assign(1, const(3)),), (n.Assign(1, const(4)),))
    assert body_of(unlike, n.Return(Y))[-1] == n.Return(Y)


def test_exits_of_a_block_count_as_ways() -> None:
    left = n.Block("b", (n.Assign(1, const(3)), n.If(X, (n.Branch("b"),)), n.Assign(1, const(4))))
    assert body_of(left, n.Return(Y))[-1] == n.Return(Y)


def test_a_block_that_is_left_only_at_its_end_is_none() -> None:
    assert body_of(n.Block("b", (n.Evaluate(n.Call("g")), n.Branch("b"))), n.Return(X)) == (
        n.Evaluate(n.Call("g")),
        n.Return(X),
    )


def test_what_frames_must_name_stays_as_it_is() -> None:
    body = (n.Assign(1, const(57)), n.AskingCall("g"), n.Return(Y))
    assert body_of(*body, things=frozenset({1})) == body
    assert body_of(*body)[-1] == n.Return(const(57))


@pytest.mark.parametrize("address", [-1, CELLS, CELLS + 7])
def test_an_address_that_is_wrong_stays_a_fault_for_whoever_gets_there(address: int) -> None:
    body = (n.Assign(1, const(address)), n.Return(load(Y)))
    assert body_of(*body) == body


def test_a_test_that_is_made_for_one_value_takes_it_in() -> None:
    value = n.Binary("lt", X, const(5))
    assert body_of(n.Assign(1, value), n.If(Y, (n.Return(ONE),)), n.Return(ZERO)) == (
        n.If(value, (n.Return(ONE),)),
        n.Return(ZERO),
    )


def test_a_function_with_very_many_locals_is_left_alone() -> None:
    body = (n.Assign(1, const(3)), n.Return(Y))
    many = n.Function("f", 1, MOST_LOCALS + 1, True, body)
    assert folded(many, FIXED, CELLS) == many


def test_a_block_that_is_left_in_many_places_meets_what_all_of_them_know() -> None:
    ways = tuple(n.If(n.Binary("eq", X, const(i)), (n.Assign(1, const(3)), n.Branch("b"))) for i in range(5))
    assert body_of(n.Block("b", (*ways, n.Assign(1, const(3)))), n.Return(Y))[-1] == n.Return(const(3))
    assert body_of(n.Block("b", (*ways, n.Assign(1, const(4)))), n.Return(Y))[-1] == n.Return(Y)
