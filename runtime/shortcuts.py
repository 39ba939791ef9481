"""Shorter code where the document leaves no doubt: small values and gates in place, places by column."""

from __future__ import annotations

import itertools
import re
from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.kinds import thing_kind
from talewright.runtime.layout import IR
from talewright.runtime.makecode import MakeCode
from talewright.runtime.rulecode import Rule

SMALL = 30
CALLS = ("call", "core_call", "run_effect")


class Shortcuts(MakeCode):
    """Writes the same meaning with fewer calls; everything it cannot be sure of goes the common way."""

    offers: dict[str, list[Rule]]
    once_cells: dict[str, int]
    written_fields: set[str] | None = None
    lean: bool

    def begin_shortcuts(self) -> None:
        """Nothing is known yet."""
        self._written_out: list[str] = []
        self._always_filled: dict[tuple[str, str], bool] = {}
        # What tells whether an effect can be done, by a name of its own and the effect.
        self.effects_known: dict[str, IR] = {}

    @property
    def settled(self) -> bool:
        """Whether things and places are the same for the whole game, and places are no cells of a grid."""
        return not self.makes and self.grid is None

    # -------------------------------------------------------------- fields that are never empty
    def _field_maybe(self, ir: IR) -> bool:
        if not super()._field_maybe(ir):
            return False
        found = self.layout.fields.get((ir["owner"], ir["name"]))
        if found is None or self.makes or self.written_fields is None or self._type_maybe(found.type):
            return True
        key = (ir["owner"], ir["name"])
        if key not in self._always_filled:
            self._always_filled[key] = found.first not in self.written_fields and all(
                (value := self.field_value(thing, ir["name"], found)) is not None
                and value.get("op") != "none"
                for thing in self.layout.things
                if self.layout.is_a(thing.kind, ir["owner"])
            )
        return not self._always_filled[key]

    # -------------------------------------------------------------- places
    def x_prop(self, ir: IR, code: Code) -> str:
        if ir["name"] == "place" and self.settled and not self.maybe(ir["of"], code):
            base = self.x(ir["of"], code)
            if simple(base):
                return f"(STANDS_ON[LOC[{base}]] or prop_place({base}))"
        if ir["name"] == "owner" and not self.makes and not self.maybe(ir["of"], code):
            base = self.x(ir["of"], code)
            if simple(base):
                return f"(OWNER[{base}] if OWNER[{base}] is not None else PILE_OWNER[LOC[{base}]])"
        return super().x_prop(ir, code)

    def x_inside(self, ir: IR, code: Code) -> str:
        thing, where = ir["thing"], ir["where"]
        at_a_place = self.settled and where["op"] == "prop" and where["name"] == "place"
        if at_a_place and not self.maybe(thing, code) and not self.maybe(where["of"], code):
            mover, other = self.x(thing, code), self.x(where["of"], code)
            if simple(mover) and simple(other):
                common = f"inside({mover}, prop_place({other}))"
                return f"(LOC[{mover}] == LOC[{other}] if STANDS_ON[LOC[{other}]] is not None else {common})"
        return super().x_inside(ir, code)

    def x_rotate(self, ir: IR, code: Code) -> str:
        if self.makes or ir["of"]["op"] != "kind":
            return super().x_rotate(ir, code)
        kept = self.writer.things({})
        start = self.x(ir["from"], code)
        common = f"rotated({kept}, {self.x(ir['of'], code)}, {start}, {bool(ir['first'])})"
        return common if ":=" in start else f"({kept}.get({start}) or {common})"

    # -------------------------------------------------------------- sets
    def x_filter(self, ir: IR, code: Code) -> str:
        """What a test asks of others than the item is asked once, before the loop."""
        source = self.iterable(ir["of"], code)
        name = self.bind(code, ir["n"])
        parts = self.parts_of(ir["test"], code)
        if any(":=" in part for part in parts):
            return f"[{name} for {name} in {source} if {' and '.join(parts)}]"
        word = re.compile(rf"\b{name}\b")
        inner = [p for p in parts if word.search(p) and f"ITEMS[{p[len(name) + 10 : -1]}]" != source]
        outer = [p for p in parts if not word.search(p)]
        test = f" if {' and '.join(inner)}" if inner else ""
        text = f"[{name} for {name} in {source}{test}]"
        return f"({text} if {' and '.join(outer)} else [])" if outer else text

    def parts_of(self, ir: IR, code: Code) -> list[str]:
        """A condition as the conditions that must all hold."""
        if ir["op"] == "and":
            return [*self.parts_of(ir["a"], code), *self.parts_of(ir["b"], code)]
        if ir["op"] == "ask" and ir["question"] == "possible" and "call" in ir and ir["call"]["op"] == "call":
            found = self._gate_parts(ir["call"], code)
            if found is not None:
                return found
        if ir["op"] == "value" and ir["id"] in self.values and self._fits(ir["id"], self.values[ir["id"]]):
            value = self.values[ir["id"]]
            inner = self._inner(
                value["locals"], zip(value["params"], ir["args"], strict=True), code, value["value"]
            )
            if inner is not None:
                self._written_out.append(ir["id"])
                found = self.parts_of(value["value"], inner)
                self._written_out.pop()
                return found
        return [self.c(ir, code)]

    def _exists(self, source: IR, code: Code, wanted: bool) -> str:
        """Whether one of a few named containers holds something is asked of each, and no set is made."""
        each, outer = self._seen_through(source, code)
        if each["op"] != "each" or each["body"]["op"] != "content" or each.get("flat"):
            return super()._exists(source, code, wanted)
        items, inner = self._seen_through(each["of"], outer)
        pile = each["body"]["of"]
        if items["op"] != "set" or not 0 < len(items["items"]) <= 4 or pile["op"] != "field":
            return super()._exists(source, code, wanted)
        sure = all(i["op"] != "spread" and not self.maybe(i, inner) for i in items["items"])
        if not sure or self._field_maybe(pile) or pile["of"] != {"op": "local", "n": each["n"]}:
            return super()._exists(source, code, wanted)
        found = self.layout.fields[pile["owner"], pile["name"]]
        held = " or ".join(f"ITEMS[F{found.number}[{self.x(i, inner)}]]" for i in items["items"])
        return f"bool({held})" if wanted else f"(not ({held}))"

    def _seen_through(self, ir: IR, code: Code) -> tuple[IR, Code]:
        """What a small value stands for."""
        if ir["op"] == "value" and ir["id"] in self.values and self._fits(ir["id"], self.values[ir["id"]]):
            value = self.values[ir["id"]]
            inner = self._inner(
                value["locals"], zip(value["params"], ir["args"], strict=True), code, value["value"]
            )
            if inner is not None:
                return value["value"], inner
        return ir, code

    # -------------------------------------------------------------- copies
    def x_first(self, ir: IR, code: Code) -> str:
        source = ir["of"]
        if source["op"] != "filter" or source["of"]["op"] != "copies" or source["test"]["op"] != "lies_in":
            return super().x_first(ir, code)
        thing, pile = source["test"]["thing"], source["test"]["pile"]
        if thing != {"op": "local", "n": source["n"]} or self.maybe(pile, code) or reads(pile, source["n"]):
            return super().x_first(ir, code)
        return f"first_copy(ITEMS[{self.x(pile, code)}], {self.x(source['of']['of'], code)})"

    # -------------------------------------------------------------- values in place
    def x_value(self, ir: IR, code: Code) -> str:
        value = self.values.get(ir["id"])
        if value is None or not self._fits(ir["id"], value):
            return super().x_value(ir, code)
        inner = self._inner(
            value["locals"], zip(value["params"], ir["args"], strict=True), code, value["value"]
        )
        if inner is None:
            return super().x_value(ir, code)
        self._written_out.append(ir["id"])
        text = self.x(value["value"], inner)
        self._written_out.pop()
        return text

    def _fits(self, name: str, value: IR) -> bool:
        """Whether a value is small, has no modifiers, and does not need itself."""
        if (
            "value" not in value
            or value.get("chapter")
            or name in self.modifiers
            or name in self.dynamic_values
        ):
            return False
        return (
            name not in self._written_out and len(self._written_out) < 3 and size_of(value["value"]) <= SMALL
        )

    def _inner(self, names: list[IR], given: Any, code: Code, body: Any) -> Code | None:
        """The code of something written in place: its parameters are the arguments, its locals are new."""
        inner = Code([self.writer.fresh("z") for _ in names], self_name=code.self_name, verb=code.verb)
        for number, arg in given:
            if arg is not None and arg["op"] != "block" and not reads(body, number):
                # Nothing asks for it.
                continue
            if arg is None or arg["op"] not in ("local", "thing", "self", "seat"):
                return None
            text = self.x(arg, code)
            if not simple(text):
                return None
            inner.names[number] = text
            if self.maybe(arg, code):
                inner.maybe.add(number)
            if arg["op"] == "local" and arg["n"] in code.effects:
                inner.effects.add(number)
            if arg["op"] == "local" and arg["n"] in code.sorts:
                inner.sorts[number] = code.sorts[arg["n"]]
            inner.kinds[number] = self.kinds.of(arg, code.kinds)
        inner.kinds = self.kinds.of_body(body, inner.kinds)
        return inner

    # -------------------------------------------------------------- gates in place
    def can(self, ir: IR, code: Code) -> str:
        if ir["op"] == "call":
            parts = self._gate_parts(ir, code)
            if parts is not None:
                return f"({' and '.join(parts)})" if parts else "True"
        return super().can(ir, code)

    def _gate_parts(self, ir: IR, code: Code) -> list[str] | None:
        """What a gate asks, if all of it can stand where the call stands."""
        action = self.actions.get(ir["action"])
        if action is None or len(self._written_out) > 2 or ir["action"] in self._written_out:
            return None
        rules = self.rules_of.get(ir["action"], [])
        if any(rule.ir["rule"] == "instead_of" for rule in rules):
            return None
        tests: list[IR] = []
        named = False
        for statement in action["body"]:
            if statement["op"] == "requires" and not named:
                tests.append(statement["if"])
            elif statement["op"] == "let" and statement["value"]["op"] not in CALLS:
                named = True
            elif statement["op"] in ("requires", "choose"):
                # What is named or chosen in the head belongs to the gate.
                return None
            else:
                break
        if sum(size_of(test) for test in tests) > 2 * SMALL:
            return None
        numbers = [param["n"] for param in action["params"]]
        inner = self._inner(action["locals"], zip(numbers, ir["args"], strict=True), code, tests)
        if inner is None:
            return None
        inner.verb, inner.action = action["verb"], action["id"]
        if action.get("chapter"):
            return None
        parts: list[str] = []
        for param, arg in zip(action["params"], ir["args"], strict=True):
            if self.needs_something(param) and (arg is None or self.maybe(arg, code)):
                return None
        names = [inner.names[n] for n in numbers]
        forbids = [rule for rule in rules if rule.ir["rule"] == "forbid"]
        if forbids and any(
            arg is None or not reads(tests, n) for n, arg in zip(numbers, ir["args"], strict=True)
        ):
            return None
        if forbids:
            parts.append(f"not ({self.forbid_test(action, names, forbids)})")
        self._written_out.append(ir["action"])
        for test in tests:
            parts.extend(self.parts_of(test, inner))
        self._written_out.pop()
        return parts

    def _static_fold(self, rules: list[Any], base: str, params: list[str]) -> None:
        super()._static_fold(
            [rule for rule in rules if not self._turned_off(rule.ir.get("when"))], base, params
        )

    def _turned_off(self, test: IR | None) -> bool:
        return test is not None and test["op"] == "option" and self.layout.options[test["id"]] is False

    # -------------------------------------------------------------- effects of fields
    def s_run_effect(self, ir: IR, code: Code) -> None:
        of = ir["of"]
        if of["op"] == "field" and not self.maybe(of["of"], code):
            base = self.x(of["of"], code)
            found = self.layout.fields.get((of["owner"], of["name"]))
            if found is not None and simple(base):
                args = "".join(f", {self.x(a, code)}" for a in ir["args"])
                with self.writer.block(f"if (e_ := F{found.number}[{base}]) is not None:"):
                    self.line(f"e_[0]({base}{args})")
                return
        super().s_run_effect(ir, code)

    def can_effect(self, ir: IR, code: Code) -> str:
        of = ir["of"]
        if of["op"] == "field" and not self.plainly and not self.maybe(of["of"], code):
            base = self.x(of["of"], code)
            found = self.layout.fields.get((of["owner"], of["name"]))
            if found is not None and simple(base):
                args = "".join(f", {self.x(a, code)}" for a in ir["args"])
                known = self.known_effect(of, found, code)
                if known is not None:
                    return f"{known}({base}{args})"
                name = self.temporary(code)
                return f"(({name} := F{found.number}[{base}]) is not None and {name}[1]({base}{args}))"
        return super().can_effect(ir, code)

    def known_effect(self, ir: IR, found: Any, code: Code) -> str | None:
        """The name of what tells whether an effect can be done, if the sort of its bearer tells which effect it is."""
        sort = code.sorts.get(ir["of"]["n"]) if ir["of"]["op"] == "local" else None
        things = [self.layout.things[n] for n in self.layout.sorts.get(sort, ())] if sort else []
        if not self.lean or self.makes or not things or found.first in (self.written_fields or ()):
            return None
        values = [self.field_value(thing, ir["name"], found) for thing in things]
        if any(value is not values[0] for value in values) or not _is_effect(values[0]):
            return None
        name = f"EC{found.number}_{things[0].number}"
        self.effects_known[name] = values[0]
        return name

    def s_core_call(self, ir: IR, code: Code) -> None:
        if ir["verb"] == "say" and not self.traced and "say" not in self.core_hooks:
            with self.writer.block("if QUICK is None:"):
                super().s_core_call(ir, code)
            return
        super().s_core_call(ir, code)

    def core_draw(self, ir: IR, args: IR, code: Code) -> str:
        text = super().core_draw(ir, args, code)
        return (
            text.replace("draw(", "draw_plainly(", 1)
            if text.startswith("draw(") and not self.traced
            else text
        )

    def count_step(self) -> None:
        if self.traced:
            super().count_step()
            return
        cell = f"S[{self.scalar('steps')}]"
        self.line(f"{cell} += 1")
        with self.writer.block(f"if {cell} > LIMIT:"):
            self.line("step()")

    def s_change(self, ir: IR, code: Code) -> None:
        target, amount = ir["target"], ir["by"]
        if target["op"] == "state" and amount["op"] == "int" and abs(amount["v"]) < 1000:
            # A thousand at a time never reaches the bound within any budget of steps.
            self.line(f"{self.x(target, code)} {'+' if ir['sign'] > 0 else '-'}= {self.const(amount['v'])}")
            self.written(f"state:{target['id']}")
            return
        super().s_change(ir, code)

    def x_core(self, ir: IR, code: Code) -> str:
        if ir["fn"] == "room" and "core:room" not in self.modifiers:
            pile = ir["args"][0]
            most = self._fixed_limit(pile)
            if most is not None and not self.maybe(pile, code):
                return f"({most} - len(ITEMS[{self.x(pile, code)}]))"
        return super().x_core(ir, code)

    def _fixed_limit(self, ir: IR) -> int | None:
        """How much a container holds, if that is a plain number."""
        limit: Any = None
        if ir["op"] == "field":
            found = self.layout.fields.get((ir["owner"], ir["name"]))
            limit = (
                found.source.get("pile", {}).get("max") if found is not None and found.tag == "pile" else None
            )
        return limit["value"]["v"] if limit is not None and limit["value"]["op"] == "int" else None

    # -------------------------------------------------------------- menus
    def write_menus(self) -> None:
        """MO gives the places of the offers that can be taken, for menus whose offers never change."""
        for number, menu in enumerate(self.content["menus"]):
            offers = self.fixed_offers(menu["id"])
            if offers:
                self._write_menu(number, menu, offers)

    def fixed_offers(self, menu: str) -> list[Rule]:
        """The offers of a menu whose offers never change; none if they do."""
        offers = sorted(self.offers.get(menu, ()), key=lambda rule: rule.key)
        changing = any(not rule.static or rule.ir.get("unbound") for rule in offers)
        return [] if changing or menu in self.once_cells else offers

    def _write_menu(self, number: int, menu: IR, offers: list[Rule]) -> None:
        params = [f"a{i}" for i in range(len(menu["params"]))]
        with self.writer.block(f"def MO{number}(by_{''.join(f', {p}' for p in params)}):"):
            self.line("out = []")
            self.begin_menu()
            codes = [self._offer_code(menu, rule, params) for rule in offers]
            keys = [self._looks_into(rule.ir, code) for rule, code in zip(offers, codes, strict=True)]
            for key, group in itertools.groupby(range(len(offers)), keys.__getitem__):
                if key is None:
                    for place in group:
                        self._write_place(place, offers[place].ir, codes[place])
                    continue
                # Nothing of all this can be where nothing lies.
                with self.writer.block(f"if ITEMS[{key}]:"):
                    for place in group:
                        self._write_place(place, offers[place].ir, codes[place])
                self.begin_menu()
            self.line("return out")
        self.line(f"FAST_MENUS[{self.const(menu['id'])}] = MO{number}")

    def _offer_code(self, menu: IR, rule: Rule, params: list[str]) -> Code:
        ir = rule.ir
        code = Code([self.writer.fresh("z") for _ in ir["locals"]], self_name="None", verb="menu")
        for name, local, param in zip(params, ir["params"], menu["params"], strict=True):
            if local is not None:
                code.names[local] = name
                code.kinds[local] = thing_kind(param["type"])
        code.kinds = self.kinds.of_body(ir["body"], code.kinds)
        return code

    def _write_place(self, place: int, ir: IR, code: Code) -> None:
        self.writer.at = ir["at"]
        self.local_names = ir["locals"]
        tests = [self.c(ir["when"], code)] if "when" in ir else []
        body = self._named_arguments(ir["body"], code, tests)
        with self.writer.block(f"if {' and '.join([*tests, self.can_inline(body, code)])}:"):
            self.line(f"out.append({place})")

    def _looks_into(self, ir: IR, code: Code) -> str | None:
        """The container that must hold something for an offer to be there at all."""
        body = ir["body"]
        if not self.lean or "when" in ir or len(body) != 1 or body[0]["op"] != "call":
            return None
        action = self.actions.get(body[0]["action"])
        for arg, param in zip(body[0]["args"], action["params"] if action else (), strict=False):
            if arg is not None and _sort_of(arg) and self.needs_something(param):
                test = arg["of"]["test"]
                if (
                    test["op"] == "lies_in"
                    and test["pile"]["op"] == "field"
                    and not self.maybe(test["pile"], code)
                ):
                    return self.x(test["pile"], code)
        return None

    def begin_menu(self) -> None:
        """The offers of another menu are written now."""

    def _looked_for(self, name: str, text: str) -> str:
        return text

    def _named_arguments(self, body: list[IR], code: Code, tests: list[str]) -> list[IR]:
        """Arguments that are worked out get a name, so that they are worked out once."""
        if tests or len(body) != 1 or body[0]["op"] != "call" or body[0]["action"] not in self.actions:
            return body
        args: list[IR | None] = []
        for arg, param in zip(body[0]["args"], self.actions[body[0]["action"]]["params"], strict=True):
            if arg is None or arg["op"] != "first":
                args.append(arg)
                continue
            name = self.writer.fresh("z")
            self.line(f"{name} = {self._looked_for(name, self.x(arg, code))}")
            code.kinds = {**code.kinds, len(code.names): self.kinds.of(arg, code.kinds)}
            sort = _sort_of(arg)
            if sort:
                code.sorts = {**code.sorts, len(code.names): sort}
            if self.needs_something(param):
                tests.append(f"{name} is not None")
            else:
                code.maybe.add(len(code.names))
            args.append({"op": "local", "n": len(code.names)})
            code.names.append(name)
        return [{**body[0], "args": args}]


def _is_effect(value: Any) -> bool:
    return isinstance(value, dict) and value.get("op") == "code" and "if" not in value


def _sort_of(ir: IR) -> str:
    """The sort of which an expression gives a copy, if it is written there."""
    match ir:
        case {
            "op": "first",
            "of": {"op": "filter", "of": {"op": "copies", "of": {"op": "sort", "id": sort}}},
        }:
            return str(sort)
    return ""


def simple(text: str) -> bool:
    """A name or a number: cheap and safe to write twice."""
    return text.isidentifier() or text.isdigit()


def size_of(ir: Any) -> int:
    count = 0
    stack = [ir]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            count += 1
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return count


def reads(ir: Any, number: int) -> bool:
    stack = [ir]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "local" and item["n"] == number:
                return True
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return False
