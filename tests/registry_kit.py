"""skopeo and a registry on loopback, which some tests run, and whether they are there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from fleet_contracts.store.layout import NAME_KEY, read_index
from node_kit import CHECKOUT

UNPACKED = CHECKOUT / "build" / "registry" / "docker-registry"
MOST_WAITED = 60.0
CONFIGURATION = """\
version: 0.1
log: {{accesslog: {{disabled: true}}}}
storage: {{filesystem: {{rootdirectory: {folder}}}}}
http: {{addr: "127.0.0.1:0"}}
"""
_LISTENING = re.compile(r"listening on (127\.0\.0\.1:[0-9]+)")


def what_is_missing() -> str | None:
    """Say why tests cannot use a registry; none if they can."""
    for name, found in (("skopeo", shutil.which("skopeo")), ("docker-registry", _registry())):
        if found is None:
            return f"{name} is not installed; `make registry` installs it on Debian"
    return None


def _registry() -> str | None:
    return shutil.which("docker-registry") or (str(UNPACKED) if UNPACKED.is_file() else None)


@contextmanager
def registry(folder: Path) -> Iterator[str]:
    """Run a registry that keeps its blobs in a folder; yields its address on loopback."""
    folder.mkdir()
    configuration, log = folder / "registry.yml", folder / "log"
    configuration.write_text(CONFIGURATION.format(folder=folder / "blobs"), encoding="utf-8")
    program = _registry()
    assert program is not None
    with log.open("wb") as output:
        server = subprocess.Popen(
            [program, "serve", str(configuration)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=_environment(folder),
        )
    try:
        yield _address(server, log)
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the server says where it listens; the port is one that was free."""
    end = time.monotonic() + MOST_WAITED
    while time.monotonic() < end:
        found = _LISTENING.search(log.read_text("utf-8", "replace"))
        if found:
            return found[1]
        if server.poll() is not None:
            _fail(log)
        time.sleep(0.02)
    _fail(log)


def _fail(log: Path) -> NoReturn:
    raise AssertionError(f"the registry does not run:\n{log.read_text('utf-8', 'replace')}")


@dataclass(frozen=True, slots=True)
class Skopeo:
    """skopeo with nothing of the machine's own setup: no policy, no credentials, no cache."""

    home: Path

    def copy(self, source: str, target: str, *options: str) -> None:
        """Copy one image; its manifest must stay as it is, byte for byte."""
        program = shutil.which("skopeo")
        assert program is not None
        self.home.mkdir(exist_ok=True)
        words = [program, "--insecure-policy", "--tmpdir", str(self.home), "copy", "--quiet"]
        done = subprocess.run(
            [*words, "--preserve-digests", *options, source, target],
            env=_environment(self.home),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr

    def push(self, store: Path, name: str, address: str) -> None:
        """Copy a root of a store to a registry."""
        target = f"docker://{address}/fleet/{name}:latest"
        self.copy(f"oci:{store}:{name}", target, "--dest-tls-verify=false")

    def pull(self, address: str, name: str, manifest: str, store: Path) -> None:
        """Copy a root from a registry by the digest of its manifest."""
        source = f"docker://{address}/fleet/{name}@{manifest}"
        self.copy(source, f"oci:{store}:{name}", "--src-tls-verify=false")


def _environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}


def assert_same_content(one: Path, two: Path) -> None:
    """Compare two layouts: their roots by name and manifest, and every blob byte by byte.

    Tools that copy write `index.json` anew, without types and descriptions; that is not content.
    """
    assert _roots(one) == _roots(two)
    ours, theirs = (_blobs(folder) for folder in (one, two))
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name].read_bytes() != theirs[name].read_bytes()] == []


def _roots(store: Path) -> set[tuple[str, str, int]]:
    return {(each.annotations[NAME_KEY], each.digest, each.size) for each in read_index(store)[1]}


def _blobs(store: Path) -> dict[str, Path]:
    return {path.name: path for path in (store / "blobs" / "sha256").iterdir()}
