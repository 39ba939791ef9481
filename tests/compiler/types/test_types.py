"""Typing, rule by rule: what may stand where, what is inferred, and what only looks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talewright.compiler.checks.names_pages import CHECKS as NAMES
from talewright.compiler.checks.types_pages import CHECKS as TYPES
from talewright.compiler.in_memory import compile_text, compile_together, memory_package, plain
from talewright.compiler.types.model import ANY, INT, TRUTH, Type, describe, many, optional, thing, written
from tests.compiler.edits import edited
from tests.compiler.text_findings import compiled, errors, marked, only_error

SHORE = """
kind Boat:
    seats: 1..4 = 2
    size: small | large = small
kind Raft is Boat
kind Cart
Boat skiff "The Skiff"
Boat punt "The Punt"
Raft raft "The Raft"
Cart dray "The Dray"
role Captain 1..4 named captain
token coin * 9
track danger 0..9 start 0
state mood: calm | wild or none = none
pile yard of Boat
slot berth of Boat
action sail b: Boat: nothing
action weigh: give 3
"""


def shore(text: str) -> str:
    """A text below some boats, a role, a track and containers."""
    return plain(SHORE) + plain(text)


GOOD = {
    "a number from a die": shore(
        "action day:\n    let n = do roll 2 * d6\n    let one = first n\n    danger + one\n"
    ),
    "the total of a roll": shore("action day:\n    let n = do roll 2d6\n    danger + n\n"),
    "a thing of a kind below": shore("action day: sail raft\n"),
    "a thing of a kind above, decided in play": shore(
        "action day r: Raft: nothing\naction night b: Boat: day b\n"
    ),
    "the content of a slot of one": shore("action day: sail berth\n"),
    "none for what may be none": shore("action day: mood = none\n"),
    "a word for a state of words": shore("action day: mood = wild\n"),
    "a thing where a set is wanted": shore(
        "action haul what: set of Boat: nothing\naction day: haul skiff\n"
    ),
    "a container where a set is wanted": shore(
        "action haul what: set of Boat: nothing\naction day: haul yard\n"
    ),
    "braces are a set": shore("action haul what: set of Boat: nothing\naction day: haul {skiff, raft}\n"),
    "each makes a loop": shore("action day: sail each Boat\n"),
    "first takes one": shore("action day: sail first Boat\n"),
    "random is allowed where something is done": shore("action day: sail random Boat\n"),
    "any of a set is a condition": shore("value busy = any yard\n"),
    "a condition in words": shore("value angry = mood is wild\n"),
    "ordered words compare": "type Size = small < large\nstate s: Size = small\nvalue big = s > small\n",
    "a set has members": shore("value there = yard includes skiff\n"),
    "in asks for a place": shore("value there = skiff in yard\n"),
    "sets are added and taken apart": shore("value rest = Boat - skiff + raft\n"),
    "count of a set is a number": shore("value n: int = count(Boat) + 1\n"),
    "total over a field": shore("value n: int = total(Boat.seats)\n"),
    "total with it": shore("value n: int = total(Boat, it.seats * 2)\n"),
    "highest of what may be empty": shore("value n = highest(Boat.seats)\n"),
    "a pick of one sort": shore("value n: int = 1 if danger > 2 otherwise 2\n"),
    "a value calls itself": "value sum(n: int): int = 0 if n < 1 otherwise n + sum(n - 1)\n",
    "an action gives its result": shore("action day:\n    let n = do weigh\n    danger + n\n"),
    "an effect is handed over": (
        "track t 0..9\naction row n: int using does: effect:\n    does\n    does\n"
        "action day:\n    row 2:\n        t + 1\n"
    ),
    "an effect with arguments": (
        "track t 0..9\nkind Card:\n    does: effect(n: int)\nCard gale:\n"
        "    does: t + n\naction day: do gale.does(2)\n"
    ),
    "a branch on a result": shore(
        "action attempt n: int gives pass | fail: give pass\naction day:\n"
        "    attempt 3:\n        pass -> danger + 1\n        fail -> nothing\n"
    ),
    "match on ranges": shore(
        "action day:\n    match danger:\n        ..4 -> nothing\n        5.. -> nothing\n"
    ),
    "a map by words": (
        "type Skill = luck | grit\nkind Hero:\n    skills: Skill -> int\nHero ann:\n"
        "    skills: luck 2, grit 3\n"
    ),
    "bands": "kind Card:\n    talk: bands of Card\nCard a:\n    talk: ..3 -> a; 4.. -> a\n",
    "requires after let": shore("action day:\n    let n = danger\n    requires n < 5\n    danger + 1\n"),
    "give in an instead of": shore("instead of weigh: give 4\n"),
    "as usual with a part changed": shore(
        "action row n: int: nothing\ninstead of row n: as usual with n = n + 1\n"
    ),
    "result after an action": shore("after weigh: danger + result\n"),
    "modify a field": shore("modify seats of Boat b: + 1\n"),
    "modify a set": shore("value fleet = all Boat\nmodify fleet: without skiff\n"),
    "modify anything with =": shore("value best: Boat = skiff\nmodify best: = punt\n"),
    "stop in a loop": shore("action day:\n    for each b in Boat: stop\n"),
    "a thing with a player decides": (
        "role Player 1..4 named p\nkind Hero:\n    seat: Player\nHero ann\nkind Boat\nBoat a, b\n"
        "action day:\n    choose x from Boat by ann\n"
    ),
    "a team decides": "role Player 1..4 named p\nteam all_of_us of Player\nkind Boat\nBoat a, b\n"
    "action day:\n    choose x from Boat by all_of_us\n",
}

BAD = {
    "text for a number": (shore('state n: int = "x"\n'), 'T301 "x"'),
    "a thing of another kind": (shore("action day: sail dray\n"), "T301 dray"),
    "kinds that never meet": (shore("value a = skiff is Cart\n"), "T301 skiff is Cart"),
    "things that are never the same": (shore("value a = skiff == dray\n"), "T301 dray"),
    "a word and a number": (shore("value a = mood == 3\n"), "T301 3"),
    "a type is no value": ("type Size = small | large\nvalue a = Size\n", "T301 Size"),
    "an action that gives nothing": (shore("action day:\n    let n = do sail skiff\n"), "T301 do sail skiff"),
    "what is declared to be given": ('action day gives int: give "x"\n', 'T301 "x"'),
    "what a value is declared to be": ('value a: int = "x"\n', 'T301 "x"'),
    "a default of a parameter": ('action day n: int = "x": nothing\n', 'T301 "x"'),
    "an argument of a value": ('value twice(n: int): int = n * 2\nvalue a = twice("x")\n', 'T301 "x"'),
    "a key of a table": ('table limit: 1 -> 1; 2.. -> 2\nvalue a = limit("x")\n', 'T301 "x"'),
    "a key that is a word of no type": (
        "die sea: calm\ntable air: calm -> 1; 2.. -> 2\naction game: roll sea\n",
        "T301 calm",
    ),
    "a default of a field of effects": ("kind Boat:\n    does: effect = 3\n", "T301 3"),
    "a number in a pile": (shore("value a = 3 in yard\n"), "T301 3"),
    "a destination": (shore("action day: move skiff to danger\n"), "T301 danger"),
    "something to shuffle": (shore("action day: shuffle skiff\n"), "T301 skiff"),
    "two values for one": (shore("Boat ferry:\n    seats: 1, 2\n"), "T301 seats: 1, 2"),
    "an effect that is none": (shore("action day: do skiff.seats\n"), "T301 skiff.seats"),
    "too few for a function": ("value a = least(3)\n", "T302 least(3)"),
    "too few for a trait": ("trait Guard(n: int)\nkind Boat\nBoat skiff is Guard\n", "T302 Guard"),
    "too few for a menu": (
        shore("menu acting(b: Boat)\naction day: open acting by captain1\n"),
        "T302 acting",
    ),
    "too few for an effect": (
        "kind Card:\n    does: effect(n: int)\nCard a\naction day: do a.does\n",
        "T302 a.does",
    ),
    "a value without its arguments": ("value twice(n: int): int = n * 2\nvalue a = twice\n", "T302 twice"),
    "a thing as a condition": (shore("action day:\n    if skiff: nothing\n"), "T303 skiff"),
    "a number as a condition": (shore("forbid weigh when danger\n"), "T303 danger"),
    "a pile as a condition": (shore("value a = not yard\n"), "T303 yard"),
    "a number expected": ('Chapter one "One"\ntest "x":\n    start one\n    expect 3\n', "T303 3"),
    "copies for one thing": (
        "kind Boat\nBoat raft * 2\naction sail b: Boat: nothing\naction day: sail raft\n",
        "T304 raft",
    ),
    "is of several": (shore("value a = yard is skiff\n"), "T304 yard"),
    "a sum with a thing": (shore("value a = 1 + skiff\n"), "T305 skiff"),
    "words without an order": (shore("value a = skiff.size > small\n"), "T305 skiff.size > small"),
    "a thing goes up": (shore("action day: berth.size + 1\n"), "T305 berth.size"),
    "an order by things": (shore("value a = Boat ordered by highest it\n"), "T305 it"),
    "a total of things": (shore("value a = total(Boat)\n"), "T305 Boat"),
    "a measure of things": (shore("measure fleet = Boat\n"), "T305 Boat"),
    "how often": (shore("action day:\n    repeat skiff times: nothing\n"), "T305 skiff"),
    "a choice in a value": (shore('value a = agreed "Go?" by captain1\n'), 'T307 agreed "Go?" by captain1'),
    "an action in a value": (shore("value a:\n    weigh\n    give 3\n"), "T307 weigh"),
    "a change in a value": (shore("value a:\n    danger + 1\n    give 3\n"), "T307 danger"),
    "a new thing in a value": (shore("value a = new Boat\n"), "T307 new Boat"),
    "chance in a forbid": (shore("forbid weigh when (random Boat) is skiff\n"), "T307 random Boat"),
    "chance in a field": (
        shore("kind Dock:\n    best: Boat\nDock pier:\n    best: random Boat\n"),
        "T307 random Boat",
    ),
    "chance in an order": (shore("value a = Boat ordered by random\n"), "T307 random"),
    "a line that only looks": (shore("action day: skiff.seats\n"), "T308 skiff.seats"),
    "an effect that is not run": (
        shore("kind Spell:\n    does: effect: danger + 1\nSpell hex\naction day: hex.does\n"),
        "T308 hex.does",
    ),
    "two amounts": (shore("action day: danger - 1 + 2\n"), "T308 danger - 1 + 2"),
    "an action like a value": (shore("action row n: int: nothing\naction day: row(3)\n"), "T308 row(3)"),
    "any of yes or no": (shore("value a = any (danger > 2)\n"), "T309 any (danger > 2)"),
    "entries of a number": (shore("value a = danger[2]\n"), "T309 danger[2]"),
    "a choice from a number": (shore("action day:\n    choose x from danger by captain1\n"), "T309 danger"),
    "two names in a loop": (shore("action day:\n    for each a, b in Boat: nothing\n"), "T309 b"),
    "an empty number": (shore("value a = danger is empty\n"), "T309 danger"),
    "a start off the track": ("track t 0..3 start 5\n", "T310 5"),
    "a space off the track": ("track t 0..3:\n    at 5: nothing\n", "T310 at 5: nothing"),
    "a track upside down": ("track t 3..0\n", "T310 track t 3..0"),
    "a default out of range": ("kind Boat:\n    seats: 1..4 = 9\n", "T310 9"),
    "more copies than a box holds": ("kind Coin\nCoin penny * 100000000\n", "T310 penny"),
    "more dice than a box holds": (
        "die Bone * 5000:\n    faces: 1, 2\n",
        "T310 Bone",
    ),
    "a state out of range": ("state n: 1..3 = 9\n", "T310 9"),
    "an option out of range": ("option n: 1..3 = 9\n", "T310 9"),
    "a token counted up": (
        shore("action day: skiff.coin + 1\n"),
        "T311 skiff.coin",
    ),
    "a title of the declaration assigned": (shore('action day: skiff.title = "Boat"\n'), "T311 skiff.title"),
    "a pile assigned": (shore("action day: yard = skiff\n"), "T311 yard"),
    "a give on a track": ("track t 0..3:\n    at 3: give 2\n", "T312 give 2"),
    "requires in an if": (
        shore("action day:\n    if danger > 1:\n        requires danger < 5\n"),
        "T313 requires danger < 5",
    ),
    "arrows without a branch": ("action day:\n    1 -> nothing\n    2 -> nothing\n", "T316 1 -> nothing"),
    "a table row without an arrow": ("table limit:\n    1 -> 1\n    2\n", "T316 2"),
    "an option without a label": (
        shore("action day:\n    choose one by captain1:\n        1 -> nothing\n"),
        "T316 1 -> nothing",
    ),
    "a way on without an arrow": ('Ending a "A"\nChapter one "One":\n    outcome: a\n', "T316 a"),
    "a thing goes up by modify": (shore("value best: Boat = skiff\nmodify best: + 1\n"), "T319 best"),
    "result before the action": (shore("before weigh: danger + result\n"), "T320 result"),
    "a place that cannot choose": (shore("action day: choose x from Boat by yard\n"), "T321 yard"),
    "who may": (shore("action day: skiff may sail punt\n"), "T321 skiff"),
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_what_may_stand_there(text: str) -> None:
    assert [found.message for found in errors(text)] == []


@pytest.mark.parametrize(("text", "expected"), BAD.values(), ids=BAD)
def test_what_may_not(text: str, expected: str) -> None:
    assert marked(text) == expected


def _type_of(expression: str) -> Any:
    document = compiled(shore(f"value asked = {expression}\n")).document
    assert document is not None
    return next(row["type"] for row in document["content"]["values"] if row["id"] == "asked")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("3", "int"),
        ("danger + 1", "int"),
        ("skiff.seats", "int"),
        ('"text"', "text"),
        ("danger > 3", "truth"),
        ("skiff", ["thing", "Boat", []]),
        ("Boat", ["set", "", [["thing", "Boat", []]]]),
        ("first Boat", ["optional", "", [["thing", "Boat", []]]]),
        ("berth", ["optional", "", [["thing", "Boat", []]]]),
        ("yard", ["list", "", [["thing", "Boat", []]]]),
        ("{skiff, raft}", ["set", "", [["thing", "Boat", []]]]),
        ("{skiff, dray}", ["set", "", [["thing", "Thing", []]]]),
        ("raft if danger > 2 otherwise skiff", ["thing", "Boat", []]),
        ("skiff if danger > 2 otherwise none", ["optional", "", [["thing", "Boat", []]]]),
        ("mood", ["optional", "", [["words", "", ["calm", "wild"]]]]),
        ("highest(Boat.seats)", ["optional", "", ["int"]]),
        ("skiff.coin", "int"),
    ],
)
def test_types_are_inferred(expression: str, expected: Any) -> None:
    assert _type_of(expression) == expected


def test_a_set_as_a_condition_offers_any() -> None:
    found = only_error(shore("value a = not yard\n"))
    assert found.help == "write `any` or `no` before it"
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["any yard"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("value a = fare()\n", "`fare` takes 1 argument, but none is given"),
        ("value a = fare(1, 2)\n", "`fare` takes 1 argument, but 2 are given"),
        ("value a = pairs(Boat)\n", "`pairs` takes 2 arguments, but 1 is given"),
        ("value a = distance(skiff)\n", "`distance` takes 2 to 3 arguments, but 1 is given"),
    ],
)
def test_wrong_numbers_of_arguments_are_counted(text: str, message: str) -> None:
    assert only_error(shore("value fare(n: int): int = n\n" + text)).message == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("sail skiff to 3", "`sail` has no part `to`"),
        ("sail", "`sail` does not say what"),
        ("weigh skiff", "nothing can stand directly after `weigh`"),
        ("row skiff", "`row` needs a part `over`"),
        ("put skiff with dray", "`put` has no part `with`"),
        ("put skiff", "no `put` has just these parts"),
    ],
)
def test_wrong_parts_are_named(call: str, message: str) -> None:
    found = only_error(shore(f"action row b: Boat over n: int: nothing\naction day: {call}\n"))
    assert (found.code, found.message) == ("N210", message)
    assert found.help.startswith("write `")


@pytest.mark.parametrize(
    ("kind", "said", "inside"),
    [
        (INT, "a number", "a number"),
        (TRUTH, "yes | no", "yes | no"),
        (ANY, "anything", "anything"),
        (thing("Boat"), "one Boat", "one Boat"),
        (many(thing("Boat")), "a set of Boat", "set of Boat"),
        (many(many(INT), "list"), "a list of set of int", "list of set of int"),
        (optional(thing("Boat")), "Boat or none", "Boat or none"),
        (Type("range", "", (0, 9)), "a number from 0 to 9", "0..9"),
        (Type("pile", "Boat", ("deck", False)), "a deck of Boat", "deck of Boat"),
        (Type("map", "", (Type("words", "Skill"), INT)), "Skill -> int", "Skill -> int"),
    ],
)
def test_types_are_said_in_words(kind: Type, said: str, inside: str) -> None:
    assert describe(kind) == said
    assert written(kind) == inside


SAMPLES = [plain(sample) for check in (*NAMES, *TYPES) for sample in (check.bad, check.good)]
SAMPLES += [*GOOD.values(), *(text for text, _ in BAD.values())]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SAMPLES), st.integers(0, 2**32))
def test_compiling_never_fails_whatever_is_done_to_a_sample(sample: str, seed: int) -> None:
    text = edited(sample, Random(seed), 1 + seed % 3)
    result = compile_text(text)
    assert (result.document is None) == any(found.severity == "error" for found in result.diagnostics)
    again = compile_text(text)
    assert again.diagnostics == result.diagnostics
    assert again.document == result.document


def test_a_number_beyond_all_counting_is_told_once() -> None:
    result = compile_together(memory_package({"a.tale": "state n: int = 123456789012345678901234567890\n"}))
    assert [d.code for d in result.diagnostics if d.severity == "error"] == ["S107"]
