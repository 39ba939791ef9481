"""The checks of flow, rules and story, beyond their samples: what they must find, and what they must not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from talewright.compiler import compile_package
from talewright.compiler.in_memory import compile_text, plain
from talewright.dsl.diagnostics import Diagnostic

Lint = Callable[..., list[Diagnostic]]


def _package(folder: Path, name: str, form: str, text: str, uses: str = "") -> Path:
    folder.mkdir()
    used = f'uses = ["{uses}"]\n' if uses else ""
    head = f'name = "{name}"\nversion = "1.0.0"\ntitle = "A Test"\ntype = "{form}"\n'
    (folder / "tale.toml").write_text(head + used, encoding="utf-8")
    (folder / "all.tale").write_text(dedent(text).strip("\n") + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def lint(tmp_path: Path) -> Lint:
    """The findings of one code in a text; with `system`, the text is an adventure that uses it."""

    def found(code: str, text: str, system: str | None = None) -> list[Diagnostic]:
        if system is None:
            folder = _package(tmp_path / "one", "one", "system", text)
        else:
            _package(tmp_path / "base", "base", "system", system)
            folder = _package(tmp_path / "one", "one", "adventure", text, "base")
        result = compile_package(folder, search=[tmp_path], cache=False)
        others = [d for d in result.diagnostics if d.severity == "error" and d.code != code]
        assert not others, "\n".join(f"{d.code} {d.span.line}: {d.message}" for d in others)
        return [d for d in result.diagnostics if d.code == code]

    return found


GAUGE = """
track hope 0..9 start 4
state dark: yes | no = no
state seen: int = 0
"""

# Each row: what it shows, the code, the text, the lines found.
CASES: list[tuple[str, str, str, list[int]]] = [
    ("a table may end where its numbers end", "F401", "table t: 2 -> 1; 3 -> 1; 4 -> 2", []),
    ("a gap of one", "F401", "table t: 1 -> 1; 3 -> 2", [1]),
    ("rows in any order", "F401", "table t: 4.. -> 1; ..3 -> 2", []),
    ("otherwise fills every gap", "F401", "table t: 1 -> 1; 9 -> 2; otherwise -> 0", []),
    ("a word left out", "F401", "type Sky = clear | grey | black\ntable t: clear -> 1; grey -> 2", [2]),
    ("all words named", "F401", "type Sky = clear | grey\ntable t: clear -> 1; grey -> 2", []),
    (
        "bands need open ends",
        "F401",
        """
        kind Clue is Card
        kind Door:
            talk: bands of Clue
        Clue C1, C2
        Door gate:
            talk: 1..4 -> C1; 5.. -> C2
        """,
        [6],
    ),
    ("a row inside another", "F402", "table t: ..9 -> 1; 4 -> 2", []),
    ("a row inside another is unreachable", "F404", "table t: ..9 -> 1; 4 -> 2", [1]),
    ("covered by two rows together", "F404", "table t: 1..3 -> 1; 4..6 -> 2; 2..5 -> 3", [1]),
    ("a number named twice", "F404", "table t: 1 -> 1; 2 -> 2; 1 -> 3", [1]),
    (
        "a branch by a die of words",
        "F403",
        GAUGE
        + """
die fate: skull, rose, rose
action game:
    let f = do roll fate
    match f:
        skull -> hope - 1
