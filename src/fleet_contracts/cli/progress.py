"""A progress bar on stderr for work over a second, on a terminal only."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from fleet_contracts.diagnostics.text import visible

PATIENCE_SECONDS = 1.0
STEP_SECONDS = 0.1
WIDTH = 24
CLEAR = "\r\x1b[2K"


@dataclass(slots=True)
class Progress:
    """What is being compiled, drawn by a thread of its own while the `with` block runs.

    `done` counts Tasks, or what `unit` says; `total` is how many there are, or 0 while nobody
    knows. `verb` says what is done with them.
    """

    name: str = ""
    done: int = 0
    total: int = 0
    verb: str = "compiling"
    unit: str = "Tasks"
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Start drawing, where a person is looking."""
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._thread = threading.Thread(target=self._draw, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop, and leave no trace of the bar."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def begin(self, name: str) -> None:
        """Say which root comes next."""
        self.name, self.done, self.total = name, 0, 0

    def advance(self, done: int, total: int) -> None:
        """Say how many Tasks are done."""
        self.done, self.total = done, total

    def _draw(self) -> None:
        started = time.monotonic()
        drawn = False
        while not self._stop.wait(STEP_SECONDS):
            seconds = time.monotonic() - started
            if seconds >= PATIENCE_SECONDS:
                drawn = True
                room = shutil.get_terminal_size().columns - 1
                sys.stderr.write(CLEAR + visible(self._line(seconds))[:room])
                sys.stderr.flush()
        if drawn:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()

    def _line(self, seconds: float) -> str:
        if not self.done:
            return f"{_moving(seconds)} reading {self.name}  {seconds:.0f} s"
        counted = f"{self.done:,} of {self.total:,}" if self.total else f"{self.done:,}"
        counted += "" if self.total and self.unit == "Tasks" else f" {self.unit}"
        bar = _filled(self.done / self.total) if self.total else _moving(seconds)
        return f"{bar} {self.verb} {self.name}  {counted}  {seconds:.0f} s"


def _filled(share: float) -> str:
    full = round(WIDTH * min(1.0, share))
    return "[" + "#" * full + "-" * (WIDTH - full) + "]"


def _moving(seconds: float) -> str:
    """Return a bar for work whose size is not known: a block that walks to and fro."""
    room = WIDTH - 4
    step = int(seconds / STEP_SECONDS) % (2 * room)
    left = min(step, 2 * room - step)
    return "[" + "-" * left + "####" + "-" * (room - left) + "]"
