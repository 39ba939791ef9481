"""What is known around a piece of code while it is put into words."""

from __future__ import annotations

from talewright.report.wording.phrases import Phrase
from talewright.schemas.nodes.types import Local
from talewright.schemas.records import field, record

MOST_DEPTH = 12


@record
class Referent:
    """What a name stands for: told in full at first, briefly afterwards."""

    first: Phrase
    later: Phrase
    told: bool = False

    def mention(self) -> Phrase:
        """The phrase for it, this time."""
        if self.told:
            return self.later
        self.told = True
        return self.first


@record
class Surroundings:
    """The locals of a piece of code and what they stand for, who `self` is, and how deep we are."""

    locals: tuple[Local, ...] = ()
    known: dict[int, Referent] = field(default_factory=dict)
    own: Phrase = field(default_factory=lambda: Phrase("it"))
    traits: dict[str, Phrase] = field(default_factory=dict)
    depth: int = 0
    # The actions that are being told by what they do, so that none is told inside itself.
    inlined: tuple[str, ...] = ()

    def deeper(self) -> Surroundings:
        """The same, one level further in."""
        return Surroundings(self.locals, self.known, self.own, self.traits, self.depth + 1, self.inlined)

    def with_names(self, known: dict[int, Referent]) -> Surroundings:
        """The same with more names known."""
        return Surroundings(
            self.locals, {**self.known, **known}, self.own, self.traits, self.depth, self.inlined
        )

    @property
    def too_deep(self) -> bool:
        """Whether it is time to be brief."""
        return self.depth > MOST_DEPTH


def always(phrase: Phrase) -> Referent:
    """What reads the same every time."""
    return Referent(phrase, phrase)
