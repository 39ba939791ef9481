"""Records the kept games of a bundled scenario anew, after its rules or texts have changed.

    python tests/scenarios/record.py             all of them
    python tests/scenarios/record.py blackmere   those of one package
    python tests/scenarios/record.py --stamp     those that still go the same way get the digest of the rules of now

Each game is the first, by seed, that a company which plays by the package's hints brings to the wanted end.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from talewright.compiler import compile_package
from talewright.runtime.lower.builds.dealing import is_victory
from talewright.runtime.session import Session, load, resume
from talewright.runtime.session.bots import bot
from talewright.runtime.session.program import Program
from talewright.runtime.session.saves import Save, load_file, write_save

ROOT = Path(__file__).resolve().parents[2] / "scenarios"
MOST_SEEDS = 3000


@dataclass(frozen=True, slots=True)
class Wanted:
    """One game to keep: of which package, with how many seats and which options, and how it must end."""

    package: str
    name: str
    players: int
    won: bool | None = None
    chapter: str | None = None
    options: dict[str, str | bool] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """Where the game is kept."""
        return ROOT / self.package / "replays" / f"{self.name}.save.json"


# A mission of the campaign as a game of its own.
SINGLE: dict[str, str | bool] = {"campaign": False}
WANTED = (
    Wanted("salem/night", "two_players", 2),
    Wanted("salem/night", "three_players", 3),
    Wanted("salem/night", "four_players_victory", 4, won=True),
    Wanted("blackmere", "coop_two_players_victory", 2, won=True),
    Wanted("blackmere", "coop_four_players", 4),
    Wanted("blackmere", "confrontation", 2, options={"mode": "confrontation"}),
    Wanted("blackmere", "solo", 1, options={"mode": "solo"}),
    Wanted("blackmere", "duel", 1, options={"mode": "duel"}),
    *(
        Wanted(
            "dark_rituals/encounters", f"{chapter}_{'won' if won else 'lost'}", 1, won=won, chapter=chapter
        )
        for chapter in ("e1", "e2", "e3", "e4", "e5")
        for won in (True, False)
    ),
    Wanted("solomon_kane_first/salt_ledger", "four_players_victory", 4, won=True),
    Wanted("solomon_kane_first/salt_ledger", "two_players_defeat", 2, won=False),
    Wanted("solomon_kane_first/salt_ledger", "one_player", 1),
    Wanted("brimstone/fistful", "one_hero_lost", 1, won=False),
    Wanted("brimstone/fistful", "two_players_victory", 2, won=True),
    *(
        Wanted("brimstone/territory", f"{mission}_{'won' if won else 'lost'}", 2, won, mission, SINGLE)
        for mission in ("few_more", "seal_the_gate", "blow_the_mine", "farmers_son", "thing_below")
        for won in (True, False)
    ),
    Wanted("brimstone/territory", "campaign", 2),
)


@lru_cache(maxsize=1)
def prepared(package: str, players: int, options: tuple[tuple[str, str | bool], ...]) -> Program:
    """A package made ready; games of one package follow one another."""
    document = compile_package(ROOT / package, trees=False).document
    if document is None:
        raise SystemExit(f"{package} has errors: tale lint {package}")
    return load(document, dict(options), players, bots=True)


def recorded(wanted: Wanted) -> Save:
    """The first game by seed that ends as wanted."""
    program = prepared(wanted.package, wanted.players, tuple(sorted(wanted.options.items())))
    for seed in range(1, MOST_SEEDS):
        session = Session(program, seed, wanted.chapter)
        session.default = bot("guided", seed)
        outcome = session.run()
        if (
            wanted.won is None
            or is_victory(program.lowered, program.lowered.world.number[outcome]) is wanted.won
        ):
            return session.save()
    raise SystemExit(f"no game of {wanted.package} in {MOST_SEEDS} ends as wanted")


def stamped(wanted: Wanted) -> Save:
    """The kept game, played again to its end by the rules of now."""
    document = compile_package(ROOT / wanted.package, trees=False).document
    if document is None:
        raise SystemExit(f"{wanted.package} has errors: tale lint {wanted.package}")
    kept = load_file(wanted.file)
    session = resume(document, kept)
    if session.run() != kept.outcome:
        raise SystemExit(f"{wanted.file}: it ended {kept.outcome}, and now {session.outcome}")
    return session.save()


def main(arguments: list[str]) -> None:
    """Writes every kept game, or those of some packages."""
    packages = [name for name in arguments if name != "--stamp"]
    for wanted in WANTED:
        if packages and wanted.package not in packages:
            continue
        save = stamped(wanted) if "--stamp" in arguments else recorded(wanted)
        wanted.file.parent.mkdir(parents=True, exist_ok=True)
        wanted.file.write_bytes(write_save(save))
        print(
            f"{wanted.file.relative_to(ROOT)}: seed {save.seed}, {save.outcome}, {len(save.decisions)} decisions"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
