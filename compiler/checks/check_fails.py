"""A `check` of the package that is not true: found by playing, shown here."""

from __future__ import annotations

from talewright.compiler.checks.check import Check

CHECK = Check(
    code="F440",
    name="check-fails",
    severity="error",
    why="""A `check` says what must be true of the package, whatever is played: how many cards of a sort there
    are, that something can be won at all. `tale lint` and `tale test` look at every check as the table stands
    before the first move, with the options as they are by default and as few players as may be. A system
    without a chapter is looked at together with the adventures that use it.

    `tale playtest --checked` looks at them after every action too.""",
    bad="""
    kind Book
    Book atlas, almanac
    Chapter night "One Night":
        goal: "Save the books."
    check count(Book) == 3, "three books in the box"  # <-
    """,
    good="""
    kind Book
    Book atlas, almanac
    Chapter night "One Night":
        goal: "Save the books."
    check count(Book) == 2, "two books in the box"
    """,
)
