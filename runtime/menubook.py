"""The fixed part of a program that opens menus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.bookspace import COUNTS, FAST_MENUS, GAME, LISTS, MENU_INFO, STEPS, Anew, S


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
