"""Tests written in Tale: set up, rigged, answered, run and compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from talewright.runtime import scenes
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.game import Decision, Game
from talewright.runtime.layout import IR
from talewright.runtime.program import Program


@dataclass(slots=True)
class Outcome:
    """What became of one test."""

    title: str
    file: str
    line: int
    covers: list[str]
    message: str = ""
    failed_line: int = 0
    failed_file: str = ""
    trace: list[str] = field(default_factory=list)
    # The actions that were called.
    reached: set[str] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        """Whether every expectation held."""
        return not self.message


class Failure(Exception):
    """An expectation did not hold, or the test itself is wrong."""


@dataclass(slots=True)
class Answer:
    """Answers waiting for a decision, by its id, its prompt or its seat."""

    prompt: str
    by_text: bool
    by: Any
    values: list[Any]
    at: int


Key = tuple[int | None, tuple[tuple[str, Any], ...]]


class Runner:
    """Runs the tests of a document; programs and games are kept for each combination of options and players."""

    def __init__(self, document: IR, patience: int | None = None) -> None:
        self.document = document
        # After how many steps without a decision a test is given up, if not after as many as in any game.
        self.patience = patience
        self.programs: dict[Key, Program] = {}
        self.games: dict[Key, Game] = {}
        self._alike: dict[Key, set[int]] = {}
        for index, test in enumerate(document["content"]["tests"]):
            for part in _parts(test):
                options, players, _ = _settings(part.start)
                self._alike.setdefault(_key(options, players), set()).add(index)

    def run(self, wanted: str = "") -> Iterator[Outcome]:
        """Every test whose title holds a text."""
        for index, test in enumerate(self.document["content"]["tests"]):
            if wanted.lower() in test["title"].lower() or any(wanted == c for c in test["covers"]):
                yield self.one(index)

    def one(self, index: int) -> Outcome:
        """One test."""
        test = self.document["content"]["tests"][index]
        file, line = self._place(test["at"])
        outcome = Outcome(test["title"], file, line, list(test["covers"]))
        case = _Case(self, index, test)
        try:
            case.run()
        except Failure as failure:
            outcome.message = str(failure)
        except Fault as fault:
            outcome.message = str(fault) + "".join(f"\n  at {f.file}:{f.line}" for f in fault.frames[-5:])
        except LoadError as error:
            outcome.message = str(error)
        if outcome.message:
            outcome.failed_file, outcome.failed_line = self._place(case.at)
        outcome.trace = case.trace if outcome.message else []
        outcome.reached = case.reached
        return outcome

    def _place(self, at: int) -> tuple[str, int]:
        spots = self.document["sources"]
        if not 0 <= at < len(spots["spots"]):
            return "", 0
        file, line = spots["spots"][at][:2]
        return spots["files"][file], line

    def game(self, options: dict[str, Any], players: int | None) -> Game:
        """A game for a combination of options and players, made once."""
        key = _key(options, players)
        if key not in self.programs:
            self.programs[key] = Program(self._alone(key), options, players, traced=True, tests=True)
        if key not in self.games:
            self.games[key] = Game(self.programs[key])
            if self.patience is not None:
                self.games[key].space["LIMIT"] = self.patience
        return self.games[key]

    def games_of(self, index: int) -> list[Game]:
        """The games in which a test is played, one for each `start`."""
        parts = _parts(self.document["content"]["tests"][index])
        return [self.game(*_settings(part.start)[:2]) for part in parts]

    def _alone(self, key: Key) -> IR:
        """The document with the steps of those tests only that are played with these options."""
        content = self.document["content"]
        alike = self._alike.get(key, set())
        tests = [
            test if index in alike else {**test, "steps": []} for index, test in enumerate(content["tests"])
        ]
        return {**self.document, "content": {**content, "tests": tests}}


@dataclass(frozen=True, slots=True)
class _Part:
    """The steps of a test from one `start` to the next; what stands before the first belongs to it."""

    start: IR | None
    steps: list[tuple[int, IR]]


def _parts(test: IR) -> list[_Part]:
    steps = list(enumerate(test["steps"]))
    starts = [position for position, step in steps if step["step"] == "start"]
    if not starts:
        return [_Part(None, steps)]
    edges = [0, *starts[1:], len(steps)]
    return [
        _Part(test["steps"][start], steps[begin:end])
        for start, begin, end in zip(starts, edges[:-1], edges[1:], strict=True)
    ]


def _settings(start: IR | None) -> tuple[dict[str, Any], Any, Any]:
    """The options, the number of players and the seed that a test begins with."""
    made = {name: value.get("v") for name, value in start["settings"].items()} if start is not None else {}
    return made, made.pop("players", None), made.pop("seed", 1)


def _key(options: dict[str, Any], players: int | None) -> Key:
    return players, tuple(sorted(options.items()))


class _Stopped(BaseException):
    """The game has reached the point where the test begins."""


class _Case:
    def __init__(self, runner: Runner, index: int, test: IR) -> None:
        self.runner = runner
        self.index = index
        self.test = test
        self.at = test["at"]
        self.answers: list[Answer] = []
        self.trace: list[str] = []
        self.reached: set[str] = set()
        self.game: Game
        self.marks: list[tuple[str, Any]] = []
        self.steps: list[tuple[int, IR]] = []

    def run(self) -> None:
        for part in _parts(self.test):
            self._run_part(part)

    def _run_part(self, part: _Part) -> None:
        """Plays from one `start` to the next: nothing is left of what was before."""
        self.steps, start = part.steps, part.start
        self.answers, self.marks, self.started = [], [], False
        self.trace.clear()
        settings, players, seed = _settings(start)
        if start is not None and start.get("refused"):
            self._refused(start, settings, players)
            return
        self.game = game = self.runner.game(settings, players)
        game.reset(seed)
        game.quick = None
        game.agent = self._lenient
        game.listener = self._listen
        # Answers that stand before the first `when` may also serve the way to the chapter.
        for position, step in self.steps:
            if step["step"] == "answer":
                self._answer(position, step)
            elif step["step"] == "when":
                break
        early = {id(a) for a in self.answers}
        self._safely(lambda: self._start(start))
        self.answers = [a for a in self.answers if id(a) in early and a.values]
        game.agent = self._strict
        for position, step in self.steps:
            self.at = step["at"]
            self._step(position, step)
        self._leftovers()
        self._round_trip(seed)

    def _refused(self, start: IR, settings: dict[str, Any], players: int | None) -> None:
        """The game must not begin with these settings."""
        self.at = start["at"]
        try:
            game = self.runner.game(settings, players)
        except LoadError:
            return
        number = game.program.action_numbers.get("game/")
        game.reset(1)
        if number is None or game.space[f"G{number}"]():
            raise Failure("the game can begin so")

    def _round_trip(self, seed: int) -> None:
        """The state at the end must come back whole from a copy, whatever was played in between."""
        game = self.game
        kept = game.snapshot()
        game.reset(seed)
        game.restore(kept)
        again = game.snapshot()
        # The cells written since the last look are forgotten on purpose: a copy is taken at rest.
        at = game.space["STEPS"] + 1
        kept["S"][at] = again["S"][at] = None
        lost = [part for part in kept if kept[part] != again[part]]
        if lost:
            raise Failure(f"the state does not come back whole from a copy: {', '.join(lost)}")

    # -------------------------------------------------------------- reaching the chapter
    def _start(self, start: IR | None) -> None:
        game, space = self.game, self.game.space
        after = self.runner.document["content"]["start_after"]
        target = start["chapter"] if start else None
        number = game.layout.number.get(target) if target else None

        def stop_there(action: str) -> None:
            there = number is None or space["S"][space["CHAPTER"]] == number
            if action in after and there:
                raise _Stopped

        game.on_ended = stop_there
        try:
            if number is None:
                game.enter_chapter(None)
            elif not after:
                game.enter_chapter(number)
            else:
                self._play_into(number)
        except (_Stopped, space["GameOver"]):
            pass
        game._unwind()
        game.on_ended = None
        self._settle()

    def _play_into(self, number: int) -> None:
        game, space = self.game, self.game.space
        game.enter_chapter(number)
        action = game.program.action_numbers.get("game/")
        try:
            if action is not None:
                space[f"A{action}"]()
                return
        except space["GoTo"]:
            game._unwind()
        game.enter_chapter(number)
        try:
            game.play(number)
        except space["GoTo"] as go:
            game._unwind()
            game.enter_chapter(go.target)

    def _settle(self) -> None:
        """After set-up, what is true now is running or disarmed."""
        space = self.game.space
        space["S"][space["CHECK"]] = False
        for entry in space["LISTS"]["state"]:
            entry[8] = not entry[2](entry[1])
        for name, test in space["PERIODS"]:
            self.game.periods[name] = test()
        self.game.events.clear()

    # -------------------------------------------------------------- steps
    def _step(self, position: int, step: IR) -> None:
        game, space = self.game, self.game.space
        name = f"t{self.index}_{position}"
        match step["step"]:
            case "given":
                game.asleep = True
                space["S"][space["STEPS"] + 1] = set()
                try:
                    self._safely(space[name])
                finally:
                    game.asleep = False
                self._settle()
            case "rig":
                self._rig(name, step)
            case "answer":
                if self.started or self._late(position):
                    self._answer(position, step)
            case "when":
                self.started = True
                game.events.clear()
                self.trace.clear()
                self._when(space[name])
            case "expect":
                if not self._safely(space[name]):
                    self._unmet(name, step)
            case "scene":
                scenes.set_scene(game, step["rows"], self._marks_after(position))
                self._settle()
            case "marks":
                self.marks = space[name]()
            case "expect_scene":
                shown = scenes.drawn(game, self.marks, space[name]())
                if scenes.tidy(shown) != scenes.tidy(step["rows"]):
                    raise Failure(f"the map looks otherwise:\n{shown}")
            case _:
                pass

    def _marks_after(self, position: int) -> list[tuple[str, Any]]:
        """Who the signs of a scene are: the `marks` that follow it, or those that hold already."""
        for later, step in self.steps:
            if later > position and step["step"] == "marks":
                self.marks = self.game.space[f"t{self.index}_{later}"]()
                break
        return self.marks

    def _late(self, position: int) -> bool:
        return position > next((p for p, step in self.steps if step["step"] == "when"), position)

    def _when(self, call: Any) -> None:
        game, space = self.game, self.game.space
        try:
            self._safely(call)
        except space["GoTo"] as go:
            game._unwind()
            game.enter_chapter(go.target)
            if game.layout.is_a(game.layout.things[go.target].kind, "Ending"):
                space["S"][space["ENDED"]] = go.target
        except (space["GameOver"], space["StopAction"], space["Halt"]):
            game._unwind()
        finally:
            game.until = ""

    def _safely(self, call: Any) -> Any:
        """Runs generated code; what Python finds wrong with it becomes an error of play."""
        try:
            return call()
        except Fault as fault:
            fault.frames = fault.frames or self.game.where(fault)
            raise
        except (
            TypeError,
            ZeroDivisionError,
            IndexError,
            KeyError,
            ValueError,
            AttributeError,
            NameError,
        ) as error:
            raise self.game.fault_of(error) from error
        except RecursionError as error:
            raise self.game.too_deep(error) from None

    def _rig(self, name: str, step: IR) -> None:
        game, space = self.game, self.game.space
        values, _ = space[name]()
        what = step["what"]
        if what == "random":
            game.rigs["random"] = list(values)
            return
        pile = game.layout.pile_number.get(what)
        if pile is None:
            game.rigs.setdefault(what, []).extend(values)
            return
        if game.layout.piles[pile].source.get("kind") in {die[0] for die in space["DICE"].values()}:
            game.rigs.setdefault(game.layout.piles[pile].source["kind"], []).extend(values)
            return
        if game.layout.piles[pile].form == "bag" and not isinstance(values[0], int):
            game.rigs[f"bag:{what}"] = list(values)
            return
        self._on_top(pile, values)

    def _on_top(self, pile: int, values: list[Any]) -> None:
        """Puts cards on top of a pile, the first named to be drawn first."""
        space = self.game.space
        items, loc = space["ITEMS"], space["LOC"]
        chosen: list[int] = []
        source = space["PILE_SOURCE"][pile]
        for value in values:
            if isinstance(value, int):
                chosen.append(value)
                continue
            free = [t for t in space["SORTS"][value] if t not in chosen]
            fitting = [t for t in free if loc[t] == pile] or [t for t in free if loc[t] == source]
            if not fitting:
                raise Failure(
                    f"`rig` names {self.game.title(value)}, which lies neither in the pile nor in its source"
                )
            chosen.append(fitting[0])
        for thing in chosen:
            if loc[thing] not in (pile, source):
                raise Failure(
                    f"`rig` names {self.game.title(thing)}, which lies neither in the pile nor in its source"
                )
        for thing in reversed(chosen):
            items[loc[thing]].remove(thing)
            items[pile].insert(0, thing)
            loc[thing] = pile
            face = space["PILE_FACE"][pile]
            if face is not None:
                space["UP"][thing] = face
        if self.game.layout.piles[pile].form == "bag":
            self.game.rigs[f"bag:{self.game.layout.piles[pile].id}"] = list(chosen)

    # -------------------------------------------------------------- answers
    def _answer(self, position: int, step: IR) -> None:
        self.game.answering = True
        try:
            values, by = self.game.space[f"t{self.index}_{position}"]()
        finally:
            self.game.answering = False
        self.answers.append(
            Answer(step.get("prompt", ""), bool(step.get("by_text")), by, list(values), step["at"])
        )

    def _find(self, decision: Decision) -> Answer | None:
        """The answer that is next; of members of a team who answer apart, the one with the last word."""
        found = [answer for answer in self.answers if answer.values and self._fits(answer, decision)]
        if not found or decision.settles is None or found[0].by is None:
            return found[0] if found else None
        by_seat: dict[Any, Answer] = {}
        for answer in found:
            if isinstance(answer.by, int):
                by_seat.setdefault(answer.by, answer)
        last = by_seat.pop(decision.settles, found[0])
        for answer in by_seat.values():
            if answer is not last:
                answer.values.pop(0)
        return last

    def _fits(self, answer: Answer, decision: Decision) -> bool:
        name = decision.id.partition("#")[0]
        if answer.prompt and answer.by_text:
            menu = name.partition(".")[2] if name.startswith("menu.") else ""
            if decision.prompt != answer.prompt and menu != answer.prompt:
                return False
        elif answer.prompt and answer.prompt not in (name, decision.id):
            return False
        if answer.by is None:
            return True
        seats = decision.seat if isinstance(decision.seat, tuple) else (decision.seat,)
        wanted = answer.by if isinstance(answer.by, list) else [answer.by]
        return bool(set(wanted) & set(seats))

    def _lenient(self, decision: Decision) -> int:
        # On the way to the chapter only an answer that names the decision or its prompt counts.
        answer = self._find(decision)
        if answer is None or not answer.prompt or (answer.by_text and answer.prompt != decision.prompt):
            return 0
        if not any(self._is(option, answer.values[0]) for option in decision.options):
            return 0
        return self._take(answer, decision)

    def _strict(self, decision: Decision) -> int:
        answer = self._find(decision)
        if answer is None:
            options = "; ".join(o.text() for o in decision.options[:8])
            raise Failure(f"nobody answers `{decision.id}` for {decision.who}: {decision.prompt} [{options}]")
        return self._take(answer, decision)

    def _take(self, answer: Answer, decision: Decision) -> int:
        wanted = answer.values.pop(0)
        for index, option in enumerate(decision.options):
            if self._is(option, wanted):
                return index
        options = "; ".join(o.text() for o in decision.options[:12])
        shown = "none" if wanted is None else wanted if isinstance(wanted, str) else self.game.title(wanted)
        raise Failure(f"`{decision.id}` has no option {shown}: [{options}]")

    def _is(self, option: Any, wanted: Any) -> bool:
        if wanted is True or wanted is False:
            return bool(option.id == ("yes" if wanted else "no"))
        if wanted is None:
            return option.id in ("none", "no", "pass")
        if isinstance(wanted, str):
            if wanted in (option.id, option.text()):
                return True
            value = option.value
            return isinstance(value, int) and self.game.space["SORT"][value] == wanted
        if getattr(option.value, "cells", None) is not None and not isinstance(option.value, int):
            return isinstance(wanted, int) and bool(option.value.cells >> wanted & 1)
        return bool(option.value == wanted or option.id == str(wanted))

    def _leftovers(self) -> None:
        for answer in self.answers:
            if answer.values:
                self.at = answer.at
                raise Failure(
                    f"{len(answer.values)} answer{'s' if len(answer.values) > 1 else ''} left over: nobody asked"
                )
        for what, values in self.game.rigs.items():
            if values and not str(what).startswith("bag:"):
                raise Failure(f"`rig {what}` has {len(values)} left over: nobody rolled or drew")

    # -------------------------------------------------------------- what a failure shows
    def _unmet(self, name: str, step: IR) -> None:
        try:
            sides = self._safely(self.game.space[f"{name}_sides"])
        except Fault:
            sides = []
        shown = "; ".join(f"`{text}` is {value}" for text, value in sides)
        raise Failure(f"not so{': ' + shown if shown else ''}")

    def _listen(self, kind: str, detail: Any) -> None:
        until = self.game.until
        if kind == "call":
            self.reached.add(detail[1])
        if until and kind == "call" and f"verb:{detail[1].partition('/')[0]}" == until and detail[0] > 1:
            raise self.game.space["Halt"]
        if len(self.trace) < 400:
            text = self._trace_line(kind, detail)
            if text:
                self.trace.append(text)

    def _trace_line(self, kind: str, detail: Any) -> str:
        if kind in ("call", "done", "refused", "replaced", "thwarted"):
            depth, action, args = detail[:3]
            params = self.game.program.actions.get(action, {}).get("params", ())
            kinds = [p["type"] for p in params] + [None] * len(args)
            shown = " ".join(self._shown(a, kind) for a, kind in zip(args, kinds, strict=False))
            return f"{'  ' * depth}{kind} {action.partition('/')[0]} {shown}".rstrip()
        if kind == "write":
            depth, cell, before, after, owner = detail
            of = f" of {self.game.title(owner)}" if owner is not None else ""
            return f"{'  ' * depth}write {cell.partition(':')[2]}{of} {before} -> {after}"
        if kind == "say":
            return f"say {str(detail)[:60]}"
        return ""

    def _shown(self, value: Any, kind: Any) -> str:
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if isinstance(kind, list) and kind[0] == "thing" and isinstance(value, int):
            return str(self.game.layout.things[value].id)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value) if isinstance(value, (int, str)) or value is None else type(value).__name__.lower()
