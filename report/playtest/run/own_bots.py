"""Bots from elsewhere: a class in a Python file, or one that an installed package offers as an entry point."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path

import orjson

from talewright.report.playtest.run.job import Job
from talewright.runtime.faults import Fault
from talewright.runtime.model.layout import MOST_CHOICES
from talewright.runtime.session.game import Decision, Game
from talewright.runtime.session.program import load

GROUP = "talewright.bots"
Choose = Callable[[Decision], int]


class BotError(Exception):
    """A bot that cannot be found or used, or that failed."""


@cache
def bot_class(name: str) -> Callable[..., object]:
    """What makes a bot, from the seed of a game if it takes one: `path/file.py:Class`, or the name of an entry point."""
    file, colon, attribute = name.rpartition(":")
    found = _from_file(Path(file), attribute) if colon and file.endswith(".py") else _installed(name)
    if not callable(getattr(found, "choose", None)):
        raise BotError(
            f"`{name}` is no bot: it needs a method `choose(self, decision)` that gives the number of an option"
        )
    if not callable(found):
        raise BotError(f"`{name}` is no class")
    return found


def _from_file(path: Path, attribute: str) -> object:
    if not path.is_file():
        raise BotError(f"there is no file {path} to take the bot `{attribute}` from")
    spec = spec_from_file_location(f"talewright_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} is no Python file")
    module = module_from_spec(spec)
    # Data classes and the like look up the module they were made in.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001 - code from elsewhere may raise anything
        raise BotError(f"{path} cannot be read as Python: {type(error).__name__}: {error}") from None
    found = getattr(module, attribute, None)
    if found is None:
        classes = [n for n, v in vars(module).items() if isinstance(v, type) and v.__module__ == spec.name]
        raise BotError(f"{path} has no class `{attribute}`; it has {', '.join(classes) or 'none'}")
    return found


def _installed(name: str) -> object:
    offered = {point.name: point for point in entry_points(group=GROUP)}
    if name not in offered:
        also = f"; installed: {', '.join(sorted(offered))}" if offered else ""
        raise BotError(
            f"there is no bot `{name}`: name one of ours, a class as `path/file.py:Class`, "
            f"or an entry point of the group `{GROUP}`{also}"
        )
    return offered[name].load()


class OwnGames:
    """Plays the games of a job by a bot from elsewhere; gives what it answered."""

    def __init__(self, job: Job) -> None:
        self._make = bot_class(job.bot)
        self._job = job
        self._game = Game(load(orjson.loads(job.document), dict(job.options), job.players))

    def answers(self, seed: int) -> list[int]:
        """The answers of one game, up to its end or to where it breaks off."""
        choose = self._choose(seed)
        game = self._game
        made: list[int] = []
        game.reset(seed, self._job.chapter)
        try:
            # A game of more decisions breaks off when it is counted.
            while len(made) < MOST_CHOICES and (decision := game.next()) is not None:
                index = self._asked(choose, decision)
                made.append(index)
                game.answer(decision, index)
        except Fault:
            # The machine that counts comes to the same fault, and tells it.
            pass
        return made

    def _choose(self, seed: int) -> Choose:
        try:
            made = self._make(seed) if signature(self._make).parameters else self._make()
            return made.choose  # type: ignore[attr-defined,no-any-return]
        except Exception as error:  # noqa: BLE001 - code from elsewhere may raise anything
            raise BotError(
                f"the bot `{self._job.bot}` cannot be made: {type(error).__name__}: {error}"
            ) from None

    def _asked(self, choose: Choose, decision: Decision) -> int:
        try:
            index = choose(decision)
        except Exception as error:  # noqa: BLE001 - code from elsewhere may raise anything
            raise BotError(
                f"the bot `{self._job.bot}` failed at {decision.id}: {type(error).__name__}: {error}"
            ) from None
        most = len(decision.options) - 1
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index <= most:
            raise BotError(
                f"the bot `{self._job.bot}` answered {index!r} to {decision.id}: it must be a number from 0 to {most}"
            )
        return index


__all__ = ["GROUP", "BotError", "OwnGames", "bot_class"]
