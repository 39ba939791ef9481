"""Plays games whose statistics the engine counts in memory; the sums are read out now and then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from talewright.report.playtest.run.counter_names import Names
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.own_bots import OwnGames
from talewright.report.playtest.run.tally import Tally
from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.faults import Fault
from talewright.runtime.host.words import Words
from talewright.runtime.kernel.bots.bots import EXPLORE, GREEDY, GUIDED, RANDOM, SCRIPTED, SEARCH
from talewright.runtime.kernel.play import sums as parts
from talewright.runtime.model import layout as regions
from talewright.runtime.model.cells import DECISIONS, ENDING, ROUNDS
from talewright.runtime.session.faults import fault_of
from talewright.runtime.session.program import Program
from talewright.schemas.records import record

BOTS = {"random": RANDOM, "guided": GUIDED, "greedy": GREEDY, "explore": EXPLORE, "mcts": SEARCH}
HALF = 1 << 32
# The stream of what bots choose by chance.
CHOICES = "choices"
# What explorers have tried: decision, option, face of a die.
Tried = Counter[tuple[int, int, int]]


@record(frozen=True)
class Failure:
    """A game that broke off: its seed, what was wrong, and what had been chosen."""

    seed: int
    error: str
    choices: tuple[int, ...]


class CountedGames:
    """A machine that plays and counts the games of a job, and what is not yet read out of it."""

    def __init__(self, program: Program, job: Job) -> None:
        self.program = program
        self.machine: Machine = program.machine()
        self.machine.call("prepare")
        self.names = Names(program, Words(program.lowered, self.machine))
        self._job = job
        self._at = program.lowered.layout.names
        self._own = OwnGames(job) if job.bot not in BOTS else None
        self._set("BOT", BOTS.get(job.bot, SCRIPTED))
        self._set("APART", int(job.apart))
        self._set("ITERATIONS", job.iterations)
        number = program.lowered.world.number
        self._set("START_PAGE", number[job.chapter] if job.chapter is not None else 0)
        self._begin_out_of_play = self._out_of_play()
        self.tally = Tally()

    def _set(self, name: str, value: int) -> None:
        self.machine.write(self._at[name], [value])

    def _get(self, name: str) -> int:
        return self.machine.read(self._at[name], 1)[0]

    def _out_of_play(self) -> set[int]:
        """The sorts, by slot, of which something is not in play when a game begins."""
        layout = self.program.lowered.layout
        self.machine.call("begin", 1, 0)
        where = self.machine.read(self._at["WHERE"], layout.things + 1)
        closed = self.machine.read(self._at["CLOSED"], layout.locations + 1)
        slots = self.machine.read(self._at["COUNTED_SLOT"], layout.things + 1)
        return {slots[thing] for thing in range(1, layout.things + 1) if closed[where[thing]]}

    # ------------------------------------------------------------------ playing
    def play(self, first: int, count: int) -> None:
        """Plays games with seeds behind one another."""
        done = 0
        while done < count:
            before = self._get("GAME_NUMBER")
            low, high = (first + done) % HALF, (first + done) // HALF % HALF
            # Seeds count up in their lower half.
            most = min(count - done, HALF - low)
            if self._own is not None:
                most = 1
                self._write_answers(self._own.answers(first + done))
            try:
                played = self.machine.call("play_counted", _signed(low), _signed(high), most)
            except EngineFault as fault:
                played = self._get("GAME_NUMBER") - before
                self._fail(first + done + played - 1, fault)
            done += played
            if done < count and self.machine.call("table_is_full"):
                self.read_out()

    def _write_answers(self, answers: Sequence[int]) -> None:
        """Lays out what somebody else has decided, for a game that is counted."""
        room = self._at["CHOICES_END"] - self._at["CHOICES"] - 1
        # What is asked behind the last answer has none.
        self.machine.write(self._at["CHOICES"] + 1, [*answers, -1][:room])

    def _fail(self, seed: int, fault: EngineFault) -> None:
        broken = fault_of(self.program.lowered, fault, self.machine)
        measure = self._get("MEASURING")
        if measure:
            what = f"in measure {self.names.measures[measure - 1].id}"
            broken = Fault(broken.code, f"{broken.message} {what}", broken.frames)
        error = told(broken)
        self.tally.games += 1
        self.tally.errors += 1
        self.tally.outcomes["error"] += 1
        self.tally.failures.append({"seed": seed, "error": error, "choices": self.choices()})
        self.machine.call("drop_tally")
        self._begin_anew()

    def _begin_anew(self) -> None:
        """After a game that broke off: what it left, and the steps it used up, must not touch the next."""
        self.machine.call("begin", 1, 0)
        self.machine.call("prepare_deals")

    def choices(self) -> list[int]:
        """What was chosen in the game that was played last, by the numbers of options."""
        start = self._at["CHOICES"]
        return self.machine.read(start + 1, max(0, self._get("CHOICES") - start - 1))

    def know(self, tried: Tried, explorers: int) -> None:
        """What explorers have tried already, and how many of them explore at once."""
        self._set("EXPLORERS", explorers)
        for key, times in tried.items():
            self.machine.call("set_sum", parts.TRIED, *key, times)

    def play_varied(self, seed: int, stream: str, other: int) -> tuple[str, bool]:
        """One game with one stream of chance from another seed: its ending, and whether it is a victory."""
        streams = self.names.streams
        # Choices by chance are drawn from a stream behind all others.
        number = len(streams) if stream == CHOICES else streams.index(stream) if stream else -1
        self._set("VARIED", number + 1)
        self._set("VARIED_LOW", _signed(other % HALF))
        self._set("VARIED_HIGH", _signed(other // HALF % HALF))
        try:
            self.machine.call("play_counted", _signed(seed % HALF), _signed(seed // HALF % HALF), 1)
        except EngineFault:
            self._begin_anew()
            return "error", False
        finally:
            self._set("VARIED", 0)
        ending = self.machine.read(ENDING, 1)[0]
        return self.names.page(ending), bool(self.machine.read(self._at["WON"] + ending, 1)[0])

    # ------------------------------------------------------------------ reading out
    def read_out(self) -> None:
        """Adds what the machine has counted to the tally, and empties it there."""
        tally, names = self.tally, self.names
        options = self._get("OPTIONS_USED")
        offered = self.machine.read(regions.OFFERED + 1, options)
        for times, row in zip(offered, self._sums(1, options), strict=True):
            self._add_option(times, row)
        for row in self._sums(regions.SUM_ROWS, self._get("SUMS_USED")):
            self._add(row)
        sites = len(self.program.lowered.counted_sites)
        for number, times in enumerate(self.machine.read(self._at["HITS"], sites)):
            if times:
                tally.hits[number] += times
        for number, games in enumerate(self.machine.read(regions.HIT_GAMES, sites)):
            if games:
                tally.hit_games[number] += games
        columns = (regions.SEEN, regions.MET_GAMES, regions.MET_WINS)
        seen, met, won = (self.machine.read(column, len(names.sorts)) for column in columns)
        for slot, (came, acted) in enumerate(self._uses(self._at["CAME"], self._at["ACTED"])):
            sort = names.sorts[slot]
            if sort and (came or acted):
                tally.came[sort] += came
                tally.acted[sort] += acted
            if met[slot]:
                tally.thing_games[sort] += met[slot]
            if won[slot]:
                tally.thing_wins[sort] += won[slot]
            if sort and seen[slot] and slot in self._begin_out_of_play:
                tally.seen[sort] += 1
        self.machine.call("forget_sums")

    def _uses(self, came: int, acted: int) -> list[tuple[int, int]]:
        count = len(self.names.sorts)
        return list(zip(self.machine.read(came, count), self.machine.read(acted, count), strict=True))

    def _sums(self, first: int, count: int) -> Iterator[list[int]]:
        """The rows of sums with numbers behind one another."""
        width = regions.SUM_CELLS
        cells = self.machine.read(regions.SUMS + first * width, count * width)
        return (cells[at : at + width] for at in range(0, len(cells), width))

    def _add_option(self, offered: int, row: Sequence[int]) -> None:
        """Adds how often an option was offered and taken."""
        tally, names = self.tally, self.names
        _, point, option, face = key_of(row)
        taken, won, games = row[parts.TIMES : parts.LAST_GAME]
        name = names.point(point), names.option(point, option, face)
        tally.offered[name] += offered
        if taken:
            tally.taken[name] += taken
            tally.option_games[name] += games
        if won:
            tally.taken_wins[name] += won

    def _add(self, row: Sequence[int]) -> None:
        """Adds any other sum."""
        tally, names = self.tally, self.names
        part, a, b, c = key_of(row)
        times, won, games = row[parts.TIMES : parts.LAST_GAME]
        match part:
            case parts.ROUND:
                tally.track_rounds[names.tracks[a].name, b, c] += times
            case parts.FINAL:
                tally.tracks[names.tracks[a].name, b] += times
            case parts.MEASURE:
                tally.measures[names.measures[a].id, names.measured(a, b)] += times
            case parts.VISIT:
                tally.visits[names.page(a)] += times
                tally.chapter_games[names.page(a)] += games
            case parts.EDGE:
                tally.edges[names.page(a), names.page(b)] += times
            case parts.PAGE_OUTCOME:
                tally.chapter_outcomes[names.page(a), names.page(b)] += times
            case parts.LAST_PAGE:
                tally.last_chapters[names.page(a), names.page(b)] += times
            case parts.OUTCOME:
                tally.games += times
                tally.watched += times
                tally.wins += won
                tally.watched_wins += won
                tally.outcomes[names.page(a)] += times
            case parts.STREAM:
                tally.streams[names.streams[a]] += times
                tally.stream_games[names.streams[a]] += games
            case parts.LENGTH:
                (tally.rounds if a else tally.decisions)[b] += times
            case parts.TRIED:
                tally.tried[a, b, c] += times

    # ------------------------------------------------------------------ one game in full
    def details(self, seed: int) -> dict[str, Any]:
        """The game that was played last in full, for a database."""
        names = self.names
        taken: list[list[object]] = []
        tracks: list[list[object]] = []
        measures: dict[str, object] = {}
        for part, a, b, c in self._listed():
            if part == parts.OPTION:
                taken.append([names.point(a), names.option(a, b, c)])
            elif part == parts.ROUND:
                tracks.append([names.tracks[a].name, b, c])
            elif part == parts.MEASURE:
                measures[names.measures[a].id] = names.measured(a, b)
        ending = self.machine.read(ENDING, 1)[0]
        return {
            "seed": seed,
            "outcome": names.page(ending),
            "won": bool(self.machine.read(self._at["WON"] + ending, 1)[0]),
            "decisions": self.machine.read(DECISIONS, 1)[0],
            "rounds": self.machine.read(ROUNDS, 1)[0],
            "error": "",
            "measures": measures,
            "chapters": self._pages(),
            "taken": taken,
            "things": self._things(),
            "tracks": sorted(tracks, key=lambda row: [t.name for t in names.tracks].index(str(row[0]))),
        }

    def _listed(self) -> list[tuple[int, int, int, int]]:
        start = self._at["LISTED"]
        numbers = self.machine.read(start + 1, max(0, self._get("LISTED") - start - 1))
        return [key_of(next(self._sums(number, 1))) for number in numbers]

    def _pages(self) -> list[str]:
        start = self._at["PAGES"]
        pages = self.machine.read(start + 1, max(0, self._get("PAGES") - start - 1))
        return [self.names.page(page) for page in pages[self.machine.call("pages_passed_by") :]]

    def _things(self) -> list[list[object]]:
        now = self._uses(self._at["CAME"], self._at["ACTED"])
        sites = len(self.program.lowered.counted_sites)
        start = self._at["COUNTERS_BEFORE"] + sites
        before = self._uses(start, start + len(self.names.sorts))
        return [
            [sort, came - came_before, acted - acted_before]
            for sort, (came, acted), (came_before, acted_before) in zip(
                self.names.sorts, now, before, strict=True
            )
            if sort and (came != came_before or acted != acted_before)
        ]


def key_of(row: Sequence[int]) -> tuple[int, int, int, int]:
    """The key of a sum: its part, and what tells it from others of that part."""
    head, b, c = row[: parts.TIMES]
    return head % 16, head // 16, b, c


def told(fault: Fault) -> str:
    """An error of play with its place."""
    where = f" at {fault.frames[-1].file}:{fault.frames[-1].line}" if fault.frames else ""
    return f"{fault}{where}"


def _signed(half: int) -> int:
    return half - HALF if half >= HALF // 2 else half
