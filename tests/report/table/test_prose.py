"""Prose in a terminal: emphasis as style, paragraphs kept, nothing wider than asked, no commands to the terminal."""

from __future__ import annotations

import pytest
from rich.text import Text

from talewright.report.table.prose import clean, emphasis, in_columns, prose_lines, wrapped


def styles(text: Text) -> list[tuple[str, str]]:
    return [(text.plain[span.start : span.end], str(span.style)) for span in text.spans if span.style]


def test_emphasis_becomes_style() -> None:
    made = emphasis("a *low* and **loud** and _soft_ voice, snake_case_name, 2 * 3 * 4")
    assert made.plain == "a low and loud and soft voice, snake_case_name, 2 * 3 * 4"
    assert styles(made) == [("low", "italic"), ("loud", "bold"), ("soft", "italic")]


def test_paragraphs_headings_lists_and_quotations() -> None:
    text = "# The Sea\n\nOne\nline.\n\n- first\n- second\n  goes on\n\n> a voice"
    assert [line.plain for line in prose_lines(text, 40)] == [
        "The Sea",
        "",
        "One line.",
        "",
        "  - first",
        "  - second goes on",
        "",
        "    a voice",
    ]


@pytest.mark.parametrize("width", [20, 40, 72])
def test_no_line_is_too_wide(width: int) -> None:
    text = "A *long and winding* sentence about the sea, " * 6 + "x" * 90
    assert all(line.cell_len <= width for line in prose_lines(text, width))


def test_hanging_lines_keep_every_word() -> None:
    text = Text("the quick brown fox jumps over the lazy dog again and again")
    lines = [line.plain for line in wrapped(text, 20, 4)]
    assert " ".join(" ".join(lines).split()) == text.plain
    assert all(line.startswith("    ") for line in lines[1:])
    assert all(len(line) <= 20 for line in lines)


def test_a_text_cannot_command_the_terminal() -> None:
    assert clean("a\x1b[2Jb\x07\r\nc\x9b") == "a[2Jb\nc"


def test_many_short_lines_stand_side_by_side_and_a_long_one_by_itself() -> None:
    lines = [Text(f"{n:>2}  row {n}") for n in range(1, 12)] + [Text("12  " + "far " * 6)]
    assert [line.plain for line in in_columns(lines, 36, 4)] == [
        " 1  row 1    5  row 5    9  row 9",
        " 2  row 2    6  row 6   10  row 10",
        " 3  row 3    7  row 7   11  row 11",
        " 4  row 4    8  row 8",
        "12  far far far far far far ",
    ]
    assert in_columns(lines[:8], 36, 4) == lines[:8], "a few stay one below the other"
