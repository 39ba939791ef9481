"""What a playtest costs beside its games: harness, processes, memory. Ratios within one run.

    python bench/playtest.py [--games N] [--long N] [--json FILE]

Three figures: games per second with two jobs over one job, for the games alone and for a whole command of four times `--games`,
from its start to its last word; the time of a whole run of `--games` (counting, adding up, the
journal, statistics and their JSON) over the time of the same games played plainly, and how much of it goes to games that are
watched closely; and how much memory grows between 10,000 games and `--long`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import orjson

from talewright.compiler import compile_package
from talewright.compiler.in_memory import compile_text, plain
from talewright.report.playtest.run.chunks import Chunk, work_of
from talewright.report.playtest.run.games import counted_program, play_all, play_chunk, prepare
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.journal import Journal
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.run.watched_games import is_watched
from talewright.report.playtest.statistics.content import Content
from talewright.report.playtest.statistics.summary import summarise
from talewright.runtime.bots import quick_random
from talewright.runtime.game import Game
from talewright.runtime.program import Program

SLICE = 500

COIN = """
extend Ending:
    result: victory | defeat
Ending heads "Heads": result: victory
Ending tails "Tails": result: defeat
role Player is Thing named player
action game:
    choose n from (1..2) by player "Which?"
    let d = do roll d2
    if d == n: go to heads
    go to tails
"""


def scenario(games: str) -> bytes:
    """The document of a bundled scenario."""
    result = compile_package(games)
    assert result.document is not None
    return orjson.dumps(result.document)


def plain_seconds(game: Game, first: int, games: int) -> float:
    """Games without a harness."""
    begin = process_time()
    for seed in range(first, first + games):
        game.reset(seed)
        quick_random(game, seed)
        game.run()
    return process_time() - begin


def counted_seconds(job: Job, first: int, games: int, journal: Journal, tally: Tally) -> float:
    """The same games counted, added up and written to a journal."""
    begin = process_time()
    played = play_chunk(job, Chunk(((first, games),)))
    tally.merge(played.tally)
    journal.add(played, tally)
    return process_time() - begin


def told_seconds(job: Job, tally: Tally) -> float:
    """All statistics of a run and its JSON."""
    content = Content(counted_program(job))
    begin = process_time()
    orjson.dumps(summarise(tally, {}, content), option=orjson.OPT_INDENT_2)
    return process_time() - begin


def harness(document: bytes, games: int, rounds: int) -> dict[str, float]:
    """A whole run beside the same games played plainly, in turns, a slice at a time; of every slice the best of all rounds."""
    job = Job(document, (), None, "random", games=games)
    prepare(job)
    plain = Game(Program(orjson.loads(document)))
    firsts = range(job.first, job.first + games, SLICE)
    bare = dict.fromkeys(firsts, float("inf"))
    whole = dict(bare)
    told = float("inf")
    for _ in range(rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            journal, tally = Journal(Path(folder) / "journal", job), Tally()
            journal.begin()
            for first in firsts:
                size = min(SLICE, job.first + games - first)
                bare[first] = min(bare[first], plain_seconds(plain, first, size))
                whole[first] = min(whole[first], counted_seconds(job, first, size, journal, tally))
            told = min(told, told_seconds(job, tally))

    def cost(wanted: Callable[[list[bool]], bool]) -> float:
        slices = [
            first
            for first in firsts
            if wanted([is_watched(job, seed) for seed in range(first, first + SLICE)])
        ]
        if not slices:
            return float("nan")
        return sum(whole[first] for first in slices) / sum(bare[first] for first in slices) - 1

    return {
        "plain_games_per_second": games / sum(bare.values()),
        "closely": cost(all),
        "after": cost(lambda watched: not any(watched)),
        "watched": tally.watched / games,
        "statistics": told / sum(bare.values()),
        "cost": (sum(whole.values()) + told) / sum(bare.values()) - 1,
    }


def jobs(document: bytes, games: int, rounds: int) -> dict[str, float]:
    """One process and two in turns, on the same games, the best of each: in time, and in processor time of all processes."""
    job = Job(document, (), None, "random", games=games)
    prepare(job)
    seconds = {1: float("inf"), 2: float("inf")}
    work = dict(seconds)
    for count in (1, 2) * rounds:
        begin, worked = perf_counter(), processor()
        for _ in play_all(job, work_of(job, [(1, games)], count), count):
            pass
        seconds[count] = min(seconds[count], perf_counter() - begin)
        work[count] = min(work[count], processor() - worked)
    return {
        "one": games / seconds[1],
        "two": games / seconds[2],
        "ratio": seconds[1] / seconds[2],
        "work": work[2] / work[1],
    }


def command(name: str, games: int, rounds: int) -> dict[str, float]:
    """The whole command with one job and with two in turns, the best of each: in time, and in processor time."""
    seconds = {1: float("inf"), 2: float("inf")}
    work = dict(seconds)
    with tempfile.TemporaryDirectory() as folder:
        # As it is once installed: Python has compiled its modules before.
        here = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        here["PYTHONPYCACHEPREFIX"] = folder

        def run(games: int, count: int) -> None:
            entry = "from talewright.cli.main import entry; entry()"
            asked = ("playtest", name, "--bot", "random", "--games", str(games), "--jobs", str(count))
            subprocess.run(
                [sys.executable, "-c", entry, *asked], check=True, stdout=subprocess.DEVNULL, env=here
            )

        run(1, 1)
        for count in (1, 2) * rounds:
            begin, worked = perf_counter(), processor()
            run(games, count)
            seconds[count] = min(seconds[count], perf_counter() - begin)
            work[count] = min(work[count], processor() - worked)
    return {
        "games": games,
        "one_seconds": seconds[1],
        "two_seconds": seconds[2],
        "ratio": seconds[1] / seconds[2],
        "work": work[2] / work[1],
    }


def processor() -> float:
    """The processor time of this process and of all that it has waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + ended.ru_utime + ended.ru_stime


