"""Sessions: undo to any decision, replays that verify themselves, guard rails, what seats may know."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from talewright.runtime.faults import Fault
from talewright.runtime.session import (
    Decision,
    Game,
    Leave,
    Option,
    Session,
    Undo,
    load,
    option_names,
    resume,
)
from talewright.runtime.session.saves import read_save, write_save
from talewright.schemas.records import replace
from tests.runtime import small_games

from .island import document, program, session


class Person:
    """A seat that takes the options it is told to, and does something else when it has come so far."""

    person = True

    def __init__(self, choose: Any, then: dict[int, BaseException] | None = None) -> None:
        self.choose = choose
        self.then = dict(then or {})
        self.asked = 0

    def __call__(self, decision: Decision) -> int:
        self.asked += 1
        leaving = self.then.pop(self.asked, None)
        if leaving is not None:
            raise leaving
        return int(self.choose(decision))


def last(decision: Decision) -> int:
    return len(decision.options) - 1


# ------------------------------------------------------------------ replaying
@pytest.mark.parametrize("seed", range(8))
def test_a_replay_is_the_same_game(seed: int) -> None:
    played = session(seed)
    outcome = played.run()
    again = resume(document(), read_save(write_save(played.save())))
    assert again.run() == outcome
    assert again.decisions == played.decisions
    assert again.game.digest() == played.game.digest()
    assert again.save() == played.save()


def test_a_replay_stops_at_the_first_answer_that_is_not_offered() -> None:
    played = session(2)
    played.run()
    save = played.save()
    save.decisions[3] = replace(save.decisions[3], answer="Fly")
    with pytest.raises(Fault, match=r"R10: at decision 4 .* by `Fly`, which is not offered now"):
        resume(document(), save).run()


def test_a_replay_stops_where_other_options_are_offered() -> None:
    played = session(2)
    played.run()
    save = played.save()
    save.decisions[2] = replace(save.decisions[2], offered="00000000")
    with pytest.raises(Fault, match=r"R10: at decision 3, .*, other options are offered"):
        resume(document(), save).run()


def test_a_replay_stops_where_another_question_is_asked() -> None:
    played = session(2)
    played.run()
    save = played.save()
    save.decisions[1] = replace(save.decisions[1], id="walk.z#77")
    with pytest.raises(Fault, match=r"R10: at decision 2 the save answers walk\.z#77, but the game asks"):
        resume(document(), save).run()


def test_a_replay_looks_at_the_table_too() -> None:
    played = session(0)
    played.default = lambda decision: 0
    played.run()
    save = played.save()
    assert list(save.marks) == [10]
    save.marks[10] = "0" * 16
    with pytest.raises(Fault, match="R10: after 10 decisions"):
        resume(document(), save).run()


def test_a_save_that_goes_on_after_the_end_is_refused() -> None:
    played = session(1)
    played.run()
    save = played.save()
    save.decisions.append(save.decisions[-1])
    with pytest.raises(Fault, match=r"R10: .* the game is over"):
        resume(document(), save).run()


PLAY = """
import sys
sys.path.insert(0, {folder!r})
from island import session
made = session(5)
print(made.run(), [(d.id, d.answer, d.offered) for d in made.decisions], made.marks, made.game.digest())
"""


def test_the_same_game_in_another_process_and_under_any_hash_seed() -> None:
    told = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        code = PLAY.format(folder=str(Path(__file__).parent))
        command = [sys.executable, "-c", code]
        run = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=120
        )
        told.add(run.stdout)
    assert len(told) == 1
    assert "walk.z#1" in told.pop()


# ------------------------------------------------------------------ undo
def test_undo_to_any_decision() -> None:
    whole = session(4)
    whole.run()
    count = len(whole.decisions)
    assert count > 5
    for kept in range(count):
        back = resume(document(), whole.save())
        back.go_back_to(kept)
        states: list[str] = []

        def look(decision: Decision, states: list[str] = states) -> int:
            states.append(decision.game.digest())
            raise Leave

        back.default = look
        with pytest.raises(Leave):
            back.run()
        assert back.decisions == whole.decisions[:kept]
        assert len(states) == 1


def test_undo_takes_back_what_people_decided_and_all_that_followed() -> None:
    made = session(3)
    person = Person(lambda d: 0, {5: Undo(2), 7: Leave()})
    made.seats[made.program.seats["p1"]] = person
    with pytest.raises(Leave):
        made.run()
    # Four answers, two taken back, one given anew: three stand.
    assert len(made.people) == 3
    assert [n for n in made.people if n < len(made.decisions)] == made.people


def test_undo_goes_on_working_after_a_load() -> None:
    made = session(3)
    made.seats[made.program.seats["p1"]] = Person(lambda d: 0, {4: Leave()})
    with pytest.raises(Leave):
        made.run()
    loaded = resume(document(), read_save(write_save(made.save())), traced=True)
    loaded.seats[loaded.program.seats["p1"]] = Person(lambda d: 0, {1: Undo(1), 2: Leave()})
    loaded.default = last
    with pytest.raises(Leave):
        loaded.run()
    assert len(loaded.people) == 2
    assert loaded.decisions == made.decisions[: made.people[2]]


# ------------------------------------------------------------------ guard rails
@pytest.mark.parametrize(
    ("name", "code", "action", "line"),
    [
        ("endless", "R14", "spin", 15),
        ("talkative", "R14", "ramble", 14),
        ("bottomless", "R7", "fall", 16),
        ("stuck", "R8", "ask_again", 12),
    ],
)
def test_a_game_without_end_is_broken_off(name: str, code: str, action: str, line: int) -> None:
    made = Session(program(name), 1)
    made.default = lambda decision: 0
    with pytest.raises(Fault) as broken:
        made.run()
    assert broken.value.code == code
    places = [(f.what, f.file, f.line) for f in broken.value.frames]
    assert (f"action `{action}`", f"{name}/{name}.tale", line) in places
    assert made.save().error == str(broken.value)
    again = resume(document(name), read_save(write_save(made.save())), traced=True)
    with pytest.raises(Fault) as repeated:
        again.run()
    assert str(repeated.value) == str(broken.value)
    assert again.decisions == made.decisions


def test_texts_are_counted_from_the_last_decision() -> None:
    text = """
