"""What kernel files know of memory: addresses and counts, given when they are translated, and functions that are lowered.

Regions of memory are where they are in every program. As plain Python the other addresses are 0 and the functions do nothing; a
test that needs others sets them.
"""

from __future__ import annotations

from talewright.runtime.ir.header import NONE, STACK_TOP
from talewright.runtime.ir.intrinsics import M, copy, fault
from talewright.runtime.model import layout as regions
from talewright.runtime.model.cells import (
    ASLEEP,
    CHAPTER,
    DECIDER,
    DECISION,
    DECISIONS,
    DICE_TOP,
    DIRTY,
    ENDING,
    EVENT_TOP,
    FORCE_CLOCK,
    GATHER_TOP,
    HEAP_TOP,
    HELD,
    LABELS,
    LEAVING,
    MENU_ARGUMENTS,
    OPTION_LIST,
    PROMPT,
    RIGS,
    ROUNDS,
    RUN_TOP,
    STOP_DEPTH,
    TARGET,
    TEXTS,
    TRAIT_TOP,
    UNTIL_TOP,
)

# How many things there are, and how many cells a column over all of them has.
THINGS = 0
WIDTH = 0
# The streams of chance: how often each was drawn from.
STREAMS = 0
# What each stream is drawn by: its name as a number, so that the order in which streams are numbered does not matter.
STREAM_KEYS = 0

# Those whom an earlier game has left, to be called back.
BROUGHT = 0

# Columns over things.
WHERE = 0
NEXT = 0
PREVIOUS = 0
FACE = 0
KNOWN = 0
# Which seats were shown a thing: of one that lies untouched since the start nobody else has seen the face.
SHOWN = 0
SORT = 0
FIRST_MADE = 0
SEAT_BIT = 0
KIND_NUMBER = 0
# Whether containers belong to a thing.
OWNS = 0
# Whether rules come into force or leave it with the moves of a thing.
ARMED_BY_MOVE = 0
# Whether other things may be of the same sort.
HAS_TWINS = 0
# Which copies a test has used.
TAKEN = 0
# Whether things stand on it as on a place.
ON_TABLE = 0
# The faces of a thing that has several.
FACES = 0

# The switches of a program that is broken on purpose.
SWITCHES = 0

# Columns over locations.
FIRST = 0
LAST = 0
COUNT = 0
CAPACITY = 0
# More than can lie anywhere. A capacity below zero is worked out.
UNLIMITED = 1000000000
LIES = 0
LIES_DOWN = 0
LIES_UP = 1
LIES_AS_BEFORE = 2
# How things of a kind lie when they are put down on a place, by thing.
KIND_LIES = 0
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
DICE = regions.DICE_RECORDS
DICE_END = regions.MOST_DICE
DIE_CELLS = regions.DIE_CELLS
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
RIG_ROWS = regions.RIG_ROWS
RIG_DIE = 1 << 24
RIG_RANDOM = 1 << 25

# What is written down for the host; which shows of each text are lists, and which are texts, as bits.
EVENTS = regions.EVENTS
EVENTS_END = regions.EVENTS + regions.EVENT_CELLS
TEXT_LISTS = 0
TITLE_TEXTS = 0
TEXT_TEXTS = 0
# For each decision, whether all that it says is texts; whether nothing changes what pages are called.
IN_TEXTS = 0
FIXED_PAGES = 0

# Running calls.
RUN = 0

# The map: the cell that says which one is played on, and the parts of its block.
MAP = 0
NO_MAP = 0
FIRST_DIRECTION = 0
MAP_WIDTH = 32
MAP_COUNT = 0
MAP_EDGE = 1
MAP_PLACE = 2
MAP_STEPS = MAP_PLACE + MAP_WIDTH
MAP_BESIDE = MAP_STEPS + MAP_WIDTH
MAP_BORDER = MAP_BESIDE + MAP_WIDTH
MAP_TOWARD = MAP_BORDER + MAP_WIDTH * MAP_WIDTH
MAP_WAY = MAP_TOWARD + 12 * MAP_WIDTH
MAP_NEIGHBOUR = MAP_WAY + MAP_WIDTH * MAP_WIDTH
MAP_CELLS = MAP_NEIGHBOUR + 8 * MAP_WIDTH

