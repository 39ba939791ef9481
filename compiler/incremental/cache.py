"""What earlier runs worked out, in the user's own cache folder; ignored whenever anything about it is odd."""

from __future__ import annotations

import copyreg
import importlib
import io
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talewright.dsl import user_cache
from talewright.dsl.digest import blake2b
from talewright.dsl.grammar.grammar_file import grammar_key

if TYPE_CHECKING:
    from talewright.dsl.remembered import Remembered

_MAGIC = b"talewright kept 1\n"
_DIGEST = 32
_MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 6000
MAX_TOOLKITS = 4
# Classes that may be read back: the syntax tree, types, findings and places. Nothing else is ever made.
_MODULES = frozenset(
    (
        "talewright.dsl.tree.nodes",
        "talewright.dsl.diagnostics",
        "talewright.dsl.source",
        "talewright.compiler.types.model",
    )
)
_BUILTINS: dict[str, type] = {"set": set, "frozenset": frozenset}


def digest(*parts: str) -> str:
    """A short name for texts; different texts have different ones."""
    made = blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()


@cache
def toolkit() -> str:
    """Names this very toolkit on this very Python: whatever another one kept is not looked at."""
    version = ".".join(map(str, sys.version_info[:3]))
    running = f"{sys.implementation.name} {version} {grammar_key()}\n"
    made = blake2b(running.encode(), digest_size=12)
    for name in ("talewright.dsl", "talewright.compiler", "talewright.schemas"):
        for folder in importlib.import_module(name).__path__:
            for path in sorted(_files_in(folder)):
                with open(path, "rb", buffering=0) as stream:
                    made.update(os.fsencode(path) + b"\0" + stream.read())
    return made.hexdigest()


def _files_in(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                yield from _files_in(entry.path)
            elif entry.name.endswith((".py", ".lark", ".json")):
                yield entry.path


@cache
def _permitted(module: str, name: str) -> type | None:
    if module == "builtins":
        return _BUILTINS.get(name)
    found = getattr(sys.modules.get(module), name, None) if module in _MODULES else None
    return found if isinstance(found, type) and found.__module__ == module else None


class _Reader(pickle.Unpickler):
    """Reads values of the permitted classes only."""

    def find_class(self, module: str, name: str) -> Any:
        found = _permitted(module, name)
        if found is not None:
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is not kept in the cache")


@cache
def _reducers() -> dict[type, Any]:
    """How to write nodes and other records: as calls of their classes, half as long as pickle's own way."""
    made: dict[type, Any] = dict(copyreg.dispatch_table)
    for name in _MODULES:
        for found in vars(importlib.import_module(name)).values():
            names = getattr(found, "__match_args__", ())
            if isinstance(found, type) and len(names) > 1 and found.__module__ == name:
                made[found] = partial(_as_call, found, attrgetter(*names))
    return made


def _as_call(made: type, parts: Any, node: Any) -> tuple[type, Any]:
    return made, parts(node)


def written_out(value: Any, reducers: dict[type, Any] | None = None) -> bytes:
    """A value as bytes that `read_back` understands."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, 5)
    pickler.dispatch_table = reducers or _reducers()
    pickler.dump(value)
    return stream.getvalue()


def read_back(data: bytes | memoryview) -> Any:
    """A value of the permitted classes."""
    return _Reader(io.BytesIO(data)).load()


def packed(file: Any) -> tuple[bytes, bytes]:
    """A parsed file without the bodies of its actions, rules, things and tests, and these apart."""
    from talewright.dsl.tree import nodes as tree

    bodies = tree.Bodies()
    found: list[Any] = []
    reducers = _reducers() | {tree.Bodies: lambda _: (tree.Bodies, ()), tree.Later: _later}

    def without_body(made: type, parts: Any, node: Any) -> tuple[type, Any]:
        *head, body = parts(node)
        light = tree.light(node) if made in (tree.ThingDecl, tree.TestDecl) else []
        if not body or (light and made is tree.ThingDecl):
            return made, (*head, body)  # what is declared inside must not be there twice
        found.append(body)
        return made, (*head, tree.Later(bodies, len(found) - 1, body[0].start, light))

    for made in tree.PACKED:
        reducers[made] = partial(without_body, made, attrgetter(*made.__match_args__))
    outside = written_out((file, bodies), reducers)
    return outside, written_out(found)


def unpacked(outside: bytes, inside: Callable[[], bytes]) -> Any:
    """The parsed file again; its bodies come when somebody asks for one."""
    file, bodies = read_back(outside)
    bodies.fetch = lambda: read_back(inside())
    return file


def _later(body: Any) -> tuple[type, Any]:
    return type(body), (body.bodies, body.number, body.start, body.light)


class Store:
    """Values by key. Loading gives none when in doubt; saving gives up quietly."""

    # Whether values are written out; what stays in memory is handed out as the very objects that were saved.
    written = True
    # Declarations that this process has parsed, if it parses texts again and again.
    remembered: Remembered | None = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._usable = _is_own(folder)
        self._saved = 0

    def load(self, key: str) -> Any:
        """What was saved under a key, or none."""
        if not self._usable:
            return None
        content = _read(self._folder / key)
        head = len(_MAGIC) + _DIGEST
        if content is None or not content.startswith(_MAGIC) or len(content) <= head:
            return None
        payload = memoryview(content)[head:]
        if blake2b(payload, digest_size=_DIGEST).digest() != content[len(_MAGIC) : head]:
            return None
        try:
            return read_back(payload)
        # Whatever else is wrong with a kept value, it can be worked out again.
        except Exception:  # noqa: BLE001 - a damaged pickle may raise anything
            return None

    def save(self, key: str, value: Any) -> bool:
        """Keeps a value for the next run, if it can; a folder that cannot be written is left alone."""
        with suppress(OSError, ValueError, pickle.PicklingError):
            if not self._usable:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _forget_others(self._folder)
                self._usable = _is_own(self._folder)
                if not self._usable:
                    return False
            payload = written_out(value)
            if len(payload) > _MAX_BYTES // 2:
                return False
            check = blake2b(payload, digest_size=_DIGEST).digest()
            user_cache.write_whole(self._folder / key, _MAGIC + check + payload)
            self._saved += 1
            return True
        return False

    def tidy(self) -> None:
        """Throws away what has not been written for longest when there is too much."""
        if not self._saved:
            return
        with suppress(OSError):
            names = os.listdir(self._folder)
            if len(names) > MAX_ENTRIES:
                paths = sorted((self._folder / name for name in names), key=_written)
                for path in paths[: len(paths) - MAX_ENTRIES // 2]:
                    path.unlink(missing_ok=True)


def user_store() -> Store | None:
    """The store of this user for this toolkit; none where the user has no home."""
    folder = user_cache.folder()
    return Store(folder / f"kept-{toolkit()}") if folder is not None else None


def _is_own(folder: Path) -> bool:
    try:
        status = folder.lstat()
        return stat.S_ISDIR(status.st_mode) and all(
            user_cache.is_ours(found) for found in (status, folder.parent.stat())
        )
    except OSError:
        return False


def _forget_others(folder: Path) -> None:
    """Throws away what toolkits kept that have not run for longest."""
    import shutil

    others = sorted(folder.parent.glob("kept-*"), key=_written)
    for other in others[:-MAX_TOOLKITS]:
        if other != folder and _is_own(other):
            shutil.rmtree(other, ignore_errors=True)


def _read(path: Path) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or not user_cache.is_ours(status):
                return None
            return stream.read(_MAX_BYTES) if status.st_size <= _MAX_BYTES else None
    except OSError:
        return None


def _written(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