""",
        [8],
    ),
    (
        "two dice, every total",
        "F403",
        GAUGE + "table t: 2..6 -> 1; 7..12 -> 2\naction game:\n    let n = do roll 2d6\n    hope + t(n)\n",
        [],
    ),
    (
        "two dice, one total missing",
        "F403",
        GAUGE + "table t: 2..6 -> 1; 7..11 -> 2\naction game:\n    let n = do roll 2d6\n    hope + t(n)\n",
        [4],
    ),
    (
        "a map by die",
        "F403",
        "kind Room:\n    doors: d4 -> int\nRoom hall:\n    doors: 1 -> 1; 2 -> 1; 4 -> 0\n",
        [3],
    ),
    (
        "a chapter that code goes to",
        "F405",
        """
        Chapter one: outcome: otherwise -> home
        Chapter two: outcome: otherwise -> home
        Ending home
        action game: go to one
        action skip: go to two
        """,
        [],
    ),
    (
        "a chapter that a card leads to",
        "F405",
        """
        kind Omen is Card:
            way: edges
        Omen star:
            way: otherwise -> two
        Chapter one: outcome: otherwise -> home
        Chapter two: outcome: otherwise -> home
        Ending home
        action game: go to one
        """,
        [],
    ),
    (
        "chapters of a kind that `go to` picks one from",
        "F405",
        """
        kind Night is Chapter
        Night one: outcome: otherwise -> home
        Night two: outcome: otherwise -> home
        Chapter three: outcome: otherwise -> home
        Ending home
        action game: go to (first Night having lowest (1 if it is two otherwise 0))
        """,
        [4],
    ),
    (
        "chapters that only lead to each other",
        "F405",
        """
        Chapter one: outcome: otherwise -> home
        Chapter two: outcome: otherwise -> three
        Chapter three: outcome: otherwise -> two
        Ending home
        action game: go to one
        """,
        [2, 3],
    ),
    (
        "a chapter beside a story whose pages are turned by their fields",
        "F405",
        """
        kind Wager is Chapter:
            won: Ending
        Wager evening: won: home
        Wager attic: won: home
        Ending home
        action game: go to chapter.won
        """,
        [4],
    ),
    (
        "a chapter that a field of the first leads to",
        "F405",
        """
        kind Wager is Chapter:
            won: Chapter or none = none
        Wager evening: won: attic
        Wager attic: outcome: otherwise -> home
        Ending home
        action game: go to chapter.won
        """,
        [],
    ),
    (
        "chapters apart from each other are all beginnings",
        "F405",
        "Chapter one: outcome: otherwise -> home\nChapter two: outcome: otherwise -> home\nEnding home\n",
        [],
    ),
    (
        "endings brought about by rules",
        "F406",
        GAUGE
        + 'Chapter one "One"\nEnding home\nwhen hope == 0 becomes true: go to home\naction game: hope - 1\n',
        [],
    ),
    (
        "a ring of chapters",
        "F406",
        """
        state wet: yes | no = no
        Chapter one:
            outcome:
                wet -> two
                otherwise -> home
        Chapter two: outcome: otherwise -> three
        Chapter three: outcome: otherwise -> two
        Ending home
        """,
        [6, 7],
    ),
    (
        "an option without a condition is always open",
        "F407",
        GAUGE + 'Chapter one:\n    choice: "Stay" when dark -> home; "Go" -> home\nEnding home\n',
        [],
    ),
    (
        "every option has a condition",
        "F407",
        GAUGE
        + 'Chapter one:\n    choice: "Stay" when dark -> home; "Go" when not dark -> home\nEnding home\n',
        [5],
    ),
    (
        "a condition that always holds",
        "F408",
        GAUGE + "Chapter one:\n    outcome:\n        hope >= 0 -> home\n        dark -> home\nEnding home\n",
        [7],
    ),
    (
        "a card in a pile nobody draws from",
        "F409",
        """
        kind Clue is Card
        pile library of Clue = all Clue
        pile table_top of Clue
        Clue C1, C2
        action game: move C1 to table_top
        """,
        [4],
    ),
    (
        "a query of one pile does not reach the others",
        "F409",
        """
        kind Clue is Card
        pile library of Clue = all Clue
        pile table_top of Clue
        Clue C1
        Clue C2
        action game:
            move C1 to table_top
            for each c in Clue in table_top: remove c
        """,
        [5],
    ),
    (
        "a card whose rules are always in force",
        "F409",
        GAUGE + "kind Omen is Card\nOmen star:\n    after rest: hope - 1\n"
        "action rest: hope + 1\naction game: rest\n",
        [],
    ),
    (
        "a rule for an action that only an uncalled one calls",
        "F410",
        GAUGE
        + """
action game: hope + 1
action outer: inner
action inner: hope - 1
after inner: seen + 1
""",
        [8],
    ),
    (
        "an offer in an open menu runs",
        "F410",
        GAUGE
        + """
role Player 1..4 named p
menu camp
offer "Rest" in camp: rest
state naps: int = 0 per rest
action rest: naps + 1
action game: open camp by p1
""",
        [],
    ),
    (
        "asking whether it is possible runs nothing",
        "F410",
        GAUGE
        + """
state naps: int = 0 per rest
action rest: naps + 1
action game:
    if possible(rest): hope + 1
