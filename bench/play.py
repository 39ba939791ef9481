"""How fast games are played, as ratios within one run: `python bench/play.py [--quick] [--only NAME ...]`."""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import salem_by_hand
import stories
import tictactoe_by_hand

from talewright.compiler.passes import compile_package
from talewright.report.wording.cards import Cards
from talewright.runtime import Decision, Game, load
from talewright.runtime.engines.cache import Cache
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.engines.wasm.emit import emit
from talewright.runtime.kernel.bots.bots import GUIDED, RANDOM
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.runtime.model.cells import ENDING
from talewright.runtime.model.layout import RIG_ROWS, WORLD_NOW
from talewright.runtime.session.program import Program, build_program
from talewright.runtime.session.transcripts import Transcripts
from talewright.schemas.nodes.codec import read_document

HERE = Path(__file__).parent
SCENARIOS = HERE.parent / "scenarios"
SALEM = SCENARIOS / "salem" / "night"
BLACKMERE = SCENARIOS / "blackmere"
FISTFUL = SCENARIOS / "brimstone" / "fistful"
ENCOUNTERS = SCENARIOS / "dark_rituals" / "encounters"
TICTACTOE = HERE / "games" / "tictactoe"
# The same rules in JavaScript: as people write it, and packed into bits by somebody who cannot stop or save a game.
# Each with its bound, its goal, and how many times as many games it plays: enough for node to have compiled everything.
YARDSTICKS = (("idiomatic", 2.0, 2.0, 20), ("packed", 0.2, 0.25, 200))
MANIFEST = (
    'name = "{name}"\nversion = "0.1.0"\ntype = "system"\ntitle = "{name}"\ntale = 1\nlocales = ["en"]\n'
)

IDLE_CARDS = """\
kind Spell is Card:
    in force while self in in_play
    after strike: heat + 1

Spell spell "a spell" * {count}

deck library of Spell face_down = all Spell
pile in_play of Spell
state heat: int = 0
state strikes: int = 0

action game:
    repeat {actions} times: strike
    go to finished

action strike: strikes + 1

Ending finished "Finished":
    \"\"\"Nothing is left to strike.\"\"\"
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, what it must reach or may not pass, and what we want it to become."""

    name: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None
    goal: float | None = None

    @property
    def fails(self) -> bool:
        """Whether the bound is missed."""
        return (self.least is not None and self.value < self.least) or (
            self.most is not None and self.value > self.most
        )

    @property
    def bound(self) -> str:
        """The bound and the goal in words."""
        words = []
        if self.least is not None:
            words.append(f"at least {self.least:g}")
        if self.most is not None:
            words.append(f"at most {self.most:g}")
        if self.goal is not None:
            words.append(f"goal {self.goal:g}")
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is played."""

    games: int
    rounds: int
    players: tuple[int, ...]
    pages: int
    length: int
    choices: int
    # So many games node plays before it is measured, because it goes on compiling for long.
    warm: int = 40_000


FULL = Sizes(games=300, rounds=5, players=(2, 3, 4), pages=1000, length=2000, choices=20_000)
QUICK = Sizes(games=60, rounds=3, players=(2,), pages=200, length=300, choices=2_000)


# ------------------------------------------------------------------ helpers
def seconds(work: Callable[[], object]) -> float:
    """The processor time of one piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def speeds(sides: Sequence[Callable[[int], float]], rounds: int) -> list[list[float]]:
    """The speeds of each side by round. All take turns within a round, so that a busy spell hits all of them."""
    for side in sides:
        side(0)
    return [[side(number) for side in sides] for number in range(1, rounds + 1)]


def ratio(table: list[list[float]], ours: int, other: int) -> float:
    """How much faster one side is than another: the median of the rounds."""
    return median(row[ours] / row[other] for row in table)


def document(folder: Path) -> dict[str, Any]:
    """The document of a package without errors."""
    result = compile_package(folder, trees=False)
    if result.document is None:
        raise SystemExit(f"{folder.name} does not compile: {[d.message for d in result.diagnostics]}")
    return result.document


def text_document(folder: Path, name: str, text: str) -> dict[str, Any]:
    """The document of a text, as a package in a folder of its own."""
    package = folder / name
    package.mkdir()
    (package / "tale.toml").write_text(MANIFEST.format(name=name), encoding="utf-8")
    (package / "game.tale").write_text(text, encoding="utf-8")
    return document(package)


