"""One game: seats, decisions, and the way from the first page to the last."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from talewright.runtime import campaign, making, spawning
from talewright.runtime.chance import Chance
from talewright.runtime.copying import Copier
from talewright.runtime.decisions import Agent, Decision, Fork, Option
from talewright.runtime.faults import MISPLACED, Fault, LoadError
from talewright.runtime.gamebase import AT_FIRST, PATIENT
from talewright.runtime.labels import hidden_id, knows_face, thing_label, with_place
from talewright.runtime.layout import frozen
from talewright.runtime.pages import MOST_PAGES, Turner
from talewright.runtime.program import Program
from talewright.runtime.standing import table
from talewright.runtime.telling import Telling
from talewright.runtime.tracing import FRAMES_DEEP, tell_of_chance


class Game(Telling):
    """A game of a program. `run` plays it to its end with the agents it is given."""

    def __init__(
        self,
        program: Program,
        seed: int = 0,
        agent: Agent | None = None,
        resumable: bool = False,
        hurried: bool = True,
    ) -> None:
        super().__init__(program, agent, resumable, hurried)
        try:
            spawning.spawn(self)
        except (*MISPLACED, Fault, RecursionError) as error:
            raise LoadError(self._unready(error)) from error
        self._copier = Copier(self)
        self._first = self.snapshot()
        self.reset(seed)

    def _unready(self, error: Exception) -> str:
        """Why the first value of something could not be found, whose it is, and where that stands."""
        if isinstance(error, Fault):
            fault, frames = error, error.frames or self.where(error)
        else:
            fault = self.too_deep(error) if isinstance(error, RecursionError) else self.fault_of(error)
            frames = fault.frames
        cell = self.cell_being_filled(error)
        where = "".join(f"\n  at {frame.file}:{frame.line}" for frame in frames[-5:])
        return f"no game can begin: the first value of {cell} cannot be found ({fault}){where}"

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
        spawning.connect(self, space)

    def make(self, kind: str | None, model: int | None) -> int:
        """A new thing of a kind, or one like another."""
        return making.make(self, kind, model)

    def vanish(self, thing: int) -> None:
        """A thing made in play is gone for good."""
        making.vanish(self, thing)

    # -------------------------------------------------------------- state as a whole
    def snapshot(self) -> dict[str, Any]:
        """Everything that play can change, copied."""
        return self._copier.snapshot()

    def untouched(self, thing: int) -> bool:
        """Whether a thing lies face down where it lay when the game began, unmixed: only who was shown it has seen it."""
        space = self.space
        if space["UP"][thing] or space["KNOWN"][thing] != -1 or thing >= self.first_made:
            return False
        return bool(space["LOC"][thing] == self._first_places[thing])

    @cached_property
    def _first_places(self) -> list[int]:
        columns = self._copier.columns
        return list(self._first["columns"][next(n for n, c in enumerate(columns) if c is self.space["LOC"])])

    def _mutable(self) -> list[Any]:
        return self._copier.fields

    def restore(self, saved: dict[str, Any]) -> None:
        """Puts a copy of the state back."""
        self._copier.restore(saved)

    def use_chance(self, chance: Chance) -> None:
        """Draws come from other streams."""
        space = self.space
        space["CHANCE"] = chance
        for name, stream in self.streams:
            space[name] = chance.stream(stream)

    def new_chance(self, seed: int) -> Chance:
        """The streams of a game that begins."""
        chance = self.space["CHANCE"]
        if not self.hurried or type(chance) is not Chance:
            return Chance(seed)
        # Nobody goes back to an earlier game of those that hurry.
        chance.begin(seed)
        return chance

    def reset(self, seed: int) -> None:
        """Back to the first page with a seed."""
        self._copier.first_page(self._first)
        self.seed = seed
        chance = self.new_chance(seed)
        if chance is not self.space["CHANCE"]:
            self.use_chance(chance)
        self.rigs.clear()
        vars(self).update(AT_FIRST)
        self.shown.clear()
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
        except MISPLACED as error:
            raise self.fault_of(error) from error
        except RecursionError as error:
            raise self.too_deep(error) from None
        if self.program.lasts:
            campaign.write_down(self)
        ended = space["S"][space["ENDED"]]
        return self.layout.things[ended].id if ended is not None else ""

    def _play(self, chapter: str | None) -> None:
        space = self.space
        layout = self.layout
        first = layout.number[chapter] if chapter is not None else self._first_chapter
        self.enter_chapter(first)
        target: int | None = None
        turner = self._turner
        try:
            number = self.program.action_numbers.get("game/")
            if turner is not None and turner.opening is not None:
                target = turner.opening()
            elif number is not None:
                space[f"A{number}"]()
            elif first is not None:
                self.play(first)
        except space["GoTo"] as go:
            target = go.target
        if (
            target is not None
            and chapter is not None
            and not layout.is_a(layout.things[target].kind, "Ending")
        ):
            # Whoever asks for a chapter gets it, wherever the system would begin.
            target = first
        if target is not None and turner is not None:
            target = turner.turn(target)
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

    @cached_property
    def _turner(self) -> Turner | None:
        """What turns the pages, where that can be done in one loop."""
        return Turner(self) if self._turns_pages() else None

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
            if self._entered:
                for bearer in self._bearers_by_chapter:
                    space["refresh"](bearer)
            elif page != self._quiet or not self._begins_as_ever:
                self._look_at_all(page)
            self._entered = True
        space["look_again"]("chapter")

    def _look_at_all(self, page: int | None) -> None:
        """Whoever bears rules is looked at when a game begins; if that changes nothing, it never will on this page."""
        active = self.space["ACTIVE"]
        before = list(active)
        for bearer in sorted(self.space["BEARER_RULES"]):
            self.space["refresh"](bearer)
        if active == before and self._begins_as_ever:
            self._quiet = page

    @property
    def _begins_as_ever(self) -> bool:
        """Whether this game begins with the same table as all others of its program."""
        return self.hurried and self.quick is not None and not self.brought and not self.program.makes

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
        if self.quick is None:
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

    # -------------------------------------------------------------- ways on
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

    # -------------------------------------------------------------- decisions
    def now(self, point: int | str, option: Any) -> Any:
        """An option after somebody was asked: the same, but where games are imagined."""
        return option

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
        text = self.space["show_value"](value, frozen(kind))
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
        if len({option.id for option in shown}) < len(shown):
            self._tell_apart(shown)
        if passing:
            shown.append(Option("pass", None, passing if isinstance(passing, str) else "Pass"))
        self.menu = (menu, args, by)
        index = self.decide(self._id(point), by, shown, prompt, "menu")
        self.menu = None
        return shown[index].value

    def _tell_apart(self, options: list[Option]) -> None:
        """Offers that read alike are told with where the first thing is that each is about."""
        alike = Counter(option.id for option in options)
        for option in options:
            entry, values = option.value
            unbound = self.program.rules[int(entry[2].__name__[1:])].ir.get("unbound", ())
            kinds = [item["type"] for item in unbound]
            things = [
                v
                for v, kind in zip(values, kinds, strict=False)
                if isinstance(kind, list) and kind[0] == "thing"
            ]
            if alike[option.id] > 1 and things and things[0] is not None:
                option.label = partial(with_place, self, option.id, things[0])

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
        decision = Decision(id_, seat, options, text, form, self, settles)
        index = self.agent(decision)
        if not 0 <= index < len(options):
            raise Fault("R10", f"the answer to {id_} is none of its options")
        self.log.append((id_, index))
        if self.refusals:
            self.refusals.clear()
        if self.listener is not None:
            self.listener("decide", (id_, decision.who, options[index].text(), decision, index))
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

    # -------------------------------------------------------------- what lasts from game to game
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


__all__ = ["Agent", "Decision", "Fork", "Game", "Option"]
