"""What a word of a text means: the declarations it may name, seen from where it stands.

Names of Tale are known to the whole package, so a word is looked up by what stands around it, without
types; only for a field behind a dot the kind of what stands before is followed where that is plain.
A text with mistakes, or one that changed since the last compilation, is therefore no obstacle.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from talewright.compiler.symbols.core import FUNCTIONS, VERBS_BY_NAME
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    FieldSymbol,
    KindSymbol,
    OptionSymbol,
    StateSymbol,
    Symbol,
    ThingSymbol,
    TraitSymbol,
    ValueSymbol,
)
from talewright.compiler.types.lookups import Work, name_span
from talewright.compiler.types.model import Type, item_of, strip
from talewright.dsl.grammar.reserved_words import CORE_NAMES, DECLARATION_WORDS, RESERVED
from talewright.dsl.tree import nodes as t
from talewright.lsp.project import tree_of
from talewright.lsp.surroundings import surroundings
from talewright.lsp.words import Lexeme, lexemes
from talewright.schemas.records import field, record

_VERB_BEFORE = re.compile(
    r"(?:^|[:;]|->|\b(?:do|may|before|after|of|forbid|action|per|when|possible\(|offered\(|done\(|refused\(|times\()"
    r"|,)[ \t]*$"
)
_CHANGED_AFTER = re.compile(r"[ \t]*(?:[-+.=\[]|$)")
_FIELD_AFTER = re.compile(r"[ \t]*(?:reads[ \t]+\"[^\"]*\"[ \t]*)?:")
_OPENS = re.compile(r"[A-Za-z]")
_NEXT_HEAD = re.compile(r"^[A-Za-z]", re.MULTILINE)
_THING = re.compile(r"[A-Z]\w*[ \t]+(\w+)")
_MADE = re.compile(
    r"\b(?:let|for[ \t]+each|choose(?:[ \t]+\w+)*?|named)[ \t]+(?P<name>[a-z_]\w*)"
    r"(?:[ \t]+(?:in|from)[ \t]+(?P<of>[A-Z]\w*))?(?=[ \t])"
    r"|\b(?P<parameter>[a-z_]\w*):[ \t]*(?P<kind>[A-Z]\w*)"
)
_WORD_BEFORE = re.compile(r"([A-Za-z0-9_]+|\)|\])[ \t]*$")
# Words that begin a line of a test or a chapter, and mean something only there.
WORDS_OF_LINES = frozenset(
    ("go", "cast", "ends", "covers", "expect", "given", "rig", "answer", "scene", "marks", "players", "seed")
)


@record(frozen=True)
class Local:
    """A name that one declaration makes for itself: a parameter, or what `let`, `choose` or a loop names."""

    name: str
    start: int
    end: int
    kind: str
    form: str


@record(frozen=True)
class Meaning:
    """All that a word may mean: declarations, a name of its own block, or a word of the language."""

    word: Lexeme
    symbols: tuple[Symbol, ...] = ()
    local: Local | None = None
    language: bool = False
    area: tuple[int, int] = (0, 0)
    # A name behind a dot that no kind declares.
    is_property: bool = False

    def keys(self) -> frozenset[tuple[str, int]]:
        """Names the places of all declarations."""
        return frozenset(place_of(symbol) for symbol in self.symbols)


@record
class Area:
    """One declaration of a text: where it stands, whose inside it is, and the names it makes for itself."""

    start: int
    end: int
    node: Any
    chapter: str | None
    locals: list[Local] = field(default_factory=list)


def place_of(symbol: Symbol) -> tuple[str, int]:
    """The file and offset of the name of a declaration."""
    return symbol.origin.source.name, name_span(symbol)[0]


# ------------------------------------------------------------------ the blocks of a text
@lru_cache(maxsize=96)
def areas(text: str) -> tuple[Area, ...]:
    """The declarations of a text in order; those inside a thing or kind come by themselves."""
    found = list(_areas(tree_of(text).declarations, None))
    return tuple(sorted(found, key=lambda area: (area.start, -area.end)))


def _areas(declarations: Any, chapter: str | None) -> Iterator[Area]:
    for node in declarations:
        if isinstance(node, t.WhileDecl):
            yield from _areas(node.declarations, chapter)
            continue
        inner = node.ids[0].text if isinstance(node, t.ThingDecl) and node.ids else chapter
        made = Area(node.start, node.end, node, inner)
        _collect(node, made.locals, {})
        yield made
        parts = getattr(node, "members", None) or getattr(node, "items", None) or ()
        own = (t.ActionDecl, t.ValueDecl, t.ActionRule, t.StateRule, t.Forbid, t.Modify, t.Offer, t.FieldDecl)
        yield from _areas([part for part in parts if isinstance(part, own)], inner)


def area_at(text: str, offset: int) -> Area | None:
    """The innermost declaration around an offset; one that is still being written is read by its look."""
    all_of_them = areas(text)
    number = bisect_right(all_of_them, offset, key=lambda area: area.start)
    around = [area for area in all_of_them[max(0, number - 200) : number] if area.start <= offset <= area.end]
    return min(around, key=lambda area: area.end - area.start, default=None) or _unfinished(text, offset)


def _unfinished(text: str, offset: int) -> Area | None:
    """A declaration with mistakes: from the last line that is not indented to the next one."""
    start = _line_not_indented(text, offset)
    match = _NEXT_HEAD.search(text, offset)
    end = match.start() if match is not None else len(text)
    if _OPENS.match(text, start) is None:
        return None
    thing = _THING.match(text, start)
    made = Area(start, end, None, thing.group(1) if thing is not None else None)
    for found in _MADE.finditer(text, start, end):
        group = "name" if found["name"] else "parameter"
        kind = found["kind"] or found["of"] or ""
        form = "parameter" if group == "parameter" else "local name"
        made.locals.append(Local(found[group], found.start(group), found.end(group), kind, form))
    return made


def _line_not_indented(text: str, offset: int) -> int:
    at = text.rfind("\n", 0, offset) + 1
    while at > 0 and (text[at : at + 1] in " \t\r\n#" or at == len(text)):
        at = text.rfind("\n", 0, at - 1) + 1
    return at


def _collect(node: Any, found: list[Local], known: dict[str, str]) -> None:
    """Gathers the names that a declaration makes for itself, with their kinds where they are plain."""

    def add(word: t.Word | None, kind: str, form: str) -> None:
        if word is not None:
            known[word.text] = kind
            found.append(Local(word.text, word.start, word.end, kind, form))

    match node:
        case t.Param():
            add(node.name, _kind_of_type(node.type), "parameter")
        case t.Let():
            add(node.name, _kind_of_set(node.value, known), "local name")
        case t.Choose():
            add(node.name, _kind_of_set(node.source, known), "chosen")
        case t.ForEach():
            add(node.name, _kind_of_set(node.source, known), "each of a set")
            add(node.second, "", "each of a set")
        case t.Query():
            if node.suffixes is not None:
                add(node.suffixes.named, _kind_of_set(node.base, known), "each of a set")
        case t.Slot():
            add(node.name, node.kind.text if node.kind is not None else "", "part of a pattern")
        case t.Modify():
            for word in node.params or ():
                add(word, "", "parameter")
    for part in _parts(node):
        _collect(part, found, known)


def _parts(node: Any) -> Iterator[Any]:
    if isinstance(node, (list, tuple)):
        for entry in node:
            if isinstance(entry, (t.Node, list, tuple)):
                yield entry
    elif isinstance(node, t.Node):
        for name in type(node).__match_args__:
            part = getattr(node, name)
            if isinstance(part, (t.Node, list, tuple)):
                yield part


def _kind_of_type(node: Any) -> str:
    if isinstance(node, t.OrNone):
        return _kind_of_type(node.inner)
    return node.name if isinstance(node, t.KindType) else ""


def _kind_of_set(node: Any, known: dict[str, str]) -> str:
    """The kind of the things in a set, where it begins with one."""
    while True:
        match node:
            case t.Query():
                node = node.base
            case t.Binary() | t.Within():
                node = node.left
            case t.Group():
                node = node.inner
            case t.Capital():
                return node.name
            case t.Name():
                return known.get(node.name, "")
            case _:
                return ""


# ------------------------------------------------------------------ one word
def meaning_of(text: str, word: Lexeme, work: Work) -> Meaning:
    """What a word means where it stands."""
    area = area_at(text, word.start)
    around = (area.start, area.end) if area is not None else (0, len(text))
    line = text[text.rfind("\n", 0, word.start) + 1 : word.start]
    name = word.text
    if name[0].isupper() or name[0].isdigit():
        capital: Symbol | None = work.table.kinds.get(name) or work.table.names.get(name)
        return Meaning(word, (capital,) if capital is not None else ())
    if line.rstrip().endswith(".") and not line.rstrip().endswith(".."):
        fields = tuple(_fields(text, word, area, work))
        return Meaning(word, fields, is_property=not fields)
    rest = text[word.end : word.end + 40].partition("\n")[0]
    if declared := _declared_field(area, word, work):
        return Meaning(word, declared)
    if _FIELD_AFTER.match(rest) and not line.strip() and line:
        inner = surroundings(text, word.start, work)
        if inner is not None and inner.field is None and (filled := tuple(_field_of(work, inner.kind, name))):
            return Meaning(word, filled)
    for local in _locals(area, word):
        return Meaning(word, (), local, False, around)
    chapter = area.chapter if area is not None else None
    if name in RESERVED and not rest.startswith("("):
        return Meaning(word, language=True)
    if name in DECLARATION_WORDS and not line.strip() and re.match(r"[ \t]+[\w\"]", rest):
        return Meaning(word, language=True)
    found = tuple(_symbols(name, line, rest, chapter, work))
    if found:
        return Meaning(word, found)
    if name in VERBS_BY_NAME or name in FUNCTIONS or name in DECLARATION_WORDS or name in CORE_NAMES:
        return Meaning(word, language=True)
    fields = tuple(_fields(text, word, area, work))
    if fields or word.inside:
        return Meaning(word, fields)
    return Meaning(word, language=name in WORDS_OF_LINES)


def given_by(text: str, word: Lexeme, work: Work) -> Iterator[Symbol]:
    """What gives a word its meaning that is no name: the field whose effect has it as a parameter, else what has it as a value."""
    around = surroundings(text, word.start, work)
    type_ = (
        getattr(around.field.decl, "type", None) if around is not None and around.field is not None else None
    )
    if any(param.name.text == word.text for param in getattr(type_, "params", None) or ()):
        assert around is not None
        assert around.field is not None
        yield around.field
        return
    for symbol in (*work.table.names.values(), *all_fields(work)):
        if isinstance(symbol, (FieldSymbol, OptionSymbol, StateSymbol)):
            inner = strip(symbol.type)
            if inner.tag == "words" and word.text in inner.of:
                yield symbol


def _locals(area: Area | None, word: Lexeme) -> Iterator[Local]:
    """The name of its own block that a word means: the last one made before it, else the first."""
    named = [each for each in area.locals if each.name == word.text] if area is not None else []
    before = [each for each in named if each.start <= word.start]
    if before or named:
        yield before[-1] if before else named[0]


def _symbols(name: str, line: str, rest: str, chapter: str | None, work: Work) -> Iterator[Symbol]:
    table = work.table
    if rest.startswith("("):
        called: list[Symbol] = [*table.functions.get(name, ())]
        if name in table.menus:
            called.append(table.menus[name])
        if called:
            yield from called
            return
    verbs = [a for a in table.verbs.get(name, ()) if a.origin.chapter in (None, chapter)] or table.verbs.get(
        name, []
    )
    verb_here = _VERB_BEFORE.search(line) is not None and not _CHANGED_AFTER.match(rest)
    if verbs and (verb_here or re.search(r"\baction[ \t]+$", line)):
        yield from verbs
        return
    plain = table.scoped.get((chapter, name)) if chapter is not None else None
    plain = plain or table.names.get(name)
    if plain is not None:
        yield plain
        return
    spaces: tuple[Symbol | None, ...] = (table.menus.get(name), table.periods.get(name))
    if verbs:
        yield from verbs
    elif name in table.functions:
        yield from table.functions[name]
    elif any(spaces):
        yield from (symbol for symbol in spaces if symbol is not None)
    else:
        scoped = next((symbol for (_, known), symbol in table.scoped.items() if known == name), None)
        if scoped is not None:
            yield scoped
        for type_name in table.words.get(name, ()):
            yield table.kinds[type_name]


# ------------------------------------------------------------------ fields
def _declared_field(area: Area | None, word: Lexeme, work: Work) -> tuple[Symbol, ...]:
    """The field that is declared, given a default or a value by this very word."""
    node: Any = area.node if area is not None else None
    if isinstance(node, t.FieldDecl) or node is None:
        holder = next(
            (name for name, made in _field_places(work).get(word.text, ()) if made == word.start), ""
        )
        found = work.table.kinds.get(holder)
        symbol = found.fields.get(word.text) if isinstance(found, (KindSymbol, TraitSymbol)) else None
        return (symbol,) if symbol is not None else ()
    kind = ""
    for item in getattr(node, "members", None) or getattr(node, "items", None) or ():
        if not item.start <= word.start <= item.end:
            continue
        match item:
            case t.FieldDecl() | t.TrackDecl() if any(each.start == word.start for each in item.names):
                kind = node.name.text if not isinstance(node, t.ThingDecl) else ""
            case t.Default() if item.name.start == word.start:
                kind = node.name.text
            case t.FieldValue() if item.path[0].start == word.start and isinstance(node, t.ThingDecl):
                kind = node.kind.text
    owner = work.table.kinds.get(kind)
    if not isinstance(owner, (KindSymbol, TraitSymbol)):
        return ()
    return tuple(_field_of(work, kind, word.text))


def _field_places(work: Work) -> dict[str, list[tuple[str, int]]]:
    made: dict[str, list[tuple[str, int]]] = {}
    for symbol in all_fields(work):
        made.setdefault(symbol.name, []).append((symbol.owner, name_span(symbol)[0]))
    return made


def all_fields(work: Work) -> Iterator[FieldSymbol]:
    """Every field of every kind and trait."""
    for kind in work.table.kinds.values():
        if isinstance(kind, (KindSymbol, TraitSymbol)):
            yield from kind.fields.values()


def _field_of(work: Work, kind: str, name: str) -> Iterator[Symbol]:
    owner = work.table.kinds.get(kind)
    if isinstance(owner, TraitSymbol):
        found = owner.fields.get(name)
        if found is not None:
            yield found
    elif isinstance(owner, KindSymbol):
        known = work.field_of(kind, name)
        if known is not None:
            yield known[0]


def _fields(text: str, word: Lexeme, area: Area | None, work: Work) -> Iterator[Symbol]:
    """The field behind a dot: of the kind before it where that is plain, else every one of that name."""
    kind = kind_before(text, word.start, area, work)
    exact = list(_field_of(work, kind, word.text)) if kind else []
    if exact:
        yield from exact
    else:
        yield from (symbol for symbol in all_fields(work) if symbol.name == word.text)
        chapter = area.chapter if area is not None else None
        yield from (s for s in work.table.functions.get(word.text, ()) if s.origin.chapter in (None, chapter))


def kind_before(text: str, offset: int, area: Area | None, work: Work) -> str:
    """The kind of `a.b` in `a.b.|`, or of nothing that is plain."""
    path: list[str] = []
    at = offset
    while at > 0 and text[at - 1] == ".":
        match = _WORD_BEFORE.search(text[max(0, at - 81) : at - 1])
        if match is None or not match.group(1)[0].isalpha():
            return ""
        path.insert(0, match.group(1))
        at = at - 1 - len(match.group(0))
    if not path:
        return ""
    kind = _kind_of_name(path[0], at, area, work)
    for name in path[1:]:
        found = next(_field_of(work, kind, name), None)
        kind = _kind_in(found.type) if isinstance(found, FieldSymbol) else ""
    return kind


def _kind_of_name(name: str, offset: int, area: Area | None, work: Work) -> str:
    if area is not None:
        for local in _locals(area, Lexeme("word", name, offset, offset + len(name))):
            return local.kind
        if name == "self":
            node = area.node
            return (
                str((node.kind if isinstance(node, t.ThingDecl) else node.name).text)
                if _is_owner(node)
                else ""
            )
    symbol = work.table.names.get(name)
    match symbol:
        case ThingSymbol():
            return symbol.kind
        case OptionSymbol() | StateSymbol():
            return _kind_in(symbol.type)
    return name if name in work.table.kinds else ""


def _is_owner(node: Any) -> bool:
    return isinstance(node, (t.KindDecl, t.TraitDecl, t.RoleDecl, t.ThingDecl, t.ExtendKind))


def _kind_in(type_: Type) -> str:
    inner = strip(type_)
    if inner.tag in ("list", "set"):
        inner = strip(item_of(inner))
    return inner.name if inner.tag in ("thing", "pile") else ""


# ------------------------------------------------------------------ everywhere
def uses_of(meaning: Meaning, text: str, name: str, work: Work) -> Iterator[Lexeme]:
    """The words of a text that mean the same."""
    wanted = meaning.keys()
    for word in lexemes(text):
        if word.form != "word" or word.text != meaning.word.text:
            continue
        if meaning.local is not None:
            if meaning.area[0] <= word.start <= meaning.area[1]:
                other = meaning_of(text, word, work)
                if other.local is not None:
                    yield word
            continue
        other = meaning_of(text, word, work)
        if wanted & other.keys() or (name, word.start) in wanted:
            yield word


def rules_on(symbol: Symbol, work: Work) -> Iterator[tuple[Any, t.Word, Any]]:
    """The rules that act on an action (before, after, instead of, forbid), value or field (modify), and where they name it."""
    for node, origin in _all_rules(work):
        if isinstance(node, t.Modify):
            word: Any = node.name if isinstance(symbol, (ValueSymbol, FieldSymbol)) else None
        else:
            pattern = getattr(node, "pattern", None)
            word = pattern.verb if pattern is not None and isinstance(symbol, ActionSymbol) else None
        if word is not None and word.text == symbol.name:
            yield node, word, origin


def _all_rules(work: Work) -> Iterator[tuple[Any, Any]]:
    """Every rule: those that stand by themselves, and those of kinds, traits and things."""
    yield from ((loose.node, loose.origin) for loose in work.table.loose)
    for owner in work.table.kinds.values():
        if isinstance(owner, (KindSymbol, TraitSymbol)):
            yield from owner.members
    for thing in work.table.names.values():
        if isinstance(thing, ThingSymbol) and thing.sort is None and thing.decl is not None:
            yield from ((item, thing.origin) for item in t.light(thing.decl))
