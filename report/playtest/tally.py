"""What many games add up to: whole numbers only, so that the order of the games never matters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from talewright.report.playtest.records import GameRecord
from talewright.runtime.counting import CountedGame

ROUNDS_KEPT = 400
FAILURES_KEPT = 20

Counts = Counter[Any]


@dataclass(slots=True)
class Tally:
    """Sums over games. Every part is a counter whose keys are texts or tuples of texts and numbers."""

    games: int = 0
    errors: int = 0
    wins: int = 0
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

    def add(self, game: CountedGame, record: GameRecord) -> None:
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
        for name, value in record.tracks.items():
            self.tracks[name, value] += 1
        for name, value in record.measures.items():
            self.measures[name, _plain(value)] += 1
        self._add_pages(record)
        self._add_rounds(game)
        for site, times in enumerate(game.hits):
            if times:
                self.hits[site] += times
                self.hit_games[site] += 1
        self._add_things(game, won)
        taken = self.taken
        for key in game.taken:
            taken[key] += 1
        seen = set(game.taken)
        self.option_games.update(seen)
        if won:
            self.taken_wins.update(game.taken)
        for name, times in game.uses.items():
            self.streams[name] += times
            self.stream_games[name] += 1

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
        tracks = [t["id"] for t in game.program.content["tracks"]]
        if tracks:
            for number, values in enumerate(game.rounds[:ROUNDS_KEPT], 1):
                for name, value in zip(tracks, values, strict=True):
                    self.track_rounds[name, number, value] += 1

    def _add_things(self, game: CountedGame, won: bool) -> None:
        things = game.layout.things
        met: set[str] = set()
        for counted, kept in ((game.came, self.came), (game.acted, self.acted)):
            for number, times in counted.items():
                sort = things[number].sort
                kept[sort] += times
                met.add(sort)
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
