"""The pages about wordings that cannot be read or name nothing; elaborating reports them."""

from __future__ import annotations

from talewright.compiler.checks._finding_page import page

CHECKS = (
    page(
        "X612",
        why="""A hole of a wording names a parameter of what it words: of the action, value or trait, or a name that
        the rule binds. This one names nothing that could be shown there.""",
        bad="""
        role Sailor 1..2
        track gold 0..9
        action pay n: int by s: Sailor reads "{s pays|pay} {m} gold":  # <-
            gold - n
        """,
        good="""
        role Sailor 1..2
        track gold 0..9
        action pay n: int by s: Sailor reads "{s pays|pay} {n} gold":
            gold - n
        """,
    ),
    page(
        "X613",
        why="""A wording is a text with holes in braces and optional parts in square brackets. A hole that is not
        closed, or a part inside a part, cannot be read; and only what does something can be worded.""",
        bad="""
        track gold 0..9
        action pay n: int reads "Pay {n gold":  # <-
            gold - n
        """,
        good="""
        track gold 0..9
        action pay n: int reads "Pay {n} gold":
            gold - n
        """,
    ),
)
