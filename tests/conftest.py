"""Fixtures that several test folders share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """The folder of real inputs beside the repository; tests of them skip without it."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("the folder of shared cases is not beside the repository")
    return folder
