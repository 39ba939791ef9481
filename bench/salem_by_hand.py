"""The Sorcerer of Salem written by hand in plain Python: the yardstick for the game written in Tale.

The rules are those of `scenarios/salem`, without its options; the same decisions are asked, with the same
number of choices each. A policy is asked with the number of choices and answers with one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Policy = Callable[[int], int]

DAGGER, ELIXIR, GLASSES, BOOK, AMBER, JADE, ONYX = range(7)
TOOLS = (DAGGER, ELIXIR, GLASSES, BOOK)
UNIVERSITY, SANATORIUM, DOCKS, MARKET, GRAVEYARD, OBSERVATORY, CHURCH, RLYEH, AWAY = range(9)
SECRET_PATH = 7
SHOWN, ALIKE, UNLIKE, RELIC = range(4)
NECRON_SPACES = (6, 12, 18, 24, 30, 36, 40)
DEMON, END = 30, 40
PORTALS = (None, None, None, None, AMBER, AMBER, JADE, ONYX)


class GameOverError(Exception):
    """The game has ended."""

    def __init__(self, ending: str) -> None:
        super().__init__(ending)
        self.ending = ending


class Foe:
    """A creature or a Great Old One: what overcomes it."""

    __slots__ = ("name", "needs", "proof")

    def __init__(self, name: str, *needs: int, proof: int = SHOWN) -> None:
        self.name = name
        self.needs = needs
        self.proof = proof


class Investigator:
    """One seat."""

    __slots__ = ("cards", "mind", "number", "place", "played", "relic", "sane", "shelf")

    def __init__(self, number: int) -> None:
        self.number = number
        self.mind = 6
        self.shelf: list[int] = []
        self.relic: int | None = None
        self.cards = [0, 1, 2, 3, 4, 5, 6, SECRET_PATH]
        self.played: list[int] = []
        self.place = UNIVERSITY
        self.sane = True


class Location:
    """One space of the town; the university has neither tile nor stalls."""

    __slots__ = ("known_to", "lair", "number", "seal", "tile", "wares")

    def __init__(self, number: int) -> None:
        self.number = number
        self.lair: Foe | None = None
        self.tile: int | None = None
        self.seal: int | None = None
        self.known_to: set[Investigator] = set()
        self.wares: list[int | None] = [None, None, None]


CREATURES = (
    Foe("undead", DAGGER, ELIXIR),
    Foe("thul_saduun", proof=RELIC),
    Foe("deep_one", GLASSES, DAGGER),
    Foe("ghoul", DAGGER, BOOK),
    Foe("night_gaunt", GLASSES, ELIXIR),
    Foe("mi_go", BOOK, GLASSES),
    Foe("shoggoth", DAGGER, DAGGER),
    Foe("byakhee", ELIXIR, BOOK),
    Foe("acolyte", BOOK, BOOK),
    Foe("hound", ELIXIR, ELIXIR),
    Foe("elder_thing", GLASSES, GLASSES),
    Foe("rat_thing", DAGGER, GLASSES),
)
NECRON, CRAVEN = Foe("necron"), Foe("craven")
CTHULHU = Foe("cthulhu", proof=ALIKE)
DAGON = Foe("dagon", proof=UNLIKE)
YOG_SOTHOTH = Foe("yog_sothoth", BOOK, BOOK, GLASSES)
SHUB_NIGGURATH = Foe("shub_niggurath", DAGGER, DAGGER, ELIXIR)
NYARLATHOTEP = Foe("nyarlathotep", GLASSES, BOOK, ELIXIR)
HASTUR = Foe("hastur", ELIXIR, GLASSES, GLASSES)
OLD_ONES = (CTHULHU, DAGON, YOG_SOTHOTH, SHUB_NIGGURATH, NYARLATHOTEP, HASTUR)
OLD_ONE_SET = frozenset(OLD_ONES)


def can_beat(p: Investigator, foe: Foe) -> bool:
    """Whether an investigator has what overcomes a foe."""
    if foe.proof == RELIC:
        return p.relic is not None
    shelf = p.shelf
    if foe.proof == ALIKE:
        return len(shelf) == 3 and len(set(shelf)) == 1
    if foe.proof == UNLIKE:
        return len(set(shelf)) == 3
    left = shelf[:]
    for tool in foe.needs:
        if tool not in left:
            return False
        left.remove(tool)
    return True


class Night:
    """One game."""

    def __init__(self, players: int, chance: Random, policy: Policy) -> None:
        self.random = chance.random
        self.shuffle = chance.shuffle
        self.policy = policy
        self.decisions = 0
        self.seats = [Investigator(n) for n in range(players)]
        self.town = [Location(n) for n in range(7)]
        self.districts = self.town[1:]
        self.university = self.town[UNIVERSITY]
        self.sorcerer = UNIVERSITY
        self.necromancer = 0
        self.rounds = 0
        self.fog_until = 0
        self.two_creatures = players == 4
        self.satchel = [t for t in TOOLS for _ in range(7)] + [AMBER, AMBER, JADE, JADE, ONYX, ONYX]
        self.lost: list[int] = []
        self.creatures = [c for c in CREATURES for _ in range(2)] + [NECRON, CRAVEN]
        self.creature_discard: list[Foe] = []
        self.events = list(EVENTS)
        self.spent_events: list[Event] = []
        self.sleeping_events: list[Event] = []
        self.niches: list[Foe | None] = []
        self.faces_up: set[Foe] = set()

    # ---------------------------------------------------------------- decisions
    def choose(self, count: int) -> int:
        """One of several choices; a single one is not asked."""
        if count < 2:
            return 0
        self.decisions += 1
        return self.policy(count)

    def may(self) -> bool:
        """Yes or no."""
        self.decisions += 1
        return self.policy(2) == 0

    def choose_tool(self, shelf: list[int]) -> int:
        """A tool of a shelf; copies are one choice."""
        kinds = list(dict.fromkeys(shelf))
        return kinds[self.choose(len(kinds))]

    # ---------------------------------------------------------------- setting up
    def play(self) -> str:
        """Plays to the end; gives the name of the ending."""
        try:
            self.set_up()
            while True:
                self.round()
        except GameOverError as over:
            return over.ending

    def set_up(self) -> None:
        first = self.choose(len(self.seats))
        self.order = self.seats[first:] + self.seats[:first]
        old_ones = list(OLD_ONES)
        self.shuffle(old_ones)
        self.prison = old_ones.pop()
        self.niches.extend(old_ones)
        self.faces_up.add(old_ones[0])
        self.shuffle(self.creatures)
        self.fresh_events()
        tiles = list(PORTALS)
        self.shuffle(tiles)
        for district in self.districts:
            district.tile = tiles.pop()
        self.shuffle(self.satchel)
        for p in self.seats:
            self.stow(self.draw_item(), p)
        for district in self.districts:
            self.restock(district)

    def fresh_events(self) -> None:
        self.events += self.spent_events + self.sleeping_events
        self.spent_events.clear()
        self.shuffle(self.events)
        self.sleeping_events = self.events[:4]
        del self.events[:4]

    def draw_item(self) -> int | None:
        if not self.satchel:
            if not self.lost:
                return None
            self.satchel, self.lost = self.lost, self.satchel
            self.shuffle(self.satchel)
        return self.satchel.pop()

    def restock(self, district: Location) -> None:
        wares = district.wares
        for n in range(3):
            if wares[n] is None:
                wares[n] = self.draw_item()

    # ---------------------------------------------------------------- a round
    def round(self) -> None:
        self.rounds += 1
        for _ in range(2 if self.two_creatures else 1):
            self.turn_creature(self.next_sane(self.order[0]))
        if len(self.seats) == 3:
            self.two_creatures = not self.two_creatures
        for p in self.order:
            if p.sane:
                self.turn(p)
        self.turn_event(self.next_sane(self.order[-1]))
        for district in self.districts:
            if district.wares == [None, None, None]:
                self.restock(district)

    def next_sane(self, start: Investigator) -> Investigator:
        at = self.seats.index(start)
        for p in self.seats[at:] + self.seats[:at]:
            if p.sane:
                return p
        raise GameOverError("alone")

    def turn(self, p: Investigator) -> None:
        if p.place == RLYEH:
            self.shake(p, 1)
            return
        self.travel(p)
        if p.place < RLYEH:
            self.meet(p)
            self.encounter(p)
        if p.place < RLYEH:
            self.use_something(p)
        if p.place < RLYEH:
            self.take_something(p)

    def in_force(self, old_one: Foe) -> bool:
        """Whether the text of a Great Old One counts now."""
        if self.university.lair is old_one:
            return True
        return self.prison is old_one and old_one in self.faces_up and not self.banished()

    def banished(self) -> bool:
        return any(p.place == RLYEH for p in self.seats)

    def in_town(self) -> list[Investigator]:
        return [p for p in self.seats if p.place < RLYEH]

    def travel(self, p: Investigator) -> None:
        fog = self.rounds <= self.fog_until
        at_university = p.place == UNIVERSITY
        cards = [
            c for c in p.cards
            if not (fog and c == SECRET_PATH) and not (at_university and c == UNIVERSITY)
        ]  # fmt: skip
        if not cards:
            return
        card = cards[self.choose(len(cards))]
        p.cards.remove(card)
        p.played.append(card)
        if card != SECRET_PATH:
            self.arrive(p, card)
            return
        self.shake(p, 2 if self.in_force(DAGON) else 1)
        if p.sane:
            places = [n for n in range(7) if n != p.place]
            if self.can_banish(p):
                places.append(RLYEH)
            self.arrive(p, places[self.choose(len(places))])

    def arrive(self, p: Investigator, place: int) -> None:
        p.place = place
        if place == UNIVERSITY:
            self.recall(p)

    def recall(self, p: Investigator) -> None:
        p.cards += p.played
        p.played.clear()

    def can_banish(self, p: Investigator) -> bool:
        return self.prison in self.faces_up and not self.banished() and can_beat(p, self.prison)

    # ---------------------------------------------------------------- losses
    def shake(self, p: Investigator, n: int) -> None:
        p.mind -= n
        if p.mind < 0:
            p.mind = 0
            self.go_mad(p)

    def calm(self, p: Investigator, n: int) -> None:
        p.mind = min(6, p.mind + n)

    def go_mad(self, p: Investigator) -> None:
        p.sane = False
        p.place = AWAY
        p.shelf.clear()
        p.relic = None
        p.cards.clear()
        p.played.clear()
        if sum(q.sane for q in self.seats) <= 1:
            raise GameOverError("alone")

    def advance(self, n: int) -> None:
        if n <= 0:
            return
        before = self.necromancer
        self.necromancer = min(END, before + n)
        if before < DEMON <= self.necromancer and self.prison not in self.faces_up:
            raise GameOverError("unready")
        if self.necromancer == END:
            raise GameOverError("rift")

    def jump(self) -> None:
        self.advance(next(n for n in NECRON_SPACES if n > self.necromancer) - self.necromancer)

    # ---------------------------------------------------------------- creatures
    def turn_creature(self, who: Investigator) -> None:
        if not self.creatures:
            return
        card = self.creatures.pop()
        if card is NECRON:
            self.creature_discard.append(card)
            self.muster()
        elif card is CRAVEN:
            self.drag_home()
            self.creature_discard.append(card)
            self.turn_creature(who)
        else:
            for den in self.districts:
                if den.lair is card:
                    STRIKES[card](self, den)
                    self.creature_discard.append(card)
                    return
            self.settle(card)

    def settle(self, card: Foe) -> None:
        at = self.sorcerer
        for n in (*range(at + 1, 7), *range(at + 1)):
            if n != UNIVERSITY and self.town[n].lair is None:
                self.town[n].lair = card
                return
        self.creature_discard.append(card)

    def muster(self) -> None:
        self.advance(sum(d.lair is not None for d in self.districts))
        if self.university.lair is not None:
            self.advance(2)
        self.creatures += self.creature_discard
        self.creature_discard.clear()
        self.shuffle(self.creatures)

    def drag_home(self) -> None:
        self.sorcerer = UNIVERSITY
        for p in self.in_town():
            p.place = UNIVERSITY
            self.recall(p)

    def levy(self, n: int, tool: int) -> None:
        """The table gives up tools of one kind."""
        givers = [p for p in self.in_town() for held in p.shelf if held == tool]
        if len(givers) > n:
            picked = []
            for _ in range(n):
                different = list(dict.fromkeys(givers))
                giver = different[self.choose(len(different))]
                givers.remove(giver)
                picked.append(giver)
            givers = picked
        for p in givers:
            p.shelf.remove(tool)
            self.lost.append(tool)

    def levy_or_jump(self, n: int, tool: int) -> None:
        short = sum(p.shelf.count(tool) for p in self.in_town()) < n
        self.levy(n, tool)
        if short:
            self.jump()

    # ---------------------------------------------------------------- fights
    def encounter(self, p: Investigator) -> None:
        location = self.town[p.place]
        foe = location.lair
        if foe is None:
            return
        if self.sorcerer != p.place:
            self.suffer(p)
            if not p.sane:
                return
        if can_beat(p, foe) and self.may():
            if foe.proof == RELIC:
                assert p.relic is not None
                self.lost.append(p.relic)
                p.relic = None
            self.dispel(location, foe)

    def suffer(self, p: Investigator) -> None:
        face = int(self.random() * 6)
        if face == 4:
            self.shake(p, 2 if self.in_force(HASTUR) else 1)
        elif face == 5:
            self.advance(1)
        elif face in p.shelf:
            p.shelf.remove(face)
            self.lost.append(face)

    def dispel(self, location: Location, foe: Foe) -> None:
        location.lair = None
        if foe not in OLD_ONE_SET:
            self.creature_discard.append(foe)
            if self.in_force(SHUB_NIGGURATH):
                self.advance(1)

    # ---------------------------------------------------------------- dealing
    def meet(self, p: Investigator) -> None:
        friends = [q for q in self.seats if q.place == p.place and q is not p]
        if not friends:
            return
        taken = self.choose(len(friends) + 1)
        if taken == len(friends) or self.in_force(NYARLATHOTEP):
            return
        friend = friends[taken]
        deals: list[Callable[[Investigator, Investigator], None]] = []
        if p.shelf and friend.shelf:
            deals.append(self.swap)
        if p.shelf and len(friend.shelf) < 3:
            deals.append(self.hand_over)
        if friend.shelf and len(p.shelf) < 3:
            deals.append(self.ask)
        if not deals:
            return
        taken = self.choose(len(deals) + 1)
        if taken < len(deals):
            deals[taken](p, friend)

    def swap(self, p: Investigator, friend: Investigator) -> None:
        mine = self.choose_tool(p.shelf)
        theirs = self.choose_tool(friend.shelf)
        if self.may():
            p.shelf[p.shelf.index(mine)] = theirs
            friend.shelf[friend.shelf.index(theirs)] = mine

    def hand_over(self, p: Investigator, friend: Investigator) -> None:
        gift = self.choose_tool(p.shelf)
        p.shelf.remove(gift)
        friend.shelf.append(gift)

    def ask(self, p: Investigator, friend: Investigator) -> None:
        gift = self.choose_tool(friend.shelf)
        if self.may():
            friend.shelf.remove(gift)
            p.shelf.append(gift)

    # ---------------------------------------------------------------- using
    def use_something(self, p: Investigator) -> None:
        location = self.town[p.place]
        shelf = p.shelf
        uses: list[Callable[[Investigator, Location], None]] = []
        if GLASSES in shelf and p.place != UNIVERSITY and not self.in_force(YOG_SOTHOTH):
            uses.append(self.use_glasses)
        if BOOK in shelf and self.next_secret() is not None:
            uses.append(self.use_book)
        if ELIXIR in shelf:
            uses.append(self.use_elixir)
        foe = location.lair
        if DAGGER in shelf and self.sorcerer == p.place and foe is not None and foe.proof != RELIC:
            uses.append(self.use_dagger)
        if p.relic is not None:
            if p.place != UNIVERSITY and location.seal is None:
                uses.append(self.seal_gate)
            elif p.place == UNIVERSITY and self.banished():
                uses.append(self.weigh_last_gate)
        if not uses:
            return
        taken = self.choose(len(uses) + 1)
        if taken < len(uses):
            uses[taken](p, location)

    def use_up(self, p: Investigator, tool: int) -> None:
        p.shelf.remove(tool)
        self.lost.append(tool)

    def use_glasses(self, p: Investigator, location: Location) -> None:
        location.known_to.add(p)
        self.use_up(p, GLASSES)

    def next_secret(self) -> Foe | None:
        for old_one in self.niches:
            if old_one is not None and old_one not in self.faces_up:
                return old_one
        return None if self.prison in self.faces_up else self.prison

    def use_book(self, p: Investigator, location: Location) -> None:
        secret = self.next_secret()
        assert secret is not None
        self.faces_up.add(secret)
        self.use_up(p, BOOK)

    def use_elixir(self, p: Investigator, location: Location) -> None:
        strong = self.sorcerer == p.place and not self.in_force(CTHULHU)
        self.calm(p, 2 if strong else 1)
        self.use_up(p, ELIXIR)

    def use_dagger(self, p: Investigator, location: Location) -> None:
        assert location.lair is not None
        self.dispel(location, location.lair)
        self.use_up(p, DAGGER)

    def seal_gate(self, p: Investigator, location: Location) -> None:
        location.seal = p.relic
        p.relic = None

    def weigh_last_gate(self, p: Investigator, location: Location) -> None:
        for friend in self.seats:
            if friend.sane and friend is not p:
                self.testify(friend)
        if self.may():
            location.seal = p.relic
            kept = all(self.rightly_kept(d) for d in self.districts)
            raise GameOverError("sealed" if kept else "broken_seals")

    def testify(self, p: Investigator) -> str:
        still_open = any(
            p in d.known_to and d.tile is not None and not self.rightly_kept(d) for d in self.districts
        )  # fmt: skip
        said = "a portal still stands open" if still_open else "none stands open that I know of"
        return said if self.choose(2) == 0 else ""

    def rightly_kept(self, district: Location) -> bool:
        return district.seal == district.tile

    # ---------------------------------------------------------------- taking
    def take_something(self, p: Investigator) -> None:
        if p.place == UNIVERSITY:
            return
        district = self.town[p.place]
        wares = district.wares
        stalls = [n for n in range(3) if wares[n] is not None]
        if not stalls:
            return
        taken = self.choose(len(stalls) + 1)
        if taken == len(stalls):
            return
        stall = stalls[taken]
        item = wares[stall]
        wares[stall] = None
        self.stow(item, p)
        if len(stalls) == 1:
            self.restock(district)
        price = PRICES[p.place - 1][stall]
        if price is not None:
            price(self, p)

    def stow(self, item: int | None, p: Investigator) -> None:
        if item is None:
            return
        if item >= AMBER:
            if p.relic is not None:
                self.lost.append(p.relic)
            p.relic = item
            return
        if len(p.shelf) == 3:
            old = self.choose_tool(p.shelf)
            p.shelf.remove(old)
            self.lost.append(old)
        p.shelf.append(item)

    # ---------------------------------------------------------------- events
    def turn_event(self, reader: Investigator) -> None:
        if not self.events:
            self.fresh_events()
        event = self.events.pop()
        self.spent_events.append(event)
        steps, text = event
        self.sorcerer = (self.sorcerer + steps) % 7
        if text is not None:
            text(self, reader)

    def cast_shadow(self, reader: Investigator) -> None:
        for n, shade in enumerate(self.niches):
            if shade is not None:
                self.niches[n] = None
                self.faces_up.add(shade)
                self.university.lair = shade
                return

    def broken_sleep(self, reader: Investigator) -> None:
        for p in self.in_town():
            if p.place != self.sorcerer:
                self.shake(p, 1)

    def clear_dawn(self, reader: Investigator) -> None:
        for p in self.in_town():
            if p.place == self.sorcerer:
                self.calm(p, 1)
        location = self.town[self.sorcerer]
        if location.lair is not None and location.lair not in OLD_ONE_SET:
            self.creature_discard.append(location.lair)
            location.lair = None

    def book_burning(self, reader: Investigator) -> None:
        for district in self.districts:
            for n, ware in enumerate(district.wares):
                if ware == BOOK:
                    district.wares[n] = None
                    self.lost.append(BOOK)
        for district in self.districts:
            if district.wares == [None, None, None]:
                self.restock(district)

    def fog(self, reader: Investigator) -> None:
        self.fog_until = self.rounds + 1

    def grave_robbers(self, reader: Investigator) -> None:
        if self.town[GRAVEYARD].lair is not None:
            self.advance(1 if len(self.seats) == 2 else 3)

    def open_hand(self, reader: Investigator) -> None:
        for p in self.in_town():
            if len(p.shelf) < 3 and self.may():
                item = self.draw_item()
                if item is not None and item >= AMBER and p.relic is not None:
                    self.lost.append(item)
                else:
                    self.stow(item, p)

    def drifting_stars(self, reader: Investigator) -> None:
        self.advance(1 if len(self.in_town()) <= 2 else 3)

    # ---------------------------------------------------------------- strikes
    def strike_undead(self, den: Location) -> None:
        self.advance(3)

    def strike_thul_saduun(self, den: Location) -> None:
        self.advance(sum(p.place != self.sorcerer for p in self.in_town()))

    def strike_deep_one(self, den: Location) -> None:
        self.levy_or_jump(2, ELIXIR)

    def strike_ghoul(self, den: Location) -> None:
        self.levy(2, DAGGER)

    def strike_night_gaunt(self, den: Location) -> None:
        for p in self.in_town():
            if p.place == den.number:
                self.shake(p, 1)

    def strike_mi_go(self, den: Location) -> None:
        self.levy_or_jump(1, BOOK)

    def strike_shoggoth(self, den: Location) -> None:
        self.lost += [ware for ware in den.wares if ware is not None]
        den.wares = [None, None, None]
        self.restock(den)

    def strike_byakhee(self, den: Location) -> None:
        self.sorcerer = UNIVERSITY
        self.advance(1)

    def strike_acolyte(self, den: Location) -> None:
        self.advance(2 if self.university.lair is not None else 1)

    def strike_hound(self, den: Location) -> None:
        for p in self.in_town():
            if p.place == den.number:
                self.shake(p, 1)

    def strike_elder_thing(self, den: Location) -> None:
        self.levy_or_jump(1, GLASSES)
        self.levy(1, ELIXIR)

    def strike_rat_thing(self, den: Location) -> None:
        for p in self.in_town():
            if p.shelf:
                self.use_up(p, self.choose_tool(p.shelf))

    # ---------------------------------------------------------------- prices
    def pay_advance_1(self, p: Investigator) -> None:
        self.advance(1)

    def pay_advance_2(self, p: Investigator) -> None:
        self.advance(2)

    def pay_mind_2(self, p: Investigator) -> None:
        self.shake(p, 2)

    def pay_both(self, p: Investigator) -> None:
        self.advance(1)
        self.shake(p, 1)


Event = tuple[int, Callable[[Night, Investigator], None] | None]

EVENTS: tuple[Event, ...] = (
    (1, Night.cast_shadow), (2, Night.cast_shadow), (3, Night.cast_shadow), (1, Night.broken_sleep),
    (2, Night.clear_dawn), (3, Night.book_burning), (1, Night.fog), (2, Night.turn_creature),
    (3, None), (2, Night.grave_robbers), (1, Night.open_hand), (3, Night.drifting_stars),
)  # fmt: skip

PRICES: Sequence[Sequence[Callable[[Night, Investigator], None] | None]] = (
    (None, None, Night.pay_mind_2),
    (None, None, Night.pay_advance_1),
    (None, None, Night.pay_both),
    (None, None, Night.turn_creature),
    (None, None, Night.pay_advance_2),
    (None, None, Night.turn_event),
)

STRIKES: dict[Foe, Callable[[Night, Location], None]] = {
    foe: getattr(Night, f"strike_{foe.name}") for foe in CREATURES
}  # fmt: skip


# One generator and one policy for all games, as in Tale: Python calls the same function again sooner than a new one.
_CHANCE = Random()
_random = _CHANCE.random


def _policy(count: int) -> int:
    return int(_random() * count)


def play(players: int, seed: int) -> str:
    """Plays one game with random choices; gives the name of the ending."""
    _CHANCE.seed(seed)
    return Night(players, _CHANCE, _policy).play()
