"""The story graph: what is read, what is written, and that the picture is readable."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from talewright.report.graph import render
from talewright.report.graph.layers import Box, Line, place
from talewright.report.graph.story import read_story

SVG = "{http://www.w3.org/2000/svg}"


def document(*edges: tuple[str, ...]) -> dict[str, Any]:
    return {
        "story": {
            "nodes": [
                {"id": "1A", "title": "The Choice", "kind": "Story", "ending": False},
                {"id": "2A", "title": 'The "Bell" & <Rope>', "kind": "Story", "ending": False},
                {"id": "end", "title": "Silence", "kind": "Ending", "ending": True, "result": "defeat"},
            ],
            "edges": [dict(zip(("from", "to", "label", "via"), edge, strict=False)) for edge in edges],
        }
    }


EDGES = (
    ("1A", "2A", "go down"),
    ("1A", "2A", "otherwise"),
    ("2A", "end", "cut", "D0110"),
    ("2A", "1A", "back"),
)


def test_edges_between_the_same_nodes_become_one_way() -> None:
    story = read_story(document(*EDGES))
    assert [(way.source, way.target, way.labels, way.via) for way in story.ways] == [
        ("1A", "2A", ("go down", "otherwise"), ""),
        ("2A", "end", ("cut",), "D0110"),
        ("2A", "1A", ("back",), ""),
    ]


def test_dot() -> None:
    assert render(document(*EDGES), "dot").splitlines()[3:-1] == [
        '    "1A" [label="The Choice\\n1A"];',
        '    "2A" [label="The \\"Bell\\" & <Rope>\\n2A"];',
        '    "end" [label="Silence\\nend\\ndefeat", shape=box, peripheries=2];',
        '    "1A" -> "2A" [label="go down\\notherwise"];',
        '    "2A" -> "end" [label="cut\\nby D0110", style=dashed];',
        '    "2A" -> "1A" [label="back"];',
    ]


def test_mermaid() -> None:
    assert render(document(*EDGES), "mermaid").splitlines() == [
        "flowchart TD",
        '    n0["The Choice<br/>1A"]',
        '    n1["The #quot;Bell#quot; #amp; #lt;Rope#gt;<br/>2A"]',
        '    n2(["Silence<br/>end<br/>defeat"])',
        '    n0 -->|"go down<br/>otherwise"| n1',
        '    n1 -.->|"cut<br/>by D0110"| n2',
        '    n1 -->|"back"| n0',
    ]


def test_svg_shows_every_title_and_label() -> None:
    root = ElementTree.fromstring(render(document(*EDGES, ("1A", "1A", "wait")), "svg"))
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {
        "The Choice",
        'The "Bell" & <Rope>',
        "Silence",
        "go down",
        "otherwise",
        "cut",
        "by D0110",
    } <= texts
    assert {"back", "wait", "end · Ending · defeat"} <= texts
    assert len(list(root.iter(f"{SVG}path"))) == 4 + 1  # four ways and the arrow head


def test_svg_of_a_story_without_chapters() -> None:
    text = render({"story": {"nodes": [], "edges": []}}, "svg")
    assert "There is no chapter." in text
    ElementTree.fromstring(text)


def test_svg_survives_any_text() -> None:
    nodes = [{"id": "a\x00", "title": "\x1b]]>&<" + "長い" * 200}, {"id": "b", "title": ""}]
    edges = [{"from": "a\x00", "to": "b", "label": "x" * 5000}, {"from": "b", "to": "nowhere"}]
    ElementTree.fromstring(render({"story": {"nodes": nodes, "edges": edges}}, "svg"))


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="no format"):
        render(document(), "png")


def overlapping(one: Box, other: Box) -> bool:
    return (
        abs(one.x - other.x) < (one.width + other.width) / 2 - 0.01
        and abs(one.y - other.y) < (one.height + other.height) / 2 - 0.01
    )


@settings(max_examples=60, deadline=None)
@given(some.integers(1, 14), some.lists(some.tuples(some.integers(0, 13), some.integers(0, 13)), max_size=30))
def test_nothing_overlaps_and_everything_lies_inside(count: int, pairs: list[tuple[int, int]]) -> None:
    boxes = [Box(80 + 10 * (number % 5), 40) for number in range(count)]
    lines = [Line(one % count, other % count, Box(50, 12)) for one, other in dict.fromkeys(pairs)]
    placed = place(boxes, lines)
    labels = [line.label for line in lines if line.source != line.target]
    every = [*boxes, *labels]
    assert not any(overlapping(one, other) for one, other in combinations(every, 2))
    for box in every:
        assert box.x - box.width / 2 >= -0.01
        assert box.x + box.width / 2 <= placed.width + 0.01
        assert box.y + box.height / 2 <= placed.height + 0.01


@settings(max_examples=40, deadline=None)
@given(some.lists(some.tuples(some.integers(0, 9), some.integers(0, 9)), max_size=25))
def test_without_rings_every_arrow_leads_downwards(pairs: list[tuple[int, int]]) -> None:
    boxes = [Box(80, 40) for _ in range(10)]
    forward = dict.fromkeys((min(pair), max(pair)) for pair in pairs if pair[0] != pair[1])
    lines = [Line(one, other, Box(50, 12)) for one, other in forward]
    place(boxes, lines)
    assert all(boxes[line.source].y < boxes[line.target].y for line in lines)


def test_a_chain_is_straight() -> None:
    boxes = [Box(80, 40) for _ in range(5)]
    lines = [Line(number, number + 1, Box(20, 12)) for number in range(4)]
    place(boxes, lines)
    assert {round(box.x, 6) for box in boxes} == {40.0}


def test_crossings_that_can_be_avoided_are_avoided() -> None:
    boxes = [Box(80, 40) for _ in range(7)]
    pairs = [(0, 1), (0, 2), (0, 3), (1, 6), (2, 5), (3, 4)]
    place(boxes, [Line(one, other, Box(20, 12)) for one, other in pairs])
    assert (boxes[1].x < boxes[2].x) == (boxes[6].x < boxes[5].x)
    assert (boxes[2].x < boxes[3].x) == (boxes[5].x < boxes[4].x)


def test_three_hundred_chapters_are_drawn() -> None:
    chance = random.Random(1)
    nodes = [{"id": f"c{number}", "title": f"Chapter {number}"} for number in range(300)]
    edges = [
        {"from": f"c{number}", "to": f"c{min(299, number + chance.randint(1, 9))}", "label": "on"}
        for number in range(299)
        for _ in range(2)
    ]
    text = render({"story": {"nodes": nodes, "edges": edges}}, "svg")
    assert text.count("<g>") == 300
