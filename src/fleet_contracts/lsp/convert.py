"""Diagnostics and places in the words of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp

from fleet_contracts.diagnostics.codes import Severity
from fleet_contracts.diagnostics.model import Diagnostic, Related
from fleet_contracts.lsp.lines import Encoding, Lines
from fleet_contracts.source import Position, Span

SOURCE = "fleet"
SEVERITIES: dict[Severity, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
UNNECESSARY = frozenset({"FLT1060", "FLT4083"})
"""Codes of something that could as well be deleted."""

TOP = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


@dataclass(frozen=True, slots=True)
class Client:
    """What the editor can take; what it does not speak of is not sent."""

    encoding: Encoding = "utf-16"
    related: bool = False
    tags: bool = False
    data: bool = False
    versioned_edits: bool = False
    links: bool = False
    watches: bool = False


def client_of(capabilities: lsp.ClientCapabilities, encoding: str) -> Client:
    """Return what an editor can take, by the capabilities that it sent."""
    text = capabilities.text_document
    workspace = capabilities.workspace
    published = text and text.publish_diagnostics
    edits = workspace and workspace.workspace_edit
    watched = workspace and workspace.did_change_watched_files
    definition = text and text.definition
    return Client(
        encoding=ENCODINGS.get(encoding, "utf-16"),
        related=bool(published and published.related_information),
        tags=bool(published and published.tag_support),
        data=bool(published and published.data_support),
        versioned_edits=bool(edits and edits.document_changes),
        links=bool(definition and definition.link_support),
        watches=bool(watched and watched.dynamic_registration),
    )


@dataclass(frozen=True, slots=True)
class Converter:
    """Turns our values into those of the protocol.

    `lines_of` gives the lines of a file as it was read, None for one that was read in another
    way (rows) or not at all.
    """

    client: Client
    uri_of: Callable[[Path], str]
    lines_of: Callable[[Path], Lines | None]

    def diagnostic(self, item: Diagnostic) -> lsp.Diagnostic:
        """Return a diagnostic whose places are resolved and name files by absolute paths."""
        path = Path(item.place.file)
        message = f"{item.message}\nhelp: {item.help}" if item.help else item.message
        if item.more_cases:
            message += f"\n(and through {item.more_cases:,} more)"
        related = [self._related(each) for each in (*item.related, *item.cases)]
        unnecessary = self.client.tags and item.code in UNNECESSARY
        return lsp.Diagnostic(
            range=self.range(path, item.place.span),
            message=message,
            severity=SEVERITIES[item.severity],
            code=item.code,
            source=SOURCE,
            tags=[lsp.DiagnosticTag.Unnecessary] if unnecessary else None,
            related_information=related if related and self.client.related else None,
            data=self._data(item) if self.client.data else None,
        )

    def failure(self, sentence: str) -> lsp.Diagnostic:
        """Return a diagnostic without a code about a file as such."""
        error = lsp.DiagnosticSeverity.Error
        return lsp.Diagnostic(range=TOP, message=sentence, severity=error, source=SOURCE)

    def range(self, path: Path, span: Span | None) -> lsp.Range:
        """Return the range of a span of a file; its top for no span."""
        if span is None:
            return TOP
        return range_of(span, self.lines_of(path))

    def location(self, path: Path, span: Span | None) -> lsp.Location:
        """Return a place in a file."""
        return lsp.Location(self.uri_of(path), self.range(path, span))

    def _related(self, related: Related) -> lsp.DiagnosticRelatedInformation:
        place = related.place
        where = self.location(Path(place.file), place.span)
        return lsp.DiagnosticRelatedInformation(where, related.message)

    def _data(self, item: Diagnostic) -> dict[str, object] | None:
        if item.fix is None:
            return None
        return {"fix": {"old": item.fix.edit.old, "new": item.fix.edit.new}}


def range_of(span: Span, lines: Lines | None) -> lsp.Range:
    """Return a span as a range; without lines, characters are taken for code units."""
    return lsp.Range(_position(span.start, lines), _position(span.end, lines))


def _position(position: Position, lines: Lines | None) -> lsp.Position:
    if lines is None:
        return lsp.Position(position.line - 1, position.column - 1)
    return lsp.Position(*lines.spot(position))
