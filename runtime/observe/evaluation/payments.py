"""Whether a cost can be paid, worked out by the kernel on the copy."""

from __future__ import annotations

from talewright.runtime.ir.header import STACK_TOP
from talewright.runtime.lower.code import local_types
from talewright.runtime.observe.evaluation.evaluator import (
    Evaluator,
    Scope,
    as_thing,
    asked_by_kernel,
    of_kind,
)
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes.components import Coin
from talewright.schemas.nodes.names import PaymentRef
from talewright.schemas.nodes.statements import CoreCall


def can_pay(ev: Evaluator, node: CoreCall, scope: Scope) -> bool:
    """Whether there is a way to pay."""
    using = node.args.using
    assert isinstance(using, PaymentRef)
    declared = next(p for p in ev.program.world.content.payments if p.id == using.id)
    cost, things = ev.items(node.args.first, scope), ev.items(node.args.source, scope)
    with ev.memory.supposing():
        ev.kernel.run("begin_payment", list_on_stack(ev, cost), len(declared.rules))
        for number, coin in enumerate(declared.rules):
            if coin.at_most is not None:
                ev.kernel.run("limit_rule", number, coin.at_most)
        ev.kernel.run("add_things", list_on_stack(ev, things))
        for source in range(ev.kernel.call("source_count")):
            thing = ev.kernel.call("source_thing", source)
            for number, coin in enumerate(declared.rules):
                if coin.kind is not None and of_kind(ev, thing, coin.kind):
                    _cover(ev, source, number, coin, thing)
        for number, coin in enumerate(declared.rules):
            if coin.token is not None:
                _add_tokens(ev, number, coin)
        return ev.kernel.call("find_ways", 1) > 0


def list_on_stack(ev: Evaluator, items: tuple[Value, ...]) -> int:
    """A list on the stack of the copy."""
    made = ev.memory[STACK_TOP]
    for offset, cell in enumerate((len(items), *map(as_thing, items))):
        ev.memory[made + offset] = cell
    ev.memory[STACK_TOP] = made + 1 + len(items)
    return made


def _add_tokens(ev: Evaluator, number: int, coin: Coin) -> None:
    scope = Scope({}, local_types(coin.locals))
    token, on = ev.number(coin.token, scope) - 1, ev.thing(coin.on, scope)
    count = ev.kernel.call("tokens_on", token, on)
    if count > 0:
        source = ev.kernel.call("source_count")
        ev.kernel.run("add_source", -1 - token, on, count)
        _cover(ev, source, number, coin, 0)


def _cover(ev: Evaluator, source: int, number: int, coin: Coin, thing: int) -> None:
    """Notes which symbols a source covers by a rule."""
    for symbol in range(ev.kernel.call("symbol_count")):
        locals_: dict[int, Value] = {coin.symbol: ev.kernel.call("symbol_at", symbol)}
        if coin.local is not None and thing:
            locals_[coin.local] = thing
        if coin.when is None or ev.condition(coin.when, Scope(locals_, local_types(coin.locals))):
            at = ev.kernel.call("source_cell", source, symbol)
            ev.memory[at] = ev.memory[at] | 1 << number


@asked_by_kernel
def alike(ev: Evaluator, first: int, second: int) -> int:
    """Whether two things are the same to pay with: copies of one sort that show the same."""
    if ev.column("SORT", first) != ev.column("SORT", second):
        return 0
    faces = [ev.column("THING_FACE", thing) for thing in (first, second)]
    return int(len({ev.memory[at] if at else 0 for at in faces}) == 1)
