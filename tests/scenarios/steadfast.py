"""A bot for long checked games of Brimstone: it plays at random, and never proposes to flee.

At random, nearly every posse is out of the mine before it has seen a room.

    tale playtest scenarios/brimstone/fistful --bot tests/scenarios/steadfast.py:Steadfast --checked
"""

from __future__ import annotations

from random import Random

from talewright.runtime import Decision
from talewright.runtime.session.bots import Bot


class Steadfast(Bot):
    """Takes any option but flight, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        """Each game has its own."""
        self.random = Random(seed)

    def choose(self, decision: Decision) -> int:
        """The position of an option."""
        names = [option.id for option in decision.options]
        stays = [place for place, name in enumerate(names) if name != "Flee the mine"]
        return self.random.choice(stays)
