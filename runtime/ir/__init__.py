"""The low-level form of a program, between the document and the engines.

`nodes` declares it, `build` makes nodes with the obvious folding done, `header` names the cells that the engine itself
uses. `kernel` translates restricted Python to it. `passes` leads from what lowering writes to what an emitter
reads; `validate` may be run after each of them.
"""
