"""Rules, periods, grants and what may be done at any time as functions of the generated program."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import PLACED, Code, pile_key
from talewright.runtime.gathering import Gathering
from talewright.runtime.layout import IR
from talewright.runtime.pages import write_page_rule
from talewright.runtime.rulecode import Rule


class RuleFunctions(Gathering):
    """The floor of a program that writes one function or more for each rule."""

    def _write_rule(self, rule: Rule) -> None:
        ir = rule.ir
        if rule.bearer != "until":
            self.trait_now = rule.owner if rule.bearer == "trait" else ""
        match ir["rule"]:
            case "before" | "after" | "instead_of" | "forbid":
                if ir["action"].startswith("core:"):
                    self._write_core_rule(rule)
                    if rule in self.page_rules:
                        write_page_rule(self, rule)
                elif ir["action"] in self.actions:
                    self.write_action_rule(rule, self.actions[ir["action"]])
            case "modify":
                self.write_modifier(rule)
            case "offer":
                self.write_offer(rule)
                if self.traced:
                    self.write_offered(rule)
            case "state" | "period":
                self.local_names = ir.get("locals", [])
                self.writer.at = ir["at"]
                code = Code(
                    [self.local(i) for i in range(len(self.local_names))], self_name="self_", verb="rule"
                )
                with self.writer.block(f"def N{rule.number}_if(self_):"):
                    test = ir["if"] if "if" in ir else ir.get("when")
                    self.line(f"return {self.c(test, code)}" if test else "return True")
                with self.writer.block(f"def N{rule.number}(self_):"):
                    self.trace_rule(rule)
                    self.block(ir["body"], code)
            case "grant":
                self._write_grant(rule)

    def _write_core_rule(self, rule: Rule) -> None:
        """Rules of core verbs get their parts by name."""
        ir = rule.ir
        self.writer.at = ir["at"]
        code = self.frame(ir, ir["action"][5:])
        tests: list[str] = []
        binds: list[tuple[int, str, str]] = []
        for slot in ir.get("slots", ()):
            key = self.const(str(slot["param"]))
            name = f"parts_.get({key})"
            if slot["param"] in PLACED:
                name = f"part_of(parts_, {key}, {self.const(pile_key(slot['param']))})"
            if "n" in slot:
                while len(code.names) <= slot["n"]:
                    code.names.append(self.local(len(code.names)))
                binds.append((slot["n"], key, name))
                code.maybe.add(slot["n"])
                code.loose.add(slot["n"])
                name = code.names[slot["n"]]
            asked = list(self.slot_tests(slot, name, code))
            if asked and slot["param"] in PLACED:
                # Containers and things are both numbers.
                held = "in" if slot.get("is", {}).get("op") == "pile" else "not in"
                asked.insert(0, f"{self.const(pile_key(slot['param']))} {held} parts_")
            tests.extend(asked)
        when = [self.c(ir["when"], code)] if "when" in ir else []
        header = f"def N{rule.number}({self.bearer}, parts_{', result_' if ir['rule'] == 'after' else ''}):"
        code.result = "result_"
        with self.writer.block(header):
            for number, _, text in binds:
                self.line(f"{code.names[number]} = {text}")
            everything = [*tests, *when]
            if ir["rule"] == "forbid":
                self.line(f"return {' and '.join(everything) or 'True'}")
                return
            if everything:
                with self.writer.block(f"if not ({' and '.join(everything)}):"):
                    self.line("return False" if ir["rule"] == "instead_of" else "return None")
            if ir["rule"] == "instead_of":
                code.usual = "parts_['usual_']()"
            self.trace_rule(rule)
            self.block(ir["body"], code)
            for number, key, _ in binds:
                if self.changes(ir["body"], [{"n": number}]):
                    self.line(f"parts_[{key}] = plain_part({code.names[number]})")
            self.line("return True")

    def _write_grant(self, rule: Rule) -> None:
        ir = rule.ir
        self.writer.at = ir["at"]
        code = self.frame(ir, "grant")
        with self.writer.block(f"def N{rule.number}({self.bearer}):"):
            traits = ", ".join(self.x(t, code) for t in ir["traits"])
            self.line(f"return ({traits},), {self.x(ir['to'], code)}")
        with self.writer.block(f"def N{rule.number}_if({self.bearer}):"):
            self.line(f"return {self.c(ir['when'], code)}" if "when" in ir else "return True")

    def _write_periods(self) -> None:
        for index, period in enumerate(self.content["periods"]):
            self.writer.at = period["at"]
            code = Code([self.local(i) for i in range(len(period["locals"]))], verb="period")
            with self.writer.block(f"def PE{index}():"):
                self.line(f"return bool({self.c(period['while_true'], code)})")
            cells = self.per_cells.get(period["id"], [])
            if cells:
                with self.writer.block(f"def PC{index}(_):"):
                    for cell, default in cells:
                        self.line(f"{cell} = {default}")

    def _write_anytime(self) -> None:
        for index, ir in enumerate(self.content["anytime"]):
            self.writer.at = ir["at"]
            self.local_names = ir["locals"]
            code = Code([self.local(i) for i in range(len(ir["locals"]))], verb="anytime")
            with self.writer.block(f"def AT{index}_by():"):
                self.line(f"return {self.x(ir['by'], code)}")
            with self.writer.block(f"def AT{index}_can():"):
                if "when" in ir:
                    with self.writer.block(f"if not {self.c(ir['when'], code)}:"):
                        self.line("return False")
                self.can_block(ir["body"], code)
            with self.writer.block(f"def AT{index}():"):
                self.block(ir["body"], code)

    def _write_ties(self) -> None:
        """Who has the last word in a team."""
        for index, team in enumerate(self.content["teams"]):
            if "ties" in team:
                with self.writer.block(f"def TI{index}():"):
                    self.line(f"return {self.x(team['ties'], Code([], verb='ties'))}")

    # -------------------------------------------------------------- until blocks
    def s_until(self, ir: IR, code: Code) -> None:
        """Rules that last until an edge: their functions close over the names in sight, by value."""
        function = self.writer.fresh("i")
        free = sorted(self.free_names(ir["rules"], code) & set(code.names) | ({code.self_name} & {"self_"}))
        kept, self.base = self.base, code
        with self.writer.block(
            f"def {function}({', '.join(f'{n}={n}' for n in free if self._is_bound(n, ir, code))}):"
        ):
            rows = []
            for rule in self.until_rules.get(id(ir), ()):
                rule_ir = rule.ir
                self._write_rule(rule)
                number = rule.number
                others = {"instead_of": (f"N{number}_do", f"N{number}_can")}.get(
                    rule_ir["rule"], ("None", "None")
                )
                if self.is_ordered(rule_ir):
                    others = ("None", f"N{number}_now")
                if rule_ir["rule"] == "grant":
                    others = (f"N{number}_if", "None")
                rows.append(f"install_until({number}, N{number}, {others[0]}, {others[1]})")
            self.line(f"undo = [{', '.join(rows)}]")
            self.line("return lambda: [u() for u in undo]")
        self.base = kept
        self.line(f"until_end({self.const(ir['moment'])}, {self.const(ir['edge'])}, {function})")

    def _is_bound(self, name: str, ir: IR, code: Code) -> bool:
        """Whether a name is in sight outside the block, not one of its rules' own."""
        own: set[int] = set()
        stack: list[Any] = list(ir["rules"])
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if "rule" in item:
                    own |= {s["n"] for s in item.get("slots", ()) if "n" in s}
                    own |= {n for n in item.get("params", ()) if isinstance(n, int)}
                    if isinstance(item.get("of"), dict) and "param" in item["of"] and "n" in item["of"]:
                        own.add(item["of"]["n"])
                if (
                    item.get("op") in ("let", "choose", "for_each", "filter", "each", "best", "sorted")
                    and "n" in item
                ):
                    own.add(item["n"])
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        return name not in {self.local(n) for n in own}
