"""The language server over standard input and output, wired with pygls."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from fleet_contracts import __version__
from fleet_contracts.lsp.actions import KINDS
from fleet_contracts.lsp.checking import Checker, Settings
from fleet_contracts.lsp.convert import client_of
from fleet_contracts.lsp.documents import OpenTexts
from fleet_contracts.lsp.rounds import Rounds
from fleet_contracts.lsp.service import Service
from fleet_contracts.lsp.session import Session
from fleet_contracts.lsp.uris import path_of

WATCHED = "**/*.{yaml,yml,json,jsonl,csv,md,txt,lock,py,sh}"
"""Files that a check may depend on, by their usual names."""

log = logging.getLogger(__name__)

Handler = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Wiring:
    """Connects messages with what is done about them."""

    server: LanguageServer
    service: Service
    rounds: Rounds

    def handlers(self) -> dict[str, tuple[Handler, Any]]:
        """Return what is done about each message, with what the editor is told about it."""
        blank = lsp.CompletionOptions(trigger_characters=[" "])
        return {
            lsp.INITIALIZE: (self.initialize, None),
            lsp.INITIALIZED: (self.initialized, None),
            lsp.SHUTDOWN: (self.shutdown, None),
            lsp.TEXT_DOCUMENT_DID_OPEN: (self.did_open, None),
            lsp.TEXT_DOCUMENT_DID_CHANGE: (self.did_change, None),
            lsp.TEXT_DOCUMENT_DID_SAVE: (self.files_changed, None),
            lsp.TEXT_DOCUMENT_DID_CLOSE: (self.did_close, None),
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (self.files_changed, None),
            lsp.TEXT_DOCUMENT_CODE_ACTION: (self.code_action, lsp.CodeActionOptions([*KINDS])),
            lsp.TEXT_DOCUMENT_COMPLETION: (self.completion, blank),
            lsp.TEXT_DOCUMENT_DEFINITION: (self.definition, None),
            lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (self.document_symbol, None),
            lsp.TEXT_DOCUMENT_HOVER: (self.hover, None),
        }

    # The life of the server

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Take what the editor can do, and the folder that is open in it."""
        encoding = self.server.workspace.position_encoding
        name = str(getattr(encoding, "value", encoding))
        self.service.client = client_of(params.capabilities, name)
        folders = [folder.uri for folder in params.workspace_folders or []]
        texts = self.service.session.texts
        for uri in (*folders, params.root_uri or ""):
            folder = path_of(uri, texts.folder)
            if folder is not None:
                texts.folder = folder
                return

    def initialized(self, params: lsp.InitializedParams) -> None:
        """Ask to be told about changes on disk."""
        if self.service.client.watches:
            options = lsp.DidChangeWatchedFilesRegistrationOptions(
                [lsp.FileSystemWatcher(glob_pattern=WATCHED)]
            )
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = lsp.Registration("fleet-files", method, options)
            self.server.client_register_capability(lsp.RegistrationParams([registration]))

    def shutdown(self, params: None) -> None:
        """Stop checking."""
        self.rounds.end()

    # Texts

    def did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Take a text and check it."""
        document = params.text_document
        self.service.session.look_again()
        self._take(document.uri, document.version, document.text)

    def did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Take the whole text after an edit and check it, and what depends on it."""
        document = params.text_document
        text = self.server.workspace.get_text_document(document.uri).source
        self._take(document.uri, document.version, text)

    def did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a text; what depends on the file is checked with what is on disk."""
        session = self.service.session
        closed = session.texts.drop(params.text_document.uri)
        session.look_again()
        self.service.drop_unwanted()
        wanted = session.targets()
        self.rounds.forget(wanted)
        if closed is not None:
            depending = session.board.depending(closed.path)
            self.rounds.ask(each for each in depending if each in wanted)

    def files_changed(self, params: object) -> None:
        """Check everything that is open, as any file may have changed."""
        self.service.session.look_again()
        self.rounds.ask(self.service.session.targets())

    def _take(self, uri: str, version: int | None, text: str) -> None:
        session = self.service.session
        opened = session.texts.put(uri, version, text)
        if opened is not None:
            self.rounds.ask(session.affected_by(opened))

    # Questions

    def code_action(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Answer with fixes, and comments that suppress."""
        only = params.context.only
        kinds = None if only is None else [str(getattr(kind, "value", kind)) for kind in only]
        return self.service.actions(params.text_document.uri, params.range, kinds)

    def completion(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        """Answer with names."""
        return self.service.completion(params.text_document.uri, params.position)

    def definition(
        self, params: lsp.DefinitionParams
    ) -> list[lsp.Location] | list[lsp.LocationLink] | None:
        """Answer with places."""
        return self.service.definition(params.text_document.uri, params.position)

    def document_symbol(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        """Answer with an outline."""
        return self.service.symbols(params.text_document.uri)

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """Answer with what codes mean."""
        return self.service.hover(params.text_document.uri, params.position)


def build(settings: Settings) -> Wiring:
    """Return a server that is not connected yet.

    Texts are sent whole at each change: pygls cuts a text into lines at characters that are
    no line breaks to an editor (U+2028, form feed), so that edits of parts would go astray.
    """
    server = LanguageServer("fleet", __version__, lsp.TextDocumentSyncKind.Full)
    service = Service(server, Session(OpenTexts(Path.cwd())))
    rounds = Rounds(Checker(settings), service.session.texts.overlay, service.done)
    wiring = Wiring(server, service, rounds)
    for method, (handler, options) in wiring.handlers().items():
        server.feature(method, options)(partial(handler))  # pygls notes something on it
    return wiring


def serve(settings: Settings) -> bool:
    """Serve an editor until it says goodbye; False when it left without `shutdown`.

    Nothing but the protocol reaches standard output: whatever else is printed goes to
    standard error.
    """
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.ERROR)
    wiring = build(settings)
    gc.freeze()
    gc.enable()
    output = cast(BinaryIO, Output(_only_for_us()))
    wiring.server.start_io(sys.stdin.buffer, output)
    is_goodbye = wiring.rounds.is_over
    wiring.rounds.end()
    return is_goodbye


class Output:
    """What pygls writes to; once nobody listens any more, what is written is dropped.

    pygls would tell the editor of each message that it cannot tell it, without end.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_gone = False

    def write(self, data: bytes) -> None:
        """Write all of a message."""
        self._try(partial(self._stream.write, data))

    def flush(self) -> None:
        """Send what was written."""
        self._try(self._stream.flush)

    def close(self) -> None:
        """Send what was written, and nothing more."""
        self._try(self._stream.close)
        self._is_gone = True

    def _try(self, action: Callable[[], object]) -> None:
        try:
            if not self._is_gone:
                action()
        except OSError:
            log.warning("the editor does not listen any more")
            self._is_gone = True


def _only_for_us() -> BinaryIO:
    """Return standard output, and let everybody else write to standard error."""
    sys.stdout.flush()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return output