def spin(turns: int) -> int:
    """Work that shares nothing with anybody."""
    total = 0
    for number in range(turns):
        total += number % 7
    return total


def machine(turns: int = 20_000_000) -> float:
    """How much more two processes get done than one, just now on this machine: no playtest can do better."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(spin, [1000, 1000]))
        begin = perf_counter()
        pool.submit(spin, turns).result()
        alone = perf_counter() - begin
        begin = perf_counter()
        list(pool.map(spin, [turns, turns]))
        return 2 * alone / (perf_counter() - begin)


def memory(games: int) -> dict[str, float]:
    """The resident memory after 10,000 games and after all of them."""
    result = compile_text(plain(COIN))
    assert result.document is not None
    job = Job(orjson.dumps(result.document), (), None, "random", games=games)
    tally = Tally()
    early = 0.0
    begin = perf_counter()
    for played in play_all(job, work_of(job, [(1, games)]), 1):
        tally.merge(played.tally)
        if not early and tally.games >= 10_000:
            early = resident()
    return {
        "early_mb": early,
        "late_mb": resident(),
        "games": games,
        "games_per_second": games / (perf_counter() - begin),
    }


def resident() -> float:
    """Megabytes that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenario", default="salem")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--long", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    from talewright.cli.scenario import playable

    document = scenario(playable(given.scenario))
    found: dict[str, Any] = {
        "load": os.getloadavg()[0],
        "harness": harness(document, given.games, given.rounds),
        "machine": machine(),
        "jobs": jobs(document, given.games, given.rounds + 1),
        "command": command(given.scenario, 4 * given.games, given.rounds),
        "memory": memory(given.long),
    }
    cost, ratio, held = found["harness"]["cost"], found["jobs"]["ratio"], found["memory"]
    print(
        f"harness: {cost:.1%} of the games themselves in a run of {given.games:,} (wanted: under 15 %); "
        f"{found['harness']['closely']:.1%} where all is watched closely ({found['harness']['watched']:.1%} of the games), "
        f"{found['harness']['after']:.1%} in the other games, {found['harness']['statistics']:.1%} for statistics at the end"
    )
    print(
        f"two jobs: {ratio:.2f} times one (wanted: 1.8 on two free cores; bare processes reach {found['machine']:.2f} now); "
        f"all processes together work {found['jobs']['work']:.2f} times as much"
    )
    whole = found["command"]
    print(
        f"the whole command, {whole['games']:,} games: {whole['one_seconds']:.1f} s with one job, "
        f"{whole['two_seconds']:.1f} s with two, {whole['ratio']:.2f} times as quick; "
        f"all processes together work {whole['work']:.2f} times as much"
    )
    print(
        f"memory: {held['early_mb']:.1f} MB after 10,000 games, {held['late_mb']:.1f} MB after {held['games']:,}"
    )
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
