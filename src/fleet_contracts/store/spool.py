"""Many small objects one after another: in memory first, then in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

MAX_READ = 1 << 20


class Spool:
    """Bytes that are appended first and read afterwards.

    Up to `limit` bytes are held in memory; beyond, all goes to the file whose path
    `make_path` gives. Raises `OSError` when that file cannot be written.
    """

    __slots__ = ("_end", "_limit", "_make_path", "_sink", "_write")

    def __init__(self, limit: int, make_path: Callable[[], Path]) -> None:
        """Begin empty and in memory."""
        self._limit = limit
        self._make_path = make_path
        self._sink: BytesIO | BinaryIO = BytesIO()
        self._write = self._sink.write
        self._end = 0

    @property
    def spilled(self) -> bool:
        """Whether the bytes are in a file."""
        return not isinstance(self._sink, BytesIO)

    def append(self, data: bytes) -> int:
        """Append one object and return where it begins."""
        at = self._end
        self._write(data)
        self._end = end = at + len(data)
        if end > self._limit and isinstance(self._sink, BytesIO):
            self._spill(self._sink)
        return at

    def _spill(self, memory: BytesIO) -> None:
        file = self._make_path().open("x+b", buffering=1 << 20)
        self._sink = file
        self._write = file.write
        with memory.getbuffer() as held:
            file.write(held)

    def read(self, at: int, size: int) -> bytes:
        """Return `size` bytes from `at` on."""
        self._sink.seek(at)
        return self._sink.read(size)

    def read_all(self, places: Iterable[tuple[int, int]]) -> Iterator[bytes]:
        """Yield the bytes of (at, size) places in order, neighbours in one piece up to 1 MiB."""
        start = end = 0
        for at, size in places:
            if at != end or at + size - start > MAX_READ:
                if end > start:
                    yield self.read(start, end - start)
                start = at
            end = at + size
        if end > start:
            yield self.read(start, end - start)

    def close(self) -> None:
        """Forget everything; the file stays for its folder's owner to remove."""
        with suppress(OSError):  # bytes that no longer fit on the disk
            self._sink.close()
        self._sink = BytesIO()
        self._write = self._sink.write
        self._end = 0
