"""What the last playtest of a package knew of its chapters and cards, for editors.

`tale playtest` keeps it in the user's cache folder, by the package's folder, and only the newest one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from talewright.dsl import user_cache
from talewright.schemas.records import record

_FOLDER = "playtests"
_MOST_BYTES = 8 * 1024 * 1024


@record(frozen=True)
class Known:
    """Of each chapter and thing: the games it was met in, those of them that were won, and those looked at."""

    met: dict[str, tuple[int, int, int]]

    def about(self, name: str) -> str:
        """One line about a chapter or thing; empty for what the games do not know."""
        met, won, of = self.met.get(name, (0, 0, 0))
        if of <= 0:
            return ""
        games = "1 game" if of == 1 else f"{of:,} games"
        if not met:
            return f"never met in {games}"
        return f"met in {_percent(met, of)} of {games}, won {_percent(won, met)}"


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    if 0 < share < 1:
        return "< 1 %"
    return "> 99 %" if 99 < share < 100 else f"{share:.0f} %"


def keep_last(folder: Path, result: Mapping[str, Any]) -> None:
    """Keeps what a playtest found; where there is no cache folder, nothing is kept."""
    path = _path(folder)
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        user_cache.write_whole(path, orjson.dumps({"met": _met(result)}))


def last_known(folder: Path) -> Known | None:
    """What the last playtest of the package in a folder found; none if there was none."""
    path = _path(folder)
    try:
        if path is None or not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        kept = orjson.loads(path.read_bytes())
        return Known(
            {str(name): (int(met), int(won), int(of)) for name, (met, won, of) in kept["met"].items()}
        )
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError):
        return None


def _met(result: Mapping[str, Any]) -> dict[str, tuple[int, int, int]]:
    """Chapters are counted in all finished games, things in those watched closely."""
    made: dict[str, tuple[int, int, int]] = {}
    for name, thing in result["thing_uses"].items():
        met = thing["games"]
        made[name] = met, round(thing["win_rate"]["value"] * met) if met else 0, result["watched"]
    winning = set(result["winning"])
    for name, page in result["chapters"].items():
        won = sum(times for outcome, times in page["outcomes"].items() if outcome in winning)
        made[name] = page["games"], won, result["finished"]
    return made


def _path(folder: Path) -> Path | None:
    root = user_cache.folder()
    if root is None:
        return None
    name = blake2b(os.fsencode(os.path.realpath(folder)), digest_size=16).hexdigest()
    return root / _FOLDER / f"{name}.json"
