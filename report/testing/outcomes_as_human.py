"""Test outcomes for people: a line a file, then each failure with its line, both sides and what happened."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from talewright.report.findings.excerpt import printable
from talewright.report.testing.mutation_testing import Tried
from talewright.report.testing.outcomes import Tested
from talewright.report.testing.rule_coverage import Coverage

_FRAME = "blue"
_GOOD = "green"
_BAD = "bold red"
MAX_TRACE = 60
MAX_MISSING = 12


def show_file(file: str, tests: list[Tested], console: Console) -> None:
    """One line: the file, a sign a test, how many passed."""
    passed = sum(test.passed for test in tests)
    signs = [("." if test.passed else "F", _GOOD if test.passed else _BAD) for test in tests]
    count = f"{passed}" if passed == len(tests) else f"{passed} of {len(tests)}"
    _say(console, Text.assemble(printable(file), " ", *signs, " ", count))


def show_failures(tests: list[Tested], console: Console) -> None:
    """Every test that failed."""
    for test in tests:
        if not test.passed:
            console.print()
            for line in _failure(test):
                _say(console, line)


def show_summary(tests: list[Tested], console: Console) -> None:
    """How many tests there were, and how they went."""
    failed = sum(not test.passed for test in tests)
    seconds = sum(test.seconds for test in tests)
    if not tests:
        _say(console, Text("no tests"))
        return
    verdict = (f"{failed} failed, ", _BAD) if failed else ("", "")
    _say(console, Text())
    _say(console, Text.assemble(verdict, (f"{len(tests) - failed} passed", _GOOD), f" in {seconds:.1f} s"))


def show_coverage(covered: Coverage, console: Console) -> None:
    """What a catalogue asks for and the tests do not show, topic by topic."""
    missing = covered.missing
    total = covered.total
    console.print()
    _say(console, Text(f"{printable(covered.catalogue)}: {total - len(missing)} of {total} rules covered"))
    width = max((len(name) for name in covered.topics), default=0)
    for name, topic in covered.topics.items():
        count = f"{len(topic.ids) - len(topic.missing):>4} of {len(topic.ids):<4}"
        lacking = ", ".join(topic.missing[:MAX_MISSING])
        if len(topic.missing) > MAX_MISSING:
            lacking += f" and {len(topic.missing) - MAX_MISSING} more"
        style = _BAD if topic.missing else _GOOD
        _say(console, Text.assemble("  ", printable(name).ljust(width), " ", (count, style), " ", lacking))
    if covered.customs:
        _say(
            console,
            Text(f"  customs, not tested: {covered.customs - covered.customs_named} of {covered.customs}"),
        )
    if covered.unknown:
        _say(console, Text.assemble(("  not in the catalogue: ", _BAD), ", ".join(covered.unknown)))


def show_unnoticed(tried: list[Tried], console: Console) -> None:
    """What could be broken without any test noticing, line by line."""
    for one in tried:
        if not one.noticed:
            why = "no test notices" if one.reached else "no test comes here"
            _say(console, Text.assemble((f"{why}: ", _BAD), f"{printable(one.file)}:{one.line}: {one.what}"))
    if not tried:
        _say(console, Text("nothing to break there"))
        return
    noticed = sum(one.noticed for one in tried)
    _say(console, Text(f"{noticed} of {len(tried)} breaks noticed"))


def _failure(test: Tested) -> Iterator[Text]:
    yield Text.assemble(("failed: ", _BAD), (printable(test.title), "bold"))
    number = str(test.failed_line or test.line)
    yield Text.assemble(" " * len(number), ("--> ", _FRAME), printable(test.place))
    if test.failed_text:
        yield Text.assemble((f"{number} | ", _FRAME), printable(test.failed_text.strip()))
    pad = " " * len(number)
    for line in test.message.splitlines():
        yield Text.assemble((f"{pad} = ", _FRAME), printable(line))
    if test.trace:
        yield Text.assemble((f"{pad} = ", _FRAME), "what happened:")
        left = len(test.trace) - MAX_TRACE
        if left > 0:
            yield Text(f"{pad}     ... {left} lines before")
        for line in test.trace[-MAX_TRACE:]:
            yield Text(f"{pad}     {printable(line)}")


def _say(console: Console, line: Text) -> None:
    console.print(line, soft_wrap=True, highlight=False)
