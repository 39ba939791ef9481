"""An editor for tests: a real client of the language server over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

T = TypeVar("T")
PATIENCE = 120


class Editor:
    """Opens, changes and asks about files of a folder; keeps what the server publishes."""

    def __init__(self, *folders: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self.client = LanguageClient("test", "1")
        self.shown: dict[str, list[lsp.Diagnostic]] = {}
        self.published = 0
        self._versions: dict[str, int] = {}
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._receive(params))
        self.run(self.client.start_io(sys.executable, "-m", "talewright.cli", "lsp"))
        folder_list = [lsp.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
        self.server = self.run(
            self.client.initialize_async(
                lsp.InitializeParams(lsp.ClientCapabilities(), workspace_folders=folder_list)
            )
        )
        self.client.initialized(lsp.InitializedParams())

    def _receive(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.shown[params.uri] = list(params.diagnostics)
        self.published += 1

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        said = path.read_text(encoding="utf-8") if text is None else text
        self._versions[uri] = 1
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "tale", 1, said))
        )
        return uri

    def change(self, uri: str, text: str) -> None:
        self._versions[uri] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self._versions[uri], uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def close(self, uri: str) -> None:
        self._versions.pop(uri, None)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def close_all(self) -> None:
        for uri in list(self._versions):
            self.close(uri)

    def settle(self) -> None:
        """Waits until the server has compiled what was sent to it: it answers behind its pause."""
        # On a busy machine the first answer may come before the pause is over; the second comes behind the findings.
        for _ in range(2):
            self.run(asyncio.sleep(0.2))
            self.run(self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("no such name at all")))
        self.run(asyncio.sleep(0.05))

    def stop(self) -> None:
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        self.run(self.client.stop())
        self._loop.close()
