"""One package in, one result out, even when it is full of mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from talewright.compiler.checks import Context, run_checks
from talewright.compiler.checks.check import Parsed
from talewright.compiler.declare import Declare
from talewright.compiler.document import assemble
from talewright.compiler.elaborator import Elaborator
from talewright.compiler.symbols import Origin
from talewright.dsl.diagnostics import Diagnostic, in_order
from talewright.dsl.packages import PackageSet, load_package
from talewright.dsl.parser import parse
from talewright.dsl.source import Source


@dataclass(slots=True)
class CompileResult:
    """The document, unless an error stands in the way, and everything found."""

    document: dict[str, Any] | None
    diagnostics: list[Diagnostic]
    sources: dict[str, Source] = field(default_factory=dict)
    packages: PackageSet = field(default_factory=lambda: PackageSet((), None, ()))


def compile_package(
    path: str | PathLike[str], *, search: Iterable[str | PathLike[str]] = (), cache: bool = True
) -> CompileResult:
    """Loads, parses, resolves, types and checks a package and all it uses."""
    packages = load_package(path, search)
    return compile_packages(packages)


def compile_packages(packages: PackageSet) -> CompileResult:
    """The same for packages already read."""
    findings = list(packages.diagnostics)
    sources = packages.sources()
    if packages.main is None:
        return CompileResult(None, findings, sources, packages)
    declare = Declare()
    files: list[Parsed] = []
    for package in packages.packages:
        for source in package.sources:
            file, found = parse(source)
            findings.extend(found)
            origin = Origin(source, package.name, package.type)
            files.append(Parsed(source, file, origin))
            declare.table.broken.update(file.broken_names)
            declare.file(file.declarations, origin)
    work = Elaborator(declare.settle())
    content = work.document()
    findings.extend(work.findings)
    findings.extend(run_checks(Context(work, content, files, packages, sources)))
    findings = in_order(findings)
    document = None
    if not any(found.severity == "error" for found in findings):
        document = assemble(work, content, packages, sources)
    return CompileResult(document, findings, sources, packages)
