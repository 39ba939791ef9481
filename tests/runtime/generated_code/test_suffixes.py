"""What is left of a function after one of its calls does what the function would have done."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from copy import copy
from functools import partial
from itertools import chain, islice
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from talewright.runtime.resuming import Contents, put_back
from talewright.runtime.suffixes import LOOP, OWN, CannotResume, Position, Text, place_of

SOURCE = """
def straight(ask, told):
    a = ask(1)
    told.append(a)
    b = ask(2) + a
    return b

def branches(ask, told):
    if ask(1) % 2:
        told.append("odd")
        x = ask(3)
    elif ask(2) > 3:
        x = ask(4)
        told.append("high")
    else:
        x = 0
    return x and ask(5) or ask(6) if not ask(7) else (x, ask(8))

def loops(ask, told):
    total = 0
    for n in [1, 2, 3]:
        if n == 2 and ask(n) % 2:
            continue
        for m in range(3):
            total += ask(m)
            if total > 12:
                break
        told.append((n, total))
    while ask(9) % 3:
        total += ask(10)
        if total > 40:
            break
        told.append(total)
    for a, b in {"x": 1, "y": 2}.items():
        told.append((a, b, ask(b)))
    return total

def errors(ask, told):
    try:
        told.append(ask(1))
        if ask(2) % 2:
            raise KeyError("k")
    except KeyError as problem:
        told.append(str(problem))
    else:
        told.append(ask(3))
    finally:
        told.append("done")
    for n in (1, 2):
        try:
            if ask(4) % 3 == 0:
                continue
            told.append(ask(5))
        finally:
            told.append(n)
    try:
        told.append(ask(6))
        if ask(7) == 1:
            raise KeyError("outside")
    except IndexError:
        told.append("never")
    told.append(ask(8))
    return told

def nested(ask, told):
    add = lambda x: x + ask(x)
    def inner(y, step=2):
        while y < 7:
            y += step + ask(y)
        return add(y)
    match inner(ask(1)):
        case 7 | 8:
            told.append(ask(2))
        case other:
            told.append((other, ask(3)))
    return [x + 1 for x in parts(ask, 3)]

def parts(ask, count):
    made = []
    while len(made) < count:
        made.append(ask(len(made)))
    return made
