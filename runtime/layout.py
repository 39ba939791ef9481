"""What exists in one game of a document: options, seats, things, fields, piles, tokens and tracks, numbered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from talewright.runtime.faults import LoadError

IR = dict[str, Any]
CORE_PILES = ("box",)
MOST_THINGS = 200_000


@dataclass(slots=True)
class Thing:
    """One thing: its number, id, kind, the sort it is a copy of, and what it belongs to."""

    number: int
    id: str
    kind: str
    sort: str
    title: str
    source: IR
    owner: int | None = None
    copy: int = 0


@dataclass(slots=True)
class Field:
    """One field of a kind: the column that holds it, and how."""

    number: int
    owner: str
    name: str
    type: Any
    source: IR
    first: str = ""

    def mutable_now(self, program: Any) -> bool:
        """Whether any code of the program writes the field."""
        return self.first in program.written_fields

    @property
    def tag(self) -> str:
        """The tag of its type, without `or none`."""
        kind = self.type
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        return kind if isinstance(kind, str) else str(kind[0])


# Forms of containers out of which nobody but the holder sees which thing is taken.
LOOSE = ("hand", "bag")


@dataclass(slots=True)
class Pile:
    """One container: top level, of a field, or the occupants of a place."""

    number: int
    id: str
    form: str
    source: IR
    owner: int | None = None
    field: str = ""

    @property
    def loose(self) -> bool:
        """Whether only the holder sees which thing is taken out."""
        return self.form in LOOSE


@dataclass(slots=True)
class Layout:
    """The numbered world of one combination of document, options and seats."""

    content: IR
    options: dict[str, Any]
    seats: dict[str, int]
    kinds: dict[str, IR] = field(default_factory=dict)
    lineage: dict[str, tuple[str, ...]] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    number: dict[str, int] = field(default_factory=dict)
    sorts: dict[str, list[int]] = field(default_factory=dict)
    fields: dict[tuple[str, str], Field] = field(default_factory=dict)
    piles: list[Pile] = field(default_factory=list)
    pile_number: dict[str, int] = field(default_factory=dict)
    occupants: dict[int, int] = field(default_factory=dict)
    scalars: dict[str, int] = field(default_factory=dict)
    seat_numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    joints: dict[int, tuple[int, str]] = field(default_factory=dict)

    def is_a(self, kind: str, other: str) -> bool:
        """Whether every thing of one kind is of the other."""
        return other in self.lineage.get(kind, ())

    def surely_taken(self, seat: int) -> bool:
        """Whether somebody must sit at a seat; one that may stay empty is heard of when it first decides."""
        return bool(self.kinds[self.things[seat].kind]["role"]["low"] > 0)

    def of_kind(self, kind: str) -> list[int]:
        """The things of a kind in order of declaration."""
        return [t.number for t in self.things if self.is_a(t.kind, kind)]

    def fields_of(self, kind: str) -> dict[str, Field]:
        """The fields a thing of a kind is born with."""
        found: dict[str, Field] = {}
        for owner in reversed(self.lineage.get(kind, ())):
            for (own, name), entry in self.fields.items():
                if own == owner:
                    found[name] = entry
        return found


def build(content: IR, options: dict[str, Any], players: int | None) -> Layout:
    """Numbers everything that exists under these options with so many players."""
    layout = Layout(content, settle_options(content, options), {})
    _kinds(layout)
    _seats(layout, players)
    _things(layout)
    _fields(layout)
    _piles(layout)
    return layout


# ------------------------------------------------------------------ options
def settle_options(content: IR, chosen: dict[str, Any]) -> dict[str, Any]:
    """Every option with its value; unknown names and values are refused."""
    settled: dict[str, Any] = {}
    known = {option["id"]: option for option in content["options"]}
    for name in chosen:
        if name not in known:
            raise LoadError(f"there is no option `{name}`; there are {', '.join(known) or 'none'}")
    for name, option in known.items():
        value = chosen.get(name, constant(option["default"], settled))
        settled[name] = _option_value(name, option["type"], value)
    return settled


def _option_value(name: str, kind: Any, value: Any) -> Any:
    tag = kind if isinstance(kind, str) else kind[0]
    if tag == "truth":
        if isinstance(value, str):
            if value not in ("yes", "no"):
                raise LoadError(f"`{name}` is yes or no, not `{value}`")
            return value == "yes"
        return bool(value)
    if tag in ("int", "range", "ints"):
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise LoadError(f"`{name}` is a number, not `{value}`") from None
        if tag == "range" and not kind[2][0] <= number <= kind[2][1]:
            raise LoadError(f"`{name}` lies between {kind[2][0]} and {kind[2][1]}, not {number}")
        if tag == "ints" and number not in kind[2]:
            raise LoadError(f"`{name}` is one of {', '.join(map(str, kind[2]))}, not {number}")
        return number
    if tag == "words" and value not in kind[2]:
        raise LoadError(f"`{name}` is one of {', '.join(kind[2])}, not `{value}`")
    return value


def constant(ir: IR, options: dict[str, Any]) -> Any:
    """The value of an expression that reads nothing but options."""
    match ir["op"]:
        case "int" | "truth" | "word":
            return ir["v"]
        case "none":
            return None
        case "option":
            return options[ir["id"]]
        case "not":
            return not constant(ir["of"], options)
        case "and":
            return constant(ir["a"], options) and constant(ir["b"], options)
        case "or":
            return constant(ir["a"], options) or constant(ir["b"], options)
        case "same" | "eq":
            return constant(ir["a"], options) == constant(ir["b"], options)
        case "ne":
            return constant(ir["a"], options) != constant(ir["b"], options)
        case "lt":
            return constant(ir["a"], options) < constant(ir["b"], options)
        case "le":
            return constant(ir["a"], options) <= constant(ir["b"], options)
        case "gt":
            return constant(ir["a"], options) > constant(ir["b"], options)
        case "ge":
            return constant(ir["a"], options) >= constant(ir["b"], options)
    raise LoadError("a condition around declarations may read only options")


def holds(item: IR, layout: Layout) -> bool:
    """Whether the options around a declaration let it exist."""
    return all(constant(condition, layout.options) for condition in item.get("while", ()))


# ------------------------------------------------------------------ kinds, seats, things
def _kinds(layout: Layout) -> None:
    layout.kinds = {kind["id"]: kind for kind in layout.content["kinds"]}

    def climb(name: str, order: list[str], depth: int) -> None:
        if name in order or depth > 100:
            return
        order.append(name)
        for parent in layout.kinds.get(name, {}).get("parents", ()):
            climb(parent, order, depth + 1)

    for name in layout.kinds:
        order: list[str] = []
        climb(name, order, 0)
        layout.lineage[name] = tuple(order)


def _seats(layout: Layout, players: int | None) -> None:
    roles = [kind for kind in layout.content["kinds"] if "role" in kind]
    main = next((r for r in roles if r["role"]["high"] > 1), None)
    for role in roles:
        low, high = role["role"]["low"], role["role"]["high"]
        count = high
        if role is main:
            count = max(low, 1) if players is None else players
            if not low <= count <= high:
                raise LoadError(f"this is for {low} to {high} players, not {count}")
        layout.seats[role["id"]] = count


def _add(layout: Layout, thing: Thing) -> Thing:
    thing.number = len(layout.things)
    if thing.number == MOST_THINGS:
        raise LoadError(f"there are more than {MOST_THINGS:,} things")
    layout.things.append(thing)
    layout.number[thing.id] = thing.number
    layout.sorts.setdefault(thing.sort, []).append(thing.number)
    return thing


def _things(layout: Layout) -> None:
    for role, count in layout.seats.items():
        seat = layout.kinds[role]["role"].get("seat", role.lower())
        single = layout.kinds[role]["role"]["high"] == 1
        for number in range(1, count + 1):
            name = seat if single else f"{seat}{number}"
            made = _add(layout, Thing(0, name, role, name, name, {}))
            layout.seat_numbers[role, number] = made.number
    for source in layout.content["things"]:
        if source["kind"] not in layout.kinds:
            raise LoadError(f"the thing `{source['id']}` has no kind")
        _one_thing(layout, source)
    for kind in layout.content["kinds"]:
        if "die" in kind:
            for number in range(1, kind["die"]["copies"] + 1):
                _add(
                    layout,
                    Thing(0, f"{kind['id']}_{number}", kind["id"], kind["id"], kind["id"], {}, None, number),
                )
    for thing in list(layout.things):
        _parts(layout, thing)
    for thing in list(layout.things):
        if layout.is_a(thing.kind, "Piece"):
            for mark in joint_marks(layout, thing):
                made = _add(
                    layout,
                    Thing(0, f"{thing.id}.{mark}", "Joint", f"{thing.id}.{mark}", mark, {}, thing.number),
                )
                layout.joints[made.number] = (thing.number, mark)


def drawing_of(layout: Layout, thing: Thing) -> list[str] | None:
    """The drawing of a piece: its own, or the one its kind gives."""
    given = thing.source.get("fields", {}).get("plan")
    for kind in layout.lineage.get(thing.kind, ()):
        given = given or layout.kinds[kind].get("defaults", {}).get("plan")
    return list(given["rows"]) if given and given["op"] == "drawing" else None


def joint_marks(layout: Layout, thing: Thing) -> list[str]:
    """The marks of a piece's joints, in the order of the alphabet."""
    return sorted({sign for row in drawing_of(layout, thing) or () for sign in row if sign.isupper()})


