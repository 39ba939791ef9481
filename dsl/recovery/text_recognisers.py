"""Mistakes of writing: quotes, signs, brackets, numbers, indentation."""

from __future__ import annotations

import re

from talewright.dsl.grammar.indentation import FOREIGN, MAX_BLOCKS, MAX_BRACKETS, MAX_STEPS
from talewright.dsl.recovery.parse_failure import Trouble
from talewright.dsl.recovery.text_shape import Line, looks_like_declaration, masked
from talewright.dsl.recovery.verdict import Change, Verdict

_CURLY = "“”„‟«»‘’‚‛"
_SIGNS = {
    "→": "->", "⇒": "->", "–": "-", "—": "-", "−": "-", "≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "÷": "/",
    "…": "..", "\u00a0": " ", "\u2003": " ", "\u2009": " ", "：": ":", "，": ",", "；": ";",
}  # fmt: skip
_HEADERS = (
    "if", "otherwise", "for", "repeat", "choose", "until", "first", "all", "together", "kind", "extend",
    "trait", "role", "action", "before", "after", "instead", "at", "when", "anytime", "while", "test",
    "table", "movement", "payment", "offer", "given", "die",
)  # fmt: skip
_OUTERMOST = re.compile(
    r"(?:kind|trait|type|role|token|die|team|test|extend|table|option|plan|movement|payment|period|check"
    r"|measure)[ \t]"
)


def limits(t: Trouble) -> Verdict | None:
    """Nesting beyond the limits."""
    end = t.at + max(1, len(t.word.strip()))
    if t.kind == "blocks":
        return Verdict(
            "S104",
            f"blocks lie more than {MAX_BLOCKS} deep in each other",
            "move the inner part into an action of its own",
            t.line.start,
            t.line.start + 1,
        )
    if t.kind == "brackets":
        return Verdict(
            "S105",
            f"brackets lie more than {MAX_BRACKETS} deep in each other",
            "give a name to an inner part with `let` or `value`",
            t.at,
            t.at + 1,
        )
    if t.kind == "steps":
        return Verdict(
            "S106",
            f"this expression has more than {MAX_STEPS} steps in a row",
            "give a name to a part of it with `let` or `value`",
            t.at,
            end,
        )
    return None


def quotes(t: Trouble) -> Verdict | None:
    """Quotes that do not close, or that are not the straight double ones."""
    line = t.line
    if line.open_prose is not None and t.at >= line.open_prose:
        return Verdict(
            "S113",
            "this prose is never closed",
            'close it with `"""`',
            line.open_prose,
            line.open_prose + 3,
        )
    curly = [i for i in range(line.start, min(line.end, line.start + 4000)) if t.text[i] in _CURLY]
    sign = t.text[t.at : t.at + 1]
    if curly and (sign in _CURLY or line.open_string is not None or t.code[curly[0] - line.start] in _CURLY):
        changes = tuple(Change(i, i + 1, '"') for i in curly if t.code[i - line.start] in _CURLY)
        at = changes[0].start if changes else curly[0]
        return Verdict(
            "S118",
            f"`{t.text[at]}` is a curly quote; texts stand in straight ones",
            'write `"`',
            at,
            at + 1,
            changes,
            "straighten the quotes",
            safe=len(changes) % 2 == 0,
        )
    if sign == "'":
        return _single(t)
    if line.open_string is not None and t.at >= line.open_string:
        stop = line.open_string + len(t.text[line.open_string : line.end].split("\n", 1)[0].rstrip())
        return Verdict(
            "S114",
            "this text is never closed",
            'close it with `"` on the same line',
            line.open_string,
            stop,
        )
    return None


def _single(t: Trouble) -> Verdict | None:
    at = t.at
    if re.search(r"[0-9]$", t.before) and re.match(r"'[0-9]", t.after):
        return _separated(t, r"[0-9]+(?:'[0-9]+)+", "'")
    close = t.text.find("'", at + 1, t.line.end)
    if close < 0 or "\n" in t.text[at:close]:
        return Verdict("S119", "texts stand in double quotes, not in `'`", 'write `"`', at, at + 1)
    changes = (Change(at, at + 1, '"'), Change(close, close + 1, '"'))
    inner = t.text[at + 1 : close]
    return Verdict(
        "S119",
        "texts stand in double quotes, not in `'`",
        f'write `"{inner}"`',
        at,
        close + 1,
        changes,
        "use double quotes",
        safe='"' not in inner,
    )


