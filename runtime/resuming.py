"""Going on from a decision in the middle of a game, without playing up to it again.

A game runs on the Python stack. At a decision every frame of that stack stands at a call, so that a frame is known by
its function, the place of the call in its text, and its locals. To go on from there, the rest of each function
after its call is written as a function of its own (`suffixes`), once for each place that is ever met; called from the
outermost to the innermost, each with its locals, they put the stack back. The state is put back from a copy, and every
list that a local can reach gets back what it held, in place, so that those who share a list go on sharing it.

Where a frame stands at no such place (in a generator, a comprehension, a handler of an error), there is no way back
to that decision, and whoever asked plays up to it from an earlier one.
"""

from __future__ import annotations

from ast import unparse
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from types import CellType, CodeType, FrameType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from talewright.runtime.books import EVERY, text_of
from talewright.runtime.dicepool import Die, Pool
from talewright.runtime.marking import Marked
from talewright.runtime.suffixes import LOOP, OWN, CannotResume, Position, Text, place_of

if TYPE_CHECKING:
    from talewright.runtime.game import Game
    from talewright.runtime.program import Program

HERE = Path(__file__).parent
GENERATED = "<tale>"
EMPTY: tuple[Any, ...] = ([], (), range(0), range(1 << 70), {}, {}.values(), {}.items(), set(), reversed([]))
ITERATORS = tuple({type(iter(made)) for made in EMPTY})
# Types of fields whose values nobody can change from outside.
FLAT = frozenset(
    ("int", "truth", "thing", "range", "words", "target", "text", "spot", "sort", "ints", "effect", "lines")
)
SCALARS = frozenset((int, Marked, str, bool, type(None), float, frozenset, range, type))

Frame = tuple[Callable[..., Any], dict[str, Any], tuple[str, ...]]


@cache
def fixed_text(name: str) -> Text:
    """A fixed part of every program, with loops that can be seen from outside."""
    return Text(text_of(name), f"<{name}>")


@cache
def fixed_code(name: str) -> CodeType:
    """That part as Python runs it."""
    return fixed_text(name).compiled()


@cache
def module_text(path: str) -> Text | None:
    """A module of the runtime as it stands: methods of a game lie between its functions."""
    if Path(path).parent != HERE:
        return None
    return Text(Path(path).read_text(encoding="utf-8"), path, visible=False)


@dataclass(frozen=True, slots=True)
class Site:
    """A call at which a frame was seen to stand."""

    text: Text
    place: Position
    called: CodeType


@dataclass(frozen=True, slots=True)
class Moment:
    """A position that can be gone on from: the state, the frames of the stack from the outermost in, what lists held."""

    state: dict[str, Any]
    about: dict[str, Any]
    frames: list[Frame]
    contents: list[tuple[Any, Any]]


