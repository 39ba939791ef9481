"""What holds for all tests."""

from __future__ import annotations

from slipcover import Slipcover, pytest_plugin

# SlipCover takes its probes out of code that has run so often. Each time it looks through all functions of all modules; by
# its own number, 50, it does so again and again, which takes longer than many of the tests. A worker has no option for it.
RUNS = 20_000

counting: Slipcover | None = pytest_plugin._slipcover_instance
if counting is not None:
    counting.d_miss_threshold = RUNS
