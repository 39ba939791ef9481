"""The fixed part of a program about rules: which are in force, what they do, checkpoints, and traits that bring some."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import (
        ACTIVE,
        BEARER_RULES,
        CELLS,
        CHECK,
        CORE_RULES,
        FORCE,
        GAME,
        LAYER,
        LENDS,
        LISTS,
        NAMESPACE,
        NOT_NOW,
        NUMBERS,
        PENDING,
        PERIODS,
        TRAIT_FIELDS,
        TRAIT_PARAMS,
        TRAITS,
        S,
        StopAction,
    )
    from talewright.runtime.setbook import minus, union


def enter_rule(rules: list[Any], entry: list[Any]) -> None:
    insort(rules, entry, key=_key)


def leave_rule(rules: list[Any], entry: list[Any]) -> None:
    entry[3] = False
    rules.remove(entry)


def _key(entry: list[Any]) -> int:
    return int(entry[0])


def forbidden(rules: list[Any], params: tuple[Any, ...]) -> bool:
    for entry in rules:  # noqa: SIM110 - a generator would cost more than the rules
        if entry[2](entry[1], *params):
            return True
    return False


def forbidden_one(rules: list[Any], first: Any) -> bool:
    """The same for a call that says how many it gives."""
    for entry in rules:  # noqa: SIM110 - as above
        if entry[2](entry[1], first):
            return True
    return False


def forbidden_two(rules: list[Any], first: Any, second: Any) -> bool:
    for entry in rules:  # noqa: SIM110 - as above
        if entry[2](entry[1], first, second):
            return True
    return False


def run_before(rules: list[Any], params: tuple[Any, ...]) -> tuple[Any, ...]:
    for entry in tuple(rules):
        if entry[3]:
            changed = entry[2](entry[1], *params)
            if changed is not None:
                params = changed
    return params


def run_after(rules: list[Any], result: Any, params: tuple[Any, ...]) -> None:
    stopped: StopAction | None = None
    for entry in tuple(rules):
        if not entry[3]:
            continue
        try:
            entry[2](entry[1], result, *params)
        except StopAction as stop:
            if stopped is None or stop.index < stopped.index:
                stopped = stop
    if stopped is not None:
        raise stopped


def winner(rules: list[Any], params: tuple[Any, ...], below: int) -> Any:
    """The highest replacement that applies, below the one that asks `as usual`."""
    # Within a layer the rule that entered force last comes first.
    for entry in sorted(rules, key=_entered, reverse=True) if len(rules) > 1 else rules:
        if entry[8] < below and entry[3] and entry[2](entry[1], *params):
            return entry
    return None


def _entered(entry: list[Any]) -> int:
    return int(entry[8])


def fold(base: Any, rules: list[Any], params: tuple[Any, ...]) -> Any:
    """A value through its modifiers: the last `=`, then sets, sums and bounds."""
    if len(rules) == 1 and (change := rules[0][4]) in ("+", "="):
        made = rules[0][2](rules[0][1], *params)
        if made is NOT_NOW:
            return base
        return made[0] if change == "=" else base + made[0]
    value = base
    for entry in reversed(rules):
        if entry[4] == "=":
            made = entry[2](entry[1], *params)
            if made is not NOT_NOW:
                value = made[0]
                break
    for change in ("with", "without"):
        for entry in rules:
            if entry[4] == change:
                made = entry[2](entry[1], *params)
                if made is not NOT_NOW:
                    value = union(value, made[0]) if change == "with" else minus(value, made[0])
    for entry in rules:
        if entry[4] in ("+", "-"):
            made = entry[2](entry[1], *params)
            if made is not NOT_NOW:
                value = value + made[0] if entry[4] == "+" else value - made[0]
    for entry in rules:
        if entry[4] in ("at least", "at most"):
            made = entry[2](entry[1], *params)
            if made is not NOT_NOW:
                value = max(value, made[0]) if entry[4] == "at least" else min(value, made[0])
    return value


def refresh(thing: int) -> None:
    """Looks again whether the rules of a thing are in force."""
    test = FORCE[thing]
    now = test is None or test(thing)
    if now != ACTIVE[thing]:
        ACTIVE[thing] = now
        for entry in BEARER_RULES.get(thing, ()):
            if now:
                install(entry)
            else:
                uninstall(entry)


def install(entry: list[Any]) -> None:
    if not entry[3]:
        entry[3] = True
        enter_rule(LISTS[entry[7]], entry)
        if entry[7] == "state":
            arm(entry)
        elif entry[7][:2] == "RI":
            GAME.installed += 1
            entry[8] = entry[0] // LAYER * LAYER + GAME.installed
        elif entry[7] == "grant":
            entry[8] = ()
            look_at_grant(entry)


def uninstall(entry: list[Any]) -> None:
    if entry[3]:
        leave_rule(LISTS[entry[7]], entry)
        if entry[7] == "grant":
            look_at_grant(entry)


def look_again(cell: str) -> None:
    for look in CELLS.get(cell, ()):
        look(None)


def flag_check(_: Any) -> None:
    S[CHECK] = True


def install_until(number: int, first: Any, act: Any, head: Any) -> Callable[[], None]:
    """Puts a rule of an `until` block in force; gives what takes it out again."""
    entry = GAME.until_entry(number, first, act, head)
    if entry[7] is None:
        return lambda: None
    install(entry)
    return lambda: uninstall(entry)


def arm(entry: list[Any]) -> None:
    entry[8] = not entry[2](entry[1])


def hold_checks() -> None:
    GAME.held += 1


def release_checks() -> None:
    GAME.held -= 1
    if S[CHECK]:
        checkpoint()


def checkpoint() -> None:
    """Periods begin and end, and state rules that have become true run, until nothing changes."""
    if GAME.held or GAME.asleep:
        return
    for _ in range(1000):
        S[CHECK] = False
        changed = False
        if LISTS["grant"]:
            for entry in tuple(LISTS["grant"]):
                look_at_grant(entry)
        for name, test in PERIODS:
            now = test()
            if now != GAME.periods[name]:
                GAME.periods[name] = now
                changed = True
                period_edge(name, now)
        due = [e for e in LISTS["state"] if e[3] and e[8] and e[2](e[1])]
        for entry in LISTS["state"]:
            if not entry[8] and not entry[2](entry[1]):
                entry[8] = True
        for entry in due:
            entry[8] = False
        stopped: StopAction | None = None
        for entry in due:
            if entry[3] and entry[2](entry[1]):
                changed = True
                try:
                    entry[5](entry[1])
                except StopAction as stop:
                    # The other rules of this moment still run; the outermost target wins.
                    if stopped is None or stop.index < stopped.index:
                        stopped = stop
        if stopped is not None:
            raise stopped
        if not changed and not S[CHECK]:
            return
    raise Fault("R6", "rules set each other off without end")


def period_edge(name: str, begins: bool) -> None:
    if begins:
        for cell, default in GAME.period_cells.get(name, ()):
            cell(default)
        run_period_rules(name, "start")
        return
    run_period_rules(name, "end")
    for entry in list(PENDING):
        if entry[1] == f"period:{name}" and entry[0] == "until end of":
            PENDING.remove(entry)
            entry[2]()


def run_period_rules(name: str, edge: str) -> None:
    stopped: StopAction | None = None
    for entry in tuple(LISTS.get(f"period:{name}:{edge}", ())):
        if entry[3] and entry[2](entry[1]):
            try:
                entry[5](entry[1])
            except StopAction as stop:
                if stopped is None or stop.index < stopped.index:
                    stopped = stop
    if stopped is not None:
        raise stopped


def core_action(
    verb: str,
    names: tuple[str, ...],
    values: tuple[Any, ...],
    body: Callable[..., Any],
    piles: tuple[str, ...] = (),
) -> Any:
    """A core verb with the rules that forbid, replace, precede and follow it."""
    if GAME.asleep:
        return body(*values)
    parts: dict[str, Any] = dict(zip(names, values, strict=True))
    for name in piles:
        parts[name] = True
    rules = CORE_RULES.get(verb)
    if rules is None:
        timings = ("forbid", "instead_of", "before", "after")
        rules = CORE_RULES[verb] = tuple(LISTS.get(f"core:{verb}:{timing}", []) for timing in timings)
    if rules[0] and any(e[2](e[1], parts) for e in rules[0]):
        GAME.note("refused", f"core:{verb}", values)
        return None
    return core_usual(verb, names, values, body, parts, rules, 10**15)


def core_usual(
    verb: str,
    names: tuple[str, ...],
    values: tuple[Any, ...],
    body: Callable[..., Any],
    parts: dict[str, Any],
    rules: Any,
    below: int,
) -> Any:
    """The highest replacement below a key, else what the verb does, between the rules before and after it."""
    for entry in reversed(rules[1]):
        if entry[0] < below:
            parts["usual_"] = lambda entry=entry: core_usual(
                verb, names, values, body, parts, rules, entry[0]
            )
            if entry[2](entry[1], parts) is not False:
                GAME.note("replaced", f"core:{verb}", values)
                return None
    for entry in tuple(rules[2]):
        if entry[3]:
            entry[2](entry[1], parts)
    made = body(*[parts[n] for n in names])
    GAME.note("done", f"core:{verb}", tuple(parts[n] for n in names))
    for entry in tuple(rules[3]):
        if entry[3]:
            if verb in ("roll", "reroll"):
                entry[2](entry[1], {**parts, "first": made}, made)
            else:
                entry[2](entry[1], parts, made)
    return made


def has_trait(thing: int | None, trait: str) -> bool:
    if thing is None:
        return False
    if any(t[0] == trait for t in TRAITS[thing]):
        return True
    lenders = LENDS.get(NAMESPACE["KIND_OF"][thing], ()) if LENDS else ()
    return any(has_trait(column[thing], trait) for column in lenders)


def bearers(trait: str) -> list[int]:
    return [NUMBERS[t] for t in range(len(TRAITS)) if TRAITS[t] and any(g[0] == trait for g in TRAITS[t])]


def trait_param(thing: int | None, trait: str, name: str) -> Any:
    """What a trait was given when it was gained, worked out anew; of two, the one gained last counts."""
    if thing is None:
        return None
    for gained in reversed(TRAITS[thing]):
        if gained[0] == trait:
            return gained[1][TRAIT_PARAMS[trait].index(name)](thing)
    return None


def change_traits(change: str, things: Iterable[int], traits: Sequence[tuple[str, Any]]) -> None:
    for thing in [t for t in things if t is not None]:
        if change == "becomes":
            for gained in list(TRAITS[thing]):
                lose_trait(thing, gained)
        for trait in traits:
            if change == "loses":
                for gained in [g for g in TRAITS[thing] if g[0] == trait[0]]:
                    lose_trait(thing, gained)
            else:
                gain_trait(thing, trait)
    look_again("traits")


def same_trait(thing: int, a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return a[0] == b[0] and [f(thing) for f in a[1]] == [f(thing) for f in b[1]]


def gain_trait(thing: int, trait: tuple[str, Any]) -> tuple[Any, ...] | None:
    """Gives a thing a trait with its rules; one that is held with equal arguments is not gained again."""
    if any(same_trait(thing, gained, trait) for gained in TRAITS[thing]):
        return None
    entries = GAME.trait_entries(thing, trait)
    made = (trait[0], trait[1], entries)
    TRAITS[thing].append(made)
    fill = TRAIT_FIELDS.get(trait[0])
    if fill is not None:
        fill(thing)
    for entry in entries:
        install(entry)
    return made


def lose_trait(thing: int, gained: tuple[Any, ...]) -> None:
    TRAITS[thing].remove(gained)
    for entry in gained[2]:
        if not any(entry in other[2] for other in TRAITS[thing]):
            uninstall(entry)


def look_at_grant(entry: list[Any]) -> None:
    """Gives what a grant gives now, and takes back what it no longer gives."""
    wanted: list[tuple[int, Any]] = []
    if entry[3] and entry[2](entry[1]):
        traits, things = entry[5](entry[1])
        each = [one for trait in traits for one in (trait if isinstance(trait, list) else (trait,))]
        wanted = [(thing, trait) for thing in things for trait in each]
    kept: list[tuple[int, Any]] = []
    before = entry[8] or ()
    for thing, gained in before:
        match = next((w for w in wanted if w[0] == thing and same_trait(thing, gained, w[1])), None)
        if match is not None:
            wanted.remove(match)
            kept.append((thing, gained))
        elif gained in TRAITS[thing]:
            lose_trait(thing, gained)
    for thing, trait in wanted:
        made = gain_trait(thing, trait)
        if made is not None:
            kept.append((thing, made))
    entry[8] = tuple(kept)
    if len(kept) != len(before) or any(a is not b[1] for (_, a), b in zip(kept, before, strict=True)):
        look_again("traits")