""",
        [5],
    ),
    (
        "during and stop",
        "F410",
        GAUGE
        + """
action storm: hope - 1
action game:
    if during storm: hope + 1
    if dark: stop storm
""",
        [7, 8],
    ),
    (
        "other kinds never meet",
        "F411",
        """
        track hope 0..9 start 4
        kind Boat
        kind Cart
        Boat punt
        Cart wain
        action game: use punt; use wain
        action use t: Thing: hope + 1
        instead of use Boat b: hope + 2
        instead of use Cart c: hope - 1
        """,
        [],
    ),
    (
        "two that set a value",
        "F411",
        GAUGE + "value might = hope\nmodify might: = 3\nmodify might: = 5\naction game: hope + might\n",
        [6],
    ),
    (
        "different layers",
        "F411",
        GAUGE
        + """
Chapter one:
    outcome: otherwise -> home
    instead of rest: hope + 3
Ending home
action rest: hope + 1
action game: rest
instead of rest: hope + 2
""",
        [],
    ),
    (
        "a special case below the general one",
        "F412",
        GAUGE
        + "value might = hope\nmodify might: = 3\nmodify might when dark: = 5\naction game: hope + might\n",
        [],
    ),
    (
        "a special case above the general one",
        "F412",
        GAUGE
        + "value might = hope\nmodify might when dark: = 5\nmodify might: = 3\naction game: hope + might\n",
        [6],
    ),
    (
        "somebody decides the order",
        "F412",
        GAUGE
        + """
role Player 1..4 named p
order of rest by p1
action rest: hope + 1
action game: rest
instead of rest when dark: hope + 2
instead of rest when hope > 4: hope - 1
""",
        [],
    ),
    (
        "options that exclude each other",
        "F412",
        GAUGE
        + """
option mode: easy | hard = easy
action rest: hope + 1
action game: rest
while mode is easy:
    instead of rest: hope + 2
while mode is hard:
    instead of rest: hope - 1
""",
        [],
    ),
    (
        "a rule for one kind that calls for another",
        "F413",
        """
        track hope 0..9 start 4
        kind Boat
        kind Cart
        Boat punt
        Cart wain
        action game: use punt
        action use t: Thing: hope + 1
        after use Boat b: use wain
        """,
        [],
    ),
    (
        "a rule that calls its own action with its own argument",
        "F413",
        """
        track hope 0..9 start 4
        kind Boat
        Boat punt
        action game: use punt
        action use t: Thing: hope + 1
        after use Boat b: use b
        """,
        [6],
    ),
    (
        "by way of another action",
        "F413",
        GAUGE + "action game: a\naction a: hope + 1\naction b: a\nafter a: b\n",
        [7],
    ),
    (
        "as usual is no new call",
        "F413",
        GAUGE + "action game: a\naction a: hope + 1\ninstead of a: as usual\n",
        [],
    ),
    ("a requirement bounds it", "F414", GAUGE + "action game: a\naction a:\n    requires dark\n    a\n", []),
    ("an action that calls itself", "F414", GAUGE + "action game: a\naction a:\n    seen + 1\n    a\n", [7]),
    (
        "a choice breaks the ring",
        "F414",
        GAUGE
        + """
role Player 1..4 named p
action game: a
action a:
    choose one by p1 "Now":
        "Go on" -> seen + 1
        "Stop" -> stop a
    a
""",
        [],
    ),
    (
        "a track with hooks breaks the ring",
        "F414",
        "track doom 0..9 start 0:\n    at 9: go to home\nEnding home\n"
        "action game: a\naction a:\n    doom + 1\n    a\n",
        [],
    ),
    (
        "both branches call it",
        "F414",
        GAUGE
        + """
action game: a
action a:
    if dark: a
    otherwise: a
