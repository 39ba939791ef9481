"""A company that plays The Sorcerer of Salem sensibly: each seat by what it has seen, never by hidden cards."""

from __future__ import annotations

from random import Random
from typing import Any

from talewright.runtime.game import Decision, Game

DISTRICTS = ("sanatorium", "docks", "market", "graveyard", "observatory", "church")
UNIVERSITY = "university"
STALLS = ("left", "middle", "right")
# What a stall asks, roughly, in the worth of a ware: see `6_places.tale`.
PRICES = {
    "sanatorium.right": 8.0,
    "docks.right": 2.0,
    "market.right": 6.0,
    "graveyard.right": 3.0,
    "observatory.right": 4.0,
    "church.right": 2.0,
}
MIND_PRICES = {"sanatorium.right": 2, "market.right": 1}
NEEDED = {
    "yog_sothoth": ("necronomicon", "necronomicon", "glasses"),
    "shub_niggurath": ("dagger", "dagger", "elixir"),
    "nyarlathotep": ("glasses", "necronomicon", "elixir"),
    "hastur": ("elixir", "glasses", "glasses"),
}
# So many spaces before the end of the scale there is no time left to be careful.
LITTLE_TIME = 18
NO_TIME = 10
NO_TIME_AT_ALL = 4
# Of six tiles three are portals on average, and nobody may say how many they have seen.
MANY_SEALS = 3


