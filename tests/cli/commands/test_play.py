"""`tale play` and `tale replay` as people meet them: in a terminal, through pipes, and when things go wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from talewright.cli.commands import play
from talewright.cli.main import main
from talewright.cli.terminal.news import MOST_MOVES, MOST_TEXTS
from tests.cli.terminals import COMMAND, Played

GAMES = Path(__file__).parents[2] / "fixtures" / "play"
GOLDEN = Path(__file__).parents[2] / "golden" / "play"
ISLAND = str(GAMES / "island")
PROMPT = "\n> "
# Both seats at this keyboard: else a bot plays the second.
TWO_PEOPLE = ("--seat", "all=human")


def piped(folder: Path, typed: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    keep = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    return subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        cwd=folder,
        env={**keep, "COLUMNS": "80", "LINES": "40", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said, in one line, to a command that is wrong usage."""
    assert main(arguments) == 2
    return " ".join(capsys.readouterr().err.split())


def started(folder: Path, *arguments: str, columns: int = 80, **environment: str) -> Played:
    people = () if "--seat" in arguments else TWO_PEOPLE
    played = Played(["play", ISLAND, "--seed", "3", *people, *arguments], folder, columns, **environment)
    if people:
        # Both have secrets, so nothing is shown before the first of them is there.
        assert "holds:" not in played.wait_for("p1, press Enter when you are there.")
        played.type("")
    played.wait_for(PROMPT)
    return played


# ------------------------------------------------------------------ a whole game
SCRIPT = """\
help
why
walk
wreck
2
why strength
why tide
why 2
look map
look lighthouse
dive
1
cave
log
undo
light
save game.json
99
wreck
walk
lighthouse
w
walk
beach
climb
"""


def test_a_whole_game_reads_as_it_did(tmp_path: Path) -> None:
    run = piped(tmp_path, SCRIPT, "play", ISLAND, "--seed", "10", *TWO_PEOPLE)
    told = run.stdout.replace(str(tmp_path), "FOLDER").replace(str(GAMES), "GAMES")
    golden = GOLDEN / "island.txt"
    if os.environ.get("TALE_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")
    assert run.stderr == ""
    assert run.returncode == 0


def test_whoever_only_watches_is_told_everything_as_it_happens(tmp_path: Path) -> None:
    run = piped(tmp_path, "", "play", ISLAND, "--seed", "9", "--seat", "all=random")
    assert run.returncode == 0, run.stderr
    assert "Type `help`" not in run.stdout
    assert "earlier choices" not in run.stdout
    left = tmp_path / "island-9.save.json"
    piped(tmp_path, "quit\n", "play", ISLAND, "--seed", "9", *TWO_PEOPLE)
    watched = piped(tmp_path, "", "play", ISLAND, "--load", str(left), "--seat", "all=random")
    choices, again = (
        [line for line in text.splitlines() if line.startswith(("  p1: ", "  p2: "))]
        for text in (run.stdout, watched.stdout)
    )
    assert choices == again
    assert len(choices) > MOST_MOVES


def test_a_seat_that_may_stay_empty_keeps_nobody_from_watching(tmp_path: Path) -> None:
    package = tmp_path / "ferry"
    package.mkdir()
    (package / "tale.toml").write_text(
        'name = "ferry"\nversion = "0.1.0"\ntype = "system"\ntitle = "Ferry"\ntale = 1\n'
    )
    (package / "ferry.tale").write_text(FERRY)
    run = piped(tmp_path, "", "play", "ferry", "--seed", "1", "--seat", "p1=random", "--players", "1")
    assert run.returncode == 0
    assert "Type `help`" not in run.stdout
    assert "earlier choices" not in run.stdout
    assert run.stdout.count("p1: How many? ") == 20
    asked = piped(
        tmp_path, "1\n1\n", "play", "ferry", "--seed", "1", "--seat", "p1=random", "--set", "storm=yes"
    )
    assert asked.returncode == 0
    assert "tide: Rise?" in asked.stdout


FERRY = """
role Player 1..2 named p
role Tide 0..1 named tide
option storm: yes | no = no
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    if storm:
        tide may "Rise": nothing
    repeat 20 times:
        for each q in Player: choose k from (1..3) by q "How many?"
    go to done
"""


