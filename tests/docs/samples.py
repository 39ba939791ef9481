"""The samples of a page: fenced `tale` blocks and hidden preludes, and packages made of them.

A fence says where its text stands: ```` ```tale ```` is a whole file, and a word after it wraps the text:
`member KIND` in a kind, `item KIND` in a thing of the kind, `stmt NAME: TYPE, ...` in an action with these
parameters, `expr NAME: TYPE, ...` one expression a line, `line` in a test. `bad CODE` before that word makes
it a mistake. `example` marks the text that all sections of the page share. `<!-- tale ... -->` is a whole
file that readers do not see. Everything between two headings of the second level is one package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from talewright.compiler import CompileResult, compile_package
from talewright.dsl.grammar.reserved_words import PREPOSITIONS

_BLOCK = re.compile(
    r"^```tale(?P<info>[^\n]*)\n(?P<shown>.*?)^```$"
    r"|^<!-- tale\n(?P<hidden>.*?)^-->$"
    r"|^## (?P<heading>[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)
_FORMS = ("member", "item", "stmt", "expr", "line")
MANIFEST = (
    'name = "sample"\nversion = "1.0.0"\ntitle = "Sample"\ntype = "system"\ntale = 1\nlocales = ["en"]\n'
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One block of a page: its first line there, where it stands, and the code it must give if it is bad."""

    line: int
    text: str
    form: str = ""
    about: str = ""
    bad: str = ""
    example: bool = False

    @property
    def file(self) -> str:
        """The name of its file in the package."""
        return f"line_{self.line:05}.tale"

    def source(self) -> str:
        """The block as a file, its lines numbered as on the page."""
        head = _head(self.form, self.about, self.line)
        if not head:
            return "\n" * (self.line - 1) + self.text
        body = _expressions(self.text) if self.form == "expr" else self.text
        return "\n" * (self.line - 2) + head + "\n" + indent(body, "    ")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands between two headings, with the example that the page shares."""

    heading: str
    samples: tuple[Sample, ...]

    def good(self) -> tuple[Sample, ...]:
        """The samples that compile."""
        return tuple(sample for sample in self.samples if not sample.bad)


def sections_of(page: str) -> list[Section]:
    """The sections of a page that hold samples."""
    found: list[tuple[str, list[Sample]]] = [("the beginning", [])]
    for match in _BLOCK.finditer(page):
        if match["heading"] is not None:
            found.append((match["heading"], []))
            continue
        line = page.count("\n", 0, match.start()) + 2
        found[-1][1].append(_sample(line, match))
    shared = [sample for _, samples in found for sample in samples if sample.example]
    return [
        Section(heading, (*(s for s in shared if s not in samples), *samples))
        for heading, samples in found
        if samples
    ]


def compiled(samples: tuple[Sample, ...], folder: Path) -> CompileResult:
    """A package of these samples, one file each, compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tale.toml").write_text(MANIFEST, encoding="utf-8")
    for sample in samples:
        (folder / sample.file).write_text(sample.source(), encoding="utf-8")
    return compile_package(folder, cache=False)


def _sample(line: int, match: re.Match[str]) -> Sample:
    if match["hidden"] is not None:
        return Sample(line, match["hidden"])
    words = match["info"].split(maxsplit=2)
    bad = ""
    if words[:1] == ["bad"]:
        bad, words = words[1], " ".join(words[2:]).split(maxsplit=2)
    if words == ["example"]:
        return Sample(line, match["shown"], example=True)
    form = words[0] if words else ""
    assert form == "" or form in _FORMS, f"line {line - 1}: no sample stands in `{form}`"
    return Sample(line, match["shown"], form, " ".join(words[1:]), bad)


def _head(form: str, about: str, line: int) -> str:
    match form:
        case "member":
            return f"extend {about}:" if about else f"kind Sample{line}:"
        case "item":
            return f'{about} sample_{line} "Sample {line}":'
        case "stmt" | "expr":
            return f"action sample_{line}{_parameters(about)}:"
        case "line":
            return f'test "sample {line}":'
    return ""


def _parameters(about: str) -> str:
    names = re.split(r",\s*(?=[a-z_]+:)", about) if about else []
    prepositions = ["", *(f" {word}" for word in PREPOSITIONS)]
    return "".join(f"{word} {name}" for word, name in zip(prepositions, names, strict=False))


def _expressions(text: str) -> str:
    lines = []
    for number, line in enumerate(text.splitlines()):
        code = line.strip() and not line.lstrip().startswith("#")
        lines.append(f"let line_{number} = {line}" if code else line)
    return "\n".join(lines) + "\n"
