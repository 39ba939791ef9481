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
    "die of one's own": ("let thrown = do roll 2 * seven\n    let n = last thrown", "rig seven: 1, 7"),
    "single die": ("let n = do roll seven", "rig seven: 7"),
    "some dice": ("let thrown = do roll 3d6\n    let n = thrown where it >= 3", "rig d6: 3, 2, 4"),
    "result of an action": ("let n = do throw", "rig d6: 3, 4"),
    "state": ("kept = do roll 2d6\n    let n = kept", "rig d6: 3, 4"),
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

# Statements with `n`, and what `seen` is after them when `n` is 7.
STATEMENTS = {
    "seen + n": 7,
    "seen - n": -7,
    "repeat n times: seen + 2": 14,
    "for each i in (1..n): seen + i": 28,
    "for each i in {n, 1} ordered by highest it: seen = seen * 10 + i": 71,
    "for each x, y in {n 3}: seen = x * y": 21,
    "for each x, y in {3 n}: seen = x * y": 21,
    "for each x, y in pairs({n}, {3}): seen = x * y": 21,
    "match n:\n        ..6 -> seen = 1\n        7 -> seen = 2\n        otherwise -> seen = 3": 2,
    "match n:\n        1 or 7 -> seen = 2\n        otherwise -> seen = 3": 2,
    "match n:\n        1..12 when n > 6 -> seen = 2\n        otherwise -> seen = 3": 2,
    "match 7:\n        n -> seen = 2\n        otherwise -> seen = 3": 2,
    "match {n, 3}:\n        {3, 7} -> seen = 2\n        otherwise -> seen = 3": 2,
    "track_of_eight + n\n    seen = track_of_eight": 7,
    "track_of_eight = n\n    seen = track_of_eight": 7,
    "p1.rank = n\n    p1.rank + n\n    seen = p1.rank": 14,
    "small = n\n    seen = small": 7,
    "perhaps = n\n    seen = perhaps + 0": 7,
    "goal = n\n    if 7 >= goal and not 6 >= goal: seen = 1": 1,
    "put n coin on p1\n    seen = p1.coin": 7,
    "move n from stack to heap\n    seen = count(heap)": 7,
    "let drawn = do draw n from stack\n    seen = count(drawn)": 7,
    "seen = list_of_eight[n]": 17,
    "seen = count(list_of_eight[1..n])": 7,
    "seen = prices[n]": 9,
    "prices[n] = 4\n    seen = prices[7]": 4,
    "prices[3] = n\n    seen = prices[3]": 7,
    "let m = {n 3}\n    seen = m[7] + m[n]": 6,
    "let m = {3 n}\n    seen = m[3] + 1": 8,
    "do row_of(n, 5)": 5,
    "do row_of(9, n)": 7,
    "take_number n": 14,
    "take_range n": 7,
    "take_dice n": 8,
    "take_perhaps n": 7,
    "take_target n": 1,
    "take_list n": 7,
    "take_list {n, 1}": 8,
    "take_set {n, 7}": 7,
    "raised n": 8,
    "lowered n": 6,
    "give_back n\n    seen + 1": 15,
    "let back = do give_dice n\n    seen = back + 1": 8,
    "replaced_at_seven n": 99,
    "do p1.heals(n)": 7,
    "p1 gains Strong(n)\n    seen = p1.power": 7,
    "let m = n\n    let k = m + n\n    seen = k": 14,
    "let m = 3\n    m + n\n    seen = m": 10,
    "let m = n if 1 == 1 otherwise 3\n    seen = m * 2": 14,
    "let m = random {n, 7}\n    seen = m * 2": 14,
    "let set_of_it = {n, n}\n    if set_of_it is {7}: seen = 1": 1,
    "if {n} == {7}: seen = 1": 1,
    "if {7, 1} is {1, n}: seen = 1": 1,
    "if {n 1} is {7 1}: seen = 1": 1,
    "let rest = {7, 3} - n\n    seen = total(rest)": 3,
    "let rest = {n, 3} in {7}\n    seen = count(rest)": 1,
    "remove n from numbers\n    seen = count(numbers)": 0,
    "add {n, 3} to numbers\n    seen = total(numbers)": 17,
    "add n to lucky\n    add 7 to lucky\n    seen = total(lucky)": 8,
    "let more = do roll n\n    seen = more": 7,
    "let more = do roll n * lone\n    seen = more": 28,
    "if possible(take_range n): seen = 1": 1,
    "if n in (1..7): seen = 1": 1,
    "until end of take_number:\n        modify power of p1: + n\n        before take_number: seen = p1.power\n    take_number 0": 0,
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
role Player 1..2 named p:
    rank: 0..20 = 0
    power: int = 0
    heals: effect(h: int): seen + h
    holds coin
token coin * 50
kind Leaf is Card
Leaf leaf "a leaf" * 12
pile stack of Leaf = all Leaf
pile heap of Leaf
die seven: 1, 2, 7
die lone: 4
state kept: dice = 0
state small: 1 | 5 | 7 = 1
state perhaps: int or none = none
state goal: target = 2+
state list_of_eight: list of int = {11, 12, 13, 14, 15, 16, 17, 18}
state prices: int -> int = {1 5, 7 9}
track track_of_eight 0..20 start 0
trait Strong(n: int):
    modify power of self: + n
action throw gives dice:
    let thrown = do roll 2d6
    give thrown
action take_number k: int: seen = k * 2
action take_range k: 1..12: seen = k
action take_dice k: dice: seen = k + 1
action take_perhaps k: int or none = none: seen = k + 0
action take_target k: target:
    if 7 >= k and not 6 >= k: seen = 1
action take_list k: list of int: seen = total(k)
action take_set k: set of int: seen = total(k)
action raised k: int: seen = k
before raised k when k > 5: k + 1
action lowered k: dice: seen = k
before lowered k when k > 5: k - 1
action give_back k: int gives int: give k
after give_back k: seen = result * 2
action give_dice k: dice gives dice: give k
action replaced_at_seven k: int: seen = k
instead of replaced_at_seven 7: seen = 99
table row_of(k: int):
    ..6 -> seen + 1
    7.. -> seen + k
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
    start with players 1
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
    done = [(form, f"seen = 0\n    {form}", f"seen == {value}") for form, value in STATEMENTS.items()]
    return numbers + answers + done


@pytest.mark.parametrize("made", SEVEN)
def test_every_form_gives_the_number(made: str) -> None:
    text = FRAME
    for number, (form, statement, outcome) in enumerate(_trials()):
        trial = TRIAL.replace("NUMBER", str(number)).replace("OUTCOME", outcome)
        trial = trial.replace("MADE", SEVEN[made][0]).replace("RIGGED", SEVEN[made][1])
        text += trial.replace("STATEMENT", statement).replace(
            "FORM", form.replace("{", "[").replace("}", "]").replace("\n", " ")
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
    assert len(runs) == len(FORMS) + len(QUESTIONS) + len(STATEMENTS)
    assert [f"{run.title}: {run.message}" for run in runs if not run.passed] == []


@pytest.mark.parametrize(
    "form",
    ["seen = 2d6", "seen = 2d6 + 3", "let n = do roll 2d6 + 3", "if 2d6 > 3: seen = 1", "if 2d6 in {7}: seen = 1",
     "seen = count(2d6)", "seen = total({2d6, 3})"],
)  # fmt: skip
def test_dice_not_rolled_have_no_number(form: str) -> None:
    result = compile_text(plain(f"state seen: int = 0\naction try_it:\n    {form}\n"))
    assert [f.message for f in result.diagnostics if f.severity == "error"]


@pytest.mark.parametrize("change", ["n + 3", "n - 1"])
def test_a_roll_that_goes_up_or_down_is_a_number_from_then_on(change: str) -> None:
    text = f"""
    state seen: int = 0
    action try_it:
        let n = do roll 2d6
        {change}
        seen = n
    test "changed":
        rig d6: 3, 4
        when try_it
        expect seen == 7 {change[2:]}
    """
    result = compile_text(plain(text))
    assert result.document is not None
    (run,) = Runner(read_document(result.document), best_engine()).run()
    assert run.passed, run.message


def test_a_die_does_not_go_up_or_down() -> None:
    text = """
    action try_it:
        let thrown = do roll 2d6
        let n = first thrown
        n + 3
    """
    found = [f for f in compile_text(plain(text)).diagnostics if f.severity == "error"]
    assert [f.code for f in found] == ["T305"]
    assert "number" in found[0].help


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
