"""Zones and squares: what lies near what, ways, sight, and where figures can stand.

`board` has maps of places. A map of squares is `squares` (by column and row), `pieces` (of which it is made), `areas` (lists of
squares), `standing` (figures and spots), `movements` (ways of walking), `reach` (how far a figure gets), `routes` (ways between).
"""
