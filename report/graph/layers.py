"""A small layered layout: boxes in rows from top to bottom, edges with places of their own between."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise

from talewright.schemas.records import field, record

SWEEPS = 12
GAP = 28.0


@record
class Box:
    """A thing to be placed: a node, the label of an edge, or a bend of one.

    `side` is kept free beside it; `row` is the height of the row it comes to stand in.
    """

    width: float
    height: float
    side: float = 0.0
    layer: int = 0
    x: float = 0.0
    y: float = 0.0
    row: float = 0.0

    @property
    def reach(self) -> float:
        """Half of its width, plus the space kept free beside it."""
        return self.width / 2 + self.side


@record
class Line:
    """An edge and the boxes it leads through, in the direction of its arrow."""

    source: int
    target: int
    label: Box
    through: list[Box] = field(default_factory=list)


@record
class Placed:
    """Boxes with their middles, lines with their bends, and the size of it all."""

    boxes: list[Box]
    lines: list[Line]
    width: float
    height: float


def place(boxes: list[Box], lines: list[Line]) -> Placed:
    """Gives every box a place such that arrows lead downwards where they can and nothing overlaps."""
    backward = _backward(len(boxes), lines)
    _assign_layers(boxes, lines, backward)
    rows = _rows(boxes, lines, backward)
    down, up = _neighbours(boxes, lines)
    rows = _ordered(rows, down, up)
    _give_x(rows, down, up)
    return _finish(rows, boxes, lines)


def _backward(count: int, lines: Sequence[Line]) -> list[bool]:
    """The lines that close a cycle, found by depth-first search."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    entered = [False] * count
    for number, line in enumerate(lines):
        leaving[line.source].append(number)
        entered[line.target] = entered[line.target] or line.source != line.target
    result = [False] * len(lines)
    state = [0] * count  # 0 new, 1 on the way, 2 done
    for start in sorted(range(count), key=lambda box: entered[box]):
        if state[start]:
            continue
        state[start] = 1
        stack = [(start, iter(leaving[start]))]
        while stack:
            box, rest = stack[-1]
            way = next(rest, None)
            if way is None:
                state[box] = 2
                stack.pop()
                continue
            target = lines[way].target
            if state[target] == 1:
                result[way] = True
            elif state[target] == 0:
                state[target] = 1
                stack.append((target, iter(leaving[target])))
    return result


def _ends(line: Line, backward: bool) -> tuple[int, int]:
    return (line.target, line.source) if backward else (line.source, line.target)


def _assign_layers(boxes: list[Box], lines: list[Line], backward: list[bool]) -> None:
    """The longest way from a beginning; every second layer is left for labels and bends."""
    leaving: list[list[int]] = [[] for _ in boxes]
    waiting = [0] * len(boxes)
    for line, reverse in zip(lines, backward, strict=True):
        upper, lower = _ends(line, reverse)
        if upper != lower:
            leaving[upper].append(lower)
            waiting[lower] += 1
    ready = [box for box, number in enumerate(waiting) if number == 0]
    for upper in ready:  # grows while it is walked through
        for lower in leaving[upper]:
            boxes[lower].layer = max(boxes[lower].layer, boxes[upper].layer + 2)
            waiting[lower] -= 1
            if waiting[lower] == 0:
                ready.append(lower)


def _rows(boxes: list[Box], lines: list[Line], backward: list[bool]) -> list[list[Box]]:
    """The boxes by layer, with a box for each line in each layer that it crosses."""
    rows: list[list[Box]] = [[] for _ in range(max((box.layer for box in boxes), default=0) + 1)]
    for box in boxes:
        rows[box.layer].append(box)
    for line, reverse in zip(lines, backward, strict=True):
        upper, lower = _ends(line, reverse)
        if upper == lower:
            continue
        first, last = boxes[upper].layer, boxes[lower].layer
        labelled = last - 1 if reverse else first + 1
        for layer in range(first + 1, last):
            bend = line.label if layer == labelled else Box(4.0, 0.0)
            bend.layer = layer
            line.through.append(bend)
            rows[layer].append(bend)
        if reverse:
            line.through.reverse()
    return rows


