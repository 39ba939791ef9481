"""Pages turned without unwinding: where the rules that play a page are known beforehand, each becomes a function that
gives the next page, and one loop turns them.

Everything else, `go to` from inside other actions included, takes the way of every call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR, Thing

if TYPE_CHECKING:
    from talewright.runtime.game import Game
    from talewright.runtime.leanwords import LeanWords
    from talewright.runtime.program import Program
    from talewright.runtime.rulecode import Rule

MOST_PAGES = 100_000
# The function that gives the first page.
OPENING = "P_"
# Statements whose meaning hangs on the call that they stand in.
_TIED = frozenset(("usual", "as_usual", "give", "requires", "cancel"))


def rules_of_pages(program: Program) -> list[Rule]:
    """The rules that play pages, the highest first; none if a page cannot be played by them alone."""
    hooks = program.core_hooks
    rules = hooks.get("play", [])
    plain = (
        program.lean
        and not program.interrupted
        and not program.lasts
        and not {"chapter", "follow"} & hooks.keys()
        and "play/" not in program.action_numbers
    )
    if not plain or not rules or not all(_is_plain(rule) for rule in rules):
        return []
    return list(reversed(rules))


def _is_plain(rule: Rule) -> bool:
    ir = rule.ir
    return (
        ir["rule"] == "instead_of"
        and rule.bearer == ""
        and all(slot["param"] == "first" for slot in ir.get("slots", ()))
        and not any(node.get("op") in _TIED for node in _nodes(ir["body"]))
    )


def _nodes(code: Any) -> list[IR]:
    found: list[IR] = []
    stack = [code]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            found.append(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return found


def write_page_rule(program: LeanWords, rule: Rule) -> None:
    """A rule that plays a page: it gives the next page, none when there is none, or that it does not apply."""
    ir = rule.ir
    program.writer.at = ir["at"]
    code = program.frame(ir, "play")
    code.page = True
    code.self_name = "None"
    tests: list[str] = []
    name = "page"
    bound = ""
    for slot in ir.get("slots", ()):
        if "n" in slot:
            while len(code.names) <= slot["n"]:
                code.names.append(program.local(len(code.names)))
            name = code.names[slot["n"]]
            bound = name
        tests.extend(program.slot_tests(slot, name, code))
    if "when" in ir:
        tests.append(program.c(ir["when"], code))
    with program.writer.block(f"def P{rule.number}(page):"):
        if bound:
            program.line(f"{bound} = page")
        if tests:
            with program.writer.block(f"if not ({' and '.join(tests)}):"):
                program.line("return False")
        program.trace_rule(rule)
        program.block(ir["body"], code)
        program.line("return None")


def write_follow(program: Any, args: IR, code: Code) -> None:
    """`follow` on the page that is being played: the way that is chosen is the next page."""
    made, open_ = program.writer.fresh("w"), program.writer.fresh("w")
    by = program.x(args["by"], code)
    program.line(f"{made} = {program.x(args['first'], code)}")
    with program.writer.block(f"if {made}:"):
        with program.writer.block("if QUICK is None:"):
            program.line(f"{open_} = {made}.options[{made}.open()]")
            # What `decide_way` does once somebody has stood at a fork: stories ask little else.
            asked = f"(q_ := GAME.asked) is not None and q_.seat == {by} and GAME.listener is None"
            with program.writer.block(f"if {open_} is not None and {asked} and len({open_}) > 1:"):
                program.line(f"q_.options = [*{open_}]")
                program.line("a_ = GAME.agent(q_)")
                with program.writer.block(f"if 0 <= a_ < len({open_}) and not GAME.refusals:"):
                    program.line('LOG.append(("follow.choice", a_))')
                    program.line(f"return {open_}.targets[a_]")
                program.line(f"return GAME.go_way({open_}, a_)")
            nobody = "" if by.isdigit() else f" or {by} is None"
            with program.writer.block(f"if {open_} is None or len({open_}) < 2{nobody}:"):
                program.line(f"{open_} = GAME.way({made}, {by})")
                with program.writer.block(f"if {open_} is not None:"):
                    program.line(f"return {open_}")
            with program.writer.block("else:"):
                program.line(f"return GAME.decide_way({open_}, {by})")
        with program.writer.block("else:"):
            program.line(f"{open_} = {made}.targets[{made}.open()]")
            with program.writer.block(f"if len({open_}) > 1:"):
                program.line(f"S[{program.layout.scalars['steps']}] = 0")
                program.line(f"return {open_}[{program.quick_way(made, open_)}]")
            with program.writer.block(f"if {open_}:"):
                program.line(f"return {open_}[0]")


def write_ways(program: LeanWords, rows: list[IR], thing: Thing) -> str:
    """A function that gives which of the conditions of a page's ways hold, as the bits of a number."""
    name = program.writer.fresh("w")
    begin = len(program.writer.lines)
    with program.writer.block(f"def {name}():"):
        bits: list[str] = []
        for row in rows:
            if "if" in row:
                program.writer.at = row["at"]
                names = [program.local(number) for number in range(len(row["locals"]))]
                code = Code(names, self_name=str(thing.number), verb="chapter")
                bits.append(f"({1 << len(bits)} if {program.c(row['if'], code)} else 0)")
        program.line(f"return {' | '.join(bits) or '0'}")
    return program.writer.shared(name, begin)


