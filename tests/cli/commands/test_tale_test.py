"""`tale test`: what it runs, what it shows, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from talewright.cli.main import main
from talewright.report.testing import break_journal
from talewright.schemas.nodes.document import Document

MANIFEST = 'name = "{name}"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
RULES = """\
state gold: int = 3
kind Hero
Hero anna "Anna"
action pay n: int by h: Hero:
    requires gold >= n, "Too poor."
    gold - n
"""
GOOD = """
test "paying takes gold":
    covers AB-PAY-01, AB-PAY-02
    when pay 2 by anna
    expect gold == 1
"""
BAD = """
test "paying twice":
    covers AB-PAY-03
    when pay 1 by anna; pay 1 by anna
    expect gold == 3 and count(Hero) == 1
"""
BANDS = """\
kind Page
Page calm "Calm"
Page storm "Storm"
Page fog "Fog"
kind Event:
    talk: bands of Page
    pays: bands of int
    steps: list of int
    pages: pile of Page
Event meeting "Meeting":
    talk: ..4 -> calm; 5..7 -> storm; 8.. -> calm, storm
    pays: ..4 -> 3; 5.. -> 4, 2
    steps: 4, 2
    pages: fog
Event chart "Chart":
    talk: 1 -> calm; 2 -> calm, storm; 3.. -> storm
    pays: ..4 -> 3; 5.. -> 4, 2
    steps: 1, 2, 3
Event leaf "Leaf":
    face a "One":
        pays: ..4 -> 1; 5.. -> 2
    face b "Two":
        pays: ..6 -> 3; 7.. -> 5
state marks: list of int = {1, 2}
state score: int = 0
state share: int = 6 / (2 - 1)
check share > 0, "Everybody has a share."
action read n: int from e: Event: score = count(e.talk[n])
action earn n: int: score = total(meeting.pays[n])
action march e: Event:
    e.steps + 7
    marks + 5
    score = e.steps[1] + count(marks)
action turn_leaf: flip leaf
action draw n: int: score = total(leaf.pays[n])
action clear e: Event: put e.pages into box
test "a long talk":
    when read 7 from meeting
    expect score == 1
    when read 8 from meeting
    expect score == 2
test "wages":
    when earn 5
    expect score == 6
test "the chart":
    when read 2 from chart
    expect score == 2
test "marching":
    when march meeting; march chart
    expect score == 5 and marks[1] == 1
test "both sides of a leaf":
    when draw 4
    expect score == 1
    when turn_leaf; draw 7
    expect score == 5
test "pages go back":
    when clear meeting
    expect fog in box
"""
CATALOGUE = """\
rules:
  - {id: AB-PAY-01, topic: paying}
  - {id: AB-PAY-02, topic: paying}
  - {id: AB-PAY-03, topic: paying}
  - {id: AB-END-01, topic: the end}
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # Nothing of these tests is to be gone on with.
    monkeypatch.setattr(break_journal, "journal_path", lambda folder: None)
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "tale.toml").write_text(MANIFEST.format(name="shop"))
    (folder / "rules.tale").write_text(RULES)
    (folder / "good.tale").write_text(GOOD)
    return folder


def _failing(package: Path) -> Path:
    path = package / "more.tale"
    path.write_text(BAD)
    return path


def test_all_pass(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(package)]) == 0
    out = capsys.readouterr().out
    assert "shop/good.tale . 1\n" in out
    assert "1 passed" in out


