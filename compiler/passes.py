"""The passes of the compiler, in their order. There is always a result, whatever is wrong with the packages."""

from __future__ import annotations

from collections.abc import Sequence

from talewright.compiler.allowed_findings import settle
from talewright.compiler.checks import Context, run_checks
from talewright.compiler.checks.check import Parsed
from talewright.compiler.checks.usage_index import index
from talewright.compiler.document.depth import nested_too_deep
from talewright.compiler.incremental.cache import Store
from talewright.compiler.incremental.elaborated_files import Reuse
from talewright.compiler.incremental.file_facts import Shelf, settle_spots
from talewright.compiler.incremental.parsed_files import ReadFile, read_files
from talewright.compiler.lower.elaborator import Elaborator
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.result import CompileResult, compile_package
from talewright.compiler.symbols.declarations import Declare
from talewright.compiler.symbols.scope import IR
from talewright.dsl.diagnostics import Diagnostic, in_order, worst
from talewright.dsl.packages.loader import PackageSet
from talewright.schemas.records import replace

# So often a run begins again without the shares that turned out wrong, before it takes none at all.
_ATTEMPTS = 4

__all__ = ["CompileResult", "compile_package", "compile_packages"]


def compile_packages(
    packages: PackageSet, store: Store | None = None, *, document: bool = True
) -> CompileResult:
    """Parses, resolves, types and checks packages; without `document`, only the findings."""
    findings = list(packages.diagnostics)
    sources = packages.sources()
    if packages.main is None:
        return CompileResult(None, findings, sources, packages)
    files = read_files(packages, store)
    for file in files:
        findings.extend(file.findings)
    work, content, reuse = _elaborated(files, packages, store)
    findings.extend(work.findings)
    parsed = [Parsed(f.source, f.file, f.origin, worst(f.findings) == "error", f.found) for f in files]
    remembered = store.remembered if store is not None else None
    context = Context(work, content, parsed, packages, sources, remembered=remembered)
    fresh = _fresh(context)
    for deep in nested_too_deep(work, {"content": fresh.content}, sources):
        findings.append(deep)
        work.shelf.of(deep.span.file).clean = False
    findings.extend(_checked(context, fresh, reuse))
    findings = in_order(settle(findings, context.files, packages.main.manifest))
    made = None
    if document and not any(found.severity == "error" for found in findings):
        from talewright.compiler.document.document_builder import assemble

        work.spots = settle_spots(content, work.shelf)
        made = assemble(work, content, packages, sources)
    return CompileResult(made, findings, sources, packages, context)


def _elaborated(
    files: Sequence[ReadFile], packages: PackageSet, store: Store | None
) -> tuple[FactRecorder, IR, Reuse | None]:
    """The content of all files, as far as possible from earlier runs."""
    work = _declared(files)
    if store is None:
        return work, Elaborator(work).document(), None
    wrong: set[str] = set()
    for _ in range(_ATTEMPTS):
        reuse = Reuse(store, work, files, packages, wrong)
        reuse.take()
        content = Elaborator(work).document()
        failed = reuse.failed()
        if not failed:
            return work, content, reuse
        wrong |= failed
        work = _declared(files)
    reuse = Reuse(store, work, files, packages)
    return work, Elaborator(work).document(), reuse


def _declared(files: Sequence[ReadFile]) -> FactRecorder:
    declare = Declare()
    for read in files:
        declare.table.broken.update(read.file.broken_names)
        declare.file(read.file.declarations, read.origin)
    return FactRecorder(declare.settle(), Shelf(read.source.name for read in files))


def _fresh(context: Context) -> Context:
    """The part of the content that was not taken from earlier runs."""
    shelf = context.work.shelf
    content = {
        section: items if section == "start_after" else [item for item in items if not shelf.is_kept(item)]
        for section, items in context.content.items()
    }
    files = [file for file in context.files if not shelf.of(file.source.name).kept]
    return replace(context, content=content, files=files, notes={})


def _checked(context: Context, fresh: Context, reuse: Reuse | None) -> list[Diagnostic]:
    """What the checks find; those that look at one file at a time skip the files taken from earlier runs."""
    found = run_checks(context, local=False)
    if reuse is None:
        return [*found, *run_checks(context, local=True)]
    known = reuse.found()
    if known is None:
        # The cached notes are not enough for the checks of single files.
        context.work.shelf.notes.clear()
        whole = replace(context, notes={})
        local = run_checks(whole, local=True)
        reuse.leave(local, index(whole).notes, everything=True)
        return [*found, *local]
    shelf = context.work.shelf
    local = [each for each in run_checks(fresh, local=True) if not shelf.of(each.span.file).kept]
    reuse.leave(local, index(context).notes, everything=False)
    return [*found, *local, *known]
