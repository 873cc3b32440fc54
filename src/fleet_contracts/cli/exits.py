"""Exit codes, and what a person sees when a command cannot go on (spec section 9)."""

from __future__ import annotations

import errno
import os
import platform
import sys
import traceback
from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

from fleet_contracts import __version__
from fleet_contracts.errors import FleetError, InternalError, UnresolvedError, UsageError

if TYPE_CHECKING:
    from fleet_contracts.diagnostics.model import Diagnostic

UNRESOLVED_CODES = frozenset({"FLT3001", "FLT3021", "FLT3040"})
"""Codes of something that is not there, rather than wrong."""

DRIFT_CODES = frozenset({"FLT5005", "FLT5006"})
"""Codes of a lock that is right, but would have to change."""


class Exit(IntEnum):
    """What the process says at its end."""

    CLEAN = 0
    ERRORS = 1
    USAGE = 2
    LOCK_DRIFT = 3
    UNRESOLVED = 4
    INTERNAL = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


def exit_for(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> Exit:
    """Return the exit code of a run that ended with these diagnostics.

    Anything wrong in a document comes before a lock that would have to change, and that before
    anything missing. With `strict`, warnings are wrong, too.
    """
    failing = ("error", "warning") if strict else ("error",)
    codes = {item.code for item in diagnostics if item.severity in failing}
    if codes - UNRESOLVED_CODES - DRIFT_CODES:
        return Exit.ERRORS
    if codes & DRIFT_CODES:
        return Exit.LOCK_DRIFT
    return Exit.UNRESOLVED if codes else Exit.CLEAN


def run(command: click.Command, name: str) -> NoReturn:
    """Run a command line and leave the process; no traceback reaches a person."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(int(_outcome(command, name)))


def _nowhere() -> TextIO:
    """Return a stream for output that was closed before we began."""
    return open(os.devnull, "w", encoding="utf-8")


def _outcome(command: click.Command, name: str) -> int:
    stdout = sys.stdout
    try:
        code = command.main(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except FleetError as error:
        return _failure(error)
    except BrokenPipeError:
        _drop_stdout()
        return Exit.BROKEN_PIPE
    except SystemExit:
        if sys.stdout is stdout:
            raise
        _drop_stdout()  # click met the broken pipe: it puts another stdout there and leaves
        return Exit.BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing was written", err=True)
        return Exit.INTERRUPTED
    except OSError as error:
        if error.errno != errno.ENOSPC:
            return _internal(error)
        _drop_stdout()
        return _failure(UnresolvedError(f"cannot write the report: {error.strerror}"))
    except Exception as error:  # whatever else it is, it is our mistake: no traceback
        return _internal(error)
    return code if isinstance(code, int) else Exit.CLEAN


def _drop_stdout() -> None:
    """Forget what stdout still holds, so that Python does not stumble over it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failure(error: FleetError) -> Exit:
    if isinstance(error, InternalError):
        return _internal(error)
    click.echo(f"error: {error.message}", err=True)
    if error.help:
        click.echo(f"  = help: {error.help}", err=True)
    return Exit.USAGE if isinstance(error, UsageError) else Exit.UNRESOLVED


def _internal(error: BaseException) -> Exit:
    """Say that this is our mistake and what to send us: where it was, but no document."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-3:])
    places = " < ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames
    )
    versions = f"fleet-contracts {__version__}, Python {platform.python_version()}, {sys.platform}"
    click.echo(f"internal error: {type(error).__name__}: {error}", err=True)
    click.echo(f"  = in {places} ({versions})", err=True)
    click.echo(
        "  = help: this is a mistake of fleet-contracts, not yours;"
        " please report these lines with the smallest input that shows them",
        err=True,
    )
    return Exit.INTERNAL
