"""What survives a game: lasting fields and states, and the things recorded for the roster, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from talewright.runtime.engines.interface import Machine
from talewright.runtime.faults import Fault
from talewright.runtime.host.words import Words
from talewright.runtime.ir.header import NONE, STACK_TOP
from talewright.runtime.kernel.components.lasting import IS_BACK, ROW
from talewright.runtime.kernel.play.notes import ROW as EVENT_ROW
from talewright.runtime.lower.assembly import SPARE_TEXTS
from talewright.runtime.lower.expressions.collections import KNOWN_SEATS
from talewright.runtime.lower.expressions.storage import shape_of
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.lasting import BROUGHT_CELLS, LASTING, lasting_fields
from talewright.runtime.lower.statements.making import need_copier, need_maker
from talewright.runtime.model.types import is_block, is_number, item_of
from talewright.runtime.model.world import Field, plain
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
# The first parts of an event row: its kind, the thing, and one that is not used.
BEFORE_FIELDS = EVENT_ROW - 1
TOO_MANY = "the campaign brings more than a game has room for"


class Recorded(TypedDict):
    """A thing in the roster."""

    id: str
    kind: str
    title: str
    seat: str | None
    fields: dict[str, Json]


class Record(TypedDict, total=False):
    """What a game leaves for the next."""

    roster: list[Recorded]
    fields: dict[str, dict[str, Json]]
    states: dict[str, Json]
    seats: list[str]


def empty() -> Record:
    """A record of nothing."""
    return {"roster": [], "fields": {}, "states": {}}


def lasting_states(program: Program) -> dict[str, Type]:
    """The types of the states that survive a game, by name."""
    states = program.world.content.states
    return {s.id: s.type for s in states if LASTING in s.flags and s.id in program.layout.state_cells}


@record
class Campaign:
    """The campaign as one game sees it: what was brought, and what has been recorded so far."""

    words: Words
    machine: Machine
    brought: Record = field(default_factory=empty)
    recorded: tuple[Recorded, ...] = ()
    _rows: list[str] = field(default_factory=list)
    """The ids of those who can be called back, in the order of their rows in memory."""
    _scratch: int = 0
    _telling: list[int] = field(default_factory=list)
    """Copies whose fields are being written down, one inside the other."""
    _inside: list[tuple[int, int, int]] = field(default_factory=list)
    """What belongs into containers of copies that were made while fields were read."""

    @property
    def program(self) -> Program:
        """The program that is played."""
        return self.words.program

    # ------------------------------------------------------------------ writing
    def record(self, row: list[int]) -> None:
        """Writes a thing with its lasting fields into the roster; written again, it replaces what was there."""
        thing = row[1]
        entry = self.words.thing(thing)
        seat = self._decider(thing)
        fields = lasting_fields(self.program.world).get(entry.kind, {})
        made: Recorded = {
            "id": entry.id,
            "kind": entry.kind,
            "title": self.words.title(thing),
            "seat": self.words.thing(seat).id if seat else None,
            "fields": {
                name: self._told(_list_of(found), cell)
                for (name, found), cell in zip(fields.items(), row[BEFORE_FIELDS:], strict=False)
            },
        }
        self.recorded = (*(old for old in self.recorded if old["id"] != entry.id), made)

    def _decider(self, thing: int) -> int:
        found = self.program.world.deciding_field(self.words.thing(thing).kind)
        if found is None:
            return 0
        return self.words.cell(self.program.layout.columns[found.first].address + thing)

    def written(self) -> Record:
        """What this game would leave if it ended now."""
        words, program = self.words, self.program
        made: Record = {"roster": list(self.recorded), "fields": {}, "states": {}}
        lasting = lasting_fields(program.world)
        for thing in program.world.things[: program.world.first_made - 1]:
            fields = lasting.get(thing.kind, {})
            if fields:
                made["fields"][thing.id] = {name: self._field(thing.number, f) for name, f in fields.items()}
        for name, type_ in lasting_states(program).items():
            made["states"][name] = self._told(type_, words.cell(program.layout.state_cells[name]))
        seats = self._seats_asked_for()
        if seats is not None:
            made["seats"] = seats
        return made

    def _seats_asked_for(self) -> list[str] | None:
        at = self.program.known_cell(KNOWN_SEATS)
        asked = self.words.cell(at) if at is not None else 0
        if not asked:
            return None
        world = self.program.world
        here = [world.thing(n).id for n in world.seats.values() if asked & self.program.seat_bit(n)]
        before = list(self.brought.get("seats", ()))
        return before + [name for name in here if name not in before]

    def _field(self, thing: int, found: Field) -> Json:
        if found.tag == "pile":
            where = self.program.world.pile_fields[thing, found.name]
            return [self._thing(inner) for inner in self.words.inside(where)]
        return self._told(
            found.type, self.words.cell(self.program.layout.columns[found.first].address + thing)
        )

    def _thing(self, thing: int) -> Json:
        if not thing:
            return None
        world = self.program.world
        if thing < world.first_made:
            return {"thing": world.thing(thing).id}
        sort = self.words.column("SORT", thing)
        made: dict[str, Json] = {"copy": world.thing(sort or thing).sort}
        fields = lasting_fields(world).get(world.thing(thing).kind, {})
        if fields and thing not in self._telling:
            self._telling.append(thing)
            made["fields"] = {name: self._field(thing, found) for name, found in fields.items()}
            self._telling.remove(thing)
        return made

    def _told(self, type_: Type, cell: int) -> Json:
        """A value of a type as plain JSON: things by name, maps as pairs."""
        inner = plain(type_)
        if is_number(inner):
            return None if cell == NONE else bool(cell) if inner.tag == "truth" else cell
        match inner.tag:
            case "list" | "set":
                return [self._told(item_of(inner), item) for item in self.words.items(cell)]
            case "map":
                cells, (key, held) = self.words.items(cell), _map_types(inner)
                pairs = zip(cells[::2], cells[1::2], strict=True)
                return [[self._told(key, one), self._told(held, other)] for one, other in pairs]
            case "thing" | "role":
                return self._thing(cell)
            case "words":
                return self.words.word(cell) if cell else None
            case "text":
                return self.words.text(cell) if cell else None
            case "sort":
                return self.words.sort(cell) if cell else None
        if not cell:
            return None
        raise Fault("R15", "a lasting cell holds something that cannot be written down")

    def after(self) -> Record:
        """What a campaign holds after a game: what the game wrote, and what it was brought and did not touch.

        Of the roster those stay who were not called back; who came and was not recorded again is gone.
        """
        before: Record = {**empty(), **self.brought}
        written, back = self.written(), self._called_back()
        stayed = [old for old in before["roster"] if old["id"] not in back]
        taken = {old["id"] for old in stayed}
        joined: list[Recorded] = []
        for entry in written["roster"]:
            name, number = entry["id"], 1
            while name in taken:
                number += 1
                name = f"{entry['id']}_{number}"
            taken.add(name)
            joined.append({**entry, "id": name})
        made: Record = {
            "roster": stayed + joined,
            "fields": {**before["fields"], **written["fields"]},
            "states": {**before["states"], **written["states"]},
        }
        seats = written.get("seats", before.get("seats"))
        return made if seats is None else {**made, "seats": seats}

    def _called_back(self) -> set[str]:
        """The ids of those who were called back."""
        found: set[str] = set()
        row = self.program.layout.names["BROUGHT"] + 1
        for name in self._rows:
            if self.words.cell(row + IS_BACK):
                found.add(name)
            row += self.words.cell(row)
        return found

    # ------------------------------------------------------------------ reading
    def read_back(self) -> None:
        """Gives lasting cells what an earlier game left in them; what is unknown here is passed over."""
        program, layout = self.program, self.program.layout
        self.recorded, self._rows = (), []
        self.words.titles.clear()
        self._scratch = self.words.cell(STACK_TOP)
        called_back = {entry["id"] for entry in self.brought.get("roster", ())}
        for name, fields in self.brought.get("fields", {}).items():
            thing = program.world.number.get(name, 0)
            if 0 < thing < program.world.first_made and name not in called_back:
                for item, _, where in self._fill(thing, fields):
                    self.machine.call("put_in", item, where, 1)
        states = self.brought.get("states", {})
        types = lasting_states(program) if states else {}
        for name, value in states.items():
            if name in types:
                self._write(layout.state_cells[name], types[name], value)
        self._know_seats()
        if layout.names["BROUGHT"]:
            self._lay_out_roster()

    def _know_seats(self) -> None:
        at = self.program.known_cell(KNOWN_SEATS)
        seats = self.brought.get("seats", ())
        if at is not None and seats:
            world = self.program.world
            here = [n for n in world.seats.values() if world.thing(n).id in seats]
            self.machine.write(at, [sum(self.program.seat_bit(n) for n in here)])

    def _lay_out_roster(self) -> None:
        """Makes everybody of the roster; they are there once somebody calls them back."""
        program, machine = self.program, self.machine
        world, sorts = program.world, program.layout.names["SORT"]
        pools = {pool.kind: pool for pool in world.pools}
        seats = {world.thing(n).id: n for n in world.seats.values()}
        rows: list[int] = []
        for entry in self.brought.get("roster", ()):
            pool = pools.get(entry["kind"])
            seat = entry["seat"]
            thing = world.number.get(entry["id"], 0)
            if 0 < thing < world.first_made and world.thing(thing).kind == entry["kind"]:
                # Whoever the package declares comes back as that very thing.
                parts = [(thing, 0, 0), *self._held_back(thing, entry["fields"])]
            elif pool is not None:
                thing = machine.call(need_maker(program, pool), 0)
                self.words.titles[thing] = entry["title"]
                parts = [(thing, self.words.cell(sorts + thing), 0), *self._fill(thing, entry["fields"])]
            else:
                continue
            for made, sort, _ in parts:
                if sort:
                    machine.write(sorts + made, [0])
            bit = program.seat_bit(seats[seat]) if seat in seats else 0 if seat is None else -1
            cells = [cell for part in parts for cell in part]
            rows += [ROW + len(cells), thing, bit, 0, *cells]
            self._rows.append(entry["id"])
        if len(rows) >= BROUGHT_CELLS:
            raise Fault("R14", TOO_MANY)
        machine.write(program.layout.names["BROUGHT"], [len(rows), *rows])

    def _held_back(self, thing: int, fields: Mapping[str, Json]) -> list[tuple[int, int, int]]:
        """What a thing that is there anyway gets once it is called back: cells with what they will hold, and contents."""
        machine, columns = self.machine, self.program.layout.columns
        known = lasting_fields(self.program.world).get(self.words.thing(thing).kind, {})
        cells = [
            columns[f.first].address + thing for n, f in known.items() if n in fields and f.tag != "pile"
        ]
        first = [self.words.cell(at) for at in cells]
        for at in cells:
            machine.write(at, [0])
        inside = self._fill(thing, fields)
        brought = [(-at, self.words.cell(at), 0) for at in cells]
        for at, cell in zip(cells, first, strict=True):
            machine.write(at, [cell])
        return brought + inside

    def _fill(self, thing: int, fields: Mapping[str, Json]) -> list[tuple[int, int, int]]:
        """Writes lasting fields; gives what belongs into containers: a thing, its sort if it was made now, and where."""
        known = lasting_fields(self.program.world).get(self.words.thing(thing).kind, {})
        parts: list[tuple[int, int, int]] = []
        for name, value in fields.items():
            found = known.get(name)
            if found is None:
                continue
            if found.tag == "pile":
                where = self.program.world.pile_fields[thing, name]
                for item in value if isinstance(value, list) else ():
                    number = self._found(item)
                    if number:
                        made = number >= self.program.world.first_made
                        parts.append((number, self.words.column("SORT", number) if made else 0, where))
            else:
                self._write(self.program.layout.columns[found.first].address + thing, found.type, value)
        inside, self._inside = self._inside, []
        return parts + inside

    def _write(self, at: int, type_: Type, value: Json) -> None:
        """Puts a value into a cell; what needs a block is kept in the heap."""
        machine = self.machine
        cell = self._cell(type_, value)
        if not is_block(type_) or not cell:
            machine.write(at, [cell])
            return
        machine.call("store_blocks", at, cell, shape_of(type_))

    def _cell(self, type_: Type, value: Json) -> int:
        """What `_told` wrote, as a cell; blocks lie behind the top of the list stack."""
        inner = plain(type_)
        if value is None:
            return NONE if is_number(inner) else 0
        match inner.tag:
            case "list" | "set" if isinstance(value, list):
                item = item_of(inner)
                cells = [self._cell(item, one) for one in value]
                return self._block([cell for cell in cells if cell or is_number(item)])
            case "map" if isinstance(value, list):
                key, held = _map_types(inner)
                pairs = [
                    (self._cell(key, pair[0]), self._cell(held, pair[1]))
                    for pair in value
                    if isinstance(pair, list)
                ]
                return self._block([cell for pair in pairs if pair[0] or is_number(key) for cell in pair])
            case "thing" | "role":
                return self._found(value)
            case "words":
                return self.program.layout.word(str(value))
            case "text":
                return self._block([self._text(str(value))])
            case "sort":
                return self.program.sort_number(str(value))
        assert isinstance(value, int)
        return int(value)

    def _block(self, cells: list[int]) -> int:
        made = self._scratch
        self.machine.write(made, [len(cells), *cells])
        self._scratch = made + len(cells) + 1
        return made

    def _text(self, text: str) -> int:
        """The number of a text; one that the program does not have gets one of those that are kept free."""
        number = self.program.text_number(Text((text,)))
        if number > self.program.own_texts + SPARE_TEXTS:
            raise Fault("R14", TOO_MANY)
        return number

    def _found(self, value: Json) -> int:
        """The thing that was written down, or a copy of its like; 0 where there is none."""
        if not isinstance(value, dict):
            return 0
        world = self.program.world
        if "thing" in value:
            number = world.number.get(str(value["thing"]), 0)
            return number if number < world.first_made else 0
        models = world.sorts.get(str(value["copy"]), [])
        if not models or not any(
            pool.copies and pool.kind == world.thing(models[0]).kind for pool in world.pools
        ):
            return 0
        made = self.machine.call(need_copier(self.program), models[0])
        fields = value.get("fields")
        if isinstance(fields, dict):
            self._inside += self._fill(made, fields)
        return made


def _list_of(found: Field) -> Type:
    """The type of what a row of the roster holds for a field: of a container, the list of what lies in it."""
    return Type("list", "", (Type("thing", "Thing"),)) if found.tag == "pile" else found.type


def _map_types(type_: Type) -> tuple[Type, Type]:
    key, held = type_.args
    assert isinstance(key, Type)
    assert isinstance(held, Type)
    return key, held


__all__ = ["Campaign", "Record", "Recorded", "empty", "lasting_states"]
