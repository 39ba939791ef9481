"""How fast games are played, as ratios within one run: `python bench/play.py [--quick] [--only NAME ...]`."""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import salem_by_hand
import stories
import tictactoe_by_hand

from talewright.compiler.passes import compile_package
from talewright.runtime.bots import quick_random
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program
from talewright.runtime.searching import Guided, Searcher
from talewright.runtime.session import Leave, Session, Undo

HERE = Path(__file__).parent
SALEM = HERE.parent / "scenarios" / "salem" / "night"
BLACKMERE = HERE.parent / "scenarios" / "blackmere"
TICTACTOE = HERE / "games" / "tictactoe"
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

MANY_THINGS = """\
role Keeper 2..2 is Thing named k:
    held: pile of Token

kind Token is Card:
    worth: int = 0

Token token "a token" * 500

value first_keeper = first Keeper
deck hoard of Token face_down = all Token
pile spent of Token
state turns: int = 0

action game:
    shuffle hoard
    repeat 150 times: turn
    go to finished

action turn:
    turns + 1
    choose n from (1..3) by first_keeper "How warm?"
    for each keeper in Keeper:
        let found = do draw from hoard
        move found to keeper.held
    for each found in Token in spent: found.worth + 1

Ending finished "Finished":
    \"\"\"Everything has been counted.\"\"\"
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, and what it must reach or may not pass."""

    name: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def fails(self) -> bool:
        """Whether the bound is missed."""
        return (self.least is not None and self.value < self.least) or (
            self.most is not None and self.value > self.most
        )

    @property
    def bound(self) -> str:
        """The bound in words."""
        if self.least is not None:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.most is not None else ""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is played."""

    games: int
    rounds: int
    pages: int
    length: int
    choices: int


# In how many processes Salem is played, one after the other.
PROCESSES = 5
FULL = Sizes(games=60, rounds=9, pages=1000, length=2000, choices=20_000)
QUICK = Sizes(games=15, rounds=3, pages=200, length=300, choices=2_000)


# ------------------------------------------------------------------ helpers
def seconds(work: Callable[[], object]) -> float:
    """The processor time of one piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ratio(
    ours: Callable[[int], object], other: Callable[[int], object], rounds: int
) -> tuple[float, float, float]:
    """How much faster the first is than the second, the median of alternating rounds; and the best of each."""
    ours(0)
    other(0)
    pairs = [(seconds(lambda n=n: ours(n)), seconds(lambda n=n: other(n))) for n in range(rounds)]  # type: ignore[misc]
    sorted_ratios = sorted(b / a for a, b in pairs)
    return sorted_ratios[len(pairs) // 2], min(a for a, _ in pairs), min(b for _, b in pairs)


def document(folder: Path) -> dict[str, Any]:
    """The document of a package without errors."""
    result = compile_package(folder)
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


def play_tale(game: Game, seed: int) -> str:
    """One game with random choices, as a playtest has it played."""
    game.reset(seed)
    quick_random(game, seed)
    return game.run()


def many(play: Callable[[int], object], games: int) -> Callable[[int], None]:
    """So many games, other ones each round."""

    def run(number: int) -> None:
        for seed in range(number * games, (number + 1) * games):
            play(seed)

    return run


# ------------------------------------------------------------------ what is measured
def salem_once(players: int, games: int, rounds: int) -> tuple[float, float, float]:
    """The bundled game beside the same rules by hand, in this process."""
    game = Game(Program(document(SALEM), {}, players))
    return ratio(
        many(lambda seed: play_tale(game, seed), games),
        many(lambda seed: salem_by_hand.play(players, seed), games),
        rounds,
    )


def salem(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The same in several processes: where things come to lie in the memory of one makes some per cent of difference."""
    # The same seed is another game on the other side: only over many do both play games of the same length.
    games = sizes.games * 10
    for players in (2, 3, 4):
        work = [(players, games, sizes.rounds)] * PROCESSES
        with get_context("spawn").Pool(1, maxtasksperchild=1) as fresh:
            runs = sorted(fresh.starmap(salem_once, work, chunksize=1))
        found = runs[len(runs) // 2][0]
        tale, hand = (min(run[side] for run in runs) for side in (1, 2))
        yield Row(f"Salem, {players} players, by hand", games / hand, "games/s")
        yield Row(f"Salem, {players} players, Tale", games / tale, "games/s")
        yield Row(f"Salem, {players} players, Tale / by hand", found, "x", least=0.7)


def tictactoe(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """The smallest game beside the same by hand."""
    game = Game(Program(document(TICTACTOE), {}, 2))
    games = sizes.games * 10
    found, tale, hand = ratio(
        many(lambda seed: play_tale(game, seed), games), many(tictactoe_by_hand.play, games), sizes.rounds
    )
    yield Row("tic-tac-toe by hand", games / hand, "games/s")
    yield Row("tic-tac-toe in Tale", games / tale, "games/s")
    yield Row("tic-tac-toe, Tale / by hand", found, "x", least=0.2)


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
    """A branching story beside inkjs: once silent, once with every text and label made, as inkjs makes them."""
    graph = stories.pages(sizes.pages)
    stories.write_tale(folder / "long_story", graph, sizes.length)
    game = Game(Program(document(folder / "long_story"), {}, 1))
    silent = sizes.length / min(seconds(lambda n=n: play_tale(game, n)) for n in range(sizes.rounds + 1))  # type: ignore[misc]
    read = sizes.length / min(seconds(lambda n=n: read_story(game, n)) for n in range(sizes.rounds + 1))  # type: ignore[misc]
    yield Row(f"story of {sizes.pages} chapters, Tale, silent", silent, "choices/s")
    yield Row(f"story of {sizes.pages} chapters, Tale, texts and labels read", read, "choices/s")
    (folder / "ink").mkdir()
    missing = install_inkjs(folder / "ink")
    if missing:
        print(f"The story is not compared with inkjs: {missing}.", file=sys.stderr)
        return
    (folder / "ink" / "story.ink").write_text(stories.ink(graph), encoding="utf-8")
    shutil.copy(HERE / "ink_story.js", folder / "ink")
    command = ["node", "ink_story.js", "story.ink", str(sizes.choices)]
    runs = [
        subprocess.run(command, cwd=folder / "ink", capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    ink = max(float(run.stdout) for run in runs)
    yield Row(f"story of {sizes.pages} chapters, inkjs", ink, "choices/s")
    yield Row("story, Tale silent / inkjs", silent / ink, "x", least=20)
    yield Row("story, Tale with texts / inkjs", read / ink, "x", least=20)


def read_story(game: Game, seed: int) -> str:
    """One story with a reader who looks at every text and every label."""
    random = Random(seed).random

    def reader(decision: Decision) -> int:
        for option in decision.options:
            option.text()
        return int(random() * len(decision.options))

    game.reset(seed)
    game.quick = None
    game.agent = reader
    return game.run()


def tracing(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """What telling costs when nobody listens: the program beside itself with everything told cut out."""
    program, silent = (Program(document(SALEM), {}, 3) for _ in range(2))
    yield Row("trace hooks in a program without tracing", program.source.count("trace_"), "")
    silent.source = re.sub(r"if QUICK is None:(\n\s+say\()", r"if False:\1", silent.source)
    games = [Game(program), Game(silent)]
    found, _, _ = ratio(
        many(lambda seed: play_tale(games[0], seed), sizes.games),
        many(lambda seed: play_tale(games[1], seed), sizes.games),
        sizes.rounds * 2,
    )
    yield Row("tracing off, time / program that tells nothing", 1 / found, "x", most=1.03)
    traced = Game(Program(program.document, {}, 3, traced=True))
    found, _, _ = ratio(
        many(lambda seed: play_tale(traced, seed), sizes.games),
        many(lambda seed: play_tale(games[0], seed), sizes.games),
        sizes.rounds,
    )
    yield Row("tracing on, time / tracing off", 1 / found, "x")


def copies(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """A copy of a state of 500 things in the middle of a game, and going back to it."""
    game = Game(Program(text_document(folder, "many_things", MANY_THINGS), {}, 2))
    play_tale(game, 1)
    kept = game.snapshot()
    times = 20 * sizes.rounds
    copy = min(seconds(game.snapshot) for _ in range(times))
    back = min(seconds(lambda: game.restore(kept)) for _ in range(times))
    yield Row(f"copy of a state of {len(game.layout.things)} things", copy * 1000, "ms", most=1)
    yield Row("going back to that copy", back * 1000, "ms", most=1)


class Doubter:
    """Takes back the last decision again and again, and looks how long it takes to stand there."""

    person = True

    def __init__(self, decisions: int, times: int) -> None:
        self.draw = Random(1).random
        self.decisions = decisions
        self.times = times
        self.begun: float | None = None
        self.spent: list[float] = []

    def __call__(self, decision: Decision) -> int:
        if self.begun is not None:
            self.spent.append(time.process_time() - self.begun)
            self.begun = None
        if len(decision.game.log) >= self.decisions:
            if len(self.spent) == self.times:
                raise Leave
            self.begun = time.process_time()
            raise Undo
        return int(self.draw() * len(decision.options))


def undone(program: Program, decisions: int, times: int) -> float:
    """The time of undoing one decision after so many, at the table, until the person is asked again."""
    session = Session(program, 1)
    session.default = doubter = Doubter(decisions, times)
    with suppress(Leave):
        session.run()
    return min(doubter.spent)


def tried(program: Program, decisions: int, times: int) -> tuple[float, float]:
    """The time of trying an option after so many decisions, up to the next one; and of playing up to there instead."""
    game = Game(program, 1)
    bot, draw = Searcher(1), Random(1).random
    found: list[float] = []

    def agent(decision: Decision) -> int:
        if len(game.log) < decisions:
            return int(draw() * len(decision.options))
        imagined = bot.begin(decision)
        for number in range(times):
            how = (decision, number % len(decision.options), Random(number), lambda *_: imagined.leave())
            found.append(seconds(partial(bot.try_option, *how)))
        raise Leave

    game.agent = agent
    with suppress(Leave):
        game.run()
    script = [index for _, index in game.log]

    def again(decision: Decision) -> int:
        if len(game.log) == len(script):
            raise Leave
        return script[len(game.log)]

    def whole() -> None:
        game.reset(1)
        game.agent = again
        with suppress(Leave):
            game.run()

    return median(found), min(seconds(whole) for _ in range(5))


def ahead(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """Looking ahead and back from the middle of a game."""
    times = 20 * sizes.rounds
    things = Program(text_document(folder, "many_things", MANY_THINGS), {}, 2)
    yield Row("undoing a decision at the table, 500 things", undone(things, 30, times) * 1000, "ms", most=1)
    for name, path, players in (("Salem", SALEM, 3), ("Blackmere", BLACKMERE, 2)):
        program = Program(document(path), {}, players)
        yield Row(f"{name}, undoing decision 60 at the table", undone(program, 60, times) * 1000, "ms")
        once, whole = tried(program, 60, times)
        yield Row(f"{name}, trying an option at decision 60", once * 1000, "ms")
        yield Row(f"{name}, playing up to decision 60", whole * 1000, "ms")


def memory(written: dict[str, Any], players: int, options: dict[str, str]) -> float:
    """What the program of a document and a game of it that has been played through take, in megabytes."""
    tracemalloc.start()
    game = Game(Program(written, dict(options), players))
    play_tale(game, 1)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return held / 1e6


def acts(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """An act of the long adventure beside a night in Salem: speed and memory, in each mode."""
    town, written = document(SALEM), document(BLACKMERE)
    night = Game(Program(town, {}, 3))
    yield Row("Salem, 3 players, memory", memory(town, 3, {}), "MB")
    for mode, players in (("coop", 2), ("confrontation", 2), ("solo", 1), ("duel", 1)):
        options = {"mode": mode}
        game = Game(Program(written, dict(options), players))
        few = max(3, sizes.games // 15)
        found, act, _ = ratio(
            many(lambda seed, game=game: play_tale(game, seed), few),  # type: ignore[misc]
            many(lambda seed: play_tale(night, seed), few),
            sizes.rounds,
        )
        yield Row(f"Blackmere, {mode}, acts at random", few / act, "acts/s")
        yield Row(f"Blackmere, {mode}, an act / a night in Salem", 1 / found, "x")
        yield Row(f"Blackmere, {mode}, memory", memory(written, players, options), "MB")
    program = Program(written, {"mode": "coop"}, 2)
    guided = seconds(lambda: [Game(program, seed, agent=Guided(seed)).run() for seed in range(1, 5)]) / 4
    yield Row("Blackmere, coop, an act by the bot `guided`", guided, "s")


def idle(sizes: Sizes, folder: Path) -> Iterator[Row]:
    """An action while many cards that would follow it are not in force."""
    actions = 400 * sizes.games
    games: dict[int, list[Game]] = {}
    for count in (10, 100, 1000):
        games[count] = []
        for times in (actions, 3 * actions):
            text = IDLE_CARDS.format(count=count, actions=times)
            games[count].append(Game(Program(text_document(folder, f"idle_{count}_{times}", text), {}, 1)))
    # Two lengths of one game: what setting up costs falls out of the difference. All sizes take turns within a
    # round and rounds are compared with themselves, so that a busy spell of the machine hits all of them.
    rounds: list[dict[int, float]] = []
    for _ in range(3 * sizes.rounds):
        spent = {
            count: [seconds(partial(play_tale, game, 1)) for game in pair] for count, pair in games.items()
        }
        rounds.append({count: (long - short) / (2 * actions) for count, (short, long) in spent.items()})
    for count in games:
        cost = median(costs[count] for costs in rounds)
        yield Row(f"an action beside {count} cards not in force", cost * 1e6, "us")
    grown = median(costs[1000] / costs[10] for costs in rounds)
    yield Row("beside 1,000 such cards / beside 10", grown, "x", most=1.25)


PARTS: dict[str, Callable[[Sizes, Path], Iterator[Row]]] = {
    "salem": salem,
    "tictactoe": tictactoe,
    "story": story,
    "tracing": tracing,
    "copies": copies,
    "ahead": ahead,
    "acts": acts,
    "idle": idle,
}


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
