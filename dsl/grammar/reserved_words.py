"""The words of the language: what is reserved, and what stays free."""

from __future__ import annotations

import re

PREPOSITIONS = (
    "by", "against", "toward", "to", "from", "with", "on", "for", "into", "over", "under", "using", "at", "as",
)  # fmt: skip

# Words that can start or follow an expression: never a name.
RESERVED = frozenset(
    (
        *PREPOSITIONS,
        "and", "or", "not", "in", "is", "where", "if", "otherwise", "when", "while", "of", "near", "within",
        "having", "named", "then", "no", "none", "yes", "all", "any", "first", "last", "random", "each", "do",
        "let", "give", "choose", "requires", "stop", "may", "becomes", "gains", "loses", "until", "repeat",
        "times", "nothing", "includes", "knows", "following", "per", "lasting", "hidden", "gives", "agreed",
        "during", "new", "highest", "lowest",
    )
)  # fmt: skip

# Words that begin a declaration.
DECLARATION_WORDS = (
    "kind", "extend", "trait", "type", "token", "track", "die", "table", "role", "team", "option", "state",
    "plan", "movement", "payment", "period", "menu", "action", "value", "check", "measure", "test",
    "before", "after", "forbid", "modify", "grant", "offer", "anytime", "deck", "pile", "bag", "hand",
    "slot", "while", "when", "instead", "at", "order", "start",
)  # fmt: skip

# Names that the core gives to every text; a package does not declare them.
CORE_NAMES = frozenset(
    ("it", "self", "holder", "result", "chapter", "mover", "cell", "board", "play", "supply", "box")
)

# `highest(` and `lowest(` are functions although the bare words are reserved.
RESERVED_BEFORE_PARENTHESIS = RESERVED - {"highest", "lowest"}


def snake(name: str) -> str:
    """A capitalised name as one in small letters: `GameMaster` as game_master."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
