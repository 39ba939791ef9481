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

from talewright.compiler import compile_package
from talewright.report.playtest.statistics.content import Content
from talewright.runtime.lower.program import Build
from talewright.runtime.session.program import build_program

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
PACKAGE = SCENARIOS / "blackmere"
# Foes of the box whom the act does not bring come forward one after the other in the lists of the proving ground.
PROVING, LISTS = SCENARIOS / "solomon_kane" / "proving", "8F"
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
ACTS, SEED = 60, 2401
# What few companies come near is tried from the page itself.
LATE = (
    *((chapter, "random", 300) for chapter in ("4A", "6A", "6C", "10C")),
    *((chapter, "explore", 60) for chapter in ("4C", "6A", "8C", "9A", "9B", "10A")),
)
BOX = (("random", 200), ("explore", 50))
# What `tale playtest --compare` looks at, and what a person wants to see.
KEPT = (
    "scenario", "version", "seed", "bot", "players", "options", "games", "finished", "errors", "outcomes",
    "win_rate", "chapters", "edges", "decisions", "rounds", "tracks", "measures",
)  # fmt: skip
REACHED = ("chapters", "edges", "things")
Names = dict[str, set[str]]


def played(folder: Path, name: str, *options: str, package: Path = PACKAGE) -> dict[str, Any]:
    """The result of a run, which is made if it is not there."""
    file = folder / f"{name}.json"
    if not file.exists():
        command = [
            sys.executable,
            "-m",
            "talewright.cli",
            "playtest",
            str(package),
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


def box_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """Every run in the lists."""
    for bot, games in BOX:
        options = (f"--bot={bot}", f"--games={games}", "--seed=1", "--players=2", f"--chapter={LISTS}")
        yield played(folder, f"box_{bot}", *options, package=PROVING) | {"chapter": LISTS}


def told(result: Mapping[str, Any]) -> dict[str, Any]:
    """Which run it was, in short."""
    keys = ("scenario", "bot", "options", "players", "chapter", "seed", "finished", "errors")
    return {key: result[key] for key in keys if key in result}


def content_of(package: Path) -> Content:
    """The content of a package, as playtests count it."""
    document = compile_package(package, trees=False).document
    assert document is not None
    return Content(build_program(document, {}, None, Build(bots=True, counted=True)))


def names_of(content: Content) -> Names:
    """What there is to meet in a package: pages, ways on, and things that can come into play."""
    return {
        "chapters": set(content.pages),
        "edges": {f"{a} -> {b}" for a, b in content.edges},
        "things": {name for name in content.things if content.is_component(name)},
    }


def met(result: Mapping[str, Any]) -> Names:
    """What a run has met."""

    def way(entry: Mapping[str, str]) -> str:
        return f"{entry['from']} -> {entry['to']}"

    never = result["never"]
    return {
        "chapters": set(result["chapters"]) - {entry["id"] for entry in never["chapters"]},
        "edges": {way(entry) for entry in result["edges"]} - {way(entry) for entry in never["edges"]},
        "things": set(result["things"]) - {entry["id"] for entry in never["things"]},
    }


def all_met(there: Names, results: list[dict[str, Any]], lists: list[dict[str, Any]]) -> Names:
    """What some run has met: in the act itself, and of the box in the lists."""
    found = {sort: there[sort] & set.union(*(met(result)[sort] for result in results)) for sort in REACHED}
    for result in lists:
        found["things"] |= there["things"] & met(result)["things"]
    return found


def reach(results: list[dict[str, Any]], lists: list[dict[str, Any]]) -> dict[str, Any]:
    """Who played, what was met, and what was not."""
    there = names_of(content_of(PACKAGE))
    found = all_met(there, results, lists)
    return {
        "runs": [told(result) for result in (*results, *lists)],
        "met": {sort: sorted(found[sort]) for sort in REACHED},
        "never": {sort: sorted(there[sort] - found[sort]) for sort in REACHED},
    }


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
    write("reach", reach(results, list(box_runs(folder))))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="blackmere-")))
