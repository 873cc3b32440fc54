"""How the registry tools are installed, with programs that only write down what they are asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import registry_kit
from node_kit import CHECKOUT

NEEDED = ("sh", "dirname", "mkdir", "rm", "id", "env", "cp", "mv", "chmod", "touch")
APT = """#!/bin/sh
echo "apt-get $*" >>"$LOG"
case "$1" in
    install) cp "$SPARE/skopeo" "$PROGRAMS/skopeo" ;;
    download) touch docker-registry_1_any.deb ;;
esac
exit "$APT_ENDS_WITH"
"""
UNPACK = """#!/bin/sh
echo "dpkg-deb $*" >>"$LOG"
mkdir -p "$3/usr/bin"
cp "$SPARE/docker-registry" "$3/usr/bin"
"""
SCRIPTS = {
    "apt-get": APT,
    "dpkg-deb": UNPACK,
    "skopeo": "#!/bin/sh\n",
    "docker-registry": "#!/bin/sh\n",
}


class Machine:
    """A checkout with nothing but the script, and the programs that a machine has."""

    def __init__(self, folder: Path, *installed: str) -> None:
        self.checkout, self.programs = folder / "checkout", folder / "bin"
        self.spare, self.log = folder / "spare", folder / "log"
        for each in (self.programs, self.spare, self.checkout / "tools"):
            each.mkdir(parents=True)
        shutil.copy(CHECKOUT / "tools" / "install_registry.sh", self.checkout / "tools")
        for name in NEEDED:
            program = shutil.which(name)
            assert program is not None
            (self.programs / name).symlink_to(program)
        for name, text in SCRIPTS.items():
            path = (self.programs if name in installed else self.spare) / name
            path.write_text(text)
            path.chmod(0o755)

    def run(self, apt_ends_with: int = 0) -> int:
        """Run the script from another folder; return its exit code."""
        self.log.write_text("")
        environment = {
            "PATH": str(self.programs),
            "PROGRAMS": str(self.programs),
            "SPARE": str(self.spare),
            "LOG": str(self.log),
            "APT_ENDS_WITH": str(apt_ends_with),
        }
        command = [str(self.programs / "sh"), str(self.checkout / "tools/install_registry.sh")]
        return subprocess.run(
            command, env=environment, cwd=self.spare, capture_output=True, check=False
        ).returncode

    @property
    def asked(self) -> list[str]:
        """What was run to install something, each with its first argument."""
        return [" ".join(line.split()[:2]) for line in self.log.read_text().splitlines()]

    @property
    def built(self) -> list[str]:
        """The files that were made in the checkout."""
        made = [path for path in self.checkout.rglob("*") if path.is_file()]
        return sorted(path.relative_to(self.checkout).as_posix() for path in made)[:-1]


def test_what_is_there_is_left(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "skopeo", "docker-registry", "apt-get")
    assert (machine.run(), machine.asked, machine.built) == (0, [], [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")
def test_missing_programs_are_installed_once_and_the_registry_is_only_unpacked(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path, "apt-get", "dpkg-deb")
    assert machine.run() == 0
    assert machine.asked == ["apt-get update", "apt-get install", "apt-get download", "dpkg-deb -x"]
    assert machine.built == ["build/registry/docker-registry"]
    assert (machine.run(), machine.asked) == (0, [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")
def test_only_what_is_missing_is_installed(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "apt-get", "dpkg-deb", "docker-registry")
    assert (machine.run(), machine.asked) == (0, ["apt-get update", "apt-get install"])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")
def test_a_failure_is_told_and_tried_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "apt-get", "dpkg-deb")
    assert (machine.run(apt_ends_with=7), machine.built) == (7, [])
    assert machine.run() == 0
    assert machine.built == ["build/registry/docker-registry"]


def test_a_machine_without_packages_is_told_so(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert (machine.run(), machine.asked) == (1, [])


def test_what_is_missing_names_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_kit, "UNPACKED", tmp_path / "docker-registry")
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert "skopeo is not installed; `make registry`" in str(registry_kit.what_is_missing())
    monkeypatch.setattr("shutil.which", lambda name: name if name == "skopeo" else None)
    assert "docker-registry is not installed" in str(registry_kit.what_is_missing())
    (tmp_path / "docker-registry").touch()
    assert registry_kit.what_is_missing() is None
