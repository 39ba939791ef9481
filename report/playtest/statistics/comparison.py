"""Two results of a playtest side by side: what changed more than chance explains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

from talewright.report.playtest.statistics.estimates import difference, two_sided
from talewright.report.table.visibility import words
from talewright.schemas.records import record

SURE = 0.05


class CompareError(Exception):
    """An old result cannot be compared, and why."""


@record(frozen=True)
class Change:
    """Something that is not as it was: what, before and after, and how likely chance alone would do it."""

    what: str
    before: float
    after: float
    chance: float
    percent: bool

    def text(self) -> str:
        """The change in words."""
        if self.percent:
            return f"{self.what}: {self.before:.1%} -> {self.after:.1%} ({(self.after - self.before) * 100:+.1f} points)"
        return f"{self.what}: {self.before:.2f} -> {self.after:.2f} ({self.after - self.before:+.2f})"


def comparable(old: Mapping[str, Any]) -> None:
    """Refuses what is no result that can be compared with, before any game is played for it."""
    for key in ("finished", "win_rate", "outcomes", "rounds", "decisions"):
        if key not in old:
            raise CompareError(f"the old result has no `{key}`: it is not what `tale playtest --json` writes")
    if not old["finished"]:
        raise CompareError("a result without a finished game cannot be compared")


def other_games(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """In what the games themselves differ, besides the text of the package."""
    names = {"scenario": "package", "bot": "bot", "players": "number of seats", "options": "options"}
    return [
        f"another {word} ({old[key]} before, {new[key]} now)"
        for key, word in names.items()
        if key in old and key in new and old[key] != new[key]
    ]


def compare(
    old: Mapping[str, Any], new: Mapping[str, Any], titles: Mapping[str, str] | None = None
) -> list[Change]:
    """What changed significantly, surest first; the more is looked at, the surer a change must be (Holm).

    `titles` are those of pages, by id.
    """
    comparable(old)
    if not new["finished"]:
        raise CompareError("a result without a finished game cannot be compared")
    tried = sorted([*_rates(old, new, titles or {}), *_means(old, new)], key=lambda change: change.chance)
    kept = []
    for place, change in enumerate(tried):
        if change.chance > SURE / (len(tried) - place):
            break
        kept.append(change)
    return kept


def _rates(old: Mapping[str, Any], new: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Change]:
    before, after = old["finished"], new["finished"]
    yield _rate(
        "win rate",
        round(old["win_rate"]["value"] * before),
        before,
        round(new["win_rate"]["value"] * after),
        after,
    )
    endings = {*old["outcomes"], *new["outcomes"]}
    for name in sorted(endings):
        yield _rate(
            f"games that end in {_quoted(titles, name)}",
            old["outcomes"].get(name, 0),
            old["games"],
            new["outcomes"].get(name, 0),
            new["games"],
        )
    for name, use in new.get("thing_uses", {}).items():
        was = old.get("thing_uses", {}).get(name)
        seen, seen_now = old.get("watched", before), new.get("watched", after)
        if was is not None and seen and seen_now:
            yield _rate(f"games with {use.get('title') or name}", was["games"], seen, use["games"], seen_now)
    for name, page in new.get("chapters", {}).items():
        was = old.get("chapters", {}).get(name)
        if was is not None and "games" in was and name not in endings:
            yield _rate(
                f"games that reach {_quoted(titles, name)}", was["games"], before, page["games"], after
            )


def _quoted(titles: Mapping[str, str], page: str) -> str:
    title = titles.get(page)
    return f"“{title}”" if title else page


def _rate(what: str, hits: int, games: int, later: int, later_games: int) -> Change:
    both = (hits + later) / (games + later_games)
    error = sqrt(both * (1 - both) * (1 / games + 1 / later_games))
    value = difference(later, later_games, hits, games)[0]
    return Change(what, hits / games, later / later_games, two_sided(value / error) if error else 1.0, True)


def _means(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    pairs = [(name, old[name], new[name]) for name in ("rounds", "decisions")]
    for kind in ("tracks", "measures"):
        for name, entry in new.get(kind, {}).items():
            was = old.get(kind, {}).get(name)
            if was is not None and "mean" in entry and "mean" in was:
                title = (
                    f"track {new.get('track_titles', {}).get(name, name)}"
                    if kind == "tracks"
                    else words(name)
                )
                pairs.append((title, was, entry))
    for what, before, after in pairs:
        apart = after["mean"] - before["mean"]
        error = sqrt(before["standard_error"] ** 2 + after["standard_error"] ** 2)
        chance = two_sided(apart / error) if error else (1.0 if apart == 0 else 0.0)
        yield Change(what, before["mean"], after["mean"], chance, False)
