"""What a check is: one file that holds its code, reason, samples and the function that looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.symbol_table import Origin
from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, Label, Severity
from talewright.dsl.packages.loader import PackageSet
from talewright.dsl.remembered import Remembered
from talewright.dsl.source import Source, Span
from talewright.dsl.tree import nodes as tree
from talewright.schemas.records import field, record


@record(frozen=True)
class Parsed:
    """One file of a package with its syntax tree."""

    source: Source
    file: tree.File
    origin: Origin
    # Whether its syntax is wrong somewhere.
    mistaken: bool = False
    # What was found that hangs on this text alone, by code; kept for as long as the text stays.
    found: dict[str, list[Diagnostic]] = field(default_factory=dict)


@record
class Context:
    """All that a check may look at: the syntax trees, the table, and the elaborated content."""

    work: FactRecorder
    content: dict[str, Any]
    files: list[Parsed]
    packages: PackageSet

    def span(self, at: int) -> Span:
        """The place with a number of the source map."""
        name, start, end = self.work.spots[at]
        return self.source(name).span(start, end)

    def source(self, name: str) -> Source:
        """The text of a file by its shown name."""
        return self.sources[name]

    sources: dict[str, Source]
    # Results that several checks share, by the name of the module that computed them.
    notes: dict[str, Any] = field(default_factory=dict)
    # Declarations parsed before, for checks that parse a text again.
    remembered: Remembered | None = None


@record(frozen=True)
class Check:
    """A check. `bad` gives exactly one finding of its code, on the line marked `# <-`; `good` none.

    The samples are the only file of a system. `manifest` adds lines to its `tale.toml` (and may give
    another `type`), `files` adds files by name.

    A `local` check looks at each file, thing, action, value, table, rule and test by itself: what it finds
    in a file hangs on nothing but that file, kinds, the heads of what it names, and what `modify` changes
    anywhere, so it can be kept with the file.
    """

    code: str
    name: str
    severity: Severity
    why: str
    bad: str
    good: str
    find: Callable[[Context], Iterable[Diagnostic]] | None = None
    manifest: str = ""
    files: tuple[tuple[str, str], ...] = ()
    local: bool = False

    def finding(
        self,
        span: Span,
        message: str,
        help: str = "",
        labels: Iterable[Label] = (),
        fix: tuple[str, str] | None = None,
        safe: bool = True,
        severity: Severity | None = None,
    ) -> Diagnostic:
        """A finding of this check; `fix` is a title and the text to put at the span."""
        fixes = (Fix(fix[0], (Edit(span, fix[1]),), safe),) if fix is not None else ()
        weight = severity or self.severity
        return Diagnostic(self.code, self.name, weight, message, span, help, tuple(labels), fixes)
