"""What holds for all tests."""

from __future__ import annotations

import gc
import time

import pytest
from slipcover import Slipcover, pytest_plugin

# Tests build much that stays and little that only a collection frees. By the numbers of Python itself, looking for garbage
# takes a fifth of their time.
gc.set_threshold(200_000, 20, 20)

# SlipCover takes its probes out of code that has run so often. By its own number, 50, it looks through all functions of all
# modules again and again, which takes longer than many of the tests: it does so now and then instead.
PAUSE = 15
counting: Slipcover | None = pytest_plugin._slipcover_instance
if counting is not None:
    counting.d_miss_threshold = -1
_next = [5.0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """After some seconds of work, takes out the probes that have done theirs."""
    if counting is not None and time.process_time() > _next[0]:
        counting.deinstrument_seen()
        _next[0] = time.process_time() + PAUSE
