"""Everything that play can change, as a copy that can be put back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from talewright.runtime import outfit
from talewright.runtime.marking import PLAIN

if TYPE_CHECKING:
    from talewright.runtime.game import Game

# Rules that remember something while they are in force.
_ARMED = ("state", "instead_of", "grant", "period")
COLUMNS = ("LOC", "UP", "KNOWN", "ACTIVE", "TURNED", "COUNTS")


class Copier:
    """Copies the state of one game; what never changes is found out once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        program, space = game.program, game.space
        every = {
            f.number: f for f in game.layout.fields.values() if f.tag != "pile" and f.mutable_now(program)
        }
        self.fields = list(every.values())
        # Most lists of rules never change: no rule of the document belongs there, or all are always in force.
        names = {game.list_of(rule) for rule in program.rules if not rule.static or rule.ir["rule"] in _ARMED}
        self.rules = [rules for name, rules in space["LISTS"].items() if name in names]
        content = program.content
        self.tokens = bool(content["tokens"])
        self.traits = bool(content["traits"] or program.grants or program.has_casts)
        self._fresh: _FirstPage | None = None
        self.columns = [
            *(space[name] for name in COLUMNS),
            *(space[f"F{f.number}"] for f in self.fields),
            *space["TOKENS"].values(),
        ]
        # Columns in which a number may bear a mark or not, which makes no difference to whether it is the same.
        marked = {id(space[f"F{f.number}"]) for f in self.fields if f.tag not in PLAIN} if game.marks else ()
        self.marked = [n for n, column in enumerate(self.columns) if id(column) in marked]

    def snapshot(self) -> dict[str, Any]:
        """Everything that play can change, copied."""
        space = self.game.space
        return {
            "S": list(space["S"]),
            "ITEMS": list(map(list, space["ITEMS"])),
            "columns": list(map(list, self.columns)),
            "SUPPLY": dict(space["SUPPLY"]),
            "TRAITS": [(n, list(t)) for n, t in enumerate(space["TRAITS"]) if t],
            "rules": list(map(list, self.rules)),
            "armed": [(entry, entry[8]) for rules in self.rules for entry in rules],
            "periods": dict(self.game.periods),
            "outfit": outfit.keep(self.game),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Puts a copy of the state back."""
        game, space = self.game, self.game.space
        outfit.make_room(game, saved["outfit"])
        _put_back(space["ITEMS"], saved["ITEMS"])
        _put_back(self.columns, saved["columns"])
        self.put_back_marks(saved)
        self._put_back_rest(saved)

    def put_back_marks(self, saved: dict[str, Any]) -> None:
        """Whatever may bear a mark."""
        for number in self.marked:
            self.columns[number][:] = saved["columns"][number]

    def first_page(self, saved: dict[str, Any]) -> None:
        """The same for the copy that was taken before the first game: nearly everything has changed since."""
        if self.game.program.makes:
            self.restore(saved)
            for told in told_of(self.game):
                told.clear()
            return
        if self._fresh is None:
            self._fresh = _FirstPage(self, saved)
        self._fresh.put_back()

    def _put_back_rest(self, saved: dict[str, Any]) -> None:
        space = self.game.space
        scalars = space["S"]
        scalars[:] = saved["S"]
        scalars[space["STEPS"] + 1] = set()
        self.put_back_rules(saved["rules"])
        for entry, armed in saved["armed"]:
            entry[8] = armed
        self.put_back_seldom(saved)
        space["FRAMES"].clear()
        space["PENDING"].clear()

    def put_back_rules(self, kept_rules: list[list[Any]]) -> None:
        """The rules that were in force."""
        if self.rules != kept_rules:
            for entries, kept in zip(self.rules, kept_rules, strict=True):
                if entries != kept:
                    for entry in entries:
                        entry[3] = False
                    entries[:] = kept
                    for entry in kept:
                        entry[3] = True

    def put_back_seldom(self, saved: dict[str, Any]) -> None:
        """What only some packages have."""
        game, space = self.game, self.game.space
        if self.tokens:
            space["SUPPLY"].update(saved["SUPPLY"])
        if self.traits and (saved["TRAITS"] or any(space["TRAITS"])):
            for traits in space["TRAITS"]:
                traits.clear()
            for thing, traits in saved["TRAITS"]:
                space["TRAITS"][thing][:] = traits
        if saved["periods"]:
            game.periods.update(saved["periods"])
        outfit.put_back(game, saved["outfit"])

    @property
    def plain(self) -> bool:
        """Whether a game has nothing of what only some packages have."""
        return not (self.tokens or self.traits or self.game.periods or outfit.is_needed(self.game))


class _FirstPage:
    """The copy that every game begins with. Of a column only the part is written that some game has changed so far."""

    def __init__(self, copier: Copier, saved: dict[str, Any]) -> None:
        game, space = copier.game, copier.game.space
        lists = [(space["S"], saved["S"]), *zip(space["ITEMS"], saved["ITEMS"], strict=True)]
        self.empty = [
            space["FRAMES"],
            space["PENDING"],
            *told_of(game),
            *(live for live, kept in lists if not kept),
        ]
        self.filled = [(live, kept) for live, kept in lists if kept]
        self.copier, self.saved = copier, saved
        self.scalars: list[Any] = space["S"]
        self.running: int = space["STEPS"] + 1
        self.rules: list[list[Any]] = saved["rules"]
        self.armed: list[tuple[list[Any], Any]] = saved["armed"]
        self.plain = copier.plain
        self.columns = copier.columns
        self.kept: list[list[Any]] = saved["columns"]
        # What is written: the column, where, and what was there.
        self.parts: list[tuple[list[Any], slice, list[Any]]] = []

    def put_back(self) -> None:
        for live in filter(None, self.empty):
            live.clear()
        for live, kept in self.filled:
            live[:] = kept
        for live, where, part in self.parts:
            live[where] = part
        if self.columns != self.kept:
            self._widen()
        self.copier.put_back_marks(self.saved)
        self.scalars[self.running] = set()
        if self.copier.rules != self.rules:
            self.copier.put_back_rules(self.rules)
        for entry, armed in self.armed:
            entry[8] = armed
        if not self.plain:
            self.copier.put_back_seldom(self.saved)

    def _widen(self) -> None:
        """Takes in what has changed elsewhere."""
        written = {id(live): where for live, where, _ in self.parts}
        self.parts = []
        for live, kept in zip(self.columns, self.kept, strict=True):
            touched = [n for n, (now, then) in enumerate(zip(live, kept, strict=True)) if now is not then]
            where = written.get(id(live))
            if where is not None:
                touched += range(where.start, where.stop)
            if touched:
                where = slice(min(touched), max(touched) + 1)
                live[:] = kept
                self.parts.append((live, where, kept[where]))


def told_of(game: Game) -> tuple[list[Any], ...]:
    """What a game tells of how it went so far."""
    return game.log, game.said, game.events, game.refusals


def _put_back(lists: list[list[Any]], kept: list[list[Any]]) -> None:
    """Comparing is half as dear as writing, and most lists are as they were."""
    for live, old in zip(lists, kept, strict=True):
        if live != old:
            live[:] = old
