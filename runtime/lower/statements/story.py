"""The story: how a game begins, turns its pages and ends."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, both, call, cell, const, equal, load, negate
from talewright.runtime.ir.header import ENDED, LEADS_NOWHERE, NOWHERE, STATUS
from talewright.runtime.ir.nodes import AskingCall, Expression, Local
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.decisions import new_point, pick
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.expressions.values import of_kind, stored
from talewright.runtime.lower.maps.casts import drop_cast
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import NO_PARTS, each_applying, run_rule
from talewright.runtime.lower.rules.watch import arm_all
from talewright.runtime.lower.statements.actions import need_action, rules_of
from talewright.runtime.lower.statements.statements import leave_for
from talewright.runtime.lower.statements.verbs import Verb, core_call, verb
from talewright.runtime.model.cells import (
    CHAPTER,
    DIRTY,
    ENDING,
    FIRST_PAGE,
    GOING,
    LEAVING,
    NOT_LEAVING,
    TARGET,
)
from talewright.runtime.model.layout import IMAGE
from talewright.runtime.model.types import THING, is_block
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import CoreArguments
from talewright.schemas.nodes.declared import ActionDeclaration, StateDeclaration
from talewright.schemas.nodes.names import LocalRef, ThingRef
from talewright.schemas.nodes.reads import FieldOf, Property
from talewright.schemas.nodes.types import Type

# What the decision about the way on is called.
FOLLOWED = "follow.choice"


def story(code: Code) -> None:
    """The whole game: the action `game`, then page after page until an ending."""
    program = code.program
    begin = code.hold(_first_chapter(program))
    with code.if_(cell(FIRST_PAGE)):
        code.assign(begin, cell(FIRST_PAGE))
    code.emit(AskingCall(need_enter(program), (begin,)))
    with code.block("begun") as begun, code.leaving_to(begun):
        action = program.actions.get("game/")
        if action is not None:
            program.sets_up = _leads_to_page(program, action)
            if program.build.events and _played_by_game(program):
                with code.if_(of_kind(code, begin, "Chapter")):
                    code.do("say_page", begin)
            code.ask_call(need_action(program, action), ())
        else:
            core_call(code, s.CoreCall("game", CoreArguments(), 0))
    page = code.hold(cell(TARGET))

    def begin_at_first() -> None:
        code.fault_if(negate(begin), LEADS_NOWHERE, NOWHERE)
        code.set(TARGET, begin)

    def begin_where_asked() -> None:
        """Whoever asks for a chapter gets it, wherever the system would begin."""
        with code.if_(both(cell(FIRST_PAGE), negate(of_kind(code, page, "Ending")))):
            code.set(TARGET, begin)

    code.when(cell(LEAVING), begin_where_asked, begin_at_first)
    with code.loop() as (again, out):
        code.do("unwind")
        code.assign(page, cell(TARGET))
        leave = program.function(
            "leave chapter", 0, lambda inner: _moment_of_chapter(inner, "after"), gives=False
        )
        code.emit(AskingCall(leave))
        code.leave_if(cell(LEAVING), again)
        code.set(LEAVING, NOT_LEAVING)
        code.emit(AskingCall(need_enter(program), (page,)))
        code.emit(AskingCall(need_play(program), (page,)))
        code.leave_if(cell(ENDING), out)
        code.leave_if(equal(cell(LEAVING), GOING), again)
        code.fault(LEADS_NOWHERE, NOWHERE)
    code.set(STATUS, ENDED)


def _first_chapter(program: Program) -> int:
    """The first chapter of the package that is played, else of those that it uses; 0 if there is none."""
    chapters = [program.world.thing(number) for number in program.world.of_kind("Chapter")]
    sources = program.document.sources
    own = f"{program.document.package.name}/"
    for chapter in chapters:
        at = chapter.declaration.at if chapter.declaration is not None else None
        if at is not None and sources.files[sources.spots[at][0]].startswith(own):
            return chapter.number
    return chapters[0].number if chapters else 0


def _played_by_game(program: Program) -> bool:
    """Whether `game` is how the first chapter is played, so that its page is turned to before.

    It is not if anything else plays chapters or leads to one, nor if a line reads the prose of the present chapter itself.
    """
    world = program.world
    if rules_of(program, "instead_of", "core:play") or "play/" in program.actions:
        return False
    chapters = [world.thing(number) for number in world.of_kind("Chapter")]
    if any(name in chapter.fields for chapter in chapters for name in ("choice", "outcome")):
        return False
    found = world.index.nodes
    if any(node.name in ("prose", "text") for node in found if isinstance(node, Property | FieldOf)):
        return False
    return all(_leads_to_ending(program, node.target) for node in found if isinstance(node, s.GoTo))


def _leads_to_page(program: Program, action: ActionDeclaration) -> bool:
    """Whether an action itself leads to a page that is no ending."""
    found = (node for statement in action.body for node in walk(statement))
    return any(isinstance(node, s.GoTo) and not _leads_to_ending(program, node.target) for node in found)


def _leads_to_ending(program: Program, target: object) -> bool:
    world = program.world
    match target:
        case ThingRef():
            return world.is_a(world.thing(world.number[target.id]).kind, "Ending")
        case FieldOf():
            field = world.fields.get((target.owner, target.name))
            kind = plain(field.type).name if field is not None else ""
            return kind in world.kinds and world.is_a(kind, "Ending")
    return False


def has_fixed_pages(program: Program) -> bool:
    """Whether nothing in a game can change the title or the prose of a page."""
    world = program.world
    chapters = [kind for kind in world.kinds if world.is_a(kind, "Chapter")]
    titles = [world.fields_of(kind).get("title") for kind in chapters]
    return not world.pools_of("Chapter") and not any(
        title is not None and title.tag == "text" for title in titles
    )


def need_enter(program: Program) -> str:
    """The function that makes a page the present one."""
    return program.function("enter", 1, _enter, gives=False)


def need_play(program: Program) -> str:
    """The function that plays a page."""
    return program.function("play page", 1, _play, gives=False)


def _enter(code: Code) -> None:
    """Makes a page the present one: the cast of the last one goes, states and rules of this one begin."""
    page = Local(0)
    drop_cast(code)
    code.set(CHAPTER, page)
    code.set(DIRTY, 1)
    if code.program.build.counted:
        code.do("count_page", page)
    _reset_states(code, page)
    arm_all(code)


def _play(code: Code) -> None:
    """Plays a page, by the system's own action if it has one for it."""
    program, page = code.program, Local(0)
    with code.if_(of_kind(code, page, "Chapter")):
        _moment_of_chapter(code, "before")
    action = program.actions.get("play/")
    if action is not None:
        wanted = action.params[0].type
        with code.if_(of_kind(code, page, wanted.name) if wanted.name in program.world.kinds else ONE):
            code.ask_call(need_action(program, action), (page,))
            code.go(code.exit)
    code.bind(0, page, THING, sure=True)
    core_call(code, s.CoreCall("play", CoreArguments(first=LocalRef(0)), 0))


