"""The YAML language server, started once for all tests of what it makes of our schemas."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from yaml_server_kit import server, set_up

from stdio_kit import LspClient


@pytest.fixture(scope="session")
def yaml_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LspClient]:
    """The server in a project that `fleet editor setup --vscode` has set up."""
    folder = tmp_path_factory.mktemp("project")
    with server(folder, set_up(folder)) as started:
        started.wait_until_asked("workspace/configuration")
        yield started