role Player named p
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    repeat 3 times:
        repeat 400 times: say "Tick."
        choose k from (1..2) by p
    go to done
"""
    made = Game(load(small_games.document(text)), 1, lambda decision: 0)
    assert made.run() == "done"
    assert len(made.said) == 1200
    with pytest.raises(Fault, match="R14: more than 1,000 texts are said without a decision"):
        Game(load(small_games.document(text.replace("400", "1001"))), 1, lambda decision: 0).run()


def test_calls_are_bounded_without_tracing_too() -> None:
    made = Session(load(document("bottomless")), 1)
    made.default = lambda decision: 0
    with pytest.raises(Fault, match="R7: calls go deeper than 400"):
        made.run()


def test_a_person_may_ask_again_until_everything_has_led_nowhere() -> None:
    made = Session(program("stuck"), 1)
    person = Person(lambda d: 1 if person.asked == 7 else 0)
    made.default = person
    with pytest.raises(Fault, match=r"R8: .* asked 8 times"):
        made.run()
    assert person.asked == 7


# ------------------------------------------------------------------ knowing and naming
def test_options_of_one_id_are_told_apart() -> None:
    same = [Option("a", 1, "a"), Option("b", 2, "b"), Option("a", 3, "a"), Option("a", 4, "a")]
    assert option_names(same) == ["a", "b", "a~2", "a~3"]


# ------------------------------------------------------------------ deciding together
TEAM = """
role Player 1..3 named p
team table of Player, ties by captain
state captain: Player or none = none
kind Page is Chapter
Page only "Only"
Ending done_with "Done"
action game:
    choose n from (1..3) by table "How many?"
    captain = p2
    choose n from (1..3) by table "How many?"
    go to done_with
"""


def test_who_has_the_last_word_answers_for_the_team() -> None:
    played = Session(load(small_games.document(TEAM), players=3), 1)
    asked = []
    for seat in played.program.seats.values():

        def answer(_: Decision, seat: int = seat) -> int:
            asked.append(played.game.title(seat))
            return 0

        played.seats[seat] = Person(answer)
    played.run()
    assert asked == ["p1", "p2"]
