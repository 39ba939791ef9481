"""The checks of a package, looked at in a game: those that do not hold, and the mode that ends play there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault, Frame
from talewright.runtime.layout import IR, holds

if TYPE_CHECKING:
    from talewright.runtime.game import Game

CODE = "R16"


@dataclass(frozen=True, slots=True)
class Broken:
    """A check that does not hold: what it says, where it stands, and why it could not even be worked out."""

    why: str
    at: int
    problem: str = ""


def standing_checks(game: Game) -> Iterator[tuple[IR, Any]]:
    """The checks that count under the options of a game, with their functions."""
    for index, check in enumerate(game.program.content["checks"]):
        if holds(check, game.layout):
            yield check, game.space[f"CK{index}"]


def broken_checks(game: Game) -> list[Broken]:
    """Every check that does not hold as the table stands."""
    found = []
    for check, function in standing_checks(game):
        try:
            if function():
                continue
            problem = ""
        except Fault as fault:
            problem = str(fault)
        except (TypeError, ZeroDivisionError, IndexError, KeyError, ValueError, AttributeError) as error:
            problem = str(game.fault_of(error))
        except RecursionError as error:
            problem = str(game.too_deep(error))
        found.append(Broken(check.get("why", ""), check["at"], problem))
    return found


def watch_checks(game: Game) -> None:
    """Gives the program its `verify`, which ends play at the first check that an action has broken."""
    checks = list(standing_checks(game))
    spots, files = (game.program.document["sources"][part] for part in ("spots", "files"))

    def verify(verb: str) -> None:
        if game.held or game.asleep:
            return
        for check, function in checks:
            if not function():
                file, line = spots[check["at"]][:2]
                said = f"“{check['why']}”" if "why" in check else "a check"
                raise Fault(
                    CODE,
                    f"after `{verb}`, {said} does not hold",
                    [Frame("check", str(files[file]), int(line))],
                )

    game.space["verify"] = verify
