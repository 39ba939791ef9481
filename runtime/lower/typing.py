"""The type of an expression, from the types of what it is made of."""

from __future__ import annotations

from talewright.runtime.lower.code import Code
from talewright.runtime.model.types import INT, TEXT, TRUTH, is_number, item_of, many, may_be_none, optional
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import arguments as a
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.types import ANY, Type

CELL = Type("cell")
# Questions of tests that are answered by how often.
COUNTED = ("done", "refused", "replaced")
SPOT = Type("spot")

_NUMBERS = (
    li.IntLiteral, n.TrackRef, r.TokensOn, r.TokensAt, r.PoolTotal, r.DieValue, r.AsInt,
    o.Add, o.Sub, o.Mul, o.Div, o.Mod, q.Count, q.Total, q.Least, q.Greatest, a.DonePoolTotal, a.DoneDieValue,
)  # fmt: skip
_TRUTHS = (
    li.TruthLiteral, o.And, o.Or, o.Not, o.Eq, o.Ne, o.Lt, o.Le, o.Gt, o.Ge, o.Same, o.SamePile, o.Near, o.Adjacent,
    o.Knows, o.Between, o.IsFace, o.IsKind, o.IsTrait, o.IsSort, o.Member, o.LiesIn, o.Inside, o.InsideAny, o.Within,
    o.Includes, o.During, o.IsNone, o.IsEmpty, q.Exists, q.Agreed, r.Holds, r.PoolProperty,
)  # fmt: skip
_ALWAYS: dict[type, Type] = {
    **dict.fromkeys(_NUMBERS, INT),
    **dict.fromkeys(_TRUTHS, TRUTH),
    li.NoneLiteral: Type("none"),
    li.WordLiteral: Type("words"),
    li.Text: TEXT,
    li.Show: TEXT,
    **dict.fromkeys((li.DiceLiteral, n.DieRef, r.FixedDice, o.ManyDice, r.AsPool), Type("pool")),
    **dict.fromkeys((r.PoolDice, a.DonePoolDice), many(Type("die"))),
    **dict.fromkeys((r.EachDie, a.DoneEachDie, o.Span), many(INT)),
    **dict.fromkeys((o.Rank, q.Highest, q.Lowest), optional(INT)),
    n.ChapterRef: optional(Type("thing", "Chapter")),
    n.EndingRef: optional(Type("thing", "Ending")),
    n.Bearers: many(Type("thing", "Thing")),
    n.TraitRef: Type("trait"),
    n.TokenRef: Type("token"),
    o.Pair: Type("pair"),
    li.SizeLiteral: Type("size"),
}
"""What is of one type wherever it stands."""
_THING_PROPERTIES = {
    "place": "Place", "holder": "Thing", "owner": "Thing", "beyond": "Piece",
}  # fmt: skip
_CORE: dict[str, Type] = {
    "count": INT, "total": INT, "room": INT, "supply": INT, "tokens": INT, "rolled": INT, "times": INT,
    "row": optional(INT), "column": optional(INT), "distance": optional(INT), "sees": TRUTH, "open": TRUTH,
    "fits": TRUTH, "can_stand": TRUTH, "same_colour": TRUTH, "joint": optional(Type("thing", "Joint")),
    "border": optional(Type("border")), "way": optional(Type("thing", "Direction")),
    "edge": optional(Type("thing", "Thing")), "fallback": optional(Type("thing", "Thing")),
    "ways": many(Type("thing", "Thing")), "pieces": many(Type("thing", "Piece")),
    "joined": many(Type("thing", "Piece")), "roads": many(Type("thing", "Place")), "cells": many(CELL),
    "marked": many(CELL), "area": many(CELL), "reach": many(SPOT), "along": optional(CELL),
    "neighbour": optional(CELL), "square": optional(CELL), "spots": many(SPOT),
    "newcomers": many(Type("thing", "Seat")), "roster": many(Type("thing", "Thing")),
}  # fmt: skip


