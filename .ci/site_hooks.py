"""What the site changes in pages: fences keep only their language, whose other words are for the tests."""

from __future__ import annotations

import re
from typing import Any

_FENCE = re.compile(r"^```(\w+)[^\n`]*$", re.MULTILINE)


def on_page_markdown(markdown: str, **rest: Any) -> str:
    """Called by MkDocs for the text of each page."""
    return _FENCE.sub(r"```\1", markdown)
