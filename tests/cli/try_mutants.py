"""Tries damaged adventures: `python -m tests.cli.try_mutants --of salem-night --count 5000 --seed 7`.

Each mutant is checked; what is not refused is played: step by step, at a table or in a playtest, in a process with bounds on
memory and time. Every so many are given to whole commands. What fails, or is told badly, is printed with the number of its
mutant: `--first N --count 1` tries that one again, `--first N` goes on from there. At the end stands what became of all, and
which took longest.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import gc
import io
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson

from talewright.cli.commands.play import _play, _seat_everybody
from talewright.cli.main import main as tale
from talewright.cli.terminal.player import Terminal
from talewright.cli.terminal.save_files import Chronicler, Keeper
from talewright.compiler import compile_package
from talewright.report.playtest.run.engine_counts import CountedGames, told
from talewright.report.playtest.run.job import Job
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.selection import share_cores
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.lower.program import Build
from talewright.runtime.session import Game, Leave, Session, load
from talewright.runtime.session import program as programs
from talewright.runtime.session.game import Decision
from talewright.runtime.session.program import build_program
from talewright.schemas.known_documents import document_digest
from talewright.schemas.loading import checked
from talewright.schemas.nodes.codec import Misshapen, read, read_document
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.document import Content, Document
from talewright.schemas.reading import nested_too_deep
from talewright.schemas.records import replace
from talewright.schemas.references import Around, Trail, Walk
from tests.runtime.mutants import Mutants

MEMORY = 2 << 30
# Of processor time, for one mutant.
SECONDS = 20
# So many decisions of a game at a table.
DECISIONS = 60
PLAIN_DECISIONS = 200
# A new process after so many mutants.
BATCH = 500
# Every so many mutants go through a whole command, whatever the check says.
WHOLE = 50
TYPED = "1\nlook\nwhy\n2\nlook 1\nwhy 1\nall\ntable\nundo\nlog 5\n1\nlook p1\nsave\n3\nwhy 2\n1\n2\n1\nundo 3\n2\n1\n1\n1\nquit\n"
COMMANDS = (
    ("playtest", "--games", "3", "--jobs", "1"),
    ("play", "--seed", "3", "--tell", "more"),
    ("playtest", "--games", "2", "--jobs", "1", "--bot", "guided"),
    ("compile",),
    ("play", "--seed", "5", "--players", "2"),
    ("graph", "--format", "dot"),
)
BOTS = ("random", "guided", "explore", "random", "greedy")
COMMANDING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OURS = re.compile(r"object at 0x|Traceback|<class|\b[A-Z]\w+Error\b|cannot run")
PLACE = re.compile(r"[\w./-]+:\d+")


class Unfit(Exception):
    """What the toolkit said of a mutant is not what it should say."""


class Known:
    """The nodes of a document that is checked, so that of a mutant only what is damaged need be read and looked at.

    What is refused so is refused by the whole check as well.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.nodes = read_document(document)
        self.rows: dict[tuple[str, int], Node] = {}
        for section, rows in document["content"].items():
            nodes = getattr(self.nodes.content, section)
            self.rows |= {
                (section, id(row)): node
                for row, node in zip(rows, nodes, strict=True)
                if isinstance(row, dict)
            }
        self.none: dict[str, list[Any]] = {section: [] for section in document["content"]}
        # Ids of objects mean something while the objects live: those of the document do.
        self.looked_at = {id(node) for node in self.rows.values()}

    def refuse(self, document: dict[str, Any]) -> bool:
        """Whether a mutant is refused for its damaged parts alone."""
        try:
            return bool(Partly(self._read(document), self.looked_at).run())
        except (Misshapen, LookupError, TypeError, ValueError):
            return True
        except RecursionError:
            return nested_too_deep(document) != []

    def _read(self, document: dict[str, Any]) -> Document:
        content, known = document["content"], self.document["content"]
        if not isinstance(content, dict) or content.keys() != known.keys():
            raise Misshapen
        made = {}
        for section, rows in content.items():
            if rows is not known[section]:
                made[section] = tuple(self._row(section, row) for row in rows)
        around = self.nodes
        if any(document.get(part) is not self.document[part] for part in self.document if part != "content"):
            around = read(Document, {**document, "content": self.none})
        return replace(around, content=replace(self.nodes.content, **made))

    def _row(self, section: str, row: Any) -> Any:
        if (node := self.rows.get((section, id(row)))) is not None:
            return node
        return getattr(read(Content, {**self.none, section: [row]}), section)[0]


