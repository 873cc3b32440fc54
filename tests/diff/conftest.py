"""The shelf of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from diff_kit import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Where stores are made."""
    return Shelf(tmp_path)
