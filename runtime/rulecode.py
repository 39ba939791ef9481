"""Rules, values, tracks and menus as Python functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR
from talewright.runtime.verbs import Verbs


class Rule:
    """One rule of the document with its number, its layer and who bears it."""

    __slots__ = ("bearer", "ir", "key", "number", "owner")

    def __init__(self, ir: IR, number: int, bearer: str, owner: str) -> None:
        self.ir = ir
        self.number = number
        self.bearer = bearer
        self.owner = owner
        self.key = ir.get("layer", 1) * 10**9 + number * 10**4

    @property
    def static(self) -> bool:
        """Whether the rule is in force for the whole game."""
        return self.bearer == ""


class RuleCode(Verbs):
    """Writes the functions of rules; what they are attached to is decided by `program.py`."""

    rules: list[Rule]
    rules_of: dict[str, list[Rule]]
    # The types of what each offer leaves open and shows.
    offered: dict[int, list[Any]]
    base: Code | None = None

    def frame(self, ir: IR, verb: str) -> Code:
        """The code frame of a rule: its own locals, or inside an `until` block those around it too."""
        if self.base is not None:
            return Code(
                list(self.base.names),
                set(self.base.maybe),
                set(self.base.effects),
                self.base.self_name,
                verb=verb,
            )
        self.local_names = ir.get("locals", [])
        return Code([self.local(i) for i in range(len(self.local_names))], self_name="self_", verb=verb)

    @property
    def bearer(self) -> str:
        """What the first parameter of a rule's functions is called."""
        return "self_" if self.base is None else "bearer_"

    # -------------------------------------------------------------- patterns
    def rule_code(self, ir: IR, count: int, verb: str) -> tuple[Code, list[str], list[str]]:
        """The code frame of a rule: its locals, its parameters, and the tests of its slots."""
        params = [f"p{i}" for i in range(count)]
        code = self.frame(ir, verb)
        tests: list[str] = []
        for slot in ir.get("slots", ()):
            index = slot["param"]
            if not isinstance(index, int):
                continue
            name = params[index]
            if "n" in slot:
                while len(code.names) <= slot["n"]:
                    code.names.append(self.local(len(code.names)))
                code.names[slot["n"]] = name
                code.maybe.add(slot["n"])
            tests.extend(self.slot_tests(slot, name, code))
        return code, params, tests

    def slot_tests(self, slot: IR, name: str, code: Code) -> Iterator[str]:
        """What a slot asks of its parameter."""
        if "is" in slot:
            yield f"{name} == {self.x(slot['is'], code)}"
        if "sort" in slot:
            yield f"sort_of({name}) == {self.x(slot['sort'], code)}"
        if "kind" in slot:
            yield f"{name} in {self.kind_set(slot['kind'])}"
        if "trait" in slot:
            yield f"has_trait({name}, {self.const(slot['trait'])})"

    def params_maybe(self, ir: IR, action: IR, code: Code) -> None:
        """Parameters whose type has no `or none` are never none once the gate is passed."""
        for slot in ir.get("slots", ()):
            index = slot["param"]
            known = isinstance(index, int) and "n" in slot and index < len(action["params"])
            if known and not self._type_maybe(action["params"][index]["type"]):
                code.maybe.discard(slot["n"])

    # -------------------------------------------------------------- rules of actions
    def write_action_rule(self, rule: Rule, action: IR) -> None:
        """before, after, instead of and forbid as functions N<number>."""
        ir = rule.ir
        number = rule.number
        code, params, tests = self.rule_code(ir, len(action["params"]), action["verb"])
        self.params_maybe(ir, action, code)
        listed = "".join(f", {p}" for p in params)
        self.writer.at = ir["at"]
        match ir["rule"]:
            case "forbid":
                with self.writer.block(f"def N{number}({self.bearer}{listed}):"):
                    everything = [*tests, *([self.c(ir["when"], code)] if "when" in ir else [])]
                    self.line(f"return {' and '.join(everything) or 'True'}")
            case "before":
                changed = self.changes(ir["body"], ir.get("slots", ()))
                with self.writer.block(f"def N{number}({self.bearer}{listed}):"):
                    self._tests(tests, ir, code)
                    self.trace_rule(rule)
                    self.block(ir["body"], code)
                    if changed:
                        self.line(f"return ({', '.join(params)},)")
            case "after":
                code.result = "result_"
                with self.writer.block(f"def N{number}({self.bearer}, result_{listed}):"):
                    self._tests(tests, ir, code)
                    self.trace_rule(rule)
                    self.block(ir["body"], code)
            case "instead_of":
                with self.writer.block(f"def N{number}({self.bearer}{listed}):"):
                    everything = [*tests, *([self.c(ir["when"], code)] if "when" in ir else [])]
                    self.line(f"return bool({' and '.join(everything) or 'True'})")
                code, params, _ = self.rule_code(ir, len(action["params"]), action["verb"])
                self.params_maybe(ir, action, code)
                code.usual = f"U{self.action_number(action['id'])}(key_{listed})"
                with self.writer.block(f"def N{number}_do({self.bearer}, key_{listed}):"):
                    self.trace_rule(rule)
                    self.block(ir["body"], code)
                code, params, _ = self.rule_code(ir, len(action["params"]), action["verb"])
                with self.writer.block(f"def N{number}_can({self.bearer}{listed}):"):
                    self.can_block(ir["body"], code)

    def trace_rule(self, rule: Rule) -> None:
        """Says in the trace that a rule runs."""
        if self.traced:
            self.line(f"trace_rule({rule.ir['at']}, {self.bearer})")

    def _tests(self, tests: list[str], ir: IR, code: Code) -> None:
        everything = [*tests, *([self.c(ir["when"], code)] if "when" in ir else [])]
        if everything:
            with self.writer.block(f"if not ({' and '.join(everything)}):"):
                self.line("return None")

    def changes(self, body: list[IR], slots: Any) -> bool:
        """Whether a block writes to one of the parameters of its rule."""
        numbers = {slot["n"] for slot in slots if "n" in slot}
        stack: list[Any] = list(body)
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if (
                    item.get("op") in ("assign", "change")
                    and item["target"].get("op") == "local"
                    and item["target"]["n"] in numbers
                ):
                    return True
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        return False

    # -------------------------------------------------------------- values
    def write_modifier(self, rule: Rule) -> None:
        """A modifier as a function that gives its amount, or NOT_NOW."""
        ir = rule.ir
        self.writer.at = ir["at"]
        code = self.frame(ir, "value")
        tests: list[str] = []
        if "value" in ir:
            params = [f"p{i}" for i in range(len(ir["params"]))]
            for name, number in zip(params, ir["params"], strict=True):
                if number is not None:
                    self.bind(code, number)
                    code.names[number] = name
                    code.maybe.add(number)
            self._value_params_maybe(ir, code)
        else:
            params = ["p0"]
            slot = ir["of"]
            if "n" in slot:
                self.bind(code, slot["n"])
                code.names[slot["n"]] = "p0"
            tests.extend(self.slot_tests(slot, "p0", code))
        listed = "".join(f", {p}" for p in params)
        with self.writer.block(f"def N{rule.number}({self.bearer}{listed}):"):
            everything = [*tests, *([self.c(ir["when"], code)] if "when" in ir else [])]
            if everything:
                with self.writer.block(f"if not ({' and '.join(everything)}):"):
                    self.line("return NOT_NOW")
            self.line(f"return ({self.x(ir['amount'], code)},)")

    def _value_params_maybe(self, ir: IR, code: Code) -> None:
        pass

    def write_value(self, number: int, value: IR) -> None:
        """A value: B<number> is its definition, V<number> what it is with its modifiers."""
        rules = self.modifiers.get(value["id"], [])
        params = [self.local(n) for n in value["params"]]
        listed = ", ".join(params)
        self.writer.at = value["at"]
        self.local_names = value["locals"]
        base = f"B{number}" if rules or value["id"] in self.based else f"V{number}"
        code = Code([self.local(i) for i in range(len(value["locals"]))], verb="value")
        if value.get("chapter"):
            code.self_name = str(self.layout.number[value["chapter"]])
        code.maybe.update(value["params"])
        with self.writer.block(f"def {base}({listed}):"):
            if "value" in value:
                self.line(f"return {self.x(value['value'], code)}")
            else:
                self.block(value["body"], code)
        if base == f"V{number}":
            return
        if not rules:
            self.line(f"V{number} = B{number}")
            return
        tail = f"({listed}{',' if params else ''})"
        if value["id"] in self.dynamic_values:
            with self.writer.block(f"def V{number}({listed}):"):
                with self.writer.block(f"if M{number}:"):
                    self.line(f"return fold(B{number}({listed}), M{number}, {tail})")
                self.line(f"return B{number}({listed})")
            return
        with self.writer.block(f"def V{number}({listed}):"):
            self._static_fold(rules, f"B{number}({listed})", params)

    based: set[str]

    def _static_fold(self, rules: list[Any], base: str, params: list[str]) -> None:
        """The fold of modifiers that are always in force, written out."""
        arguments = ", ".join(["None", *params])
        kinds: dict[str, list[Any]] = {}
        for rule in rules:
            kinds.setdefault(rule.ir["change"], []).append(rule)
        settings = kinds.get("=", [])
        if settings:
            word = "if"
            for rule in reversed(settings):
                with self.writer.block(f"{word} (m := N{rule.number}({arguments})) is not NOT_NOW:"):
                    self.line("r = m[0]")
                word = "elif"
            with self.writer.block("else:"):
                self.line(f"r = {base}")
        else:
            self.line(f"r = {base}")
        for change in ("with", "without"):
            for rule in kinds.get(change, ()):
                function = "union" if change == "with" else "minus"
                with self.writer.block(f"if (m := N{rule.number}({arguments})) is not NOT_NOW:"):
                    self.line(f"r = {function}(r, m[0])")
        for rule in rules:
            if rule.ir["change"] in ("+", "-"):
                with self.writer.block(f"if (m := N{rule.number}({arguments})) is not NOT_NOW:"):
                    self.line(f"r = r {rule.ir['change']} m[0]")
        for rule in rules:
            if rule.ir["change"] in ("at least", "at most"):
                function = "max" if rule.ir["change"] == "at least" else "min"
                with self.writer.block(f"if (m := N{rule.number}({arguments})) is not NOT_NOW:"):
                    self.line(f"r = {function}(r, m[0])")
        self.line("return r")

    def write_field_value(self, owner: str, name: str) -> None:
        """A field that some modifier changes is read through a function."""
        found = self.layout.fields[owner, name]
        rules = self.modifiers.get(f"{owner}.{name}", [])
        with self.writer.block(f"def field_{found.number}(t):"):
            with self.writer.block("if t is None:"):
                self.line("return None")
            if f"{owner}.{name}" in self.dynamic_values:
                with self.writer.block(f"if MF{found.number}:"):
                    self.line(f"return fold(F{found.number}[t], MF{found.number}, (t,))")
                self.line(f"return F{found.number}[t]")
            else:
                self._static_fold(rules, f"F{found.number}[t]", ["t"])

    # -------------------------------------------------------------- tables and tracks
    def write_table(self, number: int, table: IR) -> None:
        """A table: looked up by its key, or run when its rows are effects."""
        code = Code([self.local(i) for i in range(len(table["locals"]))], verb="table")
        self.local_names = table["locals"]
        params = [self.local(n) for n in table["params"]]
        self.writer.at = table["at"]
        with self.writer.block(f"def T{number}(key_{''.join(f', {p}' for p in params)}):"):
            self.line("key_ = pool_total(key_)")
            for row in table["rows"]:
                self.writer.at = row["at"]
                if row["key"] == "otherwise":
                    self._row(row, code)
                    continue
                with self.writer.block(f"if {self.arm_test(row, 'key_', code)}:"):
                    self._row(row, code)
            self.line("no_row(key_)")

    def _row(self, row: IR, code: Code) -> None:
        if "result" in row:
            self.line(f"return {self.x(row['result'], code)}")
        else:
            self.block(row.get("body", []), code)
            self.line("return None")

    def write_track(self, name: str, track: IR, cell: str, watched: str, owner: bool) -> None:
        """The function that moves a track's marker and runs its hooks."""
        hooks: list[str] = []
        for hook in track.get("hooks", ()):
            function = self.writer.fresh("h")
            self.local_names = hook["locals"]
            code = Code(
                [self.local(i) for i in range(len(hook["locals"]))],
                self_name="self_" if owner else "None",
                verb="track",
            )
            self.writer.at = hook["at"]
            with self.writer.block(f"def {function}({'self_' if owner else ''}):"):
                self.block(hook["body"], code)
            hooks.extend(f"({self.const(hook['when'])}, {space}, {function})" for space in hook["spaces"])
        table = self.writer.fresh("h")
        self.line(f"{table} = ({', '.join(hooks)}{',' if hooks else ''})")
        first = "self_, " if owner else ""
        with self.writer.block(f"def {name}({first}target, landing):"):
            if owner:
                with self.writer.block("if self_ is None:"):
                    self.line("return None")
            self.line(f"before = {cell}")
            self.line(
                f"{cell} = {track['low']} if target < {track['low']} else {track['high']} if target > {track['high']} else target"
            )
            if watched in self.watched_cells:
                self.line(f"look_again({self.const(watched)})")
            if self.traced:
                self.line(f"trace_write({self.const(watched)}, before, {cell}{', self_' if owner else ''})")
            if hooks:
                # Nothing is set off while a test sets the table.
                asleep = "if not GAME.asleep: " if self.traced else self._near(track, cell)
                bearer = ", self_" if owner else ""
                ends = f"{track['low']}, {track['high']}"
                self.line(f"{asleep}crossed(before, target, {ends}, {table}, landing{bearer})")

    def _near(self, track: IR, cell: str) -> str:
        """A cheap test that leaves out every move that no hook can mind."""
        spaces = [(hook["when"], space) for hook in track["hooks"] for space in hook["spaces"]]
        if len(spaces) > 4 or not all(isinstance(space, int) for _, space in spaces):
            return ""
        tests = [
            f"target {'<' if when == 'below' else '>'} {space}"
            for when, space in spaces
            if when in ("below", "above")
        ]
        met = [space for when, space in spaces if when not in ("below", "above")]
        if met:
            up = " or ".join(f"target >= {space} > before" for space in met)
            down = " or ".join(f"before > {space} >= target" for space in met)
            tests.append(f"(({up}) if target > before else ({down}))")
        return f"if {' or '.join(tests)}: "

    # -------------------------------------------------------------- offers
    def write_offer(self, rule: Rule) -> None:
        """An offer: O lists what can be chosen, L labels it, X does it."""
        ir = rule.ir
        number = rule.number
        self.local_names = ir["locals"]
        self.writer.at = ir["at"]
        code = Code([self.local(i) for i in range(len(ir["locals"]))], self_name="self_", verb="menu")
        menu_params = [code.names[n] if n is not None else "_" for n in ir["params"]]
        code.maybe.update(n for n in ir["params"] if n is not None)
        unbound = ir.get("unbound", [])
        shown = [u for u in unbound if _mentions(ir["label"], u["n"])]
        asked = [u for u in unbound if u not in shown]
        listed = "".join(f", {p}" for p in menu_params)
        names = [code.names[u["n"]] for u in shown]
        self.offered[number] = [u["type"] for u in shown]
        with self.writer.block(f"def O{number}(self_, by_{listed}):"):
            if "when" in ir:
                with self.writer.block(f"if not {self.c(ir['when'], code)}:"):
                    self.line("return ()")
            if not unbound:
                self.line(f"return ((),) if {self.can_inline(ir['body'], code)} else ()")
            else:
                self.line("out = []")
                self._offer_loops(
                    shown,
                    asked,
                    ir,
                    code,
                    [],
                    lambda: self.line(f"out.append(({', '.join(names)}{',' if names else ''}))"),
                )
                self.line("return out")
        chosen = "".join(f", {n}" for n in names)
        with self.writer.block(f"def L{number}(self_{listed}{chosen}):"):
            self.line(f"return {self.x(ir['label'], code)}")
        if f"appeal_{self._offer_verb(ir)}" in self.values:
            with self.writer.block(f"def H{number}(self_{listed}{chosen}):"):
                self.line(f"return {self._fixed_by_offer(ir, code)}")
        with self.writer.block(f"def X{number}(self_, by_{listed}{chosen}):"):
            for index, item in enumerate(asked):
                point = self.point(
                    ir, Code([], verb=self._offer_verb(ir)), "choose", item["name"], item["type"]
                )
                name = code.names[item["n"]]
                rest = asked[index + 1 :]
                self.line("out = []")
                bound = [u["n"] for u in (*shown, *asked[:index])]
                self._offer_loops(
                    [item], rest, ir, code, bound, lambda name=name: self.line(f"out.append({name})")
                )
                self.line(f"{name} = pick({point}, by_, out, {self.group(item['type'])})")
            self.block(ir["body"], code)

    def _offer_verb(self, ir: IR) -> str:
        call = ir["body"][0]
        return str(self.actions[call["action"]]["verb"]) if call["op"] == "call" else "menu"

    def _fixed_by_offer(self, ir: IR, code: Code) -> str:
        """What an offer itself puts into its call, beside its menu's parameters and what is left open: for hints."""
        call = ir["body"][0]
        args = call["args"] if call["op"] == "call" else []
        fixed = [arg for arg in args if arg is not None and arg["op"] not in ("local", "block")]
        return f"({''.join(f'{self.x(arg, code)}, ' for arg in fixed)})"

    def _offer_loops(
        self, loops: list[IR], rest: list[IR], ir: IR, code: Code, bound: list[int], found: Any
    ) -> None:
        """Loops over the values of the parameters left open, keeping those for which the call stays possible."""
        call = ir["body"][0]
        depth = 0
        known = list(bound)
        for item in loops:
            name = code.names[item["n"]]
            self.line(f"for {name} in {self.domain(item, call, code, known, ir)}:")
            self.writer.depth += 1
            depth += 1
            known.append(item["n"])
        if rest:
            function = self.writer.fresh("q")
            free = sorted(
                {code.names[n] for n in known} | {code.names[n] for n in ir["params"] if n is not None}
            )
            with self.writer.block(f"def {function}({', '.join(f'{n}={n}' for n in free)}):"):
                inner = 0
                seen = list(known)
                for item in rest:
                    self.line(f"for {code.names[item['n']]} in {self.domain(item, call, code, seen, ir)}:")
                    self.writer.depth += 1
                    inner += 1
                    seen.append(item["n"])
                with self.writer.block(f"if {self.can(call, code)}:"):
                    self.line("return True")
                self.writer.depth -= inner
                self.line("return False")
            with self.writer.block(f"if {function}():"):
                found()
        else:
            with self.writer.block(f"if {self.can(call, code)}:"):
                found()
        self.writer.depth -= depth

    def domain(self, item: IR, call: IR, code: Code, known: list[int], ir: IR) -> str:
        """The values a parameter can take, copies alike as one."""
        group = self.group(item["type"])
        values = self.values_of(item, call, code, known, ir)
        return f"grouped({values}, by_, {group})" if group >= 0 else f"tuple({values})"

    def values_of(self, item: IR, call: IR, code: Code, known: list[int], ir: IR) -> str:
        """What the action's head says a parameter must lie in, else its whole kind."""
        return self._narrowed(item, call, code, known, ir) or self.whole_domain(item["name"], item["type"])

    def whole_domain(self, name: str, kind: Any) -> str:
        """Every value of a type that has an end."""
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if kind == "truth":
            return "(True, False)"
        if not (isinstance(kind, list) and kind[0] in ("thing", "words", "range")):
            raise LoadError(f"nobody can choose `{name}`: its values have no end")
        if kind[0] == "thing":
            return self.kind_list(kind[1])
        if kind[0] == "words":
            return self.const(tuple(kind[2]))
        return f"range({kind[2][0]}, {kind[2][1] + 1})"

    def write_offered(self, rule: Rule) -> None:
        """Z asks whether an offer would make a call; parts left open stand for any value."""
        ir = rule.ir
        call = ir["body"][0] if ir["body"] else {"op": "nothing"}
        if call["op"] != "call" or call["action"] not in self.actions:
            return
        self.local_names = ir["locals"]
        code = Code([self.local(i) for i in range(len(ir["locals"]))], self_name="self_", verb="menu")
        listed = "".join(f", {code.names[n] if n is not None else '_'}" for n in ir["params"])
        code.maybe.update(n for n in ir["params"] if n is not None)
        open_names = {item["n"]: item for item in ir.get("unbound", [])}
        known: list[int] = []
        with self.writer.block(f"def Z{rule.number}(self_{listed}, want):"):
            if "when" in ir:
                with self.writer.block(f"if not {self.c(ir['when'], code)}:"):
                    self.line("return False")
            depth = self.writer.depth
            for index, arg in enumerate(call["args"]):
                if arg is not None and arg.get("op") == "local" and arg["n"] in open_names:
                    values = self.values_of(open_names[arg["n"]], call, code, known, ir)
                    chosen = f"tuple({values}) if want[{index}] is ANYTHING else (want[{index}],)"
                    self.line(f"for {code.names[arg['n']]} in {chosen}:")
                    self.writer.depth += 1
                    known.append(arg["n"])
            given = [
                f"(want[{i}] is ANYTHING or want[{i}] == {self.x(arg, code)})"
                for i, arg in enumerate(call["args"])
                if arg is not None
                and arg["op"] != "block"
                and not (arg["op"] == "local" and arg["n"] in open_names)
            ]
            with self.writer.block(f"if {' and '.join([*given, self.can(call, code)])}:"):
                self.line("return True")
            self.writer.depth = depth
            self.line("return False")
        self.line(f"Z{rule.number}.__doc__ = {self.const(call['action'])}")

    def _narrowed(self, item: IR, call: IR, code: Code, known: list[int], ir: IR) -> str | None:
        if call["op"] != "call" or call["action"] not in self.actions:
            return None
        action = self.actions[call["action"]]
        index = next(
            (i for i, a in enumerate(call["args"]) if a and a.get("op") == "local" and a["n"] == item["n"]),
            None,
        )
        if index is None:
            return None
        wanted = action["params"][index]["n"]
        allowed: dict[int, str] = {}
        free = {n for n in ir["params"] if n is not None} | set(known)
        for arg, param in zip(call["args"], action["params"], strict=True):
            if arg is not None and arg.get("op") == "local" and arg["n"] in free:
                allowed[param["n"]] = code.names[arg["n"]]
        for statement in action["body"]:
            if statement["op"] != "requires":
                break
            for test in _conjuncts(statement["if"]):
                if test["op"] in ("lies_in", "member"):
                    what = test.get("thing", test.get("item"))
                    where: IR = test["pile"] if test["op"] == "lies_in" else test["of"]
                    if what == {"op": "local", "n": wanted} and _locals(where) <= allowed.keys():
                        names = [allowed.get(i, self.local(i)) for i in range(len(action["locals"]) + 1)]
                        inner = Code(names, verb="menu")
                        text = self.x(where, inner)
                        return f"ITEMS[{text}]" if test["op"] == "lies_in" else text
        return None


def _conjuncts(ir: IR) -> Iterator[IR]:
    if ir["op"] == "and":
        yield from _conjuncts(ir["a"])
        yield from _conjuncts(ir["b"])
    else:
        yield ir


def _locals(ir: Any) -> set[int]:
    found: set[int] = set()
    stack = [ir]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "local":
                found.add(item["n"])
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return found


def _mentions(ir: Any, number: int) -> bool:
    return number in _locals(ir)
