"""Actions of a program that nobody traces, as one function each wherever the document allows it."""

from __future__ import annotations

from typing import Any

from talewright.runtime.actioncode import TIMINGS, may_return, split_head
from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR
from talewright.runtime.regions import Regions
from talewright.runtime.rulecode import Rule
from talewright.runtime.shortcuts import Shortcuts


class LeanActions(Shortcuts):
    """Writes no frame, no gate and no checkpoint that nothing in the document can notice."""

    lean: bool
    framed: set[str]
    regions: Regions
    # The regions during which a checkpoint may have something to look at; none when it may be all.
    unsettled: set[str] | None
    # Actions that are also called right after their gate was asked.
    sure: set[str]

    def is_straight(self, action: IR) -> bool:
        """Whether a call is written as one function."""
        rules = {rule.ir["rule"] for rule in self.rules_of.get(action["id"], ())}
        return self.lean and not rules & {"instead_of", "before"} and self._straight(action)

    def write_action(self, action: IR) -> None:
        if not self.is_straight(action):
            super().write_action(action)
            return
        rules = self.rules_of.get(action["id"], [])
        by_timing = {timing: [r for r in rules if r.ir["rule"] == timing] for timing in TIMINGS}
        number = self.action_number(action["id"])
        names = [self.local(p["n"]) for p in action["params"]]
        self.writer.at = action["at"]
        self._gate(action, number, names, by_timing)
        self._in_one(action, number, names, by_timing)

    def _straight(self, action: IR) -> bool:
        """Whether a call can be written from its gate to its end without a look at other running calls."""
        verb = action["verb"]
        head, _ = split_head(action["body"])
        if verb in self.framed:
            return not head and not self.stopping and not self.per_cells.get(verb)
        if self._cells_to_reset(action):
            return not head and not self._nests(verb)
        return not (self.stopping and verb in self.tracked)

    def _nests(self, verb: str) -> bool:
        """Whether a call can run inside another of the same verb."""
        return any(
            self.actions[reached]["verb"] == verb
            for name, action in self.actions.items()
            if action["verb"] == verb
            for reached in self.regions.reaches(name)
            if reached in self.actions
        )

    def _cells_to_reset(self, action: IR) -> list[tuple[str, str]]:
        return self.per_cells.get(action["verb"], [])

    # -------------------------------------------------------------- calls whose gate has just been passed
    def sure_call(self, ir: IR, code: Code) -> str | None:
        """A call right after its gate was asked, with nothing in between that could close it again."""
        action = self.actions.get(ir["action"]) if self.lean and ir["op"] == "call" else None
        if action is None or self.interrupted or not self.is_straight(action):
            return None
        self.sure.add(action["id"])
        return f"Y{self.action_number(action['id'])}({', '.join(self.arguments(ir, action, code))})"

    def write_sure_calls(self) -> None:
        """Y does what A does once its gate is passed."""
        written: set[str] = set()
        while self.sure - written:
            for name in sorted(self.sure - written):
                written.add(name)
                action = self.actions[name]
                names = [self.local(p["n"]) for p in action["params"]]
                rules = [r for r in self.rules_of.get(name, ()) if r.ir["rule"] == "after"]
                self.writer.at = action["at"]
                self._in_one(action, self.action_number(name), names, {"after": rules}, sure=True)

    def _in_one(
        self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]], sure: bool = False
    ) -> None:
        code = self.body_code(action)
        head, rest = split_head(action["body"])
        if sure:
            for statement in head:
                if statement["op"] == "requires":
                    code.maybe -= something(statement["if"])
            head = [statement for statement in head if statement["op"] != "requires"]
        last = rest[-1] if rest and rest[-1]["op"] == "give" else None
        framed = action["verb"] in self.framed
        follows = bool(rules["after"]) or framed or self._unsettled(action)
        known: list[str] | None = None
        letter = "Y" if sure else "A"
        with self.writer.block(f"def {letter}{number}({', '.join(names)}):"):
            if not sure:
                self._none_checks(action, "None")
                self._forbids(action, number, names, rules["forbid"], "None")
            self._count_round(action)
            if not framed and not self._cells_to_reset(action) and not follows:
                # In one go, so that what stands at the end of the head is seen beside what follows it.
                head, rest = [], [*head, *rest]
            self.block(head, code)
            if framed:
                self._open_frame(action, names)
            for cell, default in self._cells_to_reset(action):
                self.line(f"{cell} = {default}")
            result = "None"
            if follows and may_return(rest if last is None else rest[:-1]):
                # What can leave early is a function of its own, so that nothing that follows is missed.
                known = [code.names[i] for i in range(len(code.names)) if self._bound(i, action, head)]
                self.line(f"r = D{number}{letter if sure else ''}({', '.join(known)})")
                result = "r"
            elif last is not None and follows:
                self.block(rest[:-1], code)
                self.line(f"r = {self.x(last['value'], code)}")
                result = "r"
            else:
                self.block(rest, code)
            if rules["after"]:
                self._follow(action, number, names, rules["after"], result)
            if framed:
                # Most calls end with nothing that lasted until then.
                with self.writer.block("if FRAMES[-1][2]:"):
                    self.line("leave_frame()")
                with self.writer.block("else:"):
                    self.line("FRAMES.pop()")
            self._checkpoint_after(action)
            if result == "r":
                self.line("return r")
        if known is not None:
            with self.writer.block(f"def D{number}{letter if sure else ''}({', '.join(known)}):"):
                self.block(rest, code)

    def _open_frame(self, action: IR, names: list[str]) -> None:
        opened = f"{self.const(action['verb'])}, {names[0] if names else 'None'}"
        with self.writer.block("if PENDING:"):
            self.line(f"begin_frame({opened})")
        with self.writer.block("else:"):
            self.line(f"FRAMES.append([{opened}, None])")
        self._look_at_calls()

    def _follow(self, action: IR, number: int, names: list[str], rules: list[Rule], result: str) -> None:
        listed = ", ".join(names)
        if (action["id"], "after") in self.dynamic_actions or self.stopping:
            with self.writer.block(f"if RA{number}:"):
                tuple_ = f"({listed}{',' if names else ''})"
                self.line(self.running("after", action, f"RA{number}", f"{result}, {tuple_}"))
        else:
            for rule in rules:
                self.line(f"N{rule.number}(None, {result}{', ' + listed if names else ''})")

    def _unsettled(self, action: IR) -> bool:
        return self.checking and (self.unsettled is None or action["id"] in self.unsettled)

    def _checkpoint_after(self, action: IR) -> None:
        if self._unsettled(action):
            self._checkpoint()

    def s_if(self, ir: IR, code: Any) -> None:
        """Branches that the options rule out are not written."""
        if not self.lean:
            super().s_if(ir, code)
            return
        branches: list[Any] = []
        otherwise = ir["otherwise"]
        for test, body in ir["branches"]:
            settled = self.regions.settled(test)
            if settled is None:
                branches.append([test, body])
            elif settled:
                otherwise = body
                break
        if branches:
            super().s_if({**ir, "branches": branches, "otherwise": otherwise}, code)
        else:
            self.block(otherwise, code)


def something(test: IR) -> set[int]:
    """The locals that are something where a condition holds."""
    if test["op"] == "and":
        return something(test["a"]) | something(test["b"])
    if test["op"] == "not" and test["of"]["op"] == "is_none" and test["of"]["of"]["op"] == "local":
        return {test["of"]["of"]["n"]}
    return set()
