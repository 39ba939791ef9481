"""Why a test does not pass."""

from __future__ import annotations


class Failure(Exception):
    """An expectation did not hold, or the test itself is wrong."""
