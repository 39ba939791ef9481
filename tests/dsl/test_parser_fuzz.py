"""Whatever the text, parsing gives a tree and findings inside the text."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.dsl.parser import parse
from talewright.dsl.recovery.mistake_table import BY_CODE, MISTAKES
from talewright.dsl.source import Source

CONSTRUCTS = Path(__file__).with_name("constructs.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```tale ?\w*\n(.*?)^```$", CONSTRUCTS, re.MULTILINE | re.DOTALL)
SCENARIOS = sorted(Path(__file__).parents[2].joinpath("scenarios").rglob("*.tale"))
EDITS = 1200
ODD = (
    "(", ")", "[", "]", "{", "}", '"', '"""', ":", "=", "->", "..", "if", "first", "otherwise", "Xy", "9",
    "\t", "\r", "é", "#", ";", ",", "+", "\\", "'", "“", "\u00a0", "true", "while", "and",
)  # fmt: skip
PIECE = re.compile(r"\w+|[ \t]+|[^\w\s]")


def check(text: str) -> None:
    file, findings = parse(Source("x.tale", text))
    lines = text.count("\n") + 2
    for finding in findings:
        assert finding.code in BY_CODE
        assert 1 <= finding.span.line <= finding.span.end_line <= lines
        assert finding.message
    for declaration in file.declarations:
        assert 0 <= declaration.start <= len(text)


def corpus() -> list[str]:
    """Short texts: whole samples, and windows of the bundled files that begin at the left edge."""
    texts = ["\n".join(FENCES), *(mistake.good for mistake in MISTAKES)]
    for path in SCENARIOS:
        lines = path.read_text(encoding="utf-8").splitlines()
        edges = [n for n, line in enumerate(lines) if line[:1].strip() and line[0] not in '#"']
        texts += ["\n".join(lines[edge : edge + 60]) for edge in edges[::7]]
    return texts


def edited(text: str, chance: random.Random) -> str:
    """A text with one random edit: of a line, or of a word in it."""
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(9)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[other])
    elif how == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 3:
        lines = [*lines[:at], lines[at][: chance.randrange(len(lines[at]) + 1)]]
    else:
        pieces = PIECE.findall(lines[at]) or [""]
        one, two = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        if how == 4:
            del pieces[one]
        elif how == 5:
            pieces.insert(one, pieces[two])
        elif how == 6:
            pieces[one], pieces[two] = pieces[two], pieces[one]
        elif how == 7:
            pieces[one] = chance.choice(ODD)
        else:
            pieces = pieces[:one]
        lines[at] = "".join(pieces)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_never_break_the_parser(seed: int) -> None:
    chance = random.Random(seed)
    texts = corpus()
    for _ in range(EDITS // 4):
        text = chance.choice(texts)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            text = edited(text, chance)
        check(text)


WORDS = st.sampled_from(
    [
        *ODD,
        "\n",
        "\n    ",
        "\n        ",
        " ",
        "kind",
        "action",
        "Door",
        "gate",
        "value",
        "let",
        "choose",
        "by",
        "test",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=60))
def test_words_in_any_order(words: list[str]) -> None:
    check(" ".join(words))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=200))
def test_any_bytes(text: str) -> None:
    check("action go:\n    " + text)
