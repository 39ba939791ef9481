"""A journal of mutation testing: every break as it is tried, so that a run that was stopped can go on.

It lies in the user's cache folder, one for each package folder. What is kept there holds as long as the rules of the
package and this toolkit are the same. Tests may change: a break that an unchanged test noticed stays noticed, and every
other is tried again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson

from talewright.dsl import user_cache
from talewright.runtime.proving.breaker import Tried
from talewright.runtime.proving.breaking import Break
from talewright.runtime.proving.breaking import Path as Place
from talewright.runtime.session.kept_programs import toolkit_digest
from talewright.runtime.session.saves import SPOT, document_hash
from talewright.schemas.records import record

FORMAT: Final = "talewright breaks journal"
# So many packages have a journal at a time.
MOST_JOURNALS: Final = 16
CHECK: Final = "check"


@record(frozen=True)
class Kept:
    """What became of a break: the mark of who noticed it, or of all the tests that did not."""

    by: str
    unnoticed_by: str
    reached: bool


class BreakJournal:
    """A file with one line for each break that was tried."""

    def __init__(self, path: Path | None, document: dict[str, Any], tests: Sequence[int]) -> None:
        """`tests` are the numbers of those that are run; without a path nothing is kept."""
        self.path = path
        self._head = {
            "format": FORMAT, "rules": document_hash(document), "toolkit": toolkit_digest().hex(),
        }  # fmt: skip
        declared = document["content"]["tests"]
        self._mark_of = {index: _mark(declared[index]) for index in tests}
        self._marks = frozenset(self._mark_of.values())
        self._all = _mark(sorted(self._marks))
        self._kept: dict[tuple[Place, str], Kept] = {}
        self.changed = False
        """Whether there is a journal, but of other rules."""
        self._read()

    def _read(self) -> None:
        if self.path is None:
            return
        try:
            head, *lines = self.path.read_bytes().split(b"\n")
        except OSError:
            return
        if _line(head) != self._head:
            self.changed = True
            return
        for line in lines:
            # The last line may be cut short.
            match _line(line):
                case [list(way), str(what), str(by), str(unnoticed_by), bool(reached)]:
                    self._kept[tuple(way), what] = Kept(by, unnoticed_by, reached)

    def begin(self) -> None:
        """Writes the journal anew, with what still holds."""
        if self.path is None:
            return
        lines = [orjson.dumps(self._head), *(_entry(*place, kept) for place, kept in self._kept.items()), b""]
        try:
            user_cache.write_whole(self.path, b"\n".join(lines))
            for old in sorted(self.path.parent.glob("breaks-*.journal"), key=_written)[:-MOST_JOURNALS]:
                old.unlink(missing_ok=True)
        except OSError:
            self.path = None

    def known(self, places: Iterable[Break]) -> Mapping[Break, Kept]:
        """The breaks whose outcome is known, and what it was: with the tests of this run it would be the same."""
        found = {place: self._kept.get((place.path, place.what)) for place in places}
        return {place: kept for place, kept in found.items() if kept is not None and self._holds(kept)}

    def _holds(self, kept: Kept) -> bool:
        return kept.by in self._marks or kept.by == CHECK or kept.unnoticed_by == self._all

    def count(self, places: Iterable[Break]) -> int:
        """How many of these were tried before, whatever tests there were."""
        return sum((place.path, place.what) in self._kept for place in places)

    def add(self, found: Break, tried: Tried) -> None:
        """Writes down what became of a break, at once."""
        if self.path is None:
            return
        by = "" if not tried.noticed else CHECK if tried.test is None else self._mark_of[tried.test]
        kept = Kept(by, "" if tried.noticed else self._all, tried.reached)
        try:
            with self.path.open("ab") as file:
                file.write(_entry(found.path, found.what, kept) + b"\n")
        except OSError:
            self.path = None


def journal_path(folder: Path) -> Path | None:
    """Where the journal of a package folder lies; none where the user has no cache folder."""
    return user_cache.own_file(f"breaks-{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}.journal")


def _mark(node: Any) -> str:
    """A short mark of a test that does not change with its place in a file."""
    return sha256(SPOT.sub(b"", orjson.dumps(node, option=orjson.OPT_SORT_KEYS))).hexdigest()[:16]


def _entry(way: Place, what: str, kept: Kept) -> bytes:
    return orjson.dumps([way, what, kept.by, kept.unnoticed_by, kept.reached])


def _line(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return None


def _written(path: Path) -> float:
    return path.stat().st_mtime