# The grid: its number, how its squares touch, its squares by number and by place, pieces, gates, who stands where.
GRID = 0
DIAGONAL = 0
CORNERS_OPEN = 0
FIRST_SQUARE = 0
SQUARES_MOST = 0
SQUARE_COUNT = 0
SQUARE_AT = 0
SQUARE_OPEN = 0
SQUARE_OWNER = 0
SQUARE_OTHER = 0
GRID_RIGHT = 0
# What a step by each of the eight ways adds to a packed square.
WAY_STEP = 0
HASH_KEY = 0
HASH_CELL = 0
HASH_MASK = 0
PIECE_COUNT = 0
PIECE_ROWS = 0
PIECE_AT = 0
PLAN_OF = 0
FIRST_JOINT = 0
JOINT_PIECE = 0
GRID_PART = 0
LINK_COUNT = 0
LINKS = 0
STAND_BASE = 0
# Whether periods or state rules look at where things lie.
TABLE_WATCHED = 0
STAND_AT = 0
# The costs of ways to some squares that were asked for last, those squares, and who asked.
FIELDS = 0
FIELDS_MADE = 0
FIELD_LAST = 0
# The function that says whether a step is open, where rules modify that; 0 where none does.
OPEN_WAY = 0
OPEN_WORD = 0
# Addresses from here on are those of lists.
BLOCKS = 0

# Rules for a while.
UNTIL = 0
UNTIL_END = 0
UNTIL_CELLS = 0
UNTIL_BLOCKS = 0

# Traits.
TRAIT_RECORDS = 0
TRAIT_RECORDS_END = 0
TRAIT_CELLS = 0
TRAIT_BITS = 0
SITE_TRAIT = 0
SITE_SLOT = 0

# Payments.
PAY = regions.PAY

# How many steps the game has taken, with all that bots thought, and how many it may take.
GAME_STEPS = regions.GAME_STEPS
MOST_STEPS = regions.GAME_STEPS + 1

# The stream of what bots choose by chance.
POLICY_STREAM = 0

# What values are worth while nothing changes.
REMEMBERING = 0
REMEMBERED_EPOCH = 0
REMEMBERED = 0
REMEMBERED_ROWS = 0

# Regions.
STACK = regions.STACK
FRAMES = regions.FRAMES
FRAMES_END = regions.FRAMES + regions.FRAME_CELLS
BUFFER = regions.BUFFER
GATHER = regions.GATHER
GATHER_END = regions.BUFFER
STACK_END = regions.STACK_END
STATIC = regions.STATIC
IMAGE = regions.IMAGE
IMAGE_END = regions.IMAGE + regions.STATE_CELLS
STATE_END = 0
LOCATIONS = 0

# Bots: which one plays, its chance, whether everybody plans alone; what options weigh and are worth; copies of the game.
BOT = 0
BOT_LOW = 0
BOT_HIGH = 0
BOT_STEP = 0
APART = 0
WEIGHTS = 0
WORTH = 0
WORTH_FIRST = 0
WORTH_VARIES = 0
ITERATIONS = 0
SCORE_LOW = 0
SCORE_HIGH = 0
SEARCHED = 0
WORLD_NOW = 0
WORLD_IN_MIND = 0
# What bots know of a program: seats, teams as bits, the slots of hints by decision, which decisions are payments, and
# which endings are victories.
SEATS = 0
TEAM_MASKS = 0
WEIGHER = 0
PAYING = 0
WON = 0
# Dealing anew: what lies now where each thing lay; backs; columns that belong to places; stretches of cells that hold
# things and lists of things; which locals of frames, captured cells, options and arguments of menus hold things.
NOW = 0
SCRATCH_COLUMN = 0
SCRATCH_WIDTH = 0
BACK = 0
BACKS = 0
DEAL_COLUMNS = 0
DEAL_THINGS = 0
DEAL_LISTS = 0
FRAME_TABLE = 0
UNTIL_THINGS = 0
EFFECT_THINGS = 0
BEHAVIOUR_COLUMNS = 0
SITE_THINGS = 0
VERB_THINGS = 0
TRAITS_BORN = 0
POINT_HOLDS = 0
OFFER_THINGS = 0
MENU_THINGS = 0

