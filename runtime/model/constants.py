"""Values of fields that are known before a game begins."""

from __future__ import annotations

from talewright.runtime.model.world import Field, Thing, World
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes.operators import ManyDice, Sub
from talewright.schemas.nodes.reads import FixedDice
from talewright.schemas.nodes.tables import RangePattern, ValuePattern
from talewright.schemas.nodes.things import (
    Bands,
    Code,
    Drawing,
    Edges,
    FieldMap,
    FieldValue,
    InlineThings,
    Measured,
    PlanRows,
)

_PLAIN = (
    li.IntLiteral, li.TruthLiteral, li.NoneLiteral, li.WordLiteral, li.MarkLiteral, li.DiceLiteral, li.SizeLiteral,
    li.Text, n.ThingRef, n.SortRef, n.TokenRef, n.OptionRef, n.SeatRef, n.PileRef, n.DieRef, n.KindRef, n.MovementRef,
    Code, Edges, Drawing, PlanRows, InlineThings,
)  # fmt: skip


def is_constant(node: object) -> bool:
    """Whether a value of a field is known before the game begins."""
    match node:
        case li.Text():
            return not any(isinstance(part, li.Show) for part in node.parts)
        case li.SetLiteral():
            return all(map(is_constant, node.items))
        case FieldMap() | li.MapLiteral():
            return all(is_constant(key) and is_constant(held) for key, held in node.rows)
        case Bands():
            return all(is_constant(row.items) and _is_constant_key(row.pattern) for row in node.rows)
        case Sub():
            return is_constant(node.left) and is_constant(node.right)
        case FixedDice():
            return is_constant(node.of)
        case ManyDice():
            return isinstance(node.dice, li.DiceLiteral | n.DieRef) and isinstance(node.count, li.IntLiteral)
    return node is None or isinstance(node, _PLAIN)


def _is_constant_key(pattern: object) -> bool:
    match pattern:
        case RangePattern():
            return (pattern.low is None or is_constant(pattern.low)) and (
                pattern.high is None or is_constant(pattern.high)
            )
        case ValuePattern():
            return is_constant(pattern.value)
    return False


def first_value(world: World, thing: Thing, field: Field) -> FieldValue | None:
    """What a field of a thing holds when a game begins; none where nothing is said and nothing is meant."""
    name = field.name
    if name in thing.fields:
        return thing.fields[name]
    part = f"{thing.id}.{name}"
    if part in world.number and field.tag == "thing":
        return n.ThingRef(part)
    if name == "text" and thing.declaration is not None and thing.declaration.text is not None:
        return thing.declaration.text
    for owner in world.lineage[thing.kind]:
        kind = world.kinds[owner]
        if kind.defaults is not None and name in kind.defaults:
            return kind.defaults[name]
        for entry in kind.fields:
            if entry.name == name:
                return declared_default(world.fields[owner, name])
    return None


def declared_default(field: Field) -> FieldValue | None:
    """What a field holds where its thing says nothing."""
    declared = field.declaration
    if declared.track is not None:
        start = declared.track.start
        return li.IntLiteral(declared.track.low) if start is None else start.value
    if declared.default is None:
        return unset(field)
    return declared.default.value if isinstance(declared.default, Measured) else declared.default


def unset(field: Field) -> FieldValue | None:
    """What a field holds that nobody has filled: 0, no, nothing, or an empty collection."""
    if field.type.tag == "optional":
        return None
    match field.tag:
        case "int" | "range" | "target" | "ints":
            return li.IntLiteral(0)
        case "truth":
            return li.TruthLiteral(False)
        case "list" | "set":
            return li.SetLiteral(())
        case "map":
            return FieldMap(())
    return None
