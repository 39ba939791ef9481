"""Parsed files, from an earlier run where the text is the same."""

from __future__ import annotations

from functools import partial

from talewright.compiler.incremental.bundles import Bundle
from talewright.compiler.incremental.cache import Store, digest, packed, unpacked
from talewright.compiler.incremental.signatures import words_in
from talewright.compiler.symbols.symbol_table import Origin
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.loader import Package, PackageSet
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree
from talewright.schemas.records import field, record


@record
class ReadFile:
    """One file of a package: its tree, what was wrong with its syntax, and the words in it."""

    source: Source
    origin: Origin
    file: tree.File
    findings: list[Diagnostic]
    # One long text is read back quicker than many short ones, and mostly nobody asks for them.
    known_words: str
    digest: str
    _words: frozenset[str] | None = field(default=None, repr=False)
    # What checks found that hangs on this text alone, by code.
    found: dict[str, list[Diagnostic]] = field(default_factory=dict, repr=False)

    def words(self) -> frozenset[str]:
        """Every word of the text."""
        if self._words is None:
            self._words = frozenset(self.known_words.split())
        return self._words


def read_files(packages: PackageSet, store: Store | None) -> list[ReadFile]:
    """Every file of every package."""
    read: list[ReadFile] = []
    for package in packages.packages:
        origins = [Origin(source, package.name, package.type) for source in package.sources]
        if store is None:
            read += [ReadFile(origin.source, origin, *parse(origin.source), "", "") for origin in origins]
            continue
        kept = _Kept(store, package)
        found = [kept.read(origin) for origin in origins]
        kept.close([file.digest for file in found])
        read += found
    return read


class _Kept:
    """The parsed files of one package from earlier runs, their bodies apart."""

    def __init__(self, store: Store, package: Package) -> None:
        name = package.name, str(package.folder)
        self._store = store
        self._trees = Bundle(store, "trees", *name)
        self._bodies = Bundle(store, "bodies", *name)

    def read(self, origin: Origin) -> ReadFile:
        """One file, parsed where no earlier run has parsed the same text."""
        source = origin.source
        key = digest("tree", source.name, source.text)
        return self._from_disk(origin, key) if self._store.written else self._from_memory(origin, key)

    def _from_memory(self, origin: Origin, key: str) -> ReadFile:
        key = digest(key, origin.package, origin.layer)
        kept = self._store.load(key)
        if not isinstance(kept, ReadFile):
            source = origin.source
            words = " ".join(sorted(words_in(source.text)))
            kept = ReadFile(source, origin, *parse(source, self._store.remembered), words, key)
            self._store.save(key, kept)
        return kept

    def _from_disk(self, origin: Origin, key: str) -> ReadFile:
        source = origin.source
        kept = self._trees.load(key)
        if isinstance(kept, tuple) and len(kept) == 3:
            outside, findings, words = kept
            file = unpacked(outside, partial(self._inside, source, key))
            return ReadFile(source, origin, file, findings, words, key)
        file, findings = parse(source)
        outside, inside = packed(file)
        words = " ".join(sorted(words_in(source.text)))
        self._trees.keep(key, (outside, findings, words))
        self._bodies.keep(_bodies_key(key), inside)
        return ReadFile(source, origin, file, findings, words, key)

    def _inside(self, source: Source, key: str) -> bytes:
        kept = self._bodies.load(_bodies_key(key))
        # Trees and bodies are kept apart, so that one may have been thrown away without the other.
        return kept if isinstance(kept, bytes) else packed(parse(source)[0])[1]

    def close(self, keys: list[str]) -> None:
        """Keeps what was parsed for later runs."""
        anew = self._trees.is_old(keys)
        self._trees.close(keys, anew=anew)
        self._bodies.close(map(_bodies_key, keys), anew=anew)


def _bodies_key(key: str) -> str:
    return digest("bodies", key)
