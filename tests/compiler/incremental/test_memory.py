"""What a process that goes on keeps of earlier runs, and for how long."""

from __future__ import annotations

from talewright.compiler.incremental import memory
from talewright.compiler.incremental.memory import MemoryStore


def test_what_every_run_asks_for_stays_and_the_rest_goes() -> None:
    store = MemoryStore()
    store.save("every run", 1)
    for number in range(3 * memory.MAX_IDLE):
        store.save(f"edit {number}", number)
        assert store.load("every run") == 1
        store.tidy()
    assert len(store._kept) == memory.MAX_IDLE + 1
    assert store.load(f"edit {3 * memory.MAX_IDLE - 1}") is not None
    assert store.load("edit 0") is None


def test_an_edit_that_is_taken_back_is_still_known() -> None:
    store = MemoryStore()
    store.save("before", "share")
    for _ in range(memory.MAX_IDLE):
        store.tidy()
    assert store.load("before") == "share"
    for _ in range(memory.MAX_IDLE + 1):
        store.tidy()
    assert store.load("before") is None