# Counting games: whether it is done; the number of the game, and the page that games begin with.
COUNTING = 0
GAME_NUMBER = 0
START_PAGE = 0
# The counters: how often places of the text are reached, and things come and act; as they were when the game began, and before a
# bot imagines other worlds, which it does or not; in how many games a place is reached.
COUNTERS = 0
COUNTER_CELLS = 0
COUNTERS_BEFORE = 0
COUNTERS_ASIDE = 0
IMAGINING = 0
SITES = 0
HITS = 0
HIT_GAMES = 0
# Things by sorts: which slot each is counted in; how often they came into play and acted, in how many games one of the two,
# and in how many of those that were won; which were in play at an end; the things that were not.
SLOTS = 0
COUNTED_SLOT = 0
CAME = 0
CAME_BEFORE = 0
ACTED = 0
MET_GAMES = 0
MET_WINS = 0
SEEN = 0
UNSEEN = 0
# The table of sums: numbers by hashes, rows by numbers; how many options and other sums there are.
SUM_ROWS = 0
SUM_NUMBERS = 0
SUMS = 0
OPTIONS_USED = 0
SUMS_USED = 0
# How often options were offered, also before the game began; the decision at which each was offered last; which is taken now.
OFFERED = 0
OFFERED_BEFORE = 0
LAST_OFFERED = 0
TAKEN_OPTION = 0
COUNTED_DECISIONS = 0
# The sums of options that were found before. By decision: as what its options keep them, or 0, and from where on.
KEPT_SUMS = 0
KEPT_SUM_CELLS = 0
KEPT_FORM = 0
KEPT_FROM = 0
# A cell that keeps nothing.
NOT_KEPT = 0
# Whether something may be done at any time: as an option it is a negative number.
ANYTIME = 0
# What the running game adds to the table; its pages.
LISTED = 0
LISTED_END = 0
PAGES = 0
PAGES_END = 0
# Whether `game` leads to the first page that is played, or plays the one that is set before it begins.
LED_ON = 0
# What is counted: where things are out of play, tracks, measures, how options are told apart, dice that are things, streams.
CLOSED = 0
SAMPLED = 0
MEASURES = 0
POINT_FORM = 0
DIE_COLUMN = 0
STREAM_COUNT = 0
# The stream that is drawn anew, counted from 1, or 0; its own seed.
VARIED = 0
VARIED_LOW = 0
VARIED_HIGH = 0
# What was chosen in the running game, in order.
CHOICES = 0
CHOICES_END = 0
# How many explorers try at once.
EXPLORERS = 0
# The measure that is being worked out, counted from 1, or 0.
MEASURING = 0

# Stored lists.
HEAP = regions.HEAP
HEAP_END = regions.HEAP + regions.HEAP_CELLS


def capacity_of(where: int) -> int:
    """How many things fit into a container whose limit is worked out in play."""
    return 0


def cells(thing: int) -> int:
    """The cells of a thing on the map; `board` has it."""
    return 0


def base_of(figure: int) -> int:
    """The base of a figure."""
    return 0


def stand(figure: int, where: int) -> int:
    """Puts a figure on the map; `standing` has it."""
    return 0


def can_stand(figure: int, where: int) -> int:
    """Whether there is room for a figure; `standing` has it."""
    return 0


def is_ground(where: int) -> int:
    """Whether something is put there by standing on it; `pieces` has it."""
    return 0


def is_piece(thing: int) -> int:
    """Whether a thing is a piece of a map; `pieces` has it."""
    return 0


def lay_piece(piece: int) -> int:
    """Lays a piece apart from everything; `pieces` has it."""
    return 0


def token_limit(token: int, thing: int) -> int:
    """How many tokens a thing may hold; -1 for any number."""
    return -1


def armed_by_move(thing: int) -> None:
    """Looks at rules that come into force or leave it by a move."""


def initialise() -> None:
    """Works out the first state."""


def enter_story() -> None:
    """Puts the frame that begins a game."""


def alike(first: int, second: int) -> int:
    """Whether two things of one sort agree in everything that players see of them."""
    return 1


def is_scored(decider: int) -> int:
    """Whether the package says what a position is worth for whoever decides."""
    return 0


def score_for(decider: int) -> int:
    """What a position is worth for whoever decides; none if the package does not say."""
    return NONE


def choose_by_search(count: int) -> int:
    """The answer of the bot that searches; `search` has it."""
    return 0


def plays_against(decider: int) -> int:
    """Whether the victory of all others is the defeat of whoever decides."""
    return 0


def turn_die(die: int) -> None:
    """Turns a die that is a thing over."""


def turn_face(thing: int) -> None:
    """Turns a thing with several faces to the next one."""


__all__ = [
    "ASLEEP",
    "CHAPTER",
    "DECIDER",
    "DECISION",
    "DECISIONS",
    "DICE_TOP",
    "DIRTY",
    "ENDING",
    "EVENT_TOP",
    "FORCE_CLOCK",
    "GATHER_TOP",
    "HEAP_TOP",
    "HELD",
    "LABELS",
    "LEAVING",
    "MENU_ARGUMENTS",
    "NONE",
    "OPTION_LIST",
    "PROMPT",
    "RIGS",
    "ROUNDS",
    "RUN_TOP",
    "STACK_TOP",
    "STOP_DEPTH",
    "TARGET",
    "TEXTS",
    "TRAIT_TOP",
    "UNTIL_TOP",
    "M",
    "copy",
    "fault",
]
