"""Findings as SARIF 2.1.0, the exchange format of code scanners."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from talewright.compiler.checks import catalogue
from talewright.dsl.diagnostics import Diagnostic, Fix
from talewright.dsl.source import Source, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(findings: Sequence[Diagnostic], sources: Mapping[str, Source]) -> str:
    """One run with its rules, results, related places and fixes."""
    rules = {found.code: found.name for found in sorted(findings, key=lambda found: found.code)}
    order = {code: position for position, code in enumerate(rules)}
    driver = {
        "name": "Talewright",
        "rules": [_rule(code, name) for code, name in rules.items()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, order[found.code]) for found in findings],
    }
    content = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _rule(code: str, name: str) -> dict[str, Any]:
    """A rule with what its page says: why there is such a finding, a bad sample and a good one."""
    rule: dict[str, Any] = {"id": code, "name": name}
    page = catalogue().get(code)
    if page is None:
        return rule
    why = " ".join(page.why.split())
    bad, good = (textwrap.dedent(sample).strip("\n") for sample in (page.bad, page.good))
    samples = [(title, sample) for title, sample in (("Instead of", bad), ("write", good)) if sample]
    rule["shortDescription"] = {"text": name.replace("-", " ")}
    rule["fullDescription"] = {"text": why}
    rule["help"] = {
        "text": "\n\n".join([why, *(f"{title}:\n{sample}" for title, sample in samples)]),
        "markdown": "\n\n".join([why, *(f"{title}:\n```tale\n{sample}\n```" for title, sample in samples)]),
    }
    rule["defaultConfiguration"] = {"level": _LEVELS[page.severity]}
    return rule


def _result(found: Diagnostic, rule: int) -> dict[str, Any]:
    text = found.message + (f"\nhelp: {found.help}" if found.help else "")
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": _place(found.span)}],
    }
    if found.labels:
        result["relatedLocations"] = [
            {"id": position, "physicalLocation": _place(label.span), "message": {"text": label.text}}
            for position, label in enumerate(found.labels)
        ]
    if found.fixes:
        result["fixes"] = [_fix(fix) for fix in found.fixes]
    return result


def _place(span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(span.file), "region": _region(span)}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(file: str) -> dict[str, str]:
    if PurePosixPath(file).is_absolute():
        return {"uri": "file://" + quote(file)}
    return {"uri": quote(file), "uriBaseId": "%SRCROOT%"}


def _fix(fix: Fix) -> dict[str, Any]:
    by_file: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        change = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        by_file.setdefault(edit.span.file, []).append(change)
    changes = [
        {"artifactLocation": _artifact(file), "replacements": there} for file, there in by_file.items()
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}
