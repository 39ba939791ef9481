"""Where a blank stands between two words or signs of one line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from talewright.dsl.format.lexemes import Lexeme
from talewright.dsl.grammar.reserved_words import RESERVED

OPENERS = frozenset("([{")
CLOSERS = frozenset(")]}")
_NEVER_BEFORE = CLOSERS | frozenset(",;:")
_BINDING = frozenset(("+", "-", "*", "/", "%", ".", "of"))
_BINDING_AFTER = _BINDING | OPENERS
_COVERS = re.compile(r"covers(?![a-z0-9_])")
# Reserved words that are a whole operand: a minus after them subtracts.
_OPERAND_WORDS = frozenset(("none", "yes", "no", "nothing", "random"))


def with_blanks(lexemes: Sequence[Lexeme], head: str, before: Lexeme | None = None) -> str:
    """One line with its blanks; `head` begins its statement, `before` stands at the end of the line above."""
    line = ([before] if before else []) + list(lexemes)
    first = len(line) - len(lexemes)
    parts: list[str] = []
    for index in range(first, len(line)):
        if index > first and _blank_before(line, index, head):
            parts.append(" ")
        parts.append(line[index].text)
    return "".join(parts)


def _blank_before(line: Sequence[Lexeme], index: int, head: str) -> bool:
    left, right = line[index - 1], line[index]
    if right.form == "sign" and right.text in _NEVER_BEFORE:
        return False
    if left.form == "sign" and left.text in OPENERS:
        return False
    if right.form == "sign":
        match right.text:
            case "(":
                # `f(x)` is a value and `f (x)` a verb with an argument.
                return right.apart if _ends_operand(left) or left.form == "word" else True
            case "[" | ".":
                # `4+` is one word only before a blank or a closing sign.
                return right.apart if left.form == "target" else not _ends_operand(left)
            case "..":
                return not (_ends_operand(left) and _tight_span(line, index, head))
            case "-" if _in_rule_id(line, index, head):
                return False
    if left.form == "sign":
        match left.text:
            case ".":
                return False
            case "..":
                begins = _starts_operand(right) or right.text == "-"
                return not (begins and _tight_span(line, index - 1, head))
            case "-":
                return not (_in_rule_id(line, index - 1, head) or _is_negative(line, index - 1, head))
    return True


def _ends_operand(lexeme: Lexeme) -> bool:
    if lexeme.form == "sign":
        return lexeme.text in CLOSERS
    return lexeme.form != "word" or lexeme.text not in RESERVED or lexeme.text in _OPERAND_WORDS


def _starts_operand(lexeme: Lexeme) -> bool:
    return lexeme.form != "sign" or lexeme.text in OPENERS


def _tight_span(line: Sequence[Lexeme], index: int, head: str) -> bool:
    """Whether each side of `..` is a single word, a negative number or empty."""
    left = line[index - 1] if index and _ends_operand(line[index - 1]) else None
    bound = index > 1 and line[index - 2].text in _BINDING
    if left and bound and line[index - 2].text == "-":
        bound = not _is_negative(line, index - 2, head)
    if left and (left.form != "word" or bound):
        return False
    after = index + 2 if line[index + 1 : index + 2] and line[index + 1].text == "-" else index + 1
    right = line[after] if after < len(line) and _starts_operand(line[after]) else None
    if right is None:
        return True
    return right.form == "word" and (after + 1 >= len(line) or line[after + 1].text not in _BINDING_AFTER)


def _in_rule_id(line: Sequence[Lexeme], index: int, head: str) -> bool:
    """Whether a minus is part of an id such as `AB-MOVE-WALK`."""
    if not _COVERS.match(head) or not 0 < index < len(line) - 1:
        return False
    return not line[index].apart and not line[index + 1].apart and line[index + 1].form == "word"


def _is_negative(line: Sequence[Lexeme], index: int, head: str) -> bool:
    """Whether a minus belongs to the number after it, and does not subtract."""
    if index == 0:
        return True
    left = line[index - 1]
    if head == "modify" and left.text == ":":
        return False
    return not _ends_operand(left)
