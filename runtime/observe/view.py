"""A game as it stands, to be looked at: who stands where, what lies in what, who knows what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from talewright.runtime.engines.interface import Readable
from talewright.runtime.host import decisions
from talewright.runtime.host.words import Words
from talewright.runtime.kernel.memory import MAP_COUNT, MAP_PLACE
from talewright.runtime.lower.program import Program
from talewright.runtime.model.cells import CHAPTER, TARGET
from talewright.runtime.model.layout import IMAGE
from talewright.runtime.model.world import Field, Thing
from talewright.runtime.observe.evaluator import Evaluator
from talewright.runtime.observe.memory import Memory
from talewright.runtime.observe.rules import bearers
from talewright.runtime.observe.values import Value

EVERYBODY = -1


@dataclass(frozen=True)
class View:
    """One copy of a game. Whoever plays on makes a new one."""

    program: Program
    memory: Memory

    @classmethod
    def of(cls, program: Program, machine: Readable) -> View:
        """The game that a machine holds."""
        return cls(program, Memory(machine))

    @cached_property
    def evaluator(self) -> Evaluator:
        """What expressions are worth."""
        return Evaluator(self.program, self.memory)

    @property
    def words(self) -> Words:
        """Words for what memory holds."""
        return self.evaluator.words

    # ------------------------------------------------------------------ things
    @cached_property
    def things(self) -> list[Thing]:
        """Everything that exists."""
        world = self.program.world
        made = {
            number
            for pool in world.pools
            for number in range(pool.first, pool.first + self.memory[self.program.made_cell(pool)])
            if self.words.column("SORT", number)
        }
        return [thing for thing in world.things if thing.number < world.first_made or thing.number in made]

    @cached_property
    def parts(self) -> dict[int, list[Thing]]:
        """The things that came with others as fields of theirs, by the numbers of those."""
        found: dict[int, list[Thing]] = {}
        for thing in self.things:
            if self.is_part(thing.number):
                found.setdefault(thing.owner, []).append(thing)
        return found

    def thing(self, number: int) -> Thing:
        """A thing by its number."""
        return self.program.world.thing(number)

    def number(self, name: str) -> int:
        """The number of a thing by its id; 0 if there is none."""
        return self.program.world.number.get(name, 0)

    def sort(self, thing: int) -> str:
        """What a thing is a copy of, by its id; one made in play is a copy of what it was made of."""
        if thing < self.program.world.first_made:
            return self.thing(thing).sort
        return self.words.sort(self.words.column("SORT", thing))

    def title(self, thing: int) -> str:
        """What a thing is called."""
        return self.words.title(thing)

    def shown_title(self, thing: int) -> str:
        """The title of a thing; a die is called by the face that is up."""
        return decisions.shown_title(self.words, thing)

    def prose(self, thing: int) -> str:
        """The prose of a thing."""
        return self.words.prose(thing)

    def is_part(self, thing: int) -> bool:
        """Whether a thing came with another as one of its fields."""
        return decisions.is_part(self.words, thing)

    def is_kind(self, thing: int, kind: str) -> bool:
        """Whether a thing is of a kind."""
        return self.program.world.is_a(self.thing(thing).kind, kind)

    def back(self, thing: int) -> str:
        """What can be told of a thing that lies face down."""
        return self.thing(thing).kind

    @property
    def seats(self) -> list[int]:
        """Everybody who plays."""
        return list(self.program.world.seats.values())

    @property
    def chapter(self) -> int:
        """The page that is played; 0 before the first."""
        if self.program.sets_up and not self.memory[TARGET]:
            return 0
        return self.memory[CHAPTER]

    # ------------------------------------------------------------------ where things are
    def where(self, thing: int) -> int:
        """The location of a thing; 0 if it is nowhere."""
        return self.words.column("WHERE", thing)

    def inside(self, where: int) -> list[int]:
        """What lies in a container or stands on a thing, in order."""
        return self.words.inside(where)

    def held_by(self, thing: int) -> list[int]:
        """Everything that lies in the containers of a thing."""
        piles = [pile.number for pile in self.program.world.piles if pile.owner == thing]
        return [inner for where in piles for inner in self.inside(where)]

    def place_of(self, thing: int) -> int:
        """The place a thing stands on, straight or inside what stands there; 0 if there is none."""
        return self.evaluator.kernel("place_of", thing)

    def owner_of(self, thing: int) -> int:
        """The thing that another belongs to, else what it lies in."""
        return self.words.column("OWNER", thing) or self.evaluator.kernel("holder_of", thing)

    @property
    def box(self) -> int:
        """The location of what is out of play."""
        return self.program.world.pile_numbers["box"]

    @cached_property
    def places(self) -> list[int]:
        """The places of the map that is laid out, in reading order."""
        block = self.memory[self.program.layout.names["MAP"]]
        return self.memory.read(block + MAP_PLACE, self.memory[block + MAP_COUNT])

    def tokens(self, thing: int) -> dict[str, int]:
        """The tokens that lie on a thing, by their ids."""
        names, width = self.program.layout.names, self.program.layout.width
        found = {}
        for number, token in enumerate(self.program.world.content.tokens):
            cell = self.memory[names["TOKEN_CELL"] + number * width + thing]
            if cell and self.memory[cell]:
                found[token.id] = self.memory[cell]
        return found

    # ------------------------------------------------------------------ fields
    def fields(self, thing: int) -> dict[str, Field]:
        """The fields that a thing has, by name."""
        return self.program.world.fields_of(self.thing(thing).kind)

    def stored(self, thing: int, field: Field) -> Value:
        """What a field holds, without its modifiers."""
        return self.evaluator.stored(thing, field)

    def field(self, thing: int, field: Field) -> Value:
        """What a field reads as."""
        return self.evaluator.field(thing, field)

    def lent(self, thing: int) -> list[tuple[str, Field, int]]:
        """What a thing reads from others that it holds in a field which lends all: name, field, and whose it is."""
        own = self.fields(thing)
        found: list[tuple[str, Field, int]] = []
        for lender in self.program.world.lenders():
            held = self.stored(thing, lender) if own.get(lender.name) is lender else None
            if isinstance(held, int) and held:
                found += [(name, field, held) for name, field in self.fields(held).items() if name not in own]
        return found

    def borrowed(self, thing: int, field: Field, lender: int) -> Value:
        """What a field that another lends reads as for a thing."""
        return self.evaluator.field(lender, field, thing)

    def decider(self, thing: int) -> int:
        """The seat that decides for a thing; 0 if nobody does."""
        field = self.program.world.deciding_field(self.thing(thing).kind)
        held = None if field is None else self.stored(thing, field)
        return held if isinstance(held, int) else 0

    def has_rules_in_force(self, thing: int) -> bool:
        """Whether a thing bears rules of its own, of a kind whose rules are not always in force, and they are now."""
        world, own = self.program.world, self.thing(thing).sort
        if all(world.kinds[kind].in_force is None for kind in world.lineage[self.thing(thing).kind]):
            return False
        return any(
            thing in bearers(self.evaluator, entry)
            for entry in world.rules
            if entry.bearer in ("thing", "chapter") and entry.owner == own
        )

    # ------------------------------------------------------------------ who knows what
    def face_up(self, thing: int) -> bool:
        """Whether everybody sees the face of a thing; what is nowhere hides nothing."""
        return bool(self.words.column("FACE", thing)) or not self.where(thing)

    def knows(self, seat: int, thing: int) -> bool:
        """Whether a seat has seen the face of a thing."""
        if self.face_up(thing):
            return True
        column = "SHOWN" if self.untouched(thing) else "KNOWN"
        return bool(self.words.column(column, thing) & self.program.seat_bit(seat))

    def untouched(self, thing: int) -> bool:
        """Whether a thing lies face down where it lay when the game began, unmixed: only who was shown it has seen it."""
        world, names = self.program.world, self.program.layout.names
        if self.face_up(thing) or thing >= world.first_made:
            return False
        if self.words.column("KNOWN", thing) != EVERYBODY:
            return False
        return self.memory[IMAGE + names["WHERE"] + thing] == self.where(thing)
