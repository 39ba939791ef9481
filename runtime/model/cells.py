"""The header cells of a game, after those that the engine itself has."""

from __future__ import annotations

from talewright.runtime.ir.header import HEADER_END

# What leaves the running calls: nothing, a `go to`, or a `stop` of the call at STOP_DEPTH.
LEAVING = HEADER_END
NOT_LEAVING = 0
GOING = 1
STOPPING = 2
STOP_DEPTH = HEADER_END + 1
# The page that `go to` names, the page that is played, and the ending that was reached.
TARGET = HEADER_END + 2
CHAPTER = HEADER_END + 3
ENDING = HEADER_END + 4
# Whether something was written that periods and state rules may read; how often they are held back; tests set the table.
DIRTY = HEADER_END + 5
HELD = HEADER_END + 6
ASLEEP = HEADER_END + 7
# The decision that is asked: its number, who decides, the list of its options, and how many were asked so far.
DECISION = HEADER_END + 8
DECIDER = HEADER_END + 9
OPTION_LIST = HEADER_END + 10
DECISIONS = HEADER_END + 11
ROUNDS = HEADER_END + 12
# Counts what comes into force, so that what came last can be told.
FORCE_CLOCK = HEADER_END + 13
DICE_TOP = HEADER_END + 14
HEAP_TOP = HEADER_END + 15
# The first free cells of the stack of running calls and of the pool of rules for a while.
RUN_TOP = HEADER_END + 16
UNTIL_TOP = HEADER_END + 17
# How many rows of rigged chance there are.
RIGS = HEADER_END + 18
# How many events wait to be read.
EVENT_TOP = HEADER_END + 19
TRAIT_TOP = HEADER_END + 20
INTERRUPTED = HEADER_END + 21
# The first free cell of the region in which lists are collected.
GATHER_TOP = HEADER_END + 22
# What is asked in words, where somebody reads: the text of the question, and a list of the texts of the options.
PROMPT = HEADER_END + 23
LABELS = HEADER_END + 24
# For tests: the page on which the end of setting up, and the verb at whose next call, play is to be left; whether it was;
# and how deep calls run inside each other.
HALT_PAGE = HEADER_END + 25
HALT_VERB = HEADER_END + 26
HALTED = HEADER_END + 27
CALLS_RUNNING = HEADER_END + 28
# Of several who decide together, the bit of the one who has the last word.
SETTLER = HEADER_END + 29
# What the menu that is asked was opened with, where bots or people read it: a list.
MENU_ARGUMENTS = HEADER_END + 30
# The page that play is to begin with, wherever the action `game` leads; 0: none is asked for.
FIRST_PAGE = HEADER_END + 31
# How many texts were said since somebody last decided.
TEXTS = HEADER_END + 32
# The statement that runs, where somebody reads: its spot. While first values are worked out: as much below NOWHERE
# as the number of the value.
SPOT = HEADER_END + 33
# What `self` and the locals stand for that the question reads which is asked, where somebody reads: a list.
ASKED_WITH = HEADER_END + 34

GAME_HEADER_END = HEADER_END + 40
