"""Everything that exists in one game, numbered: kinds, things, fields, containers, rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from talewright.runtime.faults import LoadError
from talewright.runtime.model.deferred import Deferring
from talewright.runtime.model.index import Index, index_of
from talewright.runtime.model.settings import Settings
from talewright.schemas.nodes.arguments import CoreArguments
from talewright.schemas.nodes.components import Container, FieldDeclaration, TrackBody
from talewright.schemas.nodes.declared import (
    AnytimeDeclaration,
    KindDeclaration,
    PileDeclaration,
    ThingDeclaration,
    TrackDeclaration,
    TraitDeclaration,
)
from talewright.schemas.nodes.document import Content
from talewright.schemas.nodes.literals import IntLiteral, Text
from talewright.schemas.nodes.names import LocalRef, SelfRef, SortRef, ThingRef, TrackRef
from talewright.schemas.nodes.queries import CoreFunctionCall, NewThing
from talewright.schemas.nodes.reads import FieldOf, Property
from talewright.schemas.nodes.rules import ModifyRule, Rule, SeveralRules, StateRule
from talewright.schemas.nodes.statements import Body, CoreCall, Until
from talewright.schemas.nodes.things import CastLine, Drawing, FieldValue
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record, replace
from talewright.schemas.records import replace as changed
from talewright.schemas.wording import spaced

MOST_THINGS = 200_000
# So many things of one kind can be made in play.
SPARES = 100
# Seats know things by a bit each.
MOST_SEATS = 31


@record(frozen=True)
class Thing(Deferring):
    """One thing: things are numbered from 1 in order of declaration."""

    number: int
    id: str
    kind: str
    sort: str
    title: str
    declaration: ThingDeclaration | None = None
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    owner: int = 0
    copy: int = 0
    prose: str = ""
    """What is written on it, without what that shows."""


@record(frozen=True)
class Field:
    """A field of a kind or trait. Kinds that declare a field of their parent anew share its cells."""

    owner: str
    name: str
    type: Type
    declaration: FieldDeclaration
    first: str
    """The kind that declared it first, and its name: which cells hold it."""

    @property
    def tag(self) -> str:
        """The tag of its type, without `or none`."""
        return plain(self.type).tag


@record(frozen=True)
class Pile:
    """A container: at top level, in a field, or one of the engine's own. Its number is a location."""

    number: int
    id: str
    form: str
    kind: str
    declaration: PileDeclaration | Container | None = None
    owner: int = 0
    field: str = ""


@record(frozen=True)
class RuleEntry:
    """A rule with who bears it: nobody, a kind, a trait, a thing, a chapter, a line of a cast, or an `until` block."""

    number: int
    rule: Rule
    bearer: str = ""
    owner: str = ""

    @property
    def layer(self) -> int:
        """How close to the table it stands: 1 system to 6 thing."""
        layer = None if isinstance(self.rule, SeveralRules) else self.rule.layer
        return 1 if layer is None else layer


@record(frozen=True)
class Pool:
    """Numbers for the things of one kind that are made in play, and whether any of them may be copies of others."""

    kind: str
    first: int
    count: int
    copies: bool

    @property
    def end(self) -> int:
        """The number behind the last one."""
        return self.first + self.count


