"""The spatial model: one map for zone graphs, rings, tiles of zones, square grids and growing pieces.

A `Board` is a growing set of cells. A cell is a small whole number that keeps its meaning for the
life of the board; a set of cells is one integer with a bit for each (`cell_set`, `cells_in`).
Arguments called `cell`, `here`, `there` of type `Cell` are numbers, those of type `Cells` are sets.
The map at one moment is a `Chart` that never changes, so a snapshot costs nothing and every answer
worked out for a map is kept with it. Queries are pure; figures are no part of the map: whoever asks
says which cells are occupied.

Making a map
    rows_to_zones(rows, borders)        rows of names; equal neighbours are one zone
    ring_to_zones(names)                places in a ring
    tiles_to_zones(layout, tiles)       tiles of zones in rows, turned by `>`, `^`, `<`
    plan_to_squares(text)               squares from one drawing, its letters being marks
    read_plan(text)                     a drawing of a piece: floor, rock, joints, marks
    Board(Rules(squares=True))          an empty map of squares, for pieces

Growing it (each gives the board a new `version`)
    place(board, piece, plan, corner, turn)      lay a piece at a given corner
    lay(board, piece, plan)                      lay it apart from everything
    join(board, piece, plan, joint, mark)        join it at a joint, if `fits` says so
    cap(board, piece, joint)                     close a joint
    link(board, near_side, far_side)             open a gate between far cells
    connect(board, here, there, both=)           let a step lead from cell to cell
    set_border(board, here, there, mark)         wall or mark a border
    board.snapshot(), board.restore(chart), board.copy(), board.version

Pieces and joints
    joint_of(board, piece, mark), open_joints(board), beyond(board, joint), joined(board, piece)
    pieces_at(board, cells), piece_cells(board, pieces), marked(board, piece, mark)
    fits(board, plan, joint, mark)      no overlap, but rock may lie on rock

Ways
    adjacent(board, cells), is_adjacent(board, here, there), within(board, cells, limit)
    distance(board, here, goal, movement)        none without a way
    steps(board, here, goal, movement)           neighbours on a shortest way
    along(board, here, goal, limit, movement)    where a walker is after so many steps
    reach(board, spot, limit, movement, occupied) -> Reach of spots with `.cost` and `.route`
    Movement(blocked, halts, trades, costs, step_open)

Standing
    Base(width, height, overhang); ONE is the base of one square
    spots(board, base, occupied), spots_over(board, base, cell, occupied)
    spot_at(board, base, cell, occupied), can_stand(board, base, cell, occupied)
    trade_spots(board, before, after, base, occupied)    where the other one goes in a trade of places

Seeing and placing
    sees(board, here, there)            centre to centre; only rock and walls stop it
    area(board, cells, size), neighbour(board, cell, way), way(board, here, there)
    row(board, cell, joint), column(board, cell, joint), same_colour(board, here, there)
    border(board, here, there), on_edge(board, cell), following(board, cell)
    square_cell(board, column, row), picture(board, figures, piece)
"""

from .board import Board, connect, link, set_border
from .cells import Cell, Cells, cell_set, cells_in, first_cell
from .chart import OPEN, WALL, Chart, Joint, Piece, PieceId, Rules
from .errors import PlanError, SpaceError
from .movement import WALK, Movement
from .pictures import picture
from .pieces import (
    beyond,
    cap,
    fits,
    join,
    joined,
    joint_of,
    lay,
    marked,
    open_joints,
    piece_cells,
    pieces_at,
    place,
    plan_to_squares,
)
from .places import (
    area,
    border,
    column,
    following,
    neighbour,
    on_edge,
    row,
    same_colour,
    square_cell,
    way,
)
from .plans import Plan, PlanJoint, read_plan
from .sight import sees
from .squares import SIDES, WAYS, Square, opposite, turn_way
from .stances import ONE, Base, Spot, can_stand, spot_at, spots, spots_over, trade_spots
from .walking import Reach, reach
from .ways import adjacent, along, distance, is_adjacent, steps, within
from .zones import ZoneTile, ring_to_zones, rows_to_zones, tiles_to_zones

__all__ = [
    "ONE",
    "OPEN",
    "SIDES",
    "WALK",
    "WALL",
    "WAYS",
    "Base",
    "Board",
    "Cell",
    "Cells",
    "Chart",
    "Joint",
    "Movement",
    "Piece",
    "PieceId",
    "Plan",
    "PlanError",
    "PlanJoint",
    "Reach",
    "Rules",
    "SpaceError",
    "Spot",
    "Square",
    "ZoneTile",
    "adjacent",
    "along",
    "area",
    "beyond",
    "border",
    "can_stand",
    "cap",
    "cell_set",
    "cells_in",
    "column",
    "connect",
    "distance",
    "first_cell",
    "fits",
    "following",
    "is_adjacent",
    "join",
    "joined",
    "joint_of",
    "lay",
    "link",
    "marked",
    "neighbour",
    "on_edge",
    "open_joints",
    "opposite",
    "picture",
    "piece_cells",
    "pieces_at",
    "place",
    "plan_to_squares",
    "reach",
    "read_plan",
    "ring_to_zones",
    "row",
    "rows_to_zones",
    "same_colour",
    "sees",
    "set_border",
    "spot_at",
    "spots",
    "spots_over",
    "square_cell",
    "steps",
    "tiles_to_zones",
    "trade_spots",
    "turn_way",
    "way",
    "within",
]
