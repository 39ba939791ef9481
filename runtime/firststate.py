"""What things, containers and states hold when a game begins."""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.kinds import SELF, thing_kind
from talewright.runtime.layout import IR, Field, Thing
from talewright.runtime.pages import write_ways
from talewright.runtime.rulefunctions import RuleFunctions


class FirstState(RuleFunctions):
    """The floor of a program that writes the functions which fill its tables."""

    def _write_things(self) -> None:
        """`init_things` gives every thing the values of its fields."""
        pending: list[tuple[int, str]] = []
        effects: dict[int, str] = {}
        for thing in self.layout.things:
            at = thing.source.get("at", -1)
            for name, field in self.layout.fields_of(thing.kind).items():
                value = self.field_value(thing, name, field)
                if value is None or field.tag == "pile":
                    continue
                text = effects.get(id(value))
                if text is None:
                    text = self.initial(value, field, thing)
                    if isinstance(value, dict) and value.get("op") == "code":
                        effects[id(value)] = text
                pending.append((at, f"F{field.number}[{thing.number}] = {text}"))
            for entry in thing.source.get("faces", ()):
                face = self._face(entry, thing)
                pending.append((at, f"FACES.setdefault({thing.number}, []).append({face})"))
        with self.writer.block("def init_things():"):
            for self.writer.at, text in pending:
                self.line(text)
        for name, value in self.effects_known.items():
            self.line(f"{name} = {effects[id(value)].strip('()').split(', ')[1]}")

    def _face(self, entry: IR, thing: Thing) -> str:
        rows = []
        fields = self.layout.fields_of(thing.kind)
        for name, value in entry.get("fields", {}).items():
            field = fields[name]
            rows.append(f"{field.number}: {self.initial(value, field, thing)}")
        return f"({self.const(entry['id'])}, {self.const(entry.get('title', ''))}, {{{', '.join(rows)}}})"

    def _condition(self, ir: IR, thing: Thing) -> str:
        name = self.writer.fresh("e")
        self.writer.at = ir.get("at", -1)
        code = Code(
            [self.local(i) for i in range(len(ir["locals"]))], self_name=str(thing.number), verb="chapter"
        )
        begin = len(self.writer.lines)
        with self.writer.block(f"def {name}():"):
            self.line(f"return {self.c(ir['if'], code)}")
        return self.writer.shared(name, begin)

    def field_value(self, thing: Any, name: str, field: Field) -> Any:
        given = thing.source.get("fields", {})
        if name in given:
            return given[name]
        part = f"{thing.id}.{name}"
        if part in self.layout.number and field.tag == "thing":
            return {"op": "thing", "id": part}
        if name == "text" and "text" in thing.source:
            return thing.source["text"]
        for owner in self.layout.lineage[thing.kind]:
            kind = self.layout.kinds[owner]
            if name in kind.get("defaults", {}):
                return kind["defaults"][name]
            for entry in kind.get("fields", ()):
                if entry["name"] == name:
                    if "track" in entry:
                        start = entry["track"].get("start")
                        return start["value"] if start else {"op": "int", "v": entry["track"]["low"]}
                    default = entry.get("default")
                    if default is None:
                        return _unset(field)
                    return default.get("value", default)
        return None

    def initial(self, value: Any, field: Field, thing: Any) -> str:
        code = Code([], self_name=str(thing.number), verb="init")
        op = value["op"]
        if op == "code":
            return self._effect(value, field)
        if op == "edges":
            rows = []
            for row in value["rows"]:
                test = (
                    self._condition({"if": row["if"], "locals": row["locals"], "at": row["at"]}, thing)
                    if "if" in row
                    else "None"
                )
                label = self.const(row["id"]) if "id" in row else "None"
                target = self.x(row["to"], code) if row.get("to") else "None"
                rows.append(f"({test}, {label}, {target}, {bool(row.get('otherwise'))})")
            made = f"({', '.join(rows)}{',' if rows else ''})"
            return f"ways({made}, {write_ways(self, value['rows'], thing)})" if self.page_rules else made
        if op == "bands":
            return self._bands(value, code)
        if op == "inline":
            numbers = [str(self.layout.number[i]) for i in value["items"]]
            return f"[{', '.join(numbers)}]" if field.tag in ("list", "set") else numbers[0]
        if op in ("rows", "drawing"):
            return self.writer.constant([list(r) for r in value["rows"]], "P")
        if op == "map":
            rows = [
                f"{self.x(k, code)}: "
                + (
                    f"borne({self.initial(v, field, thing)}, {thing.number})"
                    if _is_code(v)
                    else self.x(v, code)
                )
                for k, v in value["rows"]
            ]
            return "{" + ", ".join(rows) + "}"
        return self.x(value, code)

    def _bands(self, value: IR, code: Code) -> str:
        rows = [_as_range(row) for row in value["rows"]]
        if any(row["key"] == "same" for row in rows):
            named = [
                f"{self.x(r['value'], code)}: (lambda i: i[0] if i else None)({self.x(r['items'], code)})"
                for r in rows
            ]
            return "{" + ", ".join(named) + "}"
        ranges = []
        for row in rows:
            low = "None" if row.get("low") is None else self.x(row["low"], code)
            high = "None" if row.get("high") is None else self.x(row["high"], code)
            ranges.append(f"({low}, {high}, {self.x(row['items'], code)})")
        return f"({', '.join(ranges)}{',' if ranges else ''})"

    def _effect(self, value: IR, field: Field) -> str:
        """An effect or condition kept in a field: what does it, and what tells whether it can be done."""
        name = self.writer.fresh("E")
        self.local_names = value["locals"]
        code = Code([self.local(i) for i in range(len(value["locals"]))], self_name="self_", verb=field.name)
        code.kinds = self._effect_kinds(value, field)
        if "if" in value:
            with self.writer.block(f"def {name}(self_):"):
                self.line(f"return {self.c(value['if'], code)}")
            return name
        params = "".join(f", {self.local(n)}" for n in value["params"])
        body = value["body"]
        if field.tag == "lines":
            body = [{"op": "possible", "mode": "all", "members": body}]
        begin = len(self.writer.lines)
        with self.writer.block(f"def {name}(self_{params}):"):
            self.block(self._announced(body) if field.tag == "lines" else body, code)
        fresh = Code([self.local(i) for i in range(len(value["locals"]))], self_name="self_", verb=field.name)
        fresh.kinds = code.kinds
        with self.writer.block(f"def {name}_can(self_{params}):"):
            self.can_block(body, fresh)
        if self.affords:
            again = Code(
                [self.local(i) for i in range(len(value["locals"]))], self_name="self_", verb=field.name
            )
            self.write_afford(name, f"self_{params}", value["body"], again)
            return f"({name}, {name}_can, {name}_afford)"
        name = self.writer.shared(name, begin)
        return f"({name}, {name}_can)"

    def _announced(self, body: list[IR]) -> list[IR]:
        """Lines with a moment before each, if some rule looks at it."""
        if "next_line" not in self.core_hooks:
            return body
        moment = {"op": "core_call", "verb": "next_line", "args": {}}
        return [
            statement
            for line in body[0]["members"]
            for statement in (moment, {"op": "possible", "mode": "all", "members": [line]})
        ]

    def _effect_kinds(self, value: IR, field: Field) -> dict[int, str | None]:
        """The kinds of the locals of an effect: its parameters are declared with its field."""
        kind = field.type[2][0] if field.type[0] == "optional" else field.type
        given = kind[2] if isinstance(kind, list) and kind[0] == "effect" else []
        params: dict[int, str | None] = {SELF: field.owner if field.owner in self.layout.kinds else None}
        params |= {
            n: thing_kind(type_) for n, (_, type_) in zip(value.get("params", ()), given, strict=False)
        }
        return self.kinds.of_body(value.get("body", []), params)

    def _write_piles(self) -> None:
        """`init_piles` fills the containers; limits that are not constant become functions."""
        lines: list[str] = []
        limits: list[str] = []
        for pile in self.layout.piles:
            code = Code([], self_name="None" if pile.owner is None else str(pile.owner), verb="init")
            content = pile.source.get("content")
            if pile.field and pile.owner is not None:
                thing = self.layout.things[pile.owner]
                field = self.layout.fields_of(thing.kind)[pile.field]
                given = thing.source.get("fields", {}).get(pile.field)
                default = field.source.get("default")
                content = {"value": given} if given else default
            if content is not None:
                lines.append(f"put_all({self.x(content['value'], code)}, {pile.number})")
            limit = pile.source.get("max")
            if limit is not None:
                if limit["value"]["op"] == "int":
                    limits.append(f"PILE_MAX[{pile.number}] = {limit['value']['v']}")
                else:
                    code = Code([], self_name="self_", verb="init")
                    limits.append(f"PILE_MAX[{pile.number}] = lambda self_: {self.x(limit['value'], code)}")
            source = pile.source.get("reshuffles")
            if source is not None and source["op"] != "none":
                code = Code([], self_name="None" if pile.owner is None else str(pile.owner), verb="init")
                limits.append(f"PILE_SOURCE[{pile.number}] = {self.x(source, code)}")
        with self.writer.block("def init_limits():"):
            for text in limits:
                self.line(text)
        with self.writer.block("def init_piles():"):
            for text in lines:
                self.line(text)
        with self.writer.block("def init_scalars():"):
            for track in self.content["tracks"]:
                self.writer.at = track.get("at", -1)
                start = track.get("start")
                text = self.x(start["value"], Code([])) if start else str(track["low"])
                self.line(f"S[{self.scalar('track:' + track['id'])}] = {text}")
            for state in self.content["states"]:
                self.writer.at = state["at"]
                if "default" in state:
                    self.line(
                        f"S[{self.scalar('state:' + state['id'])}] = {self.x(state['default'], Code([]))}"
                    )
                elif _many(state["type"]):
                    self.line(f"S[{self.scalar('state:' + state['id'])}] = []")


def _unset(field: Field) -> Any:
    """What a field holds that nobody has filled: nothing, 0, no, or an empty collection."""
    if isinstance(field.type, list) and field.type[0] == "optional":
        return None
    match field.tag:
        case "int" | "range" | "target" | "ints":
            return {"op": "int", "v": 0}
        case "truth":
            return {"op": "truth", "v": False}
        case "list" | "set":
            return {"op": "set", "items": []}
        case "map":
            return {"op": "map", "rows": []}
    return None


def _is_code(value: Any) -> bool:
    return isinstance(value, dict) and value.get("op") in ("code", "map", "bands")


def _many(kind: Any) -> bool:
    return isinstance(kind, list) and kind[0] in ("list", "set")


def _as_range(row: IR) -> IR:
    """A band of one number is the range from it to itself."""
    if row["key"] != "same" or row["value"]["op"] != "int":
        return row
    return {"key": "range", "low": row["value"], "high": row["value"], "items": row["items"]}
