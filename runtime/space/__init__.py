"""Drawings of maps, read before a game begins; the kernel walks on the tables that are made from them.

`squares`: squares, ways out of them and quarter turns. `plans`: drawings of pieces, with floor, rock and joints. `zones`: rows,
rings and tiles of named zones, which become a `board`. `errors`: what goes wrong.
"""
