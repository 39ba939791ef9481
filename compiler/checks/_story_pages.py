"""Chapters, endings and the ways between them, as the checks of the story see them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import index
from talewright.schemas.records import field, record

IR = dict[str, Any]


@record
class Pages:
    """Every chapter and ending by id, what leads from each, and what code without a chapter leads to."""

    chapters: dict[str, IR] = field(default_factory=dict)
    endings: dict[str, IR] = field(default_factory=dict)
    ways: dict[str, set[str]] = field(default_factory=dict)
    entries: set[str] = field(default_factory=set)
    turned_by_code: bool = False
    """Whether code turns pages, perhaps by what a field of the present one holds: `go to chapter.left`."""

    def reached_from(self, starts: set[str]) -> set[str]:
        """Every page that can be reached."""
        seen = set(starts)
        stack = list(starts)
        while stack:
            for end in self.ways.get(stack.pop(), ()):
                if end not in seen:
                    seen.add(end)
                    stack.append(end)
        return seen

    def starts(self) -> set[str]:
        """Where a story may begin: where code leads, else the first chapter; without code and ways, all of them."""
        led = {end for ends in self.ways.values() for end in ends}
        begun = {name for name in self.entries if name in self.chapters}
        if begun:
            return begun
        if self.turned_by_code or not led.isdisjoint(self.chapters):
            return set(list(self.chapters)[:1])
        return {name for name in self.chapters if name not in led}


def pages(context: Context) -> Pages:
    """The story of a package, made once."""
    made = context.notes.get("pages")
    if isinstance(made, Pages):
        return made
    work = context.work
    made = Pages()
    for thing in context.content.get("things", ()):
        if work.is_a(thing["kind"], "Chapter"):
            made.chapters[thing["id"]] = thing
        elif work.is_a(thing["kind"], "Ending"):
            made.endings[thing["id"]] = thing
    known = {**made.chapters, **made.endings}
    for unit in index(context).units:
        if unit.form == "test":
            continue
        ends = unit.things if unit.form == "thing" else _pages_of(unit.goes_to, known, context)
        start = unit.id if unit.form == "thing" else (unit.ir.get("chapter") or unit.owner)
        for end in ends:
            if end not in known or end == start:
                continue
            if start in known:
                made.ways.setdefault(start, set()).add(end)
            else:
                made.entries.add(end)
    made.turned_by_code = index(context).used("go_to", "")
    context.notes["pages"] = made
    return made


def _pages_of(goes_to: Collection[str], known: Mapping[str, IR], context: Context) -> set[str]:
    """The pages that `go to` names, and all of a kind that it picks one from: `go to (first Mission)`."""
    is_a = context.work.is_a
    kinds = [name for name in goes_to if name not in known]
    if not kinds:
        return set(goes_to)
    picked = {name for name, page in known.items() if any(is_a(page["kind"], kind) for kind in kinds)}
    return picked | set(goes_to)
