"""What periods and state rules look at: a write of anything else makes nobody look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from talewright.schemas.node_walk import walk
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.rules import GrantRule, StateRule

if TYPE_CHECKING:
    from talewright.runtime.lower.program import Program

# What is not a state, a track or a field of the table: where things lie, tokens, dice, traits, running calls.
TABLE: Final = "table"
EVERYTHING: Final[frozenset[str] | None] = None

# Nodes whose value depends on nothing but what is in them.
_PURE: Final = (
    li.IntLiteral, li.TruthLiteral, li.NoneLiteral, li.WordLiteral, n.LocalRef, n.ThingRef, n.OptionRef,
    o.And, o.Or, o.Not, o.Eq, o.Ne, o.Lt, o.Le, o.Gt, o.Ge, o.Same, o.IsNone, o.IsEmpty, o.IsKind, o.Between,
    o.Add, o.Sub, o.Mul, q.Filter, q.Exists, q.Count, q.Total, q.First, q.Last,
)  # fmt: skip
_OF_TABLE: Final = (
    n.PileRef, r.PileItems, r.PileTop, r.SlotContent, r.Property, o.Inside, o.LiesIn, o.IsFace,
)  # fmt: skip


def state_name(state: str) -> str:
    """A state among what is looked at."""
    return f"state {state}"


def track_name(track: str) -> str:
    """A track among what is looked at."""
    return f"track {track}"


def field_name(first: str) -> str:
    """A field among what is looked at, by the kind that declared it first."""
    return f"field {first}"


def find_watched(program: Program) -> frozenset[str] | None:
    """The names of what is looked at; EVERYTHING where that cannot be told."""
    found: set[str] = set()
    content = program.world.content
    waiting: list[Node] = [period.condition for period in content.periods]
    for entry in program.world.rules:
        if isinstance(entry.rule, GrantRule):
            return EVERYTHING
        if isinstance(entry.rule, StateRule):
            if entry.bearer not in ("", "chapter"):
                return EVERYTHING
            waiting += [entry.rule.condition, *entry.rule.guards]
    asked: set[str] = set()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, n.ValueCall):
                declared = program.values.get(node.id)
                if declared is None or declared.value is None or program.modifiers.get(node.id):
                    return EVERYTHING
                if node.id not in asked:
                    asked.add(node.id)
                    waiting.append(declared.value)
                continue
            name = _name(program, node)
            if name is None:
                return EVERYTHING
            found.add(name)
    return frozenset(found - {""})


def _name(program: Program, node: Node) -> str | None:
    """What a node looks at; nothing, or none where that cannot be told."""
    if isinstance(node, _PURE):
        return ""
    if isinstance(node, _OF_TABLE):
        return TABLE
    match node:
        case n.StateRef():
            return state_name(node.id)
        case n.TrackRef():
            return track_name(node.id)
        case n.ThingsOfKind() if not program.world.pools_of(node.id):
            return ""
        case r.FieldOf():
            field = program.world.fields.get((node.owner, node.name))
            if field is None or field.first in program.modifiers or field.owner in program.world.traits:
                return None
            return field_name(field.first)
    return None
