"""What a package measures of a game that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault, Frame

if TYPE_CHECKING:
    from talewright.runtime.game import Game


def measured(game: Game) -> dict[str, Any]:
    """Every measure by name; the first that cannot be worked out is an error of play that names it."""
    made = {}
    for index, measure in enumerate(game.program.content["measures"]):
        try:
            made[measure["id"]] = game.space[f"ME{index}"]()
        except Fault as fault:
            raise _of_measure(game, measure, fault) from fault
        except (TypeError, ZeroDivisionError, IndexError, KeyError, ValueError, AttributeError) as error:
            raise _of_measure(game, measure, game.fault_of(error)) from error
        except RecursionError as error:
            raise _of_measure(game, measure, game.too_deep(error)) from None
    return made


def _of_measure(game: Game, measure: dict[str, Any], fault: Fault) -> Fault:
    sources = game.program.document["sources"]
    file, line = sources["spots"][measure["at"]][:2]
    what = f"measure {measure['id']}"
    return Fault(fault.code, f"{fault.message} in {what}", [Frame(what, sources["files"][file], line)])
