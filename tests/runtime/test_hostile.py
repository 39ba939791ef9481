"""Documents made to break out: no text of theirs becomes source, and what is nonsense is refused."""

from __future__ import annotations

import builtins
import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from talewright.runtime.checking import RefusedDocumentError, checked_document
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.game import Game
from talewright.runtime.program import Program

from .small_games import document, first

GAME = """
kind Hero:
    gold: int = 3
    motto: text = "Onward"
    does: effect(n: int)
Hero anna "Anna":
    \"\"\"She sails at dawn, {anna.gold} coins in hand.\"\"\"
    does: reap n
role Player is Thing named player
token coin * 9
track doom 0..9 start 2:
    at 4: reap 1
pile chest of Hero = all Hero
deck stack of Hero face_down
type Mood = calm | wild
die mood: calm, wild
table prices: 1 -> 2; 2.. -> 3
option hard: yes | no = no "Hard"
state log: int = 0
state feeling: Mood = calm
menu doing: pass "Nothing"
offer "Gain {log}" in doing: reap 2
value worth(h: Hero): int = h.gold + log
modify worth(h) when h is anna: + 2
action reap n: int gives int:
    requires n > 0, "Too little."
    log + n
    give log
after reap n: doom + 1
when log > 3 becomes true: say "Rich: {log}"
kind Scene is Chapter
Scene here "Here"
Ending won "Won"
action game:
    feeling = do roll mood
    do anna.does(2)
    choose one by player "What now?":
        "Go on" -> reap 1
        "Wait {log}" -> log + prices(1)
    open doing by player
    say "{anna} is worth {worth(anna)}, {anna.motto}"
    go to won
test "it can be tested":
    start here
    when reap 2
    expect log == 2
"""

MARK = "broken_out_of_it"
ATTACKS = (
    f'"); {MARK}(); ("',
    f"'); {MARK}(); ('",
    f"\n{MARK}()\n",
    f"{{{MARK}()}}",
    f"\\x22){MARK}#",
    f"__import__('os').system('{MARK}')",
)