class Games:
    """A machine that plays whole games by itself."""

    # So many endings are kept of one call.
    MOST = 1 << 14

    def __init__(
        self,
        written: dict[str, Any],
        players: int | None,
        build: Build | None = None,
        engine: Engine | None = None,
        bot: int = RANDOM,
    ) -> None:
        self.program: Program = build_program(written, {}, players, build or Build(), engine)
        self.machine = self.program.machine()
        self.machine.call("prepare")
        self.bot = bot
        if self.program.thinks:
            self.machine.write(self.program.lowered.layout.names["BOT"], [bot])

    def play(self, first: int, count: int) -> None:
        """So many games, with seeds behind one another. A program that counts must use `play_counted`."""
        assert count <= self.MOST
        assert not self.program.lowered.build.counted
        self.machine.call("play_many", first, count, RIG_ROWS)

    def play_counted(self, first: int, count: int) -> None:
        """The same games, with everything that they meet added up."""
        assert self.machine.call("play_counted", first, 0, count) == count
        self.machine.call("forget_sums")

    def endings(self, first: int, count: int) -> list[str]:
        """The endings of games."""
        self.play(first, count)
        return [self._thing(number) for number in self.machine.read(RIG_ROWS, count)]

    def last_ending(self) -> str:
        """The ending of the game that was played last."""
        return self._thing(self.machine.read(ENDING, 1)[0])

    def _thing(self, number: int) -> str:
        return self.program.lowered.world.thing(number).id

    def cell(self, name: str) -> int:
        """A track or a state of the table, as the last game left it."""
        layout = self.program.lowered.layout
        return self.machine.read(layout.track_cells.get(name) or layout.state_cells[name], 1)[0]


def side(play: Callable[[int, int], object], games: int) -> Callable[[int], float]:
    """The speed of so many games, other ones each round."""

    def measured(number: int) -> float:
        return games / seconds(lambda: play(number * games, games))

    return measured


def one_by_one(play: Callable[[int], object]) -> Callable[[int, int], None]:
    """Games played one after the other."""

    def run(first: int, count: int) -> None:
        for seed in range(first, first + count):
            play(seed)

    return run


def javascript(which: str, players: int, games: int, warm: int) -> Callable[[int], float]:
    """The speed of one of the JavaScript versions after so many games."""
    command = ["node", str(HERE / "salem_javascript.mjs"), which, str(games), str(warm), str(players)]

    def measured(_: int) -> float:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return float(done.stdout.split()[-1])

    return measured


