"""What a seat may see: the rule that every picture of a table keeps to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from talewright.runtime.game import Game
from talewright.runtime.labels import hidden_name, shown_title

Seat = int | tuple[int, ...] | Literal["all"] | None
ALL: Literal["all"] = "all"


def visible(game: Game, thing: int, seat: Seat) -> bool:
    """Whether whoever looks knows the face of a thing; several seats know what each of them knows."""
    if seat == "all" or game.space["UP"][thing]:
        return True
    seats = () if seat is None else (seat,) if isinstance(seat, int) else seat
    if game.untouched(thing):
        return bool(seats) and all((thing, s) in game.shown for s in seats)
    return bool(seats) and all(game.space["knows"](s, thing) for s in seats)


def name_of(game: Game, thing: int, seat: Seat) -> str:
    """The title of a thing, or what can be said of it face down."""
    return game.title(thing) if visible(game, thing, seat) else hidden_name(game, thing)


def content(game: Game, things: list[int], seat: Seat) -> str:
    """Things in a few words, copies counted."""
    counted: dict[str, int] = {}
    for thing in things:
        name = in_a_row(shown_title(game, thing)) if visible(game, thing, seat) else "face down"
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if count == 1 else f"{name} x{count}" for name, count in counted.items())


def in_a_row(title: str) -> str:
    """A title among others: one with a comma in it would be taken for two."""
    return f'"{title}"' if "," in title or ";" in title else title


def hidden_fields(game: Game) -> list[tuple[Any, list[int]]]:
    """The fields marked `hidden`, each with the things that have it."""
    fields = [f for f in game.layout.fields.values() if "hidden" in f.source.get("flags", ())]
    return [(field, game.layout.of_kind(field.owner)) for field in fields]


def open_field(game: Game, thing: int, field: Any, seat: Seat) -> bool:
    """Whether a field may be read: hidden ones only by the seat the thing belongs to."""
    if "hidden" not in field.source.get("flags", ()):
        return True
    owner = game.space["prop_owner"](thing)
    return isinstance(seat, int) and seat in (owner, thing)


def named_in(game: Game, text: str) -> list[int]:
    """The things whose titles stand in a text as words of their own."""
    titles = [(game.title(t.number), t.number) for t in game.layout.things]
    found = [(title, number) for title, number in titles if title in text]
    return [n for title, n in found if re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text) is not None]


def secret(game: Game, text: str, seat: Seat) -> bool:
    """Whether a text names something that the seat does not know."""
    return untold(game, named_in(game, text), seat)


def untold(game: Game, named: Iterable[int], seat: Seat) -> bool:
    """Whether among things that are named there is one that the seat does not know, nor another of its title."""
    known: set[str] = set()
    unknown: set[str] = set()
    for thing in named:
        (known if visible(game, thing, seat) else unknown).add(game.title(thing))
    return bool(unknown - known)


def private(game: Game, named: Iterable[int], deciders: tuple[int, ...], seat: Seat) -> bool:
    """Whether things named in a text made for those who decide may be what only they know.

    What the back of a thing shows is public, so only things with such a back count as they know; of these a copy that
    everybody sees is no excuse: the text may mean another one.
    """
    backs = {game.back(thing) for thing in named if not visible(game, thing, seat)}
    return any(
        game.back(t.number) in backs and not visible(game, t.number, seat) and visible(game, t.number, one)
        for t in (game.layout.things if backs else ())
        for one in deciders
    )


def secrets_between(game: Game, one: Seat, other: Seat) -> bool:
    """Whether one of two seats knows a face or a hidden field that the other does not."""
    return any(
        not game.space["UP"][t.number] and visible(game, t.number, one) != visible(game, t.number, other)
        for t in game.layout.things
    ) or any(
        open_field(game, thing, field, one) != open_field(game, thing, field, other)
        for field, things in hidden_fields(game)
        for thing in things
    )


def words(name: str) -> str:
    """A name of the language as people read it."""
    return name.replace("_", " ")


def kind_words(name: str) -> str:
    """A kind as people read it: `NightCreature` is a night creature."""
    return "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def value_text(game: Game, value: Any, kind: Any, seat: Seat) -> str:
    """A value as people read it, without what the seat does not know."""
    if isinstance(kind, list) and kind[0] == "optional":
        kind = kind[2][0]
    tag = kind[0] if isinstance(kind, list) else kind
    if value is None:
        return "none"
    if tag == "thing" and isinstance(value, int):
        return name_of(game, value, seat)
    if tag == "pile" and isinstance(value, int):
        return content(game, game.space["ITEMS"][value], seat) or "nothing"
    if isinstance(value, (list, tuple)) and all(isinstance(v, int) for v in value) and tag in ("set", "list"):
        inner = kind[2][0] if isinstance(kind, list) else None
        return ", ".join(value_text(game, v, inner, seat) for v in value) or "nothing"
    return str(game.space["show_value"](value, _frozen(kind)))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
