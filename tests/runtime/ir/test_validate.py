"""Damaged modules are refused, and the message names function and mistake."""

from __future__ import annotations

import pytest

from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import ZERO
from talewright.runtime.ir.validate import InvalidModule, validate

CALLEE = n.Function("callee", 1, 1, True, (n.Return(n.Local(0)),))
SILENT = n.Function("silent", 0, 0, False, ())


def module(*body: n.Statement, result: bool = False) -> n.Module:
    return n.Module((n.Function("main", 1, 2, result, body), CALLEE, SILENT))


class Strange:
    """No node at all."""


GOOD = (
    n.Assign(1, n.Call("callee", (n.Local(0),))),
    n.Evaluate(n.Call("silent")),
    n.Block("out", (n.Loop("again", (n.If(n.Local(0), (n.Branch("out"),)), n.Branch("again"))),)),
    n.Switch(n.Local(0), ((n.Return(),),), ()),
)

BAD = {
    "has no local 2": n.Assign(2, ZERO),
    "has no local -1": n.Assign(-1, ZERO),
    "has no local 9": n.Evaluate(n.Local(9)),
    "which does not exist": n.Evaluate(n.Call("nobody")),
    "with 0 arguments instead of 1": n.Evaluate(n.Call("callee")),
    "uses the result of 'silent', which has none": n.Assign(1, n.Call("silent")),
    "uses the result of an indirect call": n.Assign(1, n.CallIndirect(ZERO, (), False)),
    "branches to 'out', which is not around it": n.Branch("out"),
    "has the label 'a' inside of itself": n.Loop("a", (n.Block("a", ()),)),
    "returns a value, and has no result": n.Return(ZERO),
    "no number of 32 bits": n.Assign(1, n.Const(2**31)),
    "no number of 32 bits: True": n.Assign(1, n.Const(True)),
    "reads or writes the cell -3": n.Store(n.Const(-5), 2, ZERO),
    "an offset out of range": n.Store(n.Local(0), 2**30, ZERO),
    "unknown operator: 'pow'": n.Assign(1, n.Binary("pow", ZERO, ZERO)),  # type: ignore[arg-type]
    "unknown operator: 'and'": n.Assign(1, n.Checked("and", ZERO, ZERO, 1)),  # type: ignore[arg-type]
    "has an unknown node": Strange(),
    "has an unknown node: 'text'": n.Assign(1, "text"),  # type: ignore[arg-type]
    "goes to the part 0, which it cannot": n.Goto(0),
    "goes to the part 2, which it cannot": n.Parts(1, ((), (n.Goto(2),))),
    "goes to the part 1, which it cannot": n.Parts(1, ((n.Block("b", (n.Goto(1),)),), ())),
    "has parts inside of something else": n.Block("b", (n.Parts(1, ((),)),)),
    "a body that is no tuple": n.If(ZERO, [n.Return()]),  # type: ignore[arg-type]
}


def test_what_is_well_formed_passes() -> None:
    validate(module(*GOOD))


@pytest.mark.parametrize("message", BAD)
def test_a_damaged_function_is_refused(message: str) -> None:
    with pytest.raises(InvalidModule) as found:
        validate(module(*GOOD[:1], BAD[message]))  # type: ignore[arg-type]
    assert message in str(found.value)
    assert "'main'" in str(found.value)


def test_a_result_must_be_returned() -> None:
    with pytest.raises(InvalidModule, match="returns no value, and has a result"):
        validate(module(n.Return(), result=True))


def test_nothing_asks_after_cutting() -> None:
    asking = module(n.Ask(1))
    validate(asking)
    with pytest.raises(InvalidModule, match="asks, although it was cut"):
        validate(asking, asking=False)


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (n.Module((SILENT, SILENT)), "two functions are called 'silent'"),
        (n.Module((SILENT,), (n.Slot("nobody"),)), "the table names 'nobody'"),
        (n.Module((SILENT,), exports=("nobody",)), "the export 'nobody' does not exist"),
        (n.Module((SILENT,), exports=("silent", "silent")), "named twice"),
        (n.Module((SILENT,), data=(n.Data(16380, (1,) * 5),)), "data at 16380 lies outside of memory"),
        (n.Module((SILENT,), data=(n.Data(0, (2**31,)),)), "more than 32 bits"),
        (n.Module((SILENT,), cells=1 << 30), "memory cannot have"),
        (n.Module((n.Function("f", 2, 1, False, ()),)), "fewer locals than parameters"),
    ],
)
def test_a_damaged_module_is_refused(damaged: n.Module, message: str) -> None:
    with pytest.raises(InvalidModule, match=message):
        validate(damaged)
