"""The OCI image layout of a store: its files, media types and documents (spec section 3)."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar, cast

import msgspec

from fleet_contracts.canonical import CanonicalError, canonical_bytes, digest
from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.store.disk import LOCK_NAME, WORK_NAME, io_failure, io_failures
from fleet_contracts.store.model import Ref, RootKind, StoreError
from fleet_contracts.store.packs import is_digest

LAYOUT_VERSION = "1.0.0"
LAYOUT_BYTES = b'{"imageLayoutVersion":"1.0.0"}'
EMPTY_BYTES = b"{}"
EMPTY_REF = Ref(digest(EMPTY_BYTES), len(EMPTY_BYTES))

EMPTY_TYPE = "application/vnd.oci.empty.v1+json"
INDEX_TYPE = "application/vnd.oci.image.index.v1+json"
MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
BLOB_TYPE = "application/vnd.fleet.blob.v1"
PACK_TYPE = "application/vnd.fleet.pack.v1"
NAME_KEY = "org.opencontainers.image.ref.name"
DESCRIPTION_KEY = "org.opencontainers.image.description"

MAX_INDEX_BYTES = 64 << 20
MAX_MANIFEST_BYTES = 4 << 20

_OWN_NAMES = {LOCK_NAME, WORK_NAME, "blobs", "index.json"}
_ROOT_TYPE = re.compile(
    r"application/vnd\.fleet\.(taskset|environment|artifact)\.(v[0-9a-z]+)\+json"
)
_MEND = "copy the store again from where it came from, or compile into a new one"
_Document = TypeVar("_Document")


class Descriptor(msgspec.Struct, frozen=True, rename="camel"):
    """An OCI content descriptor, as far as a store reads it."""

    media_type: str
    digest: str
    size: int
    artifact_type: str | None = None
    annotations: dict[str, str] = {}

    @property
    def ref(self) -> Ref:
        """Digest and size alone."""
        return Ref(self.digest, self.size)


class Manifest(msgspec.Struct, frozen=True, rename="camel"):
    """An OCI image manifest, as far as a store reads it."""

    schema_version: Literal[2]
    layers: list[Descriptor]
    artifact_type: str | None = None


class _Index(msgspec.Struct, frozen=True, rename="camel"):
    schema_version: Literal[2]
    manifests: list[Descriptor]


class _LayoutFile(msgspec.Struct, frozen=True, rename="camel"):
    image_layout_version: str


def blob_path(directory: Path, object_digest: str) -> Path:
    """Return where the blob with a digest is or would be."""
    return directory / "blobs" / "sha256" / object_digest.removeprefix("sha256:")


def root_type(media_type: str | None) -> tuple[RootKind, str] | None:
    """Return kind and generation of a root document's media type, None for any other."""
    match = _ROOT_TYPE.fullmatch(media_type or "")
    return (cast("RootKind", match[1]), match[2]) if match else None


def is_store(directory: Path) -> bool:
    """Whether a folder is a store that can be read; False when there is nothing yet.

    Raises `UsageError` for a folder that holds something else, `StoreError` FLT6002 for a
    layout version other than 1.0.0, FLT6001 for links where files and folders belong.
    """
    try:
        names = set(os.listdir(directory))
    except FileNotFoundError:
        return False
    except NotADirectoryError:
        raise UsageError(f"{directory} is not a folder, and a store is one") from None
    except OSError as error:
        raise io_failure("read", directory, error) from error
    if "oci-layout" not in names:
        # A listing may lack what was made while it was taken, so the lock is looked for again.
        is_begun = names <= _OWN_NAMES and (directory / LOCK_NAME).exists()
        if names and not is_begun:
            raise UsageError(
                f"the folder {directory} is not empty and is no store: it has no oci-layout",
                help="name a new or an empty folder",
            )
        return False
    layout = directory / "oci-layout"
    found = _decode(read_small(layout, 4096), _LayoutFile, layout).image_layout_version
    if found != LAYOUT_VERSION:
        raise StoreError(
            "FLT6002",
            f"the layout version of this store is {found!r}, expected {LAYOUT_VERSION!r}",
            str(layout),
            help="use a release that knows it, or compile into a new folder",
        )
    for folder in (directory / "blobs", directory / "blobs" / "sha256"):
        with io_failures("read", folder):
            if folder.is_symlink() or not folder.is_dir():
                corrupt(folder, f"{folder} is not a folder")
    return True


def corrupt(path: Path, message: str) -> NoReturn:
    """Raise `StoreError` FLT6001 about a path."""
    raise StoreError("FLT6001", message, str(path), help=_MEND)


def check_blob(path: Path, size: int) -> bool:
    """Whether a blob is there; raises `StoreError` FLT6001 unless it is a file of that size."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise io_failure("read", path, error) from error
    if not stat.S_ISREG(found.st_mode):
        corrupt(path, f"the blob sha256:{path.name} is not a regular file")
    if found.st_size != size:
        corrupt(path, f"the blob sha256:{path.name} has {found.st_size} bytes, expected {size}")
    return True


def read_small(path: Path, limit: int) -> bytes:
    """Return a file's bytes; more than `limit`, a link or no file is FLT6001."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            corrupt(path, f"{path} is not a regular file of at most {limit} bytes")
        return path.read_bytes()
    except FileNotFoundError:
        corrupt(path, f"the store lacks {path}")
    except OSError as error:
        raise io_failure("read", path, error) from error


def read_index(directory: Path) -> tuple[dict[str, Any], list[Descriptor]]:
    """Return `index.json` as plain data, and its descriptors typed, in the same order."""
    path = directory / "index.json"
    data = read_small(path, MAX_INDEX_BYTES)
    typed = _decode(data, _Index, path)
    plain = _decode(data, dict[str, Any], path)
    try:
        canonical_bytes(plain)
    except CanonicalError as error:
        corrupt(path, f"{path} cannot be kept: {error.message}")
    return plain, typed.manifests


def read_manifest(directory: Path, descriptor: Descriptor) -> Manifest:
    """Return a root's manifest, checked as far as a reader relies on it."""
    if not is_digest(descriptor.digest) or descriptor.size < 0:
        index = directory / "index.json"
        corrupt(index, f"{index} names the manifest {descriptor.digest!r}, which is no sha256 blob")
    path = blob_path(directory, descriptor.digest)
    data = read_small(path, MAX_MANIFEST_BYTES)
    if digest(data) != descriptor.digest:
        corrupt(path, f"the manifest {descriptor.digest} does not have the digest of its name")
    manifest = _decode(data, Manifest, path)
    layers = manifest.layers
    if not layers or layers[0].media_type != manifest.artifact_type:
        corrupt(path, f"the manifest {descriptor.digest} does not begin with its root document")
    if not all(is_digest(layer.digest) and layer.size >= 0 for layer in layers):
        corrupt(path, f"the manifest {descriptor.digest} has a layer that is no sha256 blob")
    return manifest


def own_type(directory: Path, descriptor: Descriptor) -> str | None:
    """Return the root media type a descriptor of `index.json` stands for, None if foreign.

    Tools that copy layouts drop `artifactType` from descriptors; the manifest still has it.
    """
    found = descriptor.artifact_type
    if found is None and descriptor.media_type == MANIFEST_TYPE and is_digest(descriptor.digest):
        try:
            found = read_manifest(directory, descriptor).artifact_type
        except (StoreError, UnresolvedError):
            return None
    return found if root_type(found) else None


def _decode(data: bytes, kind: type[_Document], path: Path) -> _Document:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        corrupt(path, f"{path} is not what it should be: {error}")
