"""Games that count what they meet: rules, rows, effects, things, options, pages, rounds and chance.

Counting is a program and a game of their own, so that plain play pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from talewright.runtime.chance import Chance
from talewright.runtime.countcode import CountedProgram, label_text
from talewright.runtime.game import Game
from talewright.runtime.labels import knows_face

FACE_DOWN = "face down"
YES_NO = ("yes", "no")
CLOSED_FORMS = ("deck", "bag")


class CountedChance(Chance):
    """Streams that count their uses; one of them may take its draws from another seed."""

    __slots__ = ("other", "uses", "varied")

    def __init__(self, seed: int, varied: str = "", other: int = 0) -> None:
        super().__init__(seed)
        self.uses: dict[str, int] = {}
        self.varied = varied
        self.other = other

    def _digest(self, name: str, block: int) -> bytes:
        if name == self.varied:
            return Chance(self.other)._digest(name, block)
        return super()._digest(name, block)

    def below(self, name: str, count: int) -> int:
        if count > 1:
            self.uses[name] = self.uses.get(name, 0) + 1
        return super().below(name, count)

    def mix(self, name: str, items: list[Any]) -> None:
        if len(items) > 1:
            self.uses[name] = self.uses.get(name, 0) + 1
        super().mix(name, items)


class _CountedChooser:
    """A quick chooser; what it takes of a menu is counted."""

    __slots__ = ("choose", "game")

    def __init__(self, game: CountedGame, choose: Callable[[int], int]) -> None:
        self.game = game
        self.choose = choose

    def __call__(self, count: int) -> int:
        index = self.choose(count)
        if self.game._menu_now is not None:
            self.game._count_menu(index)
        return index


class PagedGame(Game):
    """A game that remembers the pages it turned, and nothing else."""

    pages: list[int]

    def _after_kernel(self, space: dict[str, Any]) -> None:
        super()._after_kernel(space)
        self.pages = []

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.pages.clear()

    def enter_chapter(self, page: int | None) -> None:
        if page is not None:
            self.pages.append(page)
        super().enter_chapter(page)


class CountedGame(PagedGame):
    """A game that knows what was met since its last reset."""

    program: CountedProgram
    varied: tuple[str, int] = ("", 0)
    _menu_now: tuple[int, bool, Sequence[Any]] | None = None
    _quick: Callable[[int], int] | None = None

    def _after_kernel(self, space: dict[str, Any]) -> None:
        super()._after_kernel(space)
        self._empty()
        closed = {space["BOX"], space["LIMBO"], space["NOWHERE"]}
        closed |= {p.number for p in self.layout.piles if p.form in CLOSED_FORMS}
        put_in, loc, came = space["put_in"], space["LOC"], self.came

        def counted_put(thing: Any, pile: Any, under: bool = False) -> Any:
            if pile in closed or thing is None or loc[thing] not in closed:
                return put_in(thing, pile, under)
            moved = put_in(thing, pile, under)
            if moved:
                came[thing] = came.get(thing, 0) + 1
            return moved

        space.update(
            put_in=counted_put,
            HITS=self.hits,
            count_act=self._count_act,
            count_round=self._count_round,
            counted_test=self._counted_test,
            counted_call=self._counted_call,
            counted_amount=self._counted_amount,
            counted_band=self._counted_band(space["band_of"]),
            pick=self._counted_pick(space["pick"]),
            may=self._counted_may(space["may"]),
        )
        self._counted_menu(space["open_menu"], space["menu_options"])
        self.track_names = [t["id"] for t in self.program.content["tracks"]]
        self._names: dict[tuple[int, Any], str] = {}
        self._track_cells = [self.layout.scalars[f"track:{t['id']}"] for t in self.program.content["tracks"]]

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

    def _empty(self) -> None:
        self.hits: list[int] = [0] * len(self.program.sites)
        self.came: dict[int, int] = {}
        self.acted: dict[int, int] = {}
        self.sets: dict[tuple[Any, ...], int] = {}
        self.taken: list[tuple[int, Any]] = []
        self.rounds: list[tuple[Any, ...]] = []

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.hits[:] = [0] * len(self.hits)
        self.came.clear()
        self.acted.clear()
        self.taken.clear()
        self.rounds.clear()
        self._menu_now = None
        self.space["CHANCE"] = CountedChance(seed, *self.varied)

    @property
    def uses(self) -> Mapping[str, int]:
        """How often each stream of chance was used."""
        return self.space["CHANCE"].uses  # type: ignore[no-any-return]

    # -------------------------------------------------------------- what the generated code calls
    def _count_act(self, thing: int | None) -> None:
        if thing is not None:
            self.acted[thing] = self.acted.get(thing, 0) + 1

    def _count_round(self) -> None:
        state = self.space["S"]
        self.rounds.append(tuple(state[cell] for cell in self._track_cells))

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

    def _counted_amount(self, site: int, amount: Callable[..., Any], acts: bool) -> Callable[..., Any]:
        hits, not_now = self.hits, self.space["NOT_NOW"]

        def counted(bearer: Any, *args: Any) -> Any:
            made = amount(bearer, *args)
            if made is not not_now:
                hits[site] += 1
                if acts:
                    self._count_act(bearer)
            return made

        return counted

    # -------------------------------------------------------------- pages and decisions
    def _counted_pick(self, pick: Callable[..., Any]) -> Callable[..., Any]:
        log, sets, taken = self.log, self.sets, self.taken
        hideable = [self._hideable(point["type"]) for point in self.program.points]

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
                if hideable[point]:
                    shown = (point, optional, *self._seen(by, options))
                    taken.append((point, self._seen(by, (value,))[0]))
                else:
                    shown = (point, optional, *options)
                    taken.append((point, value))
                sets[shown] = sets.get(shown, 0) + 1
            return value

        return counted

    def ask(self, point: int, by: Any, options: Sequence[Any], prompt: Any) -> Any:
        value = super().ask(point, by, options, prompt)
        if self.program.interrupted:
            # Such games have a way of their own to pick, which always comes by here.
            keys = self._seen(by, options)
            place = next((n for n, option in enumerate(options) if option is value), 0)
            self._count(point, keys, keys[place])
        return value

    def _hideable(self, kind: Any) -> bool:
        """Whether something of a type can lie face down."""
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if kind is None:
            return True
        if not (isinstance(kind, list) and kind[0] == "thing"):
            return False
        if self.program.makes:
            return True
        layout, faces = self.layout, self.space["PILE_FACE"]
        down = {p.source.get("kind", "") for p in layout.piles if faces[p.number] == 0}
        return any(layout.is_a(k, kind[1]) and any(layout.is_a(k, d) for d in down) for k in layout.kinds)

    def _seen(self, by: Any, options: Sequence[Any]) -> list[Any]:
        """Things as their decider sees them; one made in play by its sort, for its number is another's later."""
        seats = by if isinstance(by, list) else (by,)
        up, first_made = self.space["UP"], self.first_made
        seen: list[Any] = []
        for t in options:
            if not isinstance(t, int):
                seen.append(t)
            elif not up[t] and not knows_face(self, t, seats):
                seen.append(FACE_DOWN)
            else:
                seen.append(t if t < first_made else self.layout.things[t].sort)
        return seen

    def _counted_may(self, may: Callable[..., Any]) -> Callable[..., Any]:
        log = self.log

        def counted(point: int, by: Any, label: Any) -> Any:
            before, counted_before = len(log), len(self.taken)
            yes = may(point, by, label)
            if len(log) > before and len(self.taken) == counted_before:
                self._count(point, YES_NO, "yes" if yes else "no")
            return yes

        return counted

    def _counted_menu(self, open_menu: Callable[..., Any], menu_options: Callable[..., Any]) -> None:
        points: list[tuple[int, bool]] = []

        def counted(
            point: int, menu: str, args: Any, by: Any, most: Any, until_passed: bool, prompt: Any
        ) -> None:
            passing = bool(self.space["MENU_INFO"][menu]["pass"] or most is not None or until_passed)
            points.append((point, passing))
            try:
                open_menu(point, menu, args, by, most, until_passed, prompt)
            finally:
                points.pop()

        def listed(menu: str, args: Any, by: Any) -> Any:
            options = menu_options(menu, args, by)
            if points:
                self._menu_now = (*points[-1], options)
            return options

        self.space["open_menu"] = counted
        self.space["menu_options"] = listed

    @property
    def quick(self) -> Callable[[int], int] | None:
        """The quick chooser; what it takes of a menu is counted."""
        return self._quick

    @quick.setter
    def quick(self, chooser: Callable[[int], int] | None) -> None:
        # What was put aside for a while comes back as it was.
        already = chooser is None or isinstance(chooser, _CountedChooser)
        made = chooser if already else _CountedChooser(self, chooser)  # type: ignore[arg-type]
        self._quick = self.space["QUICK"] = made

    def _count_menu(self, index: int) -> None:
        assert self._menu_now is not None
        point, passing, options = self._menu_now
        self._menu_now = None
        keys = [entry[2] for entry, _ in options]
        if len(keys) + passing > 1 and index < len(keys) + passing:
            shown = (point, False, *keys, "pass") if passing else (point, False, *keys)
            self.sets[shown] = self.sets.get(shown, 0) + 1
            self.taken.append((point, keys[index] if index < len(keys) else "pass"))

    def ask_labelled(self, point: int, by: Any, options: Sequence[Any], prompt: Any, optional: bool) -> int:
        number = super().ask_labelled(point, by, options, prompt, optional)
        keys = [o[1] for o in options]
        taken = next((o[1] for o in options if o[0] == number), "none")
        self._count(point, [*keys, "none"] if optional else keys, taken)
        return number

    def ask_yes(self, point: int, by: Any, label: Any) -> bool:
        yes = super().ask_yes(point, by, label)
        self._count(point, YES_NO, "yes" if yes else "no")
        return yes

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
        taken = super().ask_menu(point, by, menu, args, options, passing, prompt)
        if self._menu_now is not None:
            place = (
                len(options) if taken is None else next(i for i, o in enumerate(options) if o[0] is taken[0])
            )
            self._count_menu(place)
        return taken

    def follow(self, edges: Any, by: Any) -> None:
        labels = [
            label or str(i) for i, (test, label, _, _) in enumerate(edges or ()) if test is None or test()
        ]
        before = len(self.log)
        try:
            super().follow(edges, by)
        finally:
            if len(self.log) > before:
                # The ways on from a page are no point of the program: the page stands for it.
                page = int(self.space["S"][self.space["CHAPTER"]] or 0)
                self._count(-1 - page, labels, labels[self.log[-1][1]])

    def _count(self, point: int, keys: Iterable[Any], taken: Any) -> None:
        shown = (point, False, *keys)
        self.sets[shown] = self.sets.get(shown, 0) + 1
        self.taken.append((point, taken))

    def take_offered(self) -> dict[tuple[int, str], int]:
        """How often each option of each point was offered since this was last asked."""
        found: dict[tuple[int, str], int] = {}
        for (point, optional, *keys), times in self.sets.items():
            names = {self.option_name(point, key) for key in keys}
            if optional:
                names.add("none")
            for name in names:
                found[point, name] = found.get((point, name), 0) + times
        self.sets.clear()
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
        if callable(key):
            # An offer is known by the name of its function.
            return label_text(self.program.rules[int(key.__name__[1:])].ir["label"]) or key.__name__
        kind = self.program.points[point]["type"] if point >= 0 else "text"
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if isinstance(key, int) and not isinstance(key, bool) and (kind is None or kind[0] == "thing"):
            return self.layout.things[key].sort
        return str(key)


__all__ = ["CountedChance", "CountedGame", "CountedProgram", "PagedGame"]
