"""Lists handed to code by reference: the code means what it meant by name, and every game keeps its own lists."""

from __future__ import annotations

import ast
import gc
import weakref
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

from talewright.compiler.passes import compile_package
from talewright.runtime.binding import bound, is_data, is_plain, refer
from talewright.runtime.game import Game
from talewright.runtime.program import Program

ROOT = Path(__file__).resolve().parents[3]
SOURCE = """\
def index(n):
    return ROW[0], ROW[1], ROW[-1], ROW[n], ROW[ROW[0]], ROW[:2], ROW[::-1]
def truth():
    if ROW:
        return not ROW, 1 if EMPTY else 2, EMPTY and 3, ROW or 4, ROW is None, ROW is not None
    return bool(EMPTY)
def written(n):
    ROW[0] += 1
    ROW[n] = ROW[2] - 1
    ROW[1:1] = EMPTY
    EMPTY.append(n)
    EMPTY.append(n)
    del EMPTY[0]
    return list(ROW), len(EMPTY)
def looped():
    return [x for x in ROW], [y for x in (ROW, EMPTY) for y in x], {x: ROW[x] for x in ROW if x in ROW}
def asked(n):
    here = ROW
    held = [lambda k=k: ROW[k] for k in range(len(ROW))]
    def inner():
        return [ROW.index(x) for x in ROW]
    return n in ROW, WORD == "word", WORD != "other", "w" in WORD, here is ROW, [h() for h in held], inner()
"""
CALLS = ("index(1)", "truth()", "written(1)", "written(0)", "truth()", "looped()", "asked(2)", "asked(9)")


def _space() -> dict[str, Any]:
    return {"ROW": [1, 2, 0], "EMPTY": [], "WORD": "word"}


def _referred() -> tuple[CodeType, list[str]]:
    tree = ast.parse(SOURCE)
    names = refer(tree, {"ROW", "EMPTY", "WORD"})
    return compile(ast.fix_missing_locations(tree), "<tale>", "exec"), names


def _constants(code: CodeType) -> list[Any]:
    return [
        inner
        for value in code.co_consts
        for inner in (_constants(value) if isinstance(value, CodeType) else [value])
    ]


def test_code_means_what_it_meant_by_name() -> None:
    code, names = _referred()
    by_name, by_reference = _space(), _space()
    exec(SOURCE, by_name)
    exec(bound(code, names, by_reference), by_reference)
    for call in CALLS:
        assert eval(call, by_reference) == eval(call, by_name), call


@pytest.mark.filterwarnings("error")
def test_every_mark_is_filled_in_and_python_has_nothing_to_warn_of() -> None:
    code, names = _referred()
    space = _space()
    held = _constants(bound(code, names, space))
    assert sum(value is space["ROW"] for value in held) >= 5
    assert not any(isinstance(value, str) and value and ord(value[0]) >= 0x100000 for value in held)
    marks = [
        value for value in _constants(code) if isinstance(value, str) and value and ord(value[0]) >= 0x100000
    ]
    assert {ord(mark) - 0x100000 for mark in marks} == set(range(len(names)))


def test_what_python_could_work_out_early_keeps_its_name() -> None:
    tree = ast.parse("def f():\n    return ROW[0], not ROW, ROW[-1], (ROW, 1), ROW is None\n")
    assert refer(tree, {"ROW"}) == []


def test_two_games_keep_their_own_lists() -> None:
    code, names = _referred()
    one, other = _space(), _space()
    for space in (one, other):
        exec(bound(code, names, space), space)
    eval("written(1)", one)
    assert other["ROW"] == [1, 2, 0]
    assert eval("index(2)", other) != eval("index(2)", one)


def test_only_what_holds_no_function_is_handed_over() -> None:
    assert is_plain("int")
    assert is_plain(["optional", "", [["list", "", [["thing", "Door", []]]]]])
    assert not is_plain(["effect", "", []])
    assert not is_plain(["list", "", ["effect"]])
    assert is_data({1: [], 2: [3, "word", (None, 4)]})
    assert not is_data({})
    assert not is_data({1: [len]})
    assert not is_data((len,))


@cache
def _program(package: str) -> Program:
    document = compile_package(ROOT / package).document
    assert document is not None
    return Program(document, {}, 2)


def _play(game: Game, seed: int) -> tuple[str, Any]:
    draw = Random(seed).random
    game.reset(seed)
    game.quick = lambda count: int(draw() * count)
    return game.run(), [list(items) for items in game.space["ITEMS"]]


def test_games_of_one_program_do_not_meet() -> None:
    program = _program("scenarios/salem/night")
    assert program.code
    assert {"LOC", "ITEMS", "S"} <= set(program.references)
    games = [Game(program) for _ in range(2)]
    first = _play(games[0], 1)
    standing = [list(items) for items in games[1].space["ITEMS"]]
    assert _play(games[0], 2) != first
    assert [list(items) for items in games[1].space["ITEMS"]] == standing
    assert _play(games[1], 1) == first


@pytest.mark.parametrize("package", ["scenarios/salem/night", "tests/fixtures/play/island"])
def test_a_game_that_nobody_holds_is_gone(package: str) -> None:
    game = Game(_program(package))
    assert game.program.references
    _play(game, 1)
    held = weakref.ref(game)
    del game
    gc.collect()
    assert held() is None
