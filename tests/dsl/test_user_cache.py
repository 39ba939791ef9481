"""The user's cache folder: only what this user alone can have written is read."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from talewright.dsl import user_cache
from talewright.dsl.grammar import lark_parser
from talewright.dsl.user_cache import own_file

TEXT = "kind Door is Wall:\n    open = no\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "talewright"


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def new_parser() -> Any:
    return lark_parser.parser.__wrapped__()


def test_the_folder_is_the_users_alone(folder: Path) -> None:
    assert own_file("tables") == folder / "tables"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_others_may_write_is_not_used(folder: Path) -> None:
    path = own_file("tables")
    assert path is not None
    path.write_bytes(b"x")
    path.chmod(0o666)
    assert own_file("tables") is None
    path.chmod(0o600)
    assert own_file("tables") == path
    folder.chmod(0o777)
    assert own_file("tables") is None


def test_a_link_is_not_used(folder: Path, tmp_path: Path) -> None:
    path = own_file("tables")
    assert path is not None
    path.symlink_to(tmp_path / "elsewhere")
    assert own_file("tables") is None


def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert own_file("tables") is None
    assert new_parser().parse(TEXT)


def test_a_relative_folder_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_cache.folder() == tmp_path / ".cache" / "talewright"


def test_the_folder_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name, appauthor: tmp_path / name)
    assert user_cache.folder() == tmp_path / "talewright"


def test_the_parser_keeps_its_tables_and_survives_damaged_ones(folder: Path) -> None:
    expected = new_parser().parse(TEXT)
    path = only_file(folder)
    whole = path.read_bytes()
    assert len(whole) > 10_000
    written = path.stat().st_mtime_ns
    assert new_parser().parse(TEXT) == expected
    assert path.stat().st_mtime_ns == written, "the tables are read, not built again"
    path.write_bytes(whole[: len(whole) // 2])
    assert new_parser().parse(TEXT) == expected
    assert path.stat().st_size > len(whole) // 2, "damaged tables are built and kept again"


def test_no_tokens_come_out_of_the_parser(folder: Path) -> None:
    """Tokens do not outlive parsing: they would be written into the cache."""
    text = "kind Door is Wall:\n    open = no\naction go:\n    put lamp in bag\n"
    stack: list[Any] = [lark_parser.declarations_of(text)]
    words = 0
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(item)
        elif hasattr(item, "__match_args__"):
            stack.extend(getattr(item, name) for name in item.__match_args__)
        elif isinstance(item, str):
            words += 1
            assert type(item) is str
    assert words > 5