""",
        [7],
    ),
    ("nothing is two things", "F415", GAUGE + "action game:\n    if dark and not dark: hope + 1\n", [5]),
    (
        "two words at once",
        "F415",
        "state sky: clear | grey = clear\ntrack hope 0..9\n"
        "action game:\n    if sky is clear and sky is grey: hope + 1\n",
        [4],
    ),
    ("one or the other", "F415", GAUGE + "action game:\n    if dark or not dark: hope + 1\n", [5]),
    ("a sum that may be more", "F415", GAUGE + "action game:\n    if hope + seen > 9: hope + 1\n", []),
    (
        "options are there to be set",
        "F415",
        GAUGE + "option grim: yes | no = no\naction game:\n    if grim: hope - 1\n",
        [],
    ),
    (
        "a field that something modifies",
        "F415",
        """
        kind Boat:
            seats: 1..4 = 2
        Boat punt
        track hope 0..9 start 4
        modify seats of punt: + 3
        action game:
            if punt.seats > 4: hope + 1
        """,
        [],
    ),
    (
        "a field that nothing modifies",
        "F415",
        """
        kind Boat:
            seats: 1..4 = 2
        Boat punt
        track hope 0..9 start 4
        action game:
            if punt.seats > 4: hope + 1
        """,
        [6],
    ),
    (
        "an assignment lands on the hook",
        "F416",
        "track doom 0..9 start 3:\n    at 0: go to home\nEnding home\n"
        "action game:\n    doom + 1\n    doom = 0\n",
        [],
    ),
    (
        "an assignment that is not known",
        "F416",
        "track doom 0..9 start 3:\n    at 0: go to home\nEnding home\nstate n: int = 2\n"
        "action game: doom = n\n",
        [],
    ),
    (
        "nothing moves it",
        "F416",
        "track doom 0..9 start 3:\n    at 9: go to home\nEnding home\ntrack hope 0..9\n"
        "action game: hope + doom\n",
        [2],
    ),
    (
        "a die that may show less than nothing",
        "F416",
        "track mind 0..6 start 3:\n    at 0: go to home\nEnding home\ndie luck: 1, -1\n"
        "action game:\n    let n = do roll luck\n    mind + n\n",
        [],
    ),
    (
        "a die that shows more than nothing",
        "F416",
        "track mind 0..6 start 3:\n    at 0: go to home\nEnding home\ndie luck: 1, 2\n"
        "action game:\n    let n = do roll luck\n    mind + n\n",
        [2],
    ),
    (
        "below the lower end",
        "F416",
        "track mind 0..6 start 3:\n    below 0: go to home\nEnding home\naction game: mind + 1\n",
        [2],
    ),
    ("behind an endless loop", "F417", GAUGE + "action game:\n    repeat: hope + 1\n    seen + 1\n", [6]),
    (
        "a loop that can be left",
        "F417",
        GAUGE + "action game:\n    repeat:\n        if dark: stop\n        hope + 1\n    seen + 1\n",
        [],
    ),
    (
        "stopping another action may do nothing",
        "F417",
        GAUGE + "action game: a\naction b: hope + 1\naction a:\n    b\n    stop b\n    seen + 1\n",
        [],
    ),
    (
        "every branch ends",
        "F417",
        GAUGE
        + """
Ending home
action game:
    if dark: go to home
    otherwise: stop game
    hope + 1
""",
        [9],
    ),
    (
        "an action with a requirement is not certain",
        "F418",
        GAUGE
        + """
action a:
    requires dark
    hope + 1
action b: hope - 1
action game:
    first possible:
        a
        b
