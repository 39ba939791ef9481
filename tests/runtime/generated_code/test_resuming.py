"""Going on from a decision is the same game as going up to it: every bundled game, and one made of every construct."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.imagining import ImaginedGame
from talewright.runtime.program import Program
from talewright.runtime.resuming import Moment, Moments
from talewright.runtime.session import Leave, Session, Undo
from talewright.runtime.standing import table
from tests.runtime.small_games import document
from tests.runtime.test_bundled_games import GAMES, _document, _named

Case = tuple[str, str | None, int, dict[str, Any]]
# One of each package that plays by itself.
CASES: list[Case] = [*{case[0]: case for case in reversed(GAMES)}.values(), ("salem/night", None, 3, {})]
LONG = 60

# Decisions asked from everywhere: rules before, after and instead; hooks, periods, state rules, effects, blocks, loops.
EVERYWHERE = """
role Player is Thing named player
kind Scene is Chapter
Scene here "Here"
Ending done_with "Done"

kind Card:
    rank: int = 1
    notch: int = 0 per resolve
    in force while self in worn
    does: effect
Card ace "Ace":
    rank: 4
    does:
        choose n from (1..3) by player "Ace?"
        log + n
    before resolve c:
        player may "Whet": c.notch + 1
Card king "King":
    rank: 3
    does:
        mark 2
        more_than_once 2:
            choose t from (1..2) by player "Twice?"
            mark t
    after resolve c:
        choose m from (1..2) by player "King?"
        mark m
Card queen "Queen":
    rank: 2
    instead of mark n:
        choose k from (1..2) by player "Queen?"
        as usual with n = n + k
Card pawn "Pawn" * 3:
    does: mark 1
deck stock of Card face_down = all Card
pile hand of Card face_up
pile worn of Card
pile spent of Card

state log: int = 0
state seen: int = 0 per turn
state turns: int = 0
state wild: yes | no = no
state blessings: int = 3
anytime by player when blessings > 0 and log % 5 == 0: spend_blessing
period feast while log % 7 >= 4
at start of feast:
    choose one by player "Feast?":
        "Eat" -> log + 2
        "Drink" -> mark 1
at end of feast: log + 1
when wild becomes true:
    wild = no
    choose w from (1..3) by player "Wild?"
    log + w
track doom 0..9 start 0:
    at 3, 6: choose_doom
    above 9: go to done_with

menu doing: pass "Enough"
offer "Dig" in doing when log < 90: mark 1
offer "Play {c.title}" in doing: resolve c

action spend_blessing:
    blessings - 1
    log + 10
action choose_doom:
    choose d from (1..4) by player "Doom?"
    log + d
action mark n: int:
    requires n > 0
    log + n
    seen + 1
    if log % 11 == 0: wild = yes
action more_than_once n: int using what: effect:
    repeat n times:
        do what
        player may "Once more": do what
action resolve c: Card:
    requires c in hand
    until end of resolve:
        after mark n:
            player may "Echo": log + n
    do c.does
    choose one by player "Where to?":
        "Wear it" -> move c to worn
        "Spend it" -> move c to spent
    together:
        mark c.notch
        choose e from (1..2) by player "Within?"
        log + e
action cast:
    let pool = do roll 4 * d6
    choose up to 2 again from pool by player "Which dice again?"
    reroll again
    log + count(pool where it >= 5)
action clear_up:
    for each c in worn, chosen by player:
        if c.rank > 2:
            player may "Keep {c.title}": log + 1
        otherwise:
            move c to spent
    choose 2 cs from Card in hand by player "Lay off?"
    move each cs to spent
action turn:
    turns + 1
    doom + 1
    draw 2 from stock into hand
    choose 9 best from Card in hand having highest it.rank % 2 by player "Best?"
    log + count(best)
    open doing by player "What now?" until passed
    if turns % 2 == 0: cast
    if turns % 3 == 0: clear_up
    until end of next turn:
        modify pace: + 1
    log + pace
value pace: int = 1
action game:
    repeat while turns < 8:
        turn
        if count(stock) < 2: go to done_with
    go to done_with
