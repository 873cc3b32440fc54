"""What several test folders share: fixtures, and what the marker `node` does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from node_kit import what_is_missing


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `node` where the node tools are missing; in CI, fail it."""
    if item.get_closest_marker("node") is None:
        return
    missing = what_is_missing()
    if missing is None:
        return
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