def _reset_states(code: Code, page: Expression) -> None:
    """States and tracks of a chapter begin with it."""
    program = code.program
    for cells, declared in (
        (program.layout.state_cells, program.world.content.states),
        (program.layout.track_cells, program.world.content.tracks),
    ):
        for one in declared:
            if one.chapter is None or one.id not in cells:
                continue
            at = cells[one.id]
            with code.if_(equal(page, program.thing(one.chapter))):
                if isinstance(one, StateDeclaration) and is_block(one.type):
                    code.do("store_blocks", at, call("first_list", cell(IMAGE + at)), SHAPE_FLAT)
                else:
                    code.set(at, cell(IMAGE + at))


def _moment_of_chapter(code: Code, timing: str) -> None:
    """Rules before and after the play of a chapter; those after it run only if it had begun."""
    program = code.program
    entries = rules_of(program, timing, "core:chapter")
    if not rules_of(program, "before", "core:chapter") and not rules_of(program, "after", "core:chapter"):
        return
    begun = program.cell("chapter begun")

    def run(entry: RuleEntry, me: Expression) -> None:
        run_rule(code, entry, me, NO_PARTS, "chapter")

    with code.if_(ONE if timing == "before" else cell(begun)):
        code.set(begun, int(timing == "before"))
        for entry in entries:
            each_applying(code, entry, NO_PARTS, "chapter", partial(run, entry), steady=False)


@verb("play")
def play(code: Code, call_: Verb) -> None:
    """The core's way with a page: say it; an ending ends the game, a chapter is followed."""
    program = code.program
    page = code.keep(call_.part("first"))
    if program.build.events:
        code.do("say_page", page)
    with code.if_(of_kind(code, page, "Ending")):
        code.set(ENDING, page)
        code.set(LEAVING, GOING)
        code.go(code.leave)
    for name in ("choice", "outcome"):
        field = program.world.fields.get(("Chapter", name))
        if field is None:
            continue
        rows = code.keep(stored(code, page, field, True))
        with code.if_(rows):
            if name == "choice":
                _follow(code, rows, page, const(program.all_seats()))
            else:
                target = code.call("first_way", rows, page)
                code.fault_if(negate(target), LEADS_NOWHERE)
                leave_for(code, target)


@verb("follow")
def follow(code: Code, call_: Verb) -> None:
    """Asks for one of the labels and goes there."""
    ways = code.keep(call_.part("first"))
    mask = code.keep(deciders(code, call_.node.args.by))
    code.when(ways, lambda: _follow(code, load(ways, 1), load(ways, 2), mask))


def _follow(code: Code, rows: Expression, page: Expression, mask: Expression) -> None:
    held, whose = code.keep(rows), code.keep(page)
    point = new_point(code, "options", "choice", Type("thing", "Thing"), None, FOLLOWED)
    code.program.way_points.add(point)
    code.uses_stack()
    target = pick(
        code,
        point,
        mask,
        lambda: code.call("open_ways", held, whose),
        Type("way"),
        False,
        ZERO,
        lambda options: code.call("way_labels", held, options),
    )
    code.when(target, lambda: leave_for(code, code.call("way_target", held, target)))
