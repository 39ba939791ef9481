"""Worker processes: who plays what, what happens when somebody is killed, and that nothing of it shows in a result."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.report.playtest.run import games, workers
from talewright.report.playtest.run.chunks import Played, Work
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.run.workers import Crew, CrewError, spread
from tests.report.playtest.test_statistics import CHOICE
from tests.report.playtest.tiny import HEAD, playtest


def doubled(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    return 2 * number


def killed(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_game_is_handed_out_once_in_chunks_that_shrink_but_stay_worth_it(jobs: int) -> None:
    job = Job(b"", (), None, "random", games=30_000)
    work = Work(job, [(1, 12_000), (12_345, 18_000)], jobs)
    seeds: list[int] = []
    sizes: list[int] = []
    while (chunk := work.take()) is not None:
        seeds += [seed for first, count in chunk.runs for seed in range(first, first + count)]
        sizes.append(sum(count for _, count in chunk.runs))
        # A thousand games take a second.
        work.note(Played(chunk.runs, Tally(), seconds=sizes[-1] / 1000))
    assert sorted(seeds) == [*range(1, 12_001), *range(12_345, 30_345)]
    assert work.left == 0
    assert max(sizes) == 500
    assert min(sizes[:-1]) >= 15
    assert len(sizes) < 80 + 30 * jobs


@pytest.mark.parametrize("forks", [True, False])
def test_processes_that_share_nothing_play_the_same_games(
    monkeypatch: pytest.MonkeyPatch, forks: bool
) -> None:
    if forks and not workers.FORKS:
        pytest.skip("no safe fork here")
    for module in (workers, games):
        monkeypatch.setattr(module, "FORKS", forks)
    assert playtest(CHOICE, 1800, jobs=3) == playtest(CHOICE, 1800)


def test_pieces_come_back_and_so_do_errors() -> None:
    assert sorted(spread(doubled, range(10), 3)) == list(range(0, 20, 2))
    assert list(spread(doubled, [4], 3)) == [8]
    assert list(spread(doubled, [1, 2], 1)) == [2, 4]
    with pytest.raises(ValueError, match="unlucky"):
        list(spread(doubled, range(20), 2))


def test_a_worker_that_is_killed_is_told() -> None:
    with pytest.raises(CrewError, match="was killed by signal 9"):
        list(spread(killed, range(4), 2))
    with Crew() as others:
        worker = others.hire(doubled)[0]
        worker.process.kill()
        worker.process.join()
        with pytest.raises(CrewError, match="was killed by signal 9"):
            worker.give(1)


def _until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _children(pid: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGINT])
def test_no_worker_outlives_its_master(tmp_path: Path, way: signal.Signals) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game/tale.toml").write_text(
        'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
    )
    (tmp_path / "game/game.tale").write_text(HEAD + CHOICE)
    # Whoever is started in the background is handed down an ignored Ctrl-C.
    own = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    run = f"{own}; from talewright.cli.main import entry; entry()"
    games = ["playtest", "game", "--games", "3000000", "--jobs", "2", "--json", "result.json"]
    running = subprocess.Popen(
        [sys.executable, "-c", run, *games],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    journal = tmp_path / "result.json.journal"
    _until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 4)
    _until(lambda: len(_children(running.pid)) == 2)
    workers = _children(running.pid)
    if way is signal.SIGINT:
        # As a terminal sends it: to everybody at once.
        os.killpg(running.pid, way)
    else:
        os.kill(running.pid, way)
    told = running.communicate(timeout=60)[1]
    _until(lambda: not any(map(_runs, workers)))
    assert "Traceback" not in told
    assert running.returncode == (130 if way is signal.SIGINT else -9)
    if way is signal.SIGINT:
        assert "games are kept: the same command with --resume goes on" in told
