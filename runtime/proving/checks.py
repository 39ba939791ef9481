"""The checks of a package, asked before the first move."""

from __future__ import annotations

from talewright.runtime.engines.interface import Engine, EngineFault
from talewright.runtime.host.play import Play
from talewright.runtime.ir.header import RESULT
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.builds.trials import CHECK
from talewright.runtime.lower.program import Build
from talewright.runtime.proving.failures import fault_message
from talewright.schemas.nodes.document import Document
from talewright.schemas.records import record


@record(frozen=True)
class BrokenCheck:
    """A check that does not hold: what it says, where it stands, and why it could not even be worked out."""

    why: str
    at: int
    problem: str = ""


class Checks:
    """The checks of a document under the usual options; raises LoadError if that cannot be played."""

    def __init__(self, document: Document, engine: Engine, switches: int = 0) -> None:
        self.checks = document.content.checks
        self.play: Play | None = None
        if self.checks:
            build = Build(tested=True, checks=True, switches=switches)
            program, module = assemble(document, {}, None, build)
            self.play = Play(program, engine.load(module).machine())

    def broken(self) -> list[BrokenCheck]:
        """Every check that does not hold when a game begins."""
        return [
            BrokenCheck(check.why or "", check.at, problem)
            for index, check in enumerate(self.checks)
            if (problem := self._problem(index)) is not None
        ]

    def _problem(self, index: int) -> str | None:
        """None if a check holds, else what went wrong when it was asked, if anything did."""
        play = self.play
        if play is None or (CHECK, index) not in play.program.trials:
            return None
        play.begin(1)
        play.machine.call("drop_frames")
        play.machine.call("enter_trial", play.program.trials[CHECK, index].number)
        try:
            if play.run() is not None:
                return "a check asks nobody"
        except EngineFault as fault:
            return fault_message(fault)
        return None if play.words.cell(RESULT) else ""
