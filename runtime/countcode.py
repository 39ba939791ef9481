"""Programs that count: their rules, offers, rows, hooks, effects and actions note how often they run.

Counting is a program of its own, so that plain play pays nothing for it. It takes the same short ways as plain play:
what is counted is one number in a list, where the source comes by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from talewright.runtime.actioncode import split_head
from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, Field, Layout, Pile, Thing
from talewright.runtime.leanmoves import Source, Target
from talewright.runtime.program import Program
from talewright.runtime.rulecode import Rule

_OWN_BEARERS = ("kind", "thing", "trait", "cast")
_WORDS = {"instead_of": "instead of", "state": "when", "period": "at"}
# So many things are told one by one.
FEW = 8
NOT_COUNTED = ("Place", "Chapter", "Ending", "Direction")
CLOSED_FORMS = ("deck", "bag")
HINT = re.compile(r"(score|appeal)(_\w+)?")
_ARRIVES = re.compile(r"LOC\[(\w+)\] = (\w+)")


def is_counted(layout: Layout, thing: Thing) -> bool:
    """Whether anybody asks how often a thing is met: not seats, not parts of others, not where the story goes on."""
    return (
        thing.owner is None
        and thing.kind not in layout.seats
        and not any(layout.is_a(thing.kind, kind) for kind in NOT_COUNTED)
    )


def is_stock(pile: Pile) -> bool:
    """Whether things lie there until their turn comes: decks, bags, and piles that begin with something in them."""
    return pile.form in CLOSED_FORMS or (
        pile.form == "pile" and pile.owner is None and "content" in pile.source
    )


@dataclass(frozen=True, slots=True)
class Sampled:
    """A track as it is looked at: its name, the expression that reads it, whether that gives one value for each of many things."""

    name: str
    text: str
    many: bool = False


class NotedProgram(Program):
    """A program that can say in one go how a game ended: decisions, rounds, tracks and measures."""

    @cached_property
    def sampled(self) -> list[Sampled]:
        """Tracks of the table, then those of things: each alone where they are few, else all of a kind together."""
        made = [
            Sampled(track["id"], f"S[{self.scalar('track:' + track['id'])}]")
            for track in self.content["tracks"]
        ]
        layout = self.layout
        for field in layout.fields.values():
            if "track" not in field.source or field.owner not in layout.kinds:
                continue
            things = [t for t in layout.things if layout.fields_of(t.kind).get(field.name) is field]
            away = "" if self._always_there(field.owner) else "CLOSED[LOC[{}]]"
            column = f"F{field.number}"
            if (self.makes and field.owner not in layout.seats) or len(things) > FEW:
                away = f" if not {away.format('t')}" if away else ""
                text = f"[{column}[t] for t in {self.kind_list(field.owner)}{away}]"
                made.append(Sampled(f"{field.owner}.{field.name}", text, True))
                continue
            for thing in things:
                text = f"{column}[{thing.number}]"
                if away:
                    text = f"None if {away.format(thing.number)} else {text}"
                made.append(Sampled(f"{thing.id}.{field.name}", text))
        return made

    def _always_there(self, kind: str) -> bool:
        """Whether things of a kind are in play wherever they are: seats, and what no container takes."""
        held = any(0 < number < len(self.layout.piles) for number in self.kinds.homes(kind))
        return kind in self.layout.seats or not held

    def _write_measures(self) -> None:
        super()._write_measures()
        parts = ["len(LOG)", f"S[{self.scalar('rounds')}]"]
        parts += [track.text for track in self.sampled if not track.many]
        for measure in self.content["measures"]:
            code = Code([self.local(i) for i in range(len(measure["locals"]))], verb="measure")
            parts.append(self.x(measure["value"], code))
        with self.writer.block("def TOLD():"):
            self.line(f"return ({', '.join(parts)})")


class UsesProgram(NotedProgram):
    """A program that counts how often things come into play and act."""

    # When the thing that is being moved comes into play, as a condition; none where only its line tells.
    _coming: str | None = None
    _drawn_from = ""
    _taken_from: Source | None = None

    @cached_property
    def counted_sorts(self) -> list[str]:
        """The sorts that somebody asks about; the first stands for all others."""
        counted = (t.sort if is_counted(self.layout, t) else "" for t in self.layout.things)
        return list(dict.fromkeys(["", *counted]))

    @cached_property
    def slots(self) -> list[int]:
        """Where things are counted."""
        places = {sort: n for n, sort in enumerate(self.counted_sorts)}
        return [places.get(t.sort, 0) for t in self.layout.things]

    def _counter(self, thing: str) -> str:
        """Where a thing is counted, in the source; nothing if nobody asks."""
        if thing.isdigit():
            place = self.slots[int(thing)]
            return str(place) if place else ""
        return f"SLOTS[{thing}]"

    def line(self, text: str) -> None:
        """Adds a line; where it moves a thing, the thing may come into play."""
        arrives = _ARRIVES.fullmatch(text)
        if arrives is not None:
            thing, pile = arrives.groups()
            test = self._coming
            if test is None:
                test = "" if pile in self._closed else f"CLOSED[LOC[{thing}]]"
                if test and not pile.isdigit():
                    test += f" and not CLOSED[{pile}]"
            place = self._counter(thing)
            if place and test == "True":
                super().line(f"CAME[{place}] += 1")
            elif place and test:
                with self.writer.block(f"if {test}:"):
                    super().line(f"CAME[{place}] += 1")
        super().line(text)

    @cached_property
    def _closed(self) -> set[str]:
        """Where things are out of play, as the source names it."""
        numbers = {str(p.number) for p in self.layout.piles if is_stock(p)}
        return numbers | {"0", "BOX", "LIMBO", "NOWHERE"}

    def _arrive(self, thing: str, kind: str, pile: str, target: Target, old: str) -> None:
        self._coming = self._comes(kind, old, pile, target)
        super()._arrive(thing, kind, pile, target, old)
        self._coming = None

    def _move_first(self, items: str, source: Source, kind: str, target: Target) -> None:
        self._taken_from = source
        super()._move_first(items, source, kind, target)
        self._taken_from = None

    def _drawn(self, ir: IR, after: IR | None, code: Code) -> int:
        value = ir.get("value", {})
        source = value.get("args", {}).get("from", {}) if value.get("op") == "core_call" else {}
        self._drawn_from = str(self.layout.pile_number[source["id"]]) if source.get("op") == "pile" else ""
        return super()._drawn(ir, after, code)

    def _rest(self, thing: str, kind: str, target: Target) -> None:
        self._coming = self._comes(kind, self._drawn_from, target.text, target)
        super()._rest(thing, kind, target)
        self._coming = None

    def _comes(self, kind: str, old: str, pile: str, target: Target) -> str | None:
        """What must hold for something of a kind to come into play by a move; nothing if it never does."""
        if pile in self._closed or not self._counts(kind):
            return ""
        shut = [str(number) in self._closed for number in target.piles]
        if shut and all(shut):
            return ""
        test = f" and not CLOSED[{pile}]" if any(shut) or not shut else ""
        source = self._taken_from
        if source is not None and not any(str(number) in self._closed for number in source.piles):
            return ""
        if old.isdigit():
            if old not in self._closed:
                return ""
            return test.removeprefix(" and ") or "True"
        return f"CLOSED[{old}]{test}" if old else None

    def _counts(self, kind: str) -> bool:
        layout = self.layout
        return self.makes or any(layout.is_a(t.kind, kind) and is_counted(layout, t) for t in layout.things)

    # -------------------------------------------------------------- things that act
    _acts_next = False

    def count_act(self, bearer: str) -> None:
        """Counts that a thing does what its text says. An effect may be nobody's: that is counted where nobody asks."""
        if bearer == "None":
            return
        if bearer.isdigit() or not self.layout.things or not self.slots[0]:
            place = self._counter(bearer if bearer.isdigit() else f"{bearer} or 0")
            if place:
                self.line(f"ACTED[{place}] += 1")
            return
        with self.writer.block(f"if {bearer} != None:"):
            self.line(f"ACTED[{self._counter(bearer)}] += 1")

    def trace_rule(self, rule: Rule) -> None:
        super().trace_rule(rule)
        if rule.bearer in _OWN_BEARERS:
            self.count_act(self.bearer)

    def write_modifier(self, rule: Rule) -> None:
        super().write_modifier(rule)
        if rule.bearer in _OWN_BEARERS:
            self.line(f"N{rule.number} = counted_bearer(N{rule.number})")

    def write_offer(self, rule: Rule) -> None:
        self._acts_next = rule.bearer in _OWN_BEARERS
        super().write_offer(rule)

    def _effect(self, value: IR, field: Field) -> str:
        self._acts_next = "if" not in value
        return super()._effect(value, field)

    def block(self, body: list[IR], code: Code) -> None:
        if self._acts_next:
            self._acts_next = False
            self.count_act(code.self_name)
        super().block(body, code)


