"""What a package holds that games could meet, and where it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from talewright.report.playtest.run.counter_names import same_points
from talewright.report.table.tabletop import field_label, track_label
from talewright.report.wording.phrases import Phrase
from talewright.report.wording.templates import clause
from talewright.runtime.host.decisions import NOTHING_CHOSEN, PASS, anytime_words
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.lower.builds.counters import counts_options, is_counted, sampled_tracks
from talewright.runtime.lower.builds.dealing import is_victory
from talewright.runtime.lower.builds.measures import measures_of
from talewright.runtime.model.world import Thing
from talewright.runtime.session.program import Program
from talewright.schemas.nodes.things import Code
from talewright.schemas.wording import spaced


class Content:
    """The pages, ways, things, rules and points of decision of one program, with file and line.

    Where games begin with another chapter than the first, nobody looks for what belongs to pages that it does not lead to.
    """

    def __init__(self, program: Program, chapter: str | None = None) -> None:
        self.program = program
        lowered = self._lowered = program.lowered
        document, world = program.document, lowered.world
        self._world = world
        self._sources = document["sources"]
        self.pages = [node["id"] for node in document["story"]["nodes"]]
        known = set(self.pages)
        self.edges: dict[tuple[str, str], list[str]] = {}
        for edge in document["story"]["edges"]:
            if edge["from"] in known and edge["to"] in known:
                labels = self.edges.setdefault((edge["from"], edge["to"]), [])
                labels += {edge.get("label") or ""} - {"", *labels}
        self.elsewhere = _elsewhere(document["story"], chapter) if chapter is not None else set()
        self._things: dict[str, Thing] = {}
        for thing in world.things:
            if is_counted(world, thing) and thing.sort:
                self._things.setdefault(thing.sort, thing)
        self._holders = {pile.kind for pile in world.piles if pile.declaration is not None}
        self.things = list(self._things)
        self.sites = [
            {"kind": site.kind, "name": site.name, "of": site.owner, **self.place(site.at)}
            for site in lowered.counted_sites
        ]
        # Places of the text as they are written, whatever their numbers are.
        spots = [site.at for site in lowered.counted_sites]
        self.site_order = sorted(range(len(spots)), key=lambda number: (spots[number], number))
        self._tracks = sampled_tracks(lowered)
        self.common_tracks = {track.name for track in self._tracks if track.many}
        self.points = sorted(
            {
                first
                for number, first in enumerate(same_points(program))
                if number not in lowered.way_points and counts_options(lowered, number)
            }
        )
        names = [lowered.points[number].id for number in self.points]
        self._point_names = {
            number: name if names.count(name) == 1 else f"{name} ({self._line(lowered.points[number].spot)})"
            for number, name in zip(self.points, names, strict=True)
        }

    def is_elsewhere(self, point: int) -> bool:
        """Whether a point of decision belongs to pages that nobody looks for."""
        if point < 0:
            return self._page(point).id in self.elsewhere
        verb = self._lowered.points[point].id.partition(".")[0]
        chapters = [a.chapter or "" for a in self._lowered.actions.values() if a.verb == verb]
        return bool(chapters) and self.elsewhere.issuperset(chapters)

    def names(self) -> dict[str, list[str]]:
        """What the parts of a result that do not depend on the games have in them."""
        endings = [t.id for t in self._world.things if self._world.is_a(t.kind, "Ending")]
        return {
            "outcomes": [*endings, "error"],
            "outcome_rates": [*endings, "error"],
            "chapters": self.pages,
            "tracks": [track.name for track in self._tracks if not track.many],
            "measures": [measure.id for measure in measures_of(self._lowered)],
        }

    def winning(self) -> list[str]:
        """The endings that count as won."""
        return [thing.id for thing in self._world.things if is_victory(self._lowered, thing.number)]

    def is_component(self, name: str) -> bool:
        """Whether a thing can be met at all: some container takes it, or it does something. Others are mere words."""
        thing = self._things[name]
        if any(self._world.is_a(thing.kind, kind) for kind in self._holders if kind):
            return True
        declared = thing.declaration
        return declared is not None and (
            bool(declared.rules) or any(isinstance(held, Code) for held in (declared.fields or {}).values())
        )

    def place(self, at: int) -> dict[str, Any]:
        """File and line of a spot."""
        spots = self._sources["spots"]
        if not 0 <= at < len(spots):
            return {}
        return {"file": self._sources["files"][spots[at][0]], "line": spots[at][1]}

    def _line(self, at: int) -> str:
        place = self.place(at)
        return f"{place['file']}:{place['line']}" if place else "?"

    def point_name(self, point: int) -> str:
        """What a point of decision is called; a page stands for its own choice."""
        return self._point_names[point] if point >= 0 else f"{self._page(point).id}.choice"

    def _page(self, point: int) -> Thing:
        return self._world.thing(-1 - point)

    def point_place(self, point: int) -> dict[str, Any]:
        """Where a point of decision is written."""
        return self.place(self._lowered.points[point].spot if point >= 0 else _spot(self._page(point)))

    def point_words(self, point: int) -> dict[str, str]:
        """What players are asked at a point, where the package says it; for the choice of a page its title."""
        if point < 0:
            return {"asks": self._page(point).title}
        prompt = self._lowered.points[point].prompt
        if not prompt:
            said = self._verb_words(self._lowered.points[point].id)
            return {"asks": said} if said else {}
        parts = self._lowered.texts[prompt - 1].parts
        asked = " ".join("".join(part if isinstance(part, str) else "..." for part in parts).split())
        return {"asks": asked.removesuffix(" ...")}

    def _verb_words(self, point: str) -> str:
        """How the action reads in which something is decided without a question; empty where it does not say."""
        verb = point.partition(".")[0]
        for action in self._lowered.actions.values():
            if action.verb == verb and action.reads:
                return clause(action.reads, lambda _: Phrase("something")).base()
        return ""

    def option_words(self, point: int, option: str) -> dict[str, str]:
        """What players see: of a yes, a no and passing their words, else the title of what the id names, or the id as words."""
        if point in self._lowered.menu_points and option == "pass":
            return {"title": self._lowered.menu_points[point].pass_text or PASS}
        if point >= 0 and self._lowered.points[point].form == "yes" and option in ("yes", "no"):
            return {"title": option.title()}
        if option in self._anytime:
            return {"title": self._anytime[option]}
        square = re.fullmatch(r"square\((-?\d+), (-?\d+)\)", option)
        if square is not None:
            return {"title": f"column {square[1]}, row {square[2]}"}
        number = self._world.number.get(option) or self._first_of_sort.get(option)
        if number is None and option == "none" and point not in self._lowered.menu_points:
            return {"title": NOTHING_CHOSEN}
        title = option.replace("_", " ") if number is None else self._world.thing(number).title
        return {"title": title} if title and title != option else {}

    @cached_property
    def _anytime(self) -> dict[str, str]:
        """What may be done at any time, by its id."""
        return dict(anytime_words(self._world, index) for index in range(len(self._world.anytime)))

    @cached_property
    def _first_of_sort(self) -> dict[str, int]:
        """A thing of each sort, by the id of the sort."""
        return {thing.sort: thing.number for thing in reversed(self._world.things)}

    def track_title(self, name: str) -> str:
        """What a track is called: as on the table, and whose it is."""
        owner, _, field = name.rpartition(".")
        if not owner:
            return track_label(next(track for track in self._world.content.tracks if track.id == name))
        number = self._world.number.get(owner)
        thing = None if number is None else self._world.thing(number)
        kind = owner if thing is None else thing.kind
        whose = f"each {spaced(kind)}" if thing is None else thing.title or owner
        return f"{field_label(self._world.fields_of(kind)[field], field)} of {whose}"

    def point_order(self, point: int) -> tuple[bool, int]:
        """Pages first, then points as they are written."""
        return point >= 0, abs(point)

    def thing_place(self, name: str) -> dict[str, Any]:
        """A thing and where it is written."""
        thing = self._things[name]
        return {"id": name, "title": thing.title, "kind": thing.kind, **self.place(_spot(thing))}

    def page_place(self, name: str) -> dict[str, Any]:
        """A page and where it is written."""
        thing = self._world.thing(self._world.number[name])
        return {"id": name, "title": thing.title, **self.place(_spot(thing))}


def _elsewhere(story: Mapping[str, Any], chapter: str) -> set[str]:
    """The pages that no way leads to from a chapter. Ways that come from no page can be taken anywhere, but not the first."""
    ways = [
        (edge["from"], edge["to"]) for edge in story["edges"] if edge["from"] or edge.get("label") != "game"
    ]
    reached = {chapter, ""}
    while more := {end for start, end in ways if start in reached} - reached:
        reached |= more
    return {node["id"] for node in story["nodes"]} - reached


def _spot(thing: Thing) -> int:
    return NOWHERE if thing.declaration is None or thing.declaration.at is None else thing.declaration.at
