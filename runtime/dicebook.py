"""The fixed part of a program that rolls dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.dicepool import Die, Pool
from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import CHANCE, DICE, GAME, LIMBO
    from talewright.runtime.deckbook import draw_one
    from talewright.runtime.rulebook import look_again
    from talewright.runtime.thingbook import put_in


def roll(formula: Any, purpose: Any, roller: Any) -> Any:
    """A roll: the face of a single die without numbers, else a pool."""
    if isinstance(formula, tuple):
        if formula[0] == "die":
            faces = formula[2]
            face = faces[roll_index(formula[1], len(faces), faces, purpose)]
            if isinstance(face, int):
                return Pool([Die(face, purpose, roller, faces, formula[1])])
            return face
        return Pool(list(dice_of(formula, purpose, roller)))
    return roll_thing(formula, purpose) if formula in DICE else formula


def dice_of(formula: Any, purpose: Any, roller: Any) -> Iterable[Die]:
    match formula[0]:
        case "dice":
            faces = range(1, formula[2] + 1)
            for _ in range(formula[1]):
                name = f"d{formula[2]}"
                yield Die(faces[roll_index(name, formula[2], faces, purpose)], purpose, roller, faces, name)
        case "die":
            face = formula[2][roll_index(formula[1], len(formula[2]), formula[2], purpose)]
            yield Die(face, purpose, roller, formula[2], formula[1])
        case "many":
            if formula[1] > 1000:
                raise Fault("R14", "more than a thousand dice in one roll")
            for _ in range(max(0, formula[1])):
                yield from dice_of(formula[2], purpose, roller)
        case "fixed":
            yield Die(formula[1], purpose, roller, (formula[1],), "fixed")


def roll_index(name: str, sides: int, faces: Sequence[Any], purpose: Any) -> int:
    rig = GAME.rigs.get(name)
    if rig:
        wanted = rig.pop(0)
        if wanted in faces:
            return faces.index(wanted)
        raise Fault("R11", f"`rig {name}` asks for a face that the die does not have")
    stream = DIE_STREAMS.get((name, purpose))
    if stream is None:
        stream = DIE_STREAMS[name, purpose] = f"die:{name}:{purpose}"
    return CHANCE.below(stream, sides)


DIE_STREAMS: dict[tuple[str, Any], str] = {}


def pool_total(pool: Any) -> Any:
    if isinstance(pool, tuple):
        return rolled_already(pool).total()
    return pool.total() if isinstance(pool, Pool) else pool


def rolled_already(formula: Any) -> Pool:
    """A number that stands for dice; dice that nobody has rolled show nothing."""
    if formula[0] != "fixed":
        raise Fault("R18", "these dice have not been rolled, so they show no number: `do roll` comes first")
    return Pool(list(dice_of(formula, None, None)))


def pool_dice(pool: Any) -> list[Die]:
    if isinstance(pool, tuple):
        return rolled_already(pool).dice
    return pool.dice if isinstance(pool, Pool) else list(pool)


def as_pool(dice: Iterable[Die]) -> Pool:
    return Pool(list(dice))


def pool_all_equal(pool: Pool) -> bool:
    return len({d.face for d in pool.dice}) == 1


def die_value(die: Any) -> Any:
    if isinstance(die, Pool):
        return die.total()
    return die.face if isinstance(die, Die) else die


def reroll(dice: Any) -> None:
    for die in [dice] if isinstance(dice, Die) else pool_dice(dice):
        if not die.rerolled:
            die.face = die.faces[roll_index(die.name, len(die.faces), die.faces, die.purpose)]
            die.rerolled = True


def roll_until(formula: Any, purpose: Any, roller: Any, test: Callable[[Any], Any]) -> Any:
    for _ in range(10000):
        made = roll(formula, purpose, roller)
        if test(made.total() if isinstance(made, Pool) else made):
            return made
    raise Fault("R14", "no face of these dice will do")


def roll_things(count: Any, pile: int, into: int | None, purpose: Any) -> list[int]:
    """Rolls dice that are things: out of their bag, into a pile."""
    rolled: list[int] = []
    for _ in range(count):
        die = draw_one(pile)
        if die is None or not put_in(die, into if into is not None else LIMBO):
            break
        roll_thing(die, purpose)
        rolled.append(die)
    return rolled


def roll_thing(die: int, purpose: Any) -> Any:
    """Gives a die that is a thing a new face."""
    name, faces, _, column = DICE[die]
    column[die] = faces[roll_index(name, len(faces), faces, purpose)]
    look_again(f"field:{name}.face")
    return column[die]


def roll_counted(formula: Any, purpose: Any, roller: Any) -> Any:
    """A roll that can be asked for afterwards."""
    made = roll(formula, purpose, roller)
    GAME.note("rolled", str(purpose), (len(made) if isinstance(made, Pool) else 1,))
    return made


def core_rolled(purpose: Any) -> int:
    return GAME.rolled(purpose)  # type: ignore[no-any-return]
