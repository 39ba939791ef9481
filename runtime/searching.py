"""Bots that look ahead in worlds they cannot tell from the real one: one step, or a Monte-Carlo search."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from time import monotonic
from typing import Any

from talewright.runtime.bots import Bot
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.imagining import Enough, ImaginedGame, plain_program
from talewright.runtime.winning import has_won

WORLDS = 6
ITERATIONS = 60
# How far beyond the decision a game is imagined before its score is taken.
DEPTH = 60
CURIOSITY = 0.7
SCORE_WEIGHT = 0.5


class LookingAhead(Bot):
    """What bots share that imagine the game from a decision on."""

    def __init__(
        self,
        seed: int,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        apart: bool = False,
    ) -> None:
        self.draw = Random(seed)
        self.iterations = iterations
        self.seconds = seconds
        self.apart = apart
        self._imagined: ImaginedGame | None = None

    def imagined(self, game: Game) -> ImaginedGame:
        """A second game of the same program."""
        program = plain_program(game.program)
        if self._imagined is None or self._imagined.program is not program:
            self._imagined = _shared(program)
        return self._imagined

    def seats(self, decision: Decision) -> list[int]:
        """Whose knowledge counts: the whole team's when it plans together, else that of those who decide."""
        mine = [decision.seat] if isinstance(decision.seat, int) else list(decision.seat)
        if self.apart:
            return mine
        found = list(mine)
        for team in decision.game.program.content["teams"]:
            members = team_members(decision.game, team)
            if any(seat in members for seat in mine):
                found += [seat for seat in members if seat not in found]
        return found

    def score(self, game: ImaginedGame) -> float | None:
        """What the package says a position is worth."""
        number = score_number(game)
        if number is None:
            return None
        made = game.space[f"V{number}"]()
        return float(made) if isinstance(made, (int, float)) else None

    def try_option(
        self, decision: Decision, index: int, draw: Random, following: Any
    ) -> tuple[bool, float | None, str | None]:
        """Imagines one option in one world; `following` decides what comes after it."""
        game = decision.game
        imagined = self.imagined(game)
        imagined.stand_at(game)
        seats = self.seats(decision)
        begun = False
        seen: list[float | None] = [None]

        def steer(id_: str, by: Any, options: Sequence[Any]) -> int:
            nonlocal begun
            if not begun:
                begun = True
                imagined.deal_anew(seats, draw)
                return index if index >= 0 else int(following(id_, by, options))
            try:
                return int(following(id_, by, options))
            except Enough:
                seen[0] = self.score(imagined)
                raise

        outcome = imagined.imagine(steer)
        if outcome is None:
            return False, seen[0], None
        return has_won(imagined, outcome), self.score(imagined), outcome


class Greedy(LookingAhead):
    """Takes the option after which the package's own score is best, on average over a few worlds."""

    def choose(self, decision: Decision) -> int:
        if score_number(decision.game) is None:
            raise Fault("R11", "the greedy bot needs a `value score` without parameters in the package")
        worlds = self.iterations or WORLDS
        seeds = [self.draw.getrandbits(62) for _ in range(worlds)]
        best: list[tuple[float, int]] = []

        def next_decision(id_: str, by: Any, options: Sequence[Any]) -> int:
            raise Enough

        for index in range(len(decision.options)):
            total = 0.0
            for seed in seeds:
                won, score, outcome = self.try_option(decision, index, Random(seed), next_decision)
                total += (
                    (score or 0.0) + (1e6 if won else 0.0) - (1e6 if outcome is not None and not won else 0.0)
                )
            best.append((total / worlds, index))
        top = max(value for value, _ in best)
        among = [index for value, index in best if value == top]
        return among[int(self.draw.random() * len(among))]


class _Node:
    """A decision as its decider sees it: what was tried there and how it went."""

    __slots__ = ("edges",)

    def __init__(self) -> None:
        self.edges: dict[Any, _Edge] = {}


class _Edge:
    """One option of a node."""

    __slots__ = ("available", "node", "score", "scored", "visits", "wins")

    def __init__(self) -> None:
        self.available = 0
        self.visits = 0
        self.wins = 0
        self.score = 0.0
        self.scored = 0
        self.node: dict[Any, _Node] = {}


