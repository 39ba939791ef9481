"""Games that come to the end of `game` where there is no chapter to go on with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

from talewright.compiler.checks._control_flow import breaks
from talewright.compiler.checks._story_pages import pages
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import Index, at_in_main, index, is_whole, nodes_in
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]
_LOOKING_ON = ("test", "check", "measure")


def find(context: Context) -> Iterator[Diagnostic]:
    """`game`, if it can come to its end and nothing goes on from there."""
    story = pages(context)
    actions = {action["id"]: action for action in context.content["actions"]}
    game = actions.get("game/")
    main = context.packages.main
    if not is_whole(context) or story.chapters or game is None or main is None:
        return
    # Adventures bring the pages of a system that has none.
    if main.type == "system" and not story.endings:
        return
    own = [node["at"] for node in (game, *story.endings.values()) if at_in_main(context, node["at"])]
    leaving = _leaving(index(context))
    if own and leaving is not None and _Flow(actions, leaving).ends(game):
        yield CHECK.finding(
            context.span(own[0]),
            "`game` can come to its end, and there is no chapter to go on with",
            "let every way through it end with `go to` and an ending, or write a chapter",
        )


def _leaving(seen: Index) -> set[str] | None:
    """The actions that may lead to a page; none if anything does that may run at any time."""
    found: set[str] = set()
    stack = list(seen.users.get(("go_to", ""), ()))
    while stack:
        unit = seen.units[stack.pop()]
        if unit.form == "action" and unit.id not in found:
            found.add(unit.id)
            stack.extend(seen.users.get(("action", unit.id), ()))
        elif unit.form not in ("action", *_LOOKING_ON):
            return None
    return found


class _Flow:
    """Which code can come to its end; whether a loop leads away before it ends is left open."""

    def __init__(self, actions: dict[str, IR], leaving: Set[str]) -> None:
        self.actions = actions
        self.leaving = leaving
        self.known: dict[str, bool] = {}

    def ends(self, action: IR) -> bool:
        """Whether an action can come to its end."""
        name = action["id"]
        if name not in self.known:
            self.known[name] = False
            self.known[name] = self.passes(action["body"]) or _stops(action["body"])
        return self.known[name]

    def passes(self, body: Iterable[IR]) -> bool:
        """Whether a block can come to its end."""
        return all(self.goes_on(statement) for statement in body)

    def goes_on(self, node: IR) -> bool:
        """Whether what stands behind a statement can be reached."""
        match node["op"]:
            case "go_to" | "give" | "stop":
                return False
            case "together":
                return self.passes(node["body"])
            case "if":
                return any(
                    self.passes(body) for body in (*(b for _, b in node["branches"]), node["otherwise"])
                )
            case "branch":
                return any(self.passes(arm["body"]) for arm in node["arms"])
            case "choose_one":
                options = node["options"]
                return bool(node.get("optional")) or any(self.passes(one["body"]) for one in options)
            case "may":
                return True
            case "call":
                return self.ends(self.actions[node["action"]])
            case "let" | "assign" if node["value"].get("op") == "call":
                return self.goes_on(node["value"])
            case "repeat" if "while" not in node and "times" not in node:
                return breaks(node["body"])
        return not self.leads_away(node)

    def leads_away(self, node: IR) -> bool:
        """Whether anything in a statement may lead to a page."""
        return any(
            inner.get("op") == "go_to" or (inner.get("op") == "call" and inner["action"] in self.leaving)
            for inner in nodes_in(node)
        )


def _stops(body: list[IR]) -> bool:
    """Whether a `stop` or `give` ends an action early."""
    return any(
        node.get("op") == "give" or (node.get("op") == "stop" and not node.get("loop"))
        for node in nodes_in(body)
    )


CHECK = Check(
    code="F448",
    name="game-leads-nowhere",
    severity="warning",
    why="""When the action `game` is over, the first chapter is played. Without any chapter the game
    leads nowhere then, and breaks off with an error. So every way through `game` ends with `go to`.""",
    bad="""
    Ending truth "The Truth"
    Ending silence "Silence"
    track purse 0..3 start 3
    action game:  # <-
        repeat 3 times: toss
        if purse == 3: go to truth
    action toss:
        let n = do roll d6
        if n == 1: purse - 1
    """,
    good="""
    Ending truth "The Truth"
    Ending silence "Silence"
    track purse 0..3 start 3
    action game:
        repeat 3 times: toss
        if purse == 3: go to truth
        go to silence
    action toss:
        let n = do roll d6
        if n == 1: purse - 1
    """,
    find=find,
)
