"""Adds up the games of a chunk as one process counts quickest; names come at the end."""

from __future__ import annotations

from collections import Counter
from itertools import chain, compress, pairwise, zip_longest
from operator import is_not
from typing import Any

from talewright.report.playtest.run.tally import Counts, Tally
from talewright.runtime.countcode import Sampled
from talewright.runtime.counting import CountedGame, NotedGame
from talewright.runtime.measuring import measured
from talewright.runtime.winning import has_won

ROUNDS_KEPT = 400


class Collector:
    """Games of one chunk: how they went, and how they ended.

    Games that failed count as failed and nothing else.
    """

    def __init__(self, game: NotedGame) -> None:
        self._game = game
        self._tally = Tally()
        self._tracks = [track.name for track in game.program.sampled if not track.many]
        self._measured = [m["id"] for m in game.program.content["measures"]]
        self._told = game.space["TOLD"]
        self._won: dict[str, bool] = {}
        # Things that no game has left in play yet: fewer and fewer.
        self._unseen = game.begin_out_of_play
        self._ends: list[tuple[Any, ...]] = []
        self._ways: dict[tuple[str, tuple[int, ...]], int] = {}

    def add(self, outcome: str) -> bool:
        """Adds the game that has just ended; says whether it was won."""
        self._ends.append(self._end())
        won = self._won.get(outcome)
        if won is None:
            won = self._won[outcome] = has_won(self._game, outcome)
        space = self._game.space
        lies, out = space["LOC"], space["CLOSED"]
        seen = [thing for thing in self._unseen if not out[lies[thing]]]
        if seen:
            self._see(seen)
        way = outcome, tuple(self._game.pages)
        self._ways[way] = self._ways.get(way, 0) + 1
        return won

    def _end(self) -> tuple[Any, ...]:
        """How the game ended, in numbers; a measure that fails is an error of play."""
        try:
            told: tuple[Any, ...] = self._told()
        except Exception:
            # Slower, but it knows which measure it was, and where that is written.
            measured(self._game)
            raise
        return told

    def _see(self, things: list[int]) -> None:
        known = self._game.layout.things
        sorts = {known[thing].sort for thing in things}
        self._tally.seen.update(sorts)
        self._unseen = [thing for thing in self._unseen if known[thing].sort not in sorts]

    def fail(self, seed: int, error: str) -> None:
        """Notes a game that broke off."""
        tally = self._tally
        tally.games += 1
        tally.errors += 1
        tally.outcomes["error"] += 1
        choices = [index for _, index in self._game.log]
        tally.failures.append({"seed": seed, "error": error, "choices": choices})
        self._game.drop()

    def settle(self) -> Tally:
        """The sums, under names that hold everywhere."""
        tally, game = self._tally, self._game
        tally.games += len(self._ends)
        columns = map(counted, zip(*self._ends, strict=True))
        tally.decisions = next(columns, Counter())
        tally.rounds = next(columns, Counter())
        for name, values in zip(self._tracks, columns, strict=False):
            for value, times in values.items():
                if value is not None:
                    tally.tracks[name, value] = times
        for name, values in zip(self._measured, columns, strict=False):
            for value, times in values.items():
                tally.measures[name, plain(value)] += times
        for (outcome, pages), times in self._ways.items():
            self._add_pages(outcome, story_pages(game, pages), times)
        return tally

    def _add_pages(self, outcome: str, pages: tuple[str, ...], times: int) -> None:
        tally = self._tally
        tally.outcomes[outcome] += times
        tally.wins += times * self._won[outcome]
        for page in pages:
            tally.visits[page] += times
        for page in set(pages):
            tally.chapter_games[page] += times
            tally.chapter_outcomes[page, outcome] += times
        for way in pairwise(pages):
            tally.edges[way] += times
        chapters = [page for page in pages if page != outcome]
        if chapters:
            tally.last_chapters[chapters[-1], outcome] += times


class _Options(dict[tuple[int, Any], int]):
    """The options that were taken, numbered by name: copies of a thing are one option."""

    def __init__(self, game: CountedGame) -> None:
        self._game = game
        self._numbers: dict[tuple[int, str], int] = {}

    def __missing__(self, key: tuple[int, Any]) -> int:
        name = key[0], self._game.option_name(*key)
        made = self[key] = self._numbers.setdefault(name, len(self._numbers))
        return made

    @property
    def names(self) -> list[tuple[int, str]]:
        """Point and name of each."""
        return list(self._numbers)


