"""The store: named roots and their closures as an OCI image layout on disk (spec section 3)."""

from fleet_contracts.store.artifacts import Entry, publish_artifact
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.store.model import (
    BIG_OBJECT,
    ContentSink,
    Ref,
    Root,
    RootKind,
    StoreError,
    TaskPack,
)
from fleet_contracts.store.reader import Store, StoredRoot
from fleet_contracts.store.verifier import VerifierFolder
from fleet_contracts.store.writer import Transaction

__all__ = [
    "BIG_OBJECT",
    "ContentSink",
    "Entry",
    "HashSink",
    "Ref",
    "Root",
    "RootKind",
    "Store",
    "StoreError",
    "StoredRoot",
    "TaskPack",
    "Transaction",
    "VerifierFolder",
    "publish_artifact",
]
