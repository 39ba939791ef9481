"""The paths given to a command that takes several."""

from __future__ import annotations

from pathlib import Path

from talewright.dsl.packages.loader import find_package_folder, packages_below


def package_paths(paths: tuple[str, ...]) -> list[str]:
    """The paths, `.` when there are none; a folder that only holds packages means all of them."""
    expanded: list[str] = []
    for given in paths or (".",):
        inner: list[Path] = []
        if find_package_folder(given)[0] is None and "\0" not in given:
            inner = packages_below(Path(given))
        expanded += [str(folder) for folder in inner] or [given]
    return expanded
