"""What a seat may see: the rule that every picture of a table keeps to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from talewright.runtime.host.decisions import hidden_name
from talewright.runtime.model.world import Field, plain
from talewright.runtime.observe.values import Value
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.types import Type
from talewright.schemas.wording import noun_text

Seat = int | tuple[int, ...] | Literal["all"] | None
ALL: Literal["all"] = "all"


def visible(view: View, thing: int, seat: Seat) -> bool:
    """Whether whoever looks knows the face of a thing; several seats know what each of them knows."""
    if seat == ALL or view.face_up(thing):
        return True
    seats = seats_of(seat)
    return bool(seats) and all(view.knows(one, thing) for one in seats)


def seats_of(seat: Seat) -> tuple[int, ...]:
    """The seats that look; nobody's for those who only watch, or who see everything."""
    if seat is None or seat == ALL:
        return ()
    return (seat,) if isinstance(seat, int) else tuple(seat)


def name_of(view: View, thing: int, seat: Seat) -> str:
    """The title of a thing, or what can be said of it face down."""
    return view.title(thing) if visible(view, thing, seat) else hidden_name(view.words, thing)


def content(view: View, things: Iterable[int], seat: Seat) -> str:
    """Things in a few words, copies counted."""
    counted: dict[str, int] = {}
    for thing in things:
        name = "face down"
        if visible(view, thing, seat):
            told = marks(view, thing, seat)
            name = in_a_row(title_of_many(view, thing)) + (f" ({', '.join(told)})" if told else "")
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if count == 1 else f"{name} x{count}" for name, count in counted.items())


def title_of_many(view: View, thing: int) -> str:
    """A title without the number that only tells apart what was made in play."""
    title = view.shown_title(thing)
    made = thing >= view.program.world.first_made and title == view.thing(thing).title
    return title.rpartition(" ")[0] if made else title


def marks(view: View, thing: int, seat: Seat) -> list[str]:
    """What has become of a thing, where the author has words for it: `2 wounds`, `possessed`."""
    told = []
    for field in view.fields(thing).values():
        said = field.declaration.reads
        if not said or field.declaration.track is not None or not open_field(view, thing, field, seat):
            continue
        value = view.stored(thing, field)
        one, _, many = noun_text(said).partition("|")
        if field.tag == "truth" and value:
            told.append(one)
        elif field.tag == "int" and many and value:
            told.append(f"{value} {one if value == 1 else many}")
    return told


def in_a_row(title: str) -> str:
    """A title among others: one with a comma in it would be taken for two."""
    return f'"{title}"' if "," in title or ";" in title else title


def is_hidden(field: Field) -> bool:
    """Whether a field is marked `hidden`."""
    return "hidden" in field.declaration.flags


def hidden_fields(view: View) -> list[tuple[Field, list[int]]]:
    """The fields marked `hidden`, each with the things that have it."""
    return [
        (field, [thing.number for thing in view.things if view.is_kind(thing.number, field.owner)])
        for field in view.program.world.fields.values()
        if is_hidden(field)
    ]


def open_field(view: View, thing: int, field: Field, seat: Seat) -> bool:
    """Whether a field may be read: hidden ones only by the seat the thing belongs to."""
    if not is_hidden(field):
        return True
    return isinstance(seat, int) and seat in (view.owner_of(thing), thing)


def named_in(view: View, text: str) -> list[int]:
    """The things whose titles stand in a text as words of their own."""
    titles = [(view.title(t.number), t.number) for t in view.things]
    found = [(title, number) for title, number in titles if title in text]
    return [n for title, n in found if re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text) is not None]


def secret(view: View, text: str, seat: Seat) -> bool:
    """Whether a text names something that the seat does not know."""
    return untold(view, named_in(view, text), seat)


def untold(view: View, named: Iterable[int], seat: Seat) -> bool:
    """Whether among things that are named there is one that the seat does not know, nor another of its title."""
    known: set[str] = set()
    unknown: set[str] = set()
    for thing in named:
        (known if visible(view, thing, seat) else unknown).add(view.title(thing))
    return bool(unknown - known)


def private(view: View, named: Iterable[int], deciders: tuple[int, ...], seat: Seat) -> bool:
    """Whether things named in a text made for those who decide may be what only they know.

    What the back of a thing shows is public, so only things with such a back count as they know; of these a copy that
    everybody sees is no excuse: the text may mean another one.
    """
    backs = {view.back(thing) for thing in named if not visible(view, thing, seat)}
    return any(
        view.back(t.number) in backs and not visible(view, t.number, seat) and visible(view, t.number, one)
        for t in (view.things if backs else ())
        for one in deciders
    )


def secrets_between(view: View, one: Seat, other: Seat) -> bool:
    """Whether one of two seats knows a face or a hidden field that the other does not."""
    return any(
        not view.face_up(t.number) and visible(view, t.number, one) != visible(view, t.number, other)
        for t in view.things
    ) or any(
        open_field(view, thing, field, one) != open_field(view, thing, field, other)
        for field, things in hidden_fields(view)
        for thing in things
    )


def words(name: str) -> str:
    """A name of the language as people read it."""
    return name.replace("_", " ")


def value_text(view: View, value: Value, type_: Type, seat: Seat) -> str:
    """A value as people read it, without what the seat does not know."""
    if plain(type_).tag == "pile" and isinstance(value, int):
        return content(view, view.inside(value), seat) or "nothing"
    return view.evaluator.shown(value, type_, lambda thing: _called(view, thing, seat))


def _called(view: View, thing: int, seat: Seat) -> str:
    known = 0 < thing <= len(view.program.world.things)
    return name_of(view, thing, seat) if known else view.title(thing)