STALL = """
role Player named p
kind Ware is Card:
    price: int = 1
Ware lamp "a lamp, lit" * 2: price: 3
Ware rope "a rope"
kind Porter is Figure
Porter porter "a porter" * 2
kind Yard is Place
plan yards: near_yard far_yard
Yard near_yard "the near yard"
Yard far_yard "the far yard"
pile shelf of Ware = all Ware
pile bench of Ware
pile floor of Ware
menu turns(q: Player)
action send f: Porter by q: Player: nothing
action rest by q: Player: nothing
offer "Send {f}" in turns(q): send f by q
offer "Rest" in turns(q): rest by q
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    place porter_1 at near_yard
    place porter_2 at far_yard
    move lamp_1 to floor
    choose w from (shelf) by p "Which ware?"
    move w to bench
    open turns(p) by p
    go to done
"""


def test_options_can_be_looked_at_and_are_told_apart(tmp_path: Path) -> None:
    package = tmp_path / "stall"
    package.mkdir()
    (package / "tale.toml").write_text(
        'name = "stall"\nversion = "0.1.0"\ntype = "system"\ntitle = "Stall"\ntale = 1\n'
    )
    (package / "stall.tale").write_text(STALL)
    run = piped(tmp_path, "look 2\nlook 9\nlook\nrope\nlook 1\nfar\n", "play", "stall", "--seed", "1")
    assert run.returncode == 0, run.stdout
    assert "a rope (ware)\n  price 1" in run.stdout
    assert run.stdout.count("There is no option 9; they go from 1 to") == 1
    assert "> look 1\nSend a porter (the near yard)\n" in run.stdout
    assert "`look N` for option N" in run.stdout
    assert 'shelf: "a lamp, lit", a rope' in run.stdout  # or it would read as two things
    assert "  1  Send a porter (the near yard)\n  2  Send a porter (the far yard)\n" in run.stdout
    # Of the piles, only those are told again in which something has changed.
    changed = run.stdout.partition("> rope\n")[2].partition("(what has changed")[0]
    assert "bench: a rope" in changed
    assert "floor:" not in changed


def test_every_line_fits_a_narrow_terminal(tmp_path: Path) -> None:
    for columns in (40, 60):
        run = piped(tmp_path, SCRIPT, "play", ISLAND, "--seed", "3", *TWO_PEOPLE, COLUMNS=str(columns))
        wide = [line for line in run.stdout.splitlines() if len(line) > columns and str(tmp_path) not in line]
        assert wide == []
        assert "\x1b" not in run.stdout


# ------------------------------------------------------------------ in a terminal
def test_a_game_in_a_terminal_has_colour_and_no_signs_of_emphasis(tmp_path: Path) -> None:
    played = started(tmp_path, "--seat", "p2=random")
    assert "\x1b[1m" in played.raw
    assert "further than it should" in played.screen
    assert "*further" not in played.screen
    played.type("quit")
    code, told = played.end()
    assert code == 0
    assert f"The game is saved in {tmp_path}/island-3.save.json" in told


def test_no_colour_when_it_is_not_wanted(tmp_path: Path) -> None:
    played = started(tmp_path, TERM="dumb")
    assert "\x1b[" not in played.raw
    played.press(b"\x03")
    played.end()


def test_the_keyboard_is_handed_over_behind_a_clean_screen(tmp_path: Path) -> None:
    played = started(tmp_path, "--seed", "1")  # p1 a coin, p2 a pearl
    assert "holds: a coin" in played.screen
    played.type("wait")
    played.wait_for("p2, press Enter when you are there.")
    cleared = played.raw.rindex("\x1b[2J")
    assert "a pearl" not in played.raw[cleared:]
    assert "a coin" not in played.raw[cleared:]
    played.type("")
    view = played.wait_for(PROMPT)
    assert "holds: a pearl" in view
    assert "a coin" not in view
    played.type("look coin", "quit")
    _, told = played.end()
    assert "Nothing you know of is called so." in told


