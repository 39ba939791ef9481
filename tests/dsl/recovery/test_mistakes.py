"""Every syntax error: its bad sample gives it, at its line; its good sample is clean."""

from __future__ import annotations

import re

import pytest

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.grammar.lark_parser import parser
from talewright.dsl.parser import parse
from talewright.dsl.recovery.mistake import Mistake
from talewright.dsl.recovery.mistake_table import BY_CODE, MISTAKES
from talewright.dsl.source import Source

ACTION = "action go by h: Hero:\n    "


def findings_in(text: str) -> list[Diagnostic]:
    return parse(Source("x.tale", text))[1]


def fixed(text: str, finding: Diagnostic) -> str:
    """The text after the finding's first fix."""
    source = Source("x.tale", text)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits = sorted(
        (
            starts[e.span.line - 1] + e.span.column - 1,
            starts[e.span.end_line - 1] + e.span.end_column - 1,
            e.text,
        )
        for e in finding.fixes[0].edits
    )
    for start, end, instead in reversed(edits):
        text = text[:start] + instead + text[end:]
    assert source.text != text
    return text


def test_codes_and_names_are_unique_and_well_formed() -> None:
    assert len(BY_CODE) == len(MISTAKES) == len({mistake.name for mistake in MISTAKES})
    for mistake in MISTAKES:
        assert re.fullmatch(r"S1\d\d", mistake.code)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", mistake.name)
        assert mistake.why.endswith(".")


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.code)
def test_the_bad_sample_gives_exactly_this_finding(mistake: Mistake) -> None:
    found = findings_in(mistake.sample())
    assert [(f.code, f.span.line) for f in found] == [(mistake.code, mistake.line)]
    assert found[0].name == mistake.name
    assert found[0].severity == mistake.severity


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.code)
def test_the_good_sample_is_clean(mistake: Mistake) -> None:
    assert findings_in(mistake.good) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.code)
def test_messages_speak_to_designers(mistake: Mistake) -> None:
    finding = findings_in(mistake.sample())[0]
    said = re.sub(r"`[^`]*`", "", f"{finding.message} {finding.help}")
    assert finding.message[0] in "`\"'" or finding.message[0].islower()
    assert not finding.message.endswith(".")
    assert finding.help
    terminals = {t.name for t in parser().terminals if len(t.name) > 1}
    assert not terminals & set(re.findall(r"[A-Z_]{2,}\w*", said))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.code)
def test_a_safe_fix_mends_its_finding(mistake: Mistake) -> None:
    text = mistake.sample()
    finding = findings_in(text)[0]
    if not finding.fixes or not finding.fixes[0].safe:
        assert mistake.code not in SAFELY_FIXED
        return
    assert mistake.code in SAFELY_FIXED
    assert findings_in(fixed(text, finding)) == []