class Searcher(LookingAhead):
    """Information-set Monte-Carlo tree search; one tree over all the worlds that the decider holds possible."""

    def choose(self, decision: Decision) -> int:
        root = _Node()
        self._low, self._high = float("inf"), float("-inf")
        until = monotonic() + self.seconds if self.seconds > 0 else None
        iterations = self.iterations or (
            10**9 if until is not None else max(ITERATIONS, 4 * len(decision.options))
        )
        for _ in range(iterations):
            self._iterate(decision, root)
            if until is not None and monotonic() >= until:
                break
        best = max(root.edges, key=lambda key: (root.edges[key].visits, self._value(root.edges[key]), -key))
        return int(best)

    def _iterate(self, decision: Decision, root: _Node) -> None:
        draw = Random(self.draw.getrandbits(62))
        imagined = self.imagined(decision.game)
        mine = set(self.seats(decision))
        path: list[_Edge] = []
        node: _Node | None = root
        depth = 0

        def following(id_: str, by: Any, options: Sequence[Any]) -> int:
            nonlocal node, depth
            depth += 1
            if depth > DEPTH:
                raise Enough
            deciders = by if isinstance(by, list) else [by]
            if node is None or not any(seat in mine for seat in deciders):
                return int(draw.random() * len(options))
            if path:
                node = path[-1].node.setdefault(id_, _Node())
                keys = [option_key(imagined, deciders, option) for option in options]
            else:
                keys = list(range(len(options)))
            index, fresh = self._descend(node, keys, draw)
            path.append(node.edges[keys[index]])
            if fresh:
                node = None
            return index

        won, score, _ = self.try_option(decision, -1, draw, following)
        # A win is worth more than any score: the score tells apart only what was not won.
        if won:
            score = None
        if score is not None:
            self._low, self._high = min(self._low, score), max(self._high, score)
        for edge in path:
            edge.visits += 1
            edge.wins += won
            if score is not None:
                edge.score += score
                edge.scored += 1

    def _descend(self, node: _Node, keys: Sequence[Any], draw: Random) -> tuple[int, bool]:
        """The option to follow, and whether it is tried for the first time."""
        for key in dict.fromkeys(keys):
            node.edges.setdefault(key, _Edge()).available += 1
        untried = [i for i, key in enumerate(keys) if not node.edges[key].visits]
        if untried:
            return untried[int(draw.random() * len(untried))], True
        return max(range(len(keys)), key=lambda i: self._promise(node.edges[keys[i]])), False

    def _promise(self, edge: _Edge) -> float:
        return self._value(edge) + CURIOSITY * sqrt(log(edge.available) / edge.visits)

    def _value(self, edge: _Edge) -> float:
        if not edge.visits:
            return 0.0
        worth = 0.0
        if edge.scored and self._high > self._low:
            worth = SCORE_WEIGHT * (edge.score - edge.scored * self._low) / (self._high - self._low)
        return (edge.wins + worth) / edge.visits


_GAMES: dict[int, ImaginedGame] = {}


def _shared(program: Any) -> ImaginedGame:
    """One imagined game for all bots of a program: they take turns."""
    found = _GAMES.get(id(program))
    if found is None or found.program is not program:
        _GAMES.clear()
        found = _GAMES[id(program)] = ImaginedGame(program)
    return found


def score_number(game: Game) -> int | None:
    """The number of the value `score`, if the package has one without parameters."""
    value = game.program.values.get("score")
    return game.program.value_number("score") if value is not None and not value["params"] else None


def option_key(game: ImaginedGame, seats: Sequence[int], option: Any) -> Any:
    """An option as those who decide see it, the same in every world."""
    if isinstance(option, tuple) and len(option) == 2 and isinstance(option[0], list):
        return option[0][2], tuple(option_key(game, seats, value) for value in option[1])
    if type(option) is int and 0 <= option < len(game.layout.things):
        space = game.space
        known = space["UP"][option] or all(space["knows"](seat, option) for seat in seats)
        return option if known else ("hidden", space["LOC"][option])
    try:
        hash(option)
    except TypeError:
        return repr(option)
    return option


def team_members(game: Game, team: dict[str, Any]) -> list[int]:
    """The seats of a team."""
    layout = game.layout
    return [t.number for t in layout.things if t.kind in layout.seats and layout.is_a(t.kind, team["role"])]
