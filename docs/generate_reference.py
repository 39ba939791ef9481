"""Writes the generated parts of the language reference; `--check` says whether they are stale."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from textwrap import fill

from talewright.compiler.symbols import core
from talewright.compiler.types.model import Type, describe
from talewright.dsl.grammar.reserved_words import CORE_NAMES, PREPOSITIONS, RESERVED

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "language.md"
GRAMMAR = ROOT / "dsl" / "grammar" / "tale.lark"
_PART = re.compile(r"(<!-- generated: (?P<name>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)

# The rules of the grammar from loose to tight, and what stands in each row of the table.
LEVELS = (
    ("expr", "picks one of two"),
    ("or_e", "one of two conditions"),
    ("and_e", "both conditions"),
    ("not_e", "one condition"),
    ("simple", "comparisons and questions; they cannot be chained"),
    ("chain", "narrow a set, or ask about places"),
    ("sum", "add, take away; join sets"),
    ("term", "multiply, divide, remainder; several copies or dice"),
    ("postfix", "a field of something"),
    ("dotted", "a field, an entry"),
)
_BRACKETS = "()[]"
_SPELLED = {"CMP": "== != < <= > >="}
# How the parts of a verb are called on the page, where the compiler has a shorter word.
_WORDS = {
    "into": "place_or_container",
    "int": "n",
    "any": "x",
    "pile": "container",
    "source": "set",
    "role": "seat",
}

KINDS = {
    "Thing": "everything",
    "Place": "where things stand",
    "Card": "a card; a system may declare it anew",
    "Figure": "a figure; a system may declare it anew",
    "Chapter": "a part of the story that is played",
    "Ending": "where a game ends",
    "Piece": "a part of the map with a plan and joints",
    "Grid": "a map of squares",
    "Joint": "where two pieces meet",
    "Seat": "somebody at the table; every role is one",
    "Direction": "`north`, `east`, ...",
}
PROPERTIES = {
    "place": "where it stands",
    "holder": "what it lies in, or was written in",
    "owner": "the seat it belongs to, or the thing it is a part of",
    "sort": "what its copies have in common",
    "title": "what players read",
    "name": "its id",
    "prose": "its prose",
    "face": "which of its faces is up",
    "cell": "the square it stands on",
    "spot": "the squares under its base, as one place to stand",
    "cells": "the squares under it",
    "edge": "whether it lies at the edge of the map",
}
_JOINT = {"beyond": "the piece on its far side", "cells": "its squares", "mark": "its letter"}
_SPOT = {"cost": "what it costs to get there", "route": "the way there", "cells": "its squares"}
_DIE = {
    "face": "what it shows",
    "rerolled": "whether it was rolled again",
    "purpose": "what it was rolled for",
}
OTHER_PROPERTIES = (
    ("a joint", core.JOINT_PROPERTIES, _JOINT),
    ("a piece", core.PIECE_PROPERTIES, {"joints": "all of its joints"}),
    ("a spot", core.SPOT_PROPERTIES, _SPOT),
    ("a die", core.DIE_PROPERTIES, _DIE),
    ("a roll", core.POOL_PROPERTIES, {"all_equal": "whether all its dice show the same"}),
    ("a container", core.PILE_PROPERTIES, {"top": "its first thing", "bottom": "its last"}),
)
FUNCTIONS = {
    "count": ("S", "how many"),
    "total": ("S [, each]", "their sum"),
    "highest": ("S [, each]", "the greatest of them, or `none`"),
    "lowest": ("S [, each]", "the least of them, or `none`"),
    "least": ("a, b, ...", "the least of these numbers"),
    "greatest": ("a, b, ...", "the greatest of these numbers"),
    "min": ("a, b, ...", "the same as `least`"),
    "max": ("a, b, ...", "the same as `greatest`"),
    "distinct": ("list", "each member once"),
    "pairs": ("a, b", "two lists side by side, for `for each x, y in`"),
    "shuffled": ("S", "in random order"),
    "copy": ("x", "a new copy of a thing"),
    "room": ("container", "how many more fit"),
    "supply": ("token", "how many tokens nobody holds"),
    "tokens": ("token, where", "how many lie there"),
    "newcomers": (
        "Role",
        "the seats that have joined since it was last asked, in this game or an earlier one of the campaign",
    ),
    "roster": ("Kind, seat", "what a seat brings along from the campaign record"),
    "base": ("value", "the value without its modifiers"),
    "edge": ("edges", "the first way on whose condition holds"),
    "ways": ("edges", "every chapter and ending they lead to, in order"),
    "fallback": ("edges", "where `otherwise` leads, or `none`"),
    "rolled": ("x", "the number of a roll; of a purpose, how many dice were rolled for it"),
    "times": ("action", "how often it was done, in a test"),
    "cells": ("x", "the squares of a thing, piece or set"),
    "pieces": ("x", "the pieces that a thing stands on"),
    "joined": ("piece", "the pieces joined to it"),
    "joint": ("piece, mark", "the joint with a letter"),
    "marked": ("piece, mark", "the squares drawn with a letter"),
    "fits": ("piece, joint, mark", "whether it could be joined there"),
    "distance": ("a, b [, way]", "steps from one to the other, or `none`"),
    "steps": ("a, goal [, way]", "the neighbours on a shortest way; with a movement, how many steps"),
    "along": ("a, goal, n, way", "where a walker is after n steps"),
    "roads": ("a, goal, way", "the neighbours on the shortest ways that a way of walking leaves open"),
    "border": ("a, b", "the mark of the border between two places"),
    "way": ("a, b", "the direction from one to the other"),
    "sees": ("a, b", "whether nothing stands in the line between them"),
    "area": ("cell, n", "the squares around one"),
    "neighbour": ("cell, direction", "the next square that way"),
    "row": ("cell, joint", "its row, counted from a joint"),
    "column": ("cell, joint", "its column, counted from a joint"),
    "same_colour": ("cell, cell", "whether a chequerboard would colour both alike"),
    "spots": ("x", "where a base could stand; of a token, the places it lies on"),
    "can_stand": ("x, cell", "whether its base fits there"),
    "reach": ("x, n, way", "the spots within n steps, with `.cost` and `.route`"),
    "square": ("column, row", "a square of the map, counted from 1"),
    "open": ("a, b", "whether one can step from one to the other"),
    "top": ("container", "its first thing"),
}
VERBS = {
    "move_count": "that many from the top of a container",
    "move": "into a container, or to a place",
    "move_under": "to the bottom of a container",
    "place": "onto the map, or into a container",
    "put_token": "tokens from the supply; gives how many",
    "put": "into a container",
    "put_at": "to a place",
    "put_on": "on top of a container, or on a thing",
    "take_token": "tokens back to the supply; gives how many",
    "take": "that many of a set; gives them",
    "draw": "from the top; gives one, or a list; takes `until`",
    "discard": "to a pile, else to the one its deck reshuffles from",
    "remove": "out of the game, into `box`; or out of a list",
    "roll": "dice; gives a pool; takes `until`",
    "reroll": "dice of a pool, each at most once",
    "flip": "turns a card or a die over",
    "shuffle": "a container; what was known of it is forgotten",
    "reveal": "turns it face up for everybody",
    "show": "lets one seat know it",
    "exchange": "two things change places",
    "stand": "puts a figure on a spot",
    "walk": "along its way, step by step",
    "join": "a piece to a joint, by one of its own",
    "lay": "a piece on the map, apart from the others",
    "link": "makes far squares neighbours",
    "stage": "puts a chapter's cast in place",
    "station": "puts one figure of a cast in place",
    "run": "tries the lines in order",
    "say": "a text, to everybody",
    "pay": "a cost; gives whether it was paid",
    "arrange": "asks for an order; gives the list",
    "clear": "takes everything off a place",
    "add": "to a list",
    "record": "writes into the campaign record",
    "follow": "asks for one of the labels and goes there",
    "match": "branches on a value, with arrows below",
    "play": "a chapter or ending; a system replaces it",
    "end_chapter": "said when `ends when` comes true; a system replaces it",
    "next_line": "said by `run` before each line, for rules to hook",
    "chapter": "the play of a chapter as a moment: `per chapter`, `until end of chapter`",
    "game": "the whole game; a system declares it",
}


def precedence() -> str:
    """The operators of each rule of the grammar for expressions."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    rows = [
        (f"`{signs}`".replace("|", "\\|"), about)
        for name, about in LEVELS
        if (signs := _signs(grammar, name))
    ]
    return _table(("operators", "what they do"), rows)


