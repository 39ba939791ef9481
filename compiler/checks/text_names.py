"""The page about names inside the braces of a text; resolving reports them."""

from __future__ import annotations

from talewright.compiler.checks._finding_page import page

CHECK = page(
    "X601",
    why="""Between the braces of a text stands an expression: a name that can be seen there, a
    field, a value. This one names something that does not exist, or cannot be read at all, so the text
    could not be shown.""",
    bad="""
    track gold 0..9 start 3
    action game: say "You own {gld} coins."  # <-
    """,
    good="""
    track gold 0..9 start 3
    action game: say "You own {gold} coins."
    """,
)