@record
class World(Deferring):
    """What exists under certain settings."""

    content: Content
    settings: Settings
    kinds: dict[str, KindDeclaration] = field(default_factory=dict)
    traits: dict[str, TraitDeclaration] = field(default_factory=dict)
    lineage: dict[str, tuple[str, ...]] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    """Without the thing of number 0, which stands for none: `things[n - 1]` has the number n."""
    number: dict[str, int] = field(default_factory=dict)
    sorts: dict[str, list[int]] = field(default_factory=dict)
    seats: dict[tuple[str, int], int] = field(default_factory=dict)
    joints: dict[int, tuple[int, str]] = field(default_factory=dict)
    fields: dict[tuple[str, str], Field] = field(default_factory=dict)
    piles: list[Pile] = field(default_factory=list)
    pile_numbers: dict[str, int] = field(default_factory=dict)
    pile_fields: dict[tuple[int, str], int] = field(default_factory=dict)
    rules: list[RuleEntry] = field(default_factory=list)
    until_rules: dict[int, tuple[RuleEntry, ...]] = field(default_factory=dict)
    """The rules of an `until` statement, by the identity of its node."""
    cast_rules: dict[int, tuple[RuleEntry, ...]] = field(default_factory=dict)
    """The rules below a line of a cast, by the identity of its node."""
    index: Index = field(default_factory=Index)
    pools: list[Pool] = field(default_factory=list)
    """Numbers for things that are made in play, behind those of all others."""
    first_made: int = 0
    """The number of the first thing that can be made in play."""
    anytime: tuple[AnytimeDeclaration, ...] = ()
    """What somebody may do at any time."""
    _of_kind: dict[str, list[int]] = field(default_factory=dict)
    _numbers_of_kind: dict[str, list[int]] = field(default_factory=dict)
    _piles_of: dict[int, list[Pile]] = field(default_factory=dict)
    _fields_of: dict[str, dict[str, Field]] = field(default_factory=dict)
    _kind_of_sort: dict[str, str] = field(default_factory=dict)

    def is_a(self, kind: str, other: str) -> bool:
        """Whether every thing of one kind is of the other."""
        return other in self.lineage.get(kind, ())

    def of_kind(self, kind: str) -> list[int]:
        """The things of a kind that are there from the start, in order of declaration."""
        found = self._of_kind.get(kind)
        if found is None:
            found = [n for n in self.numbers_of_kind(kind) if n < self.first_made]
            self._of_kind[kind] = found
        return found

    def numbers_of_kind(self, kind: str) -> list[int]:
        """The numbers of all things of a kind, also of those that may be made in play."""
        found = self._numbers_of_kind.get(kind)
        if found is None:
            below = {name for name, lineage in self.lineage.items() if kind in lineage}
            found = [thing.number for thing in self.things if thing.kind in below]
            self._numbers_of_kind[kind] = found
        return found

    def pools_of(self, kind: str) -> list[Pool]:
        """The numbers for things of a kind that are made in play."""
        return [pool for pool in self.pools if self.is_a(pool.kind, kind)]

    def thing(self, number: int) -> Thing:
        """The thing of a number."""
        return self.things[number - 1]

    def track_of(self, target: object) -> TrackDeclaration | TrackBody | None:
        """The track that an expression names, on the table or in a field; none if it names something else."""
        match target:
            case TrackRef():
                return next(track for track in self.content.tracks if track.id == target.id)
            case FieldOf():
                return self.fields[target.owner, target.name].declaration.track
        return None

    def piles_of(self, owner: int) -> list[Pile]:
        """The containers of a thing."""
        if not self._piles_of:
            for pile in self.piles:
                self._piles_of.setdefault(pile.owner, []).append(pile)
        return self._piles_of.get(owner, [])

    def most_in(self, field: str) -> int | None:
        """How many things fit into the containers in a field at most, if they all say so."""
        most = 0
        for pile in self.piles:
            if pile.field == field:
                limit = pile.declaration.most.value if pile.declaration and pile.declaration.most else None
                if not isinstance(limit, IntLiteral):
                    return None
                most = max(most, limit.value)
        return most

    def fields_of(self, kind: str) -> dict[str, Field]:
        """The fields that things of a kind have from birth, the most special declaration of each."""
        known = self._fields_of.get(kind)
        if known is not None:
            return known
        found: dict[str, Field] = {}
        self._fields_of[kind] = found
        for owner in reversed(self.lineage.get(kind, ())):
            for declared in self.kinds[owner].fields:
                found[declared.name] = self.fields[owner, declared.name]
            if self.kinds[owner].die is not None:
                found["face"] = self.fields[owner, "face"]
        return found

    def kind_of_sort(self, sort: str) -> str:
        """The kind of a thing that was declared, however many copies of it there are."""
        if not self._kind_of_sort:
            self._kind_of_sort.update((thing.id, thing.kind) for thing in reversed(self.content.things))
        return self._kind_of_sort.get(sort, "Thing")

    def can_be_made(self, sort: str) -> bool:
        """Whether there can be more things of a sort than were declared."""
        return any(pool.copies and pool.kind == self.kind_of_sort(sort) for pool in self.pools)

    def lenders(self) -> list[Field]:
        """The fields through which things read what they do not have themselves."""
        return [entry for entry in self.fields.values() if "lends all" in entry.declaration.flags]

    def rings(self) -> list[list[int]]:
        """Places that lie in a ring, and the seats of each role."""
        found: list[list[int]] = []
        for plan in self.content.plans:
            if plan.ring:
                names = [entry if isinstance(entry, str) else entry[0] for row in plan.rows for entry in row]
                found.append(list(dict.fromkeys(self.number[name] for name in names if name != ".")))
        return found + [seats for role in self.settings.seats if len(seats := self.of_kind(role)) > 1]

    def deciding_field(self, kind: str) -> Field | None:
        """The field through which things of a kind decide."""
        for found in self.fields_of(kind).values() if kind in self.kinds else ():
            held = plain(found.type)
            if held.tag == "thing" and held.name in self.settings.seats:
                return found
        return None

    def allows(self, guards: tuple[object, ...]) -> bool:
        """Whether the options let something exist."""
        return self.settings.allow(guards)  # type: ignore[arg-type]

    def may_be(self, guards: tuple[object, ...]) -> bool:
        """Whether the options let something exist, or others that the program is for."""
        return self.settings.open or self.allows(guards)


