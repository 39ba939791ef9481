"""From the document to the low-level form.

`program` is the list of steps. `code` holds one function while it is written; the other modules add the statements of one
group of nodes each: expressions, collections, statements, actions, rules, traits, decisions, space, texts.
A node that no module knows is an error: nothing is left out in silence.
"""
