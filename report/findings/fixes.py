"""Putting the fixes of findings into the texts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from talewright.dsl.diagnostics import Diagnostic, Fix
from talewright.dsl.source import Source, Span
from talewright.schemas.records import field, record

Change = tuple[int, int, str]


@record
class _Text:
    """One text, where its lines begin, and the changes accepted so far, in order."""

    source: Source
    starts: list[int]
    accepted: list[Change] = field(default_factory=list)


def apply_fixes(sources: Mapping[str, Source], findings: Sequence[Diagnostic]) -> dict[str, str]:
    """The new text of every source that a safe fix changes; of fixes that overlap the first one wins."""
    texts = {name: _Text(source, _line_starts(source.text)) for name, source in sources.items()}
    for found in findings:
        for fix in found.fixes:
            if fix.safe:
                _accept(fix, texts)
                break  # the other fixes of a finding are alternatives
    changed = {name: _rewritten(text) for name, text in texts.items() if text.accepted}
    return {name: new for name, new in changed.items() if new != sources[name].text}


def _accept(fix: Fix, texts: Mapping[str, _Text]) -> None:
    """Takes all edits of a fix, or none when one of them does not go with what was taken before."""
    wanted: dict[str, list[Change]] = {}
    for edit in fix.edits:
        text = texts.get(edit.span.file)
        if text is None:
            return
        change = _change(text, edit.span, edit.text)
        taken = wanted.setdefault(edit.span.file, [])
        if change is None or not (_fits(change, text.accepted) and _fits(change, sorted(taken))):
            return
        taken.append(change)
    for name, changes in wanted.items():
        texts[name].accepted = sorted(set(texts[name].accepted) | set(changes))


def _change(text: _Text, span: Span, new: str) -> Change | None:
    start = _offset(text, span.line, span.column)
    end = _offset(text, span.end_line, span.end_column)
    return (start, end, new) if start is not None and end is not None and start <= end else None


def _offset(text: _Text, line: int, column: int) -> int | None:
    if not 1 <= line <= len(text.starts):
        return None
    offset = text.starts[line - 1] + column - 1
    return offset if 0 <= offset <= len(text.source.text) else None


def _fits(change: Change, accepted: list[Change]) -> bool:
    """Whether a change is one already taken, or touches none of them."""
    at = bisect_left(accepted, change)
    if at < len(accepted) and accepted[at] == change:
        return True
    return not any(
        _touch(change, accepted[neighbour]) for neighbour in (at - 1, at) if 0 <= neighbour < len(accepted)
    )


def _touch(one: Change, other: Change) -> bool:
    """Whether two changes overlap; two insertions at one place do, as their order is not known."""
    if one[:2] == other[:2]:
        return True
    return one[0] < other[1] and other[0] < one[1]


def _rewritten(text: _Text) -> str:
    parts: list[str] = []
    at = 0
    for start, end, new in text.accepted:
        parts += [text.source.text[at:start], new]
        at = end
    return "".join([*parts, text.source.text[at:]])


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
