"""Seats that are played from elsewhere: by `tale join`, by other programs, and by those who do not belong there."""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import pytest

from talewright.cli.main import main
from talewright.cli.terminal import reception
from talewright.cli.terminal.remote_seats import Wire
from tests.cli.terminals import COMMAND, Played

ISLAND = str(Path(__file__).parents[2] / "fixtures" / "play" / "island")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*COMMAND, "play", ISLAND, "--seed", "3", "--seat", "p1=remote", "--seat", "p2=random"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    yield process
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()


def invited(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The address and the key that the table shows."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"python -m talewright join (\S+) (\w+)$", line)
        if found:
            return found[1], found[2]
    raise AssertionError("nobody was invited")


def connected(address: str, source: str = "127.0.0.1") -> socket.socket:
    host, _, port = address.partition(":")
    return socket.create_connection((host, int(port)), timeout=60, source_address=(source, 0))


class Guest:
    """A program that sits at a seat."""

    def __init__(self, address: str, key: str, source: str = "127.0.0.1") -> None:
        self.connection = connected(address, source)
        self.reader = self.connection.makefile("rb")
        self.send({"key": key})

    def send(self, data: Any) -> None:
        self.connection.sendall(json.dumps(data).encode() + b"\n")

    def hear(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.reader.readline())
        return made

    def leave(self) -> None:
        self.reader.close()
        self.connection.close()


def joined(address: str, key: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "join", address, key], input=typed, capture_output=True, encoding="utf-8", timeout=120
    )