def signs(t: Trouble) -> Verdict | None:
    """Operators and comments of other languages, typographic signs, characters that mean nothing."""
    for pattern, code, said, written in _OPERATORS:
        for found in re.finditer(pattern, t.code):
            if found.start() <= t.offset <= found.end():
                start, end = t.span_of(*found.span())
                return Verdict(
                    code,
                    said,
                    f"write `{written.strip()}`",
                    start,
                    end,
                    (Change(start, end, written),),
                    f"write `{written.strip()}`",
                    safe=True,
                )
    for found in re.finditer(r"//.*|/\*.*", t.code):
        if found.start() <= t.offset <= found.start() + 1:
            start, end = t.span_of(found.start(), len(t.code))
            return Verdict(
                "S167",
                "a comment begins with `#`",
                "write `#`",
                start,
                start + 2,
                (Change(start, start + 2, "#"),),
                "write `#`",
                safe=t.code[found.start() + 1] == "/",
            )
    changed = re.match(r".*?(\+=|-=|\*=|/=|\+\+|--)", t.code)
    if changed and changed.start(1) <= t.offset <= changed.end(1):
        return _compound(t, changed.group(1), changed.start(1))
    if t.kind != "character":
        return None
    if t.word == "?":
        start, end = t.at, t.at + 1
        return Verdict("S170", "there is no `? :`", "write `a if condition otherwise b`", start, end)
    return _stray(t)


_OPERATORS = (
    (r"[ ]*&&[ ]*", "S163", "`&&` is not an operator here", " and "),
    (r"[ ]*\|\|[ ]*", "S163", "`||` is not an operator here", " or "),
    (r"===", "S163", "`===` is not an operator here", "=="),
    (r"!==", "S163", "`!==` is not an operator here", "!="),
    (r"<>", "S163", "`<>` is not an operator here", "!="),
    (r"!(?!=)[ ]*", "S163", "`!` is not an operator here", "not "),
    (r"=>", "S147", "an arrow is written `->`", "->"),
)


def _compound(t: Trouble, sign: str, at: int) -> Verdict:
    start, end = t.span_of(at, at + len(sign))
    if sign in ("+=", "-="):
        changes = (Change(start, end, sign[0]),)
        amount = re.match(r"[ ]*([\w.]+|\([^()]*\))[ ]*(?:;|$)", t.code[at + 2 :])
        said = f"a change is written with a plain `{sign[0]}`"
        return Verdict(
            "S142",
            said,
            f"write `{sign[0]}` instead of `{sign}`",
            start,
            end,
            changes,
            f"write `{sign[0]}`",
            safe=amount is not None,
        )
    if sign in ("++", "--"):
        changes = (Change(start, end, f" {sign[0]} 1"),)
        return Verdict(
            "S142",
            f"there is no `{sign}`",
            f"write `{sign[0]} 1`",
            start,
            end,
            changes,
            f"write `{sign[0]} 1`",
        )
    return Verdict("S142", f"there is no `{sign}`", f"write `x = x {sign[0]} ...`", start, end)


def _stray(t: Trouble) -> Verdict:
    sign = t.word
    if sign in _SIGNS:
        instead = _SIGNS[sign]
        said = (
            f"`{sign}` is not a sign of the language" if sign.strip() else "this blank is not an ordinary one"
        )
        help = f"write `{instead}`" if instead.strip() else "write an ordinary blank"
        return Verdict(
            "S117", said, help, t.at, t.at + 1, (Change(t.at, t.at + 1, instead),), help, safe=True
        )
    shown = f"`{sign}`" if sign.isprintable() and sign.strip() else f"the character U+{ord(sign or ' '):04X}"
    return Verdict("S117", f"{shown} means nothing here", "take it out", t.at, t.at + 1)


