"""Resolution, rule by rule: what a name, verb, kind, field or moment means, and from where it can be seen."""

from __future__ import annotations

import pytest

from talewright.compiler.in_memory import compile_together, memory_package, plain
from tests.compiler.text_findings import codes, compiled, errors, marked, only_error

BOATS = """
kind Boat:
    seats: int = 2
Boat skiff "The Skiff"
Boat punt "The Punt"
role Captain 1..4 named captain
track danger 0..9 start 0
"""


def boats(text: str) -> str:
    """A text below some boats, a role and a track."""
    return plain(BOATS) + plain(text)


GOOD = {
    "a name can be used before it is declared": "action alarm: danger + 1\ntrack danger 0..9\n",
    "a let is seen below it": boats("action day:\n    let n = 2\n    danger + n\n"),
    "a let is seen in the blocks below it": boats("action day:\n    let n = 2\n    if n > 1: danger + n\n"),
    "a local hides a name declared outside": boats("action day danger: text:\n    say danger\n"),
    "a chosen thing can be used": boats(
        "action day:\n    choose b from Boat by captain1\n    move b to box\n"
    ),
    "the element of a loop can be used": boats("action day:\n    for each b in Boat: danger + b.seats\n"),
    "named gives the element a name": boats("value full = all Boat named b where b.seats > 2\n"),
    "it is the element of a where": boats("value full = all Boat where it.seats > 2\n"),
    "self is the thing of a kind's rule": "kind Boat:\n    n: int = 1\n    after game: self.n + 1\n",
    "a seat is named by its number": boats("action day:\n    choose b from Boat by captain4\n"),
    "one seat has no number": "role Captain named captain\nvalue who = captain\n",
    "copies have numbers": "kind Boat\nBoat raft * 2\nvalue second = raft_2\n",
    "places come from a plan": "plan shore: beach cliff\nvalue start = beach\n",
    "a chapter sees its own names": 'Chapter one "One":\n    state lit: yes | no = no\n    ends when lit\n',
    "two chapters may declare one name": (
        'Chapter one "One":\n    state lit: yes | no = no\nChapter two "Two":\n    state lit: int = 0\n'
    ),
    "a field of a parent is inherited": (
        "kind Ship:\n    seats: int = 1\nkind Boat is Ship\nBoat skiff:\n    seats: 3\n"
    ),
    "a field below can be asked for": (
        "kind Ship\nkind Boat is Ship:\n    seats: int = 1\nvalue room_on(s: Ship) = s.seats\n"
    ),
    "a trait's parameter can be read like a field": (
        "trait Guard(n: int)\nkind Boat\nBoat skiff is Guard(2)\nvalue strength(b: Boat) = b.n\n"
    ),
    "a lending field lends its fields": (
        "kind Class:\n    pace: int = 3\nkind Hero:\n    calling: Class lends all\n"
        "value pace_of(h: Hero) = h.pace\n"
    ),
    "a value of one parameter reads like a field": boats(
        "value room_left(b: Boat): int = b.seats\nvalue a = skiff.room_left\nvalue b = room_left of skiff\n"
    ),
    "a token is counted like a field": (
        "token coin * 9\nkind Boat:\n    holds coin\nBoat skiff\nvalue wealth = skiff.coin\n"
    ),
    "extend adds a field to a kind": boats(
        "extend Boat:\n    mast: yes | no = no\nvalue tall = skiff.mast\n"
    ),
    "extend adds a word": "type Size = small | large\nextend type Size = huge\nstate s: Size = huge\n",
    "one verb, told apart by prepositions": boats(
        "action sail b: Boat: nothing\naction sail to n: int: nothing\naction day: sail skiff; sail to 3\n"
    ),
    "the order of parts is free": boats(
        "action sail b: Boat to n: int by c: Captain: nothing\naction day: sail skiff by captain1 to 3\n"
    ),
    "a part with a default can be left out": boats(
        "action sail b: Boat to n: int = 1: nothing\naction day: sail skiff\n"
    ),
    "a system may replace a verb of the core": boats(
        "action move b: Boat to n: int: nothing\naction day: move skiff to 3\n"
    ),
    "values of one name, told apart by types": (
        "kind Boat\nkind Cart\nBoat skiff\nCart dray\nvalue load(b: Boat): int = 3\n"
        'value load(c: Cart): text = "much"\n'
        "value a: int = load(skiff)\nvalue b: text = load(dray)\n"
    ),
    "a moment is an action": "action day: nothing\nstate tired: yes | no = no per day\n",
    "a moment is a period": boats("period storm while danger > 5\nvalue wet = during storm\n"),
    "a rule may leave out parts": boats(
        "action sail b: Boat to n: int: nothing\nafter sail b: danger + b.seats\n"
    ),
    "a rule may ask for a kind": boats(
        "action sail t: Thing: nothing\nafter sail Boat b: danger + b.seats\n"
    ),
    "a rule may ask for a thing": boats("action sail b: Boat: nothing\nafter sail skiff: danger + 1\n"),
    "an offer binds the place of its menu": boats(
        'action sail b: Boat: nothing\nmenu acting(b: Boat)\noffer "Sail" in acting(b): sail b\n'
    ),
    "an offer's unbound names are filled in play": boats(
        'action sail b: Boat: nothing\nmenu acting\noffer "Sail {b}" in acting: sail b\n'
    ),
    "braces in prose can name things": boats('Boat raft "The Raft":\n    """The {skiff} leaves."""\n'),
    "a table is asked like a value": "table limit: 1 -> 1; 2.. -> 2\nvalue most = limit(3)\n",
    "a die's words are keys": (
        "die sky: sun, rain\naction day:\n    roll sky:\n        sun -> nothing\n        rain -> nothing\n"
    ),
}

