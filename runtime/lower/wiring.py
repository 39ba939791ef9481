"""What modules of the lowering use of modules that use them: one table, which `assembly` fills."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from talewright.schemas.records import record

if TYPE_CHECKING:
    from talewright.runtime.ir.nodes import Expression
    from talewright.runtime.lower.code import Code, Scope
    from talewright.runtime.lower.program import Program
    from talewright.runtime.lower.rules.rules import Parts, Rank, Run, Use
    from talewright.runtime.model.world import RuleEntry
    from talewright.schemas.nodes.arguments import CoreArguments, EffectBlock
    from talewright.schemas.nodes.declared import ActionDeclaration, OrderDeclaration
    from talewright.schemas.nodes.names import ValueCall
    from talewright.schemas.nodes.queries import Question
    from talewright.schemas.nodes.statements import Call, CoreCall, ForEach, Statement
    from talewright.schemas.nodes.types import Type


@record(frozen=True)
class Wiring:
    """Functions by what they are for."""

    deciders: Callable[[Code, object], Expression]
    """Somebody who decides, as a bit for every seat."""
    chosen_loop: Callable[[Code, ForEach], None]
    """A loop in which somebody picks who is next."""
    list_anytime: Callable[[Program], str]
    """The function that lists what may be done at any time."""
    do_anytime: Callable[[Program], str]
    """The function that does it."""
    closure: Callable[[Code, EffectBlock, Type], Expression]
    """A block as an effect that is handed over."""
    ask_effect: Callable[[Code, object, Sequence[object], int], Expression]
    """Whether an effect can be done, or is affordable."""
    possible_block: Callable[[Code, Sequence[Statement]], Expression]
    """Whether a block can be done."""
    open_call: Callable[[Code, Call, ActionDeclaration, list[int], str], Expression]
    """Whether a call is possible with something in its open parts."""
    offered: Callable[[Code, Question], Expression]
    """Whether an open menu offers something."""
    destination: Callable[[Code, CoreArguments], Expression]
    """The location that the parts of a verb name."""
    can_pay: Callable[[Code, CoreCall], Expression]
    """Whether a cost can be paid."""
    each_of_value: Callable[[Code, ValueCall, Callable[[Expression], None]], bool]
    """Runs a body for every member of a value, if its definition can stand in its place; whether it does."""
    each_in_braces: Callable[[Code, object, Callable[[Expression], None]], None]
    """Runs a body for every member of a set in braces."""
    same_text: Callable[[Code, Expression, Expression], Expression]
    """Whether two texts read the same."""
    look: Callable[[Code], None]
    """Looks at periods and state rules."""
    look_at_grants: Callable[[Code, bool], None]
    """Gives what grants give now, and takes back what they no longer give; if asked, only where some last for a while."""
    replace: Callable[[Code, list[RuleEntry], Parts, str, Rank | None, Use, bool], None]
    """Runs a body for the replacement that wins."""
    run_in_chosen_order: Callable[
        [
            Code,
            OrderDeclaration,
            list[RuleEntry],
            Parts,
            str,
            Callable[[RuleEntry, Expression], None],
        ],
        None,
    ]
    """Runs the rules of a pass in an order that somebody decides."""
    captures: Callable[[Program, RuleEntry], dict[int, int]]
    """What a rule for a while has captured."""
    until_scope: Callable[[Code, RuleEntry], Scope]
    """The scope that a rule for a while stands in."""
    bearers: Mapping[str, Callable[[Code, RuleEntry, Run, bool], None]]
    """Loops over the bearers of rules of traits and of `until` blocks."""
