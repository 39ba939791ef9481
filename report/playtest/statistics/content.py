"""What a package holds that games could meet, and where it is written."""

from __future__ import annotations

from typing import Any

from talewright.runtime.countcode import is_counted
from talewright.runtime.counting import CountedProgram
from talewright.runtime.winning import WINNING


class Content:
    """The pages, ways, things, rules and points of decision of one program, with file and line."""

    def __init__(self, program: CountedProgram) -> None:
        self.program = program
        document, layout = program.document, program.layout
        self._sources = document["sources"]
        self.pages = [node["id"] for node in document["story"]["nodes"]]
        known = set(self.pages)
        self.edges = list(
            dict.fromkeys(
                (edge["from"], edge["to"])
                for edge in document["story"]["edges"]
                if edge["from"] in known and edge["to"] in known
            )
        )
        counted = [thing for thing in layout.things if is_counted(layout, thing)]
        self._things = {thing.sort: thing for thing in counted}
        self._holders = {p.source.get("kind", "") for p in layout.piles if p.form != "place"}
        self.things = list(self._things)
        self.sites = [
            {"kind": site["kind"], "name": site["name"], "of": site["owner"], **self.place(site["at"])}
            for site in program.sites
        ]
        self.common_tracks = {track.name for track in program.sampled if track.many}
        self.points = sorted(set(program.same_point))
        names = [program.points[number]["id"] for number in self.points]
        self._point_names = {
            number: name if names.count(name) == 1 else f"{name} ({self._line(program.points[number]['at'])})"
            for number, name in zip(self.points, names, strict=True)
        }

    def names(self) -> dict[str, list[str]]:
        """What the parts of a result that do not depend on the games have in them."""
        layout = self.program.layout
        endings = [t.id for t in layout.things if layout.is_a(t.kind, "Ending")]
        return {
            "outcomes": [*endings, "error"],
            "outcome_rates": [*endings, "error"],
            "chapters": self.pages,
            "tracks": [track.name for track in self.program.sampled if not track.many],
            "measures": [measure["id"] for measure in self.program.content["measures"]],
        }

    def winning(self) -> list[str]:
        """The endings that count as won, as far as that is written down before play."""
        layout, made = self.program.layout, []
        for ending in layout.things:
            field = (
                layout.fields_of(ending.kind).get("result") if layout.is_a(ending.kind, "Ending") else None
            )
            if field is None:
                continue
            result = ending.source.get("fields", {}).get("result") or field.source.get("default")
            word = result["v"] if isinstance(result, dict) and result.get("op") == "word" else None
            if word is None or not WINNING.isdisjoint(word.split("_")):
                made.append(ending.id)
        return made

    def is_component(self, name: str) -> bool:
        """Whether a thing can be met at all: some container takes it, or it does something. Others are mere words."""
        thing, layout = self._things[name], self.program.layout
        if any(layout.is_a(thing.kind, kind) for kind in self._holders if kind):
            return True
        fields = thing.source.get("fields", {}).values()
        return bool(thing.source.get("rules")) or any(
            isinstance(v, dict) and v.get("op") == "code" for v in fields
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

    def _page(self, point: int) -> Any:
        return self.program.layout.things[-1 - point]

    def point_place(self, point: int) -> dict[str, Any]:
        """Where a point of decision is written."""
        at = self.program.points[point]["at"] if point >= 0 else self._page(point).source.get("at", -1)
        return self.place(at)

    def point_order(self, point: int) -> tuple[bool, int]:
        """Pages first, then points as they are written."""
        return point >= 0, abs(point)

    def thing_place(self, name: str) -> dict[str, Any]:
        """A thing and where it is written."""
        thing = self._things[name]
        return {
            "id": name,
            "title": thing.title,
            "kind": thing.kind,
            **self.place(thing.source.get("at", -1)),
        }

    def page_place(self, name: str) -> dict[str, Any]:
        """A page and where it is written."""
        thing = self.program.layout.things[self.program.layout.number[name]]
        return {"id": name, "title": thing.title, **self.place(thing.source.get("at", -1))}
