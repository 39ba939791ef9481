"""The tests of a document as functions of the generated program, one for each step."""

from __future__ import annotations

from talewright.runtime.codeparts import Code
from talewright.runtime.firststate import FirstState
from talewright.runtime.layout import IR, frozen


class TestCode(FirstState):
    """The floor of a program that writes tests."""

    def _write_tests(self) -> list[IR]:
        made: list[IR] = []
        for index, test in enumerate(self.content["tests"]):
            steps = []
            self.local_names = test["locals"]
            for position, step in enumerate(test["steps"]):
                steps.append(self._test_step(f"t{index}_{position}", step, test))
            made.append({**test, "functions": steps})
        return made

    def _side(self, side: IR, code: Code) -> str:
        """One side of an expectation: its text, and its value as people read it."""
        shown = f"show_value({self.value_of(side['value'], code)}, {self.const(frozen(side['type']))})"
        return f"({self.const(side['text'])}, {shown})"

    def _test_step(self, name: str, step: IR, test: IR) -> str | None:
        code = Code([self.local(i) for i in range(len(test["locals"]))], verb="test")
        code.maybe.update(range(len(test["locals"])))
        self.writer.at = step["at"]
        match step["step"]:
            case "given":
                with self.writer.block(f"def {name}():"):
                    self.block(step["body"], code)
            case "when":
                with self.writer.block(f"def {name}():"):
                    for moment in step["moments"]:
                        if "until" in moment:
                            self.line(f"GAME.until = {self.const(moment['until'])}")
                        self.s({k: v for k, v in moment.items() if k != "until"}, code)
                        if self.checking:
                            self.line("checkpoint()")
            case "expect":
                with self.writer.block(f"def {name}():"):
                    self.line(f"return {self.c(step['if'], code)}")
                with self.writer.block(f"def {name}_sides():"):
                    rows = [self._side(s, code) for s in step["sides"]]
                    self.line(f"return [{', '.join(rows)}]")
            case "rig" | "answer":
                with self.writer.block(f"def {name}():"):
                    values = ", ".join(self.x(v, code) for v in step["values"])
                    by = self.x(step["by"], code) if "by" in step else "None"
                    self.line(f"return [{values}], {by}")
            case "marks":
                with self.writer.block(f"def {name}():"):
                    signs = ", ".join(
                        f"({self.const(sign)}, {self.x(value, code)})" for sign, value in step["marks"]
                    )
                    self.line(f"return [{signs}]")
            case "expect_scene":
                with self.writer.block(f"def {name}():"):
                    self.line(f"return {self.x(step['on'], code) if 'on' in step else 'None'}")
            case "start":
                with self.writer.block(f"def {name}():"):
                    pairs = ", ".join(
                        f"{self.const(k)}: {self.x(v, code)}" for k, v in step["settings"].items()
                    )
                    self.line(f"return {{{pairs}}}")
            case _:
                return None
        return name
