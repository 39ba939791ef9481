"""Drawings made of signs: floor, rock, joints and marked squares."""

import textwrap
from collections.abc import Mapping

from talewright.schemas.records import record

from .errors import PlanError
from .squares import Square, beside

FLOOR = "."
ROCK = "#"
NOTHING = " "


@record(frozen=True)
class PlanJoint:
    """A joint on a drawing: a straight run of half squares and the way it looks out."""

    squares: tuple[Square, ...]
    way: str


@record(frozen=True, eq=False)
class Plan:
    """What a drawing shows. Floor holds the squares of joints and marks too."""

    rows: tuple[str, ...]
    width: int
    height: int
    floor: tuple[Square, ...]
    rock: tuple[Square, ...]
    joints: Mapping[str, PlanJoint]
    marks: Mapping[str, tuple[Square, ...]]


def read_plan(text: str, *, joints: bool = True) -> Plan:
    """Read a drawing: `.` floor, `#` rock, capitals joints (or marks), any other sign a marked square."""
    lines = [line.rstrip() for line in textwrap.dedent(text.expandtabs()).splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    floor: list[Square] = []
    rock: list[Square] = []
    runs: dict[str, list[Square]] = {}
    marks: dict[str, list[Square]] = {}
    for y, line in enumerate(lines):
        for x, sign in enumerate(line):
            if sign == NOTHING:
                continue
            if sign == ROCK:
                rock.append((x, y))
                continue
            floor.append((x, y))
            if sign == FLOOR:
                continue
            (runs if joints and sign.isupper() else marks).setdefault(sign, []).append((x, y))
    if not floor:
        raise PlanError("a plan needs at least one square of floor")
    drawn = {*floor, *rock}
    return Plan(
        rows=tuple(lines),
        width=max(len(line) for line in lines),
        height=len(lines),
        floor=tuple(floor),
        rock=tuple(rock),
        joints={mark: _joint(mark, tuple(run), drawn) for mark, run in sorted(runs.items())},
        marks={mark: tuple(squares) for mark, squares in sorted(marks.items())},
    )


def _joint(mark: str, run: tuple[Square, ...], drawn: set[Square]) -> PlanJoint:
    x, y = run[0]
    level = run == tuple((x + step, y) for step in range(len(run)))
    upright = run == tuple((x, y + step) for step in range(len(run)))
    if not level and not upright:
        raise PlanError(f"the squares of joint `{mark}` do not lie in one straight line")
    sides = (["north", "south"] if level else []) + (["east", "west"] if upright else [])
    for way in sides:
        if all(beside(square, way) not in drawn for square in run):
            return PlanJoint(run, way)
    raise PlanError(f"joint `{mark}` does not lie on an outer side of its plan")
