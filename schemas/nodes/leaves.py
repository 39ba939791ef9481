"""Parts that are no nodes: names, ids, numbers with limits, and numbers of locals."""

from __future__ import annotations

from typing import Annotated

from talewright.schemas.records import record


@record(frozen=True)
class Named:
    """A name: a short text."""


@record(frozen=True)
class Reference:
    """The id of something that the document declares, in the name space given."""

    space: str


@record(frozen=True)
class Whole:
    """A whole number between two limits."""

    low: int
    high: int


@record(frozen=True)
class ReadsLocal:
    """The number of a local that is read or written here."""


@record(frozen=True)
class BindsLocal:
    """The number of a local that gets its value here."""


@record(frozen=True)
class Place:
    """A number into `sources.spots`."""


@record(frozen=True)
class Apart:
    """Code that shares no locals with what stands around it."""


Name = Annotated[str, Named()]

LocalNumber = Annotated[int, ReadsLocal()]
Binder = Annotated[int, BindsLocal()]
Spot = Annotated[int, Place()]

ThingId = Annotated[str, Reference("thing")]
SortId = Annotated[str, Reference("sort")]
ThingOrSortId = Annotated[str, Reference("thing or sort")]
ThingIdOrEmpty = Annotated[str, Reference("thing or nothing")]
KindId = Annotated[str, Reference("kind")]
OwnerId = Annotated[str, Reference("owner")]
TraitId = Annotated[str, Reference("trait")]
ValueId = Annotated[str, Reference("value")]
ValueName = Annotated[str, Reference("value name")]
ModifiedValueId = Annotated[str, Reference("modified value")]
TableId = Annotated[str, Reference("table")]
ActionId = Annotated[str, Reference("action")]
RuleActionId = Annotated[str, Reference("rule action")]
MenuId = Annotated[str, Reference("menu")]
PeriodId = Annotated[str, Reference("period")]
Moment = Annotated[str, Reference("moment")]
FunctionName = Annotated[str, Reference("function")]
CoreVerbId = Annotated[str, Reference("core verb")]
OptionId = Annotated[str, Reference("option")]
TeamId = Annotated[str, Reference("team")]
TokenId = Annotated[str, Reference("token")]
TrackId = Annotated[str, Reference("track")]
StateId = Annotated[str, Reference("state")]
PileId = Annotated[str, Reference("pile")]
PlanId = Annotated[str, Reference("plan")]
MovementId = Annotated[str, Reference("movement")]
PaymentId = Annotated[str, Reference("payment")]
DieId = Annotated[str, Reference("die")]
TextId = Annotated[str, Reference("text")]

Number = Annotated[int, Whole(-1_000_000_000, 1_000_000_000)]
DiceCount = Annotated[int, Whole(1, 1_000)]
SideCount = Annotated[int, Whole(1, 1_000_000)]
SmallCount = Annotated[int, Whole(0, 99)]
SeatNumber = Annotated[int, Whole(1, 64)]
Layer = Annotated[int, Whole(0, 6)]
TrackSpace = Annotated[int, Whole(-1_000_000, 1_000_000)]
SeatCount = Annotated[int, Whole(0, 64)]
CopyCount = Annotated[int, Whole(0, 9_999)]
ThingCount = Annotated[int, Whole(0, 1_000_000)]
TokenCount = Annotated[int, Whole(0, 1_000_000_000)]
