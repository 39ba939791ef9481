"""Mistakes in statements: arrows, choices, conditions, habits from other languages."""

from __future__ import annotations

import re

from talewright.dsl.closest_word import alike
from talewright.dsl.grammar.reserved_words import PREPOSITIONS, RESERVED
from talewright.dsl.recovery.parse_failure import Trouble
from talewright.dsl.recovery.verdict import Change, Verdict

_ELSE = re.compile(r"(else[ ]*if|elif|elseif|elsif|else|or[ ]+else)\b")
_NO_PREPOSITIONS = frozenset(
    (
        "via", "through", "between", "among", "onto", "upon", "without", "like", "about", "than", "inside",
        "outside", "beside", "behind", "below", "above", "across", "along", "around", "beyond", "towards",
        "till", "off", "out", "up", "down", "after", "before", "doing", "because", "except",
    )
)  # fmt: skip
_DEFINED = r"\b(?:let[ ]+[a-z_]\w*|measure[ ]+\w+|type[ ]+\w+|value[ ]+\w+(?:\([^()]*\))?)"
_RANGE = re.compile(
    r"\b(?:from|in|of)[ ]+([a-z_0-9]\w*(?:\.[a-z_]\w*)*)[ ]*(\.\.)[ ]*([a-z_0-9]\w*(?:\.[a-z_]\w*)*)"
)
_QUANTIFIERS = frozenset(("all", "any", "each", "first", "last", "no", "random"))
_THING_LINE = re.compile(r"[A-Z]\w*[ ]+\w")
_BAND = re.compile(r"(?:[0-9]+[ ]*\.\.[ ]*[0-9]*|\.\.[ ]*[0-9]+)")


def _statement_span(t: Trouble, begin: int, end: int) -> tuple[int, int]:
    """Offsets in the statement as offsets in the draft."""
    start = t.segment[0]
    start += len(t.code[start:]) - len(t.code[start:].lstrip())
    return t.span_of(start + begin, start + end)


_FIRST_WORD = re.compile(r"[a-z_]\w*")
_OPENING_WORDS = (
    "requires",
    "choose",
    "repeat",
    "match",
    "otherwise",
    "together",
    "first possible",
    "all possible",
)


def habits(t: Trouble) -> Verdict | None:
    """Statements that other languages begin with another word."""
    said = t.statement
    if t.place == "top":
        return None
    found = _ELSE.match(said)
    if found:
        start, end = _statement_span(t, 0, found.end())
        written = "otherwise" if found.group().endswith("else") else "otherwise if"
        return Verdict(
            "S160",
            f"`{found.group()}` is called `{written}` here",
            f"write `{written}`",
            start,
            end,
            (Change(start, end, written),),
            f"write `{written}`",
            safe=True,
        )
    found = re.match(
        r"(?:for(?:[ ]+(?:all|every))?|foreach|forall)[ ]+(?!each\b)[a-z_]\w*(?:[ ]*,[ ]*\w+)?[ ]+in\b", said
    )
    if found:
        word = re.match(r"for[ ]+(?:all|every)\b|\w+", said)
        start, end = _statement_span(t, 0, word.end() if word else 3)
        changes = (Change(start, end, "for each"),)
        return Verdict(
            "S161",
            "a loop over a set begins with `for each`",
            "write `for each`",
            start,
            end,
            changes,
            "write `for each`",
            safe=True,
        )
    return _loops(t, said) or _other_words(t, said)


def _loops(t: Trouble, said: str) -> Verdict | None:
    found = re.match(r"(?:while|until|loop)\b", said)
    if found is None or t.offset > t.segment[0] + len(t.code) - len(said) + 8:
        return None
    word = found.group()
    start, end = _statement_span(t, 0, len(word))
    if word == "while":
        help, changes = "write `repeat while`", (Change(start, end, "repeat while"),)
        return Verdict("S162", "a loop begins with `repeat`", help, start, end, changes, help, safe=True)
    help = "write `repeat while not`" if word == "until" else "write `repeat:`"
    return Verdict("S162", f"a loop begins with `repeat`, not with `{word}`", help, start, end)


