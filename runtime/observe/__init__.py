"""Looking at a game from outside: nothing here ever writes to a machine.

- `memory`: a private copy of a machine's memory; in it other worlds can be supposed. `kernel`: the functions of the kernel as
  plain Python on such a copy
- `evaluation`: what expressions of the document are worth
- `possibility`: whether a call could be made, and what stands in its way; `offers`: what a menu does not offer, and why
- `left_out`: what cannot be chosen, and why; `question`: what the names mean that the present question reads
- `worlds`: worlds that a seat cannot tell apart
- `view`: a game as somebody looks at it
- `trace`: what happened, from the rows that a traced program writes
"""

# Modules that enter what they evaluate.
from talewright.runtime.observe import offers, possibility  # noqa: F401
from talewright.runtime.observe.evaluation import (  # noqa: F401
    behaviour,
    bodies,
    collections,
    expressions,
    limits,
    modifiers,
    payments,
    places,
    traits,
    ways,
)
