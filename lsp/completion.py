"""What may be written at a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from talewright.compiler.symbols.core import FUNCTIONS, PROPERTIES, VERBS_BY_NAME
from talewright.compiler.symbols.symbol_table import (
    KindSymbol,
    OptionSymbol,
    StateSymbol,
    Symbol,
    ThingSymbol,
    TraitSymbol,
)
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import SIMPLE, Type, strip, written
from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS, RESERVED
from talewright.dsl.tree import nodes as t
from talewright.lsp.hover import call_parts, signature
from talewright.lsp.meaning import Area, area_at, kind_before
from talewright.lsp.surroundings import Surroundings, surroundings, thing_in
from talewright.lsp.words import in_text
from talewright.schemas.records import record

_TYPE_OF_DECLARATION = re.compile(
    r"^[ \t]*(?:(?:state|option|value)\b[^:=]*(?:\([^)]*\))?:|action\b.*\bgives)[ \t]*$"
)
_COMPARED = re.compile(r"(?P<path>[A-Za-z_][\w.]*)[ \t]+(?:is(?:[ \t]+not)?|=|==|!=|becomes)[ \t]+$")
_NO_FIGURES = ("Place", "Card", "Chapter", "Ending", "Direction")
_TYPE_WORDS = (
    "int",
    "text",
    "yes | no",
    "list of",
    "set of",
    "effect",
    "target",
    "dice",
    "track",
    "deck of",
    "pile of",
)


@record(frozen=True)
class Offer:
    """One proposal: what is shown, what is written (with `$1` for what is still to fill in), and what it is."""

    label: str
    form: str
    detail: str = ""
    snippet: str = ""


def offers(text: str, offset: int, work: Work, rule_ids: Mapping[str, str] | None = None) -> list[Offer]:
    """The proposals at an offset."""
    if in_text(text, offset):
        return []
    found: dict[str, Offer] = {}
    for offer in _offers(text, offset, work, rule_ids or {}):
        found.setdefault(offer.label, offer)
    return list(found.values())


def _offers(text: str, offset: int, work: Work, rule_ids: Mapping[str, str]) -> Iterator[Offer]:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    area = area_at(text, offset)
    stem = re.sub(r"[A-Za-z0-9_]*$", "", line)
    if re.match(r"[ \t]+covers\b", line):
        yield from (Offer(name, "rule", topic) for name, topic in rule_ids.items())
        return
    if _is_inside(text, offset, "test ") and (found := _line_of_test(stem, area, offset, work)):
        yield from found
        return
    if stem.endswith(".") and not stem.endswith(".."):
        yield from _fields_behind_dot(text, offset - (len(line) - len(stem)), area, work)
        return
    if re.search(r"(?:->|\bgo[ \t]+to)[ \t]*$", stem) and _leads_on(text, offset, stem):
        yield from _things(work, "Chapter", "Ending")
        yield from _statements(work)
        return
    around = surroundings(text, offset, work)
    if around is not None:
        yield from _of_thing(around, stem, work)
        if around.is_cast:
            return
        if around.field is None and not stem.strip():
            yield from _statements(work)
            return
    compared = _compared_with(stem, text, offset - (len(line) - len(stem)), area, work)
    if compared is not None:
        yield from _values_of(compared, work)
    yield from _by_line(text, offset, stem, area, work)


def _line_of_test(stem: str, area: Area | None, offset: int, work: Work) -> list[Offer]:
    """What a line of a test goes on with, where that is a word of its own."""
    if re.fullmatch(r"[ \t]+start[ \t]+", stem):
        return list(_things(work, "Chapter"))
    if re.fullmatch(r"[ \t]+start\b.*\bwith[ \t]+(?:.*,[ \t]*)?", stem):
        return list(_settings(work))
    setting = re.fullmatch(r"[ \t]+start\b.*(?:\bwith|,)[ \t]+(\w+)[ \t]+", stem)
    option = work.table.names.get(setting.group(1)) if setting is not None else None
    if isinstance(option, OptionSymbol):
        return list(_values_of(option.type, work))
    if re.fullmatch(r"[ \t]+when[ \t]+", stem):
        return [*_statements(work), *_names(work, area, offset)]
    return []


def _of_thing(around: Surroundings, stem: str, work: Work) -> Iterator[Offer]:
    """What an item of a thing, a line of its cast or the value of one of its fields is written with."""
    if around.is_cast:
        if re.search(r"\bat[ \t]+$", stem):
            yield from _things(work, "Place")
        elif re.search(r"\bis\b[^:]*$", stem):
            yield from (offer for offer in _kinds(work) if offer.form == "trait")
        else:
            yield from _for_a_cast(work)
    elif around.field is not None:
        if around.begins_value():
            yield from _values_of(around.field.type, work)
    elif not stem.strip():
        yield from _fields_to_fill(around.kind, work)


def _by_line(text: str, offset: int, stem: str, area: Area | None, work: Work) -> Iterator[Offer]:
    """What the words before a place on its line leave open."""
    if re.search(
        r"\b(?:is|of|new|extend|kind)[ \t]+(?:[A-Z]\w*,[ \t]*)*$", stem
    ) and not stem.strip().endswith(" is not"):
        yield from _kinds(work)
        yield from _names(work, area, offset)
    elif re.search(r"\b(?:before|after|instead[ \t]+of|forbid|per|start[ \t]+of|end[ \t]+of)[ \t]+$", stem):
        yield from _verbs(work)
    elif re.search(r"\bin[ \t]+$", stem) and "offer" in stem:
        yield from (Offer(name, "menu", signature(menu)) for name, menu in work.table.menus.items())
    elif not stem:
        yield from _declarations(work)
    elif _TYPE_OF_DECLARATION.search(stem) or (
        _is_inside(text, offset, "kind ", "role ", "extend ", "trait ") and re.search(r":[ \t]*$", stem)
    ):
        yield from _types(work)
    elif re.search(r"[(,][ \t]*[a-z_]\w*:[ \t]*$", stem) or re.search(r"\baction\b.*:[ \t]*$", stem):
        yield from _types(work)
        yield from _statements(work)
    elif not stem.strip() or re.search(r"(?:[:;]|->|\bdo|\bmay)[ \t]*$", stem):
        yield from _statements(work)
        yield from _names(work, area, offset)
    else:
        yield from _names(work, area, offset)
        yield from _kinds(work)
        yield from (Offer(word, "keyword") for word in sorted(RESERVED))


# ------------------------------------------------------------------ sorts of proposals
def _declarations(work: Work) -> Iterator[Offer]:
    yield from (Offer(word, "keyword", "declaration") for word in DECLARATION_WORDS)
    for name, symbol in work.table.kinds.items():
        if isinstance(symbol, KindSymbol):
            yield Offer(name, "kind", "a thing of this kind", f'{name} ${{1:name}} "${{2:Title}}":\n    $0')


def _kinds(work: Work) -> Iterator[Offer]:
    for name, symbol in work.table.kinds.items():
        yield Offer(name, symbol.form, signature(symbol))


def _types(work: Work) -> Iterator[Offer]:
    yield from (Offer(word, "type") for word in dict.fromkeys((*_TYPE_WORDS, *SIMPLE)))
    yield from _kinds(work)


def _things(work: Work, *kinds: str) -> Iterator[Offer]:
    for symbol in work.table.names.values():
        if (
            isinstance(symbol, ThingSymbol)
            and symbol.sort is None
            and any(work.is_a(symbol.kind, k) for k in kinds)
        ):
            yield Offer(symbol.name, "thing", symbol.title or symbol.kind)


def _statements(work: Work) -> Iterator[Offer]:
    yield from _verbs(work)
    words = (
        "if",
        "otherwise",
        "for each",
        "repeat",
        "choose",
        "let",
        "do",
        "give",
        "stop",
        "go to",
        "requires",
        "nothing",
    )
    yield from (Offer(word, "keyword") for word in words)


def _verbs(work: Work) -> Iterator[Offer]:
    """Every verb with its prepositions, as a snippet."""
    for verb in dict.fromkeys((*work.table.verbs, *VERBS_BY_NAME)):
        for number, parts in enumerate(call_parts(verb, work)):
            label = verb if number == 0 else " ".join(parts)
            yield Offer(label, "verb", " ".join(parts), _snippet(parts))


def _snippet(parts: list[str]) -> str:
    made = [parts[0]]
    for part in parts[1:]:
        if part.startswith("["):
            continue  # may be left out
        preposition, _, argument = part.rpartition(" ") if ":" not in part else _split(part)
        name = argument.partition(":")[0].strip()
        made.append(f"{preposition} ${{{len(made)}:{name}}}".strip())
    return " ".join(made)


def _split(part: str) -> tuple[str, str, str]:
    head, _, type_ = part.partition(":")
    preposition, _, name = head.rpartition(" ")
    return preposition, "", f"{name}:{type_}"


def _names(work: Work, area: Area | None, offset: int) -> Iterator[Offer]:
    if area is not None:
        for local in area.locals:
            if local.start < offset:
                yield Offer(local.name, "local", local.kind)
        for (chapter, name), symbol in work.table.scoped.items():
            if chapter == area.chapter:
                yield Offer(name, symbol.form, signature(symbol))
    for name, symbol in work.table.names.items():
        if not isinstance(symbol, ThingSymbol) or symbol.sort is None:
            yield Offer(name, symbol.form, _detail(symbol))
    for name, functions in work.table.functions.items():
        yield Offer(name, "function", signature(functions[0]), f"{name}($1)")
    for name in FUNCTIONS:
        yield Offer(name, "function", "function of the core", f"{name}($1)")


def _detail(symbol: Symbol) -> str:
    if isinstance(symbol, ThingSymbol):
        return f"{symbol.kind} {symbol.title or ''}".strip()
    return signature(symbol)


def _fields_behind_dot(text: str, offset: int, area: Area | None, work: Work) -> Iterator[Offer]:
    kind = kind_before(text, offset, area, work)
    if kind and isinstance(work.table.kinds.get(kind), KindSymbol):
        for name, symbol in work.all_fields(kind).items():
            yield Offer(name, "field", f"{written(symbol.type)}, of {symbol.owner}")
    else:
        for owner in work.table.kinds.values():
            if isinstance(owner, (KindSymbol, TraitSymbol)):
                for name, symbol in owner.fields.items():
                    yield Offer(name, "field", f"{written(symbol.type)}, of {symbol.owner}")
    for name, type_ in PROPERTIES.items():
        yield Offer(name, "property", written(type_))


def _fields_to_fill(kind: str, work: Work) -> Iterator[Offer]:
    for name, symbol in work.all_fields(kind).items():
        yield Offer(name, "field", f"{written(symbol.type)}, of {symbol.owner}", f"{name}: $0")


def _values_of(type_: Type, work: Work) -> Iterator[Offer]:
    """What a value of a type is written with: words, or the things of a kind."""
    inner = strip(type_)
    if inner.tag == "truth":
        yield from (Offer(word, "word") for word in ("yes", "no"))
    elif inner.tag == "words":
        known: Any = work.table.kinds.get(inner.name)
        yield from (Offer(str(word), "word") for word in (getattr(known, "words", None) or inner.of))
    elif inner.tag == "edges":
        yield from _things(work, "Chapter", "Ending")
    elif kind := thing_in(inner):
        yield from _things(work, kind)


def _settings(work: Work) -> Iterator[Offer]:
    """What a test may set before a game: how many play, the seed, and the options."""
    yield from (Offer(word, "keyword", "of the game", f"{word} ${{1:1}}") for word in ("players", "seed"))
    for name, symbol in work.table.names.items():
        if isinstance(symbol, OptionSymbol):
            yield Offer(name, "option", signature(symbol), f"{name} $0")


def _for_a_cast(work: Work) -> Iterator[Offer]:
    """Everything that may stand somewhere."""
    for symbol in work.table.names.values():
        if (
            isinstance(symbol, ThingSymbol)
            and symbol.sort is None
            and symbol.inside is None
            and not any(work.is_a(symbol.kind, kind) for kind in _NO_FIGURES)
        ):
            yield Offer(symbol.name, "thing", symbol.title or symbol.kind, f"{symbol.name} at $0")


def _compared_with(stem: str, text: str, offset: int, area: Area | None, work: Work) -> Type | None:
    """The type of what stands before `is` or `=` here, where that is a name or a field of one."""
    match = _COMPARED.search(stem)
    if match is None:
        return None
    *before, name = match["path"].split(".")
    if not before:
        symbol: Any = work.table.names.get(name)
        return symbol.type if isinstance(symbol, (StateSymbol, OptionSymbol)) else None
    at = offset - len(stem) + match.end("path") - len(name)
    kind = kind_before(text, at, area, work)
    known = work.field_of(kind, name) if kind and isinstance(work.table.kinds.get(kind), KindSymbol) else None
    return known[0].type if known is not None else None


# ------------------------------------------------------------------ places
def _is_inside(text: str, offset: int, *heads: str) -> bool:
    """Whether an offset stands in the lines of a declaration that begins so."""
    for line in reversed(text[: text.rfind("\n", 0, offset) + 1].splitlines()):
        if line.strip() and not line.startswith((" ", "\t")):
            return line.startswith(heads)
    return False


def _leads_on(text: str, offset: int, stem: str) -> bool:
    """Whether the arrow here leads to a chapter: in `go to`, `choice` or `outcome`."""
    if "go" in stem.split():
        return True
    block = text[max(0, offset - 2000) : offset]
    heads = re.findall(r"^[ \t]+([a-z_]+)[ \t]*:", block, re.MULTILINE)
    return bool(heads) and heads[-1] in ("choice", "outcome")


def declared_ids(tests: Iterable[Any]) -> set[str]:
    """The rule ids that tests cover so far."""
    return {
        word.text
        for test in tests
        for line in t.light(test.node)
        if isinstance(line, t.Covers)
        for word in line.ids
    }