def _other_words(t: Trouble, said: str) -> Verdict | None:
    if re.match(r"return\b", said):
        start, end = _statement_span(t, 0, 6)
        written = "give" if said[6:].strip() else "stop"
        return Verdict(
            "S165",
            "a result is handed back with `give`",
            f"write `{written}`",
            start,
            end,
            (Change(start, end, written),),
            f"write `{written}`",
        )
    found = re.match(r"(var|const|local|set|int|auto|dim|my)[ ]+[a-z_]\w*[ ]*(?:=|:|to\b)", said)
    if found:
        start, end = _statement_span(t, 0, found.end(1))
        return Verdict(
            "S169",
            f"a local name is made with `let`, not with `{found.group(1)}`",
            "write `let`",
            start,
            end,
            (Change(start, end, "let"),),
            "write `let`",
        )
    if re.match(r"otherwise\b", said) and t.kind in ("token", "reserved") and t.offset <= t.segment[0] + 1:
        start, end = _statement_span(t, 0, 9)
        return Verdict(
            "S127",
            "this `otherwise` belongs to no `if`",
            "write `if` above it, at the same depth",
            start,
            end,
        )
    return None


def ranges(t: Trouble) -> Verdict | None:
    """A range of numbers to choose from or to count through, without its brackets."""
    if t.word != "..":
        return None
    for found in _RANGE.finditer(t.code):
        if found.start(2) == t.at - t.line.start:
            start, end = t.line.start + found.start(1), t.line.start + found.end()
            written = f"({found.group(1)}..{found.group(3)})"
            return Verdict(
                "S174",
                "a range of numbers stands in brackets here",
                f"write `{written}`",
                start,
                end,
                (Change(start, end, written),),
                f"write `{written}`",
                safe=True,
            )
    return None


def arrows(t: Trouble) -> Verdict | None:
    """Bands, rows and options without their arrow."""
    begin, end = t.segment
    begin = max(begin, t.before.rfind(";") + 1)
    said = t.code[begin:end].strip()
    base = begin + len(t.code[begin:]) - len(t.code[begin:].lstrip())
    if "->" in said[: max(0, t.offset - base) + 1] or t.place == "test":
        return None
    label = re.match(r'"_*"', said)
    if label and t.offset >= base + label.end() and t.place == "statement":
        start, stop = t.span_of(base, base + label.end())
        return _arrow(t, "S146", "an option needs `->` after its label", start, stop, said[label.end() :])
    band = _BAND.match(said)
    if band and t.offset >= base + len(band.group().rstrip()) and said != band.group():
        stop_code = base + len(band.group().rstrip())
        start, stop = t.span_of(base, stop_code)
        return _arrow(t, "S145", "a band needs `->` after its range", start, stop, said[band.end() :])
    if band and t.kind in ("newline", "indent") and t.place == "statement":
        start, stop = t.span_of(base, base + len(band.group().rstrip()))
        return _arrow(t, "S145", "a band needs `->` after its range", start, stop, "")
    row = re.match(r"[0-9]+(?=[ ]*:|[ ]+[\w\"])", said)
    in_table = re.match(r"table\b", (t.parents() or [t.code])[-1])
    if row and t.offset >= base + row.end() and (in_table or (t.word == ":" and t.place == "statement")):
        start, stop = t.span_of(base, base + row.end())
        return _arrow(t, "S145", "a row needs `->` after its number", start, stop, said[row.end() :])
    other = re.match(r"otherwise\b", said)
    if other and in_table:
        start, stop = t.span_of(base, base + 9)
        return _arrow(t, "S145", "a band needs `->` after its range", start, stop, said[9:])
    return None


