"""Compiles one package. If nothing has changed since the last run, the cached findings are returned."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

import orjson

from talewright.compiler.incremental.cache import Store, digest, user_store
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.loader import PackageSet, load_package
from talewright.dsl.source import Source
from talewright.schemas.garbage import no_collection
from talewright.schemas.records import field, record


@record
class CompileResult:
    """The document, unless an error stands in the way, and everything found."""

    document: dict[str, Any] | None
    diagnostics: list[Diagnostic]
    sources: dict[str, Source] = field(default_factory=dict)
    packages: PackageSet = field(default_factory=lambda: PackageSet((), None, ()))
    # Keeps the trees alive: a command that is about to end need not spend time on freeing them.
    made_from: object = field(default=None, repr=False)


def compile_package(
    path: str | PathLike[str],
    *,
    search: Iterable[str | PathLike[str]] = (),
    cache: bool = True,
    document: bool = True,
    trees: bool = True,
) -> CompileResult:
    """Loads, parses, resolves, types and checks a package and all it uses, with the user's cache.

    Without `document`, only the findings. Without `trees`, nobody needs what the document is made from.
    """
    store = user_store() if cache else None
    with no_collection():
        packages = load_package(path, search)
        if store is None or packages.main is None or (document and trees):
            return _compiled(packages, store, document)
        key = key_of(packages)
        if document:
            return _with_document(packages, store, key)
        known = store.load(key)
        if known is None and (kept := _kept_document(packages, store, key)) is not None:
            known = kept[0]
        if isinstance(known, list) and all(isinstance(found, Diagnostic) for found in known):
            return CompileResult(None, known, packages.sources(), packages)
        result = _compiled(packages, store, document)
        store.save(key, result.diagnostics)
        return result


def _with_document(packages: PackageSet, store: Store, key: str) -> CompileResult:
    """The document of the last run if nothing has changed; one is kept for each package."""
    kept = _kept_document(packages, store, key)
    if kept is not None:
        findings, written = kept
        return CompileResult(orjson.loads(written), findings, packages.sources(), packages)
    result = _compiled(packages, store, document=True)
    if result.document is not None:
        store.save(_place(packages), (key, result.diagnostics, orjson.dumps(result.document)))
    return result


def _kept_document(packages: PackageSet, store: Store, key: str) -> tuple[list[Diagnostic], bytes] | None:
    """The findings and the document of the last run, if it read the same texts."""
    match store.load(_place(packages)):
        case (str(made), list(findings), bytes(written)) if made == key:
            return findings, written
    return None


def _place(packages: PackageSet) -> str:
    """Where the document of a package is kept."""
    assert packages.main is not None
    return digest("document", packages.main.manifest.source.name)


def _compiled(packages: PackageSet, store: Store | None, document: bool) -> CompileResult:
    # The compiler is heavy; where nothing has changed, it is not needed.
    from talewright.compiler.passes import compile_packages

    try:
        return compile_packages(packages, store, document=document)
    except Exception:
        # A cached value may be damaged in a way that shows only in use: compile again without the cache.
        if store is None:
            raise
        return compile_packages(packages, None, document=document)


def key_of(packages: PackageSet) -> str:
    """A cache key of all texts of all packages and the findings about reading them."""
    parts = ["findings", packages.main.name if packages.main is not None else "", repr(packages.diagnostics)]
    for package in packages.packages:
        for source in (package.manifest.source, *package.sources):
            parts += package.name, package.type, source.name, source.text
    return digest(*parts)
