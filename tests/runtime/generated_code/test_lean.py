"""Short ways leave no mark: the code that is played and the same code without its short ways play the same games.

The two are compared decision by decision: who is asked what, among how many, and how the table stands. Random and
asked choices have ways of their own through a plain program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.compiler.passes import compile_package
from talewright.runtime.chance import Chance
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.leanasking import OFTEN_TAKEN
from talewright.runtime.program import Program
from talewright.runtime.standing import table

ROOT = Path(__file__).resolve().parents[3]
Case = tuple[str, str | None, int, dict[str, Any]]
GAMES: list[Case] = [
    ("scenarios/salem/night", None, 2, {}),
    ("scenarios/salem/night", None, 3, {"thin_deck": True, "own_nest_first": True}),
    ("scenarios/salem/night", None, 4, {"strict_artefact": True, "dagger_slays_all": True}),
    ("scenarios/blackmere", None, 2, {}),
    ("scenarios/blackmere", None, 3, {"mode": "confrontation", "extra_luck": 3}),
    ("scenarios/dark_rituals/encounters", "yard", 1, {}),
    ("scenarios/brimstone/fistful", None, 2, {}),
    ("bench/games/tictactoe", None, 2, {}),
    ("tests/fixtures/play/island", None, 2, {}),
]
MOST = 250
# Looking at the whole table takes longer than playing on.
LOOK_EVERY = 25


class LongWay(Program):
    """A program that takes no short way."""

    plain = False


class Enough(BaseException):
    """The game has been seen as far as this test wants."""


def _named(case: Case) -> str:
    package, chapter, players, options = case
    return "-".join([package.replace("/", "_"), chapter or "first", str(players), *options])


@cache
def _document(package: str) -> dict[str, Any]:
    result = compile_package(ROOT / package)
    assert result.document is not None
    return result.document


def _standing(game: Game) -> tuple[Any, ...]:
    """All of the table and the rules in force, without the counters of the machinery."""
    state, *rest = table(game)
    machinery = {game.layout.scalars[name] for name in ("check", "steps", "taken")}
    state = tuple(v for n, v in enumerate(state) if n not in machinery)
    rules = tuple(tuple(entry[0] for entry in rules) for rules in game.space["LISTS"].values())
    return tuple(_without_code(part) for part in (state, *rest, rules, tuple(game.space["LOC"])))


def _sometimes(game: Game, trail: list[Any]) -> tuple[Any, ...]:
    return _standing(game) if len(trail) % LOOK_EVERY == 0 else ()


def _without_code(value: Any) -> Any:
    """Functions are numbered as they are written, so the same one has two names."""
    if isinstance(value, tuple):
        return tuple(_without_code(part) for part in value)
    return "code" if callable(value) else value


def _trail(game: Game, play: Callable[[list[Any]], str]) -> list[Any]:
    trail: list[Any] = []
    try:
        trail.append(play(trail))
    except Enough:
        pass
    except Fault as fault:
        trail.append(fault.code)
    trail.append(_standing(game))
    return trail


def _quickly(game: Game, seed: int, chapter: str | None) -> list[Any]:
    draw = Random(seed).random

    def play(trail: list[Any]) -> str:
        def quick(count: int) -> int:
            trail.append((count, _sometimes(game, trail)))
            if len(trail) > MOST:
                raise Enough
            return int(draw() * count)

        game.reset(seed)
        game.quick = quick
        return game.run(chapter)

    return _trail(game, play)


def _asked(game: Game, seed: int, chapter: str | None) -> list[Any]:
    draw = Random(seed).random

    def play(trail: list[Any]) -> str:
        def agent(decision: Decision) -> int:
            trail.append(
                (decision.id, decision.seat, [o.id for o in decision.options], _sometimes(game, trail))
            )
            if len(trail) > MOST:
                raise Enough
            return int(draw() * len(decision.options))

        game.reset(seed)
        game.quick = None
        game.agent = agent
        return game.run(chapter)

    return _trail(game, play)


@pytest.mark.parametrize("case", GAMES, ids=_named)
@pytest.mark.unwatched
def test_short_ways_leave_no_mark(case: Case) -> None:
    package, chapter, players, options = case
    document = _document(package)
    games = [Game(kind(document, options, players)) for kind in (Program, LongWay)]
    for way in (_quickly, _asked):
        for seed in range(3):
            short, long = (way(game, seed, chapter) for game in games)
            assert len(short) > 2
            for number, (one, other) in enumerate(zip(short, long, strict=True)):
                assert one == other, f"seed {seed}, step {number}"


SHUFFLED = """\
role Player 1..1 named player
kind Bead
Bead bead "bead" * 9
state first_bead: Bead or none = none
Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending dusk "Dusk":
    \"\"\"Dusk.\"\"\"
