"""Everything that a compile writes is what `fleet verify` expects of a store."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixture_kit import EXAMPLES, OK, copied, folders, run

from fleet_contracts.verify import verify_store


@pytest.mark.parametrize("case", [*folders(OK), EXAMPLES], ids=lambda case: case.name)
def test_what_a_fixture_compiles_to_is_sound(tmp_path: Path, case: Path) -> None:
    folder = copied(case, tmp_path)
    assert run("compile", folder, case, "-o", "store").code == 0
    found = verify_store(folder / "store")
    assert found.diagnostics == []
    assert found.roots
    assert all(root.is_sound for root in found.roots)
