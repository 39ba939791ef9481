"""The checks of a package before the first move: findings about those that do not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talewright.compiler.incremental.cache import digest, user_store
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source, Span

if TYPE_CHECKING:
    from talewright.compiler import CompileResult
    from talewright.runtime.proving.checks import BrokenCheck

_WRITTEN = re.compile(r"^[ \t]*check\b", re.MULTILINE)

_QUOTED_OR_COMMENT = re.compile(r'"[^"\n]*"|#[^\n]*')
# A test with its lines: it begins a game of its own, so no check depends on it.
_TEST = re.compile(r"^test\b[^\n]*\n(?:(?:[ \t][^\n]*)?\n)*", re.MULTILINE)
_TITLE_READ = re.compile(r"\.\s*(?:title|name)\b")
# A thing that is named by its id; one that has only a title takes its id from that.
_TITLED = re.compile(r'^([ \t]*[A-Z]\w*[ \t]+\w+)[ \t]+"[^"\n]*"', re.MULTILINE)


def has_checks(sources: Iterable[Source]) -> bool:
    """Whether some text may declare a check: a quick test before the package is compiled."""
    return any(_WRITTEN.search(source.text) for source in sources)


def known_findings(result: CompileResult) -> list[Diagnostic] | None:
    """What an earlier run found in the same texts; none if there was none."""
    store = user_store()
    known = store.load(_key(result)) if store is not None else None
    return known if isinstance(known, list) else None


def failing_checks(result: CompileResult, cache: bool) -> list[Diagnostic]:
    """A finding for each check that does not hold in the first state of a compiled package."""
    from talewright.compiler.checks.check_fails import CHECK

    assert result.document is not None
    known = known_findings(result) if cache else None
    if known is not None:
        return known
    names = shown_names(result)
    sources = result.document["sources"]
    found = []
    for broken in _broken(result.document):
        file, *place = sources["spots"][broken.at]
        name = str(sources["files"][file])
        message = f"this check does not hold: {broken.why}" if broken.why else "this check does not hold"
        if broken.problem:
            message = f"this check cannot be worked out: {broken.problem}"
        help = "mend what it counts, or the check if it asks for too much"
        found.append(CHECK.finding(Span(names.get(name, name), *place), message, help))
    store = user_store() if cache else None
    if store is not None:
        store.save(_key(result), found)
    return found


def _broken(document: dict[str, Any]) -> list[BrokenCheck]:
    from talewright.runtime.engines.selection import best_engine
    from talewright.runtime.faults import LoadError
    from talewright.runtime.proving.checks import Checks
    from talewright.schemas.nodes.codec import read_document

    # Without a chapter nothing can be played: the adventures bring what a system counts.
    chapters = any(not node["ending"] for node in document["story"]["nodes"])
    if not document["content"]["checks"] or not chapters:
        return []
    try:
        return Checks(read_document(document), best_engine(baseline=True)).broken()
    except LoadError:
        return []


def shown_names(result: CompileResult) -> dict[str, str]:
    """Maps file names of a document to the paths that the user knows."""
    shown: dict[str, str] = {}
    for package in result.packages.packages:
        folder = package.manifest.source.name.removesuffix("tale.toml")
        for source in package.sources:
            shown[f"{package.name}/{source.name.removeprefix(folder)}"] = source.name
    return shown


def _key(result: CompileResult) -> str:
    texts = [_without_tests(source.text) for source in result.sources.values()]
    if not any(_reads_titles(text) for text in texts):
        texts = [_without_titles(text) for text in texts]
    return digest("standing checks", _runtime(), *result.sources, *texts)


def _without_tests(text: str) -> str:
    """A text with empty lines in place of its tests."""
    parts = text.split('"""')
    parts[::2] = [_TEST.sub(lambda found: "\n" * found.group().count("\n"), part) for part in parts[::2]]
    return '"""'.join(parts)


def _reads_titles(text: str) -> bool:
    """Whether code may ask for the title of a thing, apart from texts that show it."""
    return any(_TITLE_READ.search(_QUOTED_OR_COMMENT.sub("", part)) for part in text.split('"""')[::2])


def _without_titles(text: str) -> str:
    """A text without the titles of its things, which no check then depends on; everything stays on its line."""
    parts = text.split('"""')
    parts[::2] = [_TITLED.sub(r"\1", part) for part in parts[::2]]
    return '"""'.join(parts)


@cache
def _runtime() -> str:
    """A key of this version of the runtime: another version may play differently."""
    import talewright.runtime

    folders = [Path(folder) for folder in talewright.runtime.__path__]
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return digest(*(part for path in files for part in (path.name, path.read_text("utf-8"))))