"""


class Enough(BaseException):
    """Seen enough of a long game."""


def chooser(seed: int) -> Callable[[Decision], int]:
    """Any option; nobody runs away from a game at once."""
    draw = Random(seed).random

    def choose(decision: Decision) -> int:
        if "flee" in decision.prompt:
            return 1
        return int(draw() * len(decision.options))

    return choose


def seen_at(decision: Decision) -> tuple[Any, ...]:
    """All that must be the same again."""
    game = decision.game
    names = tuple((option.id, option.text()) for option in decision.options)
    return decision.id, decision.seat, names, decision.prompt, table(game), list(game.log), list(game.said)


class Tape:
    """A game played once, with every position it stood at; then from any of them again."""

    def __init__(self, program: Program, chapter: str | None, seed: int) -> None:
        self.game = Game(program, seed, self.first_time, resumable=True)
        self.moments = Moments(self.game)
        self.choose = chooser(seed)
        self.trail: list[tuple[Any, ...]] = []
        self.taken: list[int] = []
        self.kept: dict[int, tuple[Moment, tuple[Any, ...]]] = {}
        self.outcome = self.played(lambda: self.game.run(chapter))

    def first_time(self, decision: Decision) -> int:
        number = len(self.trail)
        self.trail.append(seen_at(decision))
        if number == LONG:
            raise Enough
        self.keep(number)
        self.taken.append(self.choose(decision))
        return self.taken[-1]

    def keep(self, number: int) -> None:
        asking = sys._getframe(2)
        moment = self.moments.take(asking.f_back)
        if moment is not None:
            names = asking.f_locals
            self.kept[number] = moment, tuple(names[n] for n in ("id_", "by", "options", "prompt", "form"))

    def played(self, play: Callable[[], Any]) -> str:
        try:
            return str(play())
        except Enough:
            return "enough"
        except Fault as fault:
            return str(fault)

    def again(self, number: int, retake: int) -> None:
        """Goes on from a decision and compares the whole rest; positions on the way are kept anew."""
        at = number
        moment, asked = self.kept[number]

        def follow(decision: Decision) -> int:
            nonlocal at
            assert seen_at(decision) == self.trail[at]
            if at == LONG:
                raise Enough
            if at % retake == 0:
                self.keep(at)
            at += 1
            return self.taken[at - 1]

        self.game.agent = follow
        made = self.played(lambda: self.moments.go_on(moment, self.game.decide, asked))
        assert (made, at) == (self.outcome, len(self.taken))


def check(program: Program, chapter: str | None, seed: int, every: int) -> Tape:
    tape = Tape(program, chapter, seed)
    order = list(tape.kept)[::every]
    Random(seed).shuffle(order)
    for number in order:
        tape.again(number, 3)
    return tape


@pytest.mark.parametrize("case", CASES, ids=_named)
@pytest.mark.unwatched
def test_a_bundled_game_goes_on_from_its_decisions(case: Case) -> None:
    package, chapter, players, options = case
    tape = check(Program(_document(package), options, players), chapter, 3, 15)
    assert not tape.moments.refused


@pytest.mark.parametrize("seed", range(6))
def test_decisions_are_gone_on_from_wherever_they_are_asked(seed: int) -> None:
    tape = check(Program(document(EVERYWHERE)), None, seed, 3)
    assert not tape.moments.refused
    assert len(tape.taken) > 12


def test_a_traced_game_goes_on_too() -> None:
    tape = check(Program(document(EVERYWHERE), traced=True), None, 1, 4)
    assert not tape.moments.refused


# ------------------------------------------------------------------ undo
class Person:
    """Takes the last option, but does something else the n-th time it is asked."""

    person = True

    def __init__(self, surprises: dict[int, BaseException]) -> None:
        self.surprises = surprises
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, decision: Decision) -> int:
        self.asked.append(seen_at(decision))
        if len(self.asked) in self.surprises:
            raise self.surprises[len(self.asked)]
        return len(decision.options) - 1


def undoing(surprises: dict[int, BaseException]) -> tuple[Session, Person]:
    made, person = Session(Program(document(EVERYWHERE)), 4), Person(surprises)
    made.default = person
    with pytest.raises(Leave):
        made.run()
    return made, person


def test_undo_stands_where_it_stood_and_plays_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answered: list[int] = []
    whole = Session._answer

    def answer(self: Session, decision: Decision) -> int:
        answered.append(len(self.decisions))
        return whole(self, decision)

    monkeypatch.setattr(Session, "_answer", answer)
    made, person = undoing({10: Undo(3), 14: Undo(1), 16: Leave()})
    assert answered == [*range(10), 6, 7, 8, 9, 8, 9]
    assert person.asked[10] == person.asked[6]
    assert person.asked[14] == person.asked[12]
    assert len(made.decisions) == 9


def test_undo_plays_up_to_a_decision_that_was_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    surprises: dict[int, BaseException] = {10: Undo(3), 12: Leave()}
    _, kept = undoing(dict(surprises))
    whole = Moments.take

    def take(self: Moments, frame: Any) -> Moment | None:
        return whole(self, frame) if len(self.game.log) < 5 else None

    monkeypatch.setattr(Moments, "take", take)
    made, person = undoing(dict(surprises))
    assert person.asked == kept.asked
    assert max(made.stops.kept) == 4
    monkeypatch.setattr(Moments, "take", lambda self, frame: None)
    made, person = undoing(dict(surprises))
    assert person.asked == kept.asked
    assert not made.stops.kept


def test_an_imagined_game_stands_where_the_game_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(document(EVERYWHERE))
    imagined = ImaginedGame(program)
    found: list[list[Any]] = [[], []]

    def follow(numbers: list[Any]) -> None:
        draw = Random(1).random

        def agent(decision: Decision) -> int:
            imagined.stand_at(decision.game)
            options: list[int] = []

            def steer(id_: str, by: Any, offered: Any) -> int:
                options.append(len(offered))
                assert table(imagined)[1:11] == table(decision.game)[1:11]
                numbers.append(len(imagined.log))
                imagined.leave()

            imagined.imagine(steer)
            assert options == [len(decision.options)]
            assert numbers[-1] == len(decision.game.log)
            return int(draw() * len(decision.options))

        Game(program, 2, agent).run()

    follow(found[0])
    whole = Moments.take
    monkeypatch.setattr(
        Moments, "take", lambda self, frame: whole(self, frame) if len(self.game.log) % 4 else None
    )
    follow(found[1])
    assert found[0] == found[1]


def test_a_game_of_a_class_that_was_typed_in_is_played_without_ways_back() -> None:
    """Code of no file cannot be read again: where it stands on the stack, there is no way back, and no error."""
    space: dict[str, Any] = {"Game": Game}
    exec(
        "class Typed(Game):\n    def ask_menu(self, *asked):\n        return super().ask_menu(*asked)\n",
        space,
    )
    refused: dict[str, int] = {}

    def look(decision: Decision) -> int:
        moments = Moments(decision.game)
        assert moments.take(sys._getframe(1).f_back) is None
        refused.update(moments.refused)
        raise Enough

    made = space["Typed"](Program(document(EVERYWHERE)), 1, look, resumable=True)
    with pytest.raises(Enough):
        made.run()
    assert list(refused) == ["<string> ask_menu"]
