"""The report of a playtest: one page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jinja2
from markupsafe import Markup

from talewright.dsl.text_sanitizer import harmless
from talewright.report.graph.story import Node, Story, Way, read_story
from talewright.report.graph.svg import draw
from talewright.report.playtest.output.charts import bars, histogram, over_rounds, reached
from talewright.report.playtest.output.plain_words import (
    always_taken,
    decision_name,
    measure_name,
    option_name,
    sentences,
    stream_name,
    winnable,
)
from talewright.runtime.lower.builds.dealing import WINNING

MOST_DRAWN = 120
# Words of a `result` that make an ending a defeat; one that is neither won nor lost has no colour of its own.
LOSING = frozenset(("defeat", "loss", "lose", "lost", "failure", "ruin", "vanquished", "bad"))
_CHAPTER, _WON, _LOST = (226, 178, 92), (120, 190, 140), (224, 140, 120)
Link = Callable[[str, int], str]


def render(
    result: Mapping[str, Any],
    document: Mapping[str, Any],
    link: Link | None = None,
    notes: Sequence[str] = (),
) -> str:
    """The whole page. `link` gives the address of a line of a source file, or nothing; `notes` are verdicts and the like."""
    nodes = {node["id"]: node for node in document["story"]["nodes"]}
    titles = {name: node.get("title") or name for name, node in nodes.items()}
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("talewright.report.playtest.output", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = lambda value: f"{value:.1%}"
    environment.filters["points"] = lambda value: f"{value * 100:+.0f}"
    environment.globals["place"] = lambda entry: _place(entry, link)
    environment.globals["stream_name"] = stream_name
    template = environment.get_template("playtest.html.jinja")
    html = template.render(
        title=document["package"]["title"],
        result=result,
        winnable=winnable(result),
        titles=titles,
        sought={page["id"] for page in result["never"]["chapters"]},
        sought_ways={(way["from"], way["to"]) for way in result["never"]["edges"]},
        words=sentences(result, titles),
        outcomes=Markup(_outcomes(result, nodes, titles)),
        lengths=[
            (name, Markup(histogram(result["lengths"][name], f"{name} of a game")))
            for name in ("rounds", "decisions")
            if any(value != "0" for value in result["lengths"][name])
        ],
        tracks=[
            (n, Markup(over_rounds(reached(rows), f"{n} by round")), any("things" in row for row in rows))
            for track, rows in result["tracks_by_round"].items()
            for n in [result["track_titles"][track]]
        ],
        measures=[
            (n, entry, Markup(histogram(entry["histogram"], n)) if _plottable(entry) else "")
            for measure, entry in result["measures"].items()
            for n in [measure_name(measure)]
        ],
        closely=_closely(result),
        contents=_contents(result),
        notes=[note.strip() for note in notes],
        always=always_taken(result),
        decision_name=decision_name,
        option_name=option_name,
        graph=Markup(_graph(result, document)),
        endings={name for name, node in nodes.items() if node.get("ending")},
    )
    return harmless(html)


def _contents(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The sections that the page has."""
    long = any(value != "0" for counted in result["lengths"].values() for value in counted)
    sections = [
        ("outcomes", "Outcomes", True),
        ("length", "Length", long),
        ("tracks", "Tracks", result["tracks_by_round"]),
        ("story", "Story", result["chapters"]),
        ("things", "Things", result["things"]),
        ("choices", "Choices", result["points"]),
        ("skill", "Skill", "skill" in result and winnable(result)),
        ("chance", "Chance", result["chance"]),
        ("measures", "Measures", result["measures"]),
        ("rules", "Rules", True),
        ("never", "Never met", True),
        ("failures", "Broke off", result["failures"]),
    ]
    return [(name, heading) for name, heading, there in sections if there]


def _closely(result: Mapping[str, Any]) -> str:
    """Says so where not all games were watched closely."""
    if result["watched"] >= result["finished"]:
        return ""
    return f" Counted in the {result['watched']} games that were watched closely."


def _place(entry: Mapping[str, Any], link: Link | None) -> Markup:
    if "file" not in entry:
        return Markup("")
    text = f"{entry['file']}:{entry['line']}"
    address = link(entry["file"], entry["line"]) if link is not None else ""
    if not address:
        return Markup('<span class="place">{}</span>').format(text)
    return Markup('<a class="place" href="{}">{}</a>').format(address, text)


def _plottable(entry: Mapping[str, Any]) -> bool:
    whole = all(float(value).is_integer() for value in entry.get("histogram", ()))
    return "mean" in entry and whole and len(entry["histogram"]) > 1


def _outcomes(result: Mapping[str, Any], nodes: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    rows = []
    for name, rate in result["outcome_rates"].items():
        words = set(str(nodes.get(name, {}).get("result") or "").split("_"))
        style = "failed" if name == "error" else "bar"
        if winnable(result) and words & (WINNING | LOSING):
            style = "won" if words & WINNING else "lost"
        rows.append((titles.get(name, name), rate["value"], rate["low"], rate["high"], style))
    return bars(rows)


def _graph(result: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """The story, each page coloured by how many games came there and noted with how they ended."""
    story = _told(read_story(document), result["edges"])
    if len(story.nodes) < 2 or len(story.nodes) > MOST_DRAWN:
        return ""
    sought = {page["id"] for page in result["never"]["chapters"]}
    fills: dict[str, str] = {}
    notes: dict[str, str] = {}
    for node in story.nodes:
        entry = result["chapters"].get(node.id)
        if entry is None:
            continue
        share = entry["games"] / result["games"] if result["games"] else 0.0
        fills[node.id] = _shade(share, _deepest(node, winnable(result)))
        if entry["games"] or node.id in sought:
            notes[node.id] = f"{share:.0%} of the games" if entry["games"] else "never reached"
    return draw(story, fills=fills, notes=notes)


def _deepest(node: Node, winnable: bool) -> tuple[int, int, int]:
    """The colour of a page that every game comes by; only endings that say so are won or lost."""
    words = set(node.result.split("_")) if node.ending and winnable else set()
    return _WON if words & WINNING else _LOST if words & LOSING else _CHAPTER


def _told(story: Story, edges: Sequence[Mapping[str, Any]]) -> Story:
    """The story without ways that come from no page, and with those that only play shows: rules can end a game anywhere."""
    nodes = tuple(node for node in story.nodes if node.id)
    ways = [way for way in story.ways if way.source and way.target]
    drawn = {(way.source, way.target) for way in ways}
    known = {node.id for node in nodes}
    for edge in edges:
        ends = edge["from"], edge["to"]
        if edge["times"] and ends not in drawn and known.issuperset(ends):
            ways.append(Way(*ends, (), ""))
    return Story(nodes, tuple(ways))


def _shade(share: float, deep: tuple[int, int, int]) -> str:
    """White for never, deeper the more games come by."""
    if share == 0:
        return "#ffffff"
    weight = 0.15 + 0.85 * share
    return "#" + "".join(f"{round(255 - (255 - channel) * weight):02x}" for channel in deep)
