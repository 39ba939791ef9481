"""What kernel files know of memory: addresses and counts, given when they are translated, and functions that are lowered.

As plain Python the constants are 0 and the functions do nothing; a test that needs others sets them.
"""

from __future__ import annotations

from talewright.runtime.ir.header import NONE, STACK_TOP
from talewright.runtime.ir.intrinsics import M, copy, fault
from talewright.runtime.model.cells import (
    ASLEEP,
    CHAPTER,
    DECISIONS,
    DICE_TOP,
    DIRTY,
    ENDING,
    EVENT_TOP,
    GATHER_TOP,
    HEAP_TOP,
    HELD,
    LEAVING,
    MOVE_CLOCK,
    RIGS,
    RUN_TOP,
    STOP_DEPTH,
    TARGET,
    TRAIT_TOP,
    UNTIL_TOP,
)

# How many things there are, and how many cells a column over all of them has.
THINGS = 0
WIDTH = 0
# The streams of chance: how often each was drawn from.
STREAMS = 0

# Columns over things.
WHERE = 0
NEXT = 0
PREVIOUS = 0
FACE = 0
KNOWN = 0
MOVED = 0
SORT = 0
SEAT_BIT = 0
# Which copies a test has used.
TAKEN = 0
# Whether things stand on it as on a place.
ON_TABLE = 0
# The faces of a thing that has several.
FACES = 0

# Columns over locations.
FIRST = 0
LAST = 0
COUNT = 0
CAPACITY = 0
UNLIMITED = -1
LIES = 0
LIES_DOWN = 0
LIES_UP = 1
LIES_AS_BEFORE = 2
FORM = 0
FORM_PILE = 0
FORM_DECK = 1
FORM_BAG = 2
FORM_HAND = 3
FORM_SLOT = 4
OWNER_OF = 0
# The cell that holds the seat which decides for the owner of a hand, or 0.
HOLDER_SEAT = 0
REFILL = 0
RETURNS = 0
STREAM_OF = 0
BOX = 0
LIMBO = 0

# Tokens.
TOKENS = 0
TOKEN_CELL = 0
TOKEN_SUPPLY = 0

# Rolled dice.
DICE = 0
DICE_END = 0
DIE_CELLS = 5
DIE_FACE = 0
DIE_KIND = 1
DIE_PURPOSE = 2
DIE_ROLLER = 3
DIE_REROLLED = 4
FIXED_DIE = 0
FACE_LIST = 0
DIE_STREAM = 0
PURPOSE_RANK = 0
# Dice that are things: which die each is, the cell of its face, and for each die a list of faces and their opposites in turn.
THING_DIE = 0
THING_FACE = 0
OPPOSITES = 0

# Rigged chance.
RIG_ROWS = 0
RIG_DIE = 1 << 24
RIG_RANDOM = 1 << 25

# What is written down for the host; which shows of each text are lists, and which are texts, as bits.
EVENTS = 0
EVENTS_END = 0
TEXT_LISTS = 0
TEXT_TEXTS = 0

# Running calls.
RUN = 0

# The map: the cell that says which one is played on, and the parts of its block.
MAP = 0
NO_MAP = 0
FIRST_DIRECTION = 0
MAP_WIDTH = 0
MAP_COUNT = 0
MAP_EDGE = 0
MAP_PLACE = 0
MAP_STEPS = 0
MAP_BESIDE = 0
MAP_DISTANCE = 0
MAP_BORDER = 0
MAP_TOWARD = 0
MAP_CELLS = 0

# Rules for a while.
UNTIL = 0
UNTIL_END = 0
UNTIL_CELLS = 0
UNTIL_BLOCKS = 0
UNTIL_CLOCK = 0

# Traits.
TRAIT_RECORDS = 0
TRAIT_RECORDS_END = 0
TRAIT_CELLS = 0
TRAIT_BITS = 0
SITE_TRAIT = 0
SITE_SLOT = 0

# Payments.
PAY = 0

# Regions.
STACK = 0
GATHER = 0
IMAGE = 0
STATE_END = 0
LOCATIONS = 0

# Stored lists.
HEAP = 0
HEAP_END = 0


def capacity_of(where: int) -> int:
    """How many things fit into a container whose limit is worked out in play."""
    return 0


def cells(thing: int) -> int:
    """The cells of a thing on the map; `board` has it."""
    return 0


def token_limit(token: int, thing: int) -> int:
    """How many tokens a thing may hold; -1 for any number."""
    return -1


def armed_by_move(thing: int, old: int, where: int) -> None:
    """Looks at rules that come into force or leave it by a move."""


def initialise() -> None:
    """Works out the first state."""


def enter_story() -> None:
    """Puts the frame that begins a game."""


def alike(first: int, second: int) -> int:
    """Whether two things of one sort agree in everything that players see of them."""
    return 1


def turn_die(die: int) -> None:
    """Turns a die that is a thing over."""


def turn_face(thing: int) -> None:
    """Turns a thing with several faces to the next one."""


__all__ = [
    "ASLEEP",
    "CHAPTER",
    "DECISIONS",
    "DICE_TOP",
    "DIRTY",
    "ENDING",
    "EVENT_TOP",
    "GATHER_TOP",
    "HEAP_TOP",
    "HELD",
    "LEAVING",
    "MOVE_CLOCK",
    "NONE",
    "RIGS",
    "RUN_TOP",
    "STACK_TOP",
    "STOP_DEPTH",
    "TARGET",
    "TRAIT_TOP",
    "UNTIL_TOP",
    "M",
    "copy",
    "fault",
]
