"""What is built and shipped: the wheel, also by way of the source distribution."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder by its path."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as the checkout gives it."""
    folder = tmp_path_factory.mktemp("wheel")
    python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel is installed, without what it depends on."""
    folder = tmp_path_factory.mktemp("installed")
    pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]
    python(*pip, "--no-deps", "--no-compile", "--target", str(folder), str(wheel))
    return folder


def test_schemas_and_catalogue_ship_byte_for_byte(installed: Path) -> None:
    package = installed / "fleet_contracts"
    assert files(package / "_schemas") == files(ROOT / "schemas")
    assert files(package / "_catalog") == files(ROOT / "catalog")


def test_the_page_of_diagnostics_ships(installed: Path, tmp_path: Path) -> None:
    pages = files(installed / "fleet_contracts" / "_docs")
    assert pages == {"diagnostics.md": (ROOT / "docs" / "diagnostics.md").read_bytes()}
    run = ["-m", "fleet_contracts", "explain", "unknown-key"]
    shown = python(*run, cwd=tmp_path, PYTHONPATH=str(installed))
    assert shown.startswith("### FLT2010 unknown-key")


def test_nothing_else_ships(installed: Path) -> None:
    package, expected = (
        {name for name in files(folder) if "__pycache__" not in name and name[0] != "_"}
        for folder in (installed / "fleet_contracts", ROOT / "src" / "fleet_contracts")
    )
    assert package == expected
    assert "py.typed" in package
    names = {path.name for path in installed.iterdir()}
    (metadata,) = installed.glob("*.dist-info")
    assert names == {"bin", "fleet_contracts", metadata.name}
    assert (metadata / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_installed_program_compiles_without_a_checkout(installed: Path, tmp_path: Path) -> None:
    clean = shutil.ignore_patterns(".fleet")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=clean)
    where = "import fleet_contracts.schemas as s; print(s.SCHEMA_FOLDER, s.CATALOG_FILE)"
    shown = python("-c", where, cwd=tmp_path, PYTHONPATH=str(installed)).split()
    assert all(Path(path).is_relative_to(installed) for path in shown)
    example = "examples/small/log-triage.taskset.yaml"
    run = ["-m", "fleet_contracts", "compile", example]
    assert "log-triage" in python(*run, cwd=tmp_path, PYTHONPATH=str(installed))
    assert (tmp_path / "examples" / ".fleet" / "index.json").is_file()


def test_scripts_are_installed(installed: Path) -> None:
    assert {"fleet", "flt", "fleet-runtime"} <= {
        path.name for path in (installed / "bin").iterdir()
    }


def test_the_source_distribution_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    python("-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT))
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()
