"""What the core gives every package, with types: `schemas.core` says what there is, this adds what the compiler asks."""

from __future__ import annotations

from talewright.compiler.types.model import (
    ANY,
    CELL,
    EDGES,
    INT,
    MARK,
    NOTHING,
    PLAN,
    SPOT,
    TEXT,
    TRUTH,
    Type,
    many,
    optional,
    thing,
)
from talewright.schemas.core import (
    CORE_KINDS,
    CORE_THINGS,
    FUNCTIONS,
    VERBS,
    CoreFunction,
    CoreVerb,
)

__all__ = ["CORE_KINDS", "CORE_THINGS", "FUNCTIONS", "VERBS", "CoreFunction", "CoreVerb"]

WORDS = Type("words")

REPLACEABLE_KINDS = frozenset(("Figure", "Card"))

CORE_FIELDS: dict[str, dict[str, Type]] = {
    "Chapter": {"text": TEXT, "goal": TEXT, "choice": EDGES, "outcome": EDGES},
    "Ending": {"text": TEXT},
    "Piece": {"plan": PLAN},
    "Grid": {
        "cells": Type("words", "", ("square",)),
        "steps": many(Type("words", "", ("straight", "diagonal")), "list"),
        "corners": Type("words", "", ("open", "closed")),
        "sight": Type("words", "", ("centre_to_centre",)),
        "pieces": many(Type("kind"), "list"),
    },
}

# Properties of any thing; `SELF` stands for the type of the thing asked.
SELF = Type("self")
PROPERTIES: dict[str, Type] = {
    "place": optional(thing("Place")),
    "holder": optional(thing("Thing")),
    "owner": optional(thing("Thing")),
    "sort": Type("sort_of"),
    "title": TEXT,
    "prose": TEXT,
    "face": Type("face"),
    "cell": optional(CELL),
    "spot": optional(SPOT),
    "cells": many(CELL),
    "edge": TRUTH,
}
JOINT_PROPERTIES: dict[str, Type] = {"beyond": optional(thing("Piece")), "cells": many(CELL), "mark": MARK}
PIECE_PROPERTIES: dict[str, Type] = {"joints": many(thing("Joint"))}
SPOT_PROPERTIES: dict[str, Type] = {"cost": INT, "route": many(CELL, "list"), "cells": many(CELL)}
DIE_PROPERTIES: dict[str, Type] = {"face": ANY, "rerolled": TRUTH, "purpose": ANY}
POOL_PROPERTIES: dict[str, Type] = {"all_equal": TRUTH}
PILE_PROPERTIES: dict[str, Type] = {"top": Type("item"), "bottom": Type("item")}


VERBS_BY_NAME: dict[str, list[CoreVerb]] = {}
for _core in VERBS:
    VERBS_BY_NAME.setdefault(_core.verb, []).append(_core)

# Verbs that a system declares or replaces.
SYSTEM_VERBS = frozenset(("game", "play", "end_chapter", "chapter", "next_line"))
RESULTS = {"nothing": NOTHING, "int": INT, "truth": TRUTH}