class CountedProgram(UsesProgram):
    """A program whose rules, offers, rows, hooks, effects and actions count how often they run."""

    # How a game begins is counted as every action is.
    opens_at_once = False

    def __init__(
        self,
        document: IR,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        traced: bool = False,
        checked: bool = False,
    ) -> None:
        self.sites: list[IR] = []
        self._rule_sites: dict[int, int] = {}
        self._mark_next: int | None = None
        self._thing_now: Any = None
        self._band_sites: dict[int, int] = {}
        self._action_sites: dict[str, int] = {}
        self._value_now = ""
        self._after_head = ""
        self._gated = self._sure = False
        # Points that stand for the same place of the text count as one.
        self.same_point: list[int] = []
        self._first_points: dict[tuple[Any, ...], int] = {}
        self.quick_menus: dict[int, list[int]] = {}
        super().__init__(document, options, players, traced, checked=checked)

    def site(self, kind: str, name: str, at: int, owner: str = "") -> int:
        """Numbers a place that is counted."""
        self.sites.append({"kind": kind, "name": name, "at": at, "owner": owner})
        return len(self.sites) - 1

    def s_mark(self, ir: IR, code: Code) -> None:
        """Counts that this line is reached."""
        self.line(f"HITS[{ir['site']}] += 1")

    def _marked(self, body: list[IR], kind: str, name: str, at: int) -> list[IR]:
        return [{"op": "mark", "site": self.site(kind, name, at)}, *body]

    # -------------------------------------------------------------- rules
    def _rule_site(self, rule: Rule) -> int:
        if rule.number not in self._rule_sites:
            owner = rule.owner if rule.bearer in ("thing", "chapter") else ""
            kind = "offer" if rule.ir["rule"] == "offer" else "rule"
            self._rule_sites[rule.number] = self.site(kind, rule_name(rule.ir), rule.ir["at"], owner)
        return self._rule_sites[rule.number]

    def trace_rule(self, rule: Rule) -> None:
        super().trace_rule(rule)
        self.line(f"HITS[{self._rule_site(rule)}] += 1")

    def write_action_rule(self, rule: Rule, action: IR) -> None:
        super().write_action_rule(rule, action)
        self._wrap_forbid(rule)

    def _write_core_rule(self, rule: Rule) -> None:
        super()._write_core_rule(rule)
        self._wrap_forbid(rule)

    def _wrap_forbid(self, rule: Rule) -> None:
        if rule.ir["rule"] == "forbid":
            self.line(f"N{rule.number} = counted_test({self._rule_site(rule)}, N{rule.number})")

    def write_modifier(self, rule: Rule) -> None:
        super().write_modifier(rule)
        self.line(f"N{rule.number} = counted_amount({self._rule_site(rule)}, N{rule.number})")

    def write_offer(self, rule: Rule) -> None:
        self._mark_next = self._rule_site(rule)
        super().write_offer(rule)

    def _write_taken(self, rule: Rule) -> str:
        self._mark_next = self._rule_site(rule)
        name = super()._write_taken(rule)
        self._mark_next = None
        return name

    def _surely(self, body: list[IR], code: Code) -> None:
        self._mark()
        super()._surely(body, code)

    def _mark(self) -> None:
        if self._mark_next is not None:
            self.line(f"HITS[{self._mark_next}] += 1")
            self._mark_next = None

    def block(self, body: list[IR], code: Code) -> None:
        self._mark()
        if self._after_head and body:
            after, self._after_head = self._after_head, ""
            head, body = split_head(body)
            super().block(head, code)
            self.line(after)
        super().block(body, code)

    # -------------------------------------------------------------- decisions
    def point(self, ir: IR, code: Code, form: str, name: str, kind: Any = None) -> int:
        number = super().point(ir, code, form, name, kind)
        same = self.points[number]
        key = (same["id"], form, same["at"], repr(kind)) if same["at"] >= 0 else (number,)
        self.same_point.append(self._first_points.setdefault(key, number))
        return number

    def note_choice(self, point: int, ir: IR, by: str, items: str, name: str) -> None:
        point = self.same_point[point]
        if self._plainly_seen(ir):
            self.line(f"OFFERED{point}.extend({items})")
            self._note_taken(point, name)
        else:
            self.line(f"count_choice({point}, {by}, {items}, {name})")
        if ir.get("mode") == "optional":
            self.line(f"OFFERED{point}.append(None)")

    def _note_taken(self, point: int, key: str) -> None:
        self.line(f"POINTS.append({point})")
        self.line(f"KEYS.append({key})")

    def _plainly_seen(self, ir: IR) -> bool:
        """Whether the options of a choice are always open, and no two of them have the same name."""
        kind = ir["type"]
        if isinstance(kind, list) and kind[0] == "optional":
            kind = kind[2][0]
        if not (isinstance(kind, list) and kind[0] == "thing"):
            return (kind[0] if isinstance(kind, list) else kind) in ("int", "range", "truth", "words")
        layout = self.layout
        things = [t for t in layout.things if layout.is_a(t.kind, kind[1])]
        single = len({t.sort for t in things}) == len(things)
        # Dice are told apart by what they show.
        if any("die" in layout.kinds[t.kind] for t in things):
            return False
        if self.makes or not (single or self._unmarked(kind)):
            return False
        if self.kinds.always_open(kind[1]):
            return True
        source = ir["from"]
        while source["op"] == "filter":
            source = source["of"]
        meant = self._meant(source["of"], Code([])) if source["op"] == "items" else None
        return not self.kinds.turns and meant is not None and all(self._lying(n) == 1 for n in meant)

    def note_offer(self, point: int, found: str, taken: str, passing: bool) -> None:
        point = self.same_point[point]
        menu = self.points[point]["id"].removeprefix("menu.")
        self.quick_menus[point] = [rule.number for rule in self.fixed_offers(menu)]
        self.line(f"OFFERED{point}.extend({found})")
        if passing:
            self.line(f"OFFERED{point}.append('pass')")
        self._note_taken(point, taken)

    def quick_yes(self, point: int) -> str:
        return f"count_yes({self.same_point[point]})"

    def quick_way(self, ways: str, open_: str) -> str:
        return f"GAME.picked_way({ways}, {open_})"

    # -------------------------------------------------------------- rows, hooks, effects, actions
    def write_table(self, number: int, table: IR) -> None:
        self._table_now = table
        super().write_table(number, table)

    def _row(self, row: IR, code: Code) -> None:
        name = f"{self._table_now['id']}: {row_name(row)}"
        self.line(f"HITS[{self.site('row', name, row['at'] if 'at' in row else self._table_now['at'])}] += 1")
        super()._row(row, code)

    def write_value(self, number: int, value: IR) -> None:
        self._value_now = value["id"].partition("/")[0]
        super().write_value(number, value)
        self._value_now = ""

    def s_branch(self, ir: IR, code: Code) -> None:
        if HINT.fullmatch(self._value_now):
            # Bots ask for such values, games do not.
            super().s_branch(ir, code)
            return
        verb = self._value_now or code.verb
        arms = []
        for arm in ir["arms"]:
            at = arm.get("at", ir.get("at", -1))
            arms.append({**arm, "body": self._marked(arm["body"], "row", f"{verb}: {row_name(arm)}", at)})
        super().s_branch({**ir, "arms": arms}, code)

    def write_track(self, name: str, track: IR, cell: str, watched: str, owner: bool) -> None:
        hooks = []
        for hook in track.get("hooks", ()):
            spaces = ", ".join(str(s) for s in hook["spaces"])
            about = f"{watched.partition(':')[2]} {hook['when']} {spaces}"
            hooks.append({**hook, "body": self._marked(hook["body"], "hook", about, hook["at"])})
        super().write_track(name, {**track, "hooks": hooks} if hooks else track, cell, watched, owner)

    def initial(self, value: Any, field: Field, thing: Any) -> str:
        kept, self._thing_now = self._thing_now, thing
        try:
            return super().initial(value, field, thing)
        finally:
            self._thing_now = kept

    def _bands(self, value: IR, code: Code) -> str:
        """The rows of bands in a field, each with the number of its site; copies of a thing share them."""
        text = super()._bands(value, code)
        sites = [self._band_site(row) for row in value["rows"]]
        if text.startswith("{"):
            # Rows by name are looked up like a map.
            keys = [self.x(row["value"], code) for row in value["rows"]]
            listed = ", ".join(f"{key}: {site}" for key, site in zip(keys, sites, strict=True))
            return f"counted_rows({text}, {{{listed}}})"
        return f"tuple((*row, RowSite(site)) for row, site in zip({text}, {tuple(sites)}))"

    def _band_site(self, row: IR) -> int:
        if id(row) not in self._band_sites:
            owner = self._thing_now.sort if isinstance(self._thing_now, Thing) else ""
            name = f"{owner}: {row_name(row)}" if owner else row_name(row)
            self._band_sites[id(row)] = self.site("row", name, row["at"], owner)
        return self._band_sites[id(row)]

    def x_band(self, ir: IR, code: Code) -> str:
        return f"counted_band({self.x(ir['of'], code)}, {self.x(ir['at'], code)})"

    def _effect(self, value: IR, field: Field) -> str:
        if "if" not in value:
            thing = self._thing_now
            mine = isinstance(thing, Thing) and thing.source.get("fields", {}).get(field.name) is value
            owner = thing.sort if thing is not None and mine else ""
            name = f"{owner or field.owner}.{field.name}"
            body = value["body"]
            at = body[0].get("at", -1) if body else -1
            if at < 0 and isinstance(thing, Thing):
                at = thing.source.get("at", -1)
            self._mark_next = self.site("effect", name, value.get("at", at), owner)
        return super()._effect(value, field)

    def _write_anytime(self) -> None:
        super()._write_anytime()
        for index, ir in enumerate(self.content["anytime"]):
            first = ir["body"][0]
            name = first["action"].partition("/")[0] if first["op"] == "call" else f"{index + 1}"
            self.line(f"AT{index} = counted_call({self.site('anytime', name, ir['at'])}, AT{index})")

    def _count_round(self, action: IR) -> None:
        name = action["id"]
        if name not in self._action_sites:
            self._action_sites[name] = self.site("action", action["verb"], action["at"])
        super()._count_round(action)
        if name == self.round_action:
            for number, track in enumerate(self.sampled):
                self.line(f"ROUNDS{number}.append({track.text})")
        counted = f"HITS[{self._action_sites[name]}] += 1"
        refused = ("choose",) if self._sure else ("choose", "requires")
        if not self._gated and any(statement["op"] in refused for statement in split_head(action["body"])[0]):
            # A call that is refused at its head has not happened.
            self._after_head = counted
        else:
            self.line(counted)

    def _in_one(
        self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]], sure: bool = False
    ) -> None:
        self._sure = sure
        super()._in_one(action, number, names, rules, sure)
        self._sure = False

    def _run(self, action: IR, number: int, names: list[str], rules: dict[str, list[Rule]]) -> None:
        self._gated = True
        super()._run(action, number, names, rules)
        self._gated = False


def rule_name(ir: IR) -> str:
    """A rule in few words."""
    if ir["rule"] == "offer":
        return f'offer "{label_text(ir["label"])}"'
    about = ir.get("action") or ir.get("value") or ir.get("field") or ir.get("period") or ""
    about = str(about).removeprefix("core:").partition("/")[0]
    word = _WORDS.get(ir["rule"], ir["rule"])
    if ir["rule"] == "period":
        word = f"at {ir['edge']} of"
    return f"{word} {about}".strip()


def label_text(ir: Any) -> str:
    """The fixed part of a text, dots for what play fills in."""
    parts = ir.get("parts", ()) if isinstance(ir, dict) else ()
    return "".join(p if isinstance(p, str) else "…" for p in parts)


def row_name(row: IR) -> str:
    """A row or arm by its key."""
    match row["key"]:
        case "otherwise":
            return "otherwise"
        case "range":
            low, high = (_plain(row.get(end)) for end in ("low", "high"))
            return low if low == high else f"{low}..{high}"
        case "same":
            return _plain(row.get("value"))
        case "kind":
            return str(row["kind"])
    return "when"


def _plain(ir: Any) -> str:
    if not isinstance(ir, dict):
        return ""
    return str(ir.get("v", ir.get("id", "…")))
