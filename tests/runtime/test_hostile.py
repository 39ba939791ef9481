"""Documents made to break out: no text of theirs becomes source, and what is nonsense is refused."""

from __future__ import annotations

import builtins
import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.report.playtest.run.chunks import work_of
from talewright.report.playtest.run.games import play_all
from talewright.report.playtest.run.job import Job
from talewright.runtime.engines.python.emit import emit
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.runtime.session import Game, load
from talewright.runtime.session.bots import bot
from talewright.runtime.session.transcripts import Transcripts
from talewright.schemas.nodes.codec import read_document

from .small_games import checked_document, document, first

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


EVERYTHING = Build(events=True, traced=True, bots=True, values=True, tests=(0,))


def _source(changed: dict[str, Any]) -> str:
    """What Python would run of a document."""
    nodes = read_document(checked_document(json.dumps(changed).encode()))
    return emit(assemble(nodes, {}, None, EVERYTHING)[1])


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
        source = _source(changed)
    except LoadError:
        return  # refused is as good
    assert MARK not in source


def test_no_word_of_the_document_stands_in_the_source(made: dict[str, Any]) -> None:
    source = _source(made)
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
    found = [word for word in words if word in source]
    assert not found


def test_any_text_changed_is_refused_or_stays_outside_the_source(made: dict[str, Any]) -> None:
    # Each text of the content in turn: whatever the loader makes of it, it is never source.
    paths = list(_texts(made["content"]))
    assert len(paths) > 200
    played = 0
    for path in paths[::3]:
        try:
            source = _source(_with(made, ("content", *path), ATTACKS[0]))
        except LoadError:
            continue
        assert MARK not in source, path
        played += 1
    assert played


def test_names_that_lead_nowhere_are_refused_before_they_are_played(made: dict[str, Any]) -> None:
    changed = copy.deepcopy(made)
    changed["content"]["rules"] = _renamed(changed["content"]["rules"], "reap/", ATTACKS[0])
    assert changed != made
    with pytest.raises(LoadError):
        checked_document(json.dumps(changed).encode())


def test_numbers_that_are_no_numbers(made: dict[str, Any]) -> None:
    for value in ("1); import os; (1", [1], {"op": MARK}, None, 10**400, -(10**400), 1.5):
        changed = copy.deepcopy(made)
        changed["content"]["tracks"][0]["high"] = value
        with pytest.raises(LoadError):
            checked_document(json.dumps(changed).encode())
        with pytest.raises(LoadError):
            load(changed)


