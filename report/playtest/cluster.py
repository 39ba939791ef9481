"""Games of a playtest on a cluster that somebody runs already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from talewright.report.playtest.play import Batch, Played, play_batch
from talewright.report.playtest.records import Job

AHEAD = 4


class ClusterError(Exception):
    """The cluster cannot be used, and why."""


def play_on_cluster(job: Job, work: Iterable[Batch], address: str) -> Iterator[Played]:
    """Every batch as it is done by the workers of a dask.distributed cluster, in any order."""
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
        queue = iter(work)
        shared = client.scatter(job, broadcast=True)
        count = max(1, len(client.scheduler_info(n_workers=-1)["workers"])) * AHEAD
        running = [client.submit(play_batch, shared, *batch, pure=False) for batch in islice(queue, count)]
        done = completed(running, loop=client.loop)
        for future in done:
            following = next(queue, None)
            if following is not None:
                done.add(client.submit(play_batch, shared, *following, pure=False))
            yield future.result()
