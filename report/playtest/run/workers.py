"""Worker processes that take pieces of work one by one.

Where that is safe they are forked, one by one and whenever wanted: what is ready here is ready there. The process that hands out
runs no threads of its own, a worker whose master is gone ends by itself, and Ctrl-C is for the master alone.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

FORKS = sys.platform == "linux"


class CrewError(Exception):
    """A worker is gone, and why."""


class Worker:
    """A process, and the number of pieces it was handed and has not brought back."""

    def __init__(self, process: Any, line: Any) -> None:
        self.process = process
        self.line = line
        self.pending = 0

    def give(self, piece: Any) -> None:
        """Hands over a piece; large ones only to a worker that has none, for it does not listen while it works."""
        try:
            self.line.send(piece)
        except (BrokenPipeError, ConnectionResetError):
            raise CrewError(_gone(self.process)) from None
        self.pending += 1


class Crew:
    """Workers, all of whom end with the block that they are hired in."""

    def __init__(self) -> None:
        self._context: Any = get_context("fork" if FORKS else "spawn")
        self.workers: list[Worker] = []

    def hire(self, do: Callable[[Any], Any], count: int = 1) -> list[Worker]:
        """So many more processes, which do this with every piece."""
        fresh = []
        for _ in range(count):
            mine, theirs = self._context.Pipe()
            # A line is closed when nobody holds its other end: forked workers hold copies of all that are open here.
            copied = [*(worker.line for worker in self.workers), mine] if FORKS else []
            process = self._context.Process(target=_work, args=(theirs, do, copied), daemon=True)
            with _no_interrupt():
                process.start()
            theirs.close()
            self.workers.append(Worker(process, mine))
            fresh.append(self.workers[-1])
        return fresh

    def dismiss(self, worker: Worker) -> None:
        """Nothing more for this one."""
        self.workers.remove(worker)
        worker.line.close()
        worker.process.join()

    def brought(self) -> Iterator[tuple[Worker, Any]]:
        """What was done meanwhile, as soon as there is anything."""
        lines = {worker.line: worker for worker in self.workers if worker.pending}
        for line in wait(list(lines)):
            worker = lines[line]
            try:
                made, error = worker.line.recv()
            except (EOFError, ConnectionResetError):
                raise CrewError(_gone(worker.process)) from None
            if error is not None:
                raise error
            worker.pending -= 1
            yield worker, made

    def __enter__(self) -> Crew:
        # What the workers bring is looked through for garbage again and again, but not with all that is here already.
        gc.freeze()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self.workers:
            worker.line.close()
            if kind is not None:
                worker.process.terminate()
        for worker in self.workers:
            worker.process.join()
        gc.unfreeze()


def spread(do: Callable[[Any], Any], pieces: Iterable[Any], jobs: int) -> Iterator[Any]:
    """What comes of small pieces, in any order, done here or by so many workers."""
    if jobs <= 1:
        yield from map(do, pieces)
        return
    left = iter(pieces)
    with Crew() as crew:
        for worker, piece in zip(crew.hire(do, jobs), left, strict=False):
            worker.give(piece)
        while any(worker.pending for worker in crew.workers):
            for worker, made in crew.brought():
                if (piece := next(left, None)) is not None:
                    worker.give(piece)
                yield made


def _gone(process: Any) -> str:
    process.join(1)
    code = process.exitcode
    why = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    return f"a worker process {why}; was there enough memory?"


def _work(line: Connection, do: Callable[[Any], Any], copied: list[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in copied:
        other.close()
    # Looking for garbage in what came from the master would only make copies of shared memory.
    gc.freeze()
    while True:
        try:
            piece = line.recv()
        except (EOFError, ConnectionResetError):
            return
        made, problem = None, None
        try:
            made = do(piece)
        except Exception as error:  # noqa: BLE001 - raised again by whoever handed out the piece
            problem = error
        try:
            line.send((made, problem))
        except (BrokenPipeError, ConnectionResetError):
            return


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Blocks Ctrl-C until a new process ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
