"""The nodes of the document, each declared once.

`literals`, `names`, `reads`, `operators`, `queries`: expressions; `expressions`: places for some of them.
`arguments`, `statements`, `rules`, `tables`, `things`, `tests`, `components`, `declared`, `document`: what else there
is, with `types` and `leaves` inside. `declaration` says how a node is declared, `forms` reads the declarations, `codec`
turns JSON into nodes and back. `../node_walk` finds what is inside a node.
"""
