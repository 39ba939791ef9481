"""Why a call cannot be made now: its gate taken apart, by code written when somebody first asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from talewright.runtime.codeparts import Code, does_something
from talewright.runtime.faults import LoadError
from talewright.runtime.game import Game
from talewright.runtime.layout import IR
from talewright.runtime.rulecode import Rule

MOST = 40


@dataclass(frozen=True, slots=True)
class Refusal:
    """One obstacle: what it says, where it stands, and whose rule it is."""

    reason: str
    at: int
    bearer: Any = None


@dataclass(frozen=True, slots=True)
class Withheld:
    """An offer that is not made now, with the values it was tried with, their types, and what stands in the way."""

    label: str
    at: int
    values: tuple[Any, ...]
    refusals: tuple[Refusal, ...]
    kinds: tuple[Any, ...] = ()


class Whys:
    """The gates of a game's actions and offers, taken apart."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program = game.program
        self.offers: set[int] = set()
        _add_code(game, self._write)

    # -------------------------------------------------------------- asking
    def refusals(self, action: str, args: tuple[Any, ...]) -> list[Refusal]:
        """What forbids a call now, else the first requirement it fails."""
        found = list(self._forbidding(action, args))
        if found:
            return found
        failing = self.game.space[f"Y{self.program.action_number(action)}"](*args)
        return [Refusal(_text(reason), at) for at, reason in failing]

    def withheld(self) -> list[Withheld]:
        """The offers of the menu that is open which cannot be taken now."""
        if self.game.menu is None:
            return []
        menu, args, by = self.game.menu
        found: list[Withheld] = []
        for entry in self.game.space["LISTS"][f"menu:{menu}"]:
            number = int(entry[2].__name__[1:])
            if number not in self.offers or list(entry[2](entry[1], by, *args)):
                continue
            found += self._offer(number, entry[1], by, args)
        return found

    def _offer(self, number: int, bearer: Any, by: Any, args: tuple[Any, ...]) -> list[Withheld]:
        ir = self.program.rules[number].ir
        call = ir["body"][0]
        kinds = tuple(item["type"] for item in ir.get("unbound", ()))
        made = []
        for values, given in self.game.space[f"W{number}"](bearer, by, *args):
            refusals = (
                (Refusal("", ir["at"], bearer),)
                if given is None
                else tuple(self.refusals(call["action"], given))
            )
            if refusals:
                made.append(Withheld(str(ir["id"]), ir["at"], values, refusals, kinds[: len(values)]))
            if given is None or len(made) >= MOST:
                break
        return made or [
            Withheld(str(ir["id"]), ir["at"], (), (Refusal("there is nothing to do it with", ir["at"]),))
        ]

    def _forbidding(self, action: str, args: tuple[Any, ...]) -> list[Refusal]:
        space, program = self.game.space, self.program
        found = []
        if (action, "forbid") in program.dynamic_actions:
            for entry in space["LISTS"][f"RF{program.action_number(action)}"]:
                if entry[2](entry[1], *args):
                    found.append(self._forbid(_number(entry[2]), entry[1], args))
        else:
            for rule in program.rules_of.get(action, ()):
                if rule.ir["rule"] == "forbid" and space[f"N{rule.number}"](None, *args):
                    found.append(self._forbid(rule.number, None, args))
        return [f for f in found if f is not None]

    def _forbid(self, number: int | None, bearer: Any, args: tuple[Any, ...]) -> Refusal | None:
        if number is None:
            return Refusal("a rule forbids it for now", -1, bearer)
        ir = self.program.rules[number].ir
        told: Callable[..., Any] | None = self.game.space.get(f"YR{number}")
        return Refusal(str(told(bearer, *args)) if told is not None else "", ir["at"], bearer)

    # -------------------------------------------------------------- writing
    def _write(self) -> None:
        program = self.program
        for action in program.actions.values():
            self._gate(action)
            for rule in program.rules_of.get(action["id"], ()):
                if rule.ir["rule"] == "forbid" and "reason" in rule.ir and rule.bearer != "until":
                    self._reason(rule, action)
        for rule in program.rules:
            if rule.ir["rule"] == "offer" and rule.bearer != "until":
                self._offered(rule)

    def _reason(self, rule: Rule, action: IR) -> None:
        program = self.program
        code, params, _ = program.rule_code(rule.ir, len(action["params"]), action["verb"])
        listed = "".join(f", {p}" for p in params)
        with program.writer.block(f"def YR{rule.number}(self_{listed}):"):
            program.line(f"return {program.x(rule.ir['reason'], code)}")

    def _gate(self, action: IR) -> None:
        """Y gives the first requirement that fails, with its reason; the same head as the gate itself."""
        program = self.program
        names = [program.local(p["n"]) for p in action["params"]]
        code = program.body_code(action)
        with program.writer.block(f"def Y{program.action_number(action['id'])}({', '.join(names)}):"):
            for name, param in zip(names, action["params"], strict=True):
                if not program._type_maybe(param["type"]):
                    missing = program.const(f"there is no {_kind_words(param)} for it")
                    with program.writer.block(f"if {name} is None:"):
                        program.line(f"return [({action['at']}, {missing})]")
            for statement in action["body"]:
                if statement["op"] == "requires":
                    reason = program.prompt(statement.get("reason"), code)
                    with program.writer.block(f"if not {program.c(statement['if'], code)}:"):
                        program.line(f"return [({statement.get('at', action['at'])}, {reason})]")
                elif statement["op"] == "let" and not does_something(statement["value"]):
                    program.s_let(statement, code)
                else:
                    break
            program.line("return []")

    def _offered(self, rule: Rule) -> None:
        """W gives the values an offer could be tried with and the arguments of its call."""
        program, ir = self.program, rule.ir
        call = ir["body"][0] if ir["body"] else {"op": "nothing"}
        if call["op"] != "call" or call["action"] not in program.actions:
            return
        writer = program.writer
        program.local_names = ir["locals"]
        code = Code([program.local(i) for i in range(len(ir["locals"]))], self_name="self_", verb="menu")
        listed = "".join(f", {code.names[n] if n is not None else '_'}" for n in ir["params"])
        code.maybe.update(n for n in ir["params"] if n is not None)
        start, depth = len(writer.lines), writer.depth
        try:
            with writer.block(f"def W{rule.number}(self_, by_{listed}):"):
                program.line("out = []")
                if "when" in ir:
                    with writer.block(f"if not {program.c(ir['when'], code)}:"):
                        program.line("return [((), None)]")
                known: list[int] = []
                for item in ir.get("unbound", ()):
                    values = program.values_of(item, call, code, known, ir)
                    writer.line(f"for {code.names[item['n']]} in {values}:")
                    writer.depth += 1
                    known.append(item["n"])
                args = program.arguments(call, program.actions[call["action"]], code)
                shown = "".join(f"{code.names[n]}, " for n in known)
                program.line(f"out.append((({shown}), ({''.join(f'{a}, ' for a in args)})))")
                writer.depth -= len(known)
                program.line("return out")
        except LoadError:
            del writer.lines[start:], writer.places[start:]
            writer.depth = depth
            return
        self.offers.add(rule.number)


def _add_code(game: Game, write: Callable[[], None]) -> None:
    """Runs code written late inside a game's name space; the program itself stays as it was."""
    program, writer = game.program, game.program.writer
    start, points = len(writer.lines), len(program.points)
    try:
        write()
        while program.hoisted:
            for text in program.hoisted.pop():
                writer.line(text)
        source = "\n".join(writer.lines[start:]) + "\n"
    finally:
        del writer.lines[start:], writer.places[start:], program.points[points:]
        program.hoisted.clear()
    game.space.update(writer.constants)
    exec(compile(source, "<why>", "exec", dont_inherit=True), game.space)


def _kind_words(param: IR) -> str:
    kind = param["type"]
    if isinstance(kind, list) and kind[0] == "thing":
        return "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(kind[1]))
    return str(param["name"]).replace("_", " ")


def _number(function: Any) -> int | None:
    name = function.__name__
    return int(name[1:]) if name[:1] == "N" and name[1:].isdigit() else None


def _text(reason: Any) -> str:
    made = reason() if callable(reason) else reason
    return str(made) if made else ""
