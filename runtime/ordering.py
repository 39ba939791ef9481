"""`order of ACTION by ROLE`: somebody picks which of several rules of one moment comes next."""

from __future__ import annotations

from talewright.runtime.affording import AffordCode
from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, holds
from talewright.runtime.rulecode import Rule


class OrderCode(AffordCode):
    """Writes the tests of rules that somebody puts in order, and the calls that ask."""

    ordered: dict[str, IR]

    def find_orders(self) -> None:
        """The verbs whose rules are put in order; those rules are looked up when they run."""
        self.ordered = {
            str(order["moment"]).partition(":")[2]: order
            for order in self.content["orders"]
            if holds(order, self.layout)
        }
        for action, rules in self.rules_of.items():
            if self.actions[action]["verb"] in self.ordered:
                self.dynamic_actions |= {
                    (action, r.ir["rule"]) for r in rules if r.ir["rule"] in ("before", "after")
                }

    def is_ordered(self, ir: IR) -> bool:
        """Whether a rule belongs to such a moment."""
        action = self.actions.get(ir.get("action", ""))
        return ir["rule"] in ("before", "after") and action is not None and action["verb"] in self.ordered

    def write_action_rule(self, rule: Rule, action: IR) -> None:
        super().write_action_rule(rule, action)
        if not self.is_ordered(rule.ir):
            return
        code, params, tests = self.rule_code(rule.ir, len(action["params"]), action["verb"])
        self.params_maybe(rule.ir, action, code)
        everything = [*tests, *([self.c(rule.ir["when"], code)] if "when" in rule.ir else [])]
        with self.writer.block(f"def N{rule.number}_now({self.bearer}{''.join(f', {p}' for p in params)}):"):
            self.line(f"return bool({' and '.join(everything) or 'True'})")

    def winning(self, action: IR, args: str) -> str:
        order = self.ordered.get(action["verb"])
        if order is None:
            return super().winning(action, args)
        point = self.point(order, Code([], verb=action["verb"]), "options", "order")
        return f"winner_by({point}, {self.x(order['by'], Code([]))}, {args})"

    def running(self, timing: str, action: IR, rules: str, args: str) -> str:
        order = self.ordered.get(action["verb"])
        if order is None:
            return super().running(timing, action, rules, args)
        point = self.point(order, Code([], verb=action["verb"]), "options", "order")
        by = self.x(order["by"], Code([]))
        return f"run_{timing}_by({point}, {by}, {rules}, {args})"