def _signs(grammar: str, rule: str) -> str:
    found = re.search(rf"^\?{rule}:(.*?)(?=^[?a-z_])", grammar, re.DOTALL | re.MULTILINE)
    assert found is not None, f"the grammar has no rule {rule}"
    signs: dict[str, None] = {}
    for alternative in re.split(r"^\s*\|", found[1], flags=re.MULTILINE):
        words = re.findall(r'"[^"]*"|\b[A-Za-z_]+\b', re.sub(r"->.*", "", alternative))
        spelled = [_spelled(word, grammar) for word in words]
        sign = re.sub(r"(…\s*)+", "… ", " ".join(spelled)).strip("… ")
        if sign:
            signs[sign] = None
    if rule == "dotted":
        signs = dict.fromkeys(("x.f", "x[i]"))
    if rule == "expr":
        signs = dict.fromkeys(("a if c otherwise b",))
    return "` `".join(signs)


def _spelled(word: str, grammar: str) -> str:
    """An operator as it is written; `…` for what stands around it."""
    if word.startswith('"'):
        return "…" if word.strip('"') in _BRACKETS else word.strip('"')
    if word in _SPELLED:
        return _SPELLED[word]
    literal = re.search(rf'^{word}:\s+"([^"]+)"$', grammar, re.MULTILINE)
    if literal and literal[1] not in _BRACKETS:
        return literal[1]
    phrase = re.search(rf"^{word}\.\d:\s+/([a-z]+)\[ \\t\]\+([a-z]+)", grammar, re.MULTILINE)
    return f"{phrase[1]} {phrase[2]}" if phrase else "…"


