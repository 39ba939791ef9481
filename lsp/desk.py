"""What lies on the author's desk: the open texts, and the packages they belong to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.files import MANIFEST
from talewright.dsl.packages.loader import find_package_folder, packages_below
from talewright.lsp.positions import Positions
from talewright.lsp.project import Project

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}


class Desk:
    """Open texts by real path, and one project for each package folder that was asked about."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self.folders: list[Path] = []
        self.texts: dict[str, str] = {}
        self._uris: dict[str, str] = {}
        self._projects: dict[Path, Project] = {}
        self._stale: set[Path] = set()
        # Compiled for a request, before the editor was told what was found.
        self._untold: set[Path] = set()
        self._published: dict[Path, dict[str, list[lsp.Diagnostic]]] = {}
        # The package of the text that was last changed: its findings come first.
        self._front: Path | None = None

    # -------------------------------------------------------------- texts
    def open(self, uri: str, text: str) -> None:
        """An editor holds a text now, or holds another one than before."""
        path = path_of(uri)
        if path is not None:
            self.texts[path] = text
            self._uris[path] = uri
            self.changed(path)

    def close(self, uri: str) -> None:
        """An editor gave a text up: what is on the disk counts again."""
        path = path_of(uri)
        if path is not None:
            self.texts.pop(path, None)
            self.changed(path)

    def changed(self, path: str) -> None:
        """Something about a file has changed: whatever knows it is looked at again."""
        own = self.project_of(path)
        self._front = own.folder if own is not None else self._front
        for folder, project in self._projects.items():
            if project is own or project.holds(path) or not path.endswith(".tale"):
                self._stale.add(folder)

    def text_of(self, path: str) -> str | None:
        """The text of a file as the editor has it, else as the compiler last read it."""
        if path in self.texts:
            return self.texts[path]
        for project in self._projects.values():
            source = project.sources().get(path)
            if source is not None:
                return source.text
        return None

    def positions(self, path: str) -> Positions:
        """Lines and columns of a file."""
        return _positions(self.text_of(path) or "", self.encoding)

    def uri_of(self, path: str) -> str:
        """The address of a file, as the editor wrote it if it did."""
        return self._uris.get(path) or from_fs_path(path) or ""

    def location(self, path: str, start: int, end: int) -> lsp.Location:
        """A place for the editor to go to."""
        return lsp.Location(self.uri_of(path), self.positions(path).range(start, end))

    # -------------------------------------------------------------- projects
    def project_of(self, path: str) -> Project | None:
        """The project of the package that a file belongs to."""
        start = Path(path)
        while not start.exists() and start != start.parent:
            start = start.parent
        folder, _ = find_package_folder(start)
        if folder is None or not (folder / MANIFEST).exists():
            return None
        folder = Path(os.path.realpath(folder))
        if folder not in self._projects:
            self._projects[folder] = Project(folder)
            self._stale.add(folder)
        return self._projects[folder]

    def ready(self, path: str, *, fresh: bool = False) -> Project | None:
        """The project of a file, compiled at least once; with `fresh`, compiled as it stands now."""
        project = self.project_of(path)
        if project is not None and (project.folder in self._stale if fresh else project.work is None):
            self._compile(project)
        return project

    def all_projects(self) -> list[Project]:
        """The packages of the open folders, all compiled as they stand now."""
        self._forget_idle()
        for folder in self.folders:
            for found in packages_below(folder):
                self.project_of(str(found / MANIFEST))
        for project in self._projects.values():
            if project.folder in self._stale:
                self._compile(project)
        return list(self._projects.values())

    def _compile(self, project: Project) -> None:
        project.compile(self.texts)
        self._stale.discard(project.folder)
        self._untold.add(project.folder)

    # -------------------------------------------------------------- findings
    def waiting(self) -> list[Path]:
        """The packages whose findings are no longer up to date, that of the last change first."""
        self._forget_idle()
        found = [
            f for f in self._projects if f in self._stale or f in self._untold or f not in self._published
        ]
        return sorted(found, key=lambda folder: folder != self._front)

    def publications(self, most: int | None = None) -> Iterator[lsp.PublishDiagnosticsParams]:
        """Compiles what is no longer up to date, or some of it; what the editor has to show differently now."""
        self._forget_idle()
        for folder in [folder for folder in self._published if folder not in self._projects]:
            for path, shown in self._published.pop(folder).items():
                if shown:
                    yield lsp.PublishDiagnosticsParams(self.uri_of(path), [])
        for folder in self.waiting()[:most]:
            project = self._projects[folder]
            if folder in self._stale:
                self._compile(project)
            yield from self._publish(project)

    def _publish(self, project: Project) -> Iterator[lsp.PublishDiagnosticsParams]:
        found: dict[str, list[lsp.Diagnostic]] = {}
        for each in project.result.diagnostics:
            path = project.path_of(each.span.file)
            owner = self._owner(path)
            if owner is None or owner is project:
                found.setdefault(path, []).append(self.diagnostic(each, path, project))
        self._untold.discard(project.folder)
        before = self._published.get(project.folder, {})
        self._published[project.folder] = found
        for path in sorted({*before, *found}):
            now = found.get(path, [])
            if now != before.get(path):
                yield lsp.PublishDiagnosticsParams(self.uri_of(path), now)

    def _owner(self, path: str) -> Project | None:
        """The open project whose own file this is."""
        for folder in Path(path).parents:
            if folder in self._projects:
                return self._projects[folder]
            if (folder / MANIFEST).exists():
                return None
        return None

    def _forget_idle(self) -> None:
        """Lets go of projects that no open text belongs to and whose folder is gone."""
        for folder in [folder for folder in self._projects if not (folder / MANIFEST).exists()]:
            if not any(MANIFEST in path and Path(path).parent == folder for path in self.texts):
                self._projects.pop(folder).forget()
                self._stale.discard(folder)
                self._untold.discard(folder)

    def diagnostic(self, found: Diagnostic, path: str, project: Project) -> lsp.Diagnostic:
        """A finding as the protocol wants it."""
        positions = self.positions(path)
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(self.uri_of(other), self.positions(other).of_span(label.span)), label.text
            )
            for label in found.labels
            if (other := project.path_of(label.span.file))
        ]
        unused = found.name.startswith(("unused", "dead", "unreachable"))
        return lsp.Diagnostic(
            range=positions.of_span(found.span),
            severity=_SEVERITIES[found.severity],
            code=found.code,
            source="tale",
            message=f"{found.message}\n{found.help}" if found.help else found.message,
            tags=[lsp.DiagnosticTag.Unnecessary] if unused else None,
            related_information=related or None,
        )


@lru_cache(maxsize=64)
def _positions(text: str, encoding: str) -> Positions:
    return Positions(text, encoding)


def path_of(uri: str) -> str | None:
    """The real path of a file on this machine; none for anything else."""
    if not uri.startswith("file:"):
        return None
    try:
        path = to_fs_path(uri)
        return os.path.realpath(path) if path and "\0" not in path else None
    except (ValueError, OSError):
        return None
