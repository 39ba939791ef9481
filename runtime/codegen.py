"""Expressions of the document as Python expressions."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR
from talewright.runtime.names import Names

COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
ARITHMETIC = {"add": "+", "sub": "-"}


class Expressions(Names):
    """Turns expression nodes into Python expressions; hoists what needs a loop into functions."""

    # -------------------------------------------------------------- logic and numbers
    def c(self, ir: IR, code: Code) -> str:
        """A condition; Python's truth is good enough where only truth is asked."""
        return self.x(ir, code)

    def x_and(self, ir: IR, code: Code) -> str:
        return f"({self.c(ir['a'], code)} and {self.c(ir['b'], code)})"

    def x_or(self, ir: IR, code: Code) -> str:
        return f"({self.c(ir['a'], code)} or {self.c(ir['b'], code)})"

    def x_not(self, ir: IR, code: Code) -> str:
        inner = ir["of"]
        if inner["op"] == "is_none":
            return f"({self.x(inner['of'], code)} is not None)"
        if inner["op"] == "same":
            return f"({self.x(inner['a'], code)} != {self.x(inner['b'], code)})"
        return f"(not {self.c(inner, code)})"

    def x_pick(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['yes'], code)} if {self.c(ir['if'], code)} else {self.x(ir['no'], code)})"

    def x_broken(self, ir: IR, code: Code) -> str:
        return f"{self.writer.constant(ir['ask'])}({ir['n']})"

    def x_holds(self, ir: IR, code: Code) -> str:
        of = ir["of"]
        if of["op"] == "field":
            return f"condition_of({self.x({**of, 'stored': True}, code)}, {self.x(of['of'], code)})"
        return f"condition_of({self.x(of, code)})"

    def _comparison(self, ir: IR, code: Code) -> str:
        a, b = self.x(ir["a"], code), self.x(ir["b"], code)
        sign = COMPARE[ir["op"]]
        unsafe = [s for s, node in ((a, ir["a"]), (b, ir["b"])) if self.maybe(node, code)]
        if not unsafe or sign in ("==", "!="):
            return f"({a} {sign} {b})"
        return f"compare_{ir['op']}({a}, {b})"

    x_eq = x_ne = x_lt = x_le = x_gt = x_ge = _comparison

    def x_same(self, ir: IR, code: Code) -> str:
        test = f"({self.x(ir['a'], code)} == {self.x(ir['b'], code)})"
        loose = [self.x(side, code) for side in (ir["a"], ir["b"]) if self.is_loose(side, code)]
        if len(loose) == 2:
            return f"same_part({', '.join(loose)})"
        if loose:
            held = any(self.gives_pile(side, code) for side in (ir["a"], ir["b"]))
            return f"(type({loose[0]}) {'is' if held else 'is not'} Container and {test})"
        return test

    x_same_pile = x_same

    def is_loose(self, ir: IR, code: Code) -> bool:
        """Whether a node is what the pattern of a core verb names: a thing or a container."""
        return bool(ir["op"] == "local" and ir["n"] in code.loose)

    def as_thing(self, ir: IR, test: str, code: Code) -> str:
        """A question about a thing, which no container answers."""
        return f"(type({self.x(ir, code)}) is not Container and {test})" if self.is_loose(ir, code) else test

    def x_rank(self, ir: IR, code: Code) -> str:
        ranks = {word: index for index, word in enumerate(ir["words"])}
        return f"{self.writer.constant(ranks)}.get({self.x(ir['of'], code)})"

    def _sum(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['a'], code)} {ARITHMETIC[ir['op']]} {self.x(ir['b'], code)})"

    x_add = x_sub = _sum

    def x_mul(self, ir: IR, code: Code) -> str:
        return f"times({self.x(ir['a'], code)}, {self.x(ir['b'], code)})"

    def x_div(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['a'], code)} // {self.x(ir['b'], code)})"

    def x_mod(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['a'], code)} % {self.x(ir['b'], code)})"

    def x_as_int(self, ir: IR, code: Code) -> str:
        return f"(1 if {self.x(ir['of'], code)} else 0)"

    def x_between(self, ir: IR, code: Code) -> str:
        return f"between({self.x(ir['of'], code)}, {self.x(ir['low'], code)}, {self.x(ir['high'], code)})"

    def x_least(self, ir: IR, code: Code) -> str:
        return f"min({', '.join(self.x(i, code) for i in ir['items'])})"

    def x_greatest(self, ir: IR, code: Code) -> str:
        return f"max({', '.join(self.x(i, code) for i in ir['items'])})"

    def x_span(self, ir: IR, code: Code) -> str:
        return f"span({self.x(ir['low'], code)}, {self.x(ir['high'], code)})"

    def x_pair(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['a'], code)}, {self.x(ir['b'], code)})"

    def x_pool_total(self, ir: IR, code: Code) -> str:
        return f"pool_total({self.x(ir['of'], code)})"

    def x_pool_dice(self, ir: IR, code: Code) -> str:
        return f"pool_dice({self.x(ir['of'], code)})"

    def x_as_pool(self, ir: IR, code: Code) -> str:
        return f"as_pool({self.x(ir['of'], code)})"

    def x_pool_prop(self, ir: IR, code: Code) -> str:
        return f"pool_{ir['name']}({self.x(ir['of'], code)})"

    def x_die_value(self, ir: IR, code: Code) -> str:
        return f"die_value({self.x(ir['of'], code)})"

    def x_die_prop(self, ir: IR, code: Code) -> str:
        return f"{self.x(ir['of'], code)}.{ir['name']}"

    def x_each_die(self, ir: IR, code: Code) -> str:
        return f"[die_value(d) for d in {self.x(ir['of'], code)}]"

    # -------------------------------------------------------------- questions
    def x_is_none(self, ir: IR, code: Code) -> str:
        if ir["of"]["op"] == "content" and not self.maybe(ir["of"]["of"], code):
            return f"(not ITEMS[{self.x(ir['of']['of'], code)}])"
        return f"({self.x(ir['of'], code)} is None)"

    def x_is_empty(self, ir: IR, code: Code) -> str:
        return self._exists(ir["of"], code, False)

    def x_any(self, ir: IR, code: Code) -> str:
        return self._exists(ir["of"], code, True)

    def x_is_kind(self, ir: IR, code: Code) -> str:
        test = f"({self.x(ir['of'], code)} in {self.kind_set(ir['kind'])})"
        return self.as_thing(ir["of"], test, code)

    def x_is_trait(self, ir: IR, code: Code) -> str:
        test = f"has_trait({self.x(ir['of'], code)}, {self.const(ir['trait'])})"
        return self.as_thing(ir["of"], test, code)

    def x_is_sort(self, ir: IR, code: Code) -> str:
        of = self.x(ir["of"], code)
        sort = self.x(ir["sort"], code)
        if not self.maybe(ir["of"], code):
            return f"(SORT[{of}] == {sort})"
        return self.as_thing(ir["of"], f"(sort_of({of}) == {sort})", code)

    def x_is_face(self, ir: IR, code: Code) -> str:
        return f"is_face({self.x(ir['of'], code)}, {1 if ir['face'] == 'face_up' else 0})"

    def x_member(self, ir: IR, code: Code) -> str:
        return f"({self.x(ir['item'], code)} in {self.x(ir['of'], code)})"

    def x_lies_in(self, ir: IR, code: Code) -> str:
        thing, pile = self.x(ir["thing"], code), self.x(ir["pile"], code)
        if not self.maybe(ir["thing"], code):
            return f"(LOC[{thing}] == {pile})"
        return f"lies_in({thing}, {pile})"

    def x_inside(self, ir: IR, code: Code) -> str:
        thing, where = ir["thing"], ir["where"]
        if where["op"] == "thing" and self.layout.number.get(where["id"]) in self.layout.occupants:
            pile = self.layout.occupants[self.layout.number[where["id"]]]
            if not self.maybe(thing, code):
                return f"(LOC[{self.x(thing, code)}] == {pile})"
        return f"inside({self.x(thing, code)}, {self.x(where, code)})"

    def x_inside_any(self, ir: IR, code: Code) -> str:
        return f"inside_any({self.x(ir['thing'], code)}, {self.x(ir['where'], code)})"

    def x_near(self, ir: IR, code: Code) -> str:
        return f"near({self.x(ir['a'], code)}, {self.x(ir['b'], code)})"

    def x_adjacent(self, ir: IR, code: Code) -> str:
        return f"adjacent({self.x(ir['a'], code)}, {self.x(ir['b'], code)})"

    def x_within(self, ir: IR, code: Code) -> str:
        return f"within({self.x(ir['a'], code)}, {self.x(ir['far'], code)}, {self.x(ir['b'], code)})"

    def x_knows(self, ir: IR, code: Code) -> str:
        return f"knows({self.x(ir['who'], code)}, {self.x(ir['what'], code)})"

    def x_includes(self, ir: IR, code: Code) -> str:
        return f"includes({self.x(ir['of'], code)}, {self.x(ir['items'], code)})"

    def x_during(self, ir: IR, code: Code) -> str:
        of = f", {self.x(ir['of'], code)}" if "of" in ir else ""
        return f"during({self.const(ir['moment'])}{of})"

    def x_offers(self, ir: IR, code: Code) -> str:
        return f"menu_options({self.const(ir['menu'])}, (), None)"

    # -------------------------------------------------------------- sets
    def x_set(self, ir: IR, code: Code) -> str:
        items = []
        plain = True
        for item in ir["items"]:
            if item["op"] == "spread":
                items.append(f"*{self.x(item['of'], code)}")
            else:
                items.append(self.x(item, code))
                plain = plain and not self.maybe(item, code)
        if ir.get("drop") and not plain:
            return f"no_nones([{', '.join(items)}])"
        return f"[{', '.join(items)}]"

    def x_map(self, ir: IR, code: Code) -> str:
        return "{" + ", ".join(f"{self.x(k, code)}: {self.x(v, code)}" for k, v in ir["rows"]) + "}"

    def x_union(self, ir: IR, code: Code) -> str:
        return f"union({self.members(ir['a'], code)}, {self.members(ir['b'], code)})"

    def x_minus(self, ir: IR, code: Code) -> str:
        return f"minus({self.members(ir['a'], code)}, {self.members(ir['b'], code)})"

    def members(self, ir: IR, code: Code) -> str:
        """A set; where only play can tell one thing from many, it does."""
        text = self.x(ir, code)
        return f"members({text})" if self.is_loose(ir, code) else text

    def bind(self, code: Code, number: int) -> str:
        """Gives a local its Python name."""
        while len(code.names) <= number:
            code.names.append(self.local(len(code.names)))
        return code.names[number]

    def x_filter(self, ir: IR, code: Code) -> str:
        source = self.iterable(ir["of"], code)
        name = self.bind(code, ir["n"])
        return f"[{name} for {name} in {source} if {self.c(ir['test'], code)}]"

    def iterable(self, ir: IR, code: Code) -> str:
        """A set to loop over inside an expression, where Python allows no assignment."""
        text = self.x(ir, code)
        if ":=" in text:
            self.plainly += 1
            text = self.x(ir, code)
            self.plainly -= 1
        return text

    def x_each(self, ir: IR, code: Code) -> str:
        source = self.iterable(ir["of"], code)
        name = self.bind(code, ir["n"])
        body = self.x(ir["body"], code)
        if ir.get("flat"):
            inner = self.writer.fresh("w")
            return f"[{inner} for {name} in {source} for {inner} in {body}]"
        if not self.maybe(ir["body"], code):
            return f"[{body} for {name} in {source}]"
        if self.plainly:
            return f"no_nones([{body} for {name} in {source}])"
        inner = self.writer.fresh("w")
        return f"[{inner} for {name} in {source} if ({inner} := {body}) is not None]"

    def x_best(self, ir: IR, code: Code) -> str:
        return self._ranked("best", ir, code)

    def x_sorted(self, ir: IR, code: Code) -> str:
        return self._ranked("in_order", ir, code)

    def _ranked(self, function: str, ir: IR, code: Code) -> str:
        source = self.x(ir["of"], code)
        name = self.bind(code, ir["n"])
        keys = []
        for direction, value in ir["keys"]:
            if direction == "random":
                keys.append("('random', None)")
            else:
                keys.append(f"({self.const(direction)}, lambda {name}: {self.x(value, code)})")
        return f"{function}({source}, ({', '.join(keys)},))"

    def x_rotate(self, ir: IR, code: Code) -> str:
        return f"rotate({self.x(ir['of'], code)}, {self.x(ir['from'], code)}, {bool(ir['first'])})"

    def x_first(self, ir: IR, code: Code) -> str:
        source = ir["of"]
        if source["op"] == "filter":
            return self._search(source, code, "return {name}", "return None")
        text = self.x(source, code)
        if self.plainly:
            return f"first_of({text})"
        name = self.writer.fresh("w")
        return f"({name}[0] if ({name} := {text}) else None)"

    def x_last(self, ir: IR, code: Code) -> str:
        text = self.x(ir["of"], code)
        if self.plainly:
            return f"last_of({text})"
        name = self.writer.fresh("w")
        return f"({name}[-1] if ({name} := {text}) else None)"

    def x_random(self, ir: IR, code: Code) -> str:
        return f"random_of({self.x(ir['of'], code)}, {self.const('random:' + (code.verb or 'game'))})"

    def x_nth(self, ir: IR, code: Code) -> str:
        return f"nth({self.x(ir['of'], code)}, {self.x(ir['n'], code)})"

    def x_slice(self, ir: IR, code: Code) -> str:
        return f"slice_of({self.x(ir['of'], code)}, {self.x(ir['low'], code)}, {self.x(ir['high'], code)})"

    def x_look_up(self, ir: IR, code: Code) -> str:
        return f"look_up({self.x(ir['of'], code)}, {self.x(ir['key'], code)})"

    def x_band(self, ir: IR, code: Code) -> str:
        return f"band_of({self.x(ir['of'], code)}, {self.x(ir['at'], code)})"

    def x_count(self, ir: IR, code: Code) -> str:
        source = ir["of"]
        if source["op"] == "filter":
            return self._search(source, code, "w0 += 1", "return w0", "w0 = 0")
        return f"len({self.x(source, code)})"

    def x_total(self, ir: IR, code: Code) -> str:
        return f"sum({self.x(ir['of'], code)})"

    def x_highest(self, ir: IR, code: Code) -> str:
        return f"max({self.x(ir['of'], code)}, default=None)"

    def x_lowest(self, ir: IR, code: Code) -> str:
        return f"min({self.x(ir['of'], code)}, default=None)"

    def _exists(self, source: IR, code: Code, wanted: bool) -> str:
        if source["op"] == "filter":
            return self._search(source, code, f"return {wanted}", f"return {not wanted}")
        text = self.x(source, code)
        return f"bool({text})" if wanted else f"(not {text})"

    def _search(self, ir: IR, code: Code, found: str, end: str, begin: str = "") -> str:
        """A loop over a filtered set as a function of its own, which stops as soon as it can."""
        chain = [ir]
        while chain[-1]["of"]["op"] == "filter":
            chain.append(chain[-1]["of"])
        name = self.bind(code, ir["n"])
        for step in chain:
            self.bind(code, step["n"])
        free = sorted(self.free_names(ir, code))
        source = self.x(chain[-1]["of"], code)
        tests = []
        for step in reversed(chain):
            inner = code.names[step["n"]]
            code.names[step["n"]] = name
            tests.append(self.c(step["test"], code))
            code.names[step["n"]] = inner
        function = self.writer.fresh("q")
        lines = [f"def {function}({', '.join(free)}):"]
        if begin:
            lines.append(f"    {begin}")
        lines.append(f"    for {name} in {source}:")
        lines.append(f"        if {' and '.join(tests)}:")
        lines.append("            " + found.format(name=name))
        lines.append(f"    {end}")
        self.hoisted.append(lines)
        return f"{function}({', '.join(free)})"

    hoisted: list[list[str]]

    def free_names(self, ir: Any, code: Code) -> set[str]:
        """The Python names of the locals a node reads but does not bind itself."""
        bound: set[int] = set()
        read: set[int] = set()
        names: set[str] = set()
        stack = [ir]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                op = item.get("op")
                if op == "local":
                    read.add(item["n"])
                elif op == "self" or op == "trait_param":
                    names.add(code.self_name)
                elif op == "result":
                    names.add(code.result)
                elif op in ("filter", "each", "best", "sorted") and "n" in item:
                    bound.add(item["n"])
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        names |= {code.names[n] if n < len(code.names) else self.local(n) for n in read - bound}
        return {n for n in names if n.isidentifier() and n not in ("None", "True", "False")}

    # -------------------------------------------------------------- values, tables, core functions
    def x_value(self, ir: IR, code: Code) -> str:
        if ir["id"] not in self.values:
            return f"left_out('value', {self.const(ir['id'].partition('#')[0])})"
        args = ", ".join(self.x(a, code) for a in ir["args"])
        return f"V{self.value_number(ir['id'])}({args})"

    def value_number(self, name: str) -> int:
        """The number of a value."""
        return list(self.values).index(name)

    def x_base(self, ir: IR, code: Code) -> str:
        inner = ir["of"]
        if inner["op"] == "value":
            args = ", ".join(self.x(a, code) for a in inner["args"])
            return f"B{self.value_number(inner['id'])}({args})"
        if inner["op"] == "core":
            return f"plain_{inner['fn']}({', '.join(self.x(a, code) for a in inner['args'])})"
        if inner["op"] == "field":
            found = self.layout.fields[inner["owner"], inner["name"]]
            return f"F{found.number}[{self.x(inner['of'], code)}]"
        return self.x(inner, code)

    def x_table(self, ir: IR, code: Code) -> str:
        args = ", ".join(self.x(a, code) for a in ir["args"])
        return f"T{list(self.tables).index(ir['id'])}({args})"

    def x_core(self, ir: IR, code: Code) -> str:
        args = [self.x(a, code) for a in ir["args"]]
        return f"core_{ir['fn']}({', '.join(args)})"

    def x_way(self, ir: IR, code: Code) -> str:
        return f"V{self.value_number(ir['value'])}"

    def x_movement(self, ir: IR, code: Code) -> str:
        return f"MOVEMENTS[{self.const(ir['id'])}]"

    def x_payment(self, ir: IR, code: Code) -> str:
        return f"PAYMENTS[{self.const(ir['id'])}]"

    def x_plan(self, ir: IR, code: Code) -> str:
        return self.const("plan:" + ir["id"])

    def x_trait(self, ir: IR, code: Code) -> str:
        free = sorted(self.free_names(ir["args"], code))
        capture = "".join(f", {n}={n}" for n in free)
        args = ", ".join(f"lambda _s{capture}: {self.x(a, code)}" for a in ir["args"])
        return f"({self.const(ir['id'])}, ({args}{',' if ir['args'] else ''}))"

    def x_new(self, ir: IR, code: Code) -> str:
        return f"new_thing({self.const(ir['kind'])})"

    def x_spot_prop(self, ir: IR, code: Code) -> str:
        return f"spot_{ir['name']}({self.x(ir['of'], code)})"
