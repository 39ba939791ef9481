"""Mistakes in declarations: first words, capitals, titles, headers, `:` and `=`."""

from __future__ import annotations

import re

from talewright.dsl.closest_word import alike
from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS, RESERVED, snake
from talewright.dsl.recovery.parse_failure import Trouble
from talewright.dsl.recovery.verdict import Change, Verdict

_WANT_CAPITAL = ("kind", "extend", "trait", "type", "role")
_WANT_NAME = (
    "token", "track", "table", "team", "option", "state", "plan", "movement", "payment", "period", "menu",
    "action", "value", "measure", "holds", "deck", "pile", "bag", "hand", "slot",
)  # fmt: skip
_RULE_WORDS = ("before", "after", "forbid", "instead of", "at start of", "at end of", "modify", "grant")
_BEGIN_STATEMENTS = (
    "go", "stop", "say", "let", "choose", "do", "give", "nothing", "repeat", "for", "open", "move", "draw",
)  # fmt: skip
_KIN = {
    "class": "kind", "struct": "kind", "object": "kind", "interface": "trait", "mixin": "trait",
    "enum": "type", "def": "action", "function": "action", "func": "action", "fn": "action",
    "procedure": "action", "method": "action", "verb": "action", "event": "action", "var": "state",
    "let": "state", "global": "state", "const": "value", "variable": "state", "counter": "track",
    "meter": "track", "dice": "die", "player": "role", "assert": "check", "stat": "measure",
    "rule": "before", "if": "when", "cards": "deck", "tokens": "token", "map": "plan",
}  # fmt: skip
_NAMING = re.compile(
    r"(?:\b(?:let|for each|action|value|measure|state|option|period|menu|track|token|plan)[ ]+|,[ ]*)$"
)
_JOINTS = (
    "and",
    "or",
    "in",
    "is",
    "where",
    "if",
    "otherwise",
    "when",
    "of",
    "near",
    "within",
    "having",
    "then",
)
_DEFINED = re.compile(
    r"(?:(?:extend[ ]+)?type[ ]+[A-Z]\w*|measure[ ]+[a-z_]\w*|let[ ]+[a-z_]\w*|value[ ]+[a-z_]\w*)[ ]*(:)"
)
_DIGITS_FIRST = re.compile(r"[0-9]+[A-Za-z_]\w*")
_TEST_WORDS = ("covers", "start", "given", "rig", "answer", "when", "expect", "scene", "marks")


def article(word: str) -> str:
    """The word with its article."""
    return f"{'an' if word[:1] in 'aeiou' else 'a'} `{word}`"


def _taken(word: str, start: int, end: int) -> Verdict:
    other = f"{word}_one" if word in ("first", "last", "each", "any", "new") else f"the_{word}"
    return Verdict(
        "S110",
        f"`{word}` is a word of the language and cannot be a name",
        f"choose another name, such as `{other}`",
        start,
        end,
        (Change(start, end, other),),
        f"call it `{other}`",
    )


def reserved(t: Trouble) -> Verdict | None:
    """A word of the language where a name belongs."""
    if t.word == "none" and t.before.rstrip().endswith("|") and not t.after[4:].lstrip().startswith("|"):
        start = t.line.start + t.before.rindex("|")
        end = t.at + len(t.word)
        return Verdict(
            "S110",
            "`none` is not one of the words of a type: what may be empty ends in `or none`",
            "write `or none` in place of `| none`",
            start,
            end,
            (Change(start, end, "or none"),),
            "write `or none`",
        )
    if t.word == "nothing" and re.search(r":[ ]*(?:effect|lines)\b[^=]*=[ ]*$", t.before):
        start = t.line.start + t.before.rindex("=")
        said = "the default of a field of effects stands behind `:`"
        change = Change(start, start + 1, ":")
        return Verdict(
            "S110", said, "write `: nothing`, or nothing at all", start, start + 1, (change,), "write `:`"
        )
    value_fits = {"INT", "NAME"} <= t.expected
    if t.kind != "reserved":
        if t.word not in RESERVED or value_fits or "NAME" not in t.expected or not _NAMING.search(t.before):
            return None
    elif value_fits and (t.word in _JOINTS or not re.match(r"\w*[ ]*(?:[:=.|]|$)", t.after)):
        return None  # a value may stand here: something is missing before the word
    return _taken(t.word, t.at, t.at + len(t.word))


