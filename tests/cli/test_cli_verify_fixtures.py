"""Stores with one thing wrong: `fixtures/verify/CODE-slug/`, and what a person is told of them."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from cli_kit import command

from fleet_contracts.diagnostics.codes import CODES

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "verify"
CASES = sorted(FIXTURES.iterdir())
SECONDS = re.compile(r"\b[0-9]+\.[0-9]{2} s$", re.MULTILINE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_wrong_with_a_store(tmp_path: Path, case: Path) -> None:
    shutil.copytree(case / "store", tmp_path / "store", symlinks=True)
    outcome = command(tmp_path, "verify", "store")
    code = case.name.partition("-")[0]
    told = set(re.findall(r"\[(FLT[0-9]{4})\]", outcome.out))
    assert told == {code}
    assert outcome.code == (1 if CODES[code].severity == "error" else 0)
    text = SECONDS.sub("0.00 s", outcome.out)
    if os.environ.get("FLEET_GOLDEN") == "write":
        (case / "expected.txt").write_text(text, encoding="utf-8", newline="\n")
    assert text == (case / "expected.txt").read_text(encoding="utf-8")
