"""A directed graph of numbered nodes that spreads a whole set of nodes at once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from .cells import Cells, cells_in

# A shift pays only when it moves several nodes; rarer differences are followed node by node.
_SHARED = 6


@dataclass(frozen=True, slots=True)
class Network:
    """Steps from each node, and the same steps grouped by the difference of node numbers."""

    steps: tuple[Cells, ...]
    upward: tuple[tuple[int, Cells], ...]
    downward: tuple[tuple[int, Cells], ...]
    rest: tuple[Cells, ...]
    rest_sources: Cells
    few: int

    def onward(self, nodes: Cells) -> Cells:
        """Every node one step from one of these."""
        found = 0
        if nodes.bit_count() <= self.few:
            steps = self.steps
            while nodes:
                lowest = nodes & -nodes
                found |= steps[lowest.bit_length() - 1]
                nodes ^= lowest
            return found
        for difference, sources in self.upward:
            found |= (nodes & sources) << difference
        for difference, sources in self.downward:
            found |= (nodes & sources) >> difference
        odd = nodes & self.rest_sources
        rest = self.rest
        while odd:
            lowest = odd & -odd
            found |= rest[lowest.bit_length() - 1]
            odd ^= lowest
        return found


def network_of(steps: Sequence[Cells]) -> Network:
    """The network with these steps from node 0, 1, 2 and so on."""
    sources: defaultdict[int, Cells] = defaultdict(int)
    for node, targets in enumerate(steps):
        bit = 1 << node
        for target in cells_in(targets):
            sources[target - node] |= bit
    shared = {gap: nodes for gap, nodes in sources.items() if nodes.bit_count() >= _SHARED}
    rest = list(steps)
    for gap, nodes in shared.items():
        for node in cells_in(nodes):
            rest[node] &= ~(1 << (node + gap))
    rest_sources = 0
    for node, targets in enumerate(rest):
        if targets:
            rest_sources |= 1 << node
    return Network(
        steps=tuple(steps),
        upward=tuple(sorted((gap, nodes) for gap, nodes in shared.items() if gap >= 0)),
        downward=tuple(sorted((-gap, nodes) for gap, nodes in shared.items() if gap < 0)),
        rest=tuple(rest),
        rest_sources=rest_sources,
        few=max(2, len(shared) // 2),
    )


def reversed_steps(steps: Sequence[Cells]) -> tuple[Cells, ...]:
    """For each node, the nodes that step to it."""
    found = [0] * len(steps)
    for node, targets in enumerate(steps):
        bit = 1 << node
        for target in cells_in(targets):
            found[target] |= bit
    return tuple(found)


def spread(network: Network, start: Cells, allowed: Cells, limit: int | None = None) -> tuple[Cells, ...]:
    """The nodes at 0, 1, 2 ... steps from a set, over allowed nodes, as far as they or the limit go."""
    layers = [start]
    fresh = start
    unseen = allowed & ~start
    while unseen and (limit is None or len(layers) <= limit):
        fresh = network.onward(fresh) & unseen
        if not fresh:
            break
        unseen ^= fresh
        layers.append(fresh)
    return tuple(layers)
