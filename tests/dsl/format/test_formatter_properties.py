"""Whatever the blanks of a text: one layout, the same meaning, every comment."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.format import formatter
from talewright.dsl.format.formatter import format_text
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree
from talewright.dsl.tree.equivalence import same_tree

from .shaken_texts import ROOT, bare, comments, corpus, declarations, shaken


def parsed(text: str) -> tree.File:
    file, findings = parse(Source("a.tale", text))
    assert not [found for found in findings if found.severity == "error"], text
    return file


def laid_out(text: str) -> str:
    new, findings = format_text(text, "a.tale")
    assert findings == [], text
    return new


@cache
def all_declarations() -> list[str]:
    """Those of the sample, which has every construct, and of every sixth text of the packages."""
    return [declaration for path in corpus()[::6] for declaration in declarations(path)]


some_declarations = st.lists(
    st.integers(0, 9999).map(lambda number: all_declarations()[number % len(all_declarations())]),
    min_size=1,
    max_size=3,
).map("".join)
seeds = st.integers(0, 2**32 - 1)


@given(some_declarations, seeds)
@settings(max_examples=150, deadline=None)
def test_shaken_texts_keep_their_meaning_and_their_comments(text: str, seed: int) -> None:
    untidy = shaken(text, Random(seed), notes=True)
    new = laid_out(untidy)
    assert same_tree(parsed(text), parsed(new))
    assert comments(new) == comments(untidy)
    assert laid_out(new) == new
    assert new.endswith("\n")
    assert not new.endswith("\n\n")
    assert "\r" not in new
    assert "\t" not in new


@given(some_declarations, seeds)
@settings(max_examples=100, deadline=None)
def test_the_layout_does_not_depend_on_the_blanks(text: str, seed: int) -> None:
    plain = bare(text)
    assert laid_out(shaken(plain, Random(seed), notes=False)) == laid_out(plain)


@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_sample_and_every_bundled_text_parse_and_are_in_the_one_layout(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = path.read_text(encoding="utf-8")
    found: list[Diagnostic] = []

    def watched(source: Source) -> tuple[tree.File, list[Diagnostic]]:
        file, findings = parse(source)
        found.extend(findings)
        return file, findings

    monkeypatch.setattr(formatter, "parse", watched)
    assert laid_out(text) == text, "run `./tale fmt`"
    assert found == []


# ------------------------------------------------------------------ small declarations, made up
some_blanks = st.sampled_from(("", "", " ", "  ", "    "))
blank = st.sampled_from((" ", "  ", "   "))
names = st.sampled_from(("a", "boat", "no_one", "d", "x2", "of_late", "at_sea"))
numbers = st.integers(0, 12).map(str)


@st.composite
def joined(draw: st.DrawFn, left: st.SearchStrategy[str], signs: str, right: st.SearchStrategy[str]) -> str:
    sign = draw(st.sampled_from(signs.split()))
    gap = blank if sign.isalpha() or sign[0] == "+" else some_blanks
    return draw(left) + draw(gap) + sign + draw(blank if sign.isalpha() else some_blanks) + draw(right)


@st.composite
def wrapped(draw: st.DrawFn, form: str, inner: st.SearchStrategy[str]) -> str:
    opening, closing = form.split("_")
    return opening + draw(some_blanks) + draw(inner) + draw(some_blanks) + closing


@st.composite
def two(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    return draw(inner) + draw(some_blanks) + "," + draw(some_blanks) + draw(inner)


atoms = st.one_of(
    names, numbers, st.sampled_from(("4+", "2d6", "yes", "none", "Boat", "1A", '"sea  sand"', "{}"))
)
terms = st.recursive(
    atoms.filter(lambda atom: atom not in ("4+",)),
    lambda inner: st.one_of(
        joined(inner, "+ - * / %", st.one_of(names, numbers)),
        joined(names, ".", names),
        joined(names, "of", names),
        wrapped("f(_)", st.one_of(inner, two(inner))),
        wrapped("(_)", inner),
        wrapped("{_}", two(inner)),
        wrapped("a.b[_]", inner),
    ),
    max_leaves=6,
)
conditions = st.one_of(
    joined(terms, "== != < <= > >= is in near", terms),
    joined(joined(terms, "< ==", terms), "and or", joined(terms, ">= is", terms)),
    wrapped("not (_)", joined(terms, "==", terms)),
    joined(names, "in", joined(numbers, "..", numbers)),
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    """One declaration on one line."""
    form = draw(st.sampled_from(("value", "check", "modify", "table", "option", "plan")))
    gap = lambda: draw(some_blanks)  # noqa: E731
    match form:
        case "value":
            return f"value v{gap()}={gap()}" + draw(st.one_of(terms, conditions, atoms, st.just("-3")))
        case "check":
            return "check " + draw(blank) + draw(conditions)
        case "modify":
            change = draw(st.sampled_from(("+", "-", "=", "at least ")))
            return f"modify v{gap()}:{gap()}{change}{gap()}" + draw(terms)
        case "table":
            low, high = draw(numbers), draw(numbers)
            pieces = ("table t:", "..", low, "->", "-1", ";", high, "..", "->", "2")
            return "".join(piece + gap() for piece in pieces)
        case "option":
            return f"option o{gap()}:{gap()}-1{gap()}|{gap()}2{gap()}={gap()}-{gap()}1"
        case _:
            rows = draw(st.lists(st.lists(names, min_size=1, max_size=4), min_size=1, max_size=3))
            written = "".join("\n  " + "   ".join(row) + gap() for row in rows)
            return f"plan p{gap()}:{written}"


@given(
    st.lists(lines(), min_size=1, max_size=4), st.sampled_from(("\n", "\n\n", "  # a\n", "\n# b\n", "\n\n\n"))
)
@settings(max_examples=200, deadline=None)
def test_made_up_declarations_keep_their_meaning(texts: list[str], between: str) -> None:
    text = between.join(texts)
    file, findings = parse(Source("a.tale", text))
    new, problems = format_text(text, "a.tale")
    if [found for found in findings if found.severity == "error"]:
        assert new == text
        assert problems == findings
        return
    assert problems == []
    assert same_tree(file, parsed(new))
    assert comments(new) == comments(text)
    assert laid_out(new) == new
    assert "\n\n\n" not in new
