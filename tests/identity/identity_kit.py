"""Projects on disk, compiled in this process, and the content they become."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from identity_base import FILES, Plain

from fleet_contracts.compiler import CompiledRoot, Compiler
from fleet_contracts.project import Project
from fleet_contracts.store import Ref, Root, Store, Transaction

Pointer: TypeAlias = tuple[str | int, ...]

SET_FIELDS = (
    "seed_mounts",
    "captures",
    "roster",
    "tools",
    "inputs",
    "bindings",
    "metrics",
    "endpoints",
    "native_tools",
    "platforms",
    "allow",
)
"""Fields whose lists are sets (spec section 2)."""

ORDERED_FIELDS = ("prompt", "verifiers", "children", "args", "categories")
"""Fields whose lists are ordered."""


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def artifact(name: str) -> tuple[bytes, bytes]:
    """Return an Artifact document and the file it holds."""
    data = f"seed {name}\n".encode()
    entry = {"digest": sha(data), "size": len(data), "type": "file"}
    document = {"entries": {f"{name}.txt": entry}, "schema": "fleet.artifact.v1alpha1"}
    return json.dumps(document, separators=(",", ":"), sort_keys=True).encode(), data


ARTIFACTS = (sha(artifact("one")[0]), sha(artifact("second")[0]))


def write_artifacts(directory: Path) -> None:
    """Make a store with both Artifacts."""
    with Transaction.begin(directory) as transaction:
        for name in ("one", "second"):
            document, data = artifact(name)
            first, held = transaction.put(document), transaction.put(data)
            root = Root("artifact", "v1alpha1", name, None, first, common=[held])
            transaction.add_root(root)
        transaction.commit()


@dataclass(slots=True)
class KeepingSink:
    """A sink that keeps everything in memory."""

    objects: dict[str, bytes] = field(default_factory=dict)
    roots: list[Root] = field(default_factory=list)

    def put(self, data: bytes) -> Ref:
        self.objects[sha(data)] = data
        return Ref(sha(data), len(data))

    def put_stream(self, chunks: Iterable[bytes]) -> Ref:
        return self.put(b"".join(chunks))

    def add_root(self, root: Root) -> None:
        self.roots.append(root)


@dataclass(frozen=True, slots=True)
class Content:
    """What a TaskSet became; `tasks` are the bytes of its Task documents by key."""

    digest: str
    task_generation: str
    reason: str
    tasks: dict[str, bytes]
    objects: dict[str, bytes]
    closure: frozenset[str]

    def task(self, key: str) -> Any:
        return json.loads(self.tasks[key])

    def environment(self, key: str) -> bytes:
        return self.objects[self.task(key)["environment"]["digest"]]


class RefusedError(Exception):
    """The diagnostics of a project that does not compile."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.codes = [message.partition(" ")[0] for message in messages]


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)


@dataclass(slots=True)
class Workshop:
    """A folder for projects, and the store that holds the Artifacts they mount."""

    folder: Path
    store: Store
    count: int = 0

    def project(self, files: Mapping[str, str | bytes]) -> Path:
        """Write a fresh project with these files beside the common ones."""
        self.count += 1
        folder = self.folder / str(self.count)
        write_files(folder, {**FILES, **files})
        return folder

    def common(self) -> Path:
        """Return the project that holds nothing but the common files and a root."""
        folder = self.folder / "common"
        if not folder.exists():
            write_files(folder, FILES)
        return folder

    def compile(
        self, root: str | bytes | Plain, more: Mapping[str, str | bytes] | None = None
    ) -> Content:
        """Compile a TaskSet given as text or as plain data; raises `RefusedError`."""
        text = json.dumps(root) if isinstance(root, dict) else root
        folder = self.project(more) if more else self.common()
        write_files(folder, {"identity.taskset.yaml": text})
        return self.compile_file(folder / "identity.taskset.yaml", folder)

    def compile_file(self, path: Path, folder: Path) -> Content:
        sink = KeepingSink()
        compiler = Compiler(Project(folder.resolve()), sink, self.store)
        compiled = compiler.compile(path)
        if compiled is None:
            raise RefusedError(
                [f"{item.code} {item.message} {item.place}" for item in compiler.bag]
            )
        assert isinstance(compiled, CompiledRoot)
        (root,) = sink.roots
        document = json.loads(sink.objects[root.document.digest])
        assert compiled.digest == root.document.digest
        return Content(
            digest=compiled.digest,
            task_generation=document["task_generation"],
            reason=compiled.reason,
            tasks={key: sink.objects[ref["digest"]] for key, ref in document["tasks"].items()},
            objects=sink.objects,
            closure=frozenset(ref.digest for ref in root.common),
        )


def one_task(task: Plain, **more: Any) -> Plain:
    """Return a TaskSet of one Task."""
    return {"authoring": "taskset/v1", "name": "identity", "tasks": {"t": task}, **more}


def at(value: Any, pointer: Pointer) -> Any:
    for token in pointer:
        value = value[token]
    return value


def nodes(value: Any, pointer: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """Yield every map, list and scalar with its pointer, the outer ones first."""
    yield pointer, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from nodes(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from nodes(item, (*pointer, index))


def text_of(pointer: Pointer) -> str:
    """Return a pointer for reading and matching; keys hold their `/` unescaped."""
    return "/".join(str(token).replace("/", ":") for token in pointer)


def in_free_form(pointer: Pointer) -> bool:
    """Tell whether a pointer leads into `params`, `env` or `metadata`."""
    return any(token in ("params", "env", "metadata") for token in pointer[:-1])
