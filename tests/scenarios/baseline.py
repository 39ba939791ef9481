"""Plays Blackmere in every mode and company, and writes down what came of it beside the package.

    python tests/scenarios/baseline.py FOLDER    plays what FOLDER does not hold yet, then writes the baseline
    python tests/scenarios/baseline.py           the same with a new folder: half an hour or more on two cores

A cell is sixty acts by the bot `guided` with seeds that no level was set by. Wide runs, by bots that try everything,
show what can be reached at all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[2] / "scenarios" / "blackmere"
BASELINE = PACKAGE / "baseline"
CELLS = (
    *(("coop", players) for players in (1, 2, 3, 4)),
    *(("confrontation", players) for players in (1, 2, 3, 4)),
    ("solo", 1),
    ("duel", 1),
)
WIDE = (
    ("coop", 2, "random", 1000),
    ("coop", 2, "explore", 400),
    ("confrontation", 2, "random", 1000),
    ("solo", 1, "random", 1000),
    ("duel", 1, "random", 1000),
)
ACTS, SEED = 60, 2001
# What few companies come near is tried from the page itself.
LATE = (
    *((chapter, "explore", 150) for chapter in ("4B", "4C", "6B", "6C", "8B", "8C")),
    *((chapter, "explore", 100) for chapter in ("9B", "10A", "10B", "10C")),
    *((chapter, "guided", 20) for chapter in ("4C", "6C", "8C", "10C")),
    *((chapter, "random", 1000) for chapter in ("4C", "10C")),
)
# What `tale playtest --compare` looks at, and what a person wants to see.
KEPT = (
    "scenario", "version", "seed", "bot", "players", "options", "games", "finished", "errors", "outcomes",
    "win_rate", "chapters", "edges", "decisions", "rounds", "tracks", "measures",
)  # fmt: skip
NEVER = ("chapters", "edges", "things")


def played(folder: Path, name: str, *options: str) -> dict[str, Any]:
    """The result of a run, which is made if it is not there."""
    file = folder / f"{name}.json"
    if not file.exists():
        command = [
            sys.executable,
            "-m",
            "talewright.cli",
            "playtest",
            str(PACKAGE),
            "--json",
            str(file),
            *options,
        ]
        subprocess.run(command, check=True)
    result: dict[str, Any] = json.loads(file.read_text())
    return result


def cells(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every cell with its result."""
    for mode, players in CELLS:
        name = f"{mode}_{players}"
        options = (
            "--bot=guided",
            f"--games={ACTS}",
            f"--seed={SEED}",
            f"--players={players}",
            f"--set=mode={mode}",
        )
        yield name, played(folder, f"{name}_{SEED}", *options)


def wide_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """Every wide run."""
    for mode, players, bot, games in WIDE:
        options = (
            f"--bot={bot}",
            f"--games={games}",
            "--seed=1",
            f"--players={players}",
            f"--set=mode={mode}",
        )
        yield played(folder, f"wide_{mode}_{players}_{bot}", *options)


def late_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """Every run that begins late."""
    for chapter, bot, games in LATE:
        options = (f"--bot={bot}", f"--games={games}", "--seed=1", "--players=2", f"--chapter={chapter}")
        yield played(folder, f"late_{chapter}_{bot}", *options) | {"chapter": chapter}


def told(result: Mapping[str, Any]) -> dict[str, Any]:
    """Which run it was, in short."""
    keys = ("bot", "options", "players", "chapter", "seed", "finished", "errors")
    return {key: result[key] for key in keys if key in result}


def never_met(results: list[dict[str, Any]]) -> dict[str, list[str]]:
    """What no run has met."""

    def names(result: Mapping[str, Any], sort: str) -> set[str]:
        return {entry.get("id") or f"{entry['from']} -> {entry['to']}" for entry in result["never"][sort]}

    return {sort: sorted(set.intersection(*(names(r, sort) for r in results))) for sort in NEVER}


def write(name: str, data: Mapping[str, Any]) -> None:
    """One file of the baseline."""
    (BASELINE / f"{name}.json").write_text(
        json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def main(folder: Path) -> None:
    """Plays and writes."""
    BASELINE.mkdir(exist_ok=True)
    results = []
    for name, result in cells(folder):
        write(name, {key: result[key] for key in KEPT})
        rate = result["win_rate"]
        print(f"{name}: {rate['value']:.0%} won ({rate['low']:.0%} to {rate['high']:.0%})")
        results.append(result)
    results += wide_runs(folder)
    results += late_runs(folder)
    write("reach", {"runs": [told(result) for result in results], "never": never_met(results)})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="blackmere-")))
