"""Where games are kept: beside the player if that can be, else where it can."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from talewright.runtime.session import Session
from talewright.runtime.session.campaign import Record
from talewright.runtime.session.chronicle import load_campaign, write_campaign
from talewright.runtime.session.saves import write_save


class Keeper:
    """Writes the saves of one session, and remembers the file that is its own."""

    def __init__(self, session: Session, own: Path | None = None) -> None:
        self.session = session
        self.own = own

    def keep(self, name: str) -> Path:
        """Writes the game where somebody wants it; the system's refusal is an `OSError`."""
        path = Path(name).expanduser()
        if path.is_dir():
            path = path / self._name(0)
        write_whole(path, write_save(self.session.save()))
        self.own = path
        return path

    def keep_somewhere(self) -> Path | None:
        """Writes the game where it can be written: its own file, here, at home, among passing files."""
        data = write_save(self.session.save())
        for path in self._places():
            try:
                write_whole(path, data)
            except OSError:
                continue
            self.own = path
            return path
        return None

    def _places(self) -> list[Path]:
        places = [] if self.own is None else [self.own]
        for folder in (Path.cwd, Path.home, lambda: Path(tempfile.gettempdir())):
            try:
                base = folder()
                free = next(n for n in range(1000) if not (base / self._name(n)).exists())
            except (OSError, RuntimeError, StopIteration):
                continue
            places.append(base / self._name(free))
        return places

    def _name(self, number: int) -> str:
        package = self.session.program.name
        return f"{package}-{self.session.seed}{f'-{number + 1}' if number else ''}.save.json"


class Chronicler:
    """Reads what earlier games of a campaign have left, and writes down what lasts of this one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.record: Record | None = None
        self.packages: list[str] = []
        if path is not None and path.exists():
            self.record, self.packages = load_campaign(path)

    def write(self, session: Session) -> list[str]:
        """Writes the campaign after a game, and says so; nothing when no campaign is played."""
        if self.path is None:
            return []
        try:
            write_whole(
                self.path,
                write_campaign(session.game.campaign.after(), [*self.packages, session.program.name]),
            )
        except OSError as problem:
            why = (problem.strerror or "it fails").lower()
            return [f"The campaign could not be written to {self.path}: {why}"]
        return [f"What lasts of this game is written in {self.path}"]


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all."""
    if path.exists() and not path.is_file():
        raise OSError(None, "it is no plain file")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
