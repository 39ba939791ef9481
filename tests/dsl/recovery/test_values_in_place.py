"""What is said where a value is there, but in a form that cannot stand there; and ids that begin with a number."""

from __future__ import annotations

import pytest

from talewright.compiler.in_memory import compile_text, plain
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.proving.runner import Runner
from talewright.schemas.nodes.codec import read_document

WRONG = {
    "kind K:\n    a: int\n    b: int\nK x: a: 1; b: 2\n": "write each field on a line of its own",
    "kind K\naction f: go to first K\n": "put it in brackets: `(first ...)`",
    "state danger: int = 0\nkind K\naction f: danger + any K\n": "put it in brackets: `(any ...)`",
    "action feast: nothing\naction g:\n    feast:\n        nothing\n": "take the colon and the block away",
    "value a = 3 +\n": "write a value after it",
}


@pytest.mark.parametrize("text", WRONG)
def test_the_help_fits_the_fault(text: str) -> None:
    (found,) = [f for f in compile_text(text).diagnostics if f.code == "S180"]
    assert WRONG[text] in found.help


KEYS = {
    "state n: int = 0\naction y:\n    match n:\n        1, 2 -> n + 1\n        otherwise -> nothing\n": "write `1 or 2 -> ...`",
    'kind T:\n    prices: int -> int\nT t "T": prices: 1 2, 3 4\n': "write `1 -> 2`, and `;` before the next",
}


@pytest.mark.parametrize("text", KEYS)
def test_keys_that_cannot_stand_there_say_what_to_write(text: str) -> None:
    (found,) = [f for f in compile_text(text).diagnostics if f.severity == "error"]
    assert found.help == KEYS[text]


PAGES = """Ending home "Home"
Chapter moor "The Moor":
    {}
Chapter mist "The Mist":
    choice: "Back" -> home
"""
WAYS = {
    "go_ahead -> mist": 'for a way on, write `choice: "Go ahead" -> mist` or `outcome: condition -> mist`',
    '"Go ahead" -> mist': 'for a way on, write `choice: "Go ahead" -> mist` or `outcome: condition -> mist`',
    "-> mist": 'for a way on, write `choice: "Go on" -> mist` or `outcome: condition -> mist`',
    "choice: -> mist": 'write `"Go on" -> mist`',
    "outcome:\n        -> mist": "write `condition -> mist`",
    "choice: go_ahead -> mist": 'words that players choose stand in quotes: `"Go ahead" -> ...`',
    "choice: moor_ -> mist": "did you mean `moor`?",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_way_on_in_the_wrong_form_says_what_to_write(way: str) -> None:
    found = compile_text(PAGES.format(way)).diagnostics[0]
    assert (found.span.line, found.help) == (4 if "\n" in way else 3, WAYS[way])


@pytest.mark.parametrize(
    ("written", "column", "instead"),
    [
        ("-7 % 2 == 1", 19, "7"),
        ("x > 3 and -5 <= x", 29, "5"),
        ("x + -3", 23, "3"),
        ("-x", 19, "x"),
        ("(-3 + x)", 20, "3"),
    ],
)
def test_a_minus_that_cannot_stand_there_says_what_to_write(written: str, column: int, instead: str) -> None:
    (found,) = compile_text(f"value v(x: int) = {written}\n").diagnostics
    assert (found.span.column, found.help) == (column, f"write `(0 - {instead})`")


@pytest.mark.parametrize(
    "text",
    [
        "kind K\nK k\nvalue v = first K is k\n",
        "kind K\nK k\naction f:\n    if last K is k: nothing\n",
    ],
)
def test_one_of_many_in_a_comparison_stands_in_brackets(text: str) -> None:
    (found,) = [f for f in compile_text(text).diagnostics if f.code == "S100"]
    assert found.help.startswith("put it in brackets: `(")


def test_a_short_kind_is_no_title() -> None:
    text = 'kind K:\n    a: int\n    b: int\nK k "K": a: 1; b: 2\n'
    (found,) = [f for f in compile_text(text).diagnostics if f.severity == "error"]
    assert found.code == "S180"


@pytest.mark.parametrize("name", ["d4", "d6", "d20"])
@pytest.mark.parametrize(
    "form",
    [
        'kind Door\nDoor {} "A door"\n',
        "state {}: int = 0\n",
        "value {}(n: int) = n\n",
        "value v({}: int) = 1\n",
        "action {}: nothing\n",
        "action roll_up {}: int: nothing\n",
        "action game:\n    let {} = 3\n",
        "action game:\n    for each {} in (1..2): nothing\n",
        "type Die = {} | other\n",
    ],
)
def test_dice_are_no_names(form: str, name: str) -> None:
    errors = [f for f in compile_text(form.format(name)).diagnostics if f.severity == "error"]
    assert [(f.code, f.span.line) for f in errors] == [("N223", form.count("\n"))]


@pytest.mark.parametrize("call", ["move to box", "put into box", "discard to box", "flip", "reveal"])
def test_a_verb_that_does_not_say_what_is_refused(call: str) -> None:
    text = f"kind Coin\nCoin penny\npile box_of of Coin\naction game: {call.replace('box', 'box_of')}\n"
    errors = [f.message for f in compile_text(text).diagnostics if f.severity == "error"]
    assert errors == [f"`{call.split()[0]}` does not say what"]


def test_a_question_of_a_numbered_chapter_is_answered_by_its_id() -> None:
    text = """
    role Player 1..2 named p
    Chapter 2A "The Ford"
    action ford: nothing
    test "waiting":
        start 2A
        answer 2A.choice: "Wait"
        when ford
        expect count(Player) == 1
    """
    result = compile_text(plain(text))
    assert [f.message for f in result.diagnostics if f.severity == "error"] == []
    assert result.document is not None
    # Nobody asks here: that it says so shows that the id was read.
    assert [run.message for run in Runner(read_document(result.document), best_engine()).run()] == [
        "1 answer left over: nobody asked"
    ]


@pytest.mark.parametrize("name", ["2d6", "1st", "4_corners", "3x3"])
@pytest.mark.parametrize(
    "form",
    [
        'kind Door\nDoor {} "A door"\n',
        "state {}: int = 0\n",
        "pile {} of Door\n",
        "kind Door:\n    {}: int = 0\n",
        "action game:\n    let {} = 3\n",
    ],
)
def test_a_name_that_begins_with_a_digit_is_told(form: str, name: str) -> None:
    (found,) = [f for f in compile_text(form.format(name)).diagnostics if f.severity == "error"]
    assert (found.code, found.message) == ("S134", f"`{name}` is no name: a name begins with a letter")


@pytest.mark.parametrize(
    "line",
    ["n = 3 + (do two)", "n + do two", "if do two == 3: n = 1", "repeat do two times: n + 1", "n = max(do two, 2)", "set_n do two"],
)  # fmt: skip
def test_a_result_inside_an_expression_is_named_first(line: str) -> None:
    text = f"state n: int = 0\naction two gives int: give 2\naction set_n to_it: int: n = to_it\naction game:\n    {line}\n"
    (found,) = [f for f in compile_text(text).diagnostics if f.severity == "error"]
    assert "let name = do" in found.help


@pytest.mark.parametrize("setting", ["players 2", "seed 7"])
def test_settings_of_a_test_stand_behind_with(setting: str) -> None:
    text = (
        f'role Player 1..2 named p\naction game: nothing\ntest "t":\n    start {setting}\n    expect 1 == 1\n'
    )
    (found,) = [f for f in compile_text(text).diagnostics if f.severity == "error"]
    assert found.help == f"write `start with {setting.split()[0]} ...`"
