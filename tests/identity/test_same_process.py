"""One digest for one meaning in every process, folder and interpreter (spec sections 2 and 3)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from identity_base import FILES, base, desk
from identity_kit import ARTIFACTS, Content, write_artifacts, write_files
from yaml_text import Writer

import fleet_contracts

ENVIRONMENT = "desk.environment.yaml"
ROOT = "identity.taskset.yaml"
SOURCES = Path(fleet_contracts.__file__).parents[1]
TIMEOUT = 120


def write_project(folder: Path) -> Path:
    """Write both roots, the store of their Artifacts, and a lock to be made."""
    standalone = {"authoring": "environment/v1", "name": "desk", **desk()}
    files = {
        **FILES,
        ROOT: Writer(Random(1)).document(base(ARTIFACTS)),
        ENVIRONMENT: json.dumps(standalone),
    }
    write_files(folder, files)
    write_artifacts(folder / ".fleet")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("process") / "project")


def run(
    folder: Path,
    *arguments: str,
    command: str = "check",
    python: str = sys.executable,
    cwd: Path | None = None,
    umask: int = -1,
    **env: str,
) -> dict[str, Any]:
    """Run a command over both roots of a project and return its report."""
    done = subprocess.run(
        [
            python,
            "-m",
            "fleet_contracts",
            command,
            str(folder / ROOT),
            str(folder / ENVIRONMENT),
            "--format",
            "json",
            *arguments,
        ],
        env={**os.environ, **env},
        cwd=cwd,
        umask=umask,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def digests(report: dict[str, Any]) -> dict[str, str]:
    assert all(item["severity"] == "warning" for item in report["diagnostics"])
    return {root["name"]: root["digest"] for root in report["roots"]}


@pytest.fixture(scope="module")
def wanted(expected: Content) -> dict[str, str]:
    """What both roots are called in this process."""
    environment = expected.task("a/forest")["environment"]["digest"]
    return {"identity": expected.digest, "desk": environment}


@pytest.mark.parametrize("seed", ["0", "1", "4294967295", "random"])
def test_the_seed_of_hashes(project: Path, wanted: dict[str, str], seed: str) -> None:
    assert digests(run(project, PYTHONHASHSEED=seed)) == wanted


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/St_Johns", "UTC"])
def test_the_time_zone(project: Path, wanted: dict[str, str], zone: str) -> None:
    assert digests(run(project, TZ=zone)) == wanted


def locales() -> list[str]:
    """Return locales that are always there, and installed ones with rules of their own."""
    names = ["C", "POSIX", "C.UTF-8"]
    program = shutil.which("locale")
    if program:
        listed = subprocess.run([program, "-a"], capture_output=True, text=True, check=False)
        known = listed.stdout.split()
        names += [name for name in known if name.startswith(("tr_TR", "de_DE", "ar_"))]
    return names


@pytest.mark.parametrize("name", locales())
def test_the_locale(project: Path, wanted: dict[str, str], name: str) -> None:
    assert digests(run(project, LC_ALL=name, LANG=name)) == wanted


@pytest.mark.parametrize("utf8", ["0", "1"])
def test_the_encoding_of_the_terminal(project: Path, wanted: dict[str, str], utf8: str) -> None:
    report = run(project, PYTHONUTF8=utf8, PYTHONIOENCODING="latin-1:replace")
    assert digests(report) == wanted


def test_the_mode_of_the_interpreter(project: Path, wanted: dict[str, str]) -> None:
    assert digests(run(project, PYTHONOPTIMIZE="2")) == wanted
    assert digests(run(project, PYTHONDEVMODE="1")) == wanted


def test_the_working_directory(project: Path, wanted: dict[str, str], tmp_path: Path) -> None:
    for folder in (Path("/"), tmp_path, project, project / "prompts"):
        assert digests(run(project, cwd=folder)) == wanted


def test_the_folder_of_the_project(wanted: dict[str, str], tmp_path: Path) -> None:
    folder = write_project(tmp_path / "Ünusual näme" / "with spaces")
    assert digests(run(folder)) == wanted
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert digests(run(link)) == wanted


def test_times_and_modes_of_files(wanted: dict[str, str], tmp_path: Path) -> None:
    folder = write_project(tmp_path / "old")
    for number, path in enumerate(sorted(folder.rglob("*"))):
        if path.is_file():
            path.chmod((0o400, 0o644, 0o777)[number % 3])
        os.utime(path, (number, 2**31 + number))
    assert digests(run(folder)) == wanted


def store_bytes(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_two_stores_hold_the_same_bytes(wanted: dict[str, str], tmp_path: Path) -> None:
    found = []
    for name, umask, seed in (("one", 0o022, "1"), ("two", 0o077, "2"), ("three", 0o000, "3")):
        folder = write_project(tmp_path / name / "project")
        report = run(folder, command="compile", umask=umask, cwd=tmp_path, PYTHONHASHSEED=seed)
        assert digests(report) == wanted
        found.append((store_bytes(folder / ".fleet"), (folder / "fleet.lock").read_bytes()))
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) > 5


def test_a_second_compile_changes_no_byte(tmp_path: Path) -> None:
    folder = write_project(tmp_path / "project")
    run(folder, command="compile")
    before = store_bytes(folder)
    run(folder, command="compile", PYTHONHASHSEED="7", TZ="Asia/Tokyo")
    assert store_bytes(folder) == before


def interpreters() -> list[str]:
    """Return other interpreters: those named to the tests, else their usual names."""
    named = [path for path in os.environ.get("FLEET_PYTHONS", "").split(":") if path]
    return named or ["python3.11", "python3.12", "python3.13"]


@pytest.mark.parametrize("name", interpreters())
def test_another_interpreter(project: Path, wanted: dict[str, str], name: str) -> None:
    python = shutil.which(name)
    if python is None:
        pytest.skip(f"there is no {name}; FLEET_PYTHONS may name other interpreters")
    path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path}
    probe = subprocess.run(
        [python, "-c", "import fleet_contracts.cli.compile"],
        env=environment,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    if probe.returncode:
        pytest.skip(f"{python} does not run or lacks the dependencies of the project")
    assert digests(run(project, python=python, PYTHONPATH=path)) == wanted
