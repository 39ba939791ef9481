"""What a listener hears of chance, and what the frames of generated code are called."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from talewright.runtime.dicepool import Die, Pool

if TYPE_CHECKING:
    from talewright.runtime.game import Game
    from talewright.runtime.program import Program

CALLS_DEEP = 200
FRAMES_DEEP = 6000
_NAME = re.compile(r"([A-Z]+)(\d+)")


@dataclass(slots=True)
class Trace:
    """Keeps what a traced game tells its listener: the kind of each event, and its details.

    `game.listener = Trace()` hears `say` and `decide`, and of a program made with `traced=True` also `call` and what became
    of it, `rule`, `refused`, `write`, `roll`, `reroll`, `draw`, `shuffle` and `random`.
    `talewright.report.explain.trace.Teller` puts events into words.
    """

    events: list[tuple[str, Any]] = field(default_factory=list)

    def __call__(self, kind: str, detail: Any) -> None:
        self.events.append((kind, detail))

    def of(self, kind: str) -> list[Any]:
        """The details of all events of a kind."""
        return [detail for each, detail in self.events if each == kind]


def tell_of_chance(game: Game) -> None:
    """Puts tellers round what rolls, draws, picks and shuffles; a game without them pays nothing."""
    space = game.space
    roll, reroll, shuffle = space["roll"], space["reroll"], space["shuffle"]
    show = space["show"]
    draw_one, draw_until, random_of = space["draw_one"], space["draw_until"], space["random_of"]

    def tell(kind: str, *detail: Any) -> None:
        if game.listener is not None:
            game.listener(kind, (game.depth, *detail))

    def told_roll(formula: Any, purpose: Any, roller: Any) -> Any:
        made = roll(formula, purpose, roller)
        if isinstance(formula, tuple):
            tell("roll", dice_name(formula, made), faces_of(made), purpose, roller)
        return made

    def told_reroll(dice: Any) -> None:
        reroll(dice)
        again = [dice] if isinstance(dice, Die) else list(dice)
        tell("reroll", dice_name(None, Pool(again)), [d.face for d in again], None, None)

    def told_shuffle(pile: int) -> None:
        shuffle(pile)
        tell("shuffle", space["PILE_NAME"][pile].partition(":")[2], len(space["ITEMS"][pile]))

    def told_draw(pile: int) -> Any:
        thing = draw_one(pile)
        tell("draw", space["PILE_NAME"][pile].partition(":")[2], thing)
        return thing

    def told_draw_until(pile: int, test: Any) -> Any:
        thing = draw_until(pile, test)
        tell("draw", space["PILE_NAME"][pile].partition(":")[2], thing)
        return thing

    def told_random(items: Any, stream: str) -> Any:
        picked = random_of(items, stream)
        if len(items) > 1:
            tell("random", str(picked) if isinstance(items, range) else picked, len(items))
        return picked

    def told_show(thing: int | None, seat: Any) -> None:
        show(thing, seat)
        if thing is not None:
            game.shown.update((thing, s) for s in (seat if isinstance(seat, list) else (seat,)))

    def told_show_all(things: Any, seat: Any) -> None:
        for thing in list(things):
            told_show(thing, seat)

    space.update(
        show=told_show,
        show_all=told_show_all,
        roll=told_roll,
        reroll=told_reroll,
        shuffle=told_shuffle,
        draw_one=told_draw,
        draw_until=told_draw_until,
        random_of=told_random,
    )


def dice_name(formula: Any, made: Any) -> str:
    """Dice in the words of the game: `2d6 + Fate`."""
    if not isinstance(made, Pool):
        return str(formula[1])
    counted = Counter(die.name for die in made.dice)
    names = [
        n if k == 1 else f"{k}{n}" if re.fullmatch(r"d\d+", n) else f"{k} * {n}" for n, k in counted.items()
    ]
    return " + ".join(names) or "no dice"


def faces_of(made: Any) -> list[Any]:
    """The faces that came up."""
    return [die.face for die in made.dice] if isinstance(made, Pool) else [made]


def frame_name(program: Program, function: str) -> str:
    """What a function of the generated code stands for."""
    found = _NAME.match(function)
    if found is None:
        return "the game"
    letters, number = found[1], int(found[2])
    if letters in ("A", "R", "D", "U", "G", "Y"):
        name = next((a for a, n in program.action_numbers.items() if n == number), "")
        return f"action `{name.partition('/')[0]}`"
    if letters in ("V", "B"):
        name = next((v for v in program.values if program.value_number(v) == number), "")
        return f"value `{name}`"
    if letters in ("N", "O", "L", "X", "XY") and number < len(program.rules):
        ir = program.rules[number].ir
        about = (
            ir.get("action") or ir.get("value") or ir.get("menu") or ir.get("field") or ir.get("period") or ""
        )
        about = str(about).removeprefix("core:").partition("/")[0]
        return f"rule `{ir['rule'].replace('_', ' ')} {about}`".replace(" `state `", " `when`")
    return "an effect"
