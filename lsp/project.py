"""One package as the editor sees it: what is on the disk, with the unsaved texts in place of theirs."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from talewright.compiler.checks import Context
from talewright.compiler.incremental.memory import MemoryStore
from talewright.compiler.passes import CompileResult, compile_packages
from talewright.compiler.types.lookups import Work
from talewright.dsl.packages.files import Unsaved
from talewright.dsl.packages.loader import load_package
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree
from talewright.schemas.garbage import no_collection


class Project:
    """A package folder and what the compiler last said about it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.result = CompileResult(None, [])
        self._store = MemoryStore()
        self._work: Work | None = None
        self._sources: dict[str, Source] = {}
        self._paths: dict[str, str] = {}

    def compile(self, unsaved: Unsaved) -> CompileResult:
        """Compiles the package; what earlier calls worked out about unchanged files is taken from memory."""
        first = self._work is None
        self.result = self.compiled(unsaved)
        self._paths = _real_paths(self.result.sources)
        self._sources = {self._paths[name]: source for name, source in self.result.sources.items()}
        if isinstance(self.result.made_from, Context):
            self._work = self.result.made_from.work
            _TREES[self.folder] = {each.source.text: each.file for each in self.result.made_from.files}
        if first:
            # Most of this stays for as long as the server runs: the collector need not look through it at each keystroke.
            gc.collect()
            gc.freeze()
        return self.result

    def compiled(self, unsaved: Unsaved) -> CompileResult:
        """What the compiler would say with other texts; the project stays as it is."""
        with no_collection():
            return compile_packages(load_package(self.folder, unsaved=unsaved), self._store, document=False)

    def forget(self) -> None:
        """Gives up what is kept outside of the project."""
        _TREES.pop(self.folder, None)

    @property
    def work(self) -> Work | None:
        """All declared names, of the last compilation that came so far; none while the manifest cannot be read."""
        return self._work

    def sources(self) -> dict[str, Source]:
        """Every text of the package and those it uses, by real path."""
        return self._sources

    def path_of(self, name: str) -> str:
        """The real path of a file by the name that findings have for it."""
        return self._paths.get(name) or os.path.realpath(name)

    def holds(self, path: str) -> bool:
        """Whether a file is one of the package, or of a package it uses."""
        return path in self._sources


def _real_paths(names: Iterable[str]) -> dict[str, str]:
    """The real path of each file; each folder is looked up once."""
    folders: dict[str, str] = {}
    made: dict[str, str] = {}
    for name in names:
        folder, base = os.path.split(name)
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
        path = os.path.join(folders[folder], base)
        made[name] = os.path.realpath(path) if os.path.islink(path) else path
    return made


# The trees that the compiler made last, by package folder and text.
_TREES: dict[Path, dict[str, tree.File]] = {}


def tree_of(text: str) -> tree.File:
    """The syntax tree of a text as it stands in the editor, as far as it can be read."""
    for known in _TREES.values():
        if text in known:
            return known[text]
    return _parsed(text)


@lru_cache(maxsize=64)
def _parsed(text: str) -> tree.File:
    return parse(Source("", text))[0]