action string_beads:
    let mixed = shuffled(all Bead)
    choose b from {mixed[1], mixed[2]} by player
    first_bead = b
before string_beads: say "Now."
instead of play Chapter c:
    string_beads
    go to dusk
"""


@pytest.mark.parametrize("traced", [False, True])
def test_chance_in_the_first_lines_of_an_action_is_drawn_once(traced: bool) -> None:
    from talewright.compiler.in_memory import compile_text

    document = compile_text(SHUFFLED).document
    assert document is not None
    game = Game(Program(document, None, None, traced=traced), seed=5, agent=lambda decision: 0)
    game.run(None)
    once = Chance(5)
    once.mix("random:shuffled", list(range(9)))
    drawn, expected = (chance.below("random:shuffled", 1 << 30) for chance in (game.space["CHANCE"], once))
    assert drawn == expected


DRAWN = """\
role Player 1..1 named player
kind Card:
    n: int = 0
Card ace "ace" * 3: n: 1
Card king "king" * 3: n: 2
Card wild "wild" * 2: n: 3
deck cards of Card face_down reshuffles from used
pile used of Card
hand few of Card max 2
bag sack of Card
pile many of Card
state seen: int = 0
state bare: int = 0
Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending dusk "Dusk":
    \"\"\"Dusk.\"\"\"
action note c: Card or none:
    if c is none: bare + 1
    otherwise: seen + c.n
action deal:
    let c = do draw from cards into few
    note c
action spill:
    let c = do draw from cards into used
    note c
action grope:
    let c = do draw from sack into few
    note c
action pour:
    let c = do draw from sack into many
    note c
instead of play Chapter c:
    for each x in Card:
        if x.n == 2: move x to sack
        otherwise: move x to cards
    shuffle cards
    repeat 40 times:
        choose n from {1, 2, 3, 4, 5, 6} by player
        if n == 1: deal
        otherwise if n == 2: spill
        otherwise if n == 3: grope
        otherwise if n == 4: pour
        otherwise if n == 5: move each few to used
        otherwise: move each many to sack
    go to dusk
"""


def test_draws_into_a_container_stop_where_there_is_no_room() -> None:
    from talewright.compiler.in_memory import compile_text

    result = compile_text(DRAWN)
    assert result.document is not None, [d.message for d in result.diagnostics]
    games = [Game(kind(result.document, None, 1)) for kind in (Program, LongWay)]
    source = games[0].program.source
    assert source.count("draw_one_into") == 1  # A bag is not asked by a short way when the hand may be full.
    for seed in range(20):
        short, long = (_quickly(game, seed, None) for game in games)
        assert short == long


MANY_TO_CHOOSE_FROM = """\
role Player 1..1 named player
state total: int = 0
Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending dusk "Dusk":
    \"\"\"Dusk.\"\"\"
instead of play Chapter c:
    repeat 5 times:
        choose n from (1..500) by player
        total + n
    go to dusk
"""


@pytest.mark.parametrize("kind", [Program, LongWay])
def test_the_log_tells_every_number_that_was_chosen(kind: type[Program]) -> None:
    from talewright.compiler.in_memory import compile_text

    result = compile_text(MANY_TO_CHOOSE_FROM)
    assert result.document is not None, [d.message for d in result.diagnostics]
    game = Game(kind(result.document, None, 1))
    chosen = [0, OFTEN_TAKEN - 1, OFTEN_TAKEN, OFTEN_TAKEN + 1, 499]
    for numbers in (chosen, chosen[::-1]):
        answers = iter(numbers)
        game.reset(1)
        game.quick = lambda count, answers=answers: next(answers)  # type: ignore[misc]
        game.run()
        assert game.log == [("", number) for number in numbers]


@pytest.mark.parametrize("kind", [Program, LongWay])
def test_lots_are_drawn_as_a_chooser_of_ones_own_draws_them(kind: type[Program]) -> None:
    from talewright.compiler.in_memory import compile_text

    result = compile_text(MANY_TO_CHOOSE_FROM)
    assert result.document is not None, [d.message for d in result.diagnostics]
    game = Game(kind(result.document, None, 1))
    for seed in (3, 4, 3):
        game.reset(1)
        game.choose_by_lot(seed)
        # Who takes the chooser away for a while puts back the same one.
        game.quick, kept = None, game.quick
        game.quick = kept
        game.run()
        by_lot = list(game.log)
        draw = Random(seed).random
        game.reset(1)
        game.quick = lambda count, draw=draw: int(draw() * count)  # type: ignore[misc]
        game.run()
        assert by_lot == game.log


CHARMS = """\
role Player 1..1 named player
kind Charm is Card:
    in force while self in worn
    after strike: heat + 1