def test_a_decision_is_taken_back_at_the_pause_before_the_next_person_sees_anything(tmp_path: Path) -> None:
    played = started(tmp_path, "--seed", "8")
    played.type("wait")
    played.wait_for("p2, press Enter when you are there.")
    played.type("look pearl")
    told = played.wait_for("p2, press Enter when you are there.")
    assert "`undo` takes back the last decision" in told
    assert "(treasure)" not in told
    cleared = len(played.screen)
    played.type("undo")
    played.wait_for("p1, press Enter when you are there.")
    assert "a coin" not in played.screen[cleared:], "nobody knows who has typed it"
    played.type("")
    view = played.wait_for(PROMPT)
    assert "holds: a coin" in view, "it is p1 who is asked again"
    assert "a pearl" not in view
    played.type("quit")
    assert played.end()[0] == 0


def test_one_person_plays_with_bots(tmp_path: Path) -> None:
    run = piped(tmp_path, "wait\nlog\nquit\n", "play", ISLAND, "--seed", "3")
    assert run.returncode == 0, run.stderr
    assert "Hand the keyboard" not in run.stdout
    assert "p1: What does p1 do?" in run.stdout
    assert "p2: " in run.stdout.partition("> log")[2], "a bot has decided"
    assert "p2: What does p2 do?\n  1" not in run.stdout


def test_a_terminal_that_shrinks_is_written_in_its_new_width(tmp_path: Path) -> None:
    played = started(tmp_path)
    played.resize(30)
    played.type("table")
    view = played.wait_for(PROMPT)
    assert "the lighthouse" in view
    assert max(len(line) for line in view.splitlines()) <= 30
    played.resize(100)
    played.type("walk")
    assert "the wreck" in played.wait_for(PROMPT)
    played.press(b"\x04")
    code, told = played.end()
    assert code == 0
    assert "The game is saved in" in told


def test_control_c_saves_and_the_game_goes_on_from_there(tmp_path: Path) -> None:
    played = started(tmp_path, "--seat", "p2=explore")
    played.type("walk")
    played.wait_for(PROMPT)
    played.press(b"\x03")
    code, told = played.end()
    assert code == 130
    assert "Traceback" not in played.screen
    assert "--load" in told
    save = tmp_path / "island-3.save.json"
    assert [d[0] for d in json.loads(save.read_text())["decisions"]] == ["menu.acting#1"]
    again = Played(["play", ISLAND, "--load", str(save), "--seat", "p2=explore"], tmp_path)
    assert "Where to?" in again.wait_for(PROMPT)
    again.type("undo")
    assert "What does p1 do?" in again.wait_for(PROMPT)
    again.type("quit")
    assert again.end()[0] == 0
    assert json.loads(save.read_text())["decisions"] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_saves(tmp_path: Path, number: signal.Signals) -> None:
    played = started(tmp_path)
    played.process.send_signal(number)
    code, _ = played.end()
    assert code == 128 + number
    assert "Traceback" not in played.screen
    assert (tmp_path / "island-3.save.json").is_file()


def test_a_terminal_that_goes_away_saves(tmp_path: Path) -> None:
    played = started(tmp_path)
    played.close()
    played.end()
    assert (tmp_path / "island-3.save.json").is_file()


# ------------------------------------------------------------------ pipes and files
def test_a_closed_pipe_saves_and_says_so(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        [*COMMAND, "play", ISLAND, "--seed", "3", *TWO_PEOPLE],
        input="1\n1\n",
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        encoding="utf-8",
        timeout=120,
    )
    os.close(writing)
    assert run.returncode == 141
    assert "Traceback" not in run.stderr
    assert f"The game is saved in {tmp_path}/island-3.save.json" in run.stderr


def test_saving_where_nothing_can_be_written_keeps_playing(tmp_path: Path) -> None:
    typed = "save /proc/nothing/game.json\nsave " + "x" * 300 + "\nsave here.json\nquit\n"
    run = piped(tmp_path, typed, "play", ISLAND, "--seed", "3", *TWO_PEOPLE)
    assert run.stdout.count("It cannot be saved there: ") == 2
    assert run.stdout.count("The game goes on.") == 2
    assert (tmp_path / "here.json").is_file()
    assert run.returncode == 0


