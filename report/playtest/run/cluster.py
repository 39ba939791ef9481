"""Plays the games of a playtest on a dask.distributed cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.report.playtest.run.chunks import Played, Work
from talewright.report.playtest.run.games import play_chunk
from talewright.report.playtest.run.job import Job

AHEAD = 4


class ClusterError(Exception):
    """The cluster cannot be used, and why."""


def play_on_cluster(job: Job, work: Work, address: str) -> Iterator[Played]:
    """Every chunk as it is done by the workers of a dask.distributed cluster, in any order."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ClusterError("`--cluster` needs dask.distributed: pip install 'talewright[cluster]'") from None
    # The library has no types of its own.
    connect: Any = Client
    completed: Any = as_completed
    try:
        client: Any = connect(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError(f"no cluster answers at `{address}` ({error})") from None
    with client:
        shared = client.scatter(job, broadcast=True)
        most = max(1, len(client.scheduler_info(n_workers=-1)["workers"])) * AHEAD
        done = completed(loop=client.loop)
        running = 0
        while True:
            while running < most and (chunk := work.take()) is not None:
                done.add(client.submit(play_chunk, shared, chunk, pure=False))
                running += 1
            if not running:
                return
            played = next(done).result()
            running -= 1
            work.note(played)
            yield played
