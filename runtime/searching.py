"""Bots that look ahead in worlds they cannot tell from the real one: one step, or a Monte-Carlo search.

Every option is tried in the same worlds, so that what one option gains by luck the others gain too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from time import monotonic
from typing import Any

from talewright.runtime.bots import Bot
from talewright.runtime.dealing import Deal
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.glimpsing import can_glimpse, glimpse
from talewright.runtime.hints import Hints, pick_by
from talewright.runtime.imagining import ImaginedGame, plain_program
from talewright.runtime.marking import Marked
from talewright.runtime.winning import has_won

WORLDS = 6
# Imagined games a decision, and at least so many an option.
ITERATIONS = 48
LEAST = 4
# An imagined game is left at the start of a round, and after so many decisions in any case; its score is taken there.
ROUNDS = 2
DEPTH = 40
# So many decisions after the first are searched, the rest is played at random.
TREE = 2
CURIOSITY = 0.4
# How much of a game's worth is its score right after the option, before chance and random play blur it.
SOON = 0.5
# What the package's hints are worth before an option has been tried often.
BIAS = 0.3


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
        self._decision: Decision | None = None
        self._before = (0, -1)
        self._hints: Hints | None = None

    def begin(self, decision: Decision) -> ImaginedGame:
        """A second game of the same program, standing at the decision."""
        # One object may be asked again; how much was decided before tells one question from the next.
        before = decision.game.seed, len(decision.game.log)
        if self._decision is not decision or self._before != before:
            self._decision, self._before = decision, before
            self._imagined = _shared(plain_program(decision.game.program))
            self._seats = self.seats(decision)
            self._score, self._against = whose_score(decision)
            self._imagined.stand_at(decision.game)
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
        if self._score is None:
            return None
        try:
            made = game.space[f"V{self._score}"]()
        except (Fault, TypeError, ZeroDivisionError, IndexError, KeyError, ValueError, AttributeError):
            # While the table is being set, much that the score asks for is not there yet.
            return None
        return float(made) if isinstance(made, (int, float)) else None

    def appeal(self, decision: Decision) -> list[float]:
        """How much the package's hints favour each option."""
        game = decision.game
        if self._hints is None or self._hints.game is not game:
            self._hints = Hints(game)
        weights = None
        point = decision.id.partition("#")[0]
        if self._hints.speak_of(point):
            # A hint may look at anything: what it sees of hidden things must not be as it is.
            deal = Deal(game, self.seats(decision))
            if can_glimpse(game, deal):
                weights = self._glimpsed_appeal(self._hints, decision, deal)
            else:
                weights = self._imagined_appeal(decision)
        return weights or [1.0] * len(decision.options)

    def _glimpsed_appeal(self, hints: Hints, decision: Decision, deal: Deal) -> list[float] | None:
        by = decision.seat if isinstance(decision.seat, int) else list(decision.seat)
        values = [option if callable(option.value) else option.value for option in decision.options]
        labels = [value for value in values if type(value) is int and value >= 0]
        with glimpse(decision.game, deal, self.draw) as swapped:
            return hints.weights(decision.id.partition("#")[0], by, values, labels, swapped)

    def _imagined_appeal(self, decision: Decision) -> list[float] | None:
        imagined = self.begin(decision)
        weights: list[float] | None = None

        def steer(id_: str, by: Any, options: Sequence[Any]) -> int:
            nonlocal weights
            weights = imagined.hints.weights(id_, by, options, imagined.labels)
            imagined.leave()

        if imagined.can_deal:
            imagined.imagine(steer, world=(self._seats, self.draw))
        return weights

    def try_option(
        self,
        decision: Decision,
        index: int,
        draw: Random,
        following: Callable[[str, Any, Sequence[Any]], int],
    ) -> Seen:
        """Imagines one option in one world; `following` decides what comes after it."""
        imagined = self.begin(decision)
        begun = False

        def steer(id_: str, by: Any, options: Sequence[Any]) -> int:
            nonlocal begun
            if not begun:
                begun = True
                return index
            return following(id_, by, options)

        try:
            outcome = imagined.imagine(steer, self.score, (self._seats, draw))
        except Fault:
            # Whether the game itself breaks there is for the game to show: here it is left.
            return Seen(False, False, self.score(imagined))
        if outcome is None:
            return Seen(False, False, imagined.seen)
        won = has_won(imagined, outcome) != self._against
        return Seen(won, not won, self.score(imagined))


@dataclass(frozen=True, slots=True)
class Seen:
    """How an imagined game went: won, lost, or left, and the score it had then."""

    won: bool
    lost: bool
    score: float | None