def type_of(code: Code, node: object) -> Type:
    """The type of what an expression, or a call whose result is kept, gives."""
    always = _ALWAYS.get(type(node))
    if always is not None:
        return always
    program = code.program
    match node:
        case q.Question():
            return INT if node.question in COUNTED else TRUTH
        case li.SetLiteral():
            return many(_common(code, node.items))
        case li.MapLiteral():
            keys = [key for key, _ in node.rows]
            values = [value for _, value in node.rows]
            return Type("map", "", (_common(code, keys), _common(code, values)))
        case n.ThingRef():
            number = program.world.number.get(node.id)
            kind = program.world.thing(number).kind if number else "Thing"
            return Type("thing", kind)
        case n.SortRef():
            copies = program.world.sorts.get(node.id)
            kind = program.world.thing(copies[0]).kind if copies else "Thing"
            return Type("sort", "", (kind,))
        case n.PileRef():
            return pile_type(code, node.id)
        case n.StateRef():
            return next((x.type for x in program.world.content.states if x.id == node.id), ANY)
        case n.OptionRef():
            return next((x.type for x in program.world.content.options if x.id == node.id), ANY)
        case n.TeamRef():
            team = next(x for x in program.world.content.teams if x.id == node.id)
            return many(Type("thing", team.role))
        case n.ThingsOfKind():
            return many(Type("thing", node.id))
        case n.LocalRef():
            return code.local_type(node.number)
        case n.SelfRef():
            return Type("thing", code.scope.owner or "Thing")
        case n.ValueCall():
            found = program.values.get(node.id)
            return ANY if found is None else found.type
        case n.TableLookUp():
            return program.tables[node.id].type if node.id in program.tables else ANY
        case n.SeatRef():
            return optional(Type("thing", node.role))
        case n.ResultRef():
            return code.scope.result_type
        case n.TraitParam():
            return trait_parameter_type(code, code.scope.owner, node.name)
        case r.FieldOf():
            field = program.world.fields.get((node.owner, node.name))
            if field is None:
                return optional(trait_parameter_type(code, node.owner, node.name))
            return optional(field.type) if node.maybe or maybe_none(code, node.of) else field.type
        case r.Property() | a.DoneProperty():
            return _property(code, node)
        case r.DieProperty():
            return TRUTH if node.name == "rerolled" else ANY
        case r.SpotProperty():
            return INT if node.name == "cost" else many(CELL)
        case r.LookUp():
            inner = plain(type_of(code, node.of))
            return optional(inner.args[1]) if inner.tag == "map" else optional(item_of(inner))  # type: ignore[arg-type]
        case (
            r.BandOf() | r.Slice() | r.PileItems() | r.SortCopies() | a.DonePileItems() | a.DoneSortCopies()
            | o.Rotate() | o.SomeCopies() | q.Filter() | q.Best() | q.Sorted()
        ):  # fmt: skip
            return many(item_of(type_of(code, node.of)))
        case (
            r.SlotContent() | r.PileTop() | r.PileBottom() | a.DoneSlotContent()
            | q.First() | q.Last() | q.RandomOne()
        ):  # fmt: skip
            return optional(item_of(type_of(code, node.of)))
        case r.Nth() | r.OneCopy() | a.DoneOneCopy():
            return item_of(type_of(code, node.of))
        case r.BaseValue():
            return type_of(code, node.of)
        case o.SetUnion() | o.SetMinus():
            left = type_of(code, node.left)
            return many(item_of(left) if item_of(left) != ANY else item_of(type_of(code, node.right)))
        case o.Pick():
            return _either(type_of(code, node.yes), type_of(code, node.no))
        case q.Each():
            inner = type_of(code, node.body)
            return many(item_of(inner)) if node.flat else many(plain(inner))
        case q.NewThing():
            return Type("thing", node.kind)
        case q.CoreFunctionCall() | a.DoneFunction():
            return _core(code, node)
        case s.Call():
            action = program.actions.get(node.action)
            return ANY if action is None else optional(action.gives)
        case s.CoreCall():
            return _core_result(code, node)
    return ANY


def pile_type(code: Code, name: str) -> Type:
    """The type of a container at top level."""
    pile = next(x for x in code.program.world.content.piles if x.id == name)
    return Type("pile", pile.kind, (pile.form, pile.returning))


def trait_parameter_type(code: Code, trait: str, name: str) -> Type:
    """The type of a parameter of a trait."""
    declared = code.program.world.traits.get(trait)
    return next((p.type for p in declared.params if p.name == name), ANY) if declared else ANY


