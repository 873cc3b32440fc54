"""Code actions: fixes of diagnostics, and comments that suppress them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.lsp.convert import Client, range_of
from fleet_contracts.lsp.documents import OpenText
from fleet_contracts.lsp.lines import Lines
from fleet_contracts.lsp.suppressing import suppression
from fleet_contracts.lsp.tree import Tree
from fleet_contracts.source import Source, Span
from fleet_contracts.suppress import SUPPRESSIBLE

FIX_ALL = "source.fixAll.fleet"
KINDS = (lsp.CodeActionKind.QuickFix.value, FIX_ALL)


@dataclass(frozen=True, slots=True)
class Shown:
    """A diagnostic of ours, and as it was sent."""

    item: Diagnostic
    sent: lsp.Diagnostic


@dataclass(frozen=True, slots=True)
class Desk:
    """An open text that edits are made for, with its tree and lines as they are now."""

    client: Client
    opened: OpenText
    lines: Lines
    tree: Tree

    def actions(
        self, shown: Sequence[Shown], wanted: lsp.Range, only: Sequence[str] | None
    ) -> list[lsp.CodeAction]:
        """Return what can be done about diagnostics of the text within a range.

        `only` are the kinds that are wanted, None for all. What was edited since the
        diagnostics were found is left alone.
        """
        found: list[lsp.CodeAction] = []
        if is_wanted(KINDS[0], only):
            here = [each for each in shown if touches(each.sent.range, wanted)]
            found += [action for each in here for action in self._quick_fixes(each)]
        if is_wanted(FIX_ALL, only):
            found += self._fix_all(shown)
        return found

    def _quick_fixes(self, shown: Shown) -> Iterator[lsp.CodeAction]:
        item = shown.item
        edit = self._fix(item)
        if edit is not None:
            yield lsp.CodeAction(
                title=f"Replace by {edit.new_text}" if edit.new_text else "Remove it",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[shown.sent],
                is_preferred=True,
                edit=self._workspace_edit([edit]),
            )
        comment = self._comment(item)
        if comment is not None:
            yield lsp.CodeAction(
                title=f"Ignore {item.code} here",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[shown.sent],
                edit=self._workspace_edit([comment]),
            )

    def _fix_all(self, shown: Sequence[Shown]) -> Iterator[lsp.CodeAction]:
        fixed = [(each, edit) for each in shown if (edit := self._fix(each.item))]
        if fixed:
            yield lsp.CodeAction(
                title="Apply every fix of fleet",
                kind=FIX_ALL,
                diagnostics=[each.sent for each, _ in fixed],
                edit=self._workspace_edit(apart(edit for _, edit in fixed)),
            )

    def _fix(self, item: Diagnostic) -> lsp.TextEdit | None:
        """Return the edit of a fix of this text, if what it replaces still stands there."""
        fix = item.fix
        if fix is None or fix.place.file != str(self.opened.path) or fix.place.span is None:
            return None
        span = fix.place.span
        start, end = self.lines.offset(span.start), self.lines.offset(span.end)
        if self.opened.text[start:end] != fix.edit.old:
            return None
        return lsp.TextEdit(range_of(span, self.lines), fix.edit.new)

    def _comment(self, item: Diagnostic) -> lsp.TextEdit | None:
        """Return the comment that suppresses a warning or note; JSON has no comments."""
        span = item.place.span
        if span is None or item.code not in SUPPRESSIBLE or self.opened.path.suffix == ".json":
            return None
        source = Source(self.opened.path.name, self.opened.text)
        where = suppression(item.code, span.start.line, source, self.tree)
        if where is None:
            return None
        return lsp.TextEdit(range_of(Span(where.at, where.at), self.lines), where.text)

    def _workspace_edit(self, edits: Sequence[lsp.TextEdit]) -> lsp.WorkspaceEdit:
        uri, version = self.opened.uri, self.opened.version
        if not self.client.versioned_edits:
            return lsp.WorkspaceEdit(changes={uri: edits})
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
        return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, edits)])


def apart(edits: Iterable[lsp.TextEdit]) -> list[lsp.TextEdit]:
    """Return edits in order, without those that overlap an earlier one."""
    kept: list[lsp.TextEdit] = []
    for edit in sorted(edits, key=lambda each: (each.range.start, each.range.end)):
        if not kept or kept[-1].range.end <= edit.range.start:
            kept.append(edit)
    return kept


def is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether an editor that asks for some kinds wants one; `source` includes `source.x`."""
    if only is None:
        return True
    return any(kind == each or kind.startswith(f"{each}.") or not each for each in only)


def touches(one: lsp.Range, other: lsp.Range) -> bool:
    """Whether two ranges share a position, be it the end of one."""
    return one.start <= other.end and other.start <= one.end
