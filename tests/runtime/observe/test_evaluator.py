"""Values of whole packages: the machine, the functions that questions are answered by and what is recorded agree.

`python -m tests.runtime.observe.test_evaluator` records them anew, after a change of the packages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random

import pytest

from talewright.compiler import compile_package
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.host.play import Play
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.lower import dispatch
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.program import Build
from talewright.runtime.model.layout import STATE_CELLS
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluator import Evaluator, Scope
from talewright.runtime.observe.functions import Unanswerable
from talewright.runtime.observe.memory import Memory
from talewright.runtime.observe.values import Value
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.declaration import Expression
from talewright.schemas.nodes.declared import ValueDeclaration
from talewright.schemas.nodes.forms import node_classes
from talewright.schemas.nodes.reads import Spread
from talewright.schemas.nodes.types import ANY, Type
from tests.runtime.observed_games import asked, begun, compiled_value
from tests.runtime.session import island

RECORDED = Path(__file__).with_name("values.json")
SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios"
# Nodes that have no value of their own.
WITHOUT_VALUE = {n.PaymentRef, n.PlanRef, Spread}
LONGEST = 300


def game(folder: str, players: int) -> Play:
    document = compile_package(SCENARIOS / folder, trees=False).document
    assert document is not None
    program, module = assemble(read_document(document), {}, players, Build(events=True, values=True))
    return Play(program, best_engine().load(module).machine())


def some_value(play: Play, type_: Type, draw: Random) -> int | None:
    """A cell that a parameter of a type may be given; none where that is not so easy."""
    program = play.program
    match type_.tag:
        case "thing":
            return draw.choice(program.world.of_kind(type_.name) or [0])
        case "truth":
            return draw.randrange(2)
        case "words":
            return program.layout.words.get(str(draw.choice(type_.args)), 0)
        case "int" | "range":
            return draw.randrange(1, 7)
    return None


Case = tuple[ValueDeclaration, list[int], Value]
"""A value with the cells that it is called with, and what is answered; a fault by its number."""


def evaluated(play: Play, ev: Evaluator, declared: ValueDeclaration, draw: Random) -> Case | None:
    """A value of the package, called with something; none where that cannot be done."""
    types = [plain(local_types(declared.locals)[number]) for number in declared.params]
    cells = [some_value(play, type_, draw) for type_ in types]
    given = [cell for cell in cells if cell is not None]
    if len(given) < len(cells):
        return None
    arguments = [ev.read(cell, type_) for cell, type_ in zip(given, types, strict=True)]
    try:
        return declared, given, ev.declared(declared, arguments)
    except EngineFault as fault:
        return declared, given, f"fault {fault.code}"
    except Unanswerable:
        return None


def on_machine(play: Play, declared: ValueDeclaration, given: list[int]) -> Value:
    """The same from the machine."""
    try:
        return compiled_value(play.program, play.machine, declared, given)
    except EngineFault as fault:
        return f"fault {fault.code}"


def agree(declared: ValueDeclaration, machine: Value, asked: Value) -> bool:
    """Whether two values are the same; where no type is known, a cell cannot tell `none` from 0 and no."""
    if declared.type == ANY and not machine and not asked:
        return True
    return machine == asked


GAMES = {"salem/night": (3, 8), "blackmere": (2, 4), "brimstone/fistful": (1, 6)}
"""How many play each game, and how many states are looked at."""
LEAST = 1200


def cases_of(play: Play, states: int) -> Iterator[tuple[int, Evaluator, list[Case]]]:
    """Values at some states of games at random; looking at them changes nothing."""
    draw = Random(7)
    for seed in range(states):
        play.begin(seed)
        decision = play.run()
        for _ in range(draw.randrange(LONGEST)):
            if decision is None:
                break
            play.forget_events()
            play.answer(draw.randrange(len(decision.options)))
            decision = play.run()
        before = play.machine.snapshot(0, STATE_CELLS)
        ev = Evaluator(play.program, Memory(play.machine))
        values = play.program.values.values()
        tried = [
            evaluated(play, ev, declared, draw)
            for declared in values
            for _ in range(1 + bool(declared.params))
        ]
        assert play.machine.snapshot(0, STATE_CELLS) == before
        yield seed, ev, [case for case in tried if case is not None]


def digest(ev: Evaluator, cases: list[Case]) -> str:
    """The values of a state in words, in a few letters."""
    known = [(declared, (value or None) if declared.type == ANY else value) for declared, _, value in cases]
    told = [f"{declared.id} {ev.shown(value, declared.type)}" for declared, value in known]
    return blake2b("\n".join(told).encode(), digest_size=8).hexdigest()


@pytest.mark.parametrize("folder", GAMES)
def test_values_agree(folder: str) -> None:
    players, states = GAMES[folder]
    play = game(folder, players)
    different: list[str] = []
    digests: list[str] = []
    compared = 0
    for seed, ev, cases in cases_of(play, states):
        digests.append(digest(ev, cases))
        for declared, given, have in cases:
            compared += 1
            want = on_machine(play, declared, given)
            if not agree(declared, want, have):
                different.append(f"{declared.id}{given}, seed {seed}: machine {want}, asked {have}")
    assert not different, "\n".join(different[:20])
    assert compared >= LEAST
    assert digests == json.loads(RECORDED.read_text("utf-8"))[folder]


def test_every_expression_can_be_lowered() -> None:
    missing = set(node_classes(Expression)) - set(dispatch._VALUES) - set(dispatch._LOOPS) - WITHOUT_VALUE
    assert not missing, ", ".join(sorted(node.__name__ for node in missing))


def test_what_cannot_be_lowered_is_not_answered() -> None:
    _, view = next(asked(begun(island.document(), 1)))
    with pytest.raises(Unanswerable, match="cannot be played"):
        view.evaluator.value(object(), Scope())


if __name__ == "__main__":
    made = {
        folder: [digest(ev, cases) for _, ev, cases in cases_of(game(folder, players), states)]
        for folder, (players, states) in GAMES.items()
    }
    RECORDED.write_text(json.dumps(made, indent=2) + "\n", "utf-8")