def test_a_game_opens_no_file_and_imports_nothing(
    made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = Game(load(made), 1, first)

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError(f"a game wants {args[:1]}")

    monkeypatch.setattr(builtins, "open", refuse)
    assert playing.run() == "won"


def test_unknown_operations_are_refused(made: dict[str, Any]) -> None:
    changed = copy.deepcopy(made)
    changed["content"]["actions"][-1]["body"][0] = {"op": "exec", "code": "import os", "at": 0}
    with pytest.raises(LoadError):
        load(changed)
    with pytest.raises(LoadError):
        checked_document(json.dumps(changed).encode())


def test_other_formats_and_versions_are_refused(made: dict[str, Any]) -> None:
    for changed in ({**made, "version": 99}, {**made, "format": "something else"}, {}):
        with pytest.raises(LoadError):
            load(changed)


def test_a_die_without_faces_is_refused(made: dict[str, Any]) -> None:
    changed = copy.deepcopy(made)
    changed["content"]["dice"][0]["faces"] = []
    with pytest.raises(LoadError, match="a die has at least one face"):
        load(changed)


def test_deep_nesting_ends_with_a_reason(made: dict[str, Any]) -> None:
    deep: dict[str, Any] = {"op": "int", "v": 1}
    for _ in range(20_000):
        deep = {"op": "add", "a": deep, "b": {"op": "int", "v": 1}}
    changed = {
        **made,
        "content": {**made["content"], "states": [{**made["content"]["states"][0], "default": deep}]},
    }
    with pytest.raises(LoadError, match="nested more than 200 deep"):
        load(changed)


def test_long_texts_stay_outside_the_source(made: dict[str, Any]) -> None:
    changed = _renamed(made, "Onward", "A" * 200_000)
    assert len(_source(changed)) < len(_source(made)) + 1000
    assert Game(load(changed), 1, first).run() == "won"
    with pytest.raises(LoadError, match="longer than 200,000 characters"):
        load(_renamed(made, "Onward", "A" * 200_001))


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


def _damaged(made: dict[str, Any], part: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Documents changed by hand that a loader lets through."""
    for seed in range(part * 60, part * 60 + 60):
        try:
            yield seed, checked_document(json.dumps(_changed_by_hand(made, Random(seed))).encode())
        except LoadError:
            continue


@pytest.mark.parametrize("part", range(8))
def test_a_document_changed_by_hand_is_refused_or_plays_by_the_rules(made: dict[str, Any], part: int) -> None:
    played = 0
    for seed, good in _damaged(made, part):
        for traced in (False, True):
            try:
                program = load(good, traced=traced)
                Game(program, 1, bot("random", seed)).run()
                Transcripts(program).play(seed)
                played += 1
            except (LoadError, Fault):
                continue
    assert played


ENDLESS = """
role Player 1..1 is Thing named player
Ending won "Won"
state heads: yes | no = yes
action game:
    repeat:
        choose one by player "Toss it?":
            "Toss" -> toss
            "Toss twice" -> toss; toss
action toss: heads = not heads
"""
ALWAYS_FIRST = "class First:\n    def choose(self, decision):\n        return 0\n"


@pytest.mark.parametrize("name", ["random", "guided", "first.py:First"])
def test_a_playtest_breaks_off_a_game_without_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("first.py").write_text(ALWAYS_FIRST)
    for error in _failures(ENDLESS, name):
        assert re.fullmatch(r"R8: the game has no end: .* 65,535 decisions at \S+:6", error)


DEAR = """
role Player 1..1 is Thing named player
Ending won "Won"
state heads: yes | no = yes
action game:
    repeat:
        choose one by player "Toss it?":
            "Toss" -> toss
            "Toss twice" -> toss; toss
action toss: {toss}
value appeal_game_choice(n: int) = {appeal}
"""
MUCH = "total(1..1000000, 1)"


@pytest.mark.parametrize(
    ("toss", "appeal", "name"),
    [
        (f"heads = {MUCH} > 3", "1", "random"),
        (f"heads = {MUCH} > 3", "1", "first.py:First"),
        # A hint that fails counts for the steps it has taken, too.
        ("heads = not heads", f"1 / ({MUCH} - 1000000)", "guided"),
    ],
)
def test_a_playtest_breaks_off_a_game_whose_decisions_are_dear(
    toss: str, appeal: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("first.py").write_text(ALWAYS_FIRST)
    for error in _failures(DEAR.format(toss=toss, appeal=appeal), name, games=1):
        assert re.fullmatch(r"R8: the game has no end: .* 1,000,000,000 steps, .* at \S+:6", error)


def _failures(text: str, name: str, games: int = 2) -> list[str]:
    """Why the games of a playtest broke off."""
    return _failures_of(document(text), name, games)


def _failures_of(written: dict[str, Any], name: str, games: int) -> list[str]:
    job = Job(json.dumps(written).encode(), (), None, name, first=1, games=games)
    tallies = [played.tally for played in play_all(job, work_of(job, [(1, games)], 1), 1)]
    failures = [failure["error"] for tally in tallies for failure in tally.failures]
    assert len(failures) == sum(tally.games for tally in tallies) == games
    return failures


@pytest.mark.parametrize(
    ("text", "line"), [("action game: log + 1", 3), ('kind Scene is Chapter\nScene here "Here"', 4)]
)
def test_a_playtest_says_where_a_game_leads_nowhere(text: str, line: int) -> None:
    for error in _failures(f"role Player is Thing named player\nstate log: int = 0\n{text}\n", "random"):
        assert re.fullmatch(rf"R13: .* at \S+:{line}", error)


def test_a_game_that_goes_to_a_number_breaks_off() -> None:
    written = document('role Player is Thing named player\nEnding won "Won"\naction game: go to won\n')
    written["content"]["actions"][0]["body"][0]["target"] = {"op": "int", "v": 999}
    for error in _failures_of(written, "random", 2):
        assert error.startswith("R13: ")


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("name", ["random", "guided"])
def test_a_playtest_of_a_document_changed_by_hand_counts_every_game(
    made: dict[str, Any], part: int, name: str
) -> None:
    finished = 0
    for _, good in _damaged(made, part):
        job = Job(json.dumps(good).encode(), (), None, name, first=1, games=3)
        try:
            tallies = [played.tally for played in play_all(job, work_of(job, [(1, 3)], 1), 1)]
        except LoadError:
            continue
        assert sum(tally.games for tally in tallies) == 3
        finished += sum(tally.games - tally.errors for tally in tallies)
    assert finished


def test_a_function_that_keeps_too_much_for_too_many_decisions_is_refused() -> None:
    many = range(700)
    asked = "".join(f'    choose n{i} from (1..2) by player "?"\n' for i in many)
    summed = "".join(f"    log = log + n{i}\n" for i in many)
    text = f'role Player is Thing named player\nEnding won "Won"\nstate log: int = 0\naction game:\n{asked}{summed}    go to won\n'
    with pytest.raises(LoadError, match=r"sample.tale:\d+: the game is too large: `action:game/` has 700"):
        load(document(text))


def test_loops_that_double_when_they_are_written_out_are_refused() -> None:
    # Of two heroes each is looked at in code of its own.
    nested = "log > 3"
    for _ in range(40):
        nested = f"count(Hero where {nested}) > 0"
    text = f"""
role Player is Thing named player
kind Hero
Hero anna "Anna"
Hero bert "Bert"
Ending won "Won"
state log: int = 0
action game:
    if {nested}: go to won
    go to won
"""
    with pytest.raises(LoadError, match=r":8: too much is nested here"):
        load(document(text))
