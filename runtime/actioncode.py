"""Actions as Python functions: gate, replacements, rules before and after, body, end."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code, does_something
from talewright.runtime.kinds import Kinds, param_kinds
from talewright.runtime.layout import IR
from talewright.runtime.rulecode import Rule, RuleCode

TIMINGS = ("forbid", "instead_of", "before", "after")


class ActionCode(RuleCode):
    """Writes A (call), G (gate), and where rules need them U (as usual), R (begin to end), D (body)."""

    tracked: set[str]
    per_cells: dict[str, list[tuple[str, str]]]
    dynamic_actions: set[tuple[str, str]]
    checked: bool
    kinds: Kinds

    def write_action(self, action: IR) -> None:
        """All functions of one action."""
        number = self.action_number(action["id"])
        names = [self.local(p["n"]) for p in action["params"]]
        rules = self.rules_of.get(action["id"], [])
        by_timing = {timing: [r for r in rules if r.ir["rule"] == timing] for timing in TIMINGS}
        self.writer.at = action["at"]
        self._gate(action, number, names, by_timing)
        simple = (
            not self.traced
            and not self.checked
            and not by_timing["instead_of"]
            and not by_timing["before"]
            and not by_timing["after"]
            and action["verb"] not in self.tracked
        )
        if simple:
            self._simple(action, number, names, by_timing)
        else:
            self._full(action, number, names, by_timing)

    def body_code(self, action: IR) -> Code:
        """How the locals of an action are called in its body."""
        self.local_names = action["locals"]
        code = Code(
            [self.local(i) for i in range(len(action["locals"]))], verb=action["verb"], action=action["id"]
        )
        for param in action["params"]:
            if self._type_maybe(param["type"]):
                code.maybe.add(param["n"])
            if _tag(param["type"]) == "pile":
                code.effects.add(param["n"])
        code.kinds = self.kinds.of_body(action["body"], param_kinds(action["params"]))
        if action.get("chapter"):
            code.self_name = str(self.layout.number[action["chapter"]])
        return code

    def needs_something(self, param: IR) -> bool:
        """Whether a call without this part is refused."""
        return not self._type_maybe(param["type"]) and _tag(param["type"]) in (
            "thing",
            "words",
            "pile",
            "cell",
            "spot",
        )

    def _none_checks(self, action: IR, answer: str) -> None:
        needed = [self.local(p["n"]) for p in action["params"] if self.needs_something(p)]
        if needed:
            with self.writer.block(f"if {' or '.join(f'{n} is None' for n in needed)}:"):
                self.line(f"return {answer}")

    def _forbids(self, action: IR, number: int, names: list[str], rules: list[Rule], answer: str) -> None:
        if not rules:
            return
        with self.writer.block(f"if {self.forbid_test(action, names, rules)}:"):
            self.line(f"return {answer}")

    def forbid_test(self, action: IR, names: list[str], rules: list[Rule]) -> str:
        """Whether some rule forbids a call, as an expression."""
        number = self.action_number(action["id"])
        tuple_ = f"({', '.join(names)}{',' if names else ''})"
        if (action["id"], "forbid") in self.dynamic_actions:
            return f"RF{number} and forbidden(RF{number}, {tuple_})"
        listed = "".join(f", {n}" for n in names)
        return " or ".join(f"N{r.number}(None{listed})" for r in rules)

    def _gate(self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]]) -> None:
        code = self.body_code(action)
        with self.writer.block(f"def G{number}({', '.join(names)}):"):
            self._none_checks(action, "False")
            self._forbids(action, number, names, rules["forbid"], "False")
            if rules["instead_of"]:
                tuple_ = f"({', '.join(names)}{',' if names else ''})"
                listed = "".join(f", {n}" for n in names)
                self.line(f"e = winner(RI{number}, {tuple_}, {10**15})")
                with self.writer.block(f"if e is not None and not e[6](e[1]{listed}):"):
                    self.line("return False")
            head, _ = split_head(action["body"])
            while head and head[-1]["op"] == "let":
                head.pop()
            for statement in head:
                if statement["op"] == "requires":
                    with self.writer.block(f"if not {self.c(statement['if'], code)}:"):
                        self.line("return False")
                elif statement["op"] == "let":
                    self.s_let(statement, code)
                else:
                    with self.writer.block(f"if not {self.x(statement['from'], code)}:"):
                        self.line("return False")
            self.line("return True")

    def _simple(self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]]) -> None:
        code = self.body_code(action)
        with self.writer.block(f"def A{number}({', '.join(names)}):"):
            self._none_checks(action, "None")
            self._forbids(action, number, names, rules["forbid"], "None")
            self._count_round(action)
            head, rest = split_head(action["body"])
            self.block(head, code)
            last = rest[-1] if rest and rest[-1]["op"] == "give" else None
            if self.checking and may_return(rest if last is None else rest[:-1]):
                # What can leave early is a function of its own, so that the checkpoint is never missed.
                known = [code.names[i] for i in range(len(code.names)) if self._bound(i, action, head)]
                listed = ", ".join(known)
                self.line(f"r = D{number}({listed})")
                self._checkpoint()
                self.line("return r")
            else:
                known = None
                self.block(rest if last is None or not self.checking else rest[:-1], code)
                if last is not None and self.checking:
                    self.line(f"r = {self.x(last['value'], code)}")
                self._checkpoint()
                if last is not None and self.checking:
                    self.line("return r")
        if known is not None:
            with self.writer.block(f"def D{number}({', '.join(known)}):"):
                self.block(rest, code)

    def _bound(self, number: int, action: IR, head: list[IR]) -> bool:
        """Whether a local has a value once the head is done."""
        if any(param["n"] == number for param in action["params"]):
            return True
        return any(statement["op"] in ("let", "choose") and statement["n"] == number for statement in head)

    def _checkpoint(self) -> None:
        if self.checking:
            with self.writer.block(f"if S[{self.scalar('check')}]:"):
                self.line("checkpoint()")

    def _verify(self, action: IR) -> None:
        if self.checked:
            self.line(f"verify({self.const(action['verb'])})")

    def _full(self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]]) -> None:
        listed = ", ".join(names)
        tuple_ = f"({listed}{',' if names else ''})"
        comma = f", {listed}" if names else ""
        with self.writer.block(f"def A{number}({listed}):"):
            if self.traced:
                with self.writer.block("if GAME.asleep:"):
                    self._none_checks(action, "None")
                    self.line(f"return D{number}({listed})")
            with self.writer.block(f"if not G{number}({listed}):"):
                if self.traced:
                    self.line(f"trace_refused({self.const(action['id'])}, {tuple_}, None)")
                self.line("return None")
            if rules["instead_of"]:
                self.line(f"e = {self.winning(action, f'RI{number}, {tuple_}, {10**15}')}")
                with self.writer.block("if e is not None:"):
                    if self.traced:
                        self.line(f"trace_outcome('replaced', {self.const(action['id'])}, {tuple_}, None)")
                    self.line(f"r = e[5](e[1], e[8]{comma})")
                    self._checkpoint()
                    self._verify(action)
                    self.line("return r")
            self.line(f"r = R{number}({listed})")
            self._checkpoint()
            self._verify(action)
            if self.traced and action["id"] in self.layout.content["start_after"]:
                self.line(f"trace_ended({self.const(action['id'])})")
            self.line("return r")
        if rules["instead_of"]:
            with self.writer.block(f"def U{number}(key_{comma}):"):
                self.line(f"e = {self.winning(action, f'RI{number}, {tuple_}, key_')}")
                with self.writer.block("if e is not None:"):
                    self.line(f"return e[5](e[1], e[8]{comma})")
                self.line(f"return R{number}({listed})")
        self._run(action, number, names, rules)
        code = self.body_code(action)
        with self.writer.block(f"def D{number}({listed}):"):
            self.block(action["body"], code)

    def winning(self, action: IR, args: str) -> str:
        """The replacement that runs."""
        return f"winner({args})"

    def _run(self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]]) -> None:
        """Passes two to seven: begin, before, gate, body, after, end."""
        listed = ", ".join(names)
        tuple_ = f"({listed}{',' if names else ''})"
        tracked = action["verb"] in self.tracked
        with self.writer.block(f"def R{number}({listed}):"):
            self._count_round(action)
            if self.traced:
                self.line(f"trace_call({self.const(action['id'])}, {tuple_}, {action['at']})")
                with self.writer.block("try:"):
                    self._framed(action, number, names, rules, tracked)
                with self.writer.block("finally:"):
                    self.line("trace_leave()")
            else:
                self._framed(action, number, names, rules, tracked)

    def _raise_further(self) -> None:
        """A stop of another frame goes on."""
        with self.writer.block("if stop.index != frame_:"):
            self.line("raise")

    def _count_round(self, action: IR) -> None:
        if action["id"] == self.round_action:
            self.line(f"S[{self.scalar('rounds')}] += 1")

    round_action: str

    def _framed(
        self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]], tracked: bool
    ) -> None:
        if not tracked:
            self._passes(action, number, names, rules, False)
            return
        verb = action["verb"]
        self.line("frame_ = len(FRAMES)")
        if self.per_cells.get(verb):
            self.line(f"inner_ = frame_ and running({self.const(verb)}) >= 0")
        opened = f"({self.const(verb)}, {names[0] if names else 'None'})"
        with self.writer.block("if PENDING:"):
            self.line(f"begin_frame{opened}")
        with self.writer.block("else:"):
            self.line(f"FRAMES.append([{opened[1:-1]}, None])")
        self._look_at_calls()
        cells = self.per_cells.get(verb, [])
        for index, (cell, default) in enumerate(cells):
            self.line(f"k{index} = {cell} if inner_ else None")
            self.line(f"{cell} = {default}")
        with self.writer.block("try:"):
            self._passes(action, number, names, rules, True)
        # Stopped before it began: no rules follow.
        with self.writer.block("except StopAction as stop:"):
            with self.writer.block("if stop.index != frame_:"):
                self.line("raise")
            self.line("return None")
        with self.writer.block("finally:"):
            self.line("leave_frame()")
            self._look_at_calls()
            if cells:
                with self.writer.block("if inner_:"):
                    for index, (cell, _) in enumerate(cells):
                        whole = f"{cell[:-1]}len(k{index})]" if cell.endswith("[:]") else cell
                        self.line(f"{whole} = k{index}")

    check_cells: set[str]

    def _look_at_calls(self) -> None:
        """State rules and periods that ask what is running are looked at again."""
        if "frames" in self.check_cells:
            self.line("S[CHECK] = True")

    def running(self, timing: str, action: IR, rules: str, args: str) -> str:
        """The call that runs the rules before or after an action."""
        return f"run_{timing}({rules}, {args})"

    def _passes(
        self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]], tracked: bool
    ) -> None:
        listed = ", ".join(names)
        tuple_ = f"({listed}{',' if names else ''})"
        if rules["before"]:
            if (action["id"], "before") in self.dynamic_actions:
                with self.writer.block(f"if RB{number}:"):
                    run = self.running("before", action, f"RB{number}", tuple_)
                    self.line(f"({listed},) = {run}" if names else run)
            else:
                for rule in rules["before"]:
                    comma = f", {listed}" if names else ""
                    if self.changes(rule.ir["body"], rule.ir.get("slots", ())):
                        self.line(f"m = N{rule.number}(None{comma})")
                        with self.writer.block("if m is not None:"):
                            self.line(f"({listed},) = m")
                    else:
                        self.line(f"N{rule.number}(None{comma})")
            with self.writer.block(f"if not G{number}({listed}):"):
                if self.traced:
                    self.line(f"trace_outcome('thwarted', {self.const(action['id'])}, {tuple_}, None)")
                self.line("return None")
        if tracked:
            with self.writer.block("try:"):
                self.line(f"r = D{number}({listed})")
            with self.writer.block("except StopAction as stop:"):
                with self.writer.block("if stop.index != frame_:"):
                    self.line("raise")
                self.line("r = None")
        else:
            self.line(f"r = D{number}({listed})")
        if self.traced:
            self.line(f"trace_outcome('done', {self.const(action['id'])}, {tuple_}, r)")
        if rules["after"]:
            if (action["id"], "after") in self.dynamic_actions or self.stopping:
                with self.writer.block(f"if RA{number}:"):
                    if tracked:
                        with self.writer.block("try:"):
                            self.line(self.running("after", action, f"RA{number}", f"r, {tuple_}"))
                        with self.writer.block("except StopAction as stop:"):
                            self._raise_further()
                    else:
                        self.line(self.running("after", action, f"RA{number}", f"r, {tuple_}"))
            else:
                for rule in rules["after"]:
                    self.line(f"N{rule.number}(None, r{', ' + listed if names else ''})")
        self.line("return r")

    stopping: bool


def _tag(kind: Any) -> str:
    if isinstance(kind, list) and kind[0] == "optional":
        kind = kind[2][0]
    return kind if isinstance(kind, str) else str(kind[0])


def split_head(body: list[IR]) -> tuple[list[IR], list[IR]]:
    """The head of a body, where a call can still be refused, and the rest."""
    count = 0
    for statement in body:
        pure = statement["op"] == "let" and not does_something(statement["value"])
        if pure or statement["op"] == "requires":
            count += 1
        elif statement["op"] == "choose" and statement.get("head") and "mode" not in statement:
            count += 1
            break
        else:
            break
    return body[:count], body[count:]


def may_return(body: list[IR]) -> bool:
    stack: list[Any] = list(body)
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") in ("give", "requires") or (item.get("op") == "stop" and "moment" not in item):
                return True
            if item.get("op") == "choose" and item.get("head") and "mode" not in item:
                return True
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return False
