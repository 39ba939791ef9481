"""Decisions as Python statements: who is asked, among what, and what follows."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR
from talewright.runtime.possible import Possible


class AskCode(Possible):
    """The floor of code that lets somebody choose."""

    interrupted: bool

    def asked_anew(self, ir: IR, code: Code, ask: Any) -> None:
        """A decision that is worked out again when something else was done in the middle of it."""
        if not self.interrupted:
            ask(ir, code, "")
            return
        with self.writer.block("while True:"):
            with self.writer.block("try:"):
                ask(ir, code, "_once")
                self.line("break")
            with self.writer.block("except Anew:"):
                self.line("pass")

    def s_choose(self, ir: IR, code: Code) -> None:
        self.asked_anew(ir, code, self._choose)

    def _choose(self, ir: IR, code: Code, once: str) -> None:
        point = self.point(ir, code, "choose", ir["name"], ir["type"])
        by = self.x(ir["by"], code)
        source = ir["from"]
        group = self.group(ir["type"])
        prompt = self.prompt(ir.get("prompt"), code)
        options = self.listed(source, code)
        name = self.bind(code, ir["n"])
        mode = ir.get("mode")
        if mode in (None, "optional"):
            code.maybe.add(ir["n"])
            if ir.get("head") and mode is None:
                self.line(f"{name} = {options}")
                with self.writer.block(f"if not {name}:"):
                    self.refuse(code, ir)
                options = name
            self.line(
                f"{name} = pick{once}({point}, {by}, {options}, {group}, {mode == 'optional'}, {prompt})"
            )
            return
        again = "None"
        if source["op"] == "best":
            inner = self.writer.fresh("w")
            again = f"lambda {inner}: {self._again(source, inner, code)}"
            options = self.listed(source["of"], code)
        count = self.x(ir["amount"], code)
        self.points[point]["several"] = True
        self.line(
            f"{name} = pick_many({point}, {by}, {options}, {count}, {self.const(mode)}, {again}, {group}, {prompt})"
        )

    def _again(self, ir: IR, name: str, code: Code) -> str:
        bound = self.bind(code, ir["n"])
        keys = [f"({self.const(d)}, lambda {bound}: {self.x(v, code)})" for d, v in ir["keys"]]
        return f"best({name}, ({', '.join(keys)},))"

    def s_choose_one(self, ir: IR, code: Code) -> None:
        taken = self.writer.fresh("c")
        self.asked_anew(ir, code, lambda ir, code, once: self._choose_one(ir, code, once, taken))
        word = "if"
        for index, option in enumerate(ir["options"]):
            self.nested(option["body"], code, f"{word} {taken} == {index}:")
            word = "elif"

    def _choose_one(self, ir: IR, code: Code, once: str, taken: str) -> None:
        point = self.point(ir, code, "options", "choice")
        choices = self.writer.fresh("c")
        self.line(f"{choices} = []")
        for index, option in enumerate(ir["options"]):
            label = self.prompt(option["label"], code)
            add = f"{choices}.append(({index}, {self.const(option['id'])}, {label}))"
            if "when" in option:
                with self.writer.block(f"if {self.c(option['when'], code)}:"):
                    self.line(add)
            else:
                self.line(add)
        prompt = self.prompt(ir.get("prompt"), code)
        by = self.x(ir["by"], code)
        self.line(
            f"{taken} = choose_one{once}({point}, {by}, {choices}, {prompt}, {bool(ir.get('optional'))})"
        )

    def s_may(self, ir: IR, code: Code) -> None:
        point = self.point(ir, code, "yes", "may")
        can = self.can_inline(ir["body"], code)
        label = (
            self.prompt(ir["label"], code)
            if "label" in ir
            else self.const(ir.get("verb", "?").replace("_", " "))
        )
        with self.writer.block(f"if {can} and may({point}, {self.x(ir['by'], code)}, {label}):"):
            self.block(ir["body"], code)

    def s_open(self, ir: IR, code: Code) -> None:
        menu = ir["menu"]
        point = self.point(ir, code, "menu", "menu")
        self.points[point]["id"] = f"menu.{menu['id']}"
        args = ", ".join(self.x(a, code) for a in menu["args"])
        count = self.x(ir["up_to"], code) if "up_to" in ir else "None"
        prompt = self.prompt(ir.get("prompt"), code)
        by = self.x(ir["by"], code)
        passed = bool(ir.get("until_passed"))
        given = f"({args}{',' if args else ''})"
        self.line(f"open_menu({point}, {self.const(menu['id'])}, {given}, {by}, {count}, {passed}, {prompt})")

    def x_agreed(self, ir: IR, code: Code) -> str:
        point = self.point(ir, code, "yes", "agreed")
        return f"agreed({point}, {self.x(ir['by'], code)}, {self.prompt(ir['text'], code)})"

    def x_ask(self, ir: IR, code: Code) -> str:
        question = ir["question"]
        if question in ("possible", "affordable"):
            if "effect" in ir:
                return f"can_block({self.x(ir['effect'], code)}, ())"
            return self.can(ir["call"], code)
        if question == "offered":
            call = ir["call"]
            args = self.arguments(
                call,
                self.actions[call["action"]],
                Code(code.names, code.maybe, code.effects, code.self_name, verb="?"),
            )
            return f"is_offered({self.const(call['action'])}, ({', '.join(args)}{',' if args else ''}))"
        call = ir["call"]
        if call["op"] == "core_call":
            return f"GAME.times({self.const(question)}, {self.const('core:' + call['verb'])}, ())"
        args = self.arguments(
            {**call, "args": [a if a is not None else {"op": "anything"} for a in call["args"]]},
            self.actions[call["action"]],
            code,
        )
        return f"GAME.times({self.const(question)}, {self.const(call['action'])}, ({', '.join(args)}{',' if args else ''}))"
