"""What options that are things are called: as much as the decider knows, and enough to tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.game import Game


def knows_face(game: Game, thing: int, seats: Iterable[int]) -> bool:
    """Whether all of these seats know the face of a thing."""
    space = game.space
    return bool(space["UP"][thing]) or all(space["knows"](seat, thing) for seat in seats)


def hidden_name(game: Game, thing: int) -> str:
    """What can be said of a thing whose face is not known."""
    kind = game.layout.things[thing].kind
    words = "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(kind))
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words} face down"


def hidden_id(game: Game, thing: int) -> str:
    """An option id that tells no more than where a thing lies and what its back shows."""
    pile = game.space["LOC"][thing]
    return f"face down: {game.space['PILE_NAME'][pile].partition(':')[2]} {game.layout.things[thing].kind}"


def shown_title(game: Game, thing: int) -> str:
    """The title of a thing; a die is called by the face that is up."""
    die = game.space["DICE"].get(thing)
    if die is None:
        return game.title(thing)
    kind, _, _, faces = die
    face = faces[thing]
    names_things = game.layout.kinds[kind]["die"]["faces"][0]["op"] == "thing"
    return game.title(face) if names_things else str(face)


def thing_label(game: Game, thing: int, among: Sequence[Any], seats: tuple[int, ...]) -> str:
    """The label of a thing among others: title, content of a part, and where it is when titles agree."""
    if not knows_face(game, thing, seats):
        return with_place(game, hidden_name(game, thing), thing)
    label = _own_label(game, thing, seats)
    same = [t for t in among if isinstance(t, int) and t != thing and _own_label(game, t, seats) == label]
    owners = {game.layout.things[t].owner for t in among if isinstance(t, int)}
    if is_part(game, thing) and (same or len(owners) > 1):
        return f"{game.title(game.layout.things[thing].owner)}, {label}"
    return with_place(game, label, thing) if same else label


def is_part(game: Game, thing: int) -> bool:
    """Whether a thing came with another as one of its fields."""
    entry = game.layout.things[thing]
    return entry.owner is not None and entry.id.startswith(f"{game.layout.things[entry.owner].id}.")


def held_by(game: Game, thing: int) -> list[int]:
    """Everything that lies in the containers of a thing."""
    space = game.space
    found: list[int] = []
    for field in game.layout.fields_of(game.layout.things[thing].kind).values():
        if field.tag == "pile":
            found += space["ITEMS"][space[f"F{field.number}"][thing]]
    return found


def _own_label(game: Game, thing: int, seats: tuple[int, ...]) -> str:
    title = shown_title(game, thing)
    if not is_part(game, thing):
        return title
    held = [
        shown_title(game, t) if knows_face(game, t, seats) else hidden_name(game, t)
        for t in held_by(game, thing)
    ]
    return f"{title.replace('_', ' ')}: {', '.join(held) or 'empty'}"


def with_place(game: Game, label: str, thing: int) -> str:
    """A label with where the thing is: its place, whoever holds it, or the pile it lies in."""
    space = game.space
    place = space["prop_place"](thing)
    if place is None:
        place = space["prop_holder"](thing)
    if place is not None:
        return f"{label} ({game.title(place)})" if place != thing else label
    pile = space["LOC"][thing]
    if pile in (space["BOX"], space["LIMBO"], space["NOWHERE"]):
        return label
    return f"{label} ({space['PILE_NAME'][pile].partition(':')[2].replace('_', ' ')})"
