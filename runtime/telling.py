"""What a game tells of itself: titles, faces and fields, what became of calls, and the way to an error."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from talewright.runtime.containers import Container
from talewright.runtime.dicepool import Pool
from talewright.runtime.faults import Fault, Frame
from talewright.runtime.inforce import RulesInForce
from talewright.runtime.tracing import CALLS_DEEP, frame_name

# So many texts may be said between two decisions.
MOST_TEXTS = 1000
_FILLED = re.compile(r" *F(\d+)\[(\d+)\] = ")


class Telling(RulesInForce):
    """The floor of a game that answers questions of generated code, and notes what happens."""

    def title(self, thing: Any) -> str:
        """The title of a thing."""
        return str(self.space["title_of"](thing))

    def prose(self, thing: int | None) -> str:
        """The prose of a thing."""
        if thing is None:
            return ""
        text = self.layout.things[thing].source.get("text")
        if not isinstance(text, dict):
            return ""
        return "".join(p for p in text["parts"] if isinstance(p, str)).strip()

    def say(self, text: Any) -> None:
        """Something is said at the table."""
        if self.quick is not None:
            return
        made = text if type(text) is str else text() if callable(text) else text
        if made:
            self._count_texts()
            self.said.append(str(made))
            if self.listener is not None:
                self.listener("say", str(made))

    def _count_texts(self) -> None:
        """More texts than anybody would read before they are asked again are an error of play."""
        if self.decided_then != len(self.log):
            self.decided_then, self.said_since = len(self.log), 0
        self.said_since += 1
        if self.said_since > MOST_TEXTS:
            raise Fault("R14", f"more than {MOST_TEXTS:,} texts are said without a decision")

    def late_field(self, thing: Any, name: str) -> Any:
        """A field of something whose kind only play can tell."""
        if not isinstance(thing, int) or isinstance(thing, Container):
            return None
        kind = self.layout.things[thing].kind
        if (kind, name) not in self._late:
            field = self.layout.fields_of(kind).get(name)
            modified = field is not None and f"field_{field.number}" in self.space
            self._late[kind, name] = (
                field,
                self.space[f"field_{field.number}"] if field and modified else None,
            )
        field, folded = self._late[kind, name]
        if folded is not None:
            return folded(thing)
        if field is not None:
            return self.space[f"F{field.number}"][thing]
        lent = (self.late_field(column[thing], name) for column in self.space["LENDS"].get(kind, ()))
        return next((value for value in lent if value is not None), None)

    def back(self, thing: int) -> Any:
        """What can be told of a thing that lies face down."""
        return self.layout.things[thing].kind

    def face(self, thing: int | None) -> Any:
        """The face of a card or die that is up."""
        die = self.space["DICE"].get(thing)
        if die is not None:
            return die[3][thing]
        faces = self.space["FACES"].get(thing)
        return faces[self.space["TURNED"][thing]][0] if faces else None

    def flip(self, thing: int) -> None:
        """Turns a thing over: its next face answers for it; a die shows its opposite."""
        die = self.space["DICE"].get(thing)
        if die is not None:
            die[3][thing] = die[2].get(die[3][thing], die[3][thing])
            self.space["look_again"](f"field:{die[0]}.face")
            return
        faces = self.space["FACES"].get(thing)
        if not faces:
            self.space["UP"][thing] = 1 - self.space["UP"][thing]
            return
        self.space["TURNED"][thing] = (self.space["TURNED"][thing] + 1) % len(faces)
        self._show_face(thing)

    def _show_face(self, thing: int) -> None:
        """Gives a thing the fields of the face that is up."""
        face = self.space["FACES"][thing][self.space["TURNED"][thing]]
        for number, value in face[2].items():
            self.space[f"F{number}"][thing] = value

    # -------------------------------------------------------------- what became of calls
    def note(self, outcome: str, action: str, args: tuple[Any, ...]) -> None:
        """Remembers what became of a call."""
        self.events.append((outcome, action, args))

    def times(self, question: str, action: str, args: tuple[Any, ...]) -> int:
        """How often a call had an outcome since the last `when`."""
        return sum(
            1 for o, a, given in self.events if o == question and a == action and self._matches(given, args)
        )

    def _matches(self, given: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
        anything = self.space["ANYTHING"]
        for have, want in zip(given, wanted, strict=False):
            if want is anything:
                continue
            if isinstance(want, tuple) and want and want[0] == "kind":
                if have not in want[1]:
                    return False
            elif isinstance(want, tuple) and want and want[0] == "trait":
                if not self.space["has_trait"](have, want[1]):
                    return False
            elif isinstance(have, Pool):
                if have.total() != want:
                    return False
            elif have != want:
                return False
        return True

    def offered(self, action: str, args: tuple[Any, ...]) -> bool:
        """Whether some menu would offer a call now."""
        space = self.space
        for menu in self.program.content["menus"]:
            kinds = [self.layout.of_kind(p["type"][1]) for p in menu["params"]]
            for entry in space["LISTS"][f"menu:{menu['id']}"]:
                asked = space.get(f"Z{entry[2].__name__[1:]}")
                if asked is None or asked.__doc__ != action:
                    continue
                if any(asked(entry[1], *given, args) for given in product(*kinds)):
                    return True
        return False

    def rolled(self, purpose: Any) -> int:
        """How many dice were rolled for a purpose since the last `when`."""
        return sum(
            int(args[0])
            for outcome, what, args in self.events
            if outcome == "rolled" and what == str(purpose)
        )

    # -------------------------------------------------------------- tracing
    def trace_call(self, action: str, args: tuple[Any, ...], at: int) -> None:
        """A call begins."""
        self.depth += 1
        if self.depth > CALLS_DEEP:
            raise Fault("R7", f"calls go deeper than {CALLS_DEEP}")
        if self.listener is not None:
            self.listener("call", (self.depth, action, args, at))

    def trace_ended(self, action: str) -> None:
        """A call that tests wait for is over, with all that follows it."""
        if self.on_ended is not None:
            self.on_ended(action)

    def trace_leave(self) -> None:
        """A call ends in any way."""
        self.depth -= 1

    def trace_outcome(self, outcome: str, action: str, args: tuple[Any, ...], result: Any) -> None:
        """What became of a call."""
        self.events.append((outcome, action, args))
        if self.listener is not None:
            self.listener(outcome, (self.depth, action, args, result))

    def trace_refused(self, action: str, args: tuple[Any, ...], reason: Any) -> None:
        """A call that could not be made."""
        self.events.append(("refused", action, args))
        self.refusals.append((action, args, reason))
        if self.listener is not None:
            self.listener("refused", (self.depth, action, args, reason))

    def trace_rule(self, at: int, bearer: Any) -> None:
        """A rule runs."""
        if self.listener is not None:
            self.listener("rule", (self.depth, at, bearer))

    def trace_write(self, cell: str, before: Any, after: Any, owner: Any = None) -> None:
        """A track's marker has moved."""
        if self.listener is not None and before != after:
            self.listener("write", (self.depth, cell, before, after, owner))

    # -------------------------------------------------------------- errors of play
    def where(self, error: BaseException) -> list[Frame]:
        """The way to an error through the text of the package."""
        frames: list[Frame] = []
        trace = error.__traceback__
        spots = self.program.document["sources"]
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<tale>":
                for number, function in self.program.way_to(trace.tb_lineno):
                    at = self.program.writer.places[number - 1]
                    if 0 <= at < len(spots["spots"]):
                        file, line = spots["spots"][at][:2]
                        what = frame_name(self.program, function)
                        if frames and frames[-1].what == what and function[0] in "RD":
                            frames.pop()
                        frames.append(Frame(what, spots["files"][file], line))
            trace = trace.tb_next
        return frames

    def cell_being_filled(self, error: BaseException) -> str:
        """The field whose first value led to an error while the table was laid."""
        trace = error.__traceback__
        lines = self.program.source.splitlines()
        while trace is not None:
            if trace.tb_frame.f_code.co_name == "init_things":
                number = self.program.way_to(trace.tb_lineno)[0][0]
                if found := _FILLED.match(lines[number - 1]):
                    field = next(f for f in self.layout.fields.values() if f.number == int(found[1]))
                    return f"`{self.layout.things[int(found[2])].id}.{field.name}`"
            trace = trace.tb_next
        return "a state, track or pile"

    def too_deep(self, error: RecursionError) -> Fault:
        """Calls without end; when nothing but values call each other, the values that need themselves."""
        frames = self.where(error)
        loop = list(dict.fromkeys(frame.what for frame in frames[-24:]))
        if loop and all(what.startswith("value ") for what in loop):
            names = ", ".join(what.removeprefix("value ") for what in loop)
            return Fault("R9", f"what a value needs leads back to itself: {names}", frames)
        return Fault("R7", f"calls go deeper than {CALLS_DEEP}", frames)

    def fault_of(self, error: Exception) -> Fault:
        """An error of Python in generated code, as an error of play."""
        frames = self.where(error)
        if isinstance(error, ZeroDivisionError):
            return Fault("R2", "something is divided by zero", frames)
        if isinstance(error, TypeError) and "None" in str(error):
            return Fault("R1", "none stands where a number or a thing is needed", frames)
        return Fault(
            "R15", f"a value of the wrong type was reached ({type(error).__name__}: {error})", frames
        )
