"""What may be done at any time: people, scripts and quick bots are all offered it."""

from __future__ import annotations

from random import Random

from talewright.runtime.session import Decision, Game, load
from tests.runtime.small_games import document

TEXT = """
role Player is Thing named player
kind Scene is Chapter
Scene here "Here"
Ending done_with "Done"
state blessings: int = 2
state log: int = 0
anytime by player when blessings > 0: spend_blessing
action spend_blessing:
    blessings - 1
    log + 10
menu doing: pass "Enough"
offer "Dig" in doing when log < 50: log + 1
action game:
    choose n from (1..3) by player "How many?"
    log + n
    choose one by player "What now?":
        "Rest" -> log + 1
        "Run" when blessings > 0 -> log + 2
    player may "Sing": log + 1
    open doing by player "Dig?"
    say "{blessings}"
    go to done_with
"""


def test_it_is_offered_last_in_every_form_of_decision() -> None:
    seen: list[tuple[str, str]] = []

    def agent(decision: Decision) -> int:
        seen.append((decision.id, decision.options[-1].id))
        return 0

    assert Game(load(document(TEXT)), 1, agent).run() == "done_with"
    assert seen == [
        ("game.n#1", "spend_blessing"),
        ("game.choice#1", "spend_blessing"),
        ("game.may#1", "spend_blessing"),
        ("menu.doing#1", "spend_blessing"),
    ]


def test_a_decision_interrupted_keeps_its_number_and_is_worked_out_anew() -> None:
    asked: list[tuple[str, int]] = []

    def agent(decision: Decision) -> int:
        asked.append((decision.id, len(decision.options)))
        return len(decision.options) - 1 if decision.id == "game.choice#1" and len(asked) < 4 else 0

    assert Game(load(document(TEXT)), 1, agent).run() == "done_with"
    # Twice a blessing is spent; then neither it nor what needs one is offered, and one way is left.
    assert asked == [
        ("game.n#1", 4),
        ("game.choice#1", 3),
        ("game.choice#1", 3),
        ("game.may#1", 2),
        ("menu.doing#1", 2),
    ]


def test_bots_use_it_too() -> None:
    playing = Game(load(document(TEXT)), 1)
    at = playing.program.lowered.layout.state_cells["blessings"]
    left = set()
    for seed in range(40):
        playing.reset(seed)
        rng = Random(seed)
        playing.agent = lambda decision, rng=rng: rng.randrange(len(decision.options))
        assert playing.run() == "done_with"
        left.add(playing.words.cell(at))
    assert left == {0, 1, 2}


def test_it_reads_as_its_action_says() -> None:
    labels: list[str] = []

    def agent(decision: Decision) -> int:
        labels.append(decision.options[-1].text())
        return 0

    worded = TEXT.replace(
        "action spend_blessing:", 'action spend_blessing reads "spend a blessing, for luck":'
    )
    assert Game(load(document(TEXT)), 1, agent).run() == "done_with"
    assert set(labels) == {"Spend blessing"}
    labels.clear()
    assert Game(load(document(worded)), 1, agent).run() == "done_with"
    assert set(labels) == {"Spend a blessing, for luck"}
