"""Tables, branches and maps asked with a die that do not know all its faces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import key
from talewright.compiler.checks._number_ranges import Taken, table_keys
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import Unit, index, nodes_in
from talewright.compiler.types.model import Type, strip
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]
Faces = list[IR]

# More dice than this give totals that no printed table lists.
_MOST_FACES = 200


def find(context: Context) -> Iterator[Diagnostic]:
    """Rows that miss a face of the die they are asked with, and maps by die that miss a key."""
    dice = {die["id"]: die["faces"] for die in context.content.get("dice", ())}
    tables = {table["id"]: table for table in context.content.get("tables", ())}
    told: set[tuple[str, str]] = set()
    rolls: dict[int, dict[int, IR]] = {}
    found = index(context)
    for node, unit in found.of("table"):
        table = tables.get(node["id"])
        faces = _faces(node["args"][0], unit, dice, rolls)
        if table is None or faces is None or (table["id"], key(faces)) in told:
            continue
        told.add((table["id"], key(faces)))
        missing = _missing(faces, table_keys(context, table))
        if missing:
            yield _finding(context, table["at"], f"the table `{table['id']}`", missing)
    for node, unit in found.of("branch"):
        faces = _faces(node["of"], unit, dice, rolls)
        missing = _missing(faces, node["arms"]) if faces is not None else []
        if missing:
            yield _finding(context, node["at"], "this roll", missing)
    yield from _maps(context)


def _finding(context: Context, at: int, what: str, missing: Faces) -> Diagnostic:
    shown = ", ".join(f"`{face.get('v', face.get('id'))}`" for face in missing[:6])
    more = f" and {len(missing) - 6} more" if len(missing) > 6 else ""
    return CHECK.finding(
        context.span(at),
        f"{what} has no row for {shown}{more}, which the dice can show",
        "add the rows, or end with `otherwise ->`",
    )


def _faces(code: IR, unit: Unit, dice: dict[str, Faces], rolls: dict[int, dict[int, IR]]) -> Faces | None:
    """What the dice behind a piece of code can show, if it is a roll."""
    while code.get("op") in ("pool_total", "die_value", "match"):
        code = code["of"]
    if code.get("op") == "core_call" and code["verb"] == "match":
        code = code["args"]["first"]
    if code.get("op") == "local":
        if unit.number not in rolls:
            rolls[unit.number] = _rolled(unit)
        code = rolls[unit.number].get(code["n"], {})
    if code.get("op") != "core_call" or code["verb"] != "roll" or "until" in code:
        return None
    what = code["args"].get("first", {})
    if what.get("op") == "die":
        return dice.get(what["id"])
    if what.get("op") == "dice" and what["n"] * what["sides"] <= _MOST_FACES:
        return [{"op": "int", "v": n} for n in range(what["n"], what["n"] * what["sides"] + 1)]
    return None


def _rolled(unit: Unit) -> dict[int, IR]:
    """The locals of a piece of code that hold a roll and are never changed."""
    held: dict[int, IR] = {}
    changed: set[int] = set()
    for node in nodes_in(unit.ir):
        if (
            node.get("op") == "let"
            and node["value"].get("op") == "core_call"
            and node["value"]["verb"] == "roll"
        ):
            held[node["n"]] = node["value"]
        elif node.get("op") in ("assign", "change") and node["target"].get("op") == "local":
            changed.add(node["target"]["n"])
    return {number: roll for number, roll in held.items() if number not in changed}


def _missing(faces: Faces, rows: list[IR]) -> Faces:
    taken = Taken()
    named: set[str] = set()
    for row in rows:
        match row["key"]:
            case "otherwise":
                return []
            case "range":
                low, high = row["low"], row["high"]
                if any(bound is not None and bound.get("op") != "int" for bound in (low, high)):
                    return []
                taken.add((low and low["v"], high and high["v"]))
            case "same":
                value = row["value"]
                if value.get("op") == "int":
                    taken.add((value["v"], value["v"]))
                else:
                    named.add(key(value))
            case _:
                return []
    missing = []
    seen: set[str] = set()
    for face in faces:
        if key(face) in seen:
            continue
        seen.add(key(face))
        known = taken.covers((face["v"], face["v"])) if face.get("op") == "int" else key(face) in named
        if not known:
            missing.append(face)
    return missing


def _maps(context: Context) -> Iterator[Diagnostic]:
    for thing in context.content.get("things", ()):
        for name, value in thing.get("fields", {}).items():
            if not isinstance(value, dict) or value.get("op") != "map" or not value["rows"]:
                continue
            found = context.work.field_of(thing["kind"], name)
            span = _key_range(found[0].type) if found is not None else None
            if span is None:
                continue
            keys = {k["v"] for k, _ in value["rows"] if k.get("op") == "int"}
            missing = [n for n in range(span[0], span[1] + 1) if n not in keys]
            if missing and len(keys) == len(value["rows"]):
                shown = ", ".join(map(str, missing[:6]))
                yield CHECK.finding(
                    context.span(thing["at"]),
                    f"`{name}` of `{thing['id']}` has no entry for {shown}",
                    f"give it one for every number from {span[0]} to {span[1]}",
                )


def _key_range(kind: Type) -> tuple[int, int] | None:
    bare = strip(kind)
    if bare.tag != "map" or bare.of[0].tag != "range":
        return None
    low, high = bare.of[0].of
    return (low, high) if high - low <= _MOST_FACES else None


CHECK = Check(
    code="F403",
    name="face-missing",
    severity="warning",
    why="""A roll can show every face of its dice. A table, a branch or a map that is asked with the roll
    must know what to do with each of them; the face left out turns up in play sooner or later, and
    nothing is written for it.""",
    bad="""
    state gold: int = 0
    table find:  # <-
        1..2 -> 0
        3..5 -> 1
    action game:
        let n = do roll d6
        gold + find(n)
    """,
    good="""
    state gold: int = 0
    table find:
        1..2 -> 0
        3..6 -> 1
    action game:
        let n = do roll d6
        gold + find(n)
    """,
    find=find,
)
