"""Bots that imagine how a game goes on: what they need to know of it, and what they know too much."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import click

from talewright.cli.output import write_text

# Bots that go by what a package tells them, and the values that tell them.
THINKERS = ("greedy", "mcts", "guided")
_HINT = re.compile(r"score(_\w+)?|appeal_\w+")


def must_know_what_is_good(bots: Iterable[str | None], values: Iterable[str]) -> None:
    """Refuses bots that go by hints where the package has none."""
    if any(_HINT.fullmatch(name) for name in values):
        return
    for thinker in bots:
        if thinker in THINKERS:
            raise click.UsageError(
                f"the bot {thinker} does not know what is good in this game: write `value score = ...`, which is higher the "
                "better the game stands, or hints such as `value appeal_VERB`"
            )


def warn_of_peeking(bots: Iterable[str | None], document: Mapping[str, Any]) -> None:
    """Says what bots that imagine games know although nobody was shown it: only what lies face down is dealt anew."""
    content = document["content"]
    secret = [state["id"] for state in content["states"] if "hidden" in state.get("flags", ())]
    for kind in (*content["kinds"], *content["traits"]):
        secret += [field["name"] for field in kind.get("fields", ()) if "hidden" in field.get("flags", ())]
    if secret and any(bot in THINKERS for bot in bots):
        names = ", ".join(f"`{name}`" for name in secret)
        write_text(
            f"bots that imagine the game see {names}: keep as a card face down what they may not know\n",
            error=True,
        )
