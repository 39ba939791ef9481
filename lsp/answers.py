"""Answers to what an editor asks about a place in a text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

from lsprotocol import types as lsp

from talewright.compiler.symbols.core import FUNCTIONS
from talewright.compiler.symbols.symbol_table import Symbol, TraitSymbol
from talewright.compiler.types.lookups import Work, name_span
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.format.formatter import format_text
from talewright.dsl.source import Source
from talewright.lsp.colours import TOKEN_TYPES, coloured
from talewright.lsp.completion import Offer, declared_ids, offers
from talewright.lsp.desk import Desk, path_of
from talewright.lsp.fix_offers import offered
from talewright.lsp.hover import MOST_USES, call_parts, explained, hover_text, signature, value_text
from talewright.lsp.language_page import calls_of
from talewright.lsp.meaning import Meaning, given_by, meaning_of, rules_on, uses_of
from talewright.lsp.outline import Entry, folds, outline
from talewright.lsp.project import Project
from talewright.lsp.rename import RefusedError, check_new_name, check_result, places_of, renamed
from talewright.lsp.words import lexemes, word_at
from talewright.report.findings.fixes import apply_fixes
from talewright.report.testing.rule_coverage import CatalogueError, read_catalogue
from talewright.schemas.records import record

SYMBOL_KINDS = {
    "kind": lsp.SymbolKind.Class, "role": lsp.SymbolKind.Class, "trait": lsp.SymbolKind.Interface,
    "type": lsp.SymbolKind.Enum, "thing": lsp.SymbolKind.Object, "action": lsp.SymbolKind.Method,
    "value": lsp.SymbolKind.Function, "table": lsp.SymbolKind.Array, "field": lsp.SymbolKind.Field,
    "rule": lsp.SymbolKind.Event, "offer": lsp.SymbolKind.Event, "test": lsp.SymbolKind.Boolean,
    "menu": lsp.SymbolKind.Enum, "period": lsp.SymbolKind.Namespace, "condition": lsp.SymbolKind.Namespace,
}  # fmt: skip
_ITEM_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword, "kind": lsp.CompletionItemKind.Class,
    "trait": lsp.CompletionItemKind.Interface, "type": lsp.CompletionItemKind.Enum,
    "thing": lsp.CompletionItemKind.Value, "verb": lsp.CompletionItemKind.Method,
    "function": lsp.CompletionItemKind.Function, "field": lsp.CompletionItemKind.Field,
    "property": lsp.CompletionItemKind.Property, "word": lsp.CompletionItemKind.EnumMember,
    "rule": lsp.CompletionItemKind.Reference,
}  # fmt: skip
_MOST_SYMBOLS = 500
_ID_BEFORE = re.compile(r"[A-Za-z0-9-]*$")


@record(frozen=True)
class Place:
    """A place in a text: the file, its text, the offset, and the package around."""

    path: str
    text: str
    offset: int
    project: Project
    work: Work


class Answers:
    """What is asked about the texts on a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def place(self, uri: str, position: lsp.Position, *, fresh: bool = False) -> Place | None:
        path = path_of(uri)
        text = self.desk.text_of(path) if path is not None else None
        project = self.desk.ready(path, fresh=fresh) if path is not None and path.endswith(".tale") else None
        if path is None or text is None or project is None or project.work is None:
            return None
        return Place(path, text, self.desk.positions(path).offset(position), project, project.work)

    def meaning(self, place: Place) -> Meaning | None:
        word = word_at(place.text, place.offset)
        return meaning_of(place.text, word, place.work) if word is not None and word.form == "word" else None

    def _text(self, uri: str) -> tuple[str, str] | None:
        path = path_of(uri)
        text = self.desk.text_of(path) if path is not None else None
        return (path, text) if path is not None and text is not None else None

    # -------------------------------------------------------------- hover, definition, references
    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """What stands here, and what was found here."""
        place = self.place(params.text_document.uri, params.position)
        if place is None:
            return None
        parts = [explained(found) for found in self._findings_at(place)]
        meaning = self.meaning(place)
        span = None
        if meaning is not None:
            used = self._count_uses(place, meaning)
            said = hover_text(meaning, used, place.work)
            parts.append(said or value_text(meaning.word.text, self._given_by(place, meaning)))
            span = self.desk.positions(place.path).range(meaning.word.start, meaning.word.end)
        rule = word_at(place.text, place.offset)
        if rule is not None and rule.form == "rule":
            parts.append(self._about_rule(place, rule.text))
            span = self.desk.positions(place.path).range(rule.start, rule.end)
        said = "\n\n---\n\n".join(part for part in parts if part)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, said), span) if said else None

    def _count_uses(self, place: Place, meaning: Meaning) -> int:
        """How often a name is used in the package; no further than `MOST_USES` and one more."""
        if not meaning.symbols:
            return 0
        declared = {(os.path.realpath(s.origin.source.name), name_span(s)[0]) for s in meaning.symbols}
        count = 0
        for file, source in place.project.sources().items():
            text = self.desk.texts.get(file, source.text)
            if not file.endswith(".tale") or meaning.word.text not in text:
                continue
            for word in uses_of(meaning, text, source.name, place.work):
                count += (file, word.start) not in declared
                if count > MOST_USES:
                    return count
        return count

    def _findings_at(self, place: Place) -> Iterator[Diagnostic]:
        positions = self.desk.positions(place.path)
        for found in place.project.result.diagnostics:
            if place.project.path_of(found.span.file) == place.path:
                start, end = positions.offsets(found.span)
                if start <= place.offset <= end:
                    yield found

    def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        """Where the word here is declared."""
        place = self.place(params.text_document.uri, params.position)
        meaning = self.meaning(place) if place is not None else None
        if place is None or meaning is None:
            return []
        if meaning.local is not None:
            return [self.desk.location(place.path, meaning.local.start, meaning.local.end)]
        declared = meaning.symbols or self._given_by(place, meaning)
        return [self._declared(symbol) for symbol in declared if symbol.origin.package != "core"]

    def _given_by(self, place: Place, meaning: Meaning) -> tuple[Symbol, ...]:
        if meaning.symbols or meaning.local is not None or meaning.language or meaning.is_property:
            return ()
        return tuple(given_by(place.text, meaning.word, place.work))

    def _declared(self, symbol: Symbol) -> lsp.Location:
        return self.desk.location(os.path.realpath(symbol.origin.source.name), *name_span(symbol))

    def implementation(self, params: lsp.ImplementationParams) -> list[lsp.Location]:
        """The rules that act on the action, value or field here."""
        place = self.place(params.text_document.uri, params.position)
        meaning = self.meaning(place) if place is not None else None
        if place is None or meaning is None:
            return []
        made = [
            self.desk.location(os.path.realpath(origin.source.name), word.start, word.end)
            for symbol in meaning.symbols
            for _, word, origin in rules_on(symbol, place.work)
        ]
        return sorted(
            {(at.uri, at.range.start.line): at for at in made}.values(),
            key=lambda at: (at.uri, at.range.start.line),
        )

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        """Everywhere the name here is used."""
        place = self.place(params.text_document.uri, params.position)
        meaning = self.meaning(place) if place is not None else None
        if place is None or meaning is None or meaning.language:
            return []
        found = places_of(meaning, place.path, self._knowing(place, meaning), self.desk.texts)
        if not params.context.include_declaration:
            for symbol in meaning.symbols:
                spots = found.get(os.path.realpath(symbol.origin.source.name), [])
                spots[:] = [spot for spot in spots if spot != name_span(symbol)]
        return [self.desk.location(file, *spot) for file, spots in sorted(found.items()) for spot in spots]

    def highlights(self, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        """The same name in this text."""
        place = self.place(params.text_document.uri, params.position)
        meaning = self.meaning(place) if place is not None else None
        if place is None or meaning is None or meaning.language:
            return []
        positions = self.desk.positions(place.path)
        found = places_of(meaning, place.path, [place.project], self.desk.texts).get(place.path, [])
        return [lsp.DocumentHighlight(positions.range(*spot)) for spot in found]

    def _knowing(self, place: Place, meaning: Meaning) -> list[Project]:
        """The projects in which a name is known; a name of one block only in its own."""
        if meaning.local is not None:
            return [place.project]
        files = {os.path.realpath(symbol.origin.source.name) for symbol in meaning.symbols}
        return [project for project in self.desk.all_projects() if not files.isdisjoint(project.sources())]

    # -------------------------------------------------------------- rename
    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        """The word that would be renamed; none where nothing can be."""
        place = self.place(params.text_document.uri, params.position)
        meaning = self.meaning(place) if place is not None else None
        if place is None or meaning is None or not self._may_rename(meaning):
            return None
        return self.desk.positions(place.path).range(meaning.word.start, meaning.word.end)

    def _may_rename(self, meaning: Meaning) -> bool:
        if meaning.local is not None:
            return True
        return bool(meaning.symbols) and all(symbol.origin.package != "core" for symbol in meaning.symbols)

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        """Every use gets the new name; refused when the packages would then say something else."""
        place = self.place(params.text_document.uri, params.position, fresh=True)
        meaning = self.meaning(place) if place is not None else None
        if place is None or meaning is None or not self._may_rename(meaning):
            raise RefusedError("there is no name here that can be changed")
        check_new_name(meaning.word.text, params.new_name)
        projects = self._knowing(place, meaning)
        places = places_of(meaning, place.path, projects, self.desk.texts)
        texts = {file: self.desk.text_of(file) or "" for file in places}
        for file in places:
            if self.desk.folders and not any(
                file.startswith(os.path.join(os.path.realpath(f), "")) for f in self.desk.folders
            ):
                raise RefusedError(f"`{meaning.word.text}` also stands outside the open folders, in {file}")
        changed = renamed(texts, places, params.new_name)
        for project in projects:
            check_result(project, self.desk.texts, changed)
        return lsp.WorkspaceEdit(
            changes={
                self.desk.uri_of(file): [
                    lsp.TextEdit(self.desk.positions(file).range(*spot), params.new_name) for spot in spots
                ]
                for file, spots in sorted(places.items())
            }
        )

    # -------------------------------------------------------------- symbols, folding
    def document_symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        """The outline of a text."""
        found = self._text(params.text_document.uri)
        if found is None or not found[0].endswith(".tale"):
            return []
        positions = self.desk.positions(found[0])

        def shown(entry: Entry) -> lsp.DocumentSymbol:
            return lsp.DocumentSymbol(
                name=entry.name or "?",
                kind=SYMBOL_KINDS.get(entry.form, lsp.SymbolKind.Variable),
                range=positions.range(entry.start, max(entry.end, entry.name_end)),
                selection_range=positions.range(entry.name_start, entry.name_end),
                detail=entry.form,
                children=[shown(inner) for inner in entry.inside] or None,
            )

        return [shown(entry) for entry in outline(found[1])]

    def workspace_symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        """Every declaration of the open packages whose name holds these letters, in this order."""
        pattern = re.compile(".*?".join(map(re.escape, params.query)), re.IGNORECASE)
        made: dict[tuple[str, int], lsp.WorkspaceSymbol] = {}
        for project in self.desk.all_projects():
            if project.work is None:
                continue
            table = project.work.table
            known: list[Symbol] = [*table.kinds.values(), *table.names.values(), *table.scoped.values()]
            known += [*table.menus.values(), *table.periods.values()]
            for actions in table.verbs.values():
                known += actions
            for functions in table.functions.values():
                known += functions
            for symbol in known:
                key = (symbol.origin.source.name, name_span(symbol)[0])
                if symbol.origin.package == "core" or key in made or not pattern.search(symbol.name):
                    continue
                kind = SYMBOL_KINDS.get(symbol.form, lsp.SymbolKind.Variable)
                made[key] = lsp.WorkspaceSymbol(
                    location=self._declared(symbol),
                    name=symbol.name,
                    kind=kind,
                    container_name=symbol.origin.package,
                )
                if len(made) >= _MOST_SYMBOLS:
                    return list(made.values())
        return list(made.values())

    def folding(self, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        """What can be folded."""
        found = self._text(params.text_document.uri)
        if found is None:
            return []
        return [
            lsp.FoldingRange(first, last, kind=lsp.FoldingRangeKind(form))
            for first, last, form in folds(found[1])
        ]

    # -------------------------------------------------------------- writing
    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        """What may be written here."""
        place = self.place(params.text_document.uri, params.position)
        if place is None:
            return lsp.CompletionList(False, [])
        return lsp.CompletionList(
            False,
            [
                self._item(place, number, offer)
                for number, offer in enumerate(
                    offers(place.text, place.offset, place.work, self._rule_ids(place))
                )
            ],
        )

    def _item(self, place: Place, number: int, offer: Offer) -> lsp.CompletionItem:
        edit = None
        if offer.form == "rule":
            # Editors take the hyphens of an id for the ends of words: they are told what to replace.
            begin = place.offset - len(_ID_BEFORE.findall(place.text[: place.offset])[0])
            span = self.desk.positions(place.path).range(begin, place.offset)
            edit = lsp.TextEdit(span, offer.label)
        return lsp.CompletionItem(
            label=offer.label,
            kind=_ITEM_KINDS.get(offer.form, lsp.CompletionItemKind.Variable),
            detail=offer.detail or None,
            insert_text=offer.snippet or None,
            insert_text_format=lsp.InsertTextFormat.Snippet if offer.snippet else None,
            sort_text=f"{number:05}",
            text_edit=edit,
        )

    def _about_rule(self, place: Place, name: str) -> str:
        """What a catalogue of the packages says about one of its rules."""
        for path in self._catalogues(place):
            topic, said = _catalogue(path).get(name, ("", ""))
            if topic:
                return f"**{name}** ({topic})" + (f"\n\n{said}" if said else "")
        return ""

    def _catalogues(self, place: Place) -> Iterator[Path]:
        for package in place.project.result.packages.packages:
            if package.manifest.covers:
                yield package.folder / package.manifest.covers

    def _rule_ids(self, place: Place) -> dict[str, str]:
        """The ids of rules that a test may cover, with their topics: of the catalogues, else those that tests name."""
        start = place.text.rfind("\n", 0, place.offset) + 1
        if "covers" not in place.text[start : place.offset]:
            return {}
        known: dict[str, str] = {}
        for path in self._catalogues(place):
            known.update((name, topic) for name, (topic, _) in _catalogue(path).items())
        named = declared_ids(place.work.table.tests)
        return known or dict.fromkeys(sorted(named), "")

    def signature_help(self, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        """The parts of the call or function that is being written."""
        place = self.place(params.text_document.uri, params.position)
        if place is None:
            return None
        start = place.text.rfind("\n", 0, place.offset) + 1
        line = place.text[start : place.offset]
        depth = 0
        for at in range(len(line) - 1, -1, -1):
            depth += (line[at] in ")]}") - (line[at] in "([{")
            if depth < 0:
                name = re.search(r"[A-Za-z_][A-Za-z0-9_]*$", line[:at])
                return self._function_help(name.group(), line[at + 1 :].count(","), place) if name else None
        words = [w for w in lexemes(line) if w.form == "word" and not w.inside]
        for number, word in reversed(list(enumerate(words))):
            ways = call_parts(word.text, place.work)
            if ways and word.end < len(line):
                later = [each.text for each in words[number + 1 :]]
                return _help([" ".join(way) for way in ways], ways, [_active(way, later) for way in ways])
        return None

    def _function_help(self, name: str, commas: int, place: Place) -> lsp.SignatureHelp | None:
        labels = [signature(symbol) for symbol in place.work.table.functions.get(name, ())]
        if isinstance(trait := place.work.table.kinds.get(name), TraitSymbol):
            labels.append(signature(trait))
        if name in place.work.table.menus:
            labels.append(signature(place.work.table.menus[name]))
        if not labels and name in FUNCTIONS:
            labels = calls_of(name)
        if not labels:
            return None
        parts = [
            [p.strip() for p in label.partition("(")[2].partition(")")[0].split(",")] for label in labels
        ]
        return _help(labels, parts, [commas] * len(labels))

    def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        """The one layout; a text with errors stays as it is."""
        found = self._text(params.text_document.uri)
        if found is None or not found[0].endswith(".tale"):
            return None
        path, text = found
        new, problems = format_text(text, path)
        if new == text or any(problem.severity == "error" for problem in problems):
            return None
        return [lsp.TextEdit(self.desk.positions(path).range(0, len(text)), new)]

    def on_type_formatting(self, params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit] | None:
        """The line that was just ended, in the one layout; nothing while the text has errors."""
        found = self._text(params.text_document.uri)
        line = params.position.line - 1
        if found is None or not found[0].endswith(".tale") or line < 0:
            return None
        path, text = found
        new, problems = format_text(text, path)
        if any(problem.severity == "error" for problem in problems):
            return None
        before, after = text.split("\n"), new.split("\n")
        for form, first, last, start, end in SequenceMatcher(None, before, after, False).get_opcodes():
            if form == "replace" and first <= line < last:
                # Only the spaces of this line change; what else the layout would move waits.
                wanted = "".join(before[line].split())
                same = next((each for each in after[start:end] if "".join(each.split()) == wanted), None)
                whole = lsp.Range(lsp.Position(line, 0), self.desk.positions(path).end_of_line(line))
                return [lsp.TextEdit(whole, same)] if same is not None and wanted else None
        return None

    def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """The fixes of what was found in a range, and one for all safe ones of the file."""
        path = path_of(params.text_document.uri)
        project = self.desk.ready(path, fresh=True) if path is not None else None
        if path is None or project is None:
            return []
        positions = self.desk.positions(path)
        first, last = positions.offset(params.range.start), positions.offset(params.range.end)
        own = [f for f in project.result.diagnostics if project.path_of(f.span.file) == path]
        source = project.sources().get(path) or Source(path, self.desk.text_of(path) or "")
        made: list[lsp.CodeAction] = []
        for found in own:
            start, end = positions.offsets(found.span)
            if start > last or end < first:
                continue
            for fix in (*found.fixes, *offered(found, (start, end), source, project.work)):
                changes: dict[str, list[lsp.TextEdit]] = {}
                for edit in fix.edits:
                    file = os.path.realpath(edit.span.file)
                    span = self.desk.positions(file).of_span(edit.span)
                    changes.setdefault(self.desk.uri_of(file), []).append(lsp.TextEdit(span, edit.text))
                made.append(
                    lsp.CodeAction(
                        fix.title[:1].upper() + fix.title[1:],
                        lsp.CodeActionKind.QuickFix,
                        [self.desk.diagnostic(found, path, project)],
                        is_preferred=fix.safe,
                        edit=lsp.WorkspaceEdit(changes=changes),
                    )
                )
        all_at_once = apply_fixes(project.result.sources, own)
        for name, new in all_at_once.items():
            if os.path.realpath(name) == path:
                whole = positions.range(0, len(self.desk.text_of(path) or ""))
                changes = {self.desk.uri_of(path): [lsp.TextEdit(whole, new)]}
                title = "Apply all safe fixes of this file"
                made.append(
                    lsp.CodeAction(
                        title, lsp.CodeActionKind.SourceFixAll, edit=lsp.WorkspaceEdit(changes=changes)
                    )
                )
        return made

    # -------------------------------------------------------------- colours
    def semantic_tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        """The words of a text by what they mean, as the differences that the protocol wants."""
        place = self.place(params.text_document.uri, lsp.Position(0, 0))
        if place is None:
            return lsp.SemanticTokens([])
        positions = self.desk.positions(place.path)
        data: list[int] = []
        line, column = 0, 0
        for lexeme, kind in sorted(coloured(place.text, place.work), key=lambda found: found[0].start):
            at = positions.position(lexeme.start)
            width = lexeme.end - lexeme.start
            data += [
                at.line - line,
                at.character - (column if at.line == line else 0),
                width,
                TOKEN_TYPES.index(kind),
                0,
            ]
            line, column = at.line, at.character
        return lsp.SemanticTokens(data)


def _catalogue(path: Path) -> dict[str, tuple[str, str]]:
    """The ids of a catalogue of rules, their topics and texts; nothing where it cannot be read."""
    try:
        return _rules(path, path.stat().st_mtime_ns)
    except (OSError, CatalogueError):
        return {}


@lru_cache(maxsize=16)
def _rules(path: Path, changed: int) -> dict[str, tuple[str, str]]:
    known = read_catalogue(path)
    return {name: (topic, known.texts.get(name, "")) for name, topic in known.topics.items()}


def _help(labels: list[str], parts: list[list[str]], active: list[int]) -> lsp.SignatureHelp:
    made = [
        lsp.SignatureInformation(
            label,
            parameters=[lsp.ParameterInformation(part) for part in way],
            active_parameter=max(number, 0),
        )
        for label, way, number in zip(labels, parts, active, strict=True)
    ]
    best = max(range(len(made)), key=lambda number: active[number])
    return lsp.SignatureHelp(made, best, max(active[best], 0))


def _active(way: list[str], later: list[str]) -> int:
    """The part of a call that is being written: that of the last preposition, else the first argument."""
    for word in reversed(later):
        for number, part in enumerate(way):
            if number and part.strip("[]").split(" ")[0] == word and " " in part:
                return number
    return min(1, len(way) - 1)
