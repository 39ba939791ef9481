"""The document: the one form in which a package leaves the compiler."""

from __future__ import annotations

from typing import Any

import orjson

from talewright.compiler.document.json_spans import Places
from talewright.compiler.document.story_graph import story
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.dsl.diagnostics import Diagnostic, Severity
from talewright.dsl.packages.loader import Package, PackageSet
from talewright.dsl.source import Source, Span
from talewright.schemas.kinds import kind_schemas
from talewright.schemas.known_documents import document_digest, remember
from talewright.schemas.nodes.codec import read
from talewright.schemas.nodes.codec import write as write_node
from talewright.schemas.nodes.document import Content, Document
from talewright.schemas.problems import NAMES, Problem, shown
from talewright.schemas.reading import FORMAT, VERSION
from talewright.schemas.records import replace
from talewright.schemas.texts import add_texts


def assemble(
    work: FactRecorder, content: dict[str, Any], packages: PackageSet, sources: dict[str, Source]
) -> dict[str, Any]:
    """The document of a set of packages without errors."""
    main = packages.main
    assert main is not None
    files = {name: index for index, name in enumerate(dict.fromkeys(name for name, _, _ in work.spots))}
    spots = []
    for name, start, end in work.spots:
        source = sources[name]
        spots.append([files[name], *source.line_column(start), *source.line_column(end)])
    portable = _portable_names(packages)
    texts = add_texts(content)
    nodes = read(Content, content)
    made = {
        "format": FORMAT,
        "version": VERSION,
        "package": _about(main),
        "packages": [_about(package) for package in packages.packages],
        "locales": list(main.manifest.locales),
        "content": content,
        "story": write_node(story(work, nodes)),
        "texts": texts,
        "schemas": kind_schemas(content),
        "sources": {"files": [portable.get(name, name) for name in files], "spots": spots},
    }
    around = read(Document, {**made, "content": {section: [] for section in content}})
    remember(document_digest(made), replace(around, content=nodes))
    return made


def _about(package: Package) -> dict[str, str]:
    return {"name": package.name, "version": package.version, "title": package.title, "type": package.type}


def _portable_names(packages: PackageSet) -> dict[str, str]:
    """The name of each text from its package on, wherever the package lies."""
    names = {}
    for package in packages.packages:
        folder = package.manifest.source.name.removesuffix("tale.toml")
        for source in package.sources:
            names[source.name] = f"{package.name}/{source.name.removeprefix(folder)}"
    return names


def write(document: dict[str, Any]) -> bytes:
    """The document as bytes, the same for the same content."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def from_elsewhere(data: bytes, name: str) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """A document from elsewhere if it fits together, and everything wrong with it, each finding at its place."""
    from talewright.schemas.loading import load

    loaded = load(data)
    if not loaded.problems:
        return loaded.document, []
    places = Places(
        Source(name, data.decode("utf-8", "replace")), [problem.path for problem in loaded.problems]
    )
    return loaded.document, [_finding(problem, data, places) for problem in loaded.problems]


def _finding(problem: Problem, data: bytes, places: Places) -> Diagnostic:
    severity: Severity = "info" if problem.harmless else "error"
    path = shown(problem.path)
    message = f"{problem.message} (at `{path}`)" if path else problem.message
    return Diagnostic(
        problem.code, NAMES[problem.code], severity, message, _span(problem, data, places), problem.help
    )


def _span(problem: Problem, data: bytes, places: Places) -> Span:
    if problem.offset is None:
        return places.span(problem.path)
    at = len(data[: problem.offset].decode("utf-8", "replace"))
    return places.source.span(at, at + 1)