def numbers(t: Trouble) -> Verdict | None:
    """Numbers that are not whole, or with signs between their digits."""
    for found in re.finditer(r"(?<![\w.])[0-9]+\.[0-9]+(?![\w.])", t.code):
        if found.start() <= t.offset <= found.end():
            start, end = t.span_of(*found.span())
            return Verdict(
                "S172", f"`{found.group()}` is not a whole number", "count in whole numbers", start, end
            )
    return _separated(t, r"(?<![\w.])[0-9]+(?:_[0-9]+)+", "_") or _separated(
        t, r"(?<![\w.])[0-9]{1,3}(?:,[0-9]{3})+\b", ","
    )


def _separated(t: Trouble, pattern: str, sign: str) -> Verdict | None:
    for found in re.finditer(pattern, t.code):
        if found.start() <= t.offset <= found.end():
            start, end = t.span_of(*found.span())
            plain = found.group().replace(sign, "")
            return Verdict(
                "S171",
                f"a number has digits only, no `{sign}`",
                f"write `{plain}`",
                start,
                end,
                (Change(start, end, plain),),
                f"write `{plain}`",
                safe=sign != ",",
            )
    return None


def foreign(t: Trouble) -> Verdict | None:
    """Names that other languages give to yes, no and none."""
    if t.kind != "foreign":
        return None
    instead = FOREIGN[t.word]
    end = t.at + len(t.word)
    return Verdict(
        "S164",
        f"`{t.word}` is called `{instead}` here",
        f"write `{instead}`",
        t.at,
        end,
        (Change(t.at, end, instead),),
        f"write `{instead}`",
        safe=True,
    )


def brackets(t: Trouble) -> Verdict | None:
    """Brackets without their other half."""
    line = t.line
    if line.stray_bracket is not None and t.at >= line.stray_bracket:
        at = line.stray_bracket
        sign = t.text[at]
        label = None
        if line.open_bracket is not None and line.open_bracket < at:
            opened = t.text[line.open_bracket]
            label = (line.open_bracket, line.open_bracket + 1, f"`{opened}` is still open here")
        return Verdict(
            "S116", f"`{sign}` closes nothing", "take it out, or open it before", at, at + 1, label=label
        )
    if line.open_bracket is not None and t.at > line.open_bracket:
        at = line.open_bracket
        closing = {"(": ")", "[": "]", "{": "}"}[t.text[at]]
        return Verdict("S115", f"`{t.text[at]}` is never closed", f"close it with `{closing}`", at, at + 1)
    return None


def indentation(t: Trouble) -> Verdict | None:
    """Blocks that are missing, uneven, or where none belongs."""
    if t.kind == "dedent":
        return Verdict(
            "S122",
            "this line lies between two depths of the lines above",
            "indent it as far as the line it belongs beside",
            t.line.begin,
            t.line.start,
            _evened(t),
            "even the depth",
        )
    if t.index == 0 and t.line.indent > 0:
        said, help = "this line is indented, but no block is open", "write its declaration above it"
        return Verdict("S121", said, help, t.line.begin, t.line.start, reach=len(t.text))
    if t.kind == "indent" and t.next is not None:
        return _unexpected_indent(t, t.line, t.next)
    if "_INDENT" in t.expected:
        return _missing_block(t)
    return None


