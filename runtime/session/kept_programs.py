"""Programs that are kept from one run to the next, by everything that they depend on.

What a game needs comes first; what explains it stays behind, and is read when it is first asked for.
A program is read back by `pickle`, which could do anything: the cache gives only what nobody else could have written.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from copyreg import __newobj__  # type: ignore[attr-defined]
from functools import cache, partial
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from talewright.runtime.engines.cache import key
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.interface import Program as EngineProgram
from talewright.runtime.lower.program import Build
from talewright.runtime.lower.program import Program as Lowered
from talewright.runtime.model.deferred import Deferring, Rest
from talewright.runtime.model.layout import Layout
from talewright.runtime.model.world import Thing, World
from talewright.schemas.garbage import no_collection

# What a game needs of these. The rest explains: the document, what was declared, and the first content of memory.
_NEEDED: Final[Mapping[type, frozenset[str]]] = {
    Lowered: frozenset((
        "world", "layout", "build", "points", "texts", "own_texts", "menu_points", "choice_points", "way_points",
        "_cells", "_numbers",
    )),
    World: frozenset((
        "settings", "kinds", "lineage", "things", "number", "seats", "fields", "piles", "pools", "first_made",
        "anytime", "_fields_of", "_piles_of",
    )),
    Thing: frozenset(("number", "id", "kind", "sort", "title", "owner", "copy", "prose")),
    Layout: frozenset(("things", "locations", "names", "columns", "word_names")),
}  # fmt: skip
# What only lowering needs: closures, functions, and tables by the identity of nodes, which another process does not have.
_UNFINISHED: Final[Mapping[str, object]] = {
    "functions": {},
    "effect_slots": {},
    "effect_owners": {},
    "sites": {},
    "_kept_nodes": [],
    "_pending": [],
    "_writing": None,
}
# What a program is made by.
_MAKERS: Final = ("talewright.runtime", "talewright.schemas")


def program_key(
    document: bytes, options: Mapping[str, Any], players: int | None, build: Build, engine: str
) -> str:
    """The name of a program: the same digest of a document, settings, engine and toolkit give the same one."""
    settings = repr((sorted(options.items()), players, build, engine))
    return key(b"program", toolkit_digest(), document, settings.encode()) if document else ""


def read_program(engine: Engine, name: str) -> tuple[Lowered, EngineProgram] | None:
    """A program that was kept; none if there is none, or nothing that can be used."""
    content = engine.programs.read(name) if engine.programs is not None and name else None
    if content is None:
        return None
    try:
        with no_collection():
            stream = pickle.Unpickler(BytesIO(content))
            lowered, rest, kept = stream.load()
            rest.reader = stream.load
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, TypeError, ValueError):
        return None
    running = engine.reload(kept)
    return None if running is None else (lowered, running)


def keep_program(engine: Engine, name: str, lowered: Lowered, running: EngineProgram) -> None:
    """Keeps a program for the next time, if the engine keeps any."""
    kept = running.kept()
    if engine.programs is None or not kept or not name:
        return
    stream, rest = BytesIO(), Rest()
    pickler = pickle.Pickler(stream, protocol=5)
    split: list[Deferring] = []
    pickler.dispatch_table = {
        MappingProxyType: _as_dict,
        **{cls: partial(_first_part, rest=rest, split=split) for cls in _NEEDED},
    }
    try:
        pickler.dump((lowered, rest, kept))
        # The same pickler: what was written before is only named.
        pickler.dump([(made, _second_part(made)) for made in split])
    except RecursionError:
        # What nests so deeply is played all the same.
        return
    engine.programs.write(name, stream.getvalue())


def _as_dict(mapping: MappingProxyType[Any, Any]) -> tuple[type, tuple[dict[Any, Any]]]:
    return dict, (dict(mapping),)


# How pickle is told to make an object: an empty one of a class, and its parts.
_Made = tuple[Callable[..., object], tuple[type], tuple[None, dict[str, object]]]


def _first_part(made: Deferring, rest: Rest, split: list[Deferring]) -> _Made:
    """What a game needs of an object; the rest follows."""
    split.append(made)
    needed = {name: getattr(made, name) for name in _NEEDED[type(made)]}
    return __newobj__, (type(made),), (None, {**needed, "rest": rest})


def _second_part(made: Deferring) -> dict[str, object]:
    needed = _NEEDED[type(made)]
    found = {name: getattr(made, name) for name in type(made).__match_args__ if name not in needed}  # type: ignore[attr-defined]
    if isinstance(made, Lowered):
        found |= _UNFINISHED
        found["_text_numbers"] = {key: n for key, n in made._text_numbers.items() if isinstance(key, str)}
    return found


@cache
def toolkit_digest() -> bytes:
    """Names this very toolkit on this very Python: whatever another one kept is not looked at.

    As for compiled Python files, the size and time of a source file stand for its content.
    """
    whole = blake2b(sys.version.encode(), digest_size=16)
    for name in _MAKERS:
        for folder in import_module(name).__path__:
            for path in sorted(Path(folder).rglob("*.py")):
                found = path.stat()
                whole.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return whole.digest()