def _one_thing(layout: Layout, source: IR) -> None:
    name, kind = str(source["id"]), str(source["kind"])
    title = str(source.get("title", name))
    if "per" in source:
        for number in range(1, layout.seats.get(source["per"], 0) + 1):
            owner = layout.seat_numbers[source["per"], number]
            _add(layout, Thing(0, f"{name}_{number}", kind, name, title, source, owner, number))
        layout.sorts.setdefault(name, [])
        return
    copies = source.get("copies", 1)
    if copies == 1:
        _add(layout, Thing(0, name, kind, name, title, source))
        return
    for number in range(1, copies + 1):
        _add(layout, Thing(0, f"{name}_{number}", kind, name, title, source, None, number))
    layout.sorts.setdefault(name, [])


def _parts(layout: Layout, thing: Thing) -> None:
    """Fields of a kind that come with their thing: `left, middle, right: Stall`."""
    given = thing.source.get("fields", {})
    if "inside" in thing.source:
        owner = layout.number.get(thing.source["inside"][0])
        thing.owner = owner
    for kind in layout.lineage.get(thing.kind, ()):
        for entry in layout.kinds[kind].get("fields", ()):
            type_ = entry["type"]
            prefix = f"{entry['name']}."
            is_part = (
                isinstance(type_, list) and type_[0] == "thing" and any(k.startswith(prefix) for k in given)
            )
            if not is_part:
                continue
            inner = {k[len(prefix) :]: v for k, v in given.items() if k.startswith(prefix)}
            source = {"id": f"{thing.id}.{entry['name']}", "kind": type_[1], "fields": inner}
            name = f"{thing.id}.{entry['name']}"
            _add(layout, Thing(0, name, type_[1], name, entry["name"], source, thing.number))


