"""The store of GSM8K, compiled once for this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from realdata_kit import Compiled, compile_file, gsm8k_file


@pytest.fixture(scope="session")
def gsm8k(cases_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """The GSM8K test set as a TaskSet in a store."""
    return compile_file(gsm8k_file(cases_dir, tmp_path_factory.mktemp("gsm8k")))
