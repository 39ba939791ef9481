"""A document made ready to play: generated source for one combination of options and seats."""

from __future__ import annotations

import re
from bisect import bisect
from functools import cached_property
from types import CodeType
from typing import Any

from talewright.runtime.binding import is_data, is_plain, refer
from talewright.runtime.codeparts import Code
from talewright.runtime.faults import MISPLACED, LoadError
from talewright.runtime.kinds import Kinds
from talewright.runtime.layout import IR, Layout, build, holds
from talewright.runtime.makecode import asks_for, lasting_fields, makes_things
from talewright.runtime.pages import rules_of_pages, write_opening
from talewright.runtime.regions import Regions
from talewright.runtime.rulecode import Rule
from talewright.runtime.tables import Fixed, Table
from talewright.runtime.testcode import TestCode
from talewright.runtime.tuning import Tuned, tuned
from talewright.runtime.writer import Writer
from talewright.schemas.reading import VERSION


class Program(TestCode):
    """The generated program of a document; games are spawned from it."""

    # Whether nobody counts or tells what the functions of the program do.
    plain = True

    def __init__(
        self,
        document: IR,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        traced: bool = False,
        tests: bool = False,
        checked: bool = False,
    ) -> None:
        if document.get("format") != "talewright document" or document.get("version") != VERSION:
            raise LoadError("this is not a document of a version that can be played")
        try:
            self._make(document, options or {}, players, traced, tests, checked)
        except MISPLACED as error:
            # Compiled documents fit together; one that was changed by hand may not.
            raise LoadError(
                f"the document does not fit together ({type(error).__name__}: {error})"
            ) from error

    def _make(
        self,
        document: IR,
        options: dict[str, Any],
        players: int | None,
        traced: bool,
        tests: bool,
        checked: bool,
    ) -> None:
        layout = build(document["content"], options, players)
        super().__init__(layout, Writer(), traced)
        self.document = document
        self._functions: list[tuple[int, str]] = []
        # Every action is followed by a look at all checks, for games that look for mistakes.
        self.checked = checked
        self.lean = self.plain and not traced and not checked
        self.content = document["content"]
        self.points: list[IR] = []
        self.hoisted: list[list[str]] = []
        self.groups: dict[str, int] = {}
        self.offered = {}
        self.local_names: list[IR] = []
        self.actions = {a["id"]: a for a in self.content["actions"] if holds(a, layout)}
        self.action_numbers = {name: index for index, name in enumerate(self.actions)}
        self.core_hooks: dict[str, list[Rule]] = {}
        self._kind_numbers = {name: index for index, name in enumerate(layout.kinds)}
        self._value_numbers = {name: index for index, name in enumerate(self.values)}
        for name in ("chapter", "ended", "check", "steps", "taken", "rounds", "staged"):
            self.scalar(name)
        self.round_action = _round_action(self.content)
        self.begin_shortcuts()
        self.find_maps()
        self.find_affords()
        self.makes = makes_things(self.content)
        self.lasting = lasting_fields(layout)
        self.lasts = (
            bool(self.lasting)
            or any("lasting" in s.get("flags", ()) for s in self.content["states"])
            or asks_for(self.content, "newcomers")
        )
        self.counts_rolls = asks_for(self.content, "rolled")
        self.interrupted = bool(self.content["anytime"])
        self.has_casts = any("cast" in thing for thing in self.content["things"])
        self._gather()
        self.page_rules = rules_of_pages(self)
        self.page_functions = [f"P{rule.number}" for rule in self.page_rules]
        self.written_fields = self._written_fields()
        self._places()
        self._watched()
        self.regions = Regions(self)
        self.kinds = Kinds(self)
        self.sure = set()
        self._tracked()
        self.unsettled = self.regions.unsettled() if self.lean else None
        try:
            self.tests = self._write(tests)
        except RecursionError:
            raise LoadError("the package nests its expressions too deeply to be played") from None
        self.source = self.writer.text()
        try:
            self.plain_code = compile(self.source, "<tale>", "exec", dont_inherit=True)
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise LoadError(f"the package nests its blocks too deeply to be played ({error})") from None

    @cached_property
    def code(self) -> CodeType:
        """The source as Python runs it quickest; `plain_code` is the source just as it was generated."""
        if not self.lean:
            return self.plain_code
        try:
            first = {f"A{n}" for name, n in self.action_numbers.items() if name in ("game/", "play/")}
            self.tuned = tuned(self.source, self._fixed(), first)
        except RecursionError:
            return self.plain_code
        self.references = refer(self.tuned.tree, self._referable(self.tuned.tables))
        return compile(self.tuned.tree, "<tale>", "exec", dont_inherit=True)

    tuned: Tuned | None = None
    # Whether how a game begins may be asked for as a page.
    opens_at_once = True
    # The lists that the quick code is given by reference.
    references: list[str] = []  # noqa: RUF012 - never changed

    def _referable(self, tables: list[Table]) -> set[str]:
        """Names that mean the same list as long as a game lives, with nothing in it that leads to a function."""
        fields = {f"F{f.number}": is_plain(f.type) for f in self.layout.fields.values()}
        found = {name for name, plain in fields.items() if plain}
        found |= {
            "ACTIVE",
            "COUNTS",
            "ITEMS",
            "KNOWN",
            "LOC",
            "LOG",
            "OCCUPANTS",
            "OWNER",
            "SORT",
            "STANDS_ON",
            "TAKEN",
            "TURNED",
            "TURNS",
            "UP",
        }
        found |= {f"{letter}{number}" for number in self._kind_numbers.values() for letter in "KQ"}
        found |= {name for name, value in self.writer.constants.items() if is_data(value)}
        if all(is_plain(state["type"]) for state in self.content["states"]):
            found.add("S")
        for table in tables:
            named = set(re.findall(r"\b[A-Z]+\d*\b", table.text))
            if table.over is not None and named <= found:
                found.add(table.name)
        return found

    def _fixed(self) -> Fixed | None:
        """What generated code can rely on for a whole game."""
        if not self.settled or self.lasts:
            return None
        layout = self.layout
        changing = {
            f.number for f in layout.fields.values() if f.owner not in layout.kinds or f.mutable_now(self)
        }
        piles = {f.number for f in layout.fields.values() if f.tag == "pile"}
        stable = {f.number for f in layout.fields.values()} - changing - piles
        places_move = any(key is not None for key in self.maps)
        kinds = {
            f"K{number}"
            for kind, number in self._kind_numbers.items()
            if not places_move or not (kind == "Thing" or layout.is_a(kind, "Place"))
        }
        kept = {name for name, value in self.writer.constants.items() if not isinstance(value, (list, set))}
        return Fixed(
            early=frozenset({"ITEMS", "SORT", "STANDS_ON", "OWNER", *(f"F{n}" for n in piles)}),
            late=frozenset(f"F{n}" for n in stable),
            lookups=frozenset({"OCCUPANTS"}),
            kinds=frozenset(kinds),
            by_thing=frozenset(
                name
                for name, value in self.writer.constants.items()
                if isinstance(value, dict) and all(type(n) is int and n < len(layout.things) for n in value)
            ),
            constants=frozenset(kept) | {f"Q{name[1:]}" for name in kinds},
            cleared=frozenset(f"F{f.number}" for f in layout.fields.values() if f.first in self.only_cleared),
        )

    def way_to(self, line: int) -> list[tuple[int, str]]:
        """The lines of the source that a running line stands for, with their functions, the outermost first."""
        found = [line] if self.tuned is None else self.tuned.way(line)
        if not self._functions:
            heads = enumerate(self.writer.lines, 1)
            self._functions = [
                (n, text[4:].partition("(")[0]) for n, text in heads if text.startswith("def ")
            ]
        return [(at, self._functions[bisect(self._functions, (at, "~")) - 1][1]) for at in reversed(found)]

    # -------------------------------------------------------------- writing
    def _write(self, tests: bool) -> list[IR]:
        writer = self.writer
        for number, value in enumerate(self.values.values()):
            self.write_value(number, value)
        for key in list(self.modifiers):
            if "." in key and tuple(key.split(".", 1)) in self.layout.fields:
                owner, name = key.split(".", 1)
                self.write_field_value(owner, name)
        for number, table in enumerate(self.tables.values()):
            self.write_table(number, table)
        for number, track in enumerate(self.content["tracks"]):
            cell = f"S[{self.scalar('track:' + track['id'])}]"
            self.write_track(f"track_{number}", track, cell, f"track:{track['id']}", False)
        for field in self.layout.fields.values():
            if "track" in field.source:
                watched = f"field:{field.owner}.{field.name}"
                self.write_track(
                    f"field_track_{field.number}",
                    field.source["track"],
                    f"F{field.number}[self_]",
                    watched,
                    True,
                )
        for rule in self.rules:
            if rule.bearer != "until":
                self._write_rule(rule)
        for action in self.actions.values():
            self.write_action(action)
        if self.opens_at_once:
            write_opening(self)
        for kind, (ir, _) in self.in_force.items():
            self.local_names = ir["locals"]
            writer.at = ir["at"]
            code = Code([self.local(i) for i in range(len(ir["locals"]))], self_name="self_", verb="in_force")
            with writer.block(f"def IF{self.kind_number(kind)}(self_):"):
                self.line(f"return bool({self.c(ir['if'], code)})")
        self._write_periods()
        self._write_anytime()
        self._write_ties()
        self.write_menus()
        self._write_things()
        self.write_core_values()
        self.write_traits()
        self.write_casts(self.rules)
        self.write_chapter_states()
        self.write_movements()
        self.write_fixed_ways()
        self.write_token_limits()
        self.write_payments()
        self.write_makers()
        self._write_piles()
        self._write_measures()
        self.write_sure_calls()
        made = self._write_tests() if tests else []
        # Bodies written late may hoist more loops: they come last, in one go.
        while self.hoisted:
            lines = self.hoisted.pop()
            for text in lines:
                writer.line(text)
        return made

    # -------------------------------------------------------------- things and piles

    def _write_measures(self) -> None:
        for index, measure in enumerate(self.content["measures"]):
            code = Code([self.local(i) for i in range(len(measure["locals"]))], verb="measure")
            with self.writer.block(f"def ME{index}():"):
                self.line(f"return {self.x(measure['value'], code)}")
        for index, check in enumerate(self.content["checks"]):
            if not holds(check, self.layout):
                continue
            self.writer.at = check["at"]
            code = Code([self.local(i) for i in range(len(check["locals"]))], verb="check")
            with self.writer.block(f"def CK{index}():"):
                self.line(f"return {self.c(check['if'], code)}")

    # -------------------------------------------------------------- tests


def _round_action(content: IR) -> str:
    """The outermost repeating action: what the first endless `repeat` on the way from the game's beginning calls."""
    by_name = {a["id"]: a["body"] for a in content["actions"]}
    places = [a["body"] for a in content["actions"] if a["verb"] in ("game", "play")]
    places += [r.get("body", []) for r in content["rules"] if r.get("action") == "core:play"]
    seen: set[str] = set()
    while places:
        called: list[str] = []
        for body in places:
            found = _repeated(body, called)
            if found:
                return found
        fresh = [name for name in dict.fromkeys(called) if name not in seen and name in by_name]
        seen.update(fresh)
        places = [by_name[name] for name in fresh]
    return ""


def _repeated(body: Any, called: list[str]) -> str:
    """What the first endless `repeat` of a body calls; notes every action that is called on the way."""
    stack: list[Any] = [body]
    while stack:
        item = stack.pop(0)
        if isinstance(item, dict):
            if item.get("op") == "call":
                called.append(str(item["action"]))
            if item.get("op") == "repeat" and "times" not in item:
                for inner in item["body"]:
                    if inner["op"] == "call":
                        return str(inner["action"])
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return ""


__all__ = ["Layout", "Program"]
