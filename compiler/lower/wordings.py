"""`reads "..."`: the words in which a declaration is told to players, checked and put into the document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from talewright.compiler.symbols.scope import IR
from talewright.compiler.symbols.symbol_table import Origin
from talewright.dsl.tree import nodes as t
from talewright.schemas.wording import WordingError, holes, read_wording


class Reports(Protocol):
    """Reports findings and suggests names."""

    def report(self, code: str, origin: Origin, node: t.Node, message: str, help: str = "") -> None:
        """Reports one."""

    def suggest(self, wrong: str, known: Iterable[str]) -> str:
        """`did you mean ...?` when something close exists."""


def add_wording(work: Reports, ir: IR, reads: t.Text | None, names: Iterable[str], origin: Origin) -> None:
    """Puts a wording into what it words, and reports holes that name nothing."""
    if reads is None:
        return
    ir["reads"] = reads.raw
    try:
        pieces = read_wording(reads.raw)
    except WordingError as problem:
        at = reads.start + 1 + problem.at
        work.report("X613", origin, t.Node(at, at + 1), f"this wording cannot be read: {problem}",
                    "write `\\` before a bracket or brace that is meant as a sign")  # fmt: skip
        return
    known = [name for name in names if name != "_"]
    for hole in holes(pieces):
        if hole.name not in known:
            at = reads.raw.find("{" + hole.name)
            start = reads.start + 2 + at
            listed = ", ".join(f"`{name}`" for name in known)
            help = work.suggest(hole.name, known) or (
                f"there is {listed}" if known else "nothing has a name here"
            )
            spot = t.Node(start, start + len(hole.name))
            work.report("X612", origin, spot, f"there is no parameter `{hole.name}`", help)


def add_rule_wording(work: Reports, ir: IR, node: t.Node, names: Iterable[str], origin: Origin) -> None:
    """Like `add_wording`, for a rule: its holes name locals. If one rule was split into several, each gets the wording."""
    reads = getattr(node, "reads", None)
    if reads is None:
        return
    for rule in ir["rules"] if ir["rule"] == "several" else [ir]:
        own = [local["name"] for local in rule.get("locals", ())]
        add_wording(work, rule, reads, [*own, *names], origin)
