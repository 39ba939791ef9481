"""What kind of thing an expression gives, as far as the document says, and where things of a kind can lie."""

from __future__ import annotations

from typing import Any

from talewright.runtime.layout import IR, Pile

MOVES = ("move", "place", "put", "put_at", "put_on", "station", "move_under", "discard", "move_count", "draw")
DESTINATIONS = ("to", "at", "into", "on", "under")
ANYWHERE = "Thing"
# Stands for the bearer among the numbers of locals.
SELF = -1


def thing_kind(kind: Any) -> str | None:
    """The kind of a thing, or of the things of a set or container, by its type."""
    while isinstance(kind, list) and kind[0] in ("optional", "set", "list"):
        kind = kind[2][0]
    if isinstance(kind, list) and kind[0] in ("thing", "pile"):
        return str(kind[1]) or None
    return None


def param_kinds(params: Any) -> dict[int, str | None]:
    """The kinds of parameters by their types."""
    return {p["n"]: thing_kind(p["type"]) for p in params}


class Kinds:
    """What is known of kinds, containers and faces before a game begins."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.layout = program.layout
        self._homes: dict[str, list[int]] = {}
        self._states = {s["id"]: thing_kind(s["type"]) for s in program.content["states"]}
        self._piles = {p["id"]: p.get("kind") for p in program.content["piles"]}
        calls = [
            (ir, locals_)
            for body, locals_ in self._bodies()
            for ir in program.regions.every(body)
            if ir.get("op") == "core_call"
        ]
        self.turns = any(ir["verb"] == "flip" and not self._has_faces(ir["args"]["first"]) for ir, _ in calls)
        self.walkers = {
            self.of(ir["args"].get("first"), locals_) or ANYWHERE
            for ir, locals_ in calls
            if ir["verb"] in MOVES and any(self._is_place(ir["args"].get(part)) for part in DESTINATIONS)
        }
        # Verbs that move things in ways of their own.
        for ir, locals_ in calls:
            if ir["verb"] in ("walk", "stand", "stage", "lay", "join", "clear"):
                self.walkers.add(ANYWHERE)
            if ir["verb"] == "exchange":
                one, other = (self.of(ir["args"][part], locals_) for part in ("first", "with"))
                self.walkers |= {ANYWHERE} if one is None or one != other else set()
        self._also: dict[Any, set[str]] = {}
        for ir, locals_ in calls:
            for part in DESTINATIONS if ir["verb"] in MOVES else ():
                into = ir["args"].get(part)
                moved = self.of(ir["args"].get("first", ir["args"].get("from")), locals_)
                if isinstance(into, dict) and moved is not None:
                    self._also.setdefault(into.get("id", into.get("name")), set()).add(moved)
        self._watched()

    def _bodies(self) -> Any:
        program = self.program
        for name, bodies in program.regions.bodies.items():
            params = param_kinds(program.actions[name]["params"] if name in program.actions else ())
            for body in bodies:
                yield body, self.of_body(body, params)

    def _has_faces(self, ir: IR) -> bool:
        number = self.layout.number.get(ir["id"]) if ir["op"] == "thing" else None
        return number is not None and bool(self.layout.things[number].source.get("faces"))

    def _is_place(self, ir: Any) -> bool:
        if not isinstance(ir, dict) or ir["op"] == "pile":
            return False
        field = self.layout.fields.get((ir.get("owner"), ir.get("name"))) if ir["op"] == "field" else None
        return field is None or field.tag != "pile"

    # -------------------------------------------------------------- expressions
    def of_body(self, body: Any, params: dict[int, str | None]) -> dict[int, str | None]:
        """The kinds of the locals of a body, those of its parameters among them."""
        found = dict(params)
        for ir in self.program.regions.every(body):
            bound: str | None = None
            match ir.get("op"):
                case "let":
                    bound = self.of(ir["value"], found)
                case "choose":
                    bound = thing_kind(ir["type"])
                case "for_each" | "filter" | "each":
                    bound = self.of(ir["of"], found)
                case "assign" if ir["target"]["op"] == "local":
                    found[ir["target"]["n"]] = None
                    continue
                case _:
                    continue
            if "n" in ir:
                # One that is bound to several kinds has none.
                found[ir["n"]] = bound if found.get(ir["n"], bound) == bound else None
        return found

    def of(self, ir: Any, known: dict[int, str | None]) -> str | None:
        """The kind of the thing, or of the things, that an expression gives."""
        if not isinstance(ir, dict):
            return None
        match ir["op"]:
            case "thing":
                return str(self.layout.things[self.layout.number[ir["id"]]].kind)
            case "local":
                return known.get(ir["n"])
            case "self":
                return known.get(SELF)
            case "kind":
                return str(ir["id"])
            case "seat" | "team":
                return str(ir["role"]) if "role" in ir else None
            case "state":
                return self._states.get(ir["id"])
            case "value":
                value = self.program.values.get(ir["id"])
                return None if value is None else thing_kind(value["type"])
            case "pile":
                return self._piles.get(ir["id"])
            case "field":
                field = self.layout.fields.get((ir["owner"], ir["name"]))
                return None if field is None else thing_kind(field.type)
            case "filter" if ir["of"]["op"] == "copies" and ir["test"]["op"] == "lies_in":
                # Copies of a sort that only play knows: the container tells.
                return self.of(ir["test"]["pile"], known)
            case "copies":
                copies = self.layout.sorts.get(ir["of"].get("id", ""), ())
                return str(self.layout.things[copies[0]].kind) if copies else None
            case "filter" | "best" | "sorted" | "first" | "last" | "random" | "items" | "content" | "rotate":
                return self.of(ir["of"], known)
            case "pile_top" | "pile_bottom" | "nth" | "slice":
                return self.of(ir["of"], known)
            case "each":
                return self.of(ir["body"], {**known, ir["n"]: self.of(ir["of"], known)})
            case "core_call" if ir["verb"] == "draw":
                return self.of(ir["args"]["from"], known)
        return None

    # -------------------------------------------------------------- containers
    def pile_kind(self, pile: Pile) -> str | None:
        """The kind that a container takes."""
        if pile.owner is not None and pile.field:
            owner = self.layout.things[pile.owner].kind
            return thing_kind(self.layout.fields_of(owner)[pile.field].type)
        return self._piles.get(pile.id)

    def meet(self, one: str, other: str) -> bool:
        """Whether something can be of both kinds."""
        return any(self.layout.is_a(k, one) and self.layout.is_a(k, other) for k in self.layout.kinds)

    def homes(self, kind: str) -> list[int]:
        """The containers in which things of a kind can lie."""
        known = self._homes.get(kind)
        if known is not None:
            return known
        walks = any(self.meet(kind, walker) for walker in self.walkers)
        found = [len(self.layout.piles), len(self.layout.piles) + 1]
        for pile in self.layout.piles:
            takes = self.pile_kind(pile)
            also = self._also.get(pile.field or pile.id, ())
            fits = takes is None or self.meet(kind, takes) or any(self.meet(kind, k) for k in also)
            if ANYWHERE in self.walkers or (walks if pile.form == "place" else fits):
                found.append(pile.number)
        self._homes[kind] = found
        return found

    def held_loosely(self, kind: str) -> bool:
        """Whether things of a kind can lie face down where only the holder sees which one is taken."""
        piles = self.layout.piles
        found = [piles[n] for n in self.homes(kind) if n < len(piles) and piles[n].loose]
        return any(self.program.face_of(pile.form, pile.source) == 0 for pile in found)

    def always_open(self, kind: str) -> bool:
        """Whether things of a kind never lie face down."""
        if self.turns:
            return False
        piles = self.layout.piles
        return all(
            n >= len(piles)
            or piles[n].form == "place"
            or self.program.face_of(piles[n].form, piles[n].source)
            for n in self.homes(kind)
        )

    # -------------------------------------------------------------- who is looked at
    def _watched(self) -> None:
        program, layout = self.program, self.layout
        self.watched: set[int] = set(looks_of_homes(layout))
        self.watched_piles: set[int] = set()
        wanted = [(cells, kind) for kind, (_, cells) in program.in_force.items()]
        for cells, kind in [*wanted, (program.check_cells, None)]:
            for cell in cells:
                if cell in ("loc:self", "face:self"):
                    self.watched.update(layout.of_kind(kind) if kind else range(len(layout.things)))
                elif cell.startswith("at:"):
                    self.watched_piles.add(int(cell[3:]))
                elif cell.startswith(("loc:", "face:")):
                    self.watched.update(watched_things(layout, cell))
        self._known_homes()

    def _known_homes(self) -> None:
        """Where things are that are in force, for those that are looked at for no other reason."""
        program, layout = self.program, self.layout
        self._in_force_in: dict[int, frozenset[int]] = {}
        others: set[int] = set(looks_of_homes(layout))
        cells = program.check_cells.union(*(reads for _, reads in program.in_force.values()))
        for cell in cells:
            if cell.startswith(("loc:", "face:")) and cell not in ("loc:self", "face:self"):
                others.update(watched_things(layout, cell))
        if program.check_cells & {"loc:self", "face:self"}:
            return
        for kind, (ir, _) in program.in_force.items():
            homes = self._needed_home(ir["if"])
            if homes is None:
                continue
            for thing in layout.of_kind(kind):
                several = sum(k in program.in_force for k in layout.lineage[layout.things[thing].kind]) != 1
                if thing not in others and not several:
                    self._in_force_in[thing] = homes

    def _needed_home(self, ir: IR) -> frozenset[int] | None:
        """The containers of which the bearer must lie in one for a condition to hold, if any can be told."""
        match ir:
            case {"op": "or", "a": a, "b": b}:
                one, other = self._needed_home(a), self._needed_home(b)
                return None if one is None or other is None else one | other
            case {"op": "and", "a": a, "b": b}:
                one, other = self._needed_home(a), self._needed_home(b)
                return other if one is None else one if other is None else one & other
            case {"op": "lies_in", "thing": {"op": "self"}, "pile": {"op": "pile", "id": name}}:
                return frozenset((self.layout.pile_number[name],))
            case {
                "op": "lies_in",
                "thing": {"op": "self"},
                "pile": {"op": "field", "of": {"op": "thing", "id": owner}, "name": name},
            }:
                number = self.layout.number[owner]
                piles = self.layout.piles
                return frozenset(p.number for p in piles if p.owner == number and p.field == name) or None
        return None

    def never_in_force(self, kind: str, piles: frozenset[int]) -> bool:
        """Whether things of a kind are looked at only to be in force, and never are in any of these containers."""
        watched = [t for t in self.watched if self.layout.is_a(self.layout.things[t].kind, kind)]
        homes = self._in_force_in
        return bool(piles) and all(t in homes and homes[t].isdisjoint(piles) for t in watched)

    def is_watched(self, kind: str) -> bool:
        """Whether somebody looks again when a thing of a kind moves."""
        return any(self.layout.is_a(self.layout.things[t].kind, kind) for t in self.watched)

    def piles_watched(self, kind: str) -> bool:
        """Whether somebody looks at a container in which things of a kind can lie."""
        return not self.watched_piles.isdisjoint(self.homes(kind))


def looks_of_homes(layout: Any) -> list[int]:
    """Things that could come to lie inside themselves: they own containers for what owns containers."""
    holders = {p.owner for p in layout.piles if p.owner is not None}
    homes = {kind for t in layout.things if t.number in holders for kind in layout.lineage[t.kind]}
    nesting = (p for p in layout.piles if p.form == "place" or p.source.get("kind") in homes)
    return list(dict.fromkeys(p.owner for p in nesting if p.owner is not None))


def watched_things(layout: Any, cell: str) -> list[int]:
    """The things whose moves a cell stands for."""
    what = cell.partition(":")[2]
    if what.startswith("="):
        return [layout.number[what[1:]]]
    if what in layout.kinds:
        return list(layout.of_kind(what))
    return list(range(len(layout.things)))
