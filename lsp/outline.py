"""The declarations of a text as an outline, and what can be folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.dsl.tree import nodes as t
from talewright.lsp.project import tree_of
from talewright.lsp.words import lexemes
from talewright.schemas.records import field, record


@record
class Entry:
    """One declaration: its name, what it is, where it and its name stand, and what it holds."""

    name: str
    form: str
    start: int
    end: int
    name_start: int
    name_end: int
    inside: list[Entry] = field(default_factory=list)


_FORMS: dict[Any, str] = {
    t.KindDecl: "kind", t.ExtendKind: "kind", t.TraitDecl: "trait", t.TypeDecl: "type", t.ThingDecl: "thing",
    t.InlineThing: "thing", t.ContainerDecl: "container", t.TokenDecl: "token", t.TrackDecl: "track",
    t.DieDecl: "die", t.TableDecl: "table", t.RoleDecl: "role", t.TeamDecl: "team", t.OptionDecl: "option",
    t.StateDecl: "state", t.PlanDecl: "plan", t.MovementDecl: "movement", t.PaymentDecl: "payment",
    t.PeriodDecl: "period", t.MenuDecl: "menu", t.ActionDecl: "action", t.ValueDecl: "value",
    t.MeasureDecl: "measure", t.TestDecl: "test", t.FieldDecl: "field", t.ActionRule: "rule", t.StateRule: "rule",
    t.Forbid: "rule", t.Modify: "rule", t.Grant: "rule", t.Offer: "offer",
}  # fmt: skip


def outline(text: str) -> list[Entry]:
    """The declarations of a text in order."""
    return list(_entries(text, tree_of(text).declarations))


def _entries(text: str, nodes: Any) -> Iterator[Entry]:
    for node in nodes:
        if isinstance(node, t.WhileDecl):
            inside = list(_entries(text, node.declarations))
            yield Entry(
                _head(text, node), "condition", node.start, node.end, node.start, node.start + 5, inside
            )
            continue
        form = _FORMS.get(type(node))
        if form is None:
            continue
        word = _word(node)
        inner = getattr(node, "members", None) or getattr(node, "items", None) or ()
        inside = list(_entries(text, inner))
        end = _trimmed(text, node.start, node.end)
        if word is not None:
            name = word.text if form != "test" else node.title.raw
            yield Entry(name, form, node.start, end, word.start, word.end, inside)
        else:
            yield Entry(_head(text, node), form, node.start, end, node.start, node.start, inside)


def _word(node: Any) -> t.Word | None:
    for attribute in ("name", "verb", "id"):
        word = getattr(node, attribute, None)
        if isinstance(word, t.Word) and not isinstance(node, t.Modify):
            return word
    words = getattr(node, "ids", None) or getattr(node, "names", None)
    return words[0] if words else None


def _head(text: str, node: Any) -> str:
    if isinstance(node, t.TestDecl):
        return node.title.raw or "test"
    head = text[node.start : node.end].partition("\n")[0].strip().rstrip(":")
    return head[:80] or "?"


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def folds(text: str) -> list[tuple[int, int, str]]:
    """First and last line, from 0, of every block, prose and run of comments, and what it is."""
    lines = text.split("\n")
    widths = [len(line) - len(line.lstrip()) if line.strip() else -1 for line in lines]
    prose = list(_prose_lines(text))
    hidden = {line for first, last in prose for line in range(first + 1, last + 1)}
    found: list[tuple[int, int, str]] = [(first, last, "region") for first, last in prose]
    open_blocks: list[int] = []
    last_full = 0
    for number, width in enumerate([*widths, 0]):
        if (width < 0 and number < len(lines)) or number in hidden:
            if number in hidden and lines[number].strip():
                last_full = number
            continue
        while open_blocks and width <= widths[open_blocks[-1]]:
            first = open_blocks.pop()
            if last_full > first:
                found.append((first, last_full, "region"))
        if number < len(lines):
            open_blocks.append(number)
            last_full = number
    found += _comment_runs(lines)
    return sorted(set(found))


def _prose_lines(text: str) -> Iterator[tuple[int, int]]:
    for lexeme in lexemes(text):
        if lexeme.form == "prose" and "\n" in lexeme.text:
            first = text.count("\n", 0, lexeme.start)
            yield first, first + lexeme.text.count("\n")


def _comment_runs(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    first: int | None = None
    for number, line in enumerate([*lines, ""]):
        if line.lstrip().startswith("#"):
            first = number if first is None else first
        elif first is not None:
            if number - first > 1:
                yield first, number - 1, "comment"
            first = None
