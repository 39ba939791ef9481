"""The one filter for texts of packages on their way to a terminal, a drawing or a log."""

from __future__ import annotations

import re

# Control characters but line breaks and tabs, and signs that turn the direction of writing round.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """The text, with a mark for each sign that could command a terminal or hide what is written."""
    return _CONTROL.sub("\ufffd", text)