def test_a_failure_shows_the_line_both_sides_and_what_happened(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _failing(package)
    assert main(["test", str(package)]) == 1
    out = capsys.readouterr().out
    assert "shop/more.tale F 0 of 1\n" in out
    assert "failed: paying twice\n" in out
    assert "--> shop/more.tale:5\n" in out
    assert "5 | expect gold == 3 and count(Hero) == 1\n" in out
    assert "`gold` is 1" in out
    assert "call pay 1 anna\n" in out
    assert "1 failed, 1 passed" in out


def test_a_file_means_its_own_tests(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _failing(package)
    assert main(["test", str(package / "good.tale")]) == 0
    assert "1 passed" in capsys.readouterr().out


def test_k_picks_by_title_and_by_rule(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _failing(package)
    assert main(["test", str(package), "-k", "TAKES"]) == 0
    assert main(["test", str(package), "-k", "PAY-03"]) == 1
    assert main(["test", str(package), "-k", "nothing of the kind"]) == 1
    assert "no tests" in capsys.readouterr().out


def test_json(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _failing(package)
    catalogue = package.parent / "rules.yaml"
    catalogue.write_text(CATALOGUE)
    assert main(["test", str(package), "--json", "--covers", str(catalogue)]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert (shown["tests"], shown["passed"]) == (2, 1)
    (failed,) = shown["failed"]
    assert (failed["name"], failed["file"], failed["line"]) == ("paying twice", "shop/more.tale", 5)
    assert "`gold` is 1" in failed["message"]
    covers = shown["covers"]
    assert (covers["total"], covers["covered"]) == (4, 2)
    # A rule whose only test fails is not covered.
    assert covers["missing"] == ["AB-PAY-03", "AB-END-01"]
    assert covers["by_topic"]["paying"] == {"total": 3, "covered": 2, "missing": ["AB-PAY-03"]}


def test_a_missing_rule_is_a_failure_even_when_all_tests_pass(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = package.parent / "rules.yaml"
    catalogue.write_text(CATALOGUE)
    assert main(["test", str(package), "--covers", str(catalogue)]) == 1
    out = capsys.readouterr().out
    assert "2 of 4 rules covered" in out
    assert "AB-END-01" in out
    catalogue.write_text("rules:\n  - {id: AB-PAY-01, topic: paying}\n")
    assert main(["test", str(package), "--covers", str(catalogue)]) == 0
    # A test may name what the catalogue does not have; that is said.
    assert "not in the catalogue: AB-PAY-02" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["[", "rules: 3", "rules:\n  - {topic: x}\n", "rules:\n  - {id: A-1}\n  - {id: A-1}\n"]
)
def test_a_catalogue_that_cannot_be_used(
    package: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = package.parent / "rules.yaml"
    catalogue.write_text(text)
    assert main(["test", str(package), "--covers", str(catalogue)]) == 2
    assert "rules.yaml" in capsys.readouterr().err
    assert main(["test", str(package), "--covers", "nowhere.yaml"]) == 2


def test_junit(package: Path) -> None:
    _failing(package)
    report = package.parent / "report.xml"
    assert main(["test", str(package), "--junit", str(report)]) == 1
    root = ElementTree.parse(report).getroot()
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert cases["paying takes gold"].find("failure") is None
    failure = cases["paying twice"].find("failure")
    assert failure is not None
    assert "`gold` is 1" in str(failure.get("message"))


def test_folders_of_packages_and_files_of_no_package(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loose = package.parent / "loose.tale"
    loose.write_text(RULES + GOOD)
    assert main(["test", str(package.parent)]) == 0
    out = capsys.readouterr().out
    assert "shop/good.tale" in out
    assert "loose.tale" in out
    assert "2 passed" in out
    assert main(["test", str(loose)]) == 0


def test_wrong_content_and_missing_paths(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
    (package / "rules.tale").write_text(RULES.replace("gold - n", "silver - n"))
    assert main(["test", str(package)]) == 1
    assert "silver" in capsys.readouterr().err


def test_an_error_of_play_fails_the_test_with_its_number(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "rules.tale").write_text(RULES.replace("gold - n", "gold = gold / (n - 2)"))
    assert main(["test", str(package)]) == 1
    assert "R2: something is divided by zero" in capsys.readouterr().out


def test_a_bundled_name_means_a_system_and_its_adventures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "salem", "-k", "WS-COMP-01"]) == 0
    out = capsys.readouterr().out
    assert "salem/night/tests/01_components.tale" in out
    assert " passed" in out


def test_answers_and_rigs_left_over_fail(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (package / "more.tale").write_text(
        'test "left over":\n    rig d6: 3\n    when pay 1 by anna\n    expect gold == 2\n'
        'test "unasked":\n    answer pay.n: 3\n    when pay 1 by anna\n    expect gold == 2\n'
    )
    assert main(["test", str(package)]) == 1
    out = capsys.readouterr().out
    assert "left over: nobody rolled or drew" in out
    assert "left over: nobody asked" in out


def test_a_broken_rule_that_no_test_notices_is_shown(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "bad.tale").unlink(missing_ok=True)
    assert main(["test", str(package), "--break", "rules"]) == 1
    shown = capsys.readouterr().out
    assert "no test notices: shop/rules.tale:5: without this line" in shown
    assert "no test notices: shop/rules.tale:5: `>` instead of `>=`" in shown
    assert "rules.tale:6" not in shown
    (package / "more.tale").write_text(
        'test "the poor cannot pay":\n    when pay 4 by anna\n    expect gold == 3\n'
        'test "the last coin can be spent":\n    when pay 3 by anna\n    expect gold == 0\n'
    )
    assert main(["test", str(package), "--break", "rules", "--json", "--jobs", "2"]) == 0
    told = json.loads(capsys.readouterr().out)["broken"]
    assert told["tried"] == told["noticed"] > 2
    assert told["unnoticed"] == []


def test_breaking_leaves_the_document_as_it_was(package: Path) -> None:
    from talewright.compiler import compile_package
    from talewright.runtime.proving.breaking import breaks, broken
    from talewright.schemas.nodes.codec import read_document, write

    compiled = compile_package(package).document
    assert compiled is not None
    document = read_document(compiled)
    before = json.dumps(write(document))
    made = [json.dumps(write(broken(document, found))) for found in breaks(document.content)]
    assert json.dumps(write(document)) == before
    assert before not in made
    assert len(set(made)) == len(made) > 2


def test_a_switch_breaks_as_a_program_of_its_own_does(package: Path) -> None:
    from talewright.compiler import compile_package
    from talewright.runtime.proving.breaker import Breaker
    from talewright.schemas.nodes.codec import read_document

    (package / "more.tale").write_text(
        "kind Purse is Thing:\n    worth: int = 2\nPurse small\nstate debt: int = 1\n"
        "after pay when gold < 3 and gold > 0: debt + 2\n"
        'test "debts":\n    when pay 2 by anna\n    expect debt == 3 and small.worth == 2\n'
    )
    compiled = compile_package(package).document
    assert compiled is not None
    breaker = Breaker(read_document(compiled), (0, 1), lambda file: True)
    breaker.prepare()
    assert len(breaker.numbers) > 8
    for found in breaker.numbers:
        assert breaker.attempt(found).noticed == (breaker.apart(found, [0, 1]) is not None), found


def test_bands_and_lists_are_broken_as_in_programs_of_their_own(package: Path) -> None:
    from talewright.compiler import compile_package
    from talewright.runtime.proving.breaker import Breaker
    from talewright.schemas.nodes.codec import read_document

    (package / "more.tale").write_text(BANDS)
    compiled = compile_package(package).document
    assert compiled is not None
    document = read_document(compiled)
    tests = range(len(document.content.tests))
    breaker = Breaker(document, tests, lambda file: True)
    breaker.prepare()
    assert [found for found in breaker.places if "rows" in found.path and found not in breaker.numbers] == []
    noticed = {found: breaker.attempt(found).noticed for found in breaker.places}
    assert noticed == {found: breaker.apart(found, list(tests)) is not None for found in breaker.places}
    assert sum(noticed.values()) > 12
    # Nobody can set the table where something is divided by zero.
    assert any(noticed[found] for found in noticed if found.path[0] == "states" and "right" in found.path)
    # Whatever was broken before, a test passes when nothing is.
    breaker.prepare()


def test_bands_are_broken_and_shown_at_their_line(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (package / "more.tale").write_text(BANDS)
    assert main(["test", str(package), "--break", "more.tale", "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    line = BANDS[: BANDS.index("..4 -> calm; 5..7")].count("\n") + 1
    assert f"no test notices: shop/more.tale:{line}: 5 instead of 4" in said
    assert f"more.tale:{line}: 8 instead of 7" not in said
    assert "no test comes here" not in said


def test_a_failed_question_about_what_was_said_shows_what_was(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        'state n: int = 3\naction speak: say "It is {n}."\n'
        'test "speech":\n    when speak\n    expect done(say "It is four.") == 1\n'
    )
    assert main(["test", str(package), "-k", "speech", "--jobs", "1"]) == 1
    assert "say It is 3." in capsys.readouterr().out


def test_bands_in_a_cast_are_broken(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (package / "more.tale").write_text(
        'kind Page\nPage calm "Calm"\nPage storm "Storm"\nkind Clerk is Figure:\n    hears: bands of Page\n'
        'Clerk clerk "Clerk"\nPlace desk "Desk"\nstate score: int = 0\n'
        'Chapter 1A "One":\n    cast:\n        clerk at desk:\n            hears: ..4 -> calm; 5.. -> calm, storm\n'
        "action set_desk: stage 1A\naction ask n: int: score = count(clerk.hears[n])\n"
        'test "the clerk hears":\n    when set_desk; ask 5\n    expect score == 2\n'
    )
    assert main(["test", str(package), "--break", "more.tale", "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    assert "no test notices: shop/more.tale:8: 1 instead of 0" in said
    assert "4 of 5 breaks noticed" in said


def test_defaults_of_fields_are_shown_where_they_stand_and_files_can_be_named_together(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        "# Kinds.\n\nkind Purse is Thing:\n    color: red | blue = red\n    worth: int = 2\nPurse small\n"
        "kind Chest is Purse:\n    worth = 7\nChest large\nvalue riches = total(Purse.worth)\n"
        "trait Heavy:\n    weight: int = 9\n"
    )
    (package / "other.tale").write_text("extend Purse:\n    coins: int = 4\n")
    assert main(["test", str(package), "--break", "more.tale", "--break", "other.tale"]) == 1
    said = capsys.readouterr().out
    assert "shop/more.tale:5: 3 instead of 2" in said
    assert "shop/more.tale:8: 8 instead of 7" in said
    assert "shop/more.tale:12: 10 instead of 9" in said
    assert "shop/other.tale:2: 5 instead of 4" in said
    assert "rules.tale" not in said
    assert main(["test", str(package), "--break", "rules.tale"]) == 1
    said = capsys.readouterr().out
    assert "more.tale" not in said
    assert "shop/rules.tale:5" in said
    assert main(["test", str(package), "--break", ".tale"]) == 1
    said = capsys.readouterr().out
    assert "shop/rules.tale:5" in said
    assert "shop/more.tale:5: 3 instead of 2" in said


def test_a_check_notices_breaks_that_need_a_program_of_their_own(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        'table fee: 1 -> 10; 2.. -> 20\ncheck fee(1) == 10 and fee(2) == 20, "Fees are as printed."\n'
    )
    assert main(["test", str(package), "--break", "more.tale"]) == 0
    assert "4 of 4 breaks noticed" in capsys.readouterr().out


def test_misses_are_not_reported_where_the_tests_cannot_be_played_with_breaks(
    package: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from talewright.runtime.proving import breaker, breaking, switching

    class Wrong(switching.Switched):
        def __init__(self, document: Document, places: list[breaking.Break]) -> None:
            super().__init__(document, places)
            self.document = breaking.broken(document, places[-1])

    monkeypatch.setattr(breaker, "Switched", Wrong)
    assert main(["test", str(package), "--break", "rules"]) == 2
    said = capsys.readouterr()
    assert "nothing was broken on purpose: the game with the breaks built in" in said.err
    assert "the test `paying takes gold` fails in it: not so: `gold` is 2" in said.err
    assert "noticed" not in said.out


def test_what_goes_wrong_on_the_way_to_a_chapter_is_an_error_of_play(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        'Chapter shop "The Shop"\naction game: gold = 6 / (gold - 3)\nstart after pay\n'
        'test "set up":\n    start shop\n    expect gold == 3\n'
    )
    assert main(["test", str(package)]) == 1
    assert "R2: something is divided by zero" in capsys.readouterr().out


def test_numbers_in_where_a_thing_is_placed_are_broken_too(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        "kind Shelf is Place\nShelf low, high\nvalue shelf(n: int): Shelf = low if n == 1 otherwise high\n"
        "action put_away h: Hero: place h at shelf(1)\n"
        'test "put away":\n    when put_away anna\n    expect anna in low\n'
    )
    assert main(["test", str(package), "--break", "more.tale"]) == 0
    assert "noticed" in capsys.readouterr().out


def test_a_selection_that_means_no_test_fails(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(package), "-k", "payign"]) == 1
    assert "no test has `payign` in its title" in capsys.readouterr().err


def test_the_junit_report_of_a_broken_package_is_not_green(package: Path) -> None:
    (package / "more.tale").write_text("action pay_all: gold = nobody\n")
    assert main(["test", str(package), "--junit", "out.xml"]) == 1
    root = ElementTree.parse("out.xml").getroot()
    assert int(root.attrib["errors"]) > 0
    (error, *_) = root.iter("error")
    assert error.attrib["type"].startswith("N")


def test_effects_are_broken_whatever_their_field_is_called(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        "kind Scroll is Thing:\n    text: effect\nScroll blessing:\n    text: gold + 1\n"
        "action read s: Scroll: do s.text\n"
    )
    with (package / "more.tale").open("a") as file:
        file.write("kind Shield:\n    weight: int = 0\nShield buckler:\n    # small\n    weight: 4\n")
        file.write("value load = total(Shield.weight)\n")
    assert main(["test", str(package), "--break", "more.tale"]) == 1
    said = capsys.readouterr().out
    assert "more.tale:4: 2 instead of 1" in said
    assert "more.tale:10: 5 instead of 4" in said


def test_nothing_is_broken_while_a_test_fails(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _failing(package)
    assert main(["test", str(package), "--break", "rules"]) == 1
    said = capsys.readouterr()
    assert "nothing was broken on purpose: a test fails as it is" in said.err
    assert "nothing to break there" not in said.out


def test_a_package_names_the_catalogue_its_tests_must_cover(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "tale.toml").write_text(MANIFEST.format(name="shop") + '[test]\ncovers = "../rules.yaml"\n')
    Path("rules.yaml").write_text(CATALOGUE.replace("topic: the end", "topic: the end, custom: true"))
    assert main(["test", "."]) == 1
    said = capsys.readouterr().out
    assert "rules.yaml: 2 of 3 rules covered" in said
    assert "AB-PAY-03" in said
    assert "customs, not tested: 1 of 1" in said
    (package / "more.tale").write_text(BAD.replace("gold == 3", "gold == 1"))
    assert main(["test", "."]) == 0
    # A part of the tests says nothing about the whole catalogue.
    assert main(["test", "shop/good.tale"]) == 0
    Path("rules.yaml").unlink()
    assert main(["test", "."]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_the_packages_of_a_game_cover_its_catalogue_together(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "tale.toml").write_text(MANIFEST.format(name="shop") + '[test]\ncovers = "../rules.yaml"\n')
    Path("rules.yaml").write_text(CATALOGUE.replace("  - {id: AB-END-01, topic: the end}\n", ""))
    proving = Path("proving")
    proving.mkdir()
    (proving / "tale.toml").write_text(
        MANIFEST.format(name="proving").replace("system", "adventure") + 'uses = ["shop"]\n'
    )
    (proving / "more.tale").write_text(BAD.replace("gold == 3", "gold == 1"))
    assert main(["test", "."]) == 0
    assert "rules.yaml: 3 of 3 rules covered" in capsys.readouterr().out
    assert main(["test", "shop"]) == 0
    assert "rules covered" not in capsys.readouterr().out


def test_what_only_hints_ask_for_is_not_broken(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (package / "more.tale").write_text(
        "kind Ware:\n"
        "    charm: int = 2\n"
        "    worth: int = 3\n"
        "Ware bead:\n"
        "    charm: 4\n"
        "    worth: 5\n"
        "table liking: 1 -> 11; 2.. -> 12\n"
        "value delight = liking(1) + bead.charm + bead.worth\n"
        "value appeal_pay = delight + 7\n"
        "value score = gold + 8\n"
        "modify delight when gold > 30: + 9\n"
        "value price = bead.worth + 20\n"
        "modify price when gold > 40: + 10\n"
        "action sell: gold + price\n"
        "measure spent = score + 50\n"
    )
    assert main(["test", str(package), "--break", "more.tale"]) == 1
    said = capsys.readouterr().out
    lines = {int(line.split(":")[2]) for line in said.splitlines() if "more.tale:" in line}
    assert lines == {3, 6, 12, 13, 14}
    # Whoever tests a hint wants to know whether the test would notice.
    with (package / "more.tale").open("a") as file:
        file.write('test "paying appeals":\n    expect appeal_pay > 0\n')
    assert main(["test", str(package), "--break", "more.tale"]) == 1
    assert "no test notices: shop/more.tale:9: 8 instead of 7" in capsys.readouterr().out


def test_a_shared_place_is_noticed_if_one_package_notices_it(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "bad.tale").unlink(missing_ok=True)
    tests = {
        "poor": 'test "the poor cannot pay":\n    when pay 4 by anna\n    expect gold == 3\n',
        "last": 'test "the last coin can be spent":\n    when pay 3 by anna\n    expect gold == 0\n',
    }
    for name, text in tests.items():
        folder = package.parent / name
        folder.mkdir()
        manifest = MANIFEST.format(name=name).replace('"system"', '"adventure"\nuses = ["shop >=0.1"]')
        (folder / "tale.toml").write_text(manifest)
        (folder / "tests.tale").write_text(text)
    told = {}
    for paths in (("poor",), ("last",), ("poor", "last")):
        main(["test", *(str(package.parent / name) for name in paths), "--break", "rules.tale", "--json"])
        told[paths] = json.loads(capsys.readouterr().out)["broken"]
    assert {one["tried"] for one in told.values()} == {told["poor",]["tried"]}
    missed = [{(one["line"], one["what"]) for one in each["unnoticed"]} for each in told.values()]
    assert missed[0]
    assert missed[1]
    assert missed[2] == missed[0] & missed[1] == set()


def test_the_one_thing_that_fits_into_a_slot_is_not_broken(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "more.tale").write_text(
        "kind Sword\nSword blade\nkind Rack:\n    place_for: slot of Sword\n    drawer: pile of Sword max 4\n"
        "Rack stand\naction hang: move blade to stand.place_for\naction store: move blade to stand.drawer\n"
    )
    assert main(["test", str(package), "--break", "more.tale"]) == 1
    said = capsys.readouterr().out
    assert "more.tale:5: 5 instead of 4" in said
    assert "2 instead of 1" not in said
