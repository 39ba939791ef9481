"""Things that can lie hidden, told from numbers.

A game writes things as whole numbers, so that a local which holds 13 may mean the thing or the number. An imagined game
writes the numbers of things that can lie hidden as numbers of a kind of their own: whatever it takes from the table keeps
the mark, and nothing that is counted or chosen by number has it. A thing that the rules name is not marked: everybody knows
which one is meant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.layout import Layout
    from talewright.runtime.program import Program
    from talewright.runtime.writer import Writer


# Types of fields whose values hold no thing.
PLAIN = frozenset(("int", "truth", "range", "words", "target", "text", "spot", "sort", "ints"))


class Marked(int):
    """The number of a thing that can lie hidden."""

    __slots__ = ()


class Marks(dict[int, int]):
    """The numbers of things as one game writes them; those made in play are all marked."""

    def __init__(self, program: Program) -> None:
        kinds = program.kinds
        hidden = {kind: not kinds.always_open(kind) for kind in program.layout.kinds}
        things = program.layout.things
        super().__init__((t.number, Marked(t.number) if hidden[t.kind] else t.number) for t in things)

    def __missing__(self, number: int) -> int:
        made = self[number] = Marked(number)
        return made

    def layout(self, layout: Layout) -> Layout:
        """A layout in which everything that can lie hidden is marked."""

        def own(owner: int | None) -> int | None:
            return None if owner is None else self[owner]

        return replace(
            layout,
            things=[replace(t, number=self[t.number], owner=own(t.owner)) for t in layout.things],
            number={name: self[number] for name, number in layout.number.items()},
            sorts={name: [self[n] for n in numbers] for name, numbers in layout.sorts.items()},
            piles=[replace(pile, owner=own(pile.owner)) for pile in layout.piles],
            occupants={self[place]: pile for place, pile in layout.occupants.items()},
            joints={self[n]: (self[piece], mark) for n, (piece, mark) in layout.joints.items()},
        )

    def tables(self, writer: Writer) -> dict[str, dict[Any, list[int]]]:
        """The tables of things that a program has worked out, as this game writes them."""
        return {
            name: {key: [self[n] for n in things] for key, things in writer.constants[name].items()}
            for name in writer.listing
        }
