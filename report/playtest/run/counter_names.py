"""Names of the counters of a program: places of the text, options, tracks, measures and streams."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from talewright.runtime.host.decisions import anytime_words
from talewright.runtime.host.words import Words, square_id
from talewright.runtime.ir.header import NONE, NOWHERE
from talewright.runtime.kernel.maps.squares import packed_x, packed_y
from talewright.runtime.kernel.play.option_counts import FACE_DOWN, PASSED
from talewright.runtime.lower.builds.counters import SampledTrack, counted_sorts, label_text, sampled_tracks
from talewright.runtime.lower.builds.measures import measures_of
from talewright.runtime.lower.decisions.anytime import FIRST_OPTION
from talewright.runtime.model.types import is_number
from talewright.runtime.model.world import plain
from talewright.runtime.session.program import Program
from talewright.schemas.nodes.declared import MeasureDeclaration
from talewright.schemas.nodes.names import ThingRef
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.things import Edge, Edges
from talewright.schemas.nodes.types import Type

# What a measure comes to.
Measured = int | str


@dataclass(frozen=True)
class Names:
    """The names of one program; the words read a machine of it."""

    program: Program
    words: Words

    @cached_property
    def sorts(self) -> list[str]:
        """The sorts that are counted, by slot."""
        return counted_sorts(self.program.lowered.world)

    @cached_property
    def tracks(self) -> list[SampledTrack]:
        """The tracks that are looked at."""
        return sampled_tracks(self.program.lowered)

    @cached_property
    def measures(self) -> list[MeasureDeclaration]:
        """What the package measures."""
        return measures_of(self.program.lowered)

    @cached_property
    def streams(self) -> list[str]:
        """The streams of chance."""
        return list(self.program.lowered.layout.streams)

    @cached_property
    def same_point(self) -> list[int]:
        """For each decision the first that stands for the same place of the text."""
        return same_points(self.program)

    def page(self, number: int) -> str:
        """The id of a page."""
        return self.program.lowered.world.thing(number).id

    def measured(self, index: int, cell: int) -> Measured:
        """What a measure came to, as a number or a text."""
        type_ = plain(self.measures[index].type)
        if type_.tag == "truth":
            return "yes" if cell else "no"
        if is_number(type_) and cell != NONE:
            return cell
        return self.words.value(cell, type_)

    # ------------------------------------------------------------------ options
    def point(self, number: int) -> int:
        """A decision as it is counted: a page stands for its own choice."""
        return number if number < 0 else self.same_point[number]

    def option(self, number: int, key: int, face: int) -> str:
        """What a counted option is called."""
        lowered = self.program.lowered
        # Nothing chosen among numbers lies below these too.
        if 0 <= FIRST_OPTION - key < len(lowered.world.anytime):
            return anytime_words(lowered.world, FIRST_OPTION - key)[0]
        if number < 0:
            return self._way(-1 - number, key)
        point = lowered.points[number]
        if number in lowered.menu_points:
            return "pass" if key == PASSED else self._offer(key)
        if number in lowered.choice_points:
            return "none" if key == 0 else lowered.choice_points[number].options[key - 1].id
        if point.form == "yes":
            return "yes" if key else "no"
        type_ = plain(point.type or Type("thing", "Thing"))
        if type_.tag == "die":
            return self.words.value(face, Type("any"))
        if type_.tag == "thing":
            return self._thing(key, face)
        if type_.tag in ("cell", "spot"):
            return square_id(packed_x(key), packed_y(key)) if key else "none"
        if type_.tag == "text" and key:
            return label_text(lowered.texts[key - 1]) if key > 0 else "…"
        return "none" if key == (NONE if is_number(type_) else 0) else self.words.value(key, type_)

    def _thing(self, key: int, face: int) -> str:
        world = self.program.lowered.world
        if key == FACE_DOWN:
            return "face down"
        if not 0 < key <= len(world.things):
            return "none" if key == 0 else self.words.title(key)
        sort = world.thing(key).sort
        if not face:
            return sort
        shown = (
            self.words.title(face) if 0 < face <= len(world.things) else self.words.value(face, Type("any"))
        )
        return f"{sort} ({shown})"

    def _offer(self, number: int) -> str:
        rule = self.program.lowered.world.rules[number].rule
        assert isinstance(rule, OfferRule)
        return label_text(rule.label) or f"offer {number}"

    def _way(self, page: int, key: int) -> str:
        thing = self.program.lowered.world.thing(page)
        ways = thing.fields.get("choice")
        if isinstance(ways, Edges) and 0 < key <= len(ways.rows):
            return _way_name(ways.rows[key - 1])
        return str(key)


def _way_name(edge: Edge) -> str:
    if edge.label is not None:
        return label_text(edge.label)
    return edge.to.id if isinstance(edge.to, ThingRef) else edge.id or "…"


def same_points(program: Program) -> list[int]:
    """For each decision the first that stands for the same place of the text."""
    first: dict[object, int] = {}
    return [
        first.setdefault(
            (point.id, point.form, point.spot, point.type) if point.spot != NOWHERE else number, number
        )
        for number, point in enumerate(program.lowered.points)
    ]
