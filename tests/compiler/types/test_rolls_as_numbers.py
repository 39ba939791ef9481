"""A roll, or a die of one, is a number wherever a number may stand: every form gives that number or a finding."""

from __future__ import annotations

import pytest

from talewright.compiler.in_memory import compile_text, plain
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.proving.runner import Runner
from talewright.schemas.nodes.codec import read_document

SEVEN = {
    "int": ("let n = 7", "given: seen = 0"),
    "roll": ("let n = do roll 2d6", "rig d6: 3, 4"),
    "die": ("let thrown = do roll d8\n    let n = first thrown", "rig d8: 7"),
}

# An expression with `n`, and what it is when `n` is 7.
FORMS = {
    "n": 7,
    "n + 3": 10,
    "3 + n": 10,
    "n - 2": 5,
    "20 - n": 13,
    "n * 2": 14,
    "2 * n": 14,
    "n / 2": 3,
    "n % 4": 3,
    "n + n": 14,
    "n * n": 49,
    "rolled(n)": 7,
    "least(n, 9)": 7,
    "greatest(n, 3)": 7,
    "highest({n, 3})": 7,
    "lowest({n, 30})": 7,
    "total({n, 3})": 10,
    "total({3, n} + {1})": 11,
    "total({1, 2} + n)": 10,
    "total({7, 2} - n)": 2,
    "count({n, 7})": 1,
    "total({n, 7})": 14,
    "count({n, n})": 1,
    "count({1, 7} where it == n)": 1,
    "count({1, 7, 9} where it in {n, 9})": 2,
    "total(numbers)": 7,
    "count(lucky)": 2,
    "count(grown)": 2,
    "count(shrunk)": 1,
    "count(distinct({n, 7}))": 1,
    "twice(n)": 14,
    "ranked(n)": 3,
    "(n if 1 == 1 otherwise 0) + 1": 8,
    "(n if 1 == 1 otherwise n) + 1": 8,
    "total(1..n)": 28,
    "total(all_of(n))": 7,
    "strength_of(n)": 7,
}
QUESTIONS = {
    "n in {7, 11}": True,
    "n not in {7, 11}": False,
    "{7, 11} includes n": True,
    "{1, 11} includes n": False,
    "{7, 11} includes {n, 11}": True,
    "n in 5..9": True,
    "n == 7": True,
    "n is 7": True,
    "n != 7": False,
    "n >= 7": True,
    "7 <= n": True,
    "n in {n}": True,
    "7 in {n}": True,
    "numbers includes 7": True,
    "7 in numbers": True,
    "any ({1, n} where it == 7)": True,
}

FRAME = """
state seen: int = 0
state asked: yes | no = no
state numbers: list of int = {}
state lucky: set of int = {1}
state grown: set of int = {7, 1}
state shrunk: set of int = {7, 1}
value twice(k: int) = k * 2
value all_of(k: list of int) = k
value strength_of(k: dice) = k + 0
table ranked: 1..6 -> 1; 7 -> 3; 8.. -> 5
"""
TRIAL = """
action try_NUMBER:
    MADE
    add n to numbers
    lucky + n
    grown + n
    shrunk - n
    STATEMENT

test "FORM":
    RIGGED
    when try_NUMBER
    expect OUTCOME
"""


def _trials() -> list[tuple[str, str, str]]:
    numbers = [(form, f"seen = {form}", f"seen == {value}") for form, value in FORMS.items()]
    answers = [
        (form, f"if {form}: asked = yes", f"asked is {'yes' if value else 'no'}")
        for form, value in QUESTIONS.items()
    ]
    return numbers + answers


@pytest.mark.parametrize("made", SEVEN)
def test_every_form_gives_the_number(made: str) -> None:
    text = FRAME
    for number, (form, statement, outcome) in enumerate(_trials()):
        trial = TRIAL.replace("NUMBER", str(number)).replace("OUTCOME", outcome)
        trial = trial.replace("MADE", SEVEN[made][0]).replace("RIGGED", SEVEN[made][1])
        text += trial.replace("STATEMENT", statement).replace(
            "FORM", form.replace("{", "[").replace("}", "]")
        )
    result = compile_text(plain(text))
    lines = text.strip("\n").splitlines()
    errors = [
        f"{lines[found.span.line - 1].strip()}: {found.message}"
        for found in result.diagnostics
        if found.severity == "error"
    ]
    assert result.document is not None, errors
    runs = list(Runner(read_document(result.document), best_engine()).run())
    assert len(runs) == len(FORMS) + len(QUESTIONS)
    assert [f"{run.title}: {run.message}" for run in runs if not run.passed] == []


@pytest.mark.parametrize(
    "form",
    ["seen = 2d6", "seen = 2d6 + 3", "let n = do roll 2d6 + 3", "if 2d6 > 3: seen = 1", "if 2d6 in {7}: seen = 1",
     "seen = count(2d6)", "seen = total({2d6, 3})"],
)  # fmt: skip
def test_dice_not_rolled_have_no_number(form: str) -> None:
    result = compile_text(plain(f"state seen: int = 0\naction try_it:\n    {form}\n"))
    assert [f.message for f in result.diagnostics if f.severity == "error"]


def test_one_die_does_where_dice_are_wanted() -> None:
    text = """
    state seen: int = 0
    action take_all n: dice: seen = count(n) * 100 + n
    action try_it:
        let thrown = do roll 2 * d6
        take_all first thrown
    test "one die":
        rig d6: 5, 2
        when try_it
        expect seen == 105
    test "a number":
        when take_all 4
        expect seen == 104
    """
    result = compile_text(plain(text))
    assert result.document is not None
    assert [
        run.message for run in Runner(read_document(result.document), best_engine()).run() if not run.passed
    ] == []


def test_dice_handed_over_unrolled_are_a_fault_of_their_own() -> None:
    text = """
    state seen: int = 0
    action take_all n: dice: seen = n
    test "unrolled":
        when take_all 2d6
        expect seen == 7
    """
    result = compile_text(plain(text))
    assert result.document is not None
    (run,) = Runner(read_document(result.document), best_engine()).run()
    assert "R18" in str(run.message)