def first_words(t: Trouble) -> Verdict | None:
    """A line that begins with a word nothing begins with."""
    if t.offset > len(t.first_word) + 1 and not _is_declaration_word_alone(t):
        return None
    if t.place == "top":
        return _top_word(t)
    if t.place == "test":
        return _test_word(t)
    return None


def _is_declaration_word_alone(t: Trouble) -> bool:
    return t.first_word in DECLARATION_WORDS and not t.before[len(t.first_word) :].strip()


def _top_word(t: Trouble) -> Verdict | None:
    word = t.first_word
    start, end = t.span_of(0, max(1, len(word)))
    rest = t.code[len(word) :].strip()
    if not word[:1].isalpha() or not word[:1].islower():
        return None
    if word in DECLARATION_WORDS:
        return _known_word(t, word, rest)
    if word in ("import", "include", "use", "using", "require", "from"):
        help = "the files of a package are one text; other packages are named by `uses` in `tale.toml`"
        return Verdict("S130", f"no declaration begins with `{word}`", help, start, end)
    meant = _KIN.get(word) or alike(word, DECLARATION_WORDS, 0.7)
    if (
        not meant
        and re.match(r'(?:[a-z_]\w*|[0-9]+[A-Z])[ ]*(?:"|:|\*|,|$|is\b)', rest)
        and word not in RESERVED
    ):
        kind = _capital(word)
        return Verdict(
            "S131",
            f"a thing begins with its kind, and kinds are capitalised: `{word}` is not",
            f"write `{kind}`",
            start,
            end,
            (Change(start, end, kind),),
            f"write `{kind}`",
        )
    help = (
        f"did you mean `{meant}`?"
        if meant
        else "a declaration begins with a word such as `kind`, `action`, `value`"
    )
    changes = (Change(start, end, meant),) if meant and word not in RESERVED and rest else ()
    return Verdict(
        "S130",
        f"no declaration begins with `{word}`",
        help,
        start,
        end,
        changes,
        f"write `{meant}`" if changes else "",
    )


def _known_word(t: Trouble, word: str, rest: str) -> Verdict | None:
    start, end = t.span_of(0, len(word))
    name = re.match(r"[A-Za-z_]\w*", rest)
    if word == "test":
        return _title(t, len(word), "a test")
    if word in ("before", "after", "forbid", "modify", "grant", "instead", "at"):
        return rule_pattern(t)
    if rest and not rest[0].isascii():
        at = t.code.index(rest[0])
        letter_start, letter_end = t.span_of(at, at + 1)
        said = f"`{rest[0]}` cannot stand in a name"
        return Verdict("S117", said, "use the letters a to z, digits and `_`", letter_start, letter_end)
    if word in ("check", "while", "when", "order", "start"):
        return None
    digits = _DIGITS_FIRST.match(rest)
    if digits is not None:
        at = t.code.index(digits.group(), len(word))
        return _digits(digits.group(), *t.span_of(at, at + digits.end()))
    if name is None:
        return Verdict("S134", f"{article(word)} needs a name", f"write the name after `{word}`", start, end)
    at = t.code.index(name.group(), len(word))
    name_start, name_end = t.span_of(at, at + len(name.group()))
    if word in _WANT_NAME and name.group() in RESERVED:
        return _taken(name.group(), name_start, name_end)
    if word in _WANT_CAPITAL and name.group()[0].islower() and name.group() != "type":
        return _lower_kind(name.group(), name_start, name_end)
    if word in _WANT_NAME and name.group()[0].isupper():
        return _upper_name(name.group(), name_start, name_end)
    if word in ("state", "option"):
        said = f"{article(word)} says its type"
        return Verdict("S137", said, f"write `{word} {name.group()}: int = 0`", name_start, name_end)
    if word in ("deck", "pile", "bag", "hand", "slot"):
        return Verdict(
            "S134",
            f"{article(word)} says what it holds",
            f"write `{word} {name.group()} of Kind`",
            start,
            end,
        )
    return None


def _test_word(t: Trouble) -> Verdict | None:
    word = t.first_word
    if not word[:1].isalpha() or word in _TEST_WORDS:
        return None
    start, end = t.span_of(0, len(word))
    meant = {"assert": "expect", "check": "expect", "then": "expect", "setup": "given", "roll": "rig"}.get(
        word
    )
    meant = meant or alike(word, _TEST_WORDS)
    help = f"did you mean `{meant}`?" if meant else "write `given:`, `when`, `expect`, `answer` or `rig`"
    return Verdict("S176", f"no line of a test begins with `{word}`", help, start, end)


