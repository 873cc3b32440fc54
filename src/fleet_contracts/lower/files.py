"""Files that become content: blobs by digest, prompts as text (spec section 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.models import content as c
from fleet_contracts.pointer import Pointer
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.scope import Scope
from fleet_contracts.store.model import ContentSink, Ref

STAND_IN = c.Blob(digest="sha256:" + "0" * 64, size=0)
BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Files:
    """Reads the project's files for one root and collects its closure.

    `closure` holds every object but Tasks and pages, by digest.
    """

    project: Project
    sink: ContentSink
    closure: dict[str, Ref] = field(default_factory=dict)
    _blobs: dict[Path, c.Blob] = field(default_factory=dict)
    _texts: dict[Path, str] = field(default_factory=dict)

    def put(self, data: bytes) -> c.Blob:
        """Put one object into the closure."""
        ref = self.sink.put(data)
        self.closure[ref.digest] = ref
        return c.Blob(digest=ref.digest, size=ref.size)

    def blob(self, scope: Scope, relative: str, at: Pointer) -> c.Blob:
        """Return the blob of a file; `at` is where its path is written."""
        path = self._locate(scope, relative, at)
        if path is None:
            return STAND_IN
        blob = self._blobs.get(path)
        if blob is None:
            try:
                ref = self.sink.put_stream(self.project.chunks(path))
            except FileProblem as problem:
                scope.report(problem.code, problem.message, at, help=problem.help)
                return STAND_IN
            self.closure[ref.digest] = ref
            blob = self._blobs[path] = c.Blob(digest=ref.digest, size=ref.size)
        return blob

    def text(self, scope: Scope, relative: str, at: Pointer) -> str:
        """Return the exact text of a UTF-8 file without a byte order mark."""
        path = self._locate(scope, relative, at)
        if path is None:
            return ""
        text = self._texts.get(path)
        if text is None:
            text = self._read_text(scope, path, relative, at)
            self._texts[path] = text
        return text

    def _read_text(self, scope: Scope, path: Path, relative: str, at: Pointer) -> str:
        try:
            data = self.project.read(path)
        except FileProblem as problem:
            scope.report(problem.code, problem.message, at, help=problem.help)
            return ""
        if data.startswith(BOM):
            message = f"{relative!r} starts with a byte order mark"
            scope.report("FLT3004", message, at, help="save it as UTF-8 without a BOM")
            return ""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"{relative!r} is not UTF-8: byte {error.start + 1} cannot be decoded"
            scope.report("FLT3004", message, at, help="save it as UTF-8")
            return ""
        if "\r" in text:
            message = f"{relative!r} holds carriage returns, which become part of the prompt"
            scope.report("FLT3005", message, at, help="save it with LF line endings")
        return text

    def _locate(self, scope: Scope, relative: str, at: Pointer) -> Path | None:
        try:
            return self.project.locate(scope.origin(at).path.parent, relative)
        except FileProblem as problem:
            scope.report(problem.code, problem.message, at, help=problem.help)
            return None