def _texts(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _texts(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _texts(value, (*path, index))
    elif isinstance(node, str):
        yield path


def _with(made: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(made)
    node: Any = changed
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return changed


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return document(GAME)


def _renamed(node: Any, old: str, new: str) -> Any:
    if isinstance(node, dict):
        return {(new if k == old else k): _renamed(v, old, new) for k, v in node.items()}
    if isinstance(node, list):
        return [_renamed(v, old, new) for v in node]
    return new if node == old else node


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(
    "name", ["anna", "Anna", "coin", "doom", "chest", "stack", "log", "mood", "calm", "doing", "won", "here", "Onward",
             "Go on", "hard", "gold", "motto", "Hero", "prices", "it can be tested", "Too little.", "She sails at dawn, "]
)  # fmt: skip
def test_no_name_or_text_reaches_the_source(made: dict[str, Any], name: str, attack: str) -> None:
    changed = _renamed(made, name, attack)
    assert changed != made
    try:
        program = Program(changed, traced=True, tests=True)
    except (LoadError, KeyError):
        return  # refused is as good
    assert MARK not in program.source


def test_no_word_of_the_document_stands_in_the_source(made: dict[str, Any]) -> None:
    program = Program(made, traced=True, tests=True)
    words = (
        "anna",
        "Anna",
        "doom",
        "chest",
        "reap",
        "worth",
        "calm",
        "Onward",
        "prices",
        "Too little",
        "sails",
    )
    found = [word for word in words if word in program.source]
    assert not found


def test_any_text_changed_is_refused_or_stays_outside_the_source(made: dict[str, Any]) -> None:
    # Each text of the content in turn: whatever the loader makes of it, it is never source.
    paths = list(_texts(made["content"]))
    assert len(paths) > 200
    for path in paths[::3]:
        changed = _with(made, ("content", *path), ATTACKS[0])
        try:
            source = Program(changed, traced=True, tests=True).source
        except (LoadError, KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration):
            continue
        assert MARK not in source, path


def test_names_that_lead_nowhere_are_refused_before_they_are_played(made: dict[str, Any]) -> None:
    changed = copy.deepcopy(made)
    changed["content"]["rules"] = _renamed(changed["content"]["rules"], "reap/", ATTACKS[0])
    assert changed != made
    with pytest.raises(RefusedDocumentError):
        checked_document(json.dumps(changed).encode())


def test_numbers_that_are_no_numbers(made: dict[str, Any]) -> None:
    for value in ("1); import os; (1", [1], {"op": MARK}, None, 10**400, -(10**400), 1.5):
        changed = copy.deepcopy(made)
        changed["content"]["tracks"][0]["high"] = value
        try:
            source = Program(changed).source
        except (LoadError, TypeError, ValueError, KeyError):
            source = ""
        assert "import os" not in source
        with pytest.raises(RefusedDocumentError):
            checked_document(json.dumps(changed).encode())


def test_a_game_opens_no_file_and_imports_nothing(
    made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = Game(Program(made), 1, first)

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError(f"a game wants {args[:1]}")

    monkeypatch.setattr(builtins, "open", refuse)
    assert playing.run() == "won"


def test_unknown_operations_are_refused(made: dict[str, Any]) -> None:
    changed = copy.deepcopy(made)
    changed["content"]["actions"][-1]["body"][0] = {"op": "exec", "code": "import os", "at": 0}
    with pytest.raises(LoadError):
        Program(changed)
    with pytest.raises(RefusedDocumentError):
        checked_document(json.dumps(changed).encode())


def test_other_formats_and_versions_are_refused(made: dict[str, Any]) -> None:
    for changed in ({**made, "version": 99}, {**made, "format": "something else"}, {}):
        with pytest.raises(LoadError):
            Program(changed)


def test_deep_nesting_ends_with_a_reason(made: dict[str, Any]) -> None:
    deep: dict[str, Any] = {"op": "int", "v": 1}
    for _ in range(20_000):
        deep = {"op": "add", "a": deep, "b": {"op": "int", "v": 1}}
    changed = {
        **made,
        "content": {**made["content"], "states": [{**made["content"]["states"][0], "default": deep}]},
    }
    with pytest.raises(LoadError, match="deeply"):
        Program(changed)


def test_giant_texts_stay_outside_the_source(made: dict[str, Any]) -> None:
    changed = _renamed(made, "Onward", "A" * 1_000_000)
    program = Program(changed)
    assert len(program.source) < 200_000
    assert Game(program, 1, first).run() == "won"


def _nodes(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, (dict, list)):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield (*path, key)
            yield from _nodes(value, (*path, key))


def _at(node: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        node = node[step]
    return node


def _changed_by_hand(made: dict[str, Any], draw: Random) -> dict[str, Any]:
    """The document with one or two pieces gone, doubled, or replaced by another piece that may stand there."""
    changed = json.loads(json.dumps(made))
    paths = list(_nodes(changed["content"], ("content",)))
    steps = [path for path in paths if isinstance(_at(changed, path), dict) and "op" in _at(changed, path)]
    words = [path for path in paths if isinstance(_at(changed, path), str)]
    numbers = [path for path in paths if type(_at(changed, path)) is int]
    for _ in range(draw.choice((1, 1, 2))):
        among = draw.choice((steps, steps, words, numbers, paths))
        path, other = draw.choice(among), draw.choice(among)
        value: Any = copy.deepcopy(_at(made, other))
        if among is numbers:
            value = draw.choice((0, 1, -1, 5, 10**6, 10**9, 10**15, 10**30))
        try:
            owner = _at(changed, path[:-1])
            if among is paths and draw.random() < 0.5:
                del owner[path[-1]]
            else:
                owner[path[-1]] = value
        except (LookupError, TypeError):
            continue
    return changed  # type: ignore[no-any-return]


@pytest.mark.parametrize("part", range(8))
def test_a_document_changed_by_hand_is_refused_or_plays_by_the_rules(made: dict[str, Any], part: int) -> None:
    played = 0
    for seed in range(part * 60, part * 60 + 60):
        draw = Random(seed)
        try:
            good = checked_document(json.dumps(_changed_by_hand(made, draw)).encode())
            for traced in (False, True):
                game = Game(Program(good, traced=traced), 1)
                game.choose_by_lot(seed)
                game.run()
                played += 1
        except (LoadError, Fault):
            continue
    assert played


def test_what_is_missing_in_a_valid_document_is_refused(made: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(made))
    offer = next(rule for rule in changed["content"]["rules"] if rule["rule"] == "offer")
    del offer["locals"]
    with pytest.raises(LoadError, match=r"does not fit together \(KeyError: 'locals'\)"):
        Program(changed)
