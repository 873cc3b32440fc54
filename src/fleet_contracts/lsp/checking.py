"""One check of one authored file, as `fleet check` does it, over the texts that are open."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fleet_contracts.compiler import ANY, CompiledRoot, Compiler
from fleet_contracts.diagnostics.model import Bag, Diagnostic, Place, Related, distinct
from fleet_contracts.errors import FleetError
from fleet_contracts.lsp.shortening import shortened
from fleet_contracts.project import STORE_NAME, Project, find_root
from fleet_contracts.reading.decode import MAX_INPUT_BYTES
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.schemas import CATALOG_FILE
from fleet_contracts.source import Source
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.store.layout import is_store
from fleet_contracts.store.model import StoreError
from fleet_contracts.store.reader import Store
from fleet_contracts.suppress import without_suppressed

SYNTAX = frozenset({"FLT1010", "FLT1011"})

log = logging.getLogger(__name__)


class Stale(Exception):
    """A check is given up: what it looks at has changed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server was started with: the catalogue, and how large files may be."""

    catalog: Path = CATALOG_FILE
    max_bytes: int = MAX_INPUT_BYTES


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of `target` found, by file; places name files by absolute paths.

    `sources` are the texts that were read, `seen` the files that were read or looked for.
    `failures` are sentences about what kept it from its end, for the top of the target.
    """

    target: Path
    found: Mapping[Path, list[Diagnostic]]
    sources: Mapping[Path, Source] = field(default_factory=dict)
    seen: frozenset[Path] = frozenset()
    failures: tuple[str, ...] = ()


@dataclass(slots=True)
class Checker:
    """Checks targets one after the other, and remembers which of them had a syntax error.

    While one has, it is looked for in a shortened text first: that finds it as well, but
    nothing that is wrong far before it.
    """

    settings: Settings
    _broken: set[Path] = field(default_factory=set)

    def __call__(
        self, target: Path, overlay: Mapping[Path, bytes], is_stale: Callable[[], bool]
    ) -> Checked:
        """Check a target; raises `Stale` as `check` does."""
        short = self._shortened(target, overlay) if target in self._broken else None
        if short is not None:
            checked = check(target, {**overlay, target: short}, is_stale, self.settings)
            if _is_broken(checked):
                return checked
        checked = check(target, overlay, is_stale, self.settings)
        self._broken.discard(target)
        if _is_broken(checked):
            self._broken.add(target)
        return checked

    @staticmethod
    def _shortened(target: Path, overlay: Mapping[Path, bytes]) -> bytes | None:
        try:
            text = shortened(overlay[target].decode())
        except (KeyError, UnicodeDecodeError):
            return None
        return None if text is None else text.encode()


def _is_broken(checked: Checked) -> bool:
    return any(item.code in SYNTAX for item in checked.found.get(checked.target, ()))


def check(
    target: Path,
    overlay: Mapping[Path, bytes],
    is_stale: Callable[[], bool],
    settings: Settings,
) -> Checked:
    """Check a root, or a file that is no root, alone.

    Raises `Stale` when `is_stale` says so; whatever else goes wrong is in `failures`.
    """
    failures: list[str] = []

    def go_on(done: int, total: int) -> None:
        if is_stale():
            raise Stale

    bag = Bag()
    project = Project(find_root(target))
    sources: dict[str, Source] = {}
    root = None
    try:
        compiler = Compiler(
            project=project,
            sink=HashSink(),
            store=_store(project, target, bag),
            catalog_file=settings.catalog,
            max_bytes=settings.max_bytes,
            progress=go_on,
            overlay=overlay,
            accepts=ANY,
            bag=bag,
        )
        sources = compiler.reader.sources
        root = compiler.compile(target)
    except Stale:
        raise
    except FleetError as error:
        failures.append(f"{error.message}{f'; {error.help}' if error.help else ''}")
    except Exception as error:  # the server goes on, and says which file it stumbled over
        log.exception("the check of %s failed", target)
        failures.append(f"internal error: {type(error).__name__}: {error}; please report it")
    path_of = functools.cache(lambda name: (project.root / name).resolve())
    texts = {path_of(name): source for name, source in sources.items()}
    items = settle(bag, sources, () if isinstance(root, CompiledRoot) else sources)
    return Checked(
        target,
        _by_file(_at_target(items, target), path_of),
        texts,
        frozenset((target, *project.seen, *texts)),
        tuple(failures),
    )


def settle(
    bag: Iterable[Diagnostic], sources: Mapping[str, Source], alone: Container[str]
) -> list[Diagnostic]:
    """Return diagnostics with their places, without repetitions and suppressed ones.

    `alone` are the files that were not looked at as part of a whole root.
    """
    items = distinct(resolve_places(bag, sources))
    return without_suppressed(items, sources, alone)


def _store(project: Project, target: Path, bag: Bag) -> Store | None:
    """Open the project's store, which may hold Artifacts; a bad one is reported."""
    directory = project.root / STORE_NAME
    try:
        return Store.open(directory) if is_store(directory) else None
    except StoreError as error:
        bag.add(error.code, error.message, Place(project.name(target)), help=error.help)
        return None


def _at_target(items: Iterable[Diagnostic], target: Path) -> list[Diagnostic]:
    """Return diagnostics with those about files of the store moved to the top of the target."""
    place = Place(str(target))
    return [
        replace(item, place=place) if item.code.startswith("FLT6") and not item.place.span else item
        for item in items
    ]


def _by_file(
    items: Iterable[Diagnostic], path_of: Callable[[str], Path]
) -> dict[Path, list[Diagnostic]]:
    """Return diagnostics by the file that they are about, each in the order of places."""
    found: dict[Path, list[Diagnostic]] = {}
    for item in items:
        known = _absolute(item, path_of)
        found.setdefault(Path(known.place.file), []).append(known)
    for each in found.values():
        each.sort(key=_start)
    return found


def _absolute(item: Diagnostic, path_of: Callable[[str], Path]) -> Diagnostic:
    """Return a diagnostic whose places name files by absolute paths."""

    def known(place: Place) -> Place:
        return replace(place, file=str(path_of(place.file)))

    def all_known(related: Iterable[Related]) -> tuple[Related, ...]:
        return tuple(replace(each, place=known(each.place)) for each in related)

    return replace(
        item,
        place=known(item.place),
        related=all_known(item.related),
        cases=all_known(item.cases),
        fix=item.fix and replace(item.fix, place=known(item.fix.place)),
    )


def _start(item: Diagnostic) -> tuple[int, int]:
    span = item.place.span
    return (span.start.line, span.start.column) if span else (0, 0)
