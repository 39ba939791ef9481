"""What happened at the table since somebody last looked: told in order, without what they may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from rich.text import Text

from talewright.report.explain.trace import Choice
from talewright.report.table.choices import Told
from talewright.report.table.effect_text import track_name
from talewright.report.table.happenings import EVERYBODY, Happening, Narrator
from talewright.report.table.prose import clean, is_heading, is_item, prose_lines, wrapped
from talewright.report.table.visibility import Seat, open_field, visible, words
from talewright.report.wording.cards import NOTHING
from talewright.report.wording.phrases import band_text, is_plural, without_article
from talewright.runtime.model.world import Field
from talewright.runtime.observe.behaviour import text_of
from talewright.runtime.observe.trace import (
    BandEvent,
    CallEvent,
    Detail,
    EffectEvent,
    RollEvent,
    TurnEvent,
    WriteEvent,
)
from talewright.runtime.observe.view import View
from talewright.runtime.session import Decision, Game
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.statements import Call, ForEach, If
from talewright.schemas.records import field, record, replace
from talewright.schemas.wording import noun_text

MOST_MOVES = 12
MOST_TEXTS = 40
RECENT = 3
VAIN = " (none of it is possible now)"
ARTICLES = ("a ", "an ", "the ")
# What may stand close below what was told before, without an empty line.
CLOSE = {"item": ("item",), "line": ("line",), "events": ("item", "line", "text")}
_YOU = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)

# How much is told: texts and choices; what was done in the end; every step.
Level = Literal["less", "usual", "more"]


@record(frozen=True)
class Heard:
    """Something the table could hear: prose, a choice, what was done, or what dice and tracks did."""

    kind: str
    text: str
    choice: Told | None = None
    owner: int = 0
    hidden: Field | None = field(default=None, compare=False)
    track: str = ""
    """Of a track that moved, what it is called, with whose it is."""
    now: str = ""
    """Where it stands now: `now 3`."""
    happening: Happening | None = field(default=None, compare=False)
    moved: tuple[Heard, ...] = ()
    """The tracks that moved while it happened."""
    rolled: int | None = None
    """Of a roll whose band is not known yet, the sum of its dice."""
    faces: str = ""
    """Of a roll, what came up."""
    turned: str = ""
    """Of a thing that was turned up, its title."""
    shown_to: int = 0
    """The seat that it was shown to, where it was not turned up for everybody."""
    follows: bool = False
    """Whether it is told behind the action in which it happened: it came of it."""

    @property
    def who(self) -> str:
        """Who has chosen."""
        return self.choice.who if self.choice is not None else ""


@record
class Effect:
    """An effect of a card that is being carried out."""

    depth: int
    """That of the call it runs in."""
    begun: int
    """How much had been heard when it began."""
    done: bool = False
    """Whether a call in it was done."""


class News:
    """Listens to a game; remembers what this screen has told, and what each seat has seen."""

    def __init__(self, game: Game, level: Level = "usual") -> None:
        self.game = game
        self.level = level
        self.narrator = Narrator(game.program.lowered)
        self.calls: dict[int, tuple[int, bool]] = {}
        """For each call under way, by its depth: how much had been heard when it began, and whether something in it was told."""
        self.effects: list[Effect] = []
        """The effects under way, each inside the one before it."""
        self._view: View | None = None
        self.heard: list[Heard] = []
        self.last: Told | None = None
        self.first = 0
        self.told = 0
        self.open = ""
        """What was told last: an `item` of a list, a text of one `line`, or `events`."""
        self.seen: dict[Seat, int] = {}

    def __call__(self, kind: str, detail: Detail | Choice) -> None:
        """The listener of the game."""
        match detail:
            case str():
                self._said(detail)
            case tuple():
                self._settle()
                self.last = Told(self.game.view(), *detail[3:])
                self.heard.append(Heard("choice", detail[2], self.last))
                self._view = None
            case RollEvent() if detail.faces:
                self.heard.append(self._rolled(kind, detail))
            case BandEvent():
                self._banded(detail)
            case WriteEvent() if kind == "write" or self.level == "usual":
                self._wrote(detail)
            case TurnEvent():
                title = self.narrator.one(self.view, detail.thing)
                self.heard.append(
                    Heard("event", "", owner=detail.thing, turned=title, shown_to=detail.seat, follows=True)
                )
            case EffectEvent():
                self._carried_out(detail)
            case CallEvent() if kind == "call":
                self.calls = {depth: call for depth, call in self.calls.items() if depth < detail.depth}
                self.calls[detail.depth] = (len(self.heard), False)
            case CallEvent() if kind == "done":
                for effect in self.effects:
                    effect.done = effect.done or detail.depth > effect.depth
                if self.level != "less":
                    self._done(detail)

    def _said(self, text: str) -> None:
        """A text; the prose of a page comes with its title, unless the game has said that already."""
        title = self._titles.get(" ".join(text.split()), "")
        if title and not any(heard.text.strip() == title for heard in self.heard[-2:] if heard.kind == "say"):
            self.heard.append(Heard("say", f"# {title}"))
        if text.startswith(ARTICLES):
            # What begins with the name of a thing begins a sentence all the same.
            text = f"{text[0].upper()}{text[1:]}"
        self.heard.append(Heard("say", text))

    @cached_property
    def _titles(self) -> dict[str, str]:
        """The titles of chapters and endings by their prose."""
        view = self.game.view()
        pages = [view.number(node["id"]) for node in self.game.program.document["story"]["nodes"]]
        told = {page: " ".join(view.prose(page).split()) for page in pages if page}
        return {prose: view.title(page) for page, prose in told.items() if prose}

    @property
    def view(self) -> View:
        """The game as it stands at the next decision, where all that happened before it is told."""
        if self._view is None:
            self._view = self.game.view()
        return self._view

    def _done(self, event: CallEvent) -> None:
        """An action is over: told, if it has words, and no action inside it has told the same already."""
        if not self.narrator.tells(event.action):
            return
        begun, inner = self.calls.get(event.depth, (len(self.heard), False))
        moved: list[Heard] = []
        asked = False
        if self.level == "usual":
            if not self.narrator.is_plain(event.action):
                return
            if any(heard.kind == "say" for heard in self.heard[begun:]):
                return  # the package has told it in words of its own
            asked = any(heard.kind == "choice" for heard in self.heard[begun:])
            # What somebody has been told stays as it is.
            begun = max(begun, self.told, *self.seen.values())
        happening = self.narrator.happening(self.view, event)
        rolls = [heard for heard in self.heard[begun:] if heard.faces and heard.happening is None]
        # It says itself that dice are rolled: what came up is told with it.
        rolled = rolls[0] if self.level == "usual" and len(rolls) == 1 and "roll" in happening.reads else None
        faces = rolled.faces if rolled is not None else ""
        if self.level == "usual":
            if inner and rolled is not None:
                self.heard[self.heard.index(rolled)] = Heard("done", "", happening=happening, faces=faces)
                return
            if inner:
                self._name_doer(happening, begun, asked)
                return
            moved = [heard for heard in self.heard[begun:] if heard.now]
            self.heard[begun:] = [one for one in self.heard[begun:] if not one.now and one is not rolled]
        made = Heard("done", "", happening=happening, moved=tuple(moved), faces=faces)
        first = all(heard.follows for heard in self.heard[begun:])
        self.heard.insert(begun if first else len(self.heard), made)
        for depth in range(1, event.depth + 1):
            self.calls[depth] = (self.calls.get(depth, (begun, False))[0], True)

    def _name_doer(self, happening: Happening, begun: int, asked: bool) -> None:
        """Tells an action in the place of the one sentence inside it that names nothing else: `p2 overcomes the Ghoul` says
        more than `the Ghoul is overcome`. What came of a question in it keeps its words, unless they name less."""
        told = range(begun, len(self.heard))
        inside = [
            n
            for n in told
            if (inner := self.heard[n].happening) is not None
            and happening.covers(inner)
            and not (asked and inner.covers(happening))
        ]
        # What came up needs the words in which it was rolled.
        inside = [n for n in inside if not self.heard[n].faces or "roll" in happening.reads]
        if len(inside) == 1:
            self.heard[inside[0]] = replace(self.heard[inside[0]], happening=happening)

    def _carried_out(self, event: EffectEvent) -> None:
        """An effect of a card is over: where nothing was told of it, what the card says tells what happened."""
        self.effects = [effect for effect in self.effects if effect.depth <= event.depth]
        if event.begins:
            self._read_lines(event)
            self.effects.append(Effect(event.depth, len(self.heard)))
            return
        effect = self.effects.pop() if self.effects else Effect(0, len(self.heard))
        begun = max(effect.begun, self.told, *self.seen.values())
        since = self.heard[begun:]
        # Where nothing but tracks was heard of, what the card says tells also the rest, with where they stand now.
        if (
            any(not heard.now or heard.owner for heard in since)
            or self._is_lines(event)
            or (since and self.level != "usual")
        ):
            return
        cards, view = self.narrator.cards, self.view
        lines = [line for line in cards.lines(view.sort(event.thing)) if line.field == event.field]
        # What speaks to whoever uses the card would seem to speak to whoever reads the news: it is told only to them.
        user = self._last_decider() if len(lines) == 1 and _YOU.search(lines[0].text) else EVERYBODY
        if len(lines) == 1 and lines[0].text != NOTHING and user:
            title = view.title(event.thing)
            text = f"{title[:1].upper()}{title[1:]}: {lines[0].text.removesuffix('.')}"
            vain = not effect.done and not since and self._only_calls(event)
            text += VAIN if vain else ""
            # Whoever has heard the title of a card may hear what it does, wherever the card lies.
            named = any(title in heard.text for heard in self.heard[-RECENT:] if heard.kind == "say")
            if since and not named:
                return
            moved = {heard.track: heard for heard in since}
            stands = ", ".join(f"{one.track} {one.now}" for one in moved.values())
            self.heard[begun:] = [
                Heard(
                    "event",
                    f"{text} ({stands})" if stands else text,
                    owner=0 if named and user == EVERYBODY else event.thing,
                    shown_to=0 if user == EVERYBODY else user,
                    follows=True,
                )
            ]

    def _only_calls(self, event: EffectEvent) -> bool:
        """Whether an effect does nothing but call actions, though it may be for each of some, or if something holds: of those it
        is told whether they were done."""
        held = self.view.stored(event.thing, self.view.fields(event.thing)[event.field])
        text = text_of(self.view.evaluator, held)
        return text is not None and _are_calls(text.body)

    def _last_decider(self) -> int:
        """The seat that has chosen last; 0 if nobody has, or several have together."""
        chosen = next((heard.choice for heard in reversed(self.heard) if heard.choice is not None), None)
        return chosen.deciders[0] if chosen is not None and len(chosen.deciders) == 1 else 0

    def _is_lines(self, event: EffectEvent) -> bool:
        """Whether it is a field of lines, which are tried one by one."""
        return self.view.fields(event.thing)[event.field].tag == "lines"

    def _read_lines(self, event: EffectEvent) -> None:
        """Lines are read before they are tried: some may come to nothing, and what is told later is only what came of them."""
        if not self._is_lines(event):
            return
        for line in self.narrator.cards.lines(self.view.sort(event.thing)):
            if line.field == event.field:
                self.heard.append(Heard("lines", str(line), follows=True))

    def _rolled(self, kind: str, event: RollEvent) -> Heard:
        """Dice: who rolled them, what for, what they show, and their sum."""
        dice = self._dice(event.dice)
        if len(event.faces) == 1:
            dice = f"the {dice} die" if not dice[-1:].isdigit() else f"a {dice}"
        who = f"{self.view.title(event.roller)} {kind}s" if event.roller else kind.capitalize()
        purpose = words(event.purpose)
        # What dice are rolled for may be a deed: `to hit`.
        purpose = f" {purpose}" if purpose.startswith("to ") else f" for {purpose}" if purpose else ""
        shown = ", ".join(map(words, event.faces))
        if kind == "flip":
            return Heard("event", f"{dice[:1].upper()}{dice[1:]} is turned over: {shown}", faces=shown)
        if kind == "reroll":
            several = "are" if len(event.faces) > 1 else "is"
            who, dice = f"{dice[:1].upper()}{dice[1:]} {several}", "rolled again"
        numbers = [int(face) for face in event.faces if face.removeprefix("-").isdecimal()]
        if len(event.faces) == 1 and not numbers and not event.roller and kind == "roll":
            told = f"{dice[:1].upper()}{dice[1:]} shows {shown}{purpose}"
            return Heard("event", told, faces=shown)
        if len(numbers) < len(event.faces):
            told = f"{who} {dice}" if event.roller or kind != "roll" else f"{dice} are rolled"
            return Heard("event", f"{told}{purpose}: {shown}", faces=shown)
        shown += f" = {sum(numbers)}" if len(numbers) > 1 else ""
        return Heard("event", f"{who} {dice}{purpose}: {shown}", rolled=sum(numbers), faces=shown)

    def _dice(self, told: str) -> str:
        """Dice as players call them: `3 * StormDie` are three storm dice."""
        vocabulary, kinds = self.narrator.cards.speaker.vocabulary, self.game.program.lowered.world.kinds
        called = []
        for part in told.split(" + "):
            count, _, name = part.rpartition(" * ")
            if name in kinds:
                group = vocabulary.group(name)
                called.append(f"{count} {group.many}" if count else group.one.removesuffix(" die"))
            else:
                called.append(words(part))
        return " + ".join(called)

    def _banded(self, event: BandEvent) -> None:
        """A number has come to lie in a band: told with the roll it is made of, and what was added to that."""
        band = band_text(event.low, event.high)
        begun = max(self.told, *self.seen.values(), 0)
        for index in range(len(self.heard) - 1, begun - 1, -1):
            heard = self.heard[index]
            if heard.kind == "choice":
                break
            if heard.kind == "say" and re.search(rf"(?<!\w){event.number}(?!\w)", heard.text):
                self.heard.append(Heard("event", f"That is in the band {band}"))
                return
            if heard.rolled is not None:
                more = event.number - heard.rolled
                added = f", {more:+d} = {event.number}" if more else ""
                told = f"{added} ({band})"
                self.heard[index] = replace(
                    heard, text=heard.text + told, faces=heard.faces + told, rolled=None
                )
                return
        self.heard.append(Heard("event", f"{event.number}, in the band {band}"))

    def _wrote(self, event: WriteEvent) -> None:
        """A track has moved: it is told with whose it is."""
        field_, of = None, ""
        if event.owner:
            name = event.track.rpartition(".")[2]
            field_ = self.view.fields(event.owner).get(name)
            said = field_.declaration.reads if field_ is not None else None
            name, of = noun_text(said or words(name)), f" of {self.view.title(event.owner)}"
        else:
            name = track_name(self.narrator.cards, event.track).rpartition(":")[2]
            name = f"{name[:1].upper()}{name[1:]}"
        stays = event.before == event.after
        text = "" if stays else f"{name}{of} {event.before} -> {event.after}"
        now = f"{'stays' if stays else 'now'} {event.after}"
        self.heard.append(Heard("event", text, None, event.owner, field_, f"{name}{of}", now))

    def _settle(self) -> None:
        """What came of the last choice can be seen by now."""
        if self.last is not None:
            self.last.look(self.game.view())
            self.last = None

    def choices(self) -> list[Heard]:
        """Every choice so far."""
        return [heard for heard in self.heard if heard.kind == "choice"]

    def picked(self, decision: Decision) -> list[str]:
        """What was picked just before in answer to the same question, where several things are picked."""
        made: list[str] = []
        for heard in reversed(self.choices()):
            if heard.choice is None or not heard.choice.belongs_to(decision):
                break
            made.append(heard.choice.answer)
        return made[::-1]

    def cut(self, left: int, after: int | None) -> None:
        """So many choices are left; play is heard again after some of them, or from the first page."""
        made = [index for index, heard in enumerate(self.heard) if heard.kind == "choice"]
        made.append(len(self.heard))
        known = made[min(left, len(made) - 1)]
        self.first, self.told = min(self.first, known), min(self.told, known)
        self.seen = {seat: min(seen, known) for seat, seen in self.seen.items()}
        self._view = None
        self.calls.clear()
        self.effects.clear()
        del self.heard[0 if after is None else made[min(after, len(made) - 1)] :]
        self.last = None

    def skip(self, pages: int) -> None:
        """Takes what was played again as told, but for the last pages of prose."""
        said = [index for index, heard in enumerate(self.heard) if heard.kind == "say"]
        self.first = self.told = said[-pages] if pages and len(said) >= pages else len(self.heard)
        self.seen = {}

    def tell(self, seat: Seat, own: str, width: int, alone: bool = False) -> Iterator[Text]:
        """What is new on this screen, or to this seat alone; choices of `own` are not told again."""
        self._settle()
        waiting = self.heard[self.seen.get(seat, self.first) if alone else self.told :]
        self.told = self.seen[seat] = len(self.heard)
        moves = [h for h in waiting if h.kind == "choice" and h.who != own]
        passed = len(moves) - MOST_MOVES
        if passed > 0:
            yield Text(f"  ({passed} earlier choices; `log` shows more)", style="dim")
        told = {id(move) for move in moves[-MOST_MOVES:]}
        texts = sum(heard.kind == "say" for heard in waiting)
        events: list[str] = []
        read = ""  # of the card that was read last
        for index, heard in enumerate(waiting):
            if heard.kind == "event":
                if not heard.text and not heard.turned:
                    continue  # a track that has not moved is told only with what was to move it
                if (
                    self.level != "less"
                    and self._open(heard, seat)
                    and not self._is_named(heard, waiting, seat)
                ):
                    events.append(f"{heard.text or self._turned(heard)}.")
            elif heard.happening is not None:
                events.append(self._happened(heard, heard.happening, seat, read))
            elif heard.kind == "say":
                yield from self._breath(events, width)
                texts -= 1
                if texts < MOST_TEXTS:
                    yield from self._text(heard.text, width)
                elif texts == MOST_TEXTS:
                    yield Text("  (many texts are left out here; the last ones follow)", style="dim")
                read = ""
            elif heard.kind == "lines":
                if self.level != "less":
                    yield from self._breath(events, width)
                    yield from wrapped(Text(f"  {clean(heard.text)}", style="cyan"), width, 4)
                    read += heard.text.lower()
            elif id(heard) in told and not self._goes_without_saying(heard, waiting[index + 1 :], seat, own):
                yield from self._breath(events, width)
                yield from wrapped(Text(f"  {self.choice(heard, seat)}", style="dim"), width, 4)
        yield from self._breath(events, width)

    def _breath(self, events: list[str], width: int) -> Iterator[Text]:
        """What happened between two texts or choices, in one breath."""
        if not events:
            return
        self.open = "events"
        events[:] = _counted(_joined(events))
        shown = events if len(events) <= MOST_MOVES else ["...", *events[-MOST_MOVES:]]
        yield from wrapped(Text(f"  {clean(' '.join(shown))}", style="cyan"), width, 4)
        events.clear()

    def _text(self, text: str, width: int) -> Iterator[Text]:
        """A text, with an empty line below it. Items of a list, and sentences of one line, stand close together."""
        lines = prose_lines(text, width)
        title = is_heading(text) or (len(lines) == 1 and text.rstrip()[-1:].isalnum() and not is_item(text))
        form = "title" if title else "item" if is_item(text) else "line" if len(lines) == 1 else "text"
        if form not in CLOSE.get(self.open, form):
            yield Text()
        for line in lines:
            if title:
                line.stylize("bold")
            yield line
        if form in ("title", "text"):
            yield Text()
        self.open = form

    def _turned(self, heard: Heard) -> str:
        if heard.shown_to:
            return f"You are shown: {heard.turned}"
        verb = "are" if is_plural(heard.turned) else "is"
        return f"{heard.turned[:1].upper()}{heard.turned[1:]} {verb} turned up"

    def _is_named(self, heard: Heard, waiting: list[Heard], seat: Seat) -> bool:
        """Whether something that was turned up is told of by what was said or done."""
        if not heard.turned:
            return False
        done = [other.happening.text(seat) for other in waiting if other.happening is not None]
        name = without_article(heard.turned)
        return any(name in text for text in [*done, *(one.text for one in waiting if one is not heard)])

    def _goes_without_saying(self, heard: Heard, after: list[Heard], seat: Seat, own: str) -> bool:
        """Whether nothing was chosen, or what came of a choice says again what it was: `p2: Which way? the Docks` before
        `p2 goes to the Docks`, or a text of the game that says the same."""
        assert heard.choice is not None
        if heard.choice.declined and own and self.level != "more":
            return True  # whoever only watches hears of every choice
        for other in after:
            if other.kind == "event" and not other.happening:
                continue
            if other.kind == "say":
                return self.choice(heard, seat).lower() == clean(other.text).lower().strip()
            if other.happening is None:
                return False
            text = other.happening.text(seat)
            return text.startswith(f"{heard.who} ") and heard.choice.is_in(text, seat)
        return False

    def _happened(self, heard: Heard, happening: Happening, seat: Seat, read: str = "") -> str:
        """What was done, with what dice showed and where the tracks stand now that it moved; of what was just read on a card
        only what came of it."""
        text = happening.text(seat)
        moved = {one.track: one for one in heard.moved if self._open(one, seat)}
        now = [f"{self._of_whom(one, text)} {one.now}" for one in moved.values()]
        if not text.endswith("."):
            return text
        if now and not heard.faces and text.lower() in read:
            return f"{now[0][:1].upper()}{', '.join(now)[1:]}."
        shown = f": {heard.faces}" if heard.faces else ""
        still = len(moved) > 1 and not any(one.text for one in moved.values())
        stands = " (as they were)" if still else f" ({', '.join(now)})" if now else ""
        return f"{text[:-1]}{shown}{stands}."

    def _of_whom(self, heard: Heard, text: str) -> str:
        """What a track is called, with whose it is unless the text names them, or it is somebody's at the table."""
        if not heard.owner:
            return heard.track
        view, owner = self.view, heard.owner
        title = view.title(owner)
        known = title in text or owner in view.seats or view.decider(owner)
        return heard.track.removesuffix(f" of {title}") if known else heard.track

    def _open(self, heard: Heard, seat: Seat) -> bool:
        """Whether a seat may hear of an event: what a hidden track does, or one of a hidden thing, is no news."""
        if not heard.owner:
            return True
        if heard.shown_to and seat != heard.shown_to:
            return False
        view = self.game.view()
        if heard.hidden is not None and not open_field(view, heard.owner, heard.hidden, seat):
            return False
        return visible(view, heard.owner, seat)

    def choice(self, heard: Heard, seat: Seat) -> str:
        """A choice in words, unless it names what the seat does not know."""
        self._settle()
        assert heard.choice is not None
        return clean(heard.choice.text(seat))