# ------------------------------------------------------------------ what is measured
def salem(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The bundled game at random beside the same rules by hand: in Python, in JavaScript."""
    written = document(SALEM)
    node = shutil.which("node") is not None
    if not node:
        print("Salem is not compared with JavaScript: node is missing.", file=sys.stderr)
    for players in sizes.players:
        games = Games(written, players)
        sides = [
            side(games.play, 10 * sizes.games),
            side(one_by_one(lambda seed, players=players: salem_by_hand.play(players, seed)), sizes.games),  # type: ignore[misc]
        ]
        if node:
            sides += [
                javascript(which, players, times * sizes.games, sizes.warm)
                for which, _, _, times in YARDSTICKS
            ]
        table = speeds(sides, sizes.rounds)
        name = f"Salem, {players} players"
        yield Row(f"{name}, Tale", median(row[0] for row in table), "games/s")
        yield Row(f"{name}, Tale / Python by hand", ratio(table, 0, 1), "x", least=10, goal=12)
        for number, (which, least, goal, _) in enumerate(YARDSTICKS if node else (), 2):
            yield Row(f"{name}, Tale / JavaScript, {which}", ratio(table, 0, number), "x", least, goal=goal)


def tictactoe(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The smallest game beside the same by hand."""
    games = Games(document(TICTACTOE), 2)
    table = speeds(
        [
            side(games.play, 50 * sizes.games),
            side(one_by_one(tictactoe_by_hand.play), 10 * sizes.games),
        ],
        sizes.rounds,
    )
    yield Row("tic-tac-toe, Tale", median(row[0] for row in table), "games/s")
    yield Row("tic-tac-toe, Tale / Python by hand", ratio(table, 0, 1), "x", least=20, goal=20)


def guided(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The bot that follows the package's hints, beside random games by hand; and an act of the long adventure."""
    games = Games(document(SALEM), 2, Build(bots=True), bot=GUIDED)
    few = max(5, sizes.games // 10)
    table = speeds(
        [
            side(games.play, few),
            side(one_by_one(lambda seed: salem_by_hand.play(2, seed)), sizes.games),
        ],
        sizes.rounds,
    )
    yield Row("Salem, 2 players, guided", median(row[0] for row in table), "games/s")
    yield Row("Salem, guided / Python by hand at random", ratio(table, 0, 1), "x", least=0.28, goal=0.3)


def acts(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """An act of the long adventure: at random, by hints, and at random in the Python engine."""
    written = document(BLACKMERE)
    random = Games(written, 2)
    thoughtful = Games(written, 2, Build(bots=True), bot=GUIDED)
    slow = Games(written, 2, engine=PythonEngine())
    few = max(3, sizes.games // 60)
    table = speeds(
        [side(random.play, sizes.games), side(thoughtful.play, few), side(slow.play, few)],
        max(2, sizes.rounds // 2),
    )
    for number, (name, unit) in enumerate(
        (("random", "acts/s"), ("guided", "acts/s"), ("random, Python engine", "acts/s"))
    ):
        yield Row(f"Blackmere, 2 players, {name}", median(row[number] for row in table), unit)
    yield Row("Blackmere, WebAssembly / Python engine", ratio(table, 0, 2), "x", least=5)


def missions(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """A mission on a map of squares that grows: at random."""
    games = Games(document(FISTFUL), 2)
    table = speeds([side(games.play, sizes.games)], sizes.rounds)
    yield Row("Brimstone, mission 1, 2 heroes, random", median(row[0] for row in table), "games/s", goal=300)


def encounters(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The first encounter of the game whose foes play themselves, at random and by hints."""
    written = document(ENCOUNTERS)
    random = Games(written, None)
    thoughtful = Games(written, None, Build(bots=True), bot=GUIDED)
    few = max(5, sizes.games // 10)
    table = speeds([side(random.play, sizes.games), side(thoughtful.play, few)], sizes.rounds)
    yield Row("Dark Rituals, random", median(row[0] for row in table), "games/s", least=20)
    yield Row("Dark Rituals, guided", median(row[1] for row in table), "games/s")


def counting(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """Games of which everything is counted beside games of which nothing is."""
    written = document(SALEM)
    plain, counted = Games(written, 2), Games(written, 2, Build(bots=True, counted=True))
    many = 10 * sizes.games
    table = speeds([side(counted.play_counted, many), side(plain.play, many)], sizes.rounds)
    yield Row("Salem, counted / not counted", ratio(table, 0, 1), "x", least=0.76, goal=0.92)


def threads(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """Two threads beside one, by the clock: it needs two free cores."""
    written = document(SALEM)
    pair = [Games(written, 2) for _ in range(2)]
    many = min(Games.MOST, 30 * sizes.games)

    def clock(count: int) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            for done in [pool.submit(games.play, 0, many) for games in pair[:count]]:
                done.result()
        return count * many / (time.perf_counter() - start)

    table = speeds([lambda _: clock(2), lambda _: clock(1)], sizes.rounds)
    free = (os.cpu_count() or 1) - os.getloadavg()[0]
    # On a busy machine the figure says nothing about us.
    least = 1.5 if free >= 1 else None
    yield Row("Salem, two threads / one", ratio(table, 0, 1), "x", least, goal=1.8)


def memory(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """How much the process grows after its first games."""
    games = Games(document(SALEM), 2)

    def peak() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    games.play(0, 10 * sizes.games)
    before = peak()
    for number in range(10):
        games.play(number * 10 * sizes.games, 10 * sizes.games)
    yield Row("memory after ten times as many games, more by", peak() - before, "MB", most=2)


def copies(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """A copy of a game in its middle: inside the engine, as bots make them, and by the host, as undo does."""
    for name, path, most, goal in (("Salem", SALEM, 1.2, 0.5), ("Blackmere", BLACKMERE, 7.0, 3.0)):
        program = load(document(path), players=2, bots=True)
        game, random = Game(program, seed=1), Random(1).random
        for _ in range(40):
            decision = game.next()
            if decision is None:
                break
            game.answer(decision, int(random() * len(decision.options)))
        game.next()
        machine, times = game.machine, 100 * sizes.rounds

        def inside(machine: Any = machine, times: int = times) -> None:
            for _ in range(times):
                machine.call("save_game", WORLD_NOW)

        def nothing(machine: Any = machine, times: int = times) -> None:
            for _ in range(times):
                machine.call("forget_deal", 0)

        rounds = range(sizes.rounds)
        copied = min(seconds(inside) for _ in rounds)
        called = min(seconds(nothing) for _ in rounds)
        yield Row(
            f"{name}, copy inside the engine",
            max(0.0, copied - called) / times * 1e6,
            "us",
            most=most,
            goal=goal,
        )
        kept = game.save()
        saved = min(seconds(game.save) for _ in range(times))
        back = min(seconds(partial(game.load, kept)) for _ in range(times))
        yield Row(f"{name}, copy by the host", saved * 1e6, "us")
        yield Row(f"{name}, going back to it", back * 1e6, "us")


def decisions(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """A decision that the host answers, with its options in words, beside the same game played inside the engine."""
    written = document(SALEM)
    program = load(written, players=2)
    count = 0

    def agent(decision: Decision) -> int:
        nonlocal count
        count += 1
        return draw(len(decision.options))

    draw = Random(1).randrange
    game = Game(program, agent=agent)

    def play(seed: int) -> None:
        game.reset(seed)
        game.run()

    spent = seconds(lambda: one_by_one(play)(0, sizes.games // 3))
    yield Row("Salem, a decision that the host answers", spent / count * 1e6, "us")


def start(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """From the document to the first decision, as `load` does it: with an empty cache, and with the compiled program kept."""
    for name, path, cold, goal in (
        ("Salem", SALEM, 0.6, 0.23),
        ("Blackmere", BLACKMERE, 3.0, 1.16),
    ):
        written = document(path)
        # The cache trusts only folders that nobody else could write to.
        home = Path.home() / ".cache"
        home.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="tale-bench-", dir=home) as kept:
            cache = Cache(Path(kept))

            def first(written: dict[str, Any] = written, cache: Cache = cache) -> None:
                Game(load(written, players=2, engine=best_engine(cache, baseline=True)), seed=1).next()

            yield Row(f"{name}, document to first decision", seconds(first), "s", most=cold, goal=goal)
            yield Row(
                f"{name}, the same from the cache",
                min(seconds(first) for _ in range(3)),
                "s",
                most=0.03,
                goal=0.02,
            )


def command(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The whole command `tale playtest salem`, the second time."""
    line = [sys.executable, "-m", "talewright.cli", "playtest", str(SALEM), "--jobs", "1", "--games", "200"]

    def spent() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(line, cwd=folder, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    spent()
    yield Row("tale playtest salem, 200 games by hints", spent(), "s", most=6, goal=2)


def install_inkjs(folder: Path) -> str:
    """Installs inkjs; gives the reason when that cannot be done."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return "npm or node is missing"
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "inkjs@2"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=180,
    )
    return "" if done.returncode == 0 else "npm could not fetch inkjs"


def story(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """A branching story beside inkjs: silent, and with every text and label made, as inkjs makes them."""
    graph = stories.pages(sizes.pages)
    stories.write_tale(folder / "long_story", graph, sizes.length)
    written = document(folder / "long_story")
    games, read = Games(written, 1), Game(load(written, players=1))
    few = max(2, sizes.games // 30)
    silent = max(few * sizes.length / seconds(lambda n=n: games.play(n, few)) for n in range(sizes.rounds))  # type: ignore[misc]
    texts = max(sizes.length / seconds(lambda n=n: read_story(read, n)) for n in range(sizes.rounds))  # type: ignore[misc]
    program = load(written, players=1, bots=True)
    told = max(told_choices(program, sizes) for _ in range(3 * sizes.rounds))
    yield Row(f"story of {sizes.pages} chapters, silent", silent, "choices/s")
    yield Row(f"story of {sizes.pages} chapters, played by a bot and told", told, "choices/s")
    yield Row(f"story of {sizes.pages} chapters, read and answered in Python", texts, "choices/s")
    (folder / "ink").mkdir()
    missing = install_inkjs(folder / "ink")
    if missing:
        print(f"The story is not compared with inkjs: {missing}.", file=sys.stderr)
        return
    (folder / "ink" / "story.ink").write_text(stories.ink(graph), encoding="utf-8")
    shutil.copy(HERE / "ink_story.js", folder / "ink")
    line = ["node", "ink_story.js", "story.ink", str(sizes.choices)]
    runs = [
        subprocess.run(line, cwd=folder / "ink", capture_output=True, text=True, check=True) for _ in range(3)
    ]
    ink = max(float(run.stdout) for run in runs)
    yield Row(f"story of {sizes.pages} chapters, inkjs", ink, "choices/s")
    yield Row("story, silent / inkjs", silent / ink, "x", least=20)
    yield Row("story, played by a bot and told / inkjs", told / ink, "x", least=30, goal=37)
    yield Row("story, read and answered in Python / inkjs", texts / ink, "x", least=4)


def told_choices(program: Program, sizes: Sizes) -> float:
    """The speed of as many choices as inkjs makes: every text, and the labels of all options, none of them told before."""
    transcripts, told = Transcripts(program), sizes.choices // sizes.length
    return told * sizes.length / seconds(lambda: one_by_one(transcripts.play)(0, told))


def read_story(game: Game, seed: int) -> str:
    """One story with a reader who looks at every text and every label."""
    random = Random(seed).random

    def reader(decision: Decision) -> int:
        for option in decision.options:
            option.text()
        return int(random() * len(decision.options))

    game.agent = reader
    game.reset(seed)
    return game.run()


def idle(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """An action while many cards that would follow it are not in force."""
    actions = 20 * sizes.games
    games: dict[int, list[Games]] = {}
    for count in (10, 1000):
        games[count] = []
        for times in (actions, 3 * actions):
            text = IDLE_CARDS.format(count=count, actions=times)
            games[count].append(Games(text_document(folder, f"idle_{count}_{times}", text), None))
    # Two lengths of one game: what setting up costs falls out of the difference.
    rounds: list[dict[int, float]] = []
    for _ in range(3 * sizes.rounds):
        spent = {
            count: [seconds(lambda game=game: game.play(1, 100)) for game in pair]  # type: ignore[misc]
            for count, pair in games.items()
        }
        rounds.append({count: (long - short) / (200 * actions) for count, (short, long) in spent.items()})
    for count in games:
        cost = median(costs[count] for costs in rounds)
        yield Row(f"an action beside {count} cards not in force", cost * 1e9, "ns")
    grown = median(costs[1000] / costs[10] for costs in rounds)
    yield Row("beside 1,000 such cards / beside 10", grown, "x", most=1.25)


def without_words(node: Any) -> Any:
    """A document without the words that its packages give."""
    if isinstance(node, list):
        return [without_words(item) for item in node]
    if isinstance(node, dict):
        return {key: without_words(held) for key, held in node.items() if key != "reads"}
    return node


def changed_bytes(one: bytes, other: bytes) -> int:
    """How many bytes of two programs differ."""
    return abs(len(one) - len(other)) + sum(a != b for a, b in zip(one, other, strict=False))


def code_of(written: dict[str, Any], build: Build) -> bytes:
    """The WebAssembly of a document, with the memory that a game begins with."""
    _, module = assemble(read_document(written), {}, 2, build)
    return emit(module)


def wording(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """What words cost: the code of silent games beside that of a document without any, and a card put into words."""
    del sizes, folder
    written = document(SALEM)
    silent = without_words(written)
    # Counted, not timed: two machines of one and the same program differ by a tenth and more, by where their code and memory lie.
    for name, build in (("silent games", Build()), ("playtests", Build(bots=True, counted=True))):
        changed = changed_bytes(code_of(written, build), code_of(silent, build))
        yield Row(f"bytes of the code of {name} that words change", changed, "bytes", most=0)
    for name, folder_ in (("Salem", SALEM), ("Blackmere", BLACKMERE)):
        nodes = read_document(document(folder_))
        cards = Cards(nodes)
        ids = [thing.id for thing in nodes.content.things]
        cards.lines(ids[-1])  # what all cards share is worked out once
        spent = [seconds(partial(cards.lines, id_)) for id_ in ids[:-1]]
        yield Row(f"a card of {name} in words", 1000 * sum(spent) / len(spent), "ms", most=1)


PARTS: dict[str, Callable[[Sizes, Path], Iterator[Row]]] = {
    part.__name__: part
    for part in (
        salem, tictactoe, guided, acts, missions, encounters, counting, threads, memory, copies, decisions, start,
        command, story, idle, wording,
    )
}  # fmt: skip


def measure(sizes: Sizes, names: list[str]) -> Iterator[Row]:
    """The rows of the parts named."""
    for name in names:
        with tempfile.TemporaryDirectory(prefix="tale-bench-") as folder:
            yield from PARTS[name](sizes, Path(folder))


def main() -> int:
    """Measures, prints a table, and fails when a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few games, for a first impression")
    parser.add_argument(
        "--only", nargs="+", choices=sorted(PARTS), default=list(PARTS), help="some parts only"
    )
    given = parser.parse_args()
    os.environ.setdefault("NO_UPDATE_NOTIFIER", "1")
    failed = 0
    for row in measure(QUICK if given.quick else FULL, given.only):
        failed += row.fails
        verdict = "  MISSED" if row.fails else ""
        print(f"{row.name:<58} {row.value:>11.3f} {row.unit:<9} {row.bound}{verdict}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
