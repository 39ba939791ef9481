"""Paying: which things and tokens cover the symbols of a cost; whoever pays picks one of the ways."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, call, cell, const, load, negate
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.kernel.components.payments import LIMIT, SOURCE, SOURCES, SYMBOL, SYMBOLS
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.decisions.decisions import new_point, pick
from talewright.runtime.lower.dispatch import condition, listed, value
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.expressions.values import of_kind, token_value
from talewright.runtime.lower.statements.verbs import Verb, verb
from talewright.runtime.model.types import INT
from talewright.schemas.nodes.components import Coin
from talewright.schemas.nodes.declared import PaymentDeclaration
from talewright.schemas.nodes.names import PaymentRef
from talewright.schemas.nodes.statements import CoreCall
from talewright.schemas.nodes.types import Type


def _payment(code: Code, node: CoreCall) -> PaymentDeclaration:
    using = node.args.using
    assert isinstance(using, PaymentRef)
    return next(p for p in code.program.world.content.payments if p.id == using.id)


def ways(code: Code, node: CoreCall, only_one: bool) -> tuple[Expression, Expression]:
    """Works out the ways to pay; gives how many there are, and the things that may pay."""
    program = code.program
    declared = _payment(code, node)
    name = program.function(f"ways:{declared.id}", 3, partial(_ways, declared))
    cost = code.keep(listed(code, node.args.first))
    things = code.keep(listed(code, node.args.source))
    return code.pushed(name, cost, things, int(only_one)), things


def _ways(declared: PaymentDeclaration, code: Code) -> None:
    """ways(cost, things, whether one is enough)."""
    cost, things, only_one = Local(0), Local(1), Local(2)
    code.do("begin_payment", cost, len(declared.rules))
    for number, coin in enumerate(declared.rules):
        if coin.at_most is not None:
            code.set(LIMIT + number, coin.at_most)
    code.do("add_things", things)
    with code.count_up(0, cell(SOURCES)) as source:
        thing = code.hold(load(source, SOURCE))
        with code.count_up(0, cell(SYMBOLS)) as symbol:
            held = code.hold(load(symbol, SYMBOL))
            at = code.hold(call("source_cell", source, symbol))
            for number, coin in enumerate(declared.rules):
                if coin.kind is not None:
                    with code.if_(_thing_covers(code, coin, thing, held)):
                        code.put(at, load(at) | 1 << number)
    for number, coin in enumerate(declared.rules):
        if coin.token is not None:
            _add_tokens(code, number, coin)
    code.give(code.call("find_ways", only_one))


def _scope(coin: Coin, symbol: Expression, thing: Expression | None = None) -> Scope:
    locals_: dict[int, Expression] = {coin.symbol: symbol}
    if coin.local is not None and thing is not None:
        locals_[coin.local] = thing
    types = local_types(coin.locals)
    if coin.kind is not None and coin.local is not None:
        types[coin.local] = Type("thing", coin.kind)
    return Scope(locals_, types=types, sure=frozenset(locals_), verb="payment")


def _thing_covers(code: Code, coin: Coin, thing: Expression, symbol: Expression) -> Expression:
    with code.in_scope(_scope(coin, symbol, thing)):
        return code.all_of(
            [
                lambda: of_kind(code, thing, coin.kind or ""),
                lambda: ONE if coin.when is None else condition(code, coin.when),
            ]
        )


def _add_tokens(code: Code, number: int, coin: Coin) -> None:
    with code.in_scope(Scope({}, types=local_types(coin.locals), verb="payment")):
        token = code.keep(token_value(code, coin.token))
        on = code.keep(value(code, coin.on))
    count = code.call("tokens_on", token, on)
    with code.if_(count > 0):
        source = code.call("add_source", -1 - token, on, count)
        with code.count_up(0, cell(SYMBOLS)) as symbol:
            held = code.hold(load(symbol, SYMBOL))
            with code.in_scope(_scope(coin, held)):
                covers = ONE if coin.when is None else condition(code, coin.when)
            with code.if_(covers):
                code.put(call("source_cell", source, symbol), 1 << number)


def can_pay(code: Code, node: CoreCall) -> Expression:
    found, _ = ways(code, node, True)
    return found > 0


@verb("pay")
def pay(code: Code, call_: Verb) -> Expression | None:
    """Pays a whole cost or nothing; gives whether it was paid."""
    node = call_.node
    point = new_point(code, "pay", "pay", None, asks=node.args.first)
    mask = code.keep(deciders(code, node.args.by))

    def options() -> Expression:
        ways(code, node, False)
        return code.call("way_numbers")

    chosen = pick(code, point, mask, options, INT, False, ZERO)
    with code.if_(chosen):
        # The ways are worked out again: nothing of them is kept over a decision.
        _, things = ways(code, node, False)
        into = call_.part("into") if call_.has("into") else const(code.program.world.pile_numbers["box"])
        code.do("spend_way", chosen, things, into)
    return negate(negate(chosen))
