"""A joint that no other piece can meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from talewright.compiler.checks._content_walks import is_own
from talewright.compiler.checks._drawn_pieces import pieces
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Joints of a width that only their own piece has."""
    known = pieces(context)
    if len(known) < 2:
        return
    # How many pieces have a joint of each width; a piece with copies can meet its own twin.
    pieces_with: Counter[int] = Counter()
    for thing, drawing in known:
        for width in set(drawing.joints.values()):
            pieces_with[width] += 2 if thing.get("copies", 1) > 1 or "per" in thing else 1
    for thing, drawing in known:
        if not is_own(context, thing["at"]):
            continue
        for mark, width in drawing.joints.items():
            if pieces_with[width] < 2 and mark not in drawing.wrong:
                others = sorted(w for w in pieces_with if pieces_with[w] > 1 or w != width)
                yield CHECK.finding(
                    context.span(thing["at"]),
                    f"joint `{mark}` of `{thing['id']}` fits nothing: no other piece has one {width} wide",
                    f"the other joints are {' or '.join(map(str, others))} wide" if others else "",
                )


CHECK = Check(
    code="C507",
    name="joint-fits-nothing",
    severity="warning",
    why="""Two pieces are joined where joints of the same width meet. A joint that is wider or
    narrower than those of all other pieces stays a dead end for ever: most often a letter too many was
    drawn.""",
    bad='''
    Piece gallery "Gallery":
        plan: """
            #AA#
            #..#
            #BB#
            """
    Piece bend "Bend":  # <-
        plan: """
            #AA#
            #...
            BBB.
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
            BB##
            """
    ''',
    find=find,
)
