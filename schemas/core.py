"""What the core gives every document: kinds, their fields, things, functions and verbs. No game is in here."""

from __future__ import annotations

from talewright.schemas.records import record

# Kinds every package knows; a system may declare Figure or Card anew.
CORE_KINDS: dict[str, tuple[str, ...]] = {
    "Thing": (),
    "Place": ("Thing",),
    "Card": ("Thing",),
    "Figure": ("Thing",),
    "Chapter": ("Thing",),
    "Ending": ("Thing",),
    "Piece": ("Place",),
    "Grid": ("Place",),
    "Joint": ("Thing",),
    "Seat": ("Thing",),
    "Direction": ("Thing",),
}

# The fields of these kinds; the compiler knows their types.
CORE_FIELD_NAMES: dict[str, tuple[str, ...]] = {
    "Chapter": ("text", "goal", "choice", "outcome"),
    "Ending": ("text",),
    "Piece": ("plan",),
    "Grid": ("cells", "steps", "corners", "sight", "pieces"),
}

CORE_THINGS: dict[str, str] = dict.fromkeys(
    ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west", "up", "down",
     "left_side", "right_side"),
    "Direction",
)  # fmt: skip


@record(frozen=True)
class CoreFunction:
    """A pure function of the core: least and most arguments, and how its result is typed."""

    name: str
    least: int
    most: int
    result: str


def _functions(*rows: tuple[str, int, int, str]) -> dict[str, CoreFunction]:
    return {name: CoreFunction(name, least, most, result) for name, least, most, result in rows}


# Results: a type's tag, or `item`/`same`/`set` relative to the first argument.
FUNCTIONS = _functions(
    ("count", 1, 2, "int"), ("total", 1, 2, "int"), ("highest", 1, 2, "int"), ("lowest", 1, 2, "int"),
    ("least", 2, 9, "int"), ("greatest", 2, 9, "int"), ("min", 2, 9, "int"), ("max", 2, 9, "int"),
    ("distinct", 1, 1, "same"), ("pairs", 2, 2, "pairs"), ("shuffled", 1, 1, "same"), ("copy", 1, 1, "self"),
    ("room", 1, 1, "int"), ("supply", 1, 1, "int"), ("tokens", 2, 2, "int"), ("newcomers", 1, 1, "item set"),
    ("roster", 2, 2, "item set"), ("base", 1, 1, "self"), ("edge", 1, 1, "page"), ("rolled", 1, 1, "int"),
    ("ways", 1, 1, "all pages"), ("fallback", 1, 1, "page"),
    ("times", 1, 1, "int"), ("cells", 1, 1, "cells"), ("pieces", 1, 1, "pieces"), ("joined", 1, 1, "pieces"),
    ("joint", 2, 2, "joint"), ("marked", 2, 2, "cells"), ("fits", 3, 3, "truth"), ("distance", 2, 3, "int or none"),
    ("steps", 2, 3, "steps"), ("along", 4, 4, "along"), ("roads", 3, 3, "roads"),
    ("border", 2, 2, "border"), ("way", 2, 2, "direction"),
    ("sees", 2, 2, "truth"), ("area", 2, 2, "cells"), ("neighbour", 2, 2, "cell or none"), ("row", 2, 2, "int"),
    ("column", 2, 2, "int"), ("same_colour", 2, 2, "truth"), ("spots", 1, 1, "spots"), ("can_stand", 2, 2, "truth"),
    ("reach", 3, 3, "spots"), ("square", 2, 2, "cell"), ("open", 2, 2, "truth"), ("top", 1, 1, "item"),
)  # fmt: skip


@record(frozen=True)
class CoreVerb:
    """A verb of the core. Parts end in `?` when they may be left out.

    `first` and the parts name what is expected there: the compiler knows what that means.
    """

    id: str
    verb: str
    first: str
    parts: tuple[tuple[str, str], ...] = ()
    token: bool = False
    result: str = "nothing"


def _verb(
    id_: str, verb: str, first: str, result: str = "nothing", token: bool = False, **parts: str
) -> CoreVerb:
    named = tuple((k.rstrip("_"), v) for k, v in parts.items())
    return CoreVerb(id_, verb, first, named, token, result)


# What may stand in a part: thing, things, any container (into), a place (place), number, dice, text,
# role, effect ... a trailing `?` makes it optional.
VERBS: tuple[CoreVerb, ...] = (
    _verb("move_count", "move", "int", from_="pile", to="into"),
    _verb("move", "move", "things?", to="into"),
    _verb("move_under", "move", "things?", under="pile"),
    _verb("place", "place", "things?", at="into"),
    _verb("put_token", "put", "int", token=True, on="thing", result="int"),
    _verb("put", "put", "things?", into="into"),
    _verb("put_at", "put", "things?", at="into"),
    _verb("put_on", "put", "things?", on="into"),
    _verb("take_token", "take", "int", token=True, from_="thing", result="int"),
    _verb("take", "take", "int", from_="source", result="taken"),
    _verb("draw", "draw", "int?", from_="source", into="into?", under="pile?", result="drawn"),
    _verb("discard", "discard", "things?", to="into?"),
    _verb("remove", "remove", "things?", from_="list?"),
    _verb("roll", "roll", "dice", by="thing?", for_="word?", from_="pile?", into="pile?", result="pool"),
    _verb("reroll", "reroll", "dice", for_="word?", result="pool"),
    _verb("flip", "flip", "thing?"),
    _verb("shuffle", "shuffle", "pile"),
    _verb("reveal", "reveal", "things?"),
    _verb("show", "show", "things?", to="role"),
    _verb("exchange", "exchange", "thing", with_="thing"),
    _verb("stand", "stand", "thing?", at="spot"),
    _verb("walk", "walk", "thing", to="spot"),
    _verb("join", "join", "thing", to="joint", at="mark?"),
    _verb("lay", "lay", "thing", on="thing"),
    _verb("link", "link", "cells", with_="cells"),
    _verb("stage", "stage", "thing"),
    _verb("station", "station", "thing", at="into"),
    _verb("run", "run", "lines"),
    _verb("say", "say", "text"),
    _verb("pay", "pay", "symbols", from_="things", using="payment", by="role?", into="into?", result="truth"),
    _verb("arrange", "arrange", "things", by="role", result="arranged"),
    _verb("clear", "clear", "place"),
    _verb("add", "add", "any", to="list"),
    _verb("record", "record", "thing"),
    _verb("follow", "follow", "edges", by="role"),
    _verb("match", "match", "any", result="same"),
    _verb("play", "play", "thing"),
    _verb("end_chapter", "end_chapter", ""),
    _verb("chapter", "chapter", ""),
    _verb("next_line", "next_line", ""),
    _verb("game", "game", ""),
)  # fmt: skip
