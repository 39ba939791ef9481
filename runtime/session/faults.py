"""Faults of a machine as errors of play: a sentence, and the way there through the text of the package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.faults import Fault, Frame
from talewright.runtime.ir.header import (
    BAD_ADDRESS,
    DIVISION_BY_ZERO,
    DOES_NOT_HOLD,
    ENDLESS,
    ENDLESS_RULES,
    INSIDE_ITSELF,
    LEADS_NOWHERE,
    LEFT_OUT,
    NO_ANSWER,
    NO_ENTRY,
    NONE_IN_ARITHMETIC,
    NOT_ROLLED,
    NOTHING_FITS,
    NOWHERE,
    STACK_TOP,
    STEP_BITS,
    STEPS,
    TOO_DEEP,
    TOO_MUCH,
)
from talewright.runtime.lower.assembly import DEEPEST
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.verbs import MOST_TEXTS
from talewright.runtime.model.cells import CHAPTER, DECISION, GATHER_TOP, SPOT, TEXTS
from talewright.runtime.model.layout import BUFFER, GAME_STEPS, MOST_CHOICES, STACK, STACK_CELLS
from talewright.runtime.model.world import SPARES
from talewright.schemas.node_walk import children
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ActionDeclaration, ValueDeclaration
from talewright.schemas.nodes.document import Document, place, spot_of
from talewright.schemas.nodes.names import ValueCall
from talewright.schemas.nodes.statements import Call
from talewright.schemas.wording import spaced

# What each error of the language says where nobody knows more.
MESSAGES: Final = {
    NONE_IN_ARITHMETIC: "none stands where a number or a thing is needed",
    DIVISION_BY_ZERO: "something is divided by zero",
    NOTHING_FITS: "no row, band or arm fits the value",
    NO_ENTRY: "a list has no entry at that position",
    INSIDE_ITSELF: "a thing would lie inside itself",
    ENDLESS_RULES: "rules set each other off without end",
    TOO_DEEP: f"calls go deeper than {DEEPEST}",
    ENDLESS: f"the game has no end: it goes on after {MOST_CHOICES - 1:,} decisions",
    9: "what a value needs leads back to itself",
    10: "the answer is none of the options",
    NO_ANSWER: "the greedy bot needs a `value score` without parameters in the package",
    LEADS_NOWHERE: "the game leads nowhere: nothing says where to go on",
    TOO_MUCH: "a number grew beyond all bounds",
    15: "a value of the wrong type was reached",
    DOES_NOT_HOLD: "a check of the package does not hold",
    LEFT_OUT: "what is asked for does not exist under the options of this game",
    NOT_ROLLED: "these dice have not been rolled, so they show no number: `do roll` comes first",
}
LIST_TOO_LONG: Final = "a list or a text grew beyond all bounds"
# Functions of the kernel that make lists longer.
LISTING: Final = frozenset(("gathered", "push", "copy_list", "allocate", "take_cells"))
# What stands in a file, by the names of the parts of its content.
DECLARED: Final = (
    "action", "value", "table", "menu", "measure", "track", "state", "period", "kind", "trait", "thing", "test", "check", "rule",
)  # fmt: skip
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
        detail = f", {fault.detail}" if fault.detail else ""
        return Fault("R15", f"{MESSAGES[15]} (engine fault {fault.code}{detail})", frames)
    code, message = fault.code, MESSAGES[fault.code]
    if code == DOES_NOT_HOLD:
        checks = program.world.content.checks
        why = next((check.why for check in checks if check.at == fault.spot and check.why), None)
        verb = next((name.partition(":")[2] for name in fault.functions if name.startswith("action:")), "")
        after = f"after `{verb.partition('/')[0]}`, " if verb else ""
        message = f"{after}{'a check' if why is None else f'“{why}”'} does not hold"
    loop = list(dict.fromkeys(frame.what for frame in frames[-24:]))
    if code == TOO_DEEP and loop and all(what.startswith("value ") for what in loop):
        # Nothing but values call each other.
        code, message = 9, f"{MESSAGES[9]}: {', '.join(what.removeprefix('value ') for what in loop)}"
    if code == ENDLESS:
        taken, most = machine.read(GAME_STEPS, 2)
        if taken > most:
            message = f"the game has no end: it goes on after {most << STEP_BITS:,} steps, with all that bots thought"
    if code == TOO_MUCH:
        message = _too_much(fault, machine)
    return Fault(f"R{code}", message, frames)


def unready(program: Program, fault: EngineFault, machine: Machine) -> str:
    """Why no game can begin: whose first value cannot be found, and where that stands."""
    made = fault_of(program, fault, machine)
    (number,) = machine.read(SPOT, 1)
    whose = f"`{program.first_values[NOWHERE - number - 1]}`" if number < NOWHERE else "a container"
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
    """Where a spot of the document stands, and what stands there."""
    file, line = place(program.document.sources, spot)
    return Frame(_declared_at(program.document, file, line)[1], file, line) if file else None


def _declaration_frame(program: Program, spot: int) -> Frame | None:
    """The declaration in which a spot stands."""
    file, line = place(program.document.sources, spot)
    if not file:
        return None
    first, what = _declared_at(program.document, file, line)
    return Frame(what, file, first)


def _calling_frame(program: Program, outer: str, inner: str) -> Frame | None:
    """The line on which one function calls another; the line of the declaration where several do, or none."""
    declared = _declaration_frame(program, program.function_spots[outer])
    called, node = _called(inner), _declaration(program.document, outer)
    if declared is None or called is None or node is None:
        return declared
    spots = _call_spots(node, called, NOWHERE)
    lines = {found for spot in spots if (found := place(program.document.sources, spot))[0]}
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
    spot = spot_of(node, spot)
    kind, name = called
    if isinstance(node, kind) and (getattr(node, "action", None) or getattr(node, "id", None)) == name:
        yield spot
    for child in children(node):
        yield from _call_spots(child, called, spot)


def _frames(program: Program, fault: EngineFault, machine: Machine) -> list[Frame]:
    """The lines on the way, the outermost first, and the line where it happened last."""
    names = [name for name in reversed(fault.functions[:MOST_FRAMES]) if name in program.function_spots]
    way = [_calling_frame(program, name, inner) for name, inner in pairwise([*names, ""])]
    frames: list[Frame] = []
    for frame in way:
        if frame is not None and (not frames or frames[-1] != frame):
            frames.append(frame)
    # Where the fault itself does not say, it was in the last statement that began.
    here = frame_at(program, fault.spot if fault.spot != NOWHERE else _spot(program, fault, machine))
    if here is not None:
        if frames and frames[-1].what == here.what:
            frames.pop()
        frames.append(here)
    return frames or _page_frame(program, machine)


def _page_frame(program: Program, machine: Machine) -> list[Frame]:
    """The page that is played, or the game where there is none: nothing else ran where a game leads nowhere."""
    page = machine.read(CHAPTER, 1)[0]
    # A document that nobody compiled may go to what is no page.
    known = 0 < page <= len(program.world.things)
    declared = program.world.thing(page).declaration if known else program.actions.get("game/")
    frame = frame_at(program, spot_of(declared, NOWHERE))
    return [] if frame is None else [frame]


def _spot(program: Program, fault: EngineFault, machine: Machine) -> int:
    """Where a game stands: at a decision if there are too many of them, else in a statement."""
    if fault.code == ENDLESS:
        return program.points[machine.read(DECISION, 1)[0]].spot
    return machine.read(SPOT, 1)[0]


# ------------------------------------------------------------------ what stands where
def _declared_at(document: Document, file: str, line: int) -> tuple[int, str]:
    """The declaration in which a line stands, and the line it begins at."""
    begun = []
    for sort in DECLARED:
        for node in getattr(document.content, f"{sort}s"):
            at = getattr(node, "at", None)
            where, first = place(document.sources, at) if isinstance(at, int) else ("", 0)
            if where == file and first <= line:
                begun.append((first, rule_name(node) if sort == "rule" else _called_so(node, sort)))
    return max(begun, default=(line, "the game"))


def _called_so(node: Node, sort: str) -> str:
    name = str(getattr(node, "id", "") or getattr(node, "title", ""))
    return f"{sort} `{name.partition('/')[0]}`" if name else f"a {sort}"


def rule_name(rule: Node) -> str:
    """What a rule is called: its timing, and what it is about."""
    words = spaced(type(rule).__name__.removesuffix("Rule"))
    named = (getattr(rule, part, None) for part in ("action", "value", "menu", "field", "period"))
    about = next((str(name) for name in named if name), "").removeprefix("core:").partition("/")[0]
    return f"rule `{words} {about}`" if about and not about.startswith("<") else f"rule `{words}`"
