"""Values that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._reachable_actions import CALLED_BY_CORE
from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, declared, in_main, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index, plain_id
from talewright.compiler.symbols.symbol_table import ValueSymbol
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.grammar.reserved_words import snake

HINT = "appeal_"
SCORE = "score_"


def find(context: Context) -> Iterator[Diagnostic]:
    """Every value that is only declared, modified or read by itself."""
    functions = (f for group in context.work.table.functions.values() for f in group)
    own = (f for f in functions if isinstance(f, ValueSymbol) and in_main(context, f.origin))
    for symbol in (*declared(context, ValueSymbol), *own):
        known = symbol.name in CALLED_BY_CORE or _is_hint(context, symbol.name)
        if _is_read(context, symbol):
            continue
        if known and symbol.decl.params and (symbol.name == "score" or symbol.name.startswith(SCORE)):
            yield report(
                CHECK,
                context,
                symbol,
                f"bots read `{symbol.name}` only without parameters",
                "take them away; where each plays for themselves, write `appeal_...`, which may ask who decides",
            )
        elif not known:
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing reads the value `{symbol.name}`",
                "read it somewhere, or take it away",
            )


def _is_hint(context: Context, name: str) -> bool:
    """Whether a value tells bots how much an offer or a choice of some action appeals, or how well some role stands."""
    if name.startswith(SCORE):
        roles = (str(kind["id"]) for kind in context.content["kinds"] if "role" in kind)
        return name.removeprefix(SCORE) in {snake(role) for role in roles}
    if not name.startswith(HINT):
        return False
    told = name.removeprefix(HINT)
    verbs = {str(action["verb"]) for action in context.content["actions"]}
    # What is decided in an effect of a thing goes by the name of the field.
    for kind in context.content["kinds"]:
        verbs |= {str(f["name"]) for f in kind.get("fields", ()) if _holds_behaviour(f["type"])}
    asked = _asked(context)
    return any(
        told == verb or (told.startswith(f"{verb}_") and told[len(verb) + 1 :] in asked) for verb in verbs
    )


def _asked(context: Context) -> set[str]:
    """What decisions are called behind the verb: the names that are chosen, and words for those without."""
    chosen = {str(node["name"]) for node, _ in index(context).of("choose")}
    # What an offer leaves open, and who is next in a loop, are locals of their code.
    for code in (*context.content["actions"], *(rule.ir for rule in index(context).rules)):
        chosen |= {str(local["name"]) for local in code.get("locals", ())}
    return chosen | {"may", "choice", "pay", "agreed", "arrange"}


def _holds_behaviour(kind: Any) -> bool:
    return (kind[0] if isinstance(kind, list) else kind) in ("effect", "lines")


def _is_read(context: Context, symbol: ValueSymbol) -> bool:
    name = plain_id(symbol.id)
    # An overload is picked by what it is asked with, so all of one name stand or fall together.
    return is_used(context, "value", name, "value" if name == symbol.id else "")


CHECK = Check(
    code="F422",
    name="unused-value",
    severity="warning",
    why="""A value is worked out when something reads it. One that nothing reads is never worked out, and
    what modifies it has no effect. `score` is read by seats that a machine plays, and so is `score_ROLE` for a role,
    and `appeal_VERB` or `appeal_VERB_NAME` for an action, or an effect of some kind, VERB."""
    + WHY_SYSTEMS,
    bad="""
    track hope 0..9 start 4
    value cheer = hope + 1
    value gloom = 9 - hope  # <-
    action game: hope + cheer
    """,
    good="""
    track hope 0..9 start 4
    value cheer = hope + 1
    action game: hope + cheer
    """,
    find=find,
)
