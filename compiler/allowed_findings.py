"""Findings that a comment suppresses, and severities set in `tale.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from talewright.compiler.checks import catalogue
from talewright.compiler.checks.check import Parsed
from talewright.compiler.checks.suppressions import NOT_UNDERSTOOD, UNUSED, WITHOUT_REASON, WRONG_SETTING
from talewright.dsl.diagnostics import Diagnostic, Severity
from talewright.dsl.packages.manifest import Manifest
from talewright.dsl.packages.toml_spans import find_places
from talewright.dsl.source import Source, Span
from talewright.schemas.records import record, replace

_SIGN = "tale:"
_LITERALS = re.compile(r'"""(?:.|\n)*?"""|"(?!"")(?:\\.|[^"\\\n])*"|(?P<comment>\#[^\n]*)')
_REMARK = re.compile(r"[ \t]*#[ \t]*tale:[ \t]*(?P<word>[^\s#]*)[ \t]*(?P<code>[^\s#]*)(?P<reason>[^#\n]*)")
_QUIET = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*\Z")
# Errors with these codes leave a text without a meaning: they can be neither suppressed nor downgraded.
_FIRM = frozenset("PSNTD")
_FIRM_TEXTS = frozenset(("X601",))


@record
class Allowance:
    """One comment that allows a finding: on a line, or (line 0) in its whole file."""

    source: Source
    code: str
    line: int
    start: int
    end: int
    used: bool = False

    def span(self) -> Span:
        """Where the comment stands."""
        return self.source.span(self.start, self.end)

    def removed(self) -> Span:
        """The span to delete with the comment; the whole line if nothing else is on it."""
        text = self.source.text
        start = text.rfind("\n", 0, self.start) + 1
        if text[start : self.start].strip(" \t") == "" and text[self.end : self.end + 1] in ("\n", ""):
            return self.source.span(start, min(self.end + 1, len(text)))
        blanks = len(text[start : self.start]) - len(text[start : self.start].rstrip(" \t"))
        return self.source.span(self.start - blanks, self.end)


def settle(findings: Sequence[Diagnostic], files: Sequence[Parsed], manifest: Manifest) -> list[Diagnostic]:
    """The findings without suppressed ones, plus findings about suppressions, with the severities of `[lint]`."""
    left, more = _allow(findings, files, manifest.name)
    settings = manifest.lint
    if settings:
        more.extend(_wrong_settings(manifest))
    settled = []
    for found in [*left, *more]:
        wish = settings.get(found.code)
        if wish is None or is_firm(found.code, found.severity):
            settled.append(found)
        elif wish != "off":
            settled.append(replace(found, severity=cast(Severity, wish)))
    return settled


def is_firm(code: str, severity: str) -> bool:
    """Whether a finding can be neither suppressed nor downgraded."""
    return severity == "error" and (code[:1] in _FIRM or code in _FIRM_TEXTS)


def _allow(
    findings: Sequence[Diagnostic], files: Sequence[Parsed], main: str
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    more: list[Diagnostic] = []
    allowances: list[tuple[Allowance, bool]] = []
    for parsed in files:
        if _SIGN in parsed.source.text:
            own = parsed.origin.package == main
            read, wrong = _read(parsed.source)
            allowances.extend((allowance, own) for allowance in read)
            more.extend(wrong if own else ())
    if not allowances:
        return list(findings), more
    by_place: dict[tuple[str, str, int], list[Allowance]] = {}
    for allowance, _ in allowances:
        key = (allowance.source.name, allowance.code, allowance.line)
        by_place.setdefault(key, []).append(allowance)
    left = []
    for found in findings:
        span = found.span
        known = by_place.get((span.file, found.code, span.line)) or by_place.get((span.file, found.code, 0))
        if known is None or is_firm(found.code, found.severity):
            left.append(found)
        else:
            known[0].used = True
    # While part of a file cannot be parsed, an unused suppression may still be needed.
    if not any(is_firm(found.code, found.severity) for found in findings):
        more.extend(_unused(allowance) for allowance, own in allowances if own and not allowance.used)
    return left, more


def _unused(allowance: Allowance) -> Diagnostic:
    found = UNUSED.finding(
        allowance.removed(),
        f"nothing here is a case of {allowance.code} any more",
        "take the comment away",
        fix=("take the comment away", ""),
    )
    return replace(found, span=allowance.span())


def _read(source: Source) -> tuple[list[Allowance], list[Diagnostic]]:
    """The comments of a file that allow something, and those that try to."""
    read: list[Allowance] = []
    wrong: list[Diagnostic] = []
    for comment in _comments(source.text):
        for remark in _REMARK.finditer(source.text, comment.start(), comment.end()):
            start = remark.start() + len(remark.group()) - len(remark.group().lstrip(" \t"))
            end = remark.start() + len(remark.group().rstrip())
            allowance, problem = _allowance(source, remark, start, end)
            if allowance is not None:
                read.append(allowance)
            if problem is not None:
                wrong.append(problem)
    return read, wrong


def _comments(text: str) -> Iterator[re.Match[str]]:
    for literal in _LITERALS.finditer(text):
        if literal.lastgroup == "comment" and _SIGN in literal.group():
            yield literal


def _allowance(
    source: Source, remark: re.Match[str], start: int, end: int
) -> tuple[Allowance | None, Diagnostic | None]:
    word, code = remark["word"], remark["code"].rstrip(",:;")
    span = source.span(start, end)
    if word not in ("allow", "allow-file"):
        message = f"`{word}` is nothing that can be said here" if word else "nothing follows `tale:`"
        return None, NOT_UNDERSTOOD.finding(span, message, "write `# tale: allow CODE reason`")
    page = catalogue().get(code)
    if page is None:
        message = f"there is no finding `{code}`" if code else f"`{word}` names no code"
        return None, NOT_UNDERSTOOD.finding(span, message, "copy the code from the finding, such as L703")
    if is_firm(code, page.severity):
        return None, NOT_UNDERSTOOD.finding(
            span, f"{code} keeps the package from compiling and cannot be allowed", "mend what it points at"
        )
    if word == "allow-file":
        if _QUIET.match(source.text[:start]) is None:
            help = "move it up, or write `allow` for one line"
            return None, NOT_UNDERSTOOD.finding(span, "`allow-file` stands above the first declaration", help)
        line = 0
    else:
        line = _line_meant(source, start)
    problem = None
    if not remark["reason"].strip(" \t,:;-"):
        problem = WITHOUT_REASON.finding(
            span, f"this allows {code} and does not say why", "write the reason behind the code"
        )
    return Allowance(source, code, line, start, end), problem


def _line_meant(source: Source, start: int) -> int:
    """The comment's own line, or the next line of code when it stands alone."""
    line, column = source.line_column(start)
    if source.line_text(line)[: column - 1].strip(" \t"):
        return line
    last = source.line_column(len(source.text))[0]
    following = line + 1
    while following <= last and source.line_text(following).lstrip(" \t").startswith("#"):
        following += 1
    return following


def _wrong_settings(manifest: Manifest) -> Iterator[Diagnostic]:
    places = None
    for code, wish in manifest.lint.items():
        page = catalogue().get(code)
        if page is not None and (wish == "error" or not is_firm(code, page.severity)):
            continue
        places = places or find_places(manifest.source)
        span = places.key(("lint", code))
        if page is None:
            yield WRONG_SETTING.finding(span, f"there is no finding `{code}`", "take the line away")
        else:
            message = f"{code} keeps a package from compiling and stays an error"
            yield WRONG_SETTING.finding(span, message, "take the line away")
