"""A game at the table.

`program` makes a document ready, `game` plays it from decision to decision, `session` seats people and bots and can undo, save
and replay; `saves` are its files, `bots` and `remote` sit at it, `transcripts` tells in words what bots have played. `faults`
puts errors of play into words, `snapshots` copies how a game stands, `progress` watches whether it goes on. `campaign` is what
survives a game, `chronicle` its file; `kept_programs` keeps programs between runs.
"""

from talewright.runtime.session.game import Agent, Decision, Game, Option
from talewright.runtime.session.program import Program, load
from talewright.runtime.session.session import Leave, SeatError, Session, Undo, option_names, resume

__all__ = [
    "Agent",
    "Decision",
    "Game",
    "Leave",
    "Option",
    "Program",
    "SeatError",
    "Session",
    "Undo",
    "load",
    "option_names",
    "resume",
]
