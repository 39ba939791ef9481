"""Programs that are kept from one run to the next, by everything that they depend on.

A program is read back by `pickle`, which could do anything: the cache gives only what nobody else could have written.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping
from functools import cache
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
from talewright.schemas.garbage import no_collection

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
            lowered, kept = pickle.loads(content)
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, TypeError, ValueError):
        return None
    running = engine.reload(kept)
    return None if running is None else (lowered, running)


def keep_program(engine: Engine, name: str, lowered: Lowered, running: EngineProgram) -> None:
    """Keeps a program for the next time, if the engine keeps any."""
    kept = running.kept()
    if engine.programs is None or not kept or not name:
        return
    stream = BytesIO()
    pickler = pickle.Pickler(stream, protocol=5)
    pickler.dispatch_table = {MappingProxyType: _as_dict}
    try:
        pickler.dump((lowered, kept))
    except RecursionError:
        # What nests so deeply is played all the same.
        return
    engine.programs.write(name, stream.getvalue())


def _as_dict(mapping: MappingProxyType[Any, Any]) -> tuple[type, tuple[dict[Any, Any]]]:
    return dict, (dict(mapping),)


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