def test_a_seat_is_played_from_another_terminal_and_waits_for_who_left(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    first = joined(address, key, "zzz\n99\ntable\nwalk\n1\nquit\n")
    assert first.returncode == 0, first.stderr
    assert "You are p1;" in first.stdout
    assert "No option has that in it" in first.stdout
    assert "There is no option 99; they go from 1 to" in first.stdout
    assert "the seat waits for you" in first.stdout
    assert "holds: face down" in first.stdout
    rest = joined(address, key, "1\n" * 80)
    assert rest.returncode == 0, rest.stderr
    assert re.search(r"^-- .+ --$", rest.stdout, re.MULTILINE)
    assert table.wait(timeout=60) == 0
    assert table.stdout is not None
    told = table.stdout.read()
    assert told.count("p1 is there.") == 2
    assert "p1 has left" in told


def test_another_program_can_play_a_seat(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    guest = Guest(address, key)
    assert guest.hear() == {"type": "welcome", "protocol": 1, "game": "The Island at Low Tide", "seat": "p1"}
    asked = guest.hear()
    assert asked["type"] == "decision"
    assert asked["seat"] == "p1"
    assert {"id", "text"} == set(asked["options"][0])
    for nonsense in ("not an object", {"answer": 1}, {"answer": "fly"}, {}):
        guest.send(nonsense)
        assert guest.hear()["type"] == "refused"
    while asked["type"] == "decision":
        guest.send({"answer": asked["options"][0]["id"]})
        asked = guest.hear()
    assert asked["type"] == "end"
    assert table.wait(timeout=60) == 0
    guest.leave()


def test_a_guest_looks_asks_why_and_takes_back(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    typed = "look p1\nwhy\nwhy 1\nlook chapter\nhelp\n1\nundo\nquit\n"
    played = joined(address, key, typed)
    assert played.returncode == 0, played.stderr
    for shown in (
        "p1 (",
        "asked in",
        "The Island at Low Tide",
        "`undo` (everybody must agree)",
        "Taken back.",
    ):
        assert shown in played.stdout
    guest = Guest(address, key)
    guest.hear()
    first = guest.hear()
    assert any(line.strip() for line in first["news"]), "the prose is told to whoever comes"
    guest.send({"look": "p1"})
    looked = guest.hear()
    assert looked["type"] == "told"
    assert looked["lines"][0].startswith("p1 (")
    guest.send({"answer": first["options"][0]["id"]})
    second = guest.hear()
    assert second["id"] != first["id"]
    assert first["changed"] == first["table"]
    assert len(second["changed"]) < len(second["table"]), "only what has changed is shown"
    guest.send({"undo": 1})
    again = guest.hear()
    assert (again["type"], again["id"], again["options"]) == ("decision", first["id"], first["options"])
    guest.leave()


def listen(guest: Guest, heard: Queue[dict[str, Any]]) -> None:
    """Hears everything that a guest is told, as long as the line is open."""
    with suppress(OSError, ValueError):
        while True:
            heard.put(guest.hear())


def after_waiting(heard: Queue[dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """What comes next but for the names of those who are waited for, and these."""
    waited: list[str] = []
    while (told := heard.get(timeout=60))["type"] == "waiting":
        waited.append(told["who"])
    return told, waited


def test_what_is_taken_back_needs_the_others(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "play", ISLAND, "--seed", "3", "--seat", "all=remote"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    try:
        guests = {name: Guest(*invited(process)) for name in ("p1", "p2")}
        heard: dict[str, Queue[dict[str, Any]]] = {name: Queue() for name in guests}
        for name, guest in guests.items():
            Thread(target=listen, args=(guest, heard[name]), daemon=True).start()
        decisions, waited = 0, []
        while decisions == 0:
            with suppress(Empty):
                decisions += heard["p2"].get(timeout=0.05)["type"] == "decision"
            with suppress(Empty):
                asked = heard["p1"].get_nowait()
                waited += [asked["who"]] if asked["type"] == "waiting" else []
                if asked["type"] == "decision":
                    guests["p1"].send({"answer": asked["options"][0]["id"]})
        for agreed in (False, True):
            guests["p2"].send({"undo": 1})
            question, more = after_waiting(heard["p1"])
            waited += more
            assert question["type"] == "question"
            assert "p2 wants to take back the last decision" in question["text"]
            guests["p1"].send({"agreed": agreed})
            if not agreed:
                assert heard["p2"].get(timeout=60) == {"type": "told", "lines": ["p1 does not agree."]}
        assert after_waiting(heard["p1"])[0]["type"] == "decision"
        assert waited == ["p2"], "p1 is told once who decides"
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()


def test_what_is_typed_while_others_decide_does_not_answer_the_next_question(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "play", ISLAND, "--seed", "3", "--seat", "all=remote"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    try:
        typing = Played(["join", *invited(process)], tmp_path)
        other = Guest(*invited(process))
        typing.wait_for("p1: ", "Wait")
        typing.type("Wait")
        typing.wait_for("(p2 decides)")
        typing.type("Wait", "1", "wait")
        while (asked := other.hear())["type"] != "decision":
            pass
        other.send({"answer": next(one["id"] for one in asked["options"] if one["text"] == "Wait")})
        seen = typing.wait_for("\n> ")
        assert "p1: " in seen
        typing.type("quit")
        code, last = typing.end()
        assert code == 0
        assert "p1: " not in last, "nobody has answered"
        assert "the seat waits for you" in last
        other.leave()
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()


def test_who_has_no_key_is_sent_away_and_the_game_goes_on(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    stranger = joined(address, "00000000", "1\n")
    assert stranger.returncode == 2
    assert "the key does not fit" in stranger.stderr
    rude = Guest(address, key)
    rude.hear()
    rude.hear()
    # A line that never ends is no answer.
    rude.connection.sendall(b"x" * 200_000)
    rude.leave()
    guest = Guest(address, key)
    assert guest.hear()["type"] == "welcome"
    assert guest.hear()["type"] == "decision"
    guest.leave()


def test_who_says_nothing_holds_up_nobody(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    silent = [connected(address) for _ in range(20)]
    silent[-1].sendall(b'{"key": "')
    guest = Guest(address, key)
    assert guest.hear()["type"] == "welcome"
    assert guest.hear()["type"] == "decision"
    guest.leave()
    for connection in silent:
        connection.close()


def test_who_says_nothing_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reception, "GREETING_SECONDS", 0.2)
    door = reception.Reception(("127.0.0.1", 0), "k", lambda connection, heard: None, lambda text: None)
    with connected(f"{door.host}:{door.port}") as silent, silent.makefile("rb") as said:
        assert b"nothing was said in time" in said.readline()
    door.close()


def test_who_has_the_key_takes_over_from_who_is_silent(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    silent = Guest(address, key)
    assert silent.hear()["type"] == "welcome"
    asked = silent.hear()
    guest = Guest(address, key)
    assert guest.hear()["type"] == "welcome"
    again = guest.hear()
    assert again["id"] == asked["id"]
    assert again["options"] == asked["options"]
    assert silent.hear() == {"type": "replaced"}
    guest.send({"answer": again["options"][0]["id"]})
    assert guest.hear()["type"] == "decision"
    assert table.stdout is not None
    assert any("p1 is taken over" in line for line in table.stdout)
    for one in (silent, guest):
        one.leave()


def test_keys_cannot_be_guessed(table: subprocess.Popen[str]) -> None:
    address, key = invited(table)
    assert len(key) == 32
    for _ in range(reception.GUESSES):
        stranger = Guest(address, "0" * 32)
        assert stranger.hear()["why"] == "the key does not fit"
        stranger.leave()
    with connected(address) as turned_away, turned_away.makefile("rb") as said:
        assert b"too many wrong keys" in said.readline()
    guest = Guest(address, key, source="127.0.0.2")
    assert guest.hear()["type"] == "welcome"
    guest.leave()
    assert table.stdout is not None
    told = next(line for line in table.stdout if "5 wrong keys" in line)
    assert "127.0.0.1" in told


def test_a_line_that_died_is_found_out_by_the_system() -> None:
    """Nobody can pull a cable in a test: what is asked of the system is looked at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = connected(f"127.0.0.1:{server.getsockname()[1]}")
        wire = Wire(line)
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 15
        wire.close()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["join", "nowhere", "k"], "write HOST:PORT"),
        (["play", ISLAND, "--seat", "p1=remote:harbour"], "names no port"),
        (["play", ISLAND, "--seat", "p1=remote:99999999"], "names no port"),
        (["play", ISLAND, "--seat", "p1=remotely"], "Nobody called `remotely`"),
    ],
)
def test_wrong_addresses(capsys: pytest.CaptureFixture[str], arguments: list[str], why: str) -> None:
    assert main(arguments) == 2
    assert why in " ".join(capsys.readouterr().err.split())


def test_nobody_waits_there(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert main(["join", f"127.0.0.1:{port}", "k"]) == 2
    assert "Nobody waits at" in capsys.readouterr().err
