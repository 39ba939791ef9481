"""What `tale test` runs: packages, single files of packages, and files that belong to none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from talewright.dsl.packages.files import read_file, shown_path
from talewright.dsl.packages.loader import bundled_packages, find_package_folder, packages_below
from talewright.schemas.records import record

if TYPE_CHECKING:
    from talewright.compiler import CompileResult

SUFFIX = ".tale"


@record(frozen=True)
class Target:
    """One package to test; `only` is the shown name of the one file whose tests are wanted."""

    path: str
    only: str = ""
    loose: bool = False

    def wants(self, file: str) -> bool:
        """Whether the tests of a file are to run."""
        return not self.only or file == self.only

    def compile(self, search: tuple[str, ...], cache: bool, trees: bool = True) -> CompileResult:
        """The package with its document, or with what is wrong with it; `trees` if somebody needs what it is made from."""
        from talewright.compiler import CompileResult, compile_package

        if not self.loose:
            return compile_package(self.path, search=search, cache=cache, trees=trees)
        from talewright.compiler.in_memory import compile_together, memory_package

        reading = read_file(Path(self.path))
        if reading.source is None:
            return CompileResult(None, list(reading.findings))
        return compile_together(memory_package({reading.source.name: reading.source.text}))


def targets(paths: tuple[str, ...]) -> Iterator[Target]:
    """What the paths mean, `.` when there are none."""
    for given in paths or (".",):
        yield from _meant(given)


def _meant(given: str) -> Iterator[Target]:
    if "\0" in given:
        yield Target(given)
        return
    path = Path(given)
    folder = find_package_folder(given)[0]
    if path.is_file() and path.suffix == SUFFIX:
        yield Target(given, shown_path(path)) if folder is not None else Target(given, loose=True)
    elif path.is_dir() and folder is None:
        inner = packages_below(path)
        loose = [file for file in sorted(path.rglob(f"*{SUFFIX}")) if find_package_folder(file)[0] is None]
        yield from [Target(str(package)) for package in inner]
        yield from [Target(str(file), loose=True) for file in loose if not _hidden(file, path)]
        if not inner and not loose:
            yield Target(given)
    else:
        yield from [Target(str(package)) for package in _family(given)] or [Target(given)]


def _hidden(file: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(root).parts)


def _family(name: str) -> list[Path]:
    """The packages of a bundled folder of packages: a system and its adventures under one name."""
    if Path(name).exists():
        return []
    import talewright.scenarios

    for root in talewright.scenarios.__path__:
        folder = Path(root) / name
        if folder.parent == Path(root) and folder.is_dir() and folder not in bundled_packages().values():
            return packages_below(folder)
    return []
