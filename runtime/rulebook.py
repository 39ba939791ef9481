"""The second fixed part of every generated program: rules in force, menus, checkpoints, effects, traits.

Like the kernel, it runs inside the name space of each game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.dicepool import Pool
from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.kernel import (
        BOX,
        CHANCE,
        CHAPTER,
        CHECK,
        COUNTS,
        ENDED,
        FRAMES,
        GAME,
        ITEMS,
        KNOWN,
        LIMBO,
        LOC,
        NOT_NOW,
        OCCUPANTS,
        PENDING,
        PILE_MAX,
        PILE_NAME,
        PILE_OWNER,
        PILE_SOURCE,
        PLACE_ORDER,
        POINTS,
        SEAT_BIT,
        SORT,
        SORTS,
        STEPS,
        SUPPLY,
        TOKEN_MAX,
        TOKENS,
        UP,
        Anew,
        GameOver,
        GoTo,
        S,
        StopAction,
        draw_one,
        enter_rule,
        fold,
        items_of,
        leave_rule,
        pick,
        put_in,
        reveal,
        roll,
        roll_index,
        room_left,
        running,
        show,
        title_of,
        union,
        winner,
    )  # fmt: skip

ENTRIES: list[list[Any]]
BEARER_RULES: dict[int, list[list[Any]]]
LISTS: dict[str, list[Any]]
ACTIVE: list[bool]
FORCE: list[Any]
CELLS: dict[str, list[Callable[[Any], None]]]
STATE_RULES: list[list[Any]]
PERIODS: list[tuple[str, Callable[[], bool]]]
PERIOD_RULES: dict[tuple[str, str], list[list[Any]]]
MENUS: dict[str, list[list[Any]]]
MENU_INFO: dict[str, Any]
FAST_MENUS: dict[str, Callable[..., list[int]]]
CORE_RULES: dict[str, tuple[list[list[Any]], ...]]
TRAITS: list[list[Any]]
TRAIT_PARAMS: dict[str, list[str]]
TRAIT_RULES: dict[str, list[int]]
RULE_FUNCTIONS: dict[int, Any]
ANYTIME: list[tuple[Any, Any, Any]]
TRAIT_FIELDS: dict[str, Callable[[int], None]]
LENDS: dict[str, list[list[Any]]]
DICE: dict[int, tuple[str, tuple[Any, ...], dict[Any, Any], list[Any]]]
NAMESPACE: dict[str, Any]


# How far the keys of rules of two layers lie apart.
LAYER = 10**9


# ------------------------------------------------------------------ rules in force
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


# ------------------------------------------------------------------ checkpoints
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


# ------------------------------------------------------------------ core verbs that rules look at
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


# ------------------------------------------------------------------ effects and lines
def run_field(column: list[Any], thing: int | None, args: tuple[Any, ...]) -> Any:
    if thing is None:
        return None
    effect = column[thing]
    return None if effect is None else effect[0](thing, *args)


def can_field(column: list[Any], thing: int | None, args: tuple[Any, ...]) -> bool:
    if thing is None:
        return False
    effect = column[thing]
    return effect is not None and bool(effect[1](thing, *args))


def run_block(block: Any, args: tuple[Any, ...]) -> Any:
    return None if block is None else block[0](*args)


def can_block(block: Any, args: tuple[Any, ...]) -> bool:
    return block is not None and bool(block[1](*args))


def affords(effect: Any, args: tuple[Any, ...]) -> bool:
    """Whether every change of an effect fits in full; what is not there costs nothing."""
    return effect is None or bool(effect[2](*args))


def run_any(effect: Any, args: tuple[Any, ...]) -> Any:
    return None if effect is None else effect[0](None, *args)


def run_lines(effect: Any) -> None:
    if effect is not None:
        effect[0](None)


def can_run(effect: Any) -> bool:
    return effect is not None and bool(effect[1](None))


def condition_of(test: Any, thing: Any = None) -> bool:
    return bool(test(thing)) if callable(test) else bool(test)


def no_row(key: Any) -> None:
    raise Fault("R3", f"{key} stands in no row of the table")


def no_arm(value: Any) -> None:
    raise Fault("R3", f"{value} fits none of the arms")


def in_range(value: Any, low: Any, high: Any) -> bool:
    value = value.total() if isinstance(value, Pool) else value
    return value is not None and (low is None or value >= low) and (high is None or value <= high)


def pairs_of(table: Any) -> list[Any]:
    return list(table.items()) if isinstance(table, dict) else list(table)


# ------------------------------------------------------------------ moving, part two
def reveal_all(things: Iterable[int]) -> None:
    for thing in list(things):
        reveal(thing)


def show_all(things: Iterable[int], seat: Any) -> None:
    for thing in list(things):
        show(thing, seat)


def discard(things: Any, many: bool) -> None:
    """Puts things where their kind is discarded: the pile their deck reshuffles from, else the box."""
    for thing in list(things) if many else [things]:
        if thing is None:
            continue
        home = PILE_SOURCE[LOC[thing]] if isinstance(PILE_SOURCE[LOC[thing]], int) else None
        put_in(thing, home if home is not None else BOX)


def fill(pile: Any, items: Sequence[int]) -> None:
    """For tests: a container holds just these things; what lay there goes where they came from."""
    if not isinstance(pile, int):
        return
    origins = [LOC[thing] for thing in items if LOC[thing] != pile]
    displaced = [thing for thing in ITEMS[pile] if thing not in items]
    for thing in displaced:
        put_in(thing, LIMBO)
    for thing in items:
        put_in(thing, pile)
        if not UP[thing]:
            KNOWN[thing] = SEAT_BIT.get(PILE_OWNER[pile], 0)  # type: ignore[arg-type]
    for index, thing in enumerate(displaced):
        if not (index < len(origins) and put_in(thing, origins[index], True)):
            put_in(thing, BOX)


def can_draw(pile: Any) -> bool:
    if not isinstance(pile, int):
        return bool(pile)
    source = PILE_SOURCE[pile]
    return bool(ITEMS[pile]) or (source is not None and bool(ITEMS[source]))


def can_put_token(count: int, token: str, thing: int | None) -> bool:
    if thing is None or count < 1 or SUPPLY[token] < 1:
        return False
    most = TOKEN_MAX.get(token, {}).get(NAMESPACE["KIND_OF"][thing])
    if most is None:
        return True
    return TOKENS[token][thing] < (most if isinstance(most, int) else most(thing))


def can_take_token(count: int, token: str, thing: int | None) -> bool:
    return thing is not None and count > 0 and TOKENS[token][thing] > 0


def something(items: Any) -> bool:
    return bool(items) if isinstance(items, list) else items is not None


def roll_until(formula: Any, purpose: Any, roller: Any, test: Callable[[Any], Any]) -> Any:
    for _ in range(10000):
        made = roll(formula, purpose, roller)
        if test(made.total() if isinstance(made, Pool) else made):
            return made
    raise Fault("R14", "no face of these dice will do")


def roll_things(count: Any, pile: int, into: int | None, purpose: Any) -> list[int]:
    """Rolls dice that are things: out of their bag, into a pile."""
    rolled: list[int] = []
    for _ in range(count):
        die = draw_one(pile)
        if die is None or not put_in(die, into if into is not None else LIMBO):
            break
        roll_thing(die, purpose)
        rolled.append(die)
    return rolled


def roll_thing(die: int, purpose: Any) -> Any:
    """Gives a die that is a thing a new face."""
    name, faces, _, column = DICE[die]
    column[die] = faces[roll_index(name, len(faces), faces, purpose)]
    look_again(f"field:{name}.face")
    return column[die]


def next_chosen(point: int, by: Any, left: list[Any], group: int = -1) -> Any:
    """The item that somebody picks next among those left, which it leaves."""
    item = pick(point, by, left, group)
    left.remove(item)
    return item


def arrange(point: int, by: Any, items: Iterable[Any]) -> list[Any]:
    left = list(items)
    made = []
    while left:
        made.append(next_chosen(point, by, left))
    return made


# ------------------------------------------------------------------ menus
def menu_options(menu: str, args: tuple[Any, ...], by: Any) -> list[tuple[list[Any], tuple[Any, ...]]]:
    """What a menu offers now: entries of offers with the values shown in their labels."""
    listed = FAST_MENUS.get(menu)
    if listed is not None and None not in args:
        entries = LISTS["menu:" + menu]
        return [(entries[place], ()) for place in listed(by, *args)]
    found: list[tuple[list[Any], tuple[Any, ...]]] = []
    cell = MENU_INFO[menu]["used"]
    once = None if cell is None else S[cell] or ()
    for entry in LISTS[f"menu:{menu}"]:
        if entry[3] and not (once is not None and (entry[0], args) in once):
            for values in entry[2](entry[1], by, *args):
                found.append((entry, values))
    return found


def open_menu(
    point: int, menu: str, args: tuple[Any, ...], by: Any, most: Any, until_passed: bool, prompt: Any
) -> None:
    info = MENU_INFO[menu]
    passing = info["pass"] or most is not None or until_passed
    left = 10**9 if until_passed else (1 if most is None else most)
    while left > 0:
        if len(GAME.log) >= GAME.next_look:
            GAME.look_for_progress()
        options = menu_options(menu, args, by)
        if not options:
            COUNTS[point] += 1
            return
        try:
            if (quick := GAME.quick) is not None and len(options) + bool(passing) > 1:
                COUNTS[point] += 1
                S[STEPS] = 0
                index = quick(len(options) + bool(passing))
                GAME.log.append(("", index))
                taken = options[index] if index < len(options) else None
            else:
                taken = GAME.ask_menu(point, by, menu, args, options, passing, prompt)
        except Anew:
            continue
        if taken is None:
            return
        entry, values = taken
        if info["used"] is not None:
            S[info["used"]] = (S[info["used"]] or frozenset()) | {(entry[0], args)}
        entry[5](entry[1], by, *args, *values)
        left -= 1


def is_offered(action: str, args: tuple[Any, ...]) -> bool:
    return GAME.offered(action, args)  # type: ignore[no-any-return]


# ------------------------------------------------------------------ traits
def has_trait(thing: int | None, trait: str) -> bool:
    if thing is None:
        return False
    if any(t[0] == trait for t in TRAITS[thing]):
        return True
    lenders = LENDS.get(NAMESPACE["KIND_OF"][thing], ()) if LENDS else ()
    return any(has_trait(column[thing], trait) for column in lenders)


def bearers(trait: str) -> list[int]:
    return [t for t in range(len(TRAITS)) if TRAITS[t] and any(g[0] == trait for g in TRAITS[t])]


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


# ------------------------------------------------------------------ the story
def left_out(sort: str, name: str) -> Any:
    raise Fault("R17", f"the {sort} `{name}` does not exist under the options of this game")


def say(text: Any) -> None:
    GAME.say(text)


def go_to(target: int | None) -> None:
    if target is None:
        raise Fault("R13", "`go to` leads nowhere")
    raise GoTo(target)


class OpenWays(dict[int, Any]):
    """By which conditions hold: what becomes of the ways that are open then."""

    def __init__(self, rows: Any, make: Callable[[Any], Any]) -> None:
        self.rows = rows
        self.make = make

    def __missing__(self, holding: int) -> Any:
        open_, bit = [], 1
        for row in self.rows:
            if row[0] is None:
                open_.append(row)
            else:
                if holding & bit:
                    open_.append(row)
                bit <<= 1
        made = self[holding] = self.make(open_)
        return made


class Ways(tuple[Any, ...]):
    """The ways on of a page, and what tells which of them are open."""

    open: Any
    targets: Any
    options: Any


def ways(rows: Any, opened: Callable[[], int]) -> Ways:
    made = Ways(rows)
    made.open = opened
    made.targets = _by_outcome(rows, lambda open_: tuple(row[2] for row in open_))
    made.options = _by_outcome(rows, GAME.labelled)
    return made


def _by_outcome(rows: Any, make: Callable[[Any], Any]) -> Any:
    """What becomes of the ways by which conditions hold: a plain list where these are few."""
    made = OpenWays(rows, make)
    conditions = sum(row[0] is not None for row in rows)
    return made if conditions > 2 else [made[holding] for holding in range(1 << conditions)]


def next_page(target: int | None) -> int:
    if target is None:
        raise Fault("R13", "`go to` leads nowhere")
    return target


def follow_edges(edges: Any, by: Any) -> None:
    GAME.follow(edges, by)


def core_edge(edges: Any) -> int | None:
    """The first way on whose condition holds."""
    for test, _, target, otherwise in edges or ():
        if otherwise or test is None or test():
            return int(target)
    return None


def core_ways(edges: Any) -> list[int]:
    """Every page that some ways on lead to."""
    return [int(target) for _, _, target, _ in edges or () if target is not None]


def core_fallback(edges: Any) -> int | None:
    """Where ways on lead when no condition holds."""
    return next((int(target) for _, _, target, otherwise in edges or () if otherwise), None)


def play_page(page: int) -> None:
    GAME.play_page(page)


def end_game(ending: int) -> None:
    S[ENDED] = ending
    raise GameOver


def late_field(thing: Any, name: str) -> Any:
    return GAME.late_field(thing, name)


def core_newcomers(seats: Any) -> list[int]:
    return GAME.newcomers(seats)  # type: ignore[no-any-return]


def core_roster(kind: Any, seat: Any) -> list[int]:
    return GAME.roster(kind, seat)  # type: ignore[no-any-return]


def roll_counted(formula: Any, purpose: Any, roller: Any) -> Any:
    """A roll that can be asked for afterwards."""
    made = roll(formula, purpose, roller)
    GAME.note("rolled", str(purpose), (len(made) if isinstance(made, Pool) else 1,))
    return made


def lent_field(column: list[Any], rules: list[Any], borrower: int | None, lenders: list[Any]) -> Any:
    """A field read through another thing, with the modifiers of both."""
    lender = None if borrower is None else lenders[borrower]
    if lender is None:
        return None
    if not rules:
        return column[lender]
    found = []
    for entry in rules:
        made = entry[2](entry[1], borrower)
        if made is NOT_NOW:
            made = entry[2](entry[1], lender)
        if made is not NOT_NOW:
            found.append([entry[0], made, second_of, True, entry[4]])
    return fold(column[lender], found, ())


def second_of(made: Any) -> Any:
    return made


def core_rolled(purpose: Any) -> int:
    return GAME.rolled(purpose)  # type: ignore[no-any-return]


def core_times(moment: Any) -> int:
    return 0


__all__ = [
    "CHANCE", "CHAPTER", "FRAMES", "NOT_NOW", "OCCUPANTS", "PILE_MAX", "PILE_NAME", "PILE_OWNER", "PLACE_ORDER", "POINTS",
    "SORT", "SORTS", "STEPS", "items_of", "room_left", "running", "title_of", "union", "winner",
]  # fmt: skip