class Table:
    """What lies where, read by name."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.space = game.space
        self.things = game.layout.things
        self.number = game.layout.number
        self.piles = {name.partition(":")[2]: index for index, name in enumerate(self.space["PILE_NAME"])}
        self.seats = [t.number for t in self.things if t.kind == "Investigator"]

    def pile(self, name: str) -> list[int]:
        """The things in a pile."""
        return list(self.space["ITEMS"][self.piles[name]])

    def only(self, name: str) -> int | None:
        """The thing in a slot."""
        return next(iter(self.pile(name)), None)

    def own(self, seat: int, name: str) -> list[int]:
        """The things in a pile of a seat."""
        return self.pile(f"{self.things[seat].id}.{name}")

    def sort(self, thing: int) -> str:
        """Which sort of thing it is."""
        return str(self.things[thing].sort)

    def field(self, kind: str, name: str, thing: int) -> Any:
        """A field of a thing."""
        return self.space[f"F{self.game.layout.fields[kind, name].number}"][thing]

    def value(self, name: str, *arguments: Any) -> Any:
        """A value of the game."""
        return self.space[f"V{self.game.program.value_number(name)}"](*arguments)

    def place(self, thing: int) -> str:
        """Where a figure stands."""
        return next(
            (n[1:] for n, i in self.piles.items() if n[:1] == "@" and thing in self.space["ITEMS"][i]), ""
        )

    def power(self) -> int:
        """How far the Necromancer has come."""
        return int(self.space["S"][self.game.layout.scalars["track:necromancer"]])

    def left(self) -> int:
        """How many spaces of the scale are left."""
        track = next(t for t in self.game.program.content["tracks"] if t["id"] == "necromancer")
        return int(track["high"]) - self.power()


class Company:
    """Decides for every seat of one game."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.table = Table(game)
        self.draw = Random(seed)
        self.looked: set[str] = set()

    def __call__(self, decision: Decision) -> int:
        about = decision.id.partition("#")[0]
        seat = decision.seat if isinstance(decision.seat, int) else decision.seat[0]
        options = decision.options
        match about:
            case "travel.c":
                return self._best(options, lambda o: self._journey(seat, self._goal(o.value)))
            case "slip_away.z":
                return self._best(options, lambda o: self._arrival(seat, self.table.things[o.value].id))
            case "menu.uses":
                return self._use(seat, options)
            case "take_something.stall":
                return self._best(options, lambda o: 0.01 if o.value is None else self._ware(seat, o.id))
            case "stow.old" | "strikes.item" | "levy.gifts":
                return self._best(
                    options, lambda o: -self._worth(self._holder(o.value, seat), o.value, held=True)
                )
            case "encounter.may":
                foe = self.table.only(f"{self.table.place(seat)}.lair")
                return 0 if foe is None or self.table.field("Foe", "proof", foe) != "relic" else 1
            case "meet.friend":
                return len(options) - 1
            case "weigh_last_gate.may":
                return 0 if not self.warned or self.table.left() <= NO_TIME_AT_ALL else 1
            case "testify.choice":
                self.warned = self.warned or "still" in options[0].id
                return 0
        return 0

    warned = False

    def _best(self, options: Any, worth: Any) -> int:
        rated = [(worth(option) + self.draw.random() * 0.01, -i) for i, option in enumerate(options)]
        return -max(rated)[1]

    # -------------------------------------------------------------- what somebody knows
    def _known(self, seat: int) -> dict[str, str | None]:
        """The tiles that a seat has looked at: what each portal wants."""
        table = self.table
        found = {}
        for district in DISTRICTS:
            gate = table.only(f"{district}.gate")
            if gate is not None and table.space["knows"](seat, gate):
                found[district] = table.field("PortalTile", "wants", gate)
        return found

    def _open_gates(self, seat: int) -> dict[str, str]:
        """The portals that a seat knows to stand open."""
        return {
            d: w for d, w in self._known(seat).items() if w is not None and not self.table.pile(f"{d}.seal")
        }

    def _colour(self, seat: int) -> str | None:
        relics = self.table.own(seat, "relic")
        return str(self.table.field("Artefact", "colour", relics[0])) if relics else None

    def _unread(self, seat: int) -> list[str]:
        """Districts worth looking at: bare, and nobody has looked yet."""
        bare = [d for d in DISTRICTS if not self.table.pile(f"{d}.seal")]
        return [d for d in bare if d not in self.looked and d not in self._known(seat)]

    def _books_to_read(self) -> int:
        names = [self.table.only(f"niche_{n}.keeps") for n in range(1, 6)] + [self.table.only("prison")]
        return sum(1 for name in names if name is not None and not self.table.space["UP"][name])

    def _wanted_below(self) -> tuple[str, ...] | str:
        """The tools that hold the prisoner, once his name is known."""
        prisoner = self.table.only("prison")
        if prisoner is None or not self.table.space["UP"][prisoner]:
            return ()
        name = self.table.things[prisoner].id
        return {"cthulhu": "alike", "dagon": "unlike"}.get(name) or NEEDED[name]

    def _holding(self) -> bool:
        return bool(self.table.pile("@rlyeh"))

    def _ready(self) -> bool:
        """Whether it is time for the last gate: everything was looked at, or there is no time left."""
        left = self.table.left()
        relics = [seat for seat in self.table.seats if self.table.own(seat, "relic")]
        sealed = len(DISTRICTS) - len(self._bare())
        unread = [d for d in self._bare() if d not in self.looked]
        quiet = not unread and (sealed >= MANY_SEALS or left <= LITTLE_TIME)
        return any(seat != self._banisher() for seat in relics) and (quiet or left <= NO_TIME)

    def _bare(self) -> list[str]:
        return [d for d in DISTRICTS if not self.table.pile(f"{d}.seal")]

    def _holder(self, item: int, seat: int) -> int:
        return next((s for s in self.table.seats if item in self.table.own(s, "shelf")), seat)

    def _banisher(self) -> int:
        """The seat that goes below: the one whose shelf fits best, and who has least to do in town."""
        sane = [s for s in self.table.seats if self.table.field("Investigator", "sane", s)]
        return max(sane, key=lambda s: (self._fit(s), -len(self._open_gates(s)), -s))

    def _fit(self, seat: int) -> int:
        """How many of the tools that hold the prisoner a seat has."""
        shelf = [self.table.sort(item) for item in self.table.own(seat, "shelf")]
        wanted = self._wanted_below()
        if wanted == "alike":
            return max((shelf.count(sort) for sort in shelf), default=0)
        if wanted == "unlike":
            return len(set(shelf))
        return sum(min(shelf.count(sort), list(wanted).count(sort)) for sort in set(wanted))

    # -------------------------------------------------------------- worth
    def _worth(self, seat: int, item: int, held: bool = False) -> float:
        """What an item is worth to a seat."""
        table = self.table
        sort = table.sort(item)
        shelf = [table.sort(other) for other in table.own(seat, "shelf") if other != item]
        if table.things[item].kind == "Artefact":
            return self._relic_worth(seat, str(table.field("Artefact", "colour", item)))
        worth = 1.0
        everyone = [
            table.sort(other) for s in table.seats for other in table.own(s, "shelf") if other != item
        ]
        if sort == "necronomicon" and self._books_to_read() > everyone.count(sort):
            worth = 7.0 if shelf.count(sort) < 2 else 3.0
        if sort == "glasses" and len(self._unread(seat)) > everyone.count(sort):
            worth = 7.0 if shelf.count(sort) < 2 else 3.0
        if sort == "elixir":
            worth = max(2.5, 9.5 - 1.5 * table.field("Investigator", "mind", seat))
        worth += 2.5 * self._helps_to_beat(sort, shelf)
        if self._wanted_below() and self._banisher() == seat and self._serves(sort, shelf):
            worth = 9.0
        return worth

    def _helps_to_beat(self, sort: str, shelf: list[str]) -> bool:
        """Whether one more tool of a sort is all that is missing against some foe in town."""
        for where in (*DISTRICTS, UNIVERSITY):
            foe = self.table.only(f"{where}.lair")
            if foe is not None and self.table.field("Foe", "proof", foe) == "shown":
                missing = [str(need) for need in self.table.field("Foe", "needs", foe)]
                for tool in shelf:
                    if tool in missing:
                        missing.remove(tool)
                if missing == [sort]:
                    return True
        return False

    def _serves(self, sort: str, shelf: list[str]) -> bool:
        wanted = self._wanted_below()
        if wanted == "alike":
            return not shelf or sort == max(set(shelf), key=shelf.count)
        if wanted == "unlike":
            return sort not in shelf
        return shelf.count(sort) < list(wanted).count(sort)

    def _relic_worth(self, seat: int, colour: str) -> float:
        now = self._colour(seat)
        wanted = set(self._open_gates(seat).values())
        if colour in wanted and now not in wanted:
            return 12.0
        if now is None:
            # One spare artefact is enough for the last gate: whoever sees a portal needs the others.
            spare = any(self.table.own(other, "relic") for other in self.table.seats if other != seat)
            return 1.0 if spare else 6.0
        return 0.0

    def _ware(self, seat: int, stall: str) -> float:
        """What taking from a stall is worth, the price and a tool given up for it included."""
        table = self.table
        ware = table.only(f"{stall}.ware")
        if ware is None:
            return -9.0
        mind = table.field("Investigator", "mind", seat)
        lost = MIND_PRICES.get(stall, 0)
        if mind - lost < 1 and lost:
            return -9.0
        price = PRICES.get(stall, 0.0) + (2.0 if lost and mind - lost < 3 else 0.0)
        shelf = table.own(seat, "shelf")
        if table.things[ware].kind != "Artefact" and len(shelf) >= 3:
            price += min(self._worth(seat, item, held=True) for item in shelf)
        return self._worth(seat, ware) - price

    def _use_worth(self, seat: int, where: str) -> dict[str, float]:
        """What each use of an item would be worth at a place."""
        table = self.table
        shelf = [table.sort(item) for item in table.own(seat, "shelf")]
        found: dict[str, float] = {}
        keep = seat == self._banisher() and self._wanted_below() != () and not self._holding()
        if "necronomicon" in shelf and self._books_to_read():
            found["Open the Necronomicon"] = 8.0
        if (
            "glasses" in shelf
            and where in DISTRICTS
            and where in self._unread(seat)
            and not (keep and self._fits("glasses"))
        ):
            found["Put on the magic glasses"] = 8.0
        guarded = table.place(table.number["sorcerer"]) == where
        mind = table.field("Investigator", "mind", seat)
        if "elixir" in shelf and mind <= 4 and not (keep and self._fits("elixir")):
            found["Drink the elixir of Nus"] = 7.0 - mind
        if (
            "dagger" in shelf
            and guarded
            and table.pile(f"{where}.lair")
            and not (keep and self._fits("dagger"))
        ):
            found["Raise the dagger of N'gaa"] = 6.0
        if self._colour(seat) is not None and self._colour(seat) == self._open_gates(seat).get(where):
            found["Lay the artefact on this gate"] = 15.0
        if (
            where == UNIVERSITY
            and self._holding()
            and self._colour(seat) is not None
            and not self._open_gates(seat)
        ):
            found["Turn to the university's gate"] = 40.0 if not self.warned else 5.0
        return found

    def _fits(self, sort: str) -> bool:
        wanted = self._wanted_below()
        return wanted in ("alike", "unlike") or sort in wanted

    def _use(self, seat: int, options: Any) -> int:
        table = self.table
        where = table.place(seat)
        worth = self._use_worth(seat, where)
        index = self._best(options, lambda o: worth.get(o.id, 0.02 if o.id == "pass" else -1.0))
        if options[index].id == "Put on the magic glasses":
            self.looked.add(where)
        if options[index].id == "Turn to the university's gate":
            self.warned = False
        return index

    # -------------------------------------------------------------- going somewhere
    def _goal(self, card: int) -> str:
        target = self.table.field("LocationCard", "leads_to", card)
        return self.table.things[target].id if target is not None else "path"

    def _journey(self, seat: int, goal: str) -> float:
        if goal != "path":
            return self._arrival(seat, goal)
        table = self.table
        price = table.value("path_price", seat)
        if table.field("Investigator", "mind", seat) < price:
            return -99.0
        if table.value("can_banish", seat) and self._ready():
            return 60.0
        ways = [d for d in (*DISTRICTS, UNIVERSITY) if d != table.place(seat)]
        kept_for_later = 4.0 if seat == self._banisher() else 1.0
        return max(self._arrival(seat, d) for d in ways) - 6.0 * price - kept_for_later

    def _has_path(self, seat: int) -> bool:
        return any(self.table.sort(card) == "secret_path" for card in self.table.own(seat, "cards"))

    def _arrival(self, seat: int, where: str) -> float:
        """What coming to a place is worth."""
        table = self.table
        if where == "rlyeh":
            mind = table.field("Investigator", "mind", seat)
            return 60.0 if self._ready() and mind >= 1 else -50.0
        worth = max(self._use_worth(seat, where).values(), default=0.0)
        if where in DISTRICTS:
            worth += max(0.0, *(self._ware(seat, f"{where}.{stall}") for stall in STALLS))
        foe = table.only(f"{where}.lair")
        if foe is not None:
            if table.place(table.number["sorcerer"]) != where:
                worth -= 3.0 if table.field("Investigator", "mind", seat) > 1 else 6.0
            if table.field("Foe", "proof", foe) != "relic" and table.value("can_beat", seat, foe):
                worth += 4.5
        if where == UNIVERSITY:
            worth += 0.8 * max(0, len(table.own(seat, "played")) - 3)
            if self._holding() and self._colour(seat) is not None:
                worth += 10.0
            if not self._has_path(seat) and self._fit(seat) >= 2 and not self._holding():
                worth += 30.0 if self._fit(seat) == 3 and self._ready() else 3.0
        elif self._holding() and where in self._open_gates(seat):
            worth += 2.0
        return worth
