"""The server: which request is answered by what, and when the packages are compiled."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from talewright.lsp.annotations.requests import Annotations
from talewright.lsp.answers import Answers
from talewright.lsp.colours import TOKEN_TYPES
from talewright.lsp.connection import Incoming, Outgoing, Protocol, leave, log_plainly
from talewright.lsp.desk import Desk, path_of
from talewright.lsp.rename import RefusedError

# So long the server waits for the next keystroke before it compiles.
PAUSE = 0.12


class RefusedRequest(JsonRpcException):
    """A request that cannot be done; the editor shows the reason."""

    CODE = lsp.LSPErrorCodes.RequestFailed.value
    MESSAGE = "refused"


class Server:
    """One language server on one desk."""

    def __init__(self, version: str) -> None:
        self.desk = Desk()
        self.answers = Answers(self.desk)
        self._waiting: asyncio.TimerHandle | None = None
        self.protocol = LanguageServer("tale", version, lsp.TextDocumentSyncKind.Full, protocol_cls=Protocol)
        self._told_to_shut_down = False
        self._ready_to_leave = True
        self._register()

    def run(self) -> int:
        """Serves on standard input and output until the client goes; 1 when it leaves without saying so before."""
        log_plainly()
        said: Any = Incoming(sys.stdin.buffer)
        told: Any = Outgoing(sys.stdout.buffer, leave)
        self.protocol.start_io(said, told)
        return 0 if self._ready_to_leave else 1

    def _register(self) -> None:
        answers, beside = self.answers, Annotations(self.answers)
        plain: tuple[tuple[str, Any, Any], ...] = (
            (lsp.TEXT_DOCUMENT_HOVER, answers.hover, None),
            (lsp.TEXT_DOCUMENT_DEFINITION, answers.definition, None),
            (lsp.TEXT_DOCUMENT_IMPLEMENTATION, answers.implementation, None),
            (lsp.TEXT_DOCUMENT_REFERENCES, answers.references, None),
            (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, answers.highlights, None),
            (lsp.TEXT_DOCUMENT_PREPARE_RENAME, answers.prepare_rename, None),
            (lsp.TEXT_DOCUMENT_RENAME, self._rename, lsp.RenameOptions(prepare_provider=True)),
            (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answers.document_symbols, None),
            (lsp.WORKSPACE_SYMBOL, answers.workspace_symbols, None),
            (lsp.TEXT_DOCUMENT_FOLDING_RANGE, answers.folding, None),
            (
                lsp.TEXT_DOCUMENT_COMPLETION,
                answers.completion,
                lsp.CompletionOptions(trigger_characters=[".", ":", ">", " "]),
            ),
            (
                lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
                answers.signature_help,
                lsp.SignatureHelpOptions(trigger_characters=["(", ",", " "]),
            ),
            (lsp.TEXT_DOCUMENT_FORMATTING, answers.formatting, None),
            (
                lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
                answers.on_type_formatting,
                lsp.DocumentOnTypeFormattingOptions("\n"),
            ),
            (lsp.TEXT_DOCUMENT_INLAY_HINT, beside.inlay_hints, None),
            (lsp.TEXT_DOCUMENT_CODE_LENS, beside.code_lenses, None),
            (lsp.TEXT_DOCUMENT_DOCUMENT_LINK, beside.document_links, None),
            (lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, beside.prepare_calls, None),
            (lsp.CALL_HIERARCHY_INCOMING_CALLS, beside.incoming, None),
            (lsp.CALL_HIERARCHY_OUTGOING_CALLS, beside.outgoing, None),
            (
                lsp.TEXT_DOCUMENT_CODE_ACTION,
                answers.code_actions,
                lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
            ),
            (
                lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
                answers.semantic_tokens,
                lsp.SemanticTokensLegend(list(TOKEN_TYPES), []),
            ),
            (lsp.INITIALIZED, self._begin, None),
            (lsp.SHUTDOWN, self._shut_down, None),
            (lsp.EXIT, self._exit, None),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._opened, None),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, self._edited, None),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed, None),
            (lsp.TEXT_DOCUMENT_DID_SAVE, self._saved, None),
            (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed, None),
            (lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._folders_changed, None),
        )
        for method, answer, options in plain:
            self.protocol.feature(method, options)(_as_function(answer))

    # -------------------------------------------------------------- what the client tells
    def _begin(self, params: lsp.InitializedParams) -> None:
        workspace = self.protocol.workspace
        self.desk.encoding = workspace.position_encoding or "utf-16"
        self._folders_changed(None)

    def _shut_down(self, params: None) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        self._told_to_shut_down = True

    def _exit(self, params: None) -> None:
        self._ready_to_leave = self._told_to_shut_down

    def _folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams | None) -> None:
        workspace = self.protocol.workspace
        uris = [folder.uri for folder in workspace.folders.values()] or [workspace.root_uri or ""]
        self.desk.folders = [Path(path) for uri in uris if (path := path_of(uri)) is not None]

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self.desk.open(params.text_document.uri, params.text_document.text)
        self._compile_soon()

    def _edited(self, params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        self.desk.open(uri, self.protocol.workspace.get_text_document(uri).source)
        self._compile_soon()

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self.desk.close(params.text_document.uri)
        self._compile_soon()

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self._look_again(params.text_document.uri)

    def _files_changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            self._look_again(change.uri)

    def _look_again(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self.desk.changed(path)
            self._compile_soon()

    def _rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        try:
            return self.answers.rename(params)
        except RefusedError as reason:
            raise RefusedRequest(str(reason)) from None

    # -------------------------------------------------------------- compiling
    def _compile_soon(self) -> None:
        """Compiles after a pause; another change before that puts it off, so that nothing outdated is begun."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(PAUSE, self._compile)

    def _compile(self) -> None:
        """Compiles one package; before the next one, a change that has come meanwhile is heard first."""
        self._waiting = None
        for publication in self.desk.publications(1):
            self.protocol.text_document_publish_diagnostics(publication)
        if self.desk.waiting():
            self._waiting = asyncio.get_running_loop().call_later(0, self._compile)


def _as_function(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The library marks the functions it is given, and methods cannot be marked."""

    def respond(params: Any) -> Any:
        return answer(params)

    return respond
