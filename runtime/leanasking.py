"""Decisions by a quick chooser, written where they are asked: no labels, no options, no call but the chooser's own."""

from __future__ import annotations

import itertools

from talewright.runtime.codeparts import Code
from talewright.runtime.kinds import thing_kind
from talewright.runtime.layout import IR
from talewright.runtime.leanmoves import LeanMoves
from talewright.runtime.rulecode import Rule

# What the log says of a choice by a quick chooser is made once for each number below this.
OFTEN_TAKEN = 256


class LeanAsking(LeanMoves):
    """Whoever is no quick chooser is asked the long way, through the kernel.

    A quick chooser never sees the id of a decision, so nothing is counted for it.
    """

    @property
    def asks_quickly(self) -> bool:
        """Whether a decision is nothing but a number."""
        return self.lean and not self.interrupted

    def _take(self, index: str, count: str, most: int | None = None) -> None:
        """Takes one of so many; `most` is how many there can be."""
        self.line(f"{index} = int(DRAW() * {count})")
        # Python takes an entry of a plain list much sooner than one of anything that makes what is missing.
        few = most is not None and most <= OFTEN_TAKEN
        unless = "" if few else f" if {index} < {OFTEN_TAKEN} else ('', {index})"
        self.line(f"LOG.append(TAKEN[{index}]{unless})")

    def _most_options(self, ir: IR) -> int | None:
        """How many there can be to choose from, with none of them: no more than there are things of a kind."""
        while ir["op"] in ("filter", "rotate"):
            ir = ir["of"]
        if self.makes or not (ir["op"] in ("kind", "items") or self._gives_a_set_of_things(ir)):
            return None
        return 1 + len(self.layout.of_kind(ir["id"]) if ir["op"] == "kind" else self.layout.things)

    def _gives_a_set_of_things(self, ir: IR) -> bool:
        kind = self.values[ir["id"]]["type"] if ir["op"] == "value" and ir["id"] in self.values else None
        return isinstance(kind, list) and kind[0] == "set" and thing_kind(kind) is not None

    # -------------------------------------------------------------- choosing one
    def _choose(self, ir: IR, code: Code, once: str) -> None:
        mode = ir.get("mode")
        if not self.asks_quickly or mode not in (None, "optional"):
            super()._choose(ir, code, once)
            return
        point = self.point(ir, code, "choose", ir["name"], ir["type"])
        by = self.x(ir["by"], code)
        group = self.group(ir["type"])
        prompt = self.prompt(ir.get("prompt"), code)
        items = self.writer.fresh("ask")
        self.line(f"{items} = {self.x(ir['from'], code)}")
        name = self.bind(code, ir["n"])
        code.maybe.add(ir["n"])
        if ir.get("head") and mode is None:
            with self.writer.block(f"if not {items}:"):
                self.refuse(code, ir)
        with self.writer.block("if QUICK is None:"):
            self.line(f"{name} = pick({point}, {by}, list({items}), {group}, {mode == 'optional'}, {prompt})")
        with self.writer.block("else:"):
            most = self._most_options(ir["from"])
            self._quickly(point, items, name, by, group, mode == "optional", ir, most)

    def _quickly(
        self, point: int, items: str, name: str, by: str, group: int, optional: bool, ir: IR, most: int | None
    ) -> None:
        count, index = self.writer.fresh("t"), self.writer.fresh("t")
        self.line(f"{count} = len({items})")
        if group != -1:
            with self.writer.block(f"if {count} > 1:"):
                self.line(f"{items} = {self._grouping(ir, items, by, group)}")
                self.line(f"{count} = len({items})")
        if optional:
            with self.writer.block(f"if {count}:"):
                self._take(index, f"({count} + 1)", most)
                self.line(f"{name} = {items}[{index}] if {index} < {count} else None")
                self.note_choice(point, ir, by, items, name)
        else:
            with self.writer.block(f"if {count} > 1:"):
                self._take(index, count, most)
                self.line(f"{name} = {items}[{index}]")
                self.note_choice(point, ir, by, items, name)
            with self.writer.block(f"elif {count}:"):
                self.line(f"{name} = {items}[0]")
        with self.writer.block("else:"):
            self.line(f"{name} = None")

    def note_choice(self, point: int, ir: IR, by: str, items: str, name: str) -> None:
        """For programs that keep account of what was chosen among what."""

    def note_offer(self, point: int, found: str, taken: str, passing: bool) -> None:
        """The same for the offers of a menu."""

    def quick_yes(self, point: int) -> str:
        """How a quick chooser is asked for yes or no."""
        return f"(LOG.append(TAKEN[a_{point} := int(DRAW() * 2)]) or a_{point} == 0)"

    def quick_way(self, ways: str, open_: str) -> str:
        """How a quick chooser is asked for one of the open ways on."""
        return f"a_ if LOG.append(('', a_ := int(DRAW() * len({open_})))) is None else 0"

    def _grouping(self, ir: IR, items: str, by: str, group: int) -> str:
        """One of each that looks alike; in an open container without marks, the sort tells all."""
        if group < 0:
            return f"distinct_dice({items})"
        source = ir["from"]
        if source["op"] == "items" and source["of"]["op"] in ("pile", "field") and not self.kinds.turns:
            meant = self._meant(source["of"], Code([]))
            open_ = meant is not None and all(self._lying(n) == 1 for n in meant)
            if open_ and self._unmarked(ir["type"]):
                return f"by_sort({items})"
        return f"grouped({items}, {by}, {group})"

    def _unmarked(self, kind: object) -> bool:
        """Whether nothing but its sort tells a thing of a type from its copies."""
        name = kind[1] if isinstance(kind, list) else ""
        layout = self.layout
        kinds = [k for k in layout.kinds if layout.is_a(k, name)]
        if (
            self.content["traits"]
            or self.content["tokens"]
            or any("cast" in t for t in self.content["things"])
        ):
            return False
        return not any(
            f.mutable_now(self) and any(layout.is_a(k, f.owner) for k in kinds)
            for f in layout.fields.values()
        )

    # -------------------------------------------------------------- yes or no
    def s_may(self, ir: IR, code: Code) -> None:
        if not self.asks_quickly:
            super().s_may(ir, code)
            return
        point = self.point(ir, code, "yes", "may")
        can = self.can_inline(ir["body"], code)
        label = (
            self.prompt(ir["label"], code)
            if "label" in ir
            else self.const(ir.get("verb", "?").replace("_", " "))
        )
        asked = f"may({point}, {self.x(ir['by'], code)}, {label})"
        test = f"({self.quick_yes(point)} if QUICK is not None else {asked})"
        with self.writer.block(f"if {test}:" if can == "True" else f"if {can} and {test}:"):
            self._surely(ir["body"], code)

    def _surely(self, body: list[IR], code: Code) -> None:
        """A block that was just found to be possible: its first call need not ask again."""
        sure = self.sure_call(body[0], code) if body else None
        if sure is None:
            self.block(body, code)
            return
        self.writer.at = body[0].get("at", self.writer.at)
        self.line(sure)
        self.block(body[1:], code)

    def block(self, body: list[IR], code: Code) -> None:
        """What was chosen among the possible is done without asking again."""
        for index, (ir, after) in enumerate(itertools.pairwise(body)):
            if self._chosen_among_possible(ir, after) and self.asks_quickly:
                super().block(body[: index + 1], code)
                self._surely(body[index + 1 :], code)
                return
        super().block(body, code)

    def _chosen_among_possible(self, ir: IR, after: IR) -> bool:
        if ir["op"] != "choose" or "mode" in ir or not ir.get("head") or after["op"] != "call":
            return False
        source = ir["from"]
        if source["op"] != "filter":
            return False
        test = source["test"]
        if test["op"] != "ask" or test["question"] != "possible" or test.get("call", {}).get("op") != "call":
            return False
        chosen = [
            {"op": "local", "n": ir["n"]} if arg == {"op": "local", "n": source["n"]} else arg
            for arg in test["call"]["args"]
        ]
        plain = all(arg is not None and arg["op"] in ("local", "thing", "int") for arg in chosen)
        return plain and test["call"]["action"] == after["action"] and chosen == after["args"]

    # -------------------------------------------------------------- menus
    def s_open(self, ir: IR, code: Code) -> None:
        menu = ir["menu"]
        offers = self.fixed_offers(menu["id"])
        once = "up_to" not in ir or ir["up_to"] == {"op": "int", "v": 1}
        sure = all(not self.maybe(a, code) for a in menu["args"])
        if not self.asks_quickly or not offers or not once or ir.get("until_passed") or not sure:
            super().s_open(ir, code)
            return
        number = next(n for n, m in enumerate(self.content["menus"]) if m["id"] == menu["id"])
        passing = bool(self.content["menus"][number].get("pass")) or "up_to" in ir
        with self.writer.block("if QUICK is None:"):
            super().s_open(ir, code)
        # The question was numbered on the long way.
        point = len(self.points) - 1
        with self.writer.block("else:"):
            args = "".join(f", {self.x(a, code)}" for a in menu["args"])
            by = self.x(ir["by"], code)
            self._open_quickly(point, number, passing, f"{by}{args}")

    def _open_quickly(self, point: int, number: int, passing: bool, args: str) -> None:
        most = len(self.fixed_offers(self.content["menus"][number]["id"]) or ()) + 1
        found, count, index = (self.writer.fresh(prefix) for prefix in ("ask", "t", "t"))
        if self._pages_can_come_again():
            # Every other way round and round leads through a loop, which looks for itself.
            with self.writer.block("if len(LOG) >= GAME.next_look:"):
                self.line("GAME.look_for_progress()")
        self.line(f"{found} = MO{number}({args})")
        with self.writer.block(f"if {found}:"):
            self.line(f"{count} = len({found})")
            if passing:
                self._take(index, f"({count} + 1)", most)
                self.note_offer(point, found, f"{found}[{index}] if {index} < {count} else 'pass'", True)
                with self.writer.block(f"if {index} < {count}:"):
                    self.line(f"MX{number}[{found}[{index}]](None, {args})")
            else:
                self.line(f"{index} = 0")
                with self.writer.block(f"if {count} > 1:"):
                    self._take(index, count, most)
                    self.note_offer(point, found, f"{found}[{index}]", False)
                self.line(f"MX{number}[{found}[{index}]](None, {args})")

    def _pages_can_come_again(self) -> bool:
        """Whether anything in play may lead to a chapter, and not only to an ending."""
        if self._pages_again is None:
            self._pages_again = any(
                self._leads_to_a_chapter(ir)
                for name, bodies in self.regions.bodies.items()
                # The beginning of the game comes once.
                if name != "game/"
                for ir in self.regions.every(bodies)
            ) or any(
                value.get("op") == "edges"
                for thing in self.content["things"]
                for value in thing.get("fields", {}).values()
                if isinstance(value, dict)
            )
        return self._pages_again

    def _leads_to_a_chapter(self, ir: IR) -> bool:
        if ir.get("op") == "core_call":
            return ir["verb"] in ("play", "follow", "chapter", "end_chapter", "run")
        if ir.get("op") != "go_to":
            return False
        target = ir["target"]
        number = self.layout.number.get(target["id"]) if target["op"] == "thing" else None
        return number is None or not self.layout.is_a(self.layout.things[number].kind, "Ending")

    _pages_again: bool | None = None

    def write_menus(self) -> None:
        super().write_menus()
        if not self.asks_quickly:
            return
        for number, menu in enumerate(self.content["menus"]):
            offers = self.fixed_offers(menu["id"])
            if offers:
                rows = [self._write_taken(rule) for rule in offers]
                self.line(f"MX{number} = ({', '.join(rows)},)")

    def _write_taken(self, rule: Rule) -> str:
        """XY does an offer that was just found to be possible."""
        ir = rule.ir
        self.local_names = ir["locals"]
        self.writer.at = ir["at"]
        code = Code([self.local(i) for i in range(len(ir["locals"]))], self_name="self_", verb="menu")
        if not ir["body"] or self.sure_call(ir["body"][0], code) is None:
            return f"X{rule.number}"
        listed = "".join(f", {code.names[n] if n is not None else '_'}" for n in ir["params"])
        with self.writer.block(f"def XY{rule.number}(self_, by_{listed}):"):
            self._surely(ir["body"], code)
        return f"XY{rule.number}"
