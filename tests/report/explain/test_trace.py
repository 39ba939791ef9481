"""What a traced game tells its listener, and the words that are made of it."""

from __future__ import annotations

from talewright.report.explain.explanations import refusals
from talewright.report.explain.trace import Teller
from talewright.runtime.observe.trace import CallEvent, PileEvent, RollEvent, Trace, WriteEvent
from talewright.runtime.session.game import Decision, Game
from talewright.runtime.session.program import load
from tests.runtime.observed_games import compiled

TEXT = """
role Player 2..2 named p:
    hold: hand of Coin
    nerve: track 0..9 start 4
type Purpose = luck | skill
kind Coin is Card
Coin gold "Gold" * 3
Coin lead "Lead" * 3
deck purse of Coin = all Coin
track doom 0..5
die weather: sun, rain
Chapter start "Start"
Ending done "Done"
action dare by q: Player:
    requires q.nerve > 8, "{q} has too little nerve."
    nothing
action stumble by q: Player:
    dread by q
action dread by q: Player:
    q.nerve - 1
before dread by Player q: say "Oh dear."
instead of play Chapter c:
    shuffle purse
    draw 1 from purse into p1.hold
    let r = do roll 2d6 by p1 for luck
    let w = do roll weather
    let t = random {p1, p2}
    doom + 2
    dare by p1
    stumble by p2
    choose k from (1..2) by p1 "How many?"
    go to done
"""


def played(seat_of_choice: int = 0) -> tuple[Game, Trace]:
    game = Game(load(compiled(TEXT), players=2, traced=True), 3)
    game.listener = trace = Trace()
    decision = game.next()
    assert isinstance(decision, Decision)
    game.answer(decision, seat_of_choice)
    return game, trace


def test_every_kind_of_event_is_told() -> None:
    _, trace = played()
    kinds = {kind for kind, _ in trace.events}
    wanted = {
        "call",
        "done",
        "refused",
        "replaced",
        "rule",
        "write",
        "roll",
        "draw",
        "shuffle",
        "random",
        "say",
        "decide",
    }
    assert wanted <= kinds


def test_rolls_tell_their_dice_and_faces() -> None:
    _, trace = played()
    first, second = (detail for detail in trace.of("roll") if isinstance(detail, RollEvent))
    assert (first.dice, first.purpose, len(first.faces)) == ("2d6", "luck", 2)
    assert all(1 <= int(face) <= 6 for face in first.faces)
    assert second.dice == "weather"
    assert second.faces[0] in ("sun", "rain")


def test_markers_and_piles() -> None:
    game, trace = played()
    moved = {(e.track, e.owner, e.before, e.after) for e in trace.of("write") if isinstance(e, WriteEvent)}
    assert moved == {("doom", 0, 0, 2), ("Player.nerve", game.everybody()[1], 4, 3)}
    (shuffled,) = trace.of("shuffle")
    assert shuffled == PileEvent(shuffled.depth, "purse", count=6)  # type: ignore[attr-defined]


def test_calls_know_how_deep_they_run() -> None:
    _, trace = played()
    calls = {e.action.partition("/")[0]: e.depth for e in trace.of("call") if isinstance(e, CallEvent)}
    assert calls["dread"] == calls["stumble"] + 1
    ended = [e.action.partition("/")[0] for e in trace.of("done") if isinstance(e, CallEvent)]
    assert ended.index("dread") < ended.index("stumble")


def test_a_refusal_comes_with_its_reason() -> None:
    game, trace = played()
    (refused,) = trace.of("refused")
    assert isinstance(refused, CallEvent)
    assert refused.reason == "p1 has too little nerve."
    assert (
        Teller(game.view()).event("refused", refused).text.strip()
        == "refused dare p1: p1 has too little nerve."
    )


def test_why_tells_of_calls_that_were_refused() -> None:
    game = Game(load(compiled(TEXT), players=2, traced=True), 3)
    game.next()
    view = game.view()
    (line,) = refusals(view, game.refused, view.seats[0])
    assert line.startswith("  dare p1: p1 has too little nerve. (")


def test_a_teller_hides_what_a_seat_does_not_know() -> None:
    game, trace = played()
    view = game.view()
    one, other = view.seats
    (drawn,) = trace.of("draw")
    assert isinstance(drawn, PileEvent)
    assert Teller(view, one).event("draw", drawn).data["thing"] == view.thing(drawn.thing).id
    assert Teller(view, other).event("draw", drawn).data["thing"] == "a coin face down"


def test_decisions_are_numbered() -> None:
    game, trace = played()
    teller = Teller(game.view())
    (choice,) = trace.of("decide")
    assert teller.event("decide", choice).text == "   1  play.k#1  p1: 1"  # type: ignore[arg-type]
