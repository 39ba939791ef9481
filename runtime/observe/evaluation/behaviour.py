"""Effects and conditions that fields hold or that were handed over: whether they hold, can be done, are affordable."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope, evaluates
from talewright.runtime.observe.evaluation.values import Behaviour, Block, Value
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import EffectBlock
from talewright.schemas.nodes.declaration import Expression
from talewright.schemas.nodes.things import Code
from talewright.schemas.records import record

# Where the parts of a block stand that was handed over.
FIRST, SECOND, CAPTURED = 2, 3, 4


@record(frozen=True)
class Text:
    """The text of some behaviour, and what its names mean."""

    scope: Scope
    body: Sequence[s.Statement] = ()
    condition: Expression | None = None
    params: Sequence[int] = ()
    always: Value = None
    """What a condition always gives, where it has no text."""

    def given(self, arguments: Sequence[Value]) -> Scope:
        """The scope with what the behaviour is given."""
        return self.scope.bind_all(dict(zip(self.params, arguments, strict=False)))


def text_of(ev: Evaluator, held: Value) -> Text | None:
    """The text of the behaviour that a value is; none where there is none."""
    if isinstance(held, Block):
        return Text(held.scope, held.node.body, params=held.node.params or ())
    if not isinstance(held, Behaviour):
        return None
    if not held.handed_over:
        return _own(ev, held.slot, held.whose)
    name = ev.program.table[held.slot].function
    if name.startswith("borne"):
        return _own(ev, ev.memory[held.whose + FIRST], ev.memory[held.whose + SECOND])
    if name == "given condition":
        return Text(Scope(), always=ev.memory[held.whose + FIRST])
    passage = ev.program.passages[held.slot]
    assert isinstance(passage.node, EffectBlock)
    scope = Scope(
        ev.captured(passage, held.whose + CAPTURED),
        passage.types,
        ev.memory[held.whose + FIRST] or None,
        passage.owner,
        ev.memory[held.whose + SECOND] or None,
    )
    return Text(scope, passage.node.body, params=passage.node.params or ())


def _own(ev: Evaluator, slot: int, thing: int) -> Text:
    passage = ev.program.passages[slot]
    node = passage.node
    assert isinstance(node, Code)
    scope = Scope({}, passage.types, thing or None, passage.owner)
    return Text(scope, node.body, node.condition, node.params)


@evaluates(r.Holds)
def holds(ev: Evaluator, node: r.Holds, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    if isinstance(held, int):
        return int(held == 1)
    found = text_of(ev, held)
    if found is None:
        return 0
    if found.condition is None:
        return int(found.always == 1)
    return int(ev.condition(found.condition, found.scope))


@evaluates(EffectBlock)
def block(ev: Evaluator, node: EffectBlock, scope: Scope) -> Value:
    return Block(node, scope)


Asks = Callable[[Evaluator, Sequence[s.Statement], Scope], bool]


def ask_effect(ev: Evaluator, held: Value, arguments: Sequence[Value], ask: Asks, otherwise: bool) -> bool:
    """Asks something of an effect; `otherwise` is said of one that is not there."""
    found = text_of(ev, held)
    return otherwise if found is None else ask(ev, found.body, found.given(arguments))