def _unexpected_indent(t: Trouble, above: Line, below: Line) -> Verdict:
    code = t.code.rstrip()
    end = above.start + len(code)
    if re.fullmatch(r'"_*"', code) and t.place == "statement":
        return Verdict(
            "S146",
            "an option needs `->` after its label",
            f"write `{t.text[above.start : end]} ->`",
            above.start,
            end,
            (Change(end, end, " ->"),),
            "write `->`",
        )
    if above.indent == 0 and _OUTERMOST.match(t.text, below.start) and not code.startswith("while"):
        return _too_deep(t, above, below)
    behind = re.match(r"(.*?[^ :]):[ ]+\S", code)
    if code.endswith(":") or (
        behind is None and t.first_word not in _HEADERS and not t.first_word[:1].isupper()
    ):
        return _too_deep(t, above, below)
    if behind is None or re.match(r"action|value|option|state|menu", code):
        return Verdict(
            "S124",
            "a line with a block below it ends with `:`",
            "write `:` at its end",
            end,
            end,
            (Change(end, end, ":"),),
            "write `:`",
            safe=True,
        )
    if re.match(rf"(?:{'|'.join(_HEADERS)})\b", code):
        start = above.start + behind.end() - 1
        depth = " " * below.indent
        return Verdict(
            "S125",
            "a block stands on the header's own line or below it, not both",
            "move this text into the block below",
            start,
            end,
            (Change(start, start, "\n" + depth),),
            "move the text into the block",
            reach=_end_of_block(t, above),
        )
    return _too_deep(t, above, below)


def _end_of_block(t: Trouble, above: Line) -> int:
    return next((x.begin for x in t.lines[t.index + 1 :] if x.indent <= above.indent), len(t.text))


def _evened(t: Trouble) -> tuple[Change, ...]:
    """Brings a line between two depths to the one that moves fewer lines."""
    depth = t.line.indent
    block: list[Line] = []
    for line in reversed(t.lines[: t.index]):
        if line.indent < depth:
            break
        block.insert(0, line)
    inner = min((line.indent for line in block), default=depth)
    rest: list[Line] = []
    for line in t.lines[t.index :]:
        if line.indent < depth:
            break
        rest.append(line)
    beside = sum(line.indent == depth for line in rest)
    if sum(line.indent == inner for line in block) <= beside:
        moved, by = block, depth - inner
    else:
        moved, by = rest, inner - depth
    return tuple(Change(line.begin, line.start, " " * (line.indent + by)) for line in moved)


def _too_deep(t: Trouble, above: Line, below: Line) -> Verdict:
    reach = _end_of_block(t, above)
    changes = [
        Change(line.begin, line.start, " " * max(line.indent - below.indent + above.indent, above.indent))
        for line in t.lines[t.index + 1 :]
        if line.begin < reach
    ]
    if above.indent == 0 and not _OUTERMOST.match(t.text, below.start):
        # At the left edge these lines would be declarations, which they do not look like.
        changes = []
    return Verdict(
        "S121",
        "this line is indented, but no block is open",
        "indent it as far as the line above",
        below.begin,
        below.start,
        tuple(changes),
        "undo the indent",
        reach=reach,
    )


def _missing_block(t: Trouble) -> Verdict | None:
    # The parser stops at what follows the header, on a line of its own.
    header = t.line if t.kind == "end" else t.previous
    below = t.next if t.kind == "end" else t.line
    if header is None:
        return None
    code = masked(t.text, header.start, header.end).rstrip()
    colon = header.start + max(0, len(code) - 1)
    if below is not None and below is not header and below.indent == header.indent and t.kind != "end":
        changes = _indented(t, t.lines.index(below), header)
        return Verdict(
            "S120",
            "the block after `:` is not indented",
            "indent this line",
            below.start,
            below.start + max(1, len(t.word)),
            changes,
            "indent the block",
            label=(header.start, colon + 1, "its header"),
        )
    inner = header.indent > 0 or re.match(r"action|before|after|instead|at|when|anytime", code)
    help = "write a block below, or `nothing`" if inner else "write its block below, or take the `:` out"
    return Verdict("S123", "nothing stands in the block after `:`", help, colon, colon + 1)


def _indented(t: Trouble, index: int, header: Line) -> tuple[Change, ...]:
    """One step for the line below a header; at the left edge, for all that are no declarations."""
    if header.indent:
        line = t.lines[index]
        return (Change(line.begin, line.begin, "    "),)
    lost: list[Line] = []
    for line in t.lines[index:]:
        if line.indent == 0 and looks_like_declaration(t.text, line.start):
            break
        lost.append(line)
    # When only the first of them lies at the edge, the others are where they belong.
    flat = [line for line in lost if line.indent == 0]
    return tuple(Change(line.begin, line.begin, "    ") for line in (lost if len(flat) > 1 else flat))