def ways_on(t: Trouble) -> Verdict | None:
    """A way on that stands in no field, or has nothing before its arrow."""
    found = re.match(r'(?:(choice|outcome):[ ]*)?("_*"|[a-z_]\w*)?[ ]*->[ ]*(\w*)', t.code)
    above = t.parents()
    if found is None or not above or t.offset > found.end() or not _THING_LINE.match(above[-1]):
        return None
    header, key, page = found.groups()
    field = header or (above[0].rstrip(": ") if len(above) > 1 else "")
    if field and (field not in ("choice", "outcome") or key):
        return None
    start, end = t.span_of(found.end(1) + 1 if header else 0, found.end())
    label = t.text[t.line.start : t.line.start + len(key or "")].strip('"').replace("_", " ") or "go on"
    choice, outcome = f'"{label[0].upper()}{label[1:]}" -> {page or "page"}', f"condition -> {page or 'page'}"
    if field:
        instead = choice if field == "choice" else outcome
        return Verdict("S100", "nothing stands before the arrow", f"write `{instead}`", start, end)
    help = f"for a way on, write `choice: {choice}` or `outcome: {outcome}`"
    return Verdict("S100", "an arrow stands in a field", help, start, end)


def _arrow(t: Trouble, code: str, said: str, start: int, stop: int, rest: str) -> Verdict:
    sign = re.match(r"[ ]*(?:-+>*|=+>?|:|>+)(?=[ ]|$)", rest)
    gap = len(sign.group()) if sign else len(rest) - len(rest.lstrip())
    text = " -> " if rest.strip() else " ->"
    if sign:
        gap += len(rest[gap:]) - len(rest[gap:].lstrip())
    changes = (Change(stop, stop + gap, text),) if rest.strip() else ()
    return Verdict(
        code,
        said,
        f"write `{t.text[start:stop]} -> ...`",
        start,
        stop,
        changes,
        "write `->`" if changes else "",
    )


def equals(t: Trouble) -> Verdict | None:
    """`==` that should set, `=` that should compare."""
    for found in re.finditer(_DEFINED + r"[ ]*(==)", t.code):
        if found.start(1) <= t.offset <= found.end(1):
            start, end = t.span_of(*found.span(1))
            said = "what is defined here is given with one `=`"
            return Verdict(
                "S143", said, "write `=`", start, end, (Change(start, end, "="),), "write `=`", safe=True
            )
    asks = re.search(
        r"(?:^|\b)(?:if|when|where|requires|expect|check|while|and|or|not|ends when|until)\b[^:;]*$", t.before
    )
    if t.word == "=" and asks and "CMP" in t.expected:
        return Verdict(
            "S144",
            "a comparison is written `==` or `is`",
            "write `==` for numbers, `is` for anything else",
            t.at,
            t.at + 1,
            (Change(t.at, t.at + 1, "=="),),
            "write `==`",
        )
    return None


def lets_and_choices(t: Trouble) -> Verdict | None:
    """`let`, `choose` and `for each` without one of their parts."""
    said = t.statement
    colon = re.match(r"let[ ]+[a-z_]\w*[ ]*(:)", said)
    if colon and t.word == ":":
        changes = (Change(t.at, t.at + 1, " ="),)
        said = "what is defined here is given with `=`"
        return Verdict("S141", said, "write `=` instead of `:`", t.at, t.at + 1, changes, "write `=`")
    bare = re.match(r"(let|value|measure|type|option|state)[ ]+(\w+)", said if t.place != "top" else t.code)
    if bare and "=" not in said and ("EQUAL" in t.expected or bare.group(1) == "let"):
        base = t.segment[0] + len(t.code[t.segment[0] :]) - len(t.code[t.segment[0] :].lstrip())
        start, end = t.span_of(base + bare.start(2), base + bare.end(2))
        word, name = bare.groups()
        said = f"`{word}` gives no value to `{name}`"
        return Verdict("S148", said, f"write `=` and the value after `{name}`", start, end)
    if re.match(r"choose[ ]+(?:up[ ]+to[ ]+)?one\b(?![ ]+by\b)", said):
        start, end = _statement_span(t, 0, 10)
        return Verdict(
            "S150", "`choose one` does not say who chooses", "write `choose one by seat:`", start, end
        )
    if re.match(r"choose\b(?![ ]+(?:up[ ]+to[ ]+)?one[ ]+by\b)", said):
        start, end = _statement_span(t, 0, 6)
        if not re.search(r"\bfrom\b", said):
            help = "write `choose name from set by seat`"
            return Verdict("S149", "`choose` does not say from what", help, start, end)
        if not re.search(r"\bby\b", said):
            help = "write `by` and the seat after the set"
            return Verdict("S149", "`choose` does not say who chooses", help, start, end)
    if re.match(r"for[ ]+each\b", said) and not re.search(r"\bin\b", said):
        start, end = _statement_span(t, 0, 8)
        return Verdict(
            "S151", "`for each` does not say in what set", "write `for each name in set:`", start, end
        )
    times = re.match(r"repeat[ ]+(?!while\b)[\w.()]+(?:[ ]+(?:time|x))?(?=[ ]*:)", said)
    if times:
        start, end = _statement_span(t, 0, times.end())
        return Verdict("S154", "`repeat` and a number need `times`", "write `repeat 3 times:`", start, end)
    return None


