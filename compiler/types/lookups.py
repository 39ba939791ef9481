"""The state that both passes share: the symbol table, the findings, and lookups of kinds, fields and types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from talewright.compiler.symbols import core
from talewright.compiler.symbols.suggestions import Guesses
from talewright.compiler.symbols.symbol_table import (
    FORMS,
    ActionSymbol,
    FieldSymbol,
    KindSymbol,
    Origin,
    Symbol,
    Table,
    ThingSymbol,
    TraitSymbol,
    TypeSymbol,
)
from talewright.compiler.types.codes import CODES
from talewright.compiler.types.model import (
    ANY,
    EFFECT,
    INT,
    SIMPLE,
    TRUTH,
    Type,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    strip,
    thing,
)
from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, Label
from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS
from talewright.dsl.tree import nodes as t

_DICE = re.compile("[0-9]*d[0-9]+")


class Work:
    """The state of one compilation."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.findings: list[Diagnostic] = []
        self.ancestry: dict[str, tuple[str, ...]] = {}
        self.used: set[str] = set()
        self.guesses = Guesses()
        self._reported: set[tuple[str, str, int, int]] = set()
        self._field_cache: dict[tuple[str, str], tuple[FieldSymbol, bool] | None] = {}

    # -------------------------------------------------------------- findings
    def report(
        self,
        code: str,
        origin: Origin,
        node: t.Node,
        message: str,
        help: str = "",
        labels: Iterable[Label] = (),
        fix: str | None = None,
    ) -> None:
        """Adds a finding at a node; `fix` is the text to put there instead."""
        # An expression may be lowered twice, for example to choose an overload: report it once.
        place = (code, origin.source.name, node.start, node.end)
        if place in self._reported:
            return
        self._reported.add(place)
        name, severity = CODES[code]
        span = origin.source.span(node.start, node.end)
        fixes = (Fix(f"write `{fix}`", (Edit(span, fix),), safe=False),) if fix is not None else ()
        self.findings.append(Diagnostic(code, name, severity, message, span, help, tuple(labels), fixes))

    def label(self, symbol: Symbol, text: str) -> Label:
        """Points at a declaration."""
        return Label(symbol.origin.source.span(*name_span(symbol)), text)

    def suggest(self, wrong: str, known: Iterable[str]) -> str:
        """`did you mean ...?` when something close exists."""
        close = self.guesses.closest(wrong, known)
        return f"did you mean `{close}`?" if close else ""

    # -------------------------------------------------------------- kinds
    def lineage(self, kind: str) -> tuple[str, ...]:
        """The kind and all it descends from, nearest first."""
        found = self.ancestry.get(kind)
        if found is None:
            order: list[str] = []
            self._climb(kind, order)
            found = self.ancestry[kind] = tuple(order)
        return found

    def _climb(self, kind: str, order: list[str]) -> None:
        if kind in order:
            return
        order.append(kind)
        symbol = self.table.kinds.get(kind)
        if isinstance(symbol, KindSymbol):
            for parent in symbol.parents:
                self._climb(parent, order)
        elif isinstance(symbol, TraitSymbol):
            self._climb("Thing", order)

    def is_a(self, kind: str, other: str) -> bool:
        """Whether every thing of one kind is of the other."""
        return other in self.lineage(kind)

    def related(self, kind: str, other: str) -> bool:
        """Whether a thing could be of both kinds."""
        if kind == other or self.is_a(kind, other) or self.is_a(other, kind):
            return True
        if isinstance(self.table.kinds.get(kind), TraitSymbol) or isinstance(
            self.table.kinds.get(other), TraitSymbol
        ):
            return True
        below = set(self.descendants(kind))
        return any(name in below for name in self.descendants(other))

    def descendants(self, kind: str) -> Iterator[str]:
        """The kind and everything below it."""
        seen = {kind}
        stack = [kind]
        while stack:
            name = stack.pop()
            yield name
            for child in self.table.children.get(name, ()):
                if child not in seen:
                    seen.add(child)
                    stack.append(child)

    def field_of(self, kind: str, name: str) -> tuple[FieldSymbol, bool] | None:
        """The field as a thing of the kind has it; the flag says that only some of them may."""
        key = (kind, name)
        if key in self._field_cache:
            return self._field_cache[key]
        found: tuple[FieldSymbol, bool] | None = None
        for owner in self.lineage(kind):
            symbol = self.table.kinds.get(owner)
            if isinstance(symbol, (KindSymbol, TraitSymbol)) and name in symbol.fields:
                found = (symbol.fields[name], False)
                break
        if found is None:
            top = "Thing" if isinstance(self.table.kinds.get(kind), TraitSymbol) else kind
            for owner in self.descendants(top):
                symbol = self.table.kinds.get(owner)
                if isinstance(symbol, KindSymbol):
                    for above in self.lineage(owner):
                        upper = self.table.kinds.get(above)
                        if isinstance(upper, KindSymbol) and name in upper.fields:
                            found = (upper.fields[name], True)
                            break
                if found:
                    break
        if found is None and (kind in self.table.kinds or kind == "Thing"):
            for trait in self.table.kinds.values():
                if isinstance(trait, TraitSymbol) and name in trait.fields:
                    found = (trait.fields[name], True)
                    break
        self._field_cache[key] = found
        return found

    def namesakes(self, kind: str, name: str) -> list[str]:
        """The kinds that declare a field of a name which a thing of a kind may have, each for itself."""
        top = "Thing" if isinstance(self.table.kinds.get(kind), TraitSymbol) else kind
        found: dict[str, None] = {}
        for below in self.descendants(top):
            declaring = [
                above
                for above in self.lineage(below)
                if isinstance(symbol := self.table.kinds.get(above), KindSymbol) and name in symbol.fields
            ]
            if declaring and declaring[-1] not in core.CORE_KINDS:
                found.setdefault(declaring[-1])
        return list(found)

    def all_fields(self, kind: str) -> dict[str, FieldSymbol]:
        """Every field that a new thing of the kind has."""
        fields: dict[str, FieldSymbol] = {}
        for owner in reversed(self.lineage(kind)):
            symbol = self.table.kinds.get(owner)
            if isinstance(symbol, KindSymbol):
                fields.update(symbol.fields)
        return fields

    def roles(self) -> Iterator[KindSymbol]:
        """The roles in order of declaration."""
        for symbol in self.table.kinds.values():
            if isinstance(symbol, KindSymbol) and symbol.role is not None:
                yield symbol

    def is_role(self, kind: str) -> bool:
        """Whether things of the kind are seats."""
        return any(
            isinstance(k := self.table.kinds.get(name), KindSymbol) and k.role is not None
            for name in self.lineage(kind)
        )

    # -------------------------------------------------------------- types
    def no_dice(self, name: t.Word, origin: Origin) -> str:
        """The text of a name that is declared; reports one such as `d6`, which always means dice."""
        if _DICE.fullmatch(name.text):
            message = f"`{name.text}` means dice and cannot be a name"
            self.report("N223", origin, name, message, "choose another name")
        return name.text

    def read_type(self, node: t.TypeNode, origin: Origin) -> Type:
        """The type a designer wrote."""
        match node:
            case t.OrNone():
                return optional(self.read_type(node.inner, origin))
            case t.RangeType():
                return Type("range", "", (node.low, node.high))
            case t.DiceType():
                return Type("range", "", (1, node.sides))
            case t.MapType():
                return Type("map", "", (self.read_type(node.key, origin), self.read_type(node.value, origin)))
            case t.ManyType():
                item = self.read_type(node.item, origin)
                if node.form == "sort":
                    return Type("sort", "", (item.name,))
                return Type("plan", item.name) if node.form == "plan" else many(item, node.form)
            case t.ContainerType():
                self.need_form(node.kind, origin, KindSymbol, TraitSymbol)
                return self.pile_type(node.form, node.kind.text, node.options)
            case t.EffectType():
                params = tuple((p.name.text, self.read_type(p.type, origin)) for p in node.params)
                return Type("effect", "", params) if params else EFFECT
            case t.KindType():
                return self._named_type(node, origin)
        return self._words_type(node, origin)

    def pile_type(self, form: str, kind: str, options: t.ContainerOptions) -> Type:
        """A container's type; a slot holds one thing unless it says otherwise."""
        single = form == "slot" and options.max is None
        if isinstance(options.max, t.Number) and options.max.value == 1 and form == "slot":
            single = True
        return Type("pile", kind, (form, single))

    def _named_type(self, node: t.KindType, origin: Origin) -> Type:
        symbol = self.table.kinds.get(node.name)
        if isinstance(symbol, TypeSymbol):
            self.used.add(node.name)
            return Type("words", node.name, tuple(symbol.words))
        if node.name == "Way":
            return Type("way")
        self.need_kind(t.Word(node.start, node.end, node.name), origin)
        return thing(node.name)

    def _words_type(self, node: t.WordsType, origin: Origin) -> Type:
        words = [w.text for w in node.words]
        if len(words) == 1 and words[0] in SIMPLE:
            return SIMPLE[words[0]]
        if set(words) == {"yes", "no"}:
            return TRUTH
        if all(w.lstrip("-").isdigit() for w in words):
            return Type("ints", "", tuple(int(w) for w in words))
        if len(words) == 1:
            self.report(
                "N203", origin, node, f"there is no type `{words[0]}`",
                self.suggest(words[0], [*SIMPLE, *self.table.kinds])
                or "types are `int`, `text`, a kind, words with `|` between them, `list of`, `set of`, ...",
            )  # fmt: skip
            return ANY
        return Type("words", "", tuple(words))

    def need_kind(self, word: t.Word, origin: Origin) -> KindSymbol | TraitSymbol | TypeSymbol | None:
        """The kind, trait or type of that name, or a finding."""
        symbol = self.table.kinds.get(word.text)
        if symbol is None:
            if word.text not in self.table.broken:
                small = word.text.lower()
                hint = (
                    f"declarations begin with a small letter: `{small}`" if small in DECLARATION_WORDS else ""
                )
                hint = hint or self.suggest(word.text, self.table.kinds) or f"declare it: `kind {word.text}`"
                self.report("N203", origin, word, f"there is no kind `{word.text}`", hint)
            return None
        self.used.add(word.text)
        return symbol

    def need_form(self, word: t.Word, origin: Origin, *forms: type[Symbol], help: str = "") -> bool:
        """Whether a capitalised name is of a form that can stand there, or a finding."""
        symbol = self.need_kind(word, origin)
        if symbol is None or isinstance(symbol, forms):
            return symbol is not None
        wanted = " or ".join(f"a {FORMS[form]}" for form in forms)
        self.report(
            "N221", origin, word, f"`{word.text}` is a {symbol.form}, and {wanted} is needed here", help,
            [self.label(symbol, "declared here")],
        )  # fmt: skip
        return False

    # -------------------------------------------------------------- assignability
    def fits(self, have: Type, want: Type) -> bool:
        """Whether a value of one type can be used where another is wanted; `none` is checked in play."""
        if have.tag == "any" or want.tag == "any" or have == want:
            return True
        if want.tag == "optional":
            return have.tag == "none" or self.fits(have, want.of[0])
        have = strip(have)
        if have == want:
            return True
        match want.tag:
            case "int" | "range" | "target" | "ints":
                return have.tag in ("int", "range", "target", "ints", "die", "pool")
            case "dice" | "pool":
                return have.tag in ("int", "range", "target", "ints", "die", "pool", "dice")
            case "thing":
                if have.tag == "thing":
                    return self.related(have.name, want.name)
                if have.tag == "pile" and have.of[1]:
                    return self.related(have.name, want.name)
                return have.tag in ("cell", "spot") and want.name in ("Place", "Thing")
            case "words":
                return have.tag == "words" and set(have.of) <= set(want.of)
            case "set" | "list" | "bands":
                return self._collection_fits(have, want)
            case "map":
                return have.tag == "map" and self.fits(have.of[1], want.of[1])
            case "role":
                return self.decides(have)
            case "way":
                return have.tag == "way"
            case "condition":
                return have.tag == "truth"
            case "effect":
                return have.tag in ("effect", "lines")
            case "text":
                return have.tag == "text"
            case "pile":
                return have.tag == "pile" and self.related(have.name, want.name)
            case "sort":
                if have.tag == "sort":
                    return self.related(have.of[0], want.of[0])
                return have.tag == "thing" and self.related(have.name, want.of[0])
            case "truth":
                return have.tag in ("truth", "condition")
            case "cell":
                return have.tag in ("cell", "spot")
            case "spot":
                return have.tag in ("cell", "spot", "set")
            case "die":
                return have.tag in ("int", "range")
            case "item" | "kind":
                return True
        return False

    def _collection_fits(self, have: Type, want: Type) -> bool:
        inner = want.of[0]
        if have.tag in ("set", "list", "bands"):
            return self.fits(have.of[0], inner)
        if have.tag == "pile":
            return self.fits(thing(have.name), inner)
        if have.tag == "sort":
            return self.fits(thing(have.of[0]), inner)
        if have.tag == "pool":
            return inner.tag in ("die", "int", "range", "target", "ints", "pool", "any")
        if have.tag == "none":
            return True
        return self.fits(have, inner)

    def decides(self, have: Type) -> bool:
        """Whether somebody of this type can be asked."""
        if have.tag in ("role", "team"):
            return True
        if have.tag in ("set", "list"):
            return self.decides(have.of[0])
        if have.tag != "thing":
            return False
        if self.is_role(have.name) or have.name == "Seat":
            return True
        return any(self._role_typed(f.type) for f in self.all_fields(have.name).values())

    def _role_typed(self, type_: Type) -> bool:
        type_ = strip(type_)
        return type_.tag == "thing" and self.is_role(type_.name)

    # -------------------------------------------------------------- names
    def lookup(self, name: str, chapter: str | None) -> Symbol | None:
        """A lower-case or numbered name: the chapter's own first, then everybody's."""
        if chapter is not None:
            symbol = self.table.scoped.get((chapter, name))
            if symbol is not None:
                self.used.add(f"{chapter}:{name}")
                return symbol
        symbol = self.table.names.get(name)
        if symbol is not None:
            self.used.add(name)
        return symbol

    def actions(self, verb: str, chapter: str | None) -> list[ActionSymbol]:
        """The actions of a verb that can be seen from a chapter."""
        return [
            a
            for a in self.table.verbs.get(verb, ())
            if a.origin.chapter is None or a.origin.chapter == chapter
        ]

    def place_kind(self) -> str:
        """The kind that plans give to places nobody declared."""
        below = [
            k for k in self.table.children.get("Place", ())
            if not (isinstance(s := self.table.kinds.get(k), KindSymbol) and s.core)
        ]  # fmt: skip
        direct = self.table.things_of.get("Place")
        return below[0] if len(below) == 1 and not direct else "Place"

    def thing(self, name: str) -> ThingSymbol | None:
        """The thing of that name."""
        symbol = self.table.names.get(name)
        return symbol if isinstance(symbol, ThingSymbol) else None

    def join(self, kinds: Sequence[Type]) -> Type:
        """The narrowest type that all of them fit."""
        if not kinds:
            return ANY
        result = kinds[0]
        for kind in kinds[1:]:
            result = self.join_two(result, kind)
        return result

    def join_two(self, a: Type, b: Type) -> Type:
        """The narrowest type that both fit."""
        if a == b:
            return a
        if a.tag == "none" or b.tag == "none":
            return optional(b if a.tag == "none" else a)
        if a.tag == "optional" or b.tag == "optional":
            return optional(self.join_two(strip(a), strip(b)))
        if a.tag == "thing" and b.tag == "thing":
            above = set(self.lineage(b.name))
            return thing(next((k for k in self.lineage(a.name) if k in above), "Thing"))
        if is_number(a) and is_number(b):
            return INT
        if a.tag == "words" and b.tag == "words":
            return a if set(b.of) <= set(a.of) else Type("words", "", tuple(dict.fromkeys((*a.of, *b.of))))
        if is_many(a) and is_many(b):
            return many(self.join_two(item_of(a), item_of(b)))
        if is_many(a) and b.tag == "thing":
            return many(self.join_two(item_of(a), b))
        if is_many(b) and a.tag == "thing":
            return many(self.join_two(a, item_of(b)))
        return ANY


def name_span(symbol: Symbol) -> tuple[int, int]:
    """Where the name of a declaration stands, else its head."""
    node: Any = symbol.node
    for attribute in ("name", "verb", "id"):
        word = getattr(node, attribute, None)
        if isinstance(word, t.Word):
            return word.start, word.end
    for attribute in ("names", "ids"):
        words = getattr(node, attribute, None)
        if words:
            for word in words:
                if word.text == symbol.name:
                    return word.start, word.end
            return words[0].start, words[0].end
    return node.start, min(node.end, node.start + 80)


def core_field(kind: str, name: str, origin: Origin, type_: Type) -> FieldSymbol:
    """A field that the core gives to one of its kinds."""
    return FieldSymbol(name, t.Node(0, 0), origin, kind, None, type_)


__all__ = ["INT", "Work", "core", "core_field", "name_span"]
