"""Statements of the document as Python statements."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codegen import Expressions
from talewright.runtime.codeparts import Code
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR


class Statements(Expressions):
    """Writes blocks; decisions get a number, a point, by which they are counted, logged and answered."""

    points: list[IR]
    actions: dict[str, IR]
    core_hooks: dict[str, Any]
    checking: bool
    watched_cells: set[str]

    def block(self, body: list[IR], code: Code) -> None:
        """Every statement of a block."""
        for statement in body:
            self.s(statement, code)

    def s(self, ir: IR, code: Code) -> None:
        """One statement."""
        if "at" in ir:
            self.writer.at = ir["at"]
        method = getattr(self, "s_" + ir["op"], None)
        if method is None:
            raise LoadError(f"nothing is known of the statement `{ir['op']}`")
        method(ir, code)

    def line(self, text: str) -> None:
        """One line of Python."""
        self.writer.line(text)

    def nested(self, body: list[IR], code: Code, header: str) -> None:
        """A block below a header."""
        with self.writer.block(header):
            self.block(body, code)

    # -------------------------------------------------------------- points of decision
    def point(self, ir: IR, code: Code, form: str, name: str, kind: Any = None) -> int:
        """Numbers a place where somebody is asked."""
        self.points.append(
            {"id": f"{code.verb or 'game'}.{name}", "form": form, "type": kind, "at": ir.get("at", -1)}
        )
        return len(self.points) - 1

    def prompt(self, ir: IR | None, code: Code) -> str:
        """A prompt as a function, so that nobody pays for texts that nobody reads."""
        if ir is None:
            return "None"
        if all(isinstance(p, str) for p in ir["parts"]):
            return self.x(ir, code)
        free = sorted(self.free_names(ir, code))
        capture = ", ".join(f"{n}={n}" for n in free)
        return f"(lambda {capture}: {self.x(ir, code)})"

    def group(self, kind: Any) -> int:
        """The number of the columns that tell copies of a kind apart; -1 when no kind below it has copies."""
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if kind == "die":
            return -2
        if not (isinstance(kind, list) and kind[0] == "thing"):
            return -1
        # What bears a trait may be of any kind.
        name = kind[1] if kind[1] in self.layout.kinds else "Thing"
        kinds = {t.kind for t in self.layout.things if self.layout.is_a(t.kind, name)}
        copied = any(t.copy and t.owner is None for t in self.layout.things if t.kind in kinds)
        hidden = any(
            self.layout.is_a(k, p.source.get("kind", "")) and self.face_of(p.form, p.source) == 0
            for p in self.layout.piles for k in kinds
        )  # fmt: skip
        if not copied and not hidden:
            return -1
        return self.group_number(name)

    def group_number(self, kind: str) -> int:
        """Groups are numbered by kind."""
        if kind not in self.groups:
            self.groups[kind] = len(self.groups)
        return self.groups[kind]

    groups: dict[str, int]

    def face_of(self, form: str, source: IR) -> int | None:
        """Whether things lie face up (1) or down (0) in a container."""
        face = source.get("face")
        if face is not None:
            return 1 if face == "face_up" else 0
        return 0 if form in ("deck", "bag", "hand") else 1

    # -------------------------------------------------------------- simple statements
    def s_nothing(self, ir: IR, code: Code) -> None:
        self.line("pass")

    def s_let(self, ir: IR, code: Code) -> None:
        value = self.value_of(ir["value"], code)
        name = self.bind(code, ir["n"])
        if ir["value"]["op"] in ("call", "core_call", "run_effect") or self.maybe(ir["value"], code):
            code.maybe.add(ir["n"])
        else:
            code.maybe.discard(ir["n"])
        self.line(f"{name} = {value}")

    def value_of(self, ir: IR, code: Code) -> str:
        """The result of a call, or the value of an expression."""
        if ir["op"] in ("call", "core_call", "run_effect", "run_table", "for_each", "branch"):
            return self.call_text(ir, code)
        return self.x(ir, code)

    def s_assign(self, ir: IR, code: Code) -> None:
        target = ir["target"]
        value = self.value_of(ir["value"], code)
        if ir["value"]["op"] == "items" and target["op"] in ("state", "field"):
            # What lies in a container now, not the container: it may be emptied later.
            value = f"[*{value}]"
        if self.counts(target) and ir["value"]["op"] != "int":
            value = f"bounded({value})"
        if target["op"] == "field" and self.behaves(target):
            value = self._behaviour(ir["value"], code)
        self.write(target, value, code, False)
        if target["op"] == "local" and self.maybe(ir["value"], code):
            code.maybe.add(target["n"])

    def _behaviour(self, ir: IR, code: Code) -> str:
        """Behaviour for a field: that of another thing becomes that of the new bearer, all other has none."""
        if ir["op"] == "field" and self.behaves(ir):
            return (
                f"field_of(F{self.layout.fields[ir['owner'], ir['name']].number}, {self.x(ir['of'], code)})"
            )
        return f"kept({self.x(ir, code)})"

    def counts(self, target: IR) -> bool:
        """Whether a cell holds a number that could grow without end."""
        match target["op"]:
            case "state":
                return any(
                    s["id"] == target["id"] and s["type"] == "int" for s in self.layout.content["states"]
                )
            case "field":
                found = self.layout.fields[target["owner"], target["name"]]
                return found.type == "int" and "track" not in found.source
        return False

    def write(self, target: IR, value: str, code: Code, moved: bool) -> None:
        """Puts a value into a field, state, track or local, with what follows from it."""
        match target["op"]:
            case "local":
                self.line(f"{self.bind(code, target['n'])} = {value}")
            case "state":
                self.line(f"{self.x(target, code)} = {value}")
                self.written(f"state:{target['id']}")
            case "track":
                self.line(f"track_{self.track_number(target['id'])}({value}, True)")
            case "field":
                self.write_field(target, value, code)
            case "look_up":
                row = f"{self.x(target['key'], code)}: {value}"
                self.write(target["of"], f"{{**({self.x(target['of'], code)} or {{}}), {row}}}", code, False)
            case _:
                raise LoadError("this cannot be written")

    def write_field(self, target: IR, value: str, code: Code) -> None:
        """Writes a field's stored value."""
        found = self.layout.fields[target["owner"], target["name"]]
        base = self.x(target["of"], code)
        if "track" in found.source:
            self.line(f"field_track_{found.number}({base}, {value}, True)")
            return
        if self.maybe(target["of"], code) or target.get("maybe"):
            with self.writer.block(f"if {base} is not None:"):
                self.line(f"F{found.number}[{base}] = {value}")
        else:
            self.line(f"F{found.number}[{base}] = {value}")
        self.written(f"field:{target['owner']}.{target['name']}", base)

    def written(self, cell: str, owner: str = "") -> None:
        """What a write sets off: rules in force and state rules that read the cell."""
        if cell in self.watched_cells:
            self.line(f"look_again({self.const(cell)})")

    def s_change(self, ir: IR, code: Code) -> None:
        target = ir["target"]
        amount = self.x(ir["by"], code)
        sign = "+" if ir["sign"] > 0 else "-"
        match target["op"]:
            case "track":
                number = self.track_number(target["id"])
                self.line(f"track_{number}({self.x(target, code)} {sign} {amount}, False)")
            case "field":
                found = self.layout.fields[target["owner"], target["name"]]
                base = self.x(target["of"], code)
                if "track" in found.source:
                    self.line(
                        f"field_track_{found.number}({base}, F{found.number}[{base}] {sign} {amount}, False)"
                    )
                else:
                    self.line(f"F{found.number}[{base}] = bounded(F{found.number}[{base}] {sign} {amount})")
                    self.written(f"field:{target['owner']}.{target['name']}", base)
            case "local":
                name = self.bind(code, target["n"])
                self.line(f"{name} = pool_total({name}) {sign} {amount}")
            case _:
                self.write(target, f"bounded({self.x(target, code)} {sign} {amount})", code, True)

    def track_number(self, name: str) -> int:
        """The number of a track at top level."""
        for index, track in enumerate(self.layout.content["tracks"]):
            if track["id"] == name:
                return index
        raise LoadError(f"there is no track `{name}`")

    def s_extend(self, ir: IR, code: Code) -> None:
        self.write(
            ir["target"],
            f"union({self.x(ir['target'], code)}, {self.members(ir['items'], code)})",
            code,
            False,
        )

    def s_shrink(self, ir: IR, code: Code) -> None:
        self.write(
            ir["target"],
            f"minus({self.x(ir['target'], code)}, {self.members(ir['items'], code)})",
            code,
            False,
        )

    def s_fill(self, ir: IR, code: Code) -> None:
        self.line(f"fill({self.x(ir['target'], code)}, {self.x(ir['items'], code)})")

    def s_give(self, ir: IR, code: Code) -> None:
        self.line(f"return {self.x(ir['value'], code)}")

    def s_stop(self, ir: IR, code: Code) -> None:
        if "moment" in ir:
            self.line(f"stop_action({self.const(ir['moment'].partition(':')[2])})")
        elif code.loops:
            self.line("break")
        else:
            self.line("return None")

    def s_go_to(self, ir: IR, code: Code) -> None:
        call = f"go_to({self.x(ir['target'], code)})"
        self.line(f"return next_page({self.x(ir['target'], code)})" if code.page else call)

    def s_requires(self, ir: IR, code: Code) -> None:
        # A test sets the table with rules asleep: nothing is required then.
        awake = " and not GAME.asleep" if self.traced else ""
        with self.writer.block(f"if not {self.c(ir['if'], code)}{awake}:"):
            self.refuse(code, ir)

    def refuse(self, code: Code, ir: IR) -> None:
        """Leaves a call that may not happen."""
        if self.traced and code.action:
            reason = self.prompt(ir.get("reason"), code)
            params = (
                ", ".join(code.names[: len(self.actions[code.action]["params"])])
                if code.action in self.actions
                else ""
            )
            self.line(
                f"trace_refused({self.const(code.action)}, ({params}{',' if params else ''}), {reason})"
            )
        self.line("return None")

    # -------------------------------------------------------------- blocks
    def s_if(self, ir: IR, code: Code) -> None:
        word = "if"
        for test, body in ir["branches"]:
            self.nested(body, code, f"{word} {self.c(test, code)}:")
            word = "elif"
        if ir["otherwise"]:
            self.nested(ir["otherwise"], code, "else:")

    def s_for_each(self, ir: IR, code: Code) -> None:
        source = ir["of"]
        name = self.bind(code, ir["n"])
        code.maybe.discard(ir["n"])
        chosen = None
        if ir.get("pairs"):
            second = self.bind(code, ir["second"]) if "second" in ir else "_"
            header = f"for {name}, {second} in pairs_of({self.x(source, code)}):"
        elif "chosen_by" in ir:
            point = self.point(ir, code, "next", self.name_of(ir, code), ir.get("type"))
            left, by = self.writer.fresh("c"), self.writer.fresh("c")
            self.line(f"{by} = {self.x(ir['chosen_by'], code)}")
            self.line(f"{left} = list({self.x(source, code)})")
            header = f"while {left}:"
            chosen = f"{name} = next_chosen({point}, {by}, {left}, {self.group(ir.get('type'))})"
        else:
            header = f"for {name} in {self.listed(source, code)}:"
        test = None
        if source["op"] == "filter":
            # The set is fixed at the start, but its test is asked again before each turn.
            test = (source["n"], source["test"])
        code.loops += 1
        with self.writer.block(header):
            if chosen is not None:
                self.line(chosen)
            if test is not None:
                kept = code.names[test[0]]
                code.names[test[0]] = name
                with self.writer.block(f"if not {self.c(test[1], code)}:"):
                    self.line("continue")
                code.names[test[0]] = kept
            self.block(ir["body"], code)
        code.loops -= 1

    def name_of(self, ir: IR, code: Code) -> str:
        """The name a designer gave to a local."""
        names = self.local_names
        return names[ir["n"]]["name"] if ir["n"] < len(names) else "it"

    local_names: list[IR]

    def listed(self, source: IR, code: Code) -> str:
        """A set fixed at the start of a loop."""
        text = self.x(source, code)
        if source["op"] in ("filter", "each", "set", "union", "minus", "rotate", "best", "sorted", "span"):
            return text
        return f"list({text})"

    def s_repeat(self, ir: IR, code: Code) -> None:
        if "times" in ir:
            header = f"for _ in range({self.x(ir['times'], code)}):"
        elif "while" in ir:
            header = f"while {self.c(ir['while'], code)}:"
        else:
            header = "while True:"
        code.loops += 1
        with self.writer.block(header):
            self.count_step()
            if "times" not in ir:
                with self.writer.block("if len(LOG) >= GAME.next_look:"):
                    self.line("GAME.look_for_progress()")
            self.block(ir["body"], code)
        code.loops -= 1

    def count_step(self) -> None:
        """One more turn of a loop, towards the budget."""
        self.line("step()")

    def s_together(self, ir: IR, code: Code) -> None:
        if not self.checking:
            self.block(ir["body"], code)
            return
        self.line("hold_checks()")
        begin = len(self.writer.lines)
        with self.writer.block("try:"):
            self.block(ir["body"], code)
        if _may_leave(self.writer.lines[begin:]):
            with self.writer.block("finally:"):
                self.line("release_checks()")
            return
        # What is released may ask somebody: that is gone on from only where no error can be on its way.
        with self.writer.block("except BaseException:"):
            self.line("release_checks()")
            self.line("raise")
        self.line("release_checks()")

    def s_as_usual(self, ir: IR, code: Code) -> None:
        if "with" in ir:
            number, value = ir["with"]
            name = self.bind(code, number)
            kept = self.writer.fresh("c")
            self.line(f"{kept} = {name}")
            self.line(f"{name} = {self.x(value, code)}")
            self.line(code.usual)
            self.line(f"{name} = {kept}")
        else:
            self.line(code.usual)

    def s_retrait(self, ir: IR, code: Code) -> None:
        traits = ", ".join(self.x(t, code) for t in ir["traits"])
        target = self.x(ir["target"], code)
        if not ir.get("many"):
            target = f"[{target}]"
        self.line(f"change_traits({self.const(ir['change'])}, {target}, ({traits},))")

    def s_branch(self, ir: IR, code: Code) -> None:
        subject = self.writer.fresh("c")
        self.line(f"{subject} = {self.value_of(ir['of'], code)}")
        word = "if"
        otherwise: list[IR] | None = None
        for arm in ir["arms"]:
            if arm["key"] == "otherwise":
                otherwise = arm["body"]
                continue
            self.nested(arm["body"], code, f"{word} {self.arm_test(arm, subject, code)}:")
            word = "elif"
        if otherwise is not None:
            if word == "if":
                self.block(otherwise, code)
            else:
                self.nested(otherwise, code, "else:")
        elif word == "elif" and ir["of"]["op"] not in ("call", "core_call", "run_effect"):
            # The result of a call may be left unanswered; a value that is matched must fit somewhere.
            self.writer.at = ir["at"]
            with self.writer.block("else:"):
                self.line(f"no_arm({subject})")

    def arm_test(self, arm: IR, subject: str, code: Code) -> str:
        """What an arm asks of its subject."""
        match arm["key"]:
            case "same":
                test = f"die_value({subject}) == {self.x(arm['value'], code)}"
            case "kind":
                if arm["kind"] in self.layout.kinds:
                    test = f"{subject} in {self.kind_set(arm['kind'])}"
                else:
                    test = f"has_trait({subject}, {self.const(arm['kind'])})"
                if code.loose:
                    test = f"(type({subject}) is not Container and {test})"
            case "range":
                low = "None" if arm["low"] is None else self.x(arm["low"], code)
                high = "None" if arm["high"] is None else self.x(arm["high"], code)
                test = f"in_range({subject}, {low}, {high})"
            case _:
                test = self.c(arm["if"], code)
        return f"({test}) and {self.c(arm['when'], code)}" if "when" in arm else test

    # -------------------------------------------------------------- containers
    def into(self, args: IR, code: Code) -> str:
        """The pile something goes to."""
        for name in ("to", "at", "into", "on", "under"):
            if name in args:
                return self.pile_text(args[name], code)
        return "BOX"

    def pile_text(self, ir: IR, code: Code) -> str:
        """A container, or the occupants of a place."""
        if self.gives_pile(ir, code):
            return self.x(ir, code)
        if ir["op"] == "thing":
            pile = self.layout.occupants.get(self.layout.number[ir["id"]])
            if pile is not None:
                return str(pile)
        return f"destination({self.x(ir, code)})"


def _may_leave(lines: list[str]) -> bool:
    """Whether a block may be left before its end other than by an error."""
    loops: list[int] = []
    for line in lines:
        word = line.split(maxsplit=1)[0]
        depth = len(line) - len(line.lstrip())
        while loops and depth <= loops[-1]:
            loops.pop()
        if word == "return" or (word in ("break", "continue") and not loops):
            return True
        if word in ("while", "for"):
            loops.append(depth)
    return False
