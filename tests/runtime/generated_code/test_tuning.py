"""Tuned source means what the source says: each way of making it quicker, on a few lines of its own."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import pytest

from talewright.runtime.books import book
from talewright.runtime.chance import Chance
from talewright.runtime.faults import Fault
from talewright.runtime.tables import MISSING, Fixed, fill, prepare
from talewright.runtime.tuning import tuned

FIXED = Fixed(
    early=frozenset(("ITEMS", "F1", "F4", "STANDS_ON", "SORT")),
    late=frozenset(("F2",)),
    kinds=frozenset(("K1",)),
    constants=frozenset(("C1",)),
    by_thing=frozenset(("C4",)),
)


def table() -> dict[str, Any]:
    """Three things; each owns a container, and two of the containers belong to a place."""
    return {
        "ITEMS": [[], [2], [0, 1], []],
        "LOC": [2, 2, 1],
        "F1": [1, 2, 3],
        "F2": [7, 8, 7],
        "F3": [True, False, True],
        "F4": [2, 3, 1],
        "STANDS_ON": [None, 0, 1, None],
        "SORT": ["a", "b", "a"],
        "K1": [0, 1, 2],
        "C1": 7,
        "C2": "a",
        "C3": "b",
        "C4": {0: [0, 1, 2], 1: [1, 2, 0]},
        "RF2": [],
        "S": [0, 0, 0],
        "RF1": [],
        "LIMIT": 100,
        "TURNS": [(None,) * turns for turns in range(65)],
        "STEPS": 2,
        "GAME": SimpleNamespace(quick=None),
        "PILE_WATCH": {},
        "QUICK": None,
        "CHANCE": Chance(1),
    }


def both(source: str, *calls: str) -> tuple[str, list[Any]]:
    """The tuned text of a source, after it has given the same as the source itself."""
    made = tuned(source, FIXED)
    found = []
    for form in ("plain", "tuned"):
        space = table()
        space |= {name: space["CHANCE"].stream(space[stream]) for name, stream in made.streams.items()}
        for name in ("setbook", "thingbook", "rulebook"):
            exec(book(name), space)
        exec(compile(source if form == "plain" else made.tree, "<tale>", "exec", dont_inherit=True), space)
        prepare(made.tables, space)
        for late in (False, True):
            fill(made.tables, space, late)
        found.append(([_given(space, call) for call in calls], space["ITEMS"], space["LOC"], space["S"][:2]))
    assert found[0] == found[1]
    return ast.unparse(made.tree), found[0][0]


def _given(space: dict[str, Any], call: str) -> Any:
    try:
        return eval(call, space)
    except (TypeError, IndexError, Fault) as error:
        return type(error).__name__


def test_columns_that_never_change_become_one_look() -> None:
    text, found = both(
        "def N1(v0):\n    return len(ITEMS[F1[v0]]), F2[v0] == C1\n", "N1(0)", "N1(1)", "N1(None)"
    )
    assert found == [(1, True), (2, False), "TypeError"]
    assert "ITEMS" not in text
    assert "F2" not in text


def test_what_changes_is_read_where_it_is_asked() -> None:
    source = (
        "def N1(v0):\n    ITEMS[F1[v0]].append(9)\n    LOC[v0] = 3\n    return ITEMS[F1[v0]][-1], LOC[v0]\n"
    )
    _, found = both(source, "N1(0)", "N1(2)")
    assert found == [(9, 3), (9, 3)]


def test_a_chain_that_stops_at_none_is_an_empty_container() -> None:
    source = (
        "def N1(v0):\n"
        "    return w3[0] if (w1 := STANDS_ON[LOC[v0]]) is not None and (w2 := F1[w1]) is not None"
        " and (w3 := ITEMS[w2]) else None\n"
        "def N2(v0):\n    LOC[v0] = 3\n    return N1(v0)\n"
    )
    text, found = both(source, "N1(0)", "N1(2)", "N2(0)")
    assert found == [0, 2, None]
    assert "STANDS_ON" not in text


def test_what_would_fail_fails_when_it_is_looked_at() -> None:
    for look in (bool, len, list, lambda m: m[0], lambda m: m.append(1), lambda m: m == 1):
        with pytest.raises(TypeError, match="None"):
            look(MISSING)


def test_a_condition_is_asked_once_until_its_cell_is_written() -> None:
    source = (
        "def N1(v0):\n"
        "    if F3[v0] and LOC[v0] != 3:\n"
        "        S[0] += 1\n"
        "        if F3[v0]:\n"
        "            S[1] += 1\n"
        "        LOC[v0] = 3\n"
        "        if F3[v0] and LOC[v0] != 3:\n"
        "            S[1] += 10\n"
        "    return S[1]\n"
    )
    text, found = both(source, "N1(0)", "N1(1)", "N1(2)", "N1(0)")
    assert found == [1, 1, 2, 2]
    assert text.count("F3[v0]") == 1
    assert text.count("LOC[v0] != 3") == 2


def test_whoever_is_called_may_have_written_everything() -> None:
    source = (
        "def N2(v0):\n    F3[v0] = not F3[v0]\n"
        "def N1(v0):\n    if F3[v0]:\n        N2(v0)\n        return F3[v0] and 1 or 2\n    return 3\n"
        "def N3(v0):\n    if F3[v0]:\n        [print][0](end='')\n        if F3[v0]:\n            return 4\n"
    )
    text, found = both(source, "N1(0)", "N1(1)", "N3(2)")
    assert found == [2, 3, 4]
    assert text.count("F3[v0]") >= 5


def test_functions_stand_where_they_are_called() -> None:
    source = (
        "def V1(v0):\n    if v0 is None:\n        return 0\n    return F2[v0] + 1\n"
        "def q1(v0):\n    for z1 in [z2 for z2 in K1 if SORT[z2] == SORT[v0]]:\n        if z1 != v0:\n"
        "            return z1\n    return None\n"
        "def A1(v0):\n    S[0] += V1(v0)\n"
        "def N1(v0):\n    A1(v0)\n    if q1(v0) is None:\n        return -1, V1(v0)\n    return S[0], V1(LOC[v0])\n"
    )
    text, found = both(source, "N1(0)", "N1(1)", "N1(2)")
    assert found == [(8, 8), (-1, 9), (25, 9)]
    last = text[text.index("def N1") :]
    assert "V1(" not in last
    assert "q1(" not in last
    assert "A1(" not in last


def test_what_is_given_back_may_be_what_was_given() -> None:
    source = (
        "def V1(v0):\n    return v0\n"
        "def V2(v0):\n    out = [v0]\n    out.append(v0 + 1)\n    return out\n"
        "def N1(v0):\n    if F3[v0]:\n        r = v0 + 1\n    else:\n        r = V1(v0)\n"
        "    out = V2(r)\n    r = V2(V1(r))\n    return r, out\n"
    )
    _, found = both(source, "N1(0)", "N1(1)")
    assert found == [([1, 2], [1, 2]), ([1, 2], [1, 2])]


def test_a_list_to_choose_from_is_the_container_where_nothing_is_left_out() -> None:
    source = (
        "def N1(v0):\n"
        "    ask1 = [z1 for z1 in ITEMS[F1[v0]] if not (RF1 and z1 in RF1) and not (LOC[v0] == 1 and z1 == 2)]\n"
        "    return len(ask1), [z2 for z2 in ask1]\n"
        "def N2(v0):\n    RF1.append(v0)\n    return N1(1)\n"
    )
    text, found = both(source, "N1(1)", "N1(0)", "N2(0)")
    assert found == [(2, [0, 1]), (1, [2]), (1, [1])]
    assert "ask1 = " in text


COUNTED = (
    "def N1(v0, v1):\n    for _ in range(v0):\n        S[2] += 1\n        if S[2] > LIMIT:\n            step()\n"
    "        S[1] += 1\n        if S[1] == v1:\n            break\n    return S[1]\n"
)


def test_few_turns_are_counted_before_the_first() -> None:
    text, found = both(COUNTED, "N1(3, 0)", "N1(-5, 0)", "N1(1, 0)", "N1(0, 0)", "S[2]")
    assert found == [3, 3, 4, 4, 4]
    assert text.index("S[2] +=") < text.index("for _")


def test_a_loop_beyond_the_budget_ends_where_the_budget_does() -> None:
    """The limit is 100 steps."""
    _, found = both(COUNTED, "N1(60, 0)", "N1(60, 0)", "S[1]")
    assert found == [60, "Fault", 100]
    _, found = both(COUNTED, "N1(1000000000000, 0)", "S[1]")
    assert found == ["Fault", 100]
    # What is left before its end has not used up what it might have.
    _, found = both(COUNTED, "N1(1000000000000, 2)", "N1(1000000000000, 5)", "N1(60, 0)")
    assert found == [2, 5, 65]


def test_draws_are_the_same() -> None:
    source = (
        "def N1(v0):\n    return [ITEMS[2][CHANCE.below('x', 2)] for _ in range(3)], CHANCE.below('x', v0)\n"
        "def N2(v0):\n    a = CHANCE.below(C2, v0)\n    return a, CHANCE.below(C2, 6), CHANCE.below(C2, 1)\n"
    )
    text, _ = both(source, *(f"N2({n})" for n in range(1, 40)), "N1(3)")
    assert "LEFT_C2" in text


def test_how_much_room_is_left_is_asked_by_how_much_there_is() -> None:
    source = (
        "def N1(v0):\n    return [3 - len(ITEMS[v0]) > 0, 2 - len(ITEMS[v0]) == 0, 1 - len(ITEMS[v0]) <= 0,"
        " 2 - len(ITEMS[v0]) != 1, 4 - len(ITEMS[v0]) < 3, 0 - len(ITEMS[v0]) >= 0]\n"
        "def N2(v0):\n    return 3 - len(ITEMS[v0]) > v0, 3 - F2[v0] > 0\n"
    )
    text, found = both(source, *(f"N1({n})" for n in range(4)), "N2(0)", "N2(2)")
    assert found[2] == [True, True, True, True, True, False]
    assert "-" not in text[: text.index("def N2")]
    assert text.count("3 -") == 2


def test_sorts_of_what_may_be_none_are_compared_without_a_call() -> None:
    source = (
        "def N1(v0):\n    return sort_of(v0) == C2, sort_of(v0) != C2, sort_of(v0) == SORT[1], sort_of(v0) == prop_sort(None)\n"
        "def N2(v0):\n    if sort_of(w1[0] if (w1 := ITEMS[v0]) else None) == C2:\n        return 1\n"
        "    return 2 if prop_sort(w2[-1] if (w2 := ITEMS[v0]) else None) != C2 else 3\n"
    )
    text, found = both(source, "N1(0)", "N1(1)", "N1(None)", "N2(0)", "N2(1)", "N2(2)", "N2(3)")
    assert found == [
        (True, False, False, False), (False, True, True, False), (False, True, False, True), 2, 1, 1, 2
    ]  # fmt: skip
    assert text.count("sort_of(") == 1  # Two that may both be none are compared as they were.
    assert text.count("prop_sort(") == 1


def test_the_lowest_copies_are_looked_for_in_place() -> None:
    source = (
        "def N1(v0):\n    z1 = C2\n    t1 = first_copy(ITEMS[v0], z1)\n    t2 = lowest_copies(ITEMS[v0])\n"
        "    return t1, t2, first_copy(ITEMS[v0], SORT[1])\n"
        "def N2(v0):\n    v0 = first_copy(v0, v0)\n    return v0\n"
        "def N3(v0):\n    ITEMS[2][:] = [2, 1, 0]\n    return N1(v0)\n"
    )
    text, found = both(source, "N1(2)", "N1(0)", "N3(2)", "N2([])")
    assert found == [(0, {"a": 0, "b": 1}, 1), (None, {}, None), (0, {"a": 0, "b": 1}, 1), None]
    assert "lowest_copies" not in text
    assert text.count("first_copy") == 2


def test_who_goes_several_steps_is_moved_once() -> None:
    walk = (
        "    t1 = (None,) * v1 if v1 < 3 else iter((None,) * v1)\n    for _ in t1:\n        t2 = F4[STANDS_ON[LOC[v0]]]\n"
        "        if (t3 := LOC[v0]) != t2:\n            ITEMS[t3].remove(v0)\n            ITEMS[t2].append(v0)\n"
        "            LOC[v0] = t2\n{more}    return ITEMS[LOC[v0]][:], LOC[v0]\n"
    )
    watched = "            if t3 == 3 or t2 == 3: pile_changed(v0, t3, t2)\n"
    source = (
        f"def N1(v0, v1):\n{walk.format(more='')}def N2(v0, v1):\n{walk.format(more=watched)}"
        "def N3(v0, v1):\n    PILE_WATCH[3] = [lambda thing: S.append(thing)]\n    return N2(v0, v1), S[3:]\n"
    )
    text, found = both(
        source, "N1(2, 0)", "N1(2, 1)", "N1(0, 1)", "N1(2, 3)", "N3(1, 1)", "N3(1, 0)", "N1(2, 2)"
    )
    assert found[:3] == [([2], 1), ([0, 1, 2], 2), ([0], 3)]
    assert found[3:] == ["TypeError", (([0, 2, 1], 3), [1]), (([0, 2, 1], 3), [1]), "TypeError"]
    assert text.count("is tuple") == 2
    assert text.count("pile_changed") == 1


def test_orders_are_looked_up_by_whoever_comes_first() -> None:
    source = (
        "def N1(v0):\n    return sum(C4.get(v0, K1)[:2]), C4.get(C4.get(v0, K1)[1], K1)[0], C4.get(v0, ())\n"
        "def N2():\n    return C4.get(None, K1)\n"
    )
    text, found = both(source, "N1(0)", "N1(1)", "N1(2)", "N2()")
    assert found == [(1, 1, [0, 1, 2]), (3, 0, [1, 2, 0]), (1, 1, ()), [0, 1, 2]]
    assert text.count("C4.get(") == 1


def test_sorts_are_listed_where_only_that_they_are_there_matters() -> None:
    asked = (
        "    out = []\n    t2 = lowest_copies(ITEMS[v0])\n    z3 = t2.get(C2)\n"
        "    if z3 is not None and not (RF1 and forbidden(RF1, (z3, v0))){more}: out.append(0)\n"
        "    z4 = t2.get(C3)\n    if z4 is not None: out.append(1)\n    return out\n"
    )
    source = (
        f"def N1(v0):\n{asked.format(more='')}def N2(v0):\n{asked.format(more=' and z3 < 1')}"
        "def N3(v0):\n    RF1.append([0, 0, lambda b, x, y: x == b])\n    return N1(v0)\n"
        "def N4(v0):\n    ITEMS[2].remove(0)\n    ITEMS[2].append(2)\n    return N1(v0)\n"
    )
    text, found = both(source, "N1(2)", "N1(1)", "N1(0)", "N2(2)", "N2(1)", "N3(2)", "N4(2)")
    assert found == [[0, 1], [0], [], [0, 1], [], [1], [0, 1]]
    # The copy itself is asked about in the second function.
    listed, whole = text.split("def N2", 1)
    assert "C2 in ask2" in listed
    assert "first_copy" in listed
    assert ".get(" in whole.split("def N3", 1)[0]


def test_who_forbids_is_told_one_by_one() -> None:
    source = (
        "def N1(v0):\n    return forbidden(RF1, (v0, 3)), forbidden(RF1, (v0, 1)), forbidden(RF2, (v0,)),"
        " forbidden(RF1, (F1[v0], 3)), forbidden(RF1, (v0, 3, 4)[:2])\n"
        "def N2(v0):\n    RF1.append([0, 2, lambda b, x, y: x * b == y - 1])\n"
        "    RF2.append([0, 5, lambda b, x: x == b])\n    return N1(v0)\n"
    )
    text, found = both(source, "N1(1)", "N2(1)", "N1(0)", "N1(5)")
    assert found == [
        (False,) * 5,
        (True, False, False, False, True),
        (False, True, False, True, False),
        "IndexError",
    ]
    assert text.count("forbidden_two") == 2
    assert text.count("forbidden_one") == 1
    assert text.count("forbidden(") == 2
