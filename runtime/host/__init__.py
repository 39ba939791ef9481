"""The side of a game that people see: decisions, options and texts in words, read from the memory of a machine.

`words` makes words of values, `decisions` names what is asked, `play` runs a game from decision to decision.
"""
