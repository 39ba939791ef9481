"""Calls of actions, of the core's verbs and of effects, with their arguments."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import PLACED, Code, pile_key
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR
from talewright.runtime.pages import write_follow
from talewright.runtime.statements import Statements


class CallCode(Statements):
    """The floor of code that calls."""

    def s_call(self, ir: IR, code: Code) -> None:
        self.line(self.call(ir, code))

    def call(self, ir: IR, code: Code) -> str:
        """A call of a declared action."""
        action = self.actions.get(ir["action"])
        if action is None:
            return f"left_out('action', {self.const(ir['action'].partition('/')[0])})"
        return f"A{self.action_number(ir['action'])}({', '.join(self.arguments(ir, action, code))})"

    def arguments(self, ir: IR, action: IR, code: Code) -> list[str]:
        """The arguments of a call, defaults filled in."""
        made: list[str] = []
        for arg, param in zip(ir["args"], action["params"], strict=True):
            if arg is not None:
                made.append(self.argument(arg, code))
            elif "default" in param:
                made.append(self.x(param["default"], Code([])))
            else:
                made.append("ANYTHING" if code.verb == "?" else "None")
        return made

    def argument(self, ir: IR, code: Code) -> str:
        """One argument; a block becomes a function."""
        if ir["op"] == "block":
            return self.closure(ir["body"], code)
        return self.x(ir, code)

    def closure(self, body: list[IR], code: Code) -> str:
        """A block as a pair of functions: can it be done, and do it."""
        name = self.writer.fresh("b")
        inner = code.inner()
        free = [f"{n}={n}" for n in sorted(self.free_names(body, code) - self._own_names(body, code))]
        with self.writer.block(f"def {name}({', '.join(free)}):"):
            self.block(body, inner)
        with self.writer.block(f"def {name}_can({', '.join(free)}):"):
            self.can_block(body, code.inner())
        return f"({name}, {name}_can)"

    def _own_names(self, body: list[IR], code: Code) -> set[str]:
        """The names that the statements of a block give themselves."""
        found: set[str] = set()
        stack: list[Any] = list(body)
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if item.get("op") in ("let", "choose", "for_each"):
                    found |= {self.bind(code.inner(), item[key]) for key in ("n", "second") if key in item}
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        return found

    def action_number(self, name: str) -> int:
        """The number of an action."""
        return self.action_numbers[name]

    action_numbers: dict[str, int]

    def s_core_call(self, ir: IR, code: Code) -> None:
        args = ir["args"]
        if ir["verb"] == "add":
            target, value = args["to"], self.x(args["first"], code)
            if self.is_pile(target):
                self.line(f"put_in({value}, {self.x(target, code)})")
                return
            spread = "*" if ir.get("many") else ""
            self.write(target, f"grown([*{self.x(target, code)}, {spread}{value}])", code, False)
            return
        if ir["verb"] == "remove" and "from" in args and not self.is_pile(args["from"]):
            value = self.x(args["first"], code)
            items = value if ir.get("many") else f"[{value}]"
            self.write(args["from"], f"without({self.x(args['from'], code)}, {items})", code, False)
            return
        if code.page and ir["verb"] == "follow" and "follow" not in self.core_hooks:
            write_follow(self, args, code)
            return
        self.line(self.core_call(ir, code))

    def core_call(self, ir: IR, code: Code) -> str:
        """A call of one of the core's verbs."""
        verb = ir["verb"]
        method = getattr(self, "core_" + verb, None)
        if method is None:
            raise LoadError(f"nothing is known of the verb `{verb}`")
        hooked = self.core_hooks.get(verb)
        if hooked:
            return self.hooked_core(ir, code, method)
        return method(ir, ir["args"], code)  # type: ignore[no-any-return]

    def hooked_core(self, ir: IR, code: Code, method: Any) -> str:
        """A core verb that some rule looks at: wrapped like a declared action."""
        args = ir["args"]
        order = [name for name in ("first", "token", *self.core_parts(ir["verb"])) if name in args]
        names = {name: self.writer.fresh("u") for name in order}
        inner = code.inner()
        values = []
        rebound: IR = {}
        piles: list[str] = []
        for name in order:
            values.append(self.x(args[name], code) if args[name]["op"] != "block" else "None")
            number = len(inner.names)
            if name in PLACED and self.gives_pile(args[name], code):
                piles.append(name)
                inner.effects.add(number)
            inner.names.append(names[name])
            inner.maybe.add(number)
            rebound[name] = {"op": "local", "n": number}
        body = method({**ir, "args": rebound, "late": True}, rebound, inner)
        keys = "".join(f"{self.const(name)}, " for name in order)
        params = ", ".join(names[n] for n in order)
        given = "".join(f"{value}, " for value in values)
        held = f", ({''.join(f'{self.const(pile_key(name))}, ' for name in piles)})" if piles else ""
        return f"core_action({self.const(ir['verb'])}, ({keys}), ({given}), lambda {params}: {body}{held})"

    def core_parts(self, verb: str) -> list[str]:
        """The parts a core verb can have, in order."""
        return ["from", "to", "into", "on", "under", "at", "by", "for", "with", "using"]

    # -------------------------------------------------------------- effects
    def s_run_effect(self, ir: IR, code: Code) -> None:
        self.line(self.run_effect(ir, code))

    def run_effect(self, ir: IR, code: Code) -> str:
        """Runs what a field or parameter holds."""
        of = ir["of"]
        args = ", ".join(self.x(a, code) for a in ir["args"])
        if of["op"] == "field":
            base = self.x(of["of"], code)
            found = self.layout.fields[of["owner"], of["name"]]
            return f"run_field(F{found.number}, {base}, ({args}{',' if args else ''}))"
        return f"run_block({self.x(of, code)}, ({args}{',' if args else ''}))"

    def s_run_table(self, ir: IR, code: Code) -> None:
        self.line(self.x(ir["of"], code))

    def call_text(self, ir: IR, code: Code) -> str:
        """A call as a Python expression."""
        match ir["op"]:
            case "call":
                return self.call(ir, code)
            case "core_call":
                return self.core_call(ir, code)
            case "run_effect":
                return self.run_effect(ir, code)
            case "run_table":
                return f"{self.x(ir['of'], code)}"
        raise LoadError("this gives nothing to remember")

    def x_core_call(self, ir: IR, code: Code) -> str:
        return self.core_call(ir, code)

    def x_call(self, ir: IR, code: Code) -> str:
        return self.call(ir, code)

    def x_run_effect(self, ir: IR, code: Code) -> str:
        return self.run_effect(ir, code)
