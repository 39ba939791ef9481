"""Programs that count: their rules, offers, rows, hooks, effects and actions note how often they run.

Counting is a program of its own, so that plain play pays nothing for it.
"""

from __future__ import annotations

from typing import Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, Field, Thing
from talewright.runtime.program import Program
from talewright.runtime.rulecode import Rule

_OWN_BEARERS = ("kind", "thing", "trait", "cast")
_WORDS = {"instead_of": "instead of", "state": "when", "period": "at"}


class CountedProgram(Program):
    """A program whose rules, offers, rows, hooks, effects and actions count how often they run."""

    plain = False

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
        self._mark_next: tuple[int, bool] | None = None
        self._thing_now: Any = None
        self._band_sites: dict[int, int] = {}
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
        if rule.bearer in _OWN_BEARERS:
            self.line(f"count_act({self.bearer})")

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
        acts = rule.bearer in _OWN_BEARERS
        self.line(f"N{rule.number} = counted_amount({self._rule_site(rule)}, N{rule.number}, {acts})")

    def write_offer(self, rule: Rule) -> None:
        self._mark_next = (self._rule_site(rule), rule.bearer in _OWN_BEARERS)
        super().write_offer(rule)

    def block(self, body: list[IR], code: Code) -> None:
        if self._mark_next is not None:
            site, acts = self._mark_next
            self._mark_next = None
            self.line(f"HITS[{site}] += 1")
            if acts:
                self.line(f"count_act({code.self_name})")
        super().block(body, code)

    # -------------------------------------------------------------- rows, hooks, effects, actions
    def write_table(self, number: int, table: IR) -> None:
        self._table_now = table
        super().write_table(number, table)

    def _row(self, row: IR, code: Code) -> None:
        name = f"{self._table_now['id']}: {row_name(row)}"
        self.line(f"HITS[{self.site('row', name, row['at'] if 'at' in row else self._table_now['at'])}] += 1")
        super()._row(row, code)

    def s_branch(self, ir: IR, code: Code) -> None:
        arms = []
        for arm in ir["arms"]:
            at = arm.get("at", ir.get("at", -1))
            arms.append(
                {**arm, "body": self._marked(arm["body"], "row", f"{code.verb}: {row_name(arm)}", at)}
            )
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
        if any(row["key"] == "same" for row in value["rows"]):
            return super()._bands(value, code)
        made = []
        for row in value["rows"]:
            if id(row) not in self._band_sites:
                owner = self._thing_now.sort if isinstance(self._thing_now, Thing) else ""
                name = f"{owner}: {row_name(row)}" if owner else row_name(row)
                self._band_sites[id(row)] = self.site("row", name, row["at"], owner)
            text = super()._bands({"rows": [row]}, code)
            made.append(f"(*{text}[0], {self._band_sites[id(row)]})")
        return f"({', '.join(made)}{',' if made else ''})"

    def x_band(self, ir: IR, code: Code) -> str:
        return f"counted_band({self.x(ir['of'], code)}, {self.x(ir['at'], code)})"

    def _effect(self, value: IR, field: Field) -> str:
        if "if" not in value:
            thing = self._thing_now
            mine = isinstance(thing, Thing) and thing.source.get("fields", {}).get(field.name) is value
            owner = thing.sort if thing is not None and mine else ""
            name = f"{owner or field.owner}.{field.name}"
            self._mark_next = (self.site("effect", name, value.get("at", self.writer.at), owner), True)
        return super()._effect(value, field)

    def _write_anytime(self) -> None:
        super()._write_anytime()
        for index, ir in enumerate(self.content["anytime"]):
            first = ir["body"][0]
            name = first["action"].partition("/")[0] if first["op"] == "call" else f"{index + 1}"
            self.line(f"AT{index} = counted_call({self.site('anytime', name, ir['at'])}, AT{index})")

    def _count_round(self, action: IR) -> None:
        self.line(f"HITS[{self.site('action', action['verb'], action['at'])}] += 1")
        super()._count_round(action)
        if action["id"] == self.round_action:
            self.line("count_round()")


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
