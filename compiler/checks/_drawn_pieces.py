"""Pieces drawn with signs: their joints and marked squares."""

from __future__ import annotations

from talewright.compiler.checks._content_walks import IR
from talewright.compiler.checks.check import Context
from talewright.schemas.records import field, record

Square = tuple[int, int]


@record
class Drawing:
    """What the plan of a piece shows: how wide each joint is, what is wrong with some, other signs."""

    joints: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)


def pieces(context: Context) -> list[tuple[IR, Drawing]]:
    """Every piece that has a drawing with signs."""
    known = context.notes.get(__name__)
    if known is None:
        known = []
        for thing in context.content["things"]:
            plan = thing.get("fields", {}).get("plan")
            drawn = isinstance(plan, dict) and plan.get("op") == "drawing"
            if drawn and context.work.is_a(thing["kind"], "Piece"):
                known.append((thing, read(plan["rows"])))
        context.notes[__name__] = known
    found: list[tuple[IR, Drawing]] = known
    return found


def read(rows: list[str]) -> Drawing:
    """The joints (capitals) and the marks (other signs) of a drawing."""
    made = Drawing()
    runs: dict[str, list[Square]] = {}
    drawn: set[Square] = set()
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign == " ":
                continue
            drawn.add((x, y))
            if sign.isupper():
                runs.setdefault(sign, []).append((x, y))
            elif sign not in ".#":
                made.marks.add(sign)
    for mark, run in runs.items():
        made.joints[mark] = len(run)
        problem = _problem(run, drawn)
        if problem:
            made.wrong[mark] = problem
    return made


def _problem(run: list[Square], drawn: set[Square]) -> str:
    x, y = run[0]
    level = run == [(x + step, y) for step in range(len(run))]
    upright = run == [(x, y + step) for step in range(len(run))]
    if not level and not upright:
        return "do not lie in one straight line"
    ways = ([(0, -1), (0, 1)] if level else []) + ([(-1, 0), (1, 0)] if upright else [])
    for dx, dy in ways:
        if all((a + dx, b + dy) not in drawn for a, b in run):
            return ""
    return "do not lie on an outer side"
