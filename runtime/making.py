"""Things made while a game runs, and unmade when its state goes back."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from talewright.runtime.layout import LOOSE, Thing, joint_marks

if TYPE_CHECKING:
    from talewright.runtime.game import Game

PER_THING = (
    "LOC", "UP", "KNOWN", "SORT", "TITLES", "OWNER", "KIND_OF", "WATCH", "TRAITS", "ACTIVE", "FORCE",
    "TURNED", "THING_IDS",
)  # fmt: skip
PER_PILE = (
    "ITEMS", "PILE_MAX", "PILE_FACE", "PILE_DECK", "PILE_OWNER", "PILE_SOURCE", "PILE_NAME", "PILE_RETURNS",
    "PILE_LOOSE",
)  # fmt: skip


def make(game: Game, kind: str | None, model: int | None) -> int:
    """A new thing of a kind, or one like another."""
    layout, space = game.layout, game.space
    if model is not None:
        like = layout.things[model]
        kind, sort, title, source = like.kind, like.sort, like.title, like.source
        name = sort
    else:
        assert kind is not None
        name, sort, source = kind.lower(), "", {}
        title = kind
    made_before = sum(1 for t in layout.things[game.first_made :] if t.id.partition("#")[0] == name)
    id_ = f"{name}#{made_before + 1}"
    thing = Thing(
        game.numbers[len(layout.things)],
        id_,
        kind,
        sort or id_,
        title if model is not None else f"{title} {made_before + 1}",
        source,
    )
    add(game, thing)
    for field in {f.number: f for f in layout.fields_of(kind).values()}.values():
        if field.tag != "pile" and model is not None:
            space[f"F{field.number}"][thing.number] = copy(space[f"F{field.number}"][model])
    if model is None:
        space[f"MK{game.program.kind_number(kind)}"](thing.number)
    _set_defaults(game, thing)
    if layout.is_a(kind, "Piece"):
        for mark in joint_marks(layout, thing):
            _make_joint(game, thing, mark)
    space["refresh"](thing.number)
    space["look_again"]("things")
    return thing.number


def _make_joint(game: Game, piece: Thing, mark: str) -> None:
    id_ = f"{piece.id}.{mark}"
    joint = Thing(
        game.numbers[len(game.layout.things)],
        id_,
        "Joint",
        id_,
        mark,
        {"joint": (piece.number, mark)},
        piece.number,
    )
    add(game, joint)
    game.space[f"MK{game.program.kind_number('Joint')}"](joint.number)
    _set_defaults(game, joint)


def _set_defaults(game: Game, thing: Thing) -> None:
    """What a cell goes back to when its time is over."""
    for field in game.layout.fields_of(thing.kind).values():
        game.space[f"FD{field.number}"][thing.number] = game.space[f"F{field.number}"][thing.number]


def add(game: Game, thing: Thing) -> None:
    """Room for one more thing in every column, and its rules."""
    layout, space, number = game.layout, game.space, thing.number
    layout.things.append(thing)
    layout.number[thing.id] = number
    nowhere = space["NOWHERE"]
    first: tuple[Any, ...] = (
        nowhere,
        1,
        -1,
        thing.sort,
        thing.title,
        thing.owner,
        thing.kind,
        None,
        [],
        False,
        None,
        0,
        thing.id,
    )
    for name, value in zip(PER_THING, first, strict=True):
        space[name].append(value)
    space["ITEMS"][nowhere].append(number)
    for column in space["TOKENS"].values():
        column.append(0)
    for field in {f.number: f for f in layout.fields.values()}.values():
        space[f"F{field.number}"].append(None)
        space[f"FD{field.number}"].append(None)
    for kind in layout.lineage[thing.kind]:
        index = game.program.kind_number(kind)
        space[f"K{index}"].append(number)
        space[f"Q{index}"].add(number)
    space["SORTS"].setdefault(thing.sort, []).append(number)
    if "joint" in thing.source:
        space["JOINT_AT"][number] = thing.source["joint"]
    if thing.number in space.get("PIECES", ()) or layout.is_a(thing.kind, "Piece"):
        space.setdefault("PIECES", set()).add(number)
    if "FIGURES" in space and layout.is_a(thing.kind, "Figure"):
        space["FIGURES"].add(number)
    _add_piles(game, thing)
    game.bear_rules(thing)


def _add_piles(game: Game, thing: Thing) -> None:
    layout, space = game.layout, game.space
    for name, field in layout.fields_of(thing.kind).items():
        if field.tag == "pile":
            source = field.source["pile"]
            pile = _add_pile(game, f"{thing.id}.{name}", source["form"], source, thing.number)
            space[f"F{field.number}"][thing.number] = pile
    if layout.is_a(thing.kind, "Place"):
        pile = _add_pile(game, f"@{thing.id}", "place", {}, thing.number)
        space["OCCUPANTS"][thing.number] = pile
        space["PLACE_OF_PILE"][pile] = thing.number
    limits = space.get(f"MP{game.program.kind_number(thing.kind)}")
    if limits is not None:
        limits(thing.number)


def _add_pile(game: Game, name: str, form: str, source: Any, owner: int) -> int:
    space = game.space
    face = None if form == "place" else game.program.face_of(form, source)
    stream = f"{'bag' if form == 'bag' else 'pile'}:{name}"
    first: tuple[Any, ...] = (
        [],
        None,
        face,
        form == "deck",
        owner,
        None,
        stream,
        bool(source.get("returning")),
        form in LOOSE,
    )
    for column, value in zip(PER_PILE, first, strict=True):
        space[column].append(value)
    number = len(space["ITEMS"]) - 1
    space["HANDS"].pop(number, None)
    deciding = space["DECIDES"].get(game.layout.things[owner].kind)
    if form == "hand" and deciding is not None:
        space["HANDS"][number] = deciding
    return number


def vanish(game: Game, thing: int) -> None:
    """A made thing in the box exists no more."""
    space = game.space
    kind = game.layout.things[thing].kind
    for name in game.layout.lineage[kind]:
        index = game.program.kind_number(name)
        if thing in space[f"Q{index}"]:
            space[f"K{index}"].remove(thing)
            space[f"Q{index}"].discard(thing)
    copies = space["SORTS"].get(space["SORT"][thing], [])
    if thing in copies:
        copies.remove(thing)
    for entry in space["BEARER_RULES"].get(thing, ()):
        space["uninstall"](entry)
    space["ACTIVE"][thing] = False
    for gained in list(space["TRAITS"][thing]):
        space["lose_trait"](thing, gained)
    space["look_again"]("things")


def unmake(game: Game, count: int) -> None:
    """Forgets every thing beyond a number of things."""
    layout, space = game.layout, game.space
    while len(layout.things) > count:
        thing = layout.things.pop()
        number = thing.number
        layout.number.pop(thing.id, None)
        for kind in layout.lineage[thing.kind]:
            index = game.program.kind_number(kind)
            if number in space[f"Q{index}"]:
                space[f"K{index}"].remove(number)
                space[f"Q{index}"].discard(number)
        copies = space["SORTS"].get(thing.sort, [])
        if number in copies:
            copies.remove(number)
        space["OCCUPANTS"].pop(number, None)
        space["BEARER_RULES"].pop(number, None)
        for name in ("JOINT_AT", "STANDS"):
            space.get(name, {}).pop(number, None)
        for name in ("PIECES", "FIGURES"):
            space.get(name, set()).discard(number)
    game.forget_rules(count)
    for name in PER_THING:
        del space[name][count:]
    for column in space["TOKENS"].values():
        del column[count:]
    for field in layout.fields.values():
        del space[f"F{field.number}"][count:]
        del space[f"FD{field.number}"][count:]
    piles = next(
        (p for p in range(game.first_pile, len(space["ITEMS"])) if space["PILE_OWNER"][p] >= count),
        len(space["ITEMS"]),
    )
    for pile in range(piles, len(space["ITEMS"])):
        space["PLACE_OF_PILE"].pop(pile, None)
    for name in PER_PILE:
        del space[name][piles:]


# ------------------------------------------------------------------ copies of the state
def keep(game: Game) -> dict[str, Any]:
    """The things made so far, with what stands in their columns, and which things of each kind exist."""
    space, first = game.space, game.first_made
    numbers = sorted({f.number for f in game.layout.fields.values() if f.tag != "pile"})
    return {
        "made": list(game.layout.things[first:]),
        "columns": {n: list(space[f"F{n}"][first:]) for n in numbers},
        "defaults": {n: list(space[f"FD{n}"][first:]) for n in numbers},
        "kinds": {k: list(space[f"K{game.program.kind_number(k)}"]) for k in game.layout.kinds},
        "sorts": {name: list(numbers) for name, numbers in space["SORTS"].items() if numbers},
    }


def make_room(game: Game, saved: dict[str, Any]) -> None:
    """As many things as there were when a copy was taken, before the rest of the copy comes back."""
    things, first = game.layout.things, game.first_made
    same = 0
    for have, want in zip(things[first:], saved["made"], strict=False):
        if have is not want:
            break
        same += 1
    unmake(game, first + same)
    for thing in saved["made"][same:]:
        add(game, thing)


def put_back(game: Game, saved: dict[str, Any]) -> None:
    """The columns of made things, and which things exist."""
    space, first = game.space, game.first_made
    for number, column in saved["columns"].items():
        space[f"F{number}"][first:] = column
        space[f"FD{number}"][first:] = saved["defaults"][number]
    for kind, things in saved["kinds"].items():
        index = game.program.kind_number(kind)
        if space[f"K{index}"] != things:
            space[f"K{index}"][:] = things
            space[f"Q{index}"].clear()
            space[f"Q{index}"].update(things)
    space["SORTS"].clear()
    space["SORTS"].update({name: list(numbers) for name, numbers in saved["sorts"].items()})
