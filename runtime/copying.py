"""Everything that play can change, as a copy that can be put back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from talewright.runtime import outfit

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
        self.lists = {name: rules for name, rules in space["LISTS"].items() if name in names}

    def snapshot(self) -> dict[str, Any]:
        """Everything that play can change, copied."""
        space = self.game.space
        return {
            "S": list(space["S"]),
            "ITEMS": [list(items) for items in space["ITEMS"]],
            **{name: list(space[name]) for name in COLUMNS},
            "fields": {f.number: list(space[f"F{f.number}"]) for f in self.fields},
            "TOKENS": {k: list(v) for k, v in space["TOKENS"].items()},
            "SUPPLY": dict(space["SUPPLY"]),
            "TRAITS": [(n, list(t)) for n, t in enumerate(space["TRAITS"]) if t],
            "LISTS": [(list(rules), [e[8] for e in rules]) for rules in self.lists.values()],
            "periods": dict(self.game.periods),
            "outfit": outfit.keep(self.game),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Puts a copy of the state back."""
        game, space = self.game, self.game.space
        outfit.make_room(game, saved["outfit"])
        space["S"][:] = saved["S"]
        space["S"][space["STEPS"] + 1] = set()
        for items, kept in zip(space["ITEMS"], saved["ITEMS"], strict=True):
            if items != kept:
                items[:] = kept
        # Comparing is half as dear as writing, and most columns are as they were.
        for name in COLUMNS:
            if space[name] != saved[name]:
                space[name][:] = saved[name]
        for number, column in saved["fields"].items():
            if space[f"F{number}"] != column:
                space[f"F{number}"][:] = column
        for token, column in saved["TOKENS"].items():
            if space["TOKENS"][token] != column:
                space["TOKENS"][token][:] = column
        space["SUPPLY"].update(saved["SUPPLY"])
        if saved["TRAITS"] or any(space["TRAITS"]):
            for traits in space["TRAITS"]:
                traits.clear()
            for thing, traits in saved["TRAITS"]:
                space["TRAITS"][thing][:] = traits
        for entries, (kept, armed) in zip(self.lists.values(), saved["LISTS"], strict=True):
            if entries != kept:
                for entry in entries:
                    entry[3] = False
                entries[:] = kept
                for entry in kept:
                    entry[3] = True
            for entry, arming in zip(kept, armed, strict=True):
                entry[8] = arming
        game.periods.update(saved["periods"])
        outfit.put_back(game, saved["outfit"])
        space["FRAMES"].clear()
        space["PENDING"].clear()
