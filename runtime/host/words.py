"""Words for what memory holds: titles of things, values of every type, texts with what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from talewright.runtime.engines.interface import Readable
from talewright.runtime.ir.header import NONE
from talewright.runtime.kernel.maps.squares import packed_x, packed_y
from talewright.runtime.kernel.play.option_counts import WHERE_IN_SPOT
from talewright.runtime.lower.expressions.texts import PROSE, TITLE
from talewright.runtime.lower.program import Program
from talewright.runtime.model.layout import DICE_RECORDS, DIE_CELLS, IMAGE, STATIC, WORD0
from talewright.runtime.model.types import is_number, item_of
from talewright.runtime.model.world import Thing, plain
from talewright.schemas.nodes.literals import Show
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import field, record


@record(frozen=True)
class Words:
    """Words for the state that a machine holds."""

    program: Program
    machine: Readable
    titles: dict[int, str] = field(default_factory=dict)
    """Titles of things that came with one."""
    fixed_labels: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    """What things are called as options, where nothing in a game can change it."""
    _constant: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    """The words of texts that show nothing, by where they stand among what never changes."""
    _patterns: dict[int, tuple[str, list[Type]]] = field(default_factory=dict, repr=False, compare=False)
    """The texts of the document by number: words, and the types of what is shown."""
    _fixed_titles: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    """Titles of things that nothing in a game can change."""
    _seats: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)
    """Seats by their bits."""
    _title_fields: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    """Where the column of the field `title` begins, by kind; 0 for kinds without one."""

    def cell(self, address: int) -> int:
        """One cell."""
        return self.machine[address]

    def column(self, name: str, number: int) -> int:
        """The cell of a thing or location in a column that the kernel knows."""
        return self.cell(self.program.layout.names[name] + number)

    def items(self, block: int) -> list[int]:
        """What a list holds; none holds nothing."""
        if not block:
            return []
        count = self.machine[block]
        return self.machine.read(block + 1, count) if count > 0 else []

    def seats(self, mask: int) -> tuple[int, ...]:
        """The seats whose bits are set."""
        found = self._seats.get(mask)
        if found is None:
            program = self.program
            found = tuple(seat for seat in program.world.seats.values() if mask & program.seat_bit(seat))
            self._seats[mask] = found
        return found

    # ------------------------------------------------------------------ things
    def thing(self, number: int) -> Thing:
        """A thing that was declared."""
        return self.program.world.thing(number)

    def title(self, number: int) -> str:
        """The title of a thing, or of a sort by its number."""
        known = self._fixed_titles.get(number)
        if known is not None:
            return known
        if number in self.titles:
            return self.titles[number]
        world = self.program.world
        if not 0 < number <= len(world.things):
            return self.word(number).removeprefix("sort ")
        thing = self.thing(number)
        column = self._title_field(thing.kind)
        own = self.text(self.cell(column + number)) if column else ""
        if own:
            return own
        if world.first_made <= number:
            sort = self.column("SORT", number)
            return self.thing(sort if 0 < sort <= len(world.things) else number).title
        if not column:
            self._fixed_titles[number] = thing.title
        return thing.title

    def is_fixed_title(self, number: int) -> bool:
        """Whether nothing in a game can change the title of a thing; known once it was asked for."""
        return number in self._fixed_titles

    def _title_field(self, kind: str) -> int:
        """Where the column of a field called `title` begins; 0 for a kind that declares none."""
        column = self._title_fields.get(kind)
        if column is None:
            found = self.program.world.fields_of(kind).get("title")
            text = found is not None and found.tag == "text"
            column = self.program.layout.columns[found.first].address if found is not None and text else 0
            self._title_fields[kind] = column
        return column

    def sort(self, number: int) -> str:
        """The name of a sort by its number."""
        if 0 < number <= len(self.program.world.things):
            return self.thing(number).sort
        return self.word(number).removeprefix("sort ")

    def prose(self, number: int) -> str:
        """The prose of a thing, without what it shows."""
        return self.thing(number).prose if number else ""

    def page(self, number: int) -> str:
        """A page as it is read out: of a chapter the title comes first; that of an ending is shown with the result."""
        prose = self.prose(number)
        if not prose or not self.program.world.is_a(self.thing(number).kind, "Chapter"):
            return prose
        return f"{self.title(number)}\n\n{prose}"

    def word(self, number: int) -> str:
        """A word by its number."""
        names = self.program.layout.word_names
        return names[number - WORD0] if WORD0 < number < WORD0 + len(names) else str(number)

    def inside(self, where: int) -> list[int]:
        """What lies at a location, in order."""
        found: list[int] = []
        thing = self.column("FIRST", where)
        while thing:
            found.append(thing)
            thing = self.column("NEXT", thing)
        return found

    # ------------------------------------------------------------------ values
    def value(self, cell: int, type_: Type) -> str:
        """A value as people read it."""
        inner = plain(type_)
        if cell == (NONE if is_number(inner) else 0) and inner.tag not in ("list", "set", "map", "any"):
            return "none"
        match inner.tag:
            case "pile":
                return self._joined(self.inside(cell), Type("thing", "Thing"))
            case "thing" | "sort":
                return self.title(cell)
            case "truth":
                return "yes" if cell else "no"
            case "target":
                return f"{cell}+"
            case "list" | "set":
                return self._joined(self.items(cell), item_of(inner))
            case "map":
                return self._entries(self.items(cell), inner)
            case "pool" | "dice":
                return str(sum(self.die(die) for die in self.items(cell)))
            case "die":
                return self.value(self.die(cell), ANY)
            case "words":
                return self.word(cell).replace("_", " ")
            case "text":
                return self.text(cell)
            case "size":
                return f"{cell // 256}x{cell % 256}"
            case "cell" | "spot":
                return square_label(*self.square(cell, inner))
            case "token":
                return self.program.world.content.tokens[cell - 1].id
            case "trait":
                number = self.column("SITE_TRAIT", self.cell(cell + 1))
                return self.program.names_of("trait")[number]
            case "kind":
                return list(self.program.world.kinds)[cell - 1]
        return self._unknown(cell)

    def square(self, cell: int, type_: Type) -> tuple[int, int]:
        """The column and row of a square, or of the square under a spot; counted from 0."""
        at = self.cell(cell + WHERE_IN_SPOT) if type_.tag == "spot" else self.column("SQUARE_AT", cell)
        return packed_x(at), packed_y(at)

    def die(self, number: int) -> int:
        """The face that a rolled die shows."""
        return self.cell(DICE_RECORDS + number * DIE_CELLS)

    def _joined(self, cells: Iterable[int], type_: Type) -> str:
        told = [self.value(cell, type_) for cell in cells]
        # A title with a comma would read as two.
        shown = [f"“{one}”" if "," in one and len(told) > 1 else one for one in told]
        return ", ".join(shown) or "nothing"

    def _entries(self, cells: Sequence[int], type_: Type) -> str:
        """A map as it is written: each key before its value."""
        kinds = [part if isinstance(part, Type) else ANY for part in type_.args]
        told = [
            " ".join(map(self.value, entry, kinds)) for entry in zip(cells[::2], cells[1::2], strict=True)
        ]
        return ", ".join(told) or "nothing"

    def _unknown(self, cell: int) -> str:
        """A value whose type nobody knows: words and none can be told."""
        if cell == NONE:
            return "none"
        return self.word(cell) if cell > WORD0 else str(cell)

    # ------------------------------------------------------------------ texts
    def text(self, block: int) -> str:
        """The words of a text: a block `[n, which text, what it shows ...]`."""
        known = self._constant.get(block)
        if known is not None:
            return known
        if not block:
            return ""
        number = self.machine[block + 1]
        if number == TITLE:
            thing = self.machine[block + 2]
            return self.title(thing) if thing else "none"
        if number == PROSE:
            return self.prose(self.machine[block + 2])
        words, types = self._patterns.get(number) or self._pattern(number)
        if types:
            return words % tuple(map(self.value, self.items(block)[1:], types))
        if STATIC <= block < IMAGE:
            self._constant[block] = words
        return words

    def _pattern(self, number: int) -> tuple[str, list[Type]]:
        """A text by its number: its words, and the types of what it shows; if there are any, with a mark for each."""
        parts = self.program.texts[number - 1].parts
        types = [part.type for part in parts if isinstance(part, Show)]
        if types:
            marked = ["%s" if isinstance(part, Show) else part.replace("%", "%%") for part in parts]
            found = "".join(marked), types
        else:
            found = "".join(parts), types  # type: ignore[arg-type]
        # Texts that came from outside may be others in another game.
        if number <= self.program.own_texts:
            self._patterns[number] = found
        return found


def square_id(x: int, y: int) -> str:
    """A square as tests and saves name it."""
    return f"square({x + 1}, {y + 1})"


def square_label(x: int, y: int) -> str:
    """A square as a player finds it on the map."""
    return f"column {x + 1}, row {y + 1}"
