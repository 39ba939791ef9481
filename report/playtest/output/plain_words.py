"""The result of a playtest in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talewright.report.playtest.statistics.summary import agency

# An option is compared with another in words where it can be taken so often when it is asked.
OFFERED = 0.9


def sentences(result: Mapping[str, Any], titles: Mapping[str, str]) -> list[str]:
    """What a designer wants to hear first."""
    made = [*_broken(result), _won(result), _length(result)]
    endings = [ending for ending in result["outcomes"] if ending != "error"]
    if len(endings) > 1:
        ending = endings[0]
        share = result["outcomes"][ending] / result["finished"]
        made.append(f"The commonest ending is “{titles.get(ending, ending)}” ({share:.0%} of the games).")
    made += _deaths(result, titles)
    made += _choice(result)
    made += _skill(result)
    made += _luck(result)
    made += _dead(result)
    return made


def winnable(result: Mapping[str, Any]) -> bool:
    """Whether any ending counts as won; of a story that just ends, nobody asks how often it is."""
    return bool(result["winning"]) or result["win_rate"]["value"] > 0


def _broken(result: Mapping[str, Any]) -> list[str]:
    if not result["errors"]:
        return []
    return [
        f"{result['errors']} of {_many(result['games'], 'game')} broke off with an error. Mend that first: "
        "which games come to an end is not chance, so the rates of the others mislead."
    ]


def _won(result: Mapping[str, Any]) -> str:
    rate = result["win_rate"]
    how = {"random": "at random", "explore": "to explore", "guided": "by the package's hints"}
    how |= {"greedy": "greedily", "mcts": "by search"}
    bot = result["bot"]
    played = f"{_many(result['finished'], 'game')} played {how.get(bot, f'by {bot}')}"
    if not winnable(result):
        return f"{played}. No ending counts as won (none has a result such as victory), so nothing is said of winning."
    return (
        f"{played}: {rate['value']:.1%} were won "
        f"(between {rate['low']:.1%} and {rate['high']:.1%}, with 95 % confidence)."
    )


def _span(spread: Mapping[str, Any], form: str, between: str) -> str:
    """Where nine in ten lie: one number where that is all they are."""
    low, high = format(spread["p5"], form), format(spread["p95"], form)
    return low if low == high else f"{low} {between} {high}"


def _length(result: Mapping[str, Any]) -> str:
    decisions, rounds = result["decisions"], result["rounds"]
    text = f"A game takes {_many(round(decisions['mean']), 'decision')}"
    if round(rounds["mean"]):
        text += f" in {_many(round(rounds['mean']), 'round')}; nine in ten take {_span(rounds, '.0f', 'to')}"
    return text + "."


def _deaths(result: Mapping[str, Any], titles: Mapping[str, str]) -> list[str]:
    lost = {page: sum(entry["last"].values()) for page, entry in result["chapters"].items()}
    known = {page: n for page, n in lost.items() if n}
    if len(known) < 2:
        return []
    page = max(known, key=lambda p: known[p])
    return [f"Most games end in “{titles.get(page, page)}” ({known[page] / result['games']:.0%})."]


def _choice(result: Mapping[str, Any]) -> list[str]:
    if not 0 < result["win_rate"]["value"] < 1:
        return []
    if not any(point["agency"]["low"] > 0 for point in result["points"].values()):
        return ["No choice goes with winning more than chance would explain."] if result["points"] else []
    compared = {name: agency(_comparable(point)) for name, point in result["points"].items()}
    points = {name: found for name, found in compared.items() if found["low"] > 0}
    if not points:
        return []
    name = max(points, key=lambda n: points[n]["explained"])
    best, point = points[name], result["points"][name]
    better, worse = option_name(point, best["best"]), option_name(point, best["worst"])
    return [
        f"The choice that goes most with winning is {decision_name(name, point)}: with “{better}”, "
        f"{best['spread'] * 100:.0f} points more are won than with “{worse}”."
    ]


def _comparable(point: Mapping[str, Any]) -> dict[str, tuple[float, int]]:
    """The options that can nearly always be taken: what only those can take who have come far decides nothing."""
    return {
        option: (row["win_rate"], row["games"])
        for option, row in point["options"].items()
        if row["taken"] and row["offered"] >= OFFERED * point["asked"]
    }


def decision_name(name: str, point: Mapping[str, Any]) -> str:
    """A decision by what is asked and where: `“Which way?” (travel.c)`; by its id alone where nothing is asked."""
    return f"“{point['asks']}” ({name})" if point.get("asks") else name


def option_name(point: Mapping[str, Any], option: str) -> str:
    """An option by its title, where it has one."""
    row = point["options"].get(option, {})
    return str(row.get("title", option))


def measure_name(measure: str) -> str:
    """A measure in words."""
    return measure.replace("_", " ")


def _skill(result: Mapping[str, Any]) -> list[str]:
    skill = result.get("skill")
    if skill is None or "gap" not in skill or not winnable(result):
        return []
    gap = skill["gap"]
    text = f"Played by {skill['bot']} the same games are won {skill['win_rate']['value']:.1%}: "
    if gap["low"] <= 0 <= gap["high"]:
        return [text + "no difference that chance could not make."]
    # The gap is ours less theirs; what is told is theirs less ours.
    more = "more" if gap["value"] < 0 else "less"
    near, far = sorted((abs(gap["low"]), abs(gap["high"])))
    return [
        f"{text}{abs(gap['value']) * 100:.0f} points {more} ({near * 100:.0f} to {far * 100:.0f}) than by {result['bot']}."
    ]


def _luck(result: Mapping[str, Any]) -> list[str]:
    streams = result.get("luck", {}).get("streams", {})
    shares = {name: s["share"] for name, s in streams.items() if s["share"] and name != "choices"}
    if not shares:
        return []
    name = max(shares, key=lambda n: shares[n])
    return [
        f"The chance that decides most is {stream_name(name)} ({shares[name]:.0%} of all that can turn a game)."
    ]


def _dead(result: Mapping[str, Any]) -> list[str]:
    never = result["never"]
    missing = [
        _many(len(never[kind]), word)
        for kind, word in (
            ("chapters", "page"),
            ("edges", "way"),
            ("things", "thing"),
            ("rules", "rule or row"),
            ("points", "decision"),
            ("options", "option"),
        )
        if never[kind]
    ]
    if not missing:
        return ["Every page, way, thing, rule, decision and option was met."]
    text = ", ".join(missing[:-1]) + (" and " if len(missing) > 1 else "") + missing[-1]
    return [f"Never met: {text} ({_looked_at(result, never)})."]


def _looked_at(result: Mapping[str, Any], never: Mapping[str, Any]) -> str:
    """The number of games in which something was looked for and never met, in words."""
    if result["watched"] >= result["finished"]:
        return f"in {_many(result['finished'], 'game')}"
    parts = []
    if never["chapters"] or never["edges"]:
        parts.append(f"pages and ways in all {_many(result['finished'], 'game')}")
    if any(never[kind] for kind in ("things", "rules", "points", "options")):
        parts.append(
            f"the rest in the {result['watched']} games watched closely"
            if parts
            else f"in the {result['watched']} of {_many(result['finished'], 'game')} that were watched closely"
        )
    return ", ".join(parts)


ENOUGH = 20


def always_taken(result: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Options that were never passed over, though others were offered beside them: decision, option, decision's entry."""
    return [
        (name, option, point)
        for name, point in result["points"].items()
        for option in point["always_taken"]
        if len(point["options"]) > 1
        if point["options"][option]["offered"] >= ENOUGH
    ]


def stream_name(name: str) -> str:
    """A stream of chance in words."""
    kind, _, rest = name.partition(":")
    what = rest.removesuffix(":None").replace(":", " for ").replace("_", " ")
    return {"die": f"the die {what}", "pile": f"the order of {what}", "bag": f"the bag {what}"}.get(
        kind, name.replace("_", " ")
    )


def _many(count: int, word: str) -> str:
    plural = "rules or rows" if word == "rule or row" else f"{word}s"
    return f"{count} {word if count == 1 else plural}"
