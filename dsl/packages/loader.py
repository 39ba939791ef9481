"""Finds packages, reads their files, and orders them so that each comes after those it uses."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from talewright.dsl.closest_word import alike
from talewright.dsl.diagnostics import Diagnostic, Label, in_order
from talewright.dsl.packages.files import (
    MANIFEST,
    MAX_MANIFEST_BYTES,
    MAX_TOTAL_BYTES,
    NONE_UNSAVED,
    Unsaved,
    find_tale_files,
    find_unsaved_files,
    link_leaves,
    read_file,
    shown_path,
    unreadable,
)
from talewright.dsl.packages.manifest import Manifest, Use, read_manifest
from talewright.dsl.packages.package_codes import UNREADABLE, finding, start_of
from talewright.dsl.source import Source
from talewright.schemas.records import field, record

__all__ = [
    "UNREADABLE",
    "Package",
    "PackageSet",
    "bundled_packages",
    "find_package",
    "find_package_folder",
    "load_package",
    "packages_below",
]

SEARCH_VARIABLE = "TALE_PATH"
MAX_SEARCH_DEPTH = 3


@record(frozen=True)
class Package:
    """One package with its texts; `uses` names the packages it directly builds on."""

    name: str
    version: str
    type: str
    title: str
    folder: Path
    manifest: Manifest
    sources: tuple[Source, ...]
    uses: tuple[str, ...]


@record(frozen=True)
class PackageSet:
    """A package and all it builds on, the most basic first; `main` is none when it cannot be read."""

    packages: tuple[Package, ...]
    main: Package | None
    diagnostics: tuple[Diagnostic, ...]

    def sources(self) -> dict[str, Source]:
        """Every text of the set by its shown name, manifests included."""
        every = [
            source for package in self.packages for source in (package.manifest.source, *package.sources)
        ]
        return {source.name: source for source in every}


@record
class _Loading:
    """What one call of `load_package` has gathered so far."""

    search: tuple[Path, ...]
    unsaved: Unsaved = NONE_UNSAVED
    findings: list[Diagnostic] = field(default_factory=list)
    done: dict[Path, Package] = field(default_factory=dict)
    manifests: dict[Path, Manifest] = field(default_factory=dict)
    open: list[Path] = field(default_factory=list)


def load_package(
    path: str | os.PathLike[str],
    search: Iterable[str | os.PathLike[str]] = (),
    unsaved: Unsaved = NONE_UNSAVED,
) -> PackageSet:
    """Reads the package at a path, or of a bundled name, with all that it uses. Never raises for content.

    Unsaved texts of an editor are read instead of the files on disk.
    """
    folder, problem = find_package_folder(path)
    if folder is None:
        return PackageSet((), None, tuple(problem))
    loading = _Loading(_search_path(search), unsaved)
    main = _load(folder, loading)
    return PackageSet(tuple(loading.done.values()), main, tuple(in_order(loading.findings)))


def find_package_folder(path: str | os.PathLike[str]) -> tuple[Path | None, list[Diagnostic]]:
    """The package folder that a path, or the name of a bundled package, means."""
    given = os.fspath(path)
    shown = given.encode("utf-8", "replace").decode()
    if "\0" in given or not given:
        return None, [finding("P001", f"`{shown}` is no path", start_of(shown))]
    start = Path(given)
    try:
        exists = start.exists()
        if exists:
            absolute = Path(os.path.abspath(start))
            above = [absolute, *absolute.parents] if start.is_dir() else list(absolute.parents)
            for folder in above:
                if (folder / MANIFEST).exists():
                    return folder, []
            if start.is_dir():
                os.scandir(start).close()
    except OSError as problem:
        return None, [unreadable(start, problem)]
    bundled = bundled_packages()
    if given in bundled:
        return bundled[given], []
    if exists:
        help = "make one with `tale new NAME`, or name the folder that has the `tale.toml`"
        return None, [finding("P002", f"`{shown}` is not in a package", start_of(shown), help=help)]
    close = alike(given, bundled)
    help = (
        f"did you mean the bundled `{close}`?"
        if close
        else "name a folder that has a `tale.toml`, or a bundled package; `tale new NAME` makes one"
    )
    return None, [finding("P001", f"there is no `{shown}`", start_of(shown), help=help)]


def find_package(
    name: str, beside: Path, search: Iterable[str | os.PathLike[str]] = ()
) -> tuple[Path, Manifest] | None:
    """The package that a package in the folder `beside` would get by using a name."""
    loading = _Loading(_search_path(search))
    found = _find_used(Use(name, "", start_of(MANIFEST)), beside, loading)
    manifest = manifest_of(found) if found is not None else None
    return (found, manifest) if found is not None and manifest is not None else None


def manifest_of(folder: Path) -> Manifest | None:
    """The manifest of a package folder, if it can be read: quicker than the whole package."""
    return _read_manifest_of(folder)[0]


def packages_below(folder: Path) -> list[Path]:
    """The package folders in a folder that is no package itself, down to a few levels."""
    return list(_package_folders(folder, MAX_SEARCH_DEPTH))


def _search_path(search: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """The folders asked for, then those of the environment."""
    variable = os.environ.get(SEARCH_VARIABLE, "")
    return tuple(Path(entry) for entry in (*search, *variable.split(os.pathsep)) if os.fspath(entry))


@cache
def bundled_packages() -> dict[str, Path]:
    """The folders of the packages that come with the toolkit, by name and by folder name."""
    import talewright.scenarios

    folders = [found for root in talewright.scenarios.__path__ for found in _package_folders(Path(root), 99)]
    named: dict[str, Path] = {}
    for folder in folders:
        manifest = manifest_of(folder)
        if manifest is not None:
            named.setdefault(manifest.name, folder)
    for folder in folders:
        named.setdefault(folder.name, folder)
    # The folder of a game holds its system and its adventures, and stands for the system.
    for name, folder in list(named.items()):
        if folder.name == "system":
            named.setdefault(folder.parent.name, folder)
        named.setdefault(name.replace("-", "_"), folder)
    return named


def _load(folder: Path, loading: _Loading) -> Package | None:
    real = Path(os.path.realpath(folder))
    if real in loading.done:
        return loading.done[real]
    manifest, findings = _read_manifest_of(folder, loading.unsaved)
    loading.findings += findings
    if manifest is None:
        return None
    loading.manifests[real] = manifest
    loading.open.append(real)
    used = [_load_used(use, manifest, folder, loading) for use in manifest.uses]
    loading.open.pop()
    if manifest.type == "adventure" and len(manifest.uses) != 1:
        loading.findings.append(_not_one_system(manifest))
    sources, findings = _read_sources(folder, loading.unsaved)
    loading.findings += findings
    package = Package(
        manifest.name,
        manifest.version,
        manifest.type,
        manifest.title,
        folder,
        manifest,
        tuple(sources),
        tuple(package.name for package in used if package is not None),
    )
    loading.done[real] = package
    return package


def _load_used(use: Use, user: Manifest, folder: Path, loading: _Loading) -> Package | None:
    found = _find_used(use, folder, loading)
    if found is None:
        return None
    real = Path(os.path.realpath(found))
    if real in loading.open:
        ring = [loading.manifests[entry].name for entry in loading.open[loading.open.index(real) :]]
        way = " uses ".join(f"`{name}`" for name in [*ring, use.name])
        loading.findings.append(
            finding(
                "P012", f"packages use each other in a ring: {way}", use.span, help="remove one of the uses"
            )
        )
        return None
    package = _load(found, loading)
    if package is not None and package.type != "system":
        label = Label(package.manifest.type_span, "it says so here")
        loading.findings.append(
            finding(
                "P013", f"`{use.name}` is an adventure; only a system can be used", use.span, labels=(label,)
            )
        )
    return package


def _find_used(use: Use, folder: Path, loading: _Loading) -> Path | None:
    """The folder of the nearest package with the wanted name and version."""
    for real, known in loading.manifests.items():
        if known.name == use.name:  # one set holds one package of a name
            if use.allows(known.version):
                return real
            loading.findings.append(_wrong_version(use, [known]))
            return None
    refused: list[Manifest] = []
    names: set[str] = set()
    for tier in _tiers(folder, loading.search):
        fitting: list[tuple[Path, Manifest]] = []
        for candidate in tier:
            manifest, _ = _read_manifest_of(candidate, loading.unsaved)
            if manifest is None:
                if candidate.name == use.name:
                    return candidate  # what is wrong with it is said when it is loaded
                continue
            names.add(manifest.name)
            if manifest.name != use.name and bundled_packages().get(use.name) != candidate:
                continue
            if use.allows(manifest.version):
                fitting.append((candidate, manifest))
            else:
                refused.append(manifest)
        if len(fitting) > 1:
            loading.findings.append(_ambiguous(use, [manifest for _, manifest in fitting]))
        if fitting:
            return fitting[0][0]
    loading.findings.append(_wrong_version(use, refused) if refused else _missing(use, names))
    return None


def _tiers(folder: Path, search: Sequence[Path]) -> Iterator[list[Path]]:
    """Package folders by nearness: beside, inside, on the search path, bundled."""
    absolute = Path(os.path.abspath(folder))
    yield list(_package_folders(absolute.parent, 1))
    yield [found for found in _package_folders(absolute, MAX_SEARCH_DEPTH) if found != absolute]
    for entry in search:
        yield list(_package_folders(Path(os.path.abspath(entry)), MAX_SEARCH_DEPTH))
    yield list(dict.fromkeys(bundled_packages().values()))


def _package_folders(root: Path, depth: int) -> Iterator[Path]:
    """The folders with a manifest from a root down to a depth, hidden ones and links below left out."""
    if (root / MANIFEST).is_file():
        yield root
    if depth == 0:
        return
    try:
        with os.scandir(root) as found:
            inner = sorted(
                entry.name
                for entry in found
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            )
    except OSError:
        return  # a neighbour that cannot be opened is no package for us
    for name in inner:
        yield from _package_folders(root / name, depth - 1)


def _read_manifest_of(
    folder: Path, unsaved: Unsaved = NONE_UNSAVED
) -> tuple[Manifest | None, list[Diagnostic]]:
    path = folder / MANIFEST
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        return None, [link_leaves(path)]
    reading = read_file(path, MAX_MANIFEST_BYTES, unsaved)
    if reading.source is None:
        return None, list(reading.findings)
    manifest, findings = _manifest_in(reading.source.name, reading.source.text)
    return manifest, [*reading.findings, *findings]


# A running server looks at the manifests of all neighbours after each keystroke.
@lru_cache(maxsize=256)
def _manifest_in(name: str, text: str) -> tuple[Manifest | None, list[Diagnostic]]:
    return read_manifest(Source(name, text))


def _read_sources(folder: Path, unsaved: Unsaved) -> tuple[list[Source], list[Diagnostic]]:
    paths, findings = find_tale_files(folder)
    if unsaved:
        paths = sorted([*paths, *find_unsaved_files(folder, unsaved)], key=Path.as_posix)
    sources: list[Source] = []
    total = 0
    for path in paths:
        reading = read_file(path, unsaved=unsaved)
        total += reading.size
        if total > MAX_TOTAL_BYTES:
            message = f"the package has more than {MAX_TOTAL_BYTES:,} bytes of text"
            findings.append(finding("P019", message, start_of(shown_path(path))))
            break
        findings += reading.findings
        if reading.source is not None:
            sources.append(reading.source)
    if not paths and not findings:
        name = shown_path(folder / MANIFEST)
        other = next((p.name for p in sorted(folder.iterdir()) if p.suffix in (".txt", ".text", ".md")), None)
        help = (
            f"the ending of texts is `.tale`; rename `{other}`"
            if other
            else "write one: `kind`, `action`, `chapter`, ..."
        )
        findings.append(finding("P023", "the package has no `.tale` file", start_of(name), help=help))
    return sources, findings


def _missing(use: Use, names: Iterable[str]) -> Diagnostic:
    close = alike(use.name, sorted(names))
    help = f"did you mean `{close}`?" if close else f"put it beside this package or on {SEARCH_VARIABLE}"
    return finding("P010", f"there is no package `{use.name}`", use.span, help=help)


def _wrong_version(use: Use, refused: list[Manifest]) -> Diagnostic:
    versions = ", ".join(dict.fromkeys(manifest.version for manifest in refused))
    return finding(
        "P011",
        f"`{use.name}` is there in version {versions}, but `{use.versions}` is asked for",
        use.span,
        labels=tuple(Label(manifest.version_span, f"version {manifest.version}") for manifest in refused[:3]),
        help="widen the range, or get a version that fits",
    )


def _ambiguous(use: Use, fitting: list[Manifest]) -> Diagnostic:
    labels = tuple(
        Label(manifest.version_span, "this one is used" if position == 0 else "this one is not")
        for position, manifest in enumerate(fitting)
    )
    message = f"there are {len(fitting)} packages called `{use.name}` equally near"
    return finding("P016", message, use.span, labels=labels, help="rename or remove one of them")


def _not_one_system(manifest: Manifest) -> Diagnostic:
    if not manifest.uses:
        message, place = "an adventure uses one system, and this one uses none", manifest.type_span
    else:
        message = f"an adventure uses one system, and this one uses {len(manifest.uses)} packages"
        place = manifest.uses[1].span
    return finding("P014", message, place, help='write uses = ["NAME"] with the name of its system')
