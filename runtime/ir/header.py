"""The first cells of memory, which the engine itself reads and writes, and the numbers that stand in them."""

from __future__ import annotations

# What the game waits for: one of the four below.
STATUS = 0
FAULT_CODE = 1
FAULT_SPOT = 2
# What the last function that may ask gave back.
RESULT = 3
# The decision: how many options there are, which was chosen, and who chooses (0: the host is asked).
OPTIONS = 4
ANSWER = 5
POLICY = 6
# How many steps may still be taken before the next decision.
STEPS = 7
# How deep the calls are inside of call cycles.
DEPTH = 8
# The first free cell after the saved frames, and after the list stack.
FRAME_TOP = 9
STACK_TOP = 10
# The first free cell of the buffer in which the frames of one stop are gathered.
BUFFER_TOP = 11
# The seed of chance, 64 bits.
SEED_LOW = 12
SEED_HIGH = 13

# The frame that the next function called goes on from; 0: it begins anew.
RESUME = 14

# Whether faults end the game, as they should, or only fail what is being worked out: then it gives 0 and goes on.
LENIENT = 15
STRICT = 0
FORGIVING = 1
FAILED = 2
# How many steps were left where faults were forgiven: they were not taken.
SPARED = 16

# Cells from here on belong to whoever lays out a program.
HEADER_END = 17

RUNNING = 0
ASKING = 1
ENDED = 2
FAULTED = 3

# The spot of what stands nowhere in the text.
NOWHERE = -1

# No number: what a cell of numbers holds for `none`.
NONE = -(2**31)
# The largest number of the language, and, with a minus sign, the smallest.
MOST = 1_000_000_000
# How many steps a move may take.
STEP_LIMIT = 5_000_000
# A billion steps in one game, with all that bots think, are counted in parts of 128.
STEP_BITS = 7
GAME_LIMIT = 1_000_000_000 >> STEP_BITS

# Faults of the language, by their number in its reference.
NONE_IN_ARITHMETIC = 1
DIVISION_BY_ZERO = 2
NOTHING_FITS = 3
NO_ENTRY = 4
INSIDE_ITSELF = 5
ENDLESS_RULES = 6
TOO_DEEP = 7
ENDLESS = 8
NO_ANSWER = 11
LEADS_NOWHERE = 13
TOO_MUCH = 14
DOES_NOT_HOLD = 16
LEFT_OUT = 17
NOT_ROLLED = 18
# Faults of the engine: a program that the toolkit wrote wrongly.
BAD_ADDRESS = 101
BAD_CALL = 102
BAD_CODE = 103
