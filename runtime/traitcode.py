"""Traits, grants and casts as Python functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from talewright.runtime.actioncode import ActionCode
from talewright.runtime.codeparts import Code
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR, Field
from talewright.runtime.rulecode import Rule


@dataclass(slots=True)
class Bearer:
    """Whoever a piece of code will run for: its number is a name in the generated source."""

    number: str = "self_"


class TraitCode(ActionCode):
    """Writes what a trait brings, what a grant gives, and who comes with a chapter."""

    trait_now = ""
    content: IR

    def x_trait_param(self, ir: IR, code: Code) -> str:
        return f"trait_param({code.self_name}, {self.const(self.trait_now)}, {self.const(ir['name'])})"

    # -------------------------------------------------------------- gathering
    def cast_rules(self) -> list[tuple[str, str, list[IR]]]:
        """The rules below the lines of casts: bearer, owner, rules."""
        found = []
        for thing in self.content["things"]:
            for index, line in enumerate(thing.get("cast", ())):
                if line.get("rules"):
                    found.append(("cast", f"{thing['id']}:{index}", line["rules"]))
        return found

    def end_rules(self, thing: IR) -> list[IR]:
        """`ends when C` as the state rule it stands for."""
        body = [{"op": "core_call", "verb": "end_chapter", "args": {}}]
        return [
            {
                "rule": "state",
                "if": end["if"],
                "locals": end["locals"],
                "body": body,
                "layer": 4,
                "at": end.get("at", -1),
            }
            for end in thing.get("ends", ())
        ]

    def fields_changed_by_casts(self) -> set[str]:
        """The fields that traits bring or lines of casts fill."""
        found = {f.first for (owner, _), f in self.layout.fields.items() if owner in self._traits()}
        for thing in self.content["things"]:
            for line in thing.get("cast", ()):
                found |= {field.first for field, _ in self._line_fields(line)}
        return found

    def cast_field_numbers(self) -> list[int]:
        """The columns to put right when a cast leaves."""
        wanted = self.fields_changed_by_casts()
        return sorted({f.number for f in self.layout.fields.values() if f.first in wanted})

    def _traits(self) -> set[str]:
        return {trait["id"] for trait in self.content["traits"]}

    def _line_fields(self, line: IR) -> list[tuple[Field, Any]]:
        found = []
        for name, value in line.get("fields", {}).items():
            owners = [trait["id"] for trait in line.get("traits", ()) if "id" in trait]
            for group in line["groups"]:
                kind = self._kind_of(group.get("thing", ""))
                owners += list(self.layout.lineage.get(kind, ()))
            field = next(
                (self.layout.fields[o, name] for o in owners if (o, name) in self.layout.fields), None
            )
            if field is None:
                raise LoadError(f"a line of a cast fills the field `{name}`, which nobody in it has")
            found.append((field, value))
        return found

    def _kind_of(self, name: str) -> str:
        copies = self.layout.sorts.get(name, ())
        number = self.layout.number.get(name, copies[0] if copies else None)
        return "" if number is None else self.layout.things[number].kind

    # -------------------------------------------------------------- writing
    def write_traits(self) -> None:
        """Fields of traits start at their defaults each time the trait is gained."""
        for trait in self.content["traits"]:
            fields = [self.layout.fields[trait["id"], entry["name"]] for entry in trait.get("fields", ())]
            if not fields:
                continue
            name = self.writer.fresh("tf")
            rows = []
            for field in fields:
                default = field.source.get("default")
                value = default.get("value", default) if default else None
                rows.append((field, "None" if value is None else self.initial(value, field, Bearer())))
            with self.writer.block(f"def {name}(self_):"):
                for field, text in rows:
                    self.line(f"F{field.number}[self_] = {text}")
            self.line(f"TRAIT_FIELDS[{self.const(trait['id'])}] = {name}")
        self._write_born()

    def _write_born(self) -> None:
        """`born_with` gives things the traits that stand beside their names."""
        with self.writer.block("def born_with():"):
            self.line("pass")
            for thing in self.content["things"]:
                if not thing.get("traits") or thing["id"] not in self.layout.sorts:
                    continue
                self.writer.at = thing["at"]
                traits = ", ".join(self.x(t, Code([], self_name="self_")) for t in thing["traits"])
                numbers = ", ".join(str(n) for n in self.layout.sorts[thing["id"]])
                with self.writer.block(f"for self_ in ({numbers},):"):
                    self.line(f"change_traits('gains', (self_,), ({traits},))")
                    for field, text in self._given_to_traits(thing):
                        self.line(f"F{field.number}[self_] = {text}")

    def _given_to_traits(self, thing: IR) -> list[tuple[Field, str]]:
        """What a thing says about the fields of the traits beside its name."""
        owners = [trait["id"] for trait in thing["traits"] if "id" in trait]
        given = thing.get("fields", {})
        return [
            (field, self.initial(given[name], field, Bearer()))
            for (owner, name), field in self.layout.fields.items()
            if owner in owners and name in given
        ]

    def write_casts(self, rules: list[Rule]) -> None:
        """`CASTS` says line by line who comes with a chapter, where, and how."""
        for thing in self.content["things"]:
            if not thing.get("cast"):
                continue
            rows = []
            for index, line in enumerate(thing["cast"]):
                own = [
                    rule.number
                    for rule in rules
                    if rule.bearer == "cast" and rule.owner == f"{thing['id']}:{index}"
                ]
                rows.append(self._cast_line(line, own))
            self.line(f"CASTS[{self.layout.number[thing['id']]}] = [{', '.join(rows)}]")

    def _cast_line(self, line: IR, rules: list[int]) -> str:
        self.writer.at = line.get("at", -1)
        code = Code([self.local(i) for i in range(len(line["locals"]))], self_name="self_", verb="cast")
        place = self.x(line["place"], code) if "place" in line else "None"
        groups = ", ".join(self._group(group) for group in line["groups"])
        traits = fields = "None"
        if line.get("traits"):
            traits = self.writer.fresh("ct")
            listed = ", ".join(self.x(t, code) for t in line["traits"])
            with self.writer.block(f"def {traits}(self_):"):
                self.line(f"return ({listed},)")
        if line.get("fields"):
            texts = [
                (field, self.initial(value, field, Bearer())) for field, value in self._line_fields(line)
            ]
            fields = self.writer.fresh("cf")
            with self.writer.block(f"def {fields}(self_):"):
                for field, text in texts:
                    self.line(f"F{field.number}[self_] = {text}")
        borne = self.const(tuple(rules)) if rules else "None"
        return f"(lambda: {place}, ({groups},), {traits}, {fields}, {borne})"

    def _group(self, group: IR) -> str:
        count = group.get("count", 1)
        if "token" in group:
            return f"({count}, None, None, {self.const(group['token'])})"
        number = self.layout.number.get(group["thing"])
        if number is not None:
            return f"(1, {number}, None, None)"
        return f"({count}, None, {self.const(group['thing'])}, None)"

    def write_chapter_states(self) -> None:
        """The states and tracks of a chapter begin anew each time it is entered."""
        rows: dict[str, list[str]] = {}
        for state in self.content["states"]:
            if "chapter" in state:
                text = self.x(state["default"], Code([])) if "default" in state else "None"
                rows.setdefault(state["chapter"], []).append(
                    f"S[{self.scalar('state:' + state['id'])}] = {text}"
                )
        for track in self.content["tracks"]:
            if "chapter" in track:
                start = track.get("start")
                text = self.x(start["value"], Code([])) if start else str(track["low"])
                rows.setdefault(track["chapter"], []).append(
                    f"S[{self.scalar('track:' + track['id'])}] = {text}"
                )
        for chapter, lines in rows.items():
            name = self.writer.fresh("cs")
            with self.writer.block(f"def {name}():"):
                for text in lines:
                    self.line(text)
            self.line(f"CHAPTER_STATE[{self.layout.number[chapter]}] = {name}")
