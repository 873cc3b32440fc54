"""Views as trees of text, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fleet_contracts.inspecting.branches import Branch, cut, first, many, more, short
from fleet_contracts.inspecting.forest import forest
from fleet_contracts.inspecting.outline_content import (
    outline_artifact,
    outline_environment,
    outline_task,
    outline_text,
)
from fleet_contracts.inspecting.outline_forest import outline_forest
from fleet_contracts.inspecting.views import (
    BlobView,
    DocumentView,
    ManifestView,
    PackView,
    PageView,
    RootView,
    StoreView,
    TaskSetView,
    TaskView,
    View,
)
from fleet_contracts.inspecting.words import root_words, size_words
from fleet_contracts.models import content as c
from fleet_contracts.pages import Entry

MOST_ITEMS = 20
"""Tasks, files, or lines of a text that are shown without `--all`."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Makes the tree of a view; `most` items of a long list are shown, all with None."""

    most: int | None = MOST_ITEMS

    def of(self, view: View) -> Branch:
        """Return what there is to say about something as a tree."""
        makers: dict[type, Callable[[Any], Branch]] = {
            StoreView: self._store,
            TaskSetView: self._taskset,
            PageView: self._page,
            TaskView: self._task,
            DocumentView: self._document,
            BlobView: self._blob,
            PackView: self._pack,
            ManifestView: self._manifest,
        }
        return makers[type(view)](view)

    def _store(self, view: StoreView) -> Branch:
        names = [root_words(each.root) for each in view.roots]
        width = max(map(len, names), default=0)
        lines = [
            Branch(f"{name:{width}}  {_summary(each)}", body=self._description(each))
            for name, each in zip(names, view.roots, strict=True)
        ]
        shown = first(lines, self.most)
        title = f"{view.path}: {many(len(lines), 'root')}"
        return Branch(title, shown + more(len(lines), len(shown)))

    def _taskset(self, view: TaskSetView) -> Branch:
        pages = f" in {many(view.pages, 'page')}" if view.pages else ""
        tasks = self._entries(view.tasks, view.task_count)
        return Branch(
            _title("TaskSet", view.roots),
            [
                *_identity(view.ref.digest, view.schema, view.ref.size),
                *self._names(view.roots),
                Branch(f"Tasks: {view.task_count:,}{pages}, {view.task_generation}", tasks),
            ],
        )

    def _page(self, view: PageView) -> Branch:
        tasks = self._entries(view.tasks, len(view.tasks))
        return Branch(
            "TaskSet page",
            [
                *_identity(view.ref.digest, view.schema, view.ref.size),
                Branch(f"Tasks: {len(view.tasks):,}", tasks),
            ],
        )

    def _entries(self, entries: Iterable[Entry], total: int) -> list[Branch]:
        shown = first(entries, self.most)
        width = max((len(entry.key) for entry in shown), default=0)
        lines = [
            Branch(f"{key:{width}}  {short(ref.digest)}  {size_words(ref.size)}")
            for key, ref in shown
        ]
        return lines + more(total, len(lines))

    def _task(self, view: TaskView) -> Branch:
        title = f"Task {view.places[0].key}" if view.places else "Task"
        head = _identity(view.ref.digest, view.task.schema, view.ref.size)
        return Branch(title, head + outline_task(view, self.most))

    def _document(self, view: DocumentView) -> Branch:
        document = view.document
        head = [
            *_identity(view.ref.digest, document.schema, view.ref.size),
            *self._names(view.roots),
        ]
        if isinstance(document, c.EnvironmentDocument):
            return Branch(
                _title("Environment", view.roots), head + outline_environment(document, self.most)
            )
        if isinstance(document, c.Artifact):
            parts = outline_artifact(document, self.most)
            return Branch(_title("Artifact", view.roots), head + parts)
        return Branch("Verifier", [*head, outline_forest(forest([document.node]), self.most)])

    def _blob(self, view: BlobView) -> Branch:
        parts = [Branch(f"digest: {view.ref.digest}")]
        if view.text is None:
            return Branch("blob", [*parts, Branch(f"bytes: {view.ref.size:,}, not shown")])
        return Branch(
            "blob",
            [*parts, outline_text(f"text: {size_words(view.ref.size)}", view.text, self.most)],
        )

    def _pack(self, view: PackView) -> Branch:
        shown = first(view.objects, self.most)
        lines = [Branch(f"{short(ref.digest)}  {size_words(ref.size)}") for ref in shown]
        return Branch(
            "pack",
            [
                Branch(f"digest: {view.ref.digest}"),
                Branch(f"size: {size_words(view.ref.size)}"),
                Branch(
                    f"objects: {len(view.objects):,}", lines + more(len(view.objects), len(lines))
                ),
            ],
        )

    def _manifest(self, view: ManifestView) -> Branch:
        root = view.root.root
        layers = [
            *(("object", ref) for ref in root.blobs),
            *(("pack", ref) for ref in root.packs),
        ]
        shown = first(layers, self.most)
        lines = [
            Branch(f"{kind:6}  {short(ref.digest)}  {size_words(ref.size)}") for kind, ref in shown
        ]
        return Branch(
            f"manifest of {root_words(root)}",
            [
                Branch(f"digest: {view.ref.digest}"),
                Branch(f"document: {root.document.digest}"),
                Branch(f"layers: {len(layers):,}", lines + more(len(layers), len(lines))),
            ],
        )

    def _names(self, roots: Sequence[RootView]) -> list[Branch]:
        """Return what there is to say about a document as a root, once for each of its names."""
        if len(roots) == 1:
            return self._root(roots[0])
        return [Branch(root_words(each.root), self._root(each)) for each in roots]

    def _root(self, view: RootView) -> list[Branch]:
        objects, size = view.closure
        return [
            *(Branch(f"description: {line}") for line in self._description(view)),
            Branch(f"manifest: {short(view.root.manifest.digest)}"),
            Branch(f"closure: {many(objects, 'object')}, {size_words(size)}"),
        ]

    def _description(self, view: RootView) -> list[str]:
        return [] if view.root.description is None else [cut(view.root.description, self.most)]


def _title(kind: str, roots: Sequence[RootView]) -> str:
    return f"{kind} {roots[0].root.name}" if roots and roots[0].root.name else kind


def _identity(digest: str, schema: str, size: int) -> list[Branch]:
    return [Branch(f"digest: {digest}"), Branch(f"schema: {schema}, {size_words(size)}")]


def _summary(view: RootView) -> str:
    """Return a root in a line: digest, Tasks or generation, and what it brings along."""
    tasks = [] if view.tasks is None else [f"{many(view.tasks, 'Task')} {view.task_generation}"]
    objects, size = view.closure
    parts = [short(view.root.document.digest), view.root.generation, *tasks]
    return "  ".join([*parts, f"{many(objects, 'object')}, {size_words(size)}"])
