"""Parses a text with mistakes: each declaration alone, with bad lines repaired or blanked."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lark.exceptions import UnexpectedInput

from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, Label
from talewright.dsl.grammar.indentation import RefusedError
from talewright.dsl.grammar.lark_parser import Failure, declarations_of
from talewright.dsl.recovery.draft import Draft, settle
from talewright.dsl.recovery.mistake_table import finding
from talewright.dsl.recovery.parse_failure import Trouble, line_at, trouble_of
from talewright.dsl.recovery.recognisers import recognise
from talewright.dsl.recovery.text_shape import Line, lines_of, names_in, stretches
from talewright.dsl.recovery.verdict import Change, Verdict
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree
from talewright.schemas.records import field, record, replace

if TYPE_CHECKING:
    from talewright.dsl.remembered import Remembered

MOST_FINDINGS = 200
_MOST_TRIES = 40
_MOST_CHARACTERS = 400_000

_STAND_INS = {
    "kind": "kind X:", "extend": "kind X:", "trait": "kind X:", "role": "kind X:", "action": "action x:",
    "before": "action x:", "after": "action x:", "instead": "action x:", "at": "action x:",
    "when": "action x:", "anytime": "action x:", "value": "value x:", "table": "table x:",
    "test": 'test "x":', "movement": "movement x:", "payment": "payment x:", "while": "while yes:",
    "track": "track x 0..1:", "die": "die x:",
}  # fmt: skip
_STATEMENT_HEADERS = ("if", "for", "while", "repeat", "elif", "else", "otherwise")
_FILLERS = {"kind": '""""""', "thing": '""""""', "test": "expect yes", "statement": "nothing"}


@record
class Recovered:
    """What could be read of a text with mistakes."""

    declarations: list[Any] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    broken_names: set[str] = field(default_factory=set)


def recover(
    source: Source,
    text: str,
    habits: list[Verdict],
    wiped: list[tuple[int, int]],
    remembered: Remembered | None = None,
) -> Recovered:
    """Every declaration that can be read, every mistake, and the names that broken lines may have meant."""
    result = Recovered()
    lines = lines_of(text)
    for start, end in stretches(text, lines):
        stretch = _Stretch(source, Draft(text[start:end], start), result, wiped)
        stretch.begin_with(v for v in habits if start <= v.start < end)
        before = len(result.findings)
        result.declarations += stretch.read(remembered)
        # After unclosed prose, text is parsed as code. Its errors would only confuse.
        unclosed = [found for found in result.findings[before:] if found.code == "S113"]
        if unclosed:
            result.findings[before:] = unclosed
    failure = _failure_of(text) if not habits and not result.findings and not wiped and lines else None
    if failure is not None:
        # Each declaration parses alone, so the error must come from parsing them together.
        trouble = trouble_of(failure, text, lines)
        result.findings.append(_diagnostic(source, Draft(text, 0), recognise(trouble)))
    return result


def _failure_of(text: str) -> Failure | None:
    try:
        declarations_of(text)
    except (UnexpectedInput, RefusedError) as failure:
        return failure
    return None


@record
class _Stretch:
    """One declaration being read."""

    source: Source
    draft: Draft
    result: Recovered
    wiped: list[tuple[int, int]]
    reported: set[int] = field(default_factory=set)
    mended: set[int] = field(default_factory=set)
    fillers: set[int] = field(default_factory=set)
    guesses: list[tuple[int, int]] = field(default_factory=list)
    dropped: bool = False

    def begin_with(self, habits: Iterable[Verdict]) -> None:
        """Reports and mends what was seen before parsing."""
        changes: list[Change] = []
        base = self.draft.place(0)
        for verdict in habits:
            moved = tuple(Change(c.start - base, c.end - base, c.text) for c in verdict.changes)
            local = replace(verdict, start=verdict.start - base, end=verdict.end - base, changes=moved)
            self._report(local)
            changes += moved
        if changes:
            self._apply(changes)

    def read(self, remembered: Remembered | None) -> list[Any]:
        """The declarations of this stretch, as far as they can be saved."""
        if remembered is not None and isinstance(self.draft.origin, range):
            with suppress(UnexpectedInput, RefusedError):
                return remembered.stretch(self.draft.text, self.draft.place(0))
        tries = max(4, min(_MOST_TRIES, _MOST_CHARACTERS // max(1, len(self.draft.text))))
        for _ in range(tries):
            try:
                nodes = declarations_of(self.draft.text)
            except (UnexpectedInput, RefusedError) as failure:
                if len(self.result.findings) >= MOST_FINDINGS or not self._mend(failure):
                    break
            else:
                settle(nodes, self.draft.origin)
                if self.fillers:
                    _without(nodes, self.fillers)
                return [] if self.dropped else nodes
        self._remember(0, len(self.draft.text))
        return []

    def _mend(self, failure: Failure) -> bool:
        lines = lines_of(self.draft.text, strict=True)
        if not lines:
            return False
        trouble = trouble_of(failure, self.draft.text, lines)
        verdict = recognise(trouble)
        index = line_at(lines, verdict.start)
        key = self.draft.place(lines[index].start)
        if self._guessed_wrong(lines[index]):
            return True
        if key not in self.reported and not self._is_ours(verdict, lines, index):
            self.reported.add(key)
            self._report(verdict)
            if verdict.changes and key not in self.mended:
                self.mended.add(key)
                if verdict.reach:
                    self.guesses.append((self.draft.place(verdict.start), self.draft.place(verdict.reach)))
                self._apply(verdict.changes)
                return True
        if verdict.code == "S105":
            return False  # with this many brackets, nobody can tell where the next declaration begins
        if verdict.reach:
            self._remember(lines[index].start, verdict.reach)
            self.draft.blank(lines[index].begin, verdict.reach)
            return True
        return self._drop(lines, index, trouble)

    def _guessed_wrong(self, line: Line) -> bool:
        """Blanks a block that does not parse at its repaired place either; it has been reported already."""
        at = self.draft.place(line.start)
        for guess in self.guesses:
            if guess[0] <= at < guess[1]:
                self.guesses.remove(guess)
                inside = [i for i, origin in enumerate(self.draft.origin) if guess[0] <= origin < guess[1]]
                self._remember(inside[0], inside[-1] + 1)
                self.draft.blank(inside[0], inside[-1] + 1)
                return True
        return False

    def _is_ours(self, verdict: Verdict, lines: list[Line], index: int) -> bool:
        """Whether a block is missing only because it was wiped or blanked here."""
        if verdict.code not in ("S120", "S123"):
            return False
        label = verdict.label
        header = lines[line_at(lines, label[0])] if label else lines[index]
        behind = next((line.begin for line in lines if line.begin > header.begin), len(self.draft.text))
        start, end = self.draft.place(header.end), self.draft.place(behind)
        if any(start <= at < end for at, _ in self.wiped):
            return True
        return any(start < at < end for at in self.reported)

    def _drop(self, lines: list[Line], index: int, trouble: Trouble) -> bool:
        """Blanks a line with its block, or puts something harmless in its place."""
        line = lines[index]
        below = next((i for i in range(index + 1, len(lines)) if lines[i].indent <= line.indent), len(lines))
        end = lines[below].begin if below < len(lines) else len(self.draft.text)
        has_block = below > index + 1
        key = self.draft.place(line.start)
        self._remember(line.start, line.end)
        here = dataclasses.replace(trouble, index=index, at=line.start)
        again = key in self.fillers
        self.reported.add(key)
        if index == 0:
            stand_in = _stand_in(here.first_word) if has_block and not again else None
            if stand_in is None:
                self._remember(line.start, end)
                self.draft.blank(line.begin, end)
                return below < len(lines)
            self.dropped = stand_in != "while yes:"
            return self._put(line, stand_in, key)
        if has_block and not again and here.place == "statement" and here.first_word in _STATEMENT_HEADERS:
            return self._put(line, "if yes:", key)
        self._remember(line.start, end)
        alone = lines[index - 1].indent < line.indent and (
            below == len(lines) or lines[below].indent < line.indent
        )
        if alone and not again and here.place in _FILLERS:
            self.draft.blank(line.end, end)
            return self._put(line, _FILLERS[here.place], key)
        if alone:
            return self._drop(lines, index - 1, trouble)
        self.draft.blank(line.begin, end)
        return True

    def _put(self, line: Line, text: str, key: int) -> bool:
        self.draft.replace([(line.start, line.end, text)])
        self.fillers.add(key)
        return True

    def _apply(self, changes: Iterable[Change]) -> None:
        self.draft.replace((change.start, change.end, change.text) for change in changes)

    def _remember(self, start: int, end: int) -> None:
        self.result.broken_names |= names_in(self.draft.text, start, end)

    def _report(self, verdict: Verdict) -> None:
        self.reported.add(self._line_key(verdict.start))
        self.result.findings.append(_diagnostic(self.source, self.draft, verdict))

    def _line_key(self, offset: int) -> int:
        text = self.draft.text
        begin = text.rfind("\n", 0, offset) + 1
        return self.draft.place(begin + len(text[begin:]) - len(text[begin:].lstrip(" \t")))


def _stand_in(first_word: str) -> str | None:
    return "X x:" if first_word[:1].isupper() else _STAND_INS.get(first_word)


def _without(nodes: list[Any], starts: set[int]) -> None:
    """Removes the placeholders that kept blanked blocks from being empty."""
    waiting: list[Any] = [nodes]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            item[:] = [
                child
                for child in item
                if not (isinstance(child, tree.Prose | tree.Expect) and child.start in starts)
            ]
            waiting.extend(item)
        elif isinstance(item, tuple):
            waiting.extend(item)
        elif isinstance(item, tree.Node):
            waiting.extend(getattr(item, name) for name in item.__match_args__)


def _diagnostic(source: Source, draft: Draft, verdict: Verdict) -> Diagnostic:
    def span(start: int, end: int) -> Any:
        return source.span(draft.place(start), draft.place(end))

    fixes: tuple[Fix, ...] = ()
    if verdict.changes:
        edits = tuple(Edit(span(c.start, c.end), c.text) for c in verdict.changes)
        fixes = (Fix(verdict.title, edits, verdict.safe),)
    labels = () if verdict.label is None else (Label(span(*verdict.label[:2]), verdict.label[2]),)
    return finding(
        verdict.code, verdict.message, span(verdict.start, verdict.end), verdict.help, fixes, labels
    )
