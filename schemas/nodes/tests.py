"""The steps of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.schemas.nodes.declaration import Construct, node, part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from talewright.schemas.nodes.declaration import Expression
    from talewright.schemas.nodes.leaves import Spot, ThingId
    from talewright.schemas.nodes.statements import Body
    from talewright.schemas.nodes.types import Type


@node("start", tag="step")
class StartStep(Construct):
    """Where the test begins, or that it cannot begin so."""

    settings: Mapping[str, Expression] = part("the options it is played with, by name")
    at: Spot = part("where it stands: a number into `sources.spots`")
    chapter: ThingId | None = part(
        "the chapter it begins with; without one, nothing was played yet", default=None
    )
    refused: bool = part("whether it must be refused", default=False)


@node("given", tag="step")
class GivenStep(Construct):
    """What is set up, rules asleep."""

    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("rig", tag="step")
class RigStep(Construct):
    """What chance will bring."""

    what: str = part("what is drawn or rolled")
    values: tuple[Expression, ...] = part("the values, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("answer", tag="step")
class AnswerStep(Construct):
    """What a seat will decide."""

    values: tuple[Expression, ...] = part("the values, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")
    prompt: str | None = part("which question", default=None)
    by_text: bool | None = part("whether the question is named by its text", default=None)
    by: Expression | None = part("whose answer", default=None)


@node("when", tag="step")
class WhenStep(Construct):
    """What happens."""

    moments: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("expect", tag="step")
class ExpectStep(Construct):
    """What must then hold."""

    condition: Expression = part("the condition", key="if")
    sides: tuple[ExpectedSide, ...] = part("the sides, to be shown")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("scene", tag="step")
class SceneStep(Construct):
    """A drawing of what is set up."""

    rows: str = part("the drawing")
    at: Spot = part("where it stands: a number into `sources.spots`")
    on: Expression | None = part("the place that is drawn", default=None)


@node("expect_scene", tag="step")
class ExpectSceneStep(Construct):
    """A drawing of what must be there."""

    rows: str = part("the drawing")
    at: Spot = part("where it stands: a number into `sources.spots`")
    on: Expression | None = part("the place that is drawn", default=None)


@node("marks", tag="step")
class MarksStep(Construct):
    """What the signs of drawings mean."""

    marks: tuple[tuple[str, Expression], ...] = part("signs and what they stand for")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node()
class ExpectedSide(Construct):
    """One side of an expectation, to be shown."""

    text: str = part("as it was written")
    value: Expression = part("the value")
    type: Type = part("its type")


TestStep = (
    StartStep
    | GivenStep
    | RigStep
    | AnswerStep
    | WhenStep
    | ExpectStep
    | SceneStep
    | ExpectSceneStep
    | MarksStep
)