def write_opening(program: Program) -> None:
    """How a game begins, as a function that gives the first page: where nothing but its own body says so."""
    action = program.actions.get("game/")
    if action is None:
        return
    plain = (
        program.page_rules
        and not action["params"]
        and not program.rules_of.get("game/")
        and action["verb"] not in program.tracked
        # Nothing is looked at after it: it leads on.
        and [ir["op"] for ir in action["body"][-1:]] == ["go_to"]
        and not any(node.get("op") in (*_TIED, "stop") for node in _nodes(action["body"]))
    )
    if plain:
        code = program.body_code(action)
        code.page = True
        with program.writer.block(f"def {OPENING}():"):
            program.block(action["body"], code)
            program.line("return None")


class Turner:
    """Turns the pages of one game."""

    def __init__(self, game: Game) -> None:
        space, layout = game.space, game.layout
        self.game = game
        self.first, *self.others = [space[name] for name in game.program.page_functions]
        self.opening: Any = space.get(OPENING)
        self.frames, self.pending = space["FRAMES"], space["PENDING"]
        self.scalars, self.chapter, self.ended = space["S"], space["CHAPTER"], space["ENDED"]
        self.away = space["GoTo"]
        self.endings = frozenset(t.number for t in layout.things if layout.is_a(t.kind, "Ending"))
        # A chapter that brings nothing with it only has to be known as the present one.
        self.bare = not (
            space["BEARER_RULES"]
            or game.program.has_casts
            or game.program.makes
            or space["CHAPTER_STATE"]
            or space["CELLS"].get("chapter")
        )

    def turn(self, target: int) -> int | None:
        """Plays page after page, as long as they lead on."""
        game, first, bare, frames, pending = self.game, self.first, self.bare, self.frames, self.pending
        noted = game.pages
        page = target
        for _ in range(MOST_PAGES):
            if frames or pending:
                game._unwind()
            if bare:
                self.scalars[self.chapter] = page
                if noted is not None:
                    noted.append(page)
            else:
                game.held = 0
                game.enter_chapter(page)
            try:
                made = first(page)
                if made is False:
                    made = self._by_others(page)
            except self.away as go:
                made = go.target
            if made is None:
                return None
            page = made
        return page

    def _by_others(self, page: int) -> Any:
        for turn in self.others:
            made = turn(page)
            if made is not False:
                return made
        if page in self.endings and self.game.quick is not None:
            # Nobody reads it.
            self.scalars[self.ended] = page
            return None
        return self.game.play_page(page)
