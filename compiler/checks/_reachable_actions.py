"""Which actions can ever run: reachability over calls."""

from __future__ import annotations

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
        made = context.notes["running"] = _work_out(context, index(context))
    return set(made)


def _work_out(context: Context, seen: Index) -> set[str]:
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
        if unit.ir["verb"] in CALLED_BY_CORE or unit.id in context.content["start_after"]:
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
