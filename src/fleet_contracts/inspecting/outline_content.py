"""Tasks, Environments and Artifacts as trees of text (spec section 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from fleet_contracts.inspecting.branches import Branch, cut, first, many, more, short
from fleet_contracts.inspecting.outline_forest import outline_forest
from fleet_contracts.inspecting.views import TaskView
from fleet_contracts.inspecting.words import (
    blob_words,
    capture_words,
    completion_words,
    network_words,
    resources_words,
    root_words,
    seat_words,
    size_words,
)
from fleet_contracts.models import content as c


def outline_task(view: TaskView, most: int | None) -> list[Branch]:
    """Return what a Task says, with its Environment and its Verifiers."""
    task = view.task
    places = [Branch(f"in: {root_words(each.root)}, key {each.key}") for each in view.places]
    shown = first(places, most)
    return [
        *shown,
        *more(len(places), len(shown)),
        _prompt(task.prompt, most),
        _environment_of(view, most),
        *_list("seed mounts", [_mount(*each) for each in view.mounts]),
        *_list("captures", _lines(task.captures, capture_words)),
        *_list("roster", _lines(task.roster, seat_words)),
        Branch(f"completion: {completion_words(task.completion)}"),
        Branch(f"tools: {_tools(task)}"),
        *_metadata(task, most),
        outline_forest(view.forest, most),
    ]


def outline_environment(found: c.EnvironmentDocument, most: int | None) -> list[Branch]:
    """Return what an Environment says."""
    parts = [Branch(f"image: {found.image.value}")]
    if found.env is not UNSET:
        values = [Branch(cut(f"{name}={value}", most)) for name, value in sorted(found.env.items())]
        parts.append(Branch("env:", values))
    parts += [] if found.workdir is UNSET else [Branch(f"workdir: {found.workdir}")]
    parts += [] if found.user is UNSET else [Branch(f"user: {found.user}")]
    parts += _list("endpoints", _lines(found.endpoints, _endpoint))
    if found.native_tools is not UNSET:
        parts.append(Branch(f"native tools: {', '.join(found.native_tools)}"))
    if found.resources is not UNSET:
        parts.append(Branch(f"resources: {resources_words(found.resources)}"))
    parts.append(Branch(f"network: {network_words(found.network)}"))
    if found.platforms is not UNSET:
        parts.append(Branch(f"platforms: {', '.join(found.platforms)}"))
    return parts


def outline_artifact(document: c.Artifact, most: int | None) -> list[Branch]:
    """Return what is in an Artifact."""
    entries = first(sorted(document.entries.items()), most)
    files = [Branch(_entry(path, entry)) for path, entry in entries]
    files += more(len(document.entries), len(files))
    removed = [] if document.removed is UNSET else document.removed
    gone = [Branch(path) for path in first(removed, most)]
    gone += more(len(removed), len(gone))
    return [Branch(f"entries: {_files(document)}", files), *_list("removed", gone, len(removed))]


def outline_text(line: str, text: str, most: int | None) -> Branch:
    """Return a line with the text below it, whole lines and lines whole with `--all`."""
    lines = text.removesuffix("\n").split("\n") if text else []
    shown = [cut(each, most) for each in first(lines, most)]
    return Branch(line, more(len(lines), len(shown)), shown)


def _prompt(prompt: c.Prompt, most: int | None) -> Branch:
    if isinstance(prompt, str):
        return outline_text(f"prompt: {many(len(prompt), 'character')}", prompt, most)
    messages = [
        outline_text(f"{each.role}: {many(len(each.text), 'character')}", each.text, most)
        for each in prompt
    ]
    return Branch(f"prompt: {many(len(prompt), 'message')}", messages)


def _environment_of(view: TaskView, most: int | None) -> Branch:
    blob = view.task.environment
    if view.environment is None:
        return Branch(f"Environment {blob_words(blob)}: not in this store")
    return Branch(f"Environment {blob_words(blob)}", outline_environment(view.environment, most))


def _mount(mount: c.SeedMount, artifact: c.Artifact | None) -> Branch:
    access = "writable" if mount.read_only is False else "read only"
    held = "not in this store" if artifact is None else _files(artifact)
    return Branch(f"{mount.path}: Artifact {short(mount.digest)}, {held}, {access}")


def _list(name: str, lines: Sequence[Branch], count: int | None = None) -> list[Branch]:
    total = len(lines) if count is None else count
    return [Branch(f"{name}: {total:,}", lines)] if lines else []


def _lines(items: Any, words: Callable[[Any], str]) -> list[Branch]:
    return [] if items is UNSET else [Branch(words(item)) for item in items]


def _endpoint(endpoint: c.Endpoint) -> str:
    return f"{endpoint.name}  {endpoint.protocol} {endpoint.port}"


def _tools(task: c.Task) -> str:
    if task.tools is UNSET:
        return "all of its Environment"
    return ", ".join(task.tools) or "none"


def _metadata(task: c.Task, most: int | None) -> list[Branch]:
    if task.metadata is UNSET:
        return []
    lines = [Branch(cut(f"{key}: {value}", most)) for key, value in sorted(task.metadata.items())]
    return [Branch("metadata:", lines)]


def _files(artifact: c.Artifact) -> str:
    files = [entry for entry in artifact.entries.values() if isinstance(entry, c.FileEntry)]
    return f"{many(len(files), 'file')}, {size_words(sum(entry.size for entry in files))}"


def _entry(path: str, entry: c.ArtifactEntry) -> str:
    if isinstance(entry, c.FileEntry):
        executable = "" if entry.executable is UNSET else ", executable"
        return f"{path}  {short(entry.digest)}  {size_words(entry.size)}{executable}"
    if isinstance(entry, c.SymlinkEntry):
        return f"{path} -> {entry.target}"
    return f"{path}/"
