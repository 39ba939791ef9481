"""Names the mistake behind a failed parse: the first recogniser that matches decides."""

from __future__ import annotations

import re
from collections.abc import Callable

from lark.lexer import PatternStr

from talewright.dsl.grammar.lark_parser import parser
from talewright.dsl.recovery import declaration_recognisers as lines
from talewright.dsl.recovery import statement_recognisers as statements
from talewright.dsl.recovery import text_recognisers as texts
from talewright.dsl.recovery.parse_failure import Trouble
from talewright.dsl.recovery.verdict import Change, Verdict

_RECOGNISERS: tuple[Callable[[Trouble], Verdict | None], ...] = (
    texts.limits,
    texts.quotes,
    texts.foreign,
    texts.signs,
    texts.numbers,
    texts.brackets,
    statements.separators,
    lines.covers,
    statements.habits,
    texts.indentation,
    lines.first_words,
    lines.rule_pattern,
    lines.conditions,
    lines.signatures,
    lines.titles,
    statements.equals,
    statements.two_headers,
    statements.two_fields,
    statements.two_titles,
    statements.commas_in_a_plan,
    statements.settings,
    statements.ranges,
    statements.arrows,
    statements.ways_on,
    lines.colons,
    statements.lets_and_choices,
    lines.words_to_choose,
    lines.fields,
    lines.digits_first,
    lines.missing_names,
    lines.reserved,
    lines.capitals,
    statements.prepositions,
    statements.misspelt,
    statements.missing_values,
)

_COLON_FOLLOWS = (
    "if", "for", "repeat", "otherwise", "before", "after", "instead", "at", "when", "anytime", "modify",
    "offer", "table", "given", "rig", "answer", "scene", "marks", "choose", "until", "while",
)  # fmt: skip
_PHRASES = {
    "NAME": "a name", "KIND": "a kind", "INT": "a number", "STRING": "a text in quotes", "PROSE": "prose",
    "DICE": "dice", "_NL": "the end of the line", "RULE_ID": "a rule id", "FUN": "a name",
    "KFUN": "a trait", "AT_MOST": "`at most`", "AT_LEAST": "`at least`", "BECOMES_TRUE": "`becomes true`",
    "CHOSEN_BY": "`chosen by`", "UP_TO": "`up to`", "CHAPTER": "a chapter number", "SIZE": "a size",
    "OTHERWISE_ARROW": "`otherwise ->`", "LENDS_ALL": "`lends all`",
}  # fmt: skip
_MOST_PHRASES = 4
_STEPS = ("+", "-", "*", "/", "%", "<", "<=", "==", "!=", ">=", ">")
_A_NAME = re.compile(r"[a-z_]\w*")


def recognise(t: Trouble) -> Verdict:
    """The mistake behind a failure; always one."""
    for recogniser in _RECOGNISERS:
        verdict = recogniser(t)
        if verdict is not None:
            return verdict
    return _one_of_many(t) or _missing_colon(t) or _several_keys(t) or _below_zero(t) or _unexpected(t)


def _missing_colon(t: Trouble) -> Verdict | None:
    if "COLON" not in t.expected or t.kind not in ("newline", "indent", "end", "token"):
        return None
    end = t.line.start + len(t.code.rstrip())
    at_end = t.kind != "token"
    if at_end:
        changes = (Change(end, end, ":"),) if t.next is not None and t.next.indent > t.line.indent else ()
        said = (
            "a line with a block below it ends with `:`"
            if changes
            else "`:` is missing at the end of this line"
        )
        return Verdict(
            "S124", said, "write `:` at its end", end, end, changes, "write `:`", safe=bool(changes)
        )
    if t.word in ("then", "do", "{"):
        stop = t.at + len(t.word)
        said = f"a condition ends with `:`, not with `{t.word}`"
        return Verdict("S124", said, "write `:`", t.at, stop, (Change(t.at, stop, ":"),), "write `:`")
    inner = t.place == "statement" and t.segment[0] > 0
    if "EQUAL" in t.expected or t.first_word not in _COLON_FOLLOWS or inner:
        return None
    gap = t.line.start + len(t.before.rstrip())
    said = f"`:` is missing before `{t.word}`"
    return Verdict(
        "S124", said, "write `:` there", t.at, t.at + len(t.word), (Change(gap, gap, ":"),), "write `:`"
    )


