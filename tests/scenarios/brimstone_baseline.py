"""Plays every mission of Brimstone by its hints, and writes down what came of it beside the packages.

    python -m tests.scenarios.brimstone_baseline FOLDER    plays what FOLDER does not hold yet, then writes the baseline

A cell is 300 games by the bot `guided`, with seeds that no number was set by: the first mission with one to four new
heroes, the others with two heroes of the level that they are meant for. Wide runs, of campaigns and with the rules that a
posse may agree on, show what can be reached at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talewright.cli.main import main

from .baseline import REACHED, Names, all_met, content_of, names_of
from .baseline import told as run_in_short

BRIMSTONE = Path(__file__).resolve().parents[2] / "scenarios" / "brimstone"
GAMES, SEED = 300, 94001
KEPT = (
    "scenario", "version", "seed", "bot", "players", "options", "games", "finished", "errors", "outcomes",
    "win_rate", "chapters", "edges", "decisions", "rounds", "tracks", "measures",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A mission, with so many heroes of a level."""

    package: str
    mission: str
    players: int
    level: int = 1
    seed: int = SEED

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.mission}_{self.players}"

    @property
    def file(self) -> Path:
        """Where its result is kept."""
        return BRIMSTONE / self.package / "baseline" / f"{self.name}.json"

    @property
    def options(self) -> list[str]:
        """What `tale playtest` is told besides bot, games and seed."""
        told = ["--players", str(self.players)]
        if self.package == "territory":
            told += ["--chapter", self.mission, "--set", "campaign=no", "--set", f"first_level={self.level}"]
        return told


FIRST = tuple(Cell("fistful", "fistful", players) for players in (1, 2, 3, 4))
LATER = (
    Cell("territory", "few_more", 2, 2),
    Cell("territory", "blow_the_mine", 2, 2),
    Cell("territory", "seal_the_gate", 2, 3),
    Cell("territory", "farmers_son", 2, 3),
    Cell("territory", "thing_below", 2, 3, seed=95001),
)


REACH = BRIMSTONE / "territory" / "baseline" / "reach.json"
# Whole campaigns with every rule of the game, small and large posses; what few of them come near is begun at once, and
# bots that try what was tried least do what no hint advises.
ALL_RULES = ("--set", "basic_game=no")
ALONE = ("--set", "campaign=no")
STEADFAST = "tests/scenarios/steadfast.py:Steadfast"
BELOW = ("--chapter", "thing_below", "--set", "first_level=5", *ALONE, *ALL_RULES)
WIDE: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("campaign_4", "guided", 40, ("--players", "4", *ALL_RULES)),
    ("campaign_6", "guided", 10, ("--players", "6", "--set", "first_level=4", *ALL_RULES)),
    ("campaign_2", "guided", 40, ("--players", "2")),
    ("below_6", "guided", 60, ("--players", "6", *BELOW)),
    ("below_4", "guided", 100, ("--players", "4", *BELOW)),
    ("below_explored", "explore", 100, ("--players", "4", *BELOW)),
    ("campaign_explored", "explore", 20, ("--players", "4", *ALL_RULES)),
    ("steadfast", STEADFAST, 150, ("--players", "4", "--chapter", "seal_the_gate", *ALONE, *ALL_RULES)),
    ("hard_core", "guided", 60, ("--players", "2", "--set", "hard_core=used", *ALONE)),
    ("fleeing", "random", 200, ("--players", "4", *ALONE, *ALL_RULES)),
)


def run(folder: Path, name: str, package: str, options: list[str]) -> dict[str, Any]:
    """The result of a run, which is made if it is not there."""
    file = folder / f"{name}.json"
    if not file.exists():
        main(["playtest", str(BRIMSTONE / package), "--json", str(file), "--jobs", "1", *options])
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def played(folder: Path, cell: Cell) -> dict[str, Any]:
    """The result of a cell."""
    told = ["--bot", "guided", "--games", str(GAMES), "--seed", str(cell.seed)]
    return run(folder, cell.name, cell.package, [*told, *cell.options])


def wide_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """Every wide run."""
    for name, bot, games, options in WIDE:
        told = ["--bot", bot, "--games", str(games), "--seed", "1", *options]
        yield run(folder, name, "territory", told)


def there() -> Names:
    """What there is to meet today."""
    return names_of(content_of(BRIMSTONE / "territory"))


def write(folder: Path) -> None:
    """Plays and writes every cell, and what was met in all runs."""
    results = []
    for cell in (*FIRST, *LATER):
        result = played(folder, cell)
        _keep(cell.file, {key: result[key] for key in KEPT})
        print(f"{cell.name}: {told(cell, result)}", flush=True)
        results.append(result)
    results += wide_runs(folder)
    names = there()
    found = all_met(names, results, [])
    never = {sort: sorted(names[sort] - found[sort]) for sort in REACHED}
    met = {sort: sorted(found[sort]) for sort in REACHED}
    _keep(REACH, {"runs": [run_in_short(result) for result in results], "met": met, "never": never})
    print(f"never met: {never}", flush=True)


def _keep(file: Path, data: dict[str, Any]) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def told(cell: Cell, result: dict[str, Any]) -> str:
    """What came of a cell, and whether it keeps to its bounds."""
    rate, turns = result["win_rate"]["value"], result["measures"]["turns_played"]["mean"]
    low, high = (0.45, 0.65) if cell.level == 1 else (0.40, 0.60)
    kept = low <= rate <= high and 12 <= turns <= 25
    return f"{rate:.0%} won, {turns:.1f} turns{'' if kept else ', out of bounds'}"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
