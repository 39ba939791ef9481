"""Adds up the games of a chunk as one process counts quickest; names come at the end."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from operator import add, ne
from typing import Any

from talewright.report.playtest.tally import Counts, Tally
from talewright.runtime.countcode import ACTED
from talewright.runtime.counting import CountedGame, UsesGame
from talewright.runtime.winning import has_won

ROUNDS_KEPT = 400


class Collector:
    """Games of one chunk: how they went, and what became of the things in them.

    Games that failed count as failed and nothing else.
    """

    def __init__(self, game: UsesGame) -> None:
        self._game = game
        self._tally = Tally()
        content, scalars = game.program.content, game.layout.scalars
        self.track_names = [t["id"] for t in content["tracks"]]
        self._cells = [scalars[f"track:{name}"] for name in self.track_names]
        self._rounds_cell = scalars["rounds"]
        self._measured = [m["id"] for m in content["measures"]]
        self._won: dict[str, bool] = {}
        self._start = list(game.hits)
        self._lengths: list[int] = []
        self._rounds: list[int] = []
        self._ends: list[tuple[int, ...]] = []
        self._values: list[list[Any]] = [[] for _ in self._measured]
        measures = (game.space[f"ME{n}"] for n in range(len(self._measured)))
        self._notes = [(kept.append, measure) for kept, measure in zip(self._values, measures, strict=True)]
        self._ways: dict[tuple[str, tuple[int, ...]], int] = {}

    def add(self, outcome: str) -> bool:
        """Adds the game that has just ended; says whether it was won."""
        game = self._game
        won = self._won.get(outcome)
        if won is None:
            won = self._won[outcome] = has_won(game, outcome)
        state = game.space["S"]
        self._lengths.append(len(game.log))
        self._rounds.append(state[self._rounds_cell])
        self._ends.append(tuple([state[cell] for cell in self._cells]))
        for note, measure in self._notes:
            note(measure())
        way = outcome, tuple(game.pages)
        self._ways[way] = self._ways.get(way, 0) + 1
        return won

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
        tally.games += len(self._lengths)
        tally.decisions = Counter(self._lengths)
        tally.rounds = Counter(self._rounds)
        for place, name in enumerate(self.track_names):
            for value, times in Counter(end[place] for end in self._ends).items():
                tally.tracks[name, value] = times
        for name, values in zip(self._measured, self._values, strict=True):
            for value, times in Counter(map(_plain, values)).items():
                tally.measures[name, value] = times
        for (outcome, pages), times in self._ways.items():
            self._add_pages(outcome, story_pages(game, pages), times)
        # Of things made in play, some may be new.
        self._start += [0] * (len(game.hits) - len(self._start))
        first = game.first_slot
        for sort, now, then in zip(game.sorts, game.hits[first:], self._start[first:], strict=True):
            if sort and now != then:
                tally.acted[sort], tally.came[sort] = divmod(now - then, ACTED)
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


class _Names(dict[tuple[int, Any], tuple[int, str]]):
    """Options by name: copies of a thing are one option."""

    def __init__(self, game: CountedGame) -> None:
        self._game = game

    def __missing__(self, key: tuple[int, Any]) -> tuple[int, str]:
        made = self[key] = (key[0], self._game.option_name(*key))
        return made


class CloseCollector(Collector):
    """Games that are watched closely: rules, rows, options, chance and tracks by round besides."""

    _game: CountedGame

    def __init__(self, game: CountedGame) -> None:
        super().__init__(game)
        self._met = [0] * len(game.hits)
        self._met_won = [0] * len(game.hits)
        self._by_round: list[Counts] = [Counter() for _ in self._cells]
        self._taken: Counts = Counter()
        self._taken_won: Counts = Counter()
        self._taken_games: Counts = Counter()
        self._named = _Names(game)
        self._uses: dict[str, int] = {}
        self._used: list[str] = []

    def add(self, outcome: str) -> bool:
        game = self._game
        won = super().add(outcome)
        hits, before = game.hits, game.before
        for numbers in (self._met, self._met_won) if len(self._met) < len(hits) else ():
            numbers += [0] * (len(hits) - len(numbers))
        self._met[:] = map(add, self._met, map(ne, hits, before))
        if won:
            self._met_won[:] = map(add, self._met_won, map(ne, hits, before))
        for counted, kept in zip(self._by_round, game.rounds, strict=True):
            counted.update(enumerate(kept[:ROUNDS_KEPT], 1))
        taken = game.taken
        self._taken.update(taken)
        self._taken_games.update(set(map(self._named.__getitem__, taken)))
        if won:
            self._taken_won.update(taken)
        uses = self._uses
        for name, times in game.uses.items():
            uses[name] = uses.get(name, 0) + times
            self._used.append(name)
        return won

    def settle(self) -> Tally:
        tally, game = super().settle(), self._game
        tally.watched = tally.games - tally.errors
        tally.watched_wins = tally.wins
        for number, (met, won) in enumerate(zip(self._met, self._met_won, strict=True)):
            if not met:
                continue
            if number < game.first_slot:
                tally.hits[number] = game.hits[number] - self._start[number]
                tally.hit_games[number] = met
            elif sort := game.sorts[number - game.first_slot]:
                tally.thing_games[sort] = met
                tally.thing_wins[sort] = won
        for name, counted in zip(self.track_names, self._by_round, strict=True):
            tally.track_rounds.update({(name, *key): times for key, times in counted.items()})
        tally.offered.update(game.take_offered())
        tally.option_games = self._taken_games
        for kept, counted in ((tally.taken, self._taken), (tally.taken_wins, self._taken_won)):
            for option, times in counted.items():
                kept[self._named[option]] += times
        tally.streams.update(self._uses)
        tally.stream_games = Counter(self._used)
        return tally


def story_pages(game: UsesGame, pages: tuple[int, ...]) -> tuple[str, ...]:
    """The pages of a game by name in order; one entered twice without leaving it counts once."""
    names = [game.layout.things[page].id for page in pages]
    # The first page is set before the game begins, and then played.
    return tuple(names[1:] if len(names) > 1 and names[0] == names[1] else names)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
