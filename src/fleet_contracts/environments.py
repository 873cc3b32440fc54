"""Which Environment a name, a file, a builtin or an inline map means (spec section 5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec import UNSET

from fleet_contracts.documents import Reader
from fleet_contracts.models import authoring as a
from fleet_contracts.pins import Pins
from fleet_contracts.pointer import Pointer
from fleet_contracts.project import FileProblem
from fleet_contracts.scope import Scope

STANDALONE_ONLY = ("authoring", "name", "description")


@dataclass(frozen=True, slots=True)
class ResolvedEnvironment:
    """An Environment with everything it refers to, not yet lowered.

    `scope` and `at` say where its fields are written, which may be a file of its own.
    Endpoints and native tools are the builtin's where there is one.
    """

    scope: Scope
    at: Pointer
    authored: a.Environment
    image_ref: str
    endpoints: list[a.Endpoint]
    native_tools: list[str]


@dataclass(slots=True)
class Environments:
    """Resolves Environments of one root."""

    reader: Reader
    pins: Pins
    _files: dict[Path, tuple[Scope, a.Environment] | None] = field(default_factory=dict)

    def resolve(
        self, scope: Scope, authored: a.Environment, at: Pointer
    ) -> ResolvedEnvironment | None:
        """Resolve an Environment written at `at`; None when something was reported."""
        if authored.file is not UNSET:
            opened = self._open(scope, authored.file, (*at, "file"))
            if opened is None:
                return None
            scope, authored = opened
            at = ()
        if authored.builtin is UNSET:
            endpoints = [] if authored.endpoints is UNSET else authored.endpoints
            tools = [] if authored.native_tools is UNSET else authored.native_tools
            return ResolvedEnvironment(
                scope, at, authored, str(authored.image_ref), endpoints, tools
            )
        return self._builtin(scope, authored, authored.builtin, at)

    def _builtin(
        self, scope: Scope, authored: a.Environment, reference: str, at: Pointer
    ) -> ResolvedEnvironment | None:
        restated = False
        for name in ("endpoints", "native_tools"):
            if getattr(authored, name) is not UNSET:
                restated = True
                scope.report(
                    "FLT4071",
                    f"`{name}` beside a builtin: {reference} brings its own",
                    (*at, name),
                    key=True,
                    help="remove it, or use `image_ref`",
                )
        pin = self.pins.pin(scope, reference, (*at, "builtin"))
        if pin is None or restated:
            return None
        endpoints = [
            a.Endpoint(name=each.name, protocol=each.protocol, port=each.port)
            for each in pin.endpoints
        ]
        return ResolvedEnvironment(
            scope, at, authored, pin.image.value, endpoints, pin.native_tools
        )

    def _open(self, scope: Scope, relative: str, at: Pointer) -> tuple[Scope, a.Environment] | None:
        try:
            path = self.reader.project.locate(scope.origin(at).path.parent, relative)
        except FileProblem as problem:
            scope.report(problem.code, problem.message, at, help=problem.help)
            return None
        if path not in self._files:
            self._files[path] = self._load(scope, path)
        return self._files[path]

    def _load(self, scope: Scope, path: Path) -> tuple[Scope, a.Environment] | None:
        loaded = self.reader.load(path, ("environment/v1",), scope.bag)
        if loaded is None:
            scope.failed = True
            return None
        location, value, _ = loaded
        fields = {name: item for name, item in value.items() if name not in STANDALONE_ONLY}
        return Scope(scope.bag, location), msgspec.convert(fields, a.Environment)