def waits_beyond(track: TrackDeclaration | TrackBody, sign: int) -> bool:
    """Whether something happens to a marker that would go beyond an end of its track."""
    return any(hook.when == ("above" if sign > 0 else "below") for hook in track.hooks)


def plain(type_: Type) -> Type:
    """A type without `or none`."""
    inner = type_.args[0] if type_.tag == "optional" else type_
    assert isinstance(inner, Type)
    return inner


def build_world(content: Content, settings: Settings) -> World:
    """Numbers everything that exists under these settings."""
    world = World(content, settings, index=index_of(content), anytime=content.anytime)
    _add_kinds(world)
    _add_things(world)
    _add_fields(world)
    _add_piles(world)
    _add_rules(world)
    return world


# ------------------------------------------------------------------ kinds and things
def _add_kinds(world: World) -> None:
    world.kinds = {kind.id: kind for kind in world.content.kinds}
    world.traits = {trait.id: trait for trait in world.content.traits}
    for name in world.kinds:
        order: list[str] = []
        _climb(world, name, order)
        world.lineage[name] = tuple(order)


def _climb(world: World, name: str, order: list[str]) -> None:
    if name in order:
        return
    order.append(name)
    for parent in world.kinds[name].parents if name in world.kinds else ():
        _climb(world, parent, order)


def _add(world: World, thing: Thing) -> Thing:
    made = replace(thing, number=len(world.things) + 1)
    if made.number > MOST_THINGS:
        raise LoadError(f"there are more than {MOST_THINGS:,} things")
    world.things.append(made)
    world.number[made.id] = made.number
    world.sorts.setdefault(made.sort, []).append(made.number)
    return made


def _add_things(world: World) -> None:
    for role, count in world.settings.seats.items():
        seats = world.kinds[role].role
        assert seats is not None
        name = seats.seat or role.lower()
        for number in range(1, count + 1):
            id_ = name if seats.high == 1 else f"{name}{number}"
            world.seats[role, number] = _add(world, Thing(0, id_, role, id_, id_)).number
    if len(world.seats) > MOST_SEATS:
        raise LoadError(f"there are more than {MOST_SEATS} seats")
    for declared in world.content.things:
        if declared.kind not in world.kinds:
            raise LoadError(f"the thing `{declared.id}` has no kind")
        _add_declared(world, declared)
    for kind in world.content.kinds:
        if kind.die is not None:
            for number in range(1, kind.die.copies + 1):
                _add(world, Thing(0, f"{kind.id}_{number}", kind.id, kind.id, kind.id, copy=number))
    for thing in list(world.things):
        _add_parts(world, thing)
    _add_joints(world, list(world.things))
    world.first_made = len(world.things) + 1
    _add_spares(world)
    _add_joints(world, world.things[world.first_made - 1 :])


def _add_joints(world: World, things: list[Thing]) -> None:
    """A joint for every mark at the edge of a piece."""
    for thing in things:
        if world.is_a(thing.kind, "Piece"):
            for mark in joint_marks(world, thing):
                id_ = f"{thing.id}.{mark}"
                made = _add(world, Thing(0, id_, "Joint", id_, mark, owner=thing.number))
                world.joints[made.number] = (thing.number, mark)