def prepositions(t: Trouble) -> Verdict | None:
    """A word in a call that is no preposition."""
    found = re.search(r"(?:^|[ ])([a-z_]\w*)[ ]+$", t.before)
    word, begin = (found.group(1), found.start(1)) if found else ("", 0)
    if word not in _NO_PREPOSITIONS and t.word in _NO_PREPOSITIONS:
        word, begin = t.word, t.offset
    known = word in _NO_PREPOSITIONS
    if not known and not (
        word and word not in RESERVED and "BY" in t.expected and t.kind == "token" and _operand(t.word)
    ):
        return None
    if not known and (t.place != "statement" or len(t.before.split()) < 3):
        return None
    start, end = t.span_of(begin, begin + len(word))
    return Verdict("S152", f"`{word}` is no preposition", f"use one of {' '.join(PREPOSITIONS)}", start, end)


def _operand(word: str) -> bool:
    return re.fullmatch(r"[\w\"{(].*", word) is not None and word not in RESERVED


def two_headers(t: Trouble) -> Verdict | None:
    """A header behind a header on one line."""
    header = re.match(r"(?:if|for[ ]+each|repeat|choose[ ]+one|requires|together|otherwise|until)\b", t.after)
    if header is None or not t.before.rstrip().endswith((":", "->", ";")):
        return None
    start, end = t.span_of(t.offset, t.offset + len(header.group()))
    if t.before.rstrip().endswith(";"):
        said, help = f"`{header.group()}` begins a line of its own", "move it to a line of its own"
    else:
        said, help = (
            "a header cannot follow a header on one line",
            "move it to a line of its own, one step deeper",
        )
    return Verdict("S126", said, help, start, end)


def separators(t: Trouble) -> Verdict | None:
    """`;` or `,` with nothing behind it."""
    code = t.code.rstrip()
    if t.kind in ("newline", "indent", "end") and code.endswith((";", ",")) and t.offset >= len(code):
        start, end = t.span_of(len(code) - 1, len(code))
        sign = code[-1]
        return Verdict(
            "S168",
            f"nothing follows this `{sign}`",
            "take it out, or go on behind it",
            start,
            end,
            (Change(start, end, " "),),
            f"take out `{sign}`",
            safe=sign == ";",
        )
    return None


def settings(t: Trouble) -> Verdict | None:
    """Settings of a game in a test without `with`."""
    found = re.match(r"start[ ]+(players|seed)[ ]+(?=[0-9])", t.statement)
    if found is None or t.place != "test":
        return None
    start, end = _statement_span(t, found.start(1), found.end(1))
    changes = (Change(start, start, "with "),)
    said = "the settings of a game stand behind `with`"
    return Verdict(
        "S100", said, f"write `start with {found.group(1)} ...`", start, end, changes, "write `with`"
    )


