"""Finds the package to play from a path or a name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import click

from talewright.cli.document_files import is_document
from talewright.cli.package_options import compiled
from talewright.dsl.packages.loader import (
    PackageSet,
    bundled_packages,
    find_package_folder,
    load_package,
    manifest_of,
    packages_below,
)
from talewright.dsl.packages.manifest import Manifest
from talewright.dsl.source import Source


def playable(path: str) -> str:
    """The folder of the adventure that a path means: itself, or the one adventure of a system; a document stays what it is."""
    if is_document(path):
        return path
    folder, _ = find_package_folder(path)
    if folder is None:
        below = packages_below(Path(path)) if Path(path).is_dir() else []
        folder = _one(path, [f for f in below if _type(f) == "adventure"]) if below else None
        return str(folder) if folder is not None else path
    if _type(folder) == "adventure":
        return str(folder)
    system = manifest_of(folder)
    if system is None:
        return str(folder)
    around = [*packages_below(folder.parent), *dict.fromkeys(bundled_packages().values())]
    users = list(dict.fromkeys(f.resolve() for f in around if _uses(f, system)))
    if not users:
        return str(folder)
    return str(_one(path, users))


def _type(folder: Path) -> str:
    manifest = manifest_of(folder)
    return manifest.type if manifest is not None else ""


def _uses(folder: Path, system: Manifest) -> bool:
    manifest = manifest_of(folder)
    if manifest is None or manifest.type != "adventure":
        return False
    return any(use.name == system.name and use.allows(system.version) for use in manifest.uses)


def _one(path: str, adventures: list[Path]) -> Path:
    if len(adventures) == 1:
        return adventures[0]
    manifests = (manifest_of(adventure) for adventure in adventures)
    names = ", ".join(sorted(manifest.name for manifest in manifests if manifest is not None))
    raise click.UsageError(f"`{path}` holds several adventures; name one of them: {names}")


def document_of(path: str, search: tuple[str, ...]) -> dict[str, Any] | int:
    """The document to play, or the exit code when it has errors."""
    return compiled(playable(path), search)


def package_of(path: str, search: tuple[str, ...]) -> PackageSet:
    """The package to play with all that it uses; nothing where a compiled document is played."""
    if is_document(path):
        return PackageSet((), None, ())
    return load_package(playable(path), search)


def line_reader(path: str, search: tuple[str, ...]) -> Callable[[str, int], str]:
    """Reads lines of the package's files by the names its document gives them; the files are read when first asked for."""

    @cache
    def texts() -> dict[str, Source]:
        found: dict[str, Source] = {}
        for package in package_of(path, search).packages:
            folder = package.manifest.source.name.removesuffix("tale.toml")
            for source in package.sources:
                found[f"{package.name}/{source.name.removeprefix(folder)}"] = source
        return found

    def read(file: str, line: int) -> str:
        source = texts().get(file)
        return source.line_text(line) if source is not None else ""

    return read


def settings(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`--set option=value` as a table."""
    made: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise click.UsageError(f"`--set {pair}` has no `=`: write `--set option=value`")
        made[name.strip()] = value.strip()
    return made
