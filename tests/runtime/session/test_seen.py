"""What somebody at the table sees, and why something is not offered."""

from __future__ import annotations

import pytest

from talewright.report.table.tabletop import table_lines, thing_lines
from talewright.report.table.visibility import secret
from talewright.runtime.observe.offers import withheld
from talewright.runtime.session import Decision, Leave

from .island import session


def test_nobody_sees_the_hand_of_another() -> None:
    made = session(6)
    seen: list[tuple[str, str]] = []

    def look(decision: Decision) -> int:
        game = decision.game.view()
        assert isinstance(decision.seat, int)
        holds = game.program.world.pile_fields
        own = game.inside(holds[decision.seat, "holds"])
        others = [s for s in game.seats if s != decision.seat]
        theirs = [t for s in others for t in game.inside(holds[s, "holds"])]
        shown = "\n".join(line.plain for line in table_lines(game, decision.seat))
        for thing in theirs:
            assert thing_lines(game, thing, decision.seat)[0].plain == "It lies face down."
        hidden = {game.title(t) for t in theirs} - {game.title(t) for t in own}
        assert not any(title in shown for title in hidden)
        assert all(game.title(t) in shown for t in own)
        assert all(secret(game, f"takes {title}", decision.seat) for title in hidden)
        seen.append((shown, str(decision.seat)))
        return len(seen) % len(decision.options)

    made.default = look
    made.run()
    assert len(seen) > 5


def test_why_an_offer_is_not_made() -> None:
    made = session(1)
    told: list[tuple[str, str]] = []

    def look(decision: Decision) -> int:
        if decision.form == "menu":
            told.extend((w.label, w.refusals[0].reason) for w in withheld(decision.game.view().evaluator))
            raise Leave
        return 0

    made.default = look
    with pytest.raises(Leave):
        made.run()
    assert told == [
        ("Dive", "There is nothing to dive for here."),
        ("Climb the lighthouse", "The lighthouse is elsewhere."),
    ]


def test_asking_why_changes_nothing() -> None:
    plain = session(9)
    plain.run()
    asking = session(9)
    bot = asking.default
    assert bot is not None

    def ask(decision: Decision) -> int:
        list(withheld(decision.game.view().evaluator))
        return bot(decision)

    asking.default = ask
    asking.run()
    assert asking.decisions == plain.decisions
    assert asking.game.digest() == plain.game.digest()


def test_rolls_shuffles_and_draws_are_told() -> None:
    heard: list[str] = []
    for seed in range(6):
        made = session(seed)
        made.game.listener = lambda kind, detail: heard.append(kind)
        made.run()
    assert {"roll", "shuffle", "draw", "call", "done", "decide", "write", "say", "rule"} <= set(heard)
