"""What a package tells its bots: how much the options of a decision appeal, beside how well a game stands.

`value appeal_VERB(...)` weighs offers that call the action VERB, given the parameters of the menu, after them what
its label shows that is still open, and after that what the offer itself puts into the call, as many as it has.
`value appeal_VERB_NAME(x)` weighs what `choose NAME` in the action VERB may be; with two parameters the first is the one
who decides. `value appeal_VERB_may` weighs saying yes where the action VERB asks whether somebody may; its parameter, if
it has one, is the one who decides. `value appeal_VERB_choice(n)` weighs the n-th of the labels that `choose one` in the
action VERB has; with two parameters the first is the one who decides. In imagined games an option of weight 3 is taken
three times as often as one of weight 1, which is the weight of all that no value speaks of; one of weight 0 is left
alone as long as there is another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault
from talewright.runtime.game import Option

if TYPE_CHECKING:
    from talewright.runtime.imagining import ImaginedGame

PREFIX = "appeal_"
Value = tuple[Callable[..., Any], int]


class Hints:
    """The hints of the package of a game, by points of decision and by offers."""

    def __init__(self, game: ImaginedGame) -> None:
        self.game = game
        program, space = game.program, game.space
        values: dict[str, Value] = {
            name: (space[f"V{program.value_number(name)}"], len(value["params"]))
            for name, value in program.values.items()
            if name.startswith(PREFIX)
        }
        self.points: dict[str, Value] = {}
        self.offers: dict[str, Value] = {}
        for number, point in enumerate(program.points if values else ()):
            verb, _, name = str(point["id"]).partition(".")
            found = values.get(f"{PREFIX}{verb}_{name}")
            if found is not None and point["form"] in ("choose", "next", "yes", "options"):
                self.points[str(number)] = found
        for rule in program.rules if values else ():
            body = rule.ir.get("body") or [{}]
            if rule.ir["rule"] == "offer" and body[0].get("op") == "call":
                found = values.get(f"{PREFIX}{program.actions[body[0]['action']]['verb']}")
                if found is not None:
                    self.offers[f"O{rule.number}"] = found

    def __bool__(self) -> bool:
        return bool(self.points or self.offers)

    def weights(self, point: str, by: Any, options: Sequence[Any]) -> list[float] | None:
        """How much each option appeals; none when nothing is known or nothing appeals.

        Passing, and what may be done at any time, weigh 1.
        """
        hint = self.points.get(point)
        decider = by[0] if isinstance(by, list) and by else by
        menu = self.game.menu
        if hint is not None:
            form = self.game.program.points[int(point)]["form"]
            if form == "yes":
                made = [self._asked(hint, (decider,)[1 - hint[1] :]), 1.0]
            elif form == "options":
                made = [self._asked(hint, (decider, n + 1)[2 - hint[1] :]) for n in self.game.labels]
                made += [1.0] * (len(options) - len(made))
            else:
                made = [
                    1.0
                    if o is None or isinstance(o, Option)
                    else self._asked(hint, (decider, o)[2 - hint[1] :])
                    for o in options
                ]
        elif menu is not None and self.offers:
            made = [self._offer(o[0], (*menu[1], *o[1])) if isinstance(o, tuple) else 1.0 for o in options]
        else:
            return None
        return made if any(made) else None

    def _offer(self, entry: Any, args: tuple[Any, ...]) -> float:
        hint = self.offers.get(entry[2].__name__)
        if hint is None:
            return 1.0
        if len(args) < hint[1]:
            args += self.game.space[f"H{entry[2].__name__[1:]}"](entry[1], *args)
        return self._asked(hint, args[: hint[1]])

    def _asked(self, hint: Value, args: tuple[Any, ...]) -> float:
        function, count = hint
        if len(args) != count:
            raise Fault(
                "R11", f"a value `{PREFIX}...` asks for {count} parameters where there are {len(args)}"
            )
        try:
            made = function(*args)
        except (Fault, TypeError, ZeroDivisionError, IndexError, KeyError, ValueError, AttributeError):
            # A hint that cannot be worked out here says nothing.
            return 1.0
        return max(0.0, float(made)) if isinstance(made, (int, float)) else 1.0


def pick_by(weights: Sequence[float], draw: Callable[[], float]) -> int:
    """The number of a weight, each as likely as it is heavy."""
    left = draw() * sum(weights)
    for number, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return number
    return max(range(len(weights)), key=weights.__getitem__)
