"""A file that is not in the one layout."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import own_parsed
from talewright.compiler.checks.check import Check, Context, Parsed
from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, worst
from talewright.dsl.format.drawings import drawn_rows
from talewright.dsl.format.formatter import LAYOUT, layout_findings
from talewright.dsl.format.lexemes import read_rows
from talewright.dsl.format.printer import set_page
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree
from talewright.dsl.tree.equivalence import same_tree


def find(context: Context) -> Iterator[Diagnostic]:
    """The first line of each file that `tale fmt` would change, with the whole file as its fix."""
    for parsed in own_parsed(context):
        if parsed.mistaken:
            continue
        found = parsed.found.get(LAYOUT.code)
        if found is None:
            text = parsed.source.text
            plain = "\r" not in text and text.endswith("\n")
            found = list(_differing(parsed, context)) if plain else layout_findings(parsed.source)
            parsed.found[LAYOUT.code] = found
        yield from found


def _differing(parsed: Parsed, context: Context) -> Iterator[Diagnostic]:
    """The same as `layout_findings`, with the tree at hand instead of parsing the file once more."""
    source, text = parsed.source, parsed.source.text
    # Only things and plans hold drawings: looking through all else would take longer than the rest.
    drawing = [decl for decl in parsed.file.declarations if _draws(decl)]
    new = set_page(read_rows(text), drawn_rows(tree.File(source.name, drawing)))
    if new == text:
        return
    after, problems = parse(Source(source.name, new), context.remembered)
    if worst(problems) == "error" or not same_tree(parsed.file, after):
        return  # a defect that `tale fmt` reports
    start = _first_difference(text, new)
    end = text.find("\n", start)
    whole = Edit(source.span(0, len(text)), new)
    yield Diagnostic(
        LAYOUT.code,
        LAYOUT.name,
        LAYOUT.severity,
        "this file is not in the one layout",
        source.span(start, end if end >= 0 else len(text)),
        "run `tale fmt`",
        fixes=(Fix("lay out the file", (whole,)),),
    )


def _draws(declaration: tree.Decl) -> bool:
    """Whether a declaration may hold rows of names."""
    match declaration:
        case tree.PlanDecl() | tree.WhileDecl():
            return True
        case tree.ThingDecl():
            return any(isinstance(item, tree.Drawn | tree.InlineThing) for item in declaration.items)
    return False


def _first_difference(old: str, new: str) -> int:
    """Where the first line that differs starts in the old text."""
    start = 0
    for before, after in zip(old.splitlines(keepends=True), new.splitlines(keepends=True), strict=False):
        if before != after:
            break
        start += len(before)
    return start


CHECK = Check(
    code=LAYOUT.code,
    name=LAYOUT.name,
    severity=LAYOUT.severity,
    why=LAYOUT.why,
    bad="""
    kind Boat:
        seats:int = 2  # <-
    Boat skiff "Skiff"
    """,
    good="""
    kind Boat:
        seats: int = 2
    Boat skiff "Skiff"
    """,
    find=find,
    local=True,
)
