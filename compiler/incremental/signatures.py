"""What the rest of a package can tell about a declaration: the same signature, the same meaning to others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from talewright.compiler.incremental.cache import digest
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    KindSymbol,
    SeatSymbol,
    Symbol,
    TableSymbol,
    ThingSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import Type
from talewright.dsl.digest import blake2b
from talewright.dsl.tree import nodes as t

_WORD = re.compile(r"\w+")
# The inside of these members concerns nobody else.
_PRIVATE = (t.ActionRule, t.StateRule, t.Forbid, t.Modify, t.Grant, t.Offer, t.Prose)


def words_in(text: str) -> frozenset[str]:
    """Every word of a text: only these can name something from within it."""
    return frozenset(_WORD.findall(text))


def key_of(symbol: Symbol) -> str | None:
    """The name of the code whose elaboration finds a symbol's type; none where the type is declared."""
    match symbol:
        case ValueSymbol() if symbol.decl.type is None:
            return f"value:{symbol.id}"
        case ActionSymbol() if symbol.decl.gives is None:
            return f"action:{symbol.id}"
        case TableSymbol():
            return f"table:{symbol.name}"
    return None


class Signatures:
    """The signatures of all names of a table."""

    def __init__(self, work: Work) -> None:
        self._work = work
        table = work.table
        self._symbols: dict[str, list[Symbol]] = {}
        for name, symbol in table.names.items():
            self._symbols[name] = [symbol]
        for (_, name), symbol in table.scoped.items():
            self._symbols.setdefault(name, []).append(symbol)
        for name, functions in table.functions.items():
            self._symbols.setdefault(name, []).extend(functions)
        for name, actions in table.verbs.items():
            self._symbols.setdefault(name, []).extend(actions)
        # Whether two declarations share one name for their code: only a whole run tells that mistake rightly.
        self.doubled = False
        self._own: dict[str, tuple[str, str]] = {}
        self._mentions: dict[str, frozenset[str]] = {}
        self._near: dict[str, bytes] = {}
        self._far: dict[str, bytes] = {}
        self._types: dict[str, str] = {}

    def symbols(self, words: Iterable[str]) -> Iterator[Symbol]:
        """What the words may name."""
        for word in self._symbols.keys() & words:
            yield from self._symbols[word]

    def inferred(self) -> dict[str, Any]:
        """Every symbol whose type is found by elaborating it, by the name of its code."""
        found: dict[str, Any] = {}
        codes: set[tuple[str, str]] = set()
        for group in self._symbols.values():
            for symbol in group:
                key = key_of(symbol)
                if key is not None:
                    found[key] = symbol
                if isinstance(symbol, (ActionSymbol, ValueSymbol, TableSymbol)):
                    code = (symbol.form, symbol.name if isinstance(symbol, TableSymbol) else symbol.id)
                    self.doubled = self.doubled or code in codes
                    codes.add(code)
        return found

    def of_words(self, words: Iterable[str]) -> str:
        """One signature for all that the words may name."""
        known = sorted(self._symbols.keys() & words)
        made = blake2b(digest_size=20)
        for word in known:
            made.update(self._deep(word))
        return f"{len(known)} {made.hexdigest()}"

    def of_type(self, type_: Type) -> str:
        """A type with what it names."""
        text = repr(type_)
        known = self._types.get(text)
        if known is None:
            known = self._types[text] = f"{text} {self.of_words(words_in(text))}"
        return known

    # -------------------------------------------------------------- one word
    def _deep(self, word: str) -> bytes:
        """What a word names, what that mentions, and what this mentions in turn."""
        found = self._far.get(word)
        if found is None:
            mentioned = self._mentioned(word)
            parts = (self._wide(other) for other in sorted(mentioned & self._symbols.keys()))
            made = blake2b(self._wide(word), digest_size=20)
            for part in parts:
                made.update(part)
            found = self._far[word] = made.digest()
        return found

    def _wide(self, word: str) -> bytes:
        found = self._near.get(word)
        if found is None:
            text, mentioned = self._shallow(word), self._mentioned(word)
            made = blake2b(f"{word}\n{text}".encode("utf-8", "surrogatepass"), digest_size=20)
            for other in sorted(mentioned & self._symbols.keys()):
                made.update(f"\n{other}\n{self._shallow(other)}".encode("utf-8", "surrogatepass"))
            found = self._near[word] = made.digest()
        return found

    def _shallow(self, word: str) -> str:
        """How all that a word names looks from outside."""
        return self._look(word)[0]

    def _mentioned(self, word: str) -> frozenset[str]:
        """The words that stand in what can be seen of it from outside."""
        found = self._mentions.get(word)
        if found is None:
            found = self._mentions[word] = words_in(self._look(word)[1])
        return found

    def _look(self, word: str) -> tuple[str, str]:
        found = self._own.get(word)
        if found is None:
            symbols = self._symbols[word]
            if len(symbols) == 1:
                found = _own(symbols[0])
            else:
                looks = [_own(symbol) for symbol in symbols]
                found = "\n".join(text for text, _ in looks), "\n".join(inner for _, inner in looks)
            self._own[word] = found
        return found

    # -------------------------------------------------------------- all words
    def texts(self) -> dict[str, str]:
        """How everything looks from outside, word by word."""
        return {word: self._look(word)[0] for word in self._symbols}

    def changed_since(self, before: dict[str, str]) -> set[str]:
        """The words that `of_words` sees otherwise than when `texts` gave this."""
        now = self.texts()
        changed = {word for word, text in now.items() if before.get(word) != text}
        changed.update(before.keys() - now.keys())
        # What a word names, what that mentions, and what this mentions in turn: see `_deep`.
        for _ in range(2 if changed else 0):
            changed |= {word for word in now if not changed.isdisjoint(self._mentioned(word))}
        return changed

    # -------------------------------------------------------------- what every file depends on
    def common(self) -> str:
        """One signature for kinds, traits, types, menus and periods, and for what they name."""
        table = self._work.table
        parts: list[str] = []
        for kind in table.kinds.values():
            parts.extend(_kind(kind))
        for symbol in [*table.menus.values(), *table.periods.values()]:
            parts.append(f"{type(symbol).__name__} {symbol.name} {_text(symbol, symbol.node)}")
        parts.append(self._work.place_kind())
        text = "\n".join(parts)
        return digest(text, self.of_words(words_in(text)))


