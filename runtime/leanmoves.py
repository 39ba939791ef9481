"""Moves written where they happen: what is known of thing and container is not asked again in play."""

from __future__ import annotations

from dataclasses import dataclass

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, Pile
from talewright.runtime.leanactions import LeanActions
from talewright.runtime.shortcuts import simple

SINGLE = ("move", "place", "put", "put_at", "put_on", "remove", "discard")


@dataclass(frozen=True, slots=True)
class Target:
    """Where something goes: the container as Python, what all containers meant have in common."""

    text: str
    maybe: bool
    deck: bool
    face: int | None
    most: int | None
    piles: frozenset[int]


@dataclass(frozen=True, slots=True)
class Source:
    """Where something comes from, if one container is sure to hold it."""

    text: str
    piles: frozenset[int]


# So many things are moved one by one without a thought.
FEW = 20


class LeanMoves(LeanActions):
    """Writes moves and draws as statements; what it cannot be sure of goes through the kernel."""

    # -------------------------------------------------------------- what is known
    @property
    def moves_plainly(self) -> bool:
        """Whether a move is nothing but a change of containers."""
        return self.lean and self.settled

    def target(self, args: IR, code: Code) -> Target | None:
        """The container a move leads to, if all that can be meant are alike."""
        ir = next((args[part] for part in ("to", "at", "into", "on", "under") if part in args), None)
        piles = self.layout.piles
        if ir is None:
            return None if self.content["tokens"] else Target("BOX", False, False, 1, None, frozenset((0,)))
        meant = self._meant(ir, code)
        if meant is None:
            return None
        looks = {(piles[n].form == "deck", self._lying(n), self._most(n)) for n in meant}
        if len(looks) != 1:
            return None
        deck, face, most = looks.pop()
        if most == -1 or (face == 0 and any(self._seat_owns(n) for n in meant)):
            return None
        text = self.pile_text(ir, code)
        if text.startswith("destination("):
            if self.maybe(ir, code) or not self._place(ir, code):
                return Target(text, True, deck, face, most, meant)
            text = f"OCCUPANTS[{text[12:-1]}]"
        return Target(text, ir["op"] == "field" and self.maybe(ir["of"], code), deck, face, most, meant)

    def _place(self, ir: IR, code: Code) -> bool:
        kind = self.kinds.of(ir, code.kinds)
        return kind is not None and self.layout.is_a(kind, "Place")

    def _meant(self, ir: IR, code: Code) -> frozenset[int] | None:
        layout = self.layout
        if ir["op"] == "pile":
            return frozenset((layout.pile_number[ir["id"]],))
        if ir["op"] == "field":
            found = layout.fields.get((ir["owner"], ir["name"]))
            if found is None:
                return None
            if found.tag == "pile":
                return frozenset(
                    p.number
                    for p in layout.piles
                    if p.field == ir["name"]
                    and p.owner is not None
                    and layout.is_a(layout.things[p.owner].kind, ir["owner"])
                )
        if ir["op"] == "thing":
            pile = layout.occupants.get(layout.number[ir["id"]])
            return None if pile is None else frozenset((pile,))
        if ir["op"] == "area" or not layout.occupants or (ir["op"] == "local" and ir["n"] in code.effects):
            return None
        return (
            frozenset(layout.occupants.values()) if ir["op"] in ("local", "prop", "first", "field") else None
        )

    def _lying(self, number: int) -> int | None:
        pile = self.layout.piles[number]
        return None if pile.form == "place" else self.face_of(pile.form, pile.source)

    def _most(self, number: int) -> int | None:
        limit = self.layout.piles[number].source.get("max")
        if limit is None:
            return None
        return int(limit["value"]["v"]) if limit["value"]["op"] == "int" else -1

    def _seat_owns(self, number: int) -> bool:
        """Whether somebody learns what comes into a container; so they do of the hand of a thing they decide for."""
        pile = self.layout.piles[number]
        if pile.owner is None:
            return False
        kind = self.layout.things[pile.owner].kind
        return kind in self.layout.seats or (pile.form == "hand" and self.role_field(kind) is not None)

    # -------------------------------------------------------------- writing a move
    def s_core_call(self, ir: IR, code: Code) -> None:
        verb, args = ir["verb"], ir["args"]
        done = False
        if self.moves_plainly and not self.core_hooks.get(verb):
            if verb == "move_count":
                done = self._moved_from_top(args, code)
            elif verb in SINGLE and "from" not in args:
                done = self._moved(ir, args, code)
        if not done:
            super().s_core_call(ir, code)

    def _moved(self, ir: IR, args: IR, code: Code) -> bool:
        if ir["verb"] == "discard" and "to" not in args:
            return False
        first = args["first"]
        if ir["verb"] == "remove" and first["op"] not in (
            "local",
            "content",
            "items",
            "thing",
            "self",
            "value",
        ):
            return False
        kind = self.kinds.of(first, code.kinds)
        target = self.target(args, code)
        if kind is None or target is None or (target.face == 0 and self.kinds.held_loosely(kind)):
            return False
        if ir.get("many"):
            return self._move_all(first, kind, target, code)
        if first["op"] in ("content", "pile_top") and not self.maybe(first["of"], code):
            source = self._source(first["of"], code)
            if source is not None:
                self._move_top(source, kind, target)
                return True
        thing = self.x(first, code)
        if not (thing.isidentifier() or thing.isdigit()):
            name = self.writer.fresh("t")
            self.line(f"{name} = {thing}")
            thing = name
        self._move_one(thing, self.maybe(first, code), kind, target)
        return True

    def _source(self, ir: IR, code: Code) -> Source | None:
        if ir["op"] not in ("pile", "field"):
            return None
        meant = self._meant(ir, code)
        return None if meant is None else Source(self.x(ir, code), meant)

    def _named(self, target: Target) -> tuple[str, list[str]]:
        """The container under a simple name, and what must hold of it."""
        if simple(target.text) and not target.maybe:
            return target.text, []
        name = self.writer.fresh("t")
        self.line(f"{name} = {target.text}")
        return name, [f"{name} is not None"] if target.maybe else []

    def _room(self, pile: str, target: Target) -> list[str]:
        if target.most is None:
            return []
        return [f"not ITEMS[{pile}]" if target.most == 1 else f"len(ITEMS[{pile}]) < {target.most}"]

    def _move_one(self, thing: str, maybe: bool, kind: str, target: Target) -> None:
        pile, tests = self._named(target)
        if maybe:
            tests.insert(0, f"{thing} is not None")
        old = self.writer.fresh("t")
        tests.append(f"({old} := LOC[{thing}]) != {pile}")
        with self.writer.block(f"if {' and '.join([*tests, *self._room(pile, target)])}:"):
            self.line(f"ITEMS[{old}].remove({thing})")
            self._arrive(thing, kind, pile, target, old)

    def _arrive(self, thing: str, kind: str, pile: str, target: Target, old: str) -> None:
        add = f"insert(0, {thing})" if target.deck else f"append({thing})"
        self.line(f"ITEMS[{pile}].{add}")
        self.line(f"LOC[{thing}] = {pile}")
        self._turn(thing, kind, target.face)
        self._look(thing, kind, pile, target, old)

    def _turn(self, thing: str, kind: str, face: int | None, drawn: bool = False) -> None:
        if face is None or self.kinds.always_open(kind):
            return
        if face and not drawn and not self.kinds.turns:
            # What lies open is known to everybody.
            with self.writer.block(f"if not UP[{thing}]:"):
                self.line(f"UP[{thing}] = 1")
                self.line(f"KNOWN[{thing}] = -1")
            return
        self.line(f"UP[{thing}] = {face}")
        if face:
            self.line(f"KNOWN[{thing}] = -1")

    def _look(self, thing: str, kind: str, pile: str, target: Target, old: str) -> None:
        if self.kinds.is_watched(kind):
            # Where it goes it cannot be in force: only what was has to be looked at.
            away = self.kinds.never_in_force(kind, target.piles)
            with self.writer.block(f"if {f'ACTIVE[{thing}]' if away else f'WATCH[{thing}] is not None'}:"):
                self.line(f"look_at({thing})")
        if self.kinds.piles_watched(kind):
            watched = sorted(self.kinds.watched_piles)
            if len(watched) == 1:
                test = f"{old} == {watched[0]}"
                test += f" or {pile} == {watched[0]}" if watched[0] in target.piles else ""
            else:
                test = f"{old} in PILE_WATCH or {pile} in PILE_WATCH"
            with self.writer.block(f"if {test}:"):
                self.line(f"pile_changed({thing}, {old}, {pile})")

    def _move_top(self, source: Source, kind: str, target: Target) -> None:
        """The first thing of a container, which need not be looked for."""
        items = self.writer.fresh("t")
        self.line(f"{items} = ITEMS[{source.text}]")
        with self.writer.block(f"if {items}:"):
            self._move_first(items, source, kind, target)

    def _move_first(self, items: str, source: Source, kind: str, target: Target) -> None:
        pile, tests = self._named(target)
        if source.piles & target.piles:
            tests.append(f"{source.text} != {pile}")
        tests += self._room(pile, target)
        thing = self.writer.fresh("t")

        def move() -> None:
            self.line(f"{thing} = {items}.pop(0)")
            self._arrive(thing, kind, pile, target, source.text)

        if tests:
            with self.writer.block(f"if {' and '.join(tests)}:"):
                move()
        else:
            move()

    def _moved_from_top(self, args: IR, code: Code) -> bool:
        count = args["first"]["v"] if args["first"]["op"] == "int" else 0
        if not 0 < count <= FEW or self.maybe(args["from"], code):
            return False
        source = self._source(args["from"], code)
        target = self.target({"to": args["to"]}, code)
        kind = self.kinds.of(args["from"], code.kinds)
        if source is None or target is None or kind is None:
            return False
        if target.face == 0 and self.kinds.held_loosely(kind):
            return False
        if count == 1:
            self._move_top(source, kind, target)
            return True
        if source.piles & target.piles:
            return False
        with self.writer.block(f"for _ in range({count}):"):
            self._move_top(source, kind, target)
        return True

    def _move_all(self, first: IR, kind: str, target: Target, code: Code) -> bool:
        watched = self.kinds.is_watched(kind) or self.kinds.piles_watched(kind)
        if first["op"] == "items" and target.most is None and not watched:
            source = None if self.maybe(first["of"], code) else self._source(first["of"], code)
            if source is not None and not source.piles & target.piles:
                self._pour(source, kind, target)
                return True
        things = self.listed(first, code)
        pile, tests = self._named(target)
        if tests:
            return False
        thing = self.writer.fresh("t")
        with self.writer.block(f"for {thing} in {things}:"):
            self._move_one(thing, False, kind, target if pile == target.text else _under(target, pile))
        return True

    def _pour(self, source: Source, kind: str, target: Target) -> None:
        """Everything out of one container into another that has room for it."""
        items = self.writer.fresh("t")
        self.line(f"{items} = ITEMS[{source.text}]")
        with self.writer.block(f"if {items}:"):
            pile, tests = self._named(target)
            assert not tests
            thing = self.writer.fresh("t")
            with self.writer.block(f"for {thing} in {items}:"):
                self.line(f"LOC[{thing}] = {pile}")
                self._turn(thing, kind, target.face)
            self.line(
                f"ITEMS[{pile}][:0] = {items}[::-1]" if target.deck else f"ITEMS[{pile}].extend({items})"
            )
            self.line(f"{items}.clear()")

    # -------------------------------------------------------------- drawing
    def block(self, body: list[IR], code: Code) -> None:
        index = 0
        while index < len(body):
            after = body[index + 1] if index + 1 < len(body) else None
            used = self._drawn(body[index], after, code) if self.lean else 0
            if not used:
                self.s(body[index], code)
                used = 1
            index += used

    def _drawn(self, ir: IR, after: IR | None, code: Code) -> int:
        """A draw from a container that is known; with it the move that follows. How many statements that was."""
        if ir["op"] != "let" or ir["value"]["op"] != "core_call" or ir["value"]["verb"] != "draw":
            return 0
        draw = ir["value"]
        args = draw["args"]
        if not self.moves_plainly or self.core_hooks.get("draw") or args.keys() - {"into"} != {"from"}:
            return 0
        if args["from"]["op"] != "pile" or "until" in draw:
            return 0
        number = self.layout.pile_number[args["from"]["id"]]
        pile = self.layout.piles[number]
        kind = self.kinds.of(args["from"], code.kinds)
        watched = kind is None or self.kinds.is_watched(kind) or self.kinds.piles_watched(kind)
        straight = self.target({"into": args["into"]}, code) if "into" in args else None
        if kind is None or (pile.source.get("returning") and straight is None):
            return 0
        if watched if "into" not in args else not self._draws_straight(pile, straight):
            return 0
        self.writer.at = ir.get("at", self.writer.at)
        name = self.bind(code, ir["n"])
        code.maybe.add(ir["n"])
        items = self.writer.fresh("t")
        reshuffles = pile.source.get("reshuffles")
        refills = reshuffles is not None and reshuffles["op"] != "none"
        plainly = self._most(number) is None and not self._seat_owns(number) and not watched
        refill = "refill_plainly" if plainly else "refill"
        place = "0"
        if pile.form == "bag":
            place = f"CHANCE.below({self.const('bag:' + pile.id)}, len({items}))"
        self.line(f"{items} = ITEMS[{number}]")
        there = f"({items} or {refill}({number}))" if refills else items
        if straight is not None:
            self._drawn_into(name, there, f"{items}.pop({place})", kind, straight, str(number))
            return 1
        with self.writer.block(f"if {there}:"):
            self.line(f"{name} = {items}.pop({place})")
            target = self._next_stop(after, ir["n"], code)
            if target is None:
                self._rest(name, kind, _LIMBO)
            else:
                assert after is not None
                self.writer.at = after.get("at", self.writer.at)
                into, tests = self._named(target)
                tests += self._room(into, target)
                if tests:
                    with self.writer.block(f"if {' and '.join(tests)}:"):
                        self._rest(name, kind, _under(target, into))
                    with self.writer.block("else:"):
                        self._rest(name, kind, _LIMBO)
                else:
                    self._rest(name, kind, _under(target, into))
        with self.writer.block("else:"):
            self.line(f"{name} = None")
        return 1 if target is None else 2

    def _draws_straight(self, pile: Pile, target: Target | None) -> bool:
        """Whether a draw into a container needs no second thought; chance may not be asked where there is no room."""
        if target is None or pile.number in target.piles or (pile.loose and target.face == 0):
            return False
        return pile.form != "bag" or (target.most is None and not target.maybe)

    def _drawn_into(self, name: str, there: str, drawn: str, kind: str, target: Target, source: str) -> None:
        """A draw that says where the thing goes: where there is no room, nothing is drawn."""
        pile, tests = self._named(target)
        with self.writer.block(f"if {' and '.join([there, *tests, *self._room(pile, target)])}:"):
            self.line(f"{name} = {drawn}")
            self._arrive(name, kind, pile, target, source)
        with self.writer.block("else:"):
            self.line(f"{name} = None")

    def _rest(self, thing: str, kind: str, target: Target) -> None:
        add = f"insert(0, {thing})" if target.deck else f"append({thing})"
        self.line(f"ITEMS[{target.text}].{add}")
        self.line(f"LOC[{thing}] = {target.text}")
        # Whoever draws a thing has seen it, wherever it goes.
        self._turn(thing, kind, 1, drawn=True)
        if target.face == 0:
            self._turn(thing, kind, 0)

    def _next_stop(self, after: IR | None, number: int, code: Code) -> Target | None:
        if after is None or after["op"] != "core_call" or after["verb"] not in ("move", "place", "put"):
            return None
        args = after["args"]
        if after.get("many") or "from" in args or args["first"] != {"op": "local", "n": number}:
            return None
        if self.core_hooks.get(after["verb"]):
            return None
        return self.target(args, code)


_LIMBO = Target("LIMBO", False, False, 1, None, frozenset())


def _under(target: Target, name: str) -> Target:
    """The same container under another name."""
    return Target(name, False, target.deck, target.face, target.most, target.piles)


__all__ = ["LeanMoves", "Source", "Target"]
