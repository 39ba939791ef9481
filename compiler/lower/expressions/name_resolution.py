"""Names: what a word in the text means where it stands."""

from __future__ import annotations

import re
from typing import Final

from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.symbols import core
from talewright.compiler.symbols.generated_names import scoped_id
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ContainerSymbol,
    DieSymbol,
    KindSymbol,
    MeasureSymbol,
    MovementSymbol,
    OptionSymbol,
    PaymentSymbol,
    PlanSymbol,
    SeatSymbol,
    StateSymbol,
    Symbol,
    TeamSymbol,
    ThingSymbol,
    TokenSymbol,
    TrackSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.model import (
    ANY,
    INT,
    MARK,
    TOKEN,
    TRAIT,
    WAY,
    Type,
    many,
    optional,
    strip,
    thing,
)
from talewright.dsl.tree import nodes as t

WAY_ON: Final = "the condition of a way on"


def faces_of(symbol: DieSymbol) -> list[t.Node]:
    """What is written on the faces of a named die."""
    return [f for item in symbol.decl.faces for f in (item.items if isinstance(item, t.Elements) else [item])]


class Names:
    """Lower-case and capitalised names, read as values."""

    def __init__(self, work: FactRecorder, types: DefinitionTypes) -> None:
        self.work = work
        self.types = types

    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.Name: self._name,
            t.Capital: self._capital,
        }

    def _name(self, node: t.Name, scope: Scope, want: Type | None) -> Typed:
        name = node.name
        local = scope.names.get(name)
        if local is not None:
            return {"op": "local", "n": local[0]}, local[1]
        if name in scope.traits:
            return {"op": "trait_param", "name": name}, scope.traits[name]
        if want is not None:
            goal = strip(want)
            if goal.tag in ("set", "list"):
                goal = strip(goal.of[0])
            if goal.tag == "words" and name in goal.of:
                return {"op": "word", "v": name}, goal
            if goal.tag == "way" and name in self.work.table.functions:
                return self._way(name, node, scope)
        special = self._special(node, scope)
        if special is not None:
            return special
        symbol = self.work.lookup(name, scope.chapter)
        if symbol is not None:
            return self.symbol_value(symbol, node, scope)
        if scope.unbound is not None and want is not None:
            number = scope.unit.new(name, want)
            scope.unbound[name] = (number, want)
            scope.names[name] = (number, want)
            return {"op": "local", "n": number}, want
        types = self.work.table.words.get(name)
        if types:
            symbol_type = self.work.table.kinds[types[0]]
            assert isinstance(symbol_type, TypeSymbol)
            return {"op": "word", "v": name}, Type("words", types[0], tuple(symbol_type.words))
        if name in self.words_of_dice():
            return {"op": "word", "v": name}, Type("words", "", (name,))
        menu = self.work.table.menus.get(name)
        if menu is not None and not menu.decl.params:
            self.work.used.add(f"menu:{name}")
            return {"op": "offers", "menu": name}, many(ANY)
        if name in ("empty", "face_up", "face_down"):
            return {"op": "word", "v": name}, Type("words", "", (name,))
        if name in self.work.table.functions:
            if self.work.table.functions[name] and isinstance(
                self.work.table.functions[name][0], ValueSymbol
            ):
                params = len(self.work.table.functions[name][0].decl.params)
                if params == 3:
                    return self._way(name, node, scope)
            self.work.report(
                "T302", scope.origin, node, f"`{name}` needs its arguments", f"write `{name}(...)`"
            )  # fmt: skip
            return {"op": "none"}, ANY
        self.unknown(node, scope, want)
        return {"op": "none"}, ANY

    def words_of_dice(self) -> set[str]:
        """The words that named dice show."""
        dice = (symbol for symbol in self.work.table.names.values() if isinstance(symbol, DieSymbol))
        faces = (face for symbol in dice for face in faces_of(symbol))
        return {face.name for face in faces if isinstance(face, t.Name)}

    def unknown(self, node: t.Name | t.Capital, scope: Scope, want: Type | None) -> None:
        """Reports a name nobody declared."""
        name = node.name
        if name in self.work.table.broken:
            return
        goal = strip(want) if want else None
        if goal is not None and goal.tag == "words" and goal.of:
            self.work.report(
                "N208", scope.origin, node, f"`{name}` is not one of {', '.join(f'`{w}`' for w in goal.of[:12])}",
                self.work.suggest(name, goal.of),
            )  # fmt: skip
            return
        known = [*scope.names, *self.work.table.names, *scope.traits]
        hint = self._hint(name, scope) or self.work.suggest(name, known)
        if not hint and scope.pure == WAY_ON:
            hint = (
                f'words that players choose stand in quotes: `"{name.replace("_", " ").capitalize()}" -> ...`'
            )
        self.work.report(
            "N201", scope.origin, node, f"there is nothing called `{name}`", hint, fix=fix_of(hint)
        )

    def _hint(self, name: str, scope: Scope) -> str:
        """Why a name is unknown here although it is known elsewhere."""
        if name in ("self", "holder"):
            return f"`{name}` can be read only in the rules and fields of a kind, trait or thing"
        if scope.unit.knows(name):
            return "it was made in another block: make it in this one, or above"
        if name in self.work.table.verbs:
            return f"`{name}` is an action: write `do {name}` to have its result"
        chapter = next((chapter for chapter, own in self.work.table.scoped if own == name), None)
        return (
            f"it belongs to the chapter `{chapter}`: declare it at the left edge to read it elsewhere"
            if chapter
            else ""
        )

    def _way(self, name: str, node: t.Node, scope: Scope) -> Typed:
        self.work.used.add(name)
        return {"op": "way", "value": name}, WAY

    def _special(self, node: t.Name, scope: Scope) -> Typed | None:
        match node.name:
            case "it":
                if scope.it is None:
                    self.work.report(
                        "N219", scope.origin, node, "`it` means the element of a query, and there is none here",
                        "a `where` takes one test: put a longer one in parentheses",
                    )  # fmt: skip
                    return {"op": "none"}, ANY
                return {"op": "local", "n": scope.it[0]}, scope.it[1]
            case "self" if scope.self_type is not None:
                return {"op": "self"}, scope.self_type
            case "holder" if scope.self_type is not None:
                return {"op": "prop", "name": "holder", "of": {"op": "self"}}, thing("Thing")
            case "result":
                if scope.result is None:
                    if self.work.lookup("result", scope.chapter):
                        return None
                    self.work.report(
                        "T320",
                        scope.origin,
                        node,
                        "`result` can be read only in an `after` rule",
                        "it is what the action gave, so the action must be over",
                    )
                    return {"op": "none"}, ANY
                return {"op": "result"}, scope.result
            case "chapter":
                return {"op": "chapter"}, thing(self.chapter_kind(scope))
            case "ended" if scope.lenient:
                return {"op": "ended"}, optional(thing("Ending"))
            case "board" | "play" | "supply" | "box":
                if node.name in self.work.table.names:
                    return None
                return {"op": "area", "name": node.name}, thing("Place")
        return None

    def chapter_kind(self, scope: Scope) -> str:
        """The narrowest kind that the current chapter is known to have."""
        if scope.chapter is not None and not scope.lenient:
            symbol = self.work.thing(scope.chapter)
            if symbol is not None and self.work.is_a(symbol.kind, "Chapter"):
                return symbol.kind
        below = list(self.work.table.children.get("Chapter", ()))
        return below[0] if len(below) == 1 else "Chapter"

    def symbol_value(self, symbol: Symbol, node: t.Node, scope: Scope) -> Typed:
        """What a declared name means as a value."""
        match symbol:
            case ThingSymbol():
                if symbol.copies != 1 or symbol.per is not None:
                    return {"op": "sort", "id": symbol.name}, Type("sort", symbol.name, (symbol.kind,))
                return {"op": "thing", "id": symbol.name}, thing(symbol.kind)
            case ContainerSymbol():
                decl = symbol.decl
                return {"op": "pile", "id": symbol.name}, self.work.pile_type(
                    decl.form, decl.kind.text, decl.options
                )
            case StateSymbol():
                return {"op": "state", "id": scoped_id(symbol)}, symbol.type
            case TrackSymbol():
                return (
                    {"op": "track", "id": scoped_id(symbol)},
                    Type("range", "track", (symbol.decl.low, symbol.decl.high)),
                )
            case ValueSymbol():
                kind = self.types.value_type(symbol)
                return {"op": "value", "id": symbol.id, "args": []}, kind
            case OptionSymbol():
                return {"op": "option", "id": symbol.name}, symbol.type
            case TokenSymbol():
                return {"op": "token", "id": symbol.name}, TOKEN
            case DieSymbol():
                return {"op": "die", "id": symbol.name}, Type("dice", symbol.name)
            case TeamSymbol():
                return {"op": "team", "id": symbol.name}, Type("set", "team", (thing(symbol.decl.role.text),))
            case SeatSymbol():
                return {"op": "seat", "role": symbol.role, "n": symbol.number}, thing(symbol.role)
            case PlanSymbol():
                return {"op": "plan", "id": symbol.name}, thing("Place")
            case MovementSymbol():
                return {"op": "movement", "id": symbol.name}, WAY
            case PaymentSymbol():
                return {"op": "payment", "id": symbol.name}, Type("payment", symbol.name)
            case MeasureSymbol():
                self.work.report(
                    "T301",
                    scope.origin,
                    node,
                    f"`{symbol.name}` is a measure: it is read when a game has ended",
                )
                return {"op": "int", "v": 0}, INT
        return {"op": "none"}, ANY

    def _capital(self, node: t.Capital, scope: Scope, want: Type | None) -> Typed:
        name = node.name
        if want is not None and strip(want).tag == "mark":
            return {"op": "mark", "v": name}, MARK
        thing_symbol = self.work.lookup(name, scope.chapter)
        if thing_symbol is not None:
            return self.symbol_value(thing_symbol, node, scope)
        symbol = self.work.table.kinds.get(name)
        match symbol:
            case KindSymbol():
                self.work.used.add(name)
                if want is not None and strip(want).tag == "kind":
                    return {"op": "kind_name", "id": name}, Type("kind", name)
                return {"op": "kind", "id": name}, many(thing(name))
            case TraitSymbol():
                self.work.used.add(name)
                if want is not None and strip(want).tag == "trait":
                    return {"op": "trait", "id": name, "args": []}, TRAIT
                return {"op": "bearers", "trait": name}, many(thing(name))
            case TypeSymbol():
                self.work.report(
                    "T301", scope.origin, node, f"`{name}` is a type, not a value", "write one of its words"
                )
                return {"op": "none"}, ANY
        if name not in self.work.table.broken:
            known = [
                *self.work.table.kinds,
                *(n for n in self.work.table.names if n[0].isupper() or n[0].isdigit()),
            ]
            hint = self.work.suggest(name, known)
            self.work.report(
                "N203",
                scope.origin,
                node,
                f"there is no kind, trait or card called `{name}`",
                hint,
                fix=fix_of(hint),
            )
        return {"op": "none"}, ANY

    def moment(self, word: t.Word, scope: Scope) -> str:
        """An action or period by name, as the document writes it."""
        if word.text in self.work.table.periods:
            self.work.used.add(f"period:{word.text}")
            return f"period:{word.text}"
        actions = self.work.actions(word.text, scope.chapter) or self.work.table.verbs.get(word.text, [])
        if actions or word.text in core.VERBS_BY_NAME:
            self.work.used.add(f"verb:{word.text}")
            return f"verb:{word.text}"
        if word.text not in self.work.table.broken:
            known = [*self.work.table.periods, *self.work.table.verbs, *core.VERBS_BY_NAME]
            self.work.report(
                "N218", scope.origin, word, f"there is no action or period called `{word.text}`",
                self.work.suggest(word.text, known),
            )  # fmt: skip
        return f"verb:{word.text}"

    def token_ir(self, word: t.Word, scope: Scope) -> IR:
        """A token by name, or a local that holds one."""
        local = scope.names.get(word.text)
        if local is not None:
            return {"op": "local", "n": local[0]}
        if word.text in scope.traits:
            return {"op": "trait_param", "name": word.text}
        symbol = self.work.table.names.get(word.text)
        if not isinstance(symbol, TokenSymbol):
            if word.text not in self.work.table.broken:
                tokens = [n for n, s in self.work.table.names.items() if isinstance(s, TokenSymbol)]
                self.work.report("N211", scope.origin, word, f"there is no token `{word.text}`",
                            self.work.suggest(word.text, tokens) or f"declare it: `token {word.text} * 10`")  # fmt: skip
            return {"op": "token", "id": word.text}
        self.work.used.add(word.text)
        return {"op": "token", "id": word.text}


def fix_of(hint: str) -> str | None:
    found = re.fullmatch(r"did you mean `(.+)`\?", hint)
    return found[1] if found else None
