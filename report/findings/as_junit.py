"""Findings as a JUnit report, for build servers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(findings: Sequence[Diagnostic], sources: Mapping[str, Source]) -> str:
    """A suite for each file; each finding is a failed case, a file without one is a passed case."""
    by_file: dict[str, list[Diagnostic]] = {name: [] for name in sorted(sources)}
    for found in findings:
        by_file.setdefault(found.span.file, []).append(found)
    root = Element("testsuites", name="tale lint", failures=str(len(findings)))
    total = 0
    for file, there in sorted(by_file.items()):
        cases = max(1, len(there))
        total += cases
        suite = SubElement(
            root, "testsuite", name=clean(file), tests=str(cases), failures=str(len(there)), errors="0"
        )
        for found in there:
            _failed_case(suite, found)
        if not there:
            SubElement(suite, "testcase", name="no findings", classname=clean(file))
    root.set("tests", str(total))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _failed_case(suite: Element, found: Diagnostic) -> None:
    span = found.span
    case = SubElement(
        suite,
        "testcase",
        name=f"{found.code} {found.name} ({span.line}:{span.column})",
        classname=clean(span.file),
        file=clean(span.file),
        line=str(span.line),
    )
    failure = SubElement(case, "failure", type=found.severity, message=clean(found.message))
    lines = [f"{span.file}:{span.line}:{span.column}: {found.severity}[{found.code}]: {found.message}"]
    lines += [f"{label.span.file}:{label.span.line}: {label.text}" for label in found.labels]
    lines += [f"help: {found.help}"] if found.help else []
    failure.text = clean("\n".join(lines))


def clean(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