Near = dict[int, list[Box]]


def _neighbours(boxes: list[Box], lines: list[Line]) -> tuple[Near, Near]:
    """For each box, by identity, the boxes it is joined to in the next layer and in the one before."""
    down: Near = {}
    up: Near = {}
    for line in lines:
        if line.source == line.target:
            continue
        chain = [boxes[line.source], *line.through, boxes[line.target]]
        for one, other in pairwise(chain):
            upper, lower = (one, other) if one.layer < other.layer else (other, one)
            down.setdefault(id(upper), []).append(lower)
            up.setdefault(id(lower), []).append(upper)
    return down, up


def _ordered(rows: list[list[Box]], down: Near, up: Near) -> list[list[Box]]:
    """The rows in an order with few crossings, found by sweeping down and up."""
    best, fewest = [list(row) for row in rows], _crossings(rows, down)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        downwards = sweep % 2 == 0
        for row in rows[1:] if downwards else rows[-2::-1]:
            _sort_row(row, rows, up if downwards else down)
        crossings = _crossings(rows, down)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _sort_row(row: list[Box], rows: list[list[Box]], near: Near) -> None:
    """Sorts a row by the mean place of each box's neighbours; boxes without any keep theirs."""
    layer = row[0].layer if row else 0
    place: dict[int, int] = {}
    for beside in (layer - 1, layer + 1):
        if 0 <= beside < len(rows):
            place.update({id(box): number for number, box in enumerate(rows[beside])})
    weight: dict[int, float] = {}
    for number, box in enumerate(row):
        places = [place[id(other)] for other in near.get(id(box), ())]
        weight[id(box)] = sum(places) / len(places) if places else float(number)
    row.sort(key=lambda box: weight[id(box)])


def _crossings(rows: list[list[Box]], down: Near) -> int:
    total = 0
    for row, below in pairwise(rows):
        place = {id(box): number for number, box in enumerate(below)}
        seen: list[int] = []
        for box in row:
            ends = sorted(place[id(other)] for other in down.get(id(box), ()))
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _give_x(rows: list[list[Box]], down: Near, up: Near) -> None:
    """Draws every box towards the middle of its neighbours, without overlaps and in order."""
    for row in rows:
        at = 0.0
        for box in row:
            box.x = at + box.reach
            at += 2 * box.reach + GAP
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wishes = []
            for box in row:
                first, second = (up, down) if sweep % 2 == 0 else (down, up)
                others = first.get(id(box)) or second.get(id(box)) or [box]
                wishes.append(sum(other.x for other in others) / len(others))
            for box, x in zip(row, _spread(row, wishes), strict=True):
                box.x = x


def _spread(row: Sequence[Box], wishes: Sequence[float]) -> list[float]:
    """The places nearest to the wishes that keep order and distance (pooling of neighbours in conflict)."""
    offsets = [0.0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + one.reach + other.reach + GAP)
    pools: list[tuple[float, int]] = []  # sum of what its members want, and how many they are
    for wish, offset in zip(wishes, offsets, strict=False):
        total, number = wish - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / number:
            before, more = pools.pop()
            total, number = total + before, number + more
        pools.append((total, number))
    bases = [total / number for total, number in pools for _ in range(number)]
    return [base + offset for base, offset in zip(bases, offsets, strict=False)]


def _finish(rows: list[list[Box]], boxes: list[Box], lines: list[Line]) -> Placed:
    """Gives the rows their heights and moves everything to begin at zero."""
    every = [box for row in rows for box in row]
    left = min((box.x - box.reach for box in every), default=0.0)
    at = 0.0
    for number, row in enumerate(rows):
        height = max((box.height for box in row), default=0.0)
        for box in row:
            box.x -= left
            box.y = at + height / 2
            box.row = height
        at += height + (GAP if number < len(rows) - 1 else 0.0)
    width = max((box.x + box.reach for box in every), default=0.0)
    return Placed(boxes, lines, width, at)
