"""A document made ready to play under certain options, for so many players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talewright.runtime.engines.interface import Engine, Machine
from talewright.runtime.engines.interface import Program as EngineProgram
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.faults import LoadError
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.runtime.lower.program import Program as Lowered
from talewright.runtime.model.settings import OptionValue
from talewright.runtime.session.kept_programs import keep_program, program_key, read_program
from talewright.schemas.garbage import built_to_stay
from talewright.schemas.known_documents import document_digest, recall
from talewright.schemas.loading import checked
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.document import Document
from talewright.schemas.reading import nested_too_deep
from talewright.schemas.records import field, record


@record(frozen=True)
class Program:
    """What can play any number of games."""

    document: dict[str, Any] = field(repr=False)
    """The document as plain JSON; `nodes` is the same with types."""
    lowered: Lowered = field(repr=False)
    """Names, addresses and types of everything that the machine holds."""
    engine: EngineProgram = field(repr=False)

    @property
    def nodes(self) -> Document:
        """The document as typed nodes."""
        return self.lowered.document

    @property
    def name(self) -> str:
        """The name of the package."""
        return self.nodes.package.name

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option with its value."""
        return self.lowered.world.settings.options

    @property
    def players(self) -> int | None:
        """How many sit in the role that can be taken several times; none where there is no such role."""
        world = self.lowered.world
        for role, count in world.settings.seats.items():
            seats = world.kinds[role].role
            if seats is not None and seats.high > 1:
                return count
        return None

    @property
    def traced(self) -> bool:
        """Whether calls, rules, rolls and writes are told, too."""
        return self.lowered.build.traced

    @property
    def thinks(self) -> bool:
        """Whether bots that think can play it."""
        return self.lowered.build.bots

    @property
    def seats(self) -> dict[str, int]:
        """The numbers of the seats by their names."""
        world = self.lowered.world
        return {world.thing(number).id: number for number in world.seats.values()}

    @property
    def taken_seats(self) -> list[int]:
        """The seats at which somebody must sit; one that may stay empty is heard of when it first decides."""
        world = self.lowered.world
        return [
            number
            for (role, _), number in world.seats.items()
            if (seats := world.kinds[role].role) is not None and seats.low > 0
        ]

    def machine(self) -> Machine:
        """A memory for one game at a time."""
        return self.engine.machine()


def load(
    document: dict[str, Any],
    options: Mapping[str, Any] | None = None,
    players: int | None = None,
    *,
    traced: bool = False,
    bots: bool = False,
    checked: bool = False,
    engine: Engine | None = None,
) -> Program:
    """A document made ready to play under options, with so many players; what does not fit is a `LoadError`.

    A program without bots that think is answered by the host, which takes longer than the game: it is ready soon, and not fast.
    """
    build = Build(events=True, traced=traced, bots=bots, checked=checked)
    engine = engine or best_engine(baseline=not bots)
    return build_program(document, options, players, build, engine, unchecked=True)


def build_program(
    document: dict[str, Any],
    options: Mapping[str, Any] | None,
    players: int | None,
    build: Build,
    engine: Engine | None = None,
    *,
    unchecked: bool = False,
) -> Program:
    """A program for a document, made or kept from an earlier run; `unchecked` if nobody has looked at the document yet."""
    engine = engine or best_engine()
    with built_to_stay():
        digest = document_digest(document)
        name = (
            program_key(digest, options or {}, players, build, engine.name)
            if engine.programs is not None
            else ""
        )
        kept = read_program(engine, name)
        if kept is not None:
            return Program(document, *kept)
        try:
            nodes = recall(digest)
            if nodes is None:
                nodes = _checked(document, digest) if unchecked else read_document(document)
            lowered, module = assemble(nodes, options or {}, players, build)
            running = engine.load(module)
        except RecursionError:
            raise LoadError("the package nests its expressions too deeply to be played") from None
        keep_program(engine, name, lowered, running)
        return Program(document, lowered, running)


def _checked(document: dict[str, Any], digest: bytes) -> Document:
    """The nodes of a document that nobody has looked at yet."""
    problems = nested_too_deep(document)
    nodes = None
    if not problems:
        problems, nodes = checked(document, digest)
    if problems or nodes is None:
        raise LoadError(f"the document cannot be played: {problems[0]}")
    return nodes