# What is written, and the code with the text it points at.
BAD = {
    "a let stays in its block": (
        boats("action day:\n    if danger > 1: let n = 2\n    danger + n\n"),
        "N201 n",
    ),
    "a let is not seen above it": (boats("action day:\n    danger + n\n    let n = 2\n"), "N201 n"),
    "a chapter's own name stays inside": (
        'Chapter one "One":\n    state lit: yes | no = no\nChapter two "Two":\n    ends when lit\n',
        "N201 lit",
    ),
    "there is no self outside of a thing": ("value a = self\n", "N201 self"),
    "there is no fifth seat of four": (boats("value a = captain5\n"), "N201 captain5"),
    "an action is no value": (boats("action ring: give 3\nvalue a = ring\n"), "N201 ring"),
    "a condition around declarations": ("while fog:\n    kind Horn\n", "N201 fog"),
    "a pile to reshuffle from": ("kind Card\ndeck d of Card reshuffles from lost\n", "N201 lost"),
    "a figure of a cast": (
        'Place reeds\nChapter one "One":\n    cast:\n        2 hound at reeds\n',
        "N201 hound",
    ),
    "a rigged die": (
        'Chapter one "One"\ntest "x":\n    start one\n    rig sky: 3\n    expect yes\n',
        "N201 sky",
    ),
    "a verb in a rule": ("before sail: nothing\n", "N202 sail"),
    "a kind behind is": ("kind Boat is Ship\n", "N203 Ship"),
    "a kind as a type": ("kind Boat:\n    mast: Mast\n", "N203 Mast"),
    "a kind of a container": ("pile yard of Boat\n", "N203 Boat"),
    "a kind in a slot of a rule": (
        boats("action sail b: Boat: nothing\nafter sail Raft r: nothing\n"),
        "N203 Raft",
    ),
    "a type in lower case": ("state a: integer = 3\n", "N203 integer"),
    "a type to extend": ("extend type Size = huge\n", "N203 Size"),
    "a field that is read": (boats("value a = skiff.mast\n"), "N204 mast"),
    "a field of each": (boats("value a = Boat.mast\n"), "N204 mast"),
    "a field of a number": (boats("value a = danger.mast\n"), "N204 mast"),
    "a default of no field": ("kind Boat:\n    mast = 3\n", "N204 mast"),
    "a field to modify": (boats("modify mast of Boat b: + 1\n"), "N204 mast"),
    "an inline thing's field": (boats('Boat raft:\n    mast pole "Pole":\n        seats: 1\n'), "N204 mast"),
    "a part of a part": (boats("Boat raft:\n    mast.height: 3\n"), "N204 mast"),
    "a value without parentheses": (boats("value a = danger(3)\n"), "N205 danger"),
    "a value to modify": ("modify fare: + 1\n", "N205 fare"),
    "a track is not modified": (boats("modify danger: + 1\n"), "N205 danger"),
    "a trait gained in play": (boats("action day: skiff gains Leaky\n"), "N206 Leaky"),
    "a trait lost in play": (boats("action day: skiff loses Leaky\n"), "N206 Leaky"),
    "a menu of an offer": ('offer "x" in acting: nothing\n', "N207 acting"),
    "a word of an option": ("option mode: solo | duel = due\n", "N208 due"),
    "a face of a die": (
        "die sky: sun, rain\naction day:\n    roll sky:\n        snow -> nothing\n",
        "N208 snow",
    ),
    "the purpose of a roll": ("type Purpose = sailing\naction day: roll d6 for fishing\n", "N208 fishing"),
    "a field declared twice": ("kind Boat:\n    seats: int\n    seats: int\n", "N209 seats"),
    "a field given twice": (boats("Boat raft:\n    seats: 1\n    seats: 2\n"), "N209 seats"),
    "two sorts of one name": (boats("track skiff 0..3\n"), "N209 skiff"),
    "a numbered copy": ("kind Boat\nBoat raft * 2\nBoat raft_1\n", "N209 raft_1"),
    "a kind of the core": ("kind Place\n", "N209 Place"),
    "a thing of the core": ("track north 0..3\n", "N209 north"),
    "a state of a chapter twice": (
        'Chapter one "One":\n    state lit: yes | no = no\n    state lit: int = 0\n',
        "N209 lit",
    ),
    "a part that is missing": (
        boats("action sail b: Boat to n: int: nothing\naction day: sail skiff\n"),
        "N210 sail",
    ),
    "a part given twice": (
        boats("action sail to n: int: nothing\naction day: sail to 1 to 2\n"),
        "N210 2",
    ),
    "nothing to act on": (boats("action ring: nothing\naction day: ring skiff\n"), "N210 ring"),
    "a move without a source": ("kind Card\ndeck d of Card\naction day: move 3 to d\n", "N210 move 3 to d"),
    "a token that is held": ("kind Boat:\n    holds coin\n", "N211 coin"),
    "a place to go to": (boats("action day: go to skiff\n"), "N212 skiff"),
    "a chapter to start": ('test "x":\n    start one\n    expect yes\n', "N212 one"),
    "an arrow with two ends": (
        'Ending a "A"\nEnding b "B"\nChapter one "One":\n    outcome: otherwise -> a, b\n',
        "N212 a, b",
    ),
    "the parameters of a modified value": (
        boats("value fare(b: Boat): int = 1\nmodify fare(a, b): + 1\n"),
        "N216 fare",
    ),
    "a clause of a movement": ("movement drift:\n    stopped by: yes\n", "N216 stopped"),
    "a place of an offer that is no name": (
        boats('menu acting(b: Boat)\noffer "x" in acting(3): nothing\n'),
        "N216 3",
    ),
    "the end of an until": ("action day:\n    until end of night:\n        forbid day\n", "N218 night"),
    "what is stopped": ("action day: stop night\n", "N218 night"),
    "what goes on": ("value dark = during night\n", "N218 night"),
    "what the game starts after": ("start after setup\n", "N218 setup"),
    "once per what": ("menu acting once per day\n", "N218 day"),
    "a trait as a parent": ("trait Leaky\nkind Boat is Leaky\n", "N221 Leaky"),
    "a thing of a type": ("type Size = small | large\nSize skiff\n", "N221 Size"),
    "a pile of words": ("type Size = small | large\npile yard of Size\n", "N221 Size"),
    "a type extended like a kind": ("type Size = small | large\nextend Size:\n    n: int\n", "N221 Size"),
    "a kind extended like a type": ("kind Boat\nextend type Boat = small\n", "N221 Boat"),
    "a team of things": ("kind Boat\nteam fleet of Boat\n", "N221 Boat"),
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_what_can_be_seen(text: str) -> None:
    assert [found.message for found in errors(text)] == []


@pytest.mark.parametrize(("text", "expected"), BAD.values(), ids=BAD)
def test_what_cannot(text: str, expected: str) -> None:
    assert marked(text) == expected


def test_a_close_name_is_offered_with_a_fix() -> None:
    found = only_error(boats("action alarm: dangr + 1\n"))
    assert found.help == "did you mean `danger`?"
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["danger"]
    assert not any(fix.safe for fix in found.fixes)


@pytest.mark.parametrize(("wrong", "right"), [("dya", "day"), ("dayy", "day"), ("aday", "day")])
def test_short_names_are_offered_too(wrong: str, right: str) -> None:
    found = only_error(f"action day: nothing\nstate tired: yes | no = no per {wrong}\n")
    assert found.help == f"did you mean `{right}`?"


def test_a_name_unlike_all_others_is_not_guessed_at() -> None:
    assert only_error(boats("action alarm: weather + 1\n")).help == ""


def test_guesses_stop_when_a_whole_package_is_missing() -> None:
    text = boats("".join(f"action a{number}: dangr{number} + 1\n" for number in range(300)))
    helps = [found.help for found in errors(text)]
    assert len(helps) == 300
    assert helps[0] == "did you mean `danger`?"
    assert helps[-1] == ""


def test_the_other_declaration_is_pointed_at() -> None:
    found = only_error("kind Boat\nBoat skiff\nBoat skiff\n")
    assert [(label.span.line, label.text) for label in found.labels] == [
        (2, "first declared here, as a thing")
    ]


def test_a_broken_line_does_not_make_its_names_unknown() -> None:
    text = boats("track storm 0..\naction day: storm + 1\n")
    assert {code[0] for code in codes(text)} == {"S"}


def test_a_broken_field_does_not_make_its_uses_unknown() -> None:
    assert codes("kind Boat:\n    seats int\nBoat skiff:\n    seats: 3\n") == ["S138"]


def test_one_mistake_in_an_overloaded_call_is_one_error() -> None:
    text = boats("value load(b: Boat): int = 1\nvalue load(t: text): int = 2\nvalue a = load(skif)\n")
    assert codes(text) == ["N201"]


def test_files_of_a_package_are_one_text() -> None:
    result = compile_together(memory_package({"a.tale": "Boat skiff\n", "b.tale": "kind Boat\n"}))
    assert result.document is not None


def test_an_adventure_sees_its_system_and_not_the_other_way_round() -> None:
    system = memory_package({"system.tale": "kind Boat\n"}, name="sea")
    story = memory_package({"story.tale": "Boat skiff\n"}, name="voyage", type="adventure", uses=("sea",))
    assert compile_together(system, story).document is not None
    system = memory_package({"system.tale": "kind Boat\naction day: skif + 1\n"}, name="sea")
    found = [d for d in compile_together(system, story).diagnostics if d.severity == "error"]
    assert [(d.code, d.span.file) for d in found] == [("N201", "system.tale")]


def test_a_name_declared_in_two_packages_is_declared_twice() -> None:
    system = memory_package({"system.tale": "kind Boat\nBoat skiff\n"}, name="sea")
    story = memory_package({"story.tale": "Boat skiff\n"}, name="voyage", type="adventure", uses=("sea",))
    found = [d for d in compile_together(system, story).diagnostics if d.severity == "error"]
    assert [(d.code, d.span.file, d.labels[0].span.file) for d in found] == [
        ("N209", "story.tale", "system.tale")
    ]


def test_a_document_needs_a_text_without_errors() -> None:
    assert compiled(BOATS).document is not None
    assert compiled(boats("value a = skif\n")).document is None
