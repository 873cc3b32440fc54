"""The programs' names, versions and help."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_kit import command, process

from fleet_contracts import __version__
from fleet_contracts.cli.main import COMMANDS

HEAVY = (
    "msgspec",
    "jsonschema_rs",
    "jsonschema",
    "ruamel",
    "_ruamel_yaml",
    "rfc8785",
    "referencing",
)
LOADED = """\
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
from fleet_contracts.cli.main import main
main()
"""


def installed(name: str) -> Path:
    path = Path(sys.executable).parent / name
    if not path.is_file():
        pytest.skip(f"{name} is not installed beside this Python")
    return path


@pytest.mark.parametrize("name", ["fleet", "flt", "fleet-runtime"])
def test_installed_programs(tmp_path: Path, name: str) -> None:
    program = [str(installed(name))]
    said = process(tmp_path, "--version", program=program)
    shown = "fleet" if name == "flt" else name
    assert (said.code, said.out, said.err) == (0, f"{shown}, version {__version__}\n", "")
    for option in ("--help", "-h"):
        helped = process(tmp_path, option, program=program)
        assert (helped.code, helped.err) == (0, "")
        assert helped.out.startswith("Usage: ")


def test_module(tmp_path: Path) -> None:
    said = process(tmp_path, "--version")
    assert (said.code, said.out) == (0, f"fleet, version {__version__}\n")


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_nothing_heavy_is_imported(tmp_path: Path, option: str) -> None:
    said = process(tmp_path, option, program=["-c", LOADED])
    assert said.code == 0
    loaded = json.loads(said.err)
    assert "click" in loaded
    assert [name for name in loaded if name.partition(".")[0] in HEAVY] == []


def test_help_names_every_command_and_every_option_has_help(tmp_path: Path) -> None:
    said = command(tmp_path, "--help")
    assert said.code == 0
    for name, entry in COMMANDS.items():
        assert f"  {name}  {entry.help}" in " ".join(said.out.split()) or entry.help in said.out
        helped = command(tmp_path, name, "--help")
        assert helped.code == 0
        assert f"Usage: fleet {name}" in helped.out


@pytest.mark.parametrize("name", ["compile", "check"])
def test_compiling_and_checking_take_the_same_options(tmp_path: Path, name: str) -> None:
    said = command(tmp_path, name, "--help").out
    for option in ("--output", "--format", "--project", "--catalog", "--max-errors", "--strict"):
        assert option in said
    assert ("--watch" in said) is (name == "check")


def test_no_command_is_told_how_to_go_on(tmp_path: Path) -> None:
    said = command(tmp_path)
    assert said.code == 2
    assert "Usage: fleet" in said.out + said.err