def rule_pattern(t: Trouble) -> Verdict | None:
    """A rule that does not say which action it is about."""
    for words in _RULE_WORDS:
        found = re.match(words.replace(" ", r"[ ]+") + r"\b[ ]*(?=:|$|when\b)", t.code)
        if found:
            start, end = t.span_of(0, len(found.group().rstrip()))
            about = "a value" if words == "modify" else "a trait" if words == "grant" else "an action"
            sample = {"modify": "modify strength: + 1", "grant": "grant Tough to heroes"}.get(
                words, f"{words} move f to z"
            )
            return Verdict(
                "S135", f"`{words}` does not say {about}", f"write it after, as in `{sample}`", start, end
            )
    found = re.match(r"(?:before|after|forbid|instead[ ]+of|modify)[ ]+([A-Z]\w*)", t.code)
    if found and (t.offset == 0 or found.start(1) <= t.offset <= found.end(1)):
        return _upper_name(found.group(1), *t.span_of(*found.span(1)))
    return None


def capitals(t: Trouble) -> Verdict | None:
    """Kinds in lower case, names in capitals."""
    end = t.at + len(t.word)
    if re.fullmatch(r"[a-z_]\w*", t.word) and "KIND" in t.expected and "NAME" not in t.expected:
        if t.word in RESERVED or t.offset == 0:
            return None
        return _lower_kind(t.word, t.at, end)
    if re.fullmatch(r"[A-Z]\w*", t.word) and "NAME" in t.expected and "INT" not in t.expected:
        return _upper_name(t.word, t.at, end)
    return None


def _capital(word: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))


def _lower_kind(word: str, start: int, end: int) -> Verdict:
    kind = _capital(word)
    said = f"kinds, traits, roles and types are capitalised: `{word}` is not"
    return Verdict(
        "S131", said, f"write `{kind}`", start, end, (Change(start, end, kind),), f"write `{kind}`"
    )


def _upper_name(word: str, start: int, end: int) -> Verdict:
    name = snake(word)
    said = f"this name is written in lower case: `{word}` is not"
    return Verdict(
        "S132", said, f"write `{name}`", start, end, (Change(start, end, name),), f"write `{name}`"
    )


def titles(t: Trouble) -> Verdict | None:
    """Titles without their quotes."""
    if re.match(r"offer[ ]+[^\" ]", t.code) and t.offset <= 6:
        found = re.match(r"offer[ ]+(.+?)[ ]+in\b", t.code)
        if found is None:
            return None
        return _quote(t, found.start(1), found.end(1), "an offer's label")
    thing = re.match(r"[A-Z]\w*[ ]+(?:[a-z_]\w*|[0-9]+[A-Z]|[A-Z]\d+)[ ]+", t.code)
    if t.place != "top" or thing is None or t.offset < thing.end():
        return None
    return _title(t, thing.end(), "a title")


def _title(t: Trouble, begin: int, what: str) -> Verdict | None:
    found = re.match(r"[ ]*([\w][^\":=*]*?)[ ]*(?=:|$|\*|\bis[ ]+[A-Z])", t.code[begin : begin + 200])
    if found is None or re.match(r"(?:is|per)\b", found.group(1)):
        start, end = t.span_of(0, len(t.first_word))
        return (
            Verdict("S134", f"{what} needs a title", 'write `"..."` after it', start, end)
            if what != "a title"
            else None
        )
    return _quote(t, begin + found.start(1), begin + found.end(1), what if begin > 4 else "a test's title")


def _quote(t: Trouble, begin: int, stop: int, what: str) -> Verdict:
    start, end = t.span_of(begin, stop)
    text = t.text[start:end]
    return Verdict(
        "S133",
        f"{what} stands in quotes",
        f'write `"{text}"`',
        start,
        end,
        (Change(start, start, '"'), Change(end, end, '"')),
        "quote it",
    )


def conditions(t: Trouble) -> Verdict | None:
    """A rule on a condition that does not say `becomes true`, and a check of nothing."""
    if t.place not in ("top", "kind", "thing"):
        return None
    if t.first_word == "when" and "BECOMES_TRUE" in t.expected and "becomes" not in t.before:
        verdict = _moment(t)
        if verdict is not None:
            return verdict
    if t.first_word in ("check", "when", "while") and not t.code[len(t.first_word) :].strip(" :"):
        start, end = t.span_of(0, len(t.first_word))
        return Verdict(
            "S180", f"a condition is missing after `{t.first_word}`", "write it after the word", start, end
        )
    return None


