"""Maps of a document: plans, tiles and grids made into charts when it is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR, Layout
from talewright.runtime.space import (
    WALL,
    Board,
    Chart,
    Rules,
    SpaceError,
    ZoneTile,
    cells_in,
    ring_to_zones,
    rows_to_zones,
    tiles_to_zones,
)

Map = tuple[Chart, list[int]]


class Cell(int):
    """A square of a grid as a value: a number that is never taken for a thing."""

    __slots__ = ()


@lru_cache(maxsize=256)
def open_neighbours(chart: Chart) -> tuple[tuple[int, ...], ...]:
    """The cells drawn side by side, walls or not: a way of walking says itself what stops it."""
    found = list(chart.steps)
    for (here, there), mark in chart.borders.items():
        if mark == WALL:
            found[here] |= 1 << there
    return tuple(tuple(cells_in(cells)) for cells in found)


def maps_of(layout: Layout) -> dict[int | None, Map]:
    """The map that is always there, under none, and the maps of chapters that have a plan."""
    always = [_board_of(plan["rows"], bool(plan["ring"]), {}, layout) for plan in layout.content["plans"]]
    maps: dict[int | None, Map] = {}
    for thing in layout.things:
        if not layout.is_a(thing.kind, "Chapter"):
            continue
        rows = _plan_of(thing.source)
        if rows is not None:
            staged = _board_of(rows, False, dict(_borders(thing.source)), layout)
            maps[thing.number] = _merged([*always, staged], layout)
    if always or maps:
        maps[None] = _merged(always, layout)
    return maps


def grid_rules(grid: IR) -> Rules:
    """How the squares of a grid touch."""
    fields = grid.get("fields", {})
    ways = {i["v"] for i in fields.get("steps", {"items": []})["items"]}
    corners = fields.get("corners", {}).get("v", "open")
    return Rules(squares=True, diagonal=not ways or "diagonal" in ways, corners_open=corners == "open")


def _plan_of(source: IR) -> Any:
    for value in source.get("fields", {}).values():
        if isinstance(value, dict) and value.get("op") == "rows":
            return value["rows"]
    return None


def _borders(source: IR) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The pairs of neighbours a drawing marks, by the field that lists them; `walls` are walls."""
    for name, value in source.get("fields", {}).items():
        if not isinstance(value, dict) or value.get("op") != "set":
            continue
        pairs = [(i["a"].get("id"), i["b"].get("id")) for i in value["items"] if i.get("op") == "pair"]
        if pairs:
            yield (WALL if name in ("wall", "walls") else name), pairs


def _names(rows: Iterable[Iterable[Any]]) -> list[list[str]]:
    return [[c if isinstance(c, str) else "".join(c) for c in row] for row in rows]


def _board_of(rows: Any, ring: bool, borders: dict[str, list[tuple[str, str]]], layout: Layout) -> Board:
    names = _names(rows)
    plain = {name.rstrip("<>^") for row in names for name in row if name != "."}
    try:
        if all(layout.is_a(layout.things[layout.number[n]].kind, "Place") for n in plain):
            if ring:
                return ring_to_zones([n for row in names for n in row if n != "."])
            return rows_to_zones(names, borders)
        tiles = {name: _tile(layout.things[layout.number[name]].source) for name in plain}
        return tiles_to_zones(names, tiles, borders, layout.number)
    except SpaceError as error:
        raise LoadError(f"a map cannot be drawn: {error}") from None
    except KeyError as error:
        raise LoadError(f"a map names {error}, which does not exist") from None


def _tile(source: IR) -> ZoneTile:
    rows = _plan_of(source)
    if rows is None:
        raise LoadError(f"`{source['id']}` lies on a map but has no plan")
    closed = source.get("fields", {}).get("closed", {"items": []})
    sides = frozenset(i["id"] for i in closed["items"])
    borders = {mark: tuple(pairs) for mark, pairs in _borders(source)}
    return ZoneTile(tuple(tuple(row) for row in _names(rows)), sides, borders)


def _merged(boards: list[Board], layout: Layout) -> Map:
    """Several drawings as one map, far apart from each other."""
    if len(boards) == 1:
        chart = boards[0].chart
        return chart, [layout.number[str(name)] for name in chart.names]
    board = Board(Rules())
    draft = board.draft()
    places: list[int] = []
    for index, part in enumerate(boards):
        first = len(places)
        for name, squares in zip(part.chart.names, part.chart.squares, strict=True):
            draft.add_cell(name, [(x + 10_000 * index, y) for x, y in squares])
            places.append(layout.number[str(name)])
        for cell, ways in enumerate(part.chart.steps):
            draft.steps[first + cell] |= ways << first
        for (here, there), mark in part.chart.borders.items():
            draft.borders[first + here, first + there] = mark
        for piece in part.chart.pieces.values():
            draft.add_piece(replace(piece, cells=piece.cells << first))
    board.adopt(draft)
    return board.chart, places
