"""What survives a game: lasting fields and states, and the things recorded for the roster, as plain JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime import making
from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.game import Game
    from talewright.runtime.layout import Field
    from talewright.runtime.program import Program

Record = dict[str, Any]
# The tags of types whose values are things, and of those that are JSON as they are.
THINGS = frozenset(("thing", "role"))
PLAIN = frozenset(("truth", "int", "range", "ints", "words", "text", "sort"))


def empty() -> Record:
    """A record of nothing."""
    return {"roster": [], "fields": {}, "states": {}}


# ------------------------------------------------------------------ writing
def enlist(game: Game, thing: int | None) -> None:
    """Writes a thing with its lasting fields into the roster; written again, it replaces what was there."""
    if thing is None:
        return
    entry = game.layout.things[thing]
    seat = game._deciders(thing)
    record = {
        "id": entry.id,
        "kind": entry.kind,
        "title": entry.title,
        "seat": game.layout.things[seat].id if seat != thing else None,
        "fields": _fields(game, thing),
    }
    roster = game.campaign["roster"]
    game.campaign["roster"] = [old for old in roster if old["id"] != entry.id] + [record]


def write_down(game: Game) -> None:
    """The lasting cells of what is always there, at the end of a chapter and of the game."""
    for thing in game.layout.things[: game.first_made]:
        fields = _fields(game, thing.number)
        if fields:
            game.campaign["fields"][thing.id] = fields
    for name, kind in lasting_states(game.program).items():
        value = game.space["S"][game.layout.scalars["state:" + name]]
        game.campaign["states"][name] = _told(game, kind, value)


def lasting_states(program: Program) -> dict[str, Any]:
    """The types of the states that survive a game, by name."""
    states = program.content["states"]
    return {state["id"]: state["type"] for state in states if "lasting" in state.get("flags", ())}


def _lasting(game: Game, kind: str) -> dict[str, Field]:
    return game.program.lasting.get(kind, {})


def _fields(game: Game, thing: int) -> dict[str, Any]:
    found = {}
    for name, field in _lasting(game, game.layout.things[thing].kind).items():
        value = game.space[f"F{field.number}"][thing]
        if field.tag == "pile":
            found[name] = [_thing(game, item) for item in game.space["ITEMS"][value]]
        else:
            found[name] = _told(game, field.type, value)
    return found


def _thing(game: Game, thing: int | None) -> Any:
    if thing is None:
        return None
    entry = game.layout.things[thing]
    return {"copy": entry.sort} if thing >= game.first_made else {"thing": entry.id}


def taken_apart(kind: Any) -> tuple[str, Any]:
    """The tag of a type, without `or none`, and what it is made of."""
    while isinstance(kind, list) and kind[0] == "optional":
        kind = kind[2][0]
    return (kind, []) if isinstance(kind, str) else (str(kind[0]), kind[2])


def _told(game: Game, kind: Any, value: Any) -> Any:
    """A value of a type as plain JSON: things by name, maps as pairs."""
    tag, parts = taken_apart(kind)
    if tag in ("list", "set"):
        return [_told(game, parts[0], item) for item in value]
    if tag == "map":
        return [[_told(game, parts[0], key), _told(game, parts[1], item)] for key, item in value.items()]
    if tag in THINGS:
        return _thing(game, value)
    if value is None or (tag in PLAIN and isinstance(value, (bool, int, str))):
        return value
    raise Fault("R15", "a lasting cell holds something that cannot be written down")


def after(game: Game) -> Record:
    """What a campaign holds after a game: what the game wrote, and what it was brought and did not touch.

    Of the roster those stay who were not called back; who came and was not recorded again is gone.
    """
    before, written = {**empty(), **game.brought}, game.campaign
    stayed = [old for old in before["roster"] if old["id"] not in game.returned]
    taken = {old["id"] for old in stayed}
    joined = []
    for record in written["roster"]:
        name, number = record["id"], 1
        while name in taken:
            number += 1
            name = f"{record['id']}_{number}"
        taken.add(name)
        joined.append({**record, "id": name})
    record = {
        "roster": stayed + joined,
        "fields": {**before["fields"], **written["fields"]},
        "states": {**before["states"], **written["states"]},
    }
    seats = written.get("seats", before.get("seats"))
    return record if seats is None else {**record, "seats": seats}


def newcomers(game: Game, seats: Sequence[int]) -> list[int]:
    """The seats that were not there when this was last asked, in this game or an earlier one; now they are."""
    known: list[str] = game.campaign.setdefault("seats", list(game.brought.get("seats", ())))
    names = {seat: game.layout.things[seat].id for seat in seats}
    found = [seat for seat in seats if names[seat] not in known]
    known += [names[seat] for seat in found]
    return found


# ------------------------------------------------------------------ reading
def read_back(game: Game, record: Record) -> None:
    """Gives lasting cells what an earlier game left in them; what is unknown here is passed over."""
    for name, fields in record.get("fields", {}).items():
        thing = game.layout.number.get(name)
        if thing is not None:
            _fill(game, thing, fields)
    kinds = lasting_states(game.program)
    for name, value in record.get("states", {}).items():
        if name in kinds:
            cell = game.layout.scalars["state:" + name]
            game.space["S"][cell] = _read(game, kinds[name], value)


def roster(game: Game, kind: Any, seat: Any) -> list[int]:
    """The recorded things of a kind that belong to a seat, made anew once a game."""
    wanted = game.layout.things[seat].id if isinstance(seat, int) else None
    for record in game.brought.get("roster", ()):
        known = record["kind"] in game.layout.kinds and f"MK{_number(game, record['kind'])}" in game.space
        if not known or record["id"] in game.returned or (wanted and record["seat"] not in (None, wanted)):
            continue
        thing = making.make(game, record["kind"], None)
        game.space["TITLES"][thing] = game.layout.things[thing].title = record["title"]
        _fill(game, thing, record["fields"])
        decides = game.space["DECIDES"].get(record["kind"])
        if decides is not None and isinstance(seat, int):
            decides[thing] = seat
        game.returned[record["id"]] = thing
    back = set(game.returned.values())
    return [t for t in kind if t in back and game._deciders(t) in (seat, t)]


def _number(game: Game, kind: str) -> int:
    return game.program.kind_number(kind)


def _fill(game: Game, thing: int, fields: dict[str, Any]) -> None:
    known = _lasting(game, game.layout.things[thing].kind)
    for name, value in fields.items():
        field = known.get(name)
        if field is None:
            continue
        column = game.space[f"F{field.number}"]
        if field.tag == "pile":
            for item in value:
                game.space["put_in"](_found(game, item), column[thing])
        else:
            column[thing] = _read(game, field.type, value)


def _read(game: Game, kind: Any, value: Any) -> Any:
    """What `_told` wrote."""
    tag, parts = taken_apart(kind)
    if tag in ("list", "set"):
        items = [_read(game, parts[0], item) for item in value]
        return [item for item in items if item is not None]
    if tag == "map":
        pairs = [(_read(game, parts[0], key), _read(game, parts[1], item)) for key, item in value]
        return {key: item for key, item in pairs if key is not None}
    return _found(game, value) if tag in THINGS else value


def _found(game: Game, value: Any) -> int | None:
    if value is None:
        return None
    if "thing" in value:
        return game.layout.number.get(value["thing"])
    models = game.space["SORTS"].get(value["copy"])
    return making.make(game, None, models[0]) if models and game.program.makes else None
