"""`fleet lock`: bring the lock up to date; only this moves or drops a pin (spec section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from fleet_contracts.cli.building import Built, Settings, compile_files, told
from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.locking import lock_command_line, offline_option
from fleet_contracts.cli.offline import without_network
from fleet_contracts.cli.options import asked_by, catalog_option
from fleet_contracts.cli.paths import authored_roots
from fleet_contracts.cli.progress import Progress
from fleet_contracts.cli.report import Report, print_report, report_options
from fleet_contracts.compiler import Compiler
from fleet_contracts.errors import UsageError
from fleet_contracts.lock_change import LockChange, change_of, report_drift
from fleet_contracts.lockfile import LOCK_NAME, replace_lock
from fleet_contracts.pins import Locking, Pins
from fleet_contracts.project import Project, find_root
from fleet_contracts.schemas import CATALOG_FILE
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.suggest import closest

LOCK_STAGE = "FLT5"
NOT_ABOUT_PINS = frozenset({"FLT3040", "FLT4006"})
"""Codes of errors with which the same builtins are used: an Artifact is not in a store, and two
roots have one name, which may go to different stores."""


@click.command("lock")
@click.argument("refs", metavar="[REF...]", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; exit with 3 if it would change.")
@click.option(
    "--upgrade", is_flag=True, help="Move pins to the catalogue's: those of REFs, or all."
)
@click.option("--prune", is_flag=True, help="Drop pins that no root uses.")
@offline_option
@catalog_option()
@report_options
def lock_command(
    *,
    refs: tuple[str, ...],
    check: bool,
    upgrade: bool,
    prune: bool,
    offline: bool,
    form: str,
    color: str,
    project: Path | None,
    catalog: Path | None,
    max_input_bytes: int,
    max_errors: int,
) -> Exit:
    """Bring fleet.lock up to date.

    Looks at all TaskSets and Environments of the project and adds the builtins that are not
    locked. A pin stays as it is, unless it is to be moved or dropped. An older generation of
    the file becomes the newest one. Nothing is written if anything is wrong.
    """
    if refs and not upgrade:
        raise UsageError(
            f"found {refs[0]!r}, which needs --upgrade before it",
            help="a lock is that of a whole project, which --project names; REF is a builtin",
        )
    opened = Project(find_root(Path(LOCK_NAME)) if project is None else project.resolve())
    settings = Settings(
        project=opened,
        files=authored_roots(opened),
        store=None,
        catalog=catalog,
        max_bytes=max_input_bytes,
        writes=not check,
        locking=Locking(rewrites=True, command=lock_command_line(opened.root, catalog)),
    )
    wish = _Wish(frozenset(refs), upgrade, prune)
    with without_network(asked_by("offline") if offline else ""):
        built = _build(settings, wish)
    print_report(form, Report(built, settings, color, max_errors, ""))
    if form in ("text", "github") and built.code is Exit.CLEAN:
        for line in _summary(built):
            click.echo(line)
    return built.code


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to happen beside adding pins: `refs` are those to upgrade, all where it is empty."""

    refs: frozenset[str]
    upgrade: bool
    prune: bool

    @property
    def words(self) -> list[str]:
        """How this is said on the command line."""
        upgrade = ["--upgrade", *sorted(self.refs)] if self.upgrade else []
        return [*upgrade, "--prune"] if self.prune else upgrade


def _build(settings: Settings, wish: _Wish) -> Built:
    """Compile everything with the pins as they are to be, and write them if that went well."""
    with Progress() as progress:
        compiler = Compiler(
            project=settings.project,
            sink=HashSink(),
            catalog_file=settings.catalog or CATALOG_FILE,
            max_bytes=settings.max_bytes,
            progress=progress.advance,
            locking=settings.locking,
        )
        pins = compiler.pins
        if pins is None:
            return _built(compiler, LockChange())
        if wish.upgrade:
            pins.move(_movable(wish.refs, pins))
        compile_files(compiler, settings, progress)
    change = change_of(pins, rewrites=True, prune=wish.prune)
    built = _built(compiler, change)
    if built.code is not Exit.CLEAN:
        return built
    _check_used(wish.refs, pins)
    if not settings.writes:
        command = lock_command_line(settings.project.root, settings.catalog, *wish.words)
        report_drift(change, pins, compiler.bag, command)
        return _built(compiler, change)
    if not change.is_current:
        replace_lock(pins.lock, change.after)
        change.written = True
    return built


def _built(compiler: Compiler, change: LockChange) -> Built:
    """Return what is to be told now: what stands in the way, and all about the lock."""
    found = [
        item
        for item in told(compiler)
        if item.code.startswith(LOCK_STAGE)
        or (item.severity == "error" and item.code not in NOT_ABOUT_PINS)
    ]
    return Built(compiler, [], change, found, exit_for(found))


def _movable(refs: frozenset[str], pins: Pins) -> list[str]:
    """Return the locked builtins that are to be upgraded; raises `UsageError`."""
    locked = pins.lock.pins.keys()
    for ref in sorted(refs - pins.catalog.keys()):
        if ref in locked:
            raise UsageError(
                f"{ref} is not in the catalogue, so its pin cannot be upgraded",
                help="leave it away; its pin stays as it is",
            )
        guess = closest(ref, {*locked, *pins.catalog})
        known = ", ".join(sorted(locked)) or "none"
        raise UsageError(
            f"no builtin {ref!r} in {LOCK_NAME} and in the catalogue",
            help=f"did you mean {guess!r}?" if guess else f"locked builtins: {known}",
        )
    return sorted(locked & refs if refs else locked)


def _check_used(refs: frozenset[str], pins: Pins) -> None:
    """Raise `UsageError` for a builtin to upgrade that neither was locked nor is added."""
    for ref in sorted(refs - pins.lock.pins.keys() - pins.added.keys()):
        raise UsageError(
            f"{ref} is not locked, and no root uses it",
            help="leave it away; a builtin is added to the lock when a root uses it",
        )


def _summary(built: Built) -> Iterator[str]:
    """Yield what happened, one line a pin."""
    change = built.lock
    if not change.written:
        is_needless = not change.after
        yield f"no builtin is used: no {LOCK_NAME}" if is_needless else f"{LOCK_NAME} is up to date"
        return
    done = {"added": change.added, "moved": change.moved, "dropped": change.dropped}
    for verb, refs in done.items():
        yield from (f"{verb:<7}  {ref}" for ref in refs)
    if not any(done.values()):
        yield f"{LOCK_NAME} is written anew, with the same pins"
