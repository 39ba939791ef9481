"""Tests that cannot fail, do not begin, or share a title."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import is_own
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label


def find_expecting_nothing(context: Context) -> Iterator[Diagnostic]:
    """Tests without any `expect`."""
    for test in context.content["tests"]:
        expects = any(step["step"].startswith("expect") or step.get("refused") for step in test["steps"])
        if is_own(context, test["at"]) and not expects:
            yield EXPECTS_NOTHING.finding(
                context.span(test["at"]),
                "this test expects nothing, so it can only fail by accident",
                "end it with a line `expect ...`",
            )


def find_without_start(context: Context) -> Iterator[Diagnostic]:
    """Tests that never say where the game stands, in a package that has chapters to start in."""
    if not any(context.work.is_a(thing["kind"], "Chapter") for thing in context.content["things"]):
        return
    for test in context.content["tests"]:
        steps = [step["step"] for step in test["steps"]]
        if not is_own(context, test["at"]) or not steps:
            continue
        if "start" not in steps:
            yield WITHOUT_START.finding(
                context.span(test["at"]),
                "this test does not say where it starts",
                "begin it with `start chapter with seed 1`",
            )


def find_same_title(context: Context) -> Iterator[Diagnostic]:
    """Two tests that a report could not tell apart."""
    first: dict[str, int] = {}
    for test in context.content["tests"]:
        if not is_own(context, test["at"]):
            continue
        at = first.setdefault(test["title"], test["at"])
        if at != test["at"]:
            yield SAME_TITLE.finding(
                context.span(test["at"]),
                "another test has this title",
                "say what this one shows that the other does not",
                [Label(context.span(at), "the other one")],
            )


_START = """
    Chapter night "Night"
    track gold 0..9 start 3
    action game: go to night
    action earn: gold + 1
"""

EXPECTS_NOTHING = Check(
    code="X606",
    name="test-expects-nothing",
    severity="warning",
    why="""A test plays a few moves and then says what must be true. Without an `expect` it passes
    whatever the rules do, and so tests nothing.""",
    bad=_START
    + """
    test "gold is earned":  # <-
        start night with seed 1
        when earn
    """,
    good=_START
    + """
    test "gold is earned":
        start night with seed 1
        when earn
        expect gold == 4
    """,
    find=find_expecting_nothing,
    local=True,
)

WITHOUT_START = Check(
    code="X607",
    name="test-without-start",
    severity="warning",
    why="""`start` names the chapter a test is played in, and the seed, players and options it is
    played with. A test without it stands before the game has begun: nothing is set up and nobody is
    seated.""",
    bad=_START
    + """
    test "gold is earned":  # <-
        when earn
        expect gold == 4
    """,
    good=_START
    + """
    test "gold is earned":
        start night with seed 1
        when earn
        expect gold == 4
    """,
    find=find_without_start,
)

SAME_TITLE = Check(
    code="X610",
    name="test-title-twice",
    severity="warning",
    why="""The title of a test is its name in reports and for `tale test -k`. With two tests of one
    title nobody can tell which of them failed.""",
    bad=_START
    + """
    test "gold is earned":
        start night with seed 1
        when earn
        expect gold == 4
    test "gold is earned":  # <-
        start night with seed 1
        when earn; earn
        expect gold == 5
    """,
    good=_START
    + """
    test "gold is earned":
        start night with seed 1
        when earn
        expect gold == 4
    test "gold is earned twice":
        start night with seed 1
        when earn; earn
        expect gold == 5
    """,
    find=find_same_title,
)

CHECKS = (EXPECTS_NOTHING, WITHOUT_START, SAME_TITLE)
