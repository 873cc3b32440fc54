"""The texts that an editor has open, saved or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.lsp.uris import path_of
from fleet_contracts.reading.decode import BOM

SUFFIXES = re.compile(r"\.(?:taskset|tasks|environment|verifier)\.(?:ya?ml|json)\Z")
_VERSION_KEY = re.compile(r"^(?:\{\s*)?[\"']?authoring[\"']?[ \t]*:", re.MULTILINE)
_TASKS_VERSION = re.compile(r"^\s*(?:\{\s*)?[\"']?authoring[\"']?[ \t]*:\s*[\"']?tasks/", re.M)


@dataclass(frozen=True, slots=True)
class OpenText:
    """One open text; `path` is without symbolic links, `text` without a byte order mark.

    `is_authored` says that it is for us: by its name, or because it says what it is;
    `is_tasks` that it is a file of Tasks, which a TaskSet may include.
    """

    uri: str
    path: Path
    version: int | None
    text: str
    is_authored: bool
    is_tasks: bool

    @property
    def data(self) -> bytes:
        """The text as a file would hold it."""
        return self.text.encode("utf-8", "surrogatepass")


@dataclass(slots=True)
class OpenTexts:
    """All open texts by URI; `folder` is where texts without a file are thought to be."""

    folder: Path
    _by_uri: dict[str, OpenText] = field(default_factory=dict)

    def put(self, uri: str, version: int | None, text: str) -> OpenText | None:
        """Keep a text that was opened or changed; None for one that is no file of ours."""
        path = path_of(uri, self.folder)
        if path is None:
            return None
        text = text.removeprefix(BOM)
        is_authored = bool(SUFFIXES.search(path.name) or _VERSION_KEY.search(text))
        is_tasks = is_authored and bool(_TASKS_VERSION.search(text))
        opened = OpenText(uri, path, version, text, is_authored, is_tasks)
        self._by_uri[uri] = opened
        return opened

    def drop(self, uri: str) -> OpenText | None:
        """Forget a text that was closed, and return it."""
        return self._by_uri.pop(uri, None)

    def get(self, uri: str) -> OpenText | None:
        """Return an open text."""
        return self._by_uri.get(uri)

    def of(self, path: Path) -> list[OpenText]:
        """Return the open texts of a file; a link to it may be open as well."""
        return [each for each in self._by_uri.values() if each.path == path]

    def __iter__(self) -> Iterator[OpenText]:
        return iter(list(self._by_uri.values()))

    def overlay(self) -> Overlay:
        """Return what is open now, for a reader; later edits do not change it."""
        return Overlay({each.path: each.data for each in self._by_uri.values()})


@dataclass(frozen=True, slots=True)
class Overlay(Mapping[Path, bytes]):
    """Texts in place of files, found by any path that leads to them."""

    texts: dict[Path, bytes]

    def __getitem__(self, path: Path) -> bytes:
        found = self.texts.get(path)
        if found is not None:
            return found
        try:
            return self.texts[path.resolve()]
        except (OSError, RuntimeError):
            raise KeyError(path) from None

    def __iter__(self) -> Iterator[Path]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)
