"""What holds for all tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Looking at every line makes games four times as long; tests that only play or compile much do without."""
    if item.get_closest_marker("unwatched") is None:
        return (yield)
    watching = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(watching)
