"""Games that count what they meet: rules, rows, effects, things, options, pages, rounds and chance.

Counting is a program and a game of their own, so that plain play pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from talewright.runtime.chance import Chance
from talewright.runtime.codegen import Code
from talewright.runtime.game import Game
from talewright.runtime.labels import knows_face
from talewright.runtime.layout import IR, Field, Thing
from talewright.runtime.program import Program
from talewright.runtime.rulecode import Rule

FACE_DOWN = "face down"
YES_NO = ("yes", "no")
CLOSED_FORMS = ("deck", "bag")
_OWN_BEARERS = ("kind", "thing", "trait", "cast")
_WORDS = {"instead_of": "instead of", "state": "when", "period": "at"}


class CountedProgram(Program):
    """A program whose rules, offers, rows, hooks, effects and actions count how often they run."""

    def __init__(
        self,
        document: IR,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        traced: bool = False,
        checked: bool = False,
    ) -> None:
        self.sites: list[IR] = []
        self._rule_sites: dict[int, int] = {}
        self._mark_next: tuple[int, bool] | None = None
        self._thing_now: Any = None
        super().__init__(document, options, players, traced, checked=checked)

    def site(self, kind: str, name: str, at: int, owner: str = "") -> int:
        """Numbers a place that is counted."""
        self.sites.append({"kind": kind, "name": name, "at": at, "owner": owner})
        return len(self.sites) - 1

    def s_mark(self, ir: IR, code: Code) -> None:
        """Counts that this line is reached."""
        self.line(f"HITS[{ir['site']}] += 1")

    def _marked(self, body: list[IR], kind: str, name: str, at: int) -> list[IR]:
        return [{"op": "mark", "site": self.site(kind, name, at)}, *body]

    # -------------------------------------------------------------- rules
    def _rule_site(self, rule: Rule) -> int:
        if rule.number not in self._rule_sites:
            owner = rule.owner if rule.bearer in ("thing", "chapter") else ""
            kind = "offer" if rule.ir["rule"] == "offer" else "rule"
            self._rule_sites[rule.number] = self.site(kind, rule_name(rule.ir), rule.ir["at"], owner)
        return self._rule_sites[rule.number]

    def trace_rule(self, rule: Rule) -> None:
        super().trace_rule(rule)
        self.line(f"HITS[{self._rule_site(rule)}] += 1")
        if rule.bearer in _OWN_BEARERS:
            self.line(f"count_act({self.bearer})")

    def write_action_rule(self, rule: Rule, action: IR) -> None:
        super().write_action_rule(rule, action)
        self._wrap_forbid(rule)

    def _write_core_rule(self, rule: Rule) -> None:
        super()._write_core_rule(rule)
        self._wrap_forbid(rule)

    def _wrap_forbid(self, rule: Rule) -> None:
        if rule.ir["rule"] == "forbid":
            self.line(f"N{rule.number} = counted_test({self._rule_site(rule)}, N{rule.number})")

    def write_modifier(self, rule: Rule) -> None:
        super().write_modifier(rule)
        acts = rule.bearer in _OWN_BEARERS
        self.line(f"N{rule.number} = counted_amount({self._rule_site(rule)}, N{rule.number}, {acts})")

    def write_offer(self, rule: Rule) -> None:
        self._mark_next = (self._rule_site(rule), rule.bearer in _OWN_BEARERS)
        super().write_offer(rule)

    def block(self, body: list[IR], code: Code) -> None:
        if self._mark_next is not None:
            site, acts = self._mark_next
            self._mark_next = None
            self.line(f"HITS[{site}] += 1")
            if acts:
                self.line(f"count_act({code.self_name})")
        super().block(body, code)

    # -------------------------------------------------------------- rows, hooks, effects, actions
    def write_table(self, number: int, table: IR) -> None:
        self._table_now = table
        super().write_table(number, table)

    def _row(self, row: IR, code: Code) -> None:
        name = f"{self._table_now['id']}: {row_name(row)}"
        self.line(f"HITS[{self.site('row', name, row.get('at', self._table_now['at']))}] += 1")
        super()._row(row, code)

    def s_branch(self, ir: IR, code: Code) -> None:
        arms = []
        for arm in ir["arms"]:
            at = arm.get("at", ir.get("at", -1))
            arms.append(
                {**arm, "body": self._marked(arm["body"], "row", f"{code.verb}: {row_name(arm)}", at)}
            )
        super().s_branch({**ir, "arms": arms}, code)

    def write_track(self, name: str, track: IR, cell: str, watched: str, owner: bool) -> None:
        hooks = []
        for hook in track.get("hooks", ()):
            spaces = ", ".join(str(s) for s in hook["spaces"])
            about = f"{watched.partition(':')[2]} {hook['when']} {spaces}"
            hooks.append({**hook, "body": self._marked(hook["body"], "hook", about, hook["at"])})
        super().write_track(name, {**track, "hooks": hooks} if hooks else track, cell, watched, owner)

    def initial(self, value: Any, field: Field, thing: Any) -> str:
        kept, self._thing_now = self._thing_now, thing
        try:
            return super().initial(value, field, thing)
        finally:
            self._thing_now = kept

    def _effect(self, value: IR, field: Field) -> str:
        if "if" not in value:
            thing = self._thing_now
            mine = isinstance(thing, Thing) and thing.source.get("fields", {}).get(field.name) is value
            owner = thing.sort if thing is not None and mine else ""
            name = f"{owner or field.owner}.{field.name}"
            self._mark_next = (self.site("effect", name, value.get("at", self.writer.at), owner), True)
        return super()._effect(value, field)

    def _count_round(self, action: IR) -> None:
        self.line(f"HITS[{self.site('action', action['verb'], action['at'])}] += 1")
        super()._count_round(action)
        if action["id"] == self.round_action:
            self.line("count_round()")


def rule_name(ir: IR) -> str:
    """A rule in few words."""
    if ir["rule"] == "offer":
        return f'offer "{label_text(ir["label"])}"'
    about = ir.get("action") or ir.get("value") or ir.get("field") or ir.get("period") or ""
    about = str(about).removeprefix("core:").partition("/")[0]
    word = _WORDS.get(ir["rule"], ir["rule"])
    if ir["rule"] == "period":
        word = f"at {ir['edge']} of"
    return f"{word} {about}".strip()


def label_text(ir: Any) -> str:
    """The fixed part of a text, dots for what play fills in."""
    parts = ir.get("parts", ()) if isinstance(ir, dict) else ()
    return "".join(p if isinstance(p, str) else "…" for p in parts)


def row_name(row: IR) -> str:
    """A row or arm by its key."""
    match row["key"]:
        case "otherwise":
            return "otherwise"
        case "range":
            low, high = (_plain(row.get(end)) for end in ("low", "high"))
            return low if low == high else f"{low}..{high}"
        case "same":
            return _plain(row.get("value"))
        case "kind":
            return str(row["kind"])
    return "when"


def _plain(ir: Any) -> str:
    if not isinstance(ir, dict):
        return ""
    return str(ir.get("v", ir.get("id", "…")))


class CountedChance(Chance):
    """Streams that count their uses; one of them may take its draws from another seed."""

    __slots__ = ("other", "uses", "varied")

    def __init__(self, seed: int, varied: str = "", other: int = 0) -> None:
        super().__init__(seed)
        self.uses: dict[str, int] = {}
        self.varied = varied
        self.other = other

    def stream(self, name: str) -> Random:
        self.uses[name] = self.uses.get(name, 0) + 1
        if name == self.varied and name not in self._streams:
            self._streams[name] = Chance(self.other).stream(name)
        return super().stream(name)


class CountedGame(Game):
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
            counted_amount=self._counted_amount,
            pick=self._counted_pick(space["pick"]),
            may=self._counted_may(space["may"]),
        )
        self._counted_menu(space["open_menu"], space["menu_options"])
        self._track_cells = [self.layout.scalars[f"track:{t['id']}"] for t in self.program.content["tracks"]]

    def _empty(self) -> None:
        self.hits: list[int] = [0] * len(self.program.sites)
        self.came: dict[int, int] = {}
        self.acted: dict[int, int] = {}
        self.sets: dict[tuple[Any, ...], int] = {}
        self.taken: list[tuple[int, Any]] = []
        self.pages: list[int] = []
        self.rounds: list[tuple[Any, ...]] = []

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.hits[:] = [0] * len(self.hits)
        self.came.clear()
        self.acted.clear()
        self.taken.clear()
        self.pages.clear()
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
    def enter_chapter(self, page: int | None) -> None:
        if page is not None:
            self.pages.append(page)
        super().enter_chapter(page)

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

    def _hideable(self, kind: Any) -> bool:
        """Whether something of a type can lie face down."""
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if kind is None:
            return True
        if not (isinstance(kind, list) and kind[0] == "thing"):
            return False
        layout, faces = self.layout, self.space["PILE_FACE"]
        down = {p.source.get("kind", "") for p in layout.piles if faces[p.number] == 0}
        return any(layout.is_a(k, kind[1]) and any(layout.is_a(k, d) for d in down) for k in layout.kinds)

    def _seen(self, by: Any, options: Sequence[Any]) -> list[Any]:
        """Things as their decider sees them."""
        seats = by if isinstance(by, list) else (by,)
        up = self.space["UP"]
        return [
            t if not isinstance(t, int) or up[t] or knows_face(self, t, seats) else FACE_DOWN
            for t in options
        ]  # fmt: skip

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

    @property  # type: ignore[override]
    def quick(self) -> Callable[[int], int] | None:
        """The quick chooser; what it takes of a menu is counted."""
        return self._quick

    @quick.setter
    def quick(self, chooser: Callable[[int], int] | None) -> None:
        if chooser is None:
            self._quick = None
            return

        def counted(count: int) -> int:
            index = chooser(count)
            if self._menu_now is not None:
                self._count_menu(index)
            return index

        self._quick = counted

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