def _own(symbol: Symbol) -> tuple[str, str]:
    """How a symbol looks from outside, and the part of it that mentions other names."""
    origin = symbol.origin
    where = f"{type(symbol).__name__} {origin.package} {origin.layer} {origin.chapter} {origin.owner}"
    match symbol:
        case ThingSymbol():
            s = symbol
            rest = f"{s.kind} {s.copies} {s.per} {s.sort} {s.inside} {s.field} {s.decl is None} {s.title}"
            return f"{where} {rest}", ""
        case SeatSymbol():
            return f"{where} {symbol.role} {symbol.number}", ""
        case ActionSymbol():
            head = _head(symbol, t.body_start(symbol.decl))
        case ValueSymbol():
            value = symbol.decl.value
            head = _head(symbol, value.start if value is not None else t.body_start(symbol.decl))
        case _:
            head = _text(symbol, symbol.node)
    identity = getattr(symbol, "id", "")
    return f"{where} {identity} {head}", head


def _head(symbol: Symbol, body: int | None) -> str:
    """The text of a declaration before the place where its body begins."""
    end = symbol.node.end if body is None else body
    return symbol.origin.source.text[symbol.node.start : end]


def _text(symbol: Symbol, node: t.Node) -> str:
    return symbol.origin.source.text[node.start : node.end]


def _kind(symbol: KindSymbol | TraitSymbol | TypeSymbol) -> Iterator[str]:
    origin = symbol.origin
    yield f"{type(symbol).__name__} {symbol.name} {origin.package} {origin.layer}"
    if isinstance(symbol, TypeSymbol):
        yield f"{symbol.words} {symbol.ordered}"
        return
    if isinstance(symbol, KindSymbol):
        yield f"{symbol.parents} {symbol.core}"
        if symbol.role is not None:
            seat = symbol.role.seat.text if symbol.role.seat is not None else ""
            yield f"role {symbol.role.low} {symbol.role.high} {seat}"
        if symbol.die is not None:
            yield _text(symbol, symbol.die)
    else:
        for param in symbol.params:
            yield _text(symbol, param)
    for member, place in symbol.members:
        if not isinstance(member, _PRIVATE):
            yield place.source.text[member.start : member.end]
    for name, field in symbol.fields.items():
        yield f"{name} {field.type!r} {field.per} {field.flags}"
