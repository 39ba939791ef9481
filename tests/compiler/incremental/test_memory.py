"""What a process that goes on keeps of earlier runs, and for how long."""

from __future__ import annotations

from pathlib import Path

from talewright.compiler.incremental import memory
from talewright.compiler.incremental.memory import MemoryStore
from talewright.lsp.project import Project


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


def test_a_server_keeps_as_much_after_many_edits_as_after_some(tmp_path: Path) -> None:
    (tmp_path / "tale.toml").write_text(
        'name = "pier"\nversion = "0.1.0"\ntitle = "The Pier"\ntype = "system"\n'
    )
    text = "kind Book is Card\naction game:\n    nothing\n"
    (tmp_path / "rules.tale").write_text(text)
    (tmp_path / "more.tale").write_text("kind Boat is Card\n")
    project = Project(tmp_path)
    sizes = []
    for number in range(3 * memory.MAX_IDLE):
        # Each fifth text has a mistake: such runs end, too.
        wrong = " : :" if number % 5 == 0 else ""
        project.compile({str(tmp_path / "rules.tale"): f"{text}value n{number} = {number}{wrong}\n"})
        sizes.append(len(project._store._kept))
    assert max(sizes[2 * memory.MAX_IDLE :]) <= max(sizes[: 2 * memory.MAX_IDLE])
    assert sizes[-1] < 4 * memory.MAX_IDLE
