"""What the renderers of test outcomes work on."""

from __future__ import annotations

from talewright.schemas.records import record


@record(frozen=True)
class Tested:
    """What became of one test; the lines are those of its file, from 1."""

    title: str
    file: str
    line: int
    covers: tuple[str, ...] = ()
    message: str = ""
    failed_line: int = 0
    failed_text: str = ""
    trace: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether every expectation held."""
        return not self.message

    @property
    def place(self) -> str:
        """Where to look: the failing line, or the test's own."""
        return f"{self.file}:{self.failed_line or self.line}"


def by_file(tests: list[Tested]) -> dict[str, list[Tested]]:
    """The tests of each file, in the order they ran."""
    files: dict[str, list[Tested]] = {}
    for test in tests:
        files.setdefault(test.file, []).append(test)
    return files