class Greedy(LookingAhead):
    """Takes the option after which the package's own score is best, on average over a few worlds."""

    # Where no option ends in different ways in so many worlds, the others are not looked at.
    enough = 1 << 30

    def choose(self, decision: Decision) -> int:
        if whose_score(decision)[0] is None:
            raise Fault("R11", "the greedy bot needs a `value score` without parameters in the package")
        among = self.best(decision, range(len(decision.options)))
        if len(among) > 1:
            among = most_appealing(self.appeal(decision), among)
        return among[int(self.draw.random() * len(among))]

    def best(self, decision: Decision, among: Sequence[int]) -> list[int]:
        """Those of some options after which the score is best."""
        worlds = self.iterations or WORLDS
        seeds = [self.draw.getrandbits(62) for _ in range(worlds)]
        imagined = self.begin(decision)
        if not imagined.can_deal:
            # Nobody may look further in the world as it is.
            return list(among)

        def next_decision(id_: str, by: Any, options: Sequence[Any]) -> int:
            imagined.leave()

        def worth(index: int, seed: int) -> float:
            seen = self.try_option(decision, index, Random(seed), next_decision)
            return (seen.score or 0.0) + (1e6 if seen.won else 0.0) - (1e6 if seen.lost else 0.0)

        # What is paid changes nothing that anybody could not foresee.
        enough = 1 if decision.form == "pay" and self.enough < worlds else self.enough
        rated = {index: [worth(index, seed) for seed in seeds[:enough]] for index in among}
        if any(len(set(seen)) > 1 for seen in rated.values()):
            for index, seen in rated.items():
                seen += [worth(index, seed) for seed in seeds[enough:]]
        means = {index: sum(seen) / len(seen) for index, seen in rated.items()}
        top = max(means.values())
        return [index for index, mean in means.items() if mean == top]


class Guided(Greedy):
    """Takes what the package's hints favour most, and asks the score only where they favour nothing."""

    enough = 2

    def choose(self, decision: Decision) -> int:
        weights = self.appeal(decision)
        among = most_appealing(weights, range(len(weights)))
        if len(among) == len(weights) > 1 and whose_score(decision)[0] is not None:
            among = self.best(decision, among)
        return among[int(self.draw.random() * len(among))]


def most_appealing(weights: Sequence[float], among: Sequence[int]) -> list[int]:
    """Those of some options that weigh most."""
    most = max(weights[index] for index in among)
    return [index for index in among if weights[index] == most]


class _Edge:
    """One option of a decision: how often it was offered and tried, how that went, and what was decided after it."""

    __slots__ = ("available", "left", "lost", "lost_score", "nodes", "score", "visits", "won")

    def __init__(self) -> None:
        self.available = self.visits = self.won = self.lost = self.left = 0
        self.score = self.lost_score = 0.0
        self.nodes: dict[Any, dict[Any, _Edge]] = {}

    def add(self, seen: Seen) -> None:
        """One more imagined game."""
        self.visits += 1
        if seen.won:
            self.won += 1
        elif seen.lost:
            self.lost += 1
            self.lost_score += seen.score or 0.0
        else:
            self.left += 1
            self.score += seen.score or 0.0


