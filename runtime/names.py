"""Literals, names, fields and containers as Python expressions."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code, CodeParts
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR, Field, Layout, frozen, holds
from talewright.runtime.writer import Writer

COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
ARITHMETIC = {"add": "+", "sub": "-"}
BEHAVIOUR = ("effect", "lines", "condition")


class Names(CodeParts):
    """The ground floor of expressions: what they are made of."""

    # How deep the text being written stands where Python allows no assignment.
    plainly = 0

    def __init__(self, layout: Layout, writer: Writer, traced: bool) -> None:
        self.layout = layout
        self.writer = writer
        self.traced = traced
        self.values = {v["id"]: v for v in layout.content["values"] if holds(v, layout)}
        self.tables = {t["id"]: t for t in layout.content["tables"]}
        self.modifiers: dict[str, list[IR]] = {}
        self.dynamic_values: set[str] = set()
        self.order_of_places: dict[int, int] = {}

    # -------------------------------------------------------------- entry points
    def x(self, ir: IR, code: Code) -> str:
        """The Python expression of a node."""
        method = getattr(self, "x_" + ir["op"], None)
        if method is None:
            raise LoadError(f"nothing is known of the operation `{ir['op']}`")
        return method(ir, code)  # type: ignore[no-any-return]

    def maybe(self, ir: IR, code: Code) -> bool:
        """Whether a node can be none."""
        op = ir["op"]
        match op:
            case (
                "int"
                | "truth"
                | "word"
                | "thing"
                | "pile"
                | "track"
                | "count"
                | "add"
                | "sub"
                | "mul"
                | "tokens"
            ):
                return False
            case (
                "self"
                | "seat"
                | "pool_total"
                | "die_value"
                | "total"
                | "least"
                | "greatest"
                | "option"
                | "sort"
                | "broken"
            ):
                return False
            case "local":
                return ir["n"] in code.maybe
            case "field":
                return bool(ir.get("maybe")) or self._field_maybe(ir)
            case "value":
                return self._type_maybe(self.values[ir["id"]]["type"]) if ir["id"] in self.values else True
            case "state":
                return self._type_maybe(self.state_type(ir["id"]))
            case "pick":
                return self.maybe(ir["yes"], code) or self.maybe(ir["no"], code)
        return True

    def _type_maybe(self, kind: Any) -> bool:
        return kind in ("any", "none") or (isinstance(kind, list) and kind[0] in ("optional", "any"))

    def _field_maybe(self, ir: IR) -> bool:
        found = self.layout.fields.get((ir["owner"], ir["name"]))
        if found is None or self._type_maybe(found.type):
            return True
        plain = ("pile", "set", "list", "int", "range", "target", "ints", "truth", "map")
        return "default" not in found.source and "track" not in found.source and found.tag not in plain

    def state_type(self, name: str) -> Any:
        """The declared type of a state."""
        for state in self.layout.content["states"]:
            if state["id"] == name:
                return state["type"]
        return "any"

    def local(self, number: int) -> str:
        """The Python name of a local."""
        return f"v{number}"

    def const(self, value: Any) -> str:
        """A constant: small whole numbers stand in the source, everything else goes by reference."""
        if value is None or value is True or value is False:
            return repr(value)
        if type(value) is int and -(10**12) < value < 10**12:
            return repr(value) if value >= 0 else f"({value!r})"
        return self.writer.constant(value)

    # -------------------------------------------------------------- literals and names
    def x_int(self, ir: IR, code: Code) -> str:
        return self.const(int(ir["v"]))

    def x_truth(self, ir: IR, code: Code) -> str:
        return "True" if ir["v"] else "False"

    def x_none(self, ir: IR, code: Code) -> str:
        return "None"

    def x_word(self, ir: IR, code: Code) -> str:
        return self.const(str(ir["v"]))

    def x_mark(self, ir: IR, code: Code) -> str:
        return self.const(str(ir["v"]))

    def x_text(self, ir: IR, code: Code) -> str:
        parts = ir["parts"]
        if all(isinstance(p, str) for p in parts):
            return self.const("".join(parts))
        pieces = [self.const(p) if isinstance(p, str) else self.x(p, code) for p in parts]
        return f"''.join(({', '.join(pieces)},))"

    def x_show(self, ir: IR, code: Code) -> str:
        return f"show_value({self.x(ir['of'], code)}, {self.const(frozen(ir['type']))})"

    def x_size(self, ir: IR, code: Code) -> str:
        return self.const((ir["w"], ir["h"]))

    def x_local(self, ir: IR, code: Code) -> str:
        return code.names[ir["n"]] if ir["n"] < len(code.names) else self.local(ir["n"])

    def x_self(self, ir: IR, code: Code) -> str:
        return code.self_name

    def x_result(self, ir: IR, code: Code) -> str:
        return code.result

    def x_thing(self, ir: IR, code: Code) -> str:
        number = self.layout.number.get(ir["id"])
        if number is None:
            raise LoadError(f"there is no thing `{ir['id']}`")
        return str(number)

    def x_sort(self, ir: IR, code: Code) -> str:
        return self.const(self.sort_of(ir["id"]))

    def sort_of(self, name: str) -> str:
        """The id of a sort, as things carry it."""
        return name

    def x_kind(self, ir: IR, code: Code) -> str:
        return self.kind_list(ir["id"])

    def x_kind_name(self, ir: IR, code: Code) -> str:
        return self.const(str(ir["id"]))

    def kind_list(self, kind: str) -> str:
        """The name of the live list of a kind's things."""
        return f"K{self.kind_number(kind)}"

    def kind_number(self, kind: str) -> int:
        """The number of a kind."""
        return list(self.layout.kinds).index(kind)

    def kind_set(self, kind: str) -> str:
        """The name of the live set of a kind's things."""
        return f"Q{self.kind_number(kind)}"

    def x_pile(self, ir: IR, code: Code) -> str:
        return str(self.layout.pile_number[ir["id"]])

    def x_state(self, ir: IR, code: Code) -> str:
        return f"S[{self.scalar('state:' + ir['id'])}]"

    def x_track(self, ir: IR, code: Code) -> str:
        return f"S[{self.scalar('track:' + ir['id'])}]"

    def scalar(self, name: str) -> int:
        """The cell of a named scalar."""
        scalars = self.layout.scalars
        if name not in scalars:
            scalars[name] = len(scalars)
        return scalars[name]

    def x_option(self, ir: IR, code: Code) -> str:
        return self.const(self.layout.options[ir["id"]])

    def x_token(self, ir: IR, code: Code) -> str:
        return self.const(str(ir["id"]))

    def x_die(self, ir: IR, code: Code) -> str:
        die = next(d for d in self.layout.content["dice"] if d["id"] == ir["id"])
        faces = tuple(self.face(f) for f in die["faces"])
        return self.const(("die", ir["id"], faces))

    def face(self, ir: IR) -> Any:
        """A face of a die as a value."""
        match ir["op"]:
            case "int" | "word":
                return ir["v"]
            case "sort":
                return self.sort_of(ir["id"])
        return self.layout.number[ir["id"]]

    def x_dice(self, ir: IR, code: Code) -> str:
        return self.const(("dice", int(ir["n"]), int(ir["sides"])))

    def x_fixed_dice(self, ir: IR, code: Code) -> str:
        return f"('fixed', {self.x(ir['of'], code)})"

    def x_many_dice(self, ir: IR, code: Code) -> str:
        return f"('many', {self.x(ir['count'], code)}, {self.x(ir['dice'], code)})"

    def x_team(self, ir: IR, code: Code) -> str:
        team = next(t for t in self.layout.content["teams"] if t["id"] == ir["id"])
        return self.kind_list(team["role"])

    def x_seat(self, ir: IR, code: Code) -> str:
        number = self.layout.seat_numbers.get((ir["role"], ir["n"]))
        return "None" if number is None else str(number)

    def x_chapter(self, ir: IR, code: Code) -> str:
        return f"S[{self.scalar('chapter')}]"

    def x_ended(self, ir: IR, code: Code) -> str:
        return f"S[{self.scalar('ended')}]"

    def x_area(self, ir: IR, code: Code) -> str:
        return self.const("area:" + ir["name"])

    def x_decider(self, ir: IR, code: Code) -> str:
        role = self.role_field(ir["kind"])
        if role is None:
            return self.x(ir["of"], code)
        type_ = role.type[2][0] if role.type[0] == "optional" else role.type
        team = any(t["role"] == type_[1] for t in self.layout.content["teams"])
        return f"decider_of({self.x(ir['of'], code)}, F{role.number}, {self.kind_list(type_[1]) if team else 'None'})"

    def role_field(self, kind: str) -> Field | None:
        """The field through which things of a kind decide."""
        for entry in self.layout.fields_of(kind).values():
            type_ = entry.type
            if isinstance(type_, list) and type_[0] == "optional":
                type_ = type_[2][0]
            if isinstance(type_, list) and type_[0] == "thing" and type_[1] in self.layout.seats:
                return entry
        return None

    def x_anything(self, ir: IR, code: Code) -> str:
        return "ANYTHING"

    def x_any_of(self, ir: IR, code: Code) -> str:
        if ir["kind"] in self.layout.kinds:
            return f"('kind', {self.kind_set(ir['kind'])})"
        return f"('trait', {self.const(ir['kind'])})"

    def x_one_of(self, ir: IR, code: Code) -> str:
        return f"one_of({self.x(ir['of'], code)})"

    # -------------------------------------------------------------- fields, properties, containers
    def x_field(self, ir: IR, code: Code) -> str:
        base = self.x(ir["of"], code)
        found = self.layout.fields.get((ir["owner"], ir["name"]))
        if found is None:
            return f"trait_param({base}, {self.const(ir['owner'])}, {self.const(ir['name'])})"
        if found.tag in BEHAVIOUR and "stored" not in ir:
            return f"borne({self.x_field({**ir, 'stored': True}, code)}, {base})"
        nullable = ir.get("maybe") or self.maybe(ir["of"], code)
        modified = found.first
        if modified in self.modifiers or modified in self.dynamic_values:
            return f"field_{found.number}({base})"
        if not nullable or base.isdigit():
            return f"F{found.number}[{base}]"
        if base.isidentifier():
            return f"(F{found.number}[{base}] if {base} is not None else None)"
        if self.plainly:
            return f"field_of(F{found.number}, {base})"
        name = self.temporary(code)
        return f"(F{found.number}[{name}] if ({name} := {base}) is not None else None)"

    def behaves(self, ir: IR) -> bool:
        """Whether a field holds something to do or to ask."""
        found = self.layout.fields.get((ir["owner"], ir["name"]))
        return found is not None and found.tag in BEHAVIOUR

    def temporary(self, code: Code) -> str:
        """A Python name for a value used twice in one expression."""
        return self.writer.fresh("w")

    def x_late(self, ir: IR, code: Code) -> str:
        return f"late_field({self.x(ir['of'], code)}, {self.const(ir['name'])})"

    def x_trait_param(self, ir: IR, code: Code) -> str:
        return f"own_param({code.self_name}, {self.const(code.traits.get('', ''))}, {self.const(ir['name'])})"

    def x_prop(self, ir: IR, code: Code) -> str:
        base = self.x(ir["of"], code)
        name = ir["name"]
        if name == "sort" and not self.maybe(ir["of"], code):
            return f"SORT[{base}]"
        return f"prop_{name}({base})"

    def x_tokens(self, ir: IR, code: Code) -> str:
        return f"TOKENS[{self.const(ir['token'])}][{self.x(ir['of'], code)}]"

    def x_tokens_at(self, ir: IR, code: Code) -> str:
        return f"tokens_at({self.x(ir['token'], code)}, {self.x(ir['where'], code)})"

    def x_items(self, ir: IR, code: Code) -> str:
        pile = self.x(ir["of"], code)
        if self.maybe(ir["of"], code) and not pile.isdigit():
            return f"items_of({pile})"
        return f"ITEMS[{pile}]"

    def x_content(self, ir: IR, code: Code) -> str:
        pile = self.x(ir["of"], code)
        if self.maybe(ir["of"], code) and not pile.isdigit():
            return f"content_of({pile})"
        if self.plainly:
            return f"content_of({pile})"
        name = self.temporary(code)
        return f"({name}[0] if ({name} := ITEMS[{pile}]) else None)"

    x_pile_top = x_content

    def x_pile_bottom(self, ir: IR, code: Code) -> str:
        return f"bottom_of({self.x(ir['of'], code)})"

    def x_copies(self, ir: IR, code: Code) -> str:
        return f"copies_of({self.x(ir['of'], code)})"

    def x_some_copies(self, ir: IR, code: Code) -> str:
        return f"some_copies({self.x(ir['of'], code)}, {self.x(ir['count'], code)})"

    def x_bearers(self, ir: IR, code: Code) -> str:
        return f"bearers({self.const(ir['trait'])})"

    def is_pile(self, ir: IR) -> bool:
        """Whether an expression is a container."""
        if ir["op"] == "pile":
            return True
        if ir["op"] == "field":
            found = self.layout.fields.get((ir["owner"], ir["name"]))
            return found is not None and found.tag == "pile"
        return False

    def gives_pile(self, ir: IR, code: Code) -> bool:
        """Whether a node gives the number of a container, not a thing."""
        match ir["op"]:
            case "local":
                return ir["n"] in code.effects
            case "table":
                return "pile" in str(self.tables[ir["id"]]["type"])
        return self.is_pile(ir)