def _moment(t: Trouble) -> Verdict | None:
    """`when C: ...`, `when C go to ...`, `when C then ...` and `when C` above a block, for `when C becomes true: ...`."""
    gap = t.line.start + len(t.before.rstrip())
    start, stop, end = t.at, t.at + max(1, len(t.word)), gap
    if t.word == ":":
        missing, where = " becomes true", "before `:`"
    elif t.word in (",", "then"):
        missing, where, end = " becomes true:", f"for `{t.word}`", stop
    elif t.word.partition(" ")[0] in _BEGIN_STATEMENTS:
        missing, where = " becomes true:", f"before `{t.word}`"
    elif t.kind != "token" and t.next is not None and t.next.indent > t.line.indent:
        missing, where, start, stop = " becomes true:", "at its end", gap, gap
    else:
        return None
    said, wanted = "a rule on a condition says when it `becomes true`", f"write `{missing.strip()}`"
    return Verdict("S153", said, f"{wanted} {where}", start, stop, (Change(gap, end, missing),), wanted)


def signatures(t: Trouble) -> Verdict | None:
    """Parameters of an action in parentheses, or without their types."""
    found = re.match(r"action[ ]+[a-z_]\w*\(", t.code)
    if found and t.offset <= found.end():
        start, end = t.span_of(7, found.end() - 1)
        said = "an action takes its parameters after its verb, without parentheses"
        return Verdict("S136", said, "write `action walk f: Figure to z: Zone:`", start, end)
    named = re.search(r"([a-z_]\w*)[ ]*(:?)[ ]*$", t.before)
    if named is None or t.first_word not in ("action", "value", "menu", "table", "trait", "effect"):
        return None
    untyped = t.expected == {"COLON"} and not named.group(2)
    ended = named.group(2) and t.kind in ("newline", "indent", "end") and {"KIND", "EFFECT"} <= t.expected
    return _untyped(t, named.start(1), named.group(1)) if untyped or ended else None


def _untyped(t: Trouble, at: int, name: str) -> Verdict:
    start, end = t.span_of(at, at + len(name))
    return Verdict("S137", f"the parameter `{name}` has no type", f"write `{name}: Kind`", start, end)


def colons(t: Trouble) -> Verdict | None:
    """`=` where `:` belongs, and `:` where `=` belongs."""
    if t.word == "=" and t.place == "thing" and re.fullmatch(r"[a-z_]\w*(?:\.[a-z_]\w*)*[ ]*", t.before):
        return Verdict(
            "S140",
            "a thing's field is given with `:`",
            "write `:` instead of `=`",
            t.at,
            t.at + 1,
            (Change(t.at - len(t.before) + len(t.before.rstrip()), t.at + 1, ":"),),
            "write `:`",
            safe=True,
        )
    if t.word == "=" and t.place == "top" and re.match(r"[A-Z]\w*[ ]+\w+.*:[ ]*[a-z_][\w.]*[ ]*$", t.before):
        changes = (Change(t.at - len(t.before) + len(t.before.rstrip()), t.at + 1, ":"),)
        said = "a thing's field is given with `:`"
        return Verdict(
            "S140", said, "write `:` instead of `=`", t.at, t.at + 1, changes, "write `:`", safe=True
        )
    opened = _DEFINED.match(t.code if t.place != "statement" else t.statement)
    if opened is None and t.place == "statement" and t.word == ":":
        opened = re.match(r"[a-z_][\w.]*[ ]*(:)[ ]*[^ ]", t.statement)
        opened = None if t.first_word in RESERVED or t.first_word in ("blocked", "halts") else opened
    if opened is None or re.match(r"(?:movement|payment)\b", (t.parents() or [""])[0]):
        return None
    begin = t.segment[0] + len(t.code[t.segment[0] :]) - len(t.code[t.segment[0] :].lstrip())
    base = begin if t.place == "statement" else 0
    if t.place == "statement" and not t.code[base:].startswith(t.statement[:4]):
        return None
    colon = base + opened.start(1)
    if t.offset < colon or "=" in t.code[colon:]:
        return None
    start, end = t.span_of(colon, colon + 1)
    in_block = t.place == "statement" and "let" not in opened.group()
    return Verdict(
        "S141",
        "what is defined here is given with `=`",
        "write `=` to give it a value; an action that takes no block is called without `:`"
        if in_block
        else "write `=` instead of `:`",
        start,
        end,
        (Change(start, end, " ="),),
        "write `=`",
    )


