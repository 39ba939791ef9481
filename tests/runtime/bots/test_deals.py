"""Worlds dealt anew, and bots that think: what is known stays, what is hidden may lie anywhere, and thinking changes nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from orjson import loads

from talewright.runtime.engines.interface import Machine
from talewright.runtime.ir.header import ASKING, FRAME_TOP, LENIENT, OPTIONS, STACK_TOP, STEPS
from talewright.runtime.kernel.bots.bots import GREEDY, GUIDED, SEARCH
from talewright.runtime.lower.program import Build
from talewright.runtime.model.cells import HEAP_TOP, RUN_TOP, TRAIT_TOP, UNTIL_TOP
from talewright.runtime.model.layout import FRAMES, HEAP, STACK
from talewright.runtime.session import Game, load
from talewright.runtime.session.bots import bot
from talewright.runtime.session.program import Program, build_program
from tests.report.playtest.tiny import document as tiny
from tests.runtime.bots.test_peeking import BOTS, CASES, COINS, HINTS
from tests.runtime.small_games import document

EVERY = {**{name: COINS + text for name, text in CASES.items()}, **{f"hint {n}": t for n, t in HINTS.items()}}
HANDS = """
role Player 2..2 named player
kind Scene is Chapter
Scene here "Here"
Ending done_with "Done"
kind Card:
    rank: int = 0
Card low "Low" * 4: rank: 1
Card high "High" * 4: rank: 2
deck stock of Card face_down = all Card
extend Player:
    hand: hand of Card
pile table of Card face_up
value score = total(table, it.rank)
action game:
    shuffle stock
    for each p in Player: draw 2 from stock into p.hand
    repeat 3 times:
        for each p in Player: play_one p
    go to done_with
action play_one p: Player:
    choose c from p.hand by p "Which?"
    move c to table
    draw 1 from stock into p.hand
"""


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("case", EVERY)
def test_what_lies_hidden_makes_no_difference(case: str, name: str) -> None:
    """Of the little games of coins nothing is ever seen before the end."""
    program = load(loads(tiny(EVERY[case])), bots=True)
    taken, endings = set(), set()
    for seed in range(12):
        game = Game(program, seed, bot(name, 5, iterations=4))
        endings.add(game.run())
        taken.add(tuple(index for _, index in game.log))
    assert len(taken) == 1
    assert endings == {"good_end", "bad_end"}


def stopped(program: Program, seed: int, decisions: int) -> Machine:
    """A machine that stands at a decision."""
    machine = program.machine()
    machine.call("prepare")
    machine.call("begin", seed, 0)
    draw = Random(seed)
    for _ in range(decisions):
        assert machine.call("run") == ASKING
        machine.call("answer", draw.randrange(machine.read(OPTIONS, 1)[0]))
    assert machine.call("run") == ASKING
    return machine


def lying(program: Program, machine: Machine) -> dict[int, list[int]]:
    """What lies in every location, along its chain in both directions."""
    names, layout = program.lowered.layout.names, program.lowered.layout
    found: dict[int, list[int]] = {}
    for where in range(1, layout.locations + 1):
        chain, thing, before = [], machine.read(names["FIRST"] + where, 1)[0], 0
        while thing:
            assert machine.read(names["PREVIOUS"] + thing, 1) == [before]
            assert machine.read(names["WHERE"] + thing, 1) == [where]
            chain.append(thing)
            before, thing = thing, machine.read(names["NEXT"] + thing, 1)[0]
        assert machine.read(names["LAST"] + where, 1) == [before]
        if chain:
            found[where] = chain
    return found


def test_what_is_known_stays_and_every_pile_stays_as_high() -> None:
    program = build_program(document(HANDS), {}, 2, Build(bots=True))
    names, things = program.lowered.layout.names, program.lowered.layout.things
    machine = stopped(program, 4, 3)
    face, known = (machine.read(names[name], things + 1) for name in ("FACE", "KNOWN"))
    surely = {thing for thing in range(1, things + 1) if face[thing] or known[thing] & 1}
    before = lying(program, machine)
    machine.call("save_game", names["WORLD_NOW"])
    moved, places = 0, Counter[tuple[int, int]]()
    for seed in range(200):
        machine.call("load_game", names["WORLD_NOW"])
        machine.write(names["BOT_LOW"], [seed])
        dealt = machine.call("deal", 1)
        after = lying(program, machine)
        machine.call("forget_deal", dealt)
        assert {where: len(chain) for where, chain in after.items()} == {w: len(c) for w, c in before.items()}
        for where, chain in before.items():
            for position, thing in enumerate(chain):
                other = after[where][position]
                assert thing == other or not {thing, other} & surely
                moved += thing != other
                if thing not in surely:
                    places[thing, other] += 1
    assert moved
    hidden = {thing for thing, _ in places}
    # Every hidden card may lie in every hidden place, each as often as any other.
    assert set(places) == {(thing, other) for thing in hidden for other in hidden}
    assert max(places.values()) < 3 * min(places.values())


@pytest.mark.parametrize("thinker", [GUIDED, GREEDY, SEARCH])
def test_thinking_changes_nothing(thinker: int) -> None:
    program = build_program(document(HANDS), {}, 2, Build(bots=True))
    size = len(program.lowered.layout.cells)
    thinking, other = (stopped(program, 5, 0) for _ in range(2))
    thinking.write(program.lowered.layout.names["BOT"], [thinker])

    def memory(machine: Machine) -> list[list[int]]:
        state = machine.read(0, size)
        for passing in (STEPS, LENIENT):
            state[passing] = 0
        tops = [(HEAP, state[HEAP_TOP]), (FRAMES, state[FRAME_TOP]), (STACK, state[STACK_TOP])]
        records = (("RUN", RUN_TOP), ("UNTIL", UNTIL_TOP), ("TRAIT_RECORDS", TRAIT_TOP))
        tops += [(program.lowered.layout.names[name], state[top]) for name, top in records]
        return [state, *(machine.read(start, top - start) for start, top in tops)]

    draw, asked = Random(1), ASKING
    while asked == ASKING:
        thinking.call("choose_option")
        assert memory(thinking) == memory(other)
        index = draw.randrange(other.read(OPTIONS, 1)[0])
        for machine in (thinking, other):
            machine.call("answer", index)
        asked, alone = thinking.call("run"), other.call("run")
        assert asked == alone
    assert memory(thinking)[0][STEPS + 1 :] == memory(other)[0][STEPS + 1 :]
