"""Texts with the blanks, line breaks and comments shaken, and the same meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from talewright.dsl.parser import parse
from talewright.dsl.source import Source

ROOT = Path(__file__).parents[3]
SAMPLE = Path(__file__).parent / "samples" / "harbour.tale"

_PIECE = re.compile(
    r"""
      (?P<prose>\"{3}(?:.|\n)*?\"{3})
    | (?P<string>"(?!"")(?:\\.|[^"\\\n])*")
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n)
    | (?P<blank>[ ]+)
    | (?P<rule_id>[A-Z]+(?:-[A-Z0-9]+)+)
    | (?P<target>[0-9]+\+(?=[\s,;:)\]}]))
    | (?P<word>[A-Za-z0-9_]+)
    | (?P<sign>->|\.\.|==|!=|<=|>=|.)
    """,
    re.VERBOSE,
)
_FREE = frozenset((",", ";", ":", "=", "->", "|"))
_LOOSE = _FREE | frozenset(("..", ".", "==", "!=", "<=", ">=", "<", ">", "^", "+", "-", "*", "/", "%"))
_OPENERS = frozenset("([{")
_CLOSERS = frozenset(")]}")


def corpus() -> list[Path]:
    """The sample, and every text of the bundled packages."""
    return [SAMPLE, *sorted((ROOT / "scenarios").rglob("*.tale"))]


def declarations(path: Path) -> list[str]:
    """The declarations of a file, each a text of its own."""
    text = path.read_text(encoding="utf-8")
    file, findings = parse(Source(path.name, text))
    assert not [found for found in findings if found.severity == "error"], path
    starts = [node.start for node in file.declarations]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def comments(text: str) -> list[str]:
    """The comments of a text in order, without blanks at their ends."""
    return [piece.group().rstrip() for piece in _PIECE.finditer(text) if piece.lastgroup == "comment"]


def bare(text: str) -> str:
    """The text without its comments."""
    lines: list[str] = [""]
    for piece in _PIECE.finditer(text):
        if piece.lastgroup == "newline":
            lines.append("")
        elif piece.lastgroup != "comment":
            lines[-1] += piece.group()
    return "\n".join(lines)


@dataclass
class _Shaker:
    """Writes a text again, blank by blank."""

    random: Random
    notes: bool
    tabs: bool
    out: list[str] = field(default_factory=list)
    widths: list[int] = field(default_factory=lambda: [0])
    indents: list[str] = field(default_factory=lambda: [""])
    depth: int = 0

    def line(self, row: list[re.Match[str]]) -> None:
        """Write one line of pieces."""
        lead = len(row[0].group()) if row and row[0].lastgroup == "blank" else 0
        pieces = [piece for piece in row if piece.lastgroup != "blank"]
        if not pieces:
            self.out.append(self._some(0, 3) + "\n" + self._empty_lines())
            return
        if pieces[0].lastgroup == "comment" or self.depth:
            self.out.append(self._some(0, 12))
        else:
            self.out.append(self._indent(lead))
        before: re.Match[str] | None = None
        for piece in pieces:
            if before:
                self.out.append(self._gap(before, piece))
            self.out.append(self._moved(piece.group()) if piece.lastgroup == "prose" else piece.group())
            self.depth += (piece.group() in _OPENERS) - (piece.group() in _CLOSERS)
            before = piece
        self._end_line(commented=pieces[-1].lastgroup == "comment")

    def _end_line(self, commented: bool) -> None:
        self.out.append(self._some(0, 2))
        if self.notes and not commented and self.random.random() < 0.2:
            self.out.append(self._some(1, 9) + "# beside")
        self.out.append("\n")
        if self.notes and self.random.random() < 0.15:
            self.out.append(self._empty_lines() + self._some(0, 12) + "# on its own\n" + self._empty_lines())

    def _indent(self, lead: int) -> str:
        while lead < self.widths[-1]:
            self.widths.pop()
            self.indents.pop()
        if lead > self.widths[-1]:
            self.widths.append(lead)
            self.indents.append(self.indents[-1] + ("\t" if self.tabs else self._some(1, 6)))
        return self.indents[-1]

    def _gap(self, left: re.Match[str], right: re.Match[str]) -> str:
        if right.lastgroup == "comment":
            return self._some(1, 9)
        near = {left.group(), right.group()}
        if right.start() > left.end():
            removable = near & _FREE and left.lastgroup != "target" and right.group() != "("
            return self._some(0 if removable else 1, 3)
        if right.group() == "(" and left.lastgroup == "word":
            return ""
        insertable = near & _LOOSE or left.group() in _OPENERS or right.group() in _CLOSERS | {"["}
        return self._some(0, 2) if insertable else ""

    def _moved(self, prose: str) -> str:
        shift = self._some(0, 3)
        first, *rest = prose.split("\n")
        return "\n".join([first, *(shift + line if line else "" for line in rest)])

    def _empty_lines(self) -> str:
        return "".join(self._some(0, 4) + "\n" for _ in range(self.random.choice((0, 0, 1, 2))))

    def _some(self, least: int, most: int) -> str:
        return " " * self.random.randint(least, most)


def shaken(text: str, random: Random, notes: bool) -> str:
    """The text with other blanks and indents, and with `notes` also other comments and blank lines."""
    shaker = _Shaker(random, notes, tabs=random.random() < 0.2)
    for row in _rows(text):
        shaker.line(row)
    new = "".join(shaker.out)
    if random.random() < 0.2:
        new = new.rstrip("\n")
    if random.random() < 0.2:
        new = new.replace("\n", "\r\n")
    return "\ufeff" + new if random.random() < 0.1 else new


def _rows(text: str) -> Iterator[list[re.Match[str]]]:
    row: list[re.Match[str]] = []
    for piece in _PIECE.finditer(text):
        if piece.lastgroup == "newline":
            yield row
            row = []
        else:
            row.append(piece)
    if row:
        yield row
