"""One game: state, seats, decisions, and the way from the first page to the last."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import CodeType
from typing import Any

from talewright.runtime import campaign, making, outfit
from talewright.runtime.chance import Chance
from talewright.runtime.copying import Copier
from talewright.runtime.dicepool import Pool
from talewright.runtime.faults import Fault, Frame
from talewright.runtime.kinds import looks_of_homes, watched_things
from talewright.runtime.labels import hidden_id, knows_face, thing_label
from talewright.runtime.pages import MOST_PAGES, turn_pages
from talewright.runtime.program import Program
from talewright.runtime.standing import table
from talewright.runtime.tables import fill
from talewright.runtime.tracing import CALLS_DEEP, FRAMES_DEEP, frame_name, tell_of_chance

LIMIT = 1_000_000
# After so many decisions a game is asked whether it still moves.
PATIENT = 256
# What is looked at again at once, whatever changes it.
CLOSELY = ("loc:self", "face:self", "things")


@dataclass(slots=True)
class Option:
    """One legal choice: a stable id, the value behind it, and a label made when somebody reads it."""

    id: str
    value: Any
    label: Any

    def text(self) -> str:
        """The label."""
        label = self.label
        return label if type(label) is str else str(label() if callable(label) else label)


@dataclass(slots=True)
class Decision:
    """Something a seat must decide. It holds until it is answered: the next one may be the same object."""

    id: str
    seat: int | tuple[int, ...]
    options: list[Option]
    prompt: str
    form: str
    game: Game
    settles: int | None = None
    """Of several who decide together, the one who has the last word."""

    @property
    def who(self) -> str:
        """The names of those who decide."""
        seats = (self.seat,) if isinstance(self.seat, int) else self.seat
        return ", ".join(self.game.title(s) for s in seats)


class Fork(list[Option]):
    """The ways on that are open on a page, and where they lead."""

    targets: tuple[int, ...] = ()


Agent = Callable[[Decision], int]


class Game:
    """A game of a program. `run` plays it to its end with the agents it is given."""

    def __init__(
        self,
        program: Program,
        seed: int = 0,
        agent: Agent | None = None,
        resumable: bool = False,
        hurried: bool = True,
    ) -> None:
        self.program = program
        # One of which so much is played that it is worth making the program quick.
        self.hurried = hurried and not resumable
        # One whose positions can be gone back to, see `resuming`.
        self.resumable = resumable
        # Things made in play are the game's own, so is the list of all things.
        self.layout = replace(
            program.layout,
            things=list(program.layout.things),
            number=dict(program.layout.number),
        )
        self.first_made = len(self.layout.things)
        self.first_pile = len(self.layout.piles) + 2
        self.space: dict[str, Any] = {}
        self.agent = agent
        # The question at a fork, where it is the same each time but for the ways.
        self.asked: Decision | None = None
        self.chapter: str | None = None
        self.rigs: dict[Any, list[Any]] = {}
        self.log: list[tuple[str, int]] = []
        self.quick = None
        self.seen_decisions = 0
        self.said: list[str] = []
        self.listener: Callable[[str, Any], None] | None = None
        self.held = 0
        self.asleep = False
        self.until = ""
        self.answering = False
        self.periods: dict[str, bool] = {}
        self.period_cells: dict[str, list[Any]] = {}
        self.events: list[tuple[str, str, tuple[Any, ...]]] = []
        self.depth = 0
        self.still = 0
        self.last_state: Any = None
        self.next_look = PATIENT
        self.installed = 0
        self._begun = False
        self.brought: dict[str, Any] = {}
        self.campaign = campaign.empty()
        self.returned: dict[str, int] = {}
        self._late: dict[tuple[str, str], tuple[Any, Any]] = {}
        self._rules_borne: dict[tuple[int, int], list[Any]] = {}
        self._bearers: dict[str, list[int]] = {}
        self._by_chapter: list[int] | None = None
        self._entered = False
        self._all_looks: list[tuple[set[str], Any]] = []
        self.refusals: list[tuple[str, tuple[Any, ...], Any]] = []
        self.menu: tuple[str, tuple[Any, ...], Any] | None = None
        self._spawn()
        self._copier = Copier(self)
        self._first = self.snapshot()
        self.reset(seed)

    @property
    def quick(self) -> Callable[[int], int] | None:
        """Who decides by number alone, without reading anything."""
        return self._quick

    @quick.setter
    def quick(self, chooser: Callable[[int], int] | None) -> None:
        self._quick = self.space["QUICK"] = chooser

    _quick: Callable[[int], int] | None = None
    # The pages that were turned, where somebody keeps account of them.
    pages: list[int] | None = None

    # -------------------------------------------------------------- making the name space
    def _spawn(self) -> None:
        layout, program = self.layout, self.program
        count = len(layout.things)
        space = self.space
        piles = layout.piles
        limbo, nowhere = len(piles), len(piles) + 1
        seats = [t.number for t in layout.things if t.kind in layout.seats]
        occupants = dict(layout.occupants)
        space.update(
            S=[None] * (len(layout.scalars) + 1),
            ITEMS=[[] for _ in range(len(piles) + 2)],
            LOC=[0] * count,
            UP=[1] * count,
            KNOWN=[-1] * count,
            SORT=[t.sort for t in layout.things],
            THINGS=layout.things,
            TITLES=[t.title for t in layout.things],
            OWNER=[t.owner for t in layout.things],
            KIND_OF=[t.kind for t in layout.things],
            PILE_MAX=[None] * (len(piles) + 2),
            PILE_FACE=[*(self._pile_face(p) for p in piles), None, None],
            PILE_DECK=[*(p.form == "deck" for p in piles), False, False],
            PILE_OWNER=[*(p.owner for p in piles), None, None],
            PILE_SOURCE=[None] * (len(piles) + 2),
            PILE_NAME=[
                *(f"{'bag' if p.form == 'bag' else 'pile'}:{p.id}" for p in piles),
                "pile:limbo",
                "pile:nowhere",
            ],
            PILE_RETURNS=[*(bool(p.source.get("returning")) for p in piles), False, False],
            OCCUPANTS=occupants,
            PLACE_OF_PILE={pile: place for place, pile in occupants.items()},
            STANDS_ON=self._places_by_pile(occupants, len(piles) + 2),
            PLAIN_PILES={},
            PILE_WATCH={},
            FAST_MENUS={},
            SORTS={name: list(numbers) for name, numbers in layout.sorts.items()},
            TOKENS={t["id"]: [0] * count for t in program.content["tokens"]},
            SUPPLY={t["id"]: t["count"] for t in program.content["tokens"]},
            TOKEN_MAX={},
            WATCH=[None] * count,
            POINTS=program.points,
            COUNTS=[0] * (len(program.points) + 1),
            FRAMES=[],
            PENDING=[],
            SEAT_BIT={seat: 1 << index for index, seat in enumerate(seats)},
            CHANCE=Chance(0),
            GAME=self,
            LOG=self.log,
            SAID=self.said,
            CHECK=layout.scalars["check"],
            CHAPTER=layout.scalars["chapter"],
            ENDED=layout.scalars["ended"],
            STEPS=layout.scalars["steps"],
            BOX=0,
            LIMBO=limbo,
            NOWHERE=nowhere,
            LIMIT=LIMIT,
            GROUPS=[],
            PLACE_ORDER=dict(program.place_order),
            RINGS=program.rings,
            ANYTHING=object(),
            NOT_NOW=object(),
            FACES={},
            TURNED=[0] * count,
            NAMESPACE=space,
        )
        self._kind_lists(space)
        for field in layout.fields.values():
            space[f"F{field.number}"] = [None] * count
            space[f"FD{field.number}"] = []
        self._rule_tables(space)
        outfit.add_names(self, space)
        outfit.read_books(self, space)
        self._after_kernel(space)
        space.update(program.writer.constants)
        # Where people or bots think, making the program quick would take longer than it saves.
        exec(self.text(program.code if self.hurried else program.plain_code), space)
        self._connect(space)
        if self.program.checked:
            from talewright.runtime.verifying import watch_checks

            watch_checks(self)
        if self.program.interrupted:
            from talewright.runtime.interrupting import interrupt_decisions

            interrupt_decisions(self)

    def text(self, code: CodeType) -> CodeType:
        """A part of the program in the form this game runs it."""
        if not self.resumable:
            return code
        from talewright.runtime.resuming import resumer

        return resumer(self.program).runnable(code)

    def _places_by_pile(self, occupants: dict[int, int], count: int) -> list[int | None]:
        places: list[int | None] = [None] * count
        for place, pile in occupants.items():
            places[pile] = place
        return places

    def _pile_face(self, pile: Any) -> int | None:
        if pile.form == "place":
            return None
        return self.program.face_of(pile.form, pile.source)

    def _kind_lists(self, space: dict[str, Any]) -> None:
        order = self.program.place_order
        for kind in self.layout.kinds:
            number = self.program.kind_number(kind)
            things = self.layout.of_kind(kind)
            things.sort(key=lambda t: (order.get(t, 10**9), t))
            space[f"K{number}"] = things
            space[f"Q{number}"] = set(things)

    def _rule_tables(self, space: dict[str, Any]) -> None:
        program = self.program
        lists: dict[str, list[Any]] = {"state": [], "grant": []}
        for number in range(len(program.actions)):
            for letter, timing in (("F", "forbid"), ("I", "instead_of"), ("B", "before"), ("A", "after")):
                name = f"R{letter}{number}"
                space[name] = lists[name] = []
                del timing
        for number in range(len(program.values)):
            space[f"M{number}"] = lists[f"M{number}"] = []
        for field in self.layout.fields.values():
            space[f"MF{field.number}"] = lists[f"MF{field.number}"] = []
        for menu in program.content["menus"]:
            lists[f"menu:{menu['id']}"] = []
        for key in program.modifiers:
            if key.startswith("core:"):
                lists[f"MC:{key[5:]}"] = []
        for verb in program.core_hooks:
            for timing in ("forbid", "instead_of", "before", "after"):
                lists[f"core:{verb}:{timing}"] = []
        for period in program.content["periods"]:
            lists[f"period:{period['id']}:start"] = []
            lists[f"period:{period['id']}:end"] = []
        count = len(self.layout.things)
        space.update(
            LISTS=lists,
            ENTRIES=[],
            BEARER_RULES={},
            ACTIVE=[False] * count,
            FORCE=[None] * count,
            CELLS={},
            STATE_RULES=lists["state"],
            PERIODS=[],
            PERIOD_RULES={},
            MENUS={},
            MENU_INFO={
                m["id"]: {"pass": m.get("pass"), "used": program.once_cells.get(m["id"])}
                for m in program.content["menus"]
            },
            CORE_RULES={},
            TRAITS=[[] for _ in range(count)],
            TRAIT_PARAMS={t["id"]: [p["name"] for p in t["params"]] for t in program.content["traits"]},
            TRAIT_RULES={},
            RULE_FUNCTIONS={},
            ANYTIME=[],
            TIES=[],
        )

    def _after_kernel(self, space: dict[str, Any]) -> None:
        space.update(
            trace_call=self.trace_call,
            trace_leave=self.trace_leave,
            trace_ended=self.trace_ended,
            trace_outcome=self.trace_outcome,
            trace_refused=self.trace_refused,
            trace_rule=self.trace_rule,
            trace_write=self.trace_write,
        )
        if self.program.traced:
            tell_of_chance(self)

    def _connect(self, space: dict[str, Any]) -> None:
        """Fields, limits and rules get their first state."""
        layout, program = self.layout, self.program
        items, loc = space["ITEMS"], space["LOC"]
        for pile in layout.piles:
            if pile.owner is not None and pile.field:
                field = layout.fields_of(layout.things[pile.owner].kind)[pile.field]
                space[f"F{field.number}"][pile.owner] = pile.number
        tables = program.tuned.tables if self.hurried and program.tuned is not None else []
        fill(tables, space, late=False)
        for thing in layout.things:
            home = 0
            if any(layout.is_a(thing.kind, k) for k in ("Place", "Chapter", "Ending", "Direction")):
                home = space["NOWHERE"]
            if (
                thing.owner is not None
                and thing.owner in layout.occupants
                and layout.is_a(thing.kind, "Place")
            ):
                home = layout.occupants[thing.owner]
            items[home].append(thing.number)
            loc[thing.number] = home
        state = space["S"]
        state[space["STEPS"]] = 0
        state[layout.scalars["rounds"]] = 0
        state[space["STEPS"] + 1] = set()
        state[space["CHECK"]] = False
        space["init_limits"]()
        space["init_scalars"]()
        for pile in layout.piles:
            face = space["PILE_FACE"][pile.number]
            if pile.number and space["PILE_MAX"][pile.number] is None and pile.form != "deck" and face != 0:
                space["PLAIN_PILES"][pile.number] = face == 1
        space["init_things"]()
        outfit.whole_faces(space)
        for thing_number in space["FACES"]:
            self._show_face(thing_number)
        self._token_limits(space)
        space["init_piles"]()
        outfit.begin(self, space)
        fill(tables, space, late=True)
        for field in layout.fields.values():
            space[f"FD{field.number}"] = list(space[f"F{field.number}"])
        for name in program.groups:
            columns = [
                space[f"F{f.number}"] for f in layout.fields.values()
                if f.mutable_now(program) and any(layout.is_a(k, f.owner) for k in layout.kinds if layout.is_a(k, name))
            ]  # fmt: skip
            space["GROUPS"].append([*columns, *outfit.telling_columns(self, name)])
        self._entries(space)
        self._watches(space)
        space["born_with"]()

    def _token_limits(self, space: dict[str, Any]) -> None:
        limits: dict[str, dict[str, Any]] = space["TOKEN_MAX"]
        for kind in self.layout.kinds:
            for owner in self.layout.lineage[kind]:
                for held in self.layout.kinds[owner].get("holds", ()):
                    if "max" in held:
                        most = (
                            held["max"]["v"]
                            if held["max"]["op"] == "int"
                            else space["TOKEN_LIMITS"][owner, held["token"]]
                        )
                        limits.setdefault(held["token"], {})[kind] = most

    # -------------------------------------------------------------- rules
    def list_of(self, rule: Any) -> str | None:
        """The list a rule is entered in while it is in force."""
        program, ir = self.program, rule.ir
        match ir["rule"]:
            case "before" | "after" | "instead_of" | "forbid":
                action = ir["action"]
                if action.startswith("core:"):
                    return f"core:{action[5:]}:{ir['rule']}"
                if action not in program.actions or (action, ir["rule"]) not in program.dynamic_actions:
                    return None
                letter = {"before": "B", "after": "A", "instead_of": "I", "forbid": "F"}[ir["rule"]]
                return f"R{letter}{program.action_number(action)}"
            case "modify":
                if "value" in ir:
                    if ir["value"].startswith("core:"):
                        return f"MC:{ir['value'][5:]}" if ir["value"] in program.dynamic_values else None
                    if ir["value"] not in program.values or ir["value"] not in program.dynamic_values:
                        return None
                    return f"M{program.value_number(ir['value'])}"
                key = program.first_name(ir["owner"], ir["field"])
                if key not in program.dynamic_values:
                    return None
                return f"MF{self.layout.fields[ir['owner'], ir['field']].number}"
            case "offer":
                return f"menu:{ir['menu']}"
            case "state":
                return "state"
            case "period":
                return f"period:{ir['period']}:{ir['edge']}"
            case "grant":
                return "grant"
        return None

    def entry(self, rule: Any, bearer: Any, order: int = 0) -> list[Any]:
        """One rule with one bearer: key, bearer, test or function, alive, change, action, head, list, armed."""
        space, number = self.space, rule.number
        kind = rule.ir["rule"]
        first = space.get(f"N{number}")
        act = None
        head = None
        if kind == "instead_of":
            act, head = space.get(f"N{number}_do"), space.get(f"N{number}_can")
        elif kind in ("state", "period", "grant"):
            first, act = space[f"N{number}_if"], space[f"N{number}"]
        elif self.program.is_ordered(rule.ir):
            head = space.get(f"N{number}_now")
        elif kind == "offer":
            first, act, head = space[f"O{number}"], space[f"X{number}"], space[f"L{number}"]
        made = [
            rule.key + order,
            bearer,
            first,
            False,
            rule.ir.get("change"),
            act,
            head,
            self.list_of(rule),
            False,
        ]
        space["ENTRIES"].append(made)
        return made

    def _entries(self, space: dict[str, Any]) -> None:
        program, layout = self.program, self.layout
        install = space["install"]
        always: list[list[Any]] = []
        for rule in program.rules:
            if rule.bearer in ("until", "trait", "cast") or self.list_of(rule) is None:
                continue
            if rule.static:
                always.append(self.entry(rule, None))
                continue
            if rule.bearer == "kind":
                bearers = layout.of_kind(rule.owner)
            else:
                bearers = layout.sorts.get(rule.owner, [])
            for order, bearer in enumerate(bearers):
                space["BEARER_RULES"].setdefault(bearer, []).append(self.entry(rule, bearer, order))
        for entry in always:
            install(entry)
        for period in program.content["periods"]:
            index = program.content["periods"].index(period)
            space["PERIODS"].append((period["id"], space[f"PE{index}"]))
            self.periods[period["id"]] = False
            if f"PC{index}" in space:
                self.period_cells[period["id"]] = [(space[f"PC{index}"], None)]
        for index, team in enumerate(program.content["teams"]):
            if "ties" in team:
                space["TIES"].append((layout.of_kind(team["role"]), space[f"TI{index}"]))
        for index in range(len(program.content["anytime"])):
            space["ANYTIME"].append((space[f"AT{index}_by"], space[f"AT{index}_can"], space[f"AT{index}"]))

    def _watches(self, space: dict[str, Any]) -> None:
        """Who looks again when a thing moves or a cell is written."""
        program, layout = self.program, self.layout
        refresh, flag = space["refresh"], space["flag_check"]
        watch: list[Any] = space["WATCH"]
        cells: dict[str, list[Any]] = space["CELLS"]

        def add(thing: int, look: Any) -> None:
            if look not in (watch[thing] or ()):
                watch[thing] = [*(watch[thing] or []), look]

        for owner in looks_of_homes(layout):
            add(owner, space["no_cycle"])
        for thing in layout.things:
            tests = [
                space[f"IF{program.kind_number(k)}"]
                for k in layout.lineage[thing.kind]
                if k in program.in_force
            ]
            if tests:
                space["FORCE"][thing.number] = (
                    tests[0] if len(tests) == 1 else lambda t, tests=tests: all(f(t) for f in tests)
                )
            if layout.is_a(thing.kind, "Chapter"):
                space["FORCE"][thing.number] = self._is_chapter
        for kind, (_, reads) in program.in_force.items():
            bearers = [t for t in layout.of_kind(kind) if t in space["BEARER_RULES"]]
            if not bearers and not program.makes:
                continue
            self._bearers[kind] = bearers

            def all_again(_: Any, bearers: list[int] = bearers) -> None:
                for bearer in bearers:
                    refresh(bearer)

            self._all_looks.append((reads, all_again))
            for cell in reads:
                if cell in ("loc:self", "face:self"):
                    for bearer in bearers:
                        add(bearer, refresh)
                elif cell.startswith("at:"):
                    space["PILE_WATCH"].setdefault(int(cell[3:]), []).append(all_again)
                elif cell.startswith(("loc:", "face:")):
                    for moved in watched_things(layout, cell):
                        add(moved, all_again)
                else:
                    cells.setdefault(cell, []).append(all_again)
        for cell in program.check_cells:
            if cell.startswith("at:"):
                space["PILE_WATCH"].setdefault(int(cell[3:]), []).append(flag)
            elif cell.startswith(("loc:", "face:")):
                for moved in watched_things(layout, cell):
                    add(moved, flag)
            else:
                cells.setdefault(cell, []).append(flag)

    def _is_chapter(self, thing: int) -> bool:
        return bool(self.space["S"][self.space["CHAPTER"]] == thing)

    def trait_entries(self, thing: int, trait: tuple[str, Any]) -> list[list[Any]]:
        """The rules that a trait brings to a thing."""
        rules = [r.number for r in self.program.rules if r.bearer == "trait" and r.owner == trait[0]]
        return self._borne(thing, rules)

    def _borne(self, thing: int, rules: Sequence[int]) -> list[list[Any]]:
        made = []
        for number in rules:
            rule = self.program.rules[number]
            if self.list_of(rule) is not None:
                if (thing, number) not in self._rules_borne:
                    self._rules_borne[thing, number] = self.entry(rule, thing, thing)
                made.append(self._rules_borne[thing, number])
        return made

    def bear_rules(self, thing: Any) -> None:
        """The rules of a thing made in play, and who looks again when it moves."""
        space, program, layout = self.space, self.program, self.layout
        lineage = layout.lineage[thing.kind]
        for rule in program.rules:
            mine = (
                rule.owner in lineage
                if rule.bearer == "kind"
                else rule.bearer == "thing" and rule.owner == thing.sort
            )
            if mine and self.list_of(rule) is not None:
                space["BEARER_RULES"].setdefault(thing.number, []).append(
                    self.entry(rule, thing.number, thing.number)
                )
        tests = [space[f"IF{program.kind_number(k)}"] for k in lineage if k in program.in_force]
        if tests:
            space["FORCE"][thing.number] = lambda t: all(f(t) for f in tests)
        looks: list[Any] = []
        for kind in lineage:
            if kind in program.in_force and thing.number in space["BEARER_RULES"]:
                self._bearers[kind].append(thing.number)
                if program.in_force[kind][1] & {"loc:self", "face:self"}:
                    looks.append(space["refresh"])
        places = {"loc:any", "face:any", *(f"loc:{k}" for k in lineage)}
        if program.check_cells & places:
            looks.append(space["flag_check"])
        looks += [look for cells, look in self._all_looks if cells & places]
        if looks:
            space["WATCH"][thing.number] = looks

    def forget_rules(self, count: int) -> None:
        """Rules of things that are no more."""
        for key in [k for k in self._rules_borne if k[0] >= count]:
            del self._rules_borne[key]
        for bearers in self._bearers.values():
            bearers[:] = [b for b in bearers if b < count]

    def make(self, kind: str | None, model: int | None) -> int:
        """A new thing of a kind, or one like another."""
        return making.make(self, kind, model)

    def vanish(self, thing: int) -> None:
        """A thing made in play is gone for good."""
        making.vanish(self, thing)

    def cast_rules(self, thing: int, rules: Sequence[int]) -> None:
        """Rules below the line of a cast live as long as its traits."""
        entries = self._borne(thing, rules)
        self.space["TRAITS"][thing].append(("", (), entries))
        for entry in entries:
            self.space["install"](entry)

    def drop_cast(self, thing: int) -> None:
        """A figure leaves the cast: what the cast gave it goes."""
        space = self.space
        for gained in list(space["TRAITS"][thing]):
            space["lose_trait"](thing, gained)
        for number in self.program.cast_fields:
            space[f"F{number}"][thing] = space[f"FD{number}"][thing]

    # -------------------------------------------------------------- state as a whole
    def snapshot(self) -> dict[str, Any]:
        """Everything that play can change, copied."""
        return self._copier.snapshot()

    def _mutable(self) -> list[Any]:
        return self._copier.fields

    def restore(self, saved: dict[str, Any]) -> None:
        """Puts a copy of the state back."""
        self._copier.restore(saved)

    def use_chance(self, chance: Chance) -> None:
        """Draws come from other streams."""
        self.space["CHANCE"] = chance
        self.space["LEFT"] = chance.left

    def reset(self, seed: int) -> None:
        """Back to the first page with a seed."""
        self._copier.first_page(self._first)
        self.seed = seed
        self.use_chance(Chance(seed))
        self.rigs.clear()
        self.log.clear()
        self.said.clear()
        self.events.clear()
        self.refusals.clear()
        self.menu = None
        self.held = 0
        self.asleep = False
        self.still = 0
        self.last_state = None
        self.next_look = PATIENT
        self.seen_decisions = 0
        self.depth = 0
        self._begun = False
        self._entered = False
        self.campaign = campaign.empty()
        self.returned.clear()
        if self.brought:
            campaign.read_back(self, self.brought)

    # -------------------------------------------------------------- playing
    def run(self, chapter: str | None = None) -> str:
        """Plays to the end; gives the id of the ending."""
        space = self.space
        self.chapter = chapter
        if sys.getrecursionlimit() < FRAMES_DEEP:
            # One call of the language takes several of Python's own.
            sys.setrecursionlimit(FRAMES_DEEP)
        try:
            self._play(chapter)
        except space["GameOver"]:
            pass
        except Fault as fault:
            fault.frames = fault.frames or self.where(fault)
            raise
        except (TypeError, ZeroDivisionError, IndexError, KeyError, ValueError, AttributeError) as error:
            raise self.fault_of(error) from error
        except RecursionError as error:
            raise self.too_deep(error) from None
        if self.program.lasts:
            campaign.write_down(self)
        ended = space["S"][space["ENDED"]]
        return self.layout.things[ended].id if ended is not None else ""

    def too_deep(self, error: RecursionError) -> Fault:
        """Calls without end; when nothing but values call each other, the values that need themselves."""
        frames = self.where(error)
        loop = list(dict.fromkeys(frame.what for frame in frames[-24:]))
        if loop and all(what.startswith("value ") for what in loop):
            names = ", ".join(what.removeprefix("value ") for what in loop)
            return Fault("R9", f"what a value needs leads back to itself: {names}", frames)
        return Fault("R7", f"calls go deeper than {CALLS_DEEP}", frames)

    def fault_of(self, error: Exception) -> Fault:
        """An error of Python in generated code, as an error of play."""
        frames = self.where(error)
        if isinstance(error, ZeroDivisionError):
            return Fault("R2", "something is divided by zero", frames)
        if isinstance(error, TypeError) and "None" in str(error):
            return Fault("R1", "none stands where a number or a thing is needed", frames)
        return Fault(
            "R15", f"a value of the wrong type was reached ({type(error).__name__}: {error})", frames
        )

    def _play(self, chapter: str | None) -> None:
        space = self.space
        layout = self.layout
        first = layout.number[chapter] if chapter is not None else self._first_chapter
        self.enter_chapter(first)
        target: int | None = None
        try:
            number = self.program.action_numbers.get("game/")
            if number is not None:
                space[f"A{number}"]()
            elif first is not None:
                self.play(first)
        except space["GoTo"] as go:
            target = go.target
            if chapter is not None and not layout.is_a(layout.things[target].kind, "Ending"):
                # Whoever asks for a chapter gets it, wherever the system would begin.
                target = first
        if target is not None and self._turns_pages():
            target = turn_pages(self, target)
        left = MOST_PAGES
        while target is not None and left:
            left -= 1
            self._unwind()
            if self._begun:
                target = self._leave_chapter(target)
            if self.program.lasts:
                campaign.write_down(self)
            self.enter_chapter(target)
            try:
                self.play(target)
                target = None
            except space["GoTo"] as again:
                target = again.target
        if space["S"][space["ENDED"]] is None:
            raise Fault("R13", self._why_nowhere())

    def _turns_pages(self) -> bool:
        """Whether pages can be turned in one loop: nobody must be able to go on from the middle, or to listen in."""
        own = type(self)
        plain = own.follow is Game.follow and own.enter_chapter is Game.enter_chapter
        return bool(self.program.page_rules) and plain and not self.resumable

    def _why_nowhere(self) -> str:
        """Why a game ended without an ending: it was refused, or nothing says where to go on."""
        from talewright.runtime.whys import Whys

        refused = Whys(self).refusals("game/", ()) if "game/" in self.program.action_numbers else []
        if refused:
            return f"the game cannot begin: {refused[0].reason or 'what it requires is not so'}"
        return "the game leads nowhere: nothing says where to go on"

    @cached_property
    def _first_chapter(self) -> int | None:
        """The first chapter of the package that is played; one of a package it uses only if there is none."""
        chapters = [t for t in self.layout.things if self.layout.is_a(t.kind, "Chapter")]
        document = self.program.document
        spots, files = document["sources"]["spots"], document["sources"]["files"]
        own = str(document["package"]["name"]) + "/"
        for chapter in chapters:
            at = chapter.source.get("at", -1)
            if 0 <= at < len(spots) and files[spots[at][0]].startswith(own):
                return int(chapter.number)
        return chapters[0].number if chapters else None

    def _leave_chapter(self, target: int) -> int:
        """What happens at the end of a chapter that has begun; it may still lead elsewhere."""
        if self._begun:
            self._begun = False
            try:
                for entry in tuple(self.space["LISTS"]["core:chapter:after"]):
                    if entry[3]:
                        entry[2](entry[1], {}, None)
            except self.space["GoTo"] as go:
                self._unwind()
                return int(go.target)
        return target

    def _begin_chapter(self, page: int) -> None:
        if "chapter" in self.program.core_hooks and self.layout.is_a(
            self.layout.things[page].kind, "Chapter"
        ):
            self._begun = True
            for entry in tuple(self.space["LISTS"]["core:chapter:before"]):
                if entry[3]:
                    entry[2](entry[1], {})

    def _unwind(self) -> None:
        space = self.space
        while space["FRAMES"]:
            space["leave_frame"]()
        if space["PENDING"]:
            for entry in list(space["PENDING"]):
                if entry[1] == "chapter":
                    space["PENDING"].remove(entry)
                    entry[2]()
        self.held = 0

    def enter_chapter(self, page: int | None) -> None:
        """Makes a chapter the present one: its rules come into force, the last one's go."""
        space = self.space
        if space["CAST"]:
            space["drop_cast"]()
        space["S"][space["CHAPTER"]] = page
        if page in space["CHAPTER_STATE"]:
            space["CHAPTER_STATE"][page]()
        if space["BEARER_RULES"]:
            for bearer in self._bearers_by_chapter if self._entered else sorted(space["BEARER_RULES"]):
                space["refresh"](bearer)
            self._entered = True
        space["look_again"]("chapter")

    @property
    def _bearers_by_chapter(self) -> list[int]:
        """Whoever bears rules and must be looked at when the chapter changes.

        The others are looked at whenever they, or what lies in a certain container, move.
        """
        if self._by_chapter is None or self.program.makes:
            closely = {
                bearer
                for kind, bearers in self._bearers.items()
                if all(map(self._looked_at_closely, self.program.in_force[kind][1]))
                for bearer in bearers
            }
            several = {
                t.number
                for t in self.layout.things
                if sum(k in self.program.in_force for k in self.layout.lineage[t.kind]) != 1
                or self.layout.is_a(t.kind, "Chapter")
            }
            self._by_chapter = sorted(self.space["BEARER_RULES"].keys() - (closely - several))
        return self._by_chapter

    def _looked_at_closely(self, cell: str) -> bool:
        owner, _, name = cell.partition(":")[2].partition(".")
        field = self.layout.fields.get((owner, name))
        return (
            cell in CLOSELY
            or cell.startswith("at:")
            or (cell.startswith("field:") and field is not None and field.tag == "pile")
        )

    def play(self, page: int) -> None:
        """Plays a chapter or an ending, by the system's own action if it has one for it."""
        hooks = self.program.core_hooks
        if "chapter" in hooks:
            self._begin_chapter(page)
        number = self.program.action_numbers.get("play/")
        if number is not None:
            kind = self.layout.things[page].kind
            want = self.program.actions["play/"]["params"][0]["type"]
            name = want[1] if isinstance(want, list) else "Thing"
            if self.layout.is_a(kind, name):
                self.space[f"A{number}"](page)
                return
        if "play" in hooks:
            self.space["core_action"]("play", ("first",), (page,), self.play_page)
        else:
            self.play_page(page)

    def play_page(self, page: int) -> None:
        """The core's way with a page: say it; an ending ends the game, a chapter is followed."""
        text = self.prose(page)
        if text:
            self.say(text)
        if self.layout.is_a(self.layout.things[page].kind, "Ending"):
            self.space["end_game"](page)
        for name in ("choice", "outcome"):
            edges = self.late_field(page, name)
            if edges:
                if name == "choice":
                    self.follow(edges, None)
                else:
                    self.space["go_to"](self.space["core_edge"](edges))

    def follow(self, edges: Any, by: Any) -> None:
        """Lets somebody choose among labelled ways on."""
        quick = self.quick
        if quick is not None:
            self._follow_quickly(edges, quick)
            return
        target = self.way(edges, by)
        if target is not None:
            self.space["go_to"](target)

    def way(self, edges: Any, by: Any) -> int | None:
        """The way on that somebody chooses; none when no way is open."""
        options: list[Option] | None = None
        if type(edges) is self.space["Ways"]:
            options = edges.options[edges.open()]
        if options is None:
            options = self.labelled([row for row in edges or () if row[0] is None or row[0]()], True) or []
        if len(options) < 2:
            return int(options[0].value) if options else None
        seat = by if by is not None else self.everybody()
        return int(options[self.decide("follow.choice", seat, options.copy(), "", "options")].value)

    def decide_way(self, fork: Fork, by: Any) -> int:
        """Which of several labelled ways on somebody chooses."""
        agent = self.agent
        simple = type(by) is int and not self.space["DECIDES"] and type(self).decide is Game.decide
        if not simple or self.listener is not None or agent is None:
            return int(fork[self.decide("follow.choice", by, fork.copy(), "", "options")].value)
        # What `decide` does, where a seat decides for itself and nobody listens.
        decision = Decision("follow.choice", by, fork.copy(), "", "options", self)
        if type(self).decide_way is Game.decide_way:
            self.asked = decision
        return self.go_way(fork, agent(decision))

    def go_way(self, fork: Fork, index: int) -> int:
        """Where the way leads that was chosen at a fork."""
        if not 0 <= index < len(fork):
            raise Fault("R10", "the answer to follow.choice is none of its options")
        self.log.append(("follow.choice", index))
        if self.refusals:
            self.refusals.clear()
        return fork.targets[index]

    def labelled(self, rows: Any, titled: bool = False) -> Fork | None:
        """Ways on as options; those without labels bear the title of their target, which play may change."""
        if not titled and not all(row[1] for row in rows):
            return None
        fork = Fork(
            Option(label or str(i), target, label or self.title(target))
            for i, (_, label, target, _) in enumerate(rows)
        )
        fork.targets = tuple(row[2] for row in rows)
        return fork

    def picked(self, count: int) -> int:
        """Which of so many ways is taken when nobody reads."""
        self.space["S"][self.space["STEPS"]] = 0
        assert self.quick is not None
        index = self.quick(count)
        self.log.append(("", index))
        return index

    def _follow_quickly(self, edges: Any, quick: Callable[[int], int]) -> None:
        targets = [edge[2] for edge in edges or () if edge[0] is None or edge[0]()]
        if not targets:
            return
        index = 0
        if len(targets) > 1:
            self.space["S"][self.space["STEPS"]] = 0
            index = quick(len(targets))
            self.log.append(("", index))
        self.space["go_to"](targets[index])

    def everybody(self) -> list[int]:
        """All seats."""
        return [t.number for t in self.layout.things if t.kind in self.layout.seats]

    # -------------------------------------------------------------- decisions
    def ask(self, point: int, by: Any, options: Sequence[Any], prompt: Any) -> Any:
        """One of several values."""
        self.space["S"][self.space["STEPS"]] = 0
        if self.quick is not None:
            index = self.quick(len(options))
            self.log.append(("", index))
            return options[index]
        info = self.program.points[point]
        kind = info["type"]
        seats = tuple(by) if isinstance(by, list) else (by,)
        shown = [self._option(value, kind, options, seats) for value in options]
        index = self.decide(self._id(point), by, shown, prompt, info["form"])
        return options[index]

    def decided(self) -> bool:
        """Whether anything was decided since this was last asked; the steps are counted from there."""
        before, self.seen_decisions = self.seen_decisions, len(self.log)
        if before == len(self.log):
            return False
        self.space["S"][self.space["STEPS"]] = 0
        return True

    def look_for_progress(self) -> None:
        """A game that stands still over hundreds of decisions will not go on by itself."""
        self.next_look = len(self.log) + PATIENT
        state = table(self)
        self.still = self.still + 1 if state == self.last_state else 1
        self.last_state = state
        if self.still >= 3:
            raise Fault("R8", f"no progress: {2 * PATIENT} decisions have changed nothing")

    def _id(self, point: int) -> str:
        return f"{self.program.points[point]['id']}#{self.space['COUNTS'][point]}"

    def _option(self, value: Any, kind: Any, among: Sequence[Any], seats: tuple[Any, ...]) -> Option:
        if value is None:
            return Option("none", None, "None of these")
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        tag = kind[0] if isinstance(kind, list) else kind
        if tag == "thing" or (kind is None and isinstance(value, int)):
            known = knows_face(self, value, seats)
            name = self.layout.things[value].id if known else hidden_id(self, value)
            return Option(name, value, lambda: thing_label(self, value, among, seats))
        text = self.space["show_value"](value, _frozen(kind))
        return Option(text, value, text)

    def ask_labelled(self, point: int, by: Any, options: Sequence[Any], prompt: Any, optional: bool) -> int:
        """The number of a labelled option."""
        self.space["S"][self.space["STEPS"]] = 0
        if self.quick is not None:
            index = self.quick(len(options) + optional)
            self.log.append(("", index))
            return int(options[index][0]) if index < len(options) else -1
        shown = [Option(o[1], o[0], o[2]) for o in options]
        if optional:
            shown.append(Option("none", -1, "None of these"))
        form = self.program.points[point]["form"]
        return int(shown[self.decide(self._id(point), by, shown, prompt, form)].value)

    def ask_yes(self, point: int, by: Any, label: Any) -> bool:
        """Yes or no."""
        self.space["S"][self.space["STEPS"]] = 0
        if self.quick is not None:
            index = self.quick(2)
            self.log.append(("", index))
            return index == 0
        shown = [Option("yes", True, label), Option("no", False, "No")]
        return self.decide(self._id(point), by, shown, label, "yes") == 0

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
        """One of the offers of a menu, or none for passing."""
        self.space["COUNTS"][point] += 1
        self.space["S"][self.space["STEPS"]] = 0
        count = len(options) + bool(passing)
        if count == 1:
            return options[0]
        if self.quick is not None:
            index = self.quick(count)
            self.log.append(("", index))
            return options[index] if index < len(options) else None
        shown = []
        for entry, values in options:
            label = entry[6](entry[1], *args, *values)
            shown.append(Option(label, (entry, values), label))
        if passing:
            shown.append(Option("pass", None, passing if isinstance(passing, str) else "Pass"))
        self.menu = (menu, args, by)
        index = self.decide(self._id(point), by, shown, prompt, "menu")
        self.menu = None
        return shown[index].value

    def decide(self, id_: str, by: Any, options: list[Option], prompt: Any, form: str) -> int:
        """Hands a decision to the agent and checks the answer."""
        if by is None:
            raise Fault("R1", f"nobody is there to decide {id_}")
        settles = None
        if type(by) is int and not self.space["DECIDES"]:
            seat: Any = by
        else:
            by = self._deciders(by)
            seat = tuple(by) if isinstance(by, list) else by
            settles = self._settles(seat) if isinstance(seat, tuple) else None
        text = prompt if type(prompt) is str else prompt() if callable(prompt) else (prompt or "")
        if self.agent is None:
            raise Fault("R11", f"nobody answers {id_}")
        index = self.agent(Decision(id_, seat, options, text, form, self, settles))
        if not 0 <= index < len(options):
            raise Fault("R10", f"the answer to {id_} is none of its options")
        self.log.append((id_, index))
        if self.refusals:
            self.refusals.clear()
        if self.listener is not None:
            who = ", ".join(self.title(s) for s in (seat if isinstance(seat, tuple) else (seat,)))
            self.listener("decide", (id_, who, options[index].text()))
        return index

    def _settles(self, seats: tuple[Any, ...]) -> int | None:
        """Who has the last word when a team disagrees."""
        for members, who in self.space["TIES"]:
            if set(members) == set(seats):
                last = who()
                return last if last in seats else None
        return None

    def _deciders(self, by: Any) -> Any:
        """A thing decides through its seat."""
        if isinstance(by, list):
            return list(dict.fromkeys(self._deciders(one) for one in by))
        column = self.space["DECIDES"].get(self.layout.things[by].kind)
        return by if column is None or column[by] is None else column[by]

    # -------------------------------------------------------------- what the generated code asks for
    def title(self, thing: Any) -> str:
        """The title of a thing."""
        return str(self.space["title_of"](thing))

    def prose(self, thing: int | None) -> str:
        """The prose of a thing."""
        if thing is None:
            return ""
        text = self.layout.things[thing].source.get("text")
        if not isinstance(text, dict):
            return ""
        return "".join(p for p in text["parts"] if isinstance(p, str)).strip()

    def say(self, text: Any) -> None:
        """Something is said at the table."""
        if self.quick is not None:
            return
        made = text if type(text) is str else text() if callable(text) else text
        if made:
            self.said.append(str(made))
            if self.listener is not None:
                self.listener("say", str(made))

    def late_field(self, thing: Any, name: str) -> Any:
        """A field of something whose kind only play can tell."""
        if not isinstance(thing, int):
            return None
        kind = self.layout.things[thing].kind
        if (kind, name) not in self._late:
            field = self.layout.fields_of(kind).get(name)
            modified = field is not None and f"field_{field.number}" in self.space
            self._late[kind, name] = (
                field,
                self.space[f"field_{field.number}"] if field and modified else None,
            )
        field, folded = self._late[kind, name]
        if folded is not None:
            return folded(thing)
        if field is not None:
            return self.space[f"F{field.number}"][thing]
        lent = (self.late_field(column[thing], name) for column in self.space["LENDS"].get(kind, ()))
        return next((value for value in lent if value is not None), None)

    def back(self, thing: int) -> Any:
        """What can be told of a thing that lies face down."""
        return self.layout.things[thing].kind

    def face(self, thing: int | None) -> Any:
        """The face of a card or die that is up."""
        die = self.space["DICE"].get(thing)
        if die is not None:
            return die[3][thing]
        faces = self.space["FACES"].get(thing)
        return faces[self.space["TURNED"][thing]][0] if faces else None

    def flip(self, thing: int) -> None:
        """Turns a thing over: its next face answers for it; a die shows its opposite."""
        die = self.space["DICE"].get(thing)
        if die is not None:
            die[3][thing] = die[2].get(die[3][thing], die[3][thing])
            self.space["look_again"](f"field:{die[0]}.face")
            return
        faces = self.space["FACES"].get(thing)
        if not faces:
            self.space["UP"][thing] = 1 - self.space["UP"][thing]
            return
        self.space["TURNED"][thing] = (self.space["TURNED"][thing] + 1) % len(faces)
        self._show_face(thing)

    def _show_face(self, thing: int) -> None:
        """Gives a thing the fields of the face that is up."""
        face = self.space["FACES"][thing][self.space["TURNED"][thing]]
        for number, value in face[2].items():
            self.space[f"F{number}"][thing] = value

    def note(self, outcome: str, action: str, args: tuple[Any, ...]) -> None:
        """Remembers what became of a call."""
        self.events.append((outcome, action, args))

    def times(self, question: str, action: str, args: tuple[Any, ...]) -> int:
        """How often a call had an outcome since the last `when`."""
        return sum(
            1 for o, a, given in self.events if o == question and a == action and self._matches(given, args)
        )

    def _matches(self, given: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
        anything = self.space["ANYTHING"]
        for have, want in zip(given, wanted, strict=False):
            if want is anything:
                continue
            if isinstance(want, tuple) and want and want[0] == "kind":
                if have not in want[1]:
                    return False
            elif isinstance(want, tuple) and want and want[0] == "trait":
                if not self.space["has_trait"](have, want[1]):
                    return False
            elif isinstance(have, Pool):
                if have.total() != want:
                    return False
            elif have != want:
                return False
        return True

    def offered(self, action: str, args: tuple[Any, ...]) -> bool:
        """Whether some menu would offer a call now."""
        space = self.space
        for menu in self.program.content["menus"]:
            kinds = [self.layout.of_kind(p["type"][1]) for p in menu["params"]]
            for entry in space["LISTS"][f"menu:{menu['id']}"]:
                asked = space.get(f"Z{entry[2].__name__[1:]}")
                if asked is None or asked.__doc__ != action:
                    continue
                if any(asked(entry[1], *given, args) for given in product(*kinds)):
                    return True
        return False

    def until_entry(self, number: int, first: Any, act: Any, head: Any) -> list[Any]:
        """A rule of an `until` block, after the permanent rules of its layer and by time of arrival."""
        rule = self.program.rules[number]
        self.installed += 1
        key = rule.ir.get("layer", 1) * 10**9 + 5 * 10**8 + self.installed
        if rule.ir["rule"] == "grant":
            first, act = act, first
        return [key, None, first, False, rule.ir.get("change"), act, head, self.list_of(rule), False]

    def record(self, thing: Any) -> None:
        """Keeps a thing's lasting fields for the campaign."""
        campaign.enlist(self, thing)

    def roster(self, kind: Any, seat: Any) -> list[int]:
        """The things of a kind that an earlier game recorded for a seat."""
        return campaign.roster(self, kind, seat)

    def newcomers(self, seats: Sequence[int]) -> list[int]:
        """Those of the seats that nobody has asked for, in this game or an earlier one of the campaign."""
        return campaign.newcomers(self, seats)

    def bring(self, record: dict[str, Any]) -> None:
        """Starts from what an earlier game of the campaign left; the next `reset` lets it count."""
        self.brought = record

    def rolled(self, purpose: Any) -> int:
        """How many dice were rolled for a purpose since the last `when`."""
        return sum(
            int(args[0])
            for outcome, what, args in self.events
            if outcome == "rolled" and what == str(purpose)
        )

    # -------------------------------------------------------------- tracing
    def trace_call(self, action: str, args: tuple[Any, ...], at: int) -> None:
        """A call begins."""
        self.depth += 1
        if self.depth > CALLS_DEEP:
            raise Fault("R7", f"calls go deeper than {CALLS_DEEP}")
        if self.listener is not None:
            self.listener("call", (self.depth, action, args, at))

    def trace_ended(self, action: str) -> None:
        """A call that tests wait for is over, with all that follows it."""
        if self.listener is not None:
            self.listener("ended", (self.depth, action))

    def trace_leave(self) -> None:
        """A call ends in any way."""
        self.depth -= 1

    def trace_outcome(self, outcome: str, action: str, args: tuple[Any, ...], result: Any) -> None:
        """What became of a call."""
        self.events.append((outcome, action, args))
        if self.listener is not None:
            self.listener(outcome, (self.depth, action, args, result))

    def trace_refused(self, action: str, args: tuple[Any, ...], reason: Any) -> None:
        """A call that could not be made."""
        self.events.append(("refused", action, args))
        self.refusals.append((action, args, reason))
        if self.listener is not None:
            self.listener("refused", (self.depth, action, args, reason))

    def trace_rule(self, at: int, bearer: Any) -> None:
        """A rule runs."""
        if self.listener is not None:
            self.listener("rule", (self.depth, at, bearer))

    def trace_write(self, cell: str, before: Any, after: Any, owner: Any = None) -> None:
        """A track's marker has moved."""
        if self.listener is not None and before != after:
            self.listener("write", (self.depth, cell, before, after, owner))

    def where(self, error: BaseException) -> list[Frame]:
        """The way to an error through the text of the package."""
        frames: list[Frame] = []
        trace = error.__traceback__
        spots = self.program.document["sources"]
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<tale>":
                for number, function in self.program.way_to(trace.tb_lineno):
                    at = self.program.writer.places[number - 1]
                    if 0 <= at < len(spots["spots"]):
                        file, line = spots["spots"][at][:2]
                        what = frame_name(self.program, function)
                        if frames and frames[-1].what == what and function[0] in "RD":
                            frames.pop()
                        frames.append(Frame(what, spots["files"][file], line))
            trace = trace.tb_next
        return frames


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
