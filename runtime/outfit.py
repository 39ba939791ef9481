"""What only some games need in their name space: maps, dice that are things, traits, things made in play."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from talewright.runtime import making
from talewright.runtime.books import ALWAYS, book
from talewright.runtime.containers import Container, part_of, plain_part, same_part
from talewright.runtime.space import Board

if TYPE_CHECKING:
    from talewright.runtime.game import Game

Space = dict[str, Any]


def add_names(game: Game, space: Space) -> None:
    """The names that generated code may use whether the game needs them or not."""
    program, layout = game.program, game.layout
    space.update(
        TRAIT_FIELDS={},
        CHAPTER_STATE={},
        CASTS={},
        CAST=[],
        MOVEMENTS={},
        FIXED_WAYS=set(),
        TOKEN_LIMITS={},
        PAYMENTS={},
        LENDS=_lenders(game, space),
        DECIDES=(deciding := _deciding(game, space)),
        # The hands of things that somebody decides for, with the column that says who.
        HANDS={
            pile.number: deciding[layout.things[pile.owner].kind]
            for pile in layout.piles
            if pile.form == "hand" and pile.owner is not None and layout.things[pile.owner].kind in deciding
        },
        DICE=_dice(game, space),
        THING_IDS=[t.id for t in layout.things],
        STAGED=layout.scalars["staged"],
        Container=Container,
        part_of=part_of,
        plain_part=plain_part,
        same_part=same_part,
    )
    if program.spatial:
        space.update(
            BOARD=Board(program.grid_rules),
            CELL={},
            PLACE_AT=[],
            STANDS={},
            JOINT_AT=dict(layout.joints),
            MAPS=program.maps,
            GRIDS=set() if program.grid is None else {program.grid.number},
            STATIONED="station" in program.core_hooks,
            PLACE_LISTS=[
                space[f"K{program.kind_number(k)}"]
                for k in layout.kinds
                if layout.is_a(k, "Place") or k == "Thing"
            ],
        )


# What questions about maps get where there is no map of that sort: nothing, none, no.
_ON_MAPS: dict[str, Any] = {
    "distance": None, "steps": None, "roads": [], "along": None, "border": None, "open": False, "way": None,
    "neighbour": None, "area": [], "spots": [],
}  # fmt: skip
_ON_SQUARES: dict[str, Any] = {
    "joint": None, "fits": False, "pieces": [], "joined": [], "marked": [], "cells": [], "square": None,
    "row": None, "column": None, "same_colour": False, "sees": False, "can_stand": False, "reach": [],
}  # fmt: skip


def _answer(answer: Any) -> Callable[..., Any]:
    return lambda *_: list(answer) if isinstance(answer, list) else answer


def read_books(game: Game, space: Space) -> None:
    """Runs the fixed parts of the runtime that this game needs."""
    program = game.program
    for name in ALWAYS:
        exec(game.text(book(name)), space)
    for name, answer in (_ON_MAPS | _ON_SQUARES).items():
        space[f"core_{name}"] = _answer(answer)
    if program.spatial:
        exec(game.text(book("boardbook")), space)
    if program.grid is not None:
        _add_grid(game, space)
        exec(game.text(book("gridbook")), space)
    if program.content["payments"]:
        exec(game.text(book("paybook")), space)
        space["ALIKE"] = _alike(game, space)
    if program.ordered:
        exec(game.text(book("orderbook")), space)
    if program.makes:
        exec(game.text(book("makebook")), space)
        space["FIRST_MADE"] = game.first_made


def begin(game: Game, space: Space) -> None:
    """The first map."""
    if None in game.program.maps:
        space["lay_map"](None)


def whole_faces(space: Space) -> None:
    """Faces that all fill the same fields: what one leaves out is read from the card itself."""
    for thing, faces in space["FACES"].items():
        faces[:] = _whole_faces(thing, faces, space)


def _whole_faces(thing: int, faces: list[Any], space: Space) -> list[Any]:
    numbers = sorted({n for face in faces for n in face[2]})
    own = {n: space[f"F{n}"][thing] for n in numbers}
    whole = [(name, title, {**own, **fields}) for name, title, fields in faces]
    return [("", "", own), *whole] if len(whole) == 1 else whole


def _lenders(game: Game, space: Space) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for kind in game.layout.kinds:
        for field in game.layout.fields_of(kind).values():
            if "lends all" in field.source.get("flags", ()):
                found.setdefault(kind, []).append(space[f"F{field.number}"])
    return found


def _deciding(game: Game, space: Space) -> dict[str, Any]:
    """The fields through which things decide, by kind."""
    found: dict[str, Any] = {}
    for kind in game.layout.kinds:
        field = None if kind in game.layout.seats else game.program.role_field(kind)
        if field is not None:
            found[kind] = space[f"F{field.number}"]
    return found


def _dice(game: Game, space: Space) -> dict[int, Any]:
    found: dict[int, Any] = {}
    for kind in game.program.content["kinds"]:
        if "die" not in kind:
            continue
        value = game.program.face
        faces = tuple(value(f) for f in kind["die"]["faces"])
        pairs = kind["die"].get("opposite", {"items": []})["items"]
        opposite = {}
        for pair in pairs:
            a, b = value(pair["a"]), value(pair["b"])
            opposite[a], opposite[b] = b, a
        column = space[f"F{game.layout.fields[kind['id'], 'face'].number}"]
        for thing in game.layout.of_kind(kind["id"]):
            column[thing] = faces[0]
            found[thing] = (kind["id"], faces, opposite, column)
    return found


def _add_grid(game: Game, space: Space) -> None:
    layout, program = game.layout, game.program
    assert program.grid is not None

    def column(kind: str, name: str) -> Any:
        field = layout.fields_of(kind).get(name)
        return None if field is None else space[f"F{field.number}"]

    space.update(
        GRID=program.grid.number,
        GRID_PILE=layout.occupants[program.grid.number],
        PLAN_COLUMN=space[f"F{layout.fields['Piece', 'plan'].number}"],
        PIECES={t.number for t in layout.things if layout.is_a(t.kind, "Piece")},
        FIGURES={t.number for t in layout.things if layout.is_a(t.kind, "Figure")},
        BASES={kind: (column(kind, "base"), column(kind, "overhang")) for kind in layout.kinds},
        LENT_BASE=space["LENDS"],
    )


def _alike(game: Game, space: Space) -> dict[str, list[Any]]:
    layout = game.layout
    return {
        kind: [
            space[f"F{f.number}"]
            for f in layout.fields_of(kind).values()
            if f.mutable_now(game.program) and f.tag != "pile"
        ]
        for kind in layout.kinds
    }


class TraitKeys:
    """The traits of a thing as a column that can be compared."""

    def __init__(self, traits: list[list[Any]]) -> None:
        self.traits = traits

    def __getitem__(self, thing: int) -> tuple[Any, ...]:
        return tuple(
            (gained[0], *(str(argument(thing)) for argument in gained[1])) for gained in self.traits[thing]
        )


def telling_columns(game: Game, kind: str) -> list[Any]:
    """What tells copies of a kind apart beside their fields: tokens on them, and traits."""
    layout, space, content = game.layout, game.space, game.program.content
    kinds = [k for k in layout.kinds if layout.is_a(k, kind)]
    held = {
        h["token"] for k in kinds for owner in layout.lineage[k] for h in layout.kinds[owner].get("holds", ())
    }
    columns: list[Any] = [space["TOKENS"][token] for token in sorted(held)]
    return [*columns, TraitKeys(space["TRAITS"])] if content["traits"] else columns


def positions(game: Game) -> tuple[Any, ...]:
    """Who stands on which square of a grid, and how many squares there are."""
    if game.program.grid is None:
        return ()
    stands = sorted((thing, spot.corner) for thing, spot in game.space["STANDS"].items())
    return (len(game.space["BOARD"].chart.names), *stands)


# ------------------------------------------------------------------ copies of the state
def keep(game: Game) -> dict[str, Any]:
    """The part of the state that lives in these names."""
    space = game.space
    kept: dict[str, Any] = {"CAST": list(space["CAST"])}
    if game.program.grid is not None:
        kept["chart"] = space["BOARD"].snapshot()
        kept["STANDS"] = dict(space["STANDS"])
    if game.program.lasts:
        kept["campaign"] = deepcopy(game.campaign)
        kept["returned"] = dict(game.returned)
    if game.program.makes:
        kept["making"] = making.keep(game)
    return kept


def make_room(game: Game, saved: dict[str, Any]) -> None:
    """As many things as the copy knows."""
    if game.program.makes:
        making.make_room(game, saved["making"])


def is_needed(game: Game) -> bool:
    """Whether that part can ever change."""
    program = game.program
    if program.has_casts or program.lasts or program.makes or program.grid is not None:
        return True
    # Where there is one map, it lies there all the time.
    return bool(program.spatial and len(game.space["MAPS"]) > 1)


def put_back(game: Game, saved: dict[str, Any]) -> None:
    """Brings that part back."""
    space = game.space
    space["CAST"][:] = saved["CAST"]
    if game.program.lasts:
        game.campaign = deepcopy(saved["campaign"])
        game.returned = dict(saved["returned"])
    if game.program.makes:
        making.put_back(game, saved["making"])
    if game.program.grid is not None:
        space["BOARD"].restore(saved["chart"])
        space["STANDS"].clear()
        space["STANDS"].update(saved["STANDS"])
    elif game.program.spatial and space["MAPS"]:
        staged = space["S"][space["STAGED"]]
        if space["BOARD"].chart is not space["MAPS"][staged][0]:
            space["lay_map"](staged)
