"""What expressions of the document are worth in a game, worked out in Python from a copy of its memory.

Each kind of node has a function `(evaluator, node, scope) -> Value`, entered with `@evaluates`. A node that nobody has entered is
an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as part
from functools import cached_property, partial
from typing import TypeVar

from talewright.runtime.host.words import Words, square_label
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.ir.header import MOST, NONE
from talewright.runtime.kernel.maps.squares import packed_x, packed_y
from talewright.runtime.lower.assembly import kernel_constants
from talewright.runtime.lower.code import Scope as LoweredScope
from talewright.runtime.lower.program import Passage, Program
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.layout import DICE_RECORDS, DIE_CELLS, STATIC
from talewright.runtime.model.types import BEHAVIOUR, is_list, item_of, none_of
from talewright.runtime.model.world import Field, plain
from talewright.runtime.observe.evaluation.values import Bands, Behaviour, Die, Formula, Spot, Value, Ways
from talewright.runtime.observe.kernel import Kernel
from talewright.runtime.observe.memory import Memory
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import field, record, replace

Items = tuple[Value, ...]
Handler = TypeVar("Handler", bound=Callable[..., object])
Lowered = TypeVar("Lowered", bound=Callable[..., int])
_HANDLERS: dict[type, Callable[..., Value]] = {}
_LOWERED: list[Callable[..., int]] = []
# What faults are called: something is none that must not be, nothing fits, a position outside a list, out of range.
NOTHING_THERE, NO_ROW, NO_POSITION, OUT_OF_RANGE, NO_DIVISOR, NOT_THERE = 1, 3, 4, 14, 2, 17


class Unanswerable(Exception):
    """Something was asked that cannot be told: it asks, rolls or changes something, or nothing here can work it out."""


def evaluates(*nodes: type) -> Callable[[Handler], Handler]:
    """Enters a function (evaluator, node, scope) that gives the value of a node."""

    def entered(handler: Handler) -> Handler:
        for node in nodes:
            assert node not in _HANDLERS, f"{node.__name__} is evaluated twice"
            _HANDLERS[node] = handler  # type: ignore[assignment]
        return handler

    return entered


def asked_by_kernel(function: Lowered) -> Lowered:
    """Enters what the kernel asks of a program by this name: limits, and the functions of its table."""
    _LOWERED.append(function)
    return function


def evaluated_nodes() -> set[type]:
    """The kinds of nodes that have a function."""
    return set(_HANDLERS)


@record(frozen=True)
class Scope:
    """What names mean: locals by their number, with their types, `self`, `result`, and whose text this is."""

    locals: Mapping[int, Value] = field(default_factory=dict)
    types: Mapping[int, Type] = field(default_factory=dict)
    me: Value = None
    owner: str = ""
    result: Value = None

    def bind(self, number: int, value: Value) -> Scope:
        """The scope with one more local."""
        return replace(self, locals={**self.locals, number: value})

    def bind_all(self, more: Mapping[int, Value]) -> Scope:
        """The scope with some more locals."""
        return replace(self, locals={**self.locals, **more})


@dataclass(frozen=True)
class Evaluator:
    """Reads one copy of a game."""

    program: Program
    memory: Memory
    asleep: set[int] = part(default_factory=set)
    """Things whose rules count for nothing while it is supposed that nobody knows of them."""

    @cached_property
    def words(self) -> Words:
        """Words for what memory holds."""
        return Words(self.program, self.memory)

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel over the copy; what the program itself says to it comes from the evaluator."""
        lowered = {function.__name__: partial(function, self) for function in _LOWERED}
        return Kernel(self.memory, kernel_constants(self.program), lowered)

    # ------------------------------------------------------------------ nodes
    def value(self, node: object, scope: Scope) -> Value:
        """The value of an expression."""
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise Unanswerable(f"nobody can tell what `{type(node).__name__}` is worth")
        return handler(self, node, scope)

    def condition(self, node: object, scope: Scope) -> bool:
        """Whether a condition holds; what is none does not."""
        return bool(self.value(node, scope))

    def items(self, node: object, scope: Scope) -> Items:
        """The members of a collection; one thing is a collection of itself, none is an empty one."""
        return as_items(self.value(node, scope))

    def value_as(self, node: object, type_: Type, scope: Scope) -> Value:
        """The value of an expression where something of a type is wanted."""
        if plain(type_).tag == "role":
            return DECIDERS[0](self, node, scope)
        made = self.value(node, scope)
        return as_items(made) if is_list(type_) and not (made is None and type_.tag == "optional") else made

    def number(self, node: object, scope: Scope) -> int:
        """A number where there must be one."""
        made = self.value(node, scope)
        if not isinstance(made, int):
            raise EngineFault(NOTHING_THERE)
        return made

    def thing(self, node: object, scope: Scope) -> int:
        """A thing or location; 0 is none."""
        made = self.value(node, scope)
        return made if isinstance(made, int) else 0

    def type_of(self, node: object, scope: Scope) -> Type:
        """The type of an expression, from the types of what it is made of."""
        known = LoweredScope({}, types=dict(scope.types), owner=scope.owner)
        return type_of(self.program.code("types", 0, scope=known), node)

    # ------------------------------------------------------------------ cells
    def column(self, name: str, number: int) -> int:
        """The cell of a thing or location in a column that the kernel knows."""
        return self.memory[self.program.layout.names[name] + number]

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
                return self.words.text(cell)
            case "pool" | "dice":
                return self._dice(cell)
            case "die":
                return Die(cell)
            case "edges":
                rows, page = self.words.items(cell)
                return Ways(rows, page)
            case "spot":
                _, base, at, *rest = self.words.items(cell)
                return Spot(base, at, tuple(rest))
            case "bands":
                return Bands(cell, item_of(inner))
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

    def die(self, die: Die, part: int = 0) -> int:
        """A part of the record of a die: what it shows, its kind, purpose, roller, whether it was rolled again."""
        return self.memory[DICE_RECORDS + die.number * DIE_CELLS + part]

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
        if field_.tag == "edges":
            return Ways(cell, thing) if cell else None
        return self.read(cell, field_.type)

    def captured(self, passage: Passage, address: int) -> dict[int, Value]:
        """What the locals stand for that a piece of text has captured, from cells in a row."""
        return {
            number: self.read(self.memory[address + offset], passage.types.get(number, ANY))
            for offset, number in enumerate(passage.captured)
        }

    def word(self, name: str) -> Value:
        """A word; one that no cell can hold is itself."""
        return self.program.layout.words.get(name, name)

    # ------------------------------------------------------------------ words
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
                return str(sum(self.die(die) for die in value if isinstance(die, Die)))
            if inner.tag == "pair":
                return " and ".join(title(one) for one in value if isinstance(one, int))
            item = item_of(inner)
            return ", ".join(self.shown(member, item, name) for member in value) or "nothing"
        if isinstance(value, Die):
            return self.words.value(self.die(value), ANY)
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


