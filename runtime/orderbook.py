"""The part of a generated program that asks which rule of a moment comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.bookspace import COUNTS, GAME, LAYER, Anew, StopAction
    from talewright.runtime.rulebook import winner


def next_rule(point: int, by: Any, left: list[Any], params: tuple[Any, ...]) -> Any:
    """The rule that somebody picks among those that still apply; the only one is not asked for."""
    while True:
        ready = [e for e in left if e[3] and (e[6] is None or e[6](e[1], *params))]
        COUNTS[point] += 1
        if len(ready) < 2:
            return ready[0] if ready else None
        labels = rule_labels(ready)
        try:
            return ready[GAME.ask_labelled(point, by, [(i, t, t) for i, t in enumerate(labels)], None, False)]
        except Anew:
            COUNTS[point] -= 1


def rule_labels(entries: list[Any]) -> list[str]:
    """What rules are called: after who bears them, numbered where that is not enough."""
    names = [GAME.title(e[1]) if e[1] is not None else "the rules" for e in entries]
    return [n if names.count(n) == 1 else f"{n} {names[: i + 1].count(n)}" for i, n in enumerate(names)]


def run_before_by(point: int, by: Any, rules: list[Any], params: tuple[Any, ...]) -> tuple[Any, ...]:
    left = list(rules)
    while (entry := next_rule(point, by, left, params)) is not None:
        left.remove(entry)
        changed = entry[2](entry[1], *params)
        if changed is not None:
            params = changed
    return params


def run_after_by(point: int, by: Any, rules: list[Any], result: Any, params: tuple[Any, ...]) -> None:
    left = list(rules)
    stopped: StopAction | None = None
    while (entry := next_rule(point, by, left, params)) is not None:
        left.remove(entry)
        try:
            entry[2](entry[1], result, *params)
        except StopAction as stop:
            if stopped is None or stop.index < stopped.index:
                stopped = stop
    if stopped is not None:
        raise stopped


def winner_by(point: int, by: Any, rules: list[Any], params: tuple[Any, ...], below: int) -> Any:
    """The replacement that somebody picks among rivals of the highest layer; the only one is not asked for."""
    while True:
        highest = winner(rules, params, below)
        if highest is None:
            return None
        layer = highest[0] // LAYER
        rivals = [
            e for e in rules if e[8] < below and e[3] and e[0] // LAYER == layer and e[2](e[1], *params)
        ]
        if len(rivals) < 2:
            return highest
        COUNTS[point] += 1
        labels = rule_labels(rivals)
        try:
            return rivals[
                GAME.ask_labelled(point, by, [(i, t, t) for i, t in enumerate(labels)], None, False)
            ]
        except Anew:
            COUNTS[point] -= 1
