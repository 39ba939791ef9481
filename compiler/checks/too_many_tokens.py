"""More tokens placed than the box holds."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import IR, first_line, index, is_own, own_things
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import TokenSymbol
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span


def find(context: Context) -> Iterator[Diagnostic]:
    """Casts, single calls and runs of calls that place more of a token than there is."""
    for thing in own_things(context):
        placed: dict[str, int] = {}
        for line in thing.get("cast", ()):
            for group in line["groups"]:
                if "token" in group:
                    yield from _placed(
                        context, group["token"], group["count"], placed, context.span(group["at"])
                    )
    for body in index(context).bodies:
        placed = {}
        for statement in body:
            token, amount = _put(statement)
            if token is None:
                if statement.get("op") not in ("let", "nothing"):
                    placed.clear()  # whatever runs here may take tokens back
            elif is_own(context, statement["at"]):
                yield from _placed(context, token, amount, placed, first_line(context, statement["at"]))


def _put(statement: IR) -> tuple[str | None, int]:
    """The token and the fixed number of it that a statement puts somewhere."""
    if statement.get("op") == "core_call" and statement.get("verb") == "put_token":
        token, amount = statement["args"].get("token", {}), statement["args"].get("first", {})
        if token.get("op") == "token":
            return token["id"], amount["v"] if amount.get("op") == "int" else 0
    return None, 0


def _placed(
    context: Context, token: str, amount: int, placed: dict[str, int], span: Span
) -> Iterator[Diagnostic]:
    symbol = context.work.table.names.get(token)
    if not isinstance(symbol, TokenSymbol):
        return
    before = placed.get(token, 0)
    placed[token] = before + amount
    if before <= symbol.count < placed[token]:
        yield CHECK.finding(
            span,
            f"this makes {placed[token]} of the token `{token}`, but the box holds {symbol.count}",
            f"declare more, `* {placed[token]}`, or place fewer",
            [context.work.label(symbol, "declared here")],
        )


CHECK = Check(
    code="C502",
    name="too-many-tokens",
    severity="warning",
    why="""`token name * n` says how many of a token the box holds, and `put` stops when they are
    used up. A cast or a run of `put` that needs more than all of them leaves some places empty without
    a word.""",
    bad="""
    token torch * 4
    plan crypt: nave well
    action game:
        put 3 torch on nave
        put 2 torch on well  # <-
    """,
    good="""
    token torch * 5
    plan crypt: nave well
    action game:
        put 3 torch on nave
        put 2 torch on well
    """,
    find=find,
    local=True,
)
