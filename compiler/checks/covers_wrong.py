"""A `covers` line that names an id twice, or one that the catalogue of rules does not have."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from talewright.compiler.checks._content_walks import own_files
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.closest_word import alike
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.files import read_file
from talewright.dsl.packages.loader import Package
from talewright.dsl.tree import nodes as tree

_ID = re.compile(r"\b[A-Z]+(?:-[A-Z0-9]+)+\b")
_MOST_BYTES = 4 * 1024 * 1024


def find(context: Context) -> Iterator[Diagnostic]:
    """Ids of rules that are covered twice by one test, or that nobody has written down."""
    main = context.packages.main
    known = catalogue_of(main) if main is not None else None
    own = own_files(context)
    for rules in context.work.table.tests:
        source = rules.origin.source
        if source.name not in own:
            continue
        seen: set[str] = set()
        for line in tree.light(rules.node):
            for word in line.ids:
                span = source.span(word.start, word.end)
                if word.text in seen:
                    yield CHECK.finding(
                        span, f"this test covers `{word.text}` already", "take one of them away"
                    )
                elif known is not None and word.text not in known:
                    close = alike(word.text, known)
                    hint = f"did you mean `{close}`?" if close else "add the rule to the catalogue"
                    yield CHECK.finding(span, f"the catalogue has no rule `{word.text}`", hint)
                seen.add(word.text)


def catalogue_of(package: Package) -> set[str] | None:
    """The ids in the catalogue that `tale.toml` names as `covers` under `[test]`; none when it names none."""
    source = package.manifest.source
    if "covers" not in source.text:
        return None
    table = tomllib.loads(source.text).get("test")
    name = table.get("covers") if isinstance(table, dict) else None
    if not isinstance(name, str) or Path(name).is_absolute() or ".." in Path(name).parts:
        return None
    reading = read_file(package.folder / name, _MOST_BYTES)
    return set(_ID.findall(reading.source.text)) if reading.source is not None else None


CHECK = Check(
    code="X608",
    name="covers-wrong",
    severity="warning",
    why="""`covers` says which rules of the rulebook a test shows, by their ids. Naming one twice
    says nothing more; naming one that the package's catalogue of rules (`covers` under `[test]` in
    `tale.toml`) does not have is a misspelt id: the rule that was meant stays uncovered.""",
    bad="""
    Chapter night "Night"
    track gold 0..9 start 3
    action game: go to night
    test "gold lies ready":
        covers WS-GOLD-01, WS-GOLD-01  # <-
        start night with seed 1
        expect gold == 3
    """,
    good="""
    Chapter night "Night"
    track gold 0..9 start 3
    action game: go to night
    test "gold lies ready":
        covers WS-GOLD-01, WS-GOLD-02
        start night with seed 1
        expect gold == 3
    """,
    find=find,
)
