"""Removes control characters from texts of packages before they reach a terminal, a drawing or a log."""

from __future__ import annotations

import re

# Control characters except line breaks and tabs, and characters that change the direction of writing.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """The text with a mark in place of each character that could control a terminal or hide text."""
    return CONTROL.sub("\ufffd", text)
