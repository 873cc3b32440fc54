"""What the server does about each message, as values of the protocol."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from lsprotocol import types as lsp

from fleet_contracts.lsp.actions import Desk, Shown, touches
from fleet_contracts.lsp.checking import Checked
from fleet_contracts.lsp.completion import completions
from fleet_contracts.lsp.convert import Client, Converter, range_of
from fleet_contracts.lsp.definitions import definitions
from fleet_contracts.lsp.documents import OpenText
from fleet_contracts.lsp.explaining import explained
from fleet_contracts.lsp.lines import Lines, Spot
from fleet_contracts.lsp.outline import Entry, Kind, outline
from fleet_contracts.lsp.session import Session
from fleet_contracts.source import Position

SYMBOLS: dict[Kind, lsp.SymbolKind] = {
    "environment": lsp.SymbolKind.Module,
    "task": lsp.SymbolKind.Class,
    "composite": lsp.SymbolKind.Interface,
    "leaf": lsp.SymbolKind.Function,
}


class Editor(Protocol):
    """Where diagnostics go."""

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        """Show the diagnostics of one file in place of the former ones."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the editor knows about a file, and the URIs by which it was told.

    `found` are the diagnostics that were sent: those of `shown`, and why a check failed.
    """

    uris: frozenset[str] = frozenset()
    shown: Sequence[Shown] = ()
    found: Sequence[lsp.Diagnostic] = ()


@dataclass(slots=True)
class Service:
    """Answers questions of an editor, and tells it what checks have found."""

    editor: Editor
    session: Session
    client: Client = field(default_factory=Client)
    _told: dict[Path, Told] = field(default_factory=dict)

    def done(self, checked: Checked) -> None:
        """Show what a check has found, and nothing more of what nobody wants to know."""
        session = self.session
        files = session.board.put(checked) | session.board.keep(session.targets())
        read = {checked.target, *checked.sources}
        self.show(files | {each.path for each in session.texts if each.path in read})

    def drop_unwanted(self) -> None:
        """Take back what was shown for texts that are closed now."""
        self.show(self.session.board.keep(self.session.targets()))

    def show(self, files: Iterable[Path]) -> None:
        """Publish the diagnostics of some files; those of a closed one if they are others.

        They go to the URIs by which a file is open, else to those by which it was.
        """
        board = self.session.board
        converter = self._converter()
        for path in sorted(files):
            shown = [Shown(each, converter.diagnostic(each)) for each in board.about(path)]
            found = [converter.failure(each) for each in board.failures(path)]
            found += [each.sent for each in shown]
            before = self._told.pop(path, Told())
            versions = {each.uri: each.version for each in self.session.texts.of(path)}
            is_open = bool(versions)
            if not is_open:
                versions = dict.fromkeys(before.uris or [path.as_uri()])
            if is_open or found != before.found:
                for uri, version in versions.items():
                    self._publish(uri, found, version)
                for uri in before.uris - versions.keys():
                    self._publish(uri, [], None)
            if is_open or found:
                self._told[path] = Told(frozenset(versions), shown, found)

    def definition(
        self, uri: str, position: lsp.Position
    ) -> list[lsp.Location] | list[lsp.LocationLink] | None:
        """Return where what stands at a position is declared."""
        opened = self.session.texts.get(uri)
        if opened is None:
            return None
        lines = self._lines(opened)
        found = definitions(self.session.world, opened.path, _position(lines, position))
        converter = self._converter(from_trees=True)
        if not self.client.links:
            return [converter.location(each.path, each.span) for each in found]
        return [
            lsp.LocationLink(
                target_uri=self.uri_of(each.path),
                target_range=(place := converter.range(each.path, each.span)),
                target_selection_range=place,
                origin_selection_range=range_of(each.origin, lines),
            )
            for each in found
        ]

    def completion(self, uri: str, position: lsp.Position) -> list[lsp.CompletionItem]:
        """Return the names that may stand at a position."""
        opened = self.session.texts.get(uri)
        if opened is None:
            return []
        lines = self._lines(opened)
        place = _position(lines, position)
        offset = lines.offset(place)
        before = opened.text[offset - 1 : offset]
        offers = completions(self.session.world, opened.path, place, before)
        return [
            lsp.CompletionItem(
                label=each.name,
                kind=lsp.CompletionItemKind.Reference,
                detail=each.declared_in,
                filter_text=each.new,
                text_edit=lsp.TextEdit(range_of(each.span, lines), each.new),
            )
            for each in offers
        ]

    def symbols(self, uri: str) -> list[lsp.DocumentSymbol]:
        """Return the outline of a text."""
        opened = self.session.texts.get(uri)
        if opened is None or not opened.is_authored:
            return []
        lines = self._lines(opened)
        roots = self.session.trees.roots(opened.path)
        return [_symbol(entry, lines) for entry in outline(roots[0])] if roots else []

    def actions(
        self, uri: str, wanted: lsp.Range, only: Sequence[str] | None
    ) -> list[lsp.CodeAction]:
        """Return what can be done about the diagnostics in a range."""
        opened = self.session.texts.get(uri)
        kept = self.session.trees.of(opened.path) if opened else None
        if opened is None or kept is None:
            return []
        desk = Desk(self.client, opened, self._lines(opened), kept.tree)
        return desk.actions(self._told.get(opened.path, Told()).shown, wanted, only)

    def hover(self, uri: str, position: lsp.Position) -> lsp.Hover | None:
        """Return what the diagnostics at a position mean."""
        opened = self.session.texts.get(uri)
        if opened is None:
            return None
        point = lsp.Range(position, position)
        shown = self._told.get(opened.path, Told()).shown
        here = [each for each in shown if touches(each.sent.range, point)]
        text = explained(dict.fromkeys(each.item.code for each in here))
        if not text:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), here[0].sent.range)

    def uri_of(self, path: Path) -> str:
        """Return the URI of a file as the editor writes it, if it has it open."""
        opened = self.session.texts.of(path)
        return opened[0].uri if opened else path.as_uri()

    def _publish(self, uri: str, found: Sequence[lsp.Diagnostic], version: int | None) -> None:
        params = lsp.PublishDiagnosticsParams(uri, found, version)
        self.editor.text_document_publish_diagnostics(params)

    def _lines(self, opened: OpenText) -> Lines:
        return Lines(opened.text, self.client.encoding)

    def _converter(self, *, from_trees: bool = False) -> Converter:
        """Return a converter for texts as they were checked, or as they are now."""

        def lines_of(path: Path) -> Lines | None:
            if from_trees:
                kept = self.session.trees.of(path)
                return Lines(kept.text, self.client.encoding) if kept else None
            source = self.session.board.source(path)
            return Lines(source.text, self.client.encoding) if source else None

        return Converter(self.client, self.uri_of, functools.cache(lines_of))


def _position(lines: Lines, position: lsp.Position) -> Position:
    return lines.position_of(Spot(position.line, position.character))


def _symbol(entry: Entry, lines: Lines) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=entry.name or "?",
        kind=SYMBOLS[entry.kind],
        range=range_of(entry.whole, lines),
        selection_range=range_of(entry.shown, lines),
        children=[_symbol(each, lines) for each in entry.inside],
    )
