"""Exits of blocks go straight to what follows from them."""

from __future__ import annotations

from talewright.runtime.engines.wasm.threading import threaded
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import ONE, ZERO, const, negate
from talewright.runtime.ir.walk import statements

X, FOUND = n.Local(0), n.Local(1)
YES, NO = (n.Return(const(7)),), (n.Return(const(8)),)


def leaving(value: n.Expression) -> n.Body:
    return (n.Assign(1, value), n.Branch("b"))


def test_a_constant_leads_straight_on() -> None:
    block = n.Block("b", (n.If(X, leaving(ONE)), *leaving(ZERO)))
    made = threaded((block, n.If(FOUND, YES, NO)))
    assert not any(isinstance(node, n.If) and node.condition == FOUND for node in statements(made))
    assert not any(isinstance(node, n.Branch) and node.label == "b" for node in statements(made))


def test_a_value_that_is_not_clear_is_still_looked_at() -> None:
    block = n.Block("b", (n.If(X, leaving(ONE)), *leaving(n.Load(X))))
    made = threaded((block, n.If(negate(FOUND), YES, NO)))
    assert any(isinstance(node, n.If) and node.condition == negate(FOUND) for node in statements(made))
    assert any(isinstance(node, n.Branch) and node.label == "b" for node in statements(made))


def test_what_another_local_decides_is_left_alone() -> None:
    body = (n.Block("b", (n.If(X, leaving(ONE)), *leaving(ZERO))), n.If(n.Local(2), YES, NO))
    assert threaded(body) == body
