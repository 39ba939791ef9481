"""What may be written at a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from talewright.compiler.symbols.core import FUNCTIONS, PROPERTIES, VERBS_BY_NAME
from talewright.compiler.symbols.symbol_table import (
    ContainerSymbol,
    FieldSymbol,
    KindSymbol,
    Symbol,
    ThingSymbol,
    TraitSymbol,
)
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import SIMPLE, strip, written
from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS, RESERVED
from talewright.dsl.tree import nodes as t
from talewright.lsp.hover import call_parts, signature
from talewright.lsp.meaning import Area, area_at, kind_before
from talewright.lsp.words import in_text
from talewright.schemas.records import record

_ITEM_OF_BLOCK = re.compile(r"[ \t]+[a-z_0-9.]*$")
_VALUE_OF_FIELD = re.compile(r"[ \t]+([a-z_][a-z0-9_]*)[ \t]*:[ \t]*[A-Za-z0-9_]*$")
_FIELD_HEAD = re.compile(r"[ \t]+([a-z_][a-z0-9_]*)[ \t]*:")
_THING_HEAD = re.compile(r"([A-Z][A-Za-z0-9_]*)[ \t]+[A-Za-z0-9_]+.*:[ \t]*(?:#.*)?$")
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


def offers(text: str, offset: int, work: Work, rule_ids: Iterable[str] = ()) -> list[Offer]:
    """The proposals at an offset."""
    if in_text(text, offset):
        return []
    found: dict[str, Offer] = {}
    for offer in _offers(text, offset, work, rule_ids):
        found.setdefault(offer.label, offer)
    return list(found.values())


def _offers(text: str, offset: int, work: Work, rule_ids: Iterable[str]) -> Iterator[Offer]:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    area = area_at(text, offset)
    stem = re.sub(r"[A-Za-z0-9_]*$", "", line)
    if re.match(r"[ \t]+covers\b", line):
        yield from (Offer(name, "rule") for name in sorted(set(rule_ids)))
    elif re.fullmatch(r"[ \t]+start[ \t]+", stem) and _is_inside(text, offset, "test "):
        yield from _things(work, "Chapter")
    elif re.fullmatch(r"[ \t]+when[ \t]+", stem) and _is_inside(text, offset, "test "):
        yield from _statements(work)
        yield from _names(work, area, offset)
    elif stem.endswith(".") and not stem.endswith(".."):
        yield from _fields_behind_dot(text, offset - (len(line) - len(stem)), area, work)
    elif re.search(r"(?:->|\bgo[ \t]+to)[ \t]*$", stem) and _leads_on(text, offset, stem):
        yield from _things(work, "Chapter", "Ending")
        yield from _statements(work)
    elif re.search(
        r"\b(?:is|of|new|extend|kind)[ \t]+(?:[A-Z]\w*,[ \t]*)*$", stem
    ) and not stem.strip().endswith(" is not"):
        yield from _kinds(work)
        yield from _names(work, area, offset)
    elif re.search(r"\bat[ \t]+$", stem) and is_inside_cast(text, offset):
        yield from _things(work, "Place")
    elif re.search(r"\b(?:before|after|instead[ \t]+of|forbid|per|start[ \t]+of|end[ \t]+of)[ \t]+$", stem):
        yield from _verbs(work)
    elif re.search(r"\bin[ \t]+$", stem) and "offer" in stem:
        yield from (Offer(name, "menu", signature(menu)) for name, menu in work.table.menus.items())
    elif not stem:
        yield from _declarations(work)
    elif _ITEM_OF_BLOCK.fullmatch(line) and (kind := _thing_around(text, offset, work)):
        yield from _fields_to_fill(kind, work)
        yield from _statements(work)
    elif _is_inside(text, offset, "kind ", "role ", "extend ", "trait ") and re.search(r":[ \t]*$", stem):
        yield from _types(work)
    elif (match := _VALUE_OF_FIELD.fullmatch(line)) and (kind := _thing_around(text, offset, work)):
        yield from _values_of(kind, match.group(1), work)
        yield from _statements(work)
        yield from _names(work, area, offset)
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


def field_value_at(text: str, offset: int, work: Work) -> FieldSymbol | None:
    """The field whose value is written at an offset, where that is plain."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    match = _FIELD_HEAD.match(line)
    kind = _thing_around(text, offset, work) if match is not None else ""
    found = work.field_of(kind, match.group(1)) if match is not None and kind else None
    return found[0] if found is not None else None


def _values_of(kind: str, name: str, work: Work) -> Iterator[Offer]:
    found = work.field_of(kind, name)
    if found is None:
        return
    type_ = strip(found[0].type)
    if type_.tag == "truth":
        yield from (Offer(word, "word") for word in ("yes", "no"))
    elif type_.tag == "words":
        known: Any = work.table.kinds.get(type_.name)
        yield from (Offer(str(word), "word") for word in (getattr(known, "words", None) or type_.of))
    elif type_.tag in ("thing", "pile"):
        yield from _things(work, type_.name)


# ------------------------------------------------------------------ places
def _thing_around(text: str, offset: int, work: Work) -> str:
    """The kind of the thing in whose first level of lines an offset stands."""
    for line in reversed(text[: text.rfind("\n", 0, offset) + 1].splitlines()):
        if not line.strip() or line.startswith((" ", "\t")):
            continue
        match = _THING_HEAD.match(line)
        return (
            match.group(1) if match and isinstance(work.table.kinds.get(match.group(1)), KindSymbol) else ""
        )
    return ""


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


def is_inside_cast(text: str, offset: int) -> bool:
    """Whether an offset stands in the lines of a `cast`."""
    line_start = text.rfind("\n", 0, offset) + 1
    depth = len(text[line_start:offset]) - len(text[line_start:offset].lstrip())
    for line in reversed(text[:line_start].splitlines()):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < depth:
            return line.strip().startswith("cast")
    return False


def names_of_place(symbol: Symbol) -> str:
    """What a container or thing is called in a list of symbols."""
    return symbol.decl.form if isinstance(symbol, ContainerSymbol) else symbol.form


def declared_ids(tests: Iterable[Any]) -> set[str]:
    """The rule ids that tests cover so far."""
    return {
        word.text
        for test in tests
        for line in t.light(test.node)
        if isinstance(line, t.Covers)
        for word in line.ids
    }