def reserved() -> str:
    """The words that can never be names."""
    rest = sorted(RESERVED - set(PREPOSITIONS))
    return _wrapped(f"Prepositions: {_listed(PREPOSITIONS)}.") + "\n" + _wrapped(f"Others: {_listed(rest)}.")


def core_names() -> str:
    """The names that the core gives to every text."""
    return _wrapped(f"{_listed(sorted(CORE_NAMES))}.")


def kinds() -> str:
    """The kinds of the core, their parents and fields."""
    rows = [
        (f"`{name}`", _listed(parents), _listed(core.CORE_FIELDS.get(name, ())), KINDS[name])
        for name, parents in core.CORE_KINDS.items()
    ]
    return _table(("kind", "is", "fields", ""), rows)


def properties() -> str:
    """What can be read of any thing, and of some others."""
    rows = [
        ("any thing", f"`{name}`", PROPERTIES[name], _said(kind)) for name, kind in core.PROPERTIES.items()
    ]
    for owner, table, about in OTHER_PROPERTIES:
        rows += [(owner, f"`{name}`", about[name], _said(kind)) for name, kind in table.items()]
    return _table(("of", "property", "is", "type"), rows)


def functions() -> str:
    """The functions of the core."""
    rows = [(f"`{name}({FUNCTIONS[name][0]})`", FUNCTIONS[name][1]) for name in core.FUNCTIONS]
    return _table(("function", "gives"), rows)


def verbs() -> str:
    """The verbs of the core with their parts; those in brackets may be left out."""
    return _table(("call", "does"), [(f"`{_usage(verb)}`", VERBS[verb.id]) for verb in core.VERBS])


def _usage(verb: core.CoreVerb) -> str:
    words = [verb.verb]
    if verb.first:
        words.append(_part("", verb.first))
    if verb.token:
        words.append("token")
    for preposition, what in verb.parts:
        words.append(_part(f"{preposition} ", what))
    return " ".join(words)


def _part(preposition: str, what: str) -> str:
    bare = what.rstrip("?")
    text = preposition + _WORDS.get(bare, bare)
    # A first argument that may be none is still written: only numbers are left out.
    return f"[{text}]" if what.endswith("?") and (preposition or bare == "int") else text


def _said(kind: Type) -> str:
    return {"sort_of": "its sort", "face": "a letter", "item": "a thing, or `none`"}.get(
        kind.tag, describe(kind).replace("|", "\\|")
    )


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _wrapped(text: str) -> str:
    return fill(text, 108) + "\n"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


PARTS: dict[str, Callable[[], str]] = {
    "precedence": precedence,
    "reserved words": reserved,
    "core names": core_names,
    "kinds": kinds,
    "properties": properties,
    "functions": functions,
    "verbs": verbs,
}


def filled(page: str) -> str:
    """The page with its generated parts made anew."""
    return _PART.sub(lambda part: f"{part[1]}{PARTS[part['name']]()}{part[3]}", page)


def main(arguments: list[str]) -> int:
    """Writes the page, or with `--check` only compares."""
    before = PAGE.read_text(encoding="utf-8")
    after = filled(before)
    if before == after:
        return 0
    if "--check" in arguments:
        print("docs/language.md is stale: run docs/generate_reference.py")
        return 1
    PAGE.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
