"""Questions that take too long, that only chance can answer, or that are about what was rolled."""

from __future__ import annotations

import pytest

from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.observe import functions
from talewright.runtime.observe.evaluator import Scope
from talewright.runtime.observe.functions import Chance
from talewright.runtime.observe.possibility import refusals
from talewright.schemas.nodes.names import ThingsOfKind
from talewright.schemas.nodes.queries import RandomOne
from tests.runtime.observed_games import asked, begun, compiled

TEXT = """
role Player 1..1 named player
kind Ware
Ware rope "a rope"
Ware lamp "a lamp"
value many: int = count((1..500) where it > 0)
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    choose k from (1..2) by player
    go to done
"""


def test_what_takes_too_many_steps_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    _, view = next(asked(begun(compiled(TEXT))))
    values, ask = view.program.values, view.evaluator.declared
    assert ask(values["many"], ()) == 500
    monkeypatch.setattr(functions, "MOST_STEPS", 100)
    with pytest.raises(EngineFault):
        ask(values["many"], ())


def test_what_chance_decides_is_not_answered() -> None:
    _, view = next(asked(begun(compiled(TEXT))))
    with pytest.raises(Chance):
        view.evaluator.value(RandomOne(ThingsOfKind("Ware"), "ware"), Scope())


ROLLED = """
role Player 1..1 named player
state grit: int = 0
Chapter start "Start"
Ending done "Done"
action again thrown: dice as so_far: text = "a throw":
    requires thrown > 3, "{so_far} will not do."
    requires grit > 0, "There is no grit left."
    grit - 1
instead of play Chapter c:
    let rolled = do roll 2d6
    again rolled
    choose k from (1..2) by player
    go to done
"""


def test_a_call_that_was_refused_is_explained_with_the_sum_of_dice_and_with_texts() -> None:
    _, view = next(asked(begun(compiled(ROLLED))))
    action = next(action for action in view.program.actions.values() if action.verb == "again")
    told = [[one.reason for one in refusals(view.evaluator, action, (total, "A 3"))] for total in (3, 4)]
    assert told == [["A 3 will not do."], ["There is no grit left."]]
