"""Expressions in few operations: places by column, contents by their containers, faces without a pool of dice."""

from __future__ import annotations

import re
from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR
from talewright.runtime.leanactions import something
from talewright.runtime.leanasking import LeanAsking
from talewright.runtime.shortcuts import reads, simple, size_of

TINY = 12


class LeanWords(LeanAsking):
    """Writes expressions and small statements with what is known of kinds and of what can be none."""

    lasts: bool
    place_order: dict[int, int]
    rings: list[list[int]]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._faces: set[str] = set()
        self._same: dict[tuple[str, str], str | None] = {}
        self.begin_menu()

    # -------------------------------------------------------------- conditions
    def c(self, ir: IR, code: Code) -> str:
        """Where only truth is asked, a container that holds something is as good as a yes."""
        if not self.lean:
            return super().c(ir, code)
        match ir["op"]:
            case "and" | "or":
                return f"({self.c(ir['a'], code)} {ir['op']} {self.c(ir['b'], code)})"
            case "not":
                held = self._held(ir["of"], code)
                if held is not None:
                    return held
                if ir["of"]["op"] in ("and", "or", "not"):
                    return f"(not {self.c(ir['of'], code)})"
            case "any" if ir["of"]["op"] == "items" and not self.maybe(ir["of"]["of"], code):
                return self.x(ir["of"], code)
        return super().c(ir, code)

    def _held(self, ir: IR, code: Code) -> str | None:
        """The container whose content is asked for, or that is asked to be empty."""
        pile = None
        if (ir["op"] == "is_none" and ir["of"]["op"] == "content") or (
            ir["op"] == "is_empty" and ir["of"]["op"] == "items"
        ):
            pile = ir["of"]["of"]
        if pile is None or self.maybe(pile, code):
            return None
        return f"ITEMS[{self.x(pile, code)}]"

    def x_and(self, ir: IR, code: Code) -> str:
        return (
            f"({self.x(ir['a'], code)} and {self.x(ir['b'], code)})" if self.lean else super().x_and(ir, code)
        )

    def x_or(self, ir: IR, code: Code) -> str:
        return (
            f"({self.x(ir['a'], code)} or {self.x(ir['b'], code)})" if self.lean else super().x_or(ir, code)
        )

    # -------------------------------------------------------------- what can be none
    def maybe(self, ir: IR, code: Code) -> bool:
        if self.lean and not self.makes and ir["op"] in ("first", "last"):
            of = ir["of"]["of"] if ir["of"]["op"] == "rotate" else ir["of"]
            if of["op"] == "kind" and self.layout.of_kind(of["id"]):
                return False
        if ir["op"] == "prop" and ir["name"] == "owner" and self.lean and self.owned(ir["of"], code):
            return False
        return super().maybe(ir, code)

    def s_if(self, ir: IR, code: Code) -> None:
        """In a branch that asks whether a local is something, it is."""
        if not self.lean or len(ir["branches"]) != 1:
            super().s_if(ir, code)
            return
        sure = something(ir["branches"][0][0]) & code.maybe
        if not sure or ir["otherwise"] or self.regions.settled(ir["branches"][0][0]) is not None:
            super().s_if(ir, code)
            return
        test = self.c(ir["branches"][0][0], code)
        code.maybe -= sure
        self.nested(ir["branches"][0][1], code, f"if {test}:")
        code.maybe |= sure

    def s_requires(self, ir: IR, code: Code) -> None:
        super().s_requires(ir, code)
        if self.lean:
            code.maybe -= something(ir["if"])

    # -------------------------------------------------------------- fields and owners
    def x_field(self, ir: IR, code: Code) -> str:
        same = self._always(ir) if self.lean and not self.makes and not self.maybe(ir["of"], code) else None
        return super().x_field(ir, code) if same is None else same

    def _always(self, ir: IR) -> str | None:
        """What a field holds that holds the same for everybody for the whole game."""
        key = (ir["owner"], ir["name"])
        if key not in self._same:
            self._same[key] = self._found_always(ir)
        return self._same[key]

    def _found_always(self, ir: IR) -> str | None:
        found = self.layout.fields.get((ir["owner"], ir["name"]))
        if found is None or found.tag not in ("truth", "int", "range", "words") or "track" in found.source:
            return None
        if found.first in self.modifiers or found.first in self.dynamic_values or self.lasts:
            return None
        if self.regions.written("field", ir["name"]):
            return None
        values = {
            (value["op"], value.get("v")) if value is not None else None
            for thing in self.layout.things
            if self.layout.is_a(thing.kind, ir["owner"])
            for value in [self.field_value(thing, ir["name"], found)]
        }
        only = values.pop() if len(values) == 1 else None
        if only is None or only[0] not in ("truth", "int", "word"):
            return None
        return self.const(only[1])

    def owned(self, ir: IR, code: Code) -> bool:
        """Whether a thing has an owner from the first for the whole game."""
        kind = self.kinds.of(ir, code.kinds) if self.lean and self.settled else None
        if kind is None or self.maybe(ir, code):
            return False
        return all(t.owner is not None for t in self.layout.things if self.layout.is_a(t.kind, kind))

    # -------------------------------------------------------------- places
    def stands_only(self, ir: IR, code: Code) -> bool:
        """Whether a thing stands on a place itself, or nowhere: never inside what stands there."""
        kind = self.kinds.of(ir, code.kinds) if self.lean and self.settled else None
        if kind is None or self.maybe(ir, code):
            return False
        piles = self.layout.piles
        return all(n >= len(piles) or n == 0 or piles[n].form == "place" for n in self.kinds.homes(kind))

    def x_prop(self, ir: IR, code: Code) -> str:
        if ir["name"] == "place" and self.stands_only(ir["of"], code):
            return f"STANDS_ON[LOC[{self.x(ir['of'], code)}]]"
        if ir["name"] == "owner" and self.owned(ir["of"], code):
            return f"OWNER[{self.x(ir['of'], code)}]"
        return super().x_prop(ir, code)

    def x_inside(self, ir: IR, code: Code) -> str:
        thing, where = ir["thing"], ir["where"]
        at_place = self.lean and where["op"] == "prop" and where["name"] == "place"
        if at_place and not self.maybe(thing, code) and self.stands_only(where["of"], code):
            mover, other = self.x(thing, code), self.x(where["of"], code)
            if simple(mover) and simple(other):
                return f"(LOC[{mover}] == LOC[{other}] and STANDS_ON[LOC[{other}]] is not None)"
        return super().x_inside(ir, code)

    def parts_of(self, ir: IR, code: Code) -> list[str]:
        """Whether somebody stands anywhere at all is asked once, whoever else is asked about."""
        if ir["op"] == "inside" and self.lean:
            text = self.x(ir, code)
            if text.startswith("(LOC[") and " and STANDS_ON[" in text:
                return text[1:-1].split(" and ")
        return super().parts_of(ir, code)

    def x_rotate(self, ir: IR, code: Code) -> str:
        """The order of a kind from every place of its ring on, worked out before play."""
        if not self.lean or self.makes or ir["of"]["op"] != "kind" or not self.settled:
            return super().x_rotate(ir, code)
        things = sorted(
            self.layout.of_kind(ir["of"]["id"]), key=lambda t: (self.place_order.get(t, 10**9), t)
        )
        table: dict[int, list[int]] = {}
        for start in dict.fromkeys([*(t for ring in self.rings for t in ring), *things]):
            ring = next((r for r in self.rings if start in r), things)
            at = ring.index(start)
            order = ring[at:] + ring[:at] if ir["first"] else ring[at + 1 :] + ring[: at + 1]
            table[start] = [t for t in order if t in things]
        return (
            f"{self.writer.things(table)}.get({self.x(ir['from'], code)}, {self.kind_list(ir['of']['id'])})"
        )

    # -------------------------------------------------------------- sets
    def x_filter(self, ir: IR, code: Code) -> str:
        """Filters of filters as one loop; what does not change from item to item is worked out once."""
        if not self.lean:
            return super().x_filter(ir, code)
        steps: list[tuple[IR, Code]] = []
        node, now = ir, code
        opened = len(self._written_out)
        while True:
            if node["op"] == "filter":
                steps.append((node, now))
                node = node["of"]
                continue
            seen, inner = self._seen_through(node, now)
            if seen is node or seen["op"] != "filter":
                break
            self._written_out.append(node["id"])
            node, now = seen, inner
        of_owner = self._by_owner_of(node, steps)
        source = self.iterable(node, now) if of_owner is None else of_owner
        name = self.bind(code, ir["n"])
        hoists: list[tuple[str, str]] = []
        parts: list[str] = []
        for step, inner in reversed(steps):
            before = inner.names[step["n"]] if step["n"] < len(inner.names) else None
            self.bind(inner, step["n"])
            inner.names[step["n"]] = name
            if of_owner is None or step is not steps[-1][0]:
                parts.extend(self.parts_of(self._asked_once(step["test"], step["n"], inner, hoists), inner))
            if before is not None and inner is not code:
                inner.names[step["n"]] = before
        del self._written_out[opened:]
        own = re.compile(rf"\b{name}\b")
        parts = [p for p in dict.fromkeys(parts) if p not in ("True", "(True)")]
        inner_parts = [p for p in parts if own.search(p) or ":=" in p or any(w in p for w, _ in hoists)]
        inner_parts = [p for p in inner_parts if f"ITEMS[{p[len(name) + 10 : -1]}]" != source]
        outer = [
            p for p in parts if not own.search(p) and ":=" not in p and not any(w in p for w, _ in hoists)
        ]
        test = f" if {' and '.join(inner_parts)}" if inner_parts else ""
        ahead = "".join(f"for {w} in ({text},) " for w, text in hoists)
        made = f"[{name} {ahead}for {name} in {source}{test}]"
        return f"({made} if {' and '.join(outer)} else [])" if outer else made

    def _by_owner_of(self, node: IR, steps: list[tuple[IR, Code]]) -> str | None:
        """All things of a kind that belong to somebody, where that never changes: a table of them."""
        step, code = steps[-1]
        test, it = step["test"], {"op": "local", "n": step["n"]}
        if node["op"] != "kind" or test["op"] != "same" or self.makes or not self.settled:
            return None
        mine = {"op": "prop", "name": "owner", "of": it}
        other = test["b"] if test["a"] == mine else test["a"] if test["b"] == mine else None
        things = [t for t in self.layout.things if self.layout.is_a(t.kind, node["id"])]
        if other is None or reads(other, step["n"]) or any(t.owner is None for t in things):
            return None
        table: dict[int | None, list[int]] = {}
        for number in self.layout.of_kind(node["id"]):
            table.setdefault(self.layout.things[number].owner, []).append(number)
        if any(number in self.place_order for numbers in table.values() for number in numbers):
            return None
        return f"{self.writer.things(table)}.get({self.x(other, code)}, ())"

    def _asked_once(self, test: IR, number: int, code: Code, ahead: list[tuple[str, str]]) -> IR:
        """A test in which sets that are the same for every item have names; they are worked out ahead."""
        if test["op"] == "and":
            parts = {side: self._asked_once(test[side], number, code, ahead) for side in ("a", "b")}
            return {**test, **parts}
        made_anew = test["op"] == "member" and test["of"]["op"] in ("each", "filter", "value")
        if not made_anew or test["item"] != {"op": "local", "n": number} or reads(test["of"], number):
            return test
        name = self.writer.fresh("w")
        ahead.append((name, self.iterable(test["of"], code)))
        return {**test, "op": "among", "name": name}

    def x_among(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['item'], code)} in {ir['name']})"

    def x_first(self, ir: IR, code: Code) -> str:
        """The first of contents is the content of the first container that holds something."""
        each, inner = self._seen_through(ir["of"], code)
        if self.lean and each["op"] == "each" and each["body"]["op"] == "content" and not each.get("flat"):
            name = self.bind(inner, each["n"])
            if not self.maybe(each["body"]["of"], inner) and not self.plainly:
                free = sorted(self.free_names(each, inner))
                function, items = self.writer.fresh("q"), self.writer.fresh("w")
                lines = [
                    f"def {function}({', '.join(free)}):",
                    f"    for {name} in {self.iterable(each['of'], inner)}:",
                    f"        if ({items} := ITEMS[{self.x(each['body']['of'], inner)}]):",
                    f"            return {items}[0]",
                    "    return None",
                ]
                self.hoisted.append(lines)
                return f"{function}({', '.join(free)})"
        return super().x_first(ir, code)

    def _search(self, ir: IR, code: Code, found: str, end: str, begin: str = "") -> str:
        if not self.lean:
            return super()._search(ir, code, found, end, begin)
        ahead: list[tuple[str, str]] = []

        def asked(node: IR) -> IR:
            self.bind(code, node["n"])
            of = asked(node["of"]) if node["of"]["op"] == "filter" else node["of"]
            return {**node, "of": of, "test": self._asked_once(node["test"], node["n"], code, ahead)}

        text = super()._search(asked(ir), code, found, end, begin)
        lines = self.hoisted[-1]
        for name, worked in reversed(ahead):
            lines.insert(1, f"    {name} = {worked}")
        return text

    def x_includes(self, ir: IR, code: Code) -> str:
        """Sorts among the things of a container are counted by sort."""
        of, items = ir["of"], ir["items"]
        found = (
            self.layout.fields.get((items.get("owner"), items.get("name")))
            if items["op"] == "field"
            else None
        )
        if self.lean and of["op"] == "items" and found is not None and _of_sorts(found.type):
            return f"includes_sorts({self.x(of, code)}, {self.x(items, code)})"
        return super().x_includes(ir, code)

    # -------------------------------------------------------------- containers
    def x_content(self, ir: IR, code: Code) -> str:
        if self.lean and not self.plainly and self.maybe(ir["of"], code):
            of = ir["of"]
            found = self.layout.fields.get((of["owner"], of["name"])) if of["op"] == "field" else None
            if found is not None and self.maybe(of["of"], code):
                base, name, items = (self.temporary(code) for _ in range(3))
                asked = f"({base} := {self.x(of['of'], code)}) is not None"
                held = f"({name} := F{found.number}[{base}]) is not None and ({items} := ITEMS[{name}])"
                return f"({items}[0] if {asked} and {held} else None)"
            pile = self.x(of, code)
            if not pile.isdigit():
                name, items = self.temporary(code), self.temporary(code)
                return (
                    f"({items}[0] if ({name} := {pile}) is not None and ({items} := ITEMS[{name}]) else None)"
                )
        return super().x_content(ir, code)

    def x_each(self, ir: IR, code: Code) -> str:
        body = ir["body"]
        if self.lean and not self.plainly and not ir.get("flat") and body["op"] == "content":
            source = self.iterable(ir["of"], code)
            name = self.bind(code, ir["n"])
            if not self.maybe(body["of"], code):
                items = self.temporary(code)
                return (
                    f"[{items}[0] for {name} in {source} if ({items} := ITEMS[{self.x(body['of'], code)}])]"
                )
        return super().x_each(ir, code)

    # -------------------------------------------------------------- values with modifiers
    def x_value(self, ir: IR, code: Code) -> str:
        """While no modifier is in force, a small value is what it says."""
        value = self.values.get(ir["id"])
        if not self.lean or value is None or ir["id"] not in self.dynamic_values or "value" not in value:
            return super().x_value(ir, code)
        if value.get("chapter") or size_of(value["value"]) > TINY or ir["id"] in self._written_out:
            return super().x_value(ir, code)
        inner = self._inner(
            value["locals"], zip(value["params"], ir["args"], strict=True), code, value["value"]
        )
        if inner is None:
            return super().x_value(ir, code)
        number = self.value_number(ir["id"])
        self._written_out.append(ir["id"])
        text = self.x(value["value"], inner)
        self._written_out.pop()
        return f"({super().x_value(ir, code)} if M{number} else {text})"

    def write_value(self, number: int, value: IR) -> None:
        super().write_value(number, value)
        rules: list[Any] = list(self.modifiers.get(value["id"], ()))
        changes = {rule.ir["change"] for rule in rules}
        if not self.lean or value["id"] not in self.dynamic_values or not changes <= {"+", "-", "="}:
            return
        # The last `=` that counts now, then sums, which need no order.
        params = [self.local(n) for n in value["params"]]
        listed = ", ".join(params)
        amount = f"e_[2]({', '.join(['e_[1]', *params])})"
        with self.writer.block(f"def V{number}({listed}):"):
            if "=" in changes:
                with self.writer.block(f"for e_ in reversed(M{number}):"):
                    test = f"e_[4] == '=' and (m_ := {amount}) is not NOT_NOW"
                    with self.writer.block(f"if {test}:"):
                        self.line("r_ = m_[0]")
                        self.line("break")
                with self.writer.block("else:"):
                    self.line(f"r_ = B{number}({listed})")
            else:
                self.line(f"r_ = B{number}({listed})")
            if changes & {"+", "-"}:
                with self.writer.block(f"for e_ in M{number}:"):
                    sums = "e_[4] != '=' and " if "=" in changes else ""
                    with self.writer.block(f"if {sums}(m_ := {amount}) is not NOT_NOW:"):
                        self.line("r_ = r_ - m_[0] if e_[4] == '-' else r_ + m_[0]")
            self.line("return r_")

    # -------------------------------------------------------------- numbers
    def s_assign(self, ir: IR, code: Code) -> None:
        """What is only copied does not grow."""
        if self.lean and ir["value"]["op"] in ("track", "count", "state"):
            self.write(ir["target"], self.value_of(ir["value"], code), code, False)
            if ir["target"]["op"] == "local" and self.maybe(ir["value"], code):
                code.maybe.add(ir["target"]["n"])
            return
        super().s_assign(ir, code)

    def _comparison(self, ir: IR, code: Code) -> str:
        if self.lean and any(ir[side]["op"] == "core" and ir[side]["fn"] == "room" for side in ("a", "b")):
            a, b = self.x(ir["a"], code), self.x(ir["b"], code)
            if all(text.isdigit() or text.startswith("(") for text in (a, b)):
                return f"({a} {_SIGNS[ir['op']]} {b})"
        return super()._comparison(ir, code)

    x_eq = x_ne = x_lt = x_le = x_gt = x_ge = _comparison

    # -------------------------------------------------------------- dice
    def core_roll(self, ir: IR, args: IR, code: Code) -> str:
        """A single die without numbers gives its face."""
        faces = self._plain_faces(ir)
        if faces is None:
            return super().core_roll(ir, args, code)
        stream = self.const(f"die:{args['first']['id']}:None")
        return f"{self.const(faces)}[CHANCE.below({stream}, {len(faces)})]"

    def _plain_faces(self, ir: IR) -> tuple[Any, ...] | None:
        if not self.lean or ir["op"] != "core_call" or ir["verb"] != "roll" or self.core_hooks.get("roll"):
            return None
        args = ir["args"]
        if args.keys() != {"first"} or args["first"]["op"] != "die" or self.counts_rolls or "until" in ir:
            return None
        die = next(d for d in self.layout.content["dice"] if d["id"] == args["first"]["id"])
        faces = tuple(self.face(f) for f in die["faces"])
        return None if any(isinstance(face, int) for face in faces) else faces

    def s_let(self, ir: IR, code: Code) -> None:
        super().s_let(ir, code)
        if self._plain_faces(ir["value"]) is not None:
            code.faces.add(ir["n"])
            code.maybe.discard(ir["n"])

    def arm_test(self, arm: IR, subject: str, code: Code) -> str:
        if arm["key"] == "same" and "when" not in arm and subject in self._faces:
            return f"{subject} == {self.x(arm['value'], code)}"
        return super().arm_test(arm, subject, code)

    def s_branch(self, ir: IR, code: Code) -> None:
        of = ir["of"]
        if of["op"] == "local" and of["n"] in code.faces:
            # The subject gets the next name.
            self._faces.add(self.writer.next_name("c"))
        super().s_branch(ir, code)

    # -------------------------------------------------------------- copies
    def begin_menu(self) -> None:
        self._containers: dict[str, str] = {}
        self._lies: dict[str, str] = {}

    def _looked_for(self, name: str, text: str) -> str:
        """All offers look once into a container, and what was found there lies there."""
        if not self.lean or not text.startswith("first_copy(ITEMS["):
            return text
        end = text.index("], ")
        pile = text[len("first_copy(ITEMS[") : end]
        if pile not in self._containers:
            self._containers[pile] = self.writer.fresh("t")
            self.line(f"{self._containers[pile]} = lowest_copies(ITEMS[{pile}])")
        copies = self._containers[pile]
        self._lies[name] = pile
        return f"{copies}.get({text[end + 3 : -1]})"

    def x_lies_in(self, ir: IR, code: Code) -> str:
        if self._lies and self._lies.get(self.x(ir["thing"], code)) == self.x(ir["pile"], code):
            return "True"
        return super().x_lies_in(ir, code)

    # -------------------------------------------------------------- effects of fields
    def s_run_effect(self, ir: IR, code: Code) -> None:
        of = ir["of"]
        if self.lean and of["op"] == "field" and self.maybe(of["of"], code):
            base = self.x(of["of"], code)
            found = self.layout.fields.get((of["owner"], of["name"]))
            if found is not None and base.isidentifier():
                args = "".join(f", {self.x(a, code)}" for a in ir["args"])
                with self.writer.block(
                    f"if {base} is not None and (e_ := F{found.number}[{base}]) is not None:"
                ):
                    self.line(f"e_[0]({base}{args})")
                return
        super().s_run_effect(ir, code)

    # -------------------------------------------------------------- faces of cards
    def x_is_face(self, ir: IR, code: Code) -> str:
        """Which side of a card is up is a look into one column."""
        if not self.lean or self.plainly:
            return super().x_is_face(ir, code)
        thing, up = self.x(ir["of"], code), 1 if ir["face"] == "face_up" else 0
        if not self.maybe(ir["of"], code):
            return f"(UP[{thing}] == {up})"
        if simple(thing):
            return f"({thing} is not None and UP[{thing}] == {up})"
        name = self.temporary(code)
        return f"(({name} := {thing}) is not None and UP[{name}] == {up})"

    def s_core_call(self, ir: IR, code: Code) -> None:
        if self.lean and ir["verb"] == "flip" and not self.core_hooks.get("flip") and self._flipped(ir):
            return
        super().s_core_call(ir, code)

    def _flipped(self, ir: IR) -> bool:
        first = ir["args"]["first"]
        number = self.layout.number.get(first["id"]) if first["op"] == "thing" else None
        if number is None or number in self.kinds.watched:
            return False
        thing = self.layout.things[number]
        faces = thing.source.get("faces", ())
        if not faces:
            return False
        fields = self.layout.fields_of(thing.kind)
        columns = sorted({fields[name].number for face in faces for name in face.get("fields", {})})
        now = self.writer.fresh("t")
        self.line(f"{now} = TURNED[{number}] = (TURNED[{number}] + 1) % {max(2, len(faces))}")
        for column in columns:
            self.line(f"F{column}[{number}] = FACES[{number}][{now}][2][{column}]")
        return True


_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _of_sorts(kind: Any) -> bool:
    return isinstance(kind, list) and kind[0] in ("list", "set") and kind[2][0][0] == "sort"
