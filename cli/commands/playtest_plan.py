"""The plan of a playtest: options of the command line, then `[playtest]` of the package, then defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from talewright.cli.chosen_package import package_of, settings
from talewright.schemas.records import record

BOTS = ("random", "explore", "guided", "greedy", "mcts")


@record(frozen=True)
class Plan:
    """The games to play and what is expected of them."""

    games: int
    seed: int
    bot: str
    iterations: int
    apart: bool
    players: int | None
    options: dict[str, Any]
    chapter: str | None
    expected: tuple[str, ...]
    checked: bool


_KEPT: dict[str, tuple[type, ...]] = {
    "games": (int,), "seed": (int,), "bot": (str,), "iterations": (int,), "apart": (bool,), "players": (int,),
    "chapter": (str,), "expect": (list,), "options": (dict,), "checked": (bool,),
}  # fmt: skip


def plan_of(path: str, search: tuple[str, ...], given: Mapping[str, Any]) -> Plan:
    """The plan for a package under the options given on the command line."""
    kept = _of_package(path, search)
    chosen = settings(given["chosen"])
    must_be_a_bot(given["bot"])
    bot, players = given["bot"] or kept.get("bot", "random"), given["players"]
    options = {name: _word(value) for name, value in kept.get("options", {}).items()}
    # The expectations of a package apply only to the game that its `[playtest]` describes.
    as_kept = (
        bot == kept.get("bot", "random")
        and (players is None or players == kept.get("players"))
        and (given["chapter"] is None or given["chapter"] == kept.get("chapter"))
        and {**options, **chosen} == options
    )
    return Plan(
        games=given["games"] or kept.get("games", 1000),
        seed=given["seed"] if given["seed"] is not None else kept.get("seed", 1),
        bot=bot,
        iterations=given["iterations"] or kept.get("iterations", 0),
        apart=given["apart"] or kept.get("apart", False),
        players=players if players is not None else kept.get("players"),
        options={**options, **chosen},
        chapter=given["chapter"] or kept.get("chapter"),
        expected=(*(kept.get("expect", ()) if as_kept else ()), *given["expected"]),
        checked=given["checked"] or kept.get("checked", False),
    )


def must_be_a_bot(name: str | None) -> None:
    """Refuses the name of a bot that nobody knows."""
    if name is None or name in BOTS:
        return
    from talewright.report.playtest.run.own_bots import BotError, bot_class

    try:
        bot_class(name)
    except BotError as error:
        raise click.UsageError(f"{error}. Ours are {', '.join(BOTS)}.") from None


def _word(value: Any) -> str:
    """A value of an option as `--set` writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _of_package(path: str, search: tuple[str, ...]) -> Mapping[str, Any]:
    main = package_of(path, search).main
    kept: Mapping[str, Any] = main.manifest.playtest if main is not None else {}
    for name, value in kept.items():
        kinds = _KEPT.get(name)
        if kinds is None:
            raise click.UsageError(
                f"`[playtest]` in tale.toml knows no `{name}`; it knows {', '.join(_KEPT)}"
            )
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise click.UsageError(f"`{name}` of `[playtest]` in tale.toml is {_wanted(kinds)}")
    if kept.get("games", 1) < 1 or kept.get("iterations", 1) < 1:
        raise click.UsageError("`games` and `iterations` of `[playtest]` in tale.toml are at least 1")
    must_be_a_bot(kept.get("bot", "random"))
    if not all(isinstance(text, str) for text in kept.get("expect", ())):
        raise click.UsageError("`expect` of `[playtest]` in tale.toml is a list of texts")
    return kept


def _wanted(kinds: tuple[type, ...]) -> str:
    words = {int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "a table"}
    return words[kinds[0]]