class Searcher(LookingAhead):
    """Information-set Monte-Carlo search.

    The options are tried in the same worlds, a few at first; the better half goes on into more of them, until one is
    left. What is decided next is searched by a tree over all those worlds, and the rest is played at random.
    """

    def choose(self, decision: Decision) -> int:
        count = len(decision.options)
        until = monotonic() + self.seconds if self.seconds > 0 else None
        budget = self.iterations or max(ITERATIONS, LEAST * count)
        edges = [_Edge() for _ in range(count)]
        self._low, self._high = float("inf"), float("-inf")
        weights = self.appeal(decision)
        bias = [BIAS * weight / max(weights) for weight in weights]
        left = [index for index in range(count) if weights[index] > 0]
        if len(left) == 1:
            return left[0]
        if not self.begin(decision).can_deal:
            # Nobody may look further in the world as it is: what is known is what the package says.
            return pick_by(weights, self.draw.random)
        rounds = max(1, (len(left) - 1).bit_length())
        while True:
            worlds = max(1, budget // (rounds * len(left)))
            for _ in range(worlds):
                seed = self.draw.getrandbits(62)
                for index in left:
                    edges[index].add(self._iterate(decision, index, Random(seed), edges[index]))
                if until is not None and monotonic() >= until:
                    break
            left.sort(key=lambda index: -self._value(edges[index]) - bias[index] / (1 + edges[index].visits))
            out_of_time = until is not None and monotonic() >= until
            if out_of_time or (len(left) <= 2 and until is None):
                return left[0]
            left = left[: max(2, (len(left) + 1) // 2)]

    def _iterate(self, decision: Decision, index: int, draw: Random, edge: _Edge) -> Seen:
        imagined = self.begin(decision)
        state, rounds = imagined.space["S"], imagined.layout.scalars["rounds"]
        stop = len(decision.game.log) + DEPTH
        until = decision.game.space["S"][rounds] + ROUNDS
        mine = self._seats
        hints = imagined.hints
        path: list[_Edge] = []
        last: _Edge | None = edge
        soon: float | None = None

        def at_random(count: int) -> int:
            if len(imagined.log) > stop or state[rounds] >= until:
                imagined.leave()
            return int(draw.random() * count)

        def following(id_: str, by: Any, options: Sequence[Any]) -> int:
            nonlocal last, soon
            if soon is None:
                soon = self.score(imagined)
            if last is None or len(path) >= TREE:
                if not hints:
                    imagined.quick = at_random
                    return at_random(len(options))
                weights = hints.weights(id_, by, options, imagined.labels)
                chosen = at_random(len(options))
                return chosen if weights is None else pick_by(weights, draw.random)
            deciders = by if isinstance(by, list) else [by]
            if not any(seat in mine for seat in deciders):
                return at_random(len(options))
            node = last.nodes.setdefault(id_, {})
            keys = [option_key(imagined, deciders, option) for option in options]
            weights = hints.weights(id_, by, options, imagined.labels) if hints else None
            taken, fresh = self._descend(node, keys, weights or [1.0] * len(keys), draw)
            path.append(node[keys[taken]])
            last = None if fresh else path[-1]
            return taken

        seen = self.try_option(decision, index, draw, following)
        if soon is not None and seen.score is not None:
            seen = Seen(seen.won, seen.lost, SOON * soon + (1 - SOON) * seen.score)
        if seen.score is not None:
            self._low, self._high = min(self._low, seen.score), max(self._high, seen.score)
        for one in path:
            one.add(seen)
        return seen

    def _descend(
        self, node: dict[Any, _Edge], keys: Sequence[Any], weights: Sequence[float], draw: Random
    ) -> tuple[int, bool]:
        """The option to follow, and whether it is tried for the first time; the most appealing are tried first."""
        for key in dict.fromkeys(keys):
            node.setdefault(key, _Edge()).available += 1
        worth = [i for i, weight in enumerate(weights) if weight > 0]
        untried = [i for i in worth if not node[keys[i]].visits]
        if untried:
            most = max(weights[i] for i in untried)
            among = [i for i in untried if weights[i] == most]
            return among[int(draw.random() * len(among))], True
        most = max(weights)
        return max(worth, key=lambda i: self._promise(node[keys[i]], weights[i] / most)), False

    def _promise(self, edge: _Edge, favour: float) -> float:
        curiosity = CURIOSITY * sqrt(log(edge.available) / edge.visits)
        return self._value(edge) + curiosity + BIAS * favour / (1 + edge.visits)

    def _value(self, edge: _Edge) -> float:
        """Between 0 and 1: a win is worth 1, a game not decided yet up to two thirds, one lost up to a third."""
        if not edge.visits:
            return 0.0
        width = self._high - self._low
        if width <= 0:
            return (edge.won + edge.left / 3) / edge.visits
        left = edge.left / 3 + (edge.score - edge.left * self._low) / width / 3
        lost = (edge.lost_score - edge.lost * self._low) / width / 3
        return (edge.won + left + lost) / edge.visits


_GAMES: dict[int, ImaginedGame] = {}


def _shared(program: Any) -> ImaginedGame:
    """One imagined game for all bots of a program: they take turns."""
    found = _GAMES.get(id(program))
    if found is None or found.program is not program:
        _GAMES.clear()
        found = _GAMES[id(program)] = ImaginedGame(program)
    return found


def whose_score(decision: Decision) -> tuple[int | None, bool]:
    """The number of the value that tells how the game stands for those who decide, and whether they play against it.

    `score` is everybody's, but a role with a `score_ROLE` of its own plays against the rest: their victory is its defeat.
    """
    program, layout = decision.game.program, decision.game.layout
    seat = decision.seat if isinstance(decision.seat, int) else decision.seat[0]
    role = layout.things[seat].kind if seat is not None else ""
    for name in (f"score_{snake(role)}", "score"):
        value = program.values.get(name)
        if value is not None and not value["params"]:
            return program.value_number(name), name != "score"
    return None, False


def snake(name: str) -> str:
    """The name of a kind as a value may have it: `GameMaster` as game_master."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def option_key(game: ImaginedGame, seats: Sequence[int], option: Any) -> Any:
    """An option as those who decide see it, the same in every world."""
    if isinstance(option, tuple) and len(option) == 2 and isinstance(option[0], list):
        return option[0][2], tuple(option_key(game, seats, value) for value in option[1])
    if type(option) is Marked:
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
