"""Games that count what they meet: rules, rows, effects, things, options, pages, rounds and chance.

Counting is a program and a game of their own, so that plain play pays nothing for it. Whatever is met adds to lists of
numbers, which are never emptied: what a single game met is how far the numbers have moved since it began.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import CodeType
from typing import Any

from talewright.runtime.books import text_of
from talewright.runtime.chance import Chance
from talewright.runtime.countcode import (
    CountedProgram,
    NotedProgram,
    label_text,
)
from talewright.runtime.countedchance import CountedChance, VariedChance
from talewright.runtime.game import Option
from talewright.runtime.labels import knows_face, shown_title
from talewright.runtime.noting import NotedGame

FACE_DOWN = "face down"
YES_NO = ("yes", "no")


class _RowSite(int):
    """The site of a row in bands. It tells no bands apart: copies alike are alike in counted games, too."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RowSite)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "site"


class _Slots(dict[int, int]):
    """Where things are counted, in games that make things: those made in play by their sorts."""

    def __init__(self, game: CountedGame, first: dict[int, int]) -> None:
        super().__init__(first)
        self.game = game

    def __missing__(self, thing: int) -> int:
        return self.game.slot_of_sort(self.game.space["SORT"][thing])


class _Rows(dict[Any, Any]):
    """What names bring, with a note of the row that is read."""

    def __init__(self, rows: dict[Any, Any], sites: dict[Any, int], hits: list[int]) -> None:
        super().__init__(rows)
        self.sites = sites
        self.hits = hits

    def get(self, key: Any, default: Any = None) -> Any:
        if key in self.sites:
            self.hits[self.sites[key]] += 1
        return super().get(key, default)


@cache
def _counting_put() -> CodeType:
    """The way every program moves one thing, with a count where it comes into play: no call more than in plain play."""
    tree = ast.parse(text_of("thingbook"))
    move = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "put_in")
    note = ast.parse("if CLOSED[old] and not CLOSED[pile]:\n    CAME[SLOTS[thing]] += 1").body[0]

    class Noted(ast.NodeTransformer):
        def visit_Assign(self, node: ast.Assign) -> Any:
            return [note, node] if ast.unparse(node) == "LOC[thing] = pile" else node

    made = ast.Module([Noted().visit(move)], [])
    return compile(ast.fix_missing_locations(made), "<thingbook>", "exec", dont_inherit=True)


