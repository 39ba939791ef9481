"""A branching story of many chapters with conditions, the same graph as Tale and as ink."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

COUNTERS = ("lamps", "keys", "debts", "friends")
LABELS = ("Go on", "Turn aside", "Wait for the dark")
MANIFEST = """\
name = "long_story"
version = "0.1.0"
type = "system"
title = "A Long Story"
tale = 1
locales = ["en"]
"""
HEAD = """\
# A long walk through one graph of pages.

role Reader is Thing named reader

{counters}
state pages: int = 0

kind Page is Chapter:
    turned: effect

action game: go to page_0

instead of play Page page:
    pages + 1
    if pages > {length}: go to the_end
    say page.text
    do page.turned
    follow page.choice by reader

Ending the_end "The End":
    \"\"\"The book is shut.\"\"\"

"""


@dataclass(frozen=True, slots=True)
class Way:
    """One way on: to a page, perhaps only while a counter is high enough."""

    label: str
    target: int
    counter: str | None
    least: int


@dataclass(frozen=True, slots=True)
class Page:
    """One chapter: which counter it changes, by how much, and the ways on."""

    number: int
    counter: str
    change: int
    ways: tuple[Way, ...]


def pages(count: int, seed: int = 1) -> list[Page]:
    """A graph in which every page has at least one way without a condition."""
    random = Random(seed)
    made = []
    for number in range(count):
        ways = [
            Way(LABELS[0], (number + 1) % count, None, 0),
            Way(LABELS[1], random.randrange(count), None, 0),
        ]
        ways.append(Way(LABELS[2], random.randrange(count), random.choice(COUNTERS), random.randint(1, 6)))
        made.append(Page(number, random.choice(COUNTERS), random.choice((1, 1, 2, -1)), tuple(ways)))
    return made


def prose(page: Page) -> str:
    """What a page says."""
    return (
        f"Page {page.number}. The road bends, the rain stops, and somebody counts the {page.counter} again."
    )


def write_tale(folder: Path, graph: list[Page], length: int) -> None:
    """The story as a package of Tale."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tale.toml").write_text(MANIFEST, encoding="utf-8")
    counters = "\n".join(f"state {name}: int = 0" for name in COUNTERS)
    parts = [HEAD.format(counters=counters, length=length)]
    for page in graph:
        sign = "+" if page.change > 0 else "-"
        lines = [f'Page page_{page.number} "Page {page.number}":', f'    """{prose(page)}"""']
        lines.append(f"    turned: {page.counter} {sign} {abs(page.change)}")
        lines.append("    choice:")
        for way in page.ways:
            test = f" when {way.counter} >= {way.least}" if way.counter is not None else ""
            lines.append(f'        "{way.label}"{test} -> page_{way.target}')
        parts.append("\n".join(lines) + "\n\n")
    (folder / "story.tale").write_text("".join(parts), encoding="utf-8")


def ink(graph: list[Page]) -> str:
    """The story as ink."""
    parts = [f"VAR {name} = 0\n" for name in COUNTERS] + ["-> page_0\n"]
    for page in graph:
        lines = [
            f"=== page_{page.number} ===",
            prose(page),
            f"~ {page.counter} = {page.counter} + {page.change}",
        ]
        for way in page.ways:
            test = f"{{ {way.counter} >= {way.least} }} " if way.counter is not None else ""
            lines.append(f"+ {test}[{way.label}] -> page_{way.target}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
