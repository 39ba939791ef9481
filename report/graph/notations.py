"""The story graph in the notations of Graphviz and Mermaid."""

from __future__ import annotations

import html

from talewright.report.graph.story import Node, Story, Way


def dot(story: Story) -> str:
    """The graph for Graphviz."""
    lines = ["digraph story {", '    node [shape=box, style=rounded, fontname="sans-serif"];']
    lines.append('    edge [fontname="sans-serif", fontsize=10];')
    for node in story.nodes:
        shape = ", shape=box, peripheries=2" if node.ending else ""
        lines.append(f"    {_dot_text([node.id])} [label={_dot_text(_caption(node))}{shape}];")
    for way in story.ways:
        style = ", style=dashed" if way.via else ""
        ends = f"{_dot_text([way.source])} -> {_dot_text([way.target])}"
        lines.append(f"    {ends} [label={_dot_text(_labels(way))}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def mermaid(story: Story) -> str:
    """The graph for Mermaid, whose names are numbered because ids may be words of its own."""
    names = {node.id: f"n{number}" for number, node in enumerate(story.nodes)}
    lines = ["flowchart TD"]
    for node in story.nodes:
        begin, end = ("([", "])") if node.ending else ("[", "]")
        lines.append(f"    {names[node.id]}{begin}{_mermaid_text(_caption(node))}{end}")
    for way in story.ways:
        arrow = "-.->" if way.via else "-->"
        texts = _labels(way)
        label = f"|{_mermaid_text(texts)}|" if texts else ""
        lines.append(f"    {names[way.source]} {arrow}{label} {names[way.target]}")
    return "\n".join(lines) + "\n"


def _caption(node: Node) -> list[str]:
    lines = [node.title]
    if node.title != node.id:
        lines.append(node.id)
    return [*lines, node.result] if node.result else lines


def _labels(way: Way) -> list[str]:
    return [*way.labels, f"by {way.via}"] if way.via else list(way.labels)


def _dot_text(lines: list[str]) -> str:
    escaped = [" ".join(line.split()).replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'


def _mermaid_text(lines: list[str]) -> str:
    # Mermaid writes entities with `#` in place of `&`, and Markdown must not be read into a title.
    escaped = [html.escape(" ".join(line.replace("#", "").split())).replace("&", "#") for line in lines]
    return '"' + "<br/>".join(line.replace("`", "#96;") for line in escaped) + '"'
