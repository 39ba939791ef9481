"""Plays every mission of Brimstone by its hints, and writes down what came of it beside the packages.

    python tests/scenarios/brimstone_baseline.py FOLDER    plays what FOLDER does not hold yet, then writes the baseline

A cell is 300 games by the bot `guided`, with seeds that no number was set by: the first mission with one to four new
heroes, the others with two heroes of the level that they are meant for.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talewright.cli.main import main

BRIMSTONE = Path(__file__).resolve().parents[2] / "scenarios" / "brimstone"
GAMES, SEED = 300, 2001
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
    Cell("territory", "thing_below", 2, 3),
)


def played(folder: Path, cell: Cell) -> dict[str, Any]:
    """The result of a cell, which is played if it is not there."""
    file = folder / f"{cell.name}.json"
    if not file.exists():
        told = ["--bot", "guided", "--games", str(GAMES), "--seed", str(SEED), "--jobs", "1"]
        main(["playtest", str(BRIMSTONE / cell.package), "--json", str(file), *told, *cell.options])
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def write(folder: Path) -> None:
    """Plays and writes every cell."""
    for cell in (*FIRST, *LATER):
        result = played(folder, cell)
        cell.file.parent.mkdir(exist_ok=True)
        text = json.dumps({key: result[key] for key in KEPT}, indent=1, ensure_ascii=False)
        cell.file.write_text(text + "\n", encoding="utf-8")
        print(f"{cell.name}: {told(cell, result)}", flush=True)


def told(cell: Cell, result: dict[str, Any]) -> str:
    """What came of a cell, and whether it keeps to its bounds."""
    rate, turns = result["win_rate"]["value"], result["measures"]["turns_played"]["mean"]
    low, high = (0.45, 0.65) if cell.level == 1 else (0.40, 0.60)
    kept = low <= rate <= high and 12 <= turns <= 25
    return f"{rate:.0%} won, {turns:.1f} turns{'' if kept else ', out of bounds'}"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
