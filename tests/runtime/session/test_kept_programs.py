"""Programs kept from one run to the next play the same games, and are never taken for others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from talewright.runtime.engines.cache import Cache
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.lower import assembly
from talewright.runtime.session import kept_programs, program
from talewright.runtime.session.game import Decision, Game
from talewright.runtime.session.program import load
from tests.runtime.small_games import document

pytestmark = pytest.mark.skipif(os.name != "posix", reason="nothing is kept elsewhere")

TEXT = """
role Player 1..2 named p
option stakes: 1..3 = 1
state gold: int = 0
kind Page is Chapter
Page one "First"
Ending finis "Finis"
measure gained = gold
action game: go to one
action play p: Page:
    repeat 4 times:
        for each q in Player:
            choose n from (1..3) by q "How many?"
            let die = do roll d6
            gold + (n * stakes + die)
            say "{q} has {n} and rolls {die}."
    go to finis
"""
FAULTY = """
state gold: int = 0
kind Page is Chapter
Page one "First"
Ending finis "Finis"
action game: go to one
action play p: Page:
    gold = 1 / gold
    go to finis
"""


def middle(decision: Decision) -> int:
    return 1


def played(cache: Cache, text: str = TEXT, **settings: object) -> tuple[object, ...]:
    game = Game(
        load(document(text), settings, 2 if text is TEXT else None, engine=WasmEngine(cache)), 3, middle
    )
    return game.run(), game.said, game.log, game.measures()


@pytest.fixture
def assembled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows with every program that is made."""
    found: list[object] = []

    def counted(*arguments: object) -> object:
        found.append(arguments)
        return assembly.assemble(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(program, "assemble", counted)
    return found


def test_a_kept_program_plays_the_same_game(tmp_path: Path, assembled: list[object]) -> None:
    cache = Cache(tmp_path / "programs")
    first = played(cache)
    assert len(assembled) == 1
    assert played(cache) == first
    assert len(assembled) == 1


def test_other_options_texts_and_toolkits_are_other_programs(
    tmp_path: Path, assembled: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "programs")
    played(cache)
    played(cache, stakes=2)
    assert len(assembled) == 2
    played(cache, text=TEXT.replace("4 times", "5 times"))
    assert len(assembled) == 3
    monkeypatch.setattr(kept_programs, "toolkit_digest", lambda: b"another")
    played(cache)
    assert len(assembled) == 4


def test_what_cannot_be_read_back_is_made_anew(tmp_path: Path, assembled: list[object]) -> None:
    cache = Cache(tmp_path / "programs")
    first = played(cache)
    for file in list(cache.folder.iterdir()):
        cache.write(file.name, b"this is no program")
    assert played(cache) == first
    assert len(assembled) == 2


def test_a_program_without_its_machine_code_is_made_anew(tmp_path: Path, assembled: list[object]) -> None:
    cache = Cache(tmp_path / "programs")
    first = played(cache)
    machine_code = max(cache.folder.iterdir(), key=lambda file: file.stat().st_size)
    machine_code.unlink()
    assert played(cache) == first
    assert len(assembled) == 2


def test_a_fault_of_a_kept_program_names_its_place(tmp_path: Path) -> None:
    said = []
    for _ in range(2):
        with pytest.raises(Fault) as caught:
            played(Cache(tmp_path / "programs"), text=FAULTY)
        said.append([str(caught.value), *map(str, caught.value.frames)])
    assert said[0] == said[1]
    assert "play" in " ".join(said[0])


def test_what_explains_a_kept_program_is_read_when_somebody_asks(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "programs")
    made, kept = (load(document(TEXT), {}, 2, engine=WasmEngine(cache)).lowered for _ in range(2))
    game = Game(load(document(TEXT), {}, 2, engine=WasmEngine(cache)), 3)
    for _ in range(4):
        decision = game.next()
        assert decision is not None
        game.answer(decision, 1)
    assert game.said
    assert game.program.lowered.rest.reader is not None
    assert made.document.content.actions
    assert kept.document == made.document
    assert kept.rest.reader is None
    # Identities of nodes are others in each process; what only lowering needs is not kept.
    others = {"until_rules", "cast_rules", "index", "world", "layout", "facts"}
    others |= {*kept_programs._UNFINISHED, "_text_numbers"}
    for ours, theirs in ((kept, made), (kept.world, made.world), (kept.layout, made.layout)):
        for name in set(type(ours).__match_args__) - others:
            assert getattr(ours, name) == getattr(theirs, name), name
    assert kept.world.things[-1].declaration == made.world.things[-1].declaration
    with pytest.raises(AttributeError, match="nonsense"):
        kept.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_no_document_is_refused_with_a_cache_as_well(tmp_path: Path) -> None:
    engine = WasmEngine(Cache(tmp_path / "programs"))
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    for wrong in ({}, {"tale": 1}, {"content": deep}):
        with pytest.raises(LoadError):
            load(wrong, engine=engine)  # type: ignore[arg-type]


def test_a_document_is_checked_again_when_something_in_it_was_changed(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "programs")
    written = document(TEXT)
    load(written, {}, 2, engine=WasmEngine(cache))
    written["content"]["actions"][0]["verb"] = 3
    with pytest.raises(LoadError, match=r"content\.actions"):
        load(written, {}, 2, engine=WasmEngine(cache))