def _add_spares(world: World) -> None:
    """Numbers for things that are made in play: `new K`, and copies of what exists."""
    new = {node.kind for node in world.index.nodes if isinstance(node, NewThing)}
    copied = set(_copied_kinds(world))
    for kind in world.kinds:
        if kind in new or kind in copied:
            first = len(world.things) + 1
            called = noun_of_kind(world.kinds[kind].reads, kind)
            for count in range(1, SPARES + 1):
                id_ = f"{kind.lower()}#{count}"
                _add(world, Thing(0, id_, kind, id_, f"{called} {count}"))
            world.pools.append(Pool(kind, first, SPARES, kind in copied))


def noun_of_kind(reads: str | None, kind: str) -> str:
    """What one thing of a kind is called that has no title."""
    return (reads or "").partition("|")[0].strip() or spaced(kind)


def _copied_kinds(world: World) -> Iterator[str]:
    """The kinds of things that `copy` may be asked for."""
    wanted: set[str] = set()
    for node in world.index.nodes:
        if isinstance(node, CoreFunctionCall) and node.function == "copy":
            wanted.add(_kind_copied(world, node.args[0], world.index.around[id(node)].types))
    for name in {thing.kind for thing in world.things}:
        if any(world.is_a(name, kind) for kind in wanted):
            yield name


def _kind_copied(world: World, node: object, types: Mapping[int, Type]) -> str:
    """The kind of what is copied, as far as it can be told from the text."""
    match node:
        case LocalRef():
            type_ = plain(types.get(node.number, Type("any")))
            if type_.tag == "thing":
                return type_.name
        case ThingRef() | SortRef():
            return world.kind_of_sort(node.id)
    return "Thing"


def _add_declared(world: World, declared: ThingDeclaration) -> None:
    name = declared.id
    made = Thing(
        0,
        name,
        declared.kind,
        name,
        declared.title or name,
        declared,
        declared.fields or {},
        prose=_prose(declared.text),
    )
    world.sorts.setdefault(name, [])
    if declared.per is not None:
        for number in range(1, world.settings.seats.get(declared.per, 0) + 1):
            owner = world.seats[declared.per, number]
            _add(world, replace(made, id=f"{name}_{number}", owner=owner, copy=number))
        return
    copies = 1 if declared.copies is None else declared.copies
    if copies == 1:
        _add(world, made)
        return
    for number in range(1, copies + 1):
        _add(world, replace(made, id=f"{name}_{number}", copy=number))


def _prose(text: object) -> str:
    parts = text.parts if isinstance(text, Text) else ()
    return "".join(part for part in parts if isinstance(part, str)).strip()


def _add_parts(world: World, thing: Thing) -> None:
    """Things that come with their owner, such as `left, middle, right: Stall`."""
    declared = thing.declaration
    if declared is not None and declared.inside is not None:
        owner = world.number.get(declared.inside[0], 0)
        world.things[thing.number - 1] = replace(thing, owner=owner)
    for kind in world.lineage.get(thing.kind, ()):
        for entry in world.kinds[kind].fields:
            prefix = f"{entry.name}."
            if entry.type.tag != "thing" or not any(key.startswith(prefix) for key in thing.fields):
                continue
            inner = {k[len(prefix) :]: v for k, v in thing.fields.items() if k.startswith(prefix)}
            id_ = f"{thing.id}.{entry.name}"
            _add(world, Thing(0, id_, entry.type.name, id_, entry.name, fields=inner, owner=thing.number))


def drawing_of(world: World, thing: Thing) -> tuple[str, ...]:
    """The drawing of a piece: its own, or the one its kind gives."""
    given = thing.fields.get("plan")
    for kind in world.lineage.get(thing.kind, ()):
        given = given or (world.kinds[kind].defaults or {}).get("plan")
    return given.rows if isinstance(given, Drawing) else ()


def joint_marks(world: World, thing: Thing) -> list[str]:
    """The marks of a piece's joints, in the order of the alphabet."""
    return sorted({sign for row in drawing_of(world, thing) for sign in row if sign.isupper()})


