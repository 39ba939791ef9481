"""The result of a playtest as text for a terminal."""

from __future__ import annotations

from typing import Any

from talewright.report.playtest.output.plain_words import (
    always_taken,
    decision_name,
    measure_name,
    option_name,
    sentences,
)

LISTED = 6


def page(result: dict[str, Any], document: dict[str, Any]) -> str:
    """The result in plain words and a few numbers."""
    titles = {n["id"]: n["title"] for n in document["story"]["nodes"]}
    results = {n["id"]: n.get("result", "") for n in document["story"]["nodes"]}
    seats = f"{result['players']} {'seat' if result['players'] == 1 else 'seats'}"
    games = f"{result['games']} {'game' if result['games'] == 1 else 'games'}"
    lines = [
        f"{document['package']['title']}: {games}, {seats}, {result['bot']} play, seed {result['seed']}",
        "",
        *(f"  {sentence}" for sentence in sentences(result, titles)),
        "",
    ]
    width = max((len(titles.get(o, o)) for o in result["outcomes"]), default=0)
    for outcome, rate in result["outcome_rates"].items():
        title, word = titles.get(outcome, outcome), (results.get(outcome) or "").replace("_", " ")
        between = f"({rate['low']:.1%} to {rate['high']:.1%})"
        count = result["outcomes"][outcome]
        lines.append(f"  {title:<{width}}  {count:6d}  {rate['value']:6.1%}  {between:<18}  {word}".rstrip())
    for name, spread in result["tracks"].items():
        title = result["track_titles"][name]
        lines.append(
            f"  track {title}: {spread['median']:.0f} at the end (nine games in ten from {spread['p5']:.0f} to {spread['p95']:.0f})"
        )
    for measure, spread in result["measures"].items():
        name = measure_name(measure)
        if "mean" in spread:
            lines.append(
                f"  {name}: {spread['mean']:.4g} on average ({spread['low']:.4g} to {spread['high']:.4g} with 95 % "
                f"confidence; nine games in ten from {spread['p5']:g} to {spread['p95']:g})"
            )
        else:
            shares = spread["shares"]
            words = ["yes"] if "yes" in shares else list(shares)
            lines += [
                f"  {name}: {word} in {shares[word]['value']:.1%} ({shares[word]['low']:.1%} to {shares[word]['high']:.1%})"
                for word in words
            ]
    lines += _never(result, titles)
    lines += _errors(result)
    lines += ["", f"{result['games_per_second']:.0f} games a second"]
    return "\n".join(lines) + "\n"


def _errors(result: dict[str, Any]) -> list[str]:
    """What went wrong, a line for each error, with the seeds of games in which it did."""
    seeds: dict[str, list[int]] = {}
    for failure in result["failures"]:
        seeds.setdefault(failure["error"], []).append(failure["seed"])
    return [
        f"  error with seed{'s' if len(found) > 1 else ''} {', '.join(map(str, found[:LISTED]))}"
        f"{' and others' if len(found) > LISTED else ''}: {error}"
        for error, found in seeds.items()
    ]


def _never(result: dict[str, Any], titles: dict[str, str]) -> list[str]:
    lines = []
    for kind, entries in result["never"].items():
        shown = [_entry(kind, entry, result, titles) for entry in entries[:LISTED]]
        more = f" and {len(entries) - LISTED} more" if len(entries) > LISTED else ""
        if shown:
            word = {"points": "decisions", "edges": "ways", "options": "options taken"}.get(kind, kind)
            games = f"in {result['never_of'][kind]} games"
            lines.append(f"  never met {games}, {word}: {', '.join(shown)}{more}")
    always = [
        f"{decision_name(name, point)}: {option_name(point, option)}"
        for name, option, point in always_taken(result)
    ]
    if always:
        more = f" and {len(always) - LISTED} more" if len(always) > LISTED else ""
        lines.append(f"  always taken when offered: {', '.join(always[:LISTED])}{more}")
    return lines


def _entry(kind: str, entry: dict[str, Any], result: dict[str, Any], titles: dict[str, str]) -> str:
    """What was never met, as people call it, with its id and place behind."""
    place = f"{entry['file']}:{entry['line']}" if "file" in entry else ""
    match kind:
        case "edges":
            return " -> ".join(titles.get(entry[end], entry[end]) for end in ("from", "to"))
        case "points":
            name = decision_name(entry["name"], entry)
        case "options":
            point = result["points"][entry["point"]]
            name = f"{decision_name(entry['point'], point)}: {option_name(point, entry['option'])}"
        case _:
            name, id_ = entry.get("title") or entry.get("name") or entry["id"], entry.get("id", "")
            place = ", ".join(part for part in (id_ if id_ != name else "", place) if part)
    return f"{name} ({place})" if place else str(name)
