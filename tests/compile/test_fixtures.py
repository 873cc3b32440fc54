"""Every fixture of the compiler: what it makes of good input and what it says about bad input."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fixture_kit import ERR, OK, VERIFY, copied, documents, folders, golden, pretty, run

from fleet_contracts.diagnostics.codes import CODES, TABLE

STAGES = "123456"
"""The stages that compile has."""

UNREACHABLE = {"FLT2005": "only `fleet migrate` edits files"}
"""Codes of these stages that no authored file can cause, and why."""

BESIDE_ERRORS = frozenset({"FLT2018"})
"""Codes of no error that are told beside errors only."""

EXPECTED = ("report.json", "content.json")


@pytest.mark.parametrize("case", folders(OK), ids=lambda path: path.name)
def test_compiles(case: Path, tmp_path: Path) -> None:
    folder = copied(case, tmp_path)
    store = folder / ".compiled"
    if (folder / "store").is_dir():
        shutil.copytree(folder / "store", store)
    ended = run("compile", folder, case, "--output", store.name, "--format", "json")
    assert ended.code == 0, ended.stdout
    golden(case / "expected" / "report.json", ended.stdout)
    golden(case / "expected" / "content.json", pretty(documents(store)))


@pytest.mark.parametrize("case", folders(OK), ids=lambda path: path.name)
def test_good_fixtures_are_complete(case: Path) -> None:
    assert (case / "README.md").read_text("utf-8").strip()
    assert sorted(path.name for path in case.iterdir()) == ["README.md", "expected", "input"]
    assert {path.name for path in (case / "expected").iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("case", folders(ERR), ids=lambda path: path.name)
def test_says(case: Path, tmp_path: Path) -> None:
    folder = copied(case, tmp_path)
    before = sorted(folder.rglob("*"))
    ended = run("check", folder, case)
    assert sorted(folder.rglob("*")) == before, "check wrote something"
    golden(case / "expected.txt", f"{ended.stdout}exit {ended.code}\n")


@pytest.mark.parametrize("case", folders(ERR), ids=lambda path: path.name)
def test_bad_fixtures_show_their_code(case: Path) -> None:
    code = case.name.partition("-")[0]
    text = (case / "expected.txt").read_text("utf-8")
    assert f"{CODES[code].severity}[{code}]: " in text
    fails = CODES[code].severity == "error" or code in BESIDE_ERRORS
    assert text.rstrip().endswith("exit 0") is not fails


def test_every_code_has_a_fixture() -> None:
    shown = {case.name.partition("-")[0] for case in (*folders(ERR), *folders(VERIFY))}
    wanted = {row.id for row in TABLE if row.id[3] in STAGES}
    assert shown <= set(CODES)
    assert wanted - shown == set(UNREACHABLE)
