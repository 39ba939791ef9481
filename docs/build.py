"""Writes one page a finding into `docs/findings`; with `--check`, says which pages are stale."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from talewright.compiler.checks import Check, catalogue
from talewright.compiler.in_memory import FILE, compile_text, plain
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.parser import parse
from talewright.dsl.recovery.mistake_table import BY_CODE
from talewright.dsl.source import Source
from talewright.report.findings.as_human import render

FOLDER = Path(__file__).resolve().parent / "findings"
WIDTH = 100
LAYERS = {
    "P": ("Packages", "finding and reading packages and their `tale.toml`"),
    "S": ("Syntax", "how the text is written"),
    "N": ("Names", "what a name means"),
    "T": ("Types", "what may stand where"),
    "F": ("Flow, rules and story", "what happens, and whether it can"),
    "C": ("Components", "what lies in the box and on the table"),
    "X": ("Texts, knowledge and tests", "what people read, know and try"),
    "L": ("Style and layout", "how the text looks"),
    "D": ("Documents", "compiled documents from elsewhere"),
}
NOTE = "<!-- Written by docs/build.py from the page of the finding itself: change it there. -->"


@cache
def pages() -> Mapping[str, str]:
    """The text of every page by its file name. Each sample is compiled, so that the pages are made once."""
    known = catalogue().values()
    made = {file_name(check): page(check) for check in known}
    made["README.md"] = index(list(known))
    return made


def file_name(check: Check) -> str:
    """The file that a finding's page stands in."""
    return f"{check.code}-{check.name}.md"


def page(check: Check) -> str:
    """One finding: why it exists, what it says about a bad sample, and a good one."""
    parts = [f"# {check.code} {check.name}", NOTE, f"Severity: **{check.severity}**.", _prose(check.why)]
    if check.bad.strip():
        parts += ["## Not so", _fence(_language(check), check.bad)]
    said = message(check)
    if said:
        parts += ["It says:", _fence("text", said)]
    if check.good.strip():
        parts += ["## But so", _fence(_language(check), check.good)]
    parts.append("All findings: [README.md](README.md).")
    return "\n\n".join(parts) + "\n"


def message(check: Check) -> str:
    """What is shown for the bad sample, as far as the sample alone brings the finding about."""
    if check.code[0] in "PD":
        return ""
    if check.code in BY_CODE:
        source = Source(FILE, BY_CODE[check.code].sample())
        findings, sources = parse(source)[1], {FILE: source}
    else:
        result = compile_text(plain(check.bad))
        findings, sources = result.diagnostics, result.sources
    found = _first(check.code, findings)
    return _shown(render([found], sources).rsplit("\n\n", 1)[0]) if found is not None else ""


def index(known: list[Check]) -> str:
    """The table of all findings, layer by layer."""
    lines = ["# Findings", "", NOTE, ""]
    lines += textwrap.wrap(
        "Every finding has a code that never changes its meaning, a name, and a severity: an error is "
        "something that cannot work, a warning is very likely a mistake, an info is a matter of taste. "
        "`tale explain CODE` shows the same pages.",
        WIDTH,
    )
    for letter, (title, about) in LAYERS.items():
        checks = [check for check in known if check.code[0] == letter]
        if not checks:
            continue
        lines += [
            "",
            f"## {letter}: {title}",
            "",
            f"About {about}.",
            "",
            "| Code | Name | Severity |",
            "|---|---|---|",
        ]
        lines += [
            f"| [{check.code}]({file_name(check)}) | {check.name} | {check.severity} |" for check in checks
        ]
    return "\n".join(lines) + "\n"


def stale(folder: Path = FOLDER) -> list[str]:
    """The files that differ from what would be written, are missing, or are no longer wanted."""
    wanted = pages()
    there = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.md"))}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def write(folder: Path = FOLDER) -> None:
    """Writes every page and removes those of findings that are gone."""
    folder.mkdir(exist_ok=True)
    wanted = pages()
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")


def _first(code: str, findings: list[Diagnostic]) -> Diagnostic | None:
    return next((found for found in findings if found.code == code), None)


def _prose(text: str) -> str:
    paragraphs = (" ".join(part.split()) for part in text.strip().split("\n\n"))
    return "\n\n".join(textwrap.fill(part, WIDTH) for part in paragraphs)


def _language(check: Check) -> str:
    return "text" if check.code[0] in "PD" else "tale"


def _fence(language: str, text: str) -> str:
    body = _shown(plain(text))
    mark = "````" if "```" in body else "```"
    return f"{mark}{language}\n{body}{'' if body.endswith(chr(10)) else chr(10)}{mark}"


def _shown(text: str) -> str:
    """The text with signs that cannot be seen spelled out."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else f"\\u{ord(sign):04x}" for sign in text)


def main(arguments: list[str]) -> int:
    """Writes the pages, or checks them."""
    if arguments == ["--check"]:
        old = stale()
        for name in old:
            print(f"docs/findings/{name} is stale: run `python docs/build.py`")
        return 1 if old else 0
    if arguments:
        print("usage: build.py [--check]", file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