def two_fields(t: Trouble) -> Verdict | None:
    """A second field behind a `;`."""
    field = r"[a-z_]\w*(?:[ ]*,[ ]*[a-z_]\w*)*[ ]*:"
    head = r"(?:(?:extend|kind|trait|role)[ ][^:]*:[ ]*)?"
    if t.word != ";" or not re.match(rf"[ ]*{head}{field}[^;]*;[ ]*{field}", t.code):
        return None
    said = "`;` stands between statements, and fields are none"
    return Verdict("S100", said, "write each field on a line of its own", t.at, t.at + 1)


def two_titles(t: Trouble) -> Verdict | None:
    """A second thing behind the title of the first."""
    if t.word != "," or t.place != "top" or not t.before.rstrip().endswith('"') or not t.code[:1].isupper():
        return None
    said = "a thing with a title of its own has a line of its own"
    return Verdict("S100", said, f"begin a line with `{t.first_word}` for the next one", t.at, t.at + 1)


def misspelt(t: Trouble) -> Verdict | None:
    """A statement whose first word is nearly one of the language."""
    word = (_FIRST_WORD.match(t.statement) or [""])[0]
    meant = "" if word in RESERVED else alike(word, _OPENING_WORDS, 0.8)
    if t.place != "statement" or not meant or t.statement.startswith(f"{word}:"):
        return None
    start, end = _statement_span(t, 0, len(word))
    said, change = f"no statement begins with `{word}`", Change(start, end, meant)
    return Verdict("S100", said, f"did you mean `{meant}`?", start, end, (change,), f"write `{meant}`")


def commas_in_a_plan(t: Trouble) -> Verdict | None:
    """The names of a plan, listed with commas."""
    if t.word != "," or not re.match(r"plan[ ]+[a-z_]\w*(?:[ ]+ring)?[ ]*:", t.code):
        return None
    said = "the names of a plan stand side by side, with blanks between them"
    changes = tuple(
        Change(t.line.start + m.start(), t.line.start + m.end(), "") for m in re.finditer(",", t.code)
    )
    return Verdict("S100", said, "take out the commas", t.at, t.at + 1, changes, "take out the commas")


def missing_values(t: Trouble) -> Verdict | None:
    """A place for a value that is left empty."""
    if not ({"INT", "NAME"} <= t.expected or "KIND" in t.expected):
        return None
    ends = t.kind in ("newline", "indent", "end") or t.word in (":", ";", ",", ")", "]", "}", "->", "=")
    joints = t.word in RESERVED and t.kind == "reserved"
    operators = t.word in ("+", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "..", "|")
    if not (ends or joints or operators) or not t.last_word:
        return None
    what = "a kind" if "NAME" not in t.expected else "a value"
    end_of_before = len(t.before.rstrip())
    last = re.search(r"\w+$|(?:->|\.\.|==|!=|<=|>=|\S)$", t.before.rstrip())
    shown = last.group() if last else t.last_word
    start, end = t.span_of(end_of_before - len(shown), end_of_before)
    special = _not_a_missing_value(t, shown)
    if special is not None:
        return Verdict("S180", *special, start, end)
    return Verdict("S180", f"{what} is missing after `{shown}`", f"write {what} after it", start, end)


def _not_a_missing_value(t: Trouble, shown: str) -> tuple[str, str] | None:
    """What is wrong, and what to write, where a value is there in a form that cannot stand there."""
    if t.word in _QUANTIFIERS:
        return (
            f"`{t.word} ...` cannot stand directly after `{shown}`",
            f"put it in brackets: `({t.word} ...)`",
        )
    if t.word == "do":
        return (
            "`do` runs something, so that its result cannot stand inside an expression",
            "name the result first, on a line of its own: `let name = do ...`",
        )
    if t.word != ":":
        return None
    if re.search(r":.*;[ ]*[a-z_]\w*$", t.before.rstrip()):
        return (
            f"`;` stands between statements, and `{shown}: ...` is a field of its own",
            "write each field on a line of its own",
        )
    if re.fullmatch(r"[ ]*[a-z_]\w*", t.before):
        return (
            f"a block cannot stand below the bare name `{shown}`",
            f"hand `{shown}` what it needs on this line, or take the colon and the block away",
        )
    return None