class CountedGame(NotedGame):
    """A game that knows everything that was met since its last reset."""

    program: CountedProgram
    varied: tuple[str, int] = ("", 0)
    _menu_now: tuple[int, bool, Sequence[Any]] | None = None

    def _after_kernel(self, space: dict[str, Any]) -> None:
        super()._after_kernel(space)
        self._count_things(space)
        self.hits = [0] * len(self.program.sites)
        self.before = list(self.hits)
        # Decisions of this game: where, and what was taken.
        self.points: list[int] = []
        self.keys: list[Any] = []
        self.offers: dict[int, list[Any]] = {n: [] for n in range(len(self.program.points))}
        self.rounds: list[list[Any]] = [[] for _ in self.program.sampled]
        self._names: dict[tuple[int, Any], str] = {}
        space.update(
            HITS=self.hits,
            POINTS=self.points,
            KEYS=self.keys,
            counted_test=self._counted_test,
            counted_call=self._counted_call,
            counted_amount=self._counted_amount,
            counted_band=self._counted_band(space["band_of"]),
            counted_rows=lambda rows, sites: _Rows(rows, sites, self.hits),
            RowSite=_RowSite,
            count_choice=self._count_choice,
            count_yes=self._yes_counter(space),
            pick=self._counted_pick(space["pick"]),
            may=self._counted_may(space["may"]),
            **{f"OFFERED{n}": kept for n, kept in self.offers.items()},
            **{f"ROUNDS{n}": kept for n, kept in enumerate(self.rounds)},
        )
        self._counted_menu(space["open_menu"], space["menu_options"])

    def _count_things(self, space: dict[str, Any]) -> None:
        program = self.program
        closed = space["CLOSED"]
        # What the things of each place are called; nothing where nobody asks.
        self.sorts = list(program.counted_sorts)
        slots: Any = program.slots
        if program.makes:
            self._slot_of = {sort: n for n, sort in enumerate(self.sorts)}
            slots = _Slots(self, dict(enumerate(slots)))
        self.came = [0] * len(self.sorts)
        self.acted = list(self.came)
        self.came_before, self.acted_before = list(self.came), list(self.came)
        space.update(
            CAME=self.came,
            ACTED=self.acted,
            SLOTS=slots,
            exchange=self._counted_exchange(space["exchange"], slots, closed),
            counted_bearer=self._counted_bearer,
        )
        whole = space["put_in"]
        exec(_counting_put(), space)
        if "put_plainly" in space:
            # On a grid a move is more than this: the kernel's own is only its last step.
            space["put_plainly"], space["put_in"] = space["put_in"], whole

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.before[:] = self.hits
        self.came_before[:] = self.came
        self.acted_before[:] = self.acted
        self._offers_before = list(map(len, self.offers.values()))
        self.points.clear()
        self.keys.clear()
        for kept in self.rounds:
            kept.clear()
        self._menu_now = None

    def new_chance(self, seed: int) -> Chance:
        return VariedChance(seed, *self.varied) if self.varied[0] else CountedChance(seed)

    # -------------------------------------------------------------- what one game met
    @property
    def uses(self) -> dict[str, int]:
        """How often each stream of chance was used."""
        return self.space["CHANCE"].uses()  # type: ignore[no-any-return]

    def met_sites(self) -> list[int]:
        """How often each site was met since the last reset."""
        return [now - then for now, then in zip(self.hits, self.before, strict=True)]

    @property
    def taken(self) -> list[tuple[int, Any]]:
        """What was taken in each decision since the last reset, by points."""
        return list(zip(self.points, self.keys, strict=True))

    def counts(self) -> Callable[[], None]:
        kept = list(self.hits), list(self.came), list(self.acted)

        def put_back() -> None:
            self.hits[:], self.came[:], self.acted[:] = kept

        return put_back

    def drop(self) -> None:
        """What this game met is not counted."""
        self.hits[:] = self.before
        self.came[:] = self.came_before
        self.acted[:] = self.acted_before
        self.points.clear()
        self.keys.clear()
        for place, offers in enumerate(self.offers.values()):
            del offers[self._offers_before[place] if place < len(self._offers_before) else 0 :]

    def slot_of_sort(self, sort: str) -> int:
        """Where the things of a sort are counted."""
        if sort not in self._slot_of:
            self._slot_of[sort] = len(self.sorts)
            self.sorts.append(sort)
            for numbers in (self.came, self.acted, self.came_before, self.acted_before):
                numbers.append(0)
        return self._slot_of[sort]

    def met_things(self) -> dict[str, tuple[int, int]]:
        """How often things of each sort came into play and acted since the last reset."""
        return self.things_since(self.came_before, self.acted_before)

    def things_since(self, came: list[int], acted: list[int]) -> dict[str, tuple[int, int]]:
        """How often things of each sort came into play and acted since the numbers were these."""
        # Sorts that were made since then began with nothing.
        new = [0] * (len(self.sorts) - len(came))
        numbers = zip(self.came, [*came, *new], self.acted, [*acted, *new], strict=True)
        return {
            sort: (now - before, acts - acts_before)
            for sort, (now, before, acts, acts_before) in zip(self.sorts, numbers, strict=True)
            if sort and (now != before or acts != acts_before)
        }

    # -------------------------------------------------------------- what the generated code calls
    def _counted_exchange(self, exchange: Callable[..., Any], slots: Any, closed: Any) -> Callable[..., Any]:
        came, loc = self.came, self.space["LOC"]

        def counted_exchange(a: Any, b: Any) -> Any:
            if a is not None and b is not None:
                for one, other in ((a, b), (b, a)):
                    if closed[loc[one]] and not closed[loc[other]]:
                        came[slots[one]] += 1
            return exchange(a, b)

        return counted_exchange

    def _counted_bearer(self, amount: Callable[..., Any]) -> Callable[..., Any]:
        acted, not_now, slots = self.acted, self.space["NOT_NOW"], self.space["SLOTS"]

        def counted(bearer: Any, *args: Any) -> Any:
            made = amount(bearer, *args)
            if made is not not_now and bearer is not None:
                acted[slots[bearer]] += 1
            return made

        return counted

    def _counted_band(self, band_of: Callable[[Any, int], Any]) -> Callable[[Any, int], Any]:
        """What a number brings, with a note of the row it was read from."""
        hits = self.hits

        def counted(rows: Any, number: int) -> Any:
            for low, high, items, site in rows:
                if (low is None or number >= low) and (high is None or number <= high):
                    hits[site] += 1
                    return items
            return band_of((), number)

        return counted

    def _counted_call(self, site: int, call: Callable[[], Any]) -> Callable[[], Any]:
        hits = self.hits

        def counted() -> Any:
            hits[site] += 1
            return call()

        return counted

    def _counted_test(self, site: int, test: Callable[..., Any]) -> Callable[..., Any]:
        hits = self.hits

        def counted(*args: Any) -> Any:
            made = test(*args)
            if made:
                hits[site] += 1
            return made

        return counted

    def _counted_amount(self, site: int, amount: Callable[..., Any]) -> Callable[..., Any]:
        hits, not_now = self.hits, self.space["NOT_NOW"]

        def counted(bearer: Any, *args: Any) -> Any:
            made = amount(bearer, *args)
            if made is not not_now:
                hits[site] += 1
            return made

        return counted

    # -------------------------------------------------------------- decisions
    @contextmanager
    def _unheeded(self) -> Iterator[None]:
        """Whatever is asked only to tell somebody about it is not met: where nobody reads, nobody asks."""
        if self.quick is not None:
            yield
            return
        put_back = self.counts()
        try:
            yield
        finally:
            put_back()

    def say(self, text: Any) -> None:
        with self._unheeded():
            super().say(text)

    def decide(self, id_: str, by: Any, options: list[Option], prompt: Any, form: str) -> int:
        with self._unheeded():
            return super().decide(id_, by, options, prompt, form)

    def _count(self, point: int, keys: Iterable[Any], taken: Any) -> None:
        self.offers.setdefault(point, []).extend(dict.fromkeys(keys))
        self.points.append(point)
        self.keys.append(taken)

    def _count_choice(self, point: int, by: Any, items: Sequence[Any], value: Any) -> None:
        """A choice among things that may lie hidden, or have the same name as others."""
        self._count(point, self._seen(by, items), None if value is None else self._seen(by, (value,))[0])

    def _yes_counter(self, space: dict[str, Any]) -> Callable[[int], bool]:
        log, offers, points, keys = self.log, self.offers, self.points, self.keys

        def count_yes(point: int) -> bool:
            """Yes or no by a quick chooser."""
            index = space["QUICK"](2)
            log.append(("", index))
            offers[point].extend(YES_NO)
            points.append(point)
            keys.append(YES_NO[index])
            return bool(index == 0)

        return count_yes

    def _counted_pick(self, pick: Callable[..., Any]) -> Callable[..., Any]:
        log, same = self.log, self.program.same_point

        def counted(
            point: int,
            by: Any,
            options: Sequence[Any],
            group: int = -1,
            optional: bool = False,
            prompt: Any = None,
        ) -> Any:
            before = len(log)
            value = pick(point, by, options, group, optional, prompt)
            # Nobody was asked where the log has not grown.
            if len(log) > before:
                self._count_choice(same[point], by, options, value)
                if optional:
                    self.offers[same[point]].append(None)
            return value

        return counted

    def ask(self, point: int, by: Any, options: Sequence[Any], prompt: Any) -> Any:
        value = super().ask(point, by, options, prompt)
        if self.program.interrupted:
            # Such games have a way of their own to pick, which always comes by here.
            self._count_choice(self.program.same_point[point], by, options, value)
        return value

    def _seen(self, by: Any, options: Iterable[Any]) -> list[Any]:
        """Things by their sorts as their decider sees them."""
        seats = by if isinstance(by, list) else (by,)
        up, sorts, dice = self.space["UP"], self.space["SORT"], self.space["DICE"]
        seen: list[Any] = []
        for t in options:
            if type(t) is not int or t >= len(up):
                seen.append(t)
            elif not up[t] and not knows_face(self, t, seats):
                seen.append(FACE_DOWN)
            elif t in dice:
                # Whoever chooses a die chooses what it shows.
                seen.append(f"{sorts[t]} ({shown_title(self, t)})")
            else:
                seen.append(sorts[t])
        return seen

    def _counted_may(self, may: Callable[..., Any]) -> Callable[..., Any]:
        log, same = self.log, self.program.same_point

        def counted(point: int, by: Any, label: Any) -> Any:
            before, counted_before = len(log), len(self.points)
            yes = may(point, by, label)
            if len(log) > before and len(self.points) == counted_before:
                self._count(same[point], YES_NO, "yes" if yes else "no")
            return yes

        return counted

    def ask_yes(self, point: int, by: Any, label: Any) -> bool:
        yes = super().ask_yes(point, by, label)
        self._count(self.program.same_point[point], YES_NO, "yes" if yes else "no")
        return yes

    def ask_labelled(self, point: int, by: Any, options: Sequence[Any], prompt: Any, optional: bool) -> int:
        number = super().ask_labelled(point, by, options, prompt, optional)
        keys = [o[1] for o in options]
        taken = next((o[1] for o in options if o[0] == number), None)
        self._count(self.program.same_point[point], [*keys, None] if optional else keys, taken)
        return number

    # -------------------------------------------------------------- menus
    def _counted_menu(self, open_menu: Callable[..., Any], menu_options: Callable[..., Any]) -> None:
        points: list[tuple[int, bool]] = []
        same = self.program.same_point

        def counted(
            point: int, menu: str, args: Any, by: Any, most: Any, until_passed: bool, prompt: Any
        ) -> None:
            passing = bool(self.space["MENU_INFO"][menu]["pass"] or most is not None or until_passed)
            points.append((same[point], passing))
            try:
                open_menu(point, menu, args, by, most, until_passed, prompt)
            finally:
                points.pop()

        def listed(menu: str, args: Any, by: Any) -> Any:
            options = menu_options(menu, args, by)
            if points and len(options) + points[-1][1] > 1:
                self._menu_now = (*points[-1], options)
                if self.quick is not None:
                    self._count_next(self.quick)
            return options

        self.space["open_menu"] = counted
        self.space["menu_options"] = listed

    def _count_next(self, quick: Callable[[int], int]) -> None:
        """Of a menu, a quick chooser is told nothing but the number of offers."""

        def chooser(count: int) -> int:
            self.quick = quick
            index = quick(count)
            self._count_menu(index)
            return index

        self.quick = chooser

    def _count_menu(self, index: int) -> None:
        if self._menu_now is None:
            return
        point, passing, options = self._menu_now
        self._menu_now = None
        keys = [entry[2] for entry, _ in options]
        if index < len(keys) + passing:
            self._count(
                point, [*keys, "pass"] if passing else keys, keys[index] if index < len(keys) else "pass"
            )

    def ask_menu(
        self,
        point: int,
        by: Any,
        menu: str,
        args: tuple[Any, ...],
        options: Sequence[Any],
        passing: Any,
        prompt: Any,
    ) -> Any:
        with self._unheeded():
            taken = super().ask_menu(point, by, menu, args, options, passing, prompt)
        place = len(options) if taken is None else next(i for i, o in enumerate(options) if o[0] is taken[0])
        self._count_menu(place)
        return taken

    # -------------------------------------------------------------- pages and the ways on from them
    def _count_way(self, rows: Iterable[tuple[str, int]], index: int) -> None:
        """The ways on from a page are no point of the program: the page stands for it."""
        keys = [label or self.layout.things[target].id for label, target in rows]
        page = int(self.space["S"][self.space["CHAPTER"]] or 0)
        self._count(-1 - page, keys, keys[index])

    def picked_way(self, ways: Any, open_: Sequence[int]) -> int:
        """Which of the open ways is taken when nobody reads."""
        index = self.picked(len(open_))
        self._count_way(((row[1], row[2]) for row in ways if row[0] is None or row[0]()), index)
        return index

    def _follow_quickly(self, edges: Any, quick: Callable[[int], int]) -> None:
        rows = [(row[1], row[2]) for row in edges or () if row[0] is None or row[0]()]
        before = len(self.log)
        try:
            super()._follow_quickly(edges, quick)
        finally:
            if len(self.log) > before:
                self._count_way(rows, self.log[-1][1])

    def way(self, edges: Any, by: Any) -> int | None:
        rows = [(row[1], row[2]) for row in edges or () if row[0] is None or row[0]()]
        before = len(self.log)
        target = super().way(edges, by)
        if len(self.log) > before:
            self._count_way(rows, self.log[-1][1])
        return target

    def decide_way(self, fork: Any, by: Any) -> int:
        target = super().decide_way(fork, by)
        rows = (("" if option.id.isdigit() else option.id, option.value) for option in fork)
        self._count_way(rows, self.log[-1][1])
        return target

    # -------------------------------------------------------------- names
    def take_offered(self) -> dict[tuple[int, str], int]:
        """How often each option of each point was offered since this was last asked."""
        found: dict[tuple[int, str], int] = {}
        for point, offers in self.offers.items():
            for key, times in Counter(offers).items():
                name = point, self.option_name(point, key)
                found[name] = found.get(name, 0) + times
            offers.clear()
        return found

    def option_name(self, point: int, key: Any) -> str:
        """What a counted option is called."""
        found = self._names.get((point, key))
        if found is None:
            found = self._names[point, key] = self._option_name(point, key)
        return found

    def _option_name(self, point: int, key: Any) -> str:
        if key is None:
            return "none"
        if isinstance(key, str):
            return key
        if point in self.program.quick_menus and isinstance(key, int):
            return self._offer_name(self.program.quick_menus[point][key])
        if callable(key):
            # An offer is known by the name of its function.
            return self._offer_name(int(key.__name__[1:]))
        kind = self.program.points[point]["type"] if point >= 0 else "text"
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if isinstance(key, int) and not isinstance(key, bool) and (kind is None or kind[0] == "thing"):
            return self.layout.things[key].sort
        return str(key)

    def _offer_name(self, rule: int) -> str:
        return label_text(self.program.rules[rule].ir["label"]) or f"offer {rule}"


__all__ = ["CountedChance", "CountedGame", "CountedProgram", "NotedGame", "NotedProgram"]