# ------------------------------------------------------------------ fields and containers
def _add_fields(world: World) -> None:
    owners: list[KindDeclaration | TraitDeclaration] = [*world.content.kinds, *world.content.traits]
    declared = {(owner.id, entry.name) for owner in owners for entry in owner.fields}
    for owner in owners:
        for entry in owner.fields:
            above = [k for k in world.lineage.get(owner.id, (owner.id,)) if (k, entry.name) in declared]
            first = above[-1] if above else owner.id
            world.fields[owner.id, entry.name] = Field(
                owner.id, entry.name, entry.type, entry, f"{first}.{entry.name}"
            )
    for kind in world.content.kinds:
        if kind.die is not None:
            face = FieldDeclaration("face", Type("any"))
            world.fields[kind.id, "face"] = Field(kind.id, "face", Type("any"), face, f"{kind.id}.face")


def _add_piles(world: World) -> None:
    """Containers have the numbers after the things; the engine's own two come first."""
    for name in ("box", "limbo"):
        _add_pile(world, Pile(0, name, "pile", "Thing"))
    for pile in world.content.piles:
        _add_pile(world, Pile(0, pile.id, pile.form, pile.kind, pile))
    for thing in world.things:
        for name, entry in world.fields_of(thing.kind).items():
            container = entry.declaration.pile
            if entry.tag == "pile" and container is not None:
                kind = plain(entry.type).name
                id_ = f"{thing.id}.{name}"
                _add_pile(world, Pile(0, id_, container.form, kind, container, thing.number, name))


def _add_pile(world: World, pile: Pile) -> None:
    made = replace(pile, number=len(world.things) + 1 + len(world.piles))
    world.piles.append(made)
    world.pile_numbers[made.id] = made.number
    if made.field:
        world.pile_fields[made.owner, made.field] = made.number


# ------------------------------------------------------------------ rules
def _add_rules(world: World) -> None:
    """Every rule with its bearer, in the order in which rules of one layer run."""
    content = world.content
    for rule in content.rules:
        _add_rule(world, rule)
    for kind in content.kinds:
        for rule in kind.rules:
            _add_rule(world, rule, "kind", kind.id)
    for trait in content.traits:
        for rule in trait.rules:
            _add_rule(world, rule, "trait", trait.id)
    for thing in content.things:
        bearer = "chapter" if world.is_a(thing.kind, "Chapter") else "thing"
        for rule in thing.rules:
            _add_rule(world, rule, bearer, thing.id)
        for ending in thing.ends:
            body: Body = (CoreCall("end_chapter", CoreArguments(), ending.at),)
            layer = 4 if bearer == "chapter" else 6
            watch = StateRule(ending.condition, body, ending.at, locals=ending.locals, layer=layer)
            _add_rule(world, watch, bearer, thing.id)
    for thing in content.things:
        for line in thing.cast:
            _add_cast_rules(world, line)
    for node in world.index.nodes:
        if isinstance(node, Until):
            rules = [r for rule in node.rules for r in _several(rule)]
            made = [entry for rule in rules for entry in _add_rule(world, rule, "until")]
            world.until_rules[id(node)] = tuple(made)


def _add_cast_rules(world: World, line: CastLine) -> None:
    made = [entry for rule in line.rules for entry in _add_rule(world, rule, "cast")]
    if made:
        world.cast_rules[id(line)] = tuple(made)


def _several(rule: Rule) -> tuple[Rule, ...]:
    return rule.rules if isinstance(rule, SeveralRules) else (rule,)


def _add_rule(world: World, rule: Rule, bearer: str = "", owner: str = "") -> list[RuleEntry]:
    made = []
    for one in _several(rule):
        assert not isinstance(one, SeveralRules)
        if not world.may_be(one.guards):
            continue
        for resolved in _by_owner(world, one):
            entry = RuleEntry(len(world.rules), resolved, bearer, owner)
            world.rules.append(entry)
            made.append(entry)
    return made


def _by_owner(world: World, rule: Rule) -> Iterator[Rule]:
    """A rule as it stands; one that modifies a field of somebody unknown stands for every kind with that field."""
    unknown = (
        isinstance(rule, ModifyRule)
        and rule.of is not None
        and rule.of.kind is None
        and isinstance(rule.of.equals, Property | SelfRef)
    )
    if not unknown:
        yield rule
        return
    assert isinstance(rule, ModifyRule)
    seen: set[str] = set()
    for (owner, name), entry in world.fields.items():
        if name == rule.field and entry.first not in seen:
            seen.add(entry.first)
            yield changed(rule, owner=owner)