def _fields(layout: Layout) -> None:
    """Columns of fields; a kind that declares a field of its parent anew shares its column."""
    owners = [*layout.content["kinds"], *layout.content["traits"]]
    declared = {(owner["id"], entry["name"]) for owner in owners for entry in owner.get("fields", ())}
    numbers: dict[tuple[str, str], int] = {}
    for owner in owners:
        for entry in owner.get("fields", ()):
            name = entry["name"]
            above = [k for k in layout.lineage.get(owner["id"], (owner["id"],)) if (k, name) in declared]
            first = above[-1] if above else owner["id"]
            number = numbers.setdefault((first, name), len(numbers))
            layout.fields[owner["id"], name] = Field(
                number, owner["id"], name, entry["type"], entry, f"{first}.{name}"
            )
    for kind in layout.content["kinds"]:
        if "die" in kind:
            name = kind["id"]
            number = numbers.setdefault((name, "face"), len(numbers))
            layout.fields[name, "face"] = Field(number, name, "face", "any", {"name": "face"}, f"{name}.face")


def _piles(layout: Layout) -> None:
    def add(name: str, form: str, source: IR, owner: int | None = None, field_name: str = "") -> int:
        number = len(layout.piles)
        layout.piles.append(Pile(number, name, form, source, owner, field_name))
        layout.pile_number[name] = number
        return number

    for name in CORE_PILES:
        add(name, "pile", {})
    for pile in layout.content["piles"]:
        add(pile["id"], pile["form"], pile)
    for thing in layout.things:
        for name, entry in layout.fields_of(thing.kind).items():
            if entry.tag == "pile":
                add(
                    f"{thing.id}.{name}",
                    entry.source["pile"]["form"],
                    entry.source["pile"],
                    thing.number,
                    name,
                )
        if layout.is_a(thing.kind, "Place"):
            layout.occupants[thing.number] = add(f"@{thing.id}", "place", {}, thing.number)


def frozen(value: Any) -> Any:
    """A type of the document as tuples, so that it can be a key."""
    return tuple(frozen(v) for v in value) if isinstance(value, list) else value
