"""The story graph as a picture."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from talewright.report.graph.layers import Box, Line, place
from talewright.report.graph.story import Node, Story, Way

MARGIN = 24.0
TITLE, SMALL = 14.0, 11.0
TITLE_COLUMNS, LABEL_COLUMNS, LABEL_LINES = 24, 28, 6
LOOP = 26.0
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Attributes, not a style sheet: many viewers and printers read only these.
_SERIF = 'font-family="Georgia, serif" text-anchor="middle" fill="#222222" font-size="14"'
_SANS = 'font-family="Helvetica, Arial, sans-serif" text-anchor="middle" fill="#555555" font-size="11"'
_STYLES = {
    "title": _SERIF,
    "small": _SANS,
    "chapter": 'fill="#f6f1e4" stroke="#6b5d3e" stroke-width="1.2"',
    "ending": 'fill="#e4ecf6" stroke="#34506e" stroke-width="2.4"',
    "way": 'fill="none" stroke="#777777" stroke-width="1.3"',
    "card": 'fill="none" stroke="#9a4a20" stroke-width="1.3" stroke-dasharray="6 4"',
    "label": 'fill="#ffffff"',
}


def draw(story: Story, fills: Mapping[str, str] | None = None, notes: Mapping[str, str] | None = None) -> str:
    """The whole picture, complete in itself; nodes may have a colour and a note of their own."""
    if not story.nodes:
        return _picture(240, 60, [f'<text {_SERIF} x="120" y="34">There is no chapter.</text>'])
    captions = [_caption(node, (notes or {}).get(node.id, "")) for node in story.nodes]
    boxes = [_node_box(caption) for caption in captions]
    numbers = {node.id: number for number, node in enumerate(story.nodes)}
    texts = [_label_lines(way) for way in story.ways]
    lines = [
        Line(numbers[way.source], numbers[way.target], _label_box(text))
        for way, text in zip(story.ways, texts, strict=True)
    ]
    for line in lines:
        if line.source == line.target:
            boxes[line.source].side = LOOP + line.label.width
    placed = place(boxes, lines)
    parts: list[str] = []
    for line, way in zip(lines, story.ways, strict=True):
        parts.append(_way(line, way, boxes))
    for line, text in zip(lines, texts, strict=True):
        parts += _label(line, text, boxes)
    for node, box, caption in zip(story.nodes, boxes, captions, strict=True):
        parts.append(_node(node, box, caption, (fills or {}).get(node.id, "")))
    return _picture(placed.width + 2 * MARGIN, placed.height + 2 * MARGIN, parts)


def _picture(width: float, height: float, parts: Sequence[str]) -> str:
    arrow = '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">',
        "<title>Story graph</title>",
        f'<defs>{arrow}orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#777"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def _caption(node: Node, note: str = "") -> list[tuple[str, str]]:
    """The lines in a box, each with its style."""
    lines = [(line, "title") for line in _wrapped(node.title, TITLE_COLUMNS)]
    below = [part for part in (node.id if node.id != node.title else "", node.kind, node.result) if part]
    small = [*_wrapped(" · ".join(below), TITLE_COLUMNS + 6), *_wrapped(note, TITLE_COLUMNS + 6)]
    return [*lines, *((line, "small") for line in small)]


def _label_lines(way: Way) -> list[str]:
    lines = [line for label in way.labels for line in _wrapped(label, LABEL_COLUMNS)]
    if len(lines) > LABEL_LINES:
        lines = [*lines[: LABEL_LINES - 1], "…"]
    return [*lines, *_wrapped(f"by {way.via}", LABEL_COLUMNS)] if way.via else lines


def _wrapped(text: str, columns: int) -> list[str]:
    clean = _NOT_XML.sub("\ufffd", " ".join(text.split()))
    return textwrap.wrap(clean, columns) if clean else []


def _text_width(text: str, size: float) -> float:
    wide = sum(1 for letter in text if unicodedata.east_asian_width(letter) in "WF")
    return (len(text) + 0.8 * wide) * size * 0.56


def _node_box(caption: list[tuple[str, str]]) -> Box:
    sizes = [TITLE if style == "title" else SMALL for _, style in caption]
    width = max(_text_width(text, size) for (text, _), size in zip(caption, sizes, strict=True))
    return Box(max(90.0, width + 28.0), sum(size + 5.0 for size in sizes) + 16.0)


def _label_box(lines: list[str]) -> Box:
    width = max((_text_width(line, SMALL) for line in lines), default=0.0)
    return Box(width + 8.0, (SMALL + 4.0) * len(lines))


def _node(node: Node, box: Box, caption: list[tuple[str, str]], fill: str = "") -> str:
    x, y = box.x - box.width / 2 + MARGIN, box.y - box.height / 2 + MARGIN
    style, round_ = ("ending", min(22.0, box.height / 2)) if node.ending else ("chapter", 6.0)
    look = re.sub('fill="[^"]*"', f'fill="{fill}"', _STYLES[style]) if fill else _STYLES[style]
    parts = [
        f"<g><title>{escape(_NOT_XML.sub(chr(0xFFFD), node.title))}</title>",
        f'<rect {look} x="{x:.1f}" y="{y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{round_:.0f}"/>',
    ]
    at = y + 6.0
    for text, kind in caption:
        size = TITLE if kind == "title" else SMALL
        at += size + 4.0
        parts.append(f'<text {_STYLES[kind]} x="{box.x + MARGIN:.1f}" y="{at:.1f}">{escape(text)}</text>')
        at += 1.0
    return "".join([*parts, "</g>"])


def _way(line: Line, way: Way, boxes: list[Box]) -> str:
    style = _STYLES["card" if way.via else "way"]
    return f'<path {style} marker-end="url(#arrow)" d="{_course(line, boxes)}"/>'


def _course(line: Line, boxes: list[Box]) -> str:
    source, target = boxes[line.source], boxes[line.target]
    if line.source == line.target:
        x, y = source.x + source.width / 2 + MARGIN, source.y + MARGIN
        far = x + LOOP
        return f"M{x:.1f},{y - 8:.1f} C{far:.1f},{y - 24:.1f} {far:.1f},{y + 24:.1f} {x:.1f},{y + 8:.1f}"
    sign = 1.0 if source.layer < target.layer else -1.0
    points = [(source.x, source.y + sign * source.height / 2)]
    for bend in line.through:
        # Vertical within a row, so that the line does not cross its neighbours.
        half = bend.row / 2
        points += (
            [(bend.x, bend.y - sign * half), (bend.x, bend.y + sign * half)] if half else [(bend.x, bend.y)]
        )
    points.append((target.x, target.y - sign * target.height / 2))
    moved = [(x + MARGIN, y + MARGIN) for x, y in points]
    parts = [f"M{moved[0][0]:.1f},{moved[0][1]:.1f}"]
    for (x1, y1), (x2, y2) in pairwise(moved):
        middle = (y1 + y2) / 2
        parts.append(f"C{x1:.1f},{middle:.1f} {x2:.1f},{middle:.1f} {x2:.1f},{y2:.1f}")
    return " ".join(parts)


def _label(line: Line, text: list[str], boxes: list[Box]) -> list[str]:
    if not text:
        return []
    box = line.label
    x, y = box.x, box.y
    if line.source == line.target:
        node = boxes[line.source]
        x, y = node.x + node.width / 2 + LOOP * 0.8 + box.width / 2, node.y
    left, top = x - box.width / 2 + MARGIN, y - box.height / 2 + MARGIN
    size = f'width="{box.width:.1f}" height="{box.height:.1f}"'
    parts = [f'<rect {_STYLES["label"]} x="{left:.1f}" y="{top:.1f}" {size}/>']
    for number, row in enumerate(text):
        at = top + (SMALL + 4.0) * (number + 1) - 4.0
        parts.append(f'<text {_SANS} x="{x + MARGIN:.1f}" y="{at:.1f}">{escape(row)}</text>')
    return parts
