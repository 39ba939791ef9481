"""Two editors, renamed folders, binary files, clients that talk nonsense or die: the server answers or goes."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

_spec = importlib.util.spec_from_file_location("tale_test_editor", Path(__file__).with_name("editor.py"))
assert _spec is not None
assert _spec.loader is not None
_editor = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_editor)

MANIFEST = 'name = "pier"\nversion = "0.1.0"\ntitle = "The Pier"\ntype = "system"\nuses = []\n'
RULES = 'kind Book is Card\nBook atlas "The Atlas"\n\naction game:\n    reveal atlas\n'


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pier"
    folder.mkdir()
    (folder / "tale.toml").write_text(MANIFEST)
    (folder / "rules.tale").write_text(RULES)
    return folder


@pytest.fixture
def start() -> Iterator[Callable[..., Any]]:
    started: list[Any] = []

    def begin(*folders: Path) -> Any:
        started.append(_editor.Editor(*folders))
        return started[-1]

    yield begin
    for editor in started:
        editor.stop()


def codes(editor: Any, uri: str) -> set[str]:
    return {str(found.code) for found in editor.shown.get(uri, [])}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_editors_at_once(start: Callable[..., Any], package: Path) -> None:
    """What one has not saved concerns only itself; what it saves, the other sees."""
    one, other = start(package), start(package)
    before = contents(package)
    uri = one.open(package / "rules.tale")
    other.open(package / "rules.tale")
    one.change(uri, RULES.replace("reveal atlas", "reveal atlass"))
    one.settle()
    other.settle()
    assert "N201" in codes(one, uri)
    assert "N201" not in codes(other, uri)
    assert contents(package) == before
    (package / "rules.tale").write_text(RULES.replace("reveal atlas", "reveal atlass"))
    other.close(uri)
    other.client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams([lsp.FileEvent(uri, lsp.FileChangeType.Changed)])
    )
    other.settle()
    assert "N201" in codes(other, uri)


def test_a_folder_that_is_renamed_and_a_file_that_is_no_text(
    start: Callable[..., Any], package: Path
) -> None:
    editor = start(package)
    old = editor.open(package / "rules.tale", RULES.replace("reveal atlas", "reveal atlass"))
    editor.settle()
    assert "N201" in codes(editor, old)
    moved = package.rename(package.with_name("jetty"))
    editor.close(old)
    new = editor.open(moved / "rules.tale", RULES.replace("reveal atlas", "reveal alas"))
    editor.settle()
    assert "N201" in codes(editor, new)
    assert codes(editor, old) == set()
    (moved / "picture.tale").write_bytes(b"\x89PNG\r\n\x00\xff\xfe" * 40)
    picture = (moved / "picture.tale").as_uri()
    editor.client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams([lsp.FileEvent(picture, lsp.FileChangeType.Created)])
    )
    editor.open(moved / "more.tale", "\x00\x01\x02 kind")
    editor.settle()
    assert codes(editor, picture)
    assert codes(editor, (moved / "more.tale").as_uri())
    assert "N201" in codes(editor, new)
    assert sorted(contents(moved)) == ["picture.tale", "rules.tale", "tale.toml"]
    assert not package.exists()


def message(**parts: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **parts}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_nonsense_between_sense_and_a_client_that_dies(package: Path) -> None:
    """Wrong requests get an error each; the right one behind them is answered; then the client is gone."""
    before = contents(package)
    uri = (package / "rules.tale").as_uri()
    where = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}}
    opened = {"uri": uri, "languageId": "tale", "version": 1, "text": RULES}
    said = b"".join(
        (
            message(id=1, method="initialize", params={"capabilities": {}, "rootUri": package.as_uri()}),
            message(method="initialized", params={}),
            message(method="textDocument/didOpen", params={"textDocument": opened}),
            message(id=2, method="no/such/method", params=[]),
            message(id=3, method="textDocument/hover", params={"textDocument": 7}),
            message(
                id=4, method="textDocument/hover", params={**where, "position": {"line": -4, "character": -9}}
            ),
            message(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 1}}),
            message(method="$/cancelRequest", params={"id": 99}),
            message(method="textDocument/didClose", params={"textDocument": {"uri": "file:///%00/\u2603"}}),
            message(id=5, method="textDocument/hover", params=where),
        )
    )
    done = subprocess.run(
        [sys.executable, "-m", "talewright.cli", "lsp"],
        input=said,
        capture_output=True,
        timeout=300,
        check=False,
    )
    answers, told = {}, []
    for part in done.stdout.split(b"Content-Length: ")[1:]:
        answer = json.loads(part.partition(b"\r\n\r\n")[2])
        if "id" in answer:
            answers[answer["id"]] = answer
        elif answer["method"] == "window/showMessage":
            told.append(answer["params"]["message"])
    assert "error" in answers[2]
    assert "error" in answers[3]  # else an editor would wait for it forever
    assert len(told) >= 1 or 4 in answers, done.stdout
    assert "Book atlas" in answers[5]["result"]["contents"]["value"]
    assert contents(package) == before


# ------------------------------------------------------------------ leaving
def greeting(package: Path) -> bytes:
    """What every editor says first, with a text that has a finding."""
    text = RULES.replace("reveal atlas", "reveal atlass")
    opened = {"uri": (package / "rules.tale").as_uri(), "languageId": "tale", "version": 1, "text": text}
    return b"".join(
        (
            message(id=1, method="initialize", params={"capabilities": {}, "rootUri": package.as_uri()}),
            message(method="initialized", params={}),
            message(method="textDocument/didOpen", params={"textDocument": opened}),
        )
    )


def serve(package: Path) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "talewright.cli", "lsp"], cwd=package, stdin=pipe, stdout=pipe, stderr=pipe
    )


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ((message(id=2, method="shutdown"), message(method="exit")), 0),
        ((message(method="exit"),), 1),  # as the protocol wants it
    ],
)
def test_an_editor_that_takes_leave(package: Path, said: tuple[bytes, ...], code: int) -> None:
    server = serve(package)
    _, errors = server.communicate(greeting(package) + b"".join(said), timeout=120)
    assert (server.returncode, errors) == (code, b"")


def test_an_editor_that_no_longer_listens(package: Path) -> None:
    """It does not even close what it speaks into: the server goes by itself, and quietly."""
    server = serve(package)
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stderr is not None
    server.stdout.close()
    try:
        server.stdin.write(greeting(package))
        server.stdin.flush()
        assert server.wait(120) == 0
        assert server.stderr.read() == b""
    finally:
        server.kill()
        server.stdin.close()
        server.stderr.close()
        server.wait()


@pytest.mark.parametrize(
    "said",
    [
        b"Content-Length: 5000\r\n\r\n{half",
        b"Content-Length: 999999999999\r\n\r\n{}",
        b"Content-Length: 7\r\n\r\nnothing",
        b"Content-Length: 7\r\n\r\n[1,2,3]",
        b'Content-Length: 2\r\n\r\n"\xff',
        message(id=7, method="textDocument/hover", params={"textDocument": 7}),
        message(method="textDocument/didChange", params=[]),
        message(id=9),
        message(id=[1], method=4),
        message(id="x", error={}),
    ],
)
def test_nonsense_is_a_line_in_the_log(package: Path, said: bytes) -> None:
    before = contents(package)
    server = serve(package)
    _, errors = server.communicate(greeting(package) + said, timeout=120)
    assert server.returncode == 0
    assert b"Traceback" not in errors
    assert errors.count(b"\n") <= 1, errors
    assert contents(package) == before
