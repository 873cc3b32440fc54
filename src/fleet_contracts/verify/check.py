"""A whole store: its files, its roots, and what belongs to neither (spec section 3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.store.damage import missing_blob, no_file
from fleet_contracts.store.gc import no_store
from fleet_contracts.store.layout import EMPTY_REF, PACK_TYPE, blob_path, is_store
from fleet_contracts.store.listing import Listing, list_store
from fleet_contracts.store.model import Ref, RootKind, StoreError
from fleet_contracts.store.packs import read_table
from fleet_contracts.store.reach import HeldRoot, Need, Reach, reach
from fleet_contracts.verify.closure import Known, Walk
from fleet_contracts.verify.files import check_file

Progress = Callable[[int, int], None]
"""Called now and then with the bytes that were read and all there are."""

MOST_TRIES = 5
"""A store that a compile changes in the middle is looked at again, so many times in all."""

_RANKS = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class VerifiedRoot:
    """A root whose manifest could be read; `tasks` and `task_generation` are of TaskSets only."""

    kind: RootKind
    name: str | None
    digest: str
    generation: str
    task_generation: str | None
    tasks: int | None
    is_sound: bool


@dataclass(slots=True)
class Verified:
    """What was looked at, and what is wrong with it, errors first.

    `blobs` and `bytes` count what was read.
    """

    directory: Path
    roots: list[VerifiedRoot] = field(default_factory=list)
    blobs: int = 0
    bytes: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        """Whether anything is wrong that is more than a warning."""
        return any(item.severity == "error" for item in self.diagnostics)


def verify_store(
    directory: Path, digests: Collection[str] = (), progress: Progress = lambda _done, _all: None
) -> Verified:
    """Read every blob of a store, and walk every root through all that it names.

    With `digests` only the roots are looked at that hold one of them, and nothing is said about
    the rest of the store. Nothing is written, and no blob is held in memory whole unless it is
    a document. Raises `UnresolvedError` for a folder without a store, a digest that is not
    there, and a disk that fails; `UsageError` for a folder that holds something else.
    """
    for _ in range(MOST_TRIES):
        before = _index(directory)
        result = _verify(directory, digests, progress)
        if not result.has_errors or _index(directory) == before:
            break
    return result


def _index(directory: Path) -> bytes:
    """Return the bytes of the index, which say whether the store is still the same."""
    try:
        return (directory / "index.json").read_bytes()
    except OSError:
        return b""


def _verify(directory: Path, digests: Collection[str], progress: Progress) -> Verified:
    result = Verified(directory)
    try:
        if not is_store(directory):
            raise no_store(directory)
        reached = _reached(directory, digests)
    except StoreError as error:
        result.diagnostics.append(_diagnostic(error))
        return result
    problems = list(reached.problems)
    listing = list_store(directory)
    if digests:
        reached = _selected(directory, reached, digests)
        listing = _only(listing, reached.needs)
        problems = [each for each in problems if Path(each.path).name in _names(reached.needs)]
    else:
        problems += _twice(directory, reached.roots)
    sound = _read_files(directory, listing, reached.needs, problems, progress)
    result.blobs, result.bytes = len(listing.blobs), sum(listing.blobs.values())
    known = Known(directory, sound)
    for root in reached.roots:
        walk = Walk(known, root)
        walk.run()
        problems += walk.problems
        is_sound = walk.is_sound and EMPTY_REF.digest in sound
        result.roots.append(_verified_root(walk, is_sound=is_sound))
    if not digests:
        problems += _beside(directory, listing, reached)
    found = map(_diagnostic, problems)
    result.diagnostics = sorted(found, key=lambda each: (_RANKS[each.severity], each.place.file))
    return result


def _reached(directory: Path, digests: Collection[str]) -> Reach:
    """Return what is reached, nothing with a bad index: blobs are read all the same."""
    try:
        return reach(directory)
    except StoreError as error:
        if digests:
            raise
        return Reach(problems=[error])


def _read_files(
    directory: Path,
    listing: Listing,
    needs: dict[str, Need],
    problems: list[StoreError],
    progress: Progress,
) -> dict[str, int]:
    """Read every blob, add to `problems`, and return the sizes of the sound ones by digest."""
    sound = {}
    told = {(each.code, each.path) for each in problems}
    everything = sum(listing.blobs.values())
    done = 0
    for digest in sorted({*needs, *listing.blobs, *listing.odd}):
        need = needs.get(digest)
        path = blob_path(directory, digest)
        error: StoreError | None = None
        if digest in listing.odd:
            error = no_file(path, listing.odd[digest])
        else:
            try:
                sound[digest] = check_file(directory, digest, need.size if need else None)
            except StoreError as caught:
                error = caught
            except FileNotFoundError:  # one that nobody needs was removed in between
                error = missing_blob(path, need.by) if need else None
        if error is not None and (error.code, error.path) not in told:
            problems.append(error)
        done += listing.blobs.get(digest, 0)
        progress(done, everything)
    return sound


def _beside(directory: Path, listing: Listing, reached: Reach) -> Iterator[StoreError]:
    """Yield what is in the store and is reached by no root, where that can be told."""
    for path in listing.foreign:
        what = "folder" if path.is_dir() and not path.is_symlink() else "file"
        yield StoreError(
            "FLT6013",
            f"this {what} is no part of a store",
            str(path),
            help="move it elsewhere; `fleet gc` leaves it alone",
        )
    if reached.problems:
        return
    for digest, size in listing.blobs.items():
        if digest not in reached.needs:
            yield StoreError(
                "FLT6012",
                f"no root reaches the blob {digest} of {size:,} bytes",
                str(blob_path(directory, digest)),
                help="nothing is wrong with it; `fleet gc` removes it",
            )


def _twice(directory: Path, roots: list[HeldRoot]) -> Iterator[StoreError]:
    names = [root.name for root in roots if root.name is not None]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield StoreError(
            "FLT6001",
            f"index.json has {names.count(name)} roots named {name!r}, expected one",
            str(directory / "index.json"),
            help="compile into a new store, or remove all but one of them from index.json",
        )


def _selected(directory: Path, reached: Reach, digests: Collection[str]) -> Reach:
    """Return what is reached by way of roots that hold one of these digests."""
    chosen = Reach()
    for digest in digests:
        roots = [root for root in reached.roots if _holds(directory, root, digest)]
        if not roots and digest not in reached.needs:
            raise UnresolvedError(
                f"no root of {directory} holds {digest}",
                help="name the digest of a root, or of something that a root holds",
            )
        chosen.roots += [root for root in roots if root not in chosen.roots]
        wanted = [digest] if digest in reached.needs else []
        for root in roots:
            wanted += (root.ref.digest, EMPTY_REF.digest)
            wanted += (layer.digest for layer in root.manifest.layers)
        chosen.needs.update((each, reached.needs[each]) for each in wanted)
    return chosen


def _holds(directory: Path, root: HeldRoot, digest: str) -> bool:
    if digest == root.ref.digest or any(digest == each.digest for each in root.manifest.layers):
        return True
    packs = [layer.ref for layer in root.manifest.layers if layer.media_type == PACK_TYPE]
    return any(digest == ref.digest for pack in packs for ref in _table(directory, pack))


def _table(directory: Path, pack: Ref) -> list[Ref]:
    """Return the table of a pack, empty where it cannot be read: that is told later."""
    path = blob_path(directory, pack.digest)
    with suppress(OSError, StoreError), path.open("rb") as file:
        return read_table(file, pack.size, str(path))[0]
    return []


def _only(listing: Listing, needs: Collection[str]) -> Listing:
    return Listing(
        {digest: size for digest, size in listing.blobs.items() if digest in needs},
        {digest: what for digest, what in listing.odd.items() if digest in needs},
    )


def _names(digests: Collection[str]) -> set[str]:
    return {digest.removeprefix("sha256:") for digest in digests}


def _verified_root(walk: Walk, *, is_sound: bool) -> VerifiedRoot:
    root = walk.root
    return VerifiedRoot(
        kind=root.kind,
        name=root.name,
        digest=root.document.digest,
        generation=f"fleet.{root.kind}.{root.generation}",
        task_generation=walk.task_generation,
        tasks=walk.tasks,
        is_sound=is_sound,
    )


def _diagnostic(error: StoreError) -> Diagnostic:
    return Diagnostic(error.code, error.message, Place(error.path), error.help)
