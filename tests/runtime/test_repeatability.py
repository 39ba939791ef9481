"""The same seed is the same game: in every process, whatever its hash seed, whatever else was declared."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys

import pytest

from talewright.runtime.faults import Fault
from talewright.runtime.observe.offers import withheld
from talewright.runtime.session import Decision, Session, load
from talewright.runtime.session.program import Program
from talewright.runtime.session.saves import Taken

from . import small_games
from .small_games import game

CARDS = """
kind Card:
    n: int = 0
Card ace "Ace" * 6
Card king "King" * 6
Card queen "Queen" * 6: n: 2
deck red of Card face_down = all Card
pile table of Card
hand held of Card
role Player 2..3 is Thing named p:
    won: int = 0
type Mood = calm | wild | odd
die mood: calm, wild, odd
kind Scene is Chapter
Scene here "Here"
Ending done_with "Done"
state log: int = 0
state crew: set of Card = {}
action game:
    shuffle red
    repeat 6 times:
        let c = do draw from red
        move c to table
        crew = crew + {c}
        let face = do roll mood
        let n = do roll 3 * d6
        log = (log * 7 + n + (1 if face is wild otherwise 0)) % 100003
        choose kept from table by p1 "Keep?"
        log = (log * 5 + kept.n) % 100003
        let any_one = random Card in red
        log = (log * 3 + any_one.n) % 100003
    say "{log}"
    go to done_with
"""

RUN = """
import sys, random
sys.path.insert(0, {folder!r})
from small_games import game
rng = random.Random(5)
playing = game({text!r}, {seed}, lambda decision: rng.randrange(len(decision.options)))
playing.run()
print(playing.said, playing.log)
"""

EMIT = """
import sys
from hashlib import sha256
sys.path.insert(0, {folder!r})
from small_games import document
from talewright.runtime.engines.wasm.emit import emit
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.schemas.nodes.codec import read_document
_, module = assemble(read_document(document({text!r})), {{}}, 2, Build(events=True, bots=True))
print(len(module.functions), sha256(emit(module)).hexdigest())
"""


def _in_a_process(run: str, hash_seed: str, **how: object) -> str:
    code = run.format(folder=os.path.dirname(__file__), **how)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def test_every_process_plays_the_same_game() -> None:
    games = {_in_a_process(RUN, hash_seed, text=CARDS, seed=3) for hash_seed in ("0", "1", "4242")}
    assert len(games) == 1
    assert "#6" in games.pop()


def test_every_process_writes_the_same_program() -> None:
    """Otherwise the machine code that an earlier process kept is never found again."""
    programs = {_in_a_process(EMIT, hash_seed, text=CARDS) for hash_seed in ("1", "4242")}
    assert len(programs) == 1
    assert int(programs.pop().split()[0]) > 100


def _faces(text: str, seed: int = 1) -> str:
    playing = game(text, seed)
    playing.run()
    return playing.said[-1]


def test_another_seed_is_another_game() -> None:
    assert len({_faces(CARDS, seed) for seed in range(5)}) > 1


def test_a_game_reset_is_the_game_again() -> None:
    playing = game(CARDS, 7)
    playing.run()
    first, log = list(playing.said), list(playing.log)
    playing.reset(8)
    playing.run()
    playing.reset(7)
    playing.run()
    assert (playing.said, playing.log) == (first, log)


FRAGILE = """
role Player 1..1 named p
state sum: int = 0
kind Card:
    worth: int = 1
Card ace "Ace" * 4
Card king "King" * 4: worth: 2
deck red of Card face_down = all Card
Ending done_with "Done"
menu deeds(q: Player): pass "Enough"
offer "Bet" in deeds(q): bet by q
action bet by q: Player:
    requires sum > 3, "Too poor."
    sum - 1
value share(k: int): int = 10 / k
action step:
    let n = do roll d6
    shuffle red
    sum + (n + red.top.worth * 100)
    open deeds(p) by p
    if n == 6: sum + share(n - 6)
action game:
    repeat 6 times: step
    go to done_with
"""


def test_a_game_that_broke_off_and_was_explained_leaves_the_next_as_it_is() -> None:
    document, faults = small_games.document(FRAGILE), 0
    shared = load(document, players=1)

    def played(program: Program, seed: int, asking: bool) -> tuple[list[Taken], str]:
        session = Session(program, seed)

        def seat(decision: Decision) -> int:
            if asking:
                list(withheld(decision.game.view().evaluator))
            return seed % len(decision.options)

        session.default = seat
        with contextlib.suppress(Fault):
            session.run()
        if asking and session.error:
            list(withheld(session.game.view().evaluator))
        return session.decisions, f"{session.error} {session.game.digest()}"

    for seed in range(1, 25):
        found = played(shared, seed, asking=True)
        faults += "R2" in found[1]
        assert found == played(load(document, players=1), seed, asking=False)
    assert 5 < faults < 24


STREAMS = """
kind Card:
    n: int = 0
Card ace, king, queen, knave "Card"
deck red of Card face_down = all Card
deck black of Coin face_down = all Coin
kind Coin
Coin penny "Penny" * 9
pile table of Card
kind Scene is Chapter
Scene here "Here"
Ending over_now "Over"
type Use = attack | flight
state log: int = 0
state other: int = 0
action flee for use: Use:
    let x = do roll 3 * d6 for use
action game:
    {before}
    shuffle red
    repeat 8 times:
        let n = do roll d6 for attack
        log = (log * 31 + n) % 10000019
    for each c in red: log = (log * 31 + (1 if c is ace otherwise 2 if c is king otherwise 3)) % 10000019
    say "{{log}}"
    go to over_now
"""


@pytest.mark.parametrize(
    "before",
    [
        "shuffle black",
        "other = do roll d20",
        "let x = do roll 3 * d6 for flight",
        "let x = do roll 3 * d6",
        "flee for flight",
        "let c = random Coin",
    ],
)
def test_chance_elsewhere_changes_nothing_here(before: str) -> None:
    assert _faces(STREAMS.format(before=before)) == _faces(STREAMS.format(before="nothing"))


def test_the_same_stream_does_go_on() -> None:
    before = "let x = do roll 3 * d6 for attack"
    assert _faces(STREAMS.format(before=before)) != _faces(STREAMS.format(before="nothing"))


def test_the_first_page_is_put_back_whatever_was_written() -> None:
    playing = game(CARDS, 3)
    layout = playing.program.lowered.layout
    first, table = playing.save(), range(layout.names["WHERE"], len(layout.cells))
    pick = random.Random(4)
    for _ in range(30):
        for _ in range(pick.randrange(1, 40)):
            playing.machine.write(pick.choice(table), [pick.choice((-1, 5, 77))])
        assert playing.save() != first
        playing.reset(3)
        assert playing.save() == first
