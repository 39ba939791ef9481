"""Compiled documents in files, which commands take in place of a package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from talewright.cli.output import show_findings
from talewright.dsl.diagnostics import Diagnostic, in_order
from talewright.dsl.packages.files import regular_bytes, shown_path
from talewright.dsl.source import Source

SUFFIX = ".json"
MAX_BYTES = 512 * 1024 * 1024


def is_document(path: str) -> bool:
    """Whether a path means a compiled document: a file whose name ends in `.json`, wherever it lies."""
    return path.endswith(SUFFIX) and "\0" not in path and Path(path).exists() and not Path(path).is_dir()


def read_document(path: Path, *, error: bool) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """A document if it fits together, and everything wrong with it, which is shown; on standard error if asked for."""
    from talewright.compiler.document.document_builder import from_elsewhere

    try:
        if path.stat().st_size > MAX_BYTES:
            raise click.ClickException(f"{path} is too large for a document")
        data = regular_bytes(path)
    except OSError as problem:
        raise click.ClickException(
            f"cannot read {path}: {(problem.strerror or 'it fails').lower()}"
        ) from problem
    name = shown_path(path)
    document, found = from_elsewhere(data, name)
    findings = in_order(found)
    if findings or not error:
        show_findings(findings, {name: Source(name, data.decode("utf-8", "replace"))}, error=error)
    return document, findings