SAFELY_FIXED = {
    "S108", "S109", "S111", "S128", "S118", "S119", "S124", "S140", "S142", "S143", "S147", "S160", "S161", "S162",
    "S163", "S164", "S165", "S166", "S167", "S168", "S171", "S174",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("action go to: Place: nothing\n", "S134", "a name is missing after `to`"),
        (ACTION + "let first = 3\n", "S110", "`first` is a word of the language and cannot be a name"),
        (ACTION + "let by = 3\n", "S110", "`by` is a word of the language and cannot be a name"),
        (
            "kind Door:\n    leads: up | down | none\n",
            "S110",
            "`none` is not one of the words of a type: what may be empty ends in `or none`",
        ),
        (
            "kind Door:\n    creaks: effect(k: Card) = nothing\n",
            "S110",
            "the default of a field of effects stands behind `:`",
        ),
        ("kind Door:\n    in: int\n", "S110", "`in` is a word of the language and cannot be a name"),
        ('Card a "A", b "B"\n', "S100", "a thing with a title of its own has a line of its own"),
        (
            "plan canal: lock, quay\n",
            "S100",
            "the names of a plan stand side by side, with blanks between them",
        ),
        (ACTION + "require self in hall and danger > 0\n", "S100", "no statement begins with `require`"),
        ("kind Door: wide: int; high: int\n", "S100", "`;` stands between statements, and fields are none"),
        (
            "kind Door:\n    wide: 1..3; high: int\n",
            "S100",
            "`;` stands between statements, and fields are none",
        ),
        ("kind Door: in: int\n", "S110", "`in` is a word of the language and cannot be a name"),
        ("state on: int = 0\n", "S110", "`on` is a word of the language and cannot be a name"),
        ("track by 0..3\n", "S110", "`by` is a word of the language and cannot be a name"),
        ("deck first of Card\n", "S110", "`first` is a word of the language and cannot be a name"),
        (ACTION + "if h.ready then rest h\n", "S124", "a condition ends with `:`, not with `then`"),
        (ACTION + "if h.ready rest h\n", "S124", "`:` is missing before `rest`"),
        ('test "a":\n    given move x to y\n', "S124", "`:` is missing before `move`"),
        ("when tide > 3: go to sea\n", "S153", "a rule on a condition says when it `becomes true`"),
        ("when tide > 3 go to sea\n", "S153", "a rule on a condition says when it `becomes true`"),
        ("when tide > 3 then go to sea\n", "S153", "a rule on a condition says when it `becomes true`"),
        ("when tide > 3, go to sea\n", "S153", "a rule on a condition says when it `becomes true`"),
        ("when tide > 3\n    go to sea\n", "S153", "a rule on a condition says when it `becomes true`"),
        (
            "kind Door:\n    when it.high > 3 go to sea\n",
            "S153",
            "a rule on a condition says when it `becomes true`",
        ),
        ("table limit:\n    2..3: 2\n", "S145", "a band needs `->` after its range"),
        ("table limit:\n    1: 2\n", "S145", "a row needs `->` after its number"),
        ("Door gate:\n    strength: ..4 D1; 5.. -> D2\n", "S145", "a band needs `->` after its range"),
        (
            ACTION + 'choose one by h:\n        "Rest": rest h\n',
            "S146",
            "an option needs `->` after its label",
        ),
        ("measure a: 3\n", "S141", "what is defined here is given with `=`"),
        ("value a: 3\n", "S141", "what is defined here is given with `=`"),
        (ACTION + "let n: 3\n", "S141", "what is defined here is given with `=`"),
        (ACTION + "h.gold -= 1\n", "S142", "a change is written with a plain `-`"),
        (ACTION + "h.gold++\n", "S142", "there is no `++`"),
        (ACTION + "if h.ready or !h.hurt: rest h\n", "S163", "`!` is not an operator here"),
        (ACTION + "if h.ready || h.hurt: rest h\n", "S163", "`||` is not an operator here"),
        (ACTION + "h.x = false\n", "S164", "`false` is called `no` here"),
        (ACTION + "h.x = null\n", "S164", "`null` is called `none` here"),
        (ACTION + "if x: y\n    elif h.down: rest h\n", "S160", "`elif` is called `otherwise if` here"),
        (ACTION + "if x: y\n    else if z: w\n", "S160", "`else if` is called `otherwise if` here"),
        (ACTION + "for d in Door:\n        close d\n", "S161", "a loop over a set begins with `for each`"),
        (ACTION + "choose d from Door\n", "S149", "`choose` does not say who chooses"),
        (ACTION + "choose d by h\n", "S149", "`choose` does not say from what"),
        ("deck cards of card\n", "S131", "kinds, traits, roles and types are capitalised: `card` is not"),
        ('figure gate "The Gate": open: no\n', "S131", "a thing begins with its kind"),
        ("deck Cards of Card\n", "S132", "this name is written in lower case: `Cards` is not"),
        (ACTION + "let X = 3\n", "S132", "this name is written in lower case: `X` is not"),
        ("instead of: nothing\n", "S135", "`instead of` does not say an action"),
        ("modify: + 1\n", "S135", "`modify` does not say a value"),
        ("test opens:\n    expect yes\n", "S133", "a test's title stands in quotes"),
        ("class Door:\n    open = no\n", "S130", "no declaration begins with `class`"),
        ("import doors\n", "S130", "no declaration begins with `import`"),
        ("value f(h) = 3\n", "S137", "the parameter `h` has no type"),
        ("state x = 3\n", "S137", "a `state` says its type"),
        ("kind Élan\n", "S117", "`É` cannot stand in a name"),
        ("value a = 3 → 4\n", "S117", "`→` is not a sign of the language"),
        ("value a =\u00a03\n", "S117", "this blank is not an ordinary one"),
        ("value a = f(1, 2]\n", "S116", "`]` closes nothing"),
        ("period fight: any x\n", "S100", "`:` cannot follow `fight` here"),
    ],
)
def test_variants(text: str, code: str, said: str) -> None:
    found = findings_in(text)
    assert [f.code for f in found] == [code]
    assert found[0].message.startswith(said)


def test_a_compound_where_is_no_syntax_error() -> None:
    assert findings_in(ACTION + "let n = any Door where it.open and h.ready\n") == []


def test_not_equal_is_fine() -> None:
    assert findings_in(ACTION + "if h.gold != 3: rest h\n") == []


def test_pass_and_return_stay_free_as_names() -> None:
    text = 'menu acting: pass "Wait"\naction attempt s: Skill gives pass | fail:\n    give pass\n'
    assert findings_in(text) == []
    assert findings_in("Card trial:\n    pass: earn 10\n") == []
    assert findings_in(ACTION + "return h to hall\n") == []


def test_suggestions_name_the_nearest_word() -> None:
    assert findings_in("knid Door\n")[0].help == "did you mean `kind`?"
    assert findings_in("mesure a = 3\n")[0].help == "did you mean `measure`?"
    assert findings_in('test "a":\n    expcet yes\n')[0].help == "did you mean `expect`?"
