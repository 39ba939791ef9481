"""The story graph of a document, drawn or written for other tools.

- `story`: the story as nodes and ways
- `notations`: for Graphviz and Mermaid
- `layers`, `svg`: a layered layout, and the picture
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talewright.report.graph.notations import dot, mermaid
from talewright.report.graph.story import read_story
from talewright.report.graph.svg import draw

FORMATS = {"svg": draw, "dot": dot, "mermaid": mermaid}


def render(document: Mapping[str, Any], format: str) -> str:
    """The story graph of a document as `svg`, `dot` or `mermaid`."""
    if format not in FORMATS:
        raise ValueError(f"no format is called {format}")
    return FORMATS[format](read_story(document))
