"""The result of a playtest, as `--json` writes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.statistics.content import Content
from talewright.report.playtest.statistics.estimates import bands, difference, rate, spread

ENOUGH = 20


def summarise(tally: Tally, about: Mapping[str, Any], content: Content) -> dict[str, Any]:
    """Everything that the games show, but for speed."""
    finished = tally.games - tally.errors
    things = [n for n in content.things if content.is_component(n) or _met(tally, n)]
    return {
        **about,
        "games": tally.games,
        "finished": finished,
        "errors": tally.errors,
        "watched": tally.watched,
        "outcomes": dict(sorted(tally.outcomes.items(), key=_most_first)),
        "outcome_rates": {
            name: rate(n, tally.games) for name, n in sorted(tally.outcomes.items(), key=_most_first)
        },
        "win_rate": rate(tally.wins, finished),
        "winning": content.winning(),
        "chapters": _chapters(tally, content),
        "edges": _edges(tally, content),
        "things": {name: tally.came[name] + tally.acted[name] for name in things},
        "thing_uses": _things(tally, content, things),
        "rules": _sites(tally, content),
        "decisions": spread(tally.decisions),
        "rounds": spread(tally.rounds),
        "lengths": {
            "decisions": _histogram(tally.decisions),
            "rounds": _histogram(tally.rounds),
        },
        "points": _points(tally, content),
        "tracks": _tracks(tally),
        "tracks_by_round": _tracks_by_round(tally, content),
        "track_titles": {
            name: content.track_title(name)
            for name in sorted({n for n, *_ in [*tally.tracks, *tally.track_rounds]})
        },
        "measures": _measures(tally),
        "chance": {
            name: {"uses": n, "per_game": n / tally.watched, "games": tally.stream_games[name]}
            for name, n in sorted(tally.streams.items())
        },
        "never": never(tally, content, things),
        "never_of": {
            **dict.fromkeys(("chapters", "edges"), finished),
            **dict.fromkeys(("things", "rules", "points", "options"), tally.watched),
        },
        "failures": [{"seed": f["seed"], "error": f["error"]} for f in tally.failures],
    }


def _met(tally: Tally, thing: str) -> bool:
    """Whether a thing was met in a game watched closely, or lay in play at the end of any game."""
    return bool(tally.came[thing] or tally.acted[thing] or tally.seen[thing])


def _most_first(item: tuple[Any, int]) -> tuple[int, Any]:
    return -item[1], item[0]


def _histogram(values: Mapping[Any, int]) -> dict[str, int]:
    return {str(value): n for value, n in sorted(values.items())}


def _chapters(tally: Tally, content: Content) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for page in content.pages:
        outcomes = {o: n for (p, o), n in tally.chapter_outcomes.items() if p == page}
        last = {o: n for (p, o), n in tally.last_chapters.items() if p == page}
        made[page] = {
            "visits": tally.visits[page],
            "games": tally.chapter_games[page],
            "outcomes": dict(sorted(outcomes.items(), key=_most_first)),
            "last": dict(sorted(last.items(), key=_most_first)),
        }
    return made


def _edges(tally: Tally, content: Content) -> list[dict[str, Any]]:
    known = dict.fromkeys([*content.edges, *sorted(tally.edges)])
    return [
        {"from": a, "to": b, "by": content.edges.get((a, b), []), "times": tally.edges[a, b]}
        for a, b in known
    ]


def _things(tally: Tally, content: Content, names: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    games = tally.watched
    for name in names:
        met, won = tally.thing_games[name], tally.thing_wins[name]
        place = content.thing_place(name)
        entry: dict[str, Any] = {
            "title": place["title"],
            "kind": place["kind"],
            **{key: place[key] for key in ("file", "line") if key in place},
            "came": tally.came[name],
            "acted": tally.acted[name],
            "games": met,
            "share": met / games if games else 0.0,
        }
        if met:
            entry["win_rate"] = rate(won, met)
        if ENOUGH <= met <= games - ENOUGH:
            value, low, high = difference(won, met, tally.watched_wins - won, games - met)
            entry["swing"] = {"value": value, "low": low, "high": high}
        made[name] = entry
    return made


def _sites(tally: Tally, content: Content) -> list[dict[str, Any]]:
    games = tally.watched
    return [
        {
            **content.sites[number],
            "times": tally.hits[number],
            "games": tally.hit_games[number],
            "share": tally.hit_games[number] / games if games else 0.0,
        }
        for number in content.site_order
    ]


def _points(tally: Tally, content: Content) -> dict[str, Any]:
    options: dict[int, set[str]] = {}
    for point, option in tally.offered:
        options.setdefault(point, set()).add(option)
    made: dict[str, Any] = {}
    for point in sorted(options, key=content.point_order):
        rows: dict[str, dict[str, Any]] = {}
        for option in sorted(options[point]):
            key = point, option
            rows[option] = {
                **content.option_words(point, option),
                "offered": tally.offered[key],
                "taken": tally.taken[key],
                "games": tally.option_games[key],
            }
            if tally.taken[key]:
                rows[option]["win_rate"] = tally.taken_wins[key] / tally.taken[key]
        taken = {
            o: (tally.taken_wins[point, o] / tally.taken[point, o], tally.option_games[point, o])
            for o in options[point]
            if tally.taken[point, o]
        }
        made[content.point_name(point)] = {
            **content.point_words(point),
            "asked": sum(tally.taken[point, o] for o in options[point]),
            **content.point_place(point),
            "options": rows,
            "never_taken": [o for o, row in rows.items() if not row["taken"]],
            "always_taken": [o for o, row in rows.items() if row["taken"] == row["offered"]],
            "agency": agency(taken),
        }
    return made


def agency(taken: Mapping[str, tuple[float, int]]) -> dict[str, Any]:
    """How much the choice of an option goes with winning: the best against the worst, and the share it explains.

    Given is how often an option was followed by a win, and in how many games it was taken: whoever takes it twice in one
    game has still played one game. The share is corrected for the number of options, so that mere chance gives nought on average.
    """
    made: dict[str, Any] = {
        "spread": 0.0,
        "low": 0.0,
        "high": 0.0,
        "explained": 0.0,
        "best": None,
        "worst": None,
    }
    # Sums of fractions depend on their order in the last digit, and the order of names on the process.
    taken = dict(sorted(taken.items()))
    enough = {o: (rate, n) for o, (rate, n) in taken.items() if n >= ENOUGH}
    if len(enough) < 2:
        return made
    order = sorted(enough, key=lambda o: (enough[o][0], o))
    worst, best = order[0], order[-1]
    made["spread"], made["low"], made["high"] = difference(
        enough[best][0] * enough[best][1],
        enough[best][1],
        enough[worst][0] * enough[worst][1],
        enough[worst][1],
    )
    made["best"], made["worst"] = best, worst
    total = sum(n for _, n in taken.values())
    share = sum(rate * n for rate, n in taken.values()) / total
    whole = total * share * (1 - share)
    between = sum(n * (rate - share) ** 2 for rate, n in taken.values())
    groups = len(taken)
    if whole > 0 and total > groups:
        within = (whole - between) / (total - groups)
        made["explained"] = max(0.0, (between - (groups - 1) * within) / (whole + within))
    return made


def _by_first(counted: Mapping[Any, int]) -> dict[str, Counter[Any]]:
    made: dict[str, Counter[Any]] = {}
    for (name, *rest), times in counted.items():
        made.setdefault(name, Counter())[rest[0] if len(rest) == 1 else tuple(rest)] += times
    return dict(sorted(made.items()))


def _tracks(tally: Tally) -> dict[str, Any]:
    return {name: spread(values) for name, values in _by_first(tally.tracks).items()}


def _tracks_by_round(tally: Tally, content: Content) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, values in _by_first(tally.track_rounds).items():
        rounds: dict[int, Counter[Any]] = {}
        for (number, value), times in values.items():
            rounds.setdefault(number, Counter())[value] += times
        # Of a track that many things have, every one of them in every game counts.
        of = "things" if name in content.common_tracks else "games"
        made[name] = [{"round": number, **bands(rounds[number], of)} for number in sorted(rounds)]
    return made


def _measures(tally: Tally) -> dict[str, Any]:
    return {name: measured(values) for name, values in _by_first(tally.measures).items()}


def measured(values: Mapping[Any, int]) -> dict[str, Any]:
    """A measure over all games: numbers in spread and histogram, words in counts and shares."""
    if all(isinstance(value, (int, float)) for value in values):
        return {**spread(values), "histogram": _histogram(values)}
    words = {str(value): n for value, n in values.items()}
    if words.keys() <= {"yes", "no"}:
        words = {"yes": words.get("yes", 0), "no": words.get("no", 0)}
    games = sum(words.values())
    return {
        "counts": _histogram(words),
        "shares": {word: rate(n, games) for word, n in sorted(words.items())},
    }


def never(tally: Tally, content: Content, things: list[str]) -> dict[str, Any]:
    """Content that no game reached."""
    asked = {point for point, _ in tally.offered}
    return {
        "chapters": [
            content.page_place(page)
            for page in content.pages
            if not tally.visits[page] and page not in content.elsewhere
        ],
        "edges": [
            {"from": a, "to": b}
            for a, b in content.edges
            if not tally.edges[a, b] and a not in content.elsewhere
        ],
        "things": [content.thing_place(name) for name in things if not _met(tally, name)],
        "rules": [
            content.sites[number]
            for number in content.site_order
            if not tally.hits[number] and content.sites[number]["of"] not in content.elsewhere
        ],
        "points": [
            {"name": content.point_name(point), **content.point_words(point), **content.point_place(point)}
            for point in content.points
            if point not in asked and not content.is_elsewhere(point)
        ],
        "options": [
            {"point": content.point_name(point), "option": option, **content.point_place(point)}
            for point, option in sorted(tally.offered, key=lambda key: (content.point_order(key[0]), key[1]))
            if not tally.taken[point, option]
        ],
    }
