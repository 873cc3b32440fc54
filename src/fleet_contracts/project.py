"""The files of one project: found, and kept inside its root (spec section 1)."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

MARKERS = ("fleet.lock", ".git")

STORE_NAME = ".fleet"
"""The folder in a project root that is its store unless another one is named."""
CHUNK = 1 << 20


class FileProblem(Exception):
    """A path or file that cannot be used; `code` is a diagnostic code (FLT3xxx)."""

    def __init__(self, code: str, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading; raises `OSError`, also for a pipe, which could block for ever."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return path.open("rb")


def find_root(authored: Path, otherwise: Path | None = None) -> Path:
    """Return the nearest ancestor folder with `fleet.lock` or `.git`.

    Where there is none, it is the folder named for that, by default the file's own.
    """
    folder = authored.resolve().parent
    for ancestor in (folder, *folder.parents):
        if any((ancestor / marker).exists() for marker in MARKERS):
            return ancestor
    return folder if otherwise is None else otherwise.resolve()


@dataclass(frozen=True, slots=True)
class Project:
    """A project root; `root` is resolved: it holds no symbolic link.

    `seen` are the files that were read or looked for, `globs` the patterns, as absolute
    paths: what a check depends on.
    """

    root: Path
    seen: set[Path] = field(default_factory=set, compare=False, repr=False)
    globs: set[str] = field(default_factory=set, compare=False, repr=False)

    def name(self, path: Path) -> str:
        """Return how a person knows a file: its path from the root, with `/`."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()

    def locate(self, folder: Path, relative: str) -> Path:
        """Return the file that an authored path in a file of `folder` names.

        Raises `FileProblem` when the path is not portable, leaves the project root (also
        through a symbolic link), or is no regular file.
        """
        self.check_path(relative)
        path = Path(os.path.normpath(folder / relative))
        self.check_inside(path, relative)
        self.seen.add(path)
        try:
            real = path.resolve(strict=True)
            mode = real.stat().st_mode
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or "too many symbolic links"
            raise FileProblem(
                "FLT3001",
                f"cannot read {relative!r}: {reason.lower()}",
                help=f"paths are relative to the file they are written in; looked for {path}",
            ) from None
        self.check_inside(real, relative)
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise FileProblem("FLT3001", f"cannot read {relative!r}: it is {kind}")
        return path

    def check_path(self, relative: str) -> None:
        """Raise `FileProblem` when an authored path does not mean the same on every machine."""
        if "\\" in relative:
            raise FileProblem(
                "FLT3003", f"{relative!r} holds a backslash", help="separate folders by '/'"
            )
        if any(each < " " for each in relative):
            raise FileProblem(
                "FLT3003",
                f"{relative!r} holds a control character",
                help="remove it: no file name holds one on every machine",
            )
        if relative.startswith(("/", "~")) or (relative[1:2] == ":" and relative[0].isalpha()):
            raise FileProblem(
                "FLT3002",
                f"{relative!r} is not a relative path",
                help="write the path relative to this file, inside the project root",
            )

    def check_inside(self, path: Path, relative: str) -> None:
        """Raise `FileProblem` when the path that an authored one means is outside the root."""
        if not path.is_relative_to(self.root):
            raise FileProblem(
                "FLT3002",
                f"{relative!r} leads to {path}, outside the project root {self.root}",
                help="copy the file into the project, or name the root with --project",
            )

    def glob(self, folder: Path, pattern: str) -> list[str]:
        """Return the paths from a folder that match a pattern, sorted."""
        self.globs.add(os.path.join(glob.escape(str(folder)), pattern))
        return sorted(glob.glob(pattern, root_dir=folder, recursive=True))

    def read(self, path: Path) -> bytes:
        """Return the bytes of a file; raises `FileProblem`."""
        return b"".join(self.chunks(path))

    def chunks(self, path: Path) -> Iterator[bytes]:
        """Yield the bytes of a file in pieces of at most 1 MiB; raises `FileProblem`."""
        self.seen.add(path)
        try:
            with open_regular(path) as file:
                while chunk := file.read(CHUNK):
                    yield chunk
        except OSError as error:
            reason = (error.strerror or "unreadable").lower()
            raise FileProblem("FLT3001", f"cannot read {path.name!r}: {reason}") from None
