"""Answers about whole texts and the names in them: hints, lenses, links and the tree of calls."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from talewright.dsl.packages.files import MANIFEST
from talewright.lsp.annotations.call_hierarchy import Caller, callables, called_from, caller_at
from talewright.lsp.annotations.hints import hints
from talewright.lsp.annotations.lenses import lenses
from talewright.lsp.annotations.links import Link, links, manifest_links
from talewright.lsp.answers import SYMBOL_KINDS, Answers, Place
from talewright.lsp.desk import path_of
from talewright.lsp.meaning import Meaning
from talewright.lsp.rename import places_of
from talewright.report.playtest.last_result import last_known


class Annotations:
    """What is shown in and above the lines of a text."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.desk = answers.desk

    def _start(self, uri: str) -> Place | None:
        return self.answers.place(uri, lsp.Position(0, 0))

    # -------------------------------------------------------------- hints, lenses, links
    def inlay_hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """Inferred types and the ranges of bands in a stretch of a text."""
        place = self._start(params.text_document.uri)
        if place is None:
            return []
        positions = self.desk.positions(place.path)
        first, last = positions.offset(params.range.start), positions.offset(params.range.end)
        return [
            lsp.InlayHint(
                positions.position(hint.offset),
                hint.text,
                kind=lsp.InlayHintKind.Type if hint.is_type else None,
            )
            for hint in hints(place.text, place.path, place.work)
            if first <= hint.offset <= last
        ]

    def code_lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """What can be run from a text, and what the last playtest knew."""
        place = self._start(params.text_document.uri)
        if place is None:
            return []
        positions = self.desk.positions(place.path)
        folder = place.project.folder
        return [
            lsp.CodeLens(
                positions.range(lens.offset, lens.offset),
                lsp.Command(lens.text, lens.command, arguments=list(lens.arguments)),
            )
            for lens in lenses(place.text, folder, place.work, last_known(folder))
        ]

    def document_links(self, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        """Chapters, files and packages that a text names."""
        path = path_of(params.text_document.uri)
        if path is not None and path.endswith(f"/{MANIFEST}"):
            project = self.desk.ready(path)
            text = self.desk.text_of(path)
            if project is None or text is None:
                return []
            found: Iterable[Link] = manifest_links(text, project.folder, project.result.packages)
        else:
            place = self._start(params.text_document.uri)
            if place is None:
                return []
            path, found = place.path, links(place.text, place.work)
        positions = self.desk.positions(path)
        return [
            lsp.DocumentLink(
                positions.range(link.start, link.end),
                f"{self.desk.uri_of(str(link.target.resolve()))}#L{link.line}",
            )
            for link in found
        ]

    # -------------------------------------------------------------- calls
    def prepare_calls(self, params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem]:
        """The action or value at a place."""
        place = self.answers.place(params.text_document.uri, params.position)
        meaning = self.answers.meaning(place) if place is not None else None
        return [self._item(found) for found in callables(meaning.symbols)] if meaning is not None else []

    def incoming(self, params: lsp.CallHierarchyIncomingCallsParams) -> list[lsp.CallHierarchyIncomingCall]:
        """Every declaration that names it, with the places."""
        place, meaning = self._of_item(params.item)
        if place is None or meaning is None:
            return []
        made: dict[Caller, list[lsp.Range]] = {}
        declared = {found.name_start for found in callables(meaning.symbols)}
        for path, spots in sorted(
            places_of(meaning, place.path, self.desk.all_projects(), self.desk.texts).items()
        ):
            text, positions = self.desk.text_of(path) or "", self.desk.positions(path)
            for start, end in spots:
                caller = caller_at(text, path, start) if start not in declared else None
                if caller is not None:
                    made.setdefault(caller, []).append(positions.range(start, end))
        return [lsp.CallHierarchyIncomingCall(self._item(caller), spots) for caller, spots in made.items()]

    def outgoing(self, params: lsp.CallHierarchyOutgoingCallsParams) -> list[lsp.CallHierarchyOutgoingCall]:
        """Every action and value that it names, with the places."""
        place = self.answers.place(params.item.uri, params.item.selection_range.start)
        if place is None:
            return []
        positions = self.desk.positions(place.path)
        start, end = positions.offset(params.item.range.start), positions.offset(params.item.range.end)
        made: dict[Caller, list[lsp.Range]] = {}
        for caller, spot in called_from(place.text, start, end, place.work):
            made.setdefault(caller, []).append(positions.range(*spot))
        return [lsp.CallHierarchyOutgoingCall(self._item(caller), spots) for caller, spots in made.items()]

    def _of_item(self, item: lsp.CallHierarchyItem) -> tuple[Place | None, Meaning | None]:
        place = self.answers.place(item.uri, item.selection_range.start)
        return place, self.answers.meaning(place) if place is not None else None

    def _item(self, caller: Caller) -> lsp.CallHierarchyItem:
        positions = self.desk.positions(caller.path)
        return lsp.CallHierarchyItem(
            name=caller.name,
            kind=SYMBOL_KINDS.get(caller.form, lsp.SymbolKind.Variable),
            uri=self.desk.uri_of(caller.path),
            range=positions.range(caller.start, max(caller.end, caller.name_end)),
            selection_range=positions.range(caller.name_start, caller.name_end),
            detail=caller.form,
        )
