"""Looking at a game from outside: nothing here ever writes to a machine.

- `memory`: a private copy of a machine's memory; in it other worlds can be supposed
- `functions`: the functions of a program as Python over such a copy, and those that questions need, lowered when somebody asks
- `evaluator`: what expressions of the document are worth, and fields; `values`: what that can be
- `rules`: who bears a rule, and what modifiers do; `behaviour`: the text of effects, and whether they would do anything
- `possibility`: what stands in the way of a call; `offers`: what a menu does not offer, and why
- `left_out`: what cannot be chosen, and why; `question`: what the names mean that the present question reads
- `worlds`: worlds that a seat cannot tell apart
- `view`: a game as somebody looks at it
- `trace`: what happened, from the rows that a traced program writes
"""