class Partly(Walk):
    """The check of references, of what is not known to be right."""

    def __init__(self, document: Document, known: set[int]) -> None:
        super().__init__(document)
        self.known = known

    def node(self, node: Node, trail: Trail, around: Around) -> None:
        if id(node) not in self.known:
            super().node(node, trail, around)


class Trial:
    """Mutants of one adventure, one after another."""

    def __init__(self, document: dict[str, Any], seed: str) -> None:
        self.mutants = Mutants(document, seed)
        self.known = Known(self.mutants.document)

    def of(self, number: int) -> str:
        """What becomes of a mutant."""
        document, _ = self.mutants.number(number, self.known.refuse)
        if number % WHOLE == 0:
            return self._command(document, COMMANDS[number // WHOLE % len(COMMANDS)])
        if self.known.refuse(document) or nested_too_deep(document):
            return "refused"
        if checked(document, document_digest(document))[0]:
            return "refused"
        located = document["sources"] is self.mutants.document["sources"]
        way = number % 20
        try:
            if way < 14:
                return self._played(document, number, located=located)
            if way < 17:
                return self._at_a_table(document, number, located=located)
            return self._playtest(document, number, located=located)
        except LoadError as refusal:
            _must_be_told(str(refusal), located=located and "does not fit together" in str(refusal))
            return "not playable"

    def _command(self, document: dict[str, Any], command: tuple[str, ...]) -> str:
        try:
            Path("mutant.json").write_bytes(orjson.dumps(document))
        except TypeError:
            return "no JSON"
        word, *options = command
        out = [] if word != "compile" else ["-o", "again.json"]
        said, code = _heard(lambda: tale([word, "mutant.json", *options, *out]))
        if code not in (0, 1, 2):
            raise Unfit(f"{' '.join(command)} ends with code {code}: {said[-1500:]}")
        _must_be_printable(said)
        if "error[D" in said:
            return "refused"
        return "a command faulted" if code else "a command played"

    def _played(self, document: dict[str, Any], number: int, *, located: bool) -> str:
        """Plain play, by chance."""
        game = Game(load(document), number)
        draw = Random(number)
        try:
            for left in range(PLAIN_DECISIONS, 0, -1):
                decision = game.next()
                if decision is None:
                    break
                if left % 10 == 0:
                    _ = [decision.prompt, *(option.text() for option in decision.options)]
                game.answer(decision, draw.randrange(len(decision.options)))
            game.measures()
        except Fault as fault:
            _must_be_told(told(fault), located=located)
            return "faulted"
        return "played"

    def _at_a_table(self, document: dict[str, Any], number: int, *, located: bool) -> str:
        program = load(document, traced=True, bots=True)
        session = Session(program, number)
        level = ("usual", "more", "less")[number % 3]
        terminal = Terminal(session, Keeper(session), "mutant.json", "tale", Chronicler(None), level)  # type: ignore[arg-type]
        by_hand = number % 20 == 14
        _seat_everybody(session, () if by_hand else (f"all={BOTS[number // 20 % 5]}",), terminal)
        left = [DECISIONS]
        for name, seat in session.seats.items():
            if seat is not terminal.person:
                session.seats[name] = _bounded(seat, left)
        said, code = _heard(lambda: _play(terminal))
        _must_be_printable(said)
        if code == 0:
            return "played"
        _must_be_told(said[-1_000:], located=located)
        return "faulted"

    def _playtest(self, document: dict[str, Any], number: int, *, located: bool) -> str:
        bot = BOTS[number // 20 % len(BOTS)]
        program = build_program(document, {}, None, Build(bots=True, counted=True))
        if bot == "greedy" and not any(
            value.id.partition("/")[0] == "score" for value in program.nodes.content.values
        ):
            bot = "random"
        Game(program).reset(1)
        games = CountedGames(program, Job(b"", (), None, bot, iterations=8, games=3))
        games.play(1, 3)
        games.read_out()
        for failure in games.tally.failures:
            _must_be_told(str(failure["error"]), located=located)
        return "faulted" if games.tally.failures else "played"


def _bounded(seat: Callable[[Decision], int], left: list[int]) -> Callable[[Decision], int]:
    def choose(decision: Decision) -> int:
        left[0] -= 1
        if not left[0]:
            raise Leave
        return seat(decision)

    return choose


def _heard(do: Callable[[], int]) -> tuple[str, int]:
    """What is written while something is done, and the code it gives."""
    out, typed = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(TYPED)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = do()
    finally:
        sys.stdin = typed
    return out.getvalue(), code


def _must_be_printable(text: str) -> None:
    """Nothing that is written commands a terminal, or shows what is Python's."""
    if found := COMMANDING.search(text) or OURS.search(text):
        at = max(0, found.start() - 300)
        raise Unfit(f"{found[0]!r} is said: {text[at : found.end() + 200]!r}")


def _must_be_told(error: str, *, located: bool) -> None:
    """An error is short, shows nothing that is Python's, and names file and line."""
    if len(error) > 1_500:
        raise Unfit(f"a message of {len(error)} letters: {error[:300]}")
    if OURS.search(error) or (located and not PLACE.search(error)):
        raise Unfit(error)


# ------------------------------------------------------------------ processes
def _tried(trial: Trial, first: int, end: int, line: int) -> None:
    """Tries mutants in a process of their own, and writes what becomes of each to a line."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    faulthandler.register(signal.SIGPROF, chain=True)
    for number in range(first, end):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        begin, before = time.process_time(), _most_memory()
        try:
            became, why = trial.of(number), ""
        except Unfit as unfit:
            became, why = "ILL TOLD", str(unfit)
        except BaseException:  # noqa: BLE001 - whatever it is, it is a failure to be told
            became, why = "FAILED", traceback.format_exc()[-2_000:]
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - begin
        os.write(line, json.dumps([number, became, seconds, _most_memory() - before, why]).encode() + b"\n")


def _most_memory() -> int:
    """The most memory this process ever took, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


Row = tuple[int, str, float, int, str]


def _rows(trial: Trial, first: int, end: int) -> Iterator[Row]:
    """What becomes of each mutant, in processes that may break."""
    while first < end:
        reading, writing = os.pipe()
        last = min(end, first + BATCH)
        child = os.fork()
        if not child:
            os.close(reading)
            _tried(trial, first, last, writing)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as lines:
            for line in lines:
                row: Row = tuple(json.loads(line))
                yield row
                first = row[0] + 1
        _, status, used = os.wait4(child, 0)
        if first < last:
            yield (
                first,
                "FAILED",
                0.0,
                used.ru_maxrss // 1024,
                f"the process ended with {os.waitstatus_to_exitcode(status)}",
            )
            first += 1


def main() -> int:
    """Tries the mutants that are asked for; fails if one of them does."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--of", default="salem-night", help="the adventure: a bundled name or a folder")
    asked.add_argument("--count", type=int, default=1000)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--seed", default="")
    given = asked.parse_args()
    document = compile_package(given.of).document
    if document is None:
        print(f"{given.of} does not compile", file=sys.stderr)
        return 2
    trial = Trial(document, given.seed)
    # Whoever plays chooses an engine: here one that is soon ready, and keeps no programs.
    engine: Engine = WasmEngine(baseline=True)
    programs.best_engine = lambda *_, **__: engine  # type: ignore[attr-defined]
    # What all processes need is made before the first of them; threads would not go along.
    share_cores()
    load(trial.mutants.document, traced=True, bots=True)
    # What was built here is looked through for garbage no more, nor copied page by page.
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    became: Counter[str] = Counter()
    slowest: list[tuple[float, int]] = []
    largest: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, outcome, seconds, grown, why in _rows(trial, given.first, given.first + given.count):
            became[outcome] += 1
            slowest = sorted([*slowest, (round(seconds, 1), number)])[-5:]
            largest = sorted([*largest, (grown, number)])[-5:]
            if why:
                print(
                    f"{given.of} {number}: {trial.mutants.number(number, trial.known.refuse)[1]}\n{why}",
                    flush=True,
                )
            if sum(became.values()) % 500 == 0:
                print(f"{number + 1}: {dict(became)}", flush=True)
    print(f"{given.of}: {dict(became)}\nseconds, number: {slowest}\nmegabytes more, number: {largest}")
    return int(became["FAILED"] + became["ILL TOLD"] > 0)


if __name__ == "__main__":
    sys.exit(main())