def _are_calls(body: Sequence[Node]) -> bool:
    """Whether a body does nothing but call actions."""
    for node in body:
        match node:
            case Call():
                inner: Sequence[Sequence[Node]] = ()
            case ForEach():
                inner = (node.body,)
            case If():
                inner = (*(branch for _, branch in node.branches), node.otherwise)
            case _:
                return False
        if not all(map(_are_calls, inner)):
            return False
    return True


def _joined(events: list[str]) -> list[str]:
    """Sentences, with what a card says behind the sentence that ends with its name: `Ada plays Rain: The water rises by 1.`"""
    made: list[str] = []
    for told in events:
        name, colon, said = told.partition(": ")
        named = bool(colon) and bool(made) and made[-1].lower().endswith(f" {name.lower()}.")
        if named:
            made[-1] = f"{made[-1][:-1]}: {said}"
        else:
            made.append(told)
    return made


def _counted(events: list[str]) -> list[str]:
    """Sentences in which nothing is told twice in a row: `The Rat moves 1 zone (twice).`"""
    made: list[tuple[str, int]] = []
    for told in events:
        before = made[-1][1] if made and made[-1][0] == told else 0
        made[len(made) - bool(before) :] = [(told, before + 1)]
    times = {1: "", 2: " (twice)"}
    return [f"{told[:-1]}{times.get(n, f' ({n} times)')}{told[-1:]}" for told, n in made]
