"""Requests all over twenty files, as they are and broken: none fails, and every answer can be sent.

`TALE_OFFSETS=1 pytest tests/lsp/test_offsets.py` asks one request at every offset, otherwise at one in so many;
`TALE_OFFSETS=all` asks every request at every offset. `TALE_OFFSETS_IN` names other packages by their folders.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from talewright.lsp.annotations.requests import Annotations
from talewright.lsp.answers import Answers
from talewright.lsp.desk import Desk

ROOT = Path(__file__).parents[2]
GIVEN = os.environ.get("TALE_OFFSETS", "17")
EVERY = GIVEN == "all"
STEP = 1 if EVERY else int(GIVEN)
PACKAGES = os.environ.get("TALE_OFFSETS_IN", "salem/system dark_rituals/system").split()
FILES = sorted(
    (path for package in PACKAGES for path in (ROOT / "scenarios" / package).rglob("*.tale")),
    key=lambda path: (path.stat().st_size, path),
)[:20]

_spec = importlib.util.spec_from_file_location("tale_test_edits", ROOT / "tests" / "compiler" / "edits.py")
assert _spec is not None
assert _spec.loader is not None
_edits = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_edits)

Asking = Callable[[lsp.TextDocumentIdentifier, lsp.Position], Any]


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers(Desk())


def positional(answers: Answers) -> list[Asking]:
    """Every request about a place in a text."""
    calls = Annotations(answers)
    return [
        lambda uri, at: answers.hover(lsp.HoverParams(uri, at)),
        lambda uri, at: answers.definition(lsp.DefinitionParams(uri, at)),
        lambda uri, at: answers.implementation(lsp.ImplementationParams(uri, at)),
        lambda uri, at: answers.references(lsp.ReferenceParams(lsp.ReferenceContext(True), uri, at)),
        lambda uri, at: answers.highlights(lsp.DocumentHighlightParams(uri, at)),
        lambda uri, at: answers.prepare_rename(lsp.PrepareRenameParams(uri, at)),
        lambda uri, at: answers.completion(lsp.CompletionParams(uri, at)),
        lambda uri, at: answers.signature_help(lsp.SignatureHelpParams(uri, at)),
        lambda uri, at: [
            [calls.incoming(lsp.CallHierarchyIncomingCallsParams(item)) for item in found]
            + [calls.outgoing(lsp.CallHierarchyOutgoingCallsParams(item)) for item in found]
            for found in [calls.prepare_calls(lsp.CallHierarchyPrepareParams(uri, at)) or []]
        ],
    ]


def of_lines(answers: Answers) -> list[Asking]:
    """Requests whose answer is the same all over a line, or nearly so."""
    options = lsp.FormattingOptions(4, True)
    beside = Annotations(answers)
    return [
        lambda uri, at: beside.inlay_hints(lsp.InlayHintParams(uri, lsp.Range(at, at))),
        lambda uri, at: answers.on_type_formatting(
            lsp.DocumentOnTypeFormattingParams(uri, at, "\n", options)
        ),
        lambda uri, at: answers.code_actions(
            lsp.CodeActionParams(uri, lsp.Range(at, at), lsp.CodeActionContext([]))
        ),
    ]


def of_texts(answers: Answers) -> list[Callable[[lsp.TextDocumentIdentifier], Any]]:
    """Every request about a whole text."""
    beside = Annotations(answers)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(10**6, 0))
    return [
        lambda uri: answers.document_symbols(lsp.DocumentSymbolParams(uri)),
        lambda uri: answers.folding(lsp.FoldingRangeParams(uri)),
        lambda uri: answers.semantic_tokens(lsp.SemanticTokensParams(uri)),
        lambda uri: answers.formatting(lsp.DocumentFormattingParams(uri, lsp.FormattingOptions(4, True))),
        lambda uri: answers.code_actions(lsp.CodeActionParams(uri, whole, lsp.CodeActionContext([]))),
        lambda uri: beside.inlay_hints(lsp.InlayHintParams(uri, whole)),
        lambda uri: beside.code_lenses(lsp.CodeLensParams(uri)),
        lambda uri: beside.document_links(lsp.DocumentLinkParams(uri)),
    ]


@pytest.mark.parametrize("number", range(len(FILES)))
def test_no_request_fails_anywhere(answers: Answers, number: int) -> None:
    """Request after request, one offset further each time: over the files, every request meets every sort of place."""
    path = FILES[number]
    text = path.read_text(encoding="utf-8")
    if number % 2:
        text = _edits.edited(text, Random(number), 2)
    uri = path.as_uri()
    answers.desk.open(uri, text)
    document = lsp.TextDocumentIdentifier(uri)
    plain = converters.get_converter()
    requests, by_line = positional(answers), of_lines(answers)
    both = [*requests, *by_line]
    line = column = 0
    for offset, sign in enumerate(text):
        if EVERY:
            asked = both if column == 0 else requests
        else:
            asked = [both[(offset // STEP + number) % len(both)]] if offset % STEP == 0 else []
        for ask in asked:
            plain.unstructure(ask(document, lsp.Position(line, column)))
        line, column = (line + 1, 0) if sign == "\n" else (line, column + 1)
    for ask in both:
        plain.unstructure(ask(document, lsp.Position(line, column + 5)))
    for whole in of_texts(answers):
        plain.unstructure(whole(document))
    answers.desk.close(uri)