def union(first: Items, second: Items, repeats: bool) -> Items:
    """All of the first, then what only the second has; where members can repeat, all of the second."""
    if repeats:
        return (*first, *second)
    return (*first, *(member for member in dict.fromkeys(second) if member not in first))


def minus(first: Items, second: Items, repeats: bool) -> Items:
    """The first without the members of the second; where members can repeat, each takes one away."""
    if not repeats:
        return tuple(member for member in first if member not in second)
    left = list(first)
    for member in second:
        if member in left:
            left.remove(member)
    return tuple(left)


def as_items(value: Value) -> Items:
    """A value as a collection."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def calculated(calculate: Callable[[int, int], int], left: int, right: int) -> int:
    """What two numbers come to, within the range of numbers."""
    try:
        made = calculate(left, right)
    except ZeroDivisionError:
        raise EngineFault(NO_DIVISOR) from None
    if abs(made) > MOST:
        raise EngineFault(OUT_OF_RANGE)
    return made


def as_thing(value: Value) -> int:
    """A thing or location; 0 is none."""
    return value if isinstance(value, int) else 0


def of_kind(ev: Evaluator, made: Value, kind: str) -> bool:
    """Whether a thing is of a kind; none is of none."""
    world = ev.program.world
    if not isinstance(made, int) or not 0 < made <= len(world.things):
        return False
    return world.is_a(world.thing(made).kind, kind)


DECIDERS: list[Callable[[Evaluator, object, Scope], Items]] = []
"""Somebody who decides, as seats; `expressions` enters it."""
