"""The rules of a game: which list each stands in, who bears it, and who looks again when something changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talewright.runtime.gamebase import GameBase
from talewright.runtime.kinds import looks_of_homes, watched_things

# What is looked at again at once, whatever changes it.
CLOSELY = ("loc:self", "face:self", "things")


class RulesInForce(GameBase):
    """The floor of a game that enters rules, and takes them out again."""

    def list_of(self, rule: Any) -> str | None:
        """The list a rule is entered in while it is in force."""
        program, ir = self.program, rule.ir
        match ir["rule"]:
            case "before" | "after" | "instead_of" | "forbid":
                action = ir["action"]
                if action.startswith("core:"):
                    return f"core:{action[5:]}:{ir['rule']}"
                if action not in program.actions or (action, ir["rule"]) not in program.dynamic_actions:
                    return None
                letter = {"before": "B", "after": "A", "instead_of": "I", "forbid": "F"}[ir["rule"]]
                return f"R{letter}{program.action_number(action)}"
            case "modify":
                if "value" in ir:
                    if ir["value"].startswith("core:"):
                        return f"MC:{ir['value'][5:]}" if ir["value"] in program.dynamic_values else None
                    if ir["value"] not in program.values or ir["value"] not in program.dynamic_values:
                        return None
                    return f"M{program.value_number(ir['value'])}"
                key = program.first_name(ir["owner"], ir["field"])
                if key not in program.dynamic_values:
                    return None
                return f"MF{self.layout.fields[ir['owner'], ir['field']].number}"
            case "offer":
                return f"menu:{ir['menu']}"
            case "state":
                return "state"
            case "period":
                return f"period:{ir['period']}:{ir['edge']}"
            case "grant":
                return "grant"
        return None

    def entry(self, rule: Any, bearer: Any, order: int = 0) -> list[Any]:
        """One rule with one bearer: key, bearer, test or function, alive, change, action, head, list, armed."""
        space, number = self.space, rule.number
        kind = rule.ir["rule"]
        first = space.get(f"N{number}")
        act = None
        head = None
        if kind == "instead_of":
            act, head = space.get(f"N{number}_do"), space.get(f"N{number}_can")
        elif kind in ("state", "period", "grant"):
            first, act = space[f"N{number}_if"], space[f"N{number}"]
        elif self.program.is_ordered(rule.ir):
            head = space.get(f"N{number}_now")
        elif kind == "offer":
            first, act, head = space[f"O{number}"], space[f"X{number}"], space[f"L{number}"]
        made = [
            rule.key + order,
            bearer,
            first,
            False,
            rule.ir.get("change"),
            act,
            head,
            self.list_of(rule),
            False,
        ]
        space["ENTRIES"].append(made)
        return made

    def _entries(self, space: dict[str, Any]) -> None:
        program, layout = self.program, self.layout
        install = space["install"]
        always: list[list[Any]] = []
        for rule in program.rules:
            if rule.bearer in ("until", "trait", "cast") or self.list_of(rule) is None:
                continue
            if rule.static:
                always.append(self.entry(rule, None))
                continue
            if rule.bearer == "kind":
                bearers = layout.of_kind(rule.owner)
            else:
                bearers = layout.sorts.get(rule.owner, [])
            for order, bearer in enumerate(bearers):
                space["BEARER_RULES"].setdefault(bearer, []).append(self.entry(rule, bearer, order))
        for entry in always:
            install(entry)
        for period in program.content["periods"]:
            index = program.content["periods"].index(period)
            space["PERIODS"].append((period["id"], space[f"PE{index}"]))
            self.periods[period["id"]] = False
            if f"PC{index}" in space:
                self.period_cells[period["id"]] = [(space[f"PC{index}"], None)]
        for index, team in enumerate(program.content["teams"]):
            if "ties" in team:
                space["TIES"].append((layout.of_kind(team["role"]), space[f"TI{index}"]))
        for index in range(len(program.content["anytime"])):
            space["ANYTIME"].append((space[f"AT{index}_by"], space[f"AT{index}_can"], space[f"AT{index}"]))

    def _watches(self, space: dict[str, Any]) -> None:
        """Who looks again when a thing moves or a cell is written."""
        program, layout = self.program, self.layout
        refresh, flag = space["refresh"], space["flag_check"]
        watch: list[Any] = space["WATCH"]
        cells: dict[str, list[Any]] = space["CELLS"]

        def add(thing: int, look: Any) -> None:
            if look not in (watch[thing] or ()):
                watch[thing] = [*(watch[thing] or []), look]

        for owner in looks_of_homes(layout):
            add(owner, space["no_cycle"])
        for thing in layout.things:
            tests = [
                space[f"IF{program.kind_number(k)}"]
                for k in layout.lineage[thing.kind]
                if k in program.in_force
            ]
            if tests:
                space["FORCE"][thing.number] = (
                    tests[0] if len(tests) == 1 else lambda t, tests=tests: all(f(t) for f in tests)
                )
            if layout.is_a(thing.kind, "Chapter"):
                space["FORCE"][thing.number] = self._is_chapter
        for kind, (_, reads) in program.in_force.items():
            bearers = [t for t in layout.of_kind(kind) if t in space["BEARER_RULES"]]
            if not bearers and not program.makes:
                continue
            self._bearers[kind] = bearers

            def all_again(_: Any, bearers: list[int] = bearers) -> None:
                for bearer in bearers:
                    refresh(bearer)

            self._all_looks.append((reads, all_again))
            for cell in reads:
                if cell in ("loc:self", "face:self"):
                    for bearer in bearers:
                        add(bearer, refresh)
                elif cell.startswith("at:"):
                    space["PILE_WATCH"].setdefault(int(cell[3:]), []).append(all_again)
                elif cell.startswith(("loc:", "face:")):
                    for moved in watched_things(layout, cell):
                        add(moved, all_again)
                else:
                    cells.setdefault(cell, []).append(all_again)
        for cell in program.check_cells:
            if cell.startswith("at:"):
                space["PILE_WATCH"].setdefault(int(cell[3:]), []).append(flag)
            elif cell.startswith(("loc:", "face:")):
                for moved in watched_things(layout, cell):
                    add(moved, flag)
            else:
                cells.setdefault(cell, []).append(flag)

    def _is_chapter(self, thing: int) -> bool:
        return bool(self.space["S"][self.space["CHAPTER"]] == thing)

    def trait_entries(self, thing: int, trait: tuple[str, Any]) -> list[list[Any]]:
        """The rules that a trait brings to a thing."""
        rules = [r.number for r in self.program.rules if r.bearer == "trait" and r.owner == trait[0]]
        return self._borne(thing, rules)

    def _borne(self, thing: int, rules: Sequence[int]) -> list[list[Any]]:
        made = []
        for number in rules:
            rule = self.program.rules[number]
            if self.list_of(rule) is not None:
                if (thing, number) not in self._rules_borne:
                    self._rules_borne[thing, number] = self.entry(rule, thing, thing)
                made.append(self._rules_borne[thing, number])
        return made

    def bear_rules(self, thing: Any) -> None:
        """The rules of a thing made in play, and who looks again when it moves."""
        space, program, layout = self.space, self.program, self.layout
        lineage = layout.lineage[thing.kind]
        for rule in program.rules:
            mine = (
                rule.owner in lineage
                if rule.bearer == "kind"
                else rule.bearer == "thing" and rule.owner == thing.sort
            )
            if mine and self.list_of(rule) is not None:
                space["BEARER_RULES"].setdefault(thing.number, []).append(
                    self.entry(rule, thing.number, thing.number)
                )
        tests = [space[f"IF{program.kind_number(k)}"] for k in lineage if k in program.in_force]
        if tests:
            space["FORCE"][thing.number] = lambda t: all(f(t) for f in tests)
        looks: list[Any] = []
        for kind in lineage:
            if kind in program.in_force and thing.number in space["BEARER_RULES"]:
                self._bearers[kind].append(thing.number)
                if program.in_force[kind][1] & {"loc:self", "face:self"}:
                    looks.append(space["refresh"])
        places = {"loc:any", "face:any", *(f"loc:{k}" for k in lineage)}
        if program.check_cells & places:
            looks.append(space["flag_check"])
        looks += [look for cells, look in self._all_looks if cells & places]
        if looks:
            space["WATCH"][thing.number] = looks

    def forget_rules(self, count: int) -> None:
        """Rules of things that are no more."""
        for key in [k for k in self._rules_borne if k[0] >= count]:
            del self._rules_borne[key]
        for bearers in self._bearers.values():
            bearers[:] = [b for b in bearers if b < count]

    def until_entry(self, number: int, first: Any, act: Any, head: Any) -> list[Any]:
        """A rule of an `until` block, after the permanent rules of its layer and by time of arrival."""
        rule = self.program.rules[number]
        self.installed += 1
        key = rule.ir.get("layer", 1) * 10**9 + 5 * 10**8 + self.installed
        if rule.ir["rule"] == "grant":
            first, act = act, first
        return [key, None, first, False, rule.ir.get("change"), act, head, self.list_of(rule), False]

    def cast_rules(self, thing: int, rules: Sequence[int]) -> None:
        """Rules below the line of a cast live as long as its traits."""
        entries = self._borne(thing, rules)
        self.space["TRAITS"][thing].append(("", (), entries))
        for entry in entries:
            self.space["install"](entry)

    def drop_cast(self, thing: int) -> None:
        """A figure leaves the cast: what the cast gave it goes."""
        space = self.space
        for gained in list(space["TRAITS"][thing]):
            space["lose_trait"](thing, gained)
        for number in self.program.cast_fields:
            space[f"F{number}"][thing] = space[f"FD{number}"][thing]

    @property
    def _bearers_by_chapter(self) -> list[int]:
        """Whoever bears rules and must be looked at when the chapter changes.

        The others are looked at whenever they, or what lies in a certain container, move.
        """
        if self._by_chapter is None or self.program.makes:
            closely = {
                bearer
                for kind, bearers in self._bearers.items()
                if all(map(self._looked_at_closely, self.program.in_force[kind][1]))
                for bearer in bearers
            }
            several = {
                t.number
                for t in self.layout.things
                if sum(k in self.program.in_force for k in self.layout.lineage[t.kind]) != 1
                or self.layout.is_a(t.kind, "Chapter")
            }
            self._by_chapter = sorted(self.space["BEARER_RULES"].keys() - (closely - several))
        return self._by_chapter

    def _looked_at_closely(self, cell: str) -> bool:
        owner, _, name = cell.partition(":")[2].partition(".")
        field = self.layout.fields.get((owner, name))
        return (
            cell in CLOSELY
            or cell.startswith("at:")
            or (cell.startswith("field:") and field is not None and field.tag == "pile")
        )