Charm charm "a charm" * 2
pile worn of Charm{worn}
deck chest of Charm face_down{kept}
state heat: int = 0
action strike:
    choose n from (1..3) by player
    heat + 1
Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending dusk "Dusk":
    \"\"\"Dusk.\"\"\"
instead of play Chapter c:
    strike
    if heat is 1: move (first Charm) to worn
    strike
    go to dusk
"""


@pytest.mark.parametrize(("worn", "kept", "heat"), [(" = all Charm", "", 6), ("", " = all Charm", 3)])
def test_rules_of_the_first_page_are_in_force_in_every_game(worn: str, kept: str, heat: int) -> None:
    from talewright.compiler.in_memory import compile_text

    result = compile_text(CHARMS.format(worn=worn, kept=kept))
    assert result.document is not None, [d.message for d in result.diagnostics]
    game = Game(Program(result.document, None, 1))
    at = game.layout.scalars["state:heat"]
    found = []
    for seed in range(3):
        game.reset(seed)
        game.choose_by_lot(seed)
        game.run()
        found.append(game.space["S"][at])
    assert found == [heat] * 3


# Cards go from hand to hand, under a deck and into a bag: whoever saw what is the same by short ways and long ones.
SECRET_MOVES = """
kind Card
Card ace "Ace" * 2
Card king "King"
Card queen "Queen"
Card jack "Jack"
role Player 2..2 is Thing named p:
    cards: hand of Card
    trick: pile of Card face_down
deck stock of Card face_down = all Card
bag sack of Card face_down
pile open_cards of Card
pile aside of Card face_down
state turns: int = 0
kind Page is Chapter
Page day "A Day":
    \"\"\"A day.\"\"\"
Ending dusk "Dusk":
    \"\"\"Dusk.\"\"\"
instead of play Chapter c:
    shuffle stock
    repeat 30 times: turn
    go to dusk
action turn:
    turns + 1
    for each p in Player:
        choose one by p:
            "draw" -> move 1 from stock to p.cards
            "pick up" -> move first open_cards to p.cards
            "lay open" -> put_open p.cards by p
            "hide" -> hide_one by p
            "bury" -> bury_one by p
            "drop" -> drop_one by p
            "feel" -> feel by p
            "look" -> show first sack to p
            "set aside" -> set_aside
            "gather" -> move each p.trick to stock
    if turns % 7 == 0: shuffle stock
action put_open cards: set of Card by p: Player:
    choose c from p.cards by p "Which?"
    move c to open_cards
action hide_one by p: Player:
    choose c from p.cards by p "Which?"
    move c to p.trick
action bury_one by p: Player:
    choose c from p.cards by p "Which?"
    move c under stock
action set_aside:
    let c = do draw from sack into aside
    if c is none: move each aside to sack
action drop_one by p: Player:
    choose c from p.cards by p "Which?"
    move c to sack
action feel by p: Player:
    let c = do draw from sack into p.cards
    if c is not none and count(p.cards) > 3: move each p.cards to sack
"""


def test_who_knows_what_is_the_same_by_short_ways() -> None:
    from talewright.compiler.in_memory import compile_text

    result = compile_text(SECRET_MOVES)
    assert result.document is not None, [d.message for d in result.diagnostics]
    games = [Game(kind(result.document, None, 2)) for kind in (Program, LongWay)]
    known: set[tuple[int, ...]] = set()
    for seed in range(60):
        told = []
        for game in games:
            game.reset(seed)
            game.choose_by_lot(seed)
            game.run()
            told.append((list(game.log), table(game)))
            known.add(tuple(game.space["KNOWN"]))
        assert told[0] == told[1], seed
    assert len(known) > 20
