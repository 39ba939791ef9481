"""What a package tells its bots: how much the options of a decision appeal, beside how well a game stands.

`value appeal_VERB(...)` weighs offers that call the action VERB, given the parameters of the menu, after them what
its label shows that is still open, and after that what the offer itself puts into the call, as many as it has.
`value appeal_VERB_NAME(x)` weighs what `choose NAME` in the action VERB may be; with two parameters the first is the one
who decides. `value appeal_VERB_may` weighs saying yes where the action VERB asks whether somebody may; its parameter, if
it has one, is the one who decides. `value appeal_VERB_choice(n)` weighs the n-th of the labels that `choose one` in the
action VERB has; with two parameters the first is the one who decides. `value appeal_VERB_pay(x)` weighs what `pay` in the
action VERB may be done with, a thing or that on which a token lies; a way to pay weighs as much as all that it spends.
`value appeal_VERB`, without parameters, weighs what may be done at any time by VERB. In imagined games an option of
weight 3 is taken three times as often as one of weight 1, which is the weight of all that no value speaks of; one of
weight 0 is left alone as long as there is another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.dealing import holds_things
from talewright.runtime.faults import Fault
from talewright.runtime.game import Option

if TYPE_CHECKING:
    from talewright.runtime.game import Game

PREFIX = "appeal_"
Value = tuple[Callable[..., Any], int]
Swaps = Mapping[int, int]
NOTHING: Swaps = {}
FORMS = ("choose", "next", "yes", "options", "pay")


class Hints:
    """The hints of the package of a game, by points of decision and by offers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        program, space = game.program, game.space
        values: dict[str, Value] = {
            name: (space[f"V{program.value_number(name)}"], len(value["params"]))
            for name, value in program.values.items()
            if name.startswith(PREFIX)
        }
        self.points: dict[str, tuple[Value, str, bool]] = {}
        self.offers: dict[str, Value] = {}
        self.anytime = {name.removeprefix(PREFIX): value for name, value in values.items() if not value[1]}
        for number, point in enumerate(program.points if values else ()):
            verb, _, name = str(point["id"]).partition(".")
            found = values.get(f"{PREFIX}{verb}_{name}")
            if found is not None and point["form"] in FORMS:
                # Imagined games know a point by its number, others by its name.
                told = (found, str(point["form"]), point["type"] is None or holds_things(point["type"]))
                self.points[str(number)] = self.points[str(point["id"])] = told
        for rule in program.rules if values else ():
            body = rule.ir.get("body") or [{}]
            if rule.ir["rule"] == "offer" and body[0].get("op") == "call":
                found = values.get(f"{PREFIX}{program.actions[body[0]['action']]['verb']}")
                if found is not None:
                    self.offers[f"O{rule.number}"] = found

    def __bool__(self) -> bool:
        return bool(self.points or self.offers)

    def speak_of(self, point: str) -> bool:
        """Whether anything is told about a decision."""
        return point in self.points or (self.game.menu is not None and bool(self.offers))

    def weights(
        self, point: str, by: Any, options: Sequence[Any], labels: Sequence[int], now: Swaps = NOTHING
    ) -> list[float] | None:
        """How much each option appeals; none when nothing is known or nothing appeals.

        Passing weighs 1, and so does what may be done at any time, unless a value speaks of it. `labels` are the numbers of
        labels; `now` tells what lies where a thing lay when the options were worked out.
        """
        told = self.points.get(point)
        decider = by[0] if isinstance(by, list) and by else by
        menu = self.game.menu
        if told is not None:
            hint, form, things = told
            if form == "yes":
                made = [self._asked(hint, (decider,)[1 - hint[1] :]), 1.0]
            elif form == "options":
                made = [self._asked(hint, (decider, n + 1)[2 - hint[1] :]) for n in labels]
            elif form == "pay":
                made = [self._payment(hint, decider, way, now) for way in self.game.ways]
            else:
                made = [
                    self._asked(hint, (decider, swap(o, now) if things else o)[2 - hint[1] :])
                    for o in options
                    if o is not None and not isinstance(o, Option)
                ]
            made += [self._extra(option) for option in options[len(made) :]]
        elif menu is not None and self.offers:
            given = self._given(menu[0], menu[1], now)
            made = [
                self._offer(o[0], (*given, *self.meant(o[0], o[1], now)), now)
                if isinstance(o, tuple)
                else self._extra(o)
                for o in options
            ]
        else:
            return None
        return made if any(made) else None

    def _given(self, menu: str, args: tuple[Any, ...], now: Swaps) -> tuple[Any, ...]:
        """What a menu was opened with, as it lies now."""
        if not now:
            return args
        params = next(m["params"] for m in self.game.program.content["menus"] if m["id"] == menu)
        return tuple(
            swap(value, now) if holds_things(param["type"]) else value
            for value, param in zip(args, params, strict=False)
        )

    def meant(self, entry: Any, values: tuple[Any, ...], now: Swaps) -> tuple[Any, ...]:
        """What an offer leaves open, as it lies now."""
        if not now:
            return values
        kinds = self.game.program.offered[int(entry[2].__name__[1:])]
        return tuple(
            swap(value, now) if kind is None or holds_things(kind) else value
            for value, kind in zip(values, kinds, strict=False)
        )

    def _payment(self, hint: Value, decider: Any, way: Sequence[tuple[Any, int]], now: Swaps) -> float:
        return sum(n * self._asked(hint, (decider, swap(what, now))[2 - hint[1] :]) for what, n in way)

    def _extra(self, option: Any) -> float:
        hint = self.anytime.get(option.id) if isinstance(option, Option) else None
        return 1.0 if hint is None else self._asked(hint, ())

    def _offer(self, entry: Any, args: tuple[Any, ...], now: Swaps) -> float:
        hint = self.offers.get(entry[2].__name__)
        if hint is None:
            return 1.0
        if len(args) < hint[1]:
            args += self.game.space[f"H{entry[2].__name__[1:]}"](swap(entry[1], now), *args)
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


def swap(value: Any, now: Swaps) -> Any:
    """What lies now where a thing lay, or things."""
    if isinstance(value, list):
        return [swap(part, now) for part in value]
    return now.get(value, value) if type(value) is int else value


def pick_by(weights: Sequence[float], draw: Callable[[], float]) -> int:
    """The number of a weight, each as likely as it is heavy."""
    left = draw() * sum(weights)
    for number, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return number
    return max(range(len(weights)), key=weights.__getitem__)
