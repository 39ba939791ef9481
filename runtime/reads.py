"""Which cells of the state a condition reads, so that it is looked at only when one of them is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

IR = dict[str, Any]


def reads_of(ir: Any, program: Any) -> set[str]:
    """Cells by name: `loc:self`, `loc:Kind`, `face:...`, `field:Owner.name`, `state:x`, `track:x`, `any`."""
    cells: set[str] = set()
    _walk(ir, program, {}, cells, set())
    return cells


def _walk(ir: Any, program: Any, kinds: dict[int, str], cells: set[str], seen: set[str]) -> None:
    if isinstance(ir, list):
        for item in ir:
            _walk(item, program, kinds, cells, seen)
        return
    if not isinstance(ir, dict):
        return
    op = ir.get("op")
    match op:
        case "filter" | "each" | "best" | "sorted":
            base = ir["of"]
            kind = _kind_of(base, kinds)
            if kind:
                kinds = {**kinds, ir["n"]: kind}
        case "lies_in" | "inside" | "inside_any" | "near" | "adjacent" | "within":
            pile = _one_pile(ir, program)
            cells.add(_loc(ir.get("thing", ir.get("a")), kinds) if pile is None else f"at:{pile}")
            if op in ("near", "adjacent", "within"):
                cells.add(_loc(ir["b"], kinds))
        case "same":
            for side, other in ((ir["a"], ir["b"]), (ir["b"], ir["a"])):
                if side.get("op") == "content" and other.get("op") == "self":
                    cells.add("loc:self")
                    _walk(
                        side["of"]["of"] if side["of"].get("op") == "field" else None,
                        program,
                        kinds,
                        cells,
                        seen,
                    )
                    return
        case "content" | "items" | "pile_top" | "pile_bottom":
            cells.add("loc:any")
        case "prop":
            if ir["name"] in ("place", "holder", "owner", "cell", "spot", "cells"):
                cells.add(_loc(ir["of"], kinds))
        case "is_face":
            cells.add("face:self" if ir["of"].get("op") == "self" else "face:any")
        case "field":
            cells.add(f"field:{ir['owner']}.{ir['name']}")
        case "holds":
            if ir["of"].get("op") == "field" and f"holds {ir['of']['name']}" not in seen:
                seen.add(f"holds {ir['of']['name']}")
                for kept in _conditions(ir["of"]["name"], program):
                    _walk(kept, program, {}, cells, seen)
        case "state" | "track":
            cells.add(f"{op}:{ir['id']}")
        case "chapter":
            cells.add("chapter")
        case "tokens" | "tokens_at":
            cells.add("tokens")
        case "value":
            if ir["id"] not in seen and ir["id"] in program.values:
                seen.add(ir["id"])
                value = program.values[ir["id"]]
                _walk(value.get("value"), program, {}, cells, seen)
                _walk(value.get("body"), program, {}, cells, seen)
                for rule in program.modifiers.get(ir["id"], ()):
                    _walk(rule.ir.get("when"), program, {}, cells, seen)
                    _walk(rule.ir.get("amount"), program, {}, cells, seen)
        case "is_trait" | "bearers":
            cells.add("traits")
        case "during":
            cells.add("frames")
        case "kind":
            cells.add("things")
    for key, item in ir.items():
        if key != "op":
            _walk(item, program, kinds, cells, seen)


def _conditions(name: str, program: Any) -> Iterator[Any]:
    """Every condition that some thing or kind keeps in a field of this name."""
    for thing in program.content["things"]:
        for owner in (thing, *thing.get("faces", ()), *thing.get("cast", ())):
            yield owner.get("fields", {}).get(name)
    for kind in program.content["kinds"]:
        yield kind.get("defaults", {}).get(name)
        for entry in kind.get("fields", ()):
            if entry["name"] == name:
                yield entry.get("default")


def _one_pile(ir: IR, program: Any) -> int | None:
    """The one container whose changes can change the answer, unless the bearer itself is asked about."""
    layout = program.layout
    if program.grid is not None or ir.get("thing", {}).get("op") not in ("local", "thing"):
        return None
    if ir["op"] == "lies_in" and ir["pile"]["op"] == "pile":
        return int(layout.pile_number[ir["pile"]["id"]])
    if ir["op"] == "inside" and ir["where"]["op"] == "thing":
        pile = layout.occupants.get(layout.number[ir["where"]["id"]])
        return None if pile is None else int(pile)
    return None


def _kind_of(ir: IR, kinds: dict[int, str]) -> str:
    if ir["op"] == "kind":
        return str(ir["id"])
    if ir["op"] in ("filter", "best", "sorted"):
        return _kind_of(ir["of"], kinds)
    return ""


def _loc(ir: Any, kinds: dict[int, str]) -> str:
    if not isinstance(ir, dict):
        return "loc:any"
    if ir.get("op") == "self":
        return "loc:self"
    if ir.get("op") == "local" and ir["n"] in kinds:
        return f"loc:{kinds[ir['n']]}"
    if ir.get("op") == "thing":
        return f"loc:={ir['id']}"
    return "loc:any"
