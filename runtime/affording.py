"""`affordable`: whether every change of a block fits in full."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code, does_something
from talewright.runtime.layout import IR
from talewright.runtime.lending import LendCode


class AffordCode(LendCode):
    """Writes what asks whether all of a block fits, beside what does it and what asks if it can begin."""

    affords = False

    def find_affords(self) -> None:
        """Whether the document asks at all; if not, nothing is written."""
        stack: list[Any] = [self.content]
        while stack and not self.affords:
            item = stack.pop()
            if isinstance(item, dict):
                self.affords = item.get("question") == "affordable"
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)

    def x_ask(self, ir: IR, code: Code) -> str:
        if ir["question"] == "affordable":
            if "effect" in ir:
                return f"affords({self.x(ir['effect'], code)}, ())"
            call = ir["call"]
            if call["op"] == "run_effect":
                args = "".join(f"{self.x(a, code)}, " for a in call["args"])
                return f"affords({self.x(call['of'], code)}, ({args}))"
        return super().x_ask(ir, code)

    def write_afford(self, name: str, params: str, body: list[IR], code: Code) -> None:
        """The third function of an effect."""
        with self.writer.block(f"def {name}_afford({params}):"):
            sums: dict[str, list[str]] = {}
            for statement in body:
                self._afford(statement, code, sums)
            self.line("return True")

    def closure(self, body: list[IR], code: Code) -> str:
        text = super().closure(body, code)
        if not self.affords:
            return text
        name = text[1 : text.index(",")]
        inner = Code(list(code.names), set(code.maybe), set(code.effects), code.self_name, verb=code.verb)
        free = ", ".join(f"{n}={n}" for n in sorted(self.free_names(body, code)))
        self.write_afford(name, free, body, inner)
        return f"({name}, {name}_can, {name}_afford)"

    def _afford(self, ir: IR, code: Code, sums: dict[str, list[str]]) -> None:
        track = self._track_of(ir["target"]) if ir["op"] == "change" else None
        if ir["op"] == "let" and not does_something(ir["value"]):
            self.s_let(ir, code)
            return
        if ir["op"] == "if":
            self._afford_branch(ir, code, sums)
            return
        if track is not None:
            cell = self.x(ir["target"], code)
            steps = sums.setdefault(cell, [])
            steps.append(f"{'+' if ir['sign'] > 0 else '-'} {self.x(ir['by'], code)}")
            test = _fits(track, f"{cell} {' '.join(steps)}")
        elif ir["op"] == "core_call" and ir["verb"] == "take_token":
            args = ir["args"]
            held = f"tokens_at({self.x(args['token'], code)}, {self.x(args['from'], code)})"
            steps = sums.setdefault(held, [])
            steps.append(self.x(args["first"], code))
            test = f"{held} >= {' + '.join(steps)}"
        else:
            test = self.c(ir["if"], code) if ir["op"] == "requires" else self.can(ir, code)
        with self.writer.block(f"if not ({test}):"):
            self.line("return False")

    def _afford_branch(self, ir: IR, code: Code, sums: dict[str, list[str]]) -> None:
        """What would run must fit, on top of what was paid before it."""
        word = "if"
        for test, body in ir["branches"]:
            with self.writer.block(f"{word} {self.c(test, code)}:"):
                paid = {cell: list(steps) for cell, steps in sums.items()}
                for statement in body:
                    self._afford(statement, code, paid)
            word = "elif"
        with self.writer.block("else:"):
            for statement in ir["otherwise"]:
                self._afford(statement, code, sums)

    def _track_of(self, target: IR) -> IR | None:
        if target["op"] == "track":
            found: IR = self.layout.content["tracks"][self.track_number(target["id"])]
            return found
        if target["op"] == "field":
            return self.layout.fields[target["owner"], target["name"]].source.get("track")
        return None


def _fits(track: IR, wanted: str) -> str:
    """Whether a marker stays on its track; past an end where something waits it may go."""
    waits = {hook["when"] for hook in track.get("hooks", ())}
    low = "" if "below" in waits else f"{track['low']} <= "
    high = "" if "above" in waits else f" <= {track['high']}"
    return f"{low}{wanted}{high}" if low or high else "True"