def _property(code: Code, node: r.Property | a.DoneProperty) -> Type:
    if node.name in _THING_PROPERTIES:
        return optional(Type("thing", _THING_PROPERTIES[node.name]))
    match node.name:
        case "title" | "prose":
            return TEXT
        case "sort":
            inner = plain(type_of(code, node.of))
            return Type("sort", "", (inner.name or "Thing",))
        case "edge":
            return TRUTH
        case "cells":
            return many(CELL)
        case "joints":
            return many(Type("thing", "Joint"))
        case "cell":
            return optional(CELL)
        case "spot":
            return optional(SPOT)
        case "face" | "mark":
            return Type("words")
    return ANY


def _core(code: Code, node: q.CoreFunctionCall | a.DoneFunction) -> Type:
    if node.function in _CORE:
        return _CORE[node.function]
    match node.function:
        case "distinct" | "shuffled":
            return many(item_of(type_of(code, node.args[0])))
        case "copy":
            return type_of(code, node.args[0])
        case "top":
            return optional(item_of(type_of(code, node.args[0])))
        case "steps":
            return optional(INT) if len(node.args) > 2 else many(Type("thing", "Place"))
        case "pairs":
            first, second = (item_of(type_of(code, x)) for x in node.args)
            return many(Type("two", "", (first, second)))
    return ANY


def _core_result(code: Code, node: s.CoreCall) -> Type:
    args = node.args
    match node.verb:
        case "draw":
            assert args.source is not None
            item = item_of(type_of(code, args.source))
            return optional(item) if args.first is None else many(item)
        case "take" | "arrange":
            part = args.source if node.verb == "take" else args.first
            return many(item_of(type_of(code, part)))
        case "put_token" | "take_token":
            return INT
        case "roll":
            if args.source is not None:
                return many(item_of(type_of(code, args.source)))
            return rolled_type(code, args.first)
        case "pay":
            return TRUTH
    return ANY


def rolled_type(code: Code, dice: object) -> Type:
    """What a roll gives: a pool, or the face of a single die without numbers."""
    if isinstance(dice, n.DieRef):
        declared = next(x for x in code.program.world.content.dice if x.id == dice.id)
        if declared.faces and not isinstance(declared.faces[0], li.IntLiteral):
            return optional(type_of(code, declared.faces[0]))
    inner = plain(type_of(code, dice))
    return ANY if inner.tag == "thing" else Type("pool")


def _common(code: Code, items: object) -> Type:
    found = ANY
    for item in items:  # type: ignore[attr-defined]
        inner = item_of(type_of(code, item.of)) if isinstance(item, r.Spread) else type_of(code, item)
        if found == ANY or found.tag == "none":
            found = inner
    return plain(found) if found.tag == "optional" else found


def _either(first: Type, second: Type) -> Type:
    if first.tag in ("none", "any"):
        return optional(second) if first.tag == "none" else second
    return optional(first) if may_be_none(second) else first


_SURE = (
    li.IntLiteral, li.TruthLiteral, li.WordLiteral, n.ThingRef, n.PileRef, n.TrackRef, q.Count, q.Total, q.Least,
    q.Greatest, o.Add, o.Sub, o.Mul, o.Div, o.Mod, r.TokensOn, n.SelfRef, n.OptionRef, n.SortRef, q.NewThing,
)  # fmt: skip


_NEVER_NONE = frozenset((*_SURE, *_TRUTHS, q.Question))


def maybe_none(code: Code, node: object) -> bool:
    """Whether an expression can be none."""
    if type(node) in _NEVER_NONE:
        return False
    match node:
        case r.FieldOf():
            if node.maybe or maybe_none(code, node.of):
                return True
            field = code.program.world.fields.get((node.owner, node.name))
            if field is None or may_be_none(field.type):
                return True
            declared = field.declaration
            filled = declared.default is not None or declared.track is not None
            return not filled and not (is_number(field.type) or field.tag in ("pile", "set", "list", "map"))
        case n.SeatRef():
            return (node.role, node.number) not in code.program.world.seats
        case n.LocalRef():
            return node.number not in code.scope.sure
        case r.DieValue() | r.PoolTotal():
            return maybe_none(code, node.of)
        case o.Pick():
            return maybe_none(code, node.yes) or maybe_none(code, node.no)
        case n.StateRef() | n.ValueCall() | n.TableLookUp():
            return may_be_none(type_of(code, node))
        case (
            n.ThingsOfKind()
            | q.Filter()
            | q.Each()
            | q.Best()
            | q.Sorted()
            | li.SetLiteral()
            | o.SetUnion()
            | o.SetMinus()
        ):
            return False
    return True
