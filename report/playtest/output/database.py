"""Games of a playtest in a DuckDB file, for questions in SQL."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from talewright.report.playtest.run.chunks import Played

TABLES = {
    "about": "key VARCHAR, value VARCHAR",
    "games": "seed BIGINT, outcome VARCHAR, won BOOLEAN, decisions INTEGER, rounds INTEGER, error VARCHAR",
    "chapters": "seed BIGINT, place INTEGER, chapter VARCHAR",
    "decisions": "seed BIGINT, place INTEGER, point VARCHAR, option VARCHAR",
    "things": "seed BIGINT, thing VARCHAR, came INTEGER, acted INTEGER",
    "tracks": "seed BIGINT, track VARCHAR, round INTEGER, value INTEGER",
    "measures": "seed BIGINT, measure VARCHAR, number DOUBLE, word VARCHAR",
}


class DatabaseError(Exception):
    """A database cannot be written, and why."""


class Database:
    """The file while games are written to it."""

    def __init__(
        self, path: Path, about: Mapping[str, Any], point_name: Callable[[int], str], resume: bool
    ) -> None:
        try:
            import duckdb
        except ImportError:
            raise DatabaseError("`--db` needs DuckDB: pip install 'talewright[stats]'") from None
        self._point_name, self._path, self._errors = point_name, path, duckdb.Error
        try:
            self._connection = duckdb.connect(str(path))
            if not resume:
                for name in TABLES:
                    self._connection.execute(f"DROP TABLE IF EXISTS {name}")
            for name, columns in TABLES.items():
                self._connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
            self._connection.execute("DELETE FROM about")
        except duckdb.Error as error:
            raise DatabaseError(f"cannot write {path}: {error}") from None
        self._insert("about", [(key, str(value)) for key, value in about.items()])

    def add(self, played: Played) -> None:
        """Writes a batch in one go; one written before is replaced."""
        rows = _rows(played, self._point_name)
        try:
            self._replace(played, rows)
        except self._errors as error:
            raise DatabaseError(f"cannot write {self._path}: {error}") from None
        except RuntimeError as error:
            # DuckDB hears Ctrl-C by itself, and says so in an error of its own.
            if "interrupt" not in str(error).lower():
                raise
            raise KeyboardInterrupt from None

    def _replace(self, played: Played, rows: dict[str, list[tuple[Any, ...]]]) -> None:
        self._connection.execute("BEGIN")
        for name in TABLES:
            if name != "about":
                for first, count in played.runs:
                    self._connection.execute(
                        f"DELETE FROM {name} WHERE seed BETWEEN ? AND ?", [first, first + count - 1]
                    )
                self._insert(name, rows[name])
        self._connection.execute("COMMIT")

    def _insert(self, name: str, rows: list[tuple[Any, ...]]) -> None:
        if not rows:
            return
        # One JSON text a batch: many rows at once cost no more than a few.
        columns = [column.split()[0] for column in TABLES[name].split(", ")]
        kinds = {column.split()[0]: column.split()[1] for column in TABLES[name].split(", ")}
        data = json.dumps([dict(zip(columns, row, strict=True)) for row in rows])
        self._connection.execute(
            f"INSERT INTO {name} SELECT unnest(from_json(?, ?), recursive := true)",
            [data, json.dumps([kinds])],
        )

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()


def _rows(played: Played, point_name: Callable[[int], str]) -> dict[str, list[tuple[Any, ...]]]:
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    for game in played.rows:
        seed = game["seed"]
        rows["games"].append((seed, *(game[k] for k in ("outcome", "won", "decisions", "rounds", "error"))))
        rows["chapters"] += [(seed, place, name) for place, name in enumerate(game["chapters"], 1)]
        rows["decisions"] += [
            (seed, n, point_name(p), option) for n, (p, option) in enumerate(game["taken"], 1)
        ]
        rows["things"] += [(seed, *row) for row in game["things"]]
        rows["tracks"] += [(seed, *row) for row in game["tracks"]]
        for name, value in game["measures"].items():
            number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
            rows["measures"].append((seed, name, number, None if number is not None else str(value)))
    return rows
