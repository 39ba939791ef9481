"""Which actions can ever run: reachability over calls."""

from __future__ import annotations

from collections.abc import Collection

from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import Index, Unit, index
from talewright.compiler.symbols import core

# What the core itself calls or reads when a system declares it.
CALLED_BY_CORE = core.SYSTEM_VERBS | {"score"}
_IDLE = frozenset(("test", "check", "measure"))


def running(context: Context) -> set[str]:
    """The ids of the actions that can run, worked out once."""
    made = context.notes.get("running")
    if made is None:
        first = CALLED_BY_CORE | {unit.partition("/")[0] for unit in context.content["start_after"]}
        made = context.notes["running"] = reached_from(first, index(context))
    return set(made)


def reached_from(verbs: Collection[str], seen: Index) -> set[str]:
    """The ids of the actions that can run while one of these verbs runs; what belongs to no action may run at any time."""
    actions = {unit.id: unit for unit in seen.by_form("action")}
    rules: dict[str, list[Unit]] = {}
    offers: dict[str, list[Unit]] = {}
    for unit in seen.by_form("rule"):
        if unit.ir["rule"] == "offer":
            offers.setdefault(unit.ir["menu"], []).append(unit)
        elif unit.id in actions:
            rules.setdefault(unit.id, []).append(unit)
    calls: dict[int, list[str]] = {}
    opens: dict[int, list[str]] = {}
    for (sort, name), users in seen.users.items():
        for number in users:
            if sort == "action":
                calls.setdefault(number, []).append(name)
            elif sort == "menu":
                opens.setdefault(number, []).append(name)
    waiting = {unit.number for group in (*rules.values(), *offers.values()) for unit in group}
    waiting |= {unit.number for unit in actions.values()}
    stack = [u for u in seen.units if u.number not in waiting and u.form not in _IDLE]
    runs: set[str] = set()
    opened: set[str] = set()

    def run(action: str) -> None:
        if action in actions and action not in runs:
            runs.add(action)
            stack.extend((actions[action], *rules.get(action, ())))

    for unit in actions.values():
        if unit.ir["verb"] in verbs:
            run(unit.id)
    while stack:
        unit = stack.pop()
        for action in calls.get(unit.number, ()):
            run(action)
        for menu in opens.get(unit.number, ()):
            if menu not in opened:
                opened.add(menu)
                stack.extend(offers.get(menu, ()))
    return runs


def verb_runs(context: Context, verb: str) -> bool:
    """Whether some action of a verb can run; the core's own verbs always can."""
    if verb in core.VERBS_BY_NAME or verb in context.work.table.periods:
        return True
    able = running(context)
    return any(action.id in able for action in context.work.table.verbs.get(verb, ()))