def _what_fits(expected: frozenset[str]) -> str:
    """What could be written instead, when that is short enough to help."""
    literal = {
        t.name: f"`{t.pattern.value}`" for t in parser().terminals if isinstance(t.pattern, PatternStr)
    }
    phrases = {_PHRASES.get(name) or literal.get(name) for name in expected}
    if not phrases or None in phrases or len(phrases) > _MOST_PHRASES:
        return "compare it with a line like it that works"
    return f"write {' or '.join(sorted(filter(None, phrases)))} here"


def _several_keys(t: Trouble) -> Verdict | None:
    """Several values before one arrow, or numbers as keys without arrows."""
    if t.word == "->" and "," in t.before:
        keys = t.before.rpartition(";")[2].strip()
        start = t.at - len(t.before) + t.before.rindex(keys)
        instead = re.sub(r"[ ]*,[ ]*", " or ", keys)
        said = "several values before an arrow are joined by `or`"
        change = Change(start, start + len(keys), instead)
        return Verdict(
            "S100", said, f"write `{instead} -> ...`", t.at, t.at + 2, (change,), f"write `{instead}`"
        )
    if t.word.isdecimal() and t.last_word.isdecimal() and ":" in t.before:
        said = "numbers as keys of a map need arrows"
        help = f"write `{t.last_word} -> {t.word}`, and `;` before the next"
        return Verdict("S100", said, help, t.at, t.at + len(t.word))
    return None


def _below_zero(t: Trouble) -> Verdict | None:
    """A minus before what is not the only number on its side."""
    behind = re.search(r"(?<![\w)\]}])[ ]*(-[ ]*([0-9]*)[ ]*)$", t.before)
    if t.word == "-" and "NAME" in t.expected:
        ahead = re.match(r"-[ ]*([a-z_][\w.]*|[0-9]+)", t.after)
        start, taken = t.at, ahead.group(1) if ahead else ""
    elif behind is not None and (t.word in _STEPS if behind.group(2) else _A_NAME.fullmatch(t.word)):
        start, taken = t.at - len(behind.group(1)), behind.group(2) or t.word
    else:
        return None
    said = "a minus stands only before a number that is alone on its side"
    return Verdict("S100", said, f"write `(0 - {taken or '...'})`", start, start + 1)


def _one_of_many(t: Trouble) -> Verdict | None:
    """`first S` and the like as one side of a comparison, without brackets."""
    found = re.search(r"\b(first|last|random)[ ]+(?:\([^()]*\)|[\w.]+)[ ]*$", t.before)
    if found is None or t.word not in (*_STEPS, "is", "in", "includes", "near"):
        return None
    start = t.at - len(t.before) + found.start()
    end = t.at - len(t.before) + len(t.before.rstrip())
    said = f"`{found.group(1)} ...` cannot stand directly before `{t.word}`"
    changes = (Change(start, start, "("), Change(end, end, ")"))
    help = f"put it in brackets: `({found.group(1)} ...)`"
    return Verdict("S100", said, help, start, end, changes, "put it in brackets")


def _unexpected(t: Trouble) -> Verdict:
    help = _what_fits(t.expected)
    if not t.word.strip():
        end = t.line.start + len(t.code.rstrip())
        return Verdict("S100", "this line ends too soon", help, max(t.line.start, end - 1), end)
    shown = re.sub(r"\s+", " ", t.word)
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    said = f"`{shown}` cannot stand here"
    if t.last_word and t.line.start < t.at:
        said = f"`{shown}` cannot follow `{t.last_word}` here"
    return Verdict("S100", said, help, t.at, t.at + len(t.word))
