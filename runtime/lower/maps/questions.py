"""Questions about the map: which function of the kernel answers each, and what it is given.

Lowering writes calls of these functions.
"""

from __future__ import annotations

from typing import Literal

from talewright.schemas.records import record

Form = Literal["cells", "squares", "square", "value"]
"""What a function of the kernel takes: cells of a plan as bits, a list of squares, the first square, or the value itself."""


@record(frozen=True)
class MapQuestion:
    """A function of the kernel, and what its arguments are; without one, the argument is the answer."""

    function: str
    arguments: tuple[Form, ...]


ON_PLANS: dict[str, MapQuestion] = {
    "open": MapQuestion("step_is_open", ("cells", "cells")),
    "border": MapQuestion("border_between", ("cells", "cells")),
    "way": MapQuestion("way_between", ("cells", "cells")),
    "neighbour": MapQuestion("neighbour_toward", ("cells", "value")),
    "area": MapQuestion("places_within", ("cells", "value")),
}
"""What is asked of places, by name."""
ON_GRIDS: dict[str, MapQuestion] = {
    "cells": MapQuestion("", ("squares",)),
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
    "spots": MapQuestion("free_spots", ("value",)),
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
