"""Colours without a compiler: one table of patterns, from which the grammars of highlighters are made.

The words come from `tale.lark` and `reserved_words`, so that no highlighter can know other words than the
compiler. `python -m talewright.lsp.highlighting` prints the TextMate grammar of the VS Code extension.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS, RESERVED, RESERVED_BEFORE_PARENTHESIS
from talewright.schemas.records import record

_TERMINAL = re.compile(r"^(?P<name>[A-Z_]+)(?:\.(?P<weight>\d+))?:\s+/(?P<pattern>.+)/\s*$", re.MULTILINE)
_NOT_BEFORE = r"(?<![A-Za-z0-9_.])"
# Sorts of patterns that begin with a letter: nothing of a name may stand before.
WORDS = ("phrase", "inside", "word", "flag")
# Terminals that are no keywords, by what they are.
_OTHERS = {
    "CMP", "TURN", "RULE_ID", "CHAPTER", "DICE", "SIZE", "TARGET", "INT", "KFUN", "KIND", "FUN", "NAME", "PROSE",
    "STRING", "_NL", "COMMENT",
}  # fmt: skip
# Words inside declarations that are names elsewhere: told apart by what follows.
_INSIDE = (
    r"(?:start(?=[ \t]+(?!of\b|after\b)[0-9a-z(])|max(?=[ \t]+[0-9a-z(])|reshuffles(?=[ \t]+from\b)|ties(?=[ \t]+by\b)"
    r"|(?<=: )pass(?=[ \t]+\")|once(?=[ \t]+per\b)|without(?=[ \t])|type(?=[ \t]+[A-Z]))"
)


@record(frozen=True)
class Sort:
    """A pattern and what it stands for: the scope of TextMate; `line` where it only counts at the start of a line."""

    name: str
    scope: str
    pattern: str
    line: bool = False


@cache
def terminals() -> dict[str, str]:
    """The patterns of all terminals of the grammar that have one, by name."""
    text = (files("talewright.dsl.grammar") / "tale.lark").read_text(encoding="utf-8")
    return {found["name"]: found["pattern"] for found in _TERMINAL.finditer(text)}


@cache
def sorts() -> tuple[Sort, ...]:
    """All patterns in the order in which they are tried."""
    known = terminals()
    phrases = {name: pattern for name, pattern in known.items() if name not in _OTHERS}
    opening = {name for name, pattern in phrases.items() if _first_word(pattern) in DECLARATION_WORDS}
    opening -= {"CONTAINER", "TRACK_T", "AT_LEAST", "AT_MOST", "START"}
    tests = {"COVERS", "START", "GIVEN", "RIG", "ANSWER", "EXPECT", "MARKS", "SCENE", "CAST", "DRAWN", "HOOK"}
    at_line = sorted((opening | tests) & set(phrases) - {"AT_EDGE", "ORDER_OF", "START_AFTER"})
    anywhere = [name for name in phrases if name not in at_line]
    free = sorted(RESERVED - RESERVED_BEFORE_PARENTHESIS)
    words = sorted(RESERVED_BEFORE_PARENTHESIS, key=lambda word: (-len(word), word))
    number = "|".join(known[name] for name in ("DICE", "SIZE", "TARGET", "INT"))
    return (
        Sort("opening", "keyword.declaration.tale", "|".join(phrases[name] for name in at_line), True),
        Sort("rule-id", "constant.other.rule.tale", known["RULE_ID"]),
        Sort("chapter", "entity.name.type.tale", known["CHAPTER"]),
        Sort("phrase", "keyword.control.tale", "|".join(phrases[name] for name in anywhere)),
        Sort("inside", "keyword.other.tale", _INSIDE),
        Sort(
            "word",
            "keyword.control.tale",
            rf"(?:(?:{'|'.join(words)})(?![A-Za-z0-9_])|(?:{'|'.join(free)})(?![A-Za-z0-9_(]))",
        ),
        Sort(
            "flag", "storage.modifier.tale", r"(?:on_back|face_down|face_up|returning|ring)(?![A-Za-z0-9_])"
        ),
        Sort("number", "constant.numeric.tale", rf"(?:{number})"),
        Sort("kind", "entity.name.type.tale", known["KIND"]),
        Sort("function", "entity.name.function.tale", known["FUN"]),
        Sort("name", "variable.other.tale", known["NAME"]),
        Sort("sign", "keyword.operator.tale", r"->|\.\.|==|!=|<=|>=|[-+*/%<>=|]"),
    )


def _first_word(pattern: str) -> str:
    found = re.match(r"[a-z_]+", pattern)
    return found.group() if found else ""


def textmate_grammar() -> dict[str, Any]:
    """The grammar for VS Code and whatever else reads TextMate's form."""
    patterns: list[Any] = [
        {"include": "#comment"},
        {"include": "#prose"},
        {"include": "#string"},
        {"include": "#code"},
    ]
    code = [
        {"match": rf"^[ \t]*({sort.pattern})", "captures": {"1": {"name": sort.scope}}}
        if sort.line
        else {
            "match": rf"{_NOT_BEFORE if sort.name in WORDS else ''}(?:{sort.pattern})",
            "name": sort.scope,
        }
        for sort in sorts()
    ]
    hole = {
        "begin": r"\{",
        "end": r"\}",
        "name": "meta.embedded.expression.tale",
        "patterns": [{"include": "#code"}],
    }
    escape = {"match": r"\\.", "name": "constant.character.escape.tale"}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Tale",
        "scopeName": "source.tale",
        "patterns": patterns,
        "repository": {
            "comment": {"match": r"#.*$", "name": "comment.line.number-sign.tale"},
            "prose": {
                "begin": '"""', "end": '"""', "name": "string.quoted.triple.tale", "patterns": [escape, hole],
            },
            "string": {
                "begin": '"', "end": r'"|$', "name": "string.quoted.double.tale", "patterns": [escape, hole],
            },
            "code": {"patterns": code},
        },
    }  # fmt: skip


def main() -> None:
    """Prints the TextMate grammar."""
    print(json.dumps(textmate_grammar(), indent=2))


if __name__ == "__main__":
    main()
