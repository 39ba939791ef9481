"""Ways on to chapters and endings."""

from __future__ import annotations

from talewright.runtime.observe.evaluation.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope
from talewright.runtime.observe.evaluation.values import Value, Ways


def _edge(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    ways = ev.value(args[0], scope)
    return ev.kernel.call("first_way", ways.rows, ways.page) or None if isinstance(ways, Ways) else None


def _ways(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    ways = ev.value(args[0], scope)
    if not isinstance(ways, Ways):
        return ()
    targets = [
        ev.kernel.call("way_target", ways.rows, number) for number in range(1, ev.memory[ways.rows] + 1)
    ]
    return tuple(target for target in targets if target)


def _fallback(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    ways = ev.value(args[0], scope)
    return ev.kernel.call("fallback_way", ways.rows) or None if isinstance(ways, Ways) else None


CORE_FUNCTIONS |= {"edge": _edge, "ways": _ways, "fallback": _fallback}
