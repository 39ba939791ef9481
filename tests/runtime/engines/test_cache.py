"""Compiled programs are kept, and only read where nobody else could have written them."""

from __future__ import annotations

import builtins
import os
import sys
from pathlib import Path

import pytest
import wasmtime

from talewright.runtime.engines import selection
from talewright.runtime.engines.cache import Cache, key
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import add, const

posix = pytest.mark.skipif(os.name != "posix", reason="nothing is kept elsewhere")


def module(number: int) -> n.Module:
    return n.Module(
        (n.Function("main", 1, 1, True, (n.Return(add(n.Local(0), const(number))),)),), exports=("main",)
    )


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every program that is compiled."""
    found: list[int] = []
    original = wasmtime.Module.__init__

    def counted(self: wasmtime.Module, engine: wasmtime.Engine, code: bytes) -> None:
        found.append(len(code))
        original(self, engine, code)

    monkeypatch.setattr(wasmtime.Module, "__init__", counted)
    return found


def run(cache: Cache, number: int = 5) -> int:
    return WasmEngine(cache).load(module(number)).machine().call("main", 1)


@posix
def test_a_program_is_compiled_once(tmp_path: Path, compilations: list[int]) -> None:
    cache = Cache(tmp_path / "programs")
    assert run(cache) == 6
    assert run(cache) == 6
    assert len(compilations) == 1
    assert run(cache, 7) == 8
    assert len(compilations) == 2
    assert (tmp_path / "programs").stat().st_mode & 0o777 == 0o700


@posix
@pytest.mark.parametrize(
    "damage",
    [
        "cut off",
        "nothing left",
        "another first byte",
        "another last byte",
        "writable by others",
        "a link",
        "a folder",
        "a pipe",
        "an open folder",
    ],
)
def test_what_may_not_be_ours_is_compiled_anew(damage: str, tmp_path: Path, compilations: list[int]) -> None:
    cache = Cache(tmp_path / "programs")
    run(cache)
    (file,) = cache.folder.iterdir()
    content = file.read_bytes()
    if damage == "cut off":
        file.write_bytes(content[:-100])
    elif damage == "nothing left":
        file.write_bytes(b"")
    elif damage == "another first byte":
        file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    elif damage == "another last byte":
        file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif damage == "writable by others":
        file.chmod(0o666)
    elif damage == "a link":
        elsewhere = tmp_path / "elsewhere"
        elsewhere.write_bytes(content)
        elsewhere.chmod(0o600)
        file.unlink()
        file.symlink_to(elsewhere)
    elif damage in ("a folder", "a pipe"):
        file.unlink()
        (Path.mkdir if damage == "a folder" else os.mkfifo)(file)
    else:
        cache.folder.chmod(0o777)
    assert cache.read(file.name) is None
    assert run(cache) == 6
    assert len(compilations) == 2


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_somebody_else_is_not_read(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "programs")
    cache.write("x", b"content")
    assert cache.read("x") == b"content"
    os.chown(cache.folder / "x", 12345, 12345)
    assert cache.read("x") is None
    os.chown(cache.folder / "x", 0, 0)
    os.chown(cache.folder, 12345, 12345)
    assert cache.read("x") is None


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run(Cache(tmp_path / "file" / "programs")) == 6


@posix
def test_old_programs_go(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "programs", most=10_000)
    for number in range(70):
        cache.write(key(bytes([number])), b"x" * 200)
        os.utime(cache.folder / key(bytes([number])), (number, number))
    assert 30 < len(list(cache.folder.iterdir())) < 50
    assert cache.read(key(bytes([69]))) == b"x" * 200
    assert cache.read(key(bytes([0]))) is None


def test_parts_of_a_key_do_not_run_together() -> None:
    assert key(b"ab", b"c") != key(b"a", b"bc")


def test_without_wasmtime_python_plays_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "talewright.runtime.engines.wasm.host", raising=False)
    original = builtins.__import__

    def missing(name: str, *rest: object) -> object:
        if name.split(".")[0] == "wasmtime":
            raise ImportError("No module named 'wasmtime'")
        return original(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", missing)
    selection._say_slow.cache_clear()
    assert isinstance(selection.best_engine(), PythonEngine)
    assert isinstance(selection.best_engine(), PythonEngine)
    said = capsys.readouterr().err
    assert said.count("wasmtime cannot be used") == 1
    assert "pip install wasmtime" in said


def test_with_wasmtime_it_is_used(tmp_path: Path) -> None:
    engine = selection.best_engine(Cache(tmp_path / "programs"))
    assert engine.name == "wasmtime"
    assert engine.load(module(3)).machine().call("main", 4) == 7