""",
        [],
    ),
    (
        "a whole set of cards without a fallback is one remark",
        "F419",
        """
        track hope 0..9 start 4
        kind Order is Card:
            does: effect
        action rest:
            requires hope < 9
            hope + 1
        Order o1: does: first possible: rest
        Order o2: does: first possible: rest
        action game:
            for each o in Order: do o.does
        """,
        [7],
    ),
    (
        "used by a kind below it",
        "F420",
        "kind Boat\nkind Raft is Boat\nRaft punt\n",
        [],
    ),
    (
        "a field that is only written",
        "F421",
        "kind Boat:\n    seats: int = 4\nBoat punt\naction game: punt.seats = 3\n",
        [2],
    ),
    (
        "read in a text",
        "F421",
        'kind Boat:\n    seats: int = 4\nBoat punt\naction game: say "{punt.seats}"\n',
        [],
    ),
    (
        "an ending's fields are shown",
        "F421",
        "extend Ending:\n    result: good | bad\nEnding home: result: good\n",
        [],
    ),
    (
        "a value that reads itself only",
        "F422",
        "kind A\nA one\nvalue v(a: A): int = 1 if a is one otherwise v(a)\n",
        [3],
    ),
    ("the machine's score", "F422", GAUGE + "value score = hope\naction game: hope + 1\n", []),
    (
        "a hint for a choice that is not asked",
        "F422",
        "role P 1..1 named p\nkind Pawn\nPawn one, two\naction game: choose x from Pawn by p; remove x\n"
        "value appeal_game_x(x: Pawn) = 1\nvalue appeal_game_y(y: Pawn) = 1\nvalue appeal_game_may = 1\n",
        [6],
    ),
    (
        "a score of each seat, which no bot can read",
        "F422",
        "kind Pawn\nPawn one\nvalue score(p: Pawn): int = 1\naction game: nothing\n",
        [3],
    ),
    (
        "read by a test",
        "F422",
        GAUGE + 'value v = hope\naction game: hope + 1\ntest "v":\n    expect v == 4\n',
        [],
    ),
    (
        "an action that calls itself only",
        "F423",
        GAUGE + "action game: hope + 1\naction a:\n    if dark: a\n",
        [5],
    ),
    ("play is called by the core", "F423", GAUGE + "action play c: Chapter: hope + 1\n", []),
    (
        "a parameter that a rule reads",
        "F425",
        """
        kind Boat:
            seats: int = 4
        Boat punt
        track hope 0..9 start 4
        action game: board punt with 2
        action board b: Boat with guests: int: hope + b.seats
        after board b with guests when guests > 3: hope - 1
        """,
        [],
    ),
    ("a state read by a condition", "F426", GAUGE + "action game:\n    if seen > 2 and dark: hope + 1\n", []),
    ("a trait that is gained", "F428", "trait Wet\nFigure guest\naction game: guest gains Wet\n", []),
    (
        "a pile that lends its cards",
        "F433",
        "deck d of Card reshuffles from e\npile e of Card\naction game: draw 1 from d into e\n",
        [],
    ),
    ("through a condition", "F434", "state n: int = 1\nvalue a = b if n > 0 otherwise 1\nvalue b = a\n", []),
    ("a modify without base", "F434", "value a = 1\nmodify a: + b\nvalue b = a * 2\n", [1]),
    ("a modify with base", "F434", "value a = 1\nmodify a: + b\nvalue b = base(a) * 2\n", []),
    (
        "alone impossible",
        "F435",
        GAUGE + "action game: a\naction a:\n    requires hope > 20\n    hope + 1\n",
        [6],
    ),
    (
        "two offers of one menu",
        "F436",
        GAUGE
        + """
role Player 1..4 named p
menu camp
offer "Rest" in camp: hope + 1
offer "Rest" in camp: hope + 2
action game: open camp by p1
""",
        [8],
    ),
    (
        "two offers that are never there together",
        "F436",
        GAUGE
        + """
