"""Whether a statement can be done, as Python conditions."""

from __future__ import annotations

from talewright.runtime.callcode import CallCode
from talewright.runtime.codeparts import Code, does_something
from talewright.runtime.layout import IR


class Possible(CallCode):
    """The floor of code that asks whether a block can be done without doing it."""

    def can_inline(self, body: list[IR], code: Code) -> str:
        """Whether a block could be done, as an expression; blocks with a head become functions."""
        first = next((s for s in body if s["op"] not in ("let",)), None)
        if first is None:
            return "True"
        if body[0]["op"] == "let" or first["op"] == "requires":
            name = self.writer.fresh("p")
            free = sorted(self.free_names(body, code))
            with self.writer.block(f"def {name}({', '.join(f'{n}={n}' for n in free)}):"):
                self.can_block(body, code.inner())
            return f"{name}()"
        return self.can(first, code)

    def can_block(self, body: list[IR], code: Code) -> None:
        """Writes the statements that say whether a block could be done."""
        for statement in body:
            if statement["op"] == "requires":
                with self.writer.block(f"if not {self.c(statement['if'], code)}:"):
                    self.line("return False")
            elif statement["op"] == "let" and not does_something(statement["value"]):
                self.s_let(statement, code)
            else:
                self.line(f"return bool({self.can(statement, code)})")
                return
        self.line("return True")

    def can(self, ir: IR, code: Code) -> str:
        """Whether one statement could be done, as an expression."""
        match ir["op"]:
            case "call":
                action = self.actions.get(ir["action"])
                if action is None:
                    return "False"
                args = self.arguments(ir, action, code)
                loops = ""
                for index, param in enumerate(action["params"]):
                    if args[index] == "ANYTHING":
                        args[index] = self.writer.fresh("v")
                        loops += f" for {args[index]} in {self.whole_domain(param['name'], param['type'])}"
                gate = f"G{self.action_number(ir['action'])}({', '.join(args)})"
                return f"any({gate}{loops})" if loops else gate
            case "core_call":
                return self.can_core(ir, code)
            case "run_effect":
                return self.can_effect(ir, code)
            case "if":
                text = "False"
                branches = [*ir["branches"]]
                text = self.can_inline(ir["otherwise"], code) if ir["otherwise"] else "False"
                for test, body in reversed(branches):
                    text = f"({self.can_inline(body, code)} if {self.c(test, code)} else {text})"
                return text
            case "for_each":
                return f"bool({self.x(ir['of'], code)})"
            case "possible":
                return "(" + (" or ".join(self.can_inline([m], code) for m in ir["members"]) or "False") + ")"
            case "choose":
                return (
                    "True" if ir.get("mode") in ("optional", "up to") else f"bool({self.x(ir['from'], code)})"
                )
            case "choose_one":
                return (
                    "("
                    + " or ".join(self.c(o["when"], code) if "when" in o else "True" for o in ir["options"])
                    + ")"
                )
            case "change":
                return self.can_change(ir, code)
        return "True"

    def can_change(self, ir: IR, code: Code) -> str:
        """A track can change if its marker would move, or a hook waits beyond its end."""
        target = ir["target"]
        track = None
        if target["op"] == "track":
            track = self.layout.content["tracks"][self.track_number(target["id"])]
        elif target["op"] == "field":
            track = self.layout.fields[target["owner"], target["name"]].source.get("track")
        if track is None:
            return "True"
        rising = ir["sign"] > 0
        beyond = "above" if rising else "below"
        if any(hook["when"] == beyond for hook in track.get("hooks", ())):
            return "True"
        edge = f"< {track['high']}" if rising else f"> {track['low']}"
        return f"({self.x(target, code)} {edge} and {self.x(ir['by'], code)} > 0)"

    def can_core(self, ir: IR, code: Code) -> str:
        """Whether a core verb would do anything."""
        args = ir["args"]
        match ir["verb"]:
            case "move" | "place" | "put" | "put_at" | "put_on":
                into = self.into(args, code)
                first = self.x(args["first"], code)
                return f"bool({first})" if ir.get("many") else f"can_move({first}, {into})"
            case "draw":
                return f"can_draw({self.x(args['from'], code)})"
            case "put_token":
                return f"can_put_token({self.x(args['first'], code)}, {self.x(args['token'], code)}, {self.x(args['on'], code)})"
            case "take_token":
                return f"can_take_token({self.x(args['first'], code)}, {self.x(args['token'], code)}, {self.x(args['from'], code)})"
            case "remove" | "discard" | "reveal" | "show" | "flip":
                return f"something({self.x(args['first'], code)})" if "first" in args else "False"
            case "pay":
                return f"can_pay({self.x(args['first'], code)}, {self.x(args['from'], code)}, {self.x(args['using'], code)})"
            case "run":
                return self.can_effect({"of": args["first"], "args": []}, code)
        return "True"

    def can_effect(self, ir: IR, code: Code) -> str:
        """Whether the effect of a field or parameter could be done."""
        of = ir["of"]
        args = ", ".join(self.x(a, code) for a in ir["args"])
        if of["op"] == "field":
            found = self.layout.fields[of["owner"], of["name"]]
            return f"can_field(F{found.number}, {self.x(of['of'], code)}, ({args}{',' if args else ''}))"
        return f"can_block({self.x(of, code)}, ({args}{',' if args else ''}))"

    def s_possible(self, ir: IR, code: Code) -> None:
        if ir["mode"] == "first":
            done = self.writer.fresh("c")
            self.line(f"{done} = False")
            for member in ir["members"]:
                with self.writer.block(f"if not {done} and {self.can_inline([member], code)}:"):
                    self.line(f"{done} = True")
                    self.s(member, code)
            return
        for member in ir["members"]:
            self.nested([member], code, f"if {self.can_inline([member], code)}:")