"""
TEXT = Text(SOURCE, "<sample>")


class Record:
    """Answers by number, keeps what was asked, and every frame that waited."""

    def __init__(self, answers: int, kept: bool) -> None:
        self.draw = answers
        self.asked: list[Any] = []
        self.kept: list[list[tuple[Callable[..., Any], dict[str, Any]]]] = []
        self.keeping = kept
        self.told: list[Any] = []
        self.contents: list[list[tuple[Any, Any]]] = []

    def ask(self, question: Any) -> int:
        if self.keeping:
            self.kept.append(frames(sys._getframe(1)))
            held = Contents(frozenset([id(self.asked)]))
            held.look_into(value for _, names in self.kept[-1] for value in names.values())
            self.contents.append(held.found)
        return self.answer(question)

    def answer(self, question: Any) -> int:
        self.asked.append(question)
        return (self.draw * 7 + len(self.asked) * 13 + self.draw * len(self.asked) // 3) % 5


def frames(frame: FrameType | None) -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    """The frames of the sample, innermost first, each with what is left of it and its locals."""
    found = []
    while frame is not None and frame.f_code.co_filename == "<sample>":
        place = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
        names = {
            k: copy(v) if k.startswith(LOOP) else v
            for k, v in frame.f_locals.items()
            if not k.startswith(OWN)
        }
        code = TEXT.suffix(place, tuple(names))  # type: ignore[arg-type]
        found.append((FunctionType(code, frame.f_globals), names))
        frame = frame.f_back
    return found


def go_on(stack: list[tuple[Callable[..., Any], dict[str, Any]]], answer: Callable[[], Any]) -> Any:
    last = answer
    for function, names in stack:
        moved = {k: copy(v) if k.startswith(LOOP) else v for k, v in names.items()}
        last = partial(function, last, chain, **moved)
    return last()


def ended(play: Callable[[], Any]) -> Any:
    """What it gives, or the error it ends with."""
    try:
        return copy(play())
    except KeyError as error:
        return repr(error)


@pytest.mark.parametrize("name", ["straight", "branches", "loops", "errors", "nested"])
@pytest.mark.parametrize("answers", range(12))
def test_going_on_from_any_call_ends_as_the_whole_did(name: str, answers: int) -> None:
    space: dict[str, Any] = {}
    exec(TEXT.compiled(), space)
    whole = Record(answers, kept=True)
    result = ended(lambda: space[name](whole.ask, whole.told))
    ending, asked = list(whole.told), list(whole.asked)
    assert asked
    whole.keeping = False
    for index, (stack, contents) in enumerate(zip(whole.kept, whole.contents, strict=True)):
        for kept, content in contents:
            put_back(kept, content)
        whole.asked[:] = asked[:index]
        made = ended(partial(go_on, stack, partial(whole.answer, asked[index])))
        assert (made, whole.told, whole.asked) == (result, ending, asked)


def test_one_can_go_on_from_where_one_went_on() -> None:
    space: dict[str, Any] = {}
    exec(TEXT.compiled(), space)
    whole = Record(5, kept=True)
    result = space["loops"](whole.ask, whole.told)
    ending, asked, first = list(whole.told), list(whole.asked), whole.kept[1]
    # Go on from the second call, keeping frames of what goes on; then go on from those.
    for kept, content in whole.contents[1]:
        put_back(kept, content)
    whole.asked[:], whole.kept, whole.contents = asked[:1], [], []
    assert go_on(first, partial(whole.answer, asked[1])) == result
    again, whole.keeping = list(zip(whole.kept, whole.contents, strict=True)), False
    assert len(again) == len(asked) - 2
    for index, (stack, contents) in enumerate(again, 2):
        for kept, content in contents:
            put_back(kept, content)
        whole.asked[:] = asked[:index]
        assert go_on(stack, partial(whole.answer, asked[index])) == result
        assert whole.told == ending


def place_in(text: str, name: str) -> Position:
    """Where the first call of a name stands in a text without loops that are made visible."""
    calls = [
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == name
    ]
    return place_of(calls[0])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(ask, told):\n    return [ask(n) for n in (1, 2)]", "not in a function"),
        ("def f(ask, told):\n    return told[0] + ask(1)", "a part before it"),
        ("def f(ask, told):\n    try:\n        told.fall()\n    except AttributeError:\n        ask(1)", "follows an error"),
        ("def f(ask, told):\n    try:\n        return 1\n    finally:\n        ask(1)", "follows an error"),
        ("def f(ask, told):\n    with told:\n        ask(1)", "With"),
    ],
)  # fmt: skip
def test_where_there_is_no_way_back_it_says_so(text: str, why: str) -> None:
    made, place = Text(text, "<sample>"), place_in(text, "ask")
    with pytest.raises(CannotResume, match=why):
        made.suffix(place, ("ask", "told"))


def test_a_loop_that_cannot_be_seen_is_refused() -> None:
    text = "def f(ask):\n    for n in (1, 2):\n        ask(n)"
    made, place = Text(text, "<sample>", visible=False), place_in(text, "ask")
    with pytest.raises(CannotResume, match="cannot be seen"):
        made.suffix(place, ("ask", "n"))


def test_lines_keep_their_numbers() -> None:
    code = TEXT.suffix((4, 4, 4, 18), ("ask", "told", "a"))
    assert isinstance(code, CodeType)
    assert (code.co_name, code.co_firstlineno, code.co_filename) == ("straight", 2, "<sample>")
    assert {line for _, _, line in code.co_lines() if line} <= set(range(2, 7))
