"""Faults of a machine as errors of play: a sentence, and the way there through the text of the package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.faults import Fault, Frame
from talewright.runtime.ir.header import BAD_ADDRESS, STACK_TOP, STEPS, TOO_DEEP, TOO_MUCH
from talewright.runtime.lower.assembly import BUFFER, DEEPEST
from talewright.runtime.lower.expressions.texts import MOST_TEXTS
from talewright.runtime.lower.program import Program
from talewright.runtime.model.cells import GATHER_TOP, SPOT, TEXTS
from talewright.runtime.model.layout import STACK, STACK_CELLS
from talewright.runtime.model.world import SPARES
from talewright.schemas.node_walk import children
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ActionDeclaration, ValueDeclaration
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.names import ValueCall
from talewright.schemas.nodes.statements import Call

# What each error of the language says where nobody knows more.
MESSAGES: Final = {
    1: "none stands where a number or a thing is needed",
    2: "something is divided by zero",
    3: "no row, band or arm fits the value",
    4: "a list has no entry at that position",
    5: "a thing would lie inside itself",
    6: "rules set each other off without end",
    7: f"calls go deeper than {DEEPEST}",
    8: "no progress: the same decision comes again and nothing has changed",
    9: "what a value needs leads back to itself",
    10: "the answer is none of the options",
    11: "the greedy bot needs a `value score` without parameters in the package",
    13: "the game leads nowhere: nothing says where to go on",
    14: "a number grew beyond all bounds",
    15: "a value of the wrong type was reached",
    16: "a check of the package does not hold",
    17: "what is asked for does not exist under the options of this game",
    18: "these dice have not been rolled, so they show no number: `do roll` comes first",
}
LIST_TOO_LONG: Final = "a list or a text grew beyond all bounds"
# Functions of the kernel that make lists longer.
LISTING: Final = frozenset(("gathered", "push", "copy_list", "allocate", "take_cells"))
# So many functions on the way to a fault are told.
MOST_FRAMES: Final = 20
# From here on, the codes are those of the engine itself.
FIRST_OF_ENGINE: Final = 100


def fault_of(program: Program, fault: EngineFault, machine: Machine) -> Fault:
    """A fault of a machine as an error of play."""
    frames = _frames(program, fault, machine)
    if fault.code == BAD_ADDRESS and _lists_overflow(machine):
        return Fault("R14", LIST_TOO_LONG, frames)
    if fault.code >= FIRST_OF_ENGINE:
        detail = f" ({fault.detail})" if fault.detail else ""
        return Fault("R15", f"the engine came to what it cannot run, number {fault.code}{detail}", frames)
    code, message = fault.code, MESSAGES[fault.code]
    if code == 16:
        checks = program.world.content.checks
        why = next((check.why for check in checks if check.at == fault.spot and check.why), None)
        verb = next((name.partition(":")[2] for name in fault.functions if name.startswith("action:")), "")
        after = f"after `{verb.partition('/')[0]}`, " if verb else ""
        message = f"{after}{'a check' if why is None else f'“{why}”'} does not hold"
    loop = list(dict.fromkeys(frame.what for frame in frames[-24:]))
    if code == TOO_DEEP and loop and all(what.startswith("value ") for what in loop):
        # Nothing but values call each other.
        code, message = 9, f"{MESSAGES[9]}: {', '.join(what.removeprefix('value ') for what in loop)}"
    if code == TOO_MUCH:
        message = _too_much(fault, machine)
    return Fault(f"R{code}", message, frames)


def unready(program: Program, fault: EngineFault, machine: Machine) -> str:
    """Why no game can begin: whose first value cannot be found, and where that stands."""
    made = fault_of(program, fault, machine)
    (number,) = machine.read(SPOT, 1)
    whose = f"`{program.first_values[-number - 1]}`" if number < 0 else "a container"
    where = "".join(f"\n  at {frame.file}:{frame.line}" for frame in made.frames[-5:])
    return f"no game can begin: the first value of {whose} cannot be found ({made}){where}"


def _lists_overflow(machine: Machine) -> bool:
    """Whether lists have filled their regions."""
    (gathered,), (stack,) = machine.read(GATHER_TOP, 1), machine.read(STACK_TOP, 1)
    return gathered > BUFFER or stack >= STACK + STACK_CELLS


def _too_much(fault: EngineFault, machine: Machine) -> str:
    """What there is too much of."""
    (steps,), (texts,) = machine.read(STEPS, 1), machine.read(TEXTS, 1)
    if texts > MOST_TEXTS:
        return f"more than {MOST_TEXTS:,} texts are said without a decision"
    if steps < 1:
        return "five million steps without a decision"
    running = [name for name in fault.functions if name != "fault"]
    if running and running[0] in LISTING:
        return LIST_TOO_LONG
    if running and running[0].startswith("make:"):
        return f"more than {SPARES} things of one kind are made"
    if _lists_overflow(machine):
        return LIST_TOO_LONG
    return MESSAGES[TOO_MUCH]


def frame_at(program: Program, spot: int) -> Frame | None:
    """Where a spot of the document stands, and what stands there; 0 is not known."""
    found = place(program.document, spot) if spot else None
    if found is None:
        return None
    file, line = found
    return Frame(_declared_at(program.document, file, line)[1], file, line)


def _declaration_frame(program: Program, spot: int) -> Frame | None:
    """The declaration in which a spot stands; 0 is not known."""
    found = place(program.document, spot) if spot else None
    if found is None:
        return None
    line, what = _declared_at(program.document, *found)
    return Frame(what, found[0], line)


def _calling_frame(program: Program, outer: str, inner: str) -> Frame | None:
    """The line on which one function calls another; the line of the declaration where several do, or none."""
    declared = _declaration_frame(program, program.function_spots[outer])
    called, node = _called(inner), _declaration(program.document, outer)
    if declared is None or called is None or node is None:
        return declared
    spots = {spot for spot in _call_spots(node, called, getattr(node, "at", 0)) if spot}
    lines = {found for spot in spots if (found := place(program.document, spot)) is not None}
    return Frame(declared.what, *lines.pop()) if len(lines) == 1 else declared


def _called(name: str) -> tuple[type[Node], str] | None:
    """What calls a function of an action or value, and the id it names."""
    sort, _, rest = name.partition(":")
    call = {"action": Call, "value": ValueCall}.get(sort)
    return None if call is None else (call, rest.partition("@")[0])


def _declaration(document: Document, name: str) -> Node | None:
    """The action or value whose function has a name."""
    sort, _, rest = name.partition(":")
    content = document.content
    declared: Iterable[ActionDeclaration | ValueDeclaration] = ()
    if sort == "action":
        declared = content.actions
    elif sort in ("value", "computed", "base"):
        declared = content.values
    return next((node for node in declared if node.id == rest.partition("@")[0]), None)


def _call_spots(node: Node, called: tuple[type[Node], str], spot: int) -> Iterator[int]:
    """Where something is called inside a node: the nearest spot that is known around each call."""
    spot = getattr(node, "at", 0) or spot
    kind, name = called
    if isinstance(node, kind) and (getattr(node, "action", None) or getattr(node, "id", None)) == name:
        yield spot
    for child in children(node):
        yield from _call_spots(child, called, spot)


def place(document: Document, spot: int) -> tuple[str, int] | None:
    """The file and the line of a spot."""
    sources = document.sources
    if not 0 <= spot < len(sources.spots):
        return None
    file, line, *_ = sources.spots[spot]
    return sources.files[file], line


def _frames(program: Program, fault: EngineFault, machine: Machine) -> list[Frame]:
    """The lines on the way, the outermost first, and the line where it happened last."""
    names = [name for name in reversed(fault.functions[:MOST_FRAMES]) if name in program.function_spots]
    way = [_calling_frame(program, name, inner) for name, inner in pairwise([*names, ""])]
    frames: list[Frame] = []
    for frame in way:
        if frame is not None and (not frames or frames[-1] != frame):
            frames.append(frame)
    # Where the fault itself does not say, it was in the last statement that began.
    here = frame_at(program, fault.spot or max(0, machine.read(SPOT, 1)[0]))
    if here is not None:
        if frames and frames[-1].what == here.what:
            frames.pop()
        frames.append(here)
    return frames


# ------------------------------------------------------------------ what stands where
def _declarations(document: Document) -> dict[str, list[tuple[int, str]]]:
    """The declarations of every file: the line each begins at, and what it is called."""
    content = document.content
    named: list[tuple[Iterable[Node], str]] = [
        (content.actions, "action"),
        (content.values, "value"),
        (content.tables, "table"),
        (content.menus, "menu"),
        (content.measures, "measure"),
        (content.tracks, "track"),
        (content.states, "state"),
        (content.periods, "period"),
        (content.kinds, "kind"),
        (content.traits, "trait"),
        (content.things, "thing"),
        (content.tests, "test"),
        (content.checks, "check"),
    ]
    found: dict[str, list[tuple[int, str]]] = {}
    for declarations, sort in named:
        for declared in declarations:
            name = str(getattr(declared, "id", "") or getattr(declared, "title", ""))
            _note(document, found, declared, f"{sort} `{name.partition('/')[0]}`" if name else f"a {sort}")
    for rule in content.rules:
        _note(document, found, rule, rule_name(rule))
    for rows in found.values():
        rows.sort()
    return found


def _note(document: Document, found: dict[str, list[tuple[int, str]]], node: Node, what: str) -> None:
    at = getattr(node, "at", None)
    where = place(document, at) if isinstance(at, int) else None
    if where is not None:
        found.setdefault(where[0], []).append((where[1], what))


def rule_name(rule: Node) -> str:
    """What a rule is called: its timing, and what it is about."""
    timing = type(rule).__name__.removesuffix("Rule")
    words = "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(timing))
    about = next(
        (
            str(found)
            for name in ("action", "value", "menu", "field", "period")
            if (found := getattr(rule, name, None))
        ),
        "",
    )
    about = about.removeprefix("core:").partition("/")[0]
    return f"rule `{words} {about}`" if about and not about.startswith("<") else f"rule `{words}`"


def _declared_at(document: Document, file: str, line: int) -> tuple[int, str]:
    """The declaration in which a line stands, and the line it begins at."""
    found = (line, "the game")
    for first, name in _declarations(document).get(file, ()):
        if first > line:
            break
        found = (first, name)
    return found