class _Met:
    """What games met, by number: a number comes once for each time, or for each game."""

    def __init__(self) -> None:
        self.lost: list[int] = []
        self.won: list[int] = []

    def counted(self) -> list[tuple[int, int, int]]:
        """Each number, how often it was met, and how often in games that were won."""
        lost, won = Counter(self.lost), Counter(self.won)
        return [(number, lost[number] + won[number], won[number]) for number in {**lost, **won}]


class CloseCollector(Collector):
    """Games that are watched closely: rules, rows, options, chance and tracks by round besides."""

    _game: CountedGame

    def __init__(self, game: CountedGame) -> None:
        super().__init__(game)
        self._start = list(game.hits), list(game.came), list(game.acted)
        self._numbers = range(len(game.hits))
        self._places = range(len(game.sorts))
        self._sites: list[int] = []
        self._things = _Met()
        self._options = _Options(game)
        self._taken = _Met()
        self._taken_games: list[int] = []
        self._sampled = game.program.sampled
        self._by_round: list[list[list[Any]]] = [[] for _ in self._sampled]
        self._uses: dict[str, int] = {}
        self._used: list[str] = []

    def add(self, outcome: str) -> bool:
        game = self._game
        won = super().add(outcome)
        # Numbers that have not moved are the very same.
        self._sites.extend(compress(self._numbers, map(is_not, game.hits, game.before)))
        if len(self._places) < len(game.sorts):
            self._places = range(len(game.sorts))
        met = set(compress(self._places, map(is_not, game.came, game.came_before)))
        met.update(compress(self._places, map(is_not, game.acted, game.acted_before)))
        taken = list(map(self._options.__getitem__, zip(game.points, game.keys, strict=True)))
        self._taken_games.extend(set(taken))
        if won:
            self._things.won.extend(met)
            self._taken.won.extend(taken)
        else:
            self._things.lost.extend(met)
            self._taken.lost.extend(taken)
        for games, kept in zip(self._by_round, game.rounds, strict=True):
            games.append(kept[:ROUNDS_KEPT])
        uses = self._uses
        for name, times in game.uses.items():
            uses[name] = uses.get(name, 0) + times
            self._used.append(name)
        return won

    def settle(self) -> Tally:
        tally, game = super().settle(), self._game
        tally.watched = tally.games - tally.errors
        tally.watched_wins = tally.wins
        for number, games in Counter(self._sites).items():
            tally.hits[number] = game.hits[number] - self._start[0][number]
            tally.hit_games[number] = games
        for sort, (came, acted) in game.things_since(*self._start[1:]).items():
            tally.came[sort], tally.acted[sort] = came, acted
        for number, games, won in self._things.counted():
            if sort := game.sorts[number]:
                tally.thing_games[sort] = games
                tally.thing_wins[sort] = won
        for track, kept in zip(self._sampled, self._by_round, strict=True):
            tally.track_rounds.update(by_round(track, kept))
        tally.offered.update(game.take_offered())
        names = self._options.names
        for number, times, won in self._taken.counted():
            tally.taken[names[number]] = times
            if won:
                tally.taken_wins[names[number]] = won
        for number, games in Counter(self._taken_games).items():
            tally.option_games[names[number]] = games
        tally.streams.update(self._uses)
        tally.stream_games = Counter(self._used)
        return tally


def by_round(track: Sampled, games: list[list[Any]]) -> Counts:
    """How often a track stood where when each round began, from where it stood in each game."""
    made: Counts = Counter()
    for number, values in enumerate(zip_longest(*games), 1):
        told = chain.from_iterable(filter(None, values)) if track.many else values
        for value, times in Counter(told).items():
            if value is not None:
                made[track.name, number, value] = times
    return made


def counted(values: tuple[Any, ...]) -> Counts:
    """How often each value is among others; those that cannot be told apart otherwise are told apart by their texts."""
    try:
        return Counter(values)
    except TypeError:
        return Counter(map(plain, values))


def story_pages(game: NotedGame, pages: tuple[int, ...]) -> tuple[str, ...]:
    """The pages of a game by name in order; one entered twice without leaving it counts once."""
    names = [game.layout.things[page].id for page in pages]
    # The first page is set before the game begins, and then played.
    return tuple(names[1:] if len(names) > 1 and names[0] == names[1] else names)


def plain(value: Any) -> Any:
    """A measure as a number or a text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, (int, float)) else str(value)