class Resumer:
    """What the games of one program share: its text, and the places where frames were seen to stand."""

    def __init__(self, program: Program) -> None:
        self.text = Text(program.source, GENERATED)
        self.code = self.text.compiled()
        self.sites: dict[tuple[CodeType, int], Site | str] = {}
        self.direct: dict[tuple[CodeType, int, CodeType], bool] = {}

    def runnable(self, code: CodeType) -> CodeType:
        """A part of a program, with loops that can be seen from outside."""
        return self.code if code.co_filename == GENERATED else fixed_code(code.co_filename[1:-1])

    def site(self, code: CodeType, at: int) -> Site:
        """Where a frame stands."""
        found = self.sites.get((code, at))
        if found is None:
            found = self.sites[code, at] = self._site(code, at)
        if isinstance(found, str):
            raise CannotResume(found)
        return found

    def _site(self, code: CodeType, at: int) -> Site | str:
        where = f"{code.co_filename} {code.co_name}"
        text = self._text(code.co_filename)
        place = next(islice(code.co_positions(), at // 2, None), None)
        if text is None or place is None or None in place:
            return where
        found = text.call_at(place)  # type: ignore[arg-type]
        if found is None or found[1] is None or code.co_name != getattr(found[1], "name", "<lambda>"):
            return f"{where}:{place[0]}"
        called = compile(unparse(found[0].func), where, "eval", dont_inherit=True)
        return Site(text, place_of(found[0]), called)

    def _text(self, name: str) -> Text | None:
        if name == GENERATED:
            return self.text
        if name[1:-1] in EVERY:
            return fixed_text(name[1:-1])
        # What was typed in has no file to read.
        return None if name.startswith("<") else module_text(name)


class Moments:
    """Takes moments of one game, and goes on from them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.resumer = resumer(game.program)
        self.functions: dict[Any, Callable[..., Any]] = {}
        self.refused: dict[str, int] = {}
        self._apart = own_lists(game)
        self._loose = [f.number for f in game._mutable() if f.tag not in FLAT]

    # -------------------------------------------------------------- taking
    def take(self, frame: FrameType | None) -> Moment | None:
        """The position in which `frame` waits for an answer; none if there is no way back to it."""
        game = self.game
        try:
            frames = self._frames(frame)
        except CannotResume as why:
            self.refused[str(why)] = self.refused.get(str(why), 0) + 1
            return None
        space = game.space
        contents = Contents(self._apart)
        contents.look_into((space["FRAMES"], space["PENDING"], *space["S"]))
        contents.look_into(gained for traits in space["TRAITS"] for gained in traits)
        for number in self._loose:
            contents.look_into(space[f"F{number}"])
        for _, names, _ in frames:
            contents.look_into(names.values())
        return Moment(game.snapshot(), about(game), frames, contents.found)

    def _frames(self, frame: FrameType | None) -> list[Frame]:
        frames: list[Frame] = []
        last = same_function(type(self.game).run.__code__)
        inner: CodeType | None = None
        while frame is not None:
            frames.append(self._frame(frame, inner))
            inner = frame.f_code
            if same_function(inner) == last:
                frames.reverse()
                return frames
            frame = frame.f_back
        raise CannotResume("no beginning")

    def _frame(self, frame: FrameType, inner: CodeType | None) -> Frame:
        code, at = frame.f_code, frame.f_lasti
        site = self.resumer.site(code, at)
        if inner is not None:
            known = self.resumer.direct
            direct = known.get((code, at, inner))
            if direct is None:
                direct = known[code, at, inner] = calls_directly(site, frame, inner)
            if not direct:
                raise CannotResume(f"{inner.co_name} by way of {code.co_name}:{site.place[0]}")
        names: dict[str, Any] = {}
        moving: list[str] = []
        for name, value in frame.f_locals.items():
            if name.startswith(OWN):
                continue
            if isinstance(value, ITERATORS):
                value = copy(value)
                moving.append(name)
            elif name.startswith(LOOP):
                raise CannotResume(f"a {type(value).__name__}")
            names[name] = value
        return self._function(site, frame, tuple(names)), names, tuple(moving)

    def _function(self, site: Site, frame: FrameType, names: tuple[str, ...]) -> Callable[..., Any]:
        key = (site.text.name, site.place, names)
        found = self.functions.get(key)
        if found is None:
            try:
                code = site.text.suffix(site.place, names)
            except CannotResume as why:
                raise CannotResume(f"{frame.f_code.co_name}:{site.place[0]}: {why}") from None
            found = self.functions[key] = FunctionType(code, frame.f_globals)
        return found

    # -------------------------------------------------------------- going on
    def go_on(
        self, moment: Moment, ask: Callable[..., Any], asked: tuple[Any, ...], chance: bool = True
    ) -> Any:
        """Puts a position back and goes on from it; `ask(*asked)` gives what its innermost frame waits for."""
        self.put_back(moment, chance)
        return self.enter(moment.frames, ask, asked)

    def put_back(self, moment: Moment, chance: bool = True) -> None:
        """The table and all that somebody can reach as they were; without `chance` the random streams stay as they are."""
        self.game.restore(moment.state)
        recall(self.game, moment.about, chance)
        for kept, content in moment.contents:
            put_back(kept, content)

    def enter(self, frames: Sequence[Frame], ask: Callable[..., Any], asked: tuple[Any, ...]) -> Any:
        """Goes on where the innermost of some frames waits for what `ask(*asked)` gives."""
        # No function of Python stands in between: the position can be taken again while it is asked.
        last: Callable[[], Any] = partial(ask, *asked)
        for function, names, moving in reversed(frames):
            if moving:
                names = {**names, **{name: copy(names[name]) for name in moving}}
            last = partial(function, last, chain, **names)
        return last()


def same_function(code: CodeType) -> tuple[str, str, int]:
    """What tells a function, and what is left of it, from others."""
    return code.co_filename, code.co_name, code.co_firstlineno


def calls_directly(site: Site, frame: FrameType, inner: CodeType) -> bool:
    """Whether a frame called another itself, not through something written in C that called it back."""
    try:
        called = eval(site.called, frame.f_globals, frame.f_locals)
    except (NameError, AttributeError, TypeError, IndexError, KeyError):
        return False
    if isinstance(called, MethodType):
        called = called.__func__
    return isinstance(called, FunctionType) and same_function(called.__code__) == same_function(inner)


class Contents:
    """What every list, set, table, die and function held that somebody can reach, so that it can be put back in place."""

    def __init__(self, apart: frozenset[int]) -> None:
        self.found: list[tuple[Any, Any]] = []
        self._seen = set(apart)

    def look_into(self, values: Iterable[Any]) -> None:
        """Everything that can be changed among some values."""
        stack = [value for value in values if type(value) not in SCALARS]
        seen = self._seen
        while stack:
            value = stack.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            parts: Iterable[Any] = ()
            match value:
                case list():
                    parts = list(value)
                    self.found.append((value, parts))
                case tuple():
                    parts = value
                case dict():
                    parts = dict(value)
                    self.found.append((value, parts))
                    parts = value.values()
                case set():
                    self.found.append((value, set(value)))
                case Pool():
                    parts = value.dice
                    self.found.append((value, parts))
                    parts = (parts,)
                case Die():
                    self.found.append((value, (value.face, value.rerolled)))
                case FunctionType() if value.__defaults__ or value.__closure__:
                    cells = [cell for cell in value.__closure__ or () if is_filled(cell)]
                    self.found += [(cell, cell.cell_contents) for cell in cells]
                    if value.__defaults__:
                        self.found.append((value, value.__defaults__))
                    parts = [*(value.__defaults__ or ()), *(cell.cell_contents for cell in cells)]
                case partial():
                    parts = (value.func, *value.args, *value.keywords.values())
                case _ if isinstance(value, ITERATORS):
                    parts = held_in(value)
            stack += [part for part in parts if type(part) not in SCALARS]


def is_filled(cell: CellType) -> bool:
    """Whether a function remembers something here of where it was made."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def held_in(iterator: Any) -> Iterable[Any]:
    """What an iterator goes through."""
    made = iterator.__reduce__()
    return made[1] if len(made) > 1 and isinstance(made[1], tuple) else ()


def put_back(kept: Any, content: Any) -> None:
    """Gives something back what it held."""
    match kept:
        case list():
            kept[:] = content
        case dict() | set():
            kept.clear()
            kept.update(content)
        case Pool():
            kept.dice = content
        case Die():
            kept.face, kept.rerolled = content
        case CellType():
            kept.cell_contents = content
        case FunctionType():
            kept.__defaults__ = content


# What a game knows beside the state of the table, and what it is set to when nothing is known yet.
SINGLE = (
    "held",
    "asleep",
    "until",
    "answering",
    "depth",
    "still",
    "last_state",
    "next_look",
    "installed",
    "_begun",
    "menu",
    "quick",
)
MANY = ("log", "said", "events", "refusals")


def about(game: Game) -> dict[str, Any]:
    """What a game knows beside the state of the table."""
    kept: dict[str, Any] = {name: getattr(game, name) for name in SINGLE}
    kept.update((name, list(getattr(game, name))) for name in MANY)
    kept["rigs"] = {name: list(values) for name, values in game.rigs.items()}
    kept["decide"] = game.__dict__.get("decide")
    chance = game.space["CHANCE"]
    kept["chance"] = (chance, chance.snapshot())
    return kept


def recall(game: Game, kept: dict[str, Any], with_chance: bool) -> None:
    """Puts that back."""
    for name in SINGLE:
        setattr(game, name, kept[name])
    for name in MANY:
        getattr(game, name)[:] = kept[name]
    game.rigs.clear()
    game.rigs.update({name: list(values) for name, values in kept["rigs"].items()})
    game.__dict__.pop("decide", None)
    if kept["decide"] is not None:
        game.__dict__["decide"] = kept["decide"]
    if not with_chance:
        return
    chance, streams = kept["chance"]
    chance.restore(streams)
    game.use_chance(chance)


def own_lists(game: Game) -> frozenset[int]:
    """The lists of the table itself: `restore` puts back what they hold."""
    space = game.space
    every: list[Any] = [v for v in space.values() if isinstance(v, (list, dict, set))]
    for name in ("ITEMS", "TRAITS", "ENTRIES"):
        every += space[name]
    every += [*space["LISTS"].values(), *space["TOKENS"].values()]
    return frozenset(id(v) for v in every if v is not space["FRAMES"] and v is not space["PENDING"])


_RESUMERS: WeakKeyDictionary[Program, Resumer] = WeakKeyDictionary()


def resumer(program: Program) -> Resumer:
    """The resumer of a program, one for all its games."""
    found = _RESUMERS.get(program)
    if found is None:
        found = _RESUMERS[program] = Resumer(program)
    return found


__all__ = ["Moment", "Moments", "resumer"]
