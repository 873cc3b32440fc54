"""How the node tools are installed, with programs that only write down what they are asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from node_kit import CHECKOUT, WANTED

NEEDED = ("sh", "dirname", "cmp", "cp", "mkdir", "rm", "id", "env", "cat", "chmod")
NPM = """#!/bin/sh
echo "npm $*" >>"$LOG"
cat package.json >installed-by-npm.json
exit "$NPM_ENDS_WITH"
"""
APT = """#!/bin/sh
echo "apt-get $*" >>"$LOG"
[ "$1" = update ] || for name in node npm; do
    cp "$SPARE/$name" "$PROGRAMS/$name"
done
"""


class Machine:
    """A checkout with nothing but the tools, and the programs that a machine has."""

    def __init__(self, folder: Path, *installed: str) -> None:
        self.checkout, self.programs = folder / "checkout", folder / "bin"
        self.spare, self.log = folder / "spare", folder / "log"
        for each in (self.programs, self.spare):
            each.mkdir()
        (self.checkout / "tools" / "node").mkdir(parents=True)
        shutil.copy(CHECKOUT / "tools" / "install_node.sh", self.checkout / "tools")
        shutil.copy(WANTED, self.checkout / "tools" / "node")
        for name in NEEDED:
            program = shutil.which(name)
            assert program is not None
            (self.programs / name).symlink_to(program)
        for name, text in {"npm": NPM, "node": "#!/bin/sh\n", "apt-get": APT}.items():
            path = (self.programs if name in installed else self.spare) / name
            path.write_text(text)
            path.chmod(0o755)

    def run(self, npm_ends_with: int = 0) -> int:
        """Run the script from another folder; return its exit code."""
        self.log.write_text("")
        environment = {
            "PATH": str(self.programs),
            "PROGRAMS": str(self.programs),
            "SPARE": str(self.spare),
            "LOG": str(self.log),
            "NPM_ENDS_WITH": str(npm_ends_with),
        }
        script = self.checkout / "tools" / "install_node.sh"
        command = [str(self.programs / "sh"), str(script)]
        done = subprocess.run(
            command, env=environment, cwd=self.spare, capture_output=True, check=False
        )
        return done.returncode

    @property
    def asked(self) -> list[str]:
        """The programs that were run to install something, each with its first argument."""
        return [" ".join(line.split()[:2]) for line in self.log.read_text().splitlines()]


def test_tools_are_installed_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "node", "npm")
    assert (machine.run(), machine.asked) == (0, ["npm install"])
    assert (machine.run(), machine.asked) == (0, [])
    written = {path.relative_to(machine.checkout).parts[0] for path in machine.checkout.iterdir()}
    assert written == {"build", "tools"}


def test_tools_are_installed_again_when_others_are_wanted(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "node", "npm")
    assert machine.run() == 0
    wanted = machine.checkout / "tools" / "node" / "package.json"
    wanted.write_text('{"private": true}\n')
    assert (machine.run(), machine.asked) == (0, ["npm install"])
    build = machine.checkout / "build" / "node"
    assert (build / "installed-by-npm.json").read_text() == wanted.read_text()


def test_a_failed_installation_is_tried_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "node", "npm")
    assert machine.run(npm_ends_with=7) == 7
    assert (machine.run(), machine.asked) == (0, ["npm install"])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")
def test_missing_programs_are_installed_first(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "apt-get")
    assert machine.run() == 0
    assert machine.asked == ["apt-get update", "apt-get install", "npm install"]
    assert (machine.run(), machine.asked) == (0, [])


def test_a_machine_without_packages_is_told_so(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert (machine.run(), machine.asked) == (1, [])
