"""Things that wait for an action that never runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.checks._reachable_actions import running, verb_runs
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, index, is_main, is_whole, weight
from talewright.compiler.symbols.symbol_table import KindSymbol, Origin, StateSymbol, TrackSymbol, TraitSymbol
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span
from talewright.dsl.tree import nodes as t

_WORDS = {"before": "before", "after": "after", "instead_of": "instead of", "forbid": "forbid"}


def find(context: Context) -> Iterator[Diagnostic]:
    """Every `per`, `until`, `stop`, `during` and rule that names an action nobody calls."""
    if not is_whole(context):
        return
    for word, origin in _resets(context):
        if is_main(context, origin.package) and not verb_runs(context, word.text):
            yield _finding(context, origin.source.span(word.start, word.end), f"`per {word.text}`", word.text)
    yield from _moments(context)
    yield from _rules(context)


def _finding(context: Context, span: Span, what: str, verb: str) -> Diagnostic:
    return CHECK.finding(
        span,
        f"{what} waits for an action that never runs",
        f"call `{verb}` somewhere that is played, or name another action",
        severity=weight(context),
    )


def _resets(context: Context) -> Iterator[tuple[t.Word, Origin]]:
    table = context.work.table
    for kind in table.kinds.values():
        if isinstance(kind, (KindSymbol, TraitSymbol)):
            for member, origin in kind.members:
                if isinstance(member, (t.FieldDecl, t.TrackDecl)):
                    yield from ((word, origin) for word in member.per)
    for symbol in (*table.names.values(), *table.scoped.values()):
        if isinstance(symbol, (StateSymbol, TrackSymbol)):
            yield from ((word, symbol.origin) for word in symbol.decl.per)
    for menu in table.menus.values():
        if menu.decl.once_per is not None:
            yield menu.decl.once_per, menu.origin


def _moments(context: Context) -> Iterator[Diagnostic]:
    seen = index(context)
    for op in ("until", "stop", "during"):
        for node, unit in seen.of(op):
            moment = node.get("moment", "")
            verb = moment.removeprefix("verb:")
            if unit.form == "test" or verb == moment or verb_runs(context, verb):
                continue
            at = node.get("at", unit.ir.get("at"))
            if at is None or not at_in_main(context, at):
                continue
            span = context.span(at) if "at" in node else _word_behind(context, at, op, verb)
            yield _finding(context, span, f"`{op} {verb}`" if op != "until" else f"`until ... {verb}`", verb)


def _word_behind(context: Context, at: int, op: str, verb: str) -> Span:
    """Where an expression without a place of its own stands in the text of its declaration."""
    file, start, end = context.work.spots[at]
    source = context.source(file)
    found = re.compile(rf"\b{op}\s+{re.escape(verb)}\b").search(source.text, start)
    return source.span(found.start(), found.end()) if found else source.span(start, end)


def _rules(context: Context) -> Iterator[Diagnostic]:
    able = running(context)
    verbs = {unit.id: unit.ir["verb"] for unit in index(context).by_form("action")}
    told: set[tuple[int, str]] = set()
    for rule in index(context).rules:
        word = _WORDS.get(rule.ir["rule"])
        verb = verbs.get(rule.ir.get("action", ""))
        if (
            word is None
            or verb is None
            or rule.ir["action"] in able
            or not at_in_main(context, rule.ir["at"])
        ):
            continue
        place = context.work.spots[rule.ir["at"]]
        if verb_runs(context, verb) or (place[1], place[0]) in told:
            # One text may mean several actions of a verb; some of them run.
            continue
        told.add((place[1], place[0]))
        yield _finding(context, context.span(rule.ir["at"]), f"`{word} {verb}`", verb)


CHECK = Check(
    code="F410",
    name="moment-never-comes",
    severity="warning",
    why="""`per X` empties a cell when X begins, `until end of X` ends with X, `stop X` leaves X, `during
    X` asks for it, and a rule waits for it. If nothing that is played ever calls X, none of this happens.
    The core calls `game`, `play`, `end_chapter` and `chapter`; everything else must be called by
    something that runs.""",
    bad="""
    state steps: int = 0 per turn  # <-
    action game:
        repeat: round
    action round:
        steps + 1
    action turn:
        steps = 0
    """,
    good="""
    state steps: int = 0 per turn
    action game:
        repeat: turn
    action turn:
        steps + 1
    """,
    find=find,
)
