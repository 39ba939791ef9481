"""What a thing does, in the words of the package: the lines of its effects and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any

from talewright.report.source_lines import place_in_text
from talewright.report.table.visibility import Seat, visible
from talewright.runtime.game import Game, Option
from talewright.runtime.labels import is_part

MOST = 24

# The text of a line of a file, both as the document names them.
ReadLine = Callable[[str, int], str]


def wording(game: Game, thing: int, read: ReadLine) -> list[str]:
    """The lines in which a thing says what it does, as they stand in its file; empty where there are none."""
    source = game.layout.things[thing].source
    spots = set(_spots([v for v in source.get("fields", {}).values() if _acts(v)]))
    spots |= set(_spots(source.get("rules", ())))
    places = sorted({place_in_text(game.program, at) for at in spots})
    lines = [read(file, line) for file, line in places if file]
    told = [_without_comment(line) for line in dedent("\n".join(lines)).splitlines()]
    return [line for line in told if line.strip()][:MOST]


def part_wording(game: Game, option: Option, seat: Seat, read: ReadLine) -> str:
    """What an option that is part of something brings with it, as the price of a stall; empty if nothing."""
    thing = game.layout.number.get(option.id)
    if thing is None or thing != option.value or not is_part(game, thing) or not visible(game, thing, seat):
        return ""
    own = f"{option.id.rpartition('.')[2]}."
    lines = [line.strip() for line in wording(game, thing, read)]
    told = [line.removeprefix(own) for line in lines if line.startswith(own)]
    return f" ({'; '.join(told)})" if told else ""


def _acts(node: Any) -> bool:
    """Whether a field holds something that happens."""
    if isinstance(node, dict):
        return node.get("op") == "code" or any(_acts(value) for value in node.values())
    return isinstance(node, list) and any(_acts(value) for value in node)


def _spots(node: Any) -> Iterator[int]:
    if isinstance(node, dict):
        if isinstance(node.get("at"), int):
            yield node["at"]
        for value in node.values():
            yield from _spots(value)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from _spots(value)


def _without_comment(line: str) -> str:
    before, sign, _ = line.partition("  #")
    return before.rstrip() if sign and before.count('"') % 2 == 0 else line.rstrip()
