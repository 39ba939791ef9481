"""The evaluator and the machine agree on every value of whole packages, and the evaluator changes nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from talewright.compiler import compile_package
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.host.play import Play
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.program import Build
from talewright.runtime.model.layout import STATE_CELLS
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Unanswerable, evaluated_nodes
from talewright.runtime.observe.evaluation.modifiers import declared_value
from talewright.runtime.observe.evaluation.values import Value
from talewright.runtime.observe.memory import Memory
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.declaration import Expression
from talewright.schemas.nodes.declared import ValueDeclaration
from talewright.schemas.nodes.forms import node_classes
from talewright.schemas.nodes.types import ANY, Type
from tests.runtime.observed_games import compiled_value

SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios"
# Nodes that have no value of their own.
WITHOUT_VALUE = {n.PaymentRef, n.PlanRef}
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
"""A value with the cells that it is called with, and what the evaluator gives; a fault by its number."""


def evaluated(play: Play, ev: Evaluator, declared: ValueDeclaration, draw: Random) -> Case | None:
    """A value of the package, called with something; none where that cannot be done."""
    types = [plain(local_types(declared.locals)[number]) for number in declared.params]
    cells = [some_value(play, type_, draw) for type_ in types]
    given = [cell for cell in cells if cell is not None]
    if len(given) < len(cells):
        return None
    arguments = [ev.read(cell, type_) for cell, type_ in zip(given, types, strict=True)]
    try:
        return declared, given, declared_value(ev, declared, arguments)
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


def agree(declared: ValueDeclaration, machine: Value, evaluator: Value) -> bool:
    """Whether two values are the same; where no type is known, a cell cannot tell `none` from 0 and no."""
    if declared.type == ANY and not machine and not evaluator:
        return True
    return machine == evaluator


@pytest.mark.parametrize(
    ("folder", "players", "states", "least"),
    [("salem/night", 3, 8, 1200), ("blackmere", 2, 4, 1200), ("brimstone/fistful", 1, 6, 1200)],
)
def test_values_agree(folder: str, players: int, states: int, least: int) -> None:
    play, draw = game(folder, players), Random(7)
    different: list[str] = []
    compared = 0
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
        for declared, given, have in (case for case in tried if case is not None):
            compared += 1
            want = on_machine(play, declared, given)
            if not agree(declared, want, have):
                different.append(f"{declared.id}{given}, seed {seed}: machine {want}, evaluator {have}")
    assert not different, "\n".join(different[:20])
    assert compared >= least


def test_every_expression_has_a_value() -> None:
    missing = set(node_classes(Expression)) - evaluated_nodes() - WITHOUT_VALUE
    assert not missing, ", ".join(sorted(node.__name__ for node in missing))


def test_an_unknown_node_is_an_error() -> None:
    ev = Evaluator.__new__(Evaluator)
    with pytest.raises(Unanswerable, match="`object`"):
        Evaluator.value(ev, object(), None)  # type: ignore[arg-type]
