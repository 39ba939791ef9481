"""Parsed files, from an earlier run where the text is the same."""

from __future__ import annotations

from talewright.compiler.cache import Store, digest, packed, unpacked
from talewright.compiler.signatures import words_in
from talewright.compiler.symbols import Origin
from talewright.dsl import tree
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages import PackageSet
from talewright.dsl.parser import parse
from talewright.dsl.records import record
from talewright.dsl.source import Source


@record(frozen=True)
class ReadFile:
    """One file of a package: its tree, what was wrong with its syntax, and the words in it."""

    source: Source
    origin: Origin
    file: tree.File
    findings: list[Diagnostic]
    words: frozenset[str]
    digest: str


def read_files(packages: PackageSet, store: Store | None) -> list[ReadFile]:
    """Every file of every package."""
    return [
        _read(source, Origin(source, package.name, package.type), store)
        for package in packages.packages
        for source in package.sources
    ]


def _read(source: Source, origin: Origin, store: Store | None) -> ReadFile:
    if store is None:
        file, findings = parse(source)
        return ReadFile(source, origin, file, findings, frozenset(), "")
    key = digest("tree", source.name, source.text)
    kept = store.load(key)
    if isinstance(kept, tuple) and len(kept) == 4:
        outside, inside, findings, words = kept
        return ReadFile(source, origin, unpacked(outside, inside), findings, frozenset(words.split()), key)
    file, findings = parse(source)
    found = words_in(source.text)
    # One long text is read back quicker than many short ones.
    store.save(key, (*packed(file), findings, " ".join(sorted(found))))
    return ReadFile(source, origin, file, findings, found, key)
