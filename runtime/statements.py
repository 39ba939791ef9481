"""Statements of the document as Python statements."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codegen import Expressions
from talewright.runtime.codeparts import PLACED, Code, does_something, pile_key
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR
from talewright.runtime.pages import write_follow


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

    def s_assign(self, ir: IR, code: Code) -> None:
        target = ir["target"]
        value = self.value_of(ir["value"], code)
        if ir["value"]["op"] == "items" and target["op"] in ("state", "field"):
            # What lies in a container now, not the container: it may be emptied later.
            value = f"[*{value}]"
        if self.counts(target) and ir["value"]["op"] != "int":
            value = f"bounded({value})"
        self.write(target, value, code, False)
        if target["op"] == "local" and self.maybe(ir["value"], code):
            code.maybe.add(target["n"])

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

    # -------------------------------------------------------------- calls
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
            self.write(target, f"[*{self.x(target, code)}, {spread}{value}]", code, False)
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

    def is_pile(self, ir: IR) -> bool:
        """Whether an expression is a container."""
        if ir["op"] == "pile":
            return True
        if ir["op"] == "field":
            found = self.layout.fields.get((ir["owner"], ir["name"]))
            return found is not None and found.tag == "pile"
        return False

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
        if of["op"] == "local":
            return f"run_block({self.x(of, code)}, ({args}{',' if args else ''}))"
        return f"run_any({self.x(of, code)}, ({args}{',' if args else ''}))"

    def s_run_table(self, ir: IR, code: Code) -> None:
        self.line(self.x(ir["of"], code))

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
            point = self.point(ir, code, "next", self.name_of(ir, code))
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
        return names[ir["n"]] if ir["n"] < len(names) else "it"

    local_names: list[str]

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
                with self.writer.block("if len(GAME.log) >= GAME.next_look:"):
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

    # -------------------------------------------------------------- decisions
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
            case "range":
                low = "None" if arm["low"] is None else self.x(arm["low"], code)
                high = "None" if arm["high"] is None else self.x(arm["high"], code)
                test = f"in_range({subject}, {low}, {high})"
            case _:
                test = self.c(arm["if"], code)
        return f"({test}) and {self.c(arm['when'], code)}" if "when" in arm else test

    # -------------------------------------------------------------- what is possible
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
                return f"can_run({self.x(args['first'], code)})"
        return "True"

    def can_effect(self, ir: IR, code: Code) -> str:
        """Whether the effect of a field or parameter could be done."""
        of = ir["of"]
        args = ", ".join(self.x(a, code) for a in ir["args"])
        if of["op"] == "field":
            found = self.layout.fields[of["owner"], of["name"]]
            return f"can_field(F{found.number}, {self.x(of['of'], code)}, ({args}{',' if args else ''}))"
        return f"can_block({self.x(of, code)}, ({args}{',' if args else ''}))"

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

    def gives_pile(self, ir: IR, code: Code) -> bool:
        """Whether a node gives the number of a container, not a thing."""
        match ir["op"]:
            case "pile":
                return True
            case "field":
                found = self.layout.fields.get((ir["owner"], ir["name"]))
                return found is not None and found.tag == "pile"
            case "local":
                return ir["n"] in code.effects
            case "table":
                return "pile" in str(self.tables[ir["id"]]["type"])
        return False


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
