"""Writing new files: all of them, or none, and never over one that is there."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from fleet_contracts.editor.setup import write_whole
from fleet_contracts.errors import UnresolvedError


def write_new(files: Mapping[Path, bytes]) -> None:
    """Write files that are not there yet, and their folders.

    When one cannot be written, or has come into being meanwhile, what was made is removed
    again. Raises `UnresolvedError`.
    """
    made: list[Path] = []
    try:
        for path, data in files.items():
            _make_folders(path.parent, made)
            with path.open("xb"):
                made.append(path)
            write_whole(path, data)
    except OSError as error:
        _remove(made)
        raise UnresolvedError(f"cannot write {error.filename}: {error.strerror}") from None
    except BaseException:
        _remove(made)
        raise


def _make_folders(folder: Path, made: list[Path]) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        made.append(each)


def _remove(made: list[Path]) -> None:
    """Remove files and folders, the last one first; a folder that others use meanwhile stays."""
    for path in reversed(made):
        with contextlib.suppress(OSError):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()
