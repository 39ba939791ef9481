"""Every rule of a document with its bearer, and which cells, verbs and places somebody looks at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, holds
from talewright.runtime.leanwords import LeanWords
from talewright.runtime.reads import reads_of
from talewright.runtime.rulecode import Rule


class Gathering(LeanWords):
    """The floor of a program that finds out what the document holds before anything is written."""

    page_rules: list[Rule]
    _kind_numbers: dict[str, int]
    _value_numbers: dict[str, int]

    def kind_number(self, kind: str) -> int:
        """The number of a kind."""
        return self._kind_numbers[kind]

    def value_number(self, name: str) -> int:
        """The number of a value."""
        return self._value_numbers[name]

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
        cleared: set[str] = set()
        stack: list[Any] = [self.content]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                if item.get("op") in ("assign", "change", "extend", "shrink", "fill"):
                    target = item["target"]
                    if target.get("op") == "look_up":
                        target = target["of"]
                    if target.get("op") == "field":
                        goes_out = item.get("value") == {"op": "truth", "v": False}
                        written = cleared if goes_out else found
                        written.add(self.first_name(target["owner"], target["name"]))
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
        found |= self.fields_changed_by_casts()
        # What is yes or no, and never becomes yes again.
        self.only_cleared = cleared - found
        return found | cleared

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
