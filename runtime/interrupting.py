"""What may be done at any time: offered in the middle of whatever its decider is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from talewright.runtime.game import Option

if TYPE_CHECKING:
    from talewright.runtime.game import Game


class _Chosen(BaseException):
    """Somebody does one of these first."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def interrupt_decisions(game: Game) -> None:
    """Makes a game offer what may be done at any time; a decision interrupted is worked out anew."""
    anew: type[BaseException] = game.space["Anew"]
    for name in ("ask", "ask_labelled", "ask_menu"):
        setattr(game, name, _interrupted(game, getattr(game, name), anew))
    game.ask_yes = _asking_again(_interrupted(game, game.ask_yes, anew), anew)  # type: ignore[method-assign]
    for name, once in (("pick", _slow_pick(game)), ("choose_one", game.space["choose_one"])):
        game.space[f"{name}_once"] = once
        game.space[name] = _asking_again(once, anew)


def _slow_pick(game: Game) -> Callable[..., Any]:
    """Picking without the short way that bots take elsewhere: every question goes through the game."""
    space = game.space

    def pick(
        point: int, by: Any, options: Any, group: int = -1, optional: bool = False, prompt: Any = None
    ) -> Any:
        space["COUNTS"][point] += 1
        if group != -1 and len(options) > 1:
            options = space["grouped"](options, by, group) if group >= 0 else space["distinct_dice"](options)
        if not options or (len(options) == 1 and not optional):
            return options[0] if options else None
        return game.ask(point, by, [*options, None] if optional else options, prompt)

    return pick


def _extras(game: Game, by: Any) -> list[Option]:
    """What those who decide may do first."""
    mine = by if isinstance(by, list) else [by]
    found = []
    for index, (who, can, act) in enumerate(game.space["ANYTIME"]):
        seats = who()
        if any(seat in (seats if isinstance(seats, list) else [seats]) for seat in mine) and can():
            first = game.program.content["anytime"][index]["body"][0]
            name = first["action"].partition("/")[0] if first["op"] == "call" else f"anytime {index + 1}"
            found.append(Option(name, act, name.replace("_", " ")))
    return found


def _interrupted(game: Game, ask: Callable[..., Any], anew: type[BaseException]) -> Callable[..., Any]:
    def asked(point: int, by: Any, *rest: Any) -> Any:
        extras = _extras(game, by)
        if not extras:
            return ask(point, by, *rest)
        quick, decide = game.quick, game.decide

        def quickly(count: int) -> int:
            assert quick is not None
            index = quick(count + len(extras))
            if index >= count:
                game.log.append(("", index))
                raise _Chosen(index - count)
            return index

        def deciding(id_: str, by: Any, options: list[Option], *how: Any) -> int:
            index = decide(id_, by, [*options, *extras], *how)
            if index >= len(options):
                raise _Chosen(index - len(options))
            return index

        game.quick = quickly if quick is not None else None
        game.decide = deciding  # type: ignore[method-assign,assignment]
        try:
            return ask(point, by, *rest)
        except _Chosen as chosen:
            taken = extras[chosen.index]
        finally:
            game.quick = quick
            game.decide = decide  # type: ignore[method-assign]
        # The decision keeps its number: it has not been made yet.
        game.space["COUNTS"][point] -= 1
        taken.value()
        game.space["COUNTS"][point] += game.program.points[point]["form"] == "yes"
        raise anew

    return asked


def _asking_again(ask: Callable[..., Any], anew: type[BaseException]) -> Callable[..., Any]:
    """A question asked again, with the same options, when something was done in the middle of it."""

    def asked(*args: Any) -> Any:
        while True:
            try:
                return ask(*args)
            except anew:
                continue

    return asked
