"""How `fleet lsp` begins and ends."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from click.testing import CliRunner
from lsp_kit import COMMAND, TASKS, FleetClient

from fleet_contracts.cli.lsp import lsp_command
from fleet_contracts.errors import UsageError

REAL_FIND_SPEC = importlib.util.find_spec


def message(method: str, params: object, **more: object) -> bytes:
    """Return a message as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def run(said: bytes, folder: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    """Say something to a server, then nothing more."""
    return subprocess.run(
        command or COMMAND, input=said, cwd=folder, capture_output=True, timeout=30, check=False
    )


def test_it_ends_as_it_was_told(tmp_path: Path) -> None:
    client = FleetClient(tmp_path.resolve())
    client.initialize()
    assert client.close() == 0


@pytest.mark.parametrize(
    "said", [b"", b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}']
)
def test_an_editor_that_leaves_without_goodbye_is_a_failure(tmp_path: Path, said: bytes) -> None:
    ended = run(said, tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")


def test_an_editor_that_does_not_listen_any_more_is_left_in_peace(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "a.taskset.yaml"
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        able: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": TASKS}
        server.stdin.write(message("initialize", able, id=1))
        server.stdin.flush()
        server.stdout.readline()
        server.stdout.close()
        server.stdin.write(message("textDocument/didOpen", {"textDocument": document}))
        server.stdin.write(message("textDocument/hover", {}, id=2))
        server.stdin.write(message("shutdown", None, id=3) + message("exit", None))
        server.stdin.close()
        said = server.stderr.read()
        assert server.wait(30) == 0
    assert said.count(b"the editor does not listen any more") == 1
    assert len(said) < 10_000


def test_what_is_printed_does_not_reach_the_editor(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from fleet_contracts.cli.main import main\n"
        "from fleet_contracts.lsp.service import Service\n"
        "Service.hover = lambda *a: print('said') or os.write(1, b'written') and None\n"
        "sys.argv = ['fleet', 'lsp']\n"
        "main()\n"
    )
    able: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
    where = {"textDocument": {"uri": "x"}, "position": {"line": 0, "character": 0}}
    said = message("initialize", able, id=1) + message("textDocument/hover", where, id=2)
    said += message("shutdown", None, id=3) + message("exit", None)
    ended = run(said, tmp_path, sys.executable, "-c", program)
    assert ended.returncode == 0
    assert b'"id": 2' in ended.stdout
    assert b"said" not in ended.stdout
    assert b"written" not in ended.stdout
    assert b"said" in ended.stderr
    assert b"written" in ended.stderr


def test_text_that_is_no_message_is_passed_over(tmp_path: Path) -> None:
    said = b"Content-Length: 3\r\n\r\n{]}Content-Length: 33\r\n\r\n"
    said += b'{"jsonrpc":"2.0","method":"exit"}'
    ended = run(said, tmp_path)
    assert ended.returncode == 1
    assert b"window/showMessage" in ended.stdout
    assert b"Unable to handle message" in ended.stderr


def test_the_command_line_says_how_large_files_may_be_and_which_builtins_there_are(
    tmp_path: Path,
) -> None:
    folder = tmp_path.resolve()
    catalog = folder / "own.yaml"
    image = "sha256:" + "2" * 64
    catalog.write_text(
        f"catalog: builtins/v1\nbuiltins:\n  own@v1: {{image_ref: {image}}}\n", encoding="utf-8"
    )
    path = folder / "a.taskset.yaml"
    words = ("--catalog", str(catalog), "--max-input-bytes", str(len(TASKS)))
    with FleetClient(folder, *words) as client:
        client.open(path, TASKS.replace("terminal@v1", "own@v1"))
        assert client.diagnostics(path) == []
        client.change(path, TASKS + "# more")
        assert [each["code"] for each in client.diagnostics(path)] == ["FLT1004"]
        catalog.unlink()
        client.change(path, TASKS)
        (found,) = client.diagnostics(path)
        assert "code" not in found
        assert found["message"].startswith("cannot read the catalogue")


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(name: str) -> ModuleSpec | None:
        return None if name == "pygls" else REAL_FIND_SPEC(name)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    result = CliRunner().invoke(lsp_command, ["--stdio"])
    assert isinstance(result.exception, UsageError)
    assert result.exception.help == "pip install 'fleet-contracts[lsp]'"
    assert result.stdout == ""