role Player 1..4 named p
menu camp
offer "Rest" in camp when dark: hope + 1
offer "Rest" in camp when not dark: hope + 2
action game: open camp by p1
""",
        [],
    ),
]


@pytest.mark.parametrize(
    ("code", "text", "lines"), [case[1:] for case in CASES], ids=[f"{c[1]} {c[0]}" for c in CASES]
)
def test_what_is_found(code: str, text: str, lines: list[int], lint: Lint) -> None:
    assert [found.span.line for found in lint(code, text)] == lines


def test_what_a_system_does_not_use_is_a_remark(lint: Lint) -> None:
    found = lint("F423", GAUGE + "action game: hope + 1\naction spare: hope - 1\n")
    assert [d.severity for d in found] == ["info"]


def test_what_an_adventure_does_not_use_is_a_warning(lint: Lint) -> None:
    found = lint(
        "F423", "action mine: hope + 1\n", system=GAUGE + "action game: hope + 1\naction spare: hope - 1\n"
    )
    assert [(d.severity, d.message) for d in found] == [("warning", "nothing calls the action `mine`")]


def test_an_adventure_makes_the_actions_of_its_system_run(lint: Lint) -> None:
    system = GAUGE + "action game: hope + 1\naction spare: hope - 1\n"
    text = "state naps: int = 0 per spare\nafter game: spare\n"
    assert not lint("F410", text, system=system)


def test_a_value_of_an_adventure_with_an_idle_parameter(lint: Lint) -> None:
    text = "value sum_of(a: int, b: int) = a\nafter game: hope + sum_of(1, 2)\n"
    found = lint("F425", text, system=GAUGE + "action game: hope + 1\n")
    assert [(d.span.line, d.span.column) for d in found] == [(1, 22)]


def test_broken_lines_keep_quiet_about_what_is_unused(tmp_path: Path) -> None:
    text = GAUGE + "action game: hope + (\nvalue cheer = hope\n"
    result = compile_package(_package(tmp_path / "one", "one", "system", text), cache=False)
    assert any(d.code.startswith("S1") for d in result.diagnostics)
    assert not [d.code for d in result.diagnostics if d.code in ("F420", "F421", "F422", "F423", "F426")]


def test_rivals_point_at_each_other(lint: Lint) -> None:
    text = (
        GAUGE
        + "action rest: hope + 1\naction game: rest\ninstead of rest: hope + 2\ninstead of rest: hope - 1\n"
    )
    (found,) = lint("F411", text)
    assert found.severity == "error"
    assert found.message == "two rules of one layer replace `rest`, and both always apply"
    assert [label.span.line for label in found.labels] == [6]


def test_endless_calls_name_the_ring(lint: Lint) -> None:
    (found,) = lint("F414", GAUGE + "action game: a\naction a: b\naction b: c\naction c: a\n")
    assert found.message == "this never ends: `a` calls `b` calls `c` calls `a`"


def test_a_change_that_the_caller_does_not_see_is_named() -> None:
    result = compile_text(plain("action grow xs: list of int: add 3 to xs\n"))
    said = [found.message for found in result.diagnostics if found.code == "F442"]
    assert said == ["the caller does not see this change: `xs` is the action's own copy"]


@pytest.mark.parametrize("body", ["as usual\n    go to home", "go to home"])
def test_prose_is_said_where_a_chapter_is_played_as_usual(lint: Lint, body: str) -> None:
    story = (
        'Chapter ford "Ford":\n    """The river is high."""\nEnding home "Home"\naction game: go to ford\n'
    )
    found = lint("F444", f"{story}instead of play Chapter c:\n    {body}\n")
    assert len(list(found)) == (0 if "as usual" in body else 1)


FILLED = """
kind Chest:
    lock: Lock
    lid: Lock
kind Lock:
    pins: int
    spring: int = 0
action game:
    for each c in Chest:
        if c.lock.pins > 3 and c.lid is none: say "Hard."
"""


def test_a_field_for_a_thing_that_nobody_fills_is_named(lint: Lint) -> None:
    said = [
        found.message
        for found in lint("C509", FILLED + "Chest oak:\n    lock.pins: 3\nChest ash:\n    lock.pins: 4\n")
    ]
    assert said == ["no `Chest` says its `lid`, so that it is always none"]


def test_a_part_that_leaves_out_what_is_read_is_named(lint: Lint) -> None:
    text = FILLED + "Lock brass: pins: 2\nChest oak:\n    lock.spring: 3\n    lid: brass\n"
    said = [found.message for found in lint("C509", text)]
    assert said == ["`oak.lock` does not say its `pins`"]


GAMES = {
    "action game: toss": True,
    "action game:\n    toss\n    go to won": False,
    "action game:\n    if n == 1: go to won": True,
    "action game:\n    if n == 1: go to won\n    otherwise: finish": False,
    "action game:\n    repeat:\n        toss\n        if n == 2: stop": True,
    "action game:\n    repeat: finish": False,
    "action game:\n    repeat while n < 3: sometimes": False,
    "action game:\n    repeat while n < 3: toss": True,
    "action game:\n    match n:\n        0 -> finish\n        otherwise -> go to won": False,
    "action game:\n    match n:\n        0 -> finish\n        otherwise -> toss": True,
    "action game: sometimes": True,
    "action game: toss\nwhen n == 1 becomes true: go to won": False,
    "action game: toss\nafter toss: finish": False,
    'action game: toss\nChapter here "Here":\n    outcome: otherwise -> won': False,
}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_leads_nowhere_is_found(game: str) -> None:
    rest = "state n: int = 0\naction toss: n + 1\naction finish: go to won\naction sometimes:\n    if n == 3: go to won\n"
    found = compile_text(plain(f'Ending won "Won"\n{rest}{game}\n')).diagnostics
    assert not [one for one in found if one.severity == "error"]
    assert any(one.code == "F448" for one in found) == GAMES[game]
