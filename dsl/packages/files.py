"""Reads the files of a package, within limits. Problems become findings, not exceptions."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from errno import EINVAL
from pathlib import Path

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.package_codes import finding, start_of
from talewright.dsl.source import Source, Span
from talewright.schemas.records import record

MANIFEST = "tale.toml"
MAX_MANIFEST_BYTES = 64 * 1024
MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
MAX_FILES = 5000
MAX_DEPTH = 24

# Overlay: unsaved texts of an editor by real path. They are read instead of the files on disk.
Unsaved = Mapping[str, str]
NONE_UNSAVED: Unsaved = {}


@record(frozen=True)
class Reading:
    """What became of reading one file."""

    source: Source | None
    findings: tuple[Diagnostic, ...] = ()
    size: int = 0


def shown_path(path: Path) -> str:
    """A path as shown to people: from the working folder when inside it, always with `/`."""
    absolute = os.path.abspath(path)
    # Outside the working folder, or when that folder is gone, the full path says it best.
    with suppress(OSError):
        here = os.getcwd()
        if absolute == here:
            absolute = "."
        elif absolute.startswith(inside := os.path.join(here, "")):
            absolute = absolute[len(inside) :]
    shown = os.fsencode(absolute).decode("utf-8", "replace")
    return shown if os.sep == "/" else shown.replace(os.sep, "/")


def regular_bytes(path: Path) -> bytes:
    """The bytes of a regular file. Devices and pipes are refused, because they may never end."""
    if path.exists() and not path.is_file():
        raise OSError(EINVAL, "it is no ordinary file", str(path))
    return path.read_bytes()


def read_file(path: Path, limit: int = MAX_FILE_BYTES, unsaved: Unsaved = NONE_UNSAVED) -> Reading:
    """Reads one text: size, NUL bytes, encoding and byte order mark are looked at."""
    name = shown_path(path)
    held = unsaved.get(os.path.realpath(path)) if unsaved else None
    if held is not None:
        data = held.encode("utf-8", "surrogatepass")
        return (
            decode(name, data) if len(data) <= limit else Reading(None, (_too_large(name, len(data), limit),))
        )
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return Reading(None, (finding("P003", f"`{name}` is no ordinary file", start_of(name)),))
        if status.st_size > limit:
            return Reading(None, (_too_large(name, status.st_size, limit),))
        with open(path, "rb", buffering=0) as stream:
            data = stream.read(status.st_size + 1)
            if len(data) > status.st_size:  # it has grown meanwhile
                data += stream.read(limit)
    except OSError as problem:
        return Reading(None, (unreadable(path, problem),))
    if len(data) > limit:
        return Reading(None, (_too_large(name, len(data), limit),))
    return decode(name, data)


def decode(name: str, data: bytes) -> Reading:
    """The text of a file's bytes, or a finding at the byte that is no text."""
    findings: tuple[Diagnostic, ...] = ()
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        findings = (
            finding(
                "P022",
                "the file begins with a byte order mark",
                start_of(name),
                help="save it as plain UTF-8",
            ),
        )
    nul = data.find(b"\0")
    if nul >= 0:
        place = _place(name, data, nul)
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            said, help = "the file is written in UTF-16", "save it as UTF-8"
        else:
            said, help = (
                "the file is binary, not text",
                "take it out of the package, or give it another ending",
            )
        return Reading(None, (*findings, finding("P020", said, place, help=help)), len(data))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        wrong = finding(
            "P021",
            f"the byte 0x{data[problem.start]:02x} here is not UTF-8",
            _place(name, data, problem.start),
            help="save the file as UTF-8",
        )
        return Reading(None, (*findings, wrong), len(data))
    if name.endswith(".tale") and not text.strip():
        help = "write something in it, or remove it"
        findings = (*findings, finding("P024", "the file is empty", start_of(name), help=help))
    return Reading(Source(name, text), findings, len(data))


def unreadable(path: Path, problem: OSError) -> Diagnostic:
    """The finding for a file or folder that the system refuses to open."""
    name = shown_path(path)
    reason = (problem.strerror or "it cannot be opened").lower()
    return finding("P003", f"cannot read `{name}`: {reason}", start_of(name))


@record
class _Walk:
    root: Path
    files: list[Path]
    findings: list[Diagnostic]
    seen: set[str]


def find_tale_files(folder: Path) -> tuple[list[Path], list[Diagnostic]]:
    """All `.tale` files of a package, sorted by path, and findings about those that cannot be read."""
    walk = _Walk(Path(os.path.realpath(folder)), [], [], {os.path.realpath(folder)})
    _visit(folder, 0, walk)
    if len(walk.files) > MAX_FILES:
        name = shown_path(folder)
        walk.findings.append(
            finding("P019", f"the package has more than {MAX_FILES} `.tale` files", start_of(name))
        )
    return sorted(walk.files[:MAX_FILES], key=lambda path: path.as_posix()), walk.findings


def find_unsaved_files(folder: Path, unsaved: Unsaved) -> list[Path]:
    """The `.tale` files of a package that only an editor knows so far."""
    root = os.path.realpath(folder)
    found: list[Path] = []
    for name in unsaved:
        path = Path(name)
        if path.suffix != ".tale" or not path.is_relative_to(root) or path.exists():
            continue
        inner = path.relative_to(root)
        between = [folder / above for above in inner.parents][:-1]
        if not any(part.startswith(".") for part in inner.parts) and not any(
            (above / MANIFEST).exists() for above in between
        ):
            found.append(folder / inner)
    return found


def _visit(folder: Path, depth: int, walk: _Walk) -> None:
    if len(walk.files) > MAX_FILES:
        return
    if depth > MAX_DEPTH:
        name = shown_path(folder)
        walk.findings.append(
            finding("P019", f"folders lie more than {MAX_DEPTH} deep in each other", start_of(name))
        )
        return
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as problem:
        walk.findings.append(unreadable(folder, problem))
        return
    if depth and any(entry.name == MANIFEST for entry in entries):
        return  # a package of its own that lies inside this one
    # Real files first, so that a link to one inside the package never takes its name.
    for entry in sorted(entries, key=lambda entry: entry.is_symlink()):
        if entry.name.startswith("."):
            continue
        path = folder / entry.name
        try:
            is_folder = entry.is_dir()
        except OSError as problem:
            walk.findings.append(unreadable(path, problem))
            continue
        if not is_folder and not entry.name.endswith(".tale"):
            continue
        real = os.path.realpath(path)
        if entry.is_symlink() and not Path(real).is_relative_to(walk.root):
            walk.findings.append(link_leaves(path))
            continue
        if real in walk.seen:
            continue
        walk.seen.add(real)
        if is_folder:
            _visit(path, depth + 1, walk)
        else:
            walk.files.append(path)


def link_leaves(path: Path) -> Diagnostic:
    """The finding for a link that points out of its package."""
    name = shown_path(path)
    return finding(
        "P017",
        f"`{name}` is a link to a place outside the package",
        start_of(name),
        help="copy the file into the package",
    )


def _too_large(name: str, size: int, limit: int) -> Diagnostic:
    return finding(
        "P018",
        f"the file has {size:,} bytes; at most {limit:,} are read",
        start_of(name),
        help="split it into files by subject",
    )


def _place(name: str, data: bytes, offset: int) -> Span:
    before = data[:offset].decode("utf-8", "replace")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Span(name, line, column, line, column + 1)
