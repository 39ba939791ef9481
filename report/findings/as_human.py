"""Findings for people: the message, the place, the line with the spot marked, and what to do."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source, Span
from talewright.report.findings.excerpt import Mark, excerpt, printable
from talewright.report.findings.formats import NOTHING_FOUND, counted

_COLOURS = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_FRAME = "blue"
# From this many equal findings on, they are shown as one, with the places of some others.
ALIKE = 3
PLACES = 8
PLAIN_WIDTH = 80


def render(findings: Sequence[Diagnostic], sources: Mapping[str, Source]) -> str:
    """The findings as plain text without colours, lines of prose unbroken."""
    stream = io.StringIO()
    show(findings, sources, Console(file=stream, color_system=None, force_terminal=False, width=PLAIN_WIDTH))
    return stream.getvalue()


def show(findings: Sequence[Diagnostic], sources: Mapping[str, Source], console: Console) -> None:
    """Prints the findings and how many there are; on a terminal in colour and within its width."""
    wrap = console.width if console.is_terminal else None
    width = console.width if console.is_terminal else PLAIN_WIDTH
    for alike in _folded(findings):
        for line in _lines(alike[0], sources, width, wrap):
            console.print(line, soft_wrap=True, highlight=False)
        if len(alike) > 1:
            margin = " " * len(str(_last_line(alike[0])))
            for line in _prose(f"{margin} = ", _more(alike[1:]), _FRAME, "", wrap):
                console.print(line, soft_wrap=True, highlight=False)
        console.print()
    console.print(Text(summary(findings)), soft_wrap=True, highlight=False)


def _folded(findings: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """The findings in order; many that say the same stand together at the first of them."""
    groups: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for found in findings:
        groups.setdefault((found.code, found.message, found.help), []).append(found)
    made: list[list[Diagnostic]] = []
    for found in findings:
        alike = groups[found.code, found.message, found.help]
        if len(alike) < ALIKE or any(one.labels for one in alike):
            made.append([found])
        elif found is alike[0]:
            made.append(alike)
    return made


def _more(alike: Sequence[Diagnostic]) -> str:
    """The line that lists further places of the same finding."""
    places = [f"{found.span.file}:{found.span.line}" for found in alike[:PLACES]]
    rest = f" and {len(alike) - PLACES} more" if len(alike) > PLACES else ""
    return f"the same {len(alike)} times more: {', '.join(places)}{rest}"


def summary(findings: Sequence[Diagnostic]) -> str:
    """How many findings there are, in words."""
    numbers = {key[:-1]: number for key, number in counted(findings).items() if number}
    if not numbers:
        return NOTHING_FOUND
    return ", ".join(f"{number} {name}{'s' if number > 1 else ''}" for name, number in numbers.items())


def _lines(found: Diagnostic, sources: Mapping[str, Source], width: int, wrap: int | None) -> Iterator[Text]:
    colour = _COLOURS[found.severity]
    head = f"{found.severity}[{found.code}]: "
    yield from _prose(head, found.message, colour, "bold", wrap)
    margin = len(str(_last_line(found)))
    groups = _groups(found, colour)
    for position, (file, marks) in enumerate(groups.items()):
        first = found.span if position == 0 else marks[0].span
        arrow = "-->" if position == 0 else ":::"
        place = f"{printable(file)}:{first.line}:{first.column}"
        yield Text.assemble(" " * margin, (arrow, _FRAME), " ", place)
        source = sources.get(file)
        if source is None:
            for mark in marks:
                if mark.text:
                    yield from _prose(" " * margin + " = ", mark.text, _FRAME, "", wrap)
            continue
        yield Text(" " * margin + " |", style=_FRAME)
        yield from excerpt(source, marks, margin, width, _FRAME)
    if found.help:
        yield from _prose(" " * margin + " = help: ", found.help, _FRAME, "", wrap)


def _groups(found: Diagnostic, colour: str) -> dict[str, list[Mark]]:
    """What is to be marked, by file, the file of the finding first."""
    groups: dict[str, list[Mark]] = {found.span.file: [Mark(found.span, "^", "", colour)]}
    for label in found.labels:
        groups.setdefault(label.span.file, []).append(Mark(label.span, "-", label.text, _FRAME))
    return groups


def _last_line(found: Diagnostic) -> int:
    spans: list[Span] = [found.span, *(label.span for label in found.labels)]
    return max(span.line for span in spans)


def _prose(head: str, text: str, head_style: str, style: str, wrap: int | None) -> Iterator[Text]:
    """A heading and its text, broken at words under each other when there is a width."""
    lines = [printable(line) for line in text.splitlines()] or [""]
    if wrap is not None:
        room = max(20, wrap - len(head))
        lines = [part for line in lines for part in textwrap.wrap(line, room) or [""]]
    yield Text.assemble((head, head_style), (lines[0], style))
    for line in lines[1:]:
        yield Text.assemble(" " * len(head), (line, style))
