"""Places in which only some expressions may stand, or those that share no locals with what is around them."""

from __future__ import annotations

from typing import Annotated

from talewright.schemas.nodes.declaration import Expression
from talewright.schemas.nodes.leaves import Apart
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.names import LocalRef, PileRef, StateRef, TrackRef
from talewright.schemas.nodes.reads import FieldOf, LateField, LookUp, Property

OwnExpression = Annotated[Expression, Apart()]
OwnText = Annotated[Text, Apart()]
Target = LocalRef | FieldOf | LateField | StateRef | TrackRef | LookUp | PileRef | Property
