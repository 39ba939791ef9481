"""What the document as a whole shows: which fields are written, which moments somebody asks for."""

from __future__ import annotations

from talewright.runtime.model.world import World
from talewright.schemas.nodes.components import FieldDeclaration
from talewright.schemas.nodes.declared import MenuDeclaration, StateDeclaration, TrackDeclaration
from talewright.schemas.nodes.operators import During
from talewright.schemas.nodes.reads import FieldOf, LookUp
from talewright.schemas.nodes.statements import Assign, Change, CoreCall, Extend, Fill, Shrink, Stop, Until
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

VERB = "verb:"


@record(frozen=True)
class Facts:
    """Facts about one world."""

    written: frozenset[str]
    """The fields that change in play, by the kind that declared them first."""
    framed: frozenset[str]
    """The verbs whose running calls somebody asks for: `stop`, `during`, `until`."""
    awaited: frozenset[str]
    """The verbs until whose start or end some rules last."""
    awaited_periods: frozenset[str]
    stops: bool
    """Whether any `stop` names an action."""
    rolls: bool = False
    """Whether dice are rolled, and none of them is kept longer than the call that rolled it or was given it."""
    periodic: dict[str, list[StateDeclaration | FieldDeclaration | TrackDeclaration | MenuDeclaration]] = (
        field(default_factory=dict)
    )
    """What begins anew with a verb or period, by moment."""


def find_facts(world: World) -> Facts:
    """Looks at every node that writes, rolls or names a moment."""
    written: set[str] = set()
    framed: set[str] = set()
    awaited: set[str] = set()
    periods: set[str] = set()
    stops = False
    rolls = False
    for node in world.index.nodes:
        match node:
            case Assign() | Change() | Extend() | Shrink() | Fill():
                target = node.target.of if isinstance(node.target, LookUp) else node.target
                if isinstance(target, FieldOf):
                    written.add(first_name(world, target.owner, target.name))
            case CoreCall(verb="roll"):
                rolls = True
            case CoreCall() if node.verb in ("add", "remove"):
                for part in (node.args.to, node.args.source):
                    if isinstance(part, FieldOf):
                        written.add(first_name(world, part.owner, part.name))
            case Stop() | During() | Until():
                if node.moment is not None and node.moment.startswith(VERB):
                    framed.add(node.moment[len(VERB) :])
                    stops = stops or isinstance(node, Stop)
                    if isinstance(node, Until):
                        awaited.add(node.moment[len(VERB) :])
                elif isinstance(node, Until):
                    periods.add(node.moment.partition(":")[2])
    for thing in world.content.things:
        for name in {name for face in thing.faces for name in face.fields or {}}:
            written |= _all_named(world, thing.kind, name)
        for line in thing.cast:
            for name in line.fields or {}:
                for (_, other), entry in world.fields.items():
                    if other == name:
                        written.add(entry.first)
    written |= {entry.first for entry in world.fields.values() if entry.declaration.per}
    # What lasts may come from an earlier game.
    written |= {entry.first for entry in world.fields.values() if "lasting" in entry.declaration.flags}
    written |= {f"{kind.id}.face" for kind in world.content.kinds if kind.die is not None}
    written |= {entry.first for entry in world.fields.values() if entry.declaration.track is not None}
    written |= {entry.first for entry in world.fields.values() if entry.owner in world.traits}
    stored = [
        *(state.type for state in world.content.states),
        *(entry.type for entry in world.fields.values()),
    ]
    rolls = rolls and not any(map(_holds_dice, stored))
    return Facts(
        frozenset(written),
        frozenset(framed),
        frozenset(awaited),
        frozenset(periods),
        stops,
        rolls,
        _periodic(world),
    )


def _holds_dice(type_: Type) -> bool:
    """Whether a cell of a type can hold dice that were rolled."""
    return type_.tag in ("pool", "die") or any(
        isinstance(part, Type) and _holds_dice(part) for part in type_.args
    )


def first_name(world: World, owner: str, name: str) -> str:
    """A field by the kind that declared it first."""
    found = world.fields.get((owner, name))
    return found.first if found is not None else f"{owner}.{name}"


def _all_named(world: World, kind: str, name: str) -> set[str]:
    lineage = world.lineage.get(kind, ())
    return {world.fields[owner, name].first for owner in lineage if (owner, name) in world.fields}


def _periodic(
    world: World,
) -> dict[str, list[StateDeclaration | FieldDeclaration | TrackDeclaration | MenuDeclaration]]:
    found: dict[str, list[StateDeclaration | FieldDeclaration | TrackDeclaration | MenuDeclaration]] = {}
    for state in world.content.states:
        for moment in state.per:
            found.setdefault(moment, []).append(state)
    for track in world.content.tracks:
        for moment in track.per:
            found.setdefault(moment, []).append(track)
    for menu in world.content.menus:
        if menu.once_per is not None:
            found.setdefault(menu.once_per, []).append(menu)
    for entry in world.fields.values():
        for moment in entry.declaration.per:
            found.setdefault(moment, []).append(entry.declaration)
    return found