def covers(t: Trouble) -> Verdict | None:
    """A rule id that is none."""
    if t.first_word != "covers":
        return None
    found = re.match(r"covers[ ]*:?[ ]*([^ ,]*)", t.code)
    for each in re.finditer(r"[^ ,:]+", t.code[6:]):
        if not re.fullmatch(r"[A-Z]+(-[A-Z0-9]+)+", each.group()):
            start, end = t.span_of(6 + each.start(), 6 + each.end())
            return Verdict(
                "S175",
                f"`{each.group()}` is no rule id",
                "write capitals and digits joined by `-`, as in `MOVE-ESCAPE`",
                start,
                end,
            )
    start, end = t.span_of(0, 6)
    return (
        Verdict("S175", "`covers` names no rule", "write ids such as `MOVE-ESCAPE`", start, end)
        if found
        else None
    )


def words_to_choose(t: Trouble) -> Verdict | None:
    """Words to choose from with the wrong sign between them, and collections without `of`."""
    typed = re.match(
        r"(?:(?:extend[ ]+)?type[ ]+[A-Z]\w*[ ]*=|[a-z_]\w*[ ]*:|(?:state|option)[ ]+\w+[ ]*:)", t.code
    )
    if typed is None or t.place not in ("top", "kind"):
        return None
    if t.word in (",", "/") and t.offset >= typed.end():
        changes = (Change(t.at, t.at + 1, " |" if t.word == "," else " | "),)
        said = "words to choose from stand with `|` between them"
        return Verdict("S173", said, "write `|`", t.at, t.at + 1, changes, "write `|`")
    many = re.search(r"\b(list|set|bands|deck|pile|bag|hand|slot)[ ]+$", t.before)
    if many and many.start() >= typed.end() - 1:
        gap = t.line.start + len(t.before.rstrip())
        start, end = t.span_of(*many.span(1))
        said = f"{article(many.group(1))} says of what"
        return Verdict(
            "S139", said, f"write `{many.group(1)} of`", start, end, (Change(gap, gap, " of"),), "write `of`"
        )
    return None


def fields(t: Trouble) -> Verdict | None:
    """A field and its value with nothing between them."""
    named = re.fullmatch(r"([a-z_][\w.]*)[ ]*", t.before)
    if named is None or t.place not in ("thing", "kind") or not re.match(r"[\w\"{(.]|[ ]*$", t.after):
        return None
    if t.place == "thing" and re.match(r'\w+[ ]+(?:"_*"[ ]*)?:', t.after):
        return None
    start, end = t.span_of(*named.span(1))
    if t.place == "thing" and t.after.strip():
        changes = (Change(end, end, ":"),)
        return Verdict(
            "S138",
            "a field and its value are joined by `:`",
            "write `:` after it",
            start,
            end,
            changes,
            "write `:`",
        )
    help = "write `:` before a type, `=` before a default"
    return Verdict("S138", "a field needs `:` or `=` after its name", help, start, end)


def digits_first(t: Trouble) -> Verdict | None:
    """A name that begins with a digit, such as `2d6` or `4_corners`."""
    found = _DIGITS_FIRST.match(t.after)
    if found is None or "NAME" not in t.expected or t.expected & {"INT", "DICE"}:
        return None
    return _digits(found.group(), *t.span_of(t.offset, t.offset + found.end()))


def _digits(name: str, start: int, end: int) -> Verdict:
    return Verdict(
        "S134", f"`{name}` is no name: a name begins with a letter", "choose another name", start, end
    )


def missing_names(t: Trouble) -> Verdict | None:
    """A place for a name that is left empty."""
    if "NAME" not in t.expected or "INT" in t.expected or not t.last_word[:1].isalpha():
        return None
    if t.kind not in ("newline", "indent", "end") and t.word not in (":", "=", ",", ")", ";", "->"):
        return None
    if not t.last_word.islower() or not t.expected <= {"NAME", "KIND", "FUN", "KFUN", "CHAPTER", "STRING"}:
        return None
    stop = len(t.before.rstrip())
    start, end = t.span_of(stop - len(t.last_word), stop)
    return Verdict("S134", f"a name is missing after `{t.last_word}`", "write it there", start, end)
