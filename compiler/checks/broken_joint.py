"""A joint that cannot be laid against another."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import is_own
from talewright.compiler.checks._drawn_pieces import pieces
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Joints that are bent, scattered or shut in."""
    for thing, drawing in pieces(context):
        if is_own(context, thing["at"]):
            for mark, problem in drawing.wrong.items():
                yield CHECK.finding(
                    context.span(thing["at"]),
                    f"the squares of joint `{mark}` of `{thing['id']}` {problem}",
                    "draw each joint as one straight run of its letter on the rim of the plan",
                )


CHECK = Check(
    code="C511",
    name="broken-joint",
    severity="error",
    why="""A capital letter on the plan of a piece marks a joint: the half squares that are laid on
    those of another piece. They must lie side by side in a straight line, with nothing drawn outside of
    them.""",
    bad='''
    Piece gallery "Gallery":  # <-
        plan: """
            #AA#
            #..#
            #BB#
            #..#
            """
    Piece bend "Bend":
        plan: """
            #AA#
            #..#
            """
    ''',
    good='''
    Piece gallery "Gallery":
        plan: """
            #AA#
            #..#
            #BB#
            """
    Piece bend "Bend":
        plan: """
            #AA#
            #..#
            """
    ''',
    find=find,
)
