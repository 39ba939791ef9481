"""What expressions of the document are worth in a game: their functions run over a copy of its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from talewright.runtime.host.words import Words, square_label
from talewright.runtime.ir.build import call
from talewright.runtime.ir.header import NONE, STACK_TOP
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.kernel.maps.areas import SPOT
from talewright.runtime.kernel.maps.squares import packed_x, packed_y
from talewright.runtime.lower.code import Code, local_types
from talewright.runtime.lower.code import Scope as LoweredScope
from talewright.runtime.lower.dispatch import condition, given, value
from talewright.runtime.lower.expressions.modifiers import modified_field, need_value
from talewright.runtime.lower.program import Passage, Program
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.layout import DISREGARDED, STATIC
from talewright.runtime.model.types import BEHAVIOUR, TRUTH, is_block, is_list, item_of, none_of
from talewright.runtime.model.world import Field, plain
from talewright.runtime.observe.functions import Functions, Running, Unanswerable
from talewright.runtime.observe.memory import Memory
from talewright.runtime.observe.values import Behaviour, Die, Formula, Other, Spot, Value
from talewright.schemas.nodes.declared import ValueDeclaration
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.names import TraitParam
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import field, record, replace

Cells = list[int]
"""A list as it lies in memory, read at once: what is asked next may lie there."""
# `self` and `result` come before the locals.
FIRST_LOCAL = 2


@record(frozen=True)
class Scope:
    """What names mean: locals by their number, as cells, with their types, `self`, `result`, and whose text this is."""

    locals: Mapping[int, int] = field(default_factory=dict)
    types: Mapping[int, Type] = field(default_factory=dict)
    me: int = 0
    owner: str = ""
    result: int = 0

    def bind(self, number: int, cell: int) -> Scope:
        """The scope with one more local."""
        return replace(self, locals={**self.locals, number: cell})


@dataclass(frozen=True)
class Evaluator:
    """Reads one copy of a game."""

    program: Program
    memory: Memory

    @cached_property
    def words(self) -> Words:
        """Words for what memory holds."""
        return Words(self.program, self.memory)

    @cached_property
    def functions(self) -> Functions:
        """The functions of the program, and those that questions need."""
        return functions_of(self.program)

    @cached_property
    def running(self) -> Running:
        """The functions over this copy."""
        return Running(self.functions, self.memory)

    @cached_property
    def _asked_words(self) -> Words:
        """Words for what questions give: they may say texts that the game never does."""
        asked, played = self.functions.program, self.program
        asked.texts[played.own_texts : len(played.texts)] = played.texts[played.own_texts :]
        return Words(asked, self.memory, self.words.titles)

    # ------------------------------------------------------------------ asking
    def kernel(self, function: str, *arguments: int) -> int:
        """What a function of the kernel gives."""
        with self.memory.supposing():
            return self.running.call(function, *arguments)

    def kernel_list(self, function: str, *arguments: int) -> Cells:
        """The members of the list that a function of the kernel gives."""
        with self.memory.supposing():
            return self.words.items(self.running.call(function, *arguments))

    def value(self, node: object, scope: Scope) -> Value:
        """The value of an expression."""

        def write(code: Code) -> Type:
            type_ = type_of(code, node)
            code.give(given(code, node, type_))
            return type_

        with self.memory.supposing():
            return self.read(*self.ask("value", node, scope, write))

    def condition(self, node: object, scope: Scope) -> bool:
        """Whether a condition holds; what is none does not."""
        return self.holds("condition", node, scope, lambda code: condition(code, node))

    def holds(self, what: str, about: object, scope: Scope, write: Callable[[Code], Expression]) -> bool:
        """Whether something is so."""

        def give(code: Code) -> Type:
            code.give(write(code))
            return TRUTH

        with self.memory.supposing():
            return bool(self.ask(what, about, scope, give)[0])

    def ask(self, what: str, about: object, scope: Scope, write: Callable[[Code], Type]) -> tuple[int, Type]:
        """The cell that answers a question about a part of the document, in a scope; what is written lies in the copy."""
        locals_: dict[int, Expression] = {
            number: Local(FIRST_LOCAL + index) for index, number in enumerate(scope.locals)
        }
        lowered = LoweredScope(locals_, dict(scope.types), Local(0), scope.owner, Local(1), verb="value")
        asked = self.functions.asked(what, about, FIRST_LOCAL + len(locals_), lowered, write)
        return self.running.call(asked.name, scope.me, scope.result, *scope.locals.values()), asked.type

    def ask_of(
        self, what: str, about: object, cells: Cells, write: Callable[[Code], Type]
    ) -> tuple[int, Type]:
        """The cell that answers a question about a part of the document and some cells, which are the parameters."""
        asked = self.functions.asked(what, about, len(cells), LoweredScope({}, verb="value"), write)
        return self.running.call(asked.name, *cells), asked.type

    @contextmanager
    def without_rules_of(self, things: set[int]) -> Iterator[None]:
        """Supposes that the rules of some things count for nothing."""
        with self.memory.supposing():
            for thing in things:
                self.memory[DISREGARDED + thing] = 1
            yield

    # ------------------------------------------------------------------ values of the package
    def declared(self, declared: ValueDeclaration, arguments: Sequence[Value], base: bool = False) -> Value:
        """A declared value, with its modifiers or without."""

        def write(code: Code) -> Type:
            own = code.program.values[declared.id]
            need_value(code.program, own)
            bare = base and bool(code.program.modifiers.get(own.id))
            code.give(call(f"{'base' if bare else 'value'}:{own.id}", *map(Local, range(len(own.params)))))
            return own.type

        with self.memory.supposing():
            types = local_types(declared.locals)
            given = [
                self.cell(argument, types[number])
                for number, argument in zip(declared.params, arguments, strict=True)
            ]
            return self.read(*self.ask_of("base" if base else "value", declared, given, write))

    def field(self, thing: int, field_: Field, borrower: int = 0) -> Value:
        """A field with its modifiers; one that is lent also with those about the borrower."""
        if not thing or not self.program.modifiers.get(field_.first):
            return self.stored(thing, field_)

        def write(code: Code) -> Type:
            own = code.program.world.fields[field_.owner, field_.name]
            code.give(modified_field(code, own, Local(0), Local(1) if borrower else None))
            return own.type

        with self.memory.supposing():
            what = "lent" if borrower else "field"
            return self.read(*self.ask_of(what, field_.declaration, [thing, borrower], write))

    def trait_parameter(self, thing: int, trait: str, name: str) -> Value:
        """What a trait was given when a thing gained it last, worked out now; none if it does not have it."""
        declared = next(p for p in self.program.world.traits[trait].params if p.name == name)

        def write(code: Code) -> Type:
            code.give(value(code, TraitParam(name)))
            return declared.type

        with self.memory.supposing():
            return self.read(*self.ask("parameter", declared, Scope({}, {}, thing, trait), write))

    def bears_trait(self, thing: int, trait: str) -> bool:
        """Whether a thing has a trait itself."""
        return bool(self.memory[self.program.trait_bits(trait) + (thing >> 5)] >> (thing & 31) & 1)

    # ------------------------------------------------------------------ cells
    def put(self, cells: Iterable[int]) -> int:
        """Puts a list on the stack of the copy."""
        block, held = self.memory[STACK_TOP], list(cells)
        for offset, cell in enumerate((len(held), *held)):
            self.memory[block + offset] = cell
        self.memory[STACK_TOP] = block + 1 + len(held)
        return block

    def cell(self, made: Value, type_: Type) -> int:
        """The cell of a value; a list is put on the stack of the copy."""
        match made:
            case None:
                return none_of(type_)
            case int() if plain(type_).tag in ("pool", "dice"):
                # Of a roll that was told only the sum is known.
                return self.put([self.running.call("new_die", 0, made, 0, 0)])
            case int() if not is_block(type_):
                return made
            case tuple() if plain(type_).tag == "role":
                return sum(self.program.seat_bit(seat) for seat in made if isinstance(seat, int))
            case tuple():
                item = item_of(type_)
                return self.put([self.cell(member, item) for member in made])
            case str() if plain(type_).tag == "text":
                return self.put([self.functions.program.text_number(Text((made,)))])
            case Die():
                return made.number
            case Spot():
                return self.put((SPOT, made.base, made.at, *made.rest))
            case Behaviour(handed_over=True):
                return made.whose
        raise Unanswerable("this is known only when it happens")

    def read(self, cell: int, type_: Type) -> Value:
        """The value that a cell of a type holds."""
        inner = plain(type_)
        if cell == NONE:
            return None
        if cell == 0 and none_of(inner) == 0:
            empty = is_list(inner) and type_.tag != "optional"
            return () if empty else None
        match inner.tag:
            case "list" | "set":
                item = item_of(inner)
                return tuple(self.read(member, item) for member in self.words.items(cell))
            case "map":
                return self._map(cell, inner)
            case "two":
                kinds = [part if isinstance(part, Type) else ANY for part in inner.args]
                return tuple(map(self.read, self.words.items(cell), kinds))
            case "pair":
                return tuple(self.words.items(cell))
            case "text":
                return self.text(cell)
            case "pool" | "dice":
                return self._dice(cell)
            case "die":
                return Die(cell)
            case "spot":
                _, base, at, *rest = self.words.items(cell)
                return Spot(base, at, tuple(rest))
            case "edges" | "bands" | "trait":
                return Other(cell)
            case "role":
                return tuple(s for s in self.program.world.seats.values() if cell & self.program.seat_bit(s))
        if inner.tag in BEHAVIOUR:
            return self.behaviour(cell, 0)
        return cell

    def behaviour(self, cell: int, thing: int) -> Value:
        """The behaviour that a cell holds: a number in the table, or the address of what was handed over."""
        if not cell:
            return None
        if cell >= STATIC:
            return Behaviour(self.memory[cell + 1], cell, True)
        return Behaviour(cell, thing)

    def _map(self, cell: int, type_: Type) -> Value:
        cells = self.words.items(cell)
        key, held = type_.args
        assert isinstance(key, Type)
        assert isinstance(held, Type)
        return {self.read(k, key): self.read(v, held) for k, v in zip(cells[::2], cells[1::2], strict=True)}

    def _dice(self, cell: int) -> Value:
        count = self.memory[cell]
        if count < 0:
            return Formula(tuple(self.memory.read(cell + 1, -count)))
        return tuple(Die(number) for number in self.words.items(cell))

    def stored(self, thing: int, field_: Field) -> Value:
        """What a field holds, without its modifiers; of none, or of a thing without the field, it is none."""
        if not thing:
            return None
        world = self.program.world
        if field_.tag == "pile":
            return world.pile_fields.get((thing, field_.name))
        column = self.program.layout.columns[field_.first]
        has = field_.owner in world.traits or world.is_a(world.thing(thing).kind, field_.owner)
        if not column.low <= thing <= column.high or not has:
            return None
        cell = self.memory[column.address + thing]
        if field_.tag in BEHAVIOUR:
            return self.behaviour(cell, thing)
        return self.read(cell, field_.type)

    def captured(self, passage: Passage, address: int) -> dict[int, int]:
        """What the locals stand for that a piece of text has captured, from cells in a row."""
        return dict(zip(passage.captured, self.memory.read(address, len(passage.captured)), strict=True))

    # ------------------------------------------------------------------ words
    def text(self, block: int) -> str:
        """The words of a text, also of one that the game never says and somebody asks for."""
        return (self._asked_words if self.functions.is_lowered else self.words).text(block)

    def shown(self, value: Value, type_: Type, name: Callable[[int], str] | None = None) -> str:
        """A value as people read it; `name` tells what things are called."""
        title = name or self.words.title
        inner = plain(type_)
        if value is None:
            return "none"
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            if inner.tag in ("pool", "dice"):
                return str(sum(self.words.die(die.number) for die in value if isinstance(die, Die)))
            if inner.tag == "pair":
                return " and ".join(title(one) for one in value if isinstance(one, int))
            item = item_of(inner)
            return ", ".join(self.shown(member, item, name) for member in value) or "nothing"
        if isinstance(value, Die):
            return self.words.value(self.words.die(value.number), ANY)
        if isinstance(value, Formula):
            return self._dice_shown(value)
        if isinstance(value, Spot):
            return square_label(packed_x(value.at), packed_y(value.at))
        if not isinstance(value, int):
            return "..."
        if inner.tag == "pile":
            return ", ".join(map(title, self.words.inside(value))) or "nothing"
        if inner.tag == "thing":
            return title(value)
        if inner.tag == "sort":
            # A sort is a name that is printed somewhere: it has no face that could lie down.
            return self.words.title(value)
        if inner.tag in ("target", "truth", "words", "size", "token", "kind", "cell"):
            return self.words.value(value, inner)
        return self.words.value(value, ANY) if value != 0 else "0"

    def _dice_shown(self, formula: Formula) -> str:
        """Dice that are not rolled yet, as people write them: `2d6 + 1`, `2 peril`."""
        names = {number: name for name, (number, _) in self.program.dice.items()}
        told = []
        for kind, count in zip(formula.cells[::2], formula.cells[1::2], strict=True):
            name = names.get(kind, "")
            number = str(count) if count != 1 or not name else ""
            space = " " if number and not name[1:].isdigit() else ""
            told += [f"{number}{space}{name}".strip()] if count else []
        return " + ".join(told) or "0"


_FUNCTIONS: WeakKeyDictionary[Program, Functions] = WeakKeyDictionary()


def functions_of(program: Program) -> Functions:
    """The functions of a program that is looked at."""
    found = _FUNCTIONS.get(program)
    if found is None:
        found = _FUNCTIONS[program] = Functions(program)
    return found
