"""Writing results: to the terminal, to standard output as bytes, to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Source
from talewright.dsl.text_sanitizer import harmless


def called() -> str:
    """The command as the user called it, for hints that say what to type next."""
    given = os.environ.get("TALE_CALLED") or sys.argv[0]
    if Path(given).name == "__main__.py":
        return "python -m talewright"
    # A program on the search path is shown without its folder.
    return (
        given if os.environ.get("TALE_CALLED") else Path(given).name if Path(given).stem == "tale" else "tale"
    )


def show_findings(
    findings: Sequence[Diagnostic],
    sources: Mapping[str, Source],
    format: str = "human",
    *,
    error: bool = False,
) -> None:
    """Shows findings in a format, the human one in colour where the stream is a terminal."""
    stream = sys.stderr if error else sys.stdout
    if format == "human" and stream.isatty():
        from rich.console import Console

        from talewright.report.findings.as_human import show

        show(findings, sources, Console(file=stream))
        return
    from talewright.report.findings import NOTHING_FOUND, render

    if format == "human" and not findings:
        # The most common result does not need the terminal library.
        write_text(f"{NOTHING_FOUND}\n", error=error)
        return
    text = render(findings, sources, format)
    if format in ("human", "github"):
        write_text(text, error=error)
    else:
        write_data(text)


def write_text(text: str, *, error: bool = False) -> None:
    """Writes a text for people as UTF-8 whatever the locale; nothing in it can command their terminal."""
    text = harmless(text)
    stream = sys.stderr if error else sys.stdout
    stream.flush()
    binary = getattr(stream, "buffer", None)
    if binary is None:
        stream.write(text)
    else:
        binary.write(text.encode("utf-8", "replace"))
        binary.flush()


def write_data(text: str) -> None:
    """Writes what another program reads to standard output, just as it is."""
    write_bytes(text.encode("utf-8", "replace"))


def write_bytes(data: bytes) -> None:
    """Writes bytes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_file(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all; a refusal of the system is wrong usage."""
    import shutil
    import tempfile

    target = Path(os.path.realpath(path))
    temporary: Path | None = None
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe: nothing to replace
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if target.exists():
            shutil.copymode(target, temporary)
        else:
            temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as problem:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        import click

        reason = (problem.strerror or "the system refuses").lower()
        raise click.ClickException(f"cannot write {path}: {reason}") from problem


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
