"""From the document to the low-level form.

`assembly` puts a whole module together. `program` is what is known of a document while it is lowered, `code` one function while
it is written, `dispatch` which function lowers which node, `start` what holds when a game begins. The folders have the
nodes: `expressions`, `statements`, `decisions`, `rules`, `maps`; `builds` has what some programs can do besides playing.
A node that no module knows is an error: nothing is left out in silence.
"""
