"""What several test folders share: fixtures, and what the markers of foreign programs do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import node_kit
import registry_kit

MISSING = {"node": node_kit.what_is_missing, "registry": registry_kit.what_is_missing}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose marker names programs that are missing; in CI, fail it."""
    for marker, what_is_missing in MISSING.items():
        missing = what_is_missing() if item.get_closest_marker(marker) else None
        if missing is None:
            continue
        if os.environ.get("FLEET_CI") == "1":
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """The folder of real inputs beside the repository; tests of them skip without it."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("the folder of shared cases is not beside the repository")
    return folder
