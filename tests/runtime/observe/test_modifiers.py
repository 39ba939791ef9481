"""Modifiers of one value: which of them count, in which order, and that the machine agrees."""

from __future__ import annotations

from talewright.report.explain.explanations import reasons
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.host.play import Play
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.codec import read_document
from tests.runtime.observed_games import compiled, compiled_value

TEXT = """
role Player 1..1 named player
state doom: int = 1
value strength = 3
modify strength when doom > 0: = 5
modify strength when doom < 9: = 7
modify strength: + 4
modify strength when doom > 5: + 100
modify strength: - 1
modify strength: at most 9
modify strength: at least 2
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    choose k from (1..strength) by player
    go to done
"""


def test_the_last_setting_counts_then_sums_then_bounds() -> None:
    program, module = assemble(read_document(compiled(TEXT)), {}, None, Build(events=True, values=True))
    play = Play(program, best_engine().load(module).machine())
    play.begin(1)
    decision = play.run()
    assert decision is not None
    view = View.of(program, play.machine)
    declared = program.values["strength"]
    assert view.evaluator.declared(declared, ()) == 9
    assert compiled_value(program, play.machine, declared) == 9
    told = [line.partition(" (memory")[0].strip() for line in reasons(view, "strength", decision, "all")]
    assert [line.partition(" (")[0] if line[0] != "(" else line[:9] for line in told] == [
        "strength: 9", "3 by itself", "= 5, overruled by another one", "= 7", "+ 4", "(+ waits:", "- 1", "at most 9",
        "at least 2, no effect now",
    ]  # fmt: skip
