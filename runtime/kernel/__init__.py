"""Restricted Python, translated to the low-level form: one text for both engines.

`memory` declares the addresses and functions that a program gives. `storage` keeps cells, `components` has what lies on a table,
`maps` zones and squares, `play` whole games and what is written down of them, `bots` those who choose.
"""
