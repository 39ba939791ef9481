"""The low-level form of a program, between the document and the engines.

`nodes` declares it, `build` makes nodes with the obvious folding done, `header` names the cells that the engine itself
uses. `kernel` translates restricted Python to it. `asking`, `metering` and `cutting` are the passes from what
lowering writes to what an emitter reads; `validate` is run after each.
"""
