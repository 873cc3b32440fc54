"""When to check what: not at each key stroke, not in the way of requests, never what is old."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fleet_contracts.lsp.checking import Checked, Stale

QUIET_SECONDS = 0.015
"""How long nothing may change before checks begin: less than between two key strokes."""

log = logging.getLogger(__name__)

Texts: TypeAlias = Mapping[Path, bytes]
Check: TypeAlias = Callable[[Path, Texts, Callable[[], bool]], Checked]
"""Checks a target over texts, in a thread; asks now and then whether it is stale."""


@dataclass(slots=True)
class Rounds:
    """Checks targets in rounds; a round that something has overtaken is given up.

    `texts` takes a picture of what is open, `done` gets each check that is up to date. All but
    `check` run in the event loop.
    """

    check: Check
    texts: Callable[[], Texts]
    done: Callable[[Checked], None]
    _waiting: dict[Path, None] = field(default_factory=dict)
    _number: int = 0
    is_over: bool = False
    _asked: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None
    _thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="check")
    )

    def ask(self, targets: Iterable[Path]) -> None:
        """Have targets checked soon, and what is being checked now again after them."""
        wanted = list(targets)
        if not wanted or self.is_over:
            return
        self._waiting = dict.fromkeys([*wanted, *self._waiting])
        self._number += 1
        self._asked.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def forget(self, wanted: Iterable[Path]) -> None:
        """Leave out targets that nobody wants any more."""
        kept = set(wanted)
        self._waiting = {target: None for target in self._waiting if target in kept}

    def end(self) -> None:
        """Check nothing more; what is running ends soon."""
        self.is_over = True
        self._number += 1
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        while not self.is_over:
            await self._asked.wait()
            self._asked.clear()
            await asyncio.sleep(QUIET_SECONDS)
            if not self._asked.is_set():
                await self._round(self._number)

    async def _round(self, number: int) -> None:
        """Check what waits, one after the other, until something has changed."""

        def is_stale() -> bool:
            return self._number != number

        texts = self.texts()
        loop = asyncio.get_running_loop()
        for target in list(self._waiting):
            try:
                checked = await loop.run_in_executor(
                    self._thread, self.check, target, texts, is_stale
                )
                if is_stale():
                    return
                self.done(checked)
            except Stale:
                return
            except Exception:  # one file that cannot be shown must not end the rounds
                log.exception("the check of %s could not be shown", target)
            self._waiting.pop(target, None)
