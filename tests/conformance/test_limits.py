"""Limits of the engine that plays documents as machine code: each is an error of play, with its place."""

from __future__ import annotations

import pytest

from talewright.compiler.document.document_builder import write
from talewright.compiler.in_memory import compile_together, memory_package
from talewright.runtime.engines.interface import Engine, EngineFault
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.faults import LoadError
from talewright.runtime.kernel import memory
from talewright.runtime.lower import assembly, dispatch
from talewright.runtime.lower.program import Build
from talewright.runtime.model.world import SPARES
from talewright.runtime.proving.runner import Outcome, Runner
from talewright.schemas.loading import load
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.statements import Repeat

ENGINES = [PythonEngine, WasmEngine]

MAKING = """
role Player 1..1 named player
kind Coin:
    worth: int = 1
pile hoard of Coin
action mint n: int:
    repeat n times: put new Coin into hoard
action melt: remove each hoard
test "as many as there are numbers":
    when mint MOST
    expect count(Coin) == MOST and total(Coin, it.worth) == MOST
test "not one more":
    when mint MOST; mint 1
test "not even when all are gone":
    when mint MOST; melt; mint 1
""".replace("MOST", str(SPARES))


LISTS = """
role Player 1..1 named player
kind Coin
Coin penny "Penny" * 300
state everything: list of Coin = Coin
test "all are there":
    expect count(everything) == 300
"""


def document_of(text: str) -> Document:
    """A text as a document."""
    result = compile_together(memory_package({"game.tale": text}))
    assert result.document is not None, [d.message for d in result.diagnostics]
    loaded = load(write(result.document))
    assert loaded.document is not None, loaded.problems
    return read_document(loaded.document)


def outcomes(text: str, engine: Engine) -> list[Outcome]:
    """What becomes of the tests of a text."""
    return list(Runner(document_of(text), engine).run())


@pytest.mark.parametrize("engine", ENGINES)
def test_so_many_things_can_be_made(engine: type[Engine]) -> None:
    enough, more, again = outcomes(MAKING, engine())
    assert enough.passed, enough.message
    assert more.message.startswith("R14")
    assert again.message.startswith("R14")


def test_a_game_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    document = document_of(LISTS)
    program, _ = assembly.assemble(document, {}, None, Build())
    monkeypatch.setattr(assembly.regions, "STATE_CELLS", len(program.layout.cells) - 1)
    with pytest.raises(LoadError, match="too large"):
        assembly.assemble(document, {}, None, Build())


@pytest.mark.parametrize("engine", ENGINES)
def test_first_lists_that_do_not_fit_are_an_error(
    engine: type[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = document_of(LISTS)
    program, module = assembly.assemble(document, {}, None, Build())
    engine().load(module).machine().call("prepare")
    monkeypatch.setattr(memory, "IMAGE_END", memory.IMAGE + len(program.layout.cells) + 300)
    _, module = assembly.assemble(document, {}, None, Build())
    with pytest.raises(EngineFault) as fault:
        engine().load(module).machine().call("prepare")
    assert fault.value.code == 14


def test_a_defect_of_the_engine_is_said_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(code: object, node: object) -> None:
        raise KeyError("nothing")

    monkeypatch.setitem(dispatch._STATEMENTS, Repeat, broken)
    with pytest.raises(LoadError, match=r"game\.tale:7: something here cannot be played, so"):
        assembly.assemble(document_of(MAKING), {}, None, Build(tested=True, tests=(0,)))


def test_what_cannot_stand_there_is_said_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(dispatch._STATEMENTS, Repeat)
    told = (
        r"game\.tale:\d+: `repeat` cannot stand here, so .*: compile the package again; if the same is said"
    )
    with pytest.raises(LoadError, match=told):
        assembly.assemble(document_of(MAKING), {}, None, Build(tested=True, tests=(0,)))


TRACKED = """role Player is Thing named player
token coin * 9
track gloom 0..9 start 2
track doom 0..9 start 2
action game: doom + 1
"""


def test_what_goes_wrong_before_code_is_lowered_is_said_with_the_place_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = document_of(TRACKED)

    def broken(program: object, *_: object) -> None:
        for track in document.content.tracks:
            if track.id == "doom":
                raise IndexError("no doom")

    monkeypatch.setattr(assembly, "lay_out_maps", broken)
    with pytest.raises(LoadError, match=r"game\.tale:4: something here cannot be played, so"):
        assembly.assemble(document, {}, None, Build())
