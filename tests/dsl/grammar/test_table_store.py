"""The parser's tables on disk: quick when right, ignored when anything is odd."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from talewright.dsl.grammar import lark_parser as grammar
from talewright.dsl.grammar import table_store

KEY = "a grammar"
VALUE = {"data": {1: (0, 2), "x": [None, True]}, "memo": {}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "talewright"


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_what_is_saved_is_loaded(folder: Path) -> None:
    assert table_store.load(KEY) is None
    table_store.save(KEY, VALUE)
    assert table_store.load(KEY) == VALUE
    assert table_store.load("another grammar") is None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("keep", [0, 5, 30, 60])
def test_a_file_cut_short_is_ignored(folder: Path, keep: int) -> None:
    table_store.save(KEY, VALUE)
    path = only_file(folder)
    path.write_bytes(path.read_bytes()[:keep])
    assert table_store.load(KEY) is None


def test_an_altered_file_is_ignored(folder: Path) -> None:
    table_store.save(KEY, VALUE)
    path = only_file(folder)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    assert table_store.load(KEY) is None


def test_what_others_may_write_is_ignored(folder: Path) -> None:
    table_store.save(KEY, VALUE)
    only_file(folder).chmod(0o666)
    assert table_store.load(KEY) is None
    only_file(folder).chmod(0o600)
    assert table_store.load(KEY) == VALUE
    folder.chmod(0o777)
    assert table_store.load(KEY) is None


def test_a_link_is_ignored(folder: Path, tmp_path: Path) -> None:
    table_store.save(KEY, VALUE)
    path = only_file(folder)
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert table_store.load(KEY) is None


def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    table_store.save(KEY, VALUE)
    assert table_store.load(KEY) is None


def test_a_relative_folder_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert table_store.folder() == tmp_path / ".cache" / "talewright"


def test_the_parser_comes_from_its_tables_and_survives_wrong_ones(folder: Path) -> None:
    fresh = grammar.parser.__wrapped__()
    assert only_file(folder).stat().st_size > 10_000
    loaded = grammar.parser.__wrapped__()
    assert loaded.source_path == "<deserialized>" != fresh.source_path
    text = "kind Door is Wall:\n    open = no\n"
    assert loaded.parse(text) == fresh.parse(text)
    key = f"whole\n{table_store.grammar_key()}"
    table_store.save(key, {"data": {}, "memo": {}})
    again = grammar.parser.__wrapped__()
    assert again.source_path != "<deserialized>"
    assert again.parse(text) == fresh.parse(text)
