"""The workshop of this folder."""

from __future__ import annotations

import pytest
from identity_base import base
from identity_kit import ARTIFACTS, Content, Workshop, write_artifacts

from fleet_contracts.store import Store


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Where projects are written and compiled."""
    folder = tmp_path_factory.mktemp("identity")
    write_artifacts(folder / "store")
    return Workshop(folder, Store.open(folder / "store"))


@pytest.fixture(scope="session")
def expected(workshop: Workshop) -> Content:
    """What the base TaskSet becomes, read as JSON."""
    return workshop.compile(base(ARTIFACTS))
