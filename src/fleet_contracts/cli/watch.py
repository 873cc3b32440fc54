"""`fleet check --watch`: check again whenever a file has changed that was looked at."""

from __future__ import annotations

import gc
import glob
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import click

from fleet_contracts.cli.exits import Exit
from fleet_contracts.project import Project

INTERVAL_SECONDS = 0.2

State: TypeAlias = dict[str, tuple[int, int, int] | None]
"""Inode, size and time of change in nanoseconds of each file; None where there is none."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What to keep an eye on.

    `find` gives the authored files of the command line anew, as a folder may get more of
    them; `project` knows what the last check read or looked for.
    """

    find: Callable[[], Iterable[Path]]
    project: Project | None = None

    def state(self) -> State:
        """Return the state of every file that matters now."""
        names = {os.path.abspath(path) for path in self.find()}
        if self.project is not None:
            names.update(map(str, self.project.seen))
            for pattern in self.project.globs:
                names.update(glob.glob(pattern, recursive=True))
        return {name: _entry(name) for name in names}


def watch(check: Callable[[], tuple[Exit, Project]], find: Callable[[], Iterable[Path]]) -> Exit:
    """Check again and again until interrupted; return the exit code of the last check.

    Changes are seen by asking the file system a few times a second, which needs no package
    and works on every file system.
    """
    code = Exit.CLEAN
    watched = Watched(find)
    try:
        while True:
            before = watched.state()
            code, project = check()
            gc.collect()  # it is off otherwise, and this process lives long
            watched = Watched(find, project)
            changed = _wait(watched, before)
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            click.echo(f"\nchanged: {os.path.relpath(changed[0])}{more}", err=True)
    except KeyboardInterrupt:
        click.echo("", err=True)
        return code


def _wait(watched: Watched, before: State) -> list[str]:
    """Return the names of files that changed, once they stay the same for a moment.

    `before` is the state at the beginning of the last check, which may have come too early
    to see a change that was made meanwhile.
    """
    state = watched.state()
    changed = {name for name, entry in before.items() if state.get(name) != entry}
    click.echo("watching for changes; Ctrl-C ends", err=True)
    is_still = False
    while not changed or not is_still:
        time.sleep(INTERVAL_SECONDS)
        now = watched.state()
        is_still = now == state
        changed |= {name for name in state.keys() | now.keys() if state.get(name) != now.get(name)}
        state = now
    return sorted(changed)


def _entry(name: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
