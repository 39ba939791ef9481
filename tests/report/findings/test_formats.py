"""Findings as text: golden samples of every format, and fixes put into texts."""

from __future__ import annotations

import io
import json
import textwrap
from xml.etree import ElementTree

import pytest
from rich.console import Console
from rich.text import Text

from talewright.compiler.checks import catalogue
from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, Label, Severity
from talewright.dsl.source import Source, Span
from talewright.report.findings import FORMATS, apply_fixes, render
from talewright.report.findings.as_human import show

CARDS = Source("cards/first.tale", "kind Card\n\ttalk: ..4 D0210\nplain = 3\nfour\nfive\nsix seven\n")
WORDS = Source("words.tale", "one\ntwo three\n")
SOURCES = {source.name: source for source in (CARDS, WORDS)}

BAND = Diagnostic(
    "S101",
    "band-needs-arrow",
    "error",
    "a band needs `->` after its range",
    Span("cards/first.tale", 2, 12, 2, 17),
    "write `..4 -> D0210`",
    (
        Label(Span("cards/first.tale", 6, 5, 6, 10), "for this one"),
        Label(Span("words.tale", 2, 5, 2, 10), "declared here"),
    ),
    (Fix("insert `->`", (Edit(Span("cards/first.tale", 2, 12, 2, 12), "-> "),)),),
)


def finding(
    span: Span, message: str = "something", severity: Severity = "warning", help: str = ""
) -> Diagnostic:
    return Diagnostic("T200", "test-finding", severity, message, span, help)


def human(*findings: Diagnostic, sources: dict[str, Source] = SOURCES) -> str:
    return render(findings, sources, "human")


