"""Test outcomes as a JUnit report, for build servers."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from talewright.dsl.diagnostics import Diagnostic
from talewright.report.findings.as_junit import clean
from talewright.report.testing.outcomes import Tested, by_file


def render(tests: list[Tested], broken: Sequence[Diagnostic] = ()) -> str:
    """A suite for each file, a case for each test; `broken` is what keeps packages from being tested."""
    failures = sum(not test.passed for test in tests)
    seconds = sum(test.seconds for test in tests)
    root = Element(
        "testsuites",
        name="tale test",
        tests=str(len(tests) + len(broken)),
        failures=str(failures),
        errors=str(len(broken)),
        time=f"{seconds:.3f}",
    )
    if broken:
        _not_tested(root, broken)
    for file, there in by_file(tests).items():
        suite = SubElement(
            root,
            "testsuite",
            name=clean(file),
            tests=str(len(there)),
            failures=str(sum(not test.passed for test in there)),
            errors="0",
            time=f"{sum(test.seconds for test in there):.3f}",
        )
        for test in there:
            _case(suite, test)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _not_tested(root: Element, broken: Sequence[Diagnostic]) -> None:
    count = str(len(broken))
    suite = SubElement(root, "testsuite", name="packages", tests=count, failures="0", errors=count)
    for found in broken:
        span, name = found.span, f"{found.code} {found.name}"
        case = SubElement(
            suite,
            "testcase",
            name=clean(name),
            classname=clean(span.file),
            file=clean(span.file),
            line=str(span.line),
        )
        SubElement(case, "error", type=clean(found.code), message=clean(found.message))


def _case(suite: Element, test: Tested) -> None:
    case = SubElement(
        suite,
        "testcase",
        name=clean(test.title),
        classname=clean(test.file),
        file=clean(test.file),
        line=str(test.line),
        time=f"{test.seconds:.3f}",
    )
    if not test.passed:
        failure = SubElement(case, "failure", type="expectation", message=clean(test.message))
        failure.text = clean("\n".join([test.place, test.failed_text.strip(), test.message, *test.trace]))
