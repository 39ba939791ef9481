"""What is shown beside a word: what it is, how it is used, its prose, and where it is used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from talewright.compiler.checks import catalogue
from talewright.compiler.message_phrases import PARTS
from talewright.compiler.symbols.core import VERBS_BY_NAME, CoreVerb
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    FieldSymbol,
    KindSymbol,
    Symbol,
    ThingSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.lookups import Work, name_span
from talewright.compiler.types.model import written
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.tree import nodes as t
from talewright.dsl.tree.prose_literals import prose_text
from talewright.lsp.language_page import about, about_field, about_kind, about_property
from talewright.lsp.meaning import Meaning, rules_on

_MOST_PROSE = 600
_MOST_SHOWN = 4
# Of a name that is used more often, nobody wants to know how often.
MOST_USES = 100


def hover_text(meaning: Meaning, used: int, work: Work) -> str:
    """The page about a word, in Markdown; empty when there is nothing to say."""
    if meaning.local is not None:
        local = meaning.local
        type_ = f": {local.kind}" if local.kind else ""
        return f"```tale\n{local.name}{type_}\n```\n{local.form} of this declaration"
    if meaning.language:
        return about(meaning.word.text)
    if meaning.is_property:
        return about_property(meaning.word.text)
    parts = [_about_symbol(symbol, work) for symbol in meaning.symbols[:_MOST_SHOWN]]
    if len(meaning.symbols) > _MOST_SHOWN:
        parts.append(f"and {len(meaning.symbols) - _MOST_SHOWN} more of this name")
    if parts and used:
        most = f"more than {MOST_USES}" if used > MOST_USES else str(used)
        parts.append(f"Used in {most} {'place' if used == 1 else 'places'}.")
    return "\n\n---\n\n".join(parts)


def value_text(word: str, owners: Sequence[Symbol]) -> str:
    """The page about a word that is no name, by what has it as a value or parameter."""
    heads = [f"```tale\n{signature(symbol)}\n```" for symbol in owners[:_MOST_SHOWN]]
    return "\n".join((f"`{word}` in", *heads)) if heads else ""


def _about_symbol(symbol: Symbol, work: Work) -> str:
    place = f"{symbol.form} of `{symbol.origin.package}`"
    if isinstance(symbol, FieldSymbol):
        place = f"field of `{symbol.owner}`"
    lines = [f"```tale\n{signature(symbol)}\n```", place]
    comment = comment_above(symbol)
    if comment:
        lines.append(comment)
    wording = _wording(symbol)
    if wording:
        lines.append("Reads: " + "; ".join(f"“{text}”" for text in wording))
    prose = _prose(symbol)
    if prose:
        lines.append("\n".join(f"> {line}" for line in prose.splitlines()))
    if isinstance(symbol, KindSymbol):
        things = work.table.things_of.get(symbol.name, ())
        if things:
            lines.append(f"{len(things)} of them: " + ", ".join(f"`{thing.name}`" for thing in things[:8]))
    if isinstance(symbol, ActionSymbol):
        count = sum(1 for _ in rules_on(symbol, work))
        if count:
            lines.append(f"{count} {'rule acts' if count == 1 else 'rules act'} on it")
    if symbol.origin.package == "core":
        said = about_kind(symbol.name) if isinstance(symbol, KindSymbol) else about_field(symbol.name)
        return f"```tale\n{symbol.name}\n```\n{symbol.form} of the core" + (f"\n\n{said}" if said else "")
    return "\n\n".join(lines)


def signature(symbol: Symbol) -> str:
    """The head of a declaration as written, on one line."""
    if symbol.origin.package == "core":
        return symbol.name
    text = symbol.origin.source.text
    if isinstance(symbol, ValueSymbol) and symbol.decl.type is None and symbol.type is not None:
        return f"{_one_line(text[symbol.node.start : symbol.node.end])}  # {written(symbol.type)}"
    if isinstance(symbol, FieldSymbol) and symbol.decl is not None:
        return _one_line(text[symbol.decl.start :])
    if isinstance(symbol, TypeSymbol):
        return f"type {symbol.name} = " + (" < " if symbol.ordered else " | ").join(symbol.words)
    if isinstance(symbol, ThingSymbol) and symbol.decl is None and symbol.sort is None:
        return f"{symbol.kind} {symbol.name}"
    return _one_line(text[symbol.node.start : symbol.node.end])


def _one_line(declaration: str) -> str:
    head = re.sub(r"[ \t]+#[^\"]*$", "", declaration.partition("\n")[0]).rstrip()
    return head[:-1] if head.endswith(":") else head[:160]


def comment_above(symbol: Symbol) -> str:
    """The comment lines directly above a declaration."""
    text = symbol.origin.source.text
    start = text.rfind("\n", 0, min(symbol.node.start, name_span(symbol)[0]) + 1)
    lines: list[str] = []
    for line in reversed(text[: max(start, 0)].split("\n")):
        match = re.match(r"[ \t]*#[ \t]?(.*)", line)
        # A line of dashes is the heading of a part, not about what follows.
        if match is None or match.group(1).startswith(("tale:", "----")):
            break
        lines.insert(0, match.group(1))
    return " ".join(lines).strip()


def _wording(symbol: Symbol) -> list[str]:
    """The texts by which a declaration is put into words: its own `reads`, else those inside it."""
    node: Any = symbol.node
    own = getattr(node, "reads", None)
    if isinstance(own, t.Text):
        return [own.raw]
    found: list[str] = []
    for item in getattr(node, "items", None) or getattr(node, "members", None) or ():
        text = item.text if isinstance(item, t.OwnWording) else getattr(item, "reads", None)
        if isinstance(text, t.Text):
            found.append(text.raw)
    return found[:_MOST_SHOWN]


def _prose(symbol: Symbol) -> str:
    node: Any = symbol.node
    for item in getattr(node, "items", None) or getattr(node, "members", None) or ():
        if isinstance(item, t.Prose):
            said = prose_text(item.text.raw)
            return said if len(said) <= _MOST_PROSE else said[:_MOST_PROSE].rsplit(" ", 1)[0] + " ..."
    return ""


def explained(found: Diagnostic) -> str:
    """A finding, and why it exists."""
    info = catalogue().get(found.code)
    lines = [f"**{found.code} {found.name}**: {found.message}"]
    if found.help:
        lines.append(found.help)
    if info is not None:
        lines.append("\n\n".join(" ".join(part.split()) for part in info.why.split("\n\n")))
        if info.good:
            lines.append(f"But so:\n```tale\n{info.good.strip()}\n```")
    return "\n\n".join(lines)


# ------------------------------------------------------------------ calls
def call_parts(verb: str, work: Work) -> list[list[str]]:
    """The ways to use a verb, each as its words and arguments in order."""
    made: list[list[str]] = []
    for action in work.table.verbs.get(verb, ()):
        decl = action.decl
        text = action.origin.source.text
        parts = [verb]
        if decl.first is not None:
            parts.append(text[decl.first.start : decl.first.end])
        parts += [f"{prep} {text[param.start : param.end]}" for prep, param in decl.parts]
        made.append(parts)
    made += [core_parts(core) for core in VERBS_BY_NAME.get(verb, ())]
    return made


def core_parts(core: CoreVerb) -> list[str]:
    """A verb of the core and its arguments."""
    parts = [core.verb]
    if core.first:
        parts.append(_part("", core.first))
    if core.token:
        parts.append("token")
    return [*parts, *(_part(f"{prep} ", part) for prep, part in core.parts)]


def _part(before: str, part: str) -> str:
    name = PARTS.get(part.rstrip("?"), part.rstrip("?"))
    return f"[{before}{name}]" if part.endswith("?") else f"{before}{name}"