def golden(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def test_human_with_labels_in_two_files() -> None:
    assert human(BAND) == golden(
        """
        error[S101]: a band needs `->` after its range
         --> cards/first.tale:2:12
          |
        2 |     talk: ..4 D0210
          |               ^^^^^
        ...
        6 | six seven
          |     ----- for this one
         ::: words.tale:2:5
          |
        2 | two three
          |     ----- declared here
          = help: write `..4 -> D0210`

        1 error
        """
    )


def test_human_over_several_lines_marks_the_first() -> None:
    assert human(finding(Span("cards/first.tale", 3, 1, 5, 2))) == golden(
        """
        warning[T200]: something
         --> cards/first.tale:3:1
          |
        3 | plain = 3
          | ^^^^^^^^^

        1 warning
        """
    )


def test_human_without_the_source_and_with_help_of_two_lines() -> None:
    found = finding(Span("gone.tale", 1, 1, 1, 1), "there is no `gone.tale`", "error", "look here\nor there")
    assert human(found) == golden(
        """
        error[T200]: there is no `gone.tale`
         --> gone.tale:1:1
          = help: look here
                  or there

        1 error
        """
    )


def test_human_aligns_under_wide_letters_and_line_numbers() -> None:
    source = Source("wide.tale", "\n" * 9 + "日本 = x\n")
    text = human(finding(Span("wide.tale", 10, 6, 10, 7)), sources={"wide.tale": source})
    assert text == golden(
        """
        warning[T200]: something
          --> wide.tale:10:6
           |
        10 | 日本 = x
           |        ^

        1 warning
        """
    )


def test_human_cuts_long_lines_around_the_mark() -> None:
    source = Source("long.tale", "x" * 500_000 + "HERE" + "y" * 500_000)
    text = human(finding(Span("long.tale", 1, 500_001, 1, 500_005)), sources={"long.tale": source})
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    shown, marks = lines[3], lines[4]
    assert shown.startswith("1 | ...x")
    assert shown.endswith("y...")
    assert shown[marks.index("^") : marks.rindex("^") + 1] == "HERE"


def test_human_never_lets_control_characters_through() -> None:
    source = Source("evil.tale", "a\x1b[31mred\u202e\r\n")
    text = human(finding(Span("evil.tale", 1, 1, 1, 2), "bad \x1b[2J"), sources={"evil.tale": source})
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_human_of_nothing() -> None:
    assert human() == "no findings\n"


def test_human_marks_past_the_end_of_a_line() -> None:
    text = human(finding(Span("words.tale", 1, 4, 1, 4)))
    assert "1 | one\n  |    ^\n" in text


def test_human_does_not_read_markup_in_texts() -> None:
    source = Source("m.tale", "x = [bold]y[/bold]\n")
    text = human(finding(Span("m.tale", 1, 1, 1, 2), "no [red]markup[/red]"), sources={"m.tale": source})
    assert "no [red]markup[/red]" in text
    assert "x = [bold]y[/bold]" in text


def test_human_on_a_terminal_is_coloured_and_fits_its_width() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard", width=40)
    found = finding(Span("words.tale", 1, 1, 1, 4), "a long message " * 6)
    show([found], SOURCES, console)
    text = stream.getvalue()
    assert "\x1b[" in text
    assert max(len(Text.from_ansi(line).plain) for line in text.splitlines()) <= 40


def test_json_is_what_the_manual_says() -> None:
    content = json.loads(render([BAND, finding(Span("words.tale", 1, 1, 1, 4))], SOURCES, "json"))
    assert content["version"] == 1
    assert content["summary"] == {"errors": 1, "warnings": 1, "infos": 0}
    assert content["diagnostics"][0] == {
        "code": "S101",
        "name": "band-needs-arrow",
        "severity": "error",
        "message": "a band needs `->` after its range",
        "file": "cards/first.tale",
        "line": 2,
        "column": 12,
        "end_line": 2,
        "end_column": 17,
        "help": "write `..4 -> D0210`",
        "labels": [
            {
                "file": "cards/first.tale",
                "line": 6,
                "column": 5,
                "end_line": 6,
                "end_column": 10,
                "text": "for this one",
            },
            {
                "file": "words.tale",
                "line": 2,
                "column": 5,
                "end_line": 2,
                "end_column": 10,
                "text": "declared here",
            },
        ],
        "fixes": [
            {
                "title": "insert `->`",
                "safe": True,
                "edits": [
                    {
                        "file": "cards/first.tale",
                        "line": 2,
                        "column": 12,
                        "end_line": 2,
                        "end_column": 12,
                        "text": "-> ",
                    }
                ],
            }
        ],
    }


def test_sarif() -> None:
    info = finding(Span("/far/a b.tale", 1, 2, 3, 4), severity="info")
    content = json.loads(render([info, BAND], SOURCES, "sarif"))
    assert content["version"] == "2.1.0"
    (run,) = content["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["S101", "T200"]
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("T200", 1, "note")
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "file:///far/a%20b.tale"},
        "region": {"startLine": 1, "startColumn": 2, "endLine": 3, "endColumn": 4},
    }
    assert second["level"] == "error"
    place = second["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "cards/first.tale", "uriBaseId": "%SRCROOT%"}
    assert [label["message"]["text"] for label in second["relatedLocations"]] == [
        "for this one",
        "declared here",
    ]
    (change,) = second["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "-> "}


def test_sarif_explains_its_rules() -> None:
    known = Diagnostic("F405", "unreachable-chapter", "warning", "no way leads here", BAND.span, "")
    content = json.loads(render([known, finding(BAND.span)], SOURCES, "sarif"))
    explained, unknown = content["runs"][0]["tool"]["driver"]["rules"]
    page = catalogue()["F405"]
    assert explained["shortDescription"] == {"text": "unreachable chapter"}
    assert explained["fullDescription"] == {"text": " ".join(page.why.split())}
    assert explained["defaultConfiguration"] == {"level": "warning"}
    assert explained["help"]["markdown"].count("```tale\n") == 2
    assert 'Chapter attic "The Attic"' in explained["help"]["text"]
    assert unknown == {"id": "T200", "name": "test-finding"}


def test_github() -> None:
    several = finding(Span("a,b:c.tale", 1, 2, 3, 4), "100% wrong\nreally", "info", "mend it")
    assert render([BAND, several], SOURCES, "github").splitlines() == [
        "::error file=cards/first.tale,line=2,col=12,endColumn=16,title=S101 band-needs-arrow"
        "::a band needs `->` after its range%0Ahelp: write `..4 -> D0210`",
        "::notice file=a%2Cb%3Ac.tale,line=1,endLine=3,title=T200 test-finding"
        "::100%25 wrong%0Areally%0Ahelp: mend it",
    ]


def test_junit() -> None:
    found = finding(Span("cards/first.tale", 3, 1, 3, 2), "bad \x07 sign", "info")
    root = ElementTree.fromstring(render([BAND, found], SOURCES, "junit"))
    assert root.attrib == {"name": "tale lint", "tests": "3", "failures": "2"}
    cards, words = root.findall("testsuite")
    assert (cards.get("name"), cards.get("tests"), cards.get("failures")) == ("cards/first.tale", "2", "2")
    failure = cards.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "a band needs `->` after its range"
    assert failure.text is not None
    assert failure.text.startswith("cards/first.tale:2:12: error[S101]: a band needs")
    assert failure.text.endswith("help: write `..4 -> D0210`")
    assert (words.get("tests"), words.get("failures")) == ("1", "0")


def test_junit_is_valid_with_no_findings_at_all() -> None:
    assert ElementTree.fromstring(render([], {}, "junit")).get("tests") == "0"


def test_every_format_has_a_renderer_and_others_are_refused() -> None:
    for format in FORMATS:
        assert render([BAND], SOURCES, format).endswith("\n")
    with pytest.raises(ValueError, match="no format"):
        render([], {}, "yaml")


def edit(line: int, start: int, end: int, text: str, file: str = "words.tale") -> Edit:
    return Edit(Span(file, line, start, line, end), text)


def fixing(*edits: Edit, safe: bool = True) -> Diagnostic:
    found = finding(edits[0].span)
    return Diagnostic(
        found.code, found.name, found.severity, found.message, found.span, fixes=(Fix("mend", edits, safe),)
    )


def test_fixes_replace_insert_and_remove() -> None:
    findings = [fixing(edit(2, 1, 4, "TWO"), edit(1, 4, 4, "!")), fixing(edit(2, 4, 10, ""))]
    assert apply_fixes(SOURCES, findings) == {"words.tale": "one!\nTWO\n"}


def test_of_overlapping_fixes_the_first_wins_whole() -> None:
    first = fixing(edit(2, 1, 6, "X"))
    second = fixing(edit(1, 1, 4, "never"), edit(2, 5, 10, "Y"))
    third = fixing(edit(2, 6, 10, "Z"))
    assert apply_fixes(SOURCES, [first, second, third]) == {"words.tale": "one\nXZ\n"}


def test_the_same_fix_twice_is_applied_once() -> None:
    assert apply_fixes(SOURCES, [fixing(edit(1, 1, 1, "a "))] * 2) == {"words.tale": "a one\ntwo three\n"}


def test_two_insertions_at_one_place_are_not_mixed() -> None:
    findings = [fixing(edit(1, 1, 1, "a ")), fixing(edit(1, 1, 1, "b "))]
    assert apply_fixes(SOURCES, findings) == {"words.tale": "a one\ntwo three\n"}


def test_unsafe_unknown_and_impossible_fixes_are_left_out() -> None:
    findings = [
        fixing(edit(1, 1, 2, "x"), safe=False),
        fixing(edit(1, 1, 2, "x"), edit(1, 1, 2, "y", "other.tale")),
        fixing(edit(99, 1, 2, "x")),
        fixing(edit(1, 500, 501, "x")),
        fixing(edit(1, 3, 1, "x")),
        fixing(edit(1, 1, 4, "one")),
    ]
    assert apply_fixes(SOURCES, findings) == {}


def test_fixes_keep_carriage_returns() -> None:
    source = Source("r.tale", "a\r\nb\r\n")
    found = fixing(edit(2, 1, 2, "c", "r.tale"))
    assert apply_fixes({"r.tale": source}, [found]) == {"r.tale": "a\r\nc\r\n"}


def test_many_equal_findings_are_shown_as_one() -> None:
    source = Source("a.tale", "".join(f"line {number}\n" for number in range(1, 15)))

    def said(count: int) -> str:
        found = [
            Diagnostic("L701", "long-line", "info", "this line is long", Span("a.tale", n, 1, n, 5))
            for n in range(1, count + 1)
        ]
        return render(found, {"a.tale": source}, "human")

    assert said(2).count("info[L701]") == 2
    assert said(12).count("info[L701]") == 1
    assert "the same 11 times more: a.tale:2, a.tale:3" in said(12)
    assert "and 3 more" in said(12)
    assert "12 infos" in said(12)
