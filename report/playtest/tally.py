"""What many games add up to: whole numbers only, so that the order of the games never matters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from talewright.report.playtest.records import GameRecord
from talewright.runtime.counting import CountedGame
from talewright.runtime.game import Game

ROUNDS_KEPT = 400
FAILURES_KEPT = 20

Counts = Counter[Any]


@dataclass(slots=True)
class Tally:
    """Sums over games. Every part is a counter whose keys are texts or tuples of texts and numbers."""

    games: int = 0
    errors: int = 0
    wins: int = 0
    watched: int = 0
    watched_wins: int = 0
    outcomes: Counts = field(default_factory=Counter)
    decisions: Counts = field(default_factory=Counter)
    rounds: Counts = field(default_factory=Counter)
    tracks: Counts = field(default_factory=Counter)
    track_rounds: Counts = field(default_factory=Counter)
    measures: Counts = field(default_factory=Counter)
    visits: Counts = field(default_factory=Counter)
    chapter_games: Counts = field(default_factory=Counter)
    chapter_outcomes: Counts = field(default_factory=Counter)
    last_chapters: Counts = field(default_factory=Counter)
    edges: Counts = field(default_factory=Counter)
    hits: Counts = field(default_factory=Counter)
    hit_games: Counts = field(default_factory=Counter)
    came: Counts = field(default_factory=Counter)
    acted: Counts = field(default_factory=Counter)
    thing_games: Counts = field(default_factory=Counter)
    thing_wins: Counts = field(default_factory=Counter)
    offered: Counts = field(default_factory=Counter)
    taken: Counts = field(default_factory=Counter)
    taken_wins: Counts = field(default_factory=Counter)
    option_games: Counts = field(default_factory=Counter)
    streams: Counts = field(default_factory=Counter)
    stream_games: Counts = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def merge(self, other: Tally) -> None:
        """Adds another tally to this one."""
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, int):
                setattr(self, name, mine + theirs)
        self.failures = sorted([*self.failures, *other.failures], key=_seed)[:FAILURES_KEPT]

    def add(self, game: Game, record: GameRecord) -> None:
        """Adds the game that has just ended; games that failed count as failed and nothing else."""
        self.games += 1
        self.outcomes[record.outcome] += 1
        if record.error:
            self.errors += 1
            self.failures.append({"seed": record.seed, "error": record.error})
            return
        won = record.won
        self.wins += won
        self.decisions[record.decisions] += 1
        self.rounds[record.rounds] += 1
        self.tracks.update(record.tracks.items())
        self.measures.update([(name, _plain(value)) for name, value in record.measures.items()])
        self._add_pages(record)
        if isinstance(game, CountedGame):
            self._add_watched(game, won)

    def _add_watched(self, game: CountedGame, won: bool) -> None:
        self.watched += 1
        self.watched_wins += won
        self._add_rounds(game)
        met = [site for site, times in enumerate(game.hits) if times]
        self.hit_games.update(met)
        for site in met:
            self.hits[site] += game.hits[site]
        self._add_things(game, won)
        self.taken.update(game.taken)
        self.option_games.update(set(game.taken))
        if won:
            self.taken_wins.update(game.taken)
        self.streams.update(game.uses)
        self.stream_games.update(game.uses.keys())

    def _add_pages(self, record: GameRecord) -> None:
        outcome = record.outcome
        self.visits.update(record.chapters)
        for page in set(record.chapters):
            self.chapter_games[page] += 1
            self.chapter_outcomes[page, outcome] += 1
        self.edges.update(zip(record.chapters, record.chapters[1:], strict=False))
        chapters = [page for page in record.chapters if page != outcome]
        if chapters:
            self.last_chapters[chapters[-1], outcome] += 1

    def _add_rounds(self, game: CountedGame) -> None:
        for track, name in enumerate(game.track_names):
            self.track_rounds.update(
                [(name, number, values[track]) for number, values in enumerate(game.rounds[:ROUNDS_KEPT], 1)]
            )

    def _add_things(self, game: CountedGame, won: bool) -> None:
        sorts = game.space["SORT"]
        for kept, counted in ((self.came, game.came), (self.acted, game.acted)):
            if game.program.makes:
                for number, times in counted.items():
                    kept[sorts[number]] += times
            else:
                # By number here, by name once a batch is done: that is many times quicker.
                kept.update(counted)
        met = {sorts[number] for number in game.came}
        met.update([sorts[number] for number in game.acted])
        self.thing_games.update(met)
        if won:
            self.thing_wins.update(met)

    def settle(self, game: CountedGame) -> None:
        """Turns what only this process understands into names; to be done before a tally leaves it."""
        self.offered.update(game.take_offered())
        for name in ("taken", "taken_wins", "option_games"):
            named: Counts = Counter()
            for (point, key), times in getattr(self, name).items():
                named[point, game.option_name(point, key)] += times
            setattr(self, name, named)
        for name in ("came", "acted"):
            by_sort: Counts = Counter()
            for key, times in getattr(self, name).items():
                by_sort[key if isinstance(key, str) else game.layout.things[key].sort] += times
            setattr(self, name, by_sort)


def _seed(failure: dict[str, Any]) -> int:
    return int(failure["seed"])


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def to_json(tally: Tally) -> dict[str, Any]:
    """A tally as plain data."""
    made: dict[str, Any] = {}
    for name in tally.__slots__:
        value = getattr(tally, name)
        made[name] = [[key, times] for key, times in value.items()] if isinstance(value, Counter) else value
    return made


def from_json(data: dict[str, Any]) -> Tally:
    """A tally from plain data."""
    tally = Tally()
    for name in tally.__slots__:
        value = data[name]
        if isinstance(getattr(tally, name), Counter):
            value = Counter({tuple(key) if isinstance(key, list) else key: times for key, times in value})
        setattr(tally, name, value)
    return tally
