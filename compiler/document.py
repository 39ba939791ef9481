"""The document: the one form in which a package leaves the compiler."""

from __future__ import annotations

from typing import Any

import orjson

from talewright.compiler.elaborator import Elaborator
from talewright.compiler.story import story
from talewright.dsl.packages import PackageSet
from talewright.dsl.source import Source

FORMAT = "talewright document"
VERSION = 1


def assemble(
    work: Elaborator, content: dict[str, Any], packages: PackageSet, sources: dict[str, Source]
) -> dict[str, Any]:
    """The document of a set of packages without errors."""
    main = packages.main
    assert main is not None
    files = {name: index for index, name in enumerate(dict.fromkeys(name for name, _, _ in work.spots))}
    spots = []
    for name, start, end in work.spots:
        source = sources[name]
        spots.append([files[name], *source.line_column(start), *source.line_column(end)])
    shown = [_portable(name, packages) for name in files]
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": {"name": main.name, "version": main.version, "title": main.title, "type": main.type},
        "packages": [
            {"name": p.name, "version": p.version, "title": p.title, "type": p.type} for p in packages.packages
        ],
        "content": content,
        "story": story(work, content),
        "sources": {"files": shown, "spots": spots},
    }


def _portable(name: str, packages: PackageSet) -> str:
    for package in packages.packages:
        for source in package.sources:
            if source.name == name:
                tail = name.rsplit(package.folder.name + "/", 1)[-1]
                return f"{package.name}/{tail}"
    return name


def write(document: dict[str, Any]) -> bytes:
    """The document as bytes, the same for the same content."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
