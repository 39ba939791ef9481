"""The fixed part of a program that asks: what values look like, which options are the same, and who chooses what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.dicepool import Die, Pool
from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import (
        CHANCE,
        COUNTS,
        GAME,
        GROUPS,
        ITEMS,
        KNOWN,
        LOC,
        PILE_NAME,
        SEAT_BIT,
        SORT,
        STEPS,
        UP,
        S,
    )
    from talewright.runtime.thingbook import title_of

# More characters than anybody would read.
LONGEST = 1_000_000


def show_value(value: Any, kind: Any) -> str:
    tag = kind[0] if isinstance(kind, tuple) else kind
    if tag == "optional":
        return show_value(value, kind[2][0])
    if value is None:
        return "none"
    if tag == "pile":
        return ", ".join(title_of(t) for t in ITEMS[value]) or "nothing"
    if tag == "thing":
        return title_of(value)
    if tag == "sort":
        return title_of(value)
    if value is True or value is False:
        return "yes" if value else "no"
    if tag == "target":
        return f"{value}+"
    if tag in ("set", "list"):
        return ", ".join(show_value(v, kind[2][0]) for v in value) or "nothing"
    if isinstance(value, Pool):
        return str(value.total())
    if isinstance(value, Die):
        return show_value(value.face, "any")
    if isinstance(value, str) and len(value) > LONGEST:
        raise Fault("R14", "a text grew beyond all bounds")
    return str(value).replace("_", " ") if tag == "words" else str(value)


def grouped(options: Sequence[Any], by: Any, group: int) -> list[Any]:
    """One representative of options that are the same as far as the decider knows."""
    columns = GROUPS[group]
    seats = by if isinstance(by, list) else [by]
    seen: dict[Any, Any] = {}
    for t in options:
        if t is None:
            continue
        if UP[t] or all(KNOWN[t] & SEAT_BIT.get(s, 0) for s in seats):
            key: Any = (SORT[t], LOC[t], UP[t], *[c[t] for c in columns])
            try:
                seen.setdefault(key, t)
            except TypeError:
                seen.setdefault(repr(key), t)
        else:
            seen.setdefault(("hidden", LOC[t], GAME.back(t)), []).append(t)
    made: list[Any] = []
    # What lies hidden comes last, by where it lies: its place among the others would tell what it is.
    hidden: list[Any] = []
    for found in seen.values():
        if isinstance(found, list):
            # The lowest copy would tell the decider something: chance picks among what looks alike.
            hidden.append(found[CHANCE.below(f"blind:{PILE_NAME[LOC[found[0]]]}", len(found))])
        else:
            made.append(found)
    if len(hidden) > 1:
        hidden.sort(key=LOC.__getitem__)
    return made + hidden


def by_sort(things: Sequence[int]) -> list[int]:
    """The first of every sort."""
    seen: dict[str, int] = {}
    for t in things:
        if SORT[t] not in seen:
            seen[SORT[t]] = t
    return list(seen.values())


def distinct_dice(dice: Sequence[Any]) -> list[Any]:
    """One of the dice that show the same."""
    return list({(die.face, die.rerolled, die.name): die for die in reversed(dice)}.values())[::-1]


def pick(
    point: int, by: Any, options: Sequence[Any], group: int = -1, optional: bool = False, prompt: Any = None
) -> Any:
    """One of the options, by the seat that decides; none when there is nothing to choose."""
    COUNTS[point] += 1
    if group != -1 and len(options) > 1:
        options = grouped(options, by, group) if group >= 0 else distinct_dice(options)
    if optional:
        if not options:
            return None
        if (quick := GAME.quick) is not None:
            index = quick(len(options) + 1)
            S[STEPS] = 0
            GAME.log.append(("", index))
            return options[index] if index < len(options) else None
        return GAME.ask(point, by, [*options, None], prompt)
    if len(options) < 2:
        return options[0] if options else None
    if (quick := GAME.quick) is not None:
        index = quick(len(options))
        S[STEPS] = 0
        GAME.log.append(("", index))
        return options[index]
    return GAME.ask(point, by, options, prompt)


def pick_many(
    point: int,
    by: Any,
    options: Sequence[Any],
    count: int,
    mode: str,
    again: Any = None,
    group: int = -1,
    prompt: Any = None,
) -> list[Any]:
    """Several of the options, one after another; `again` narrows what remains before every pick."""
    left, every = list(options), list(options)
    chosen: list[Any] = []
    if mode == "exactly" and again is None and len(left) <= count:
        COUNTS[point] += 1
        return left
    least = count if mode == "at least" else 0
    most = len(left) if mode == "at least" else count
    while left and len(chosen) < most:
        offered = again(left) if again is not None else left
        if not offered:
            break
        if mode == "exactly" and len(offered) <= most - len(chosen):
            # There is room for all of these: nothing to decide.
            chosen += offered
            left = [x for x in left if x not in offered]
            continue
        free = (mode == "up to") or (mode == "at least" and len(chosen) >= least)
        item = pick(point, by, offered, group, free, prompt)
        if item is None:
            break
        chosen.append(item)
        left.remove(item)
    return [x for x in every if x in chosen]


def choose_one(
    point: int, by: Any, options: Sequence[Any], prompt: Any = None, optional: bool = False
) -> int:
    """The number of the option taken among (number, label) pairs, or -1."""
    COUNTS[point] += 1
    if not options:
        return -1
    if len(options) == 1 and not optional:
        return int(options[0][0])
    made = GAME.ask_labelled(point, by, options, prompt, optional)
    return int(made)


def may(point: int, by: Any, label: Any) -> bool:
    COUNTS[point] += 1
    if (quick := GAME.quick) is not None:
        index = quick(2)
        S[STEPS] = 0
        GAME.log.append(("", index))
        return bool(index == 0)
    return GAME.ask_yes(point, by, label)  # type: ignore[no-any-return]


def agreed(point: int, by: Any, text: Any) -> bool:
    for seat in list(by) if isinstance(by, list) else [by]:
        COUNTS[point] += 1
        if not GAME.ask_yes(point, seat, text):
            return False
    return True


def next_chosen(point: int, by: Any, left: list[Any], group: int = -1) -> Any:
    """The item that somebody picks next among those left, which it leaves."""
    item = pick(point, by, left, group)
    left.remove(item)
    return item


def arrange(point: int, by: Any, items: Iterable[Any], group: int) -> list[Any]:
    left = list(items)
    made: list[Any] = []
    while left:
        made.append(next_chosen(point, by, left, group))
    return made
