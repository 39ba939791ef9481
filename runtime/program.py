"""A document made ready to play: generated source for one combination of options and seats."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from functools import cached_property
from types import CodeType
from typing import Any

from talewright.runtime.codeparts import PLACED, Code, pile_key
from talewright.runtime.faults import LoadError
from talewright.runtime.kinds import SELF, Kinds, thing_kind
from talewright.runtime.layout import IR, Field, Layout, Thing, build, holds
from talewright.runtime.leanwords import LeanWords
from talewright.runtime.makecode import asks_for, lasting_fields, makes_things
from talewright.runtime.pages import rules_of_pages, write_page_rule, write_ways
from talewright.runtime.reads import reads_of
from talewright.runtime.regions import Regions
from talewright.runtime.rulecode import Rule
from talewright.runtime.tables import Fixed
from talewright.runtime.tuning import Tuned, tuned
from talewright.runtime.writer import Writer


class Program(LeanWords):
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
        if document.get("format") != "talewright document" or document.get("version") != 1:
            raise LoadError("this is not a document of a version that can be played")
        layout = build(document["content"], options or {}, players)
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
        self.local_names: list[str] = []
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
        return compile(self.tuned.tree, "<tale>", "exec", dont_inherit=True)

    tuned: Tuned | None = None

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
            constants=frozenset(kept) | {f"Q{name[1:]}" for name in kinds},
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

    # -------------------------------------------------------------- numbers
    def kind_number(self, kind: str) -> int:
        """The number of a kind."""
        return self._kind_numbers[kind]

    def value_number(self, name: str) -> int:
        """The number of a value."""
        return self._value_numbers[name]

    # -------------------------------------------------------------- gathering
    def _gather(self) -> None:
        """Every rule with its bearer, and what it is attached to."""
        self.rules = []
        layout = self.layout
        bearers: list[tuple[str, str, list[IR]]] = [("", "", self.content["rules"])]
        bearers += [("kind", k["id"], k.get("rules", [])) for k in self.content["kinds"]]
        bearers += [("trait", k["id"], k.get("rules", [])) for k in self.content["traits"]]
        for thing in self.content["things"]:
            chapter = layout.is_a(thing["kind"], "Chapter")
            rules_here = [*thing.get("rules", []), *self.end_rules(thing)]
            bearers.append(("chapter" if chapter else "thing", thing["id"], rules_here))
        bearers += self.cast_rules()
        for bearer, owner, rules in bearers:
            for written in rules:
                for ir in self._by_owner(written) if holds(written, layout) else ():
                    self.rules.append(Rule(ir, len(self.rules), bearer, owner))
        # The document is never written to: what is found out about it is kept beside it.
        self.until_rules: dict[int, list[Rule]] = {}
        for block, written in self._until_rules():
            for ir in self._by_owner(written):
                rule = Rule(ir, len(self.rules), "until", "")
                self.until_rules.setdefault(id(block), []).append(rule)
                self.rules.append(rule)
        self.rules_of = {}
        self.offers: dict[str, list[Rule]] = {}
        self.state_rules: list[Rule] = []
        self.period_rules: list[Rule] = []
        self.grants: list[Rule] = []
        self.dynamic_actions = set()
        self.based = set()
        for rule in self.rules:
            self._attach(rule)
        self.dynamic_values |= self.lent_fields() & set(self.modifiers)
        self.find_orders()
        for attached in self.rules_of.values():
            attached.sort(key=lambda r: r.key)

    def _by_owner(self, ir: IR) -> Iterator[IR]:
        """A rule as it stands; one that modifies a field of somebody unknown stands for every kind with that field."""
        if (
            ir["rule"] != "modify"
            or "value" in ir
            or "kind" in ir["of"]
            or ir["of"].get("is", {}).get("op") not in ("prop", "self")
        ):
            yield ir
            return
        seen: set[str] = set()
        for (owner, name), field in self.layout.fields.items():
            if name == ir["field"] and field.first not in seen:
                seen.add(field.first)
                yield {**ir, "owner": owner}

    def _attach(self, rule: Rule) -> None:
        ir = rule.ir
        match ir["rule"]:
            case "before" | "after" | "instead_of" | "forbid":
                action = ir["action"]
                if action.startswith("core:"):
                    self.core_hooks.setdefault(action[5:], []).append(rule)
                    return
                if action not in self.actions:
                    return
                self.rules_of.setdefault(action, []).append(rule)
                if not rule.static or ir["rule"] == "instead_of":
                    self.dynamic_actions.add((action, ir["rule"]))
            case "modify":
                key = ir["value"] if "value" in ir else self.first_name(ir["owner"], ir["field"])
                self.modifiers.setdefault(key, []).append(rule)  # type: ignore[arg-type]
                if not rule.static:
                    self.dynamic_values.add(key)
            case "offer":
                self.offers.setdefault(ir["menu"], []).append(rule)
            case "state":
                self.state_rules.append(rule)
            case "period":
                self.period_rules.append(rule)
            case "grant":
                self.grants.append(rule)

    def _until_rules(self) -> Iterator[tuple[IR, IR]]:
        """The rules inside `until` blocks, wherever they stand."""
        stack: list[Any] = [self.content]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if item.get("op") == "until":
                    for rule in item["rules"]:
                        for one in rule["rules"] if rule["rule"] == "several" else [rule]:
                            yield item, one
                stack.extend(v for k, v in item.items() if k != "tests")
            elif isinstance(item, list):
                stack.extend(item)

    def _written_fields(self) -> set[str]:
        """The fields that some statement changes, and those that reset or turn with a face."""
        found: set[str] = set()
        stack: list[Any] = [self.content]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if item.get("op") in ("assign", "change", "extend", "shrink", "fill"):
                    target = item["target"]
                    if target.get("op") == "look_up":
                        target = target["of"]
                    if target.get("op") == "field":
                        found.add(self.first_name(target["owner"], target["name"]))
                if item.get("op") == "core_call" and item.get("verb") in ("add", "remove"):
                    for part in ("to", "from"):
                        target = item["args"].get(part)
                        if isinstance(target, dict) and target.get("op") == "field":
                            found.add(self.first_name(target["owner"], target["name"]))
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        for thing in self.content["things"]:
            for face in thing.get("faces", ()):
                for name in face.get("fields", {}):
                    for owner in self.layout.lineage[thing["kind"]]:
                        if (owner, name) in self.layout.fields:
                            found.add(self.first_name(owner, name))
        found |= {f.first for f in self.layout.fields.values() if "per" in f.source}
        found |= {f"{kind['id']}.face" for kind in self.content["kinds"] if "die" in kind}
        self.cast_fields = self.cast_field_numbers()
        return found | self.fields_changed_by_casts()

    def first_name(self, owner: str, name: str) -> str:
        """A field by the kind that declared it first."""
        found = self.layout.fields.get((owner, name))
        return found.first if found is not None else f"{owner}.{name}"

    def _places(self) -> None:
        """Plans that are there from the start: reading order, rings and neighbours."""
        self.place_order: dict[int, int] = {}
        self.rings: list[list[int]] = []
        self.neighbours: dict[int, list[int]] = {}
        for plan in self.content["plans"]:
            numbers = [
                self.layout.number[c if isinstance(c, str) else c[0]]
                for row in plan["rows"]
                for c in row
                if c != "."
            ]
            for number in numbers:
                self.place_order.setdefault(number, len(self.place_order))
            if plan["ring"]:
                self.rings.append(list(dict.fromkeys(numbers)))
                for index, number in enumerate(numbers):
                    self.neighbours[number] = [numbers[index - 1], numbers[(index + 1) % len(numbers)]]
        for role in self.layout.seats:
            seats = self.layout.of_kind(role)
            if len(seats) > 1:
                self.rings.append(seats)

    def _tracked(self) -> None:
        """Verbs that somebody stops, asks `during` of, counts `per` or waits `until` for."""
        self.tracked = set()
        # Those whose running calls somebody asks for; the others only bring their cells back to the start.
        self.framed = set()
        self.stopping = False
        stack: list[Any] = [self.content]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                op = item.get("op")
                if op in ("stop", "during", "until") and str(item.get("moment", "")).startswith("verb:"):
                    self.tracked.add(item["moment"][5:])
                    self.framed.add(item["moment"][5:])
                    self.stopping = self.stopping or op == "stop"
                for moment in item.get("per", ()) if isinstance(item.get("per"), list) else ():
                    self.tracked.add(str(moment).partition(":")[2])
                if "once_per" in item:
                    self.tracked.add(str(item["once_per"]).partition(":")[2])
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        if self.stopping:
            for action, rules in self.rules_of.items():
                if any(r.ir["rule"] == "after" for r in rules):
                    self.dynamic_actions.add((action, "after"))
        self.per_cells = {}
        for state in self.content["states"]:
            for moment in state.get("per", ()):
                default = self.x(state["default"], Code([])) if "default" in state else "None"
                cell = f"S[{self.scalar('state:' + state['id'])}]"
                self.per_cells.setdefault(moment.partition(":")[2], []).append((cell, default))
        self.once_cells = {
            m["id"]: self.scalar(f"once:{m['id']}") for m in self.content["menus"] if "once_per" in m
        }
        for menu in self.content["menus"]:
            if "once_per" in menu:
                cell = f"S[{self.once_cells[menu['id']]}]"
                self.per_cells.setdefault(menu["once_per"].partition(":")[2], []).append(
                    (cell, "frozenset()")
                )
        for field in self.layout.fields.values():
            if self.lean and not self.regions.written("field", field.name):
                continue
            for moment in field.source.get("per", ()):
                self.per_cells.setdefault(moment.partition(":")[2], []).append(
                    (f"F{field.number}[:]", f"FD{field.number}")
                )

    def _watched(self) -> None:
        """The cells that rules in force, state rules and periods read."""
        self.watched_cells = set()
        self.in_force: dict[str, tuple[IR, set[str]]] = {}
        for kind in self.content["kinds"]:
            if "in_force" in kind:
                cells = reads_of(kind["in_force"]["if"], self)
                self.in_force[kind["id"]] = (kind["in_force"], cells)
                self.watched_cells |= {c for c in cells if not c.startswith(("loc:", "face:"))}
        self.check_cells: set[str] = set()
        for rule in self.state_rules:
            self.check_cells |= reads_of(rule.ir["if"], self)
        for period in self.content["periods"]:
            self.check_cells |= reads_of(period["while_true"], self)
        for rule in self.grants:
            self.check_cells |= reads_of(rule.ir.get("when"), self) | reads_of(rule.ir["to"], self)
        self.checking = bool(self.state_rules or self.content["periods"] or self.grants)
        self.watched_cells |= {c for c in self.check_cells if not c.startswith(("loc:", "face:"))}

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

    def _write_rule(self, rule: Rule) -> None:
        ir = rule.ir
        if rule.bearer != "until":
            self.trait_now = rule.owner if rule.bearer == "trait" else ""
        match ir["rule"]:
            case "before" | "after" | "instead_of" | "forbid":
                if ir["action"].startswith("core:"):
                    self._write_core_rule(rule)
                    if rule in self.page_rules:
                        write_page_rule(self, rule)
                elif ir["action"] in self.actions:
                    self.write_action_rule(rule, self.actions[ir["action"]])
            case "modify":
                self.write_modifier(rule)
            case "offer":
                self.write_offer(rule)
                if self.traced:
                    self.write_offered(rule)
            case "state" | "period":
                self.local_names = ir.get("locals", [])
                self.writer.at = ir["at"]
                code = Code(
                    [self.local(i) for i in range(len(self.local_names))], self_name="self_", verb="rule"
                )
                with self.writer.block(f"def N{rule.number}_if(self_):"):
                    test = ir["if"] if "if" in ir else ir.get("when")
                    self.line(f"return {self.c(test, code)}" if test else "return True")
                with self.writer.block(f"def N{rule.number}(self_):"):
                    self.trace_rule(rule)
                    self.block(ir["body"], code)
            case "grant":
                self._write_grant(rule)

    def _write_core_rule(self, rule: Rule) -> None:
        """Rules of core verbs get their parts by name."""
        ir = rule.ir
        self.writer.at = ir["at"]
        code = self.frame(ir, ir["action"][5:])
        tests: list[str] = []
        binds: list[tuple[int, str]] = []
        for slot in ir.get("slots", ()):
            name = f"parts_.get({self.const(str(slot['param']))})"
            if "n" in slot:
                while len(code.names) <= slot["n"]:
                    code.names.append(self.local(len(code.names)))
                binds.append((slot["n"], name))
                code.maybe.add(slot["n"])
                code.loose.add(slot["n"])
                name = code.names[slot["n"]]
            asked = list(self.slot_tests(slot, name, code))
            if asked and slot["param"] in PLACED:
                # Containers and things are both numbers.
                held = "in" if slot.get("is", {}).get("op") == "pile" else "not in"
                asked.insert(0, f"{self.const(pile_key(slot['param']))} {held} parts_")
            tests.extend(asked)
        when = [self.c(ir["when"], code)] if "when" in ir else []
        header = f"def N{rule.number}({self.bearer}, parts_{', result_' if ir['rule'] == 'after' else ''}):"
        code.result = "result_"
        with self.writer.block(header):
            for number, text in binds:
                self.line(f"{code.names[number]} = {text}")
            everything = [*tests, *when]
            if ir["rule"] == "forbid":
                self.line(f"return {' and '.join(everything) or 'True'}")
                return
            if everything:
                with self.writer.block(f"if not ({' and '.join(everything)}):"):
                    self.line("return False" if ir["rule"] == "instead_of" else "return None")
            if ir["rule"] == "instead_of":
                code.usual = "parts_['usual_']()"
            self.trace_rule(rule)
            self.block(ir["body"], code)
            for number, text in binds:
                if self.changes(ir["body"], [{"n": number}]):
                    key = text[len("parts_.get(") : -1]
                    self.line(f"parts_[{key}] = {code.names[number]}")
            self.line("return True")

    def _write_grant(self, rule: Rule) -> None:
        ir = rule.ir
        self.writer.at = ir["at"]
        code = self.frame(ir, "grant")
        with self.writer.block(f"def N{rule.number}({self.bearer}):"):
            traits = ", ".join(self.x(t, code) for t in ir["traits"])
            self.line(f"return ({traits},), {self.x(ir['to'], code)}")
        with self.writer.block(f"def N{rule.number}_if({self.bearer}):"):
            self.line(f"return {self.c(ir['when'], code)}" if "when" in ir else "return True")

    def _write_periods(self) -> None:
        for index, period in enumerate(self.content["periods"]):
            self.writer.at = period["at"]
            code = Code([self.local(i) for i in range(len(period["locals"]))], verb="period")
            with self.writer.block(f"def PE{index}():"):
                self.line(f"return bool({self.c(period['while_true'], code)})")
            cells = self.per_cells.get(period["id"], [])
            if cells:
                with self.writer.block(f"def PC{index}(_):"):
                    for cell, default in cells:
                        self.line(f"{cell} = {default}")

    def _write_anytime(self) -> None:
        for index, ir in enumerate(self.content["anytime"]):
            self.writer.at = ir["at"]
            self.local_names = ir["locals"]
            code = Code([self.local(i) for i in range(len(ir["locals"]))], verb="anytime")
            with self.writer.block(f"def AT{index}_by():"):
                self.line(f"return {self.x(ir['by'], code)}")
            with self.writer.block(f"def AT{index}_can():"):
                if "when" in ir:
                    with self.writer.block(f"if not {self.c(ir['when'], code)}:"):
                        self.line("return False")
                self.can_block(ir["body"], code)
            with self.writer.block(f"def AT{index}():"):
                self.block(ir["body"], code)

    def _write_ties(self) -> None:
        """Who has the last word in a team."""
        for index, team in enumerate(self.content["teams"]):
            if "ties" in team:
                with self.writer.block(f"def TI{index}():"):
                    self.line(f"return {self.x(team['ties'], Code([], verb='ties'))}")

    # -------------------------------------------------------------- things and piles
    def _write_things(self) -> None:
        """`init_things` gives every thing the values of its fields."""
        pending: list[str] = []
        effects: dict[int, str] = {}
        for thing in self.layout.things:
            for name, field in self.layout.fields_of(thing.kind).items():
                value = self.field_value(thing, name, field)
                if value is None or field.tag == "pile":
                    continue
                text = effects.get(id(value))
                if text is None:
                    text = self.initial(value, field, thing)
                    if isinstance(value, dict) and value.get("op") == "code":
                        effects[id(value)] = text
                pending.append(f"F{field.number}[{thing.number}] = {text}")
            for entry in thing.source.get("faces", ()):
                pending.append(f"FACES.setdefault({thing.number}, []).append({self._face(entry, thing)})")
        with self.writer.block("def init_things():"):
            for text in pending:
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
                f"{self.x(k, code)}: {self.initial(v, field, thing) if _is_code(v) else self.x(v, code)}"
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
                start = track.get("start")
                text = self.x(start["value"], Code([])) if start else str(track["low"])
                self.line(f"S[{self.scalar('track:' + track['id'])}] = {text}")
            for state in self.content["states"]:
                if "default" in state:
                    self.line(
                        f"S[{self.scalar('state:' + state['id'])}] = {self.x(state['default'], Code([]))}"
                    )
                elif _many(state["type"]):
                    self.line(f"S[{self.scalar('state:' + state['id'])}] = []")

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

    # -------------------------------------------------------------- until blocks
    def s_until(self, ir: IR, code: Code) -> None:
        """Rules that last until an edge: their functions close over the names in sight, by value."""
        function = self.writer.fresh("i")
        free = sorted(self.free_names(ir["rules"], code) & set(code.names) | ({code.self_name} & {"self_"}))
        kept, self.base = self.base, code
        with self.writer.block(
            f"def {function}({', '.join(f'{n}={n}' for n in free if self._is_bound(n, ir, code))}):"
        ):
            rows = []
            for rule in self.until_rules.get(id(ir), ()):
                rule_ir = rule.ir
                self._write_rule(rule)
                number = rule.number
                others = {"instead_of": (f"N{number}_do", f"N{number}_can")}.get(
                    rule_ir["rule"], ("None", "None")
                )
                if self.is_ordered(rule_ir):
                    others = ("None", f"N{number}_now")
                if rule_ir["rule"] == "grant":
                    others = (f"N{number}_if", "None")
                rows.append(f"install_until({number}, N{number}, {others[0]}, {others[1]})")
            self.line(f"undo = [{', '.join(rows)}]")
            self.line("return lambda: [u() for u in undo]")
        self.base = kept
        self.line(f"until_end({self.const(ir['moment'])}, {self.const(ir['edge'])}, {function})")

    def _is_bound(self, name: str, ir: IR, code: Code) -> bool:
        """Whether a name is in sight outside the block, not one of its rules' own."""
        own: set[int] = set()
        stack: list[Any] = list(ir["rules"])
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if "rule" in item:
                    own |= {s["n"] for s in item.get("slots", ()) if "n" in s}
                    own |= {n for n in item.get("params", ()) if isinstance(n, int)}
                    if isinstance(item.get("of"), dict) and "param" in item["of"] and "n" in item["of"]:
                        own.add(item["of"]["n"])
                if (
                    item.get("op") in ("let", "choose", "for_each", "filter", "each", "best", "sorted")
                    and "n" in item
                ):
                    own.add(item["n"])
                stack.extend(item.values())
            elif isinstance(item, list):
                stack.extend(item)
        return name not in {self.local(n) for n in own}

    # -------------------------------------------------------------- tests
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
        shown = f"show_value({self.value_of(side['value'], code)}, {self.const(_frozen(side['type']))})"
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


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


__all__ = ["Layout", "Program"]


def _as_range(row: IR) -> IR:
    """A band of one number is the range from it to itself."""
    if row["key"] != "same" or row["value"]["op"] != "int":
        return row
    return {"key": "range", "low": row["value"], "high": row["value"], "items": row["items"]}
