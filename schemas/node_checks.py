"""The checks of single nodes that need more than their own shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from talewright.schemas.core import FUNCTIONS, VERBS
from talewright.schemas.nodes.arguments import CoreArguments, EffectBlock
from talewright.schemas.nodes.components import DieFaces, Seats, TrackBody
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import (
    DieDeclaration,
    PlanDeclaration,
    ThingDeclaration,
    TrackDeclaration,
)
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.names import ResultRef, SeatRef, TableLookUp, TraitParam, TraitRef, ValueCall
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.reads import FieldOf
from talewright.schemas.nodes.rules import (
    AfterRule,
    BeforeRule,
    ForbidRule,
    InsteadOfRule,
    ModifyRule,
    OfferRule,
)
from talewright.schemas.nodes.statements import AsUsual, Call, CoreCall, MenuUse
from talewright.schemas.nodes.things import CastLine, Face, PlanRows

if TYPE_CHECKING:
    from talewright.schemas.references import Around, Trail, Walk

NodeCheck = Callable[["Walk", Any, "Trail", "Around"], None]

# The keys of the parts of core calls, by their names; and the names of those that each verb must have.
_KEYS = {part.name: part.key for part in CoreArguments.declared.parts}
_NAMES = {key: name for name, key in _KEYS.items()}
_NEEDED = {
    verb.id: [
        _NAMES[key]
        for key, meant in (("first", verb.first), *verb.parts, ("token", "token" if verb.token else ""))
        if meant and not meant.endswith("?")
    ]
    for verb in VERBS
}
# What stands in a plan where there is no place, and the signs that turn a tile.
_EMPTY = "."
_TURNS = "<>^"


def _count(walk: Walk, trail: Trail, what: str, given: int, wanted: int) -> None:
    if given != wanted:
        plural = "" if wanted == 1 else "s"
        walk.problem(
            "D809", (trail, "args"), f"{what} takes {wanted} argument{plural}, but {given} stand here"
        )


def _value(walk: Walk, node: ValueCall, trail: Trail, around: Around) -> None:
    known = walk.index.values.get(node.id)
    if known is not None:
        _count(walk, trail, f"`{node.id}`", len(node.args), len(known.params))


def _call(walk: Walk, node: Call, trail: Trail, around: Around) -> None:
    known = walk.index.actions.get(node.action)
    if known is not None:
        _count(walk, trail, f"`{node.action}`", len(node.args), len(known.params))


def _core_call(walk: Walk, node: CoreCall, trail: Trail, around: Around) -> None:
    # A question about calls leaves open what it does not ask about.
    if trail[1] == "call":
        return
    for part in _NEEDED.get(node.verb, ()):
        if getattr(node.args, part) is None:
            key = _KEYS[part]
            walk.problem("D809", (trail, "args"), f"`{node.verb}` needs `{key}`, which is missing here")


def _plan(walk: Walk, node: PlanDeclaration | PlanRows, trail: Trail, around: Around) -> None:
    for row, entries in enumerate(node.rows):
        for column, entry in enumerate(entries):
            name = (entry if isinstance(entry, str) else entry[0]).rstrip(_TURNS)
            if name != _EMPTY:
                walk.refer("thing", name, (((trail, "rows"), row), column))


def _table(walk: Walk, node: TableLookUp, trail: Trail, around: Around) -> None:
    known = walk.index.tables.get(node.id)
    if known is not None:
        _count(walk, trail, f"`{node.id}`", len(node.args), len(known.params) + 1)


def _trait(walk: Walk, node: TraitRef, trail: Trail, around: Around) -> None:
    known = walk.index.traits.get(node.id)
    if known is not None and node.args:
        _count(walk, trail, f"`{node.id}`", len(node.args), len(known.params))


def _menu(walk: Walk, node: MenuUse, trail: Trail, around: Around) -> None:
    known = walk.index.menus.get(node.id)
    if known is not None:
        _count(walk, trail, f"the menu `{node.id}`", len(node.args), len(known.params))


def _offer(walk: Walk, node: OfferRule, trail: Trail, around: Around) -> None:
    known = walk.index.menus.get(node.menu)
    if known is not None and len(node.params) != len(known.params):
        wanted, given = len(known.params), len(node.params)
        said = f"the menu `{node.menu}` has {wanted} parameters, but {given} stand here"
        walk.problem("D809", (trail, "params"), said)


def _function(walk: Walk, node: CoreFunctionCall, trail: Trail, around: Around) -> None:
    known = FUNCTIONS.get(node.function)
    if known is not None and not known.least <= len(node.args) <= known.most:
        said = f"`{node.function}` takes {known.least} to {known.most} arguments, but {len(node.args)} stand here"
        walk.problem("D809", (trail, "args"), said)


def _field(walk: Walk, node: FieldOf, trail: Trail, around: Around) -> None:
    _has_field(walk, node.owner, node.name, (trail, "name"))


def _modify(walk: Walk, node: ModifyRule, trail: Trail, around: Around) -> None:
    if node.field is not None and node.owner is not None:
        _has_field(walk, node.owner, node.field, (trail, "field"))
    known = walk.index.values.get(node.value or "")
    if known is not None and len(node.params) != len(known.params):
        said = f"`{node.value}` has {len(known.params)} parameters, but {len(node.params)} stand here"
        walk.problem("D809", (trail, "params"), said)


def _has_field(walk: Walk, owner: str, name: str, trail: Trail) -> None:
    fields = walk.index.fields.get(owner)
    if fields is not None and name not in fields:
        walk.problem("D806", trail, f"`{owner}` has no field `{name}`")


def _hook(
    walk: Walk, node: BeforeRule | AfterRule | InsteadOfRule | ForbidRule, trail: Trail, around: Around
) -> None:
    known = walk.index.actions.get(node.action)
    for at, slot in enumerate(node.slots):
        param = slot.parameter
        if known is not None and not (isinstance(param, int) and param < len(known.params)):
            said = f"`{node.action}` has no parameter {param}"
            walk.problem("D809", (((trail, "slots"), at), "param"), said)


def _seat(walk: Walk, node: SeatRef, trail: Trail, around: Around) -> None:
    kind = walk.index.kinds.get(node.role)
    if kind is None:
        return
    if kind.role is None:
        walk.problem("D806", (trail, "role"), f"`{node.role}` is no role")
    elif node.number > kind.role.high:
        said = f"`{node.role}` has {kind.role.high} seats, and this is seat {node.number}"
        walk.problem("D806", (trail, "n"), said)


def _trait_param(walk: Walk, node: TraitParam, trail: Trail, around: Around) -> None:
    if node.name not in around.trait:
        walk.problem("D812", trail, f"no trait around this has a parameter `{node.name}`")


def _as_usual(walk: Walk, node: AsUsual, trail: Trail, around: Around) -> None:
    if InsteadOfRule not in around.rules:
        walk.problem("D812", trail, "`as_usual` belongs in an `instead_of` rule")


def _result(walk: Walk, node: ResultRef, trail: Trail, around: Around) -> None:
    if AfterRule not in around.rules:
        walk.problem("D812", trail, "`result` belongs in an `after` rule")


def _block(walk: Walk, node: EffectBlock, trail: Trail, around: Around) -> None:
    # A block may read its parameters even if it does not number them.
    around.unit.loose |= node.params is None


def _text(walk: Walk, node: Text, trail: Trail, around: Around) -> None:
    if node.id is None:
        return
    shown = sum(not isinstance(piece, str) for piece in node.parts)
    catalogued = walk.index.texts.get(node.id)
    if catalogued is not None and walk.highest_placeholder(catalogued) > shown:
        walk.problem("D806", (trail, "id"), f"`texts` shows more in `{node.id}` than the text has to show")


def _track(walk: Walk, node: TrackDeclaration | TrackBody, trail: Trail, around: Around) -> None:
    if node.low > node.high:
        walk.problem("D812", (trail, "high"), "a track goes from its lower to its higher end")
    for at, hook in enumerate(node.hooks):
        for space in hook.spaces:
            if not node.low <= space <= node.high:
                walk.problem("D812", (((trail, "hooks"), at), "spaces"), f"the track has no space {space}")


def _seats(walk: Walk, node: Seats, trail: Trail, around: Around) -> None:
    if node.low > node.high:
        walk.problem("D812", (trail, "high"), "a role is played by at least `low` and at most `high`")


def _die(walk: Walk, node: DieDeclaration | DieFaces, trail: Trail, around: Around) -> None:
    if not node.faces:
        walk.problem("D812", (trail, "faces"), "a die has at least one face")


def _thing(walk: Walk, node: ThingDeclaration | CastLine | Face, trail: Trail, around: Around) -> None:
    for key in node.fields:
        if key.rsplit(".", 1)[-1] not in walk.index.every_field:
            walk.problem("D806", ((trail, "fields"), key), f"no kind or trait has a field `{key}`")


CHECKS: Mapping[type[Node], NodeCheck] = {
    ValueCall: _value,
    Call: _call,
    CoreCall: _core_call,
    PlanDeclaration: _plan,
    PlanRows: _plan,
    TableLookUp: _table,
    TraitRef: _trait,
    MenuUse: _menu,
    OfferRule: _offer,
    CoreFunctionCall: _function,
    FieldOf: _field,
    ModifyRule: _modify,
    BeforeRule: _hook,
    AfterRule: _hook,
    InsteadOfRule: _hook,
    ForbidRule: _hook,
    SeatRef: _seat,
    TraitParam: _trait_param,
    AsUsual: _as_usual,
    ResultRef: _result,
    EffectBlock: _block,
    Text: _text,
    TrackDeclaration: _track,
    TrackBody: _track,
    Seats: _seats,
    DieDeclaration: _die,
    DieFaces: _die,
    ThingDeclaration: _thing,
    CastLine: _thing,
    Face: _thing,
}
