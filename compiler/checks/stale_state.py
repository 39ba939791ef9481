"""States that begin anew with an action and are read where it never runs."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._reachable_actions import reached_from, running
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, index, is_whole, weight
from talewright.dsl.diagnostics import Diagnostic

_HOOKS = frozenset(("before", "after", "instead_of", "forbid"))


def find(context: Context) -> Iterator[Diagnostic]:
    """Every rule about an action that cannot run inside those with which a state that it reads begins anew."""
    if not is_whole(context):
        return
    seen = index(context)
    able = running(context)
    for state in context.content["states"]:
        verbs = [moment.removeprefix("verb:") for moment in state.get("per", ())]
        if not verbs or any(verb in context.work.table.periods for verb in verbs):
            continue
        readers = seen.users.get(("state", state["id"]), set()) - seen.writers.get(
            ("state", state["id"]), set()
        )
        inside: set[str] | None = None
        for number in sorted(readers):
            rule = seen.units[number]
            if rule.form != "rule" or rule.ir["rule"] not in _HOOKS or rule.id not in able:
                continue
            inside = reached_from(verbs, seen) if inside is None else inside
            if rule.id not in inside and at_in_main(context, rule.ir["at"]):
                yield CHECK.finding(
                    context.span(rule.ir["at"]),
                    f"this reads `{state['id']}`, which is of the last `{verbs[0]}`: none runs here",
                    f"name a moment around both behind `per`, or set `{state['id']}` yourself",
                    severity=weight(context),
                )


CHECK = Check(
    code="F446",
    name="stale-state",
    severity="warning",
    why="""A state `per X` shows its default when X begins, and keeps its last value when X is over. A rule about
    an action that never runs inside X therefore reads what the X before has left, which is rarely meant.""",
    bad="""
    state tired: yes | no = no per turn
    state naps: int = 0
    action game:
        repeat:
            turn
            rest
    action turn: tired = yes
    action rest: naps + 1
    after rest when tired: naps + 1  # <-
    """,
    good="""
    state tired: yes | no = no per day
    state naps: int = 0
    action game:
        repeat: day
    action day:
        turn
        rest
    action turn: tired = yes
    action rest: naps + 1
    after rest when tired: naps + 1
    """,
    find=find,
)