def test_another_game_of_the_same_seed_is_not_written_over(tmp_path: Path) -> None:
    piped(tmp_path, "walk\n", "play", ISLAND, "--seed", "3", *TWO_PEOPLE)
    first = (tmp_path / "island-3.save.json").read_bytes()
    piped(tmp_path, "wait\n", "play", ISLAND, "--seed", "3", *TWO_PEOPLE)
    assert (tmp_path / "island-3.save.json").read_bytes() == first
    assert (tmp_path / "island-3-2.save.json").is_file()


def test_what_a_terminal_cannot_show_does_not_end_a_game(tmp_path: Path) -> None:
    run = piped(
        tmp_path, "table\nquit\n", "play", ISLAND, "--seed", "3", *TWO_PEOPLE, PYTHONIOENCODING="ascii"
    )
    assert run.returncode == 0
    assert "+--" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--seat", "p9=human"], "There is no seat `p9`; there are p1, p2"),
        (["--seat", "p1"], "has no `=`"),
        (["--seat", "p1=wizard"], "Nobody called `wizard`"),
        (["--players", "9"], "2 to 3 players"),
        (["--chapter", "nowhere"], "There is no chapter `nowhere`"),
        (["--set", "x=1"], "there is no option `x`"),
        (["--load", "missing.json"], "no such file"),
        (["--load", "missing.json", "--seed", "2"], "leave them out with --load"),
    ],
)
def test_wrong_usage_is_refused_with_the_reason(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    assert reason in refused(capsys, "play", ISLAND, *arguments)


def test_a_damaged_save_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    piped(tmp_path, "walk\n", "play", ISLAND, "--seed", "3", *TWO_PEOPLE)
    save = tmp_path / "island-3.save.json"
    text = save.read_text()
    for name, broken, reason in (
        ("cut", text[:200], "cut short"),
        ("altered", text.replace('"seed": 3', '"seed": 4'), "altered"),
        ("list", "[]", "not a save"),
    ):
        path = tmp_path / name
        path.write_text(broken)
        assert reason in refused(capsys, "play", ISLAND, "--load", str(path))
        assert reason in refused(capsys, "replay", str(path), "--package", ISLAND)


# ------------------------------------------------------------------ guard rails and replays
def test_a_flood_of_prose_is_ended_and_not_all_of_it_printed(tmp_path: Path) -> None:
    run = piped(tmp_path, "listen\n", "play", str(GAMES / "talkative"), "--seed", "1")
    assert run.returncode == 1
    assert "R14: more than 1,000 texts are said without a decision" in run.stdout
    assert run.stdout.count("And another thing.") == MOST_TEXTS
    assert "many texts are left out here" in run.stdout
    assert (tmp_path / "talkative-1.save.json").exists()


@pytest.mark.parametrize(
    ("name", "code", "line"), [("endless", "R14", 15), ("bottomless", "R7", 16), ("stuck", "R8", 12)]
)
def test_a_game_that_breaks_off_keeps_a_save_that_shows_it(
    tmp_path: Path, name: str, code: str, line: int
) -> None:
    game = str(GAMES / name)
    run = piped(tmp_path, "", "play", game, "--seed", "4", "--seat", "all=explore")
    for again in range(4):
        if run.returncode == 1:
            break
        run = piped(tmp_path, "", "play", game, "--seed", str(5 + again), "--seat", "all=explore")
    assert run.returncode == 1
    assert f"The game broke off. {code}: " in run.stdout
    assert f"{name}/{name}.tale:{line}" in run.stdout
    save = next(tmp_path.glob("*.save.json"))
    replayed = piped(tmp_path, "", "replay", str(save), "--package", game)
    assert replayed.returncode == 1
    assert f"{code}: " in replayed.stdout
    assert "the save broke off with the same error" in replayed.stdout


def test_whatever_breaks_the_toolkit_the_game_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    class Defect(Exception):
        pass

    def run() -> str:
        raise Defect

    terminal = SimpleNamespace(
        welcome=lambda: None, session=SimpleNamespace(run=run), kept=lambda: ["The game is saved."]
    )
    with pytest.raises(Defect):
        play._play(terminal)
    assert "The game is saved." in capsys.readouterr().out


RANGE = """\
role Player is Thing named player
type Purpose = to_hit
Grid range:
    cells: square
    pieces: Slab
kind Slab is Piece
Slab yard "Yard":
    plan: \"\"\"
        ...
        \"\"\"
kind Figure:
    base: dimensions = 1x1
Figure post "Post"
Chapter day "Day": goal: "Reach the evening."
Ending night "Night"

instead of play Chapter c:
    lay yard on range
    for each spot in spots(post): stand post at spot
    say "A post stands at {post.cell}."
    let dice = do roll d6 by player for to_hit
    for each die in dice: reroll die
    choose n from (0..1) by player "And now?"
    go to night
"""


def test_dice_and_squares_are_told_as_players_find_them(tmp_path: Path) -> None:
    (tmp_path / "range").mkdir()
    (tmp_path / "range" / "tale.toml").write_text(
        'name = "range"\nversion = "0.1.0"\ntype = "system"\ntitle = "Range"\n'
    )
    (tmp_path / "range" / "range.tale").write_text(RANGE)
    told = piped(tmp_path, "quit\n", "play", "range", "--seed", "1").stdout
    assert "A post stands at column 3, row 1." in told
    assert re.search(r"player rolls a d6 to hit: \d\. A d6 is rolled again: \d", told), told


def test_a_replay_verifies_and_traces(tmp_path: Path) -> None:
    piped(tmp_path, "walk\nwreck\nwait\ndive\nquit\n", "play", ISLAND, "--seed", "3", *TWO_PEOPLE)
    save = str(tmp_path / "island-3.save.json")
    plain = piped(tmp_path, "", "replay", save, "--package", ISLAND)
    assert plain.returncode == 0
    assert plain.stdout.splitlines()[0] == "   1  menu.acting#1  p1: Walk"
    assert plain.stdout.splitlines()[-1] == "stopped after 4 decisions"
    traced = piped(tmp_path, "", "replay", save, "--package", ISLAND, "--trace").stdout
    for text in ("shuffle sea (6)", "draw from sea: ", "call walk p1", "roll d6 for diving: ", "tide 1 -> 2"):
        assert text in traced
    lines = piped(tmp_path, "", "replay", save, "--package", ISLAND, "--trace", "--json").stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert {"decision", "call", "done", "rule", "roll", "shuffle", "draw", "write", "say"} <= {
        e["event"] for e in events
    }
    roll = next(e for e in events if e["event"] == "roll")
    assert (roll["dice"], roll["for"], roll["by"]) == ("d6", "diving", "p1")
    short = piped(tmp_path, "", "replay", save, "--package", ISLAND, "--to", "2")
    assert short.stdout.splitlines()[-1] == "stopped after 2 decisions"


@pytest.mark.parametrize(
    ("then", "now", "note", "parts"),
    [
        ("track tide", "# A comment.\ntrack tide", False, None),
        ("role Player", 'test "nothing":\n    expect tide is 1\nrole Player', False, None),
        ("start 1:", "start 2:", True, None),
        ('"Where to?"', '"Where shall it be?"', True, None),
        (
            '"Walk"',
            '"Stroll"',
            True,
            "at decision 1 the save answers menu.acting#1 by `Walk`, which is not offered now",
        ),
        (
            "action walk by p: Player:",
            "action walk by p: Player:\n    tide + 6",
            True,
            "the save goes on with walk.z#1, decision 2; the game is over",
        ),
    ],
)
def test_a_save_of_a_changed_package_is_tried(
    tmp_path: Path, then: str, now: str, note: bool, parts: str | None
) -> None:
    mine = tmp_path / "island"
    shutil.copytree(ISLAND, mine)
    piped(tmp_path, "walk\ncave\n", "play", str(mine), "--seed", "3", *TWO_PEOPLE)
    text = (mine / "island.tale").read_text(encoding="utf-8")
    assert then in text
    (mine / "island.tale").write_text(text.replace(then, now), encoding="utf-8")
    save = str(tmp_path / "island-3.save.json")
    again = piped(tmp_path, "", "replay", save, "--package", str(mine))
    on = piped(tmp_path, "wait\nquit\n", "play", str(mine), "--load", save, *TWO_PEOPLE)
    assert ("the package has changed since" in again.stdout) is note
    assert ("the package has changed since" in on.stdout) is note
    assert (again.returncode, on.returncode) == ((0, 0) if parts is None else (1, 2))
    if parts is None:
        assert "stopped after 2 decisions" in again.stdout
    else:
        assert parts in " ".join(again.stdout.split())
        assert "The saved game cannot be played again" in on.stderr
        assert parts in " ".join(on.stderr.split())


def test_a_chapter_asked_for_is_the_first_wherever_the_system_would_begin(tmp_path: Path) -> None:
    game = tmp_path / "two"
    game.mkdir()
    (game / "tale.toml").write_text('name = "two"\nversion = "0.1.0"\ntitle = "Two"\ntype = "system"\n')
    (game / "two.tale").write_text(
        "role Player 1..1 named player\nrole Rival 0..1 named rival\n"
        "kind Page is Chapter\n"
        'Page one "Page One":\n    """One."""\nPage two "Page Two":\n    """Two."""\n'
        'Ending done "Over":\n    """Over."""\n'
        "action game: go to one\n"
        "instead of play Page c:\n    say c.text\n"
        '    choose one by player "Where to?":\n        "On" -> go to two\n        "Home" -> go to done\n'
    )
    run = piped(tmp_path, "home\n", "play", str(game), "--chapter", "two", "--seed", "1")
    assert "you are player." in run.stdout
    assert "Two." in run.stdout
    assert "One." not in run.stdout
    assert run.returncode == 0


def test_no_option_is_left_out_where_there_is_no_screen_to_fill(tmp_path: Path) -> None:
    game = tmp_path / "deck"
    game.mkdir()
    (game / "tale.toml").write_text('name = "deck"\nversion = "0.1.0"\ntitle = "Deck"\ntype = "system"\n')
    cards = "".join(f'Card card_{n} "Card {n}"\n' for n in range(1, 31))
    (game / "deck.tale").write_text(
        f"role Player 1..1 named player\nkind Card\npile table of Card = all Card\n{cards}"
        'Ending done "Over":\n    """Over."""\n'
        'action game:\n    choose up to 1 c from Card by player "Which?"\n    go to done\n'
    )
    run = piped(tmp_path, "31\n", "play", str(game), "--seed", "1", *TWO_PEOPLE, LINES="12")
    assert [line.split()[0] for line in run.stdout.splitlines() if " Card " in line] == [
        str(n) for n in range(1, 31)
    ]
    assert "31  None of these" in run.stdout


def test_picking_several_says_what_is_picked_so_far(tmp_path: Path) -> None:
    game = tmp_path / "hand"
    game.mkdir()
    (game / "tale.toml").write_text('name = "hand"\nversion = "0.1.0"\ntitle = "Hand"\ntype = "system"\n')
    (game / "hand.tale").write_text(
        "role Player 1..1 named player\nkind Card\npile table of Card = all Card\n"
        'Card ash "Ash"\nCard elm "Elm"\nCard oak "Oak"\nCard yew "Yew"\n'
        'Ending done "Over":\n    """Over."""\n'
        "action game:\n"
        '    choose c from Card by player "First?"\n'
        '    choose d from Card by player "First?"\n'
        '    choose 3 cs from Card by player "Three?"\n'
        '    choose e from Card by player "Last?"\n'
        "    go to done\n"
    )
    typed = "oak\noak\nyew\nash\nundo\nelm\nlog\nash\nundo\nash\noak\n"
    run = piped(tmp_path, typed, "play", str(game), "--seed", "1", *TWO_PEOPLE)
    asked = [line.strip() for line in run.stdout.splitlines() if line.startswith("player: ")]
    assert asked == [
        "player: First?",
        "player: First?",
        "player: Three?",
        "player: Three? (so far: Yew)",
        "player: Three? (so far: Yew, Ash)",
        "player: Three? (so far: Yew)",
        "player: Three? (so far: Yew, Elm)",
        "player: Last?",
        "player: Three? (so far: Yew, Elm)",
        "player: Last?",
    ]
    logged = [line.split()[-1] for line in run.stdout.splitlines() if "  player: " in line]
    assert logged == ["Oak", "Oak", "Yew", "Elm"]


def test_whoever_has_picked_something_may_say_no_more(tmp_path: Path) -> None:
    game = tmp_path / "hand"
    game.mkdir()
    (game / "tale.toml").write_text('name = "hand"\nversion = "0.1.0"\ntitle = "Hand"\ntype = "system"\n')
    (game / "hand.tale").write_text(
        "role Player 1..1 named player\nkind Card\npile table of Card = all Card\n"
        'Card ash "Ash"\nCard elm "Elm"\nCard oak "Oak"\nEnding done "Over":\n    """Over."""\n'
        'action game:\n    choose up to 2 cs from Card by player "Which?"\n    go to done\n'
    )
    run = piped(tmp_path, "ash\n3\n", "play", str(game), "--seed", "1", *TWO_PEOPLE)
    first, second = run.stdout.split("(so far: Ash)")
    assert "None of these" in first
    assert "No more" not in first
    assert "No more" in second
    assert "None of these" not in second


# ------------------------------------------------------------------ campaigns
CAMPAIGN = """
role Player 1..1 named player
state games: int = 0 lasting
value old_hand = games > 0
Ending first_end "A Beginning":
    \"\"\"It begins.\"\"\"
Ending later_end "Again":
    \"\"\"Once more.\"\"\"
action game:
    choose n from (1..2) by player "How far?"
    games + n
    if games > 2: go to later_end
    go to first_end
"""


@pytest.fixture
def saga(tmp_path: Path) -> Path:
    package = tmp_path / "saga"
    package.mkdir()
    (package / "tale.toml").write_text(
        'name = "saga"\nversion = "1.0.0"\ntype = "system"\ntitle = "Saga"\ntale = 1\n'
    )
    (package / "saga.tale").write_text(CAMPAIGN)
    return package


def test_what_lasts_of_a_game_is_there_in_the_next(saga: Path, tmp_path: Path) -> None:
    file = tmp_path / "saga.json"
    first = piped(tmp_path, "2\n", "play", str(saga), "--campaign", str(file))
    assert first.returncode == 0
    assert "A Beginning" in first.stdout
    assert str(file) in first.stdout.replace("\n", "")
    assert json.loads(file.read_text())["record"]["states"] == {"games": 2}
    second = piped(tmp_path, "1\n", "play", str(saga), "--campaign", str(file))
    assert "Again" in second.stdout
    kept = json.loads(file.read_text())
    assert kept["record"]["states"] == {"games": 3}
    assert kept["packages"] == ["saga", "saga"]


def test_a_game_that_is_left_changes_no_campaign(saga: Path, tmp_path: Path) -> None:
    file = tmp_path / "saga.json"
    piped(tmp_path, "2\n", "play", str(saga), "--campaign", str(file))
    before = file.read_bytes()
    left = piped(tmp_path, "quit\n", "play", str(saga), "--seed", "4", "--campaign", str(file))
    assert left.returncode == 0
    assert f"--campaign={file}" in left.stdout.replace("\n", "").replace(" ", "")
    assert file.read_bytes() == before
    # The save knows what its game was brought, so it can be gone on with, and leaves its own mark.
    save = next(tmp_path.glob("*.save.json"))
    assert json.loads(save.read_text())["brought"]["states"] == {"games": 2}
    on = piped(tmp_path, "1\n", "play", str(saga), "--load", str(save), "--campaign", str(file))
    assert "Again" in on.stdout
    assert json.loads(file.read_text())["record"]["states"] == {"games": 3}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not whole JSON"),
        (b"{}", "not a campaign"),
        (
            b'{"format": "talewright campaign", "version": 1, "packages": [], '
            b'"record": {"roster": [], "fields": {}, "states": {"games": "many"}}}',
            '`games` cannot be "many": it must be a whole number',
        ),
    ],
)
def test_a_campaign_that_is_none_is_refused(
    saga: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, why: str
) -> None:
    file = tmp_path / "saga.json"
    file.write_bytes(content)
    assert why in refused(capsys, "play", str(saga), "--campaign", str(file))
    assert file.read_bytes() == content
