"""Plays the Salt Ledger in every company, and writes down what came of it beside the package.

    python -m tests.scenarios.ledger_baseline FOLDER    plays what FOLDER does not hold yet, then writes the baseline

A cell is three hundred acts by the bot `guided` with seeds that no figure was set by. Wide runs, by bots that try everything,
show what can be reached at all.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .baseline import KEPT, REACHED, SCENARIOS, Names, all_met, content_of, names_of, played, told

PACKAGE = SCENARIOS / "solomon_kane_first" / "salt_ledger"
BASELINE = PACKAGE / "baseline"
CELLS = tuple((act, players) for act in (1, 2) for players in (1, 2, 3, 4))
ACTS, SEED, WIDE, EXPLORED = 300, 920001, 1000, 400
# What few companies come near is tried from the page itself.
LATE = (
    (2, "11B", "guided", 100),
    (2, "11C", "guided", 100),
    (2, "11C", "explore", 100),
    (2, "12C", "explore", 400),
)
UNPLAYED = tuple((reading, players) for reading in ("dashboards", "neither") for players in (1, 2, 3))


def run(folder: Path, name: str, bot: str, games: int, players: int, *options: str) -> dict[str, Any]:
    """The result of a run, which is made if it is not there."""
    settings = (f"--bot={bot}", f"--games={games}", f"--players={players}", "--jobs=1", *options)
    return played(folder, name, *settings, package=PACKAGE)


def cells(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every company in both acts, and the first act with the other readings of the rule for unplayed Virtues."""
    for act, players in CELLS:
        yield cell(folder, f"act_{act}_players_{players}", players, f"--set=first_act={act}")
    for unplayed, players in UNPLAYED:
        yield cell(folder, f"{unplayed}_players_{players}", players, f"--set=unplayed={unplayed}")


def cell(folder: Path, name: str, players: int, option: str) -> tuple[str, dict[str, Any]]:
    """One company with one option."""
    return name, run(folder, name, "guided", ACTS, players, f"--seed={SEED}", option)


def wide_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """Every wide run."""
    for act in (1, 2):
        first = f"--set=first_act={act}"
        yield run(folder, f"random_{act}", "random", WIDE, 4, first)
        yield run(folder, f"explore_{act}", "explore", EXPLORED, 4, first)
    for act, chapter, bot, games in LATE:
        name = f"{bot}_{chapter}"
        yield run(folder, name, bot, games, 4, f"--set=first_act={act}", f"--chapter={chapter}")


def there() -> Names:
    """What there is to meet today."""
    return names_of(content_of(PACKAGE))


def write(name: str, data: object) -> None:
    """One file of the baseline."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    (BASELINE / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def main(folder: Path) -> None:
    """Plays and writes."""
    BASELINE.mkdir(exist_ok=True)
    results = []
    for name, result in cells(folder):
        write(name, {key: result[key] for key in KEPT})
        rate = result["win_rate"]
        print(f"{name}: {rate['value']:.1%} won ({rate['low']:.0%} to {rate['high']:.0%})")
        results.append(result)
    for result in wide_runs(folder):
        print(f"{told(result)}: {result['win_rate']['value']:.1%} won")
        results.append(result)
    names = there()
    found = all_met(names, results, [])
    never = {sort: sorted(names[sort] - found[sort]) for sort in REACHED}
    write("reach", {
        "runs": [told(result) | {"win_rate": result["win_rate"]["value"]} for result in results],
        "met": {sort: sorted(found[sort]) for sort in REACHED},
        "never": never,
    })  # fmt: skip
    print(never)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="ledger-")))
