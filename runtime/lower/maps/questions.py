"""Questions about the map: which function of the kernel answers each, and what it is given.

Lowering writes calls of these functions.
"""

from __future__ import annotations

from typing import Literal

from talewright.schemas.records import record

Form = Literal["cells", "squares", "square", "value", "token"]
"""What a function of the kernel takes: cells of a plan as bits, a list of squares, the first square, the value itself, a token."""


@record(frozen=True)
class MapQuestion:
    """A function of the kernel, and what its arguments are."""

    function: str
    arguments: tuple[Form, ...]


BY_WAY, TOWARD, WITH_TOKEN = "steps by", "steps toward", "spots with"
"""What functions ask that are also given a way of walking, a direction or a token."""
ON_PLANS: dict[str, MapQuestion] = {
    "adjacent": MapQuestion("is_adjacent", ("cells", "cells")),
    "near": MapQuestion("is_near", ("cells", "cells")),
    "distance": MapQuestion("steps_between", ("cells", "cells")),
    "steps": MapQuestion("roads", ("cells", "cells")),
    BY_WAY: MapQuestion("steps_by", ("value", "cells", "value")),
    TOWARD: MapQuestion("places_toward", ("cells", "value")),
    "roads": MapQuestion("roads_by", ("value", "cells", "value")),
    "along": MapQuestion("along_by", ("value", "cells", "value", "value")),
    "spots": MapQuestion("all_places", ()),
    WITH_TOKEN: MapQuestion("places_with_token", ("token",)),
    "open": MapQuestion("step_is_open", ("cells", "cells")),
    "border": MapQuestion("border_between", ("cells", "cells")),
    "way": MapQuestion("way_between", ("cells", "cells")),
    "neighbour": MapQuestion("neighbour_toward", ("cells", "value")),
    "area": MapQuestion("places_within", ("cells", "value")),
}
"""What is asked of places, by name."""
ON_GRIDS: dict[str, MapQuestion] = {
    "adjacent": MapQuestion("squares_adjacent", ("value", "value")),
    "near": MapQuestion("squares_near", ("value", "value")),
    "distance": MapQuestion("squares_apart", ("squares", "squares")),
    "steps": MapQuestion("square_roads", ("squares", "squares")),
    BY_WAY: MapQuestion("squares_by", ("value", "squares", "value")),
    TOWARD: MapQuestion("squares_toward", ("squares", "value")),
    "roads": MapQuestion("square_roads_by", ("value", "squares", "value")),
    "along": MapQuestion("square_along", ("value", "squares", "value", "value")),
    "spots": MapQuestion("free_spots", ("value",)),
    WITH_TOKEN: MapQuestion("places_with_token", ("token",)),
    "cells": MapQuestion("squares_of", ("value",)),
    "pieces": MapQuestion("pieces_at", ("squares",)),
    "joined": MapQuestion("joined_to", ("value",)),
    "joint": MapQuestion("find_joint", ("value", "value")),
    "marked": MapQuestion("marked_squares", ("value", "value")),
    "fits": MapQuestion("fits", ("value", "value", "value")),
    "border": MapQuestion("square_border", ("square", "square")),
    "open": MapQuestion("is_step", ("square", "square")),
    "way": MapQuestion("square_way", ("square", "square")),
    "sees": MapQuestion("squares_see", ("squares", "squares")),
    "area": MapQuestion("square_area", ("squares", "value")),
    "neighbour": MapQuestion("square_neighbour", ("square", "value")),
    "row": MapQuestion("square_row", ("square", "value")),
    "column": MapQuestion("square_column", ("square", "value")),
    "same_colour": MapQuestion("same_colour", ("square", "square")),
    "can_stand": MapQuestion("can_stand", ("value", "value")),
    "square": MapQuestion("square_named", ("value", "value")),
    "reach": MapQuestion("reach", ("value", "value", "value")),
}
"""What is asked of squares, by name."""
GRID_PROPERTIES = {
    "cells": "squares_of", "joints": "joints_of", "spot": "spot_of", "cell": "first_square",
    "beyond": "joint_beyond", "mark": "joint_mark", "edge": "square_edge",
}  # fmt: skip
"""Properties of what is on a grid, and the functions of the kernel that give them; an edge is one of the first square."""
